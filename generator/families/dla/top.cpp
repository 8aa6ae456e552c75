#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope top_scope(const Config& config, const Derived& derived) {
    text::List operands;  // SDP stages with operands from memory
    if (config.sdp_bs_enable) operands.emplace_back("b");
    if (config.sdp_bn_enable) operands.emplace_back("n");
    text::List rd_clients{"cdma_dat", "cdma_wt", "sdp"};
    for (const text::Value& x : operands) {
        rd_clients.emplace_back("sdp_" + std::get<std::string>(x.data));
    }
    text::List csb_units{"cfgrom", "glb",    "mcif", "cdma",     "csc",
                         "cmac_a", "cmac_b", "cacc", "sdp_rdma", "sdp"};
    text::List second_port;  // empty or one record
    if (config.secondary_memif_enable) {
        csb_units.emplace_back("cvif");
        const int bus_bytes = config.secondary_memif_width / 8;
        second_port.push_back(
            text::Scope{{"max_burst", config.secondary_memif_max_burst_length},
                        {"bus_bits", config.secondary_memif_width},
                        {"bus_bytes", bus_bytes},
                        {"atoms_per_beat", bus_bytes / derived.atom_bytes}});
    }
    return {
        {"csb_units", csb_units},
        {"second_port", second_port},
        // With a second port the units' links end at a switch, MCIF's begin behind it.
        {"pri", second_port.empty() ? "mcif" : "pri"},
        {"cdma_ram_types", ram_type_list("cdma", config)},
        {"sdp_rdma_ram_types", ram_type_list("sdp_rdma", config)},
        {"sdp_ram_types", ram_type_list("sdp", config)},
        {"rd_clients", rd_clients},
        {"wr_clients", text::List{"sdp"}},
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
