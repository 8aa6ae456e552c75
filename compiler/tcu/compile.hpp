#pragma once
/// Programs of tensor units for networks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/tcu/memory.hpp"
#include "compiler/tcu/program.hpp"
#include "compiler/tcu/timing.hpp"

namespace macrame::tcu::compiler {

/// What a program is made for, beside the architecture.
struct TcuOptions {
    Strategy strategy;
    TimingSizes timing;                 ///< that the order of instructions is made for
    std::optional<int> memory_latency;  ///< of the report, in place of that of `timing`
    /// Runs on the original hardware, too, in the order of its compiler; else in an order that lets
    /// units work at once.
    bool original = false;
    // As in the options of all families.
    bool keep_tensors = false;
    std::optional<std::uint64_t> own_begin;  ///< of constants, vectors of DRAM1
    std::string dump = {};
};

struct CompiledTcu {
    macrame::compiler::Compiled compiled;
    TcuProgram program;
    std::uint64_t cycles = 0;  ///< with the latency that the order is made for
};

CompiledTcu compile(const graph::Graph& graph, const Architecture& architecture,
                    const TcuOptions& target);
/// With the strategy of the fewest cycles among those that fit, in place of that of `target`; if
/// none does, what is wrong with the first one. The layers are made once.
CompiledTcu compile(const graph::Graph& graph, const Architecture& architecture,
                    const TcuOptions& target, const std::vector<Strategy>& strategies);

/// The passes of that, in order.
std::vector<std::string> pass_names();

}  // namespace macrame::tcu::compiler
