/// Compressed weights: their format, when they are chosen, networks with them on the golden model.

#include "compiler/dla/compression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/random_graph.hpp"
#include "verif/common/random.hpp"

namespace macrame::test {

using namespace graph;

namespace {

using dla::compiler::compressed;
using dla::compiler::CompressedWeights;
using dla::model::Architecture;
using dla::published::Config;

/// Configurations with compression: one with 8 channels, 64, the full design.
std::vector<Config> configurations_with_compression() {
    std::vector<Config> out;
    for (const Config& config : configurations()) {
        out.push_back(config);
        out.back().sizes.compression = true;
    }
    return out;
}

/// Sets weights of convolutions to 0, about so many of 100.
Graph thinned(Graph graph, int zeros, std::uint64_t seed) {
    verif::Random random(seed);
    for (const Node& node : graph.nodes) {
        if (!std::holds_alternative<Conv>(node.op)) continue;
        for (std::uint8_t& byte : graph.tensor(node.inputs[1]).data)
            if (random.in(0, 99) < zeros) byte = 0;
    }
    return graph;
}

int compressed_layers(const compiler::Compiled& made) {
    return static_cast<int>(std::count_if(
        made.layers.begin(), made.layers.end(), [](const compiler::LayerReport& layer) {
            return layer.choice.find("compressed weights") != std::string::npos;
        }));
}

TEST(DlaCompression, Format) {
    // Kernels (0, 5, -3), (7, 0, 0), (0, 0, 0), two in a group.
    const std::uint8_t stream[] = {0, 5, 0xFD, 7, 0, 0, 0, 0, 0};
    const CompressedWeights made = compressed(stream, 9, 6);
    std::vector<std::uint8_t> masks(128, 0), stored(128, 0);
    masks[0] = 0x0E;
    stored[0] = 5;
    stored[1] = 0xFD;
    stored[2] = 7;
    EXPECT_EQ(made.masks, masks);
    EXPECT_EQ(made.stored, stored);
    EXPECT_EQ(made.groups, (std::vector<std::uint32_t>{3, 0}));
}

TEST(DlaCompression, NothingStoredStillIsAnEntry) {
    const std::vector<std::uint8_t> stream(1025, 0);
    const CompressedWeights made = compressed(stream.data(), stream.size(), 512);
    EXPECT_EQ(made.stored, std::vector<std::uint8_t>(128, 0));
    EXPECT_EQ(made.masks, std::vector<std::uint8_t>(256, 0));
    EXPECT_EQ(made.groups, (std::vector<std::uint32_t>{0, 0, 0}));
}

TEST(DlaCompression, RandomNetworksFollowTheDefinition) {
    Counts counts;
    const std::vector<Config> all = configurations_with_compression();
    int layers = 0;
    for (std::uint64_t seed = 1; seed <= 120 && !HasFailure(); ++seed) {
        const Graph graph = thinned(random_graph(seed), static_cast<int>(seed % 5) * 25, seed);
        const Config& config = all[seed % all.size()];
        follow(graph, seed, config, counts);
        const compiler::Compiled made = dla::compiler::compile(graph, config.sizes);
        if (made.ok()) layers += compressed_layers(made);
    }
    EXPECT_GT(counts.networks, 100);
    EXPECT_GT(layers, 100);
    RecordProperty("layers", layers);
}

TEST(DlaCompression, ZerosDecide) {
    const Architecture full = dla::published::nv_full();
    Architecture without = full;
    without.compression = false;
    const Graph thin = thinned(random_graph(5), 95, 1);
    const compiler::Compiled a = dla::compiler::compile(thin, full);
    const compiler::Compiled b = dla::compiler::compile(thin, without);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_GT(compressed_layers(a), 0);
    EXPECT_EQ(compressed_layers(b), 0);
    EXPECT_LE(a.cycles(), b.cycles());
    std::uint64_t with_bytes = 0, without_bytes = 0;
    for (const compiler::LayerReport& layer : a.layers)
        with_bytes += layer.read_bytes;
    for (const compiler::LayerReport& layer : b.layers)
        without_bytes += layer.read_bytes;
    EXPECT_LT(with_bytes, without_bytes);
}

}  // namespace

}  // namespace macrame::test
