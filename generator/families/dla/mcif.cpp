#include <algorithm>
#include <string>

#include "families/dla/memif.hpp"
#include "families/dla/units.hpp"
#include "regs/register_map.hpp"

namespace macrame::dla {
namespace {

/// A DMA client of the memory interface.
struct Client {
    std::string_view name;    ///< as in the link names
    int id;                   ///< AXI id
    std::string_view weight;  ///< register field with its arbitration weight
    bool (*enabled)(const Config&);
    bool always_port = true;  ///< of the register file, also without the client
};

bool always(const Config&) { return true; }

/// Read clients in arbitration order.
constexpr Client kReadClients[] = {
    {"cdma_dat", 8, "CFG_RD_WEIGHT_1.RD_WEIGHT_CDMA_DAT", always},
    {"cdma_wt", 9, "CFG_RD_WEIGHT_2.RD_WEIGHT_CDMA_WT", always},
    {"sdp", 1, "CFG_RD_WEIGHT_0.RD_WEIGHT_SDP", always},
    {"sdp_b", 5, "CFG_RD_WEIGHT_1.RD_WEIGHT_SDP_B",
     [](const Config& c) { return c.sdp_bs_enable; }},
    {"sdp_n", 6, "CFG_RD_WEIGHT_1.RD_WEIGHT_SDP_N",
     [](const Config& c) { return c.sdp_bn_enable; }},
    {"sdp_e", 7, "CFG_RD_WEIGHT_1.RD_WEIGHT_SDP_E",
     [](const Config& c) { return c.sdp_ew_enable; }},
    {"pdp", 2, "CFG_RD_WEIGHT_0.RD_WEIGHT_PDP", [](const Config& c) { return c.pdp_enable; }},
    {"cdp", 3, "CFG_RD_WEIGHT_0.RD_WEIGHT_CDP", [](const Config& c) { return c.cdp_enable; }},
    {"rubik", 4, "CFG_RD_WEIGHT_2.RD_WEIGHT_RBK", [](const Config& c) { return c.rubik_enable; },
     false},
    {"bdma", 0, "CFG_RD_WEIGHT_0.RD_WEIGHT_BDMA", [](const Config& c) { return c.bdma_enable; },
     false},
    {"row", 10, "CFG_RD_WEIGHT_2.RD_WEIGHT_RSV_1", [](const Config& c) { return c.row_enable; },
     false},
};

/// Write clients in arbitration order.
constexpr Client kWriteClients[] = {
    {"sdp", 1, "CFG_WR_WEIGHT_0.WR_WEIGHT_SDP", always},
    {"pdp", 2, "CFG_WR_WEIGHT_0.WR_WEIGHT_PDP", [](const Config& c) { return c.pdp_enable; }},
    {"cdp", 3, "CFG_WR_WEIGHT_0.WR_WEIGHT_CDP", [](const Config& c) { return c.cdp_enable; }},
    {"rubik", 4, "CFG_WR_WEIGHT_1.WR_WEIGHT_RBK", [](const Config& c) { return c.rubik_enable; },
     false},
    {"bdma", 0, "CFG_WR_WEIGHT_0.WR_WEIGHT_BDMA", [](const Config& c) { return c.bdma_enable; },
     false},
    {"row", 10, "CFG_WR_WEIGHT_1.WR_WEIGHT_RSV_2", [](const Config& c) { return c.row_enable; },
     false},
};

/// A read client of the templates.
text::Scope read_client(const Client& client, int index, bool apart, const Derived& derived) {
    const bool own = apart && client.name == "cdma_wt";
    return {{"name", client.name},
            {"index", index},
            {"id", client.id},
            {"atoms", own ? derived.wt_atoms : 1}};  // of an answer
}

/// The same list with the last one first, as concatenations want it.
text::List down(const text::List& list) { return {list.rbegin(), list.rend()}; }

}  // namespace

text::Scope memif_scope(const Config& config, const Derived& derived, const MemoryPort& port) {
    const int bus_bytes = port.width / 8;
    const int atoms_per_beat = bus_bytes / derived.atom_bytes;
    const bool apart = weights_apart(config, port.width);
    text::List readers, writers, weights;
    text::List rd_ids, wr_ids;
    for (const Client& client : kReadClients) {
        const std::string net = "rd_weight_" + std::string(client.name);
        const bool present = client.enabled(config);
        if (!present && !client.always_port) continue;
        weights.emplace_back(text::Scope{{"net", present ? net : "unused_" + net},
                                         {"port", regs::port_name(client.weight)}});
        if (!present) continue;
        const int index = static_cast<int>(readers.size());
        readers.emplace_back(read_client(client, index, apart, derived));
        rd_ids.emplace_back(client.id);
    }
    // A single write client needs no weight.
    const bool weighs = std::count_if(std::begin(kWriteClients), std::end(kWriteClients),
                                      [&](const Client& c) { return c.enabled(config); }) > 1;
    for (const Client& client : kWriteClients) {
        const bool present = client.enabled(config);
        if (!present && !client.always_port) continue;
        const std::string net = "wr_weight_" + std::string(client.name);
        weights.emplace_back(text::Scope{{"net", present && weighs ? net : "unused_" + net},
                                         {"port", regs::port_name(client.weight)}});
        if (!present) continue;
        const int index = static_cast<int>(writers.size());
        writers.emplace_back(
            text::Scope{{"name", client.name}, {"index", index}, {"id", client.id}});
        wr_ids.emplace_back(client.id);
    }
    const int atom_lsb = clog2(derived.atom_bytes);
    const int bus_lsb = clog2(bus_bytes);
    const auto rd_count = static_cast<int>(readers.size());
    const auto wr_count = static_cast<int>(writers.size());
    return {
        {"mif", port.unit},
        {"MIF", port.title},
        {"axi", port.axi},
        {"bus_bits", port.width},
        {"bus_bytes", bus_bytes},
        {"atoms_per_beat", atoms_per_beat},
        {"rsp_latency", atoms_per_beat > 1 ? 2 : 1},  // cycles from R to the client
        {"weights_apart", apart},
        {"wt", wt_scope(derived)},
        {"max_burst", port.max_burst},
        {"rd_clients", readers},
        {"wr_clients", writers},
        {"rd_count", rd_count},
        {"wr_count", wr_count},
        {"weights", weights},
        {"rd_clients_down", down(readers)},
        {"wr_clients_down", down(writers)},
        {"rd_ids", down(rd_ids)},
        {"wr_ids", down(wr_ids)},
        {"atom_lsb", atom_lsb},
        {"bus_lsb", bus_lsb},
        {"bus_pos_w", derived.addr_w - bus_lsb},
        {"burst_atoms", port.max_burst * atoms_per_beat},
        // Transactions per client whose wanted atoms are remembered: one per cycle of latency, with
        // the way to memory and back; no more than 256 can be in flight.
        {"lane_notes", std::clamp(port.latency + 12, 20, 256)},
    };
}

std::vector<UnitOption> memif_options(int Config::*width, std::string_view atoms,
                                      std::string_view pairs) {
    std::vector<UnitOption> options;
    options.push_back({[width](const Config& c) { return weights_apart(c, c.*width); }, {atoms}});
    options.push_back({[](const Config& c) { return wt_atoms(c) > 1; }, {pairs}});
    const auto add = [&](const Client& client) {
        if (!client.always_port) options.push_back({client.enabled, {}, {client.weight}});
    };
    std::for_each(std::begin(kReadClients), std::end(kReadClients), add);
    std::for_each(std::begin(kWriteClients), std::end(kWriteClients), add);
    return options;
}

RegUse memif_registers(std::string_view unit) {
    RegUse use{unit, {}, {"STATUS.IDLE"}, {}};
    for (const Client& client : kReadClients) {
        if (client.always_port) use.outputs.push_back(client.weight);
    }
    for (const Client& client : kWriteClients) {
        if (client.always_port) use.outputs.push_back(client.weight);
    }
    use.outputs.push_back("CFG_OUTSTANDING_CNT.RD_OS_CNT");
    use.outputs.push_back("CFG_OUTSTANDING_CNT.WR_OS_CNT");
    return use;
}

namespace {

text::Scope mcif_scope(const Config& config, const Derived& derived) {
    return memif_scope(config, derived,
                       {"mcif", "MCIF", "dbb", config.primary_memif_width,
                        config.primary_memif_latency, config.primary_memif_max_burst_length});
}

}  // namespace

const Unit& mcif_unit() {
    static const Unit unit{
        "mcif",
        "memory interface: merges the DMA clients of all units onto one AXI port",
        nullptr,
        {"dla_mcif.v", "dla_mcif_rd.v", "dla_mcif_wr.v"},
        {"arb_wrr", "fifo_reg", "fifo_sync", "reg_copy", "sram_dist_1r1w"},
        {memif_registers("mcif")},
        mcif_scope,
        memif_options(&Config::primary_memif_width, "dla_mcif_atoms.v", "dla_mcif_pairs.v"),
        {},
        Place::memory,
    };
    return unit;
}

}  // namespace macrame::dla
