#pragma once

#include <functional>
#include <memory>
#include <string>

#include "verif/common/run/options.hpp"
#include "verif/mini/accumulator.hpp"

namespace macrame::mini {

/// A configuration and how its design is made; null where there is no Verilated design.
struct Platform {
    std::string name;
    int lanes = 0, width = 0;
    std::function<std::unique_ptr<Device>()> make_rtl;
};

/// Runs random programs on what the options name. Returns the exit status.
int simulate(const verif::run::Options& options, const Platform& platform);

}  // namespace macrame::mini
