#include "compiler/test/random/mixed_graph.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "verif/common/random.hpp"

namespace macrame::test {

namespace {

using namespace graph;

class Mixer {
public:
    Mixer(Graph graph, std::uint64_t seed)
        : random_(seed), graph_(std::move(graph)), last_only_(seed % 2 == 0) {}

    Graph run() {
        for (Node& node : std::exchange(graph_.nodes, {})) {
            for (TensorId& id : node.inputs)
                if (const auto found = mixed_.find(id); found != mixed_.end()) id = found->second;
            const TensorId made = node.outputs[0];
            graph_.nodes.push_back(std::move(node));
            if (random_.chance(35)) mixed_[made] = mixed(made);
        }
        const TensorId last = graph_.nodes.back().outputs[0];
        if (last_only_) graph_.outputs = {last};
        return std::move(graph_);
    }

private:
    TensorId add(Operator op, TensorId in, std::vector<int> shape) {
        Tensor tensor = graph_.tensor(in);
        tensor.name += std::string(" ") + std::string(name_of(op));
        tensor.shape = std::move(shape);
        const auto out = static_cast<TensorId>(graph_.tensors.size());
        graph_.tensors.push_back(std::move(tensor));
        graph_.outputs.push_back(out);
        graph_.nodes.push_back(
            {std::move(op), {in}, {out}, "mixed " + std::to_string(graph_.nodes.size())});
        return out;
    }

    TensorId mixed(TensorId id) {
        const std::vector<int> shape = graph_.tensor(id).shape;
        if (shape.size() != 4 || random_.chance(50))
            return add(Unary{Function::tanh, 0, 0}, id, shape);
        const Transpose turn{{0, 3, 2, 1}};
        return add(turn, add(turn, id, {shape[0], shape[3], shape[2], shape[1]}), shape);
    }

    verif::Random random_;
    Graph graph_;
    bool last_only_;
    std::map<TensorId, TensorId> mixed_;  ///< what is read in place of a tensor
};

}  // namespace

graph::Graph mixed(graph::Graph graph, std::uint64_t seed) {
    return Mixer(std::move(graph), seed).run();
}

}  // namespace macrame::test
