#include "random_conv.hpp"

#include <algorithm>
#include <string>

#include "random_sdp.hpp"

namespace macrame::dla::stimulus {

namespace {

std::int64_t weight_stream(const Conv& c, int kernels) {
    return kernels * c.kernel_elements() * c.bytes();
}

/// What must be in the buffer at once: a kernel group and 128 bytes, or all.
std::int64_t least_weight_bytes(const ProgramBuilder& b, const Conv& c) {
    const std::int64_t group = weight_stream(c, std::min(c.kernels, group_kernels(b, c)));
    return std::min<std::int64_t>(c.weight_bytes, group + 128);
}

dla::model::WeightUse weight_use(const ProgramBuilder& b, const Conv& c) {
    const auto entries_of = [&](std::int64_t bytes) {
        return (bytes + b.sizes.entry_bytes - 1) / b.sizes.entry_bytes;
    };
    dla::model::WeightUse use;
    use.data_banks = c.data_banks;
    use.weight_banks = c.weight_banks;
    use.region = std::int64_t{1} * c.weight_banks * b.sizes.cbuf_depth;
    use.occupied = entries_of(c.weight_bytes);
    use.filled = entries_of(weight_stream(c, c.kernels));
    use.least = entries_of(least_weight_bytes(b, c));
    use.reuse = c.weight_reuse;
    use.skip_release = c.skip_weight;
    return use;
}

/// Weights stay for the next layer. The original hardware forgets the tails of others.
bool any_skip_weight(ProgramBuilder& b) {
    return b.random.chance(b.options.original_safe ? 60 : 30);
}

bool fits(const ProgramBuilder& b, const Conv& c) {
    if (b.options.original_safe && !b.weight_book.safe(weight_use(b, c))) return false;
    // A plane of Winograd has many outputs, in few steps.
    const int winograd = c.winograd ? 4 : 1;
    const int most_elements =
        winograd * (c.huge ? 8192 * b.sizes.atom_bytes : b.options.max_elements);
    constexpr std::int64_t kLargestKernel = 1 << 18;  // bytes
    if (c.macs() > winograd * b.options.max_macs) return false;
    if (c.kernel_elements() * c.bytes() > kLargestKernel) return false;
    Cube out{c.out_width, c.out_height, c.kernels};
    out.type = c.type;
    if (std::int64_t{1} * c.batches * b.bytes(out) > most_elements) return false;
    if (c.batches > 1 && c.out_width == 1 && c.out_height == 1) return false;
    const std::int64_t bank_bytes = std::int64_t{1} * b.sizes.cbuf_depth * b.sizes.entry_bytes;
    const std::int64_t masks = (c.kernel_elements() * group_kernels(b, c) + 7) / 8;
    if (c.compressed && masks > bank_bytes - 128) return false;
    return c.data_banks + c.weight_banks <= usable_banks(b, c) &&
           c.height * c.batches * entries(b, c) <= c.data_banks * b.sizes.cbuf_depth;
}

void choose_input(ProgramBuilder& b, Conv& c) {
    c.width = b.random.low(1, 24);
    c.height = b.random.low(1, 16);
    const int most = b.random.chance(15) ? 6 * b.sizes.atomic_c : 2 * b.sizes.atomic_c + 3;
    const int unit = b.random.chance(50) ? b.sizes.atomic_c : b.sizes.atom_bytes;
    c.channels = b.random.chance(30) ? unit * b.random.in(1, 2) : b.random.low(1, most);
    const int kind = b.random.in(0, 19);
    c.huge = b.chance_of_huge();
    if (c.huge) {
        const int side = b.random.in(0, 2), length = b.huge_side();
        c.width = side == 0 ? length : b.random.in(1, 2);
        c.height = side == 1 ? length : b.random.in(1, 2);
        c.channels = side == 2 ? length : b.random.low(1, 8);
    } else if (kind == 0) {  // long lines
        c.width = b.random.low(32, 400);
        c.height = b.random.in(1, 3);
    } else if (kind == 1) {  // many channels of few pixels
        c.width = b.random.in(1, 2);
        c.height = b.random.in(1, 2);
        c.channels = b.random.in(1, 40 * b.sizes.atomic_c);
    } else if (kind == 2) {  // tall
        c.width = b.random.in(1, 2);
        c.height = b.random.in(20, 150);
    }
    c.new_lines = c.height;
}

/// One output of a few kernels, each a sum over as many products as fit: the largest that CACC
/// can meet. Padding takes part, as weights and data do not fit together where the sum may
/// saturate.
void choose_deep(ProgramBuilder& b, Conv& c) {
    const std::int64_t buffer =
        std::int64_t{1} * b.sizes.cbuf_banks * b.sizes.cbuf_depth * b.sizes.entry_bytes;
    const std::int64_t products = std::min(buffer * 11 / 20 / c.bytes(), b.options.max_macs);
    c.deep = true;
    c.s = b.random.in(4, 6);
    c.r = b.random.in(4, 6);
    c.out_width = c.out_height = 1;
    c.channels = static_cast<int>(std::clamp<std::int64_t>(products / (c.s * c.r), 1, 8192));
    c.kernels = b.random.low(1, std::max(1, static_cast<int>(b.options.max_macs / products)));
    c.width = b.random.in(1, c.s);
    c.height = c.new_lines = b.random.in(1, c.r);
    c.pl = b.random.in(0, c.s - c.width);
    c.pr = c.s - c.width - c.pl;
    c.pt = b.random.in(0, c.r - c.height);
    c.pb = c.r - c.height - c.pt;
}

/// Weights as they are in memory.
void set_weight_bytes(ProgramBuilder& b, Conv& c) {
    constexpr std::int64_t kMostMasks = 200'000;
    const bool compressible = b.sizes.compression && !b.options.original_safe && !c.deep && !c.sums;
    if (compressible && c.kernels * c.kernel_elements() <= kMostMasks && b.random.chance(35)) {
        choose_masks(b, c);
        return;
    }
    c.weight_bytes = static_cast<std::uint32_t>((weight_stream(c, c.kernels) + 127) / 128 * 128);
}

/// Banks: as small as possible, generous, or in between.
void choose_banks(ProgramBuilder& b, Conv& c) {
    const int depth = b.sizes.cbuf_depth;
    const std::int64_t all_lines = std::int64_t{1} * c.height * c.batches * entries(b, c);
    const int data = static_cast<int>((all_lines + depth - 1) / depth);
    // One kernel group, its neighbours' shares of the first and last entry, the padded end.
    const std::int64_t least =
        weight_stream(c, std::min(c.kernels, group_kernels(b, c))) + 128 + 2 * b.sizes.entry_bytes;
    const std::int64_t all = c.weight_bytes;
    const std::int64_t lost =
        b.options.original_safe ? b.weight_book.may_be_lost() * b.sizes.entry_bytes : 0;
    const std::int64_t bytes = (c.skip_weight ? std::max(least, all) : least) + lost;
    const std::int64_t bank_bytes = std::int64_t{1} * depth * b.sizes.entry_bytes;
    const int weight = static_cast<int>((bytes + bank_bytes - 1) / bank_bytes);
    const int banks = usable_banks(b, c);
    const int spare = banks - data - weight;
    c.data_banks = data;
    c.weight_banks = weight;
    if (spare <= 0) return;
    if (b.random.chance(5)) {  // the whole buffer
        c.data_banks += b.random.in(0, spare);
        c.weight_banks = banks - c.data_banks;
        return;
    }
    c.data_banks += b.random.chance(40) ? b.random.low(0, std::min(spare, 6)) : 0;
    c.weight_banks +=
        b.random.chance(40) ? b.random.low(0, std::min(banks - c.data_banks - weight, 6)) : 0;
}

/// The smallest bank split.
void choose_minimum(ProgramBuilder& b, Conv& c) {
    const int depth = b.sizes.cbuf_depth;
    const std::int64_t bank_bytes = std::int64_t{1} * depth * b.sizes.entry_bytes;
    c.data_banks = (c.height * c.batches * entries(b, c) + depth - 1) / depth;
    c.weight_banks = static_cast<int>((weight_stream(c, std::min(c.kernels, group_kernels(b, c))) +
                                       128 + 2 * b.sizes.entry_bytes + bank_bytes - 1) /
                                      bank_bytes);
}

/// Kernel, stride, dilation and padding for a given input size.
bool choose_kernel(ProgramBuilder& b, Conv& c) {
    if (c.winograd) return true;
    if (c.is_image) return choose_image_kernel(b, c, 0);
    c.s = b.random.low(1, b.random.chance(5) ? 11 : 5);
    c.r = b.random.low(1, b.random.chance(5) ? 11 : 5);
    c.dx = b.random.chance(30) ? b.random.in(1, 4) : 1;
    c.dy = b.random.chance(30) ? b.random.in(1, 4) : 1;
    c.sx = b.random.chance(40) ? any_stride(b) : 1;
    c.sy = b.random.chance(40) ? any_stride(b) : 1;
    c.pl = b.random.chance(50) ? b.random.in(0, std::min(31, c.span_x() - 1)) : 0;
    c.pt = b.random.chance(50) ? b.random.in(0, std::min(31, c.span_y() - 1)) : 0;
    return fit_windows(c.width, c.pl, c.span_x(), c.sx, c.out_width, c.pr) &&
           fit_windows(c.height, c.pt, c.span_y(), c.sy, c.out_height, c.pb);
}

void choose_kernels(ProgramBuilder& b, Conv& c) {
    if (c.winograd) {
        c.kernels = b.random.low(1, group_kernels(b, c) + 2);
        return;
    }
    if (c.huge) {
        c.kernels = b.random.chance(10) ? b.huge_side() : b.random.low(1, b.sizes.atomic_k);
        return;
    }
    c.kernels = b.random.chance(30) ? b.sizes.atomic_k * b.random.in(1, 3)
                                    : b.random.low(1, 3 * b.sizes.atomic_k + 1);
}

/// How this layer ends: what stays for the next one. Only sizes of this layer decide.
void choose_release(ProgramBuilder& b, Conv& c) {
    c.skip_data = b.random.chance(30);
    c.release = c.winograd || b.random.chance(70) ? c.height : b.random.in(1, c.height);
}

/// Weights of the layer before, on an input of any size; `line` as for images.
bool keep_weights(ProgramBuilder& b, const Conv& before, Conv& n, int line) {
    n.weight_reuse = true;
    n.kernels = before.kernels;
    n.weight_bytes = before.weight_bytes;
    n.compressed = before.compressed;
    n.mask_seed = before.mask_seed;
    n.density = before.density;
    n.stored_bytes = before.stored_bytes;
    n.mask_bytes = before.mask_bytes;
    if (n.winograd) return true;
    if (n.is_image) return keep_image_kernel(b, before, n, line);
    n.s = before.s;
    n.r = before.r;
    n.dx = before.dx;
    n.dy = before.dy;
    n.sx = before.sx;
    n.sy = before.sy;
    n.pl = b.random.in(0, std::min(31, n.span_x() - 1));
    n.pt = b.random.in(0, std::min(31, n.span_y() - 1));
    return fit_windows(n.width, n.pl, n.span_x(), n.sx, n.out_width, n.pr) &&
           fit_windows(n.height, n.pt, n.span_y(), n.sy, n.out_height, n.pb);
}

/// The banks that the layer has from the one before; weights that are not kept may get others.
/// False if they are too few.
bool keep_banks(ProgramBuilder& b, Conv& n) {
    const int data_banks = n.data_banks;
    int weight_banks = n.weight_banks;
    choose_banks(b, n);  // what it would need
    if (!n.weight_reuse && b.random.chance(b.options.original_safe ? 60 : 20) &&
        data_banks + n.weight_banks <= usable_banks(b, n)) {
        weight_banks = n.weight_banks;  // the data stays when only the weight region changes
    }
    const bool enough = n.data_banks <= data_banks && n.weight_banks <= weight_banks;
    n.data_banks = data_banks;
    n.weight_banks = weight_banks;
    if (!enough) {
        n.skip_weight = false;
        const Conv kept = n;
        choose_minimum(b, n);
        if (n.data_banks > data_banks || n.weight_banks > weight_banks) return false;
        n = kept;
    }
    return true;
}

/// Winograd on a plane of the same sizes.
void copy_plane(const Conv& before, Conv& n) {
    n.winograd = true;
    n.sx = before.sx;
    n.sy = before.sy;
    n.width = before.width;
    n.height = n.new_lines = before.height;
    n.pl = before.pl;
    n.pr = before.pr;
    n.pt = before.pt;
    n.pb = before.pb;
    n.raw_width = before.raw_width;
    n.raw_height = before.raw_height;
    n.raw_channels = before.raw_channels;
    n.channels = before.channels;
    n.s = n.r = 4;
    n.out_width = before.out_width;
    n.out_height = before.out_height;
}

bool try_reuse(ProgramBuilder& b, const Conv& before, Conv& c) {
    Conv n;
    n.data_banks = before.data_banks;
    n.weight_banks = before.weight_banks;
    const int left = before.skip_data ? before.height : before.height - before.release;
    const bool data = left > 0 && b.random.chance(70);
    const bool weight = before.skip_weight && b.random.chance(70);
    if (!data && !weight) return false;
    n.is_image = before.is_image;
    n.image = before.image;
    n.in = before.in;
    n.type = before.type;
    n.data_bits = before.data_bits;
    n.weight_bits = before.weight_bits;
    if (before.winograd) {  // the same plane
        if (data && !before.skip_data) return false;
        copy_plane(before, n);
    }
    n.batches = data ? before.batches : 1;
    if (data) {
        n.data_reuse = true;
        n.huge = before.huge;
        n.width = before.width;
        n.channels = before.channels;
        n.new_lines = before.skip_data ? b.random.in(1, 8) : b.random.in(1, 6);
        n.height = before.skip_data ? left : left + n.new_lines;
    } else if (n.winograd) {
        // has its plane
    } else if (n.is_image) {
        choose_image(b, n);
        if (n.channels != before.channels || n.type != before.type) return false;
    } else {
        choose_input(b, n);
        if (weight) n.channels = before.channels;
    }
    const int line = data ? n.width + n.image.pad_left + n.image.pad_right : 0;
    if (weight) {
        if (!keep_weights(b, before, n, line)) return false;
    } else {
        if (!(n.is_image ? choose_image_kernel(b, n, line) : choose_kernel(b, n))) return false;
        choose_kernels(b, n);
        set_weight_bytes(b, n);
    }
    n.skip_weight = any_skip_weight(b);
    if (!keep_banks(b, n)) return false;
    if (!fits(b, n)) return false;
    c = n;
    return true;
}

/// Tries to make a layer that uses what the layer before left in the buffer.
bool choose_reuse(ProgramBuilder& b, const std::optional<Conv>& before, Conv& c) {
    if (!before || !b.random.chance(60)) return false;
    for (int attempt = before->is_image ? 20 : 6; attempt > 0; --attempt) {
        if (try_reuse(b, *before, c)) return true;
    }
    return false;
}

/// Sometimes asks for reuse where there is nothing to reuse: everything is fetched as usual.
void ask_in_vain(ProgramBuilder& b, const std::optional<Conv>& before, Conv& c) {
    const bool data_moves = !before || c.data_banks != before->data_banks;
    const bool moves = data_moves || c.weight_banks != before->weight_banks;
    const bool empty = before && !before->skip_data && before->release == before->height;
    const bool other = before && (before->is_image != c.is_image ||  // drops the data
                                  before->winograd != c.winograd);
    c.data_reuse = (data_moves || empty || other) && b.random.chance(other ? 40 : 10);
    const bool harmless = !b.options.original_safe || !before || !before->skip_weight;
    c.weight_reuse = (moves || !before->skip_weight) && harmless && b.random.chance(10);
}

/// A layer that stands alone; its input may be the output of the layer before. `sums`: one whose
/// sums are chosen. False: see make_conv().
bool choose_fresh(ProgramBuilder& b, const std::optional<Conv>& before, bool sums, Conv& c,
                  Cube& input) {
    constexpr int kMostAttempts = 500;
    for (int attempt = 0; !b.options.original_safe || attempt < kMostAttempts; ++attempt) {
        c = Conv();
        c.in = c.type = b.any_type();
        const bool chained = attempt < 20 && b.result() != nullptr && b.random.chance(25);
        input = Cube();
        if (sums) {
            if (!choose_sums(b, c)) continue;
        } else if (b.random.chance(5)) {
            choose_deep(b, c);
        } else if (b.sizes.image && b.options.image && b.random.chance(35)) {
            choose_image(b, c);
        } else if (b.sizes.winograd && b.random.chance(40)) {
            choose_winograd(b, c);
        } else if (chained) {
            input = *b.result();
            c.in = c.type = input.type;
            c.width = input.width;
            c.height = c.new_lines = input.height;
            c.channels = input.channels;
            c.huge = std::max({c.width, c.height, c.channels}) >= 1000;
        } else {
            choose_input(b, c);
        }
        if (!c.deep && !c.sums) {
            if (!choose_kernel(b, c)) continue;
            choose_kernels(b, c);
        }
        if (input.width == 0) choose_batches(b, c);
        set_weight_bytes(b, c);
        c.skip_weight = any_skip_weight(b);
        choose_banks(b, c);
        if (before && b.random.chance(50)) {  // the same split as before, if it is enough
            if (c.data_banks <= before->data_banks && c.weight_banks <= before->weight_banks) {
                c.data_banks = before->data_banks;
                c.weight_banks = before->weight_banks;
            }
        }
        if (!fits(b, c)) continue;
        ask_in_vain(b, before, c);
        return true;
    }
    return false;
}

/// Enables a layer's units, most often behind each other as the documents say. The layer begins
/// with the last of them: in any order, also long behind the others, it is the same.
void enable_units(ProgramBuilder& b, bool reads) {
    if (reads) b.enable(Unit::sdp_rdma);
    std::vector<Unit> units = {Unit::sdp,    Unit::cacc, Unit::cmac_a,
                               Unit::cmac_b, Unit::csc,  Unit::cdma};
    const bool any_order = !b.options.original_safe && b.random.chance(8);
    for (; any_order && units.size() > 1; units.pop_back()) {
        std::swap(
            units[static_cast<std::size_t>(b.random.in(0, static_cast<int>(units.size()) - 1))],
            units.back());
        if (b.random.chance(20)) b.pause(b.random.low(1, 3000));
        b.enable(units.back());
    }
    for (const Unit unit : units)
        b.enable(unit);
}

std::string describe(const Conv& c) {
    const auto n = [](int v) { return std::to_string(v); };
    std::string text = c.deep   ? "deep "
                       : c.sums ? "chosen sums of "
                       : c.is_image
                           ? "image of format " + n(c.image.format) + ", " + n(c.rows_per_step) +
                                 " rows, offset " + n(c.image.x_offset) + " "
                           : "";
    if (c.winograd) text += "winograd ";
    if (c.compressed) text += "compressed ";
    if (c.batches > 1) text += n(c.batches) + " times ";
    text += "conv" + std::string(type_text(c.type)) + " " + n(c.width) + "x" + n(c.height) + "x" +
            n(c.channels) + " kernel " + n(c.s) + "x" + n(c.r) + " K=" + n(c.kernels) + " stride " +
            n(c.sx) + "," + n(c.sy) + " dilation " + n(c.dx) + "," + n(c.dy) + " pad " + n(c.pl) +
            "," + n(c.pr) + "," + n(c.pt) + "," + n(c.pb) + " banks " + n(c.data_banks) + "+" +
            n(c.weight_banks) + " release " + n(c.release) + " truncate " + n(c.truncate);
    if (c.data_reuse) text += " data-reuse new=" + n(c.new_lines);
    if (c.weight_reuse) text += " weight-reuse";
    if (c.skip_data) text += " skip-data-rls";
    if (c.skip_weight) text += " skip-weight-rls";
    return text;
}

}  // namespace

int any_stride(ProgramBuilder& b) { return b.random.chance(10) ? 8 : b.random.low(1, 8); }

int entries(const ProgramBuilder& b, const Conv& c) {
    using namespace dla::model;
    const CdmaSizes sizes = b.sizes.cdma();
    if (c.is_image) {
        return image_entries_per_slice(sizes.entry_bytes, c.image, c.width, c.type);
    }
    if (c.winograd) return winograd_entries_per_slice(sizes, c.width, c.channels * c.bytes());
    return entries_per_slice(sizes, c.width, c.channels * c.bytes());
}

bool make_conv(ProgramBuilder& b, std::optional<Conv>& before, bool sums) {
    Conv c;
    Cube input;
    const bool reuse = !sums && choose_reuse(b, before, c);
    if (!reuse && !choose_fresh(b, before, sums, c, input)) return false;
    choose_release(b, c);
    b.weight_book.run(weight_use(b, c));
    const bool extreme = c.deep && b.random.chance(70);
    const Noise data_noise = extreme ? Noise::constant : b.any_noise();
    const Noise weight_noise = extreme ? Noise::constant : b.any_noise();
    if (c.sums) {
        input = load_sum_data(b, c);
    } else if (c.is_image) {
        input = image_planes(b, c);
    } else if (input.layer >= 0) {
        b.wait_layer(input.layer);
    } else {
        Cube cube{c.width, std::max(c.new_lines, 1), c.channels};
        if (c.winograd) cube = {c.raw_width, c.raw_height, c.raw_channels};
        cube.type = c.in;
        cube.batches = c.batches;
        input = b.input_cube(cube, data_noise);
    }
    WeightPlaces weights;
    if (c.sums) {
        weights.weights = load_sum_weights(b, c);
    } else {
        weights = load_weights(b, c, weight_noise);
    }
    choose_convertor(b, c);
    choose_truncate(b, c, data_noise, weight_noise);

    Cube out{c.out_width, c.out_height, c.kernels};
    out.type = c.type;
    out.batches = c.batches;
    const SdpLayer sdp = program_sdp(b, out, c.winograd, nullptr, c.left);
    const int cacc = b.take(Unit::cacc);
    b.take(Unit::cmac_a);
    b.take(Unit::cmac_b);
    b.take(Unit::csc);
    const int cdma = b.take(Unit::cdma);
    conv_registers(b, c, input, weights);
    if (!b.only_last_units) {
        b.expect("CDMA_DAT", 16, cdma);
        b.expect("CDMA_WT", 18, cdma);
        b.expect("CACC", 20, cacc);
    }
    b.expect("SDP", 0, sdp.group);
    enable_units(b, sdp.reads);
    b.describe(describe(c) + sdp.text);
    before = c;
    return true;
}

}  // namespace macrame::dla::stimulus
