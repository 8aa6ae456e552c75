#include "network/elements.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "compiler/graph/quantised.hpp"

namespace macrame::network {

using graph::Type;

void Elements::add_real(double value) {
    if (tensor_.type == Type::float32) {
        const auto as_float = static_cast<float>(value);
        std::uint8_t bytes[4];
        std::memcpy(bytes, &as_float, 4);
        bytes_.insert(bytes_.end(), bytes, bytes + 4);
        return;
    }
    const graph::Quantisation& q = tensor_.quantisation;
    // As the reference does: in float32, halves to even in ONNX.
    const float steps = static_cast<float>(value) / (q.scale.empty() ? 1.0F : q.scale[0]);
    const float whole =
        rounding_ == graph::Rounding::onnx ? std::nearbyint(steps) : std::round(steps);
    const int zero = q.zero_point.empty() ? 0 : q.zero_point[0];
    const auto [least, most] = graph::bounds(graph::Activation::none, tensor_);
    const auto element = static_cast<unsigned>(static_cast<int>(
        std::clamp(static_cast<double>(whole) + zero, 1.0 * least, 1.0 * most)));
    for (std::size_t byte = 0; byte < graph::size_of(tensor_.type); ++byte)
        bytes_.push_back(static_cast<std::uint8_t>(element >> 8 * byte & 0xff));
}

void Elements::add_pixel(int pixel) {
    if (range_) {
        add_real(range_->first + pixel * (range_->second - range_->first) / 255);
    } else {
        const int low = tensor_.type == Type::int8 ? -128 : 0;
        bytes_.push_back(static_cast<std::uint8_t>(pixel + low));
    }
}

}  // namespace macrame::network
