#pragma once
/// Layers of 16-bit types, Winograd, batches and compressed weights that obey all rules, and a case
/// for each rule of them. All are for 8-byte atoms and entries of two.

#include "verif/dla/test/layer_cases.hpp"

namespace macrame::dla::layer_cases {

inline void add_types16(Architecture& sizes) {
    sizes.int16 = sizes.fp16 = true;
    sizes.winograd = sizes.batch = sizes.compression = true;
    sizes.max_batch = 4;
    sizes.entry_bytes = 16;
}
inline Architecture types16_sizes() {
    Architecture sizes = full_sizes();
    add_types16(sizes);
    return sizes;
}

// ---- layers without a finding

/// conv_layer() in int16.
inline LayerRegisters conv16_layer() {
    LayerRegisters layer = conv_layer();
    set(layer, {{"CDMA.D_MISC_CFG", 0x1100},
                {"CSC.D_MISC_CFG", 0x1100},
                {"CMAC_A.D_MISC_CFG", 0x1000},
                {"CMAC_B.D_MISC_CFG", 0x1000},
                {"CACC.D_MISC_CFG", 0x1000},
                {"CDMA.D_WEIGHT_SIZE_0", 287},
                {"CDMA.D_WEIGHT_BYTES", 3456},
                {"CSC.D_WEIGHT_BYTES", 3456},
                {"SDP.D_DATA_FORMAT", 5},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x55},
                {"SDP_RDMA.D_BRDMA_CFG", 0x2A}});
    return layer;
}

/// Two cubes as in conv_layer(), in int8.
inline LayerRegisters batch_layer() {
    LayerRegisters layer = conv_layer();
    set(layer, {{"CDMA.D_ENTRY_PER_SLICE", 5},
                {"CSC.D_ENTRY_PER_SLICE", 5},
                {"CDMA.D_BATCH_NUMBER", 1},
                {"CDMA.D_BATCH_STRIDE", 480},
                {"CSC.D_BATCH_NUMBER", 1},
                {"CACC.D_BATCH_NUMBER", 1},
                {"SDP.D_FEATURE_MODE_CFG", 0x101},
                {"SDP.D_DST_LINE_STRIDE", 48},
                {"SDP.D_DST_SURFACE_STRIDE", 192},
                {"SDP.D_DST_BATCH_STRIDE", 384},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x101}});
    return layer;
}

/// conv_layer() with compressed weights.
inline LayerRegisters compressed_layer() {
    LayerRegisters layer = conv_layer();
    set(layer, {{"CDMA.D_ENTRY_PER_SLICE", 5},
                {"CSC.D_ENTRY_PER_SLICE", 5},
                {"CDMA.D_WEIGHT_FORMAT", 1},
                {"CSC.D_WEIGHT_FORMAT", 1},
                {"CDMA.D_WEIGHT_BYTES", 1280},
                {"CSC.D_WEIGHT_BYTES", 1280},
                {"CDMA.D_WMB_BYTES", 256},
                {"CSC.D_WMB_BYTES", 256}});
    return layer;
}

/// 12 x 12 x 16, Winograd, 12 kernels -> 8 x 8.
inline LayerRegisters winograd_layer() {
    LayerRegisters layer = conv_layer();
    set(layer, {{"CDMA.D_MISC_CFG", 1},
                {"CSC.D_MISC_CFG", 1},
                {"CMAC_A.D_MISC_CFG", 1},
                {"CMAC_B.D_MISC_CFG", 1},
                {"CACC.D_MISC_CFG", 1},
                {"CDMA.D_DATAIN_SIZE_0", 0xB000B},
                {"CDMA.D_DATAIN_SIZE_EXT_0", 0xB000B},
                {"CDMA.D_LINE_STRIDE", 96},
                {"CDMA.D_SURF_STRIDE", 1152},
                {"CDMA.D_WEIGHT_SIZE_0", 255},
                {"CDMA.D_WEIGHT_BYTES", 3072},
                {"CDMA.D_ZERO_PADDING", 0},
                {"CSC.D_DATAIN_SIZE_EXT_0", 0xB000B},
                {"CSC.D_WEIGHT_SIZE_EXT_0", 0x30003},
                {"CSC.D_WEIGHT_BYTES", 3072},
                {"CSC.D_DATAOUT_SIZE_0", 0x70007},
                {"CSC.D_ATOMICS", 63},
                {"CSC.D_RELEASE", 11},
                {"CSC.D_ZERO_PADDING", 0},
                {"CACC.D_DATAOUT_SIZE_0", 0x70007},
                {"SDP.D_DATA_CUBE_WIDTH", 7},
                {"SDP.D_DATA_CUBE_HEIGHT", 7},
                {"SDP.D_DST_LINE_STRIDE", 64},
                {"SDP.D_DST_SURFACE_STRIDE", 512},
                {"SDP.D_FEATURE_MODE_CFG", 5},
                {"SDP_RDMA.D_DATA_CUBE_WIDTH", 7},
                {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 7},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 3}});
    return layer;
}

/// Pixels of A16B16G16R16, as image_layer(), in int16.
inline LayerRegisters image16_layer() {
    LayerRegisters layer = image_layer();
    set(layer, {{"CDMA.D_MISC_CFG", 0x1100},
                {"CSC.D_MISC_CFG", 0x1100},
                {"CMAC_A.D_MISC_CFG", 0x1000},
                {"CMAC_B.D_MISC_CFG", 0x1000},
                {"CACC.D_MISC_CFG", 0x1000},
                {"CDMA.D_DATAIN_FORMAT", 0x601},
                {"CDMA.D_LINE_STRIDE", 80},
                {"CDMA.D_WEIGHT_SIZE_0", 47},
                {"CDMA.D_WEIGHT_BYTES", 640},
                {"CSC.D_WEIGHT_BYTES", 640},
                {"SDP.D_DATA_FORMAT", 5},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x55},
                {"SDP_RDMA.D_BRDMA_CFG", 0x2A}});
    return layer;
}

/// offline_layer() in fp16.
inline LayerRegisters offline16_layer() {
    LayerRegisters layer = offline_layer();
    set(layer, {{"SDP.D_DATA_FORMAT", 0xA},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0xA8},
                {"SDP_RDMA.D_BRDMA_CFG", 0x3A},
                {"SDP_RDMA.D_NRDMA_CFG", 0x3A},
                {"SDP_RDMA.D_ERDMA_CFG", 0x3A}});
    return layer;
}

/// offline_layer() from int8 to int16.
inline LayerRegisters widening_layer() {
    LayerRegisters layer = offline_layer();
    set(layer, {{"SDP.D_DATA_FORMAT", 4}, {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x40}});
    return layer;
}

inline LayerRegisters pdp16_layer() {
    LayerRegisters layer = pdp_layer();
    set(layer, {{"PDP.D_DATA_FORMAT", 2},
                {"PDP_RDMA.D_DATA_FORMAT", 2},
                {"PDP.D_RECIP_KERNEL_WIDTH", 0x7555},
                {"PDP.D_RECIP_KERNEL_HEIGHT", 0x7555}});
    return layer;
}

inline LayerRegisters sdp_pdp16_layer() {
    LayerRegisters layer = sdp_pdp_layer();
    set(layer, {{"SDP.D_DATA_FORMAT", 5},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x54},
                {"PDP.D_DATA_FORMAT", 1}});
    return layer;
}

inline LayerRegisters cdp16_layer() {
    LayerRegisters layer = cdp_layer();
    set(layer, {{"CDP.D_DATA_FORMAT", 1},
                {"CDP_RDMA.D_DATA_FORMAT", 1},
                {"CDP.S_LUT_INFO", 0x1F00},
                {"CDP.S_LUT_LE_END_LOW", 0xFFFFFFFF},
                {"CDP.S_LUT_LE_END_HIGH", 0x1F}});
    return layer;
}

/// A mix of modes that no unit has, for their rules.
inline LayerRegisters batch_image_layer() {
    LayerRegisters layer = image_layer();
    set(layer, {{"CDMA.D_ENTRY_PER_SLICE", 2},
                {"CSC.D_ENTRY_PER_SLICE", 2},
                {"CDMA.D_BATCH_NUMBER", 1},
                {"CSC.D_BATCH_NUMBER", 1},
                {"CACC.D_BATCH_NUMBER", 1},
                {"SDP.D_FEATURE_MODE_CFG", 0x101},
                {"SDP.D_DST_BATCH_STRIDE", 640},
                {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x101}});
    return layer;
}
inline LayerRegisters batch_pdp_layer() {
    LayerRegisters layer = batch_layer();
    set(layer, {{"SDP.D_FEATURE_MODE_CFG", 0x103}});
    return layer;
}

// ---- a case for each rule

inline void to_types16(Architecture& sizes, KeptInBuffer&) { add_types16(sizes); }

/// Types and Winograd.
inline Cases types16_cases() {
    return {
        {conv16_layer,
         {},
         "precision: CDMA.D_MISC_CFG = 0x1100: want PROC_PRECISION 0 (int8), 2 (fp16)  (NVDLA "
         "precision)",
         [](Architecture& s, KeptInBuffer&) {
             add_types16(s);
             s.int16 = false;
         }},
        {conv16_layer,
         {{"CDMA.D_MISC_CFG", 0x1000}},
         "input-type: CDMA.D_MISC_CFG = 0x1000: want IN_PRECISION 1 as PROC_PRECISION  (NVDLA "
         "precision)",
         to_types16},
        {image16_layer,
         {{"CDMA.D_MISC_CFG", 0x1000}, {"CDMA.D_CVT_CFG", 1}},
         "input-type: CDMA.D_MISC_CFG = 0x1000: want IN_PRECISION 1 as PIXEL_FORMAT  (NVDLA "
         "precision)",
         to_types16},
        {conv16_layer,
         {{"CSC.D_MISC_CFG", 0x1000}},
         "precision: CSC.D_MISC_CFG = 0x1000: want IN_PRECISION and PROC_PRECISION 1 as "
         "PROC_PRECISION of CDMA  (NVDLA precision)",
         to_types16},
        {conv16_layer,
         {{"CMAC_A.D_MISC_CFG", 0x2000}},
         "precision: CMAC_A.D_MISC_CFG = 0x2000: want PROC_PRECISION 1 as in CDMA  (NVDLA "
         "precision)",
         to_types16},
        {conv16_layer,
         {{"CMAC_B.D_MISC_CFG", 0x2000}},
         "precision: CMAC_B.D_MISC_CFG = 0x2000: want PROC_PRECISION 1 as in CDMA  (NVDLA "
         "precision)",
         to_types16},
        {conv16_layer,
         {{"CACC.D_MISC_CFG", 0x2000}},
         "precision: CACC.D_MISC_CFG = 0x2000: want PROC_PRECISION 1 as in CDMA  (NVDLA "
         "precision)",
         to_types16},
        {conv16_layer,
         {{"SDP.D_DATA_FORMAT", 0xa}, {"SDP_RDMA.D_FEATURE_MODE_CFG", 0xa9}},
         "precision: SDP.D_DATA_FORMAT = 0xa: want PROC_PRECISION 1 as in CDMA  (NVDLA "
         "precision)",
         to_types16},
        {image16_layer,
         {{"CDMA.D_DATAIN_FORMAT", 0x801}, {"CDMA.D_MISC_CFG", 0x1200}, {"CDMA.D_CVT_CFG", 1}},
         "pixel-type: CDMA.D_DATAIN_FORMAT = 0x801: want a PIXEL_FORMAT of integers for "
         "PROC_PRECISION 1  (NVDLA precision)",
         to_types16},
        {image16_layer,
         {{"CDMA.D_DATAIN_FORMAT", 0x2401}, {"CDMA.D_MISC_CFG", 0x1000}, {"CDMA.D_CVT_CFG", 1}},
         "pixel-format: CDMA.D_DATAIN_FORMAT = 0x2401: want PIXEL_FORMAT 0..35  (NVDLA memory "
         "formats)",
         to_types16},
        {image16_layer,
         {{"CDMA.D_DATAIN_FORMAT", 0xc01},
          {"CDMA.D_MISC_CFG", 0x1000},
          {"CDMA.D_LINE_STRIDE", 0x28}},
         "pixel-convertor: CDMA.D_CVT_CFG = 0x0: want CVT_EN 1: IN_PRECISION is not "
         "PROC_PRECISION  (NVDLA precision)",
         to_types16},
        {image16_layer,
         {{"CDMA.D_PIXEL_OFFSET", 1}, {"CDMA.D_LINE_STRIDE", 0x58}},
         "pixel-offset: CDMA.D_PIXEL_OFFSET = 0x1: want PIXEL_Y_OFFSET 0 and PIXEL_X_OFFSET "
         "at most 0  (NVDLA limits)",
         to_types16},
        {image16_layer,
         {{"CDMA.D_LINE_STRIDE", 0x48}},
         "pixel-line-stride: CDMA.D_LINE_STRIDE = 0x48: want a multiple of 8, at least 80 "
         "(bytes of a line of pixels)  (NVDLA memory formats)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_MISC_CFG", 0}},
         "conv-mode: CSC.D_MISC_CFG = 0x0: want CONV_MODE 1 as in CDMA  (NVDLA convolution "
         "modes)",
         to_types16},
        {winograd_layer,
         {{"CMAC_A.D_MISC_CFG", 0}},
         "conv-mode: CMAC_A.D_MISC_CFG = 0x0: want CONV_MODE 1 as in CDMA  (NVDLA convolution "
         "modes)",
         to_types16},
        {winograd_layer,
         {{"CMAC_B.D_MISC_CFG", 0}},
         "conv-mode: CMAC_B.D_MISC_CFG = 0x0: want CONV_MODE 1 as in CDMA  (NVDLA convolution "
         "modes)",
         to_types16},
        {winograd_layer,
         {{"CACC.D_MISC_CFG", 0}},
         "conv-mode: CACC.D_MISC_CFG = 0x0: want CONV_MODE 1 as in CDMA  (NVDLA convolution "
         "modes)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_DATAIN_FORMAT", 0xc01},
          {"CSC.D_DATAIN_FORMAT", 1},
          {"CDMA.D_DATAIN_SIZE_1", 3},
          {"CSC.D_DATAIN_SIZE_EXT_1", 7},
          {"CSC.D_WEIGHT_SIZE_EXT_1", 0xb0007},
          {"CDMA.D_WEIGHT_SIZE_0", 0x7f},
          {"CDMA.D_WEIGHT_BYTES", 0x600},
          {"CSC.D_WEIGHT_BYTES", 0x600},
          {"CDMA.D_ENTRY_PER_SLICE", 2},
          {"CSC.D_ENTRY_PER_SLICE", 2}},
         "winograd-input: CDMA.D_DATAIN_FORMAT = 0xc01: want DATAIN_FORMAT 0: Winograd takes "
         "no pixels  (NVDLA limits)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_CVT_CFG", 1}},
         "winograd-convertor: CDMA.D_CVT_CFG = 0x1: want CVT_EN 0 with Winograd  (NVDLA "
         "limits)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_BATCH_NUMBER", 1},
          {"CSC.D_BATCH_NUMBER", 1},
          {"CACC.D_BATCH_NUMBER", 1},
          {"CDMA.D_BATCH_STRIDE", 0x900},
          {"SDP.D_FEATURE_MODE_CFG", 0x105},
          {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x103},
          {"SDP.D_DST_BATCH_STRIDE", 0x400}},
         "winograd-batch: CDMA.D_BATCH_NUMBER = 0x1: want BATCHES 0 with Winograd  (NVDLA "
         "limits)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_CONV_STRIDE_EXT", 1}},
         "winograd-stride: CSC.D_CONV_STRIDE_EXT = 0x1: want 0: strides of Winograd are in "
         "the channels  (NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_DILATION_EXT", 1}},
         "winograd-dilation: CSC.D_DILATION_EXT = 0x1: want 0: Winograd has no dilation  "
         "(NVDLA limits)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_WEIGHT_SIZE_EXT_0", 0x30002},
          {"CDMA.D_WEIGHT_SIZE_0", 0xbf},
          {"CDMA.D_WEIGHT_BYTES", 0x900},
          {"CSC.D_WEIGHT_BYTES", 0x900}},
         "winograd-kernel: CSC.D_WEIGHT_SIZE_EXT_0 = 0x30002: want 0x30003: transformed "
         "kernels are 4 x 4  (NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_ZERO_PADDING", 1}},
         "winograd-padding: CSC.D_ZERO_PADDING = 0x1: want 0: the extended plane has its "
         "padding  (NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_DATAIN_SIZE_0", 0xb000a},
          {"CDMA.D_LINE_STRIDE", 0x58},
          {"CDMA.D_SURF_STRIDE", 0x420}},
         "extended-width: CDMA.D_DATAIN_SIZE_EXT_0 = 0xb000b: want DATAIN_WIDTH_EXT+1 times 1 "
         "(stride) = 11 (width with padding), a multiple of 4 and at least 12  (NVDLA "
         "convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_DATAIN_SIZE_0", 0xa000b}, {"CDMA.D_SURF_STRIDE", 0x420}},
         "extended-height: CDMA.D_DATAIN_SIZE_EXT_0 = 0xb000b: want DATAIN_HEIGHT_EXT+1 times "
         "1 (stride) = 11 (height with padding), a multiple of 4 and at least 12  (NVDLA "
         "convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_DATAIN_SIZE_EXT_0", 0xb000f},
          {"CSC.D_DATAOUT_SIZE_0", 0x7000b},
          {"CSC.D_ATOMICS", 0x5f},
          {"CACC.D_DATAOUT_SIZE_0", 0x7000b},
          {"SDP.D_DATA_CUBE_WIDTH", 0xb},
          {"SDP_RDMA.D_DATA_CUBE_WIDTH", 0xb},
          {"SDP.D_DST_LINE_STRIDE", 0x60},
          {"SDP.D_DST_SURFACE_STRIDE", 0x300}},
         "input-width: CSC.D_DATAIN_SIZE_EXT_0 = 0xb000f: want DATAIN_WIDTH_EXT 11 as in CDMA "
         " (NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_CONV_STRIDE", 1},
          {"CDMA.D_DATAIN_SIZE_0", 0xb0017},
          {"CDMA.D_LINE_STRIDE", 0xc0},
          {"CDMA.D_SURF_STRIDE", 0x900},
          {"CDMA.D_ENTRY_PER_SLICE", 0x17},
          {"CSC.D_ENTRY_PER_SLICE", 0x17}},
         "input-channels: CSC.D_DATAIN_SIZE_EXT_1 = 0xf: want DATAIN_CHANNEL_EXT 31 (whole "
         "atoms of channels, times the strides)  (NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_WEIGHT_SIZE_EXT_1", 0xb0007},
          {"CDMA.D_WEIGHT_SIZE_0", 0x7f},
          {"CDMA.D_WEIGHT_BYTES", 0x600},
          {"CSC.D_WEIGHT_BYTES", 0x600}},
         "winograd-channels: CSC.D_WEIGHT_SIZE_EXT_1 = 0xb0007: want WEIGHT_CHANNEL_EXT 15 as "
         "DATAIN_CHANNEL_EXT, of whole atoms  (NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_DATAOUT_SIZE_0", 0x70006},
          {"CSC.D_ATOMICS", 0x37},
          {"CACC.D_DATAOUT_SIZE_0", 0x70006},
          {"SDP.D_DATA_CUBE_WIDTH", 6},
          {"SDP_RDMA.D_DATA_CUBE_WIDTH", 6}},
         "output-width: CSC.D_DATAOUT_SIZE_0 = 0x70006: want DATAOUT_WIDTH 7 (extended width "
         "- 4)  (NVDLA limits)",
         to_types16},
        {winograd_layer,
         {{"CSC.D_DATAOUT_SIZE_0", 0x60007},
          {"CSC.D_ATOMICS", 0x37},
          {"CACC.D_DATAOUT_SIZE_0", 0x60007},
          {"SDP.D_DATA_CUBE_HEIGHT", 6},
          {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 6}},
         "output-height: CSC.D_DATAOUT_SIZE_0 = 0x60007: want DATAOUT_HEIGHT 7 (extended "
         "height - 4)  (NVDLA limits)",
         to_types16},
        {winograd_layer,
         {{"CDMA.D_ENTRY_PER_SLICE", 0xa}, {"CSC.D_ENTRY_PER_SLICE", 0xa}},
         "entries-per-slice: CDMA.D_ENTRY_PER_SLICE = 0xa: want 11 (a line takes 12 entries)  "
         "(NVDLA convolution modes)",
         to_types16},
        {winograd_layer,
         {{"SDP.D_FEATURE_MODE_CFG", 1}},
         "winograd-batch-agree: SDP.D_FEATURE_MODE_CFG = 0x1: want WINOGRAD 1 and BATCH_NUMBER 0 "
         "as "
         "in CDMA  (NVDLA limits)",
         to_types16},
        {winograd_layer,
         {{"SDP_RDMA.D_FEATURE_MODE_CFG", 1}},
         "winograd-batch-agree: SDP_RDMA.D_FEATURE_MODE_CFG = 0x1: want WINOGRAD 1 and "
         "BATCH_NUMBER "
         "0 as in CDMA  (NVDLA limits)",
         to_types16},
        {winograd_layer,
         {{"SDP.D_DP_EW_CFG", 0x5c}, {"SDP.D_DP_BS_CFG", 0x53}, {"SDP_RDMA.D_BRDMA_CFG", 0x21}},
         "compare-mode: SDP.D_DP_EW_CFG = 0x5c: want no EQL with batches or Winograd  (NVDLA "
         "SDP compare)",
         to_types16},
        {batch_layer,
         {{"CSC.D_BATCH_NUMBER", 0}},
         "batch: CSC.D_BATCH_NUMBER = 0x0: want BATCHES 1 as in CDMA  (NVDLA limits)",
         to_types16},
    };
}

}  // namespace macrame::dla::layer_cases
