#pragma once
/// A case for each rule of batches, of compressed weights and of other types behind the
/// convolution.

#include "verif/dla/test/layer_cases_types16.hpp"

namespace macrame::dla::layer_cases {

/// Batches, compressed weights and the units behind the convolution.
inline Cases types16_mode_cases() {
    return {
        {batch_layer,
         {},
         "batch-size: CDMA.D_BATCH_NUMBER = 0x1: want BATCHES at most 0  (NVDLA limits)",
         [](Architecture& s, KeptInBuffer&) {
             add_types16(s);
             s.max_batch = 1;
         }},
        {batch_layer,
         {{"CACC.D_BATCH_NUMBER", 0}},
         "batch: CACC.D_BATCH_NUMBER = 0x0: want BATCHES 1 as in CDMA  (NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"SDP.D_FEATURE_MODE_CFG", 1}},
         "winograd-batch-agree: SDP.D_FEATURE_MODE_CFG = 0x1: want WINOGRAD 0 and BATCH_NUMBER 1 "
         "as "
         "in CDMA  (NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"CDMA.D_BATCH_STRIDE", 0x1e4}},
         "alignment: CDMA.D_BATCH_STRIDE = 0x1e4: want a multiple of 8 (memory atom)  (NVDLA "
         "memory formats)",
         to_types16},
        {batch_layer,
         {{"CDMA.D_BATCH_STRIDE", 0x1d8}},
         "batch-stride: CDMA.D_BATCH_STRIDE = 0x1d8: want at least 480 (bytes of a cube)  "
         "(NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"SDP.D_DST_BASE_ADDR_LOW", 0x1000008}},
         "batch-alignment: SDP.D_DST_BASE_ADDR_LOW = 0x1000008: want a multiple of 16 with batches "
         " "
         "(NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"SDP.D_DST_LINE_STRIDE", 0x28}},
         "batch-alignment: SDP.D_DST_LINE_STRIDE = 0x28: want a multiple of 16 with batches  "
         "(NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"SDP.D_DST_SURFACE_STRIDE", 0xc8}, {"SDP.D_DST_BATCH_STRIDE", 0x190}},
         "batch-alignment: SDP.D_DST_SURFACE_STRIDE = 0xc8: want a multiple of 16 with "
         "batches  (NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"SDP.D_DST_BATCH_STRIDE", 0x188}},
         "batch-alignment: SDP.D_DST_BATCH_STRIDE = 0x188: want a multiple of 16 with batches "
         " (NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"SDP.D_DST_BATCH_STRIDE", 0x170}},
         "batch-stride: SDP.D_DST_BATCH_STRIDE = 0x170: want at least 384 (bytes of a cube)  "
         "(NVDLA limits)",
         to_types16},
        {compressed_layer,
         {{"CSC.D_WEIGHT_FORMAT", 0}},
         "compression: CSC.D_WEIGHT_FORMAT = 0x0: want WEIGHT_FORMAT 1 as in CDMA  (NVDLA "
         "memory formats)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_WEIGHT_BYTES", 0x780}, {"CSC.D_WEIGHT_BYTES", 0x780}},
         "weight-bytes: CDMA.D_WEIGHT_BYTES = 0x780: want a multiple of 128, at most the 1792 "
         "of all weights  (NVDLA convolution modes)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_WMB_BYTES", 0x80}, {"CSC.D_WMB_BYTES", 0x80}},
         "mask-bytes: CDMA.D_WMB_BYTES = 0x80: want 256 (1728 weights, a bit each, rounded up "
         "to 128)  (NVDLA memory formats)",
         to_types16},
        {compressed_layer,
         {{"CSC.D_WMB_BYTES", 0x80}},
         "mask-bytes-agree: CSC.D_WMB_BYTES = 0x80: want 256 as in CDMA  (NVDLA memory "
         "formats)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_WGS_ADDR_LOW", 0xc}},
         "alignment: CDMA.D_WGS_ADDR_LOW = 0xc: want a multiple of 8 (memory atom)  (NVDLA "
         "memory formats)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_WGS_ADDR_HIGH", 1}},
         "address-width: CDMA.D_WGS_ADDR_HIGH = 0x1: want an address of 32 bits  (NVDLA "
         "memory formats)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_WMB_ADDR_LOW", 0xc}},
         "alignment: CDMA.D_WMB_ADDR_LOW = 0xc: want a multiple of 8 (memory atom)  (NVDLA "
         "memory formats)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_WMB_ADDR_HIGH", 1}},
         "address-width: CDMA.D_WMB_ADDR_HIGH = 0x1: want an address of 32 bits  (NVDLA "
         "memory formats)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_BANK", 0xf000f}, {"CSC.D_BANK", 0xf000f}},
         "banks: CDMA.D_BANK = 0xf000f: want DATA_BANK+1 + WEIGHT_BANK+1 at most 31 banks  "
         "(NVDLA limits)",
         to_types16},
        {compressed_layer,
         {{"CDMA.D_BANK", 0x10001}, {"CSC.D_BANK", 0x10001}},
         "mask-bank: CDMA.D_WMB_BYTES = 0x100: want masks of a kernel group of at most 128 "
         "bytes (a bank less 128), found 144  (NVDLA limits)",
         [](Architecture& s, KeptInBuffer&) {
             add_types16(s);
             s.cbuf_depth = 16;
         }},
        {compressed_layer,
         {{"CDMA.D_MISC_CFG", 0x100000}, {"CSC.D_MISC_CFG", 0x100000}},
         "mask-reuse: CDMA.D_WEIGHT_FORMAT = 0x1: want 0: the weights kept are not compressed "
         " (NVDLA data and weight reuse)",
         [](Architecture& s, KeptInBuffer& before) {
             add_types16(s);
             before = {1, 1, 0, 6, false, false, true, 1280};
         }},
        {batch_layer,
         {{"CDMA.D_DATAIN_SIZE_0", 0},
          {"CDMA.D_ZERO_PADDING", 0x1010101},
          {"CSC.D_ZERO_PADDING", 0x10001},
          {"CSC.D_DATAIN_SIZE_EXT_0", 0},
          {"CSC.D_DATAOUT_SIZE_0", 0},
          {"CSC.D_ATOMICS", 0},
          {"CSC.D_RELEASE", 0},
          {"CACC.D_DATAOUT_SIZE_0", 0},
          {"CDMA.D_DAIN_MAP", 0},
          {"CDMA.D_SURF_STRIDE", 8},
          {"CDMA.D_LINE_STRIDE", 8},
          {"CDMA.D_ENTRY_PER_SLICE", 0},
          {"CSC.D_ENTRY_PER_SLICE", 0},
          {"SDP.D_DATA_CUBE_WIDTH", 0},
          {"SDP.D_DATA_CUBE_HEIGHT", 0},
          {"SDP_RDMA.D_DATA_CUBE_WIDTH", 0},
          {"SDP_RDMA.D_DATA_CUBE_HEIGHT", 0},
          {"CSC.D_DATAOUT_SIZE_1", 0},
          {"CACC.D_DATAOUT_SIZE_1", 0},
          {"SDP.D_DATA_CUBE_CHANNEL", 0},
          {"SDP_RDMA.D_DATA_CUBE_CHANNEL", 0},
          {"CSC.D_WEIGHT_SIZE_EXT_1", 0xf},
          {"CDMA.D_WEIGHT_SIZE_1", 0},
          {"CDMA.D_WEIGHT_BYTES", 0x100},
          {"CSC.D_WEIGHT_BYTES", 0x100}},
         "batch-output: CSC.D_DATAOUT_SIZE_0 = 0x0: want more than 1 x 1 with batches  (NVDLA "
         "limits)",
         to_types16},
        {batch_image_layer,
         {},
         "batch-input: CDMA.D_DATAIN_FORMAT = 0xc01: want DATAIN_FORMAT 0: batches have no "
         "pixels  (NVDLA limits)",
         to_types16},
        {batch_pdp_layer,
         {},
         "batch-destination: SDP.D_FEATURE_MODE_CFG = 0x103: want OUTPUT_DST 0 with batches  "
         "(NVDLA limits)",
         to_types16},
        {batch_layer,
         {{"CDMA.D_BANK", 0x70000}, {"CSC.D_BANK", 0x70000}},
         "data-banks: CDMA.D_BANK = 0x70000: want DATA_BANK at least 1: 10 lines need 60 "
         "entries  (NVDLA data and weight reuse)",
         [](Architecture& s, KeptInBuffer&) {
             add_types16(s);
             s.cbuf_depth = 32;
         }},
        {offline16_layer,
         {{"SDP_RDMA.D_BRDMA_CFG", 0x32}},
         "operand-size: SDP_RDMA.D_BRDMA_CFG = 0x32: want DATA_SIZE 1: operands of BS have "
         "two bytes  (NVDLA SDP operands)",
         to_types16},
        {offline16_layer,
         {{"SDP_RDMA.D_NRDMA_CFG", 0x32}},
         "operand-size: SDP_RDMA.D_NRDMA_CFG = 0x32: want DATA_SIZE 1: operands of BN have "
         "two bytes  (NVDLA SDP operands)",
         to_types16},
        {offline16_layer,
         {{"SDP_RDMA.D_ERDMA_CFG", 0x32}},
         "operand-size: SDP_RDMA.D_ERDMA_CFG = 0x32: want DATA_SIZE 1: operands of EW have "
         "two bytes  (NVDLA SDP operands)",
         to_types16},
        {offline16_layer,
         {{"SDP.D_DATA_FORMAT", 2}},
         "output-type: SDP.D_DATA_FORMAT = 0x2: want OUT_PRECISION 1 or 2 of 0 (int8), 1 "
         "(int16), 2 (fp16)  (NVDLA precision)",
         to_types16},
        {widening_layer,
         {{"SDP.D_DATA_FORMAT", 8}},
         "output-type: SDP.D_DATA_FORMAT = 0x8: want OUT_PRECISION 0 or 1 of 0 (int8), 1 "
         "(int16), 2 (fp16)  (NVDLA precision)",
         to_types16},
        {widening_layer,
         {{"SDP.D_DST_SURFACE_STRIDE", 0x98}},
         "surface-stride: SDP.D_DST_SURFACE_STRIDE = 0x98: want at least 160 (bytes of a "
         "surface of 5 x 4)  (NVDLA limits)",
         to_types16},
        {offline16_layer,
         {{"SDP_RDMA.D_FEATURE_MODE_CFG", 0xa4}},
         "input-type: SDP_RDMA.D_FEATURE_MODE_CFG = 0xa4: want IN_PRECISION 2 of 0 (int8), 1 "
         "(int16), 2 (fp16)  (NVDLA precision)",
         to_types16},
        {offline16_layer,
         {{"SDP_RDMA.D_FEATURE_MODE_CFG", 0x94}},
         "precision: SDP_RDMA.D_FEATURE_MODE_CFG = 0x94: want PROC_PRECISION 2 as in SDP  "
         "(NVDLA precision)",
         to_types16},
        {offline16_layer,
         {{"SDP.D_DATA_FORMAT", 7}, {"SDP_RDMA.D_FEATURE_MODE_CFG", 0xbc}},
         "precision: SDP.D_DATA_FORMAT = 0x7: want PROC_PRECISION 0 (int8), 1 (int16), 2 "
         "(fp16)  (NVDLA precision)",
         to_types16},
        {offline16_layer,
         {{"SDP.D_DP_EW_CFG", 0x12},
          {"SDP_RDMA.D_ERDMA_CFG", 0x21},
          {"SDP.S_LUT_CFG", 1},
          {"SDP.S_LUT_INFO", 0x7a00}},
         "lut-le-select: SDP.S_LUT_INFO = 0x7a00: want LE_INDEX_SELECT in -128..121  (NVDLA "
         "limits)",
         to_types16},
        {offline16_layer,
         {{"SDP.D_DP_EW_CFG", 0x12},
          {"SDP_RDMA.D_ERDMA_CFG", 0x21},
          {"SDP.S_LUT_CFG", 1},
          {"SDP.S_LUT_INFO", 0x780000}},
         "lut-lo-select: SDP.S_LUT_INFO = 0x780000: want LO_INDEX_SELECT in -128..119  (NVDLA "
         "limits)",
         to_types16},
        {offline16_layer,
         {{"SDP.D_DP_EW_CFG", 0x12}, {"SDP_RDMA.D_ERDMA_CFG", 0x21}, {"SDP.S_LUT_INFO", 0x80}},
         "lut-le-offset: SDP.S_LUT_INFO = 0x80: want LE_INDEX_OFFSET in -126..127  (NVDLA "
         "limits)",
         to_types16},
        {sdp_pdp16_layer,
         {{"SDP.D_DATA_FORMAT", 4}, {"SDP_RDMA.D_FEATURE_MODE_CFG", 0x40}},
         "pooled-type: SDP.D_FEATURE_MODE_CFG = 0x2: want OUTPUT_DST 0: PDP takes no int8 "
         "that became int16  (NVDLA precision)",
         to_types16},
        {sdp_pdp16_layer,
         {{"PDP.D_DATA_FORMAT", 0}},
         "precision: PDP.D_DATA_FORMAT = 0x0: want INPUT_DATA 1 as SDP makes it  (NVDLA "
         "precision)",
         to_types16},
        {pdp16_layer,
         {{"PDP.D_DATA_FORMAT", 3}, {"PDP_RDMA.D_DATA_FORMAT", 3}},
         "precision: PDP.D_DATA_FORMAT = 0x3: want INPUT_DATA 0 (int8), 1 (int16), 2 (fp16)  "
         "(NVDLA precision)",
         to_types16},
        {pdp16_layer,
         {{"PDP_RDMA.D_DATA_FORMAT", 1}},
         "precision: PDP_RDMA.D_DATA_FORMAT = 0x1: want INPUT_DATA 2 as in PDP  (NVDLA "
         "precision)",
         to_types16},
        {pdp16_layer,
         {{"PDP.D_RECIP_KERNEL_WIDTH", 0x5555}},
         "reciprocal: PDP.D_RECIP_KERNEL_WIDTH = 0x5555: want 30037 (fp17 of 1 / 3)  (NVDLA "
         "PDP settings)",
         to_types16},
        {pdp16_layer,
         {{"PDP.D_RECIP_KERNEL_HEIGHT", 0x5555}},
         "reciprocal: PDP.D_RECIP_KERNEL_HEIGHT = 0x5555: want 30037 (fp17 of 1 / 3)  (NVDLA "
         "PDP settings)",
         to_types16},
        {cdp16_layer,
         {{"CDP.D_DATA_FORMAT", 3}, {"CDP_RDMA.D_DATA_FORMAT", 3}},
         "precision: CDP.D_DATA_FORMAT = 0x3: want INPUT_DATA_TYPE 0 (int8), 1 (int16), 2 "
         "(fp16)  (NVDLA precision)",
         to_types16},
        {cdp16_layer,
         {{"CDP_RDMA.D_DATA_FORMAT", 2}},
         "precision: CDP_RDMA.D_DATA_FORMAT = 0x2: want INPUT_DATA 1 as in CDP  (NVDLA "
         "precision)",
         to_types16},
        {cdp16_layer,
         {{"CDP.S_LUT_INFO", 0x2000}},
         "lut-le-select: CDP.S_LUT_INFO = 0x2000: want LE_INDEX_SELECT in -6..31  (NVDLA "
         "limits)",
         to_types16},
    };
}

}  // namespace macrame::dla::layer_cases
