/// Compiled networks on the golden model: each operator, fed what the hardware fed it, must give
/// what its definition gives, where that is proved, and at most what is told elsewhere.

#include "compiler/dla/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "compiler/graph/reference.hpp"
#include "compiler/program/play.hpp"
#include "compiler/test/dla/random_graph.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/test/published_sizes.hpp"

namespace macrame {

namespace {

using dla::model::DeviceSizes;
using graph::Bytes;

/// Configurations that are not published.
std::vector<dla::published::Config> configurations() {
    std::vector<dla::published::Config> out = dla::published::configs();
    DeviceSizes tiny{8, 8, 8, 8, 8, 128, 32};
    tiny.pdp = true;
    tiny.image = false;
    out.push_back({"few banks, no image", tiny});
    DeviceSizes wide{64, 16, 16, 64, 16, 64, 40};
    wide.pdp = true;
    out.push_back({"64 channels, 16 kernels", wide});
    return out;
}

/// Values that are not within `most` of each other.
int far_values(const Bytes& a, const Bytes& b, int most) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int difference = static_cast<std::int8_t>(a[i]) - static_cast<std::int8_t>(b[i]);
        if (std::abs(difference) > most) ++count;
    }
    return count;
}

struct Counts {
    int networks = 0, refused = 0;
    std::int64_t values = 0, proved = 0;
};

void run(std::uint64_t seed, const dla::published::Config& config, Counts& counts) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " on " + config.name);
    const graph::Graph graph = test::random_graph(seed);
    ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
    const compiler::Compiled made = dla::compiler::compile(graph, config.sizes);
    if (!made.ok()) {
        // A kernel may be larger than a small buffer.
        ++counts.refused;
        EXPECT_NE(made.errors[0].find("do not fit"), std::string::npos) << made.errors[0];
        return;
    }
    verif::Random random(seed);
    Bytes input(graph.tensor(graph.inputs[0]).elements());
    for (std::uint8_t& byte : input)
        byte = static_cast<std::uint8_t>(random.in(0, 255));
    verif::Memory primary, secondary("sec_mem");
    dla::model::Device device(config.sizes, primary, config.sizes.secondary ? &secondary : nullptr);
    const program::PlayResult played =
        program::play(program::write(made.program), {input}, device, primary);
    ASSERT_TRUE(played.passed()) << played.error;
    std::map<graph::TensorId, Bytes> values;
    values[graph.inputs[0]] = input;
    for (std::size_t i = 0; i < made.outputs.size(); ++i)
        values[made.outputs[i]] = played.outputs[i];
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const graph::Node& node = graph.nodes[n];
        std::vector<const Bytes*> in;
        for (const graph::TensorId id : node.inputs) {
            if (id == graph::kNone) {
                in.push_back(nullptr);
            } else {
                in.push_back(graph.tensor(id).constant ? &graph.tensor(id).data : &values.at(id));
            }
        }
        const Bytes want = graph::run_node(graph, node, in)[0];
        int most = 0;
        for (const compiler::Exactness& exact : made.exactness)
            if (exact.node == static_cast<int>(n)) most = std::max(most, exact.most);
        const Bytes& found = values.at(node.outputs[0]);
        ASSERT_EQ(found.size(), want.size());
        EXPECT_EQ(far_values(found, want, most), 0)
            << node.where << " (" << graph::name_of(node.op) << "), " << want.size()
            << " values, allowed " << most;
        counts.values += static_cast<std::int64_t>(want.size());
        if (most == 0) counts.proved += static_cast<std::int64_t>(want.size());
    }
    ++counts.networks;
}

TEST(DlaCompiler, RandomNetworksFollowTheDefinition) {
    Counts counts;
    const std::vector<dla::published::Config> all = configurations();
    for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed)
        run(seed, all[seed % all.size()], counts);
    EXPECT_GT(counts.networks, 450);
    EXPECT_GT(counts.proved * 2, counts.values);
    RecordProperty("networks", counts.networks);
    RecordProperty("refused", counts.refused);
}

}  // namespace

}  // namespace macrame
