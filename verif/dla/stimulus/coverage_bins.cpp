/// The bins of functional coverage, unit by unit.

#include <algorithm>
#include <cstdint>
#include <string>

#include "coverage.hpp"
#include "dla_regs.hpp"
#include "verif/dla/model/arithmetic.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;
using dla::model::DeviceSizes;
using dla::model::signed16;
using dla::model::signed8;
using Sizes = const DeviceSizes&;
using Now = const UnitRegisters&;

std::int64_t plus1(std::uint32_t field) { return std::int64_t{field} + 1; }
int flag(std::uint32_t field) { return field != 0 ? 1 : 0; }

const Bins::Labels kOffOn = {"off", "on"};

// ---- what several units have

/// Number of channels or kernels against the width of the hardware.
void fit(Bins& bins, const std::string& name, std::int64_t value, std::int64_t width) {
    bins.hit(name + " 1", value == 1);
    bins.hit(name + " below the width", value > 1 && value < width);
    bins.hit(name + " the width", value == width);
    bins.hit(name + " multiple of the width", value > width && value % width == 0);
    bins.hit(name + " above the width, no multiple", value > width && value % width != 0);
}

void shape(Bins& bins, std::int64_t width, std::int64_t height, std::int64_t channels,
           std::int64_t atom, bool may_be_long = true) {
    bins.hit("cube 1x1", width == 1 && height == 1);
    bins.hit("cube of one column", width == 1 && height > 1);
    bins.hit("cube of one line", width > 1 && height == 1);
    bins.hit("cube wide", width >= 32 && width >= 4 * height);
    bins.hit("cube tall", height >= 32 && height >= 4 * width);
    bins.hit("cube square", width > 1 && width == height);
    if (may_be_long) {
        bins.hit("cube with a side of 1000 and more", std::max({width, height, channels}) >= 1000);
    }
    fit(bins, "channels", channels, atom);
}

/// Lines and surfaces with or without gaps.
void packing(Bins& bins, const std::string& name, std::int64_t width, std::int64_t height,
             std::int64_t line_stride, std::int64_t surface_stride, std::int64_t atom) {
    const bool lines = line_stride == width * atom;
    bins.hit(name + " lines packed", lines);
    bins.hit(name + " lines with gaps", line_stride > width * atom);
    bins.hit(name + " surfaces packed", surface_stride == line_stride * height);
    bins.hit(name + " surfaces with gaps", surface_stride > line_stride * height);
    bins.hit(name + " surfaces far apart", surface_stride > line_stride * height + 0x8000);
}

void ram(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t type, bool used = true) {
    if (sizes.secondary) bins.choice(name, {"secondary", "primary"}, used ? flag(type) : -1);
}

void high_address(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t high) {
    if (sizes.addr_w > 32) bins.hit(name + " above 4 GiB", high != 0);
}

void convertor(Bins& bins, const std::string& name, std::int64_t offset, std::int64_t scale,
               std::int64_t shift, bool on) {
    if (!on) offset = scale = shift = 0;
    bins.hit(name + " offset negative", offset < 0);
    bins.hit(name + " offset positive", offset > 0);
    bins.hit(name + " scale 1", scale == 1);
    bins.hit(name + " scale negative", scale < 0);
    bins.hit(name + " scale positive", scale > 1);
    bins.hit(name + " shift 0", on && shift == 0);
    bins.hit(name + " shift 1..15", shift >= 1 && shift <= 15);
    bins.hit(name + " shift 16+", shift >= 16);
}

template <class Cfg>
void lut(Bins& bins, const Cfg& cfg, bool used) {
    const auto pick = [used](std::uint32_t field) { return used ? flag(field) : -1; };
    bins.choice("table LE", {"exponential", "linear"}, pick(cfg.LUT_LE_FUNCTION()));
    bins.choice("table underflow takes", {"LE", "LO"}, pick(cfg.LUT_UFLOW_PRIORITY()));
    bins.choice("table overflow takes", {"LE", "LO"}, pick(cfg.LUT_OFLOW_PRIORITY()));
    bins.choice("table hybrid takes", {"LE", "LO"}, pick(cfg.LUT_HYBRID_PRIORITY()));
}

// ---- convolution

const Bins::Labels kInputs = {"feature", "pixels"};

/// Input kinds of the configuration.
Bins::Labels inputs(Sizes sizes) { return sizes.image ? kInputs : Bins::Labels{"feature"}; }

void cdma_pixels(Bins& bins, Now now, bool pixels) {
    namespace r = regs::cdma;
    const auto format = now.get<r::D_DATAIN_FORMAT>();
    const std::uint32_t code = format.PIXEL_FORMAT();
    const Bins::Labels sign = {"unsigned", "signed"};
    const int is_signed = flag(format.PIXEL_SIGN_OVERRIDE());
    const struct {
        std::uint32_t code;
        std::string_view name;
    } formats[] = {{0, "R8"},        {12, "A8B8G8R8"}, {13, "A8R8G8B8"}, {14, "B8G8R8A8"},
                   {15, "R8G8B8A8"}, {16, "X8B8G8R8"}, {17, "X8R8G8B8"}, {18, "B8G8R8X8"},
                   {19, "R8G8B8X8"}, {26, "A8Y8U8V8"}, {27, "V8U8Y8A8"}, {28, "Y8 U8V8"},
                   {29, "Y8 V8U8"}};
    Bins::Labels names;
    int index = -1;
    for (const auto& f : formats) {
        if (pixels && f.code == code) index = static_cast<int>(names.size());
        names.push_back(f.name);
    }
    bins.cross("pixel format", names, index, sign, is_signed);
    const Bins::Labels planes = {"one byte", "four bytes", "two planes"};
    const int plane = !pixels ? -1 : code == 0 ? 0 : code >= 28 ? 2 : 1;
    const bool mean = now.get<r::D_MEAN_FORMAT>().MEAN_FORMAT() != 0;
    bins.cross("pixel mean", planes, plane, kOffOn, mean ? 1 : 0);
    const auto mean_0 = now.get<r::D_MEAN_GLOBAL_0>();
    const bool subtracts = pixels && mean;
    bins.hit("pixel mean negative", subtracts && signed16(mean_0.MEAN_RY()) < 0);
    bins.hit("pixel mean positive", subtracts && signed16(mean_0.MEAN_RY()) > 0);
    bins.cross("pixel convertor", planes, plane, kOffOn, flag(now.get<r::D_CVT_CFG>().CVT_EN()));
    const std::uint32_t offset = now.get<r::D_PIXEL_OFFSET>().PIXEL_X_OFFSET();
    bins.cross("pixel x offset", planes, plane, {"0", "1+"}, flag(offset));
}

void cdma(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::cdma;
    const bool pixels = now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const auto size = now.get<r::D_DATAIN_SIZE_0>();
    const std::int64_t width = plus1(size.DATAIN_WIDTH()), height = plus1(size.DATAIN_HEIGHT());
    const std::int64_t channels = plus1(now.get<r::D_DATAIN_SIZE_1>().DATAIN_CHANNEL());
    bins.choice("input", inputs(sizes), pixels);
    // A line or column of an entry per pixel must fit.
    const bool may_be_long = (sizes.cbuf_banks - 1) * sizes.cbuf_depth >= 2048;
    shape(bins, width, height, pixels ? 0 : channels, sizes.atom_bytes, may_be_long);
    if (sizes.image) cdma_pixels(bins, now, pixels);
    if (!pixels) {
        packing(bins, "feature", width, height, now.word(r::D_LINE_STRIDE::kAddress),
                now.word(r::D_SURF_STRIDE::kAddress), sizes.atom_bytes);
    }
    const auto cvt = now.get<r::D_CVT_CFG>();
    const auto cvt_offset = signed16(now.get<r::D_CVT_OFFSET>().CVT_OFFSET());
    const auto cvt_scale = signed16(now.get<r::D_CVT_SCALE>().CVT_SCALE());
    bins.cross("convertor", inputs(sizes), pixels, kOffOn, flag(cvt.CVT_EN()));
    convertor(bins, "convertor", cvt_offset, cvt_scale, cvt.CVT_TRUNCATE(), cvt.CVT_EN() != 0);

    const auto pad = now.get<r::D_ZERO_PADDING>();
    bins.range("pad left", pad.PAD_LEFT(), {0, 1, 2});
    bins.range("pad right", pad.PAD_RIGHT(), {0, 1, 2});
    bins.range("pad top", pad.PAD_TOP(), {0, 1, 2});
    bins.range("pad bottom", pad.PAD_BOTTOM(), {0, 1, 2});
    const bool pads = pad.raw != 0;
    const Bins::Labels signs = {"negative", "zero", "positive"};
    const auto value = signed8(now.get<r::D_ZERO_PADDING_VALUE>().PAD_VALUE());
    bins.cross("pad value", inputs(sizes), pads ? pixels : -1, signs,
               value < 0    ? 0
               : value == 0 ? 1
                            : 2);

    const auto bank = now.get<r::D_BANK>();
    const std::int64_t data_banks = plus1(bank.DATA_BANK());
    const std::int64_t weight_banks = plus1(bank.WEIGHT_BANK());
    if (sizes.cbuf_banks > 2) {  // else each side has one
        bins.range("data banks", data_banks, {1, 2, 3});
        bins.range("weight banks", weight_banks, {1, 2, 3});
    }
    bins.hit("all banks", data_banks + weight_banks == sizes.cbuf_banks);
    bins.range("fetch grain", plus1(now.get<r::D_FETCH_GRAIN>().GRAINS()), {1, 2, 3});
    bins.choice("counters", kOffOn, flag(now.get<r::D_PERF_ENABLE>().DMA_EN()));
    ram(bins, sizes, "data in memory", now.get<r::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE());
    ram(bins, sizes, "weights in memory", now.get<r::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE());
    high_address(bins, sizes, "data", now.word(r::D_DAIN_ADDR_HIGH_0::kAddress));
    high_address(bins, sizes, "weights", now.word(r::D_WEIGHT_ADDR_HIGH::kAddress));
}

/// What stays in the convolution buffer between two layers.
void reuse(Bins& bins, Sizes sizes, Now now, const UnitRegisters* before) {
    namespace r = regs::csc;
    const UnitRegisters none;
    const UnitRegisters& old = before != nullptr ? *before : none;
    const auto misc = now.get<r::D_MISC_CFG>(), old_misc = old.get<r::D_MISC_CFG>();
    const auto bank = now.get<r::D_BANK>(), old_bank = old.get<r::D_BANK>();
    const bool pixels = now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const bool old_pixels = old.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const bool follows = before != nullptr;
    const bool data_stays = follows && bank.DATA_BANK() == old_bank.DATA_BANK();
    const bool same_banks = data_stays && bank.WEIGHT_BANK() == old_bank.WEIGHT_BANK();
    const std::int64_t left = plus1(old.get<r::D_DATAIN_SIZE_EXT_0>().DATAIN_HEIGHT_EXT()) -
                              plus1(old.get<r::D_RELEASE>().RLS_SLICES());
    const bool asks = misc.DATA_REUSE() != 0, asks_weights = misc.WEIGHT_REUSE() != 0;
    const bool same_kind = data_stays && pixels == old_pixels;
    const bool skipped = old_misc.SKIP_DATA_RLS() != 0;
    const bool kept = asks && same_kind && skipped;
    const bool joined = asks && same_kind && !skipped && left > 0;
    const bool kept_weights = asks_weights && same_banks && old_misc.SKIP_WEIGHT_RLS() != 0;
    bins.cross("data kept", inputs(sizes), kept ? pixels : -1, {"whole"}, 0);
    bins.cross("data kept", inputs(sizes), joined ? pixels : -1, {"with new lines"}, 0);
    if (sizes.cbuf_banks > 2) {
        bins.hit("data kept, weight banks change", (kept || joined) && !same_banks);
        bins.hit("banks change", follows && !same_banks);
    }
    bins.hit("data reuse in vain", asks && !kept && !joined);
    bins.hit("weights kept", kept_weights);
    bins.hit("weights and data kept", kept_weights && (kept || joined));
    bins.hit("weight reuse in vain", asks_weights && !kept_weights);
    bins.hit("banks stay", same_banks);
    if (sizes.image) {
        bins.hit("feature after pixels", follows && old_pixels && !pixels);
        bins.hit("pixels after feature", follows && !old_pixels && pixels);
        bins.hit("weights kept for pixels", kept_weights && pixels);
        bins.hit("kind changes with data reuse", follows && asks && old_pixels != pixels);
    }
    bins.hit("data not released", misc.SKIP_DATA_RLS() != 0);
    bins.hit("weights not released", misc.SKIP_WEIGHT_RLS() != 0);
    const std::int64_t height = plus1(now.get<r::D_DATAIN_SIZE_EXT_0>().DATAIN_HEIGHT_EXT());
    bins.hit("some lines released",
             misc.SKIP_DATA_RLS() == 0 && plus1(now.get<r::D_RELEASE>().RLS_SLICES()) < height);
}

void csc(Bins& bins, Sizes sizes, Now now, const UnitRegisters* before) {
    namespace r = regs::csc;
    const bool pixels = now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const auto taps = now.get<r::D_WEIGHT_SIZE_EXT_0>();
    const auto weights = now.get<r::D_WEIGHT_SIZE_EXT_1>();
    const auto stride = now.get<r::D_CONV_STRIDE_EXT>();
    const auto dilation = now.get<r::D_DILATION_EXT>();
    const auto pad = now.get<r::D_ZERO_PADDING>();
    const std::int64_t components = plus1(now.get<r::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT());
    const std::int64_t channels = plus1(weights.WEIGHT_CHANNEL_EXT());
    const std::int64_t columns = pixels ? channels / components : plus1(taps.WEIGHT_WIDTH_EXT());
    const std::int64_t lines = plus1(taps.WEIGHT_HEIGHT_EXT());
    const std::int64_t kernels = plus1(weights.WEIGHT_KERNEL());
    const std::int64_t sx = plus1(stride.CONV_X_STRIDE_EXT());
    const std::int64_t sy = plus1(stride.CONV_Y_STRIDE_EXT());
    const std::int64_t dx = plus1(dilation.X_DILATION_EXT());
    const std::int64_t dy = plus1(dilation.Y_DILATION_EXT());
    const Bins::Labels kinds = inputs(sizes);
    bins.range("kernel width", columns, {1, 2, 3, 4, 6});
    bins.range("kernel height", lines, {1, 2, 3, 4, 6});
    bins.range("x stride", sx, {1, 2, 3, 4, 8});
    bins.range("y stride", sy, {1, 2, 3, 4, 8});
    bins.range("x dilation", dx, {1, 2, 3});
    bins.range("y dilation", dy, {1, 2, 3});
    fit(bins, "channels", pixels ? 0 : channels, sizes.atomic_c);
    if (sizes.image) fit(bins, "bytes of a kernel line", pixels ? channels : 0, sizes.atomic_c);
    fit(bins, "kernels", kernels, sizes.atomic_k);

    const int strided = sx > 1 || sy > 1 ? 1 : 0;
    const int padded = pad.PAD_LEFT() != 0 || pad.PAD_TOP() != 0 ? 1 : 0;
    const int dilated = dx > 1 || dy > 1 ? 1 : 0;
    bins.cross("stride", kinds, pixels, {"1", "more"}, strided);
    bins.cross("padding", kinds, pixels, {"none", "some"}, padded);
    bins.cross("dilated", {"no", "yes"}, dilated, {"stride 1", "stride more"}, strided);
    bins.cross("dilated", {"no", "yes"}, dilated, {"unpadded", "padded"}, padded);
    if (sizes.image) {
        const Bins::Labels rows = {"1", "2", "4"};
        const std::uint32_t y = now.get<r::D_POST_Y_EXTENSION>().Y_EXTENSION();
        const int row = !pixels ? -1 : y == 0 ? 0 : y == 1 ? 1 : 2;
        const Bins::Labels formats = {"1 component", "3 components", "4 components"};
        const int format = components == 1 ? 0 : components == 3 ? 1 : 2;
        // Four lines of a pixel must fit in AC / 4 channels.
        if (sizes.atomic_c >= 16) {
            bins.cross("lines per step", rows, row, formats, format);
        } else {
            bins.choice("lines per step", rows, row);
            bins.choice("pixels of", formats, pixels ? format : -1);
        }
    }
    const auto out = now.get<r::D_DATAOUT_SIZE_0>();
    const std::int64_t width = plus1(out.DATAOUT_WIDTH()), height = plus1(out.DATAOUT_HEIGHT());
    bins.hit("output 1x1", width == 1 && height == 1);
    bins.hit("output wide", width >= 32 && width >= 4 * height);
    bins.hit("output tall", height >= 32 && height >= 4 * width);
    const std::int64_t stream = kernels * channels * plus1(taps.WEIGHT_WIDTH_EXT()) * lines;
    bins.choice("weight stream", {"exact", "padded at its end"},
                now.word(r::D_WEIGHT_BYTES::kAddress) > stream ? 1 : 0);
    reuse(bins, sizes, now, before);
}

void cacc(Bins& bins, Sizes, Now now, const UnitRegisters*) {
    bins.range("truncate", now.get<regs::cacc::D_CLIP_CFG>().CLIP_TRUNCATE(), {0, 1, 8, 16});
}

// ---- SDP

const Bins::Labels kSources = {"register", "memory"};

void operand_channel(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t cfg) {
    const bool on = (cfg & 1u) == 0;
    const Bins::Labels uses = {"multiplier", "ALU", "both"};
    const int use = on ? static_cast<int>(cfg >> 1 & 3u) : -1;
    const Bins::Labels bytes = {"1 byte", "2 bytes"}, modes = {"per channel", "per element"};
    const int byte = flag(cfg & 8u), mode = flag(cfg & 0x10u);
    bins.choice(name, kOffOn, on ? 1 : 0);
    bins.cross(name + " for", uses, use, bytes, byte);
    bins.cross(name + " for", uses, use, modes, mode);
    bins.cross(name + " of", bytes, on ? byte : -1, modes, mode);
    ram(bins, sizes, name + " in memory", cfg & 0x20u, on);
}

void sdp_rdma(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::sdp_rdma;
    const bool flying = now.get<r::D_FEATURE_MODE_CFG>().FLYING_MODE() != 0;
    const std::int64_t width = plus1(now.get<r::D_DATA_CUBE_WIDTH>().WIDTH());
    const std::int64_t height = plus1(now.get<r::D_DATA_CUBE_HEIGHT>().HEIGHT());
    // Behind a convolution there are only operands to read.
    const bool has_operands = sizes.sdp_bs || sizes.sdp_bn || sizes.sdp_ew;
    bins.choice("mode",
                has_operands ? Bins::Labels{"offline", "on the fly"} : Bins::Labels{"offline"},
                flying ? 1 : 0);
    packing(bins, "input", flying ? 0 : width, height,
            flying ? -1 : std::int64_t{now.word(r::D_SRC_LINE_STRIDE::kAddress)},
            flying ? -height - 1 : std::int64_t{now.word(r::D_SRC_SURFACE_STRIDE::kAddress)},
            sizes.atom_bytes);
    ram(bins, sizes, "input in memory", now.get<r::D_SRC_DMA_CFG>().SRC_RAM_TYPE(), !flying);
    if (sizes.sdp_bs) operand_channel(bins, sizes, "BS", now.word(r::D_BRDMA_CFG::kAddress));
    if (sizes.sdp_bn) operand_channel(bins, sizes, "BN", now.word(r::D_NRDMA_CFG::kAddress));
    if (sizes.sdp_ew) operand_channel(bins, sizes, "EW", now.word(r::D_ERDMA_CFG::kAddress));
    high_address(bins, sizes, "input", now.word(r::D_SRC_BASE_ADDR_HIGH::kAddress));
}

/// A stage whose CFG, ALU_CFG and MUL_CFG registers lie as in BS.
struct Stage {
    Stage(bool exists, std::uint32_t cfg, std::uint32_t alu_cfg, std::uint32_t mul_cfg)
        : on(exists && (cfg & 1u) == 0),
          alu(on && (cfg & 2u) == 0),
          mul(on && (cfg & 0x10u) == 0),
          prelu(mul && (cfg & 0x20u) != 0),
          last(on && (cfg & 0x40u) == 0),
          algo(alu ? static_cast<int>(cfg >> 2 & 3u) : -1),
          alu_memory(static_cast<int>(alu_cfg & 1u)),
          mul_memory(static_cast<int>(mul_cfg & 1u)) {}
    bool on, alu, mul, prelu;
    bool last;  ///< ReLU, in EW the table
    int algo;
    int alu_memory, mul_memory;
};

/// `last`: what may come behind ALU and multiplier, "ReLU" or "table"; empty: nothing.
void stage(Bins& bins, const std::string& name, const Stage& st, bool compares,
           const std::string& last) {
    const Bins::Labels alu =
        compares ? Bins::Labels{"max", "min", "sum", "equal"} : Bins::Labels{"max", "min", "sum"};
    bins.choice(name, kOffOn, st.on ? 1 : 0);
    bins.cross(name + " ALU", alu, st.algo, kSources, st.alu_memory);
    bins.cross(name + " multiplier", {"plain", "PReLU"}, st.mul ? st.prelu : -1, kSources,
               st.mul_memory);
    const int parts = (st.alu ? 1 : 0) + (st.mul ? 2 : 0) + (st.last ? 4 : 0);
    const Bins::Labels with = {"nothing", "ALU", "multiplier", "ALU and multiplier"};
    if (last.empty()) {
        bins.choice(name + " does", with, st.on ? parts & 3 : -1);
    } else {
        const std::string no_last = "no " + last;
        bins.cross(name + " does", with, st.on ? parts & 3 : -1, {no_last, last}, parts >> 2);
    }
    bins.hit(name + " both operands from memory",
             st.alu && st.mul && st.alu_memory == 1 && st.mul_memory == 1);
}

void x_stage(Bins& bins, const std::string& name, const Stage& st, std::uint32_t alu_cfg,
             std::uint32_t mul_cfg, std::uint32_t alu_value, std::uint32_t mul_value) {
    stage(bins, name, st, false, "ReLU");
    bins.range(name + " ALU shift", st.alu ? std::int64_t{alu_cfg >> 8 & 0x3Fu} : -1,
               {0, 1, 16, 32});
    bins.range(name + " multiplier shift", st.mul ? std::int64_t{mul_cfg >> 8 & 0xFFu} : -1,
               {0, 1, 16, 32, 64});
    bins.hit(name + " ALU operand negative",
             st.alu && st.alu_memory == 0 && signed16(alu_value) < 0);
    bins.hit(name + " multiplier operand negative",
             st.mul && st.mul_memory == 0 && signed16(mul_value) < 0);
}

void ew_stage(Bins& bins, Sizes sizes, Now now, const Stage& st) {
    namespace r = regs::sdp;
    stage(bins, "EW", st, true, sizes.sdp_lut ? "table" : "");
    const auto alu = now.get<r::D_DP_EW_ALU_CFG>();
    const auto mul = now.get<r::D_DP_EW_MUL_CFG>();
    bins.cross("EW ALU convertor", {"on", "off"}, st.alu ? flag(alu.EW_ALU_CVT_BYPASS()) : -1,
               kSources, st.alu_memory);
    bins.cross("EW multiplier convertor", {"on", "off"},
               st.mul ? flag(mul.EW_MUL_CVT_BYPASS()) : -1, kSources, st.mul_memory);
    bins.range("EW truncate",
               st.mul ? std::int64_t{now.get<r::D_DP_EW_TRUNCATE_VALUE>().EW_TRUNCATE()} : -1,
               {0, 1, 16, 32});
    if (sizes.sdp_lut) lut(bins, now.get<r::S_LUT_CFG>(), st.last);
}

void sdp(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::sdp;
    const auto mode = now.get<r::D_FEATURE_MODE_CFG>();
    const std::int64_t width = plus1(now.get<r::D_DATA_CUBE_WIDTH>().WIDTH());
    const std::int64_t height = plus1(now.get<r::D_DATA_CUBE_HEIGHT>().HEIGHT());
    const bool to_memory = mode.OUTPUT_DST() == 0;
    bins.cross("from", {"memory", "convolution"}, flag(mode.FLYING_MODE()),
               sizes.pdp ? Bins::Labels{"to memory", "to PDP"} : Bins::Labels{"to memory"},
               flag(mode.OUTPUT_DST()));
    shape(bins, width, height, plus1(now.get<r::D_DATA_CUBE_CHANNEL>().CHANNEL()),
          sizes.atom_bytes);
    const auto word = [&](std::uint32_t at) { return now.word(at); };
    const std::uint32_t bs_alu = word(r::D_DP_BS_ALU_CFG::kAddress);
    const std::uint32_t bs_mul = word(r::D_DP_BS_MUL_CFG::kAddress);
    const std::uint32_t bn_alu = word(r::D_DP_BN_ALU_CFG::kAddress);
    const std::uint32_t bn_mul = word(r::D_DP_BN_MUL_CFG::kAddress);
    const Stage bs(sizes.sdp_bs, word(r::D_DP_BS_CFG::kAddress), bs_alu, bs_mul);
    const Stage bn(sizes.sdp_bn, word(r::D_DP_BN_CFG::kAddress), bn_alu, bn_mul);
    const Stage ew(sizes.sdp_ew, word(r::D_DP_EW_CFG::kAddress), word(r::D_DP_EW_ALU_CFG::kAddress),
                   word(r::D_DP_EW_MUL_CFG::kAddress));
    if (sizes.sdp_bs) {
        x_stage(bins, "BS", bs, bs_alu, bs_mul, word(r::D_DP_BS_ALU_SRC_VALUE::kAddress),
                word(r::D_DP_BS_MUL_SRC_VALUE::kAddress));
    }
    if (sizes.sdp_bn) {
        x_stage(bins, "BN", bn, bn_alu, bn_mul, word(r::D_DP_BN_ALU_SRC_VALUE::kAddress),
                word(r::D_DP_BN_MUL_SRC_VALUE::kAddress));
    }
    if (sizes.sdp_ew) ew_stage(bins, sizes, now, ew);
    if (sizes.sdp_bs && sizes.sdp_bn) {
        bins.cross("BS", kOffOn, bs.on, {"BN off", "BN on"}, bn.on);
    }
    if (sizes.sdp_bs && sizes.sdp_bn && sizes.sdp_ew) {
        bins.cross("EW", kOffOn, ew.on, {"X off", "X on"}, bs.on || bn.on);
        bins.hit("operands from memory in all stages",
                 bs.on && bn.on && ew.on && (bs.alu_memory | bs.mul_memory) != 0 &&
                     (bn.alu_memory | bn.mul_memory) != 0 && (ew.alu_memory | ew.mul_memory) != 0);
    }
    convertor(bins, "output convertor", static_cast<std::int32_t>(word(r::D_CVT_OFFSET::kAddress)),
              signed16(now.get<r::D_CVT_SCALE>().CVT_SCALE()),
              now.get<r::D_CVT_SHIFT>().CVT_SHIFT(), true);
    const bool writes = to_memory && ew.algo != 3;
    packing(bins, "output", writes ? width : 0, height,
            writes ? std::int64_t{word(r::D_DST_LINE_STRIDE::kAddress)} : -1,
            writes ? std::int64_t{word(r::D_DST_SURFACE_STRIDE::kAddress)} : -height - 1,
            sizes.atom_bytes);
    ram(bins, sizes, "output in memory", now.get<r::D_DST_DMA_CFG>().DST_RAM_TYPE(), writes);
    high_address(bins, sizes, "output", word(r::D_DST_BASE_ADDR_HIGH::kAddress));
}

// ---- PDP

void pdp(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::pdp;
    const auto mode = now.get<r::D_OPERATION_MODE_CFG>();
    const auto kernel = now.get<r::D_POOLING_KERNEL_CFG>();
    const auto pad = now.get<r::D_POOLING_PADDING_CFG>();
    const bool flying = mode.FLYING_MODE() == 0;
    const Bins::Labels methods = {"average", "max", "min"};
    const int method = static_cast<int>(mode.POOLING_METHOD());
    bins.cross("method", methods, method, {"offline", "behind SDP"}, flying ? 1 : 0);
    shape(bins, plus1(now.get<r::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH()),
          plus1(now.get<r::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT()),
          plus1(now.get<r::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL()), sizes.atom_bytes);
    const std::int64_t kw = plus1(kernel.KERNEL_WIDTH()), kh = plus1(kernel.KERNEL_HEIGHT());
    const std::int64_t sx = plus1(kernel.KERNEL_STRIDE_WIDTH());
    const std::int64_t sy = plus1(kernel.KERNEL_STRIDE_HEIGHT());
    bins.range("kernel width", kw, {1, 2, 3, 4, 5, 6, 7, 8});
    bins.range("kernel height", kh, {1, 2, 3, 4, 5, 6, 7, 8});
    bins.range("x stride", sx, {1, 2, 3, 4, 9});
    bins.range("y stride", sy, {1, 2, 3, 4, 9});
    const Bins::Labels windows = {"overlap", "touch", "leave gaps"};
    bins.choice("windows across", windows, sx < kw ? 0 : sx == kw ? 1 : 2);
    bins.choice("windows down", windows, sy < kh ? 0 : sy == kh ? 1 : 2);
    bins.range("pad left", pad.PAD_LEFT(), {0, 1, 2, 7});
    bins.range("pad right", pad.PAD_RIGHT(), {0, 1, 2, 7});
    bins.range("pad top", pad.PAD_TOP(), {0, 1, 2, 7});
    bins.range("pad bottom", pad.PAD_BOTTOM(), {0, 1, 2, 7});
    const int padded = pad.raw != 0 ? 1 : 0;
    bins.cross("padding", methods, method, {"none", "some"}, padded);
    const std::uint32_t value = now.word(r::D_POOLING_PADDING_VALUE_1_CFG::kAddress) & 0x7FFFFu;
    const int sign = value == 0 ? 1 : value >= 0x40000u ? 0 : 2;
    bins.choice("pad value of an average", {"negative", "zero", "positive"},
                method == 0 && padded == 1 ? sign : -1);
    const std::int64_t strips = plus1(mode.SPLIT_NUM());
    bins.range("strips", flying ? 0 : strips, {1, 2, 3, 4});
    bins.cross("strips", methods, !flying && strips > 1 ? method : -1, {"unpadded", "padded"},
               padded);
    ram(bins, sizes, "output in memory", now.get<r::D_DST_RAM_CFG>().DST_RAM_TYPE());
    high_address(bins, sizes, "output", now.word(r::D_DST_BASE_ADDR_HIGH::kAddress));
}

void pdp_rdma(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::pdp_rdma;
    const std::int64_t split = now.get<r::D_OPERATION_MODE_CFG>().SPLIT_NUM();
    packing(bins, "input",
            split == 0 ? plus1(now.get<r::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH()) : 0,
            plus1(now.get<r::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT()),
            now.word(r::D_SRC_LINE_STRIDE::kAddress), now.word(r::D_SRC_SURFACE_STRIDE::kAddress),
            sizes.atom_bytes);
    ram(bins, sizes, "input in memory", now.get<r::D_SRC_RAM_CFG>().SRC_RAM_TYPE());
    high_address(bins, sizes, "input", now.word(r::D_SRC_BASE_ADDR_HIGH::kAddress));
}

// ---- CDP

void cdp(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::cdp;
    const auto bypass = now.get<r::D_FUNC_BYPASS>();
    const Bins::Labels windows = {"3", "5", "7", "9"};
    const int window = static_cast<int>(now.get<r::D_LRN_CFG>().NORMALZ_LEN());
    const Bins::Labels modes = {"whole", "no squares", "no multiplier", "neither"};
    bins.choice("window", windows, window);
    const bool sums = bypass.SQSUM_BYPASS() == 0;
    bins.cross("function", modes, static_cast<int>(bypass.raw & 3u), windows, window);
    bins.hit("function sums squares", sums);
    lut(bins, now.get<r::S_LUT_CFG>(), true);
    convertor(bins, "input convertor", signed8(now.get<r::D_DATIN_OFFSET>().DATIN_OFFSET()),
              signed16(now.get<r::D_DATIN_SCALE>().DATIN_SCALE()),
              now.get<r::D_DATIN_SHIFTER>().DATIN_SHIFTER(), true);
    const auto out_offset =
        static_cast<std::int32_t>(now.get<r::D_DATOUT_OFFSET>().DATOUT_OFFSET() << 7) >> 7;
    convertor(bins, "output convertor", out_offset,
              signed16(now.get<r::D_DATOUT_SCALE>().DATOUT_SCALE()),
              now.get<r::D_DATOUT_SHIFTER>().DATOUT_SHIFTER(), true);
    ram(bins, sizes, "output in memory", now.get<r::D_DST_DMA_CFG>().DST_RAM_TYPE());
    high_address(bins, sizes, "output", now.word(r::D_DST_BASE_ADDR_HIGH::kAddress));
}

void cdp_rdma(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::cdp_rdma;
    const std::int64_t width = plus1(now.get<r::D_DATA_CUBE_WIDTH>().WIDTH());
    const std::int64_t height = plus1(now.get<r::D_DATA_CUBE_HEIGHT>().HEIGHT());
    shape(bins, width, height, plus1(now.get<r::D_DATA_CUBE_CHANNEL>().CHANNEL()),
          sizes.atom_bytes);
    packing(bins, "input", width, height, now.word(r::D_SRC_LINE_STRIDE::kAddress),
            now.word(r::D_SRC_SURFACE_STRIDE::kAddress), sizes.atom_bytes);
    ram(bins, sizes, "input in memory", now.get<r::D_SRC_DMA_CFG>().SRC_RAM_TYPE());
    high_address(bins, sizes, "input", now.word(r::D_SRC_BASE_ADDR_HIGH::kAddress));
}

}  // namespace

// ---- tables

const std::vector<CoveredUnit>& covered_units() {
    const auto always = [](Sizes) { return true; };
    const auto has_pdp = [](Sizes sizes) { return sizes.pdp; };
    const auto has_cdp = [](Sizes sizes) { return sizes.cdp; };
    static const std::vector<CoveredUnit> units = {
        {"CDMA", always, cdma}, {"CSC", always, csc},
        {"CACC", always, cacc}, {"SDP_RDMA", always, sdp_rdma},
        {"SDP", always, sdp},   {"PDP_RDMA", has_pdp, pdp_rdma},
        {"PDP", has_pdp, pdp},  {"CDP_RDMA", has_cdp, cdp_rdma},
        {"CDP", has_cdp, cdp},
    };
    return units;
}

const std::vector<CoveredCounter>& covered_counters() {
    const auto always = [](Sizes) { return true; };
    // Below this size no kernel that fits the buffer has enough weights.
    const auto can_saturate = [](Sizes sizes) {
        return sizes.cbuf_banks * sizes.cbuf_depth * sizes.entry_bytes > 0x20000;
    };
    const auto has_ew = [](Sizes sizes) { return sizes.sdp_ew; };
    const auto has_lut = [](Sizes sizes) { return sizes.sdp_ew && sizes.sdp_lut; };
    const auto has_cdp = [](Sizes sizes) { return sizes.cdp; };
    static const std::vector<CoveredCounter> counters = {
        {"CACC.D_OUT_SATURATION", "CACC", "saturates", can_saturate},
        {"SDP.D_PERF_OUT_SATURATION", "SDP", "output saturates", always},
        {"SDP.D_STATUS", "SDP", "compared cubes differ", has_ew},
        {"SDP.D_PERF_LUT_UFLOW", "SDP", "table underflow", has_lut},
        {"SDP.D_PERF_LUT_OFLOW", "SDP", "table overflow", has_lut},
        {"SDP.D_PERF_LUT_HYBRID", "SDP", "table hybrid", has_lut},
        {"SDP.D_PERF_LUT_LE_HIT", "SDP", "table LE hit", has_lut},
        {"SDP.D_PERF_LUT_LO_HIT", "SDP", "table LO hit", has_lut},
        {"CDP.D_PERF_LUT_UFLOW", "CDP", "table underflow", has_cdp},
        {"CDP.D_PERF_LUT_OFLOW", "CDP", "table overflow", has_cdp},
        {"CDP.D_PERF_LUT_HYBRID", "CDP", "table hybrid", has_cdp},
        {"CDP.D_PERF_LUT_LE_HIT", "CDP", "table LE hit", has_cdp},
        {"CDP.D_PERF_LUT_LO_HIT", "CDP", "table LO hit", has_cdp},
    };
    return counters;
}

}  // namespace macrame::dla::stimulus
