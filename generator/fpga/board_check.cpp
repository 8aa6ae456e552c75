/// What has to go together in a board.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/words.hpp"
#include "fpga/board.hpp"
#include "fpga/host/serial_port.hpp"

namespace macrame::fpga {

namespace {

/// Tools, and memories that their projects have a way to.
const std::map<std::string, std::vector<std::string>>& flows() {
    static const std::map<std::string, std::vector<std::string>> kFlows = {
        {"ecp5", {"block", "sdram"}},
        {"ice40", {"block"}},
        {"vivado", {"block", "ps7", "ps8"}},
    };
    return kFlows;
}

/// A port of the top of a board without a processor.
struct Port {
    std::string_view name;
    std::size_t bits;
    std::size_t least = bits;
};
constexpr Port kPorts[] = {{"clk", 1}, {"reset", 1}, {"uart_rx", 1}, {"uart_tx", 1}, {"led", 3, 1}};
constexpr Port kSdramPorts[] = {
    {"sdram_clk", 1},  {"sdram_cke", 1}, {"sdram_cs_n", 1}, {"sdram_ras_n", 1}, {"sdram_cas_n", 1},
    {"sdram_we_n", 1}, {"sdram_ba", 2},  {"sdram_dqm", 2},  {"sdram_a", 13},    {"sdram_dq", 16}};

class Check {
public:
    Check(const Board& board, const std::string& place) : board_(board), place_(place) {}

    Diags run() {
        const auto flow = flows().find(board_.flow);
        if (flow == flows().end()) {
            std::vector<std::string> names;
            for (const auto& [name, memories] : flows())
                names.push_back(name);
            value("flow", board_.flow, join_or(names));
            return diags_;
        }
        const auto& memories = flow->second;
        if (std::find(memories.begin(), memories.end(), board_.memory) == memories.end())
            value("memory.kind", board_.memory,
                  fmt::format("{} with flow {}", join_or(memories), board_.flow));
        else
            clock_and_memory();
        if (board_.baud != 0) line();
        sites();
        return diags_;
    }

private:
    void clock_and_memory() {
        if (board_.has_processor() != (board_.clock_mhz == 0))
            value("clock.mhz", std::to_string(board_.clock_mhz),
                  board_.has_processor() ? "0, the processor makes the clock" : "that of its pin");
        const bool power = (board_.memory_kib & (board_.memory_kib - 1)) == 0;
        if (!board_.has_processor() && !power)
            value("memory.kib", std::to_string(board_.memory_kib), "a power of two");
    }
    /// What a board with a host has.
    void line() {
        if (board_.has_processor()) {
            value("host.baud", std::to_string(board_.baud), "none beside a processor");
            return;
        }
        const std::vector<int>& rates = baud_rates();
        if (std::find(rates.begin(), rates.end(), board_.baud) == rates.end()) {
            std::vector<std::string> names;
            for (const int rate : rates)
                names.push_back(std::to_string(rate));
            value("host.baud", std::to_string(board_.baud), join_or(names));
        }
        if (board_.memory_brams() > board_.brams)
            value("memory.kib", std::to_string(board_.memory_kib),
                  fmt::format("no more than its {} block RAMs hold", board_.brams));
        for (const Port& port : kPorts)
            pin(port);
        if (board_.memory != "sdram") return;
        for (const Port& port : kSdramPorts)
            pin(port);
    }
    void pin(const Port& port) {
        const auto found = std::find_if(board_.pins.begin(), board_.pins.end(),
                                        [&](const Pin& each) { return each.port == port.name; });
        if (found == board_.pins.end())
            say(fmt::format("no pins.{}: want its sites, {}", port.name, count(port)));
        else if (found->sites.size() > port.bits || found->sites.size() < port.least)
            say(fmt::format("pins.{}.sites: {} of them: want {}", port.name, found->sites.size(),
                            count(port)));
    }
    static std::string count(const Port& port) {
        return port.least == port.bits ? std::to_string(port.bits)
                                       : fmt::format("{} to {}", port.least, port.bits);
    }
    /// Each pin is one of the top and has a site for itself.
    void sites() {
        std::map<std::string, std::string> users;
        for (const Pin& each : board_.pins) {
            if (!is_port(each.port))
                say(fmt::format("pins.{}: the top has no such port", each.port));
            for (const std::string& site : each.sites) {
                const auto [at, is_new] = users.emplace(site, each.port);
                if (!is_new)
                    say(fmt::format("pins.{}.sites: {}: want another, it is that of {}", each.port,
                                    site, at->second));
            }
        }
    }
    bool is_port(const std::string& name) const {
        const auto is = [&](const Port& port) { return port.name == name; };
        if (board_.has_processor()) return false;
        return std::any_of(std::begin(kPorts), std::end(kPorts), is) ||
               (board_.memory == "sdram" &&
                std::any_of(std::begin(kSdramPorts), std::end(kSdramPorts), is));
    }

    void value(std::string_view key, std::string_view found, std::string_view wanted) {
        say(fmt::format("{} = {}: want {}", key, found.empty() ? "\"\"" : found, wanted));
    }
    void say(const std::string& text) { diags_.push_back({fmt::format("{}: {}", place_, text)}); }

    const Board& board_;
    const std::string& place_;
    Diags diags_;
};

}  // namespace

Diags check(const Board& board, const std::string& place) { return Check(board, place).run(); }

}  // namespace macrame::fpga
