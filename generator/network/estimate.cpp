#include "network/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"
#include "network/commands.hpp"
#include "network/cycles.hpp"
#include "network/exactness.hpp"
#include "network/network.hpp"
#include "network/operators.hpp"
#include "network/report/report.hpp"
#include "network/work.hpp"

namespace macrame::network {

namespace {

std::string milliseconds(std::uint64_t cycles, int mhz) {
    return fmt::format("{:.3f} ms", static_cast<double>(cycles) / (1000.0 * mhz));
}

void print_row(const std::string& name, const OperatorCost& cost, const Request& request,
               int macs_per_cycle) {
    fmt::print("{:<26.26} {:>5} {:>11} {:>10} {:>10} {:>10} {:>10}  {:<9} {:>5.1f} % {:>8} {:>9}",
               name, cost.runs, cost.macs, cost.best_cycles(), cost.mac_cycles, cost.post_cycles,
               cost.memory_cycles, cost.limiter, 100 * cost.use(macs_per_cycle),
               (cost.read_bytes + cost.write_bytes + 512) / 1024, cost.exactness());
    if (request.mhz != 0) fmt::print(" {:>11}", milliseconds(cost.best_cycles(), request.mhz));
    fmt::print("{}{}\n", cost.choices.empty() ? "" : "  ", cost.choice());
}

void print_operators(const Network& network, const Design& design, const Request& request,
                     const Measured* model, const std::vector<Advice>& advised) {
    const compiler::Compiled& made = network.compiled;
    const std::vector<OperatorCost> costs = operator_costs(network, model);
    fmt::print(
        "{} on {}: {}\n", network.title, design.name,
        model != nullptr ? "cycles of the " + model->machine
        : is_too_long(network, design)
            ? fmt::format("estimated cycles (the cycle model is for up to {})", kMostModelCycles)
            : "estimated cycles" + memory_text(network));
    fmt::print("{:<26} {:>5} {:>11} {:>10} {:>10} {:>10} {:>10}  {:<9} {:>7} {:>8} {:>9}{}{}\n",
               "operator", "runs", "MAC", "cycles", "MAC array", "SDP, PDP", "memory", "limit",
               "MAC use", "KiB", "exact", request.mhz != 0 ? "        time" : "",
               have_choices(costs) ? "  choice" : "");
    for (const OperatorCost& cost : costs) {
        const graph::Node& node = network.graph.nodes[static_cast<std::size_t>(cost.node)];
        print_row(fmt::format("{:>3} {}", cost.node, title(network.graph, node)), cost, request,
                  made.macs_per_cycle);
    }
    const OperatorCost all = total(costs);
    print_row("all", all, request, made.macs_per_cycle);
    fmt::print("memory: {} KiB read, {} KiB written\n", (all.read_bytes + 512) / 1024,
               (all.write_bytes + 512) / 1024);
    fmt::print("{}\n", exactness_text(network));
    const std::uint64_t cycles = all.best_cycles();
    if (request.mhz != 0) {
        fmt::print("at {} MHz: {}, {:.1f} inputs per second\n", request.mhz,
                   milliseconds(cycles, request.mhz),
                   1e6 * request.mhz / static_cast<double>(std::max<std::uint64_t>(cycles, 1)));
    }
    for (const Advice& one : advised)
        fmt::print("{}\n", one.text());
}

/// What the host does, and its share of the time where the clock of the hardware is known.
void print_host(const Request& request, const Network& network, const Work& work,
                std::uint64_t cycles) {
    if (work.host.empty()) return;
    fmt::print("{}", host_table(network, work, request.host_mhz));
    if (request.mhz == 0) return;
    const double host = work.host_milliseconds(request.host_mhz);
    const double all = host + static_cast<double>(cycles) / (1000.0 * request.mhz);
    fmt::print("hardware and host: {:.3f} ms, {:.1f} % of it the host's\n", all,
               all == 0 ? 0.0 : 100 * host / all);
}

/// Of one network after the other, and all together.
int estimate_several(const Request& request, const Design& design) {
    const std::vector<Network> networks = load_all(request, design);
    if (networks.empty()) return kUserError;
    std::uint64_t all = 0;
    for (const Network& network : networks) {
        std::optional<Measured> model;
        if (!model_cycles(network, design, model)) return kFailed;
        const Measured* const measured = model ? &*model : nullptr;
        const Work work = work_of(network);
        fmt::print("{}\n", text_of(network, work, request.host_mhz));
        print_operators(network, design, request, measured, {});
        const std::uint64_t cycles =
            measured != nullptr ? measured->cycles : network.compiled.cycles();
        print_host(request, network, work, cycles);
        fmt::print("\n");
        all += cycles;
    }
    fmt::print("{} networks, one after the other: {} cycles{}\n", networks.size(), all,
               request.mhz != 0
                   ? fmt::format(", {} at {} MHz", milliseconds(all, request.mhz), request.mhz)
                   : "");
    return kPassed;
}

}  // namespace

nlohmann::ordered_json estimate_json(const Network& network, const Design& design,
                                     const Measured* measured, int host_mhz) {
    const std::vector<std::uint64_t> cycles =
        measured != nullptr ? measured->durations() : std::vector<std::uint64_t>();
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < network.compiled.layers.size(); ++i) {
        const compiler::LayerReport& layer = network.compiled.layers[i];
        layers.push_back({{"name", layer.name},
                          {"unit", layer.unit},
                          {"operator", layer.node},
                          {"cycles", measured != nullptr ? cycles[i] : layer.cycles},
                          {"estimated_cycles", layer.cycles},
                          {"macs", layer.macs},
                          {"mac_cycles", layer.mac_cycles},
                          {"post_cycles", layer.post_cycles},
                          {"memory_cycles", layer.memory_cycles},
                          {"limiter", layer.limiter},
                          {"choice", layer.choice},
                          {"read_bytes", layer.read_bytes},
                          {"write_bytes", layer.write_bytes}});
    }
    return {{"network", network.name},
            {"configuration", design.name},
            {"total_cycles", measured != nullptr ? measured->cycles : network.compiled.cycles()},
            {"estimated_cycles", network.compiled.cycles()},
            {"exactness", exactness_json(network)},
            {"work", json_of(network, work_of(network), host_mhz)},
            {"layers", std::move(layers)}};
}

int run_estimate(const Request& request, const Design& design, const emit::Assets&) {
    if (request.networks.size() > 1) return estimate_several(request, design);
    const std::optional<Network> network = load(request, design);
    if (!network) return kUserError;
    const std::vector<Advice> advised = advice(*network, design);
    std::optional<Measured> model;
    if (!model_cycles(*network, design, model)) return kFailed;
    const Measured* const measured = model ? &*model : nullptr;
    const Work work = work_of(*network);
    fmt::print("{}\n", text_of(*network, work, request.host_mhz));
    print_operators(*network, design, request, measured, advised);
    const std::uint64_t all = measured != nullptr ? measured->cycles : network->compiled.cycles();
    print_host(request, *network, work, all);
    if (!request.report.empty()) {
        ReportInput page{*network, design};
        page.measured = measured;
        page.mhz = request.mhz;
        page.host_mhz = request.host_mhz;
        page.advice = advised;
        if (!write(request.report, html(page))) return kUserError;
    }
    if (request.json.empty()) return kPassed;
    const nlohmann::ordered_json json = estimate_json(*network, design, measured, request.host_mhz);
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    return write(request.json, text + "\n") ? kPassed : kUserError;
}

}  // namespace macrame::network
