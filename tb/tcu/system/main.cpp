/// The testbench of this configuration: ./build/sim --help

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/play/tcu/driver.hpp"
#include "tb/tcu/system/fault_run.hpp"
#include "tb/tcu/system/rtl_device.hpp"
#include "tcu_params.hpp"
#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/tcu/run/simulate.hpp"

namespace {

using namespace macrame;

constexpr const char* kAbout =
    "Runs networks (.tmodel), programs (.tprog), conformance data or random programs on the\n"
    "Verilated design.\n";

constexpr int kMaxBurst = 256;  // beats

std::unique_ptr<tcu::run::Device> make_rtl(tcu::run::Banks banks,
                                           const tcu::run::SimulateOptions& options) {
    tb::RtlOptions rtl;
    rtl.axi.latency = options.latency;
    rtl.axi.stall = options.stall;
    rtl.axi.seed = options.seed;
    rtl.axi.bus_bytes = tcu_params::axi_bytes;
    rtl.axi.max_burst = kMaxBurst;
    rtl.axi.any_cache = true;
    rtl.instruction_bytes = tcu_params::instruction_bytes;
    rtl.sample_block = tcu_params::sample_block_size;
    rtl.wave = options.wave;
    rtl.counts = options.counts;
    // Random contents of registers come from a generator whose seed is set for all threads at once:
    // a design is made from its seed before the next one sets another.
    static std::mutex making;
    const std::lock_guard<std::mutex> lock(making);
    return std::make_unique<tb::RtlDevice>(banks, rtl);
}

tcu::Architecture architecture() {
    namespace p = tcu_params;
    tcu::Architecture a;
    a.data_type = tcu::find_data_type(p::data_type)->type;
    a.array_size = p::array_size;
    a.dram0_depth = p::dram0_depth;
    a.dram1_depth = p::dram1_depth;
    a.local_depth = p::local_depth;
    a.accumulator_depth = p::accumulator_depth;
    a.simd_registers_depth = p::simd_registers_depth;
    a.stride0_depth = p::stride0_depth;
    a.stride1_depth = p::stride1_depth;
    a.number_of_threads = p::number_of_threads;
    a.thread_queue_depth = p::thread_queue_depth;
    a.lut_tables = p::lut_tables;
    a.lut_depth = p::lut_depth;
    return a;
}

int run(int argc, char** argv) {
    tcu::run::SimulateOptions options;
    int status = 0;
    if (!verif::run::read_command_line(argc, argv, tcu::run::option_rows(options), kAbout,
                                       status)) {
        return status;
    }
    tcu::run::Platform platform;
    platform.name = tcu_params::name;
    platform.architecture = architecture();
    platform.control_port = tcu_params::control_port;
    platform.identity = tcu_params::identity;
    platform.beat_bytes = tcu_params::axi_bytes;
    platform.validates = tcu_params::validate_instructions;
    platform.sample_block = tcu_params::sample_block_size;
    platform.timeout = tcu_params::decoder_timeout;
    platform.make_rtl = make_rtl;
    platform.drive = tcu::play::drive_job;
    platform.warm_up =
        [](tcu::run::Device& device, tcu::run::Banks banks, const std::vector<std::uint8_t>& stream,
           const std::function<void()>& fill, const tcu::run::SimulateOptions& wanted) {
            tb::fault_run(dynamic_cast<tb::RtlDevice&>(device), banks, architecture(), stream, fill,
                          wanted);
        };
    platform.has_waves = VM_TRACE != 0;
    platform.has_counts = VM_COVERAGE != 0;
    return tcu::run::simulate(options, platform);
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
