#pragma once
/// Runs of compiled networks on the golden model.

#include <string>
#include <vector>

#include "compiler/host.hpp"
#include "compiler/tcu/compile.hpp"
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
