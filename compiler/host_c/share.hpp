#pragma once
/// The host's share of a network in the order in which it runs, with the memory of its tensors.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/host_c/calls.hpp"
#include "compiler/parts.hpp"

namespace macrame::compiler::host_c {

/// A number of what an array of pointers, or the memory of the host, has.
struct Place {
    enum class Kind { input, output, arena, constant } kind = Kind::arena;
    std::uint64_t number = 0;  ///< of the input or output; offset in the memory
    std::string name;          ///< of the constant
};

/// A tensor that lies in the memory of a program.
struct Transfer {
    graph::TensorId id = graph::kNone;  ///< of the network
    program::Tensor place;
};

/// An operator of the host.
struct Operation {
    int node = 0;     ///< of the network
    int number = -1;  ///< of the command of a program that calls it
    std::vector<Transfer> reads, writes;
    std::vector<Call> calls;
    std::vector<std::uint64_t> scratch;  ///< offsets
};

/// An input or output of a program as codes, and what makes one of the other.
struct Coding {
    std::vector<Call> calls;
    std::vector<std::uint64_t> scratch;  ///< offsets; the first has the vectors
    std::uint64_t vectors = 0;
};

/// Operators in a row, or a program.
struct Step {
    const Part* part = nullptr;  ///< null: of the host
    std::vector<Operation> operations;
    std::vector<graph::TensorId> inputs, outputs;  ///< of the program
    std::vector<Coding> encoded, decoded;          ///< the same, where runtime/tcu/ runs it
};

struct Copy {
    Place to, from;
    std::uint64_t bytes = 0;
};

/// A state that stays in the memory of a program, where an operator puts rows into it.
struct Resident {
    std::size_t step = 0;               ///< of the program
    std::size_t input = 0, output = 0;  ///< of the program
    int node = 0;                       ///< that puts the rows
    program::Tensor place;
    int axis = 0;  ///< of place: y, x, channels
    Place first;   ///< what it is in the first run
};

struct Share {
    std::vector<Resident> residents;
    std::vector<Step> steps;
    std::map<graph::TensorId, Place> places;
    std::vector<Copy> states;  ///< in front of the first run
    std::vector<Copy> behind;  ///< behind each run: outputs in several places, then states
    std::uint64_t arena_bytes = 0;
    std::string problem;
};

Share share_of(const graph::Graph& graph, const std::vector<Part>& parts, Constants& constants);

}  // namespace macrame::compiler::host_c
