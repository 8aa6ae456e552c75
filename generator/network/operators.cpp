#include "network/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <variant>

namespace macrame::network {

namespace {

std::string window_text(const graph::Window& w) {
    std::string out = fmt::format("{}x{}", w.kernel_h, w.kernel_w);
    if (w.stride_h != 1 || w.stride_w != 1) {
        out += w.stride_h == w.stride_w ? fmt::format(" /{}", w.stride_h)
                                        : fmt::format(" /{}x{}", w.stride_h, w.stride_w);
    }
    if (w.dilation_h != 1 || w.dilation_w != 1)
        out += fmt::format(" dilated {}x{}", w.dilation_h, w.dilation_w);
    return out;
}

/// Windows of pools lie side by side unless something else is said.
std::string pool_text(graph::Window w) {
    const bool beside = w.stride_h == w.kernel_h && w.stride_w == w.kernel_w;
    const bool by_one = w.stride_h == 1 && w.stride_w == 1;
    if (beside) w.stride_h = w.stride_w = 1;
    return window_text(w) + (by_one && !beside ? " /1" : "");
}

}  // namespace

std::string title(const graph::Graph& graph, const graph::Node& node) {
    const std::string name(graph::name_of(node.op));
    if (const auto* conv = std::get_if<graph::Conv>(&node.op)) {
        const int channels = graph.tensor(node.inputs.front()).shape.back();
        const char* kind = conv->groups == 1          ? "conv"
                           : conv->groups == channels ? "depthwise"
                                                      : "grouped conv";
        return fmt::format("{} {}", kind, window_text(conv->window));
    }
    if (const auto* conv = std::get_if<graph::TransposeConv>(&node.op))
        return fmt::format("{} {}", name, window_text(conv->window));
    if (const auto* pool = std::get_if<graph::Pool>(&node.op)) {
        return fmt::format("{} pool {}",
                           pool->function == graph::Pooling::maximum ? "max" : "average",
                           pool_text(pool->window));
    }
    return name;
}

std::vector<std::uint64_t> Measured::durations() const {
    std::vector<std::uint64_t> out;
    std::uint64_t last = 0;
    for (const std::uint64_t end : ends) {
        out.push_back(end > last ? end - last : 0);
        last = std::max(last, end);
    }
    return out;
}

void Measured::append(const Measured& next) {
    if (machine.empty()) {
        *this = next;
        return;
    }
    const auto shift = [&](const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to) {
        for (const std::uint64_t cycle : from)
            to.push_back(cycles + cycle);
    };
    shift(next.begins, begins);
    shift(next.ends, ends);
    const Sample before = samples.empty() ? Sample() : samples.back();
    for (const Sample& sample : next.samples)
        samples.push_back({cycles + sample.cycle, before.read_bytes + sample.read_bytes,
                           before.write_bytes + sample.write_bytes,
                           before.read_stalls + sample.read_stalls,
                           before.write_stalls + sample.write_stalls});
    for (std::size_t i = 0; i < ports.size() && i < next.ports.size(); ++i) {
        ports[i].read_bytes += next.ports[i].read_bytes;
        ports[i].write_bytes += next.ports[i].write_bytes;
        ports[i].read_stalls += next.ports[i].read_stalls;
        ports[i].write_stalls += next.ports[i].write_stalls;
    }
    cycles += next.cycles;
}

double OperatorCost::use(int macs_per_cycle) const {
    // What begins before the end of the operator in front of it shows fewer cycles.
    const double possible =
        static_cast<double>(std::max(best_cycles(), mac_cycles)) * macs_per_cycle;
    return possible == 0 ? 0 : static_cast<double>(macs) / possible;
}

std::string OperatorCost::exactness() const {
    return channels == 0 ? "-" : fmt::format("{}/{}", proved, channels);
}

std::string OperatorCost::choice() const { return fmt::format("{}", fmt::join(choices, ", ")); }

bool have_choices(const std::vector<OperatorCost>& costs) {
    return std::any_of(costs.begin(), costs.end(),
                       [](const OperatorCost& cost) { return !cost.choices.empty(); });
}

std::vector<OperatorCost> operator_costs(const Network& network, const Measured* measured) {
    const compiler::Compiled& made = network.compiled;
    std::vector<std::uint64_t> durations;
    if (measured != nullptr) durations = measured->durations();
    std::map<int, OperatorCost> by_node;
    std::map<int, std::map<std::string, std::uint64_t>> limits;
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
        const compiler::LayerReport& layer = made.layers[i];
        if (layer.unit == "host") continue;  // has no cycles of the hardware
        OperatorCost& cost = by_node[layer.node];
        cost.node = layer.node;
        ++cost.runs;
        cost.macs += layer.macs;
        cost.cycles += layer.cycles;
        cost.mac_cycles += layer.mac_cycles;
        cost.post_cycles += layer.post_cycles;
        cost.memory_cycles += layer.memory_cycles;
        cost.bound += layer.bound();
        cost.read_bytes += layer.read_bytes;
        cost.write_bytes += layer.write_bytes;
        limits[layer.node][layer.limiter] += layer.bound();
        std::vector<std::string>& choices = cost.choices;
        if (!layer.choice.empty() &&
            std::find(choices.begin(), choices.end(), layer.choice) == choices.end())
            choices.push_back(layer.choice);
        if (i < durations.size()) cost.measured = cost.measured.value_or(0) + durations[i];
    }
    for (const compiler::Exactness& exact : made.exactness) {
        const auto found = by_node.find(exact.node);
        if (found == by_node.end()) continue;
        found->second.channels += exact.channels;
        found->second.proved += exact.proved;
        found->second.most = std::max(found->second.most, exact.most);
    }
    std::vector<OperatorCost> out;
    for (auto& [node, cost] : by_node) {
        std::uint64_t most = 0;
        for (const auto& [limiter, cycles] : limits[node]) {
            if (cost.limiter.empty() || cycles > most) cost.limiter = limiter;
            most = std::max(most, cycles);
        }
        out.push_back(std::move(cost));
    }
    return out;
}

OperatorCost total(const std::vector<OperatorCost>& costs) {
    OperatorCost sum;
    for (const OperatorCost& cost : costs) {
        sum.runs += cost.runs;
        sum.macs += cost.macs;
        sum.cycles += cost.cycles;
        sum.mac_cycles += cost.mac_cycles;
        sum.post_cycles += cost.post_cycles;
        sum.memory_cycles += cost.memory_cycles;
        sum.bound += cost.bound;
        sum.read_bytes += cost.read_bytes;
        sum.write_bytes += cost.write_bytes;
        sum.channels += cost.channels;
        sum.proved += cost.proved;
        sum.most = std::max(sum.most, cost.most);
        if (cost.measured) sum.measured = sum.measured.value_or(0) + *cost.measured;
    }
    const std::vector<LimiterShare> shares = limiter_shares(costs);
    if (!shares.empty()) sum.limiter = shares.front().limiter;
    return sum;
}

std::vector<LimiterShare> limiter_shares(const std::vector<OperatorCost>& costs) {
    std::vector<LimiterShare> out;
    for (const OperatorCost& cost : costs) {
        auto found = std::find_if(out.begin(), out.end(), [&](const LimiterShare& share) {
            return share.limiter == cost.limiter;
        });
        if (found == out.end()) found = out.insert(out.end(), {cost.limiter, 0, 0});
        ++found->operators;
        found->cycles += cost.best_cycles();
    }
    std::stable_sort(out.begin(), out.end(), [](const LimiterShare& a, const LimiterShare& b) {
        return a.cycles > b.cycles;
    });
    return out;
}

}  // namespace macrame::network
