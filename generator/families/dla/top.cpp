#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::List list_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

text::Scope top_scope(const Config& config, const Derived& derived) {
    const Clients of = clients(config);
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
        {"reset_units", reset_units},
        {"second_port", second_port},
        // With a second port the units' links end at a switch, MCIF's begin behind it.
        {"pri", second_port.empty() ? "mcif" : "pri"},
        // BID tells write clients apart.
        {"write_ids", of.writers.size() > 1},
        {"wt", wt_scope(derived)},
        {"rd_clients", list_of(of.readers)},
        {"wr_clients", list_of(of.writers)},
        {"sums", mac_link(config, derived)},
    };
}

}  // namespace

const Unit& top_unit() {
    static const Unit unit = [] {
        Unit row{"top",         "all units and the links between them",         nullptr,
                 {"dla_top.v"}, {"reset_sync", "reset_copy", "power_on_reset"}, {},
                 top_scope};
        row.wiring = top_wiring;
        return row;
    }();
    return unit;
}

}  // namespace macrame::dla
