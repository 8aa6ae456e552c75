#include "network/parts_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace macrame::network {

namespace {

using Json = nlohmann::ordered_json;
using graph::TensorId;

/// Steps in their order, and the tensors that pass between them.
class Steps {
public:
    Steps(const Network& network, const std::string& ending, const std::string& shared)
        : network_(network), ending_(ending), shared_(shared) {
        tensors_.insert(network.graph.inputs.begin(), network.graph.inputs.end());
        tensors_.insert(network.graph.outputs.begin(), network.graph.outputs.end());
    }

    std::string text() {
        std::size_t program = 0;
        for (const compiler::Part& part : network_.parts) {
            if (!part.hardware) {
                add_host(part.nodes);
                continue;
            }
            add_host(whole(part, part.compiled.host_first));
            add_program(part, program_name(network_, program++));
            add_host(whole(part, part.compiled.host_nodes));
        }
        Json tensors = Json::array();
        for (const TensorId id : tensors_)
            tensors.push_back(tensor(id));
        Json states = Json::array();
        for (std::size_t i = 0; i < network_.graph.states.size(); ++i)
            states.push_back({{"input", network_.graph.inputs[network_.graph.own_inputs() + i]},
                              {"output", network_.graph.outputs[network_.graph.own_outputs() + i]},
                              {"first_bytes", network_.graph.states[i].bytes()}});
        Json root = {{"network", network_.name},
                     {"inputs", network_.graph.inputs},
                     {"outputs", network_.graph.outputs},
                     {"steps", steps_},
                     {"tensors", std::move(tensors)}};
        if (!states.empty()) root["states"] = std::move(states);
        return root.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }

private:
    static std::vector<int> whole(const compiler::Part& part, const std::vector<int>& nodes) {
        std::vector<int> out;
        for (const int node : nodes)
            out.push_back(part.cut.nodes[static_cast<std::size_t>(node)]);
        return out;
    }

    /// Numbers of tensors; constants, and what is left out, are nobody's business.
    Json numbers(const std::vector<TensorId>& ids) {
        Json out = Json::array();
        for (const TensorId id : ids) {
            if (id == graph::kNone || network_.graph.tensor(id).constant) continue;
            tensors_.insert(id);
            out.push_back(id);
        }
        return out;
    }

    Json operator_of(int index) {
        const graph::Node& node = network_.graph.nodes[static_cast<std::size_t>(index)];
        Json out = {{"operator", index},
                    {"kind", graph::name_of(node.op)},
                    {"place", node.where},
                    {"reads", numbers(node.inputs)},
                    {"writes", numbers(node.outputs)}};
        for (const compiler::Refusal& one : network_.compiled.refused)
            if (one.node == index) out["reason"] = one.reason;
        return out;
    }

    void add_host(const std::vector<int>& nodes) {
        if (nodes.empty()) return;
        if (steps_.empty() || !steps_.back().contains("host"))
            steps_.push_back({{"host", Json::array()}});
        for (const int node : nodes)
            steps_.back()["host"].push_back(operator_of(node));
    }

    void add_program(const compiler::Part& part, const std::string& name) {
        const auto ids = [&](const std::vector<TensorId>& own) {
            std::vector<TensorId> out;
            for (const TensorId id : own)
                out.push_back(part.cut.whole(id));
            return numbers(out);
        };
        Json step = {{"program", shared_.empty() ? name + ending_ : shared_}};
        if (!shared_.empty()) step["network"] = name;
        step["inputs"] = ids(part.compiled.inputs);
        step["outputs"] = ids(part.compiled.outputs);
        if (!part.compiled.host.empty()) {
            // The program calls them by number.
            step["host_commands"] = Json::array();
            for (const compiler::HostOperator& op : part.compiled.host)
                step["host_commands"].push_back(
                    operator_of(part.cut.nodes[static_cast<std::size_t>(op.node)]));
        }
        steps_.push_back(std::move(step));
    }

    Json tensor(TensorId id) const {
        const graph::Tensor& from = network_.graph.tensor(id);
        return {{"number", id},
                {"name", from.name},
                {"type", graph::name_of(from.type)},
                {"shape", from.shape},
                {"scale", from.quantisation.scale},
                {"zero_point", from.quantisation.zero_point}};
    }

    const Network& network_;
    std::string ending_, shared_;
    std::set<TensorId> tensors_;
    Json steps_ = Json::array();
};

}  // namespace

std::string program_name(const Network& network, std::size_t program) {
    const auto programs = std::count_if(network.parts.begin(), network.parts.end(),
                                        [](const compiler::Part& part) { return part.hardware; });
    return programs < 2 ? network.name : fmt::format("{}.{}", network.name, program + 1);
}

std::string parts_text(const Network& network, const std::string& ending,
                       const std::string& shared) {
    if (network.compiled.host_nodes.empty() && network.graph.states.empty()) return "";
    return Steps(network, ending, shared).text();
}

}  // namespace macrame::network
