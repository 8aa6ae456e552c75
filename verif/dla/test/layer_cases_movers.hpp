#pragma once
/// Layers of RUBIK, a copy of BDMA, and a case for each of their rules.

#include "layer_cases.hpp"

namespace macrame::dla::layer_cases {

// ---- without a finding

/// 5 x 4 x (2 x 3 x 16) becomes 10 x 12 x 12.
inline LayerRegisters contract_layer() {
    return make({"RUBIK"}, {{"RUBIK.D_MISC_CFG", 0},
                            {"RUBIK.D_DAIN_RAM_TYPE", 1},
                            {"RUBIK.D_DATAIN_SIZE_0", 0x30004},
                            {"RUBIK.D_DATAIN_SIZE_1", 95},
                            {"RUBIK.D_DAIN_LINE_STRIDE", 64},
                            {"RUBIK.D_DAIN_SURF_STRIDE", 256},
                            {"RUBIK.D_DAOUT_RAM_TYPE", 1},
                            {"RUBIK.D_DATAOUT_SIZE_1", 11},
                            {"RUBIK.D_DAOUT_LINE_STRIDE", 96},
                            {"RUBIK.D_CONTRACT_STRIDE_0", 512},
                            {"RUBIK.D_DAOUT_SURF_STRIDE", 1152},
                            {"RUBIK.D_DECONV_STRIDE", 0x20001}});
}

/// 5 x 4 x 12 in planes.
inline LayerRegisters split_layer() {
    return make({"RUBIK"}, {{"RUBIK.D_MISC_CFG", 1},
                            {"RUBIK.D_DAIN_RAM_TYPE", 1},
                            {"RUBIK.D_DATAIN_SIZE_0", 0x30004},
                            {"RUBIK.D_DATAIN_SIZE_1", 11},
                            {"RUBIK.D_DAIN_LINE_STRIDE", 64},
                            {"RUBIK.D_DAIN_SURF_STRIDE", 256},
                            {"RUBIK.D_DAOUT_RAM_TYPE", 1},
                            {"RUBIK.D_DATAOUT_SIZE_1", 11},
                            {"RUBIK.D_DAOUT_LINE_STRIDE", 32},
                            {"RUBIK.D_DAOUT_PLANAR_STRIDE", 128}});
}

/// The way back.
inline LayerRegisters merge_layer() {
    return make({"RUBIK"}, {{"RUBIK.D_MISC_CFG", 2},
                            {"RUBIK.D_DAIN_RAM_TYPE", 1},
                            {"RUBIK.D_DATAIN_SIZE_0", 0x30004},
                            {"RUBIK.D_DATAIN_SIZE_1", 11},
                            {"RUBIK.D_DAIN_LINE_STRIDE", 32},
                            {"RUBIK.D_DAIN_PLANAR_STRIDE", 128},
                            {"RUBIK.D_DAOUT_RAM_TYPE", 1},
                            {"RUBIK.D_DATAOUT_SIZE_1", 11},
                            {"RUBIK.D_DAOUT_LINE_STRIDE", 64},
                            {"RUBIK.D_DAOUT_SURF_STRIDE", 256}});
}

/// 2 surfaces of 3 lines of 64 bytes.
inline LayerRegisters copy_layer() {
    return make({"BDMA"}, {{"BDMA.CFG_LINE", 1},
                           {"BDMA.CFG_CMD", 3},
                           {"BDMA.CFG_LINE_REPEAT", 2},
                           {"BDMA.CFG_SRC_LINE", 64},
                           {"BDMA.CFG_DST_LINE", 96},
                           {"BDMA.CFG_SURF_REPEAT", 1},
                           {"BDMA.CFG_SRC_SURF", 192},
                           {"BDMA.CFG_DST_SURF", 288},
                           {"BDMA.CFG_OP", 1}});
}

// ---- one broken rule each

inline Cases rubik_cases() {
    const auto unbuilt = [](Architecture& s, KeptInBuffer&) {
        s.rubik_contract = s.rubik_reshape = false;
    };
    const auto only_contract = [](Architecture& s, KeptInBuffer&) { s.rubik_reshape = false; };
    Cases out = {
        {contract_layer,
         {{"RUBIK.D_OP_ENABLE", 1}},
         "unit: RUBIK.D_OP_ENABLE = 0x1: want 0: no RUBIK here  (NVDLA enable order)",
         unbuilt},
        {split_layer,
         {},
         "mode: RUBIK.D_MISC_CFG = 0x1: want RUBIK_MODE 0: there are no others  (NVDLA RUBIK "
         "settings)",
         only_contract},
        {contract_layer,
         {{"RUBIK.D_MISC_CFG", 0x100}},
         "precision: RUBIK.D_MISC_CFG = 0x100: want IN_PRECISION 0: int8 only  (NVDLA precision)"},
        {contract_layer,
         {{"RUBIK.D_DATAIN_SIZE_0", 0x1000},
          {"RUBIK.D_DAIN_SURF_STRIDE", 0x8020},
          {"RUBIK.D_CONTRACT_STRIDE_0", 0x10040},
          {"RUBIK.D_DAOUT_LINE_STRIDE", 0x10020},
          {"RUBIK.D_DAOUT_SURF_STRIDE", 0x40000}},
         "width: RUBIK.D_DATAIN_SIZE_0 = 0x1000: want at most 8192 columns behind it, not 8194  "
         "(NVDLA limits)"},
        {contract_layer,
         {{"RUBIK.D_DATAIN_SIZE_1", 71}},
         "channels: RUBIK.D_DATAIN_SIZE_1 = 0x47: want 95 (96 channels)  (NVDLA RUBIK settings)"},
        {merge_layer,
         {{"RUBIK.D_DATAIN_SIZE_1", 15}},
         "channels: RUBIK.D_DATAIN_SIZE_1 = 0xf: want 11 (12 channels)  (NVDLA RUBIK settings)"},
        {contract_layer,
         {{"RUBIK.D_CONTRACT_STRIDE_0", 256}},
         "contract-stride: RUBIK.D_CONTRACT_STRIDE_0 = 0x100: want 512 (2 input surfaces)  (NVDLA "
         "RUBIK settings)"},
        {contract_layer,
         {{"RUBIK.D_DAIN_LINE_STRIDE", 32}},
         "line-stride: RUBIK.D_DAIN_LINE_STRIDE = 0x20: want at least 40 (bytes of a line)  (NVDLA "
         "limits)"},
        {contract_layer,
         {{"RUBIK.D_DAIN_SURF_STRIDE", 224}, {"RUBIK.D_CONTRACT_STRIDE_0", 448}},
         "surface-stride: RUBIK.D_DAIN_SURF_STRIDE = 0xe0: want at least 232 (bytes of 4 lines)  "
         "(NVDLA limits)"},
        {merge_layer,
         {{"RUBIK.D_DAIN_PLANAR_STRIDE", 96}},
         "planar-stride: RUBIK.D_DAIN_PLANAR_STRIDE = 0x60: want at least 104 (bytes of 4 lines)  "
         "(NVDLA limits)"},
        {contract_layer,
         {{"RUBIK.D_DAOUT_LINE_STRIDE", 64}},
         "line-stride: RUBIK.D_DAOUT_LINE_STRIDE = 0x40: want at least 80 (bytes of a line)  "
         "(NVDLA limits)"},
        {contract_layer,
         {{"RUBIK.D_DAOUT_SURF_STRIDE", 1120}},
         "surface-stride: RUBIK.D_DAOUT_SURF_STRIDE = 0x460: want at least 1136 (bytes of 12 "
         "lines)  (NVDLA limits)"},
        {split_layer,
         {{"RUBIK.D_DAOUT_PLANAR_STRIDE", 96}},
         "planar-stride: RUBIK.D_DAOUT_PLANAR_STRIDE = 0x60: want at least 104 (bytes of 4 lines) "
         " (NVDLA limits)"},
    };
    add_each(out, split_layer, "address-width",
             {"RUBIK.D_DAIN_ADDR_HIGH", "RUBIK.D_DAOUT_ADDR_HIGH"}, 1,
             "an address of 32 bits  (NVDLA memory formats)");
    add_each(out, merge_layer, "memory-port", {"RUBIK.D_DAIN_RAM_TYPE", "RUBIK.D_DAOUT_RAM_TYPE"},
             0, "RAM_TYPE 1: there is no second memory port  (NVDLA limits)");
    return out;
}

inline Cases bdma_cases() {
    Cases out = {
        {copy_layer,
         {},
         "unit: BDMA.CFG_OP = 0x1: want 0: no BDMA here  (NVDLA enable order)",
         [](Architecture& s, KeptInBuffer&) { s.bdma = false; }},
        {copy_layer,
         {{"BDMA.CFG_CMD", 1}},
         "memory-port: BDMA.CFG_CMD = 0x1: want 3: there is no second memory port  (NVDLA "
         "limits)"},
        {copy_layer,
         {{"BDMA.CFG_LINE_REPEAT", 0x2000}, {"BDMA.CFG_DST_SURF", 0x200000}},
         "repeats: BDMA.CFG_LINE_REPEAT = 0x2000: want at most 8191 (8192 times)  (NVDLA limits)"},
        {copy_layer,
         {{"BDMA.CFG_SURF_REPEAT", 0x2000}},
         "repeats: BDMA.CFG_SURF_REPEAT = 0x2000: want at most 8191 (8192 times)  (NVDLA limits)"},
        {copy_layer,
         {{"BDMA.CFG_DST_LINE", 32}},
         "line-stride: BDMA.CFG_DST_LINE = 0x20: want at least 64 (bytes of a line)  (NVDLA "
         "limits)"},
        {copy_layer,
         {{"BDMA.CFG_DST_SURF", 224}},
         "surface-stride: BDMA.CFG_DST_SURF = 0xe0: want at least 256 (bytes of a surface)  (NVDLA "
         "limits)"},
    };
    add_each(out, copy_layer, "address-width", {"BDMA.CFG_SRC_ADDR_HIGH", "BDMA.CFG_DST_ADDR_HIGH"},
             1, "an address of 32 bits  (NVDLA memory formats)");
    return out;
}

}  // namespace macrame::dla::layer_cases
