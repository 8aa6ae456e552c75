#include "network/cycles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "families/target.hpp"
#include "network/exactness.hpp"

namespace macrame::network {

namespace {

constexpr int kUsualLatency = 32;  ///< of cycle models

/// "+1.2 %" of what was estimated.
std::string deviation(std::uint64_t measured, std::uint64_t estimated) {
    if (estimated == 0) return "-";
    const double ratio = static_cast<double>(measured) / static_cast<double>(estimated);
    return fmt::format("{:+.1f} %", 100.0 * (ratio - 1.0));
}

/// A line per operator.
void print_operators(const Network& network, const Measured& measured) {
    fmt::print("{:<34} {:>5} {:>10} {:>10} {:>9} {:>10}\n", "operator", "runs", "cycles",
               "estimated", "", "bound");
    for (const OperatorCost& cost : operator_costs(network, &measured)) {
        const graph::Node& node = network.graph.nodes[static_cast<std::size_t>(cost.node)];
        fmt::print("{:<34.34} {:>5} {:>10} {:>10} {:>9} {:>10}\n",
                   fmt::format("{:>3} {}", cost.node, title(network.graph, node)), cost.runs,
                   cost.best_cycles(), cost.cycles, deviation(cost.best_cycles(), cost.cycles),
                   cost.bound);
    }
}

}  // namespace

std::string memory_text(const Network& network, std::optional<int> usual) {
    std::string out;
    const std::optional<int> latency = network.options.memory_latency;
    if (latency || usual) out += fmt::format(", memory latency {}", latency ? *latency : *usual);
    if (network.memory_bytes_per_cycle > 0)
        out += fmt::format(", at most {:g} bytes per cycle", network.memory_bytes_per_cycle);
    return out;
}

bool is_too_long(const Network& network, const Design& design) {
    return design.family.target->has_cycle_model() && !network.options.memory_latency &&
           network.memory_bytes_per_cycle == 0 && network.compiled.cycles() > kMostModelCycles;
}

bool model_cycles(const Network& network, const Design& design, std::optional<Measured>& measured) {
    const Target& target = *design.family.target;
    if (!target.has_cycle_model() || is_too_long(network, design)) return true;
    measured.emplace();
    for (const compiler::Part& part : network.parts) {
        if (!part.hardware) continue;
        std::string error;
        Measured own;
        own.ends = target.model_ends(
            part.compiled, {network.options.memory_latency, network.memory_bytes_per_cycle}, error);
        if (!error.empty())
            return !report_all({fmt::format("{}: cycle model: {}", network.name, error)});
        own.machine = "cycle model" + memory_text(network, kUsualLatency);
        own.cycles = own.ends.back();
        own.ends.pop_back();
        own.from_end_to_end = true;
        std::uint64_t begin = 0;
        for (const std::uint64_t end : own.ends) {
            own.begins.push_back(begin);
            begin = std::max(begin, end);
        }
        measured->append(own);
    }
    if (measured->machine.empty()) measured.reset();  // nothing for the hardware
    return true;
}

void print_cycles(const Network& network, const Design& design, const Measured& measured) {
    if (!measured.ends.empty()) print_operators(network, measured);
    const std::uint64_t estimated = network.compiled.cycles();
    fmt::print("{} on {}: {} cycles, estimated {} ({})\n", network.title, design.name,
               measured.cycles, estimated, deviation(measured.cycles, estimated));
}

namespace {

nlohmann::ordered_json layers_of(const Network& network, const Measured& measured) {
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    const std::vector<std::uint64_t> cycles = measured.durations();
    for (std::size_t i = 0; i < cycles.size() && i < network.compiled.layers.size(); ++i) {
        const compiler::LayerReport& layer = network.compiled.layers[i];
        layers.push_back({{"name", layer.name},
                          {"unit", layer.unit},
                          {"operator", layer.node},
                          {"cycles", cycles[i]},
                          {"estimated_cycles", layer.cycles},
                          {"macs", layer.macs},
                          {"limiter", layer.limiter},
                          {"choice", layer.choice},
                          {"mac_cycles", layer.mac_cycles},
                          {"post_cycles", layer.post_cycles},
                          {"memory_cycles", layer.memory_cycles}});
    }
    return layers;
}

template <typename Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json compared(const layers::Comparison& comparison) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const layers::Difference& row : comparison.differences()) {
        const layers::FileTensor& tensor = row.tensor;
        nlohmann::ordered_json json = {{"operator", tensor.place},
                                       {"kind", tensor.kind},
                                       {"tensor", tensor.name},
                                       {"compared", row.compared}};
        if (!tensor.exists()) json["absent"] = tensor.absent;
        if (row.compared) {
            json["values"] = row.values;
            json["differing"] = row.differing;
            json["largest"] = row.largest;
            json["own"] = row.own;
            json["carried"] = row.carried;
            json["declared"] = or_null(row.declared);
            json["saturated"] = or_null(row.saturated);
            json["signal_to_noise_db"] = or_null(row.to_reference.decibels());
            json["fault"] = row.fault;
        }
        rows.push_back(std::move(json));
    }
    const layers::Difference* first = comparison.first_fault();
    return {{"reference", comparison.reference()},
            {"first_fault", first == nullptr ? "" : first->tensor.text()},
            {"tensors", std::move(rows)}};
}

}  // namespace

bool write_json(const Request& request, const Design& design, const Network& network,
                const Measured* measured, const layers::Comparison* comparison) {
    if (request.json.empty()) return true;
    nlohmann::ordered_json json = {{"network", network.name},
                                   {"configuration", design.name},
                                   {"exactness", exactness_json(network)}};
    if (measured != nullptr) {
        json["total_cycles"] = measured->cycles;
        json["estimated_cycles"] = network.compiled.cycles();
        json["layers"] = layers_of(network, *measured);
    }
    if (comparison != nullptr) json["compared"] = compared(*comparison);
    return write(request.json,
                 json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace macrame::network
