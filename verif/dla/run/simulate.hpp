#pragma once
/// Runs traces, random layers or the picture example on the design, on the golden model or on both,
/// and prints a table. Used by the emitted testbench and by `macrame simulate`.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/dla/model/sizes.hpp"
#include "verif/dla/run/picture_example.hpp"
#include "verif/dla/run/simulate_options.hpp"
#include "verif/dla/stimulus/mutation.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"
#include "verif/dla/trace/register_table.hpp"

namespace macrame::dla::stimulus {
class Coverage;
}

namespace macrame::dla::run {

/// A device that can be asked what its memory port saw.
struct DeviceUnderTest {
    std::unique_ptr<verif::Device> device;
    std::function<verif::AxiCounts()> counts;  ///< empty: no memory port (the model)
    /// Called before the program, which then has to run as on a new device; may be empty.
    std::function<void(const trace::Trace&)> warm_up;
    /// What may have another result with other timing; empty: it does not know (the design).
    std::function<std::vector<std::string>()> warnings;
};

/// A programming rule that a program breaks.
struct BrokenRule {
    bool warning = false;  ///< programs that work break it, too
    bool info = false;     ///< legal, but the original hardware may fail it
    std::string text;
    /// Of an address beyond the width of the configuration's: where its register was written. Such
    /// a program does not run.
    std::string unreachable = {};
};

/// What this configuration can do, and how to make its devices.
struct Platform {
    std::string program = "sim";  ///< in front of messages
    std::string name;             ///< of the configuration, for the head of the table
    std::string parameters;       ///< that its programs depend on: lines "name=value"
    std::string place;            ///< of a design that is not simulated
    int bus_bytes = 8;
    int max_burst = 1;
    int macs_per_cycle = 64;  ///< peak, of the narrowest element type
    dla::model::Architecture sizes;
    PictureSizes picture;               ///< for the picture example
    std::string picture_path;           ///< of the bundled picture
    std::string picture_ppm;            ///< the bundled picture itself, where it is not a file
    trace::RegisterTable registers;     ///< of its register map
    std::string_view register_variant;  ///< the map, as in trace::in_map()
    /// A program of random layers; the same arguments give the same program. `original_safe`: one
    /// that the original hardware runs, too.
    std::function<trace::Trace(std::uint64_t seed, bool original_safe)> random_program;
    /// A random program with another value in a register field of one of these units.
    std::function<stimulus::Mutation(const std::string& units, std::uint64_t seed)> mutated_program;
    /// A program of a convolution layer of this shape; throws std::runtime_error if there is none.
    std::function<trace::Trace(const std::string& shape, std::uint64_t seed)> layer_program;
    /// The layer checker on a whole program; each text once.
    std::function<std::vector<BrokenRule>(const trace::Trace&)> check_rules;
    /// Why a wait of a program on a device has no end.
    std::function<std::string(const trace::Trace&, const trace::Stuck&, verif::Device&)> explain;
    /// An empty table of functional coverage.
    std::function<std::shared_ptr<stimulus::Coverage>()> make_coverage;
    /// Null where there is no Verilated design. The options name the files of this one program.
    std::function<DeviceUnderTest(verif::Memory& primary, verif::Memory& secondary,
                                  const SimulateOptions& options)>
        make_rtl;
    bool has_waves = false;   ///< of the design, as it was built
    bool has_counts = false;  ///< the same for line and toggle counts
    std::function<DeviceUnderTest(verif::Memory& primary, verif::Memory& secondary)> make_model;
    verif::run::RunInputs run_inputs;  ///< null: no compiled networks
};

/// Runs everything asked for. Returns the exit status, see verif/common/run/command_line.hpp; what
/// it throws is an internal error.
int simulate(const SimulateOptions& options, const Platform& platform);

}  // namespace macrame::dla::run
