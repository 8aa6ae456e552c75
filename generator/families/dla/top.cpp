#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope top_scope(const Config& config, const Derived&) {
    text::List operands;  // SDP stages with operands from memory
    if (config.sdp_bs_enable) operands.emplace_back("b");
    if (config.sdp_bn_enable) operands.emplace_back("n");
    if (config.sdp_ew_enable) operands.emplace_back("e");
    text::List rd_clients{"cdma_dat", "cdma_wt", "sdp"};
    for (const text::Value& x : operands) {
        rd_clients.emplace_back("sdp_" + std::get<std::string>(x.data));
    }
    text::List wr_clients{"sdp"};
    text::List csb_units{"cfgrom", "glb",    "mcif", "cdma",     "csc",
                         "cmac_a", "cmac_b", "cacc", "sdp_rdma", "sdp"};
    if (config.pdp_enable) {
        rd_clients.emplace_back("pdp");
        wr_clients.emplace_back("pdp");
        csb_units.emplace_back("pdp_rdma");
        csb_units.emplace_back("pdp");
    }
    if (config.cdp_enable) {
        rd_clients.emplace_back("cdp");
        wr_clients.emplace_back("cdp");
        csb_units.emplace_back("cdp_rdma");
        csb_units.emplace_back("cdp");
    }
    return {
        {"csb_units", csb_units},
        {"rd_clients", rd_clients},
        {"wr_clients", wr_clients},
        {"halves", text::List{"a", "b"}},
        {"operands", operands},
    };
}

}  // namespace

const Unit& top_unit() {
    static const Unit unit{
        "top",          "all units and the links between them",
        nullptr,        {"dla_top.v"},
        {"reset_sync"}, {},
        top_scope,
    };
    return unit;
}

}  // namespace macrame::dla
