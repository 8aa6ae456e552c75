#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope top_scope(const Config& config, const Derived&) {
    text::List operands;  // SDP stages with operands from memory
    if (config.sdp_bs_enable) operands.emplace_back("b");
    if (config.sdp_bn_enable) operands.emplace_back("n");
    text::List rd_clients{"cdma_dat", "cdma_wt", "sdp"};
    for (const text::Value& x : operands) {
        rd_clients.emplace_back("sdp_" + std::get<std::string>(x.data));
    }
    text::List csb_units{"cfgrom", "glb",    "mcif", "cdma",     "csc",
                         "cmac_a", "cmac_b", "cacc", "sdp_rdma", "sdp"};
    text::List wr_clients{"sdp"};
    if (config.pdp_enable) {
        csb_units.emplace_back("pdp_rdma");
        csb_units.emplace_back("pdp");
        rd_clients.emplace_back("pdp");
        wr_clients.emplace_back("pdp");
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
