#include "explore/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "core/words.hpp"
#include "explore/cost.hpp"
#include "fpga/board.hpp"

namespace macrame::explore {

namespace {

constexpr int kDefaultMhz = 100;
/// Of the LUTs of an FPGA: with more of them routing fails or gets slow.
constexpr double kUsableLuts = 0.8;

void add_families(Setup& setup, const Options& options, const emit::Assets& assets, Diags& diags) {
    std::vector<std::string> names;
    for (const Family* family : assets.families()) {
        if (family->space == nullptr || family->target == nullptr) continue;
        names.emplace_back(family->name);
        if (options.family == "all" || options.family == family->name)
            setup.families.push_back(family);
    }
    names.emplace_back("all");
    if (setup.families.empty())
        diags.push_back({finding("family", options.family, join_or(names), "--family")});
}

void add_board(Setup& setup, const Options& options, const emit::Assets& assets, Diags& diags) {
    if (options.board.empty()) return;
    const std::optional<fpga::Board> board =
        fpga::find_board(options.board, options.board_folder, assets, diags);
    if (!board) return;
    setup.target = target_of_flow(board->flow);
    if (setup.target.empty())
        diags.push_back(
            {finding("board", board->name, "one with a 7-series FPGA or an ECP5", "--board")});
    setup.limits.luts = static_cast<int>(kUsableLuts * board->luts);
    setup.limits.dsps = board->dsps;
    setup.limits.brams = board->brams - board->memory_brams();
    setup.mhz = board->core_mhz;
    setup.memory_bytes_per_cycle = board->memory_bytes_per_cycle;
}

void add_weights(Setup& setup, const Options& options, Diags& diags) {
    setup.weights = options.weights;
    if (setup.weights.empty()) setup.weights.assign(options.networks.size(), 1.0);
    const bool good =
        setup.weights.size() == options.networks.size() &&
        std::all_of(setup.weights.begin(), setup.weights.end(), [](double w) { return w > 0; });
    if (!good)
        diags.push_back(
            {fmt::format("--weights: {} numbers: want a number above 0 for each of {} "
                         "networks",
                         setup.weights.size(), options.networks.size())});
    const double sum = std::accumulate(setup.weights.begin(), setup.weights.end(), 0.0);
    for (double& weight : setup.weights)
        weight /= sum;
}

}  // namespace

std::optional<Setup> setup_of(const Options& options, const emit::Assets& assets, Diags& diags) {
    Setup out;
    out.mhz = kDefaultMhz;
    add_families(out, options, assets, diags);
    add_board(out, options, assets, diags);
    add_weights(out, options, diags);
    const Limits& limits = options.limits;
    if (limits.luts) out.limits.luts = limits.luts;
    if (limits.dsps) out.limits.dsps = limits.dsps;
    if (limits.brams) out.limits.brams = limits.brams;
    if (!options.target.empty()) out.target = options.target;
    if (out.target.empty()) out.target = targets().front();
    if (options.mhz != 0) out.mhz = options.mhz;
    out.own_clock = options.own_clock;
    if (options.memory_bytes_per_cycle != 0)
        out.memory_bytes_per_cycle = options.memory_bytes_per_cycle;
    out.threads = options.jobs != 0
                      ? options.jobs
                      : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    out.part = options.part;
    out.parts = options.parts;
    if (!diags.empty()) return std::nullopt;
    return out;
}

}  // namespace macrame::explore
