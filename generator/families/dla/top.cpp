#include <fmt/format.h>

#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Pins with which the clients of a unit say which memory port a layer uses.
std::string ram_type_pins(std::string_view unit, const Config& config) {
    std::string pins;
    for (const RamType& row : ram_types(unit, config)) {
        pins += fmt::format("{}.{}_ram_type ({}_ram_type),", pins.empty() ? "" : "\n", row.link,
                            row.link);
    }
    return pins;
}

/// Pins without a function, lines of a list.
std::string unused_pins(const Config& config, const Derived& derived, const char* unused_bid) {
    std::string pins;
    const auto add = [&pins](const std::string& line) {
        pins += (pins.empty() ? "" : "\n") + line + ",";
    };
    if (!config.clock_gating) add("global_clk_ovr_on, tmc2slcg_disable_clock_gating");
    if (derived.atoms_per_beat == 1) add("nvdla_core2dbb_r_rlast");
    if (config.secondary_memif_enable) {
        if (config.secondary_memif_width == derived.atom_bits) add("nvdla_core2cvsram_r_rlast");
        add(fmt::format("nvdla_core2cvsram_b_bid{}, nvdla_core2cvsram_r_rid[7:4]", unused_bid));
    }
    return pins;
}

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
            {"name", name}, {"title", title}, {"ram_type_pins", ram_type_pins(name, config)}});
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
    const char* unused_bid = wr_clients.size() > 1 ? "[7:4]" : "";
    return {
        {"csb_units", units_on_csb},
        {"cfgroms", has_v1_map(config) ? text::List{} : text::List{"cfgrom"}},
        {"reset_units", reset_units},
        {"second_port", second_port},
        // With a second port the units' links end at a switch, MCIF's begin behind it.
        {"pri", second_port.empty() ? "mcif" : "pri"},
        {"cdma_ram_type_pins", ram_type_pins("cdma", config)},
        {"sdp_rdma_ram_type_pins", ram_type_pins("sdp_rdma", config)},
        {"sdp_ram_type_pins", ram_type_pins("sdp", config)},
        {"pdp_rdma_ram_type_pins", ram_type_pins("pdp_rdma", config)},
        {"pdp_ram_type_pins", ram_type_pins("pdp", config)},
        {"cdp_rdma_ram_type_pins", ram_type_pins("cdp_rdma", config)},
        {"cdp_ram_type_pins", ram_type_pins("cdp", config)},
        {"movers", movers},
        // Bits of BID without a function: the low ones tell write clients apart.
        {"unused_bid", unused_bid},
        {"unused_pins", unused_pins(config, derived, unused_bid)},
        {"wt", wt_scope(derived)},
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
