#pragma once
/// Runs named programs, one or several at a time, prints a table and writes result files. What a
/// program is, and on what it runs, is the family's: it hands over names and functions.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"
#include "verif/common/run/options.hpp"
#include "verif/common/run/result.hpp"

namespace macrame::verif::run {

/// What a program gets when its turn has come.
struct Turn {
    /// Prints a line ahead of the program's line in the table.
    std::function<void(const std::string&)> say;
    std::string wave;                              ///< file for its waves; empty: none
    std::string counts;                            ///< file for its counts; empty: none
    std::atomic<std::uint64_t>* cycles = nullptr;  ///< may show its clock while it runs
};

/// What came of it.
struct Outcome {
    Row row;
    std::vector<std::string> notes;      ///< printed behind the row and its failures
    std::vector<std::string> bad_input;  ///< files that cannot be used, printed as errors
    std::function<void()> finish;        ///< called at the end, in the order of the programs
};

struct ProgramRun {
    std::string name;
    /// Called once, perhaps beside other programs. What it throws is an internal error.
    std::function<Outcome(const Turn&)> run;
};

/// A simulated device on memories of one program.
struct Simulated {
    std::unique_ptr<Device> device;
    std::function<AxiCounts()> counts;  ///< empty: no memory port (the model)
};
using MakeSimulated = std::function<Simulated(Memory& primary, Memory& secondary, const Turn&)>;

/// What a simulator of a family has for compiled networks. `rtl` is empty where there is none.
struct Simulator {
    std::string family, configuration;
    MakeSimulated rtl, model;
    std::uint32_t identity = 0;  ///< of the programs that it runs; 0: not known
    std::string parameters;      ///< that this is a hash of: lines "name=value"
};

/// The runs of the compiled network that the options name, one per input: run_inputs() in
/// compiler/program/. A function, as not everybody who simulates has that.
using RunInputs = std::function<std::vector<ProgramRun>(const Options&, const Simulator&,
                                                        std::vector<std::string>& errors)>;

/// What the table says about the whole run.
struct Setup {
    std::string program = "sim";  ///< in front of messages
    std::string title;            ///< of the configuration
    double macs_per_cycle = 1.0;  ///< peak
    std::string place = {};       ///< of a design that is not simulated: "/dev/ttyUSB0"
};

/// Runs all of them. The output is the same for any number of jobs. Returns the exit status, see
/// command_line.hpp: passed, failed (also when nothing ran) or wrong input.
int run_programs(const Options& options, const Setup& setup,
                 const std::vector<ProgramRun>& programs);

}  // namespace macrame::verif::run
