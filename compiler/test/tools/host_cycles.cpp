/// What operators take on this processor, for the table of compiler/host_time.hpp.
///
///     host_cycles MHZ
///
/// Runs each kind of work on the reference executor and prints cycles of a clock of MHZ for each of
/// its units: the least of several runs, in time of the processor, so that other programs do not
/// count.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <utility>
#include <vector>

#include "compiler/graph/reference.hpp"
#include "compiler/host_time.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace {

using namespace macrame::graph;
using macrame::compiler::host_cycles;
using macrame::compiler::host_units;
using macrame::compiler::host_work;

constexpr int kSize = 48, kChannels = 16;

struct Case : test::Builder {
    std::string name;

    TensorId activation(std::vector<int> shape = {1, kSize, kSize, kChannels}) {
        return tensor(Type::int8, std::move(shape), 0.05F, -3);
    }
};

/// One input, one output of that shape.
Case unary(const char* name, Operator op, std::vector<int> shape = {1, kSize, kSize, kChannels},
           float scale = 0.04F, int zero_point = 5) {
    Case out;
    out.name = name;
    const TensorId in = out.activation();
    out.graph.inputs = {in};
    out.node(std::move(op), {in}, {out.output(Type::int8, std::move(shape), scale, zero_point)});
    return out;
}

Case conv(const char* name, int kernel, int groups) {
    Case out = unary(name, Conv{});
    Conv op;
    op.groups = groups;
    op.window.kernel_h = op.window.kernel_w = kernel;
    op.window.top = op.window.left = op.window.bottom = op.window.right = kernel / 2;
    const int channels = kChannels / groups;
    const TensorId weights = out.constant<std::int8_t>(
        Type::int8, {kChannels, kernel, kernel, channels},
        test::random_values(static_cast<std::size_t>(kChannels * kernel * kernel * channels), 1),
        0.01F);
    out.graph.nodes[0].op = op;
    out.graph.nodes[0].inputs = {0, weights, kNone};
    return out;
}

/// The same with real values.
Case real(Case of) {
    of.name += " float32";
    for (Tensor& tensor : of.graph.tensors) {
        if (tensor.constant) continue;
        tensor.type = Type::float32;
        tensor.quantisation = {};
    }
    return of;
}

std::vector<Case> cases() {
    std::vector<Case> out = {conv("conv 3x3", 3, 1), conv("conv 1x1", 1, 1),
                             conv("depthwise 3x3", 3, kChannels)};
    Pool pool;
    pool.window = {3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
    out.push_back(unary("max pool 3x3", pool, {1, kSize, kSize, kChannels}, 0.05F, -3));
    pool.function = Pooling::average;
    out.push_back(unary("average pool 3x3", pool, {1, kSize, kSize, kChannels}, 0.05F, -3));
    out.push_back(unary("mean", Mean{{1, 2}, false}, {1, kChannels}));
    for (const auto& [name, function] :
         {std::pair("add", Arithmetic::add), std::pair("mul", Arithmetic::mul)}) {
        Case two = unary(name, Binary{function, Activation::none});
        two.graph.nodes[0].inputs = {0, 0};
        out.push_back(std::move(two));
    }
    for (const auto& [name, function] :
         {std::pair("relu", Function::relu), std::pair("leaky relu", Function::leaky_relu),
          std::pair("sigmoid", Function::sigmoid), std::pair("tanh", Function::tanh),
          std::pair("hard swish", Function::hard_swish), std::pair("exp", Function::exp)})
        out.push_back(unary(name, Unary{function, 0.1F, 0}));
    out.push_back(unary("softmax", Softmax{}, {1, kSize, kSize, kChannels}, 1.0F / 256, -128));
    Case argmax = unary("argmax", Argmax{3});
    argmax.graph.tensors[1] = {"index", Type::int32, {1, kSize, kSize}, {}, false, false, {}};
    out.push_back(std::move(argmax));
    out.push_back(unary("requantise", Requantise{}));
    Case flips = unary("int8 to uint8", Requantise{}, {1, kSize, kSize, kChannels}, 0.05F, 125);
    flips.graph.tensors[1].type = Type::uint8;
    out.push_back(std::move(flips));
    out.push_back(
        unary("transpose", Transpose{{0, 3, 1, 2}}, {1, kChannels, kSize, kSize}, 0.05F, -3));
    out.push_back(unary("reshape", Reshape{}, {1, kSize * kSize * kChannels}, 0.05F, -3));
    out.push_back(unary("pad", Pad{{{0, 0}, {1, 1}, {1, 1}, {0, 0}}},
                        {1, kSize + 2, kSize + 2, kChannels}, 0.05F, -3));
    for (const auto& [name, function] : {std::pair("resize nearest", Resampling::nearest),
                                         std::pair("resize bilinear", Resampling::bilinear)})
        out.push_back(unary(name, Resize{function, false, false},
                            {1, 2 * kSize, 2 * kSize, kChannels}, 0.05F, -3));
    out.push_back(real(unary("relu", Unary{Function::relu, 0, 0})));
    out.push_back(real(unary("sigmoid", Unary{Function::sigmoid, 0, 0})));
    out.push_back(real(unary("exp", Unary{Function::exp, 0, 0})));
    out.push_back(real(unary("softmax", Softmax{})));
    Case sum = real(unary("add", Binary{}));
    sum.graph.nodes[0].inputs = {0, 0};
    out.push_back(std::move(sum));
    Case back = unary("quantise", Requantise{});
    back.graph.tensors[0].type = Type::float32;
    back.graph.tensors[0].quantisation = {};
    out.push_back(std::move(back));
    return out;
}

Bytes input_of(const Tensor& tensor) {
    const std::vector<std::int8_t> values = test::random_values(tensor.elements(), 1);
    if (tensor.type == Type::int8) return test::bytes_of(values);
    std::vector<float> reals;
    for (const std::int8_t value : values)
        reals.push_back(static_cast<float>(value) / 32);
    return test::bytes_of(reals);
}

double seconds_of(const Graph& graph, const std::vector<Bytes>& inputs) {
    double best = std::numeric_limits<double>::max();
    for (int run = 0; run < 7; ++run) {
        const std::clock_t begin = std::clock();
        int times = 0;
        do {
            macrame::graph::run(graph, inputs);
            ++times;
        } while (std::clock() - begin < CLOCKS_PER_SEC / 50);
        best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / times);
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const double mhz = std::atof(argv[1]);
    fmt::print("{:<18} {:<14} {:>10} {:>8} {:>8}\n", "operator", "kind", "units", "cycles",
               "table");
    for (const Case& one : cases()) {
        for (const std::string& problem : check(one.graph)) {
            fmt::print("{}: {}\n", one.name, problem);
            return 1;
        }
        const Node& node = one.graph.nodes[0];
        const auto units = static_cast<double>(host_units(one.graph, node));
        const std::vector<Bytes> inputs = {input_of(one.graph.tensor(one.graph.inputs[0]))};
        const double wanted = static_cast<double>(host_cycles(one.graph, node)) / units;
        fmt::print("{:<18} {:<14} {:>10} {:>8.2f} {:>8.2f}\n", one.name,
                   host_work(one.graph, node).name, units,
                   1e6 * mhz * seconds_of(one.graph, inputs) / units, wanted);
    }
    return 0;
}
