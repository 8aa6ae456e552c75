#include "compiler/front/onnx_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/front/onnx_expand.hpp"

namespace macrame::front {

namespace {

using onnx_schema::Attribute;
using onnx_schema::Graph;
using onnx_schema::Model;
using onnx_schema::Node;

/// Functions within functions.
constexpr int kMaxCalls = 16;
/// A version of the operator set that has Identity for all types.
constexpr int kIdentity = 13;

using Key = std::tuple<std::string, std::string, std::string>;

/// Replaces calls of the file's functions.
class Inliner {
public:
    Inliner(const Model& model, Budget& budget) : budget_(budget) {
        for (const onnx_schema::Function& function : model.functions())
            functions_[{domain_of(function.domain()), function.name(), function.overload()}] =
                &function;
    }

    bool any() const { return !functions_.empty(); }

    /// Appends a node, or what it stands for.
    void add(Node node, int depth, Graph& to) {
        budget_.charge(node.ByteSizeLong());
        const auto found =
            functions_.find({domain_of(node.domain()), node.op_type(), node.overload()});
        if (found == functions_.end()) {
            *to.add_node() = std::move(node);
            return;
        }
        if (depth == kMaxCalls)
            throw Refusal{
                fmt::format("operator {} ({}): functions {} deep: want fewer, and none that "
                            "calls itself",
                            node.place(), readable(node.op_type()), kMaxCalls)};
        expand(*found->second, node, depth, to);
    }

private:
    void expand(const onnx_schema::Function& function, const Node& call, int depth, Graph& to) {
        // Names inside are those of the call, or get one that is nowhere else.
        std::map<std::string, std::string> names = {{"", ""}};
        const std::string prefix = fmt::format("{}#{}/", readable(function.name()), ++calls_);
        for (int i = 0; i < function.input_size(); ++i)
            names[function.input(i)] = i < call.input_size() ? call.input(i) : "";
        std::set<std::string> written;
        for (const Node& node : function.node())
            written.insert(node.output().begin(), node.output().end());
        for (int i = 0; i < function.output_size() && i < call.output_size(); ++i) {
            const std::string& name = function.output(i);
            if (call.output(i).empty()) continue;
            if (written.count(name) != 0 && names.count(name) == 0) {
                names[name] = call.output(i);
            } else {  // an input as it is, or a result that is given twice
                Node same;
                same.set_op_type("Identity");
                same.add_input(renamed(name, names, prefix));
                same.add_output(call.output(i));
                same.set_place(call.place());
                same.set_version(kIdentity);
                late_.push_back(std::move(same));
            }
        }
        for (const Node& inner : function.node()) {
            Node node = inner;
            for (std::string& name : *node.mutable_input())
                name = renamed(name, names, prefix);
            for (std::string& name : *node.mutable_output())
                name = renamed(name, names, prefix);
            node.set_place(call.place());
            set_version(function, node);
            set_attributes(function, call, node);
            add(std::move(node), depth + 1, to);
        }
        for (Node& node : std::exchange(late_, {}))
            *to.add_node() = std::move(node);
    }

    static std::string renamed(const std::string& name,
                               const std::map<std::string, std::string>& names,
                               const std::string& prefix) {
        const auto found = names.find(name);
        return found == names.end() ? prefix + name : found->second;
    }

    static void set_version(const onnx_schema::Function& function, Node& node) {
        node.clear_version();
        for (const onnx_schema::OperatorSet& set : function.opset_import()) {
            if (domain_of(set.domain()) == domain_of(node.domain()))
                node.set_version(set.version());
        }
    }

    /// Those that refer to attributes of the function.
    static void set_attributes(const onnx_schema::Function& function, const Node& call,
                               Node& node) {
        std::vector<Attribute> settled;
        for (const Attribute& attribute : node.attribute()) {
            if (!attribute.has_ref_attr_name()) {
                settled.push_back(attribute);
                continue;
            }
            const auto is_it = [&](const Attribute& a) {
                return a.name() == attribute.ref_attr_name();
            };
            const auto given =
                std::find_if(call.attribute().begin(), call.attribute().end(), is_it);
            const auto usual = std::find_if(function.attribute_proto().begin(),
                                            function.attribute_proto().end(), is_it);
            const bool none = usual == function.attribute_proto().end();
            if (given == call.attribute().end() && none) continue;  // left out
            settled.push_back(given == call.attribute().end() ? *usual : *given);
            settled.back().set_name(attribute.name());
        }
        node.clear_attribute();
        for (Attribute& attribute : settled)
            *node.add_attribute() = std::move(attribute);
    }

    Budget& budget_;
    std::map<Key, const onnx_schema::Function*> functions_;
    std::vector<Node> late_;
    int calls_ = 0;
};

/// Which node writes a name: the first of them.
std::map<std::string, int> writers_of(const Graph& graph) {
    std::map<std::string, int> writers;
    for (int i = 0; i < graph.node_size(); ++i) {
        for (const std::string& name : graph.node(i).output())
            if (!name.empty()) writers.emplace(name, i);
    }
    return writers;
}

/// Nodes that outputs need; two that write one name stay, to be refused.
std::vector<bool> needed(const Graph& graph, const std::map<std::string, int>& writers) {
    std::vector<bool> result(static_cast<std::size_t>(graph.node_size()));
    std::vector<int> open;
    const auto want = [&](int i) {
        if (result[static_cast<std::size_t>(i)]) return;
        result[static_cast<std::size_t>(i)] = true;
        open.push_back(i);
    };
    const auto want_name = [&](const std::string& name) {
        const auto found = writers.find(name);
        if (found != writers.end()) want(found->second);
    };
    for (const onnx_schema::ValueInfo& output : graph.output())
        want_name(output.name());
    for (int i = 0; i < graph.node_size(); ++i) {
        const Node& node = graph.node(i);
        bool writes = false;
        for (const std::string& name : node.output()) {
            writes |= !name.empty();
            if (!name.empty() && writers.at(name) != i) want(i);
        }
        if (!writes) want(i);
    }
    while (!open.empty()) {
        const int i = open.back();
        open.pop_back();
        for (const std::string& name : graph.node(i).input())
            want_name(name);
    }
    return result;
}

/// Each node behind those that write what it reads, else in the order of the file; what reads its
/// own results comes last.
std::vector<int> order_of(const Graph& graph, const std::map<std::string, int>& writers,
                          const std::vector<bool>& wanted) {
    const auto count = static_cast<std::size_t>(graph.node_size());
    std::vector<std::vector<int>> readers(count);
    std::vector<std::size_t> missing(count);
    for (int i = 0; i < graph.node_size(); ++i) {
        for (const std::string& name : graph.node(i).input()) {
            const auto found = writers.find(name);
            if (found == writers.end()) continue;
            readers[static_cast<std::size_t>(found->second)].push_back(i);
            ++missing[static_cast<std::size_t>(i)];
        }
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    std::vector<bool> done(count);
    for (int i = 0; i < graph.node_size(); ++i)
        if (missing[static_cast<std::size_t>(i)] == 0) ready.push(i);
    std::vector<int> order;
    while (!ready.empty()) {
        const int i = ready.top();
        ready.pop();
        done[static_cast<std::size_t>(i)] = true;
        if (wanted[static_cast<std::size_t>(i)]) order.push_back(i);
        for (const int reader : readers[static_cast<std::size_t>(i)])
            if (--missing[static_cast<std::size_t>(reader)] == 0) ready.push(reader);
    }
    for (int i = 0; i < graph.node_size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!done[at] && wanted[at]) order.push_back(i);
    }
    return order;
}

/// Operators that give what they read, as long as nobody trains.
class Aliases {
public:
    explicit Aliases(Graph& graph) : graph_(graph) {
        for (const onnx_schema::ValueInfo& value : graph.output())
            outputs_.insert(value.name());
        for (const onnx_schema::ValueInfo& value : graph.input())
            given_.insert(value.name());
        for (const onnx_schema::Tensor& tensor : graph.initializer()) {
            given_.insert(tensor.name());
            if (tensor.data_type() == kFloat) reals_.insert(tensor.name());
        }
    }

    /// Nodes are in order. Readers read what is in front; an output is written by what is.
    void resolve() {
        Graph settled;
        std::map<std::string, std::string> final;  // names that are given up for those of outputs
        for (Node& node : *graph_.mutable_node()) {
            for (std::string& name : *node.mutable_input()) {
                const auto found = names_.find(name);
                if (found != names_.end()) name = found->second;
            }
            const bool same = is_alias(node);
            if (same && outputs_.count(node.output(0)) == 0) {
                names_[node.output(0)] = node.input(0);
                continue;
            }
            if (same && given_.count(node.input(0)) == 0 && outputs_.count(node.input(0)) == 0 &&
                final.emplace(node.input(0), node.output(0)).second)
                continue;
            if (node.op_type() == "DequantizeLinear" && node.input_size() > 1 &&
                reals_.count(node.input(1)) != 0)
                reals_.insert(node.output().begin(), node.output().end());
            settled.add_node()->Swap(&node);
        }
        for (Node& node : *settled.mutable_node())
            for (auto* names : {node.mutable_input(), node.mutable_output()})
                for (std::string& name : *names)
                    if (const auto found = final.find(name); found != final.end())
                        name = found->second;
        graph_.mutable_node()->Swap(settled.mutable_node());
    }

private:
    static constexpr int kFloat = 1;

    bool is_alias(const Node& node) const {
        if (!node.domain().empty() || node.input_size() < 1 || node.output_size() < 1 ||
            node.input(0).empty() || node.output(0).empty())
            return false;
        const auto none = [](const auto& names, int from) {
            return std::all_of(std::min(names.begin() + from, names.end()), names.end(),
                               [](const std::string& name) { return name.empty(); });
        };
        if (node.op_type() == "Identity") return true;
        if (node.op_type() == "Dropout") return none(node.input(), 2) && none(node.output(), 1);
        if (node.op_type() != "Cast" || reals_.count(node.input(0)) == 0) return false;
        return std::any_of(node.attribute().begin(), node.attribute().end(),
                           [](const Attribute& a) { return a.name() == "to" && a.i() == kFloat; });
    }

    Graph& graph_;
    std::set<std::string> outputs_, given_, reals_;
    std::map<std::string, std::string> names_;
};

}  // namespace

std::string domain_of(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

void settle_operators(Model& model, const Branches& taken, Budget& budget) {
    Graph& graph = *model.mutable_graph();
    for (int i = 0; i < graph.node_size(); ++i) {
        Node& node = *graph.mutable_node(i);
        node.set_place(i);
        node.clear_version();
        node.clear_key();
        if (node.domain() == "ai.onnx") node.clear_domain();
    }
    inline_branches(model, taken, budget);
    Inliner inliner(model, budget);
    if (inliner.any()) {
        Graph expanded;
        for (const Node& node : graph.node())
            inliner.add(node, 0, expanded);
        graph.mutable_node()->Swap(expanded.mutable_node());
        for (Node& node : *graph.mutable_node())
            if (node.domain() == "ai.onnx") node.clear_domain();
    }
    expand_operators(model, budget);
    const std::map<std::string, int> writers = writers_of(graph);
    Graph settled;
    for (const int i : order_of(graph, writers, needed(graph, writers)))
        settled.add_node()->Swap(graph.mutable_node(i));
    graph.mutable_node()->Swap(settled.mutable_node());
    Aliases(graph).resolve();
}

}  // namespace macrame::front
