/// Bins of SDP, PDP, CDP and their read DMAs.

#include "coverage_bins.hpp"
#include "verif/dla/model/arithmetic.hpp"

namespace macrame::dla::stimulus::cover {

using dla::model::signed16;
using dla::model::signed8;

// ---- SDP

const Bins::Labels kSources = {"register", "memory"};

static void operand_channel(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t cfg) {
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

namespace {

/// Types on both sides of a unit.
struct TypePair {
    std::uint32_t from, to;

    bool exists(Sizes sizes) const {
        return sizes.has(dla::model::precision_of(from)) && sizes.has(dla::model::precision_of(to));
    }
    std::string text() const {
        return std::string(kTypes[from]) + " to " + std::string(kTypes[to]);
    }
};
constexpr TypePair kInputPairs[] = {{0, 0}, {1, 0}, {1, 1}, {2, 2}};
constexpr TypePair kOutputPairs[] = {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 2}};

}  // namespace

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
    if (sizes.types16()) {
        const auto mode = now.get<r::D_FEATURE_MODE_CFG>();
        for (const TypePair& pair : kInputPairs) {
            if (!pair.exists(sizes)) continue;
            bins.hit("input " + pair.text(), !flying && mode.IN_PRECISION() == pair.from &&
                                                 mode.PROC_PRECISION() == pair.to);
        }
    }
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

namespace {

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

}  // namespace

/// `last`: what may come behind ALU and multiplier, "ReLU" or "table"; empty: nothing.
static void stage(Bins& bins, const std::string& name, const Stage& st, bool compares,
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

static void x_stage(Bins& bins, const std::string& name, const Stage& st, std::uint32_t alu_cfg,
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

static void ew_stage(Bins& bins, Sizes sizes, Now now, const Stage& st) {
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

static void sdp_types(Bins& bins, Sizes sizes, Now now) {
    namespace r = regs::sdp;
    if (!sizes.types16()) return;
    const auto mode = now.get<r::D_FEATURE_MODE_CFG>();
    const auto format = now.get<r::D_DATA_FORMAT>();
    const Bins::Labels sources = {"from memory", "from convolution"};
    for (const TypePair& pair : kOutputPairs) {
        if (!pair.exists(sizes)) continue;
        const bool is = format.PROC_PRECISION() == pair.from && format.OUT_PRECISION() == pair.to;
        bins.choice(pair.text(), sources, is ? flag(mode.FLYING_MODE()) : -1);
        if (sizes.pdp && (pair.from != 0 || pair.to == 0)) {
            bins.hit(pair.text() + " to PDP", is && mode.OUTPUT_DST() != 0);
        }
    }
    nan_flush(bins, sizes, format.PROC_PRECISION(), mode.NAN_TO_ZERO());
    const Types types(sizes);
    const int type = types.at(format.PROC_PRECISION());
    const auto ew = now.get<r::D_DP_EW_CFG>();
    const bool lut = ew.EW_BYPASS() == 0 && ew.EW_LUT_BYPASS() == 0;
    if (sizes.sdp_ew && sizes.sdp_lut) {
        bins.cross("table of", types.names, lut ? type : -1, {"LE exponential", "LE linear"},
                   flag(now.get<r::S_LUT_CFG>().LUT_LE_FUNCTION()));
    }
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
    sdp_types(bins, sizes, now);
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
    if (sizes.types16()) {
        const Types types(sizes);
        const std::uint32_t type = now.get<r::D_DATA_FORMAT>().INPUT_DATA();
        bins.cross("type", types.names, types.at(type), methods, method);
        bins.cross("type", types.names, types.at(type), {"offline", "behind SDP"}, flying ? 1 : 0);
        nan_flush(bins, sizes, type, now.get<r::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO());
    }
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
    if (sizes.types16()) {
        const Types types(sizes);
        const std::uint32_t type = now.get<r::D_DATA_FORMAT>().INPUT_DATA_TYPE();
        bins.cross("type", types.names, types.at(type), windows, window);
        nan_flush(bins, sizes, type, now.get<r::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO());
    }
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

}  // namespace macrame::dla::stimulus::cover
