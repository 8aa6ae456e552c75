#pragma once
/// Compiled networks against the reference executor.

#include <cstdint>

#include "compiler/graph/graph.hpp"
#include "compiler/systolic/compile.hpp"

namespace macrame::systolic::compiler {

/// Of values of layers, each fed what the machine made of the ones before it.
struct Differences {
    std::int64_t values = 0, differ = 0;
    int most = 0;
};

/// Compiles a network whose tensors are all outputs, checks its programs, runs them on random
/// inputs, and compares what each operator makes with what the reference makes of the same inputs.
void follow(const graph::Graph& graph, const Architecture& architecture, std::uint64_t seed,
            Differences& all);

/// Every program is without hazards and comes to its end.
void expect_right(const SystolicProgram& program);

}  // namespace macrame::systolic::compiler
