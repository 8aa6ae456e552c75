/// Convolution layers of Winograd, of several inputs, of compressed weights.

#include <algorithm>
#include <vector>

#include "random_conv.hpp"
#include "verif/dla/model/cbuf_places.hpp"

namespace macrame::dla::stimulus {

void choose_winograd(ProgramBuilder& b, Conv& c) {
    const int elements = b.sizes.elements(c.type);
    c.winograd = true;
    c.sx = b.random.chance(70) ? 1 : b.random.low(2, 4);
    c.sy = b.random.chance(70) ? 1 : b.random.low(2, 4);
    c.width = 4 * b.random.low(3, 6);
    c.height = 4 * b.random.low(3, 5);
    c.pl = b.random.in(0, c.sx);
    c.pr = b.random.in(0, 5);
    c.pt = b.random.in(0, c.sy);
    c.pb = b.random.in(0, 5);
    c.raw_width = c.width * c.sx - c.pl - c.pr;
    c.raw_height = c.height * c.sy - c.pt - c.pb;
    c.raw_channels = b.random.low(1, 2 * elements + 3);
    c.channels = (c.raw_channels + elements - 1) / elements * elements * c.sx * c.sy;
    c.new_lines = c.height;
    c.s = c.r = 4;
    c.out_width = c.width - 4;
    c.out_height = c.height - 4;
}

void choose_batches(ProgramBuilder& b, Conv& c) {
    const int max_batch = b.sizes.batch ? b.sizes.max_batch : 1;
    if (max_batch == 1 || c.is_image || c.winograd || c.deep || c.huge) return;
    if (c.out_width == 1 && c.out_height == 1) return;
    Cube out{c.out_width, c.out_height, c.kernels};
    out.type = c.type;
    const std::int64_t most = std::min<std::int64_t>(
        {b.sizes.max_batch, b.options.max_elements / b.bytes(out), b.options.max_macs / c.macs()});
    if (most < 2 || !b.random.chance(60)) return;
    const int wanted = b.random.chance(60) ? b.random.in(2, 4) : b.random.in(5, 32);
    c.batches = static_cast<int>(std::min({std::int64_t{wanted}, most, std::int64_t{max_batch}}));
}

namespace {

/// Bit for each weight of the layer.
std::vector<bool> masks_of(const Conv& c) {
    verif::Random random(c.mask_seed);
    std::vector<bool> out(static_cast<std::size_t>(c.kernels * c.kernel_elements()));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = random.chance(c.density);
    return out;
}

std::uint32_t round_up(std::int64_t bytes) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>((bytes + 127) / 128 * 128, 128));
}

}  // namespace

void choose_masks(ProgramBuilder& b, Conv& c) {
    c.mask_seed = b.random.bits();
    set_masks(c, b.random.pick({0, 5, 30, 30, 60, 60, 95, 100}));
}

void set_masks(Conv& c, int density) {
    c.compressed = true;
    c.density = density;
    const std::vector<bool> masks = masks_of(c);
    const auto stored = std::count(masks.begin(), masks.end(), true);
    c.stored_bytes = static_cast<std::uint32_t>(stored) * static_cast<std::uint32_t>(c.bytes());
    c.weight_bytes = round_up(c.stored_bytes);
    c.mask_bytes = round_up((static_cast<std::int64_t>(masks.size()) + 7) / 8);
}

WeightPlaces load_weights(ProgramBuilder& b, const Conv& c, Noise noise) {
    const auto align = [&] { return b.atom() * (b.random.chance(50) ? 1u : 32u); };
    WeightPlaces out;
    const std::uint64_t alignment = align();
    const trace::Port port = b.any_port();  // of all
    if (!c.compressed && c.type != Precision::fp16) {
        out.weights = b.load_random(c.weight_bytes, alignment, port, noise, c.type);
        return out;
    }
    // The end of the last entry is no weight: no special number either.
    const std::int64_t bytes = c.kernels * c.kernel_elements() * c.bytes();
    const std::int64_t used = c.compressed ? std::int64_t{c.stored_bytes} : bytes;
    std::vector<std::uint8_t> stored =
        b.random_bytes(static_cast<std::uint64_t>(used), noise, c.type);
    stored.resize(c.weight_bytes);
    out.weights = b.load_bytes(std::move(stored), alignment, port);
    if (!c.compressed) return out;
    const std::vector<bool> bits = masks_of(c);
    std::vector<std::uint8_t> masks(c.mask_bytes), sizes;
    const auto group = static_cast<std::size_t>(group_kernels(b, c) * c.kernel_elements());
    for (std::size_t first = 0; first < bits.size(); first += group) {
        std::uint32_t size = 0;
        for (std::size_t i = first; i < std::min(first + group, bits.size()); ++i) {
            if (!bits[i]) continue;
            masks[i / 8] = static_cast<std::uint8_t>(masks[i / 8] | 1u << i % 8);
            size += static_cast<std::uint32_t>(c.bytes());
        }
        for (int byte = 0; byte < 4; ++byte)
            sizes.push_back(static_cast<std::uint8_t>(size >> 8 * byte));
    }
    sizes.resize((sizes.size() + 31) / 32 * 32);
    out.masks = b.load_bytes(std::move(masks), align(), port);
    out.group_sizes = b.load_bytes(std::move(sizes), align(), port);
    return out;
}

}  // namespace macrame::dla::stimulus
