#include <fmt/format.h>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// The text for each name, which takes the place of {x}.
std::string each(const std::vector<std::string>& names, std::string_view text) {
    std::string all;
    for (const std::string& name : names)
        all += fmt::format(fmt::runtime(text), fmt::arg("x", name)) + " ";
    return all;
}

/// A unit with registers; `pins`: its others.
Joint joint(const std::string& name, const Patterns& pins) {
    return {name,
            "dla_" + name,
            "clk rst_n clk_ovr_on csb2* csb_* ~*_ram_type *2csb_rdata " + pins,
            {{"rst_n", name + "_rst_n"}}};
}

Joint csb_master(const Config& config) {
    std::vector<std::string> units;
    for (const std::string_view unit : csb_units(config))
        units.emplace_back(unit);
    return {"csb_master",
            "dla_csb_master",
            "dla_csb_clk csb_rst_n clk rst_n csb2nvdla_* nvdla2csb_* " +
                each(units, "~csb2{x}_valid ~{x}2csb_rdata") + "csb_*",
            {{"rst_n", "csb_master_rst_n"}}};
}

Joint glb() {
    return {"glb",
            "dla_glb",
            "clk rst_n dla_csb_clk csb_rst_n csb2* csb_* *2csb_rdata cdma_* cacc* sdp* pdp* cdp* "
            "~rubik* ~bdma* ~row* *",
            {{"rst_n", "glb_rst_n"}}};
}

Joint cbuf() {
    return {"cbuf",
            "dla_cbuf",
            "clk rst_n cdma2* *_dat_* csc2cbuf_wt_* *_wmb_* *",
            {{"rst_n", "cbuf_rst_n"}}};
}

/// A half of the MACs.
Joint half(const std::string& h, const Config& config) {
    return {"cmac_" + h,
            config.retiming_enable ? "dla_cmac_retimed" : "dla_cmac",
            "*",
            {{"rst_n", "cmac_" + h + "_rst_n"},
             {"csb2cmac", "csb2cmac_" + h},
             {"cmac2csb", "cmac_" + h + "2csb"},
             {"mac2", "mac_" + h + "2"},
             {"csc2mac", "csc2mac_" + h}}};
}

JointGroup convolution(const Config& config) {
    // Of the buffer: data and weights, then sparsity masks.
    const Patterns updates =
        "cdma2csc_dat_updt cdma2csc_wt_updt csc2cdma_dat_* csc2cdma_wt_* *_wmb_* ";
    return {"convolution",
            "",
            "cdma2cbuf_dat* cdma2cbuf_wt* cdma2cbuf_flush* csc2cbuf_dat* cbuf2csc_dat* "
            "csc2cbuf_wt_* cbuf2csc_wt_* cdma2csc_dat* cdma2csc_wt_* csc2cdma_dat* csc2cdma_wt_* "
            "csc2cbuf* cbuf2csc* cdma2csc_wmb* csc2cdma_wmb* cdma2csc* csc2cdma* " +
                each({"a", "b"},
                     "mac_{x}2csc* csc2mac_{x}_* mac_{x}2accu_valid mac_{x}2accu_data "
                     "mac_{x}2accu_swap mac_{x}2accu_first mac_{x}2accu_last mac_{x}2accu_end "
                     "~mac_{x}2accu_kind") +
                "cacc2csc* cacc2sdp*",
            {joint("cdma", "*mcif* cdma2cbuf* " + updates + "*"), cbuf(),
             joint("csc", updates + "* ~*mac_a* ~*mac_b* cacc2csc_*"), half("a", config),
             half("b", config), joint("cacc", "*")}};
}

/// SDP's operands from memory.
JointGroup operands(const Clients& of) {
    return {"behind",
            "post-processing",
            "sdp_rdma2sdp_m_* " + each(of.operands,
                                       "sdp_rdma2sdp_{x}_valid sdp_rdma2sdp_{x}_ready "
                                       "sdp_rdma2sdp_{x}_once sdp_rdma2sdp_{x}_alu "
                                       "sdp_rdma2sdp_{x}_mul"),
            {joint("sdp_rdma",
                   "sdp2* mcif2sdp_rd_* " +
                       each(of.operands, "~sdp_{x}2mcif_* ~mcif2sdp_{x}_* ~sdp_rdma2sdp_{x}_*") +
                       "*")}};
}

JointGroup sdp(const Clients& of) {
    return {"behind",
            "",
            "",
            {joint("sdp", "cacc2sdp_* sdp_rdma2sdp_m_* " +
                              each(of.operands,
                                   "~sdp_rdma2sdp_{x}_valid ~sdp_rdma2sdp_{x}_ready "
                                   "~sdp_rdma2sdp_{x}_once ~sdp_rdma2sdp_{x}_alu "
                                   "~sdp_rdma2sdp_{x}_mul") +
                              "*")}};
}

/// A unit from memory to memory.
JointGroup mover(const std::string& name, const std::string& title) {
    return {"behind",
            title,
            "",
            {{name,
              "dla_" + name,
              "~clk ~rst_n ~clk_ovr_on ~csb2* ~csb_* ~*_ram_type ~*2csb_rdata ~*",
              {{"rst_n", name + "_rst_n"}}}}};
}

}  // namespace

Clients clients(const Config& config) {
    Clients list;
    if (config.sdp_bs_enable) list.operands.emplace_back("b");
    if (config.sdp_bn_enable) list.operands.emplace_back("n");
    if (config.sdp_ew_enable) list.operands.emplace_back("e");
    list.readers = {"cdma_dat", "cdma_wt", "sdp"};
    for (const std::string& x : list.operands)
        list.readers.push_back("sdp_" + x);
    list.writers = {"sdp"};
    const std::pair<const char*, bool> both[] = {{"pdp", config.pdp_enable},
                                                 {"cdp", config.cdp_enable},
                                                 {"rubik", config.rubik_enable},
                                                 {"bdma", config.bdma_enable},
                                                 {"row", config.row_enable}};
    for (const auto& [name, enabled] : both) {
        if (!enabled) continue;
        list.readers.emplace_back(name);
        list.writers.emplace_back(name);
    }
    return list;
}

Wiring top_wiring(const Config& config, const Derived&) {
    const Clients of = clients(config);
    Wiring wiring{{
        {"registers", "", "", {csb_master(config)}},
        {"rom", "", "", {{"cfgrom", "dla_cfgrom", "clk csb2* *"}}},
        {"interrupts",
         "",
         "cdma_dat2glb* cdma_wt2glb* cacc2glb* pdp2glb* sdp2glb* cdp2glb* rubik2glb* bdma2glb* "
         "row2glb*",
         {glb()}},
        {"memory",
         "",
         each(of.readers, "{x}2mcif_rd_re* mcif2{x}_rd_*") +
             each(of.writers, "{x}2mcif_wr_re* mcif2{x}_wr_*"),
         {}},
        convolution(config),
        operands(of),
        {"behind", "", "sdp2pdp* pdp_rdma2pdp*", {joint("pdp_rdma", "*"), joint("pdp", "*")}},
        sdp(of),
    }};
    if (config.cdp_enable)
        wiring.groups.push_back({"behind",
                                 "normalisation",
                                 "cdp_rdma2cdp*",
                                 {joint("cdp_rdma", "*"), joint("cdp", "*")}});
    if (config.rubik_enable) wiring.groups.push_back(mover("rubik", "reshaping"));
    if (config.bdma_enable) wiring.groups.push_back(mover("bdma", "copies in memory"));
    if (config.row_enable) wiring.groups.push_back(mover("row", "softmax and norms"));
    return wiring;
}

}  // namespace macrame::dla
