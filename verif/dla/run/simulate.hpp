#pragma once
/// Runs traces, random layers or the picture example on the design, on the golden model or on both,
/// and prints a table. Used by the emitted testbench and by `macrame simulate`.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/dla/run/picture_example.hpp"
#include "verif/dla/trace/program.hpp"
#include "verif/dla/trace/register_table.hpp"

namespace macrame::dla::stimulus {
class Coverage;
}

namespace macrame::dla::run {

/// What executes the programs.
enum class Subject {
    rtl,    ///< the Verilated design
    model,  ///< the golden model
    both    ///< one after the other; every register read and every written byte must agree
};

/// What to run and how.
struct SimulateOptions {
    Subject subject = Subject::rtl;
    std::vector<std::string> traces;  ///< trace files, their folders, or folders of these
    int random_layers = 0;            ///< this many random layers instead of traces
    bool picture = false;             ///< the picture example instead of traces
    std::string picture_in;           ///< PPM to filter; empty: the bundled one
    std::string picture_out;          ///< PNG to write
    int latency = 32;                 ///< of the memory, cycles
    int secondary_latency = 0;        ///< of the memory at the second port; 0: the same
    double stall = 0.0;               ///< probability of a stall per channel and cycle
    bool interleave = false;          ///< read answers of different clients overtake each other
    std::uint64_t seed = 1;
    int csb_idle = 0;       ///< idle cycles before each register access
    int csb_clock_div = 1;  ///< core clock cycles per CSB clock cycle
    std::string csv;        ///< table also goes to this file
    std::string wave;       ///< FST of the run, one program only
    std::string counts;     ///< folder for line and toggle counts, one file per program
    std::string coverage;   ///< table of functional coverage to add to, "-": only print
    bool verbose = false;   ///< every check, not only the failed ones, and warnings about rules
    bool strict = false;    ///< programs that break a programming rule fail and do not run
};

/// A device that can be asked what its memory port saw.
struct DeviceUnderTest {
    std::unique_ptr<verif::Device> device;
    std::function<verif::AxiCounts()> counts;  ///< empty: no memory port (the model)
};

/// A programming rule that a program breaks.
struct BrokenRule {
    bool warning = false;  ///< programs that work break it, too
    std::string text;
};

/// What this configuration can do, and how to make its devices.
struct Platform {
    std::string name;  ///< of the configuration, for the head of the table
    int bus_bytes = 8;
    int max_burst = 1;
    int macs_per_cycle = 64;   ///< peak
    PictureSizes picture;      ///< for the picture example
    std::string picture_path;  ///< of the bundled picture
    bool has_pdp = false;
    bool has_cdp = false;
    bool has_image = false;
    bool has_ew = false;
    trace::RegisterTable registers;
    /// A program of random layers; the same seed gives the same program.
    std::function<trace::Program(std::uint64_t seed)> random_program;
    /// The layer checker on a whole program; each text once.
    std::function<std::vector<BrokenRule>(const trace::Program&)> check_rules;
    /// An empty table of functional coverage.
    std::function<std::shared_ptr<stimulus::Coverage>()> make_coverage;
    /// Null where there is no Verilated design.
    std::function<DeviceUnderTest(verif::Memory& primary, verif::Memory& secondary, const SimulateOptions&)>
        make_rtl;
    std::function<DeviceUnderTest(verif::Memory& primary, verif::Memory& secondary)> make_model;
};

/// Parses the arguments of the emitted testbench. Returns false and prints a message if they are
/// wrong, or the help text if asked for; `status` is then the exit status.
bool parse_arguments(int argc, char** argv, SimulateOptions& options, int& status);

/// The arguments that parse_arguments() turns into these options.
std::vector<std::string> to_arguments(const SimulateOptions& options);

/// Runs everything asked for. Exit status: 0 all passed, 1 something failed, 2 bad input.
int simulate(const SimulateOptions& options, const Platform& platform);

}  // namespace macrame::dla::run
