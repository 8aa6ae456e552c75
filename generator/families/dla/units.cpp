#include "families/dla/units.hpp"

#include <string>

#include "regs/register_map.hpp"

namespace macrame::dla {
namespace {

/// A client is one row here, its row in mcif.cpp and the loops over `ram_types` in its template.
constexpr RamType kRamTypes[] = {
    {"cdma", "cdma_dat2mcif_rd", "D_DAIN_RAM_TYPE.DATAIN_RAM_TYPE"},
    {"cdma", "cdma_wt2mcif_rd", "D_WEIGHT_RAM_TYPE.WEIGHT_RAM_TYPE"},
    {"sdp_rdma", "sdp2mcif_rd", "D_SRC_DMA_CFG.SRC_RAM_TYPE"},
    {"sdp_rdma", "sdp_b2mcif_rd", "D_BRDMA_CFG.BRDMA_RAM_TYPE",
     [](const Config& c) { return c.sdp_bs_enable; }},
    {"sdp_rdma", "sdp_n2mcif_rd", "D_NRDMA_CFG.NRDMA_RAM_TYPE",
     [](const Config& c) { return c.sdp_bn_enable; }},
    {"sdp_rdma", "sdp_e2mcif_rd", "D_ERDMA_CFG.ERDMA_RAM_TYPE",
     [](const Config& c) { return c.sdp_ew_enable; }},
    {"sdp", "sdp2mcif_wr", "D_DST_DMA_CFG.DST_RAM_TYPE"},
    {"pdp_rdma", "pdp2mcif_rd", "D_SRC_RAM_CFG.SRC_RAM_TYPE"},
    {"pdp", "pdp2mcif_wr", "D_DST_RAM_CFG.DST_RAM_TYPE"},
    {"cdp_rdma", "cdp2mcif_rd", "D_SRC_DMA_CFG.SRC_RAM_TYPE"},
    {"cdp", "cdp2mcif_wr", "D_DST_DMA_CFG.DST_RAM_TYPE"},
    {"rubik", "rubik2mcif_rd", "D_DAIN_RAM_TYPE.DATAIN_RAM_TYPE"},
    {"rubik", "rubik2mcif_wr", "D_DAOUT_RAM_TYPE.DATAOUT_RAM_TYPE"},
    {"row", "row2mcif_rd", "D_SRC_DMA_CFG.SRC_RAM_TYPE"},
    {"row", "row2mcif_wr", "D_DST_DMA_CFG.DST_RAM_TYPE"},
    {"bdma", "bdma2mcif_rd", "CFG_CMD.SRC_RAM_TYPE"},
    {"bdma", "bdma2mcif_wr", "CFG_CMD.DST_RAM_TYPE"},
};

}  // namespace

std::vector<RamType> ram_types(std::string_view unit, const Config& config) {
    std::vector<RamType> rows;
    if (!config.secondary_memif_enable) return rows;
    for (const RamType& row : kRamTypes) {
        if (row.unit == unit && (row.enabled == nullptr || row.enabled(config))) {
            rows.push_back(row);
        }
    }
    return rows;
}

text::List ram_type_list(std::string_view unit, const Config& config) {
    text::List list;
    for (const RamType& row : ram_types(unit, config)) {
        list.push_back(text::Scope{{"link", row.link}, {"port", regs::port_name(row.field)}});
    }
    return list;
}

namespace {

/// What a second port adds to a unit with memory clients: ports of the register file with the
/// RAM_TYPE of each client.
void add_ram_types(Unit& unit) {
    for (const RamType& row : kRamTypes) {
        if (row.unit != unit.name) continue;
        unit.options.push_back({[&row](const Config& c) {
                                    return c.secondary_memif_enable &&
                                           (row.enabled == nullptr || row.enabled(c));
                                },
                                {},
                                {row.field}});
    }
}

/// The row of a unit with what all units have: the name of the datapath clock, the memory ports of
/// its clients.
Unit complete_row(Unit unit) {
    add_ram_types(unit);
    unit.scope = [name = unit.name, scope = unit.scope](const Config& c, const Derived& d) {
        text::Scope out = scope ? scope(c, d) : text::Scope();
        out.set("gclk", c.clock_gating ? "gclk" : "clk");
        out.set("ram_types", ram_type_list(name, c));
        return out;
    };
    return unit;
}

}  // namespace

const std::vector<const Unit*>& units() {
    static const std::vector<Unit> kRows = [] {
        std::vector<Unit> rows;
        for (const Unit& (*unit)() :
             {cfgrom_unit,   glb_unit,    csb_master_unit, mcif_unit, cvif_unit,
              cdma_unit,     cbuf_unit,   csc_unit,        cmac_unit, cacc_unit,
              sdp_rdma_unit, sdp_unit,    pdp_rdma_unit,   pdp_unit,  cdp_rdma_unit,
              cdp_unit,      bdma_unit,   rubik_unit,      row_unit,  top_unit,
              axi_lite_unit, apb_unit,    sysctl_unit,     axi_mem_unit, axi_unit}) {
            rows.push_back(complete_row(unit()));
        }
        return rows;
    }();
    static const std::vector<const Unit*> kUnits = [] {
        std::vector<const Unit*> list;
        for (const Unit& row : kRows)
            list.push_back(&row);
        return list;
    }();
    return kUnits;
}

}  // namespace macrame::dla
