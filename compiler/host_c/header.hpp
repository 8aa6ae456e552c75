#pragma once
/// NAME_host.h: what the C of a network declares.

#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/graph/graph.hpp"

namespace macrame::compiler::host_c {

/// Who runs the programs: runtime/macrame.h, runtime/tcu/, runtime/systolic/, or the caller.
enum class Driver { registers, codes, images, callers };

struct HeaderFacts {
    const graph::Graph& graph;
    const std::string &file, &name, &upper;  ///< of the files, in C, in C in capitals
    std::size_t programs = 0;
    std::uint64_t arena_bytes = 0;
    Driver driver = Driver::registers;
};

std::string header_text(const HeaderFacts& of);

}  // namespace macrame::compiler::host_c
