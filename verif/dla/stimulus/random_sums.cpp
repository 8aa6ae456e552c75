/// Convolutions whose sums are chosen: ties of CACC and what lies just beside them, also behind a
/// truncate that random numbers never make a tie of.
///
/// All channels of the input and the padding have one value, but the last channel, which is 1. Its
/// weight is what the others leave over of the sum.

#include <algorithm>
#include <cstdlib>

#include "random_conv.hpp"

namespace macrame::dla::stimulus {

namespace {

constexpr int kMostChannels = 8192;
constexpr int kMostResult = 100;  // fits in a byte with some offset

int largest(const Conv& c) { return c.type == Precision::int8 ? 127 : 32767; }

/// Weights of a kernel that may be in the buffer, beside data.
std::int64_t most_products(const ProgramBuilder& b, const Conv& c) {
    const std::int64_t buffer =
        std::int64_t{1} * b.sizes.cbuf_banks * b.sizes.cbuf_depth * b.sizes.entry_bytes;
    return std::min(buffer / 2 / c.bytes() * 11 / 10, b.options.max_macs * 9 / 10);
}

/// Products that are needed for a result of -n - 1/2.
std::int64_t needed(const Conv& c, int n) {
    const std::int64_t sum = (std::int64_t{2} * n + 1) << (c.truncate - 1);
    return sum / (std::int64_t{std::abs(c.sum_data)} * largest(c)) + 1;
}

/// A sum near a tie.
std::int64_t any_sum(ProgramBuilder& b, const Conv& c) {
    const std::int64_t half = std::int64_t{1} << (c.truncate - 1);
    const std::int64_t tie = -(std::int64_t{2} * b.random.low(0, c.most_result) + 1) * half;
    // A bit that rounding looks at, now and then one below.
    const int lowest = std::max(0, c.truncate - (b.random.chance(15) ? 20 : 16));
    const int bit = b.random.in(lowest, std::max(lowest, c.truncate - 2));
    const std::int64_t beside = c.truncate < 2 ? 0 : std::int64_t{1} << bit;
    const int kind = b.random.in(0, 9);
    const std::int64_t sum = kind < 4 ? tie : kind < 8 ? tie + beside : tie - beside;
    return b.random.chance(10) ? -sum : sum;
}

/// Weights of one kernel, by channel, then by place in the kernel: their products have this sum.
std::vector<int> weights_of(ProgramBuilder& b, const Conv& c, std::int64_t sum) {
    const int most = largest(c), places = c.s * c.r, others = (c.channels - 1) * places;
    const std::int64_t whole = sum / c.sum_data;
    std::vector<int> out(static_cast<std::size_t>(c.channels * places), 0);
    const std::int64_t each = whole / others, more = whole % others;
    for (int i = 0; i < others; ++i)
        out[static_cast<std::size_t>(i)] =
            static_cast<int>(each) + (i < std::abs(more) ? (more < 0 ? -1 : 1) : 0);
    for (int i = 0; i < others / 2; ++i) {  // the same sum of other weights
        int &up = out[static_cast<std::size_t>(b.random.in(0, others - 1))],
            &down = out[static_cast<std::size_t>(b.random.in(0, others - 1))];
        const int room = std::min(most - up, down + most);
        if (&up == &down || room < 1) continue;
        const int by = b.random.in(0, room);
        up += by;
        down -= by;
    }
    // In the padding the last channel is as the others.
    out[static_cast<std::size_t>(others + c.pt * c.s + c.pl)] =
        static_cast<int>(sum - whole * c.sum_data);
    return out;
}

void put_element(std::vector<std::uint8_t>& bytes, std::size_t at, int value, int size) {
    for (int i = 0; i < size; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

bool choose_sums(ProgramBuilder& b, Conv& c) {
    if (c.type == Precision::fp16) return false;
    const std::int64_t products = most_products(b, c);
    c.sums = true;
    c.truncate = b.random.in(1, 31);
    const int most = largest(c);
    c.sum_data = b.random.chance(50) ? -most - 1 : b.random.in(1, most);
    if (needed(c, 0) > products) c.sum_data = -most - 1;
    if (needed(c, 0) > products) return false;
    c.most_result = b.random.low(0, kMostResult);
    while (needed(c, c.most_result) > products)
        c.most_result /= 2;
    const std::int64_t wanted = needed(c, c.most_result);
    const bool large = 4 * wanted > products;
    c.s = large ? b.random.in(4, 6) : b.random.low(1, 3);
    c.r = large ? b.random.in(4, 6) : b.random.low(1, 3);
    const std::int64_t channels =
        std::max<std::int64_t>(wanted / (c.s * c.r) + 2, b.random.low(2, 2 * b.sizes.atomic_c + 3));
    if (channels > kMostChannels) return false;
    c.channels = static_cast<int>(channels);
    const std::int64_t elements = c.kernel_elements();
    std::int64_t kernels =
        std::min<std::int64_t>(3 * b.sizes.atomic_k, b.options.max_macs / elements);
    if (products / elements < group_kernels(b, c)) kernels = std::min(kernels, products / elements);
    c.kernels = b.random.in(1, static_cast<int>(std::max<std::int64_t>(kernels, 1)));
    c.out_width = c.out_height = 1;
    c.width = b.random.in(1, large ? 2 : c.s);
    c.height = c.new_lines = b.random.in(1, large ? 2 : c.r);
    c.pl = b.random.in(0, c.s - c.width);
    c.pr = c.s - c.width - c.pl;
    c.pt = b.random.in(0, c.r - c.height);
    c.pb = c.r - c.height - c.pt;
    return true;
}

Cube load_sum_data(ProgramBuilder& b, const Conv& c) {
    Cube cube{c.width, c.height, c.channels};
    cube.type = c.type;
    do {
        cube.far = false;
        b.set_strides(cube, b.sizes.atom_bytes);
    } while (cube.far);
    std::vector<std::uint8_t> bytes = b.random_bytes(cube.size, Noise::any, c.type);
    const int elements = b.sizes.elements(c.type);
    for (int channel = 0; channel < c.channels; ++channel) {
        for (int pixel = 0; pixel < c.width * c.height; ++pixel) {
            const std::size_t at =
                std::size_t{cube.surface_stride} * static_cast<std::size_t>(channel / elements) +
                std::size_t{cube.line_stride} * static_cast<std::size_t>(pixel / c.width) +
                static_cast<std::size_t>(pixel % c.width * b.sizes.atom_bytes +
                                         channel % elements * c.bytes());
            put_element(bytes, at, channel + 1 < c.channels ? c.sum_data : 1, c.bytes());
        }
    }
    cube.base = b.load_bytes(std::move(bytes), b.atom(), b.any_port());
    return cube;
}

/// In the order of steps: kernel groups, blocks of channels, places, kernels, channels.
std::uint64_t load_sum_weights(ProgramBuilder& b, const Conv& c) {
    std::vector<std::vector<int>> kernels;
    for (int k = 0; k < c.kernels; ++k)
        kernels.push_back(weights_of(b, c, any_sum(b, c)));
    std::vector<std::uint8_t> bytes(c.weight_bytes);
    const int group = group_kernels(b, c), block = b.sizes.atomic_c, places = c.s * c.r;
    std::size_t at = 0;
    for (int g = 0; g < c.kernels; g += group) {
        for (int first = 0; first < c.channels; first += block) {
            for (int place = 0; place < places; ++place) {
                for (int k = g; k < std::min(g + group, c.kernels); ++k) {
                    for (int i = first; i < std::min(first + block, c.channels); ++i) {
                        const auto from = static_cast<std::size_t>(i * places + place);
                        put_element(bytes, at, kernels[static_cast<std::size_t>(k)][from],
                                    c.bytes());
                        at += static_cast<std::size_t>(c.bytes());
                    }
                }
            }
        }
    }
    return b.load_bytes(std::move(bytes), b.atom() * (b.random.chance(50) ? 1u : 32u),
                        b.any_port());
}

}  // namespace macrame::dla::stimulus
