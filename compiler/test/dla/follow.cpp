#include "compiler/test/dla/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "compiler/dla/compile.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/host.hpp"
#include "compiler/test/random/refusals.hpp"
#include "runtime/play/play.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/device.hpp"

namespace macrame::test {

using dla::model::Architecture;
using graph::Bytes;

namespace {

/// Values that are not within `most` of each other.
int far_values(const Bytes& a, const Bytes& b, int most) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int difference = static_cast<std::int8_t>(a[i]) - static_cast<std::int8_t>(b[i]);
        if (std::abs(difference) > most) ++count;
    }
    return count;
}

}  // namespace

std::vector<dla::published::Config> configurations() {
    std::vector<dla::published::Config> out = dla::published::configs();
    Architecture tiny{8, 8, 8, 8, 8, 128, 32};
    tiny.pdp = true;
    tiny.image = false;
    out.push_back({"few banks, no image", tiny});
    Architecture wide{64, 16, 16, 64, 16, 64, 40};
    wide.pdp = true;
    out.push_back({"64 channels, 16 kernels", wide});
    for (const dla::published::Config& config : dla::published::types16_configs())
        if (config.sizes.int8 && config.sizes.types16()) out.push_back(config);
    return out;
}

void follow(const graph::Graph& graph, std::uint64_t seed, const dla::published::Config& config,
            Counts& counts, const compiler::Options& options, const char* refusal) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " on " + config.name);
    ASSERT_EQ(graph::check(graph), std::vector<std::string>{});
    const compiler::Compiled made = dla::compiler::compile(graph, config.sizes, options);
    if (!made.ok()) {
        // A kernel may be larger than a small buffer.
        ++counts.refused;
        if (graph.nodes.size() == 1) expect_reasons(graph, made.errors, false);
        EXPECT_TRUE(made.errors[0].find("do not fit") != std::string::npos ||
                    made.errors[0].find(refusal) != std::string::npos)
            << made.errors[0];
        return;
    }
    verif::Random random(seed);
    std::vector<Bytes> inputs;
    for (const graph::TensorId id : graph.inputs) {
        inputs.emplace_back(graph.tensor(id).elements());
        for (std::uint8_t& byte : inputs.back())
            byte = static_cast<std::uint8_t>(random.in(0, 255));
    }
    verif::Memory primary, secondary("sec_mem");
    dla::model::Device device(config.sizes, primary, config.sizes.secondary ? &secondary : nullptr);
    compiler::HostSide host(graph, made);
    macrame::program::PlayOptions play;
    play.host = [&](std::uint32_t number, std::uint8_t* memory) {
        return host.run(number, memory);
    };
    const macrame::program::PlayResult played = macrame::program::play(
        macrame::program::write(made.program), host.inputs(inputs), device, primary, play);
    ASSERT_TRUE(played.passed()) << played.error;
    const std::vector<Bytes> outputs = host.outputs(played.outputs);
    std::map<graph::TensorId, Bytes> values;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values[graph.inputs[i]] = inputs[i];
    for (std::size_t i = 0; i < graph.outputs.size(); ++i)
        values[graph.outputs[i]] = outputs[i];
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const graph::Node& node = graph.nodes[n];
        std::vector<const Bytes*> in;
        for (const graph::TensorId id : node.inputs) {
            if (id == graph::kNone) {
                in.push_back(nullptr);
            } else {
                in.push_back(graph.tensor(id).constant ? &graph.tensor(id).data.bytes()
                                                       : &values.at(id));
            }
        }
        const std::vector<Bytes> wanted = graph::run_node(graph, node, in);
        int most = 0;
        for (const compiler::Exactness& exact : made.exactness)
            if (exact.node == static_cast<int>(n)) most = std::max(most, exact.most);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const Bytes& want = wanted[i];
            const auto known = values.find(node.outputs[i]);
            if (known == values.end()) {
                // Inside: what is behind it is compared with what it should be.
                ++counts.inside;
                if (most > 0) return;
                values[node.outputs[i]] = want;
                continue;
            }
            const Bytes& found = known->second;
            ASSERT_EQ(found.size(), want.size());
            EXPECT_EQ(far_values(found, want, most), 0)
                << node.where << " (" << graph::name_of(node.op) << "), " << want.size()
                << " values, allowed " << most;
            counts.values += static_cast<std::int64_t>(want.size());
            counts.unequal += far_values(found, want, 0);
            if (most == 0) counts.proved += static_cast<std::int64_t>(want.size());
        }
    }
    ++counts.networks;
}

}  // namespace macrame::test
