#pragma once
/// Small things that all of the lowering needs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/dla/requantise.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::dla::compiler {

/// Weights less their zero points, which lie along the first axis: 9 bits.
inline std::vector<std::int16_t> distances(const graph::Tensor& weights) {
    const std::vector<std::int32_t>& zeros = weights.quantisation.zero_point;
    const graph::Data::Bytes& bytes = weights.data;
    std::vector<std::int16_t> out(bytes.size());
    const std::size_t each = bytes.size() / std::max<std::size_t>(1, zeros.size());
    for (std::size_t first = 0, c = 0; first < bytes.size(); first += each, ++c) {
        const int zero = zeros.empty() ? 0 : zeros[c];
        for (std::size_t i = first; i < first + each; ++i) {
            const int value =
                weights.type == graph::Type::uint8 ? bytes[i] : static_cast<std::int8_t>(bytes[i]);
            out[i] = static_cast<std::int16_t>(value - zero);
        }
    }
    return out;
}

/// How many weights of the hardware, of eight bits, have each of them as their sum.
inline int terms_of(const std::vector<std::int16_t>& weights) {
    int least = 0, most = 0;
    for (const std::int16_t w : weights) {
        least = std::min<int>(least, w);
        most = std::max<int>(most, w);
    }
    int terms = 1;
    while (least < -128 * terms || most > 127 * terms)
        ++terms;
    return terms;
}

/// Element of an int32 constant.
inline std::int32_t word(const graph::Tensor& tensor, std::size_t index) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
        value |= std::uint32_t{tensor.data[4 * index + i]} << (8 * i);
    return static_cast<std::int32_t>(value);
}

/// Does it have axes in front of height, width and channels that are not 1? It is a vector then.
inline bool is_collapsed(const graph::Tensor& tensor) {
    const std::vector<int>& s = tensor.shape;
    return s.size() > 3 && std::any_of(s.begin(), s.end() - 3, [](int size) { return size != 1; });
}

/// Height, width and channels of an activation; fewer axes are those at the end.
struct Shape {
    int height, width, channels;
};
inline bool operator==(const Shape& a, const Shape& b) {
    return a.height == b.height && a.width == b.width && a.channels == b.channels;
}
inline Shape shape_of(const graph::Tensor& tensor) {
    if (is_collapsed(tensor)) return {1, 1, static_cast<int>(tensor.elements())};
    std::vector<int> s = tensor.shape;
    if (s.size() > 3) s.erase(s.begin(), s.end() - 3);
    s.insert(s.begin(), 3 - s.size(), 1);
    return {s[0], s[1], s[2]};
}

/// Which of height (0), width (1), channels (2) an axis is; negative: in front of them. What comes
/// along the first axis of a vector that is not 1 lies one behind the other.
inline int axis_of(const graph::Tensor& tensor, int axis) {
    if (!is_collapsed(tensor)) return axis - static_cast<int>(tensor.shape.size()) + 3;
    const auto end = tensor.shape.begin() + axis;
    return std::all_of(tensor.shape.begin(), end, [](int size) { return size == 1; }) ? 2 : -1;
}

/// Of the last three axes; in front of them there are axes of 1 alone (shape_of() sees to that).
inline std::array<int, 3> last_axes(const std::vector<int>& of, int missing) {
    std::array<int, 3> out{missing, missing, missing};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, of.size()); ++i)
        out[2 - i] = of[of.size() - 1 - i];
    return out;
}

/// Of all elements; 0 if it is not quantised.
inline int zero_point(const graph::Tensor& tensor) {
    return tensor.quantisation.zero_point.empty() ? 0 : tensor.quantisation.zero_point[0];
}

/// How the reference of the graph rounds.
inline Rounding rounding_of(const graph::Graph& graph) {
    return graph.rounding == graph::Rounding::tflite ? Rounding::tflite : Rounding::onnx;
}

/// The sum of a kernel's weights, and the sums that it can reach, whatever the input is.
struct KernelSums {
    std::int64_t weights = 0, low = 0, high = 0;
};
template <class Weight>
KernelSums kernel_sums(const Weight* weights, std::size_t count) {
    std::int64_t above = 0, below = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t w = weights[i];
        above += std::max<std::int64_t>(w, 0);
        below += std::min<std::int64_t>(w, 0);
    }
    return {above + below, 127 * below - 128 * above, 127 * above - 128 * below};
}

/// What the weights of a layer are to those who do not need the weights themselves.
struct WeightSums {
    int terms = 1;                    ///< terms_of()
    std::vector<KernelSums> kernels;  ///< along the first axis
};

/// Sums that a kernel can reach, and what the zero point of its input adds.
inline ChannelTarget channel_target(const KernelSums& sums, std::int64_t bias, int input_zero,
                                    double factor) {
    ChannelTarget channel;
    channel.factor = factor;
    channel.bias = bias - input_zero * sums.weights;
    channel.low = sums.low;
    channel.high = sums.high;
    return channel;
}

}  // namespace macrame::dla::compiler
