#pragma once
/// What the host does of a compiled network: in front of programs, between their layers, behind
/// them and between them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/parts.hpp"

namespace macrame::compiler {

/// Of one run of a program; both arguments have to stay.
class HostSide {
public:
    HostSide(const graph::Graph& graph, const Compiled& compiled);

    /// Inputs of the program for those of the network.
    std::vector<graph::Bytes> inputs(const std::vector<graph::Bytes>& network);
    /// Host command `number` on the program's memory; false: there is no such operator.
    bool run(std::uint32_t number, std::uint8_t* memory);
    /// Outputs of the network for those of the program.
    std::vector<graph::Bytes> outputs(const std::vector<graph::Bytes>& program);
    /// All that has been seen since inputs(): of the host, inputs and outputs of the program.
    const std::map<graph::TensorId, graph::Bytes>& values() const { return values_; }

private:
    const graph::Graph& graph_;
    const Compiled& compiled_;
    std::map<graph::TensorId, graph::Bytes> values_;
};

/// One run of a network in parts: the caller runs the programs, one after the other.
class NetworkRun {
public:
    /// The first two arguments have to stay.
    NetworkRun(const graph::Graph& graph, const std::vector<Part>& parts,
               const std::vector<graph::Bytes>& inputs);

    /// Goes on to the next program and runs what the host has in front of it; null: there is none,
    /// the network is through.
    const Part* next();
    // Of that program.
    const std::vector<graph::Bytes>& program_inputs() const { return program_inputs_; }
    HostSide& host() { return *host_; }
    void finish(const std::vector<graph::Bytes>& program_outputs);

    /// Behind the last program.
    std::vector<graph::Bytes> outputs() const;
    /// Tensors of the network that have been seen so far.
    const std::map<graph::TensorId, graph::Bytes>& values() const { return values_; }

private:
    const graph::Graph& graph_;
    const std::vector<Part>& parts_;
    std::size_t next_ = 0;
    const Part* now_ = nullptr;
    std::optional<HostSide> host_;
    std::vector<graph::Bytes> program_inputs_;
    std::map<graph::TensorId, graph::Bytes> values_;
};

}  // namespace macrame::compiler
