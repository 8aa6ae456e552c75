#include "layer_checker.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace macrame::model::dla {

namespace {

namespace regs = dla_regs;
namespace cdma = dla_regs::cdma;
namespace csc = dla_regs::csc;
namespace cacc = dla_regs::cacc;
namespace sdp = dla_regs::sdp;
namespace rdma = dla_regs::sdp_rdma;
namespace pdp = dla_regs::pdp;
namespace pdp_rdma = dla_regs::pdp_rdma;
namespace cdp = dla_regs::cdp;
namespace cdp_rdma = dla_regs::cdp_rdma;

using Sizes = LayerSizes;
using Layer = LayerRegisters;
using Broken = std::optional<std::string>;
using Check = std::function<Broken(const Sizes&, const Layer&)>;
using Applies = std::function<bool(const Layer&)>;

template <class... Parts>
std::string say(const Parts&... parts) {
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

template <class... Parts>
Broken want(bool ok, const Parts&... parts) {
    if (ok) return std::nullopt;
    return say(parts...);
}

std::int64_t plus1(std::uint32_t field) { return std::int64_t{field} + 1; }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }
int signed8(std::uint32_t field) { return static_cast<std::int8_t>(field & 0xFFu); }

// ---- numbers that several rules need

struct Cube {
    std::int64_t width = 0, height = 0, channels = 0;
    bool operator==(const Cube& o) const {
        return width == o.width && height == o.height && channels == o.channels;
    }
    std::int64_t surfaces(const Sizes& s) const { return ceil_div(channels, s.device.atom_bytes); }
    std::string text() const { return say(width, " x ", height, " x ", channels); }
};

struct Conv {
    explicit Conv(const Layer& l) {
        const auto format = l.get<cdma::D_DATAIN_FORMAT>();
        pixels = format.DATAIN_FORMAT() != 0;
        code = format.PIXEL_FORMAT();
        const auto size = l.get<cdma::D_DATAIN_SIZE_0>();
        fetched = {plus1(size.DATAIN_WIDTH()), plus1(size.DATAIN_HEIGHT()),
                   plus1(l.get<cdma::D_DATAIN_SIZE_1>().DATAIN_CHANNEL())};
        const auto ext = l.get<csc::D_DATAIN_SIZE_EXT_0>();
        in = {plus1(ext.DATAIN_WIDTH_EXT()), plus1(ext.DATAIN_HEIGHT_EXT()),
              plus1(l.get<csc::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT())};
        const auto kernel = l.get<csc::D_WEIGHT_SIZE_EXT_0>();
        const auto weight = l.get<csc::D_WEIGHT_SIZE_EXT_1>();
        taps_x = plus1(kernel.WEIGHT_WIDTH_EXT());
        taps_y = plus1(kernel.WEIGHT_HEIGHT_EXT());
        weight_channels = plus1(weight.WEIGHT_CHANNEL_EXT());
        kernels = plus1(weight.WEIGHT_KERNEL());
        kernel_bytes = taps_x * taps_y * weight_channels;
        const auto dilation = l.get<csc::D_DILATION_EXT>();
        // Image: the line of a kernel is folded into its channels (pre-extension).
        const std::int64_t line = pixels ? weight_channels / in.channels : taps_x;
        window_x = (line - 1) * (pixels ? 1 : plus1(dilation.X_DILATION_EXT())) + 1;
        window_y = (taps_y - 1) * (pixels ? 1 : plus1(dilation.Y_DILATION_EXT())) + 1;
        const auto stride = l.get<csc::D_CONV_STRIDE_EXT>();
        stride_x = plus1(stride.CONV_X_STRIDE_EXT());
        stride_y = plus1(stride.CONV_Y_STRIDE_EXT());
        const auto pad = l.get<cdma::D_ZERO_PADDING>();
        left = pad.PAD_LEFT();
        right = pad.PAD_RIGHT();
        top = pad.PAD_TOP();
        bottom = pad.PAD_BOTTOM();
        const auto size_out = l.get<csc::D_DATAOUT_SIZE_0>();
        out = {plus1(size_out.DATAOUT_WIDTH()), plus1(size_out.DATAOUT_HEIGHT()),
               plus1(l.get<csc::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL())};
        const auto bank = l.get<cdma::D_BANK>();
        data_banks = plus1(bank.DATA_BANK());
        weight_banks = plus1(bank.WEIGHT_BANK());
    }

    std::int64_t entries_per_slice(const Sizes& s) const {
        const std::int64_t entry = s.device.entry_bytes, atom = s.device.atom_bytes;
        if (pixels) return ceil_div((left + fetched.width + right) * fetched.channels, entry);
        const std::int64_t atoms = ceil_div(fetched.channels, atom), per = entry / atom;
        const std::int64_t rest = atoms % per, w = fetched.width;
        return atoms / per * w + (rest == 3 ? w : ceil_div(rest * w, per));
    }

    int pixel_bytes() const { return code >= 12 && code <= 27 ? 4 : 1; }
    bool two_planes() const { return pixels && (code == 28 || code == 29); }

    bool pixels = false;
    std::uint32_t code = 0;
    Cube fetched, in, out;
    std::int64_t taps_x = 0, taps_y = 0, weight_channels = 0, kernels = 0, kernel_bytes = 0;
    std::int64_t window_x = 0, window_y = 0, stride_x = 0, stride_y = 0;
    std::int64_t left = 0, right = 0, top = 0, bottom = 0;
    std::int64_t data_banks = 0, weight_banks = 0;
};

/// Data that CDMA leaves alone, as the whole input is in the buffer.
bool data_kept(const Layer& l) {
    const auto misc = l.get<cdma::D_MISC_CFG>();
    return misc.DATA_REUSE() != 0 && l.before.skip_data_release &&
           l.before.data_banks == static_cast<int>(plus1(l.get<cdma::D_BANK>().DATA_BANK()));
}

bool is_conv(const Layer& l) { return l.has("CDMA"); }
bool is_feature(const Layer& l) { return !Conv(l).pixels; }
bool is_image(const Layer& l) { return Conv(l).pixels; }

Cube sdp_cube(const Layer& l) {
    return {plus1(l.get<sdp::D_DATA_CUBE_WIDTH>().WIDTH()),
            plus1(l.get<sdp::D_DATA_CUBE_HEIGHT>().HEIGHT()),
            plus1(l.get<sdp::D_DATA_CUBE_CHANNEL>().CHANNEL())};
}
Cube rdma_cube(const Layer& l) {
    return {plus1(l.get<rdma::D_DATA_CUBE_WIDTH>().WIDTH()),
            plus1(l.get<rdma::D_DATA_CUBE_HEIGHT>().HEIGHT()),
            plus1(l.get<rdma::D_DATA_CUBE_CHANNEL>().CHANNEL())};
}
Cube pdp_in(const Layer& l) {
    return {plus1(l.get<pdp::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH()),
            plus1(l.get<pdp::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT()),
            plus1(l.get<pdp::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL())};
}
Cube pdp_out(const Layer& l) {
    return {plus1(l.get<pdp::D_DATA_CUBE_OUT_WIDTH>().CUBE_OUT_WIDTH()),
            plus1(l.get<pdp::D_DATA_CUBE_OUT_HEIGHT>().CUBE_OUT_HEIGHT()),
            plus1(l.get<pdp::D_DATA_CUBE_OUT_CHANNEL>().CUBE_OUT_CHANNEL())};
}
Cube cdp_cube(const Layer& l) {
    return {plus1(l.get<cdp_rdma::D_DATA_CUBE_WIDTH>().WIDTH()),
            plus1(l.get<cdp_rdma::D_DATA_CUBE_HEIGHT>().HEIGHT()),
            plus1(l.get<cdp_rdma::D_DATA_CUBE_CHANNEL>().CHANNEL())};
}

/// What an SDP stage takes from where.
struct Stage {
    bool active = false, alu = false, mul = false;  // doing something
    bool alu_memory = false, mul_memory = false;
    bool memory() const { return alu_memory || mul_memory; }
    std::uint32_t data_use() const { return alu_memory && mul_memory ? 2u : alu_memory ? 1u : 0u; }
};

Stage make_stage(bool bypass, bool alu_bypass, bool mul_bypass, bool alu_mem, bool mul_mem) {
    Stage out;
    out.active = !bypass;
    out.alu = !bypass && !alu_bypass;
    out.mul = !bypass && !mul_bypass;
    out.alu_memory = out.alu && alu_mem;
    out.mul_memory = out.mul && mul_mem;
    return out;
}
Stage bs_stage(const Layer& l) {
    const auto c = l.get<sdp::D_DP_BS_CFG>();
    return make_stage(c.BS_BYPASS() != 0, c.BS_ALU_BYPASS() != 0, c.BS_MUL_BYPASS() != 0,
                      l.get<sdp::D_DP_BS_ALU_CFG>().BS_ALU_SRC() != 0,
                      l.get<sdp::D_DP_BS_MUL_CFG>().BS_MUL_SRC() != 0);
}
Stage bn_stage(const Layer& l) {
    const auto c = l.get<sdp::D_DP_BN_CFG>();
    return make_stage(c.BN_BYPASS() != 0, c.BN_ALU_BYPASS() != 0, c.BN_MUL_BYPASS() != 0,
                      l.get<sdp::D_DP_BN_ALU_CFG>().BN_ALU_SRC() != 0,
                      l.get<sdp::D_DP_BN_MUL_CFG>().BN_MUL_SRC() != 0);
}
Stage ew_stage(const Layer& l) {
    const auto c = l.get<sdp::D_DP_EW_CFG>();
    return make_stage(c.EW_BYPASS() != 0, c.EW_ALU_BYPASS() != 0, c.EW_MUL_BYPASS() != 0,
                      l.get<sdp::D_DP_EW_ALU_CFG>().EW_ALU_SRC() != 0,
                      l.get<sdp::D_DP_EW_MUL_CFG>().EW_MUL_SRC() != 0);
}
bool compares(const Layer& l) {
    return ew_stage(l).alu && l.get<sdp::D_DP_EW_CFG>().EW_ALU_ALGO() == 3;
}
bool uses_lut(const Layer& l) {
    const auto c = l.get<sdp::D_DP_EW_CFG>();
    return c.EW_BYPASS() == 0 && c.EW_LUT_BYPASS() == 0;
}
bool to_memory(const Layer& l) {
    return l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0 && !compares(l);
}
bool offline(const Layer& l) { return l.get<rdma::D_FEATURE_MODE_CFG>().FLYING_MODE() == 0; }

/// Operand stream as SDP_RDMA is told to fetch it.
struct Stream {
    bool on = false;
    std::uint32_t use = 0;
    bool per_element = false;
    std::int64_t record = 1;  // bytes per element
};
template <class Config>
Stream make_stream(Config, std::uint32_t disable, std::uint32_t use, std::uint32_t size,
                   std::uint32_t mode) {
    return {disable == 0, use, mode != 0, (use == 2 ? 2 : 1) * (size != 0 ? 2 : 1)};
}
Stream bs_stream(const Layer& l) {
    const auto c = l.get<rdma::D_BRDMA_CFG>();
    return make_stream(c, c.BRDMA_DISABLE(), c.BRDMA_DATA_USE(), c.BRDMA_DATA_SIZE(),
                       c.BRDMA_DATA_MODE());
}
Stream bn_stream(const Layer& l) {
    const auto c = l.get<rdma::D_NRDMA_CFG>();
    return make_stream(c, c.NRDMA_DISABLE(), c.NRDMA_DATA_USE(), c.NRDMA_DATA_SIZE(),
                       c.NRDMA_DATA_MODE());
}
Stream ew_stream(const Layer& l) {
    const auto c = l.get<rdma::D_ERDMA_CFG>();
    return make_stream(c, c.ERDMA_DISABLE(), c.ERDMA_DATA_USE(), c.ERDMA_DATA_SIZE(),
                       c.ERDMA_DATA_MODE());
}

struct Pool {
    explicit Pool(const Layer& l) : in(pdp_in(l)), out(pdp_out(l)) {
        const auto k = l.get<pdp::D_POOLING_KERNEL_CFG>();
        kw = plus1(k.KERNEL_WIDTH());
        kh = plus1(k.KERNEL_HEIGHT());
        sx = plus1(k.KERNEL_STRIDE_WIDTH());
        sy = plus1(k.KERNEL_STRIDE_HEIGHT());
        const auto p = l.get<pdp::D_POOLING_PADDING_CFG>();
        left = p.PAD_LEFT();
        right = p.PAD_RIGHT();
        top = p.PAD_TOP();
        bottom = p.PAD_BOTTOM();
        const auto mode = l.get<pdp::D_OPERATION_MODE_CFG>();
        method = mode.POOLING_METHOD();
        flying = mode.FLYING_MODE() == 0;
        strips = plus1(mode.SPLIT_NUM());
        const auto i = l.get<pdp::D_PARTIAL_WIDTH_IN>();
        in_first = plus1(i.PARTIAL_WIDTH_IN_FIRST());
        in_mid = plus1(i.PARTIAL_WIDTH_IN_MID());
        in_last = plus1(i.PARTIAL_WIDTH_IN_LAST());
        const auto o = l.get<pdp::D_PARTIAL_WIDTH_OUT>();
        out_first = plus1(o.PARTIAL_WIDTH_OUT_FIRST());
        out_mid = plus1(o.PARTIAL_WIDTH_OUT_MID());
        out_last = plus1(o.PARTIAL_WIDTH_OUT_LAST());
    }
    std::int64_t max_width() const {
        const std::int64_t open = ceil_div(kh, sy);
        return open == 1 ? 128 : open == 2 ? 64 : open <= 4 ? 32 : 16;
    }
    Cube in, out;
    std::int64_t kw = 1, kh = 1, sx = 1, sy = 1, left = 0, right = 0, top = 0, bottom = 0;
    std::uint32_t method = 0;
    bool flying = false;
    std::int64_t strips = 1;
    std::int64_t in_first = 1, in_mid = 1, in_last = 1, out_first = 1, out_mid = 1, out_last = 1;
};

// ---- the table

using Rules = std::vector<LayerRule>;

template <class Register>
void add(Rules& out, const char* name, const char* source, Check check, Level level = Level::error) {
    out.push_back({name, Register::kAddress, source, std::move(check), level});
}

bool always(const Layer&) { return true; }

/// Address or stride that must be a multiple of the memory atom.
template <class Register>
void add_aligned(Rules& out, const Applies& applies) {
    add<Register>(out, "alignment", "programming 9", [applies](const Sizes& s, const Layer& l) {
        return want(!applies(l) || l.word(Register::kAddress) %
                                           static_cast<std::uint32_t>(s.device.atom_bytes) == 0,
                    "a multiple of ", s.device.atom_bytes, " (memory atom)");
    });
}

/// Upper address word within the address width.
template <class Register>
void add_high(Rules& out, const Applies& applies) {
    add<Register>(out, "address-width", "programming 9", [applies](const Sizes& s, const Layer& l) {
        const int bits = s.device.addr_w - 32;
        return want(!applies(l) || bits >= 32 || (l.word(Register::kAddress) >> bits) == 0,
                    "an address of ", s.device.addr_w, " bits");
    });
}

/// Memory port that the configuration has.
template <class Register>
void add_port(Rules& out, unsigned bit, const Applies& applies) {
    add<Register>(out, "memory-port", "programming 10",
                  [bit, applies](const Sizes& s, const Layer& l) {
                      return want(!applies(l) || s.device.secondary ||
                                      (l.word(Register::kAddress) >> bit & 1u) != 0,
                                  "RAM_TYPE 1: there is no second memory port");
                  });
}

using CubeOf = std::function<Cube(const Layer&)>;
using RecordOf = std::function<std::int64_t(const Layer&)>;

/// Line and surface strides that keep lines and surfaces apart.
template <class Line, class Surface>
void add_strides(Rules& out, const Applies& applies, const CubeOf& cube,
                 const RecordOf& record = [](const Layer&) { return std::int64_t{1}; }) {
    add_aligned<Line>(out, applies);
    add_aligned<Surface>(out, applies);
    add<Line>(out, "line-stride", "programming 10",
              [applies, cube, record](const Sizes& s, const Layer& l) {
                  if (!applies(l)) return Broken();
                  const Cube c = cube(l);
                  const std::int64_t bytes = c.width * s.device.atom_bytes * record(l);
                  return want(c.height == 1 || l.word(Line::kAddress) >= bytes, "at least ", bytes,
                              " (bytes of a line of ", c.width, ")");
              });
    add<Surface>(out, "surface-stride", "programming 10",
                 [applies, cube, record](const Sizes& s, const Layer& l) {
                     if (!applies(l)) return Broken();
                     const Cube c = cube(l);
                     const std::int64_t line = l.word(Line::kAddress);
                     const std::int64_t bytes =
                         (c.height - 1) * line + c.width * s.device.atom_bytes * record(l);
                     return want(c.surfaces(s) == 1 || l.word(Surface::kAddress) >= bytes,
                                 "at least ", bytes, " (bytes of a surface of ", c.width, " x ",
                                 c.height, ")");
                 });
}

Broken int8_only(bool ok, const char* fields) { return want(ok, fields, " 0: int8 only"); }

void add_conv(Rules& out) {
    // What this family does not have.
    add<cdma::D_MISC_CFG>(out, "precision", "programming 8", [](const Sizes&, const Layer& l) {
        const auto m = l.get<cdma::D_MISC_CFG>();
        return int8_only(m.IN_PRECISION() == 0 && m.PROC_PRECISION() == 0,
                         "IN_PRECISION and PROC_PRECISION");
    });
    add<csc::D_MISC_CFG>(out, "precision", "programming 8", [](const Sizes&, const Layer& l) {
        const auto m = l.get<csc::D_MISC_CFG>();
        return int8_only(m.IN_PRECISION() == 0 && m.PROC_PRECISION() == 0,
                         "IN_PRECISION and PROC_PRECISION");
    });
    add<regs::cmac_a::D_MISC_CFG>(out, "precision", "programming 8",
                                  [](const Sizes&, const Layer& l) {
        return int8_only(l.get<regs::cmac_a::D_MISC_CFG>().PROC_PRECISION() == 0, "PROC_PRECISION");
    });
    add<regs::cmac_b::D_MISC_CFG>(out, "precision", "programming 8",
                                  [](const Sizes&, const Layer& l) {
        return int8_only(l.get<regs::cmac_b::D_MISC_CFG>().PROC_PRECISION() == 0, "PROC_PRECISION");
    });
    add<cacc::D_MISC_CFG>(out, "precision", "programming 8", [](const Sizes&, const Layer& l) {
        return int8_only(l.get<cacc::D_MISC_CFG>().PROC_PRECISION() == 0, "PROC_PRECISION");
    });
    add<csc::D_MISC_CFG>(out, "conv-mode", "programming 4", [](const Sizes&, const Layer& l) {
        return want(l.get<cdma::D_MISC_CFG>().CONV_MODE() == 0 &&
                        l.get<csc::D_MISC_CFG>().CONV_MODE() == 0 &&
                        l.get<regs::cmac_a::D_MISC_CFG>().CONV_MODE() == 0 &&
                        l.get<regs::cmac_b::D_MISC_CFG>().CONV_MODE() == 0 &&
                        l.get<cacc::D_MISC_CFG>().CONV_MODE() == 0,
                    "CONV_MODE 0 in CDMA, CSC, CMAC_A, CMAC_B and CACC: no Winograd here");
    });
    add<cdma::D_WEIGHT_FORMAT>(out, "compression", "programming 9",
                               [](const Sizes&, const Layer& l) {
        return want(l.get<cdma::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() == 0 &&
                        l.get<csc::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() == 0,
                    "WEIGHT_FORMAT 0 in CDMA and CSC: no compressed weights here");
    });
    add<csc::D_BATCH_NUMBER>(out, "batch", "programming 10", [](const Sizes&, const Layer& l) {
        return want(l.get<cdma::D_BATCH_NUMBER>().BATCHES() == 0 &&
                        l.get<csc::D_BATCH_NUMBER>().BATCHES() == 0 &&
                        l.get<cacc::D_BATCH_NUMBER>().BATCHES() == 0,
                    "BATCHES 0 in CDMA, CSC and CACC: no batches here");
    });
    add<csc::D_DATAIN_FORMAT>(out, "data-format", "programming 4",
                              [](const Sizes&, const Layer& l) {
        const std::uint32_t cdma_format = l.get<cdma::D_DATAIN_FORMAT>().DATAIN_FORMAT();
        return want(l.get<csc::D_DATAIN_FORMAT>().DATAIN_FORMAT() == cdma_format, cdma_format,
                    " as in CDMA");
    });

    // Memory.
    const Applies fetches = [](const Layer& l) { return !data_kept(l); };
    const Applies planes = [](const Layer& l) { return Conv(l).two_planes(); };
    add_aligned<cdma::D_DAIN_ADDR_LOW_0>(out, fetches);
    add_high<cdma::D_DAIN_ADDR_HIGH_0>(out, fetches);
    add_aligned<cdma::D_DAIN_ADDR_LOW_1>(out, planes);
    add_high<cdma::D_DAIN_ADDR_HIGH_1>(out, planes);
    add_aligned<cdma::D_LINE_UV_STRIDE>(out, planes);
    add_port<cdma::D_DAIN_RAM_TYPE>(out, 0, fetches);
    add_aligned<cdma::D_WEIGHT_ADDR_LOW>(out, always);
    add_high<cdma::D_WEIGHT_ADDR_HIGH>(out, always);
    add_port<cdma::D_WEIGHT_RAM_TYPE>(out, 0, always);
    add_strides<cdma::D_LINE_STRIDE, cdma::D_SURF_STRIDE>(
        out, [](const Layer& l) { return is_feature(l) && !data_kept(l); },
        [](const Layer& l) { return Conv(l).fetched; });
    add<cdma::D_LINE_STRIDE>(out, "pixel-line-stride", "programming 10",
                             [](const Sizes& s, const Layer& l) {
        if (!is_image(l)) return Broken();
        const Conv c(l);
        const std::int64_t bytes =
            (l.get<cdma::D_PIXEL_OFFSET>().PIXEL_X_OFFSET() + c.fetched.width) * c.pixel_bytes();
        const std::uint32_t stride = l.get<cdma::D_LINE_STRIDE>().raw;
        return want(stride % static_cast<std::uint32_t>(s.device.atom_bytes) == 0 &&
                        (c.fetched.height == 1 || stride >= bytes),
                    "a multiple of ", s.device.atom_bytes, ", at least ", bytes,
                    " (bytes of a line of pixels)");
    });
    add<cdma::D_DAIN_MAP>(out, "line-packed", "programming 4", [](const Sizes& s, const Layer& l) {
        if (!is_feature(l)) return Broken();
        const std::int64_t bytes = Conv(l).fetched.width * s.device.atom_bytes;
        return want(l.get<cdma::D_DAIN_MAP>().LINE_PACKED() == 0 ||
                        l.get<cdma::D_LINE_STRIDE>().raw == bytes,
                    "LINE_PACKED 0, or D_LINE_STRIDE ", bytes);
    });
    add<cdma::D_DAIN_MAP>(out, "surface-packed", "programming 4",
                          [](const Sizes& s, const Layer& l) {
        if (!is_feature(l)) return Broken();
        const Conv c(l);
        const std::int64_t bytes = c.fetched.height * l.get<cdma::D_LINE_STRIDE>().raw;
        return want(l.get<cdma::D_DAIN_MAP>().SURF_PACKED() == 0 || c.fetched.surfaces(s) == 1 ||
                        l.get<cdma::D_SURF_STRIDE>().raw == bytes,
                    "SURF_PACKED 0, or D_SURF_STRIDE ", bytes);
    });

    // Sizes that units must agree on.
    add<csc::D_DATAIN_SIZE_EXT_0>(out, "input-width", "programming 4",
                                  [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(c.in.width == c.fetched.width, "DATAIN_WIDTH_EXT ", c.fetched.width - 1,
                    " as CDMA DATAIN_WIDTH");
    });
    add<csc::D_DATAIN_SIZE_EXT_0>(out, "input-height", "programming 4",
                                  [](const Sizes&, const Layer& l) {
        const Conv c(l);
        if (data_kept(l)) {
            return want(c.in.height <= l.before.slices, "DATAIN_HEIGHT_EXT at most ",
                        l.before.slices - 1, ": so many lines are kept");
        }
        const bool joins = l.get<cdma::D_MISC_CFG>().DATA_REUSE() != 0 &&
                           l.before.data_banks == c.data_banks && l.before.pixels == c.pixels;
        const std::int64_t height = c.fetched.height + (joins ? l.before.slices : 0);
        return want(c.in.height == height, "DATAIN_HEIGHT_EXT ", height - 1,
                    ": lines that CDMA fetches and those kept of the layer before");
    });
    add<csc::D_DATAIN_SIZE_EXT_1>(out, "input-channels", "programming 4",
                                  [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(c.in.channels == c.fetched.channels, "DATAIN_CHANNEL_EXT ",
                    c.fetched.channels - 1, " as CDMA DATAIN_CHANNEL");
    });
    add<csc::D_WEIGHT_SIZE_EXT_1>(out, "weight-channels", "programming 4",
                                  [](const Sizes&, const Layer& l) {
        const Conv c(l);
        if (c.pixels) {
            return want(c.weight_channels % c.in.channels == 0,
                        "WEIGHT_CHANNEL_EXT+1 a multiple of ", c.in.channels, " (channels)");
        }
        return want(c.weight_channels == c.in.channels, "WEIGHT_CHANNEL_EXT ", c.in.channels - 1,
                    " as DATAIN_CHANNEL_EXT");
    });
    add<csc::D_WEIGHT_SIZE_EXT_0>(out, "pre-extension", "programming 4",
                                  [](const Sizes&, const Layer& l) {
        return want(is_feature(l) || Conv(l).taps_x == 1,
                    "WEIGHT_WIDTH_EXT 0: the line of an image kernel is in its channels");
    });
    add<cdma::D_WEIGHT_SIZE_1>(out, "kernels", "programming 4", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(plus1(l.get<cdma::D_WEIGHT_SIZE_1>().WEIGHT_KERNEL()) == c.kernels,
                    "WEIGHT_KERNEL ", c.kernels - 1, " as in CSC");
    });
    add<csc::D_DATAOUT_SIZE_1>(out, "output-channels", "programming 4",
                               [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(c.out.channels == c.kernels, "DATAOUT_CHANNEL ", c.kernels - 1,
                    " as WEIGHT_KERNEL");
    });
    add<csc::D_DATAOUT_SIZE_0>(out, "output-width", "programming 10",
                               [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const std::int64_t line = c.left + c.fetched.width + c.right;
        return want((c.out.width - 1) * c.stride_x + c.window_x == line, "DATAOUT_WIDTH*",
                    c.stride_x, " + ", c.window_x, " (stride, window) = ", line,
                    " (width with padding)");
    });
    add<csc::D_DATAOUT_SIZE_0>(out, "output-height", "programming 10",
                               [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const std::int64_t lines = c.top + c.in.height + c.bottom;
        return want((c.out.height - 1) * c.stride_y + c.window_y == lines, "DATAOUT_HEIGHT*",
                    c.stride_y, " + ", c.window_y, " (stride, window) = ", lines,
                    " (height with padding)");
    });
    add<csc::D_ATOMICS>(out, "atomics", "programming 4", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const std::int64_t atomics = c.out.width * c.out.height - 1;
        return want(l.get<csc::D_ATOMICS>().ATOMICS() == atomics, atomics,
                    " (output width x height - 1)");
    });
    add<csc::D_ZERO_PADDING>(out, "padding-agrees", "programming 4",
                             [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const auto pad = l.get<csc::D_ZERO_PADDING>();
        return want(pad.PAD_LEFT() == c.left && pad.PAD_TOP() == c.top, "PAD_LEFT ", c.left,
                    " and PAD_TOP ", c.top, " as in CDMA");
    });
    add<cdma::D_ZERO_PADDING>(out, "padding", "programming 10", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(c.left < c.window_x && c.right < c.window_x && c.top < c.window_y &&
                        c.bottom < c.window_y,
                    "less than the window, ", c.window_x, " x ", c.window_y);
    });
    add<cacc::D_DATAOUT_SIZE_0>(out, "cacc-size", "conv 8 (10)", [](const Sizes&, const Layer& l) {
        const auto size = l.get<cacc::D_DATAOUT_SIZE_0>();
        const Conv c(l);
        return want(plus1(size.DATAOUT_WIDTH()) == c.out.width &&
                        plus1(size.DATAOUT_HEIGHT()) == c.out.height,
                    c.out.width, " x ", c.out.height, " as in CSC (fields hold value-1)");
    });
    add<cacc::D_DATAOUT_SIZE_1>(out, "cacc-size", "conv 8 (10)", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(plus1(l.get<cacc::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL()) == c.out.channels,
                    "DATAOUT_CHANNEL ", c.out.channels - 1, " as in CSC");
    });
    add<cacc::D_DATAOUT_MAP>(out, "cacc-packed", "programming 4",
                             [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const auto map = l.get<cacc::D_DATAOUT_MAP>();
        return want((map.LINE_PACKED() == 0 && map.SURF_PACKED() == 0) ||
                        (c.out.width == 1 && c.out.height == 1),
                    "0: packed is only for outputs of 1 x 1");
    }, Level::warning);  // hardware ignores it
    add<cacc::D_CLIP_CFG>(out, "truncate", "conv 8 (13)", [](const Sizes&, const Layer& l) {
        return want(l.get<cacc::D_CLIP_CFG>().CLIP_TRUNCATE() <= 16, "CLIP_TRUNCATE at most 16");
    }, Level::warning);  // computed as documented here; only the rounding of old hardware differs

    // Weights.
    add<cdma::D_WEIGHT_SIZE_0>(out, "kernel-bytes", "programming 4",
                               [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(plus1(l.get<cdma::D_WEIGHT_SIZE_0>().BYTE_PER_KERNEL()) == c.kernel_bytes,
                    c.kernel_bytes - 1, " (", c.taps_x, " x ", c.taps_y, " x ", c.weight_channels,
                    " - 1)");
    });
    add<cdma::D_WEIGHT_BYTES>(out, "weight-bytes", "programming 4",
                              [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const std::int64_t bytes = round_up(c.kernel_bytes * c.kernels, 128);
        return want(l.get<cdma::D_WEIGHT_BYTES>().raw == bytes, bytes, " (", c.kernels,
                    " kernels of ", c.kernel_bytes, " bytes, rounded up to 128)");
    });
    add<csc::D_WEIGHT_BYTES>(out, "weight-bytes-agree", "programming 4",
                             [](const Sizes&, const Layer& l) {
        const std::uint32_t bytes = l.get<cdma::D_WEIGHT_BYTES>().raw;
        return want(l.get<csc::D_WEIGHT_BYTES>().raw == bytes, bytes, " as in CDMA");
    });

    // Convolution buffer.
    add<cdma::D_ENTRY_PER_SLICE>(out, "entries-per-slice", "programming 4",
                                 [](const Sizes& s, const Layer& l) {
        const std::int64_t entries = Conv(l).entries_per_slice(s);
        return want(plus1(l.get<cdma::D_ENTRY_PER_SLICE>().ENTRIES()) == entries, entries - 1,
                    " (a line takes ", entries, " entries)");
    });
    add<csc::D_ENTRY_PER_SLICE>(out, "entries-agree", "conv 2.3", [](const Sizes&, const Layer& l) {
        const std::uint32_t entries = l.get<cdma::D_ENTRY_PER_SLICE>().ENTRIES();
        return want(l.get<csc::D_ENTRY_PER_SLICE>().ENTRIES() == entries, entries, " as in CDMA");
    });
    add<cdma::D_BANK>(out, "banks", "programming 10", [](const Sizes& s, const Layer& l) {
        const Conv c(l);
        return want(c.data_banks + c.weight_banks <= s.device.cbuf_banks,
                    "DATA_BANK+1 + WEIGHT_BANK+1 at most ", s.device.cbuf_banks, " banks");
    });
    add<csc::D_BANK>(out, "banks-agree", "programming 4", [](const Sizes&, const Layer& l) {
        const std::uint32_t bank = l.get<cdma::D_BANK>().raw;
        return want(l.get<csc::D_BANK>().raw == bank, bank, " as in CDMA");
    });
    add<cdma::D_BANK>(out, "data-banks", "conv 2.5", [](const Sizes& s, const Layer& l) {
        const Conv c(l);
        const std::int64_t entries =
            c.in.height * plus1(l.get<csc::D_ENTRY_PER_SLICE>().ENTRIES());
        const std::int64_t banks = ceil_div(entries, s.device.cbuf_depth);
        return want(c.data_banks >= banks, "DATA_BANK at least ", banks - 1, ": ", c.in.height,
                    " lines need ", entries, " entries");
    });
    add<cdma::D_BANK>(out, "weight-banks", "programming 4", [](const Sizes& s, const Layer& l) {
        const Conv c(l);
        const std::int64_t group = std::min<std::int64_t>(c.kernels, s.device.atomic_k);
        const std::int64_t banks =
            ceil_div(ceil_div(group * c.kernel_bytes, s.device.entry_bytes), s.device.cbuf_depth);
        return want(c.weight_banks >= banks, "WEIGHT_BANK at least ", banks - 1,
                    ": a kernel group is ", group * c.kernel_bytes, " bytes");
    });
    add<cdma::D_FETCH_GRAIN>(out, "fetch-grain", "conv 2.4", [](const Sizes& s, const Layer& l) {
        const Conv c(l);
        if (data_kept(l) || c.pixels || l.get<cdma::D_DAIN_MAP>().LINE_PACKED() == 0) return Broken();
        const std::int64_t room = c.data_banks * s.device.cbuf_depth /
                                  plus1(l.get<cdma::D_ENTRY_PER_SLICE>().ENTRIES());
        const std::int64_t lines = plus1(l.get<cdma::D_FETCH_GRAIN>().GRAINS());
        return want(std::min(lines, c.fetched.height) <= room, "at most ", room - 1,
                    ": the data banks hold ", room, " lines");
    });
    add<csc::D_RELEASE>(out, "release", "programming 4", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(plus1(l.get<csc::D_RELEASE>().RLS_SLICES()) <= c.in.height, "at most ",
                    c.in.height - 1, " (DATAIN_HEIGHT_EXT)");
    });
    add<csc::D_MISC_CFG>(out, "reuse-agrees", "conv 2.5", [](const Sizes&, const Layer& l) {
        constexpr std::uint32_t kFlags = 0x11110000u;
        const std::uint32_t flags = l.get<cdma::D_MISC_CFG>().raw & kFlags;
        return want((l.get<csc::D_MISC_CFG>().raw & kFlags) == flags,
                    "reuse and release flags as in CDMA");
    });
    add<cdma::D_MISC_CFG>(out, "data-reuse", "programming 10", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        return want(l.get<cdma::D_MISC_CFG>().DATA_REUSE() == 0 ||
                        (l.before.data_banks == c.data_banks && l.before.pixels == c.pixels),
                    "DATA_REUSE 0, or a layer before of the same mode and DATA_BANK");
    }, Level::warning);  // it then fetches everything, as without
    add<cdma::D_MISC_CFG>(out, "weight-reuse", "conv 2.5", [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const KeptInBuffer& b = l.before;
        const bool kept = b.skip_weight_release && b.data_banks == c.data_banks &&
                          b.weight_banks == c.weight_banks;
        return want(l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() == 0 || !kept ||
                        b.weight_bytes == l.get<cdma::D_WEIGHT_BYTES>().raw,
                    "WEIGHT_REUSE 0, or the D_WEIGHT_BYTES of the layer before, ", b.weight_bytes);
    });

    // Images.
    add<cdma::D_DATAIN_FORMAT>(out, "image-unit", "programming 11",
                               [](const Sizes& s, const Layer& l) {
        return want(s.image || is_feature(l), "DATAIN_FORMAT 0: no image input here");
    });
    add<cdma::D_DATAIN_FORMAT>(out, "pixel-format", "programming 9",
                               [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const bool eight = c.code == 0 || (c.code >= 12 && c.code <= 19) ||
                           (c.code >= 26 && c.code <= 29);
        return want(!c.pixels || eight, "PIXEL_FORMAT of 8 bits: 0, 12..19 or 26..29");
    });
    add<cdma::D_DATAIN_SIZE_1>(out, "pixel-channels", "programming 9",
                               [](const Sizes&, const Layer& l) {
        const Conv c(l);
        const int channels = c.code == 0 ? 1 : c.two_planes() ? 3 : 4;
        return want(!c.pixels || c.fetched.channels == channels, "DATAIN_CHANNEL ", channels - 1,
                    " for PIXEL_FORMAT ", c.code);
    });
    add<cdma::D_DATAIN_FORMAT>(out, "pixel-mapping", "programming 9",
                               [](const Sizes&, const Layer& l) {
        return want(is_feature(l) || l.get<cdma::D_DATAIN_FORMAT>().PIXEL_MAPPING() == 0,
                    "PIXEL_MAPPING 0 (pitch linear)");
    });
    add<cdma::D_PIXEL_OFFSET>(out, "pixel-offset", "programming 10, conv 8 (11)",
                              [](const Sizes& s, const Layer& l) {
        const Conv c(l);
        const auto offset = l.get<cdma::D_PIXEL_OFFSET>();
        const int most = s.device.atom_bytes / c.pixel_bytes() - 1;
        return want(!c.pixels || (offset.PIXEL_Y_OFFSET() == 0 &&
                                  static_cast<int>(offset.PIXEL_X_OFFSET()) <= most),
                    "PIXEL_Y_OFFSET 0 and PIXEL_X_OFFSET at most ", most);
    });
    add<csc::D_DILATION_EXT>(out, "image-dilation", "programming 10",
                             [](const Sizes&, const Layer& l) {
        return want(is_feature(l) || l.get<csc::D_DILATION_EXT>().raw == 0,
                    "0: images have no dilation");
    });
    add<csc::D_POST_Y_EXTENSION>(out, "post-extension", "programming 4",
                                 [](const Sizes&, const Layer& l) {
        const std::uint32_t e = l.get<csc::D_POST_Y_EXTENSION>().Y_EXTENSION();
        const Conv c(l);
        const std::int64_t most = e == 0 ? 8192 : e == 1 ? 32 : 16;
        return want(e == 0 || (e <= 2 && c.pixels && c.weight_channels <= most &&
                               c.stride_x * c.in.channels <= most),
                    "0; images with at most 32 (16) pre-extended channels: 1 (2)");
    });
    add<cdma::D_MEAN_FORMAT>(out, "mean", "conv 8 (16)", [](const Sizes&, const Layer& l) {
        return want(l.get<cdma::D_MEAN_FORMAT>().MEAN_FORMAT() == 0 ||
                        l.get<cdma::D_CVT_CFG>().CVT_EN() != 0,
                    "MEAN_FORMAT 0, or CVT_EN 1: without it the mean is ignored");
    }, Level::warning);
}

/// Rules of one SDP stage and its read channel.
template <class Config, class ReadConfig, class Low, class High, class Line, class Surface>
void add_stage(Rules& out, const char* stage_name, bool (*exists)(const Sizes&),
               Stage (*stage)(const Layer&), Stream (*stream)(const Layer&)) {
    const std::string name = stage_name;
    add<Config>(out, "stage", "programming 5", [=](const Sizes& s, const Layer& l) {
        return want(exists(s) || !stage(l).active, name, "_BYPASS 1: no ", name, " stage here");
    });
    add<ReadConfig>(out, "operand-channel", "programming 10", [=](const Sizes&, const Layer& l) {
        return want(stream(l).on == stage(l).memory(), "DISABLE ", stage(l).memory() ? 0 : 1,
                    ": operands of ", name, " come from ",
                    stage(l).memory() ? "memory" : "registers");
    });
    add<ReadConfig>(out, "operand-use", "post 1.3", [=](const Sizes&, const Layer& l) {
        return want(!stream(l).on || !stage(l).memory() || stream(l).use == stage(l).data_use(),
                    "DATA_USE ", stage(l).data_use(), " (0 MUL, 1 ALU, 2 both) as the sources of ",
                    name);
    });
    const Applies fetches = [stream](const Layer& l) { return stream(l).on; };
    add_aligned<Low>(out, fetches);
    add_high<High>(out, fetches);
    add_port<ReadConfig>(out, 5, fetches);
    add_strides<Line, Surface>(
        out,
        [stream](const Layer& l) {
            const Cube c = rdma_cube(l);
            return stream(l).on && stream(l).per_element && (c.width > 1 || c.height > 1);
        },
        rdma_cube, [stream](const Layer& l) { return stream(l).record; });
}

/// Rules of a lookup table; shared by SDP and CDP.
struct Table {
    bool exponent = false;
    int le_offset = 0, le_select = 0, lo_select = 0;
    std::int64_t le_start = 0, le_end = 0, lo_start = 0, lo_end = 0;
};
Table sdp_table(const Layer& l) {
    const auto info = l.get<sdp::S_LUT_INFO>();
    const auto word = [](std::uint32_t raw) { return std::int64_t{static_cast<std::int32_t>(raw)}; };
    return {l.get<sdp::S_LUT_CFG>().LUT_LE_FUNCTION() == 0, signed8(info.LUT_LE_INDEX_OFFSET()),
            signed8(info.LUT_LE_INDEX_SELECT()), signed8(info.LUT_LO_INDEX_SELECT()),
            word(l.get<sdp::S_LUT_LE_START>().raw), word(l.get<sdp::S_LUT_LE_END>().raw),
            word(l.get<sdp::S_LUT_LO_START>().raw), word(l.get<sdp::S_LUT_LO_END>().raw)};
}
Table cdp_table(const Layer& l) {
    const auto info = l.get<cdp::S_LUT_INFO>();
    const auto wide = [](std::uint32_t high, std::uint32_t low) {  // 38 bits, signed
        const std::uint64_t raw = std::uint64_t{high & 0x3Fu} << 32 | low;
        return static_cast<std::int64_t>(raw << 26) >> 26;
    };
    return {l.get<cdp::S_LUT_CFG>().LUT_LE_FUNCTION() == 0, signed8(info.LUT_LE_INDEX_OFFSET()),
            signed8(info.LUT_LE_INDEX_SELECT()), signed8(info.LUT_LO_INDEX_SELECT()),
            wide(l.get<cdp::S_LUT_LE_START_HIGH>().raw, l.get<cdp::S_LUT_LE_START_LOW>().raw),
            wide(l.get<cdp::S_LUT_LE_END_HIGH>().raw, l.get<cdp::S_LUT_LE_END_LOW>().raw),
            wide(l.get<cdp::S_LUT_LO_START_HIGH>().raw, l.get<cdp::S_LUT_LO_START_LOW>().raw),
            wide(l.get<cdp::S_LUT_LO_END_HIGH>().raw, l.get<cdp::S_LUT_LO_END_LOW>().raw)};
}

struct TableLimits {
    int le_select_most, lo_select_most, offset_most;
};

template <class Info, class LeEnd, class LoEnd>
void add_table(Rules& out, const Applies& used, Table (*table)(const Layer&), TableLimits most) {
    add<Info>(out, "lut-le-select", "programming 10", [=](const Sizes&, const Layer& l) {
        const Table t = table(l);
        return want(!used(l) || t.exponent ||
                        (t.le_select >= -6 && t.le_select <= most.le_select_most),
                    "LE_INDEX_SELECT in -6..", most.le_select_most);
    });
    add<Info>(out, "lut-lo-select", "programming 10", [=](const Sizes&, const Layer& l) {
        const Table t = table(l);
        return want(!used(l) || (t.lo_select >= -8 && t.lo_select <= most.lo_select_most),
                    "LO_INDEX_SELECT in -8..", most.lo_select_most);
    });
    add<Info>(out, "lut-le-offset", "programming 10", [=](const Sizes&, const Layer& l) {
        const Table t = table(l);
        return want(!used(l) || !t.exponent ||
                        (t.le_offset >= -64 && t.le_offset <= most.offset_most),
                    "LE_INDEX_OFFSET in -64..", most.offset_most);
    });
    // The end of a table is only the base of its overflow slope (post 2): programs that leave it
    // at another value work.
    const auto span = [](int power, std::int64_t start, std::int64_t end) {
        return power < 0 || power > 31 || end - start == std::int64_t{1} << power;
    };
    add<LeEnd>(out, "lut-le-end", "programming 10", [=](const Sizes&, const Layer& l) {
        const Table t = table(l);
        return want(!used(l) || t.exponent || span(t.le_select + 6, t.le_start, t.le_end),
                    "LE_START + 2^(LE_INDEX_SELECT+6), 2^", t.le_select + 6, " behind ",
                    t.le_start);
    }, Level::warning);
    add<LoEnd>(out, "lut-lo-end", "programming 10", [=](const Sizes&, const Layer& l) {
        const Table t = table(l);
        return want(!used(l) || span(t.lo_select + 8, t.lo_start, t.lo_end),
                    "LO_START + 2^(LO_INDEX_SELECT+8), 2^", t.lo_select + 8, " behind ",
                    t.lo_start);
    }, Level::warning);
}

void add_sdp(Rules& out) {
    add<sdp::D_FEATURE_MODE_CFG>(out, "winograd-batch", "programming 10",
                                 [](const Sizes&, const Layer& l) {
        const auto m = l.get<sdp::D_FEATURE_MODE_CFG>();
        return want(m.WINOGRAD() == 0 && m.BATCH_NUMBER() == 0,
                    "WINOGRAD 0 and BATCH_NUMBER 0: not built here");
    });
    add<sdp::D_FEATURE_MODE_CFG>(out, "pdp-unit", "programming 2",
                                 [](const Sizes& s, const Layer& l) {
        return want(s.device.pdp || l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0,
                    "OUTPUT_DST 0: no PDP here");
    });
    add<sdp::D_DATA_CUBE_WIDTH>(out, "conv-width", "conv 8 (10)", [](const Sizes&, const Layer& l) {
        return want(!is_conv(l) || sdp_cube(l).width == Conv(l).out.width,
                    is_conv(l) ? Conv(l).out.width - 1 : 0, " as CSC DATAOUT_WIDTH");
    });
    add<sdp::D_DATA_CUBE_HEIGHT>(out, "conv-height", "conv 8 (10)",
                                 [](const Sizes&, const Layer& l) {
        return want(!is_conv(l) || sdp_cube(l).height == Conv(l).out.height,
                    is_conv(l) ? Conv(l).out.height - 1 : 0, " as CSC DATAOUT_HEIGHT");
    });
    add<sdp::D_DATA_CUBE_CHANNEL>(out, "conv-channels", "conv 8 (10)",
                                  [](const Sizes&, const Layer& l) {
        return want(!is_conv(l) || sdp_cube(l).channels == Conv(l).out.channels,
                    is_conv(l) ? Conv(l).out.channels - 1 : 0, " as CSC DATAOUT_CHANNEL");
    });
    add<sdp::D_DATA_FORMAT>(out, "precision", "programming 8", [](const Sizes&, const Layer& l) {
        const auto f = l.get<sdp::D_DATA_FORMAT>();
        return int8_only(f.PROC_PRECISION() == 0 && f.OUT_PRECISION() == 0,
                         "PROC_PRECISION and OUT_PRECISION");
    });
    add_aligned<sdp::D_DST_BASE_ADDR_LOW>(out, to_memory);
    add_high<sdp::D_DST_BASE_ADDR_HIGH>(out, to_memory);
    add_port<sdp::D_DST_DMA_CFG>(out, 0, to_memory);
    add_strides<sdp::D_DST_LINE_STRIDE, sdp::D_DST_SURFACE_STRIDE>(out, to_memory, sdp_cube);

    add<sdp::D_DP_BS_CFG>(out, "algorithm", "programming 5", [](const Sizes&, const Layer& l) {
        return want(!bs_stage(l).alu || l.get<sdp::D_DP_BS_CFG>().BS_ALU_ALGO() <= 2,
                    "BS_ALU_ALGO 0..2 (max, min, sum)");
    });
    add<sdp::D_DP_BN_CFG>(out, "algorithm", "programming 5", [](const Sizes&, const Layer& l) {
        return want(!bn_stage(l).alu || l.get<sdp::D_DP_BN_CFG>().BN_ALU_ALGO() <= 2,
                    "BN_ALU_ALGO 0..2 (max, min, sum)");
    });
    add<sdp::D_DP_EW_CFG>(out, "compare", "programming 5", [](const Sizes&, const Layer& l) {
        return want(!compares(l) || (!bs_stage(l).active && !bn_stage(l).active &&
                                     !ew_stage(l).mul && !uses_lut(l)),
                    "with EQL: BS, BN, EW_MUL and LUT bypassed");
    });
    add<sdp::D_DP_EW_CFG>(out, "lut-unit", "programming 5", [](const Sizes& s, const Layer& l) {
        return want(s.sdp_lut || !uses_lut(l), "EW_LUT_BYPASS 1: no table here");
    });
    add_table<sdp::S_LUT_INFO, sdp::S_LUT_LE_END, sdp::S_LUT_LO_END>(out, uses_lut, sdp_table,
                                                                     {25, 23, 31});

    add<rdma::D_FEATURE_MODE_CFG>(out, "rdma-mode", "programming 3",
                                  [](const Sizes&, const Layer& l) {
        const std::uint32_t mode = l.get<sdp::D_FEATURE_MODE_CFG>().FLYING_MODE();
        return want(l.get<rdma::D_FEATURE_MODE_CFG>().FLYING_MODE() == mode, "FLYING_MODE ", mode,
                    " as in SDP");
    });
    add<rdma::D_FEATURE_MODE_CFG>(out, "precision", "programming 8",
                                  [](const Sizes&, const Layer& l) {
        const auto m = l.get<rdma::D_FEATURE_MODE_CFG>();
        return int8_only(m.IN_PRECISION() == 0 && m.PROC_PRECISION() == 0 && m.OUT_PRECISION() == 0,
                         "IN_, PROC_ and OUT_PRECISION");
    });
    add<rdma::D_FEATURE_MODE_CFG>(out, "winograd-batch", "programming 10",
                                  [](const Sizes&, const Layer& l) {
        const auto m = l.get<rdma::D_FEATURE_MODE_CFG>();
        return want(m.WINOGRAD() == 0 && m.BATCH_NUMBER() == 0,
                    "WINOGRAD 0 and BATCH_NUMBER 0: not built here");
    });
    add<rdma::D_DATA_CUBE_WIDTH>(out, "rdma-size", "programming 3",
                                 [](const Sizes&, const Layer& l) {
        return want(rdma_cube(l) == sdp_cube(l), "a cube of ", sdp_cube(l).text(),
                    " as in SDP, found ", rdma_cube(l).text());
    });
    add_aligned<rdma::D_SRC_BASE_ADDR_LOW>(out, offline);
    add_high<rdma::D_SRC_BASE_ADDR_HIGH>(out, offline);
    add_port<rdma::D_SRC_DMA_CFG>(out, 0, offline);
    add_strides<rdma::D_SRC_LINE_STRIDE, rdma::D_SRC_SURFACE_STRIDE>(out, offline, rdma_cube);

    add_stage<sdp::D_DP_BS_CFG, rdma::D_BRDMA_CFG, rdma::D_BS_BASE_ADDR_LOW,
              rdma::D_BS_BASE_ADDR_HIGH, rdma::D_BS_LINE_STRIDE, rdma::D_BS_SURFACE_STRIDE>(
        out, "BS", [](const Sizes& s) { return s.device.sdp_bs; }, bs_stage, bs_stream);
    add_stage<sdp::D_DP_BN_CFG, rdma::D_NRDMA_CFG, rdma::D_BN_BASE_ADDR_LOW,
              rdma::D_BN_BASE_ADDR_HIGH, rdma::D_BN_LINE_STRIDE, rdma::D_BN_SURFACE_STRIDE>(
        out, "BN", [](const Sizes& s) { return s.device.sdp_bn; }, bn_stage, bn_stream);
    add_stage<sdp::D_DP_EW_CFG, rdma::D_ERDMA_CFG, rdma::D_EW_BASE_ADDR_LOW,
              rdma::D_EW_BASE_ADDR_HIGH, rdma::D_EW_LINE_STRIDE, rdma::D_EW_SURFACE_STRIDE>(
        out, "EW", [](const Sizes& s) { return s.sdp_ew; }, ew_stage, ew_stream);
}

bool pdp_offline(const Layer& l) {
    return l.has("PDP_RDMA") && l.get<pdp::D_OPERATION_MODE_CFG>().FLYING_MODE() == 1;
}

/// The value for n padded positions; the seven registers follow each other.
std::int64_t pad_value(const Layer& l, std::uint32_t n) {
    const std::uint32_t raw =
        l.word(pdp::D_POOLING_PADDING_VALUE_1_CFG::kAddress + 4 * (n - 1)) & 0x7FFFFu;
    return std::int64_t{raw} - ((raw & 0x40000u) != 0 ? 0x80000 : 0);
}

void add_pdp(Rules& out) {
    add<pdp::D_OP_ENABLE>(out, "unit", "programming 2", [](const Sizes& s, const Layer&) {
        return want(s.device.pdp, "0: no PDP here");
    });
    add<pdp::D_DATA_FORMAT>(out, "precision", "programming 8", [](const Sizes&, const Layer& l) {
        return int8_only(l.get<pdp::D_DATA_FORMAT>().INPUT_DATA() == 0, "INPUT_DATA");
    });
    add<pdp::D_OPERATION_MODE_CFG>(out, "method", "programming 6",
                                   [](const Sizes&, const Layer& l) {
        return want(Pool(l).method <= 2, "POOLING_METHOD 0..2 (average, max, min)");
    });
    add<pdp::D_POOLING_KERNEL_CFG>(out, "kernel", "programming 10",
                                   [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.kw <= 8 && p.kh <= 8, "a window of at most 8 x 8");
    });
    add<pdp::D_POOLING_PADDING_CFG>(out, "padding", "post 3.3", [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.left < p.kw && p.right < p.kw && p.top < p.kh && p.bottom < p.kh,
                    "less than the window, ", p.kw, " x ", p.kh);
    });
    add<pdp::D_DATA_CUBE_OUT_WIDTH>(out, "output-width", "post 3.3",
                                    [](const Sizes&, const Layer& l) {
        const Pool p(l);
        const std::int64_t line = p.left + p.in.width + p.right;
        return want((p.out.width - 1) * p.sx + p.kw == line, "CUBE_OUT_WIDTH*", p.sx, " + ", p.kw,
                    " (stride, window) = ", line, " (width with padding)");
    });
    add<pdp::D_DATA_CUBE_OUT_HEIGHT>(out, "output-height", "post 3.3",
                                     [](const Sizes&, const Layer& l) {
        const Pool p(l);
        const std::int64_t lines = p.top + p.in.height + p.bottom;
        return want((p.out.height - 1) * p.sy + p.kh == lines, "CUBE_OUT_HEIGHT*", p.sy, " + ",
                    p.kh, " (stride, window) = ", lines, " (height with padding)");
    });
    add<pdp::D_DATA_CUBE_OUT_CHANNEL>(out, "channels", "programming 6",
                                      [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.out.channels == p.in.channels, p.in.channels - 1, " as CUBE_IN_CHANNEL");
    });
    add<pdp::D_DATA_CUBE_IN_WIDTH>(out, "input-size", "programming 2",
                                   [](const Sizes&, const Layer& l) {
        return want(!l.has("SDP") || pdp_in(l) == sdp_cube(l), "a cube of ", sdp_cube(l).text(),
                    " as SDP makes it, found ", pdp_in(l).text());
    });
    add<pdp::D_OPERATION_MODE_CFG>(out, "flying-split", "programming 6",
                                   [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(!p.flying || p.strips == 1, "SPLIT_NUM 0 on the fly");
    });
    add<pdp::D_DATA_CUBE_OUT_WIDTH>(out, "line-buffer", "post 3.5",
                                    [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.strips > 1 || p.out.width <= p.max_width(), "at most ", p.max_width() - 1,
                    " with this window and stride, or strips (SPLIT_NUM)");
    });
    add<pdp::D_PARTIAL_WIDTH_OUT>(out, "strip-line-buffer", "programming 10",
                                  [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.strips == 1 || (p.out_first <= p.max_width() && p.out_last <= p.max_width() &&
                                      (p.strips == 2 || p.out_mid <= p.max_width())),
                    "strips of at most ", p.max_width());
    });
    add<pdp::D_PARTIAL_WIDTH_OUT>(out, "strip-outputs", "programming 10",
                                  [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.strips == 1 ||
                        p.out_first + (p.strips - 2) * p.out_mid + p.out_last == p.out.width,
                    "first, ", p.strips - 2, " middle and last that sum to ", p.out.width);
    });
    add<pdp::D_PARTIAL_WIDTH_IN>(out, "strip-inputs", "post 3.4", [](const Sizes&, const Layer& l) {
        const Pool p(l);
        if (p.strips == 1) return Broken();
        const std::int64_t first = (p.out_first - 1) * p.sx + p.kw - p.left;
        const std::int64_t mid = p.strips > 2 ? p.out_mid * p.sx : p.in_mid;
        const std::int64_t last = p.in.width - first - (p.strips > 2 ? (p.strips - 2) * mid : 0);
        return want(p.in_first == first && p.in_mid == mid && p.in_last == last, "first ", first,
                    ", middle ", mid, ", last ", last, " (fields hold value-1)");
    });
    add<pdp::D_PARTIAL_WIDTH_IN>(out, "strip-overlap", "post 3.4",
                                 [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(p.strips == 1 || p.in_first >= p.kw - p.sx, "first at least ", p.kw - p.sx,
                    " (overlap of windows)");
    });
    add<pdp::D_RECIP_KERNEL_WIDTH>(out, "reciprocal", "programming 6",
                                   [](const Sizes&, const Layer& l) {
        const Pool p(l);
        const std::int64_t found = l.get<pdp::D_RECIP_KERNEL_WIDTH>().RECIP_KERNEL_WIDTH();
        return want(p.method != 0 || std::abs(found - 65536 / p.kw) <= 1,
                    65536 / p.kw, " (65536 / ", p.kw,
                    ", rounded up or down)");
    });
    add<pdp::D_RECIP_KERNEL_HEIGHT>(out, "reciprocal", "programming 6",
                                    [](const Sizes&, const Layer& l) {
        const Pool p(l);
        const std::int64_t found = l.get<pdp::D_RECIP_KERNEL_HEIGHT>().RECIP_KERNEL_HEIGHT();
        return want(p.method != 0 || std::abs(found - 65536 / p.kh) <= 1,
                    65536 / p.kh, " (65536 / ", p.kh,
                    ", rounded up or down)");
    });
    add<pdp::D_POOLING_PADDING_VALUE_1_CFG>(out, "pad-values", "programming 6",
                                            [](const Sizes&, const Layer& l) {
        const Pool p(l);
        const auto most = static_cast<std::uint32_t>(std::max(p.left, p.right));
        bool ok = true;
        for (std::uint32_t n = 2; n <= most; ++n)
            ok = ok && pad_value(l, n) == static_cast<std::int64_t>(n) * pad_value(l, 1);
        return want(p.method != 0 || ok, "registers 2 to ", most, " that hold so many times ",
                    pad_value(l, 1));
    }, Level::warning);  // any seven values are computed with as they are
    add_aligned<pdp::D_DST_BASE_ADDR_LOW>(out, always);
    add_high<pdp::D_DST_BASE_ADDR_HIGH>(out, always);
    add_port<pdp::D_DST_RAM_CFG>(out, 0, always);
    add_strides<pdp::D_DST_LINE_STRIDE, pdp::D_DST_SURFACE_STRIDE>(out, always, pdp_out);

    const CubeOf rdma_in = [](const Layer& l) {
        return Cube{plus1(l.get<pdp_rdma::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH()),
                    plus1(l.get<pdp_rdma::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT()),
                    plus1(l.get<pdp_rdma::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL())};
    };
    add<pdp_rdma::D_DATA_CUBE_IN_WIDTH>(out, "rdma-size", "programming 3",
                                        [rdma_in](const Sizes&, const Layer& l) {
        return want(rdma_in(l) == pdp_in(l), "a cube of ", pdp_in(l).text(), " as in PDP, found ",
                    rdma_in(l).text());
    });
    add<pdp_rdma::D_FLYING_MODE>(out, "rdma-mode", "programming 2",
                                 [](const Sizes&, const Layer& l) {
        return want(l.get<pdp_rdma::D_FLYING_MODE>().FLYING_MODE() == 1,
                    "FLYING_MODE 1: PDP_RDMA is only for offline layers");
    });
    add<pdp_rdma::D_DATA_FORMAT>(out, "precision", "programming 8",
                                 [](const Sizes&, const Layer& l) {
        return int8_only(l.get<pdp_rdma::D_DATA_FORMAT>().INPUT_DATA() == 0, "INPUT_DATA");
    });
    add<pdp_rdma::D_OPERATION_MODE_CFG>(out, "rdma-split", "programming 3",
                                        [](const Sizes&, const Layer& l) {
        const Pool p(l);
        return want(plus1(l.get<pdp_rdma::D_OPERATION_MODE_CFG>().SPLIT_NUM()) == p.strips,
                    "SPLIT_NUM ", p.strips - 1, " as in PDP");
    });
    add<pdp_rdma::D_POOLING_KERNEL_CFG>(out, "rdma-kernel", "programming 3",
                                        [](const Sizes&, const Layer& l) {
        const Pool p(l);
        const auto k = l.get<pdp_rdma::D_POOLING_KERNEL_CFG>();
        return want(p.strips == 1 || (plus1(k.KERNEL_WIDTH()) == p.kw &&
                                      plus1(k.KERNEL_STRIDE_WIDTH()) == p.sx),
                    "KERNEL_WIDTH ", p.kw - 1, " and KERNEL_STRIDE_WIDTH ", p.sx - 1, " as in PDP");
    });
    add<pdp_rdma::D_PARTIAL_WIDTH_IN>(out, "rdma-strips", "programming 3",
                                      [](const Sizes&, const Layer& l) {
        const std::uint32_t widths = l.get<pdp::D_PARTIAL_WIDTH_IN>().raw;
        return want(Pool(l).strips == 1 || l.get<pdp_rdma::D_PARTIAL_WIDTH_IN>().raw == widths,
                    widths, " as in PDP");
    });
    add_aligned<pdp_rdma::D_SRC_BASE_ADDR_LOW>(out, pdp_offline);
    add_high<pdp_rdma::D_SRC_BASE_ADDR_HIGH>(out, pdp_offline);
    add_port<pdp_rdma::D_SRC_RAM_CFG>(out, 0, pdp_offline);
    add_strides<pdp_rdma::D_SRC_LINE_STRIDE, pdp_rdma::D_SRC_SURFACE_STRIDE>(out, pdp_offline,
                                                                             rdma_in);
}

void add_cdp(Rules& out) {
    add<cdp::D_OP_ENABLE>(out, "unit", "programming 2", [](const Sizes& s, const Layer&) {
        return want(s.device.cdp, "0: no CDP here");
    });
    add<cdp::D_DATA_FORMAT>(out, "precision", "programming 8", [](const Sizes&, const Layer& l) {
        return int8_only(l.get<cdp::D_DATA_FORMAT>().INPUT_DATA_TYPE() == 0, "INPUT_DATA_TYPE");
    });
    add_aligned<cdp::D_DST_BASE_ADDR_LOW>(out, always);
    add_high<cdp::D_DST_BASE_ADDR_HIGH>(out, always);
    add_port<cdp::D_DST_DMA_CFG>(out, 0, always);
    add_strides<cdp::D_DST_LINE_STRIDE, cdp::D_DST_SURFACE_STRIDE>(out, always, cdp_cube);
    add_table<cdp::S_LUT_INFO, cdp::S_LUT_LE_END_LOW, cdp::S_LUT_LO_END_LOW>(out, always, cdp_table,
                                                                             {15, 13, 20});
    add<cdp_rdma::D_DATA_FORMAT>(out, "precision", "programming 8",
                                 [](const Sizes&, const Layer& l) {
        return int8_only(l.get<cdp_rdma::D_DATA_FORMAT>().INPUT_DATA() == 0, "INPUT_DATA");
    });
    add_aligned<cdp_rdma::D_SRC_BASE_ADDR_LOW>(out, always);
    add_high<cdp_rdma::D_SRC_BASE_ADDR_HIGH>(out, always);
    add_port<cdp_rdma::D_SRC_DMA_CFG>(out, 0, always);
    add_strides<cdp_rdma::D_SRC_LINE_STRIDE, cdp_rdma::D_SRC_SURFACE_STRIDE>(out, always, cdp_cube);
}

const dla_regs::RegisterInfo* register_at(std::uint32_t address) {
    static const std::map<std::uint32_t, const dla_regs::RegisterInfo*> by_address = [] {
        std::map<std::uint32_t, const dla_regs::RegisterInfo*> out;
        const dla_regs::RegisterTable table = dla_regs::table();
        for (std::size_t i = 0; i < table.register_count; ++i)
            out[table.registers[i].address] = &table.registers[i];
        return out;
    }();
    const auto it = by_address.find(address);
    return it == by_address.end() ? nullptr : it->second;
}

Finding make_finding(Level level, const std::string& rule, std::uint32_t address,
                     std::uint32_t value, const std::string& want, const std::string& source) {
    const dla_regs::RegisterInfo* info = register_at(address);
    Finding out;
    out.level = level;
    out.rule = rule;
    out.unit = info != nullptr ? std::string(info->unit) : "";
    out.reg = info != nullptr ? std::string(info->name) : "";
    out.value = value;
    out.want = want;
    out.source = source;
    return out;
}

}  // namespace

std::string Finding::text() const {
    char number[16];
    std::snprintf(number, sizeof number, "0x%x", value);
    return rule + ": " + unit + "." + reg + " = " + number + ": want " + want + "  (" + source + ")";
}

void LayerRegisters::add(std::string_view name) {
    units_[std::string(name)] = true;
    const dla_regs::RegisterTable table = dla_regs::table();
    for (std::size_t i = 0; i < table.register_count; ++i) {
        const dla_regs::RegisterInfo& r = table.registers[i];
        if (r.unit == name) words_[r.address] = r.reset;
    }
}

const std::vector<LayerRule>& layer_rules() {
    static const std::vector<LayerRule> rules = [] {
        std::vector<LayerRule> out;
        add_conv(out);
        add_sdp(out);
        add_pdp(out);
        add_cdp(out);
        return out;
    }();
    return rules;
}

std::vector<Finding> check_layer(const LayerSizes& sizes, const LayerRegisters& layer) {
    std::vector<Finding> out;
    for (const LayerRule& rule : layer_rules()) {
        const dla_regs::RegisterInfo* info = register_at(rule.address);
        if (info == nullptr || !layer.has(info->unit)) continue;
        if (const auto text = rule.broken(sizes, layer)) {
            out.push_back(make_finding(rule.level, rule.name, rule.address,
                                       layer.word(rule.address), *text, rule.source));
        }
    }
    return out;
}

KeptInBuffer kept_after(const LayerRegisters& layer) {
    const Conv c(layer);
    const auto misc = layer.get<csc::D_MISC_CFG>();
    KeptInBuffer out;
    out.data_banks = static_cast<int>(c.data_banks);
    out.weight_banks = static_cast<int>(c.weight_banks);
    out.pixels = c.pixels;
    out.skip_data_release = misc.SKIP_DATA_RLS() != 0;
    out.skip_weight_release = misc.SKIP_WEIGHT_RLS() != 0;
    out.weight_bytes = layer.get<cdma::D_WEIGHT_BYTES>().raw;
    // All slices that were there, also those behind the last line that this layer looked at.
    const std::int64_t there = data_kept(layer) ? layer.before.slices : c.in.height;
    const std::int64_t released =
        out.skip_data_release ? 0 : plus1(layer.get<csc::D_RELEASE>().RLS_SLICES());
    out.slices = static_cast<int>(std::max<std::int64_t>(there - released, 0));
    return out;
}

// ---- a whole program

LayerFollower::LayerFollower(const LayerSizes& sizes) : sizes_(sizes) {
    const dla_regs::RegisterTable table = dla_regs::table();
    for (const char* name : {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC", "SDP_RDMA", "SDP",
                             "PDP_RDMA", "PDP", "CDP_RDMA", "CDP"}) {
        Unit unit;
        unit.name = name;
        for (std::size_t i = 0; i < table.register_count; ++i) {
            const dla_regs::RegisterInfo& r = table.registers[i];
            if (r.unit != name) continue;
            if (r.name == "D_OP_ENABLE") unit.enable = r.address;
            if (r.grouped) {
                unit.group[0][r.address] = unit.group[1][r.address] = r.reset;
            } else {
                unit.single[r.address] = r.reset;
            }
        }
        units_.push_back(std::move(unit));
    }
}

LayerFollower::Unit* LayerFollower::unit_of(std::uint32_t byte_addr) {
    for (Unit& unit : units_) {
        if (unit.enable >> 12 == byte_addr >> 12) return &unit;
    }
    return nullptr;
}

LayerFollower::Unit& LayerFollower::unit(std::string_view name) {
    for (Unit& unit : units_) {
        if (unit.name == name) return unit;
    }
    return units_.front();
}

std::uint32_t LayerFollower::peek(std::string_view name, std::uint32_t address) {
    return unit(name).enabled.front()[address];
}

std::vector<Finding> LayerFollower::write(std::uint32_t byte_addr, std::uint32_t value) {
    std::vector<Finding> out;
    Unit* unit = unit_of(byte_addr);
    const dla_regs::RegisterInfo* info = register_at(byte_addr);
    if (unit == nullptr || info == nullptr) return out;
    if (info->name == "S_POINTER") {
        unit->producer = value & 1u;
        return out;
    }
    Words& words = info->grouped ? unit->group[unit->producer] : unit->single;
    if (byte_addr != unit->enable) {
        words[byte_addr] = (words[byte_addr] & ~info->write_mask) | (value & info->write_mask);
        return out;
    }
    if ((value & 1u) == 0) return out;
    Words all = unit->group[unit->producer];
    all.insert(unit->single.begin(), unit->single.end());
    all[byte_addr] = 1;
    unit->enabled.push_back(std::move(all));
    while (take(out)) {
    }
    return out;
}

/// Takes one complete layer off the enabled units, if there is one.
bool LayerFollower::take(std::vector<Finding>& out) {
    // A read DMA with nothing to fetch is done at once and belongs to no layer.
    if (waits("SDP_RDMA")) {
        LayerRegisters l;
        l.add("SDP_RDMA");
        for (const auto& [address, value] : unit("SDP_RDMA").enabled.front()) l.set(address, value);
        if (!offline(l) && !bs_stream(l).on && !bn_stream(l).on && !ew_stream(l).on) {
            unit("SDP_RDMA").enabled.pop_front();
            out.push_back(make_finding(Level::error, "idle-rdma", rdma::D_OP_ENABLE::kAddress, 1,
                                       "0 on the fly without operands from memory",
                                       "programming 2"));
            return true;
        }
    }
    if (waits("CDP") && waits("CDP_RDMA")) {
        check({"CDP_RDMA", "CDP"}, out);
        return true;
    }
    if (waits("PDP") && waits("PDP_RDMA") &&
        pdp::D_OPERATION_MODE_CFG(peek("PDP", pdp::D_OPERATION_MODE_CFG::kAddress)).FLYING_MODE() ==
            1) {
        check({"PDP_RDMA", "PDP"}, out);
        return true;
    }
    if (!waits("SDP")) return false;
    LayerRegisters l;
    for (const auto& [address, value] : unit("SDP").enabled.front()) l.set(address, value);
    const auto mode = l.get<sdp::D_FEATURE_MODE_CFG>();
    std::vector<std::string> names = {"SDP"};
    if (mode.FLYING_MODE() != 0) {
        for (const char* name : {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC"}) names.emplace_back(name);
    }
    if (mode.FLYING_MODE() == 0 || bs_stage(l).memory() || bn_stage(l).memory() ||
        ew_stage(l).memory()) {
        names.emplace_back("SDP_RDMA");
    }
    if (mode.OUTPUT_DST() != 0 && sizes_.device.pdp) names.emplace_back("PDP");
    for (const std::string& name : names) {
        if (!waits(name)) return false;
    }
    check(names, out);
    return true;
}

void LayerFollower::check(const std::vector<std::string>& names, std::vector<Finding>& out) {
    LayerRegisters layer;
    layer.before = kept_;
    for (const std::string& name : names) {
        layer.add(name);
        for (const auto& [address, value] : unit(name).enabled.front()) layer.set(address, value);
        unit(name).enabled.pop_front();
    }
    ++layers_;
    const std::vector<Finding> found = check_layer(sizes_, layer);
    out.insert(out.end(), found.begin(), found.end());
    if (layer.has("CDMA")) kept_ = kept_after(layer);
}

std::vector<Finding> LayerFollower::finish() const {
    std::vector<Finding> out;
    for (const Unit& unit : units_) {
        if (unit.enabled.empty()) continue;
        out.push_back(make_finding(Level::error, "incomplete", unit.enable, 1,
                                   "all units of the layer enabled: it never starts",
                                   "programming 2"));
    }
    return out;
}

}  // namespace macrame::model::dla
