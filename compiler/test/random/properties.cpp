#include "compiler/test/random/properties.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "compiler/graph/check.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// Networks of one operator: input, then weights and bias or a second operand.
class Single : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph conv(int groups, int per_channel) {
        Conv op;
        op.groups = groups;
        op.window.kernel_h = op.window.kernel_w = 3;
        op.window.top = op.window.left = op.window.bottom = op.window.right = 1;
        const TensorId in = input({1, 5, 6, 12}), out = output({1, 5, 6, 12});
        return weighted(op, in, {12, 3, 3, 12 / groups}, out, per_channel);
    }
    Graph transposed(int per_channel) {
        TransposeConv op;
        op.window.kernel_h = op.window.kernel_w = 3;
        op.window.stride_h = op.window.stride_w = 2;
        const TensorId in = input({1, 3, 4, 10}), out = output({1, 7, 9, 9});
        return weighted(op, in, {9, 3, 3, 10}, out, per_channel);
    }
    Graph connected(std::vector<int> in, std::vector<int> out, int channels, int per_channel) {
        const TensorId from = input(std::move(in)), to = output(std::move(out));
        return weighted(FullyConnected{}, from, {graph_.tensor(to).shape.back(), channels}, to,
                        per_channel);
    }
    Graph two(Operator op, std::vector<int> constant) {
        const TensorId in = input({1, 4, 5, 9}), out = output({1, 4, 5, 9});
        TensorId other = kNone;
        if (constant.empty()) {
            other = input({1, 4, 5, 9});
        } else {
            std::vector<double> scales;
            other = weights(std::move(constant), 1, 1, graph_.tensor(in), graph_.tensor(out),
                            scales);
            graph_.tensor(other).quantisation.scale = {0.02F};
        }
        return node(std::move(op), {in, other}, out);
    }
    Graph one(Operator op, std::vector<int> out) {
        const TensorId in = input({1, 4, 5, 9});
        return node(std::move(op), {in}, output(std::move(out)));
    }

private:
    TensorId input(std::vector<int> shape) {
        graph_.inputs.push_back(plain(std::move(shape), "input", 3));
        return graph_.inputs.back();
    }
    TensorId output(std::vector<int> shape) { return plain(std::move(shape), "output", -4); }
    TensorId plain(std::vector<int> shape, const char* name, int zero) {
        const TensorId id = activation(std::move(shape), name);
        graph_.tensor(id).quantisation = {{0.03F}, {zero}, 0};
        return id;
    }
    Graph weighted(Operator op, TensorId in, std::vector<int> shape, TensorId out,
                   int per_channel) {
        std::vector<double> scales;
        const int kernels = shape[0];
        const double terms = static_cast<double>(shape.back()) * (shape.size() > 2 ? 9 : 1);
        const TensorId w =
            weights(std::move(shape), per_channel == 0 ? 1 : kernels,
                    1 / std::sqrt(5000.0 * terms), graph_.tensor(in), graph_.tensor(out), scales);
        const TensorId b = bias(kernels, scales, graph_.tensor(out));
        return node(std::move(op), {in, w, b}, out);
    }
    Graph node(Operator op, std::vector<TensorId> in, TensorId out) {
        add_node(std::move(op), std::move(in), out);
        return finish();
    }
};

using Make = std::function<Graph(std::uint64_t)>;

std::vector<std::pair<const char*, Make>> operators() {
    std::vector<std::pair<const char*, Make>> out;
    for (const int channels : {0, 1}) {
        out.push_back({"conv", [=](auto seed) { return Single(seed).conv(1, channels); }});
        out.push_back({"depthwise", [=](auto seed) { return Single(seed).conv(12, channels); }});
        out.push_back({"grouped", [=](auto seed) { return Single(seed).conv(3, channels); }});
        out.push_back({"transposed", [=](auto seed) { return Single(seed).transposed(channels); }});
        out.push_back({"fully connected", [=](auto seed) {
                           return Single(seed).connected({1, 2, 3, 7}, {1, 9}, 42, channels);
                       }});
        out.push_back({"rows", [=](auto seed) {
                           return Single(seed).connected({1, 2, 3, 7}, {1, 2, 3, 9}, 7, channels);
                       }});
    }
    for (const Arithmetic function : {Arithmetic::add, Arithmetic::sub, Arithmetic::mul,
                                      Arithmetic::maximum, Arithmetic::minimum}) {
        for (const std::vector<int>& constant :
             {std::vector<int>{}, std::vector<int>{1}, std::vector<int>{9},
              std::vector<int>{1, 4, 5, 9}}) {
            out.push_back({"arithmetic", [=](auto seed) {
                               return Single(seed).two(Binary{function, Activation::none},
                                                       constant);
                           }});
        }
    }
    out.push_back({"concat", [](auto seed) {
                       Graph graph = Single(seed).two(Concat{3, Activation::none}, {});
                       graph.tensor(graph.outputs[0]).shape = {1, 4, 5, 18};
                       return graph;
                   }});
    out.push_back({"prelu", [](auto seed) { return Single(seed).two(Prelu{}, {9}); }});
    for (const Pooling function : {Pooling::maximum, Pooling::average}) {
        Pool op;
        op.function = function;
        op.window.kernel_h = op.window.kernel_w = 3;
        op.window.top = op.window.left = op.window.bottom = op.window.right = 1;
        out.push_back({"pool", [=](auto seed) { return Single(seed).one(op, {1, 4, 5, 9}); }});
    }
    out.push_back(
        {"mean", [](auto seed) { return Single(seed).one(Mean{{1, 2}, false}, {1, 9}); }});
    out.push_back(
        {"requantise", [](auto seed) { return Single(seed).one(Requantise{}, {1, 4, 5, 9}); }});
    for (const Function function : {Function::relu6, Function::leaky_relu, Function::sigmoid})
        out.push_back({"function", [=](auto seed) {
                           return Single(seed).one(Unary{function, 0.1F, 0}, {1, 4, 5, 9});
                       }});
    return out;
}

Tensor* second(Graph& graph) {
    const std::vector<TensorId>& in = graph.nodes[0].inputs;
    return in.size() > 1 ? &graph.tensor(in[1]) : nullptr;
}

/// Changes a network; false where it has nothing of the kind.
struct Property {
    const char* name;
    std::function<bool(Graph&)> apply;
};

bool each_zero(Graph& graph, const std::function<int(std::size_t)>& zero) {
    Tensor* t = second(graph);
    if (t == nullptr || !t->constant) return false;
    for (std::size_t i = 0; i < t->quantisation.zero_point.size(); ++i)
        t->quantisation.zero_point[i] = zero(i);
    return true;
}

bool all_zero_points(Graph& graph, int input, int output) {
    for (const TensorId id : graph.inputs)
        graph.tensor(id).quantisation.zero_point = {input};
    graph.tensor(graph.outputs[0]).quantisation.zero_point = {output};
    return true;
}

bool as_uint8(Tensor& tensor) {
    tensor.type = Type::uint8;
    for (std::int32_t& zero : tensor.quantisation.zero_point)
        zero = 131;
    return true;
}

std::vector<Property> properties() {
    return {
        {"as it is", [](Graph&) { return true; }},
        {"constant with a zero point",
         [](Graph& g) { return each_zero(g, [](std::size_t) { return 9; }); }},
        {"constant with a zero point at the end",
         [](Graph& g) { return each_zero(g, [](std::size_t) { return -128; }); }},
        {"constant with zero points, each another",
         [](Graph& g) {
             return each_zero(
                 g, [](std::size_t i) { return static_cast<int>(i * 37 % 256) - 128; });
         }},
        {"constant of uint8",
         [](Graph& g) {
             Tensor* t = second(g);
             return t != nullptr && t->constant && as_uint8(*t);
         }},
        {"constant with a scale of 0",
         [](Graph& g) {
             Tensor* t = second(g);
             if (t == nullptr || !t->constant) return false;
             t->quantisation.scale[0] = 0;
             return true;
         }},
        {"constant of zeros",
         [](Graph& g) {
             Tensor* t = second(g);
             if (t == nullptr || !t->constant) return false;
             t->data.assign(t->data.size() / 3, 0);
             t->data.resize(t->elements(), 5);
             return true;
         }},
        {"bias with another scale",
         [](Graph& g) {
             if (g.nodes[0].inputs.size() < 3) return false;
             for (float& scale : g.tensor(g.nodes[0].inputs[2]).quantisation.scale)
                 scale *= 3;
             return true;
         }},
        {"bias that is left out",
         [](Graph& g) {
             if (g.nodes[0].inputs.size() < 3) return false;
             g.nodes[0].inputs[2] = kNone;
             return true;
         }},
        {"zero points at the ends", [](Graph& g) { return all_zero_points(g, -128, 127); }},
        {"equal zero points", [](Graph& g) { return all_zero_points(g, 127, 127); }},
        {"scales far apart",
         [](Graph& g) {
             g.tensor(g.inputs[0]).quantisation.scale = {0.3F};
             return true;
         }},
        {"input of uint8", [](Graph& g) { return as_uint8(g.tensor(g.inputs[0])); }},
        {"all of uint8",
         [](Graph& g) {
             for (const TensorId id : g.inputs)
                 as_uint8(g.tensor(id));
             return as_uint8(g.tensor(g.outputs[0]));
         }},
        {"activation with scales per channel",
         [](Graph& g) {
             Quantisation& q = g.tensor(g.inputs[0]).quantisation;
             q = {std::vector<float>(12, 0.02F), std::vector<std::int32_t>(12, 0), 3};
             return true;
         }},
        {"elements that are less by 128 than those of the file",
         [](Graph& g) {
             for (Tensor& t : g.tensors)
                 t.shifted = t.type == Type::int8;
             return true;
         }},
    };
}

}  // namespace

std::vector<PropertyCase> property_cases() {
    std::vector<PropertyCase> out;
    std::uint64_t seed = 1;
    for (const auto& [name, make] : operators()) {
        for (const Property& property : properties()) {
            for (const Rounding rounding : {Rounding::tflite, Rounding::onnx}) {
                Graph graph = make(seed++);
                graph.rounding = rounding;
                if (!property.apply(graph) || !check(graph).empty()) continue;
                const std::string of = rounding == Rounding::onnx ? " (ONNX)" : "";
                out.push_back({std::string(name) + ", " + property.name + of, std::move(graph)});
            }
        }
    }
    return out;
}

}  // namespace macrame::test
