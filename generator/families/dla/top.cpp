#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope top_scope(const Config& config, const Derived& derived) {
    text::List operands;  // SDP stages with operands from memory
    if (config.sdp_bs_enable) operands.emplace_back("b");
    if (config.sdp_bn_enable) operands.emplace_back("n");
    if (config.sdp_ew_enable) operands.emplace_back("e");
    text::List rd_clients{"cdma_dat", "cdma_wt", "sdp"};
    for (const text::Value& x : operands) {
        rd_clients.emplace_back("sdp_" + std::get<std::string>(x.data));
    }
    text::List wr_clients{"sdp"};
    if (config.pdp_enable) {
        rd_clients.emplace_back("pdp");
        wr_clients.emplace_back("pdp");
    }
    if (config.cdp_enable) {
        rd_clients.emplace_back("cdp");
        wr_clients.emplace_back("cdp");
    }
    text::List movers;  // units that only move data in memory
    const auto add_mover = [&](const char* name, const char* title) {
        rd_clients.emplace_back(name);
        wr_clients.emplace_back(name);
        movers.push_back(text::Scope{
            {"name", name}, {"title", title}, {"ram_types", ram_type_list(name, config)}});
    };
    if (config.rubik_enable) add_mover("rubik", "reshaping");
    if (config.bdma_enable) add_mover("bdma", "copies in memory");
    text::List units_on_csb;
    for (std::string_view unit : csb_units(config))
        units_on_csb.emplace_back(unit);
    text::List reset_units{"csb_master", "cbuf"};
    for (const text::Value& unit : units_on_csb) {
        if (std::get<std::string>(unit.data) != "cfgrom") reset_units.push_back(unit);
    }
    text::List second_port;  // empty or one record
    if (config.secondary_memif_enable) {
        const int bus_bytes = config.secondary_memif_width / 8;
        second_port.push_back(text::Scope{{"max_burst", config.secondary_memif_max_burst_length},
                                          {"bus_bits", config.secondary_memif_width},
                                          {"bus_bytes", bus_bytes},
                                          {"atoms_per_beat", bus_bytes / derived.atom_bytes}});
    }
    return {
        {"csb_units", units_on_csb},
        {"cfgroms", has_v1_map(config) ? text::List{} : text::List{"cfgrom"}},
        {"reset_units", reset_units},
        {"second_port", second_port},
        // With a second port the units' links end at a switch, MCIF's begin behind it.
        {"pri", second_port.empty() ? "mcif" : "pri"},
        {"cdma_ram_types", ram_type_list("cdma", config)},
        {"sdp_rdma_ram_types", ram_type_list("sdp_rdma", config)},
        {"sdp_ram_types", ram_type_list("sdp", config)},
        {"pdp_rdma_ram_types", ram_type_list("pdp_rdma", config)},
        {"pdp_ram_types", ram_type_list("pdp", config)},
        {"cdp_rdma_ram_types", ram_type_list("cdp_rdma", config)},
        {"cdp_ram_types", ram_type_list("cdp", config)},
        {"movers", movers},
        // Bits of BID without a function: the low ones tell write clients apart.
        {"unused_bid", wr_clients.size() > 1 ? "[7:4]" : ""},
        {"rd_clients", rd_clients},
        {"wr_clients", wr_clients},
        {"cmac", config.retiming_enable ? "dla_cmac_retimed" : "dla_cmac"},
        {"halves", text::List{"a", "b"}},
        {"masks", text::Scope{{"on", config.weight_compression_enable ? 1 : 0}}},
        {"operands", operands},
        {"sums", mac_link(config, derived)},
    };
}

}  // namespace

const Unit& top_unit() {
    static const Unit unit{
        "top",         "all units and the links between them",         nullptr,
        {"dla_top.v"}, {"reset_sync", "reset_copy", "power_on_reset"}, {},
        top_scope,
    };
    return unit;
}

}  // namespace macrame::dla
