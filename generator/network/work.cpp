#include "network/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/graph/work.hpp"
#include "compiler/host_time.hpp"
#include "network/operators.hpp"

namespace macrame::network {

namespace {

/// Of operators that had better be the hardware's.
constexpr std::size_t kMostReasons = 3;

const graph::Node& node_of(const Network& network, int node) {
    return network.graph.nodes[static_cast<std::size_t>(node)];
}

std::string milliseconds(double ms) { return fmt::format("{:.{}f} ms", ms, ms < 100 ? 3 : 0); }

/// "12.5 M"
std::string amount(std::uint64_t value) {
    const auto real = static_cast<double>(value);
    if (value < 10'000) return fmt::format("{}", value);
    if (value < 1'000'000) return fmt::format("{:.1f} k", real / 1e3);
    return fmt::format("{:.1f} M", real / 1e6);
}

/// Less than all is never 100.0 %, and something never 0.0 %.
std::string percent(std::uint64_t part, std::uint64_t all) {
    const double value = 100.0 * static_cast<double>(part) / static_cast<double>(all);
    if (part == all) return "100 %";
    if (part == 0) return "0 %";
    return fmt::format("{:.1f} %", std::clamp(value, 0.1, 99.9));
}

/// How many operators of each kind, in the order in which the kinds come.
std::vector<std::pair<std::string, int>> counted(const std::vector<const graph::Node*>& nodes) {
    std::vector<std::pair<std::string, int>> out;
    for (const graph::Node* node : nodes) {
        const std::string kind(graph::name_of(node->op));
        const auto found = std::find_if(out.begin(), out.end(),
                                        [&](const auto& one) { return one.first == kind; });
        if (found == out.end())
            out.emplace_back(kind, 1);
        else
            ++found->second;
    }
    return out;
}

/// "2 sigmoid, softmax"
std::string kinds(const Network& network, const Work& work) {
    std::vector<const graph::Node*> nodes;
    for (const HostOperatorCost& one : work.host)
        nodes.push_back(&node_of(network, one.node));
    std::string out;
    for (const auto& [kind, count] : counted(nodes))
        out += fmt::format("{}{}{}", out.empty() ? "" : ", ",
                           count == 1 ? "" : fmt::format("{} ", count), kind);
    return out;
}

}  // namespace

std::uint64_t Work::host_cycles() const {
    std::uint64_t sum = 0;
    for (const HostOperatorCost& one : host)
        sum += one.cycles;
    return sum;
}

double Work::host_milliseconds(int mhz) const {
    return static_cast<double>(host_cycles()) / (1000.0 * mhz);
}

Work work_of(const Network& network) {
    const compiler::Compiled& made = network.compiled;
    Work out;
    out.operators = network.graph.nodes.size();
    for (std::size_t i = 0; i < out.operators; ++i) {
        const graph::Node& node = network.graph.nodes[i];
        const std::uint64_t products = graph::multiply_adds(network.graph, node);
        out.multiply_adds += products;
        const auto index = static_cast<int>(i);
        if (!made.on_host(index)) {
            out.of_hardware += products;
            continue;
        }
        HostOperatorCost cost{index, compiler::host_units(network.graph, node),
                              compiler::host_cycles(network.graph, node), ""};
        for (const compiler::Refusal& one : made.refused)
            if (one.node == index) cost.reason = one.reason;
        out.host.push_back(std::move(cost));
    }
    for (const compiler::Part& part : network.parts)
        out.programs += part.hardware ? 1 : 0;
    return out;
}

std::string text_of(const Network& network, const Work& work, int mhz) {
    std::string out = fmt::format("hardware: {} of {} operators", work.operators - work.host.size(),
                                  work.operators);
    if (work.multiply_adds != 0)
        out +=
            fmt::format(", {} of {} multiply-adds", percent(work.of_hardware, work.multiply_adds),
                        amount(work.multiply_adds));
    if (work.programs > 1) out += fmt::format(", in {} programs", work.programs);
    if (!work.host.empty())
        out += fmt::format("; host: {}, {} at {} MHz", kinds(network, work),
                           milliseconds(work.host_milliseconds(mhz)), mhz);
    std::size_t reasons = 0, products = 0;
    for (const HostOperatorCost& one : work.host) {
        const graph::Node& node = node_of(network, one.node);
        if (graph::multiply_adds(network.graph, node) == 0 || ++products > kMostReasons) continue;
        out += fmt::format("\nhost: {}: {}", node.where, one.reason);
        ++reasons;
    }
    if (products > reasons) out += fmt::format("\nhost: and {} more", products - reasons);
    return out;
}

std::string host_table(const Network& network, const Work& work, int mhz) {
    if (work.host.empty()) return "";
    std::string out = fmt::format("{:<26} {:>11} {:<19} {:>10} {:>11}\n", "operator of the host",
                                  "work", "", "cycles", "time");
    const auto row = [&](const std::string& name, const std::string& units, std::string_view unit,
                         std::uint64_t cycles, const std::string& reason) {
        out += fmt::format("{:<26.26} {:>11} {:<19} {:>10} {:>11}{}\n", name, units, unit, cycles,
                           milliseconds(static_cast<double>(cycles) / (1000.0 * mhz)),
                           reason.empty() ? "" : "  " + reason);
    };
    for (const HostOperatorCost& one : work.host) {
        const graph::Node& node = node_of(network, one.node);
        row(fmt::format("{:>3} {}", one.node, title(network.graph, node)),
            fmt::format("{}", one.units), compiler::host_work(network.graph, node).unit, one.cycles,
            one.reason);
    }
    row("all", "", "", work.host_cycles(),
        fmt::format("at {} MHz: {}", mhz, compiler::kHostProcessor));
    return out;
}

nlohmann::ordered_json json_of(const Network& network, const Work& work, int mhz) {
    nlohmann::ordered_json host = nlohmann::ordered_json::array();
    for (const HostOperatorCost& one : work.host) {
        const graph::Node& node = node_of(network, one.node);
        host.push_back({{"operator", one.node},
                        {"kind", graph::name_of(node.op)},
                        {"place", node.where},
                        {"cycles", one.cycles},
                        {"milliseconds", static_cast<double>(one.cycles) / (1000.0 * mhz)},
                        {"reason", one.reason}});
    }
    std::vector<const graph::Node*> nodes;
    for (const graph::Node& node : network.graph.nodes)
        nodes.push_back(&node);
    nlohmann::ordered_json kinds = nlohmann::ordered_json::object();
    for (const auto& [kind, count] : counted(nodes))
        kinds[kind] = count;
    return {{"operators", work.operators},
            {"kinds", std::move(kinds)},
            {"hardware_operators", work.operators - work.host.size()},
            {"multiply_adds", work.multiply_adds},
            {"hardware_multiply_adds", work.of_hardware},
            {"programs", work.programs},
            {"host_mhz", mhz},
            {"host_cycles", work.host_cycles()},
            {"host", std::move(host)}};
}

}  // namespace macrame::network
