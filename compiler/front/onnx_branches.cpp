/// If of ONNX files whose condition is known: the branch that is taken becomes a part of the graph.
#include <fmt/format.h>

#include <utility>

#include "compiler/front/onnx_form.hpp"

namespace macrame::front {
namespace {

using onnx_schema::Attribute;
using onnx_schema::Graph;
using onnx_schema::Model;
using onnx_schema::Node;

/// A version of the operator set that has Identity for all types.
constexpr int kIdentityOfAll = 13;

using Names = std::map<std::string, std::string>;

void rename(std::string& name, const Names& names) {
    const auto found = names.find(name);
    if (found != names.end()) name = found->second;
}

/// What operators read and write, also inside of their own graphs.
void rename(Node& node, const Names& names) {
    for (auto* all : {node.mutable_input(), node.mutable_output()})
        for (std::string& name : *all)
            rename(name, names);
    for (Attribute& attribute : *node.mutable_attribute()) {
        if (!attribute.has_g()) continue;
        for (Node& inner : *attribute.mutable_g()->mutable_node())
            rename(inner, names);
        for (onnx_schema::ValueInfo& value : *attribute.mutable_g()->mutable_output())
            rename(*value.mutable_name(), names);
    }
}

class Branch {
public:
    Branch(const Branches& taken, Budget& budget, Graph& to)
        : taken_(taken), budget_(budget), to_(to) {}

    /// Appends a node, or what it stands for.
    void add(const Node& node) {
        const auto found = node.output_size() == 0 || node.op_type() != "If"
                               ? taken_.end()
                               : taken_.find(node.output(0));
        if (found == taken_.end()) {
            *to_.add_node() = node;
            return;
        }
        const char* const name = found->second ? "then_branch" : "else_branch";
        for (const Attribute& attribute : node.attribute())
            if (attribute.name() == name && attribute.has_g()) return expand(node, attribute.g());
        throw Refusal{fmt::format("operator {} (If): no {}: want one", node.place(), name)};
    }

private:
    void expand(const Node& call, const Graph& branch) {
        budget_.charge(branch.ByteSizeLong());
        if (branch.output_size() != call.output_size())
            throw Refusal{fmt::format("operator {} (If): {} results of a branch: want {}",
                                      call.place(), branch.output_size(), call.output_size())};
        // Names of the file are unique, but not in both branches.
        Names names;
        const auto own = [&](const std::string& name) {
            if (!name.empty()) names.emplace(name, call.output(0) + "/" + name);
        };
        for (const Node& node : branch.node())
            for (const std::string& name : node.output())
                own(name);
        for (const onnx_schema::Tensor& tensor : branch.initializer()) {
            own(tensor.name());
            *to_.add_initializer() = tensor;
            rename(*to_.mutable_initializer()->rbegin()->mutable_name(), names);
        }
        for (const Node& from : branch.node()) {
            Node node = from;
            rename(node, names);
            node.set_place(call.place());
            node.clear_version();
            if (node.domain() == "ai.onnx") node.clear_domain();
            add(node);
        }
        for (int i = 0; i < call.output_size(); ++i) {
            if (call.output(i).empty()) continue;
            Node same;
            same.set_op_type("Identity");
            same.add_input(branch.output(i).name());
            rename(*same.mutable_input(0), names);
            same.add_output(call.output(i));
            same.set_place(call.place());
            same.set_version(kIdentityOfAll);
            *to_.add_node() = std::move(same);
        }
    }

    const Branches& taken_;
    Budget& budget_;
    Graph& to_;
};

}  // namespace

void inline_branches(Model& model, const Branches& taken, Budget& budget) {
    if (taken.empty()) return;
    Graph& graph = *model.mutable_graph();
    Graph nodes;
    nodes.mutable_node()->Swap(graph.mutable_node());
    Branch branch(taken, budget, graph);
    for (const Node& node : nodes.node())
        branch.add(node);
}

}  // namespace macrame::front
