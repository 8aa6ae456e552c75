#pragma once
/// How long a processor takes for what the host does of a network.

#include <cstdint>
#include <string_view>

#include "compiler/graph/graph.hpp"

namespace macrame::compiler {

/// Whose cycles these are.
inline constexpr std::string_view kHostProcessor =
    "one core of a 64-bit processor, out of order, with the loops of the reference executor";

/// A kind of work: what one of its units takes, and each element of the output besides.
struct HostWork {
    std::string_view name, unit;
    double cycles, of_output;
};

/// About what compiler/test/tools/host_cycles.cpp has measured on x86-64 (GCC 12, -O3). Processors
/// of boards that work in order take two to four times as many. Functions of integers are tables of
/// their values.
inline constexpr HostWork kHostWork[] = {
    {"products", "multiply-add", 0.7, 70}, {"window", "element of a window", 3, 0},
    {"arithmetic", "element", 30, 0},      {"clamp", "element", 5, 0},
    {"function", "element", 6, 0},         {"real function", "element", 40, 0},
    {"softmax", "element", 70, 0},         {"search", "element", 6, 0},
    {"requantise", "element", 25, 0},      {"move", "element", 9, 0},
    {"bilinear", "element", 7, 0},         {"uint8 to int8", "element", 1, 0},
};
/// To begin with an operator.
inline constexpr double kHostCall = 1000;

const HostWork& host_work(const graph::Graph& graph, const graph::Node& node);
/// Units of its work in a node.
std::uint64_t host_units(const graph::Graph& graph, const graph::Node& node);

std::uint64_t host_cycles(const graph::Graph& graph, const graph::Node& node);

}  // namespace macrame::compiler
