#pragma once
/// What the options of explore mean.

#include <optional>
#include <string>
#include <vector>

#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "explore/options.hpp"
#include "families/family.hpp"

namespace macrame::explore {

struct Setup {
    std::vector<const Family*> families;
    std::string target;
    Limits limits;
    int mhz = 100;
    bool own_clock = false;
    std::vector<double> weights;  ///< 1 in all
    int threads = 1;
    int part = 1, parts = 1;
    double memory_bytes_per_cycle = 0;  ///< 0: what the port does
};

/// Nothing after a message.
std::optional<Setup> setup_of(const Options& options, const emit::Assets& assets, Diags& diags);

}  // namespace macrame::explore
