#pragma once
/// A case for each rule of the convolution units.

#include "verif/dla/test/layer_cases.hpp"

namespace macrame::dla::layer_cases {

inline Cases conv_cases() {
    Cases out = {
        {conv_layer,
         {{"CSC.D_DATAIN_FORMAT", 1}},
         "data-format: CSC.D_DATAIN_FORMAT = 0x1: want 0 as in CDMA  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CDMA.D_LINE_STRIDE", 56}, {"CDMA.D_SURF_STRIDE", 280}, {"CDMA.D_DAIN_MAP", 0x10001}},
         "line-packed: CDMA.D_DAIN_MAP = 0x10001: want LINE_PACKED 0, or D_LINE_STRIDE 48  "
         "(NVDLA convolution modes)"},
        {conv_layer,
         {{"CDMA.D_FETCH_GRAIN", 5}},
         "fetch-grain: CDMA.D_FETCH_GRAIN = 0x5: want GRAINS at most 4, lines of the input  (NVDLA "
         "limits)"},
        {conv_layer,
         {{"CDMA.D_FETCH_GRAIN", 1}, {"CDMA.D_DAIN_MAP", 0}},
         "fetch-grain-packed: CDMA.D_FETCH_GRAIN = 0x1: want GRAINS 0: without LINE_PACKED each "
         "line is fetched alone  (NVDLA limits)"},
        {conv_layer,
         {{"CDMA.D_SURF_STRIDE", 248}},
         "surface-packed: CDMA.D_DAIN_MAP = 0x10001: want SURF_PACKED 0, or D_SURF_STRIDE 240  "
         "(NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_DATAIN_SIZE_EXT_0", 0x40006}},
         "input-width: CSC.D_DATAIN_SIZE_EXT_0 = 0x40006: want DATAIN_WIDTH_EXT 5 as CDMA "
         "DATAIN_WIDTH  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_DATAIN_SIZE_EXT_0", 0x50005},
          {"CDMA.D_ZERO_PADDING", 0x00001},
          {"CSC.D_ZERO_PADDING", 0x1}},
         "input-height: CSC.D_DATAIN_SIZE_EXT_0 = 0x50005: want DATAIN_HEIGHT_EXT 4: lines that "
         "CDMA fetches and those kept of the layer before  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CDMA.D_DATAIN_SIZE_1", 14}},
         "input-channels: CSC.D_DATAIN_SIZE_EXT_1 = 0xf: want DATAIN_CHANNEL_EXT 14 as CDMA "
         "DATAIN_CHANNEL  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_WEIGHT_SIZE_EXT_1", 0xB000E},
          {"CDMA.D_WEIGHT_SIZE_0", 134},
          {"CDMA.D_WEIGHT_BYTES", 1664},
          {"CSC.D_WEIGHT_BYTES", 1664}},
         "weight-channels: CSC.D_WEIGHT_SIZE_EXT_1 = 0xb000e: want WEIGHT_CHANNEL_EXT 15 as "
         "DATAIN_CHANNEL_EXT  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CDMA.D_WEIGHT_SIZE_1", 10}},
         "kernels: CDMA.D_WEIGHT_SIZE_1 = 0xa: want WEIGHT_KERNEL 11 as in CSC  (NVDLA convolution "
         "modes)"},
        {conv_layer,
         {{"CSC.D_DATAOUT_SIZE_1", 10},
          {"CACC.D_DATAOUT_SIZE_1", 10},
          {"SDP.D_DATA_CUBE_CHANNEL", 10},
          {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 10}},
         "output-channels: CSC.D_DATAOUT_SIZE_1 = 0xa: want DATAOUT_CHANNEL 11 as WEIGHT_KERNEL  "
         "(NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_CONV_STRIDE_EXT", 1}},
         "output-width: CSC.D_DATAOUT_SIZE_0 = 0x30004: want DATAOUT_WIDTH*2 + 3 (stride, window) "
         "= 7 (width with padding)  (NVDLA limits)"},
        {conv_layer,
         {{"CSC.D_CONV_STRIDE_EXT", 0x10000}},
         "output-height: CSC.D_DATAOUT_SIZE_0 = 0x30004: want DATAOUT_HEIGHT*2 + 3 (stride, "
         "window) = 6 (height with padding)  (NVDLA limits)"},
        {conv_layer,
         {{"CSC.D_CONV_STRIDE_EXT", 2},
          {"CSC.D_DATAOUT_SIZE_0", 0x30001},
          {"CSC.D_ATOMICS", 7},
          {"CACC.D_DATAOUT_SIZE_0", 0x30001},
          {"SDP.D_DATA_CUBE_WIDTH", 1},
          {"SDP_RDMA.D_DATA_CUBE_WIDTH", 1}},
         "output-width-rest: CSC.D_DATAOUT_SIZE_0 = 0x30001: want DATAOUT_WIDTH*3 + 3 (stride, "
         "window) = 7 (width with padding)  (NVDLA limits)"},
        {conv_layer,
         {{"CSC.D_CONV_STRIDE_EXT", 0x10000},
          {"CSC.D_DATAOUT_SIZE_0", 0x10004},
          {"CSC.D_ATOMICS", 9},
          {"CACC.D_DATAOUT_SIZE_0", 0x10004},
          {"SDP.D_DATA_CUBE_HEIGHT", 1},
          {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 1}},
         "output-height-rest: CSC.D_DATAOUT_SIZE_0 = 0x10004: want DATAOUT_HEIGHT*2 + 3 (stride, "
         "window) = 6 (height with padding)  (NVDLA limits)"},
        {conv_layer,
         {{"CSC.D_ATOMICS", 18}},
         "atomics: CSC.D_ATOMICS = 0x12: want 19 (output width x height - 1)  (NVDLA convolution "
         "modes)"},
        {conv_layer,
         {{"CSC.D_ZERO_PADDING", 0}},
         "padding-agrees: CSC.D_ZERO_PADDING = 0x0: want PAD_LEFT 1 and PAD_TOP 1 as in CDMA  "
         "(NVDLA convolution modes)"},
        {conv_layer,
         {{"CACC.D_DATAOUT_SIZE_0", 0x30003}},
         "cacc-size: CACC.D_DATAOUT_SIZE_0 = 0x30003: want 5 x 4 as in CSC (fields hold value-1)  "
         "(NVDLA convolution sizes)"},
        {conv_layer,
         {{"CACC.D_DATAOUT_SIZE_1", 10}},
         "cacc-size: CACC.D_DATAOUT_SIZE_1 = 0xa: want DATAOUT_CHANNEL 11 as in CSC  (NVDLA "
         "convolution sizes)"},
        {conv_layer,
         {{"CACC.D_DATAOUT_MAP", 1}},
         "cacc-packed: CACC.D_DATAOUT_MAP = 0x1: want 0: packed is only for outputs of 1 x 1  "
         "(NVDLA convolution modes)"},
        {conv_layer,
         {{"CACC.D_CLIP_CFG", 17}},
         "truncate: CACC.D_CLIP_CFG = 0x11: want CLIP_TRUNCATE at most 16  (NVDLA CACC rounding)"},
        {conv_layer,
         {{"CDMA.D_WEIGHT_SIZE_0", 144}},
         "kernel-bytes: CDMA.D_WEIGHT_SIZE_0 = 0x90: want 143 (3 x 3 x 16 - 1)  (NVDLA convolution "
         "modes)"},
        {conv_layer,
         {{"CDMA.D_WEIGHT_BYTES", 1727}, {"CSC.D_WEIGHT_BYTES", 1727}},
         "weight-bytes: CDMA.D_WEIGHT_BYTES = 0x6bf: want 1792 (12 kernels of 144 bytes, rounded "
         "up to 128)  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CDMA.D_WEIGHT_BYTES", 1728}, {"CSC.D_WEIGHT_BYTES", 1728}},
         "weight-bytes-rounded: CDMA.D_WEIGHT_BYTES = 0x6c0: want 1792 (12 kernels of 144 bytes, "
         "rounded up to 128)  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_WEIGHT_BYTES", 1920}},
         "weight-bytes-agree: CSC.D_WEIGHT_BYTES = 0x780: want 1792 as in CDMA  (NVDLA convolution "
         "modes)"},
        {conv_layer,
         {{"CDMA.D_ENTRY_PER_SLICE", 12}, {"CSC.D_ENTRY_PER_SLICE", 12}},
         "entries-per-slice: CDMA.D_ENTRY_PER_SLICE = 0xc: want 11 (a line takes 12 entries)  "
         "(NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_ENTRY_PER_SLICE", 12}},
         "entries-agree: CSC.D_ENTRY_PER_SLICE = 0xc: want 11 as in CDMA  (NVDLA CBUF entries)"},
        {conv_layer,
         {{"CDMA.D_BANK", 0x10001f}, {"CSC.D_BANK", 0x10001f}},
         "banks: CDMA.D_BANK = 0x10001f: want DATA_BANK+1 + WEIGHT_BANK+1 at most 32 banks  "
         "(NVDLA limits)"},
        {conv_layer,
         {{"CSC.D_BANK", 1}},
         "banks-agree: CSC.D_BANK = 0x1: want 0 as in CDMA  (NVDLA convolution modes)"},
        {conv_layer,
         {{"CSC.D_RELEASE", 5}},
         "release: CSC.D_RELEASE = 0x5: want at most 4 (DATAIN_HEIGHT_EXT)  (NVDLA convolution "
         "modes)"},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x1000000}},
         "reuse-agrees: CSC.D_MISC_CFG = 0x0: want reuse and release flags as in CDMA  (NVDLA data "
         "and weight reuse)"},
        {conv_layer,
         {{"CDMA.D_ZERO_PADDING", 0x10001},
          {"CSC.D_ZERO_PADDING", 0x10001},
          {"CDMA.D_DATAIN_SIZE_0", 0x40002},
          {"CSC.D_DATAIN_SIZE_EXT_0", 0x40002},
          {"CDMA.D_ENTRY_PER_SLICE", 0x5},
          {"CSC.D_ENTRY_PER_SLICE", 0x5},
          {"CDMA.D_DAIN_MAP", 0x0},
          {"CDMA.D_ZERO_PADDING", 0x10301}},
         "padding: CDMA.D_ZERO_PADDING = 0x10301: want less than the window, 3 x 3  (NVDLA "
         "limits)"},
        {image_layer,
         {{"CDMA.D_ZERO_PADDING", 0x3},
          {"CSC.D_ZERO_PADDING", 0x3},
          {"CDMA.D_DATAIN_SIZE_0", 0x50006},
          {"CSC.D_DATAIN_SIZE_EXT_0", 0x50006}},
         "padding: CDMA.D_ZERO_PADDING = 0x3: want less than the window, 3 x 2  (NVDLA limits)"},
        {conv_layer,
         {{"CDMA.D_BANK", 0x70000}, {"CSC.D_BANK", 0x70000}},
         "data-banks: CDMA.D_BANK = 0x70000: want DATA_BANK at least 1: 5 lines need 60 entries  "
         "(NVDLA data and weight reuse)",
         [](Architecture& s, KeptInBuffer&) { s.cbuf_depth = 32; }},
        {conv_layer,
         {{"CDMA.D_BANK", 0x1}, {"CSC.D_BANK", 0x1}},
         "weight-banks: CDMA.D_BANK = 0x1: want WEIGHT_BANK at least 4: a kernel group and 128 "
         "bytes are 1280 bytes  (NVDLA convolution modes)",
         [](Architecture& s, KeptInBuffer&) { s.cbuf_depth = 32; }},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x10000000},
          {"CSC.D_MISC_CFG", 0x10000000},
          {"CDMA.D_BANK", 0x50001},
          {"CSC.D_BANK", 0x50001}},
         "kept-weight-banks: CDMA.D_BANK = 0x50001: want WEIGHT_BANK at least 6: with "
         "SKIP_WEIGHT_RLS all 1792 bytes of weights stay  (NVDLA data and weight reuse)",
         [](Architecture& s, KeptInBuffer&) { s.cbuf_depth = 32; }},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x10000}, {"CSC.D_MISC_CFG", 0x10000}},
         "data-reuse: CDMA.D_MISC_CFG = 0x10000: want DATA_REUSE 0, or a layer before of the same "
         "mode and DATA_BANK  (NVDLA limits)"},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x10000},
          {"CSC.D_MISC_CFG", 0x10000},
          {"CDMA.D_DATAIN_SIZE_0", 0x10005},
          {"CDMA.D_DAIN_MAP", 0x1}},
         "kept-lines: CSC.D_ENTRY_PER_SLICE = 0xb: want 9 as of the lines kept of the layer before "
         " (NVDLA data and weight reuse)",
         [](Architecture&, KeptInBuffer& before) {
             before = {1, 1, 3, 10, false, false, false, 0};
         }},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x10000}, {"CSC.D_MISC_CFG", 0x10000}},
         "input-height: CSC.D_DATAIN_SIZE_EXT_0 = 0x40005: want DATAIN_HEIGHT_EXT 3: so many lines "
         "are kept, and CDMA fetches none  (NVDLA convolution modes)",
         [](Architecture&, KeptInBuffer& before) {
             before = {1, 1, 4, 12, false, true, false, 0};
         }},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x100000}, {"CSC.D_MISC_CFG", 0x100000}},
         "weight-reuse: CDMA.D_MISC_CFG = 0x100000: want WEIGHT_REUSE 0, or the D_WEIGHT_BYTES of "
         "the layer before, 1664  (NVDLA data and weight reuse)",
         [](Architecture&, KeptInBuffer& before) {
             before = {1, 1, 0, 12, false, false, true, 1664};
         }},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x100000}, {"CSC.D_MISC_CFG", 0x100000}},
         "kept-weights: CDMA.D_MISC_CFG = 0x100000: want WEIGHT_REUSE 0, or a layer before with "
         "SKIP_WEIGHT_RLS and the same banks  (NVDLA data and weight reuse)",
         [](Architecture&, KeptInBuffer& before) {
             before = {1, 2, 0, 12, false, false, true, 1792};
         }},
        {image_layer,
         {},
         "image-unit: CDMA.D_DATAIN_FORMAT = 0xc01: want DATAIN_FORMAT 0: no image input here  "
         "(NVDLA driver)",
         [](Architecture& s, KeptInBuffer&) { s.image = false; }},
        {image_layer,
         {{"CDMA.D_DATAIN_FORMAT", 0x1401}},
         "pixel-format: CDMA.D_DATAIN_FORMAT = 0x1401: want PIXEL_FORMAT of 8 bits: 0, 12..19 or "
         "26..29  (NVDLA memory formats)"},
        {image_layer,
         {{"CDMA.D_DATAIN_FORMAT", 0x10c01}},
         "pixel-mapping: CDMA.D_DATAIN_FORMAT = 0x10c01: want PIXEL_MAPPING 0 (pitch linear)  "
         "(NVDLA memory formats)"},
        {planes_layer,
         {{"CDMA.D_DATAIN_SIZE_1", 0x3},
          {"CSC.D_DATAIN_SIZE_EXT_1", 0x3},
          {"CDMA.D_ENTRY_PER_SLICE", 0x4},
          {"CSC.D_ENTRY_PER_SLICE", 0x4},
          {"CSC.D_WEIGHT_SIZE_EXT_1", 0xb000b},
          {"CDMA.D_WEIGHT_SIZE_0", 0x17},
          {"CDMA.D_WEIGHT_BYTES", 0x180},
          {"CSC.D_WEIGHT_BYTES", 0x180}},
         "pixel-channels: CDMA.D_DATAIN_SIZE_1 = 0x3: want DATAIN_CHANNEL 2 for PIXEL_FORMAT 28  "
         "(NVDLA memory formats)"},
        {image_layer,
         {{"CDMA.D_PIXEL_OFFSET", 0x2}, {"CDMA.D_LINE_STRIDE", 0x30}},
         "pixel-offset: CDMA.D_PIXEL_OFFSET = 0x2: want PIXEL_Y_OFFSET 0 and PIXEL_X_OFFSET at "
         "most 1  (NVDLA limits)"},
        {image_layer,
         {{"CDMA.D_LINE_STRIDE", 0x20}},
         "pixel-line-stride: CDMA.D_LINE_STRIDE = 0x20: want a multiple of 8, at least 40 (bytes "
         "of a line of pixels)  (NVDLA memory formats)"},
        {planes_layer,
         {{"CDMA.D_LINE_UV_STRIDE", 0x10}},
         "pixel-line-stride: CDMA.D_LINE_UV_STRIDE = 0x10: want a multiple of 8, at least 20 "
         "(bytes of a line of pixels)  (NVDLA memory formats)"},
        {image_layer,
         {{"CSC.D_DATAOUT_SIZE_0", 0x40008},
          {"CSC.D_ATOMICS", 44},
          {"CACC.D_DATAOUT_SIZE_0", 0x40008},
          {"SDP.D_DATA_CUBE_WIDTH", 8},
          {"SDP_RDMA.D_DATA_CUBE_WIDTH", 8},
          {"SDP.D_DST_LINE_STRIDE", 72},
          {"SDP.D_DST_SURFACE_STRIDE", 360}},
         "image-line: CSC.D_DATAOUT_SIZE_0 = 0x40008: want DATAOUT_WIDTH*1 + 3 (stride, window) of "
         "at most 10 pixels with padding, as CDMA stores them  (NVDLA convolution modes)"},
        {image_layer,
         {{"CSC.D_DILATION_EXT", 0x1}},
         "image-dilation: CSC.D_DILATION_EXT = 0x1: want 0: images have no dilation  (NVDLA "
         "limits)"},
        {image_layer,
         {{"CSC.D_POST_Y_EXTENSION", 0x1}},
         "post-extension: CSC.D_POST_Y_EXTENSION = 0x1: want 0; for images with at most 4 (2) "
         "channels, of the pre-extended kernel and of a stride: 1 (2)  (NVDLA convolution modes)"},
        {image_layer,
         {{"CDMA.D_MEAN_FORMAT", 0x1}},
         "mean: CDMA.D_MEAN_FORMAT = 0x1: want MEAN_FORMAT 0, or CVT_EN 1: without it the mean is "
         "ignored  (NVDLA convertor)"},
        {image_layer,
         {{"CSC.D_WEIGHT_SIZE_EXT_0", 0x10001},
          {"CDMA.D_WEIGHT_SIZE_0", 0x2f},
          {"CDMA.D_WEIGHT_BYTES", 0x280},
          {"CSC.D_WEIGHT_BYTES", 0x280}},
         "pre-extension: CSC.D_WEIGHT_SIZE_EXT_0 = 0x10001: want WEIGHT_WIDTH_EXT 0: the line of "
         "an image kernel is in its channels  (NVDLA convolution modes)"},
    };
    add_each(out, conv_layer, "conv-mode",
             {"CDMA.D_MISC_CFG", "CSC.D_MISC_CFG", "CMAC_A.D_MISC_CFG", "CMAC_B.D_MISC_CFG",
              "CACC.D_MISC_CFG"},
             1, "CONV_MODE 0: no Winograd here  (NVDLA convolution modes)");
    add_each(out, conv_layer, "compression", {"CDMA.D_WEIGHT_FORMAT", "CSC.D_WEIGHT_FORMAT"}, 1,
             "WEIGHT_FORMAT 0: no compressed weights here  (NVDLA memory formats)");
    add_each(out, conv_layer, "batch",
             {"CDMA.D_BATCH_NUMBER", "CSC.D_BATCH_NUMBER", "CACC.D_BATCH_NUMBER"}, 1,
             "BATCHES 0: no batches here  (NVDLA limits)");
    add_each(out, conv_layer, "precision", {"CDMA.D_MISC_CFG", "CSC.D_MISC_CFG"}, 0x1000,
             "IN_PRECISION and PROC_PRECISION 0: int8 only  (NVDLA precision)");
    add_each(out, conv_layer, "precision",
             {"CMAC_A.D_MISC_CFG", "CMAC_B.D_MISC_CFG", "CACC.D_MISC_CFG"}, 0x1000,
             "PROC_PRECISION 0: int8 only  (NVDLA precision)");
    add_address(out, conv_layer, "CDMA.D_DAIN_ADDR_LOW_0", "CDMA.D_DAIN_ADDR_HIGH_0",
                "CDMA.D_DAIN_RAM_TYPE");
    add_address(out, planes_layer, "CDMA.D_DAIN_ADDR_LOW_1", "CDMA.D_DAIN_ADDR_HIGH_1",
                "CDMA.D_DAIN_RAM_TYPE");
    add_address(out, conv_layer, "CDMA.D_WEIGHT_ADDR_LOW", "CDMA.D_WEIGHT_ADDR_HIGH",
                "CDMA.D_WEIGHT_RAM_TYPE");
    add_strides(out, conv_layer, "CDMA.D_LINE_STRIDE", "CDMA.D_SURF_STRIDE", 6, 5,
                {{"CDMA.D_DAIN_MAP", 0}});
    add_single(out, point_layer, "CDMA.D_SURF_STRIDE");
    return out;
}

}  // namespace macrame::dla::layer_cases
