#pragma once
/// What a simulation of the tcu family can be asked for.

#include <string>
#include <vector>

#include "verif/common/run/options.hpp"

namespace macrame::tcu::run {

/// Shared options and those of this family. `program` is a .tmodel with `input` and `output`, or a
/// .tprog or .tasm with images of the banks.
struct SimulateOptions : verif::run::Options {
    std::string dram0;  ///< initial image of a bank, from byte address 0; the rest is zero
    std::string dram1;
    std::string dump_dram0;  ///< file for a bank after the run
    std::string dump_dram1;
    std::string write_tasm;      ///< file for the program as assembly text
    std::string write_tprog;     ///< the same as bytes
    std::string conformance;     ///< folder with networks, recorded/ and random/ programs
    bool driver = false;         ///< through drivers, see the doc of its row
    bool compat = false;         ///< random programs that the original hardware runs, too
    bool cycles = false;         ///< a table of cycles per kind of instruction
    int sample_interval = 0;     ///< cycles between samples, configured before the program; 0: off
    std::string samples;         ///< file for the words of the sample stream
    int resets = 0;              ///< soft resets in the middle of each program, before it runs
    int faults = 0;              ///< starts of each program before, with error answers of memory
    bool random_memory = false;  ///< local memory and accumulators of the model begin with noise
};

/// All options as rows.
verif::run::OptionRows option_rows(SimulateOptions& options);

/// The arguments of the delivered simulator that make these options.
std::vector<std::string> to_arguments(const SimulateOptions& options);

}  // namespace macrame::tcu::run
