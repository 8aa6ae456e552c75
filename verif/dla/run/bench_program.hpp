#pragma once
/// A program for the bench in Verilog.

#include <string>
#include <vector>

#include "verif/common/run/verilog_bench.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::run {

/// Why the bench cannot play it; empty if it can.
std::string bench_objection(const trace::Trace& program);

/// Its commands. Values of registers that it reads without a check are not compared.
std::vector<verif::run::BenchLine> bench_lines(const trace::Trace& program);

}  // namespace macrame::dla::run
