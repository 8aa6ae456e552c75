#pragma once
/// Measures points of the front, by the script that does it without this program, too.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/diag.hpp"

namespace macrame::explore {

struct Outcome;

/// What was measured of a point.
struct Verified {
    std::string name;
    std::map<std::string, std::int64_t> area;    ///< "luts", "ffs", "dsps", "brams"; empty: not
    std::map<std::string, std::int64_t> cycles;  ///< of the design, by network
    std::vector<std::string> errors;
};

/// scripts/explore/verify.py of the checkout in which this program was built; a message if it is
/// not there.
std::filesystem::path verify_script(Diags& diags);

/// Runs it on what explore has written into the folder, for minutes; it prints a table. Messages
/// for what does not agree.
std::vector<Verified> verify(const std::filesystem::path& script,
                             const std::filesystem::path& folder, int points, Diags& diags);

/// What it writes.
std::vector<Verified> verified_of(const std::string& json);

/// Of the report: predicted beside measured; empty if nothing was measured.
std::string verified_section(const Outcome& outcome);

}  // namespace macrame::explore
