#pragma once
/// Reader of `input.txn` traces of the fixed full design (`write_reg 0xffff2c01 0x0` and so on).

#include <string>

#include "program.hpp"

namespace macrame::dla::trace {

/// Reads a trace with the data files that it names; their paths are relative to the trace.
ReadResult read_txn(const std::string& path);

/// As read_txn for text in memory. `name` is used in messages, `directory` for data files.
ReadResult parse_txn(const std::string& text, const std::string& name,
                     const std::string& directory);

}  // namespace macrame::dla::trace
