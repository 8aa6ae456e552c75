#pragma once
/// Reader of the data files of traces: `{offset:0x0, size:4, payload:0x01 0x02 ...}` records and
/// the older form with 32 bytes per line.

#include <cstdint>
#include <string>
#include <vector>

#include "program.hpp"

namespace macrame::dla::trace {

/// Reads a file of either form; neighbouring records are merged. Appends messages to `errors`;
/// `where` is the line that names the file.
std::vector<Segment> read_dat(const std::string& path, const std::string& where,
                              std::vector<std::string>& errors);

/// As read_dat for text in memory; `name` is used in messages.
std::vector<Segment> parse_dat(const std::string& text, const std::string& name,
                               std::vector<std::string>& errors);

}  // namespace macrame::dla::trace
