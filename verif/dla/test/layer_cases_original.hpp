#pragma once
/// A case for each hint about the original hardware: legal layers that it fails.

#include <utility>

#include "verif/dla/test/layer_cases.hpp"

namespace macrame::dla::layer_cases {

/// With the weights of the clients of both memory ports.
inline LayerRegisters conv_ports_layer() {
    LayerRegisters layer = conv_layer();
    layer.add("MCIF");
    layer.add("CVIF");
    return layer;
}
inline LayerRegisters offline_ports_layer() {
    LayerRegisters layer = offline_layer();
    layer.add("MCIF");
    layer.add("CVIF");
    return layer;
}

/// A layer before whose weights the original counts like this; conv_layer() takes 160 to 224 of the
/// 512 entries of its weight bank. It has one data bank and one weight bank.
inline auto weights_before(int weight_banks, int occupied, int filled, bool skip_release = false) {
    return [=](Architecture&, KeptInBuffer& before) {
        dla::model::WeightUse use;
        use.data_banks = 1;
        use.weight_banks = weight_banks;
        use.region = 512 * weight_banks;
        use.occupied = occupied;
        use.filled = filled;
        use.skip_release = skip_release;
        before.weights.run(use);
    };
}

inline void add_port_weight(Cases& out, LayerRegisters (*base)(), const std::string& reg,
                            std::uint32_t value, const std::string& field, const Values& in_cvif) {
    const std::string want = " = " + verif::text::hex(value) + ": want " + field +
                             " at least 1: the layer would wait for ever  (defects of the original "
                             "hardware)";
    out.push_back({base, {{"MCIF." + reg, value}}, "original-port-weight: MCIF." + reg + want});
    Values change = in_cvif;
    change.emplace_back("CVIF." + reg, value);
    out.push_back({base, change, "original-port-weight: CVIF." + reg + want,
                   [](Architecture& s, KeptInBuffer&) { s.secondary = true; }});
}

inline Cases original_cases() {
    Cases out = {
        {conv_layer,
         {},
         "original-weight-tail: CDMA.D_BANK = 0x0: want other banks than before: 8 entries of "
         "weight tail would be in front of the weights  (defects of the original hardware)",
         weights_before(1, 224, 216)},
        {conv_layer,
         {},
         "original-lost-weights: CDMA.D_BANK = 0x0: want more weight banks: tails and kept weights "
         "of layers before would fill these  (defects of the original hardware)",
         weights_before(2, 400, 40)},
        {conv_layer,
         {},
         "original-idle-release: CDMA.D_BANK = 0x0: want more weight banks: weights given back "
         "while CDMA was idle would fill these  (defects of the original hardware)",
         weights_before(2, 400, 400)},
        {conv_layer,
         {{"CDMA.D_MISC_CFG", 0x100000}, {"CSC.D_MISC_CFG", 0x100000}},
         "original-moved-weights: CDMA.D_MISC_CFG = 0x100000: want WEIGHT_REUSE 0: weights kept "
         "for other banks would stay counted for ever  (defects of the original hardware)",
         [](Architecture& s, KeptInBuffer& before) {
             // Reuse in vain is a warning of its own: not for a layer before in the same banks.
             before = {1, 1, 0, 12, false, false, true, 1792};
             weights_before(2, 224, 224, true)(s, before);
         }},
    };
    add_port_weight(out, offline_ports_layer, "CFG_RD_WEIGHT_0", 0x1010001, "RD_WEIGHT_SDP",
                    {{"SDP_RDMA.D_SRC_DMA_CFG", 0}});
    add_port_weight(out, conv_ports_layer, "CFG_RD_WEIGHT_1", 0x10101, "RD_WEIGHT_CDMA_DAT",
                    {{"CDMA.D_DAIN_RAM_TYPE", 0}});
    add_port_weight(out, conv_ports_layer, "CFG_RD_WEIGHT_2", 0x1010100, "RD_WEIGHT_CDMA_WT",
                    {{"CDMA.D_WEIGHT_RAM_TYPE", 0}});
    add_port_weight(out, conv_ports_layer, "CFG_WR_WEIGHT_0", 0x1010001, "WR_WEIGHT_SDP",
                    {{"SDP.D_DST_DMA_CFG", 0}});
    return out;
}

/// The same without a finding: next to what the original fails.
inline Cases original_clean_cases() {
    const Values reuse = {{"CDMA.D_MISC_CFG", 0x100000}, {"CSC.D_MISC_CFG", 0x100000}};
    return {
        {conv_layer, {}, "", weights_before(1, 216, 216)},        // same banks, no tail
        {conv_layer, {}, "", weights_before(2, 224, 216)},        // a tail, other banks
        {conv_layer, {}, "", weights_before(2, 352, 0)},          // as many lost as there is room
        {conv_layer, {}, "", weights_before(2, 352, 352)},        // the same with releases
        {conv_layer, {}, "", weights_before(2, 512, 512, true)},  // given back when banks change
        {conv_layer, reuse, "",                                   // kept in these banks
         [](Architecture& s, KeptInBuffer& before) {
             before = {1, 1, 0, 12, false, false, true, 1792};
             weights_before(1, 224, 216, true)(s, before);
         }},
        {conv_ports_layer, {{"MCIF.CFG_RD_WEIGHT_0", 0}}, ""},          // no client of the layer
        {conv_ports_layer, {{"MCIF.CFG_RD_WEIGHT_1", 0x1000001}}, ""},  // N, E: not used
        {conv_ports_layer, {{"CVIF.CFG_RD_WEIGHT_1", 0}}, ""},          // there is no such port
        {conv_ports_layer,                                              // all is in the other one
         {{"CVIF.CFG_RD_WEIGHT_1", 0}, {"CVIF.CFG_WR_WEIGHT_0", 0}},
         "",
         [](Architecture& s, KeptInBuffer&) { s.secondary = true; }},
        {conv_ports_layer,
         {{"MCIF.CFG_WR_WEIGHT_0", 0}, {"SDP.D_DST_DMA_CFG", 0}},
         "",
         [](Architecture& s, KeptInBuffer&) { s.secondary = true; }},
    };
}

}  // namespace macrame::dla::layer_cases
