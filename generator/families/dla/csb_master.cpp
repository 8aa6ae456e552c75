#include <algorithm>
#include <string>
#include <vector>

#include "families/dla/registers/register_file.hpp"
#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
std::vector<std::string_view> csb_units(const Config& config) {
    std::vector<std::string_view> list = {"glb",    "mcif", "cdma",     "csc", "cmac_a",
                                          "cmac_b", "cacc", "sdp_rdma", "sdp"};
    if (!has_v1_map(config)) list.insert(list.begin(), "cfgrom");
    if (config.pdp_enable) list.insert(list.end(), {"pdp_rdma", "pdp"});
    if (config.cdp_enable) list.insert(list.end(), {"cdp_rdma", "cdp"});
    if (config.secondary_memif_enable) list.push_back("cvif");
    if (config.bdma_enable) list.push_back("bdma");
    if (config.rubik_enable) list.push_back("rubik");
    if (config.row_enable) list.push_back("row");
    return list;
}

namespace {

/// The units, four per line.
text::List rows_of_four(const std::vector<std::string_view>& names) {
    text::List rows;
    for (std::size_t at = 0; at < names.size(); at += 4) {
        text::List units;
        for (std::size_t i = at; i < std::min(at + 4, names.size()); ++i)
            units.emplace_back(names[i]);
        rows.push_back(
            text::Scope{{"units", units}, {"first", at == 0}, {"last", at + 4 >= names.size()}});
    }
    return rows;
}

text::Scope csb_master_scope(const Config& config, const Derived&) {
    const std::vector<std::string_view> names = csb_units(config);
    text::List units;
    int sweep = config.cdp_enable || config.sdp_lut_enable ? kLutClearCycles : 1;
    for (std::string_view name : names) {
        const std::string_view variant = has_v1_map(config) ? kV1 : std::string_view();
        const regs::RegisterMap& map = *find_register_map(name, variant);
        units.push_back(text::Scope{
            {"name", std::string(name)},
            {"page", static_cast<int>(*map.base >> 12)},
            {"comma", name == names.back() ? "" : ","},
        });
        sweep = std::max(sweep, reset_sweep_cycles(map));
    }
    return {
        {"csb_units", units},
        {"rdata_rows", rows_of_four(names)},
        {"reset_sweep", sweep},
        {"reset_sweep_w", clog2(sweep)},
    };
}

}  // namespace

const Unit& csb_master_unit() {
    static const Unit unit{
        "csb_master",
        "brings register accesses from the CSB clock to the core clock and to their unit",
        nullptr,
        {"dla_csb_master.v"},
        {"fifo_async"},
        {},
        csb_master_scope,
        {},
        {},
        Place::control,
    };
    return unit;
}

}  // namespace macrame::dla
