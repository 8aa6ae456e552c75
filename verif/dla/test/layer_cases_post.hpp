#pragma once
/// A case for each rule of SDP, PDP, CDP and their read DMAs.

#include "verif/dla/test/layer_cases.hpp"

namespace macrame::dla::layer_cases {

inline Cases post_cases() {
    Cases out = {
        {conv_layer,
         {{"SDP.D_DATA_CUBE_WIDTH", 3}, {"SDP_RDMA.D_DATA_CUBE_WIDTH", 3}},
         "conv-width: SDP.D_DATA_CUBE_WIDTH = 0x3: want 4 as CSC DATAOUT_WIDTH  (NVDLA convolution "
         "sizes)"},
        {conv_layer,
         {{"SDP.D_DATA_CUBE_HEIGHT", 2}, {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 2}},
         "conv-height: SDP.D_DATA_CUBE_HEIGHT = 0x2: want 3 as CSC DATAOUT_HEIGHT  (NVDLA "
         "convolution sizes)"},
        {conv_layer,
         {{"SDP.D_DATA_CUBE_CHANNEL", 10}, {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 10}},
         "conv-channels: SDP.D_DATA_CUBE_CHANNEL = 0xa: want 11 as CSC DATAOUT_CHANNEL  (NVDLA "
         "convolution sizes)"},
        {conv_layer,
         {{"SDP.D_DATA_FORMAT", 4}},
         "precision: SDP.D_DATA_FORMAT = 0x4: want PROC_PRECISION and OUT_PRECISION 0: int8 only  "
         "(NVDLA precision)"},
        {conv_layer,
         {{"SDP.D_FEATURE_MODE_CFG", 0x105}},
         "winograd-batch: SDP.D_FEATURE_MODE_CFG = 0x105: want WINOGRAD 0 and BATCH_NUMBER 0: not "
         "built here  (NVDLA limits)"},
        {conv_layer,
         {{"SDP.D_DP_BS_CFG", 0x5c}},
         "algorithm: SDP.D_DP_BS_CFG = 0x5c: want BS_ALU_ALGO 0..2 (max, min, sum)  (NVDLA SDP "
         "settings)"},
        {conv_layer,
         {{"SDP.D_DP_BN_CFG", 0x5c}},
         "algorithm: SDP.D_DP_BN_CFG = 0x5c: want BN_ALU_ALGO 0..2 (max, min, sum)  (NVDLA SDP "
         "settings)"},
        {conv_layer,
         {{"SDP_RDMA.D_FEATURE_MODE_CFG", 5}},
         "precision: SDP_RDMA.D_FEATURE_MODE_CFG = 0x5: want IN_, PROC_ and OUT_PRECISION 0: int8 "
         "only  (NVDLA precision)"},
        {conv_layer,
         {{"SDP_RDMA.D_FEATURE_MODE_CFG", 3}},
         "winograd-batch: SDP_RDMA.D_FEATURE_MODE_CFG = 0x3: want WINOGRAD 0 and BATCH_NUMBER 0: "
         "not built here  (NVDLA limits)"},
        {conv_layer,
         {{"SDP_RDMA.D_DATA_CUBE_WIDTH", 3}},
         "rdma-size: SDP_RDMA.D_DATA_CUBE_WIDTH = 0x3: want a cube of 5 x 4 x 12 as in SDP, found "
         "4 x 4 x 12  (NVDLA register sets)"},
        {conv_layer,
         {{"SDP_RDMA.D_BRDMA_CFG", 0x23}},
         "operand-channel: SDP_RDMA.D_BRDMA_CFG = 0x23: want DISABLE 0: operands of BS come from "
         "memory  (NVDLA limits)"},
        {conv_layer,
         {{"SDP_RDMA.D_BRDMA_CFG", 0x20}},
         "operand-use: SDP_RDMA.D_BRDMA_CFG = 0x20: want DATA_USE 1 (0 MUL, 1 ALU, 2 both) as the "
         "sources of BS  (NVDLA SDP operands)"},
        {conv_layer,
         {{"SDP_RDMA.D_NRDMA_CFG", 0x20}},
         "operand-channel: SDP_RDMA.D_NRDMA_CFG = 0x20: want DISABLE 1: operands of BN come from "
         "registers  (NVDLA limits)"},
        {pdp_layer,
         {{"PDP.D_DATA_FORMAT", 1}},
         "precision: PDP.D_DATA_FORMAT = 0x1: want INPUT_DATA 0: int8 only  (NVDLA precision)"},
        {pdp_layer,
         {{"PDP.D_OPERATION_MODE_CFG", 0x13}},
         "method: PDP.D_OPERATION_MODE_CFG = 0x13: want POOLING_METHOD 0..2 (average, max, min)  "
         "(NVDLA PDP settings)"},
        {pdp_layer,
         {{"PDP.D_POOLING_PADDING_CFG", 3},
          {"PDP.D_DATA_CUBE_IN_WIDTH", 5},
          {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 5}},
         "padding: PDP.D_POOLING_PADDING_CFG = 0x3: want less than the window, 3 x 3  (NVDLA PDP "
         "geometry)"},
        {pdp_layer,
         {{"PDP.D_DATA_CUBE_OUT_WIDTH", 2}},
         "output-width: PDP.D_DATA_CUBE_OUT_WIDTH = 0x2: want CUBE_OUT_WIDTH*2 + 3 (stride, "
         "window) = 9 (width with padding)  (NVDLA PDP geometry)"},
        {pdp_layer,
         {{"PDP.D_DATA_CUBE_OUT_HEIGHT", 2}},
         "output-height: PDP.D_DATA_CUBE_OUT_HEIGHT = 0x2: want CUBE_OUT_HEIGHT*2 + 3 (stride, "
         "window) = 9 (height with padding)  (NVDLA PDP geometry)"},
        {pdp_layer,
         {{"PDP.D_DATA_CUBE_OUT_CHANNEL", 6}},
         "channels: PDP.D_DATA_CUBE_OUT_CHANNEL = 0x6: want 15 as CUBE_IN_CHANNEL  (NVDLA PDP "
         "settings)"},
        {pdp_layer,
         {{"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 7}},
         "rdma-size: PDP_RDMA.D_DATA_CUBE_IN_WIDTH = 0x7: want a cube of 9 x 9 x 16 as in PDP, "
         "found 8 x 9 x 16  (NVDLA register sets)"},
        {pdp_layer,
         {{"PDP_RDMA.D_FLYING_MODE", 0}},
         "rdma-mode: PDP_RDMA.D_FLYING_MODE = 0x0: want FLYING_MODE 1: PDP_RDMA is only for "
         "offline layers  (NVDLA enable order)"},
        {pdp_layer,
         {{"PDP_RDMA.D_OPERATION_MODE_CFG", 1}},
         "rdma-split: PDP_RDMA.D_OPERATION_MODE_CFG = 0x1: want SPLIT_NUM 0 as in PDP  "
         "(NVDLA register sets)"},
        {cdp_layer,
         {{"CDP.D_DATA_FORMAT", 1}},
         "precision: CDP.D_DATA_FORMAT = 0x1: want INPUT_DATA_TYPE 0: int8 only  (NVDLA "
         "precision)"},
        {cdp_layer,
         {{"CDP_RDMA.D_DATA_FORMAT", 2}},
         "precision: CDP_RDMA.D_DATA_FORMAT = 0x2: want INPUT_DATA 0: int8 only  (NVDLA "
         "precision)"},
        {offline_layer,
         {{"SDP_RDMA.D_FEATURE_MODE_CFG", 0x1}},
         "rdma-mode: SDP_RDMA.D_FEATURE_MODE_CFG = 0x1: want FLYING_MODE 0 as in SDP  (NVDLA "
         "register sets)"},
        {offline_layer,
         {{"SDP.D_FEATURE_MODE_CFG", 0x2}},
         "pdp-unit: SDP.D_FEATURE_MODE_CFG = 0x2: want OUTPUT_DST 0: no PDP here  (NVDLA enable "
         "order)",
         [](Architecture& s, KeptInBuffer&) { s.pdp = false; }},
        {compare_layer,
         {{"SDP.D_FEATURE_MODE_CFG", 0x2}},
         "compare-output: SDP.D_FEATURE_MODE_CFG = 0x2: want OUTPUT_DST 0: comparing gives nothing "
         "to PDP  (NVDLA SDP compare)"},
        {lut_layer,
         {},
         "lut-unit: SDP.D_DP_EW_CFG = 0x12: want EW_LUT_BYPASS 1: no table here  (NVDLA SDP "
         "settings)",
         [](Architecture& s, KeptInBuffer&) { s.sdp_lut = false; }},
        {conv_layer,
         {},
         "stage: SDP.D_DP_BS_CFG = 0x58: want BS_BYPASS 1: no BS stage here  (NVDLA SDP settings)",
         [](Architecture& s, KeptInBuffer&) { s.sdp_bs = false; }},
        {conv_layer,
         {{"SDP.D_DP_BN_CFG", 0x58}},
         "stage: SDP.D_DP_BN_CFG = 0x58: want BN_BYPASS 1: no BN stage here  (NVDLA SDP settings)",
         [](Architecture& s, KeptInBuffer&) { s.sdp_bn = false; }},
        {conv_layer,
         {{"SDP.D_DP_EW_CFG", 0x58}},
         "stage: SDP.D_DP_EW_CFG = 0x58: want EW_BYPASS 1: no EW stage here  (NVDLA SDP settings)",
         [](Architecture& s, KeptInBuffer&) { s.sdp_ew = false; }},
        {compare_layer,
         {{"SDP.D_DP_BS_CFG", 0x58}, {"SDP.D_DP_BS_ALU_CFG", 0x0}},
         "compare: SDP.D_DP_EW_CFG = 0x5c: want with EQL: BS, BN, EW_MUL and LUT bypassed  "
         "(NVDLA SDP settings)"},
        {lut_layer,
         {{"SDP.S_LUT_INFO", 0x1a00}, {"SDP.S_LUT_LE_END", 0x7fffffff}},
         "lut-le-select: SDP.S_LUT_INFO = 0x1a00: want LE_INDEX_SELECT in -6..25  (NVDLA limits)"},
        {lut_layer,
         {{"SDP.S_LUT_INFO", 0x180000}, {"SDP.S_LUT_LO_END", 0x7fffffff}},
         "lut-lo-select: SDP.S_LUT_INFO = 0x180000: want LO_INDEX_SELECT in -8..23  (NVDLA "
         "limits)"},
        {lut_layer,
         {{"SDP.S_LUT_CFG", 0x0}, {"SDP.S_LUT_INFO", 0x20}, {"SDP.S_LUT_LE_END", 0x7fffffff}},
         "lut-le-offset: SDP.S_LUT_INFO = 0x20: want LE_INDEX_OFFSET in -64..31  (NVDLA limits)"},
        {lut_layer,
         {{"SDP.S_LUT_LE_END", 0x3f}},
         "lut-le-end: SDP.S_LUT_LE_END = 0x3f: want LE_START + 2^(LE_INDEX_SELECT+6), 2^6 behind 0 "
         " (NVDLA limits)"},
        {lut_layer,
         {{"SDP.S_LUT_CFG", 0x0},
          {"SDP.S_LUT_INFO", 0xc1},
          {"SDP.S_LUT_LE_START", 0x7f},
          {"SDP.S_LUT_LE_END", 0x80}},
         "lut-le-end: SDP.S_LUT_LE_END = 0x80: want LE_START + 2^(LE_INDEX_OFFSET+64), 2^1 behind "
         "127  (NVDLA limits)"},
        {lut_layer,
         {{"SDP.S_LUT_LO_END", 0xff}},
         "lut-lo-end: SDP.S_LUT_LO_END = 0xff: want LO_START + 2^(LO_INDEX_SELECT+8), 2^8 behind 0 "
         " (NVDLA limits)"},
        {offline_layer,
         {{"SDP_RDMA.D_NRDMA_CFG", 0x30}},
         "operand-use: SDP_RDMA.D_NRDMA_CFG = 0x30: want DATA_USE 1 (0 MUL, 1 ALU, 2 both) as the "
         "sources of BN  (NVDLA SDP operands)"},
        {offline_layer,
         {{"SDP_RDMA.D_ERDMA_CFG", 0x33}},
         "operand-channel: SDP_RDMA.D_ERDMA_CFG = 0x33: want DISABLE 0: operands of EW come from "
         "memory  (NVDLA limits)"},
        {offline_layer,
         {{"SDP_RDMA.D_ERDMA_CFG", 0x30}},
         "operand-use: SDP_RDMA.D_ERDMA_CFG = 0x30: want DATA_USE 1 (0 MUL, 1 ALU, 2 both) as the "
         "sources of EW  (NVDLA SDP operands)"},
        {pdp_layer,
         {{"PDP.D_OP_ENABLE", 0x1}},
         "unit: PDP.D_OP_ENABLE = 0x1: want 0: no PDP here  (NVDLA enable order)",
         [](Architecture& s, KeptInBuffer&) { s.pdp = false; }},
        {sdp_pdp_layer,
         {{"SDP.D_DATA_CUBE_WIDTH", 0x7}, {"SDP_RDMA.D_DATA_CUBE_WIDTH", 0x7}},
         "input-size: PDP.D_DATA_CUBE_IN_WIDTH = 0x8: want a cube of 8 x 9 x 16 as SDP makes it, "
         "found 9 x 9 x 16  (NVDLA enable order)"},
        {sdp_pdp_layer,
         {{"PDP.D_OPERATION_MODE_CFG", 0x10}},
         "source: PDP.D_OPERATION_MODE_CFG = 0x10: want FLYING_MODE 0 behind SDP  (NVDLA enable "
         "order)"},
        {sdp_pdp_layer,
         {{"PDP.D_OPERATION_MODE_CFG", 0x100},
          {"PDP.D_PARTIAL_WIDTH_IN", 0xc04},
          {"PDP.D_PARTIAL_WIDTH_OUT", 0x401}},
         "flying-split: PDP.D_OPERATION_MODE_CFG = 0x100: want SPLIT_NUM 0 on the fly  "
         "(NVDLA PDP settings)"},
        {pdp_layer,
         {{"PDP.D_POOLING_KERNEL_CFG", 0x110208},
          {"PDP.D_RECIP_KERNEL_WIDTH", 0x1c71},
          {"PDP.D_DATA_CUBE_OUT_WIDTH", 0x0}},
         "kernel: PDP.D_POOLING_KERNEL_CFG = 0x110208: want a window of at most 8 x 8  "
         "(NVDLA limits)"},
        {pdp_layer,
         {{"PDP.D_DATA_CUBE_IN_WIDTH", 0x82},
          {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 0x82},
          {"PDP.D_DATA_CUBE_OUT_WIDTH", 0x40},
          {"PDP.D_DST_LINE_STRIDE", 0x208},
          {"PDP.D_DST_SURFACE_STRIDE", 0x820},
          {"PDP_RDMA.D_SRC_LINE_STRIDE", 0x418},
          {"PDP_RDMA.D_SRC_SURFACE_STRIDE", 0x24d8}},
         "line-buffer: PDP.D_DATA_CUBE_OUT_WIDTH = 0x40: want at most 63 with this window and "
         "stride, or strips (SPLIT_NUM)  (NVDLA PDP line buffer)"},
        {strip_layer,
         {{"PDP.D_DATA_CUBE_IN_WIDTH", 0x88},
          {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 0x88},
          {"PDP.D_DATA_CUBE_OUT_WIDTH", 0x43},
          {"PDP.D_PARTIAL_WIDTH_OUT", 0x840},
          {"PDP.D_PARTIAL_WIDTH_IN", 0x1482},
          {"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0x1482},
          {"PDP.D_DST_LINE_STRIDE", 0x220},
          {"PDP.D_DST_SURFACE_STRIDE", 0x880},
          {"PDP_RDMA.D_SRC_LINE_STRIDE", 0x448},
          {"PDP_RDMA.D_SRC_SURFACE_STRIDE", 0x2688}},
         "strip-line-buffer: PDP.D_PARTIAL_WIDTH_OUT = 0x840: want strips of at most 64  "
         "(NVDLA limits)"},
        {strip_layer,
         {{"PDP.D_PARTIAL_WIDTH_OUT", 0x801}},
         "strip-outputs: PDP.D_PARTIAL_WIDTH_OUT = 0x801: want first, 0 middle and last that sum "
         "to 4  (NVDLA limits)"},
        {strip_layer,
         {{"PDP.D_PARTIAL_WIDTH_IN", 0x804}, {"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0x804}},
         "strip-inputs: PDP.D_PARTIAL_WIDTH_IN = 0x804: want first 5, middle 1, last 4 (fields "
         "hold value-1)  (NVDLA PDP split width)"},
        {strip_layer,
         {{"PDP.D_POOLING_KERNEL_CFG", 0x100207},
          {"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x7},
          {"PDP.D_POOLING_PADDING_CFG", 0x7},
          {"PDP.D_RECIP_KERNEL_WIDTH", 0x2000},
          {"PDP_RDMA.D_POOLING_PADDING_CFG", 0x7},
          {"PDP.D_DATA_CUBE_OUT_WIDTH", 0x8},
          {"PDP.D_DST_LINE_STRIDE", 0x48},
          {"PDP.D_DST_SURFACE_STRIDE", 0x120},
          {"PDP.D_PARTIAL_WIDTH_OUT", 0x1c00},
          {"PDP.D_PARTIAL_WIDTH_IN", 0x1c00},
          {"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0x1c00}},
         "strip-overlap: PDP.D_PARTIAL_WIDTH_IN = 0x1c00: want first and middle at least 7 "
         "(overlap of windows)  (NVDLA limits)"},
        {pdp_layer,
         {{"PDP.D_POOLING_PADDING_CFG", 0x2},
          {"PDP.D_DATA_CUBE_IN_WIDTH", 0x6},
          {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 0x6},
          {"PDP.D_POOLING_PADDING_VALUE_1_CFG", 0x5},
          {"PDP.D_POOLING_PADDING_VALUE_2_CFG", 0x5}},
         "pad-values: PDP.D_POOLING_PADDING_VALUE_1_CFG = 0x5: want registers 2 to 2 that hold so "
         "many times 5  (NVDLA PDP settings)"},
        {pdp_layer,
         {{"PDP_RDMA.D_DATA_FORMAT", 0x1}},
         "precision: PDP_RDMA.D_DATA_FORMAT = 0x1: want INPUT_DATA 0: int8 only  (NVDLA "
         "precision)"},
        {strip_layer,
         {{"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x2}},
         "rdma-kernel: PDP_RDMA.D_POOLING_KERNEL_CFG = 0x2: want KERNEL_WIDTH 2 and "
         "KERNEL_STRIDE_WIDTH 1 as in PDP  (NVDLA register sets)"},
        {strip_layer,
         {{"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0x804}},
         "rdma-strips: PDP_RDMA.D_PARTIAL_WIDTH_IN = 0x804: want 3076 as in PDP  (NVDLA register "
         "sets)"},
        {strip_layer,
         {{"PDP_RDMA.D_POOLING_PADDING_CFG", 0x1}},
         "rdma-padding: PDP_RDMA.D_POOLING_PADDING_CFG = 0x1: want PAD_WIDTH 0 as PAD_LEFT in PDP  "
         "(NVDLA PDP geometry)"},
        {cdp_layer,
         {{"CDP.D_OP_ENABLE", 0x1}},
         "unit: CDP.D_OP_ENABLE = 0x1: want 0: no CDP here  (NVDLA enable order)",
         [](Architecture& s, KeptInBuffer&) { s.cdp = false; }},
        {cdp_layer,
         {{"CDP.S_LUT_LE_END_LOW", 0x3f}},
         "lut-le-end: CDP.S_LUT_LE_END_LOW = 0x3f: want LE_START + 2^(LE_INDEX_SELECT+6), 2^6 "
         "behind 0  (NVDLA limits)"},
        {cdp_layer,
         {{"CDP.S_LUT_LO_END_LOW", 0xff}},
         "lut-lo-end: CDP.S_LUT_LO_END_LOW = 0xff: want LO_START + 2^(LO_INDEX_SELECT+8), 2^8 "
         "behind 0  (NVDLA limits)"},
        {cdp_layer,
         {{"CDP.S_LUT_INFO", 0x1000}, {"CDP.S_LUT_LE_END_LOW", 0x400000}},
         "lut-le-select: CDP.S_LUT_INFO = 0x1000: want LE_INDEX_SELECT in -6..15  (NVDLA limits)"},
        {cdp_layer,
         {{"CDP.S_LUT_INFO", 0xe0000}, {"CDP.S_LUT_LO_END_LOW", 0x400000}},
         "lut-lo-select: CDP.S_LUT_INFO = 0xe0000: want LO_INDEX_SELECT in -8..13  (NVDLA limits)"},
        {cdp_layer,
         {{"CDP.S_LUT_CFG", 0x0},
          {"CDP.S_LUT_INFO", 0x15},
          {"CDP.S_LUT_LE_END_LOW", 0xffffffff},
          {"CDP.S_LUT_LE_END_HIGH", 0x1f}},
         "lut-le-offset: CDP.S_LUT_INFO = 0x15: want LE_INDEX_OFFSET in -64..20  (NVDLA limits)"},
    };
    add_each(out, pdp_layer, "reciprocal",
             {"PDP.D_RECIP_KERNEL_WIDTH", "PDP.D_RECIP_KERNEL_HEIGHT"}, 0x4000,
             "21845 (65536 / 3, rounded up or down)  (NVDLA PDP settings)");
    add_address(out, offline_layer, "SDP.D_DST_BASE_ADDR_LOW", "SDP.D_DST_BASE_ADDR_HIGH",
                "SDP.D_DST_DMA_CFG");
    add_strides(out, offline_layer, "SDP.D_DST_LINE_STRIDE", "SDP.D_DST_SURFACE_STRIDE", 5, 4);
    add_single(out, offline_point_layer, "SDP.D_DST_SURFACE_STRIDE");
    add_address(out, offline_layer, "SDP_RDMA.D_SRC_BASE_ADDR_LOW", "SDP_RDMA.D_SRC_BASE_ADDR_HIGH",
                "SDP_RDMA.D_SRC_DMA_CFG");
    add_strides(out, offline_layer, "SDP_RDMA.D_SRC_LINE_STRIDE", "SDP_RDMA.D_SRC_SURFACE_STRIDE",
                5, 4);
    add_single(out, offline_point_layer, "SDP_RDMA.D_SRC_SURFACE_STRIDE");
    for (const auto& [stage, config] :
         {std::pair("BS", "SDP_RDMA.D_BRDMA_CFG"), std::pair("BN", "SDP_RDMA.D_NRDMA_CFG"),
          std::pair("EW", "SDP_RDMA.D_ERDMA_CFG")}) {
        const std::string x = stage, name = "SDP_RDMA.D_" + x;
        add_each(out, conv_layer, "prelu", {"SDP.D_DP_" + x + "_CFG"}, 0x68,
                 x + "_ALU_BYPASS 1 with " + x + "_MUL_PRELU  (NVDLA SDP settings)");
        add_address(out, offline_layer, name + "_BASE_ADDR_LOW", name + "_BASE_ADDR_HIGH", config,
                    0x12);
        add_strides(out, offline_layer, name + "_LINE_STRIDE", name + "_SURFACE_STRIDE", 5, 4);
    }
    add_address(out, pdp_layer, "PDP.D_DST_BASE_ADDR_LOW", "PDP.D_DST_BASE_ADDR_HIGH",
                "PDP.D_DST_RAM_CFG");
    add_strides(out, pdp_layer, "PDP.D_DST_LINE_STRIDE", "PDP.D_DST_SURFACE_STRIDE", 4, 4);
    add_single(out, pdp_point_layer, "PDP.D_DST_SURFACE_STRIDE");
    add_address(out, pdp_layer, "PDP_RDMA.D_SRC_BASE_ADDR_LOW", "PDP_RDMA.D_SRC_BASE_ADDR_HIGH",
                "PDP_RDMA.D_SRC_RAM_CFG");
    add_strides(out, pdp_layer, "PDP_RDMA.D_SRC_LINE_STRIDE", "PDP_RDMA.D_SRC_SURFACE_STRIDE", 9,
                9);
    add_single(out, pdp_point_layer, "PDP_RDMA.D_SRC_SURFACE_STRIDE");
    add_address(out, cdp_layer, "CDP.D_DST_BASE_ADDR_LOW", "CDP.D_DST_BASE_ADDR_HIGH",
                "CDP.D_DST_DMA_CFG");
    add_strides(out, cdp_layer, "CDP.D_DST_LINE_STRIDE", "CDP.D_DST_SURFACE_STRIDE", 4, 4);
    add_single(out, cdp_point_layer, "CDP.D_DST_SURFACE_STRIDE");
    add_address(out, cdp_layer, "CDP_RDMA.D_SRC_BASE_ADDR_LOW", "CDP_RDMA.D_SRC_BASE_ADDR_HIGH",
                "CDP_RDMA.D_SRC_DMA_CFG");
    add_strides(out, cdp_layer, "CDP_RDMA.D_SRC_LINE_STRIDE", "CDP_RDMA.D_SRC_SURFACE_STRIDE", 4,
                4);
    add_single(out, cdp_point_layer, "CDP_RDMA.D_SRC_SURFACE_STRIDE");
    return out;
}

}  // namespace macrame::dla::layer_cases
