/// Every property of quantisation that readers accept is used or refused.

#include "compiler/test/random/properties.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/graph/reference.hpp"
#include "compiler/test/random/refusals.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "verif/common/random.hpp"

namespace macrame::tcu::compiler::test {

namespace {

TEST(TcuProperties, AreUsedOrRefused) {
    int networks = 0;
    verif::Random random(1);
    for (const macrame::test::PropertyCase& c : macrame::test::property_cases()) {
        SCOPED_TRACE(c.name);
        const CompiledTcu made = compile(c.graph, artya7100t(DataType::fp32bp16), {});
        if (!made.compiled.ok()) {
            macrame::test::expect_reasons(c.graph, made.compiled.errors);
            continue;
        }
        std::vector<graph::Bytes> inputs;
        for (const graph::TensorId id : c.graph.inputs) {
            inputs.emplace_back(c.graph.tensor(id).bytes());
            for (std::uint8_t& byte : inputs.back())
                byte = static_cast<std::uint8_t>(random.in(0, 255));
        }
        std::string error;
        const auto found = run_network(c.graph, made, inputs, error);
        ASSERT_EQ(error, "");
        const auto wanted = graph::run(c.graph, inputs);
        ASSERT_EQ(found.size(), wanted.size());
        const bool is_signed = c.graph.tensor(c.graph.outputs[0]).type == graph::Type::int8;
        int most = 0;
        for (std::size_t i = 0; i < wanted[0].size(); ++i) {
            const auto value = [&](std::uint8_t byte) {
                return is_signed ? int{static_cast<std::int8_t>(byte)} : int{byte};
            };
            most = std::max(most, std::abs(value(found[0].at(i)) - value(wanted[0][i])));
        }
        EXPECT_LE(most, 1);
        ++networks;
    }
    EXPECT_GT(networks, 100);
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
