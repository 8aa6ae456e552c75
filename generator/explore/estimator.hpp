#pragma once
/// What networks cost on many configurations, in this process: each is read, checked and made
/// canonical once, and what does not depend on the configuration is searched once.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/front/front.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/parts.hpp"
#include "core/design.hpp"
#include "families/target.hpp"

namespace macrame::explore {

/// A network as a family takes it.
struct NetworkFile {
    std::string file, name;
    std::string hash;  ///< of the bytes of the file, and of what is settled of its inputs
    graph::Graph graph;

    /// Elements of all inputs.
    std::size_t input_bytes() const;
};

/// Reads them, with what is settled of their inputs; messages if there is something wrong with one.
std::vector<NetworkFile> read_networks(const std::vector<std::string>& files, const Target& target,
                                       std::vector<std::string>& errors,
                                       const front::Shapes& shapes = {},
                                       const front::Fixed& fixed = {});

/// An operator with products that the host has to do, as the hardware of this size cannot.
struct Refused {
    int node = 0;
    std::string name;  ///< of the operator: "conv 3x3 /2"
    std::string reason;
    std::int64_t buffer_bytes = 0;  ///< compiler::Refusal::buffer_bytes
};

struct NetworkCost {
    std::uint64_t cycles = 0;                       ///< of the accelerator
    std::uint64_t host_cycles = 0;                  ///< of the host: compiler/host_time.hpp
    std::uint64_t read_bytes = 0, write_bytes = 0;  ///< at the memory ports
    std::uint64_t memory_bytes = 0;    ///< of the largest program, with its weights and tensors
    std::uint64_t constant_bytes = 0;  ///< weights and tables of all programs
    std::uint64_t multiply_adds = 0;   ///< of all that the accelerator does
    int macs_per_cycle = 0;
    int channels = 0, proved = 0;  ///< that could differ from the reference, and that do not
    std::vector<Refused> refused;
    std::vector<compiler::LayerReport> layers;
    std::vector<std::string> errors;  ///< then there is nothing else
};

/// For one thread.
class Estimator {
public:
    /// The networks have to stay. Memory moves at most so many bytes per cycle; 0: what the port
    /// does.
    explicit Estimator(const std::vector<NetworkFile>& networks, double memory_bytes_per_cycle = 0);

    NetworkCost estimate(const Design& design, std::size_t network);
    /// The same with the cycles of the family's cycle model, which takes longer; of a family that
    /// has none the same.
    NetworkCost model(const Design& design, std::size_t network);

private:
    /// What a design runs of a network; `near`: Target::split_sums().
    struct Prepared {
        graph::Graph graph;
        bool near = false;
    };
    Prepared prepare(const Design& design, std::size_t network);
    compiler::InParts compile(const Design& design, const graph::Graph& graph, bool reports_alone);
    NetworkCost cost_of(const Prepared& made, compiler::Compiled report) const;

    const std::vector<NetworkFile>& networks_;
    double memory_bytes_per_cycle_;
    compiler::Memo memo_;
};

}  // namespace macrame::explore
