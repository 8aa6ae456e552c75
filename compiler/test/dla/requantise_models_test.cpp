// Convolutions and fully connected layers of real networks: how many channels are proved equal.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "compiler/dla/requantise.hpp"
#include "compiler/front/front.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {
namespace {

/// What the sums of a layer are to become. Weights are int8 with a zero point of 0, kernel by
/// kernel.
LayerTarget target_of(const graph::Graph& graph, const graph::Node& node, bool& relu) {
    const graph::Tensor& weights = graph.tensor(node.inputs[1]);
    const graph::Tensor& output = graph.tensor(node.outputs[0]);
    const auto* conv = std::get_if<graph::Conv>(&node.op);
    const graph::Activation activation =
        conv != nullptr ? conv->activation : std::get<graph::FullyConnected>(node.op).activation;
    const int zero = graph.tensor(node.inputs[0]).quantisation.zero_point[0];
    LayerTarget layer;
    layer.zero_point = output.quantisation.zero_point[0];
    std::tie(layer.low, layer.high) = graph::bounds(activation, output);
    relu = layer.low == layer.zero_point;
    const std::vector<double> factors = graph::output_factors(graph, node);
    const std::size_t size = weights.data.size() / factors.size();
    for (std::size_t k = 0; k < factors.size(); ++k) {
        ChannelTarget channel{factors[k], 0, 0, 0};
        for (std::size_t i = 0; i < size; ++i) {
            const auto weight = static_cast<std::int8_t>(weights.data[k * size + i]);
            channel.bias -= std::int64_t{zero} * weight;
            channel.low += weight > 0 ? -128 * weight : 127 * weight;
            channel.high += weight > 0 ? 127 * weight : -128 * weight;
        }
        if (node.inputs.size() > 2 && node.inputs[2] != graph::kNone) {
            std::int32_t bias = 0;
            std::memcpy(&bias, &graph.tensor(node.inputs[2]).data[4 * k], 4);
            channel.bias += bias;
        }
        layer.channels.push_back(channel);
    }
    return layer;
}

struct Count {
    std::size_t channels = 0, exact = 0;
    double worst = 0;  ///< share of wrong sums of a layer
    int most = 0;

    void add(const LayerTarget& layer, const Requantisation& made) {
        double wrong = 0, all = 0;
        for (const ChannelTarget& channel : layer.channels)
            all += static_cast<double>(channel.high - channel.low + 1);
        for (const Deviation& channel : made.deviations) {
            wrong += static_cast<double>(channel.values);
            most = std::max(most, channel.most);
        }
        channels += layer.channels.size();
        exact += layer.channels.size() - made.deviations.size();
        worst = std::max(worst, wrong / all);
    }
};

class RequantiseModels : public testing::TestWithParam<const char*> {};

TEST_P(RequantiseModels, LayersAreProved) {
    const char* const folder = std::getenv("MACRAME_MODELS");
    if (folder == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
    const front::ReadResult read =
        front::read(fmt::format("{}/{}/model.tflite", folder, GetParam()));
    ASSERT_TRUE(read.ok()) << read.errors.front();
    Count relu_layers, others, with_ew;
    for (const graph::Node& node : read.graph.nodes) {
        if (!std::holds_alternative<graph::Conv>(node.op) &&
            !std::holds_alternative<graph::FullyConnected>(node.op))
            continue;
        bool relu = false;
        const LayerTarget layer = target_of(read.graph, node, relu);
        (relu ? relu_layers : others).add(layer, requantise(layer, {}));
        Stages stages;
        stages.ew = true;
        if (!relu) with_ew.add(layer, requantise(layer, stages));
    }
    fmt::print(
        "{}: {} of {} channels with ReLU exact; without, {} of {}, at most {:.4f} % of a "
        "layer's sums differ; with EW {} exact\n",
        GetParam(), relu_layers.exact, relu_layers.channels, others.exact, others.channels,
        100 * others.worst, with_ew.exact);
    EXPECT_GE(static_cast<double>(relu_layers.exact),
              0.98 * static_cast<double>(relu_layers.channels));
    EXPECT_LE(relu_layers.worst, 1e-5);
    EXPECT_LE(others.worst, 1e-3);
    EXPECT_EQ(with_ew.exact, with_ew.channels);
    EXPECT_LE(std::max({relu_layers.most, others.most, with_ew.most}), 1);
}

INSTANTIATE_TEST_SUITE_P(All, RequantiseModels,
                         testing::Values("kws_dscnn", "ic_resnet8", "vww_mobilenet",
                                         "mnist_valid_q", "mnist_resnet_q"));

}  // namespace
}  // namespace macrame::dla::compiler
