#pragma once
/// Reader of `.cfg` traces (`reg_write(NVDLA_CDMA.D_BANK_0, 0x1);` and so on).

#include <string>

#include "program.hpp"
#include "register_table.hpp"

namespace macrame::dla::trace {

/// Reads a trace with the data files that it names; their paths are relative to the trace.
/// Registers may also be given as byte addresses.
ReadResult read_cfg(const std::string& path, const RegisterTable& registers);

/// As read_cfg for text in memory. `name` is used in messages, `directory` for data files.
ReadResult parse_cfg(const std::string& text, const std::string& name, const std::string& directory,
                     const RegisterTable& registers);

/// Bit of S_INTR_STATUS of an interrupt such as "SDP_0" or "cdma_wt_1"; -1 if unknown.
int interrupt_bit(const std::string& unit);

/// Name of a bit of S_INTR_STATUS, "SDP_0"; "bit 23" if it has none.
std::string interrupt_name(int bit);

}  // namespace macrame::dla::trace
