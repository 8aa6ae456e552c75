#pragma once
/// Layers that obey all rules, and changes that break exactly one; for the tests of the layer
/// checker. All are for 8-byte atoms.

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "verif/common/text.hpp"
#include "verif/dla/model/layer_checker.hpp"

namespace macrame::dla::layer_cases {

using dla::model::Architecture;
using dla::model::KeptInBuffer;
using dla::model::LayerRegisters;

using Values = std::vector<std::pair<std::string, std::uint32_t>>;

/// nv_small with everything but the second memory port.
inline Architecture full_sizes() {
    Architecture sizes;
    sizes.pdp = sizes.cdp = sizes.sdp_ew = sizes.sdp_lut = true;
    sizes.row = true;
    sizes.row_length = 512;
    sizes.bdma = sizes.rubik_contract = sizes.rubik_reshape = true;
    return sizes;
}

/// One broken rule.
struct Case {
    LayerRegisters (*base)();
    Values change;
    std::string finding;                                             ///< its text
    std::function<void(Architecture&, KeptInBuffer&)> setting = {};  ///< another configuration,
                                                                     ///< another layer before
};
using Cases = std::vector<Case>;

inline void set(LayerRegisters& layer, const Values& values) {
    for (const auto& [name, value] : values) {
        const dla_regs::RegisterInfo* info = dla_regs::table().find(name);
        if (info == nullptr) throw std::invalid_argument("no register " + name);
        layer.set(info->address, value);
    }
}

inline constexpr std::uint32_t kResults = 0x1000000;

inline LayerRegisters make(const std::vector<const char*>& units, const Values& values) {
    LayerRegisters layer;
    for (const char* unit : units)
        layer.add(unit);
    // Results away from what is read, which begins at 0.
    for (const char* name :
         {"SDP.D_DST_BASE_ADDR_LOW", "PDP.D_DST_BASE_ADDR_LOW", "CDP.D_DST_BASE_ADDR_LOW",
          "RUBIK.D_DAOUT_ADDR_LOW", "BDMA.CFG_DST_ADDR_LOW", "ROW.D_DST_BASE_ADDR_LOW"}) {
        if (layer.has(dla_regs::table().find(name)->unit)) set(layer, {{name, kResults}});
    }
    set(layer, values);
    return layer;
}

// ---- layers without a finding

/// 6 x 5 x 16, 3 x 3 kernels with padding 1 on top and left, 12 kernels -> 5 x 4; bias from memory.
inline LayerRegisters conv_layer() {
    return make({"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC", "SDP", "SDP_RDMA"},
                {{"CDMA.D_MISC_CFG", 0},
                 {"CDMA.D_DATAIN_SIZE_0", 0x40005},
                 {"CDMA.D_DATAIN_SIZE_1", 15},
                 {"CDMA.D_DAIN_RAM_TYPE", 1},
                 {"CDMA.D_LINE_STRIDE", 48},
                 {"CDMA.D_SURF_STRIDE", 240},
                 {"CDMA.D_DAIN_MAP", 0x10001},
                 {"CDMA.D_ENTRY_PER_SLICE", 11},
                 {"CDMA.D_WEIGHT_SIZE_0", 143},
                 {"CDMA.D_WEIGHT_SIZE_1", 11},
                 {"CDMA.D_WEIGHT_RAM_TYPE", 1},
                 {"CDMA.D_WEIGHT_BYTES", 1792},
                 {"CDMA.D_ZERO_PADDING", 0x10001},
                 {"CSC.D_MISC_CFG", 0},
                 {"CSC.D_DATAIN_SIZE_EXT_0", 0x40005},
                 {"CSC.D_DATAIN_SIZE_EXT_1", 15},
                 {"CSC.D_ENTRY_PER_SLICE", 11},
                 {"CSC.D_WEIGHT_SIZE_EXT_0", 0x20002},
                 {"CSC.D_WEIGHT_SIZE_EXT_1", 0xB000F},
                 {"CSC.D_WEIGHT_BYTES", 1792},
                 {"CSC.D_DATAOUT_SIZE_0", 0x30004},
                 {"CSC.D_DATAOUT_SIZE_1", 11},
                 {"CSC.D_ATOMICS", 19},
                 {"CSC.D_RELEASE", 4},
                 {"CSC.D_ZERO_PADDING", 0x10001},
                 {"CMAC_A.D_MISC_CFG", 0},
                 {"CMAC_B.D_MISC_CFG", 0},
                 {"CACC.D_MISC_CFG", 0},
                 {"CACC.D_DATAOUT_SIZE_0", 0x30004},
                 {"CACC.D_DATAOUT_SIZE_1", 11},
                 {"SDP.D_DATA_CUBE_WIDTH", 4},
                 {"SDP.D_DATA_CUBE_HEIGHT", 3},
                 {"SDP.D_DATA_CUBE_CHANNEL", 11},
                 {"SDP.D_DST_LINE_STRIDE", 40},
                 {"SDP.D_DST_SURFACE_STRIDE", 160},
                 {"SDP.D_DST_DMA_CFG", 1},
                 {"SDP.D_FEATURE_MODE_CFG", 1},
                 {"SDP.D_DP_BS_CFG", 0x58},
                 {"SDP.D_DP_BS_ALU_CFG", 1},
                 {"SDP_RDMA.D_DATA_CUBE_WIDTH", 4},
                 {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 3},
                 {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 11},
                 {"SDP_RDMA.D_BRDMA_CFG", 0x22},
                 {"SDP_RDMA.D_FEATURE_MODE_CFG", 1}});
}

/// 1 x 1 x 16 with one 1 x 1 kernel.
inline LayerRegisters point_layer() {
    LayerRegisters layer = conv_layer();
    set(layer, {{"CDMA.D_DATAIN_SIZE_0", 0},
                {"CDMA.D_LINE_STRIDE", 8},
                {"CDMA.D_SURF_STRIDE", 8},
                {"CDMA.D_DAIN_MAP", 0},
                {"CDMA.D_ENTRY_PER_SLICE", 1},
                {"CDMA.D_WEIGHT_SIZE_0", 15},
                {"CDMA.D_WEIGHT_BYTES", 256},
                {"CDMA.D_ZERO_PADDING", 0},
                {"CSC.D_DATAIN_SIZE_EXT_0", 0},
                {"CSC.D_ENTRY_PER_SLICE", 1},
                {"CSC.D_WEIGHT_SIZE_EXT_0", 0},
                {"CSC.D_WEIGHT_BYTES", 256},
                {"CSC.D_DATAOUT_SIZE_0", 0},
                {"CSC.D_ATOMICS", 0},
                {"CSC.D_RELEASE", 0},
                {"CSC.D_ZERO_PADDING", 0},
                {"CACC.D_DATAOUT_SIZE_0", 0},
                {"SDP.D_DATA_CUBE_WIDTH", 0},
                {"SDP.D_DATA_CUBE_HEIGHT", 0},
                {"SDP.D_DST_SURFACE_STRIDE", 8},
                {"SDP_RDMA.D_DATA_CUBE_WIDTH", 0},
                {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 0}});
    return layer;
}

/// 10 x 6 pixels of A8B8G8R8, 3 x 2 kernels -> 8 x 5 x 12.
inline LayerRegisters image_layer() {
    LayerRegisters layer = conv_layer();
    set(layer, {{"CDMA.D_DATAIN_FORMAT", 0xC01},
                {"CSC.D_DATAIN_FORMAT", 1},
                {"CDMA.D_DATAIN_SIZE_0", 0x50009},
                {"CDMA.D_DATAIN_SIZE_1", 3},
                {"CDMA.D_LINE_STRIDE", 40},
                {"CDMA.D_SURF_STRIDE", 0},
                {"CDMA.D_DAIN_MAP", 0},
                {"CDMA.D_ENTRY_PER_SLICE", 4},
                {"CDMA.D_WEIGHT_SIZE_0", 23},
                {"CDMA.D_WEIGHT_BYTES", 384},
                {"CDMA.D_ZERO_PADDING", 0},
                {"CSC.D_DATAIN_SIZE_EXT_0", 0x50009},
                {"CSC.D_DATAIN_SIZE_EXT_1", 3},
                {"CSC.D_ENTRY_PER_SLICE", 4},
                {"CSC.D_WEIGHT_SIZE_EXT_0", 0x10000},
                {"CSC.D_WEIGHT_SIZE_EXT_1", 0xB000B},
                {"CSC.D_WEIGHT_BYTES", 384},
                {"CSC.D_DATAOUT_SIZE_0", 0x40007},
                {"CSC.D_ATOMICS", 39},
                {"CSC.D_RELEASE", 5},
                {"CSC.D_ZERO_PADDING", 0},
                {"CACC.D_DATAOUT_SIZE_0", 0x40007},
                {"SDP.D_DATA_CUBE_WIDTH", 7},
                {"SDP.D_DATA_CUBE_HEIGHT", 4},
                {"SDP.D_DST_LINE_STRIDE", 64},
                {"SDP.D_DST_SURFACE_STRIDE", 320},
                {"SDP_RDMA.D_DATA_CUBE_WIDTH", 7},
                {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 4}});
    return layer;
}

/// The same of Y8 and U8V8 in two planes.
inline LayerRegisters planes_layer() {
    LayerRegisters layer = image_layer();
    set(layer, {{"CDMA.D_DATAIN_FORMAT", 0x1C01},
                {"CDMA.D_DATAIN_SIZE_1", 2},
                {"CDMA.D_LINE_STRIDE", 16},
                {"CDMA.D_LINE_UV_STRIDE", 24},
                {"CDMA.D_ENTRY_PER_SLICE", 3},
                {"CDMA.D_WEIGHT_SIZE_0", 17},
                {"CDMA.D_WEIGHT_BYTES", 256},
                {"CSC.D_DATAIN_SIZE_EXT_1", 2},
                {"CSC.D_ENTRY_PER_SLICE", 3},
                {"CSC.D_WEIGHT_SIZE_EXT_1", 0xB0008},
                {"CSC.D_WEIGHT_BYTES", 256}});
    return layer;
}

/// 5 x 4 x 12 from memory, ALU operands of BS, BN and EW per element from memory.
inline LayerRegisters offline_layer() {
    return make({"SDP", "SDP_RDMA"}, {{"SDP.D_DATA_CUBE_WIDTH", 4},
                                      {"SDP.D_DATA_CUBE_HEIGHT", 3},
                                      {"SDP.D_DATA_CUBE_CHANNEL", 11},
                                      {"SDP.D_DST_LINE_STRIDE", 40},
                                      {"SDP.D_DST_SURFACE_STRIDE", 160},
                                      {"SDP.D_DST_DMA_CFG", 1},
                                      {"SDP.D_DP_BS_CFG", 0x58},
                                      {"SDP.D_DP_BS_ALU_CFG", 1},
                                      {"SDP.D_DP_BN_CFG", 0x58},
                                      {"SDP.D_DP_BN_ALU_CFG", 1},
                                      {"SDP.D_DP_EW_CFG", 0x58},
                                      {"SDP.D_DP_EW_ALU_CFG", 1},
                                      {"SDP_RDMA.D_DATA_CUBE_WIDTH", 4},
                                      {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 3},
                                      {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 11},
                                      {"SDP_RDMA.D_SRC_LINE_STRIDE", 40},
                                      {"SDP_RDMA.D_SRC_SURFACE_STRIDE", 160},
                                      {"SDP_RDMA.D_FEATURE_MODE_CFG", 0},
                                      {"SDP_RDMA.D_SRC_DMA_CFG", 1},
                                      {"SDP_RDMA.D_BRDMA_CFG", 0x32},
                                      {"SDP_RDMA.D_BS_LINE_STRIDE", 40},
                                      {"SDP_RDMA.D_BS_SURFACE_STRIDE", 160},
                                      {"SDP_RDMA.D_NRDMA_CFG", 0x32},
                                      {"SDP_RDMA.D_BN_LINE_STRIDE", 40},
                                      {"SDP_RDMA.D_BN_SURFACE_STRIDE", 160},
                                      {"SDP_RDMA.D_ERDMA_CFG", 0x32},
                                      {"SDP_RDMA.D_EW_LINE_STRIDE", 40},
                                      {"SDP_RDMA.D_EW_SURFACE_STRIDE", 160}});
}

/// 1 x 1 x 12 from memory to memory.
inline LayerRegisters offline_point_layer() {
    LayerRegisters layer = offline_layer();
    set(layer, {{"SDP.D_DATA_CUBE_WIDTH", 0},
                {"SDP.D_DATA_CUBE_HEIGHT", 0},
                {"SDP.D_DST_SURFACE_STRIDE", 8},
                {"SDP_RDMA.D_DATA_CUBE_WIDTH", 0},
                {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 0},
                {"SDP_RDMA.D_SRC_SURFACE_STRIDE", 8}});
    return layer;
}

/// 5 x 4 x 12 from memory through linear tables.
inline LayerRegisters lut_layer() {
    LayerRegisters layer = offline_layer();
    set(layer, {{"SDP.D_DP_BS_CFG", 0x53},
                {"SDP.D_DP_BN_CFG", 0x53},
                {"SDP.D_DP_EW_CFG", 0x12},
                {"SDP_RDMA.D_BRDMA_CFG", 0x21},
                {"SDP_RDMA.D_NRDMA_CFG", 0x21},
                {"SDP_RDMA.D_ERDMA_CFG", 0x21},
                {"SDP.S_LUT_CFG", 1},
                {"SDP.S_LUT_LE_END", 64},
                {"SDP.S_LUT_LO_END", 256}});
    return layer;
}

/// The same cube compared with an operand cube.
inline LayerRegisters compare_layer() {
    LayerRegisters layer = lut_layer();
    set(layer, {{"SDP.D_DP_EW_CFG", 0x5C}, {"SDP_RDMA.D_ERDMA_CFG", 0x32}});
    return layer;
}

inline Values pdp_values() {
    return {{"PDP.D_DATA_CUBE_IN_WIDTH", 8},
            {"PDP.D_DATA_CUBE_IN_HEIGHT", 8},
            {"PDP.D_DATA_CUBE_IN_CHANNEL", 15},
            {"PDP.D_DATA_CUBE_OUT_WIDTH", 3},
            {"PDP.D_DATA_CUBE_OUT_HEIGHT", 3},
            {"PDP.D_DATA_CUBE_OUT_CHANNEL", 15},
            {"PDP.D_OPERATION_MODE_CFG", 0x10},
            {"PDP.D_POOLING_KERNEL_CFG", 0x110202},
            {"PDP.D_RECIP_KERNEL_WIDTH", 0x5555},
            {"PDP.D_RECIP_KERNEL_HEIGHT", 0x5555},
            {"PDP.D_DST_LINE_STRIDE", 32},
            {"PDP.D_DST_SURFACE_STRIDE", 128},
            {"PDP.D_DST_RAM_CFG", 1},
            {"PDP.D_DATA_FORMAT", 0},
            {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 8},
            {"PDP_RDMA.D_DATA_CUBE_IN_HEIGHT", 8},
            {"PDP_RDMA.D_DATA_CUBE_IN_CHANNEL", 15},
            {"PDP_RDMA.D_FLYING_MODE", 1},
            {"PDP_RDMA.D_SRC_LINE_STRIDE", 72},
            {"PDP_RDMA.D_SRC_SURFACE_STRIDE", 648},
            {"PDP_RDMA.D_SRC_RAM_CFG", 1},
            {"PDP_RDMA.D_DATA_FORMAT", 0}};
}

/// 9 x 9 x 16, 3 x 3 average with stride 2 -> 4 x 4.
inline LayerRegisters pdp_layer() { return make({"PDP", "PDP_RDMA"}, pdp_values()); }

/// The same in two strips.
inline LayerRegisters strip_layer() {
    LayerRegisters layer = pdp_layer();
    set(layer, {{"PDP.D_OPERATION_MODE_CFG", 0x110},
                {"PDP.D_PARTIAL_WIDTH_IN", 0xC04},
                {"PDP.D_PARTIAL_WIDTH_OUT", 0x401},
                {"PDP_RDMA.D_OPERATION_MODE_CFG", 1},
                {"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x12},
                {"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0xC04}});
    return layer;
}

/// 1 x 1 x 16, maximum of 1 x 1.
inline LayerRegisters pdp_point_layer() {
    LayerRegisters layer = pdp_layer();
    set(layer, {{"PDP.D_DATA_CUBE_IN_WIDTH", 0},
                {"PDP.D_DATA_CUBE_IN_HEIGHT", 0},
                {"PDP.D_DATA_CUBE_OUT_WIDTH", 0},
                {"PDP.D_DATA_CUBE_OUT_HEIGHT", 0},
                {"PDP.D_OPERATION_MODE_CFG", 0x11},
                {"PDP.D_POOLING_KERNEL_CFG", 0},
                {"PDP.D_DST_SURFACE_STRIDE", 8},
                {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 0},
                {"PDP_RDMA.D_DATA_CUBE_IN_HEIGHT", 0},
                {"PDP_RDMA.D_SRC_SURFACE_STRIDE", 8}});
    return layer;
}

/// 9 x 9 x 16 from memory through SDP, pooled as in pdp_layer().
inline LayerRegisters sdp_pdp_layer() {
    LayerRegisters layer = make({"SDP", "SDP_RDMA", "PDP"}, pdp_values());
    set(layer, {{"SDP.D_DATA_CUBE_WIDTH", 8},
                {"SDP.D_DATA_CUBE_HEIGHT", 8},
                {"SDP.D_DATA_CUBE_CHANNEL", 15},
                {"SDP.D_FEATURE_MODE_CFG", 2},
                {"SDP_RDMA.D_DATA_CUBE_WIDTH", 8},
                {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 8},
                {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 15},
                {"SDP_RDMA.D_SRC_LINE_STRIDE", 72},
                {"SDP_RDMA.D_SRC_SURFACE_STRIDE", 648},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0},
                {"SDP_RDMA.D_SRC_DMA_CFG", 1},
                {"PDP.D_OPERATION_MODE_CFG", 0}});
    return layer;
}

/// 4 x 4 x 16 with linear tables.
inline LayerRegisters cdp_layer() {
    return make({"CDP", "CDP_RDMA"}, {{"CDP_RDMA.D_DATA_CUBE_WIDTH", 3},
                                      {"CDP_RDMA.D_DATA_CUBE_HEIGHT", 3},
                                      {"CDP_RDMA.D_DATA_CUBE_CHANNEL", 15},
                                      {"CDP_RDMA.D_SRC_LINE_STRIDE", 32},
                                      {"CDP_RDMA.D_SRC_SURFACE_STRIDE", 128},
                                      {"CDP_RDMA.D_SRC_DMA_CFG", 1},
                                      {"CDP_RDMA.D_DATA_FORMAT", 0},
                                      {"CDP.D_DATA_FORMAT", 0},
                                      {"CDP.D_DST_LINE_STRIDE", 32},
                                      {"CDP.D_DST_SURFACE_STRIDE", 128},
                                      {"CDP.D_DST_DMA_CFG", 1},
                                      {"CDP.S_LUT_CFG", 1},
                                      {"CDP.S_LUT_LE_END_LOW", 64},
                                      {"CDP.S_LUT_LO_END_LOW", 256}});
}

/// 1 x 1 x 16.
inline LayerRegisters cdp_point_layer() {
    LayerRegisters layer = cdp_layer();
    set(layer, {{"CDP_RDMA.D_DATA_CUBE_WIDTH", 0},
                {"CDP_RDMA.D_DATA_CUBE_HEIGHT", 0},
                {"CDP_RDMA.D_SRC_SURFACE_STRIDE", 8},
                {"CDP.D_DST_SURFACE_STRIDE", 8}});
    return layer;
}

// ---- cases that recur

/// One rule that several registers have: a case for each that sets it to `value`, with `more`.
inline void add_each(Cases& out, LayerRegisters (*base)(), const std::string& rule,
                     const std::vector<std::string>& registers, std::uint32_t value,
                     const std::string& want, const Values& more = {}) {
    for (const std::string& reg : registers) {
        Values change = more;
        change.emplace_back(reg, value);
        out.push_back(
            {base, change, rule + ": " + reg + " = " + verif::text::hex(value) + ": want " + want});
    }
}

inline constexpr const char* kAligned = "a multiple of 8 (memory atom)  (NVDLA memory formats)";

/// Three rules of an address: its low and high word, and the port in a register that is
/// `port_value` without it.
inline void add_address(Cases& out, LayerRegisters (*base)(), const std::string& low,
                        const std::string& high, const std::string& port,
                        std::uint32_t port_value = 0) {
    add_each(out, base, "alignment", {low}, 2 * kResults + 12, kAligned);
    add_each(out, base, "address-width", {high}, 1,
             "an address of 32 bits  (NVDLA memory formats)");
    add_each(out, base, "memory-port", {port}, port_value,
             "RAM_TYPE 1: there is no second memory port  (NVDLA limits)");
}

/// Four rules of the strides of a cube of `width` x `height` pixels in more than one surface, and
/// what else must change with the strides.
inline void add_strides(Cases& out, LayerRegisters (*base)(), const std::string& line,
                        const std::string& surface, std::uint32_t width, std::uint32_t height,
                        const Values& with = {}) {
    const std::uint32_t line_bytes = 8 * width, bytes = line_bytes * height;
    const std::string columns = std::to_string(width);
    Values wide = with;
    wide.emplace_back(surface, bytes + 8 * height);
    add_each(out, base, "alignment", {line}, line_bytes + 4, kAligned, wide);
    add_each(out, base, "alignment", {surface}, bytes + 4, kAligned, with);
    add_each(out, base, "line-stride", {line}, line_bytes - 8,
             "at least " + std::to_string(line_bytes) + " (bytes of a line of " + columns +
                 ")  (NVDLA limits)",
             with);
    add_each(out, base, "surface-stride", {surface}, bytes - 8,
             "at least " + std::to_string(bytes) + " (bytes of a surface of " + columns + " x " +
                 std::to_string(height) + ")  (NVDLA limits)",
             with);
}

/// A cube of one pixel that is not packed.
inline void add_single(Cases& out, LayerRegisters (*base)(), const std::string& surface) {
    add_each(out, base, "single-packed", {surface}, 16,
             "8: a cube of 1 x 1 is packed  (NVDLA limits)");
}

}  // namespace macrame::dla::layer_cases
