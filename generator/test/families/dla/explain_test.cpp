#include "explain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "emit/generate.hpp"
#include "emit/verilog_text.hpp"
#include "regs/text.hpp"
#include "support.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Request with(const Values& values) {
    Request request;
    request.preset = "nv_small";
    request.values = values;
    return request;
}

/// The answer to `macrame explain` with these options.
std::string explained(const Values& values, bool accepted) {
    bool is_accepted = !accepted;
    const std::string text = explain_configuration(with(values), emit::Assets(), is_accepted);
    EXPECT_EQ(is_accepted, accepted);
    return text;
}

TEST(Explain, RefusedWithReasonAndWhatWouldBeAccepted) {
    EXPECT_EQ(explained({{"mac_atomic_c_size", "64"}}, false),
              "mac-atomic-c-size = 64: want 1, 2 or 4 times memory-atomic-size (8) "
              "(--mac-atomic-c-size)\n"
              "    accepted: mac-atomic-c-size = 8, 16 or 32\n"
              "    or        mac-atomic-k-size = 16 or 32\n"
              "nv_small: refused, 1 reason\n");
    EXPECT_EQ(explained({{"cbuf_bank_number", "24"}, {"secondary_memif_enable", "true"}}, false),
              "cbuf-bank-number = 24: want a power of two in 2..32 (--cbuf-bank-number)\n"
              "    accepted: cbuf-bank-number = a power of two in 2..32\n"
              "secondary-memif-width = none: want at least one memory atom, 64 bits "
              "(nv_small.toml)\n"
              "    accepted: secondary-memif-width = 64, 128, 256 or 512\n"
              "    or        secondary-memif-enable = false\n"
              "secondary-memif-latency = none: want a number, as secondary-memif-enable is true "
              "(nv_small.toml)\n"
              "    accepted: secondary-memif-latency = a number in 1..65535\n"
              "    or        secondary-memif-enable = false\n"
              "secondary-memif-max-burst-length = none: want 1, 4, 8 or 16, as "
              "secondary-memif-enable is true (nv_small.toml)\n"
              "    accepted: secondary-memif-max-burst-length = 1, 4, 8 or 16\n"
              "    or        secondary-memif-enable = false\n"
              "nv_small: refused, 4 reasons\n");
}

TEST(Explain, MalformedValues) {
    EXPECT_EQ(explained({{"mem_address_width", "wide"}}, false),
              "mem-address-width = wide: want a number in 32..64 (--mem-address-width)\n"
              "nv_small: refused, 1 reason\n");
}

TEST(Explain, AcceptedShowsValuesAndOrigins) {
    const std::string text = explained({{"mac_atomic_c_size", "16"}}, true);
    EXPECT_NE(text.find("mac-atomic-c-size                 16          --mac-atomic-c-size\n"),
              std::string::npos);
    EXPECT_NE(text.find("cbuf-bank-width                   16          follows mac-atomic-c-size"),
              std::string::npos);
    EXPECT_NE(text.find("\nnv_small: accepted; 128 MACs, 256 KiB buffer, 64-bit memory port"),
              std::string::npos)
        << text;
}

/// What a repair says is accepted is: nothing is left of one reason, and nothing new comes.
TEST(Explain, RepairsRepair) {
    const std::vector<Values> broken = {
        {{"mac_atomic_c_size", "64"}},
        {{"cbuf_bank_depth", "1024"}, {"mac_atomic_c_size", "64"}, {"mac_atomic_k_size", "16"}},
        {{"sdp_bs_throughput", "16"}},
        {{"sdp_lut_enable", "true"}},
        {{"rubik_enable", "true"}},
        {{"num_dma_write_clients", "1"}},
        {{"primary_memif_width", "64"}, {"mac_atomic_k_size", "16"}, {"mac_atomic_c_size", "16"}},
    };
    for (const Values& values : broken) {
        Request request = with(values);
        Diags diags;
        const auto wrong = violations(resolve(request, emit::Assets(), diags));
        ASSERT_EQ(wrong.size(), 1u) << values.front().first;
        const std::vector<Repair> found = repairs(request, emit::Assets(), wrong.front());
        ASSERT_FALSE(found.empty()) << values.front().first;
        EXPECT_EQ(found.front().param, wrong.front().param) << values.front().first;
        for (const Repair& repair : found) {
            const std::string first = repair.values.substr(0, repair.values.find_first_of(", "));
            request.values = values;
            request.values.emplace_back(repair.param->key, first);
            EXPECT_TRUE(check(resolve(request, emit::Assets(), diags)).empty())
                << repair.param->key << " = " << first;
        }
    }
}

/// The rows below a heading of the text about a unit: first column, second column.
std::vector<std::pair<std::string, std::string>> rows_of(const std::string& text,
                                                         const std::string& heading) {
    std::vector<std::pair<std::string, std::string>> rows;
    std::string_view lines = text;
    bool inside = false;
    while (!lines.empty()) {
        const std::string line(verif::text::next_line(lines));
        EXPECT_LE(line.size(), 140u) << line;
        if (line.compare(0, 4, "    ") != 0) {
            inside = line == "  " + heading;
        } else if (inside) {
            const std::string cells = line.substr(4);
            const std::size_t end = std::min(cells.find("  "), cells.size());
            const std::size_t second = cells.find_first_not_of(' ', end);
            const std::string name = cells.substr(0, end);
            if (name.empty()) {
                rows.back().second += " " + cells.substr(second);
            } else {
                rows.emplace_back(name, second == cells.npos ? "" : cells.substr(second));
            }
        }
    }
    return rows;
}

/// Ports of a register file for the fields that the text lists.
std::set<std::string> listed_ports(const std::string& text) {
    std::set<std::string> ports;
    for (const std::string heading :
         {"fields that it uses, written by software", "fields that it sets, read by software"}) {
        for (const auto& [reg, fields] : rows_of(text, heading)) {
            std::string_view left = fields;
            while (!left.empty()) {
                const std::size_t end = std::min(left.find(", "), left.size());
                ports.insert(regs::port_name(fmt::format("{}.{}", reg, left.substr(0, end))));
                left.remove_prefix(std::min(end + 2, left.size()));
            }
        }
    }
    for (const auto& [reg, nothing] : rows_of(text, "registers of which it sees each write"))
        ports.insert(regs::lower(reg) + "_wr");
    return ports;
}

/// Those that the register files of a unit have.
std::set<std::string> emitted_ports(const Unit& unit, const emit::OutputSet& set) {
    std::set<std::string> ports;
    for (const RegUse& use : unit.regs) {
        const std::string path = fmt::format("rtl/dla_{}_regs.v", use.unit);
        for (const emit::OutputFile& file : set.files()) {
            if (file.path != path) continue;
            for (const emit::PortGroup& group : emit::port_groups(file.bytes)) {
                for (const emit::Port& port : group.ports) {
                    const std::string begin = port.name.substr(0, port.name.find('_') + 1);
                    if (begin != "d_" && begin != "s_" && begin != "cfg_" && begin != "status_")
                        continue;
                    // What a read returns of a field whose write has an effect ends in _rd.
                    const std::size_t size = port.name.size();
                    const bool read = !port.is_output && port.name.substr(size - 3) == "_rd";
                    ports.insert(port.name.substr(0, read ? size - 3 : size));
                }
            }
        }
    }
    return ports;
}

/// Files and registers of all units are those that are emitted, no more and no less.
TEST(Explain, UnitsAreAsEmitted) {
    const std::vector<Values> configurations = {
        {},
        {{"sdp_ew_enable", "true"},
         {"sdp_ew_throughput", "1"},
         {"sdp_lut_enable", "true"},
         {"clock_gating", "true"},
         {"secondary_memif_enable", "true"},
         {"secondary_memif_width", "64"},
         {"secondary_memif_latency", "10"},
         {"secondary_memif_max_burst_length", "1"},
         {"num_dma_read_clients", "8"}},
        {{"pdp_enable", "false"},
         {"cdp_enable", "false"},
         {"sdp_bs_enable", "false"},
         {"sdp_bn_enable", "false"},
         {"image_enable", "false"},
         {"num_dma_read_clients", "3"},
         {"num_dma_write_clients", "1"}},
    };
    const emit::Assets assets;
    for (const Values& values : configurations) {
        Diags diags;
        const Settings settings = resolve(with(values), assets, diags);
        ASSERT_TRUE(check(settings).empty()) << check(settings).front().text;
        const Design& chosen = settings.design;
        const emit::OutputSet set = emit::generate(chosen, assets, diags);
        std::set<std::string> listed;
        for (const Unit* unit : family().units) {
            const std::string text = explain_unit(*unit, chosen, assets);
            if (!unit->is_in(chosen.config)) {
                EXPECT_NE(text.find("\n  not in nv_small: want "), text.npos) << text;
                continue;
            }
            for (const auto& [path, source] : rows_of(text, "files")) {
                EXPECT_TRUE(listed.insert(path).second) << path;
                EXPECT_EQ(path.compare(0, 8, "rtl/dla_"), 0) << path;
            }
            EXPECT_EQ(listed_ports(text), emitted_ports(*unit, set)) << unit->name;
        }
        for (const emit::OutputFile& file : set.files()) {
            if (file.path.compare(0, 8, "rtl/dla_") != 0) continue;
            EXPECT_EQ(listed.erase(file.path), 1u) << file.path;
        }
        EXPECT_EQ(listed, std::set<std::string>{});
    }
}

TEST(Explain, UnitThatIsNotThere) {
    Config config;
    EXPECT_EQ(explain_unit(*family().find_unit("cvif"), design(config), emit::Assets()),
              "cvif: second memory interface, and the switches that send a client to either\n"
              "  not in nv_small: want secondary-memif-enable = true\n");
}

TEST(Explain, UnitInTwoColumns) {
    const std::string text = explain_unit(*family().find_unit("cmac"), design(), emit::Assets());
    EXPECT_EQ(
        text.substr(0, text.find("  parameters")),
        "cmac: one half of the MAC array: signed 8 x 8 products summed over the channel lanes\n"
        "  files\n"
        "    rtl/dla_cmac.v                    templates/dla/cmac/dla_cmac.v\n"
        "    rtl/dla_cmac_dot.v                templates/dla/cmac/dla_cmac_dot.v\n"
        "    rtl/dla_cmac_pair.v               templates/dla/cmac/dla_cmac_pair.v\n"
        "    rtl/dla_cmac_regs.v               the register table of CMAC_A\n"
        "  registers\n"
        "    CMAC_A at 0x05000                 4 registers, MAC array, lower half of the kernels\n"
        "    CMAC_B at 0x06000                 4 registers, MAC array, upper half of the "
        "kernels\n");
}

TEST(Explain, Sizes) {
    Config config;
    EXPECT_EQ(family().size_text(config), "64 MACs, 128 KiB buffer, 64-bit memory port");
    config.secondary_memif_enable = true;
    config.secondary_memif_width = 128;
    EXPECT_EQ(family().size_text(config),
              "64 MACs, 128 KiB buffer, 64-bit memory port, 128-bit second port");
}

}  // namespace
}  // namespace macrame::dla
