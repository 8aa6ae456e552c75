#pragma once
/// A program as a trace of NVIDIA's players (NVDLA trace tests: .cfg and .dat), for any NVDLA.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/program/program.hpp"

namespace macrame::dla::compiler {

/// Contents of memory that an input makes, or that an output must have.
struct TraceData {
    std::uint64_t offset = 0;
    std::vector<std::uint8_t> bytes;
};

/// Files by name, `name`.cfg among them. `base` is the address of the program's block; the trace
/// ends with a check of the CRC of each output.
std::map<std::string, std::string> to_trace(const program::Program& program,
                                            const std::string& name, std::uint64_t base,
                                            const std::vector<TraceData>& inputs,
                                            const std::vector<TraceData>& outputs);

}  // namespace macrame::dla::compiler
