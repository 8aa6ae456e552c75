/// Layer checker: good layers have no finding, and each broken one has exactly that finding.

#include "verif/model/dla/layer_checker.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "verif/stimulus/random_layers.hpp"
#include "verif/trace/cfg_reader.hpp"
#include "verif/trace/dla_registers.hpp"

namespace macrame {
namespace {

namespace fs = std::filesystem;
using model::dla::DeviceSizes;
using model::dla::Finding;
using model::dla::LayerFollower;
using model::dla::LayerRegisters;
using model::dla::LayerSizes;
using model::dla::Level;

LayerSizes full_sizes() {
    LayerSizes sizes;
    sizes.device.pdp = sizes.device.cdp = true;
    sizes.sdp_ew = sizes.sdp_lut = true;
    return sizes;
}

void set(LayerRegisters& layer, const std::string& name, std::uint32_t value) {
    const dla_regs::RegisterInfo* info = dla_regs::table().find(name);
    ASSERT_NE(info, nullptr) << name;
    layer.set(info->address, value);
}

using Values = std::vector<std::pair<const char*, std::uint32_t>>;

LayerRegisters make(const std::vector<const char*>& units, const Values& values) {
    LayerRegisters layer;
    for (const char* unit : units) layer.add(unit);
    for (const auto& [name, value] : values) set(layer, name, value);
    return layer;
}

/// 6 x 5 x 16, 3 x 3 kernels with padding 1 on top and left, 12 kernels -> 5 x 4; bias from memory.
LayerRegisters conv_layer() {
    return make({"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC", "SDP", "SDP_RDMA"},
                {{"CDMA.D_MISC_CFG", 0}, {"CSC.D_MISC_CFG", 0}, {"CMAC_A.D_MISC_CFG", 0},
                 {"CMAC_B.D_MISC_CFG", 0}, {"CACC.D_MISC_CFG", 0},
                 {"CDMA.D_DATAIN_SIZE_0", 0x40005}, {"CDMA.D_DATAIN_SIZE_1", 15},
                 {"CDMA.D_DAIN_RAM_TYPE", 1}, {"CDMA.D_LINE_STRIDE", 48},
                 {"CDMA.D_SURF_STRIDE", 240}, {"CDMA.D_DAIN_MAP", 0x10001},
                 {"CDMA.D_ENTRY_PER_SLICE", 11}, {"CDMA.D_WEIGHT_SIZE_0", 143},
                 {"CDMA.D_WEIGHT_SIZE_1", 11}, {"CDMA.D_WEIGHT_RAM_TYPE", 1},
                 {"CDMA.D_WEIGHT_BYTES", 1792}, {"CDMA.D_ZERO_PADDING", 0x10001},
                 {"CSC.D_DATAIN_SIZE_EXT_0", 0x40005}, {"CSC.D_DATAIN_SIZE_EXT_1", 15},
                 {"CSC.D_ENTRY_PER_SLICE", 11}, {"CSC.D_WEIGHT_SIZE_EXT_0", 0x20002},
                 {"CSC.D_WEIGHT_SIZE_EXT_1", 0xB000F}, {"CSC.D_WEIGHT_BYTES", 1792},
                 {"CSC.D_DATAOUT_SIZE_0", 0x30004}, {"CSC.D_DATAOUT_SIZE_1", 11},
                 {"CSC.D_ATOMICS", 19}, {"CSC.D_RELEASE", 4}, {"CSC.D_ZERO_PADDING", 0x10001},
                 {"CACC.D_DATAOUT_SIZE_0", 0x30004}, {"CACC.D_DATAOUT_SIZE_1", 11},
                 {"SDP.D_DATA_CUBE_WIDTH", 4}, {"SDP.D_DATA_CUBE_HEIGHT", 3},
                 {"SDP.D_DATA_CUBE_CHANNEL", 11}, {"SDP.D_DST_LINE_STRIDE", 40},
                 {"SDP.D_DST_SURFACE_STRIDE", 160}, {"SDP.D_DST_DMA_CFG", 1},
                 {"SDP.D_FEATURE_MODE_CFG", 1}, {"SDP.D_DP_BS_CFG", 0x58},
                 {"SDP.D_DP_BS_ALU_CFG", 1}, {"SDP_RDMA.D_DATA_CUBE_WIDTH", 4},
                 {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 3}, {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 11},
                 {"SDP_RDMA.D_BRDMA_CFG", 0x22}, {"SDP_RDMA.D_FEATURE_MODE_CFG", 1}});
}

/// 9 x 9 x 8, 3 x 3 average with stride 2 -> 4 x 4.
LayerRegisters pdp_layer() {
    return make({"PDP", "PDP_RDMA"},
                {{"PDP.D_DATA_CUBE_IN_WIDTH", 8}, {"PDP.D_DATA_CUBE_IN_HEIGHT", 8},
                 {"PDP.D_DATA_CUBE_IN_CHANNEL", 7}, {"PDP.D_DATA_CUBE_OUT_WIDTH", 3},
                 {"PDP.D_DATA_CUBE_OUT_HEIGHT", 3}, {"PDP.D_DATA_CUBE_OUT_CHANNEL", 7},
                 {"PDP.D_OPERATION_MODE_CFG", 0x10}, {"PDP.D_POOLING_KERNEL_CFG", 0x110202},
                 {"PDP.D_RECIP_KERNEL_WIDTH", 0x5555}, {"PDP.D_RECIP_KERNEL_HEIGHT", 0x5555},
                 {"PDP.D_DST_LINE_STRIDE", 32}, {"PDP.D_DST_SURFACE_STRIDE", 128},
                 {"PDP.D_DST_RAM_CFG", 1}, {"PDP.D_DATA_FORMAT", 0},
                 {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 8}, {"PDP_RDMA.D_DATA_CUBE_IN_HEIGHT", 8},
                 {"PDP_RDMA.D_DATA_CUBE_IN_CHANNEL", 7}, {"PDP_RDMA.D_FLYING_MODE", 1},
                 {"PDP_RDMA.D_SRC_LINE_STRIDE", 72}, {"PDP_RDMA.D_SRC_SURFACE_STRIDE", 648},
                 {"PDP_RDMA.D_SRC_RAM_CFG", 1}, {"PDP_RDMA.D_DATA_FORMAT", 0}});
}

/// 4 x 4 x 16 with linear tables.
LayerRegisters cdp_layer() {
    return make({"CDP", "CDP_RDMA"},
                {{"CDP_RDMA.D_DATA_CUBE_WIDTH", 3}, {"CDP_RDMA.D_DATA_CUBE_HEIGHT", 3},
                 {"CDP_RDMA.D_DATA_CUBE_CHANNEL", 15}, {"CDP_RDMA.D_SRC_LINE_STRIDE", 32},
                 {"CDP_RDMA.D_SRC_SURFACE_STRIDE", 128}, {"CDP_RDMA.D_SRC_DMA_CFG", 1},
                 {"CDP_RDMA.D_DATA_FORMAT", 0}, {"CDP.D_DATA_FORMAT", 0},
                 {"CDP.D_DST_LINE_STRIDE", 32}, {"CDP.D_DST_SURFACE_STRIDE", 128},
                 {"CDP.D_DST_DMA_CFG", 1}, {"CDP.S_LUT_CFG", 1}, {"CDP.S_LUT_LE_END_LOW", 64},
                 {"CDP.S_LUT_LO_END_LOW", 256}});
}

struct Case {
    LayerRegisters (*layer)();
    Values change;
    std::vector<std::string> findings;
};

TEST(LayerChecker, GoodLayersHaveNoFinding) {
    for (LayerRegisters (*layer)() : {conv_layer, pdp_layer, cdp_layer}) {
        for (const Finding& f : check_layer(full_sizes(), layer())) ADD_FAILURE() << f.text();
    }
}

TEST(LayerChecker, BrokenLayersHaveExactlyTheirFindings) {
    const std::vector<Case> cases = {
        {conv_layer, {{"CDMA.D_MISC_CFG", 0x1000}},
         {"precision: CDMA.D_MISC_CFG = 0x1000: want IN_PRECISION and PROC_PRECISION 0: "
          "int8 only  (programming 8)"}},
        {conv_layer, {{"CSC.D_MISC_CFG", 0x1000}},
         {"precision: CSC.D_MISC_CFG = 0x1000: want IN_PRECISION and PROC_PRECISION 0: "
          "int8 only  (programming 8)"}},
        {conv_layer, {{"CMAC_A.D_MISC_CFG", 0x1000}},
         {"precision: CMAC_A.D_MISC_CFG = 0x1000: want PROC_PRECISION 0: int8 only  "
          "(programming 8)"}},
        {conv_layer, {{"CMAC_B.D_MISC_CFG", 0x1000}},
         {"precision: CMAC_B.D_MISC_CFG = 0x1000: want PROC_PRECISION 0: int8 only  "
          "(programming 8)"}},
        {conv_layer, {{"CACC.D_MISC_CFG", 0x1000}},
         {"precision: CACC.D_MISC_CFG = 0x1000: want PROC_PRECISION 0: int8 only  "
          "(programming 8)"}},
        {conv_layer, {{"CACC.D_MISC_CFG", 1}},
         {"conv-mode: CSC.D_MISC_CFG = 0x0: want CONV_MODE 0 in CDMA, CSC, CMAC_A, CMAC_B "
          "and CACC: no Winograd here  (programming 4)"}},
        {conv_layer, {{"CDMA.D_WEIGHT_FORMAT", 1}},
         {"compression: CDMA.D_WEIGHT_FORMAT = 0x1: want WEIGHT_FORMAT 0 in CDMA and CSC: "
          "no compressed weights here  (programming 9)"}},
        {conv_layer, {{"CSC.D_BATCH_NUMBER", 1}},
         {"batch: CSC.D_BATCH_NUMBER = 0x1: want BATCHES 0 in CDMA, CSC and CACC: no "
          "batches here  (programming 10)"}},
        {conv_layer, {{"CSC.D_DATAIN_FORMAT", 1}},
         {"data-format: CSC.D_DATAIN_FORMAT = 0x1: want 0 as in CDMA  (programming 4)"}},
        {conv_layer, {{"CDMA.D_DAIN_ADDR_LOW_0", 4}},
         {"alignment: CDMA.D_DAIN_ADDR_LOW_0 = 0x4: want a multiple of 8 (memory atom)  "
          "(programming 9)"}},
        {conv_layer, {{"CDMA.D_DAIN_ADDR_HIGH_0", 1}},
         {"address-width: CDMA.D_DAIN_ADDR_HIGH_0 = 0x1: want an address of 32 bits  "
          "(programming 9)"}},
        {conv_layer, {{"CDMA.D_DAIN_RAM_TYPE", 0}},
         {"memory-port: CDMA.D_DAIN_RAM_TYPE = 0x0: want RAM_TYPE 1: there is no second "
          "memory port  (programming 10)"}},
        {conv_layer, {{"CDMA.D_WEIGHT_ADDR_LOW", 2}},
         {"alignment: CDMA.D_WEIGHT_ADDR_LOW = 0x2: want a multiple of 8 (memory atom)  "
          "(programming 9)"}},
        {conv_layer, {{"CDMA.D_LINE_STRIDE", 40}, {"CDMA.D_DAIN_MAP", 0}},
         {"line-stride: CDMA.D_LINE_STRIDE = 0x28: want at least 48 (bytes of a line of 6) "
          " (programming 10)"}},
        {conv_layer, {{"CDMA.D_SURF_STRIDE", 232}, {"CDMA.D_DAIN_MAP", 0}},
         {"surface-stride: CDMA.D_SURF_STRIDE = 0xe8: want at least 240 (bytes of a "
          "surface of 6 x 5)  (programming 10)"}},
        {conv_layer, {{"CDMA.D_LINE_STRIDE", 52}, {"CDMA.D_SURF_STRIDE", 260},
         {"CDMA.D_DAIN_MAP", 0}},
         {"alignment: CDMA.D_LINE_STRIDE = 0x34: want a multiple of 8 (memory atom)  "
          "(programming 9)",
          "alignment: CDMA.D_SURF_STRIDE = 0x104: want a multiple of 8 (memory atom)  "
          "(programming 9)"}},
        {conv_layer, {{"CDMA.D_LINE_STRIDE", 56}, {"CDMA.D_SURF_STRIDE", 280},
         {"CDMA.D_DAIN_MAP", 0x10001}},
         {"line-packed: CDMA.D_DAIN_MAP = 0x10001: want LINE_PACKED 0, or D_LINE_STRIDE 48 "
          " (programming 4)"}},
        {conv_layer, {{"CDMA.D_SURF_STRIDE", 248}},
         {"surface-packed: CDMA.D_DAIN_MAP = 0x10001: want SURF_PACKED 0, or D_SURF_STRIDE "
          "240  (programming 4)"}},
        {conv_layer, {{"CSC.D_DATAIN_SIZE_EXT_0", 0x40006}},
         {"input-width: CSC.D_DATAIN_SIZE_EXT_0 = 0x40006: want DATAIN_WIDTH_EXT 5 as CDMA "
          "DATAIN_WIDTH  (programming 4)"}},
        {conv_layer, {{"CSC.D_DATAIN_SIZE_EXT_0", 0x50005}, {"CDMA.D_ZERO_PADDING", 0x00001},
         {"CSC.D_ZERO_PADDING", 0x1}},
         {"input-height: CSC.D_DATAIN_SIZE_EXT_0 = 0x50005: want DATAIN_HEIGHT_EXT 4: "
          "lines that CDMA fetches and those kept of the layer before  (programming 4)"}},
        {conv_layer, {{"CDMA.D_DATAIN_SIZE_1", 14}},
         {"input-channels: CSC.D_DATAIN_SIZE_EXT_1 = 0xf: want DATAIN_CHANNEL_EXT 14 as "
          "CDMA DATAIN_CHANNEL  (programming 4)"}},
        {conv_layer, {{"CSC.D_WEIGHT_SIZE_EXT_1", 0xB000E}, {"CDMA.D_WEIGHT_SIZE_0", 134},
         {"CDMA.D_WEIGHT_BYTES", 1664}, {"CSC.D_WEIGHT_BYTES", 1664}},
         {"weight-channels: CSC.D_WEIGHT_SIZE_EXT_1 = 0xb000e: want WEIGHT_CHANNEL_EXT 15 "
          "as DATAIN_CHANNEL_EXT  (programming 4)"}},
        {conv_layer, {{"CDMA.D_WEIGHT_SIZE_1", 10}},
         {"kernels: CDMA.D_WEIGHT_SIZE_1 = 0xa: want WEIGHT_KERNEL 11 as in CSC  "
          "(programming 4)"}},
        {conv_layer, {{"CSC.D_DATAOUT_SIZE_1", 10}, {"CACC.D_DATAOUT_SIZE_1", 10},
         {"SDP.D_DATA_CUBE_CHANNEL", 10}, {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 10}},
         {"output-channels: CSC.D_DATAOUT_SIZE_1 = 0xa: want DATAOUT_CHANNEL 11 as "
          "WEIGHT_KERNEL  (programming 4)"}},
        {conv_layer, {{"CSC.D_CONV_STRIDE_EXT", 1}},
         {"output-width: CSC.D_DATAOUT_SIZE_0 = 0x30004: want DATAOUT_WIDTH*2 + 3 (stride, "
          "window) = 7 (width with padding)  (programming 10)"}},
        {conv_layer, {{"CSC.D_CONV_STRIDE_EXT", 0x10000}},
         {"output-height: CSC.D_DATAOUT_SIZE_0 = 0x30004: want DATAOUT_HEIGHT*2 + 3 "
          "(stride, window) = 6 (height with padding)  (programming 10)"}},
        {conv_layer, {{"CSC.D_ATOMICS", 18}},
         {"atomics: CSC.D_ATOMICS = 0x12: want 19 (output width x height - 1)  "
          "(programming 4)"}},
        {conv_layer, {{"CSC.D_ZERO_PADDING", 0}},
         {"padding-agrees: CSC.D_ZERO_PADDING = 0x0: want PAD_LEFT 1 and PAD_TOP 1 as in "
          "CDMA  (programming 4)"}},
        {conv_layer, {{"CDMA.D_ZERO_PADDING", 0x3010001}},
         {"output-height: CSC.D_DATAOUT_SIZE_0 = 0x30004: want DATAOUT_HEIGHT*1 + 3 "
          "(stride, window) = 9 (height with padding)  (programming 10)",
          "padding: CDMA.D_ZERO_PADDING = 0x3010001: want less than the window, 3 x 3  "
          "(programming 10)"}},
        {conv_layer, {{"CACC.D_DATAOUT_SIZE_0", 0x30003}},
         {"cacc-size: CACC.D_DATAOUT_SIZE_0 = 0x30003: want 5 x 4 as in CSC (fields hold "
          "value-1)  (conv 8 (10))"}},
        {conv_layer, {{"CACC.D_DATAOUT_SIZE_1", 10}},
         {"cacc-size: CACC.D_DATAOUT_SIZE_1 = 0xa: want DATAOUT_CHANNEL 11 as in CSC  "
          "(conv 8 (10))"}},
        {conv_layer, {{"CACC.D_DATAOUT_MAP", 1}},
         {"cacc-packed: CACC.D_DATAOUT_MAP = 0x1: want 0: packed is only for outputs of 1 "
          "x 1  (programming 4)"}},
        {conv_layer, {{"CACC.D_CLIP_CFG", 17}},
         {"truncate: CACC.D_CLIP_CFG = 0x11: want CLIP_TRUNCATE at most 16  (conv 8 (13))"}},
        {conv_layer, {{"CDMA.D_WEIGHT_SIZE_0", 144}},
         {"kernel-bytes: CDMA.D_WEIGHT_SIZE_0 = 0x90: want 143 (3 x 3 x 16 - 1)  "
          "(programming 4)"}},
        {conv_layer, {{"CDMA.D_WEIGHT_BYTES", 1728}, {"CSC.D_WEIGHT_BYTES", 1728}},
         {"weight-bytes: CDMA.D_WEIGHT_BYTES = 0x6c0: want 1792 (12 kernels of 144 bytes, "
          "rounded up to 128)  (programming 4)"}},
        {conv_layer, {{"CSC.D_WEIGHT_BYTES", 1920}},
         {"weight-bytes-agree: CSC.D_WEIGHT_BYTES = 0x780: want 1792 as in CDMA  "
          "(programming 4)"}},
        {conv_layer, {{"CDMA.D_ENTRY_PER_SLICE", 12}, {"CSC.D_ENTRY_PER_SLICE", 12}},
         {"entries-per-slice: CDMA.D_ENTRY_PER_SLICE = 0xc: want 11 (a line takes 12 "
          "entries)  (programming 4)"}},
        {conv_layer, {{"CSC.D_ENTRY_PER_SLICE", 12}},
         {"entries-agree: CSC.D_ENTRY_PER_SLICE = 0xc: want 11 as in CDMA  (conv 2.3)"}},
        {conv_layer, {{"CDMA.D_BANK", 0x10001f}, {"CSC.D_BANK", 0x10001f}},
         {"banks: CDMA.D_BANK = 0x10001f: want DATA_BANK+1 + WEIGHT_BANK+1 at most 32 "
          "banks  (programming 10)"}},
        {conv_layer, {{"CSC.D_BANK", 1}},
         {"banks-agree: CSC.D_BANK = 0x1: want 0 as in CDMA  (programming 4)"}},
        {conv_layer, {{"CSC.D_RELEASE", 5}},
         {"release: CSC.D_RELEASE = 0x5: want at most 4 (DATAIN_HEIGHT_EXT)  (programming "
          "4)"}},
        {conv_layer, {{"CDMA.D_MISC_CFG", 0x1000000}},
         {"reuse-agrees: CSC.D_MISC_CFG = 0x0: want reuse and release flags as in CDMA  "
          "(conv 2.5)"}},
        {conv_layer, {{"CDMA.D_MISC_CFG", 0x10000}, {"CSC.D_MISC_CFG", 0x10000}},
         {"data-reuse: CDMA.D_MISC_CFG = 0x10000: want DATA_REUSE 0, or a layer before of "
          "the same mode and DATA_BANK  (programming 10)"}},
        {conv_layer, {{"CDMA.D_MEAN_FORMAT", 1}},
         {"mean: CDMA.D_MEAN_FORMAT = 0x1: want MEAN_FORMAT 0, or CVT_EN 1: without it the "
          "mean is ignored  (conv 8 (16))"}},
        {conv_layer, {{"CSC.D_POST_Y_EXTENSION", 1}},
         {"post-extension: CSC.D_POST_Y_EXTENSION = 0x1: want 0; images with at most 32 "
          "(16) pre-extended channels: 1 (2)  (programming 4)"}},
        {conv_layer, {{"SDP.D_DATA_CUBE_WIDTH", 3}, {"SDP_RDMA.D_DATA_CUBE_WIDTH", 3}},
         {"conv-width: SDP.D_DATA_CUBE_WIDTH = 0x3: want 4 as CSC DATAOUT_WIDTH  (conv 8 "
          "(10))"}},
        {conv_layer, {{"SDP.D_DATA_CUBE_HEIGHT", 2}, {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 2}},
         {"conv-height: SDP.D_DATA_CUBE_HEIGHT = 0x2: want 3 as CSC DATAOUT_HEIGHT  (conv "
          "8 (10))"}},
        {conv_layer, {{"SDP.D_DATA_CUBE_CHANNEL", 10}, {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 10}},
         {"conv-channels: SDP.D_DATA_CUBE_CHANNEL = 0xa: want 11 as CSC DATAOUT_CHANNEL  "
          "(conv 8 (10))"}},
        {conv_layer, {{"SDP.D_DATA_FORMAT", 4}},
         {"precision: SDP.D_DATA_FORMAT = 0x4: want PROC_PRECISION and OUT_PRECISION 0: "
          "int8 only  (programming 8)"}},
        {conv_layer, {{"SDP.D_DST_BASE_ADDR_LOW", 1}},
         {"alignment: SDP.D_DST_BASE_ADDR_LOW = 0x1: want a multiple of 8 (memory atom)  "
          "(programming 9)"}},
        {conv_layer, {{"SDP.D_DST_LINE_STRIDE", 32}},
         {"line-stride: SDP.D_DST_LINE_STRIDE = 0x20: want at least 40 (bytes of a line of "
          "5)  (programming 10)"}},
        {conv_layer, {{"SDP.D_DST_SURFACE_STRIDE", 152}},
         {"surface-stride: SDP.D_DST_SURFACE_STRIDE = 0x98: want at least 160 (bytes of a "
          "surface of 5 x 4)  (programming 10)"}},
        {conv_layer, {{"SDP.D_DST_DMA_CFG", 0}},
         {"memory-port: SDP.D_DST_DMA_CFG = 0x0: want RAM_TYPE 1: there is no second "
          "memory port  (programming 10)"}},
        {conv_layer, {{"SDP.D_FEATURE_MODE_CFG", 0x105}},
         {"winograd-batch: SDP.D_FEATURE_MODE_CFG = 0x105: want WINOGRAD 0 and "
          "BATCH_NUMBER 0: not built here  (programming 10)"}},
        {conv_layer, {{"SDP.D_DP_BS_CFG", 0x5c}},
         {"algorithm: SDP.D_DP_BS_CFG = 0x5c: want BS_ALU_ALGO 0..2 (max, min, sum)  "
          "(programming 5)"}},
        {conv_layer, {{"SDP.D_DP_BN_CFG", 0x5c}},
         {"algorithm: SDP.D_DP_BN_CFG = 0x5c: want BN_ALU_ALGO 0..2 (max, min, sum)  "
          "(programming 5)"}},
        {conv_layer, {{"SDP.D_DP_EW_CFG", 0x5c}},
         {"compare: SDP.D_DP_EW_CFG = 0x5c: want with EQL: BS, BN, EW_MUL and LUT bypassed "
          " (programming 5)"}},
        {conv_layer, {{"SDP.D_DP_EW_CFG", 0x12}, {"SDP.S_LUT_CFG", 1},
         {"SDP.S_LUT_INFO", 0x1a00}, {"SDP.S_LUT_LO_END", 256}},
         {"lut-le-select: SDP.S_LUT_INFO = 0x1a00: want LE_INDEX_SELECT in -6..25  "
          "(programming 10)"}},
        {conv_layer, {{"SDP.D_DP_EW_CFG", 0x12}, {"SDP.S_LUT_INFO", 0x180020}},
         {"lut-lo-select: SDP.S_LUT_INFO = 0x180020: want LO_INDEX_SELECT in -8..23  "
          "(programming 10)",
          "lut-le-offset: SDP.S_LUT_INFO = 0x180020: want LE_INDEX_OFFSET in -64..31  "
          "(programming 10)"}},
        {conv_layer, {{"SDP.D_DP_EW_CFG", 0x12}, {"SDP.S_LUT_CFG", 1}, {"SDP.S_LUT_LE_END", 63},
         {"SDP.S_LUT_LO_END", 255}},
         {"lut-le-end: SDP.S_LUT_LE_END = 0x3f: want LE_START + 2^(LE_INDEX_SELECT+6), 2^6 "
          "behind 0  (programming 10)",
          "lut-lo-end: SDP.S_LUT_LO_END = 0xff: want LO_START + 2^(LO_INDEX_SELECT+8), 2^8 "
          "behind 0  (programming 10)"}},
        {conv_layer, {{"SDP_RDMA.D_FEATURE_MODE_CFG", 5}},
         {"precision: SDP_RDMA.D_FEATURE_MODE_CFG = 0x5: want IN_, PROC_ and OUT_PRECISION "
          "0: int8 only  (programming 8)"}},
        {conv_layer, {{"SDP_RDMA.D_FEATURE_MODE_CFG", 3}},
         {"winograd-batch: SDP_RDMA.D_FEATURE_MODE_CFG = 0x3: want WINOGRAD 0 and "
          "BATCH_NUMBER 0: not built here  (programming 10)"}},
        {conv_layer, {{"SDP_RDMA.D_DATA_CUBE_WIDTH", 3}},
         {"rdma-size: SDP_RDMA.D_DATA_CUBE_WIDTH = 0x3: want a cube of 5 x 4 x 12 as in "
          "SDP, found 4 x 4 x 12  (programming 3)"}},
        {conv_layer, {{"SDP_RDMA.D_BRDMA_CFG", 0x23}},
         {"operand-channel: SDP_RDMA.D_BRDMA_CFG = 0x23: want DISABLE 0: operands of BS "
          "come from memory  (programming 10)"}},
        {conv_layer, {{"SDP_RDMA.D_BRDMA_CFG", 0x20}},
         {"operand-use: SDP_RDMA.D_BRDMA_CFG = 0x20: want DATA_USE 1 (0 MUL, 1 ALU, 2 "
          "both) as the sources of BS  (post 1.3)"}},
        {conv_layer, {{"SDP_RDMA.D_BRDMA_CFG", 0x02}},
         {"memory-port: SDP_RDMA.D_BRDMA_CFG = 0x2: want RAM_TYPE 1: there is no second "
          "memory port  (programming 10)"}},
        {conv_layer, {{"SDP_RDMA.D_NRDMA_CFG", 0x20}},
         {"operand-channel: SDP_RDMA.D_NRDMA_CFG = 0x20: want DISABLE 1: operands of BN "
          "come from registers  (programming 10)"}},
        {conv_layer, {{"SDP_RDMA.D_BS_BASE_ADDR_LOW", 4}},
         {"alignment: SDP_RDMA.D_BS_BASE_ADDR_LOW = 0x4: want a multiple of 8 (memory "
          "atom)  (programming 9)"}},
        {conv_layer, {{"SDP_RDMA.D_BRDMA_CFG", 0x32}, {"SDP_RDMA.D_BS_LINE_STRIDE", 40},
         {"SDP_RDMA.D_BS_SURFACE_STRIDE", 80}},
         {"surface-stride: SDP_RDMA.D_BS_SURFACE_STRIDE = 0x50: want at least 160 (bytes "
          "of a surface of 5 x 4)  (programming 10)"}},
        {pdp_layer, {{"PDP.D_DATA_FORMAT", 1}},
         {"precision: PDP.D_DATA_FORMAT = 0x1: want INPUT_DATA 0: int8 only  (programming "
          "8)"}},
        {pdp_layer, {{"PDP.D_OPERATION_MODE_CFG", 0x13}},
         {"method: PDP.D_OPERATION_MODE_CFG = 0x13: want POOLING_METHOD 0..2 (average, "
          "max, min)  (programming 6)"}},
        {pdp_layer, {{"PDP.D_POOLING_KERNEL_CFG", 0x110802}},
         {"kernel: PDP.D_POOLING_KERNEL_CFG = 0x110802: want a window of at most 8 x 8  "
          "(programming 10)",
          "output-height: PDP.D_DATA_CUBE_OUT_HEIGHT = 0x3: want CUBE_OUT_HEIGHT*2 + 9 "
          "(stride, window) = 9 (height with padding)  (post 3.3)",
          "reciprocal: PDP.D_RECIP_KERNEL_HEIGHT = 0x5555: want 7281 (65536 / 9, rounded "
          "up or down)  (programming 6)"}},
        {pdp_layer, {{"PDP.D_POOLING_PADDING_CFG", 3}, {"PDP.D_DATA_CUBE_IN_WIDTH", 5},
         {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 5}},
         {"padding: PDP.D_POOLING_PADDING_CFG = 0x3: want less than the window, 3 x 3  "
          "(post 3.3)"}},
        {pdp_layer, {{"PDP.D_DATA_CUBE_OUT_WIDTH", 2}},
         {"output-width: PDP.D_DATA_CUBE_OUT_WIDTH = 0x2: want CUBE_OUT_WIDTH*2 + 3 "
          "(stride, window) = 9 (width with padding)  (post 3.3)"}},
        {pdp_layer, {{"PDP.D_DATA_CUBE_OUT_HEIGHT", 2}},
         {"output-height: PDP.D_DATA_CUBE_OUT_HEIGHT = 0x2: want CUBE_OUT_HEIGHT*2 + 3 "
          "(stride, window) = 9 (height with padding)  (post 3.3)"}},
        {pdp_layer, {{"PDP.D_DATA_CUBE_OUT_CHANNEL", 6}},
         {"channels: PDP.D_DATA_CUBE_OUT_CHANNEL = 0x6: want 7 as CUBE_IN_CHANNEL  "
          "(programming 6)"}},
        {pdp_layer, {{"PDP.D_RECIP_KERNEL_WIDTH", 0x4000}},
         {"reciprocal: PDP.D_RECIP_KERNEL_WIDTH = 0x4000: want 21845 (65536 / 3, rounded "
          "up or down)  (programming 6)"}},
        {pdp_layer, {{"PDP.D_RECIP_KERNEL_HEIGHT", 0x4000}},
         {"reciprocal: PDP.D_RECIP_KERNEL_HEIGHT = 0x4000: want 21845 (65536 / 3, rounded "
          "up or down)  (programming 6)"}},
        {pdp_layer, {{"PDP.D_OPERATION_MODE_CFG", 0x110}, {"PDP_RDMA.D_OPERATION_MODE_CFG", 1},
         {"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x12}, {"PDP.D_PARTIAL_WIDTH_IN", 0x804},
         {"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0x804}, {"PDP.D_PARTIAL_WIDTH_OUT", 0x401}},
         {"strip-inputs: PDP.D_PARTIAL_WIDTH_IN = 0x804: want first 5, middle 1, last 4 "
          "(fields hold value-1)  (post 3.4)"}},
        {pdp_layer, {{"PDP.D_OPERATION_MODE_CFG", 0x110}, {"PDP_RDMA.D_OPERATION_MODE_CFG", 1},
         {"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x12}, {"PDP.D_PARTIAL_WIDTH_IN", 0xc04},
         {"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0xc04}, {"PDP.D_PARTIAL_WIDTH_OUT", 0x801}},
         {"strip-outputs: PDP.D_PARTIAL_WIDTH_OUT = 0x801: want first, 0 middle and last "
          "that sum to 4  (programming 10)"}},
        {pdp_layer, {{"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 7}},
         {"rdma-size: PDP_RDMA.D_DATA_CUBE_IN_WIDTH = 0x7: want a cube of 9 x 9 x 8 as in "
          "PDP, found 8 x 9 x 8  (programming 3)"}},
        {pdp_layer, {{"PDP_RDMA.D_FLYING_MODE", 0}},
         {"rdma-mode: PDP_RDMA.D_FLYING_MODE = 0x0: want FLYING_MODE 1: PDP_RDMA is only "
          "for offline layers  (programming 2)"}},
        {pdp_layer, {{"PDP_RDMA.D_OPERATION_MODE_CFG", 1}},
         {"rdma-split: PDP_RDMA.D_OPERATION_MODE_CFG = 0x1: want SPLIT_NUM 0 as in PDP  "
          "(programming 3)"}},
        {pdp_layer, {{"PDP_RDMA.D_SRC_LINE_STRIDE", 64}},
         {"line-stride: PDP_RDMA.D_SRC_LINE_STRIDE = 0x40: want at least 72 (bytes of a "
          "line of 9)  (programming 10)"}},
        {pdp_layer, {{"PDP_RDMA.D_SRC_BASE_ADDR_LOW", 12}},
         {"alignment: PDP_RDMA.D_SRC_BASE_ADDR_LOW = 0xc: want a multiple of 8 (memory "
          "atom)  (programming 9)"}},
        {pdp_layer, {{"PDP.D_DST_RAM_CFG", 0}},
         {"memory-port: PDP.D_DST_RAM_CFG = 0x0: want RAM_TYPE 1: there is no second "
          "memory port  (programming 10)"}},
        {cdp_layer, {{"CDP.D_DATA_FORMAT", 1}},
         {"precision: CDP.D_DATA_FORMAT = 0x1: want INPUT_DATA_TYPE 0: int8 only  "
          "(programming 8)"}},
        {cdp_layer, {{"CDP.D_DST_LINE_STRIDE", 24}},
         {"line-stride: CDP.D_DST_LINE_STRIDE = 0x18: want at least 32 (bytes of a line of "
          "4)  (programming 10)"}},
        {cdp_layer, {{"CDP.D_DST_SURFACE_STRIDE", 120}},
         {"surface-stride: CDP.D_DST_SURFACE_STRIDE = 0x78: want at least 128 (bytes of a "
          "surface of 4 x 4)  (programming 10)"}},
        {cdp_layer, {{"CDP.S_LUT_INFO", 0x1000}, {"CDP.S_LUT_LE_END_LOW", 0x400000}},
         {"lut-le-select: CDP.S_LUT_INFO = 0x1000: want LE_INDEX_SELECT in -6..15  "
          "(programming 10)"}},
        {cdp_layer, {{"CDP.S_LUT_INFO", 0xe0000}, {"CDP.S_LUT_LO_END_LOW", 0x400000}},
         {"lut-lo-select: CDP.S_LUT_INFO = 0xe0000: want LO_INDEX_SELECT in -8..13  "
          "(programming 10)"}},
        {cdp_layer, {{"CDP.S_LUT_CFG", 0}, {"CDP.S_LUT_INFO", 0x15}},
         {"lut-le-offset: CDP.S_LUT_INFO = 0x15: want LE_INDEX_OFFSET in -64..20  "
          "(programming 10)"}},
        {cdp_layer, {{"CDP_RDMA.D_DATA_FORMAT", 2}},
         {"precision: CDP_RDMA.D_DATA_FORMAT = 0x2: want INPUT_DATA 0: int8 only  "
          "(programming 8)"}},
        {cdp_layer, {{"CDP_RDMA.D_SRC_BASE_ADDR_LOW", 1}},
         {"alignment: CDP_RDMA.D_SRC_BASE_ADDR_LOW = 0x1: want a multiple of 8 (memory "
          "atom)  (programming 9)"}},
    };
    for (const Case& c : cases) {
        LayerRegisters layer = c.layer();
        for (const auto& [name, value] : c.change) set(layer, name, value);
        std::vector<std::string> found;
        for (const Finding& f : check_layer(full_sizes(), layer)) found.push_back(f.text());
        EXPECT_EQ(found, c.findings) << c.change.front().first;
    }
}

/// Rules that need a layer before or another configuration: names of the findings.
std::vector<std::string> broken(const LayerSizes& sizes, LayerRegisters layer,
                                const Values& change = {}) {
    for (const auto& [name, value] : change) set(layer, name, value);
    std::vector<std::string> out;
    for (const Finding& f : check_layer(sizes, layer)) out.push_back(f.rule);
    return out;
}

using Names = std::vector<std::string>;

TEST(LayerChecker, BuffersAndMissingUnits) {
    LayerSizes sizes = full_sizes();
    sizes.device.cbuf_depth = 32;
    EXPECT_EQ(broken(sizes, conv_layer()), (Names{"data-banks", "weight-banks"}));
    EXPECT_EQ(broken(sizes, conv_layer(), {{"CDMA.D_FETCH_GRAIN", 4}}),
              (Names{"data-banks", "weight-banks", "fetch-grain"}));
    sizes = {};
    EXPECT_EQ(broken(sizes, pdp_layer()), (Names{"unit"}));
    EXPECT_EQ(broken(sizes, cdp_layer()), (Names{"unit"}));
    EXPECT_EQ(broken(sizes, conv_layer(), {{"SDP.D_FEATURE_MODE_CFG", 3}}), (Names{"pdp-unit"}));
    EXPECT_EQ(broken(sizes, conv_layer(), {{"SDP.D_DP_EW_CFG", 0x52}}), (Names{"stage"}));
    EXPECT_EQ(broken(sizes, conv_layer(), {{"SDP.D_DP_EW_CFG", 0x12}, {"SDP.S_LUT_CFG", 1},
                                           {"SDP.S_LUT_LE_END", 64}, {"SDP.S_LUT_LO_END", 256}}),
              (Names{"lut-unit", "stage"}));
}

TEST(LayerChecker, ReuseLooksAtTheLayerBefore) {
    LayerRegisters layer = conv_layer();
    set(layer, "CDMA.D_MISC_CFG", 0x110000);
    set(layer, "CSC.D_MISC_CFG", 0x110000);
    layer.before = {1, 1, 5, false, true, true, 1792};
    EXPECT_EQ(broken(full_sizes(), layer), Names{});
    layer.before.slices = 4;
    layer.before.weight_bytes = 1664;
    EXPECT_EQ(broken(full_sizes(), layer), (Names{"input-height", "weight-reuse"}));
}

/// All findings of a program that are not warnings.
std::vector<std::string> errors(const LayerSizes& sizes, const trace::Program& program) {
    LayerFollower follower(sizes);
    std::vector<std::string> out;
    const auto take = [&](const std::vector<Finding>& findings) {
        for (const Finding& f : findings) {
            if (f.level == Level::error) out.push_back(program.name + ": " + f.text());
        }
    };
    for (const trace::Command& c : program.commands) {
        if (c.op == trace::Op::write) take(follower.write(c.addr, c.value));
    }
    take(follower.finish());
    return out;
}

TEST(LayerChecker, RandomProgramsAreLegal) {
    for (const DeviceSizes& device : {DeviceSizes{}, DeviceSizes{32, 16, 16, 32, 32, 512, 64},
                                      DeviceSizes{64, 32, 32, 64, 16, 512, 64},
                                      DeviceSizes{8, 8, 8, 8, 8, 128, 32}}) {
        LayerSizes sizes;
        sizes.device = device;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            EXPECT_EQ(errors(sizes, stimulus::random_program(device, seed)), Names{}) << seed;
        }
    }
}

TEST(LayerChecker, UnitsWithoutPartnersAreTold) {
    LayerFollower follower(full_sizes());
    EXPECT_TRUE(follower.write(dla_regs::cdp::D_OP_ENABLE::kAddress, 1).empty());
    const std::vector<Finding> found = follower.finish();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text(), "incomplete: CDP.D_OP_ENABLE = 0x1: want all units of the layer "
                               "enabled: it never starts  (programming 2)");
}

TEST(LayerChecker, PublishedTracesAreLegal) {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    if (path == nullptr) GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE is not set";
    const std::pair<const char*, DeviceSizes> folders[] = {
        {"nv_small", {}}, {"nv_small_256", {32, 8, 8, 32, 32, 128, 32}},
        {"nv_medium_512", {32, 16, 16, 32, 32, 512, 64}},
        {"nv_large", {64, 32, 32, 64, 16, 512, 64}}, {"oracle/nv_small", {}}};
    const trace::RegisterTable registers = trace::dla_registers();
    for (const auto& [name, device] : folders) {
        LayerSizes sizes = full_sizes();
        sizes.device = device;
        sizes.device.pdp = sizes.device.cdp = true;
        sizes.device.secondary = std::string(name) == "nv_large";
        if (!fs::is_directory(fs::path(path) / name)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(path) / name)) {
            if (entry.path().extension() != ".cfg") continue;
            const auto read = trace::read_cfg(entry.path().string(), registers);
            EXPECT_EQ(errors(sizes, read.program), Names{}) << entry.path();
        }
    }
}

}  // namespace
}  // namespace macrame
