#pragma once
/// What a back end makes of a network, for all families.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/program/program.hpp"

namespace macrame::compiler {

/// A run of the hardware: a part of an operator, or all of it.
struct LayerReport {
    std::string name;
    std::string unit;  ///< "conv", "SDP", "PDP"
    int node = 0;      ///< of the graph
    std::uint64_t macs = 0;
    // Cycles that each resource takes; the largest is the bound.
    std::uint64_t mac_cycles = 0, post_cycles = 0, memory_cycles = 0;
    std::uint64_t cycles = 0;  ///< estimated, from the end of the layer before to its own
    std::uint64_t read_bytes = 0, write_bytes = 0;
};

/// How the integers of an operator compare with those of the reference.
struct Exactness {
    int node = 0;
    std::string mapping;             ///< "fine", ...
    int channels = 0, proved = 0;
    std::int64_t values = 0, reachable = 0;  ///< accumulators that differ, of all
    int most = 0;                            ///< largest difference of the output
};

struct Compiled {
    program::Program program;
    std::vector<LayerReport> layers;  ///< as Program::layers
    std::vector<Exactness> exactness;
    std::vector<int> host_nodes;           ///< of the graph, run behind the program, in order
    std::vector<graph::TensorId> outputs;  ///< the graph's tensors in Program::outputs
    std::vector<std::string> errors;       ///< then there is nothing else
    bool ok() const { return errors.empty(); }
    /// Estimated, of all layers.
    std::uint64_t cycles() const {
        std::uint64_t sum = 0;
        for (const LayerReport& layer : layers)
            sum += layer.cycles;
        return sum;
    }
};

}  // namespace macrame::compiler
