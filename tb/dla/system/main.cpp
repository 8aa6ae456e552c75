/// The testbench of this configuration: ./build/sim --help

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "dla_params.hpp"
#include "runtime/play/run_inputs.hpp"
#include "tb/dla/system/fault_run.hpp"
#include "tb/dla/system/rtl_device.hpp"
#include "tb/dla/system/warm_up.hpp"
#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/dla/run/platform.hpp"

namespace {

using namespace macrame;

constexpr const char* kAbout =
    "Runs register traces (.cfg, .txn, or folders of them), random programs or the picture on the\n"
    "Verilated design. Programs are checked against the programming rules before they run; each\n"
    "rule that one breaks is printed with unit, register, value, what it should be, and the\n"
    "document that says so.\n";

/// A memory behind a port of the core with so many bytes and beats, and a bus of so many bytes.
void set_port(verif::AxiMemoryOptions& axi, int core_bytes, int axi_bytes, int max_burst) {
    axi.bus_bytes = axi_bytes;
    axi.beat_bytes = std::min(core_bytes, axi_bytes);
    axi.fault_bytes = core_bytes;
    axi.max_burst = max_burst * std::max(1, axi_bytes == 0 ? 1 : core_bytes / axi_bytes);
}

dla::run::DeviceUnderTest make_rtl(verif::Memory& primary, verif::Memory& secondary,
                                   const dla::run::SimulateOptions& options) {
    tb::RtlOptions rtl;
    rtl.axi.latency = options.latency;
    rtl.axi.stall = options.stall;
    rtl.axi.interleave = options.interleave;
    rtl.axi.seed = options.seed;
    set_port(rtl.axi, dla_params::bus_bytes, dla_params::axi_bytes, dla_params::max_burst);
    rtl.sec_axi = rtl.axi;
    if (options.secondary_latency > 0) rtl.sec_axi.latency = options.secondary_latency;
    rtl.sec_axi.seed = options.seed + 1;
    set_port(rtl.sec_axi, dla_params::secondary_bus_bytes, dla_params::secondary_axi_bytes,
             dla_params::secondary_max_burst);
    rtl.csb_idle = options.csb_idle;
    rtl.bus_clock_div = options.bus_clock_div;
    rtl.wave = options.wave;
    rtl.counts = options.counts;
    // Random contents of registers come from a generator whose seed is set for all threads at once:
    // a design is made from its seed before the next one sets another.
    static std::mutex making;
    const std::lock_guard<std::mutex> lock(making);
    auto device = std::make_unique<tb::RtlDevice>(primary, secondary, rtl);
    dla::run::DeviceUnderTest dut;
    tb::RtlDevice* design = device.get();
    dut.counts = [design] { return design->counts(); };
    if (options.resets > 0 || options.faults > 0) {
        dut.warm_up = [design, &primary, &secondary, resets = options.resets,
                       faults = options.faults,
                       seed = options.seed](const dla::trace::Trace& program) {
            if (resets > 0) tb::warm_up(*design, primary, secondary, program, resets, seed);
            if (faults > 0) tb::fault_run(*design, primary, secondary, program, faults, seed);
        };
    }
    dut.device = std::move(device);
    return dut;
}

/// Folder of this testbench: two levels above the program in build/.
std::string folder(const std::string& program) {
    const std::size_t slash = program.rfind('/');
    return slash == std::string::npos ? "../" : program.substr(0, slash) + "/../";
}

int run(int argc, char** argv) {
    dla::run::SimulateOptions options;
    int status = 0;
    if (!verif::run::read_command_line(argc, argv, dla::run::option_rows(options), kAbout,
                                       status)) {
        return status;
    }
    if (const std::string text = dla::run::objection(
            options, {tb::RtlDevice::has_responses(), tb::RtlDevice::has_bus_clock(),
                      dla_params::secondary_memif_enable});
        !text.empty()) {
        verif::run::complain("sim", text);
        return verif::run::kUserError;
    }
    dla::run::Platform platform =
        dla::run::make_platform(dla_params::name, dla::model::architecture_of(dla_params::sizes));
    platform.parameters = dla_params::program_parameters;
    platform.make_rtl = make_rtl;
    platform.run_inputs = program::run_inputs;
    platform.has_waves = VM_TRACE != 0;
    platform.has_counts = VM_COVERAGE != 0;
    platform.picture_path = folder(argv[0]) + "verif/dla/stimulus/knot.ppm";
    return dla::run::simulate(options, platform);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        verif::run::complain("sim", std::string("internal error: ") + error.what());
        return verif::run::kInternalError;
    }
}
