#pragma once
/// A layer of ROW, and a case for each of its rules.

#include "layer_cases.hpp"

namespace macrame::dla::layer_cases {

/// Layer norm of 4 x 4 x 16.
inline LayerRegisters norm_layer() {
    return make({"ROW"}, {{"ROW.D_MISC_CFG", 1},
                          {"ROW.D_DATA_CUBE_WIDTH", 3},
                          {"ROW.D_DATA_CUBE_HEIGHT", 3},
                          {"ROW.D_DATA_CUBE_CHANNEL", 15},
                          {"ROW.D_SRC_DMA_CFG", 1},
                          {"ROW.D_SRC_LINE_STRIDE", 32},
                          {"ROW.D_SRC_SURFACE_STRIDE", 128},
                          {"ROW.D_OPERAND_ADDR_LOW", 2 * kResults},
                          {"ROW.D_DST_DMA_CFG", 1},
                          {"ROW.D_DST_LINE_STRIDE", 32},
                          {"ROW.D_DST_SURFACE_STRIDE", 128},
                          {"ROW.D_EPSILON", 1}});
}

inline Cases row_cases() {
    const auto unbuilt = [](Architecture& s, KeptInBuffer&) { s.row = false; };
    const std::string end = " bytes below the end of addresses of 32 bits  (NVDLA memory formats)";
    Cases out = {{norm_layer,
                  {{"ROW.D_OP_ENABLE", 1}},
                  "unit: ROW.D_OP_ENABLE = 0x1: want 0: no ROW here  (docs/row.md)",
                  unbuilt}};
    add_each(out, norm_layer, "mode", {"ROW.D_MISC_CFG"}, 3, "ROW_MODE 0, 1, 2  (docs/row.md)");
    add_each(out, norm_layer, "channels", {"ROW.D_DATA_CUBE_CHANNEL"}, 512,
             "at most 512 channels less 1 (row-length)  (docs/row.md)");
    add_address(out, norm_layer, "ROW.D_SRC_BASE_ADDR_LOW", "ROW.D_SRC_BASE_ADDR_HIGH",
                "ROW.D_SRC_DMA_CFG");
    add_strides(out, norm_layer, "ROW.D_SRC_LINE_STRIDE", "ROW.D_SRC_SURFACE_STRIDE", 4, 4);
    add_each(out, norm_layer, "address-width", {"ROW.D_SRC_BASE_ADDR_LOW"}, 0xffffffe8,
             "all 256" + end);
    add_each(out, norm_layer, "alignment", {"ROW.D_OPERAND_ADDR_LOW"}, 2 * kResults + 4, kAligned);
    add_each(out, norm_layer, "address-width", {"ROW.D_OPERAND_ADDR_HIGH"}, 1,
             "an address of 32 bits  (NVDLA memory formats)");
    add_each(out, norm_layer, "address-width", {"ROW.D_OPERAND_ADDR_LOW"}, 0xffffffe8,
             "all 128" + end);
    add_address(out, norm_layer, "ROW.D_DST_BASE_ADDR_LOW", "ROW.D_DST_BASE_ADDR_HIGH",
                "ROW.D_DST_DMA_CFG");
    add_strides(out, norm_layer, "ROW.D_DST_LINE_STRIDE", "ROW.D_DST_SURFACE_STRIDE", 4, 4);
    add_each(out, norm_layer, "address-width", {"ROW.D_DST_BASE_ADDR_LOW"}, 0xffffffe8,
             "all 256" + end, {{"ROW.D_SRC_BASE_ADDR_LOW", kResults}});
    add_each(out, norm_layer, "epsilon", {"ROW.D_EPSILON"}, 0,
             "at least 1, as a row of equal elements has no variance  (docs/row.md)");
    add_each(out, norm_layer, "overlap", {"ROW.D_DST_BASE_ADDR_LOW"}, 8,
             "results that replace nothing which the layer still reads  (order of memory "
             "accesses)");
    return out;
}

}  // namespace macrame::dla::layer_cases
