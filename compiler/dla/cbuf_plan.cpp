#include "compiler/dla/cbuf_plan.hpp"

#include <algorithm>
#include <cassert>

#include "dla_regs.hpp"
#include "verif/dla/model/cdma.hpp"
#include "verif/dla/model/register_pages.hpp"
#include "verif/dla/model/weight_book.hpp"

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

int kernel_bytes(const ConvLayer& conv) {
    return conv.kernel_h * kernel_columns(conv) * kernel_channels(conv);
}

std::uint32_t fetched_weight_bytes(const ConvLayer& conv) {
    return conv.weight_bytes + (conv.masks ? conv.masks->bytes : 0);
}

int usable_banks(const model::Architecture& sizes, const ConvLayer& conv) {
    return sizes.cbuf_banks - (conv.masks ? 1 : 0);
}

namespace {

/// Entries of a line that its register can tell.
std::int64_t most_entries(const model::Architecture& sizes) {
    const auto table = dla_regs::table(model::register_variant(sizes.v1_map));
    return std::int64_t{table.find("CDMA.D_ENTRY_PER_SLICE")->write_mask} + 1;
}

/// Banks that so many kernel groups need.
int weight_banks(const model::Architecture& sizes, const ConvLayer& conv, int groups) {
    const std::int64_t bank = std::int64_t{sizes.cbuf_depth} * sizes.entry_bytes;
    const int kernels = std::min(conv.kernels, groups * sizes.atomic_k);
    std::int64_t bytes = std::int64_t{kernel_bytes(conv)} * kernels + 128;
    // Compressed groups begin and end anywhere.
    if (conv.masks)
        bytes = std::min<std::int64_t>(std::int64_t{conv.masks->largest_group} * groups + 256,
                                       conv.weight_bytes);
    return static_cast<int>((bytes + bank - 1) / bank);
}

}  // namespace

std::uint32_t weight_bytes(const ConvLayer& conv) {
    const std::uint64_t bytes = std::uint64_t(kernel_bytes(conv)) * unsigned(conv.kernels);
    return static_cast<std::uint32_t>(round_up(bytes, 128));
}

std::optional<CbufPlan> plan_cbuf(const model::Architecture& sizes, const ConvLayer& conv) {
    CbufPlan plan;
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
    if (plan.entries_per_slice > most_entries(sizes)) return std::nullopt;
    const std::int64_t entries = std::int64_t{plan.entries_per_slice} * height;
    const std::int64_t data = (entries + sizes.cbuf_depth - 1) / sizes.cbuf_depth;
    const std::int64_t left = usable_banks(sizes, conv) - data;
    if (left < weight_banks(sizes, conv, 1)) return std::nullopt;
    plan.data_banks = static_cast<int>(data);
    plan.weight_banks = static_cast<int>(left);
    return plan;
}

void share_banks(const model::Architecture& sizes, std::vector<Layer>& layers) {
    std::vector<ConvLayer*> convs;
    for (Layer& layer : layers)
        if (ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) convs.push_back(conv);
    int banks = sizes.cbuf_banks;  // the same for all, with masks or without
    for (const ConvLayer* conv : convs)
        banks = std::min(banks, usable_banks(sizes, *conv));
    const auto fits = [&](const ConvLayer& conv, int data, int times) {
        return times * conv.buffer.data_banks <= data &&
               weight_banks(sizes, conv, times) <= banks - data;
    };
    int best = 0, most = -1;
    for (int data = 1; data < banks; ++data) {
        int score = 0;  // twice is room for the next layer, too
        for (const ConvLayer* conv : convs)
            score += (fits(*conv, data, 1) ? 2 : 0) + (fits(*conv, data, 2) ? 1 : 0);
        if (score > most) {
            most = score;
            best = data;
        }
    }
    for (ConvLayer* conv : convs) {
        if (!fits(*conv, best, 1)) continue;
        conv->buffer.data_banks = best;
        conv->buffer.weight_banks = banks - best;
    }
}

void choose_banks_for_original(const model::Architecture& sizes, std::vector<Layer>& layers) {
    model::WeightBook book;
    const auto entries = [&](std::int64_t bytes) {
        return (bytes + sizes.entry_bytes - 1) / sizes.entry_bytes;
    };
    for (Layer& layer : layers) {
        ConvLayer* conv = std::get_if<ConvLayer>(&layer.work);
        if (conv == nullptr) continue;
        model::WeightUse use;
        use.occupied = entries(conv->weight_bytes);
        use.filled =
            std::min(entries(std::int64_t{kernel_bytes(*conv)} * conv->kernels), use.occupied);
        use.least = entries(
            std::int64_t{kernel_bytes(*conv)} * std::min(conv->kernels, sizes.atomic_k) + 128);
        // Few banks for data leave the most room for weights that it forgets to count down.
        std::optional<model::WeightUse> best;
        const int need = conv->buffer.data_banks;
        for (int data = need; data < usable_banks(sizes, *conv); ++data) {
            const int left = usable_banks(sizes, *conv) - data;
            if (weight_banks(sizes, *conv, 1) > left) break;
            use.data_banks = data;
            use.weight_banks = left;
            use.region = std::int64_t{left} * sizes.cbuf_depth;
            if (book.tail_before(use) != 0 || book.blocked(use)) continue;
            if (!best) best = use;
            if (book.may_block(use)) continue;
            best = use;
            break;
        }
        if (!best) best = use;  // the checker tells
        conv->buffer.data_banks = best->data_banks;
        conv->buffer.weight_banks = best->weight_banks;
        book.run(*best);
    }
}

std::vector<std::uint8_t> weight_stream(const model::Architecture& sizes, const ConvLayer& conv,
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
