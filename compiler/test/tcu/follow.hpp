#pragma once
/// Runs of compiled networks on the golden model.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/graph/reference.hpp"
#include "compiler/host.hpp"
#include "compiler/tcu/compile.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "verif/tcu/run/golden_model.hpp"

namespace macrame::tcu::compiler::test {

/// Outputs of the network for its inputs, local memory and accumulators full of noise before.
inline std::vector<graph::Bytes> run_network(const graph::Graph& graph, const CompiledTcu& made,
                                             const std::vector<graph::Bytes>& inputs,
                                             std::string& error) {
    verif::Memory dram0("dram0"), dram1("dram1");
    const tcu::run::Banks banks{dram0, dram1};
    tcu::run::GoldenModel model(made.program.architecture, banks, 12345);
    macrame::compiler::HostSide host(graph, made.compiled);
    return host.outputs(run(graph, made.program, model, banks, host.inputs(inputs), error));
}

/// The first output, real values, is near that of the reference.
inline void expect_near_reference(const graph::Graph& graph, const CompiledTcu& made,
                                  const std::vector<graph::Bytes>& inputs) {
    const auto want = graph::test::values_of<float>(graph::run(graph, inputs)[0]);
    std::string error;
    const auto got = graph::test::values_of<float>(run_network(graph, made, inputs, error)[0]);
    EXPECT_EQ(error, "");
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 0.02) << "element " << i;
}

/// The boards of the original, with another type of numbers.
inline Architecture artya7100t(DataType type = DataType::fp16bp8) {
    Architecture out;
    out.data_type = type;
    return out;
}
inline Architecture ultra96v2(DataType type = DataType::fp16bp8) {
    Architecture out{type, 16, 2097152, 2097152, 20480, 4096};
    return out;
}
inline Architecture zcu104(DataType type = DataType::fp16bp8) {
    Architecture out{type, 32, 2097152, 2097152, 16384, 4096};
    return out;
}

inline std::vector<Strategy> strategies() {
    return {{false, false}, {true, false}, {false, true}, {true, true}};
}

}  // namespace macrame::tcu::compiler::test
