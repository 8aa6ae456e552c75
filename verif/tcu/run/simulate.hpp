#pragma once
/// Runs networks, single programs, conformance data or random programs on the design, on the golden
/// model or on both, and prints a table. Used by the emitted testbench and by `macrame simulate`.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/run/device.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tcu::stimulus {
class Coverage;
}

namespace macrame::tcu::run {

struct Network;

/// What this configuration is, and how to make its design.
struct Platform {
    std::string program = "sim";  ///< in front of messages
    std::string name;             ///< of the configuration, for the head of the table
    Architecture architecture;
    bool control_port = false;   ///< it has registers
    std::uint32_t identity = 0;  ///< what the register of this name reads; 0: not known
    int beat_bytes = 8;          ///< of the instruction stream, the same as of the AXI ports
    bool validates = false;  ///< instruction validation is built in: the error flag means something
    int sample_block = 0;    ///< words per packet of the sample stream; 0: no sampling
    int timeout = 100;       ///< reset value of the timeout register
    /// Null where there is no Verilated design. The options name the files of this one program.
    std::function<std::unique_ptr<Device>(Banks, const SimulateOptions&)> make_rtl;
    /// Runs a network on a device by the C driver (runtime/play/tcu); null where that is missing.
    /// Returns what went wrong. The function is called now and then.
    std::function<std::string(const Platform&, const Network&,
                              const std::vector<std::uint8_t>& input, Device&, Banks,
                              const std::function<void()>&)>
        drive = {};
    /// Starts a program before it runs, as --faults and --resets want, and leaves the design ready
    /// for it; `fill` makes the banks as they are before. Throws std::runtime_error.
    std::function<void(Device&, Banks, const std::vector<std::uint8_t>& stream,
                       const std::function<void()>& fill, const SimulateOptions&)>
        warm_up = {};
    bool has_waves = false;   ///< of the design, as it was built
    bool has_counts = false;  ///< the same for line and toggle counts
    /// Functional coverage to which programs that pass are added; simulate() sets it.
    std::shared_ptr<stimulus::Coverage> coverage = {};
};

/// Runs everything asked for. Returns the exit status, see verif/common/run/command_line.hpp; what
/// it throws is an internal error.
int simulate(const SimulateOptions& options, const Platform& platform);

}  // namespace macrame::tcu::run
