#pragma once
/// What the file of a trace says about it besides its program.

#include <string>

#include "verif/dla/trace/register_table.hpp"

namespace macrame::dla::run {

/// "dc_1x1x8" of "dc_1x1x8/dc_1x1x8.cfg" and of "dc_1x1x8/input.txn".
std::string trace_name(const std::string& path);

/// A .txn trace names registers in comments. The first name that does not belong to its address
/// here, "NVDLA_BDMA.CFG_DST_SURF_0 at 0x402c": the trace is for another register map. Empty if all
/// agree, or none is named.
std::string other_register_map(const std::string& path, const trace::RegisterTable& registers);

}  // namespace macrame::dla::run
