/// If, Loop and Scan of ONNX files: the branch that is taken, or both where a value decides, the
/// turns of a loop that constants decide become a part of the graph.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

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

bool is_control_flow(const Node& node) {
    return node.op_type() == "If" || node.op_type() == "Loop" || node.op_type() == "Scan";
}

void keep_key(Node& node) {
    if (is_control_flow(node)) node.set_key(key_of(node));
}

class Branch {
public:
    Branch(const Branches& taken, Budget& budget, Graph& to)
        : taken_(taken), budget_(budget), to_(to) {}

    /// Appends a node, or what it stands for.
    void add(const Node& node) {
        const std::string& type = node.op_type();
        const auto found = is_control_flow(node) ? taken_.find(key_of(node)) : taken_.end();
        if (found == taken_.end()) {
            keep_key(*to_.add_node() = node);
            return;
        }
        if (type == "If" && found->second == kBothBranches) return both(node);
        const bool yes = found->second != 0;
        const char* const name = type != "If" ? "body" : yes ? "then_branch" : "else_branch";
        const Graph& graph = graph_of(node, name);
        if (type == "If") return expand(node, graph);
        return type == "Loop" ? loop(node, graph, found->second) : scan(node, graph, found->second);
    }

private:
    static const Graph& graph_of(const Node& node, const char* name) {
        for (const Attribute& attribute : node.attribute())
            if (attribute.name() == name && attribute.has_g()) return attribute.g();
        throw Refusal{
            fmt::format("operator {} ({}): no {}: want one", node.place(), node.op_type(), name)};
    }

    static std::int64_t integer_of(const Node& node, const char* name) {
        for (const Attribute& attribute : node.attribute())
            if (attribute.name() == name) return attribute.i();
        return 0;
    }

    /// As many of one kind as of the other.
    static void want_as_many(const Node& call, int found, int wanted, const char* what) {
        if (found != wanted)
            throw Refusal{fmt::format("operator {} ({}): {} {}: want {}", call.place(),
                                      call.op_type(), found, what, wanted)};
    }

    /// Names of the file are unique, but not in both branches, nor in each turn.
    void expand(const Node& call, const Graph& branch) {
        want_as_many(call, branch.output_size(), call.output_size(), "results of a branch");
        const Names names = turn(call, branch, call.output(0) + "/", {});
        for (int i = 0; i < call.output_size(); ++i)
            alias(call, renamed(branch.output(i).name(), names), call.output(i));
    }

    /// The operators of both, whose results the If chooses from.
    void both(const Node& call) {
        Node choice;
        choice.set_op_type(call.op_type());
        choice.set_name(call.name());
        choice.set_place(call.place());
        choice.set_version(kIdentityOfAll);
        choice.set_key(key_of(call));
        choice.add_input(call.input(0));
        *choice.mutable_output() = call.output();
        for (const char* const name : {"then_branch", "else_branch"}) {
            const Graph& branch = graph_of(call, name);
            want_as_many(call, branch.output_size(), call.output_size(), "results of a branch");
            const Names names = turn(call, branch, fmt::format("{}/{}/", key_of(call), name), {});
            for (const onnx_schema::ValueInfo& result : branch.output())
                choice.add_input(renamed(result.name(), names));
        }
        *to_.add_node() = std::move(choice);
    }

    void loop(const Node& call, const Graph& body, std::int64_t turns) {
        const int kept = call.input_size() - 2, made = call.output_size() - kept;
        want_as_many(call, body.input_size(), kept + 2, "inputs of a body");
        if (made < 0) want_as_many(call, call.output_size(), kept, "results");
        want_as_many(call, body.output_size(), kept + made + 1, "results of a body");
        std::vector<std::string> now(call.input().begin() + 2, call.input().end());
        std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(made));
        const std::string key = key_of(call);
        for (std::int64_t i = 0; i < turns; ++i) {
            const std::string own = fmt::format("{}/{}/", key, i);
            Names names = {{body.input(0).name(), constant(own + "number", i, false)},
                           {body.input(1).name(), constant(own + "goes on", 1, true)}};
            for (int k = 0; k < kept; ++k)
                names[body.input(k + 2).name()] = now[static_cast<std::size_t>(k)];
            names = turn(call, body, own, std::move(names));
            for (int k = 0; k < kept; ++k)
                now[static_cast<std::size_t>(k)] = renamed(body.output(k + 1).name(), names);
            for (int k = 0; k < made; ++k)
                rows[static_cast<std::size_t>(k)].push_back(
                    renamed(body.output(kept + 1 + k).name(), names));
        }
        give(call, now, rows);
    }

    void scan(const Node& call, const Graph& body, std::int64_t turns) {
        const auto read = static_cast<int>(integer_of(call, "num_scan_inputs"));
        const int kept = call.input_size() - read, made = call.output_size() - kept;
        want_as_many(call, body.input_size(), call.input_size(), "inputs of a body");
        if (kept < 0 || made < 0) want_as_many(call, call.output_size(), kept, "results");
        want_as_many(call, body.output_size(), call.output_size(), "results of a body");
        std::vector<std::string> now(call.input().begin(), call.input().begin() + kept);
        std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(made));
        const std::string key = key_of(call);
        for (std::int64_t i = 0; i < turns; ++i) {
            const std::string own = fmt::format("{}/{}/", key, i);
            const std::string number = constant(own + "number", i, false);
            Names names;
            for (int k = 0; k < kept; ++k)
                names[body.input(k).name()] = now[static_cast<std::size_t>(k)];
            for (int k = 0; k < read; ++k)
                names[body.input(kept + k).name()] =
                    step(call, "Gather", {call.input(kept + k), number},
                         fmt::format("{}read {}", own, k));
            names = turn(call, body, own, std::move(names));
            for (int k = 0; k < kept; ++k)
                now[static_cast<std::size_t>(k)] = renamed(body.output(k).name(), names);
            for (int k = 0; k < made; ++k)
                rows[static_cast<std::size_t>(k)].push_back(
                    renamed(body.output(kept + k).name(), names));
        }
        give(call, now, rows);
    }

    /// What is kept at the end, and the rows of all turns.
    void give(const Node& call, const std::vector<std::string>& kept,
              const std::vector<std::vector<std::string>>& rows) {
        int i = 0;
        for (const std::string& name : kept)
            alias(call, name, call.output(i++));
        for (const std::vector<std::string>& turns : rows) {
            const std::string& to = call.output(i++);
            if (to.empty()) continue;
            std::vector<std::string> each;
            for (const std::string& name : turns) {
                const std::string own = fmt::format("{}/row {}", to, each.size());
                each.push_back(
                    step(call, "Unsqueeze", {name, constant(own + " axis", 0, false, true)}, own));
            }
            step(call, "Concat", each, to);
        }
    }

    /// The operators of a graph with names of their own; returns all names that are other ones.
    Names turn(const Node& call, const Graph& branch, const std::string& own, Names names) {
        budget_.charge(branch.ByteSizeLong());
        const auto name = [&](const std::string& from) {
            if (!from.empty()) names.emplace(from, own + from);
        };
        for (const Node& node : branch.node())
            for (const std::string& output : node.output())
                name(output);
        for (const onnx_schema::Tensor& tensor : branch.initializer()) {
            name(tensor.name());
            *to_.add_initializer() = tensor;
            rename(*to_.mutable_initializer()->rbegin()->mutable_name(), names);
        }
        for (const Node& from : branch.node()) {
            Node node = from;
            rename(node, names);
            node.set_place(call.place());
            node.clear_version();
            node.clear_key();
            if (node.domain() == "ai.onnx") node.clear_domain();
            add(node);
        }
        return names;
    }

    static std::string renamed(std::string name, const Names& names) {
        rename(name, names);
        return name;
    }

    /// A scalar, or a row of one, of int64 or bool.
    std::string constant(const std::string& name, std::int64_t value, bool truth,
                         bool row = false) {
        constexpr int kWide = 7, kTruth = 9;
        onnx_schema::Tensor& tensor = *to_.add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(truth ? kTruth : kWide);
        if (row) tensor.add_dims(1);
        if (truth)
            tensor.add_int32_data(static_cast<int>(value));
        else
            tensor.add_int64_data(value);
        return name;
    }

    /// An operator along axis 0.
    std::string step(const Node& call, const char* type, const std::vector<std::string>& inputs,
                     const std::string& to) {
        constexpr int kInteger = 2;
        Node node;
        node.set_op_type(type);
        for (const std::string& input : inputs)
            node.add_input(input);
        node.add_output(to);
        if (node.op_type() != "Unsqueeze") {
            Attribute& axis = *node.add_attribute();
            axis.set_name("axis");
            axis.set_i(0);
            axis.set_type(kInteger);
        }
        node.set_place(call.place());
        node.set_version(kIdentityOfAll);
        *to_.add_node() = std::move(node);
        return to;
    }

    void alias(const Node& call, const std::string& from, const std::string& to) {
        if (to.empty()) return;
        Node same;
        same.set_op_type("Identity");
        same.add_input(from);
        same.add_output(to);
        same.set_place(call.place());
        same.set_version(kIdentityOfAll);
        *to_.add_node() = std::move(same);
    }

    const Branches& taken_;
    Budget& budget_;
    Graph& to_;
};

/// The node that writes a name in a graph, or none.
const Node* writer_of(const Graph& graph, const std::string& name) {
    for (const Node& node : graph.node())
        for (const std::string& output : node.output())
            if (output == name) return &node;
    return nullptr;
}

/// Whether a constant of bool is there, and true.
bool is_true(const onnx_schema::Tensor& tensor) {
    if (!tensor.raw_data().empty()) return tensor.raw_data()[0] != 0;
    return tensor.int32_data_size() > 0 && tensor.int32_data(0) != 0;
}

}  // namespace

std::string key_of(const Node& node) {
    if (node.has_key()) return node.key();
    for (const std::string& name : node.output())
        if (!name.empty()) return name;
    return {};
}

bool goes_on(const Graph& body) {
    if (body.output_size() < 1 || body.input_size() < 2) return false;
    std::string name = body.output(0).name();
    for (int i = 0; i < body.node_size(); ++i) {
        const Node* const node = writer_of(body, name);
        if (node == nullptr || node->op_type() != "Identity" || node->input_size() != 1) break;
        name = node->input(0);
    }
    if (name == body.input(1).name()) return true;
    for (const onnx_schema::Tensor& tensor : body.initializer())
        if (tensor.name() == name) return is_true(tensor);
    const Node* const node = writer_of(body, name);
    if (node == nullptr || node->op_type() != "Constant") return false;
    for (const Attribute& attribute : node->attribute())
        if (attribute.name() == "value") return is_true(attribute.t());
    return false;
}

void inline_branches(Model& model, const Branches& taken, Budget& budget) {
    Graph& graph = *model.mutable_graph();
    for (Node& node : *graph.mutable_node())
        keep_key(node);
    if (taken.empty()) return;
    Graph nodes;
    nodes.mutable_node()->Swap(graph.mutable_node());
    Branch branch(taken, budget, graph);
    for (const Node& node : nodes.node())
        branch.add(node);
}

}  // namespace macrame::front
