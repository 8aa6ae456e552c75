#pragma once
/// Programs for the bench in Verilog.

#include <cstdint>
#include <vector>

#include "verif/common/run/verilog_bench.hpp"
#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::run {

/// Starts one program after the other by 32-bit accesses to the registers at `config_address`,
/// waits for its interrupt and looks whether all of its instructions have ended well. `identity`:
/// what the register of it reads.
std::vector<verif::run::BenchLine> bench_lines(
    const std::vector<performance::PlacedProgram>& programs, std::uint32_t config_address,
    std::uint32_t identity);

}  // namespace macrame::systolic::run
