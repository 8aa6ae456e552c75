#include "compiler/graph/partition.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>

#include "compiler/graph/at.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::graph {

namespace {

/// Who makes each tensor; -1: no node.
std::vector<int> makers(const Graph& graph) {
    std::vector<int> out(graph.tensors.size(), -1);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const TensorId id : graph.nodes[i].outputs)
            out[at(id)] = static_cast<int>(i);
    return out;
}

/// Nodes whose outputs a node reads.
std::vector<int> before(const Graph& graph, const std::vector<int>& maker, const Node& node) {
    std::vector<int> out;
    for (const TensorId id : node.inputs)
        if (id != kNone && maker[at(id)] >= 0 && !graph.tensor(id).constant)
            out.push_back(maker[at(id)]);
    return out;
}

class Partition {
public:
    Partition(const Graph& graph, const std::vector<bool>& refused)
        : graph_(graph), maker_(makers(graph)), on_host_(refused) {}

    std::vector<Part> run() {
        do {
            find_turns();
        } while (give_idle());
        std::map<int, Part> parts;
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            Part& part = parts[turns_[i]];
            part.hardware = !on_host_[i];
            part.nodes.push_back(static_cast<int>(i));
        }
        std::vector<Part> out;
        for (auto& [turn, part] : parts)
            out.push_back(std::move(part));
        return out;
    }

private:
    std::vector<int> before(std::size_t node) const {
        return graph::before(graph_, maker_, graph_.nodes[node]);
    }

    /// The first turn in which all is there that a node reads: even ones are the hardware's, odd
    /// ones the host's, which may begin.
    void find_turns() {
        turns_.assign(graph_.nodes.size(), 0);
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            int turn = on_host_[i] ? -1 : 0;
            for (const int from : before(i))
                turn =
                    std::max(turn, turns_[at(from)] + (on_host_[at(from)] == on_host_[i] ? 0 : 1));
            turns_[i] = turn;
        }
    }

    std::size_t root(std::size_t node) {
        while (joined_[node] != node)
            node = joined_[node] = joined_[joined_[node]];
        return node;
    }

    /// Nodes of a turn that are connected within it are one piece. True if one of them, without
    /// products, has gone to the host.
    bool give_idle() {
        joined_.resize(turns_.size());
        std::iota(joined_.begin(), joined_.end(), std::size_t{0});
        for (std::size_t i = 0; i < turns_.size(); ++i)
            for (const int from : before(i))
                if (turns_[at(from)] == turns_[i]) joined_[root(i)] = root(at(from));
        std::set<std::size_t> busy, touching;
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            if (multiply_adds(graph_, graph_.nodes[i]) > 0) busy.insert(root(i));
            for (const int from : before(i)) {
                if (on_host_[i] == on_host_[at(from)]) continue;
                touching.insert(root(i));
                touching.insert(root(at(from)));
            }
        }
        bool any = false;
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            if (on_host_[i] || busy.count(root(i)) != 0 || touching.count(root(i)) == 0) continue;
            on_host_[i] = any = true;
        }
        return any;
    }

    const Graph& graph_;
    std::vector<int> maker_;
    std::vector<bool> on_host_;
    std::vector<int> turns_;           ///< by node
    std::vector<std::size_t> joined_;  ///< to another node of the same piece
};

/// Copies tensors as they are met, in the order of their numbers.
class Cutter {
public:
    Cutter(const Graph& graph, const std::vector<int>& nodes) : graph_(graph) {
        out_.nodes = nodes;
        out_.graph.name = graph.name;
        out_.graph.rounding = graph.rounding;
    }

    Cut run() {
        std::set<TensorId> made, read;
        for (const int index : out_.nodes) {
            const Node& node = graph_.nodes[at(index)];
            made.insert(node.outputs.begin(), node.outputs.end());
            read.insert(node.inputs.begin(), node.inputs.end());
        }
        read.erase(kNone);
        std::set<TensorId> all = made;
        all.insert(read.begin(), read.end());
        for (const TensorId id : all) {
            renamed_[id] = static_cast<TensorId>(out_.tensors.size());
            out_.tensors.push_back(id);
            out_.graph.tensors.push_back(graph_.tensor(id));
        }
        for (const TensorId id : read)
            if (made.count(id) == 0 && !graph_.tensor(id).constant)
                out_.graph.inputs.push_back(renamed_.at(id));
        const std::set<TensorId> wanted = read_by_others();
        for (const TensorId id : made)
            if (wanted.count(id) != 0) out_.graph.outputs.push_back(renamed_.at(id));
        for (const int index : out_.nodes) {
            out_.graph.nodes.push_back(graph_.nodes[at(index)]);
            rename(out_.graph.nodes.back().inputs);
            rename(out_.graph.nodes.back().outputs);
        }
        return std::move(out_);
    }

private:
    /// Tensors that other nodes read, or that leave the network.
    std::set<TensorId> read_by_others() const {
        std::set<TensorId> out(graph_.outputs.begin(), graph_.outputs.end());
        const std::set<int> own(out_.nodes.begin(), out_.nodes.end());
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            if (own.count(static_cast<int>(i)) != 0) continue;
            out.insert(graph_.nodes[i].inputs.begin(), graph_.nodes[i].inputs.end());
        }
        return out;
    }

    void rename(std::vector<TensorId>& ids) const {
        for (TensorId& id : ids)
            if (id != kNone) id = renamed_.at(id);
    }

    const Graph& graph_;
    Cut out_;
    std::map<TensorId, TensorId> renamed_;
};

}  // namespace

std::vector<Part> partition(const Graph& graph, const std::vector<bool>& refused) {
    return Partition(graph, refused).run();
}

Cut cut(const Graph& graph, const std::vector<int>& nodes) { return Cutter(graph, nodes).run(); }

}  // namespace macrame::graph
