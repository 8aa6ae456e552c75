#include <algorithm>
#include <string>

#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"
#include "regs/to_verilog.hpp"

namespace macrame::dla {
namespace {

/// Register maps of the units that sit on the CSB, in the order of their pages.
constexpr std::string_view kCsbUnits[] = {"cfgrom", "glb",  "mcif",     "cdma", "csc",      "cmac_a",
                                          "cmac_b", "cacc", "sdp_rdma", "sdp",  "pdp_rdma", "pdp"};

/// The unit answers in this configuration.
bool present(const Config& config, std::string_view unit) {
    return config.pdp_enable || unit.substr(0, 3) != "pdp";
}

/// `a | b | c`, four terms per line.
std::string rdata_or(const Config& config) {
    std::string text;
    int terms = 0;
    for (std::string_view unit : kCsbUnits) {
        if (!present(config, unit)) continue;
        if (terms > 0) text += terms % 4 == 0 ? " |\n                 " : " | ";
        text += std::string(unit) + "2csb_rdata";
        ++terms;
    }
    return text;
}

text::Scope csb_master_scope(const Config& config, const Derived&) {
    text::List units;
    int sweep = 1;
    for (std::string_view name : kCsbUnits) {
        if (!present(config, name)) continue;
        const regs::RegisterMap& map = *find_register_map(name);
        units.push_back(text::Scope{
            {"name", std::string(name)},
            {"page", static_cast<int>(*map.base >> 12)},
            {"comma", ","},
        });
        sweep = std::max(sweep, regs::reset_sweep_cycles(map));
    }
    std::get<text::Scope>(units.back().data).set("comma", "");
    return {
        {"csb_units", units},
        {"rdata_or", rdata_or(config)},
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
    };
    return unit;
}

}  // namespace macrame::dla
