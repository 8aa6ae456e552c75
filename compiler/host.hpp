#pragma once
/// What the host does of a compiled network, in front of the program, between its layers and
/// behind.

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::compiler {

/// Of one run; both arguments have to stay.
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
    void run_node(int index);

    const graph::Graph& graph_;
    const Compiled& compiled_;
    std::map<graph::TensorId, graph::Bytes> values_;
};

}  // namespace macrame::compiler
