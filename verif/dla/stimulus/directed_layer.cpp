#include "directed_layer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "dla_regs.hpp"
#include "random_conv.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

constexpr int kLongest = 8192, kMostTaps = 32, kLargestStride = 8;

std::string n(std::int64_t value) { return std::to_string(value); }

[[noreturn]] void refuse(const std::string& found, const std::string& want) {
    throw std::runtime_error(found + ": want " + want);
}

/// What somebody asks for.
struct Wanted {
    int width = 0, height = 0, channels = 0, kernels = 0;
    int columns = 0, rows = 0;  // of a kernel
    std::vector<int> pad = {0};
    int stride = 1, batches = 1;
    std::optional<int> density;
    std::optional<Precision> type;
    bool winograd = false;
};

// ---- words

std::vector<std::string> split(const std::string& text, char between) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == between)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// Numbers with one character between two, each in 0 .. most; empty if the text is something else.
std::vector<int> numbers(const std::string& text, char between, int most) {
    std::vector<int> out;
    for (const std::string& part : split(text, between)) {
        const std::optional<int> number = verif::text::decimal<int>(part);
        if (!number || *number < 0 || *number > most) return {};
        out.push_back(*number);
    }
    return out;
}

class Words {
public:
    explicit Words(const std::string& text) : words_(split(text, ' ')) {}

    Wanted read() {
        for (std::string word = next(); !word.empty(); word = next()) {
            if (!flag(word) && !named(word) && !size(word))
                refuse(word,
                       "WxHxC, kN, SxR, pad N or pad L,R,T,B, stride N, batch N, density N, int8, "
                       "int16, fp16 or winograd");
        }
        if (wanted_.width == 0) refuse("no input", "WxHxC");
        if (wanted_.kernels == 0) refuse("no kernels", "kN");
        if (wanted_.columns == 0) refuse("no size of a kernel", "SxR");
        return wanted_;
    }

private:
    /// The next word; empty behind the last.
    std::string next() {
        while (at_ < words_.size() && words_[at_].empty())
            ++at_;
        return at_ < words_.size() ? words_[at_++] : std::string();
    }

    void once(const std::string& what, const std::string& word) {
        if (!seen_.insert(what).second) refuse(word, "one " + what);
    }

    bool flag(const std::string& word) {
        if (word == "winograd") {
            wanted_.winograd = true;
            return true;
        } else if (word == "int8")
            wanted_.type = Precision::int8;
        else if (word == "int16")
            wanted_.type = Precision::int16;
        else if (word == "fp16")
            wanted_.type = Precision::fp16;
        else
            return false;
        once("type", word);
        return true;
    }

    /// A name and, as the next word, its number.
    bool named(const std::string& word) {
        if (word == "stride")
            wanted_.stride = number(word, 1, kLargestStride);
        else if (word == "batch")
            wanted_.batches = number(word, 1, 32);
        else if (word == "density")
            wanted_.density = number(word, 0, 100);
        else if (word == "pad")
            pad();
        else
            return false;
        once(word, word);
        return true;
    }

    void pad() {
        const std::string value = next();
        wanted_.pad = numbers(value, ',', kMostTaps - 1);
        if (wanted_.pad.size() != 1 && wanted_.pad.size() != 4) {
            refuse("pad " + (value.empty() ? "of nothing" : value),
                   "N or L,R,T,B (left, right, top, bottom), each in 0.." + n(kMostTaps - 1));
        }
    }

    int number(const std::string& name, int least, int most) {
        const std::string value = next();
        return in_range(name + " " + (value.empty() ? "of nothing" : value), value, least, most);
    }

    static int in_range(const std::string& found, const std::string& text, int least, int most) {
        const std::optional<int> number = verif::text::decimal<int>(text);
        if (!number || *number < least || *number > most)
            refuse(found, "a whole number in " + n(least) + ".." + n(most));
        return *number;
    }

    /// kN, WxHxC, SxR.
    bool size(const std::string& word) {
        if (word[0] == 'k') {
            once("kN", word);
            wanted_.kernels = in_range(word, word.substr(1), 1, kLongest);
            return true;
        }
        const auto parts = std::count(word.begin(), word.end(), 'x');
        if (parts != 1 && parts != 2) return false;
        once(parts == 1 ? "SxR" : "WxHxC", word);
        const int most = parts == 1 ? kMostTaps : kLongest;
        const std::vector<int> sizes = numbers(word, 'x', most);
        if (sizes.empty() || std::count(sizes.begin(), sizes.end(), 0) != 0) {
            refuse(word,
                   parts == 1 ? "SxR, each in 1.." + n(most) : "WxHxC, each in 1.." + n(most));
        }
        if (parts == 1) {
            wanted_.columns = sizes[0];
            wanted_.rows = sizes[1];
        } else {
            wanted_.width = sizes[0];
            wanted_.height = sizes[1];
            wanted_.channels = sizes[2];
        }
        return true;
    }

    std::vector<std::string> words_;
    std::size_t at_ = 0;
    std::set<std::string> seen_;
    Wanted wanted_;
};

// ---- the layer

const char* name_of(Precision type) {
    return type == Precision::int8 ? "int8" : type == Precision::int16 ? "int16" : "fp16";
}

Precision type_of(const dla::model::Architecture& sizes, const Wanted& wanted) {
    std::vector<std::string> names;
    std::optional<Precision> first;
    for (const Precision type : {Precision::int8, Precision::int16, Precision::fp16}) {
        if (!sizes.has(type)) continue;
        names.emplace_back(name_of(type));
        if (!first) first = type;
    }
    if (wanted.type && !sizes.has(*wanted.type))
        refuse(name_of(*wanted.type), verif::text::join(names, "or") + ", the types built here");
    return wanted.type.value_or(*first);
}

/// A side with its padding must have room for a kernel.
void need(const char* name, int size, int window) {
    if (size >= window) return;
    refuse(std::string(name) + " " + n(size) + " with padding",
           "at least " + n(window) + ", that of the kernel");
}

/// Output size and far padding of one direction; what no window reaches is not fetched.
void fit_direction(const char* name, int& size, int near, int& far, int window, int stride,
                   int& out) {
    need(name, near + size + far, window);
    const int reach = near + size + far - window;
    out = reach / stride + 1;
    far = (out - 1) * stride + window - near - size;
    size += std::min(far, 0);
    far = std::max(far, 0);
}

/// The extended plane, of whole tiles: outputs in fours, at least 8.
void extend(int size, int near, int far, int& extended, int& far_extended, int& out) {
    out = std::max((near + size + far - 2 + 3) / 4 * 4, 8);
    extended = out + 4;
    far_extended = extended - near - size;
}

void set_winograd(ProgramBuilder& b, const Wanted& wanted, Conv& c) {
    if (!b.sizes.winograd) refuse("winograd", "a configuration with winograd-enable");
    if (c.s != 3 || c.r != 3 || wanted.stride != 1) {
        refuse("winograd of " + n(c.s) + "x" + n(c.r) + " stride " + n(wanted.stride),
               "3x3 stride 1");
    }
    if (wanted.batches > 1) refuse("winograd and batch " + n(wanted.batches), "one of them");
    need("width", c.pl + c.width + c.pr, c.s);
    need("height", c.pt + c.height + c.pb, c.r);
    const int elements = b.sizes.elements(c.type);
    c.winograd = true;
    c.raw_width = c.width;
    c.raw_height = c.height;
    c.raw_channels = c.channels;
    c.channels = (c.channels + elements - 1) / elements * elements;
    c.s = c.r = 4;
    extend(c.raw_width, c.pl, c.pr, c.width, c.pr, c.out_width);
    extend(c.raw_height, c.pt, c.pb, c.height, c.pb, c.out_height);
}

void set_direct(const Wanted& wanted, Conv& c) {
    for (const auto& [name, pad, window] : {std::tuple("left", c.pl, c.s),
                                            {"right", c.pr, c.s},
                                            {"top", c.pt, c.r},
                                            {"bottom", c.pb, c.r}}) {
        if (pad >= window)
            refuse(std::string("pad ") + name + " " + n(pad), "less than the kernel, " + n(window));
    }
    c.sx = c.sy = wanted.stride;
    fit_direction("width", c.width, c.pl, c.pr, c.s, c.sx, c.out_width);
    fit_direction("height", c.height, c.pt, c.pb, c.r, c.sy, c.out_height);
}

void set_batches(const ProgramBuilder& b, const Wanted& wanted, Conv& c) {
    c.batches = wanted.batches;
    if (c.batches == 1) return;
    if (!b.sizes.batch) refuse("batch " + n(c.batches), "a configuration with batch-enable");
    if (c.batches > b.sizes.max_batch)
        refuse("batch " + n(c.batches), "at most " + n(b.sizes.max_batch));
    if (c.out_width == 1 && c.out_height == 1)
        refuse("batch of an output of 1 x 1", "a larger one: NVDLA has no such batches");
}

void set_weights(ProgramBuilder& b, const Wanted& wanted, Conv& c) {
    // Of a register; of what one can wait for.
    constexpr std::int64_t kLargestKernel = 1 << 18, kMostWeights = 1 << 25;
    const std::int64_t kernel = c.kernel_elements() * c.bytes();
    if (kernel > kLargestKernel)
        refuse("kernel of " + n(kernel) + " bytes", "at most " + n(kLargestKernel));
    if (c.kernels * kernel > kMostWeights)
        refuse("weights of " + n(c.kernels * kernel) + " bytes", "at most " + n(kMostWeights));
    if (!wanted.density) {
        c.weight_bytes = static_cast<std::uint32_t>((c.kernels * kernel + 127) / 128 * 128);
        return;
    }
    const std::string found = "density " + n(*wanted.density);
    if (!b.sizes.compression) refuse(found, "a configuration with weight-compression-enable");
    const std::int64_t most = std::int64_t{1} * b.sizes.cbuf_depth * b.sizes.entry_bytes - 128;
    const std::int64_t masks =
        (std::min(c.kernels, group_kernels(b, c)) * kernel / c.bytes() + 7) / 8;
    if (masks > most)
        refuse(found + " with masks of " + n(masks) + " bytes for a group of kernels",
               "at most " + n(most));
    c.mask_seed = b.random.bits();
    set_masks(c, *wanted.density);
}

/// As many banks as the data need, and all others for weights.
void set_banks(const ProgramBuilder& b, Conv& c) {
    const std::int64_t depth = b.sizes.cbuf_depth, bank_bytes = depth * b.sizes.entry_bytes;
    const std::int64_t lines = std::int64_t{1} * c.height * c.batches;
    const std::int64_t data = (lines * entries(b, c) + depth - 1) / depth;
    // A group of kernels, its neighbours' shares of the first and last entry, the padded end.
    const std::int64_t group =
        std::min(c.kernels, group_kernels(b, c)) * c.kernel_elements() * c.bytes();
    const std::int64_t weights =
        (group + 128 + 2 * b.sizes.entry_bytes + bank_bytes - 1) / bank_bytes;
    const int banks = usable_banks(b, c);
    if (data + weights > banks) {
        refuse(n(data + weights) + " CBUF banks (data " + n(data) + ", a group of kernels " +
                   n(weights) + ")",
               "at most " + n(banks) + ": fewer lines, channels or inputs");
    }
    c.data_banks = static_cast<int>(data);
    c.weight_banks = banks - c.data_banks;
}

Conv conv_of(ProgramBuilder& b, const Wanted& wanted) {
    Conv c;
    c.in = c.type = type_of(b.sizes, wanted);
    c.width = wanted.width;
    c.height = wanted.height;
    c.channels = wanted.channels;
    c.kernels = wanted.kernels;
    c.s = wanted.columns;
    c.r = wanted.rows;
    c.pl = wanted.pad.front();
    c.pr = wanted.pad.size() == 1 ? c.pl : wanted.pad[1];
    c.pt = wanted.pad.size() == 1 ? c.pl : wanted.pad[2];
    c.pb = wanted.pad.back();
    if (wanted.winograd)
        set_winograd(b, wanted, c);
    else
        set_direct(wanted, c);
    c.new_lines = c.release = c.height;
    set_batches(b, wanted, c);
    set_weights(b, wanted, c);
    set_banks(b, c);
    return c;
}

/// Brings random sums to the size of the output's type; fp16 has no convertor.
void sdp_registers(ProgramBuilder& b, const Conv& c, const Cube& out) {
    namespace r = regs::sdp;
    constexpr double kBits = 7.5;  // of a product beyond those of the output
    const auto code = static_cast<std::uint32_t>(c.type);
    const double products = static_cast<double>(c.channels) * (c.winograd ? 9 : c.s * c.r);
    b.put(r::D_DATA_CUBE_WIDTH(minus1(c.out_width)));
    b.put(r::D_DATA_CUBE_HEIGHT(minus1(c.out_height)));
    b.put(r::D_DATA_CUBE_CHANNEL(minus1(c.kernels)));
    b.put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
    b.put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
    b.put(r::D_DST_LINE_STRIDE(out.line_stride));
    b.put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
    if (c.batches > 1) b.put(r::D_DST_BATCH_STRIDE(out.batch_stride));
    b.put(r::D_DP_BS_CFG(0).BS_BYPASS(1));
    b.put(r::D_DP_BN_CFG(0).BN_BYPASS(1));
    b.put(r::D_DP_EW_CFG(0).EW_BYPASS(1));
    b.put(r::D_FEATURE_MODE_CFG(0)
              .FLYING_MODE(1)
              .WINOGRAD(c.winograd)
              .BATCH_NUMBER(minus1(c.batches)));
    b.put(r::D_DST_DMA_CFG(b.ram_type(out.base)));
    b.put(r::D_DATA_FORMAT(0).PROC_PRECISION(code).OUT_PRECISION(code));
    b.put(r::D_CVT_OFFSET(0));
    b.put(r::D_CVT_SCALE(1));
    b.put(r::D_CVT_SHIFT(static_cast<std::uint32_t>(kBits + std::log2(products) / 2)));
}

}  // namespace

trace::Trace directed_layer(const dla::model::Architecture& sizes, const std::string& layer,
                            std::uint64_t seed) {
    RandomOptions options;
    options.seed = seed;
    options.plain = true;
    ProgramBuilder b(sizes, options);
    const Conv c = conv_of(b, Words(layer).read());
    constexpr std::uint32_t kOnlySdp = 0x3F03FC;
    b.put(regs::glb::S_INTR_MASK(kOnlySdp));
    b.poll("CDMA.S_CBUF_FLUSH_STATUS", 1, 0xFFFFFFFFu);
    b.begin_layer(Unit::sdp);
    Cube in{c.width, c.height, c.channels};
    if (c.winograd) in = {c.raw_width, c.raw_height, c.raw_channels};
    in.type = c.type;
    in.batches = c.batches;
    in = b.input_cube(in, Noise::moderate);
    const WeightPlaces weights = load_weights(b, c, Noise::moderate);
    Cube out{c.out_width, c.out_height, c.kernels};
    out.type = c.type;
    out.batches = c.batches;
    out = b.output_cube(out);
    const std::vector<Unit> units = {Unit::sdp,    Unit::cacc, Unit::cmac_a,
                                     Unit::cmac_b, Unit::csc,  Unit::cdma};
    for (const Unit unit : units)
        b.take(unit);
    sdp_registers(b, c, out);
    b.add_output(out);
    conv_registers(b, c, in, weights);
    b.expect("SDP", 0, 0);
    for (const Unit unit : units)
        b.enable(unit);
    b.finish();
    trace::Trace program = b.take_program().program;
    program.name = layer;
    return program;
}

}  // namespace macrame::dla::stimulus
