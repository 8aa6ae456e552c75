#include "compiler/dla/buffer.hpp"

#include <algorithm>
#include <cassert>

#include "verif/dla/model/cdma.hpp"

namespace macrame::dla::compiler {

int pixel_format_code(int components) {
    assert(components == 1 || components == 4);
    return components == 1 ? 0 : 12;  // R8, A8B8G8R8
}

int kernel_channels(const ConvLayer& conv) {
    if (const Pixels* pixels = std::get_if<Pixels>(&conv.input))
        return pixels->components * conv.kernel_w;
    return std::get<Cube>(conv.input).channels;
}

int kernel_columns(const ConvLayer& conv) { return conv.is_image() ? 1 : conv.kernel_w; }

namespace {

int kernel_bytes(const ConvLayer& conv) {
    return conv.kernel_h * kernel_columns(conv) * kernel_channels(conv);
}

}  // namespace

std::uint32_t weight_bytes(const ConvLayer& conv) {
    const std::uint64_t bytes = std::uint64_t(kernel_bytes(conv)) * unsigned(conv.kernels);
    return static_cast<std::uint32_t>(round_up(bytes, 128));
}

std::optional<BufferPlan> plan_buffer(const model::DeviceSizes& sizes, const ConvLayer& conv) {
    BufferPlan plan;
    int height = 0;
    if (const Pixels* pixels = std::get_if<Pixels>(&conv.input)) {
        height = pixels->height;
        plan.entries_per_slice = div_up(
            (conv.left + pixels->width + conv.right) * pixels->components, sizes.entry_bytes);
    } else {
        const Cube& cube = std::get<Cube>(conv.input);
        height = cube.height;
        plan.entries_per_slice = model::entries_per_slice(sizes.cdma(), cube.width, cube.channels);
    }
    const std::int64_t entries = std::int64_t{plan.entries_per_slice} * height;
    const std::int64_t bank = std::int64_t{sizes.cbuf_depth} * sizes.entry_bytes;
    const std::int64_t data = (entries + sizes.cbuf_depth - 1) / sizes.cbuf_depth;
    const std::int64_t left = sizes.cbuf_banks - data;
    if (left < 1) return std::nullopt;
    const auto group = [&](int groups) {
        const int kernels = std::min(conv.kernels, groups * sizes.atomic_k);
        const std::int64_t bytes = std::int64_t{kernel_bytes(conv)} * kernels + 128;
        return (bytes + bank - 1) / bank;
    };
    if (group(1) > left) return std::nullopt;
    plan.data_banks = static_cast<int>(data);
    plan.weight_banks = static_cast<int>(left);
    return plan;
}

std::vector<std::uint8_t> weight_stream(const model::DeviceSizes& sizes, const ConvLayer& conv,
                                        const std::vector<std::int8_t>& weights) {
    const int rows = conv.kernel_h;
    const int columns = kernel_columns(conv);
    const int channels = kernel_channels(conv);
    const std::size_t kernel = static_cast<std::size_t>(kernel_bytes(conv));
    assert(weights.size() == kernel * static_cast<std::size_t>(conv.kernels));
    std::vector<std::uint8_t> stream;
    stream.reserve(conv.weight_bytes);
    const int step = conv.rows_per_step;
    for (int group = 0; group < conv.kernels; group += sizes.atomic_k) {
        const int end = std::min(conv.kernels, group + sizes.atomic_k);
        for (int first = 0; first < channels; first += sizes.atomic_c) {
            const int last = std::min(channels, first + sizes.atomic_c);
            for (int row = 0; row < rows; row += step) {
                for (int column = 0; column < columns; ++column) {
                    for (int k = group; k < end; ++k) {
                        for (int r = row; r < std::min(rows, row + step); ++r) {
                            const std::size_t at =
                                static_cast<std::size_t>(k) * kernel +
                                static_cast<std::size_t>((r * columns + column) * channels);
                            for (int c = first; c < last; ++c) {
                                stream.push_back(static_cast<std::uint8_t>(
                                    weights[at + static_cast<std::size_t>(c)]));
                            }
                        }
                    }
                }
            }
        }
    }
    assert(stream.size() <= conv.weight_bytes);
    stream.resize(conv.weight_bytes, 0);
    return stream;
}

}  // namespace macrame::dla::compiler
