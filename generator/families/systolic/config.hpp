#pragma once

#include <string>

namespace macrame::systolic {

/// Definitions of `requantise`.
inline constexpr const char *kNoScales = "false", *kPlainScales = "true", *kExactScales = "exact";

/// Scalability parameters; those of conformance files under their names there. The defaults are
/// those of ShaktiMAAN. Ranges, units and explanations: params.cpp.
struct Config {
    int rows = 16;
    int cols = 16;
    int in_width = 8;
    int weight_width = 8;
    int out_width = 32;
    int ibuf_entries = 256;
    int wbuf_entries = 256;
    int obuf_entries = 256;
    int queue_depth = 8;
    int token_depth = 4;
    int address_width = 32;
    int axi_data_width = 128;
    int config_address = 0x900000;
    std::string requantise = kExactScales;
};

}  // namespace macrame::systolic
