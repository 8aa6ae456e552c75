#include "compiler/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "compiler/graph/at.hpp"

namespace macrame::compiler {

namespace {

/// A part that is still refused in the last of so many rounds goes to the host as a whole.
constexpr int kMostRounds = 16;

/// All of a network as one part.
Part whole_of(const graph::Graph& graph, Compiled compiled) {
    Part out;
    out.hardware = true;
    out.nodes.resize(graph.nodes.size());
    std::iota(out.nodes.begin(), out.nodes.end(), 0);
    out.cut.graph = graph;
    out.cut.nodes = out.nodes;
    out.cut.tensors.resize(graph.tensors.size());
    std::iota(out.cut.tensors.begin(), out.cut.tensors.end(), 0);
    out.compiled = std::move(compiled);
    return out;
}

/// Adds what a part of the hardware tells of itself.
void append(Compiled& report, const Part& part) {
    const Compiled& made = part.compiled;
    const auto whole = [&](int node) { return part.cut.nodes[at(node)]; };
    const int before = static_cast<int>(report.layers.size());
    for (LayerReport layer : made.layers) {
        layer.node = whole(layer.node);
        report.layers.push_back(std::move(layer));
    }
    for (Exactness exactness : made.exactness) {
        exactness.node = whole(exactness.node);
        report.exactness.push_back(std::move(exactness));
    }
    for (BufferReport buffer : made.buffers) {
        buffer.first += before;
        buffer.last += before;
        report.buffers.push_back(std::move(buffer));
    }
    for (const int node : made.host_first)
        report.host_nodes.push_back(whole(node));
    for (const HostOperator& op : made.host)
        report.host_nodes.push_back(whole(op.node));
    for (const int node : made.host_nodes)
        report.host_nodes.push_back(whole(node));
    for (const Refusal& one : made.refused)
        report.refused.push_back({whole(one.node), one.reason, one.buffer_bytes});
    report.exact_otherwise = report.exact_otherwise && made.exact_otherwise;
    report.macs_per_cycle = made.macs_per_cycle;
    report.bytes_per_cycle = made.bytes_per_cycle;
    report.program.memory_bytes = std::max(report.program.memory_bytes, made.program.memory_bytes);
    report.original_warnings.insert(report.original_warnings.end(), made.original_warnings.begin(),
                                    made.original_warnings.end());
}

/// `refused`: by the back end, before it took the parts.
Compiled report_of(const graph::Graph& graph, const std::vector<Part>& parts,
                   std::vector<Refusal> refused) {
    Compiled out;
    out.exact_otherwise = true;
    out.refused = std::move(refused);
    for (const Part& part : parts) {
        if (part.hardware)
            append(out, part);
        else
            out.host_nodes.insert(out.host_nodes.end(), part.nodes.begin(), part.nodes.end());
    }
    out.inputs = graph.inputs;
    out.outputs = graph.outputs;
    return out;
}

/// Gives operators to the host until the back end takes the rest.
class Driver {
public:
    Driver(const graph::Graph& graph, const BackEnd& back_end)
        : graph_(graph), back_end_(back_end), refused_(graph.nodes.size()) {}

    InParts run(Part whole) {
        take(whole);
        for (int round = 1; parts_.empty(); ++round)
            if (!try_parts(round == kMostRounds)) return {{}, std::move(broken_)};
        InParts out;
        out.parts = join(std::move(parts_));
        out.report = report_of(graph_, out.parts, std::move(reasons_));
        return out;
    }

private:
    /// What is refused of a part.
    void take(const Part& part) {
        for (const Refusal& one : part.compiled.refused) {
            const int node = part.cut.nodes[at(one.node)];
            if (refused_[at(node)]) continue;
            refused_[at(node)] = true;
            reasons_.push_back({node, one.reason, one.buffer_bytes});
        }
    }

    /// The nodes as a program, if the back end has not taken them before.
    const Part& compiled(const std::vector<int>& nodes) {
        Part& part = done_[nodes];
        if (part.hardware) return part;
        part.hardware = true;
        part.nodes = nodes;
        part.cut = graph::cut(graph_, nodes);
        part.compiled = back_end_(part.cut.graph);
        return part;
    }

    /// There are parts behind it unless the back end refuses something more; if it does so in the
    /// `last` round, all of such a part is the host's. False: what is wrong the host cannot help.
    bool try_parts(bool last) {
        const std::vector<graph::Part> wanted = graph::partition(graph_, refused_);
        bool good = true;
        for (const graph::Part& part : wanted) {
            if (!part.hardware) continue;
            const Part& made = compiled(part.nodes);
            if (made.compiled.ok()) continue;
            good = false;
            take(made);
            if (!made.compiled.refused.empty()) continue;
            broken_ = made.compiled;
            return false;
        }
        if (!good && !last) return true;
        for (const graph::Part& part : wanted) {
            if (part.hardware && done_.at(part.nodes).compiled.ok())
                parts_.push_back(std::move(done_.at(part.nodes)));
            else
                parts_.push_back({false, part.nodes, {}, {}});
        }
        return true;
    }

    /// Neighbours of the host are one part.
    static std::vector<Part> join(std::vector<Part> parts) {
        std::vector<Part> out;
        for (Part& part : parts) {
            if (out.empty() || part.hardware || out.back().hardware) {
                out.push_back(std::move(part));
                continue;
            }
            std::vector<int>& nodes = out.back().nodes;
            nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
            std::sort(nodes.begin(), nodes.end());
        }
        return out;
    }

    const graph::Graph& graph_;
    const BackEnd& back_end_;
    std::vector<bool> refused_;
    std::vector<Refusal> reasons_;
    std::map<std::vector<int>, Part> done_;  ///< by nodes
    std::vector<Part> parts_;
    Compiled broken_;
};

}  // namespace

InParts compile_in_parts(const graph::Graph& graph, const BackEnd& back_end, bool no_host) {
    Part whole = whole_of(graph, back_end(graph));
    const Compiled& made = whole.compiled;
    if (!made.ok() && (no_host || made.refused.empty())) return {{}, std::move(whole.compiled)};
    if (!made.ok()) return Driver(graph, back_end).run(std::move(whole));
    InParts out;
    out.parts.push_back(std::move(whole));
    out.report = report_of(graph, out.parts, {});
    return out;
}

}  // namespace macrame::compiler
