#pragma once
/// What a simulation of the dla family can be asked for.

#include <string>
#include <vector>

#include "verif/common/run/options.hpp"

namespace macrame::dla::run {

using verif::run::Subject;

/// Shared options and those of this family.
struct SimulateOptions : verif::run::Options {
    bool original_safe = false;  ///< random programs that the original hardware runs, too
    std::string mutate;  ///< units of which random programs get another register field; empty: none
    std::vector<std::string> layers;  ///< convolution layers of these shapes instead of traces
    bool picture = false;             ///< the picture example instead of traces
    std::string picture_in;           ///< PPM to filter; empty: the bundled one
    std::string picture_out;          ///< PNG to write
    int serve = 0;                    ///< socket of a driver that gets the device; 0: none
    std::string record;               ///< trace of what the driver does
    int secondary_latency = 0;        ///< of the memory at the second port; 0: as the first
    int csb_idle = 0;                 ///< idle cycles before each register access
    double bus_clock_div = 1.0;       ///< core clock cycles per cycle of the bus clock
    int faults = 0;  ///< starts of each program before, with error answers of memory
    int resets = 0;  ///< of the design alone, in the middle of each program, before it runs
};

/// All options as rows.
verif::run::OptionRows option_rows(SimulateOptions& options);

/// What some options want of a design.
struct Has {
    bool responses = false;    ///< the memory port tells errors
    bool bus_clock = false;    ///< buses with a clock of their own
    bool second_port = false;  ///< to another memory
};

/// What the options ask of a design that it does not have; empty if all is well.
std::string objection(const SimulateOptions& options, const Has& has);

/// The arguments of the delivered simulator that make these options.
std::vector<std::string> to_arguments(const SimulateOptions& options);

}  // namespace macrame::dla::run
