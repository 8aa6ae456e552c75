/// LSTM of integers against its definition on real values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

constexpr int kSteps = 12, kValues = 5, kCells = 7;

struct Network : test::Builder {
    /// `zero` of the outputs; the scale of the state is 2^exponent.
    Network(int zero, int exponent, bool biases) {
        const TensorId x = input(Type::int8, {1, kSteps, kValues}, 0.02F, -7);
        std::vector<TensorId> in = {x};
        for (int gate = 0; gate < 4; ++gate)
            in.push_back(constant<std::int8_t>(
                Type::int8, {kCells, kValues},
                test::random_values(kCells * kValues, static_cast<unsigned>(gate + 1)), 0.01F));
        for (int gate = 0; gate < 4; ++gate)
            in.push_back(constant<std::int8_t>(
                Type::int8, {kCells, kCells},
                test::random_values(kCells * kCells, static_cast<unsigned>(gate + 9)), 0.008F));
        for (int gate = 0; gate < 4; ++gate)
            in.push_back(!biases ? kNone
                                 : constant<std::int32_t>(Type::int32, {kCells},
                                                          {900, -4000, 2500, 0, -700, 5000, 100}));
        in.push_back(input(Type::int8, {1, kCells}, 1.0F / 128, zero));
        in.push_back(input(Type::int16, {1, kCells}, std::ldexp(1.0F, exponent), 0));
        node(Lstm{}, in,
             {output(Type::int8, {1, kSteps, kCells}, 1.0F / 128, zero),
              output(Type::int8, {1, kCells}, 1.0F / 128, zero),
              output(Type::int16, {1, kCells}, std::ldexp(1.0F, exponent), 0)});
    }
};

std::vector<double> reals(const Graph& graph, TensorId id, const Bytes& bytes) {
    const Tensor& tensor = graph.tensor(id);
    const int zero = tensor.quantisation.scale.empty() ? 0 : tensor.quantisation.zero_point[0];
    std::vector<double> out;
    for (std::size_t i = 0; i < bytes.size(); i += size_of(tensor.type)) {
        std::int32_t value = static_cast<std::int8_t>(bytes[i]);
        if (tensor.type == Type::int16)
            value = static_cast<std::int16_t>(bytes[i] | bytes[i + 1] << 8);
        if (tensor.type == Type::int32) std::memcpy(&value, &bytes[i], sizeof value);
        const double scale = tensor.type == Type::int32
                                 ? 0.02 * 0.01
                                 : static_cast<double>(tensor.quantisation.scale[0]);
        out.push_back(scale * (value - zero));
    }
    return out;
}

/// Outputs of all steps.
std::vector<double> definition(const Graph& graph, const std::vector<Bytes>& inputs) {
    const std::vector<TensorId>& in = graph.nodes[0].inputs;
    const auto constant = [&](int i) {
        const TensorId id = in[static_cast<std::size_t>(i)];
        return id == kNone ? std::vector<double>(kCells, 0)
                           : reals(graph, id, graph.tensor(id).data.bytes());
    };
    const std::vector<double> x = reals(graph, in[0], inputs[0]);
    std::vector<double> h = reals(graph, in[13], inputs[1]), c = reals(graph, in[14], inputs[2]);
    std::vector<double> all;
    for (int step = 0; step < kSteps; ++step) {
        std::vector<double> sums[4];
        for (int gate = 0; gate < 4; ++gate) {
            const auto w = constant(1 + gate), r = constant(5 + gate);
            sums[gate] = constant(9 + gate);
            for (std::size_t k = 0; k < kCells; ++k) {
                for (std::size_t i = 0; i < kValues; ++i)
                    sums[gate][k] +=
                        w[k * kValues + i] * x[static_cast<std::size_t>(step) * kValues + i];
                for (std::size_t i = 0; i < kCells; ++i)
                    sums[gate][k] += r[k * kCells + i] * h[i];
            }
        }
        const auto sigmoid = [](double value) { return 1 / (1 + std::exp(-value)); };
        for (std::size_t k = 0; k < kCells; ++k) {
            c[k] = sigmoid(sums[1][k]) * c[k] + sigmoid(sums[0][k]) * std::tanh(sums[2][k]);
            h[k] = sigmoid(sums[3][k]) * std::tanh(c[k]);
            all.push_back(h[k]);
        }
    }
    return all;
}

TEST(Lstm, IsTheDefinition) {
    for (const int zero : {0, -20}) {
        for (const int exponent : {-13, -12, -11, -10}) {
            const Network n(zero, exponent, zero != 0);
            ASSERT_EQ(check(n.graph), std::vector<std::string>());
            std::vector<Bytes> inputs = {Bytes(kSteps * kValues),
                                         Bytes(kCells, static_cast<std::uint8_t>(zero)),
                                         Bytes(2 * kCells, 0)};
            for (std::size_t i = 0; i < inputs[0].size(); ++i)
                inputs[0][i] = static_cast<std::uint8_t>(i * i * 91 + 5 * i);
            const std::vector<Bytes> out = run(n.graph, inputs);
            const std::vector<double> want = definition(n.graph, inputs);
            const std::vector<double> got = reals(n.graph, n.graph.outputs[0], out[0]);
            double most = 0;
            for (std::size_t i = 0; i < want.size(); ++i) {
                // Nearly 1 saturates.
                EXPECT_NEAR(got[i], std::min(want[i], (127.0 - zero) / 128), 2.5 / 128) << i;
                most = std::max(most, std::abs(want[i]));
            }
            EXPECT_GT(most, 0.5);
            // What is kept are the last step's.
            EXPECT_EQ(out[1], Bytes(out[0].end() - kCells, out[0].end()));
        }
    }
}

TEST(Lstm, GoesOnWithWhatWasKept) {
    const Network n(-1, -12, true);
    std::vector<Bytes> inputs = {Bytes(kSteps * kValues, 40), Bytes(kCells, 255),
                                 Bytes(2 * kCells, 0)};
    const std::vector<Bytes> first = run(n.graph, inputs);
    inputs[1] = first[1];
    inputs[2] = first[2];
    const std::vector<double> want = definition(n.graph, inputs);
    const std::vector<double> got = reals(n.graph, n.graph.outputs[0], run(n.graph, inputs)[0]);
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 2.5 / 128) << i;
}

TEST(Lstm, WantsTheTypesOfTheReference) {
    Network n(0, -12, false);
    EXPECT_EQ(multiply_adds(n.graph, n.graph.nodes[0]), 4U * kSteps * kCells * (kValues + kCells));
    n.graph.tensor(n.graph.nodes[0].inputs[14]).quantisation.scale[0] = 0.0003F;
    const std::vector<std::string> errors = check(n.graph);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors[0].find("want 2^-15 to 2^-9 and 0"), std::string::npos)
        << errors[0];
}

}  // namespace
}  // namespace macrame::graph
