#pragma once
/// What a simulation of the systolic family can be asked for.

#include <string>

#include "verif/common/dram.hpp"
#include "verif/common/run/options.hpp"

namespace macrame::systolic::run {

/// Shared options and those of this family. `program` is a .hex file, assembly text or the .json
/// file of a compiled network.
struct SimulateOptions : verif::run::Options {
    std::string memory;          ///< image before the program, from address 0; the rest is zero
    std::string dump;            ///< file for the memory after it
    std::string expect;          ///< image that memory must be after it
    std::string write_assembly;  ///< file for the program as assembly text
    std::string write_hex;       ///< the same as words
    std::string buffers;         ///< file for the buffers after every instruction
    std::string times;           ///< file for the times of instructions
    verif::DramOptions dram;     ///< behind the three ports
    bool any_order = false;      ///< modules go on in a random order that the tokens allow
    bool steps = false;          ///< every instruction of the design is compared when it ends
    int resets = 0;              ///< starts of each program before, which are reset
    int faults = 0;              ///< the same with error answers of memory
    bool mutate = false;         ///< a token of each random program is added or removed
};

/// All options as rows.
verif::run::OptionRows option_rows(SimulateOptions& options);

}  // namespace macrame::systolic::run
