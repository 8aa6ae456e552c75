#pragma once
/// Reader of `input.txn` traces of the fixed full design (`write_reg 0xffff2c01 0x0` and so on).

#include <string>

#include "program.hpp"
#include "register_table.hpp"

namespace macrame::dla::trace {

/// Reads a trace with the data files that it names; their paths are relative to the trace.
/// `registers`: of the map of that design, for the names of its addresses.
ReadResult read_txn(const std::string& path, const RegisterTable& registers);

/// As read_txn for text in memory. `name` is used in messages, `directory` for data files.
ReadResult parse_txn(const std::string& text, const std::string& name, const std::string& directory,
                     const RegisterTable& registers);

}  // namespace macrame::dla::trace
