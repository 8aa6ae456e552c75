/// The testbench of this configuration: ./build/sim --help

#include <exception>
#include <mutex>
#include <string>

#include "systolic_params.hpp"
#include "tb/systolic/system/architecture.hpp"
#include "tb/systolic/system/rtl_device.hpp"
#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/systolic/performance/run_program.hpp"
#include "verif/systolic/run/simulate.hpp"

namespace {

using namespace macrame;
using systolic::performance::Run;

constexpr const char* kAbout =
    "Runs programs (.hex, assembly text), compiled networks (.json) or random programs on the\n"
    "Verilated design.\n";

Run run_rtl(const systolic::run::RtlJob& job) {
    const systolic::Architecture machine = tb::architecture();
    verif::Memory program;
    systolic::performance::put_programs(job.programs, program);
    // Random contents of registers come from a generator whose seed is set for all threads at once:
    // a design is made from its seed before the next one sets another.
    static std::mutex making;
    std::unique_lock<std::mutex> lock(making);
    tb::RtlDevice device(program, job.memory, job.axi, machine, {job.wave, job.counts, job.steps});
    lock.unlock();
    return run_programs(device, machine, job.programs, job.axi.latency, job.trials);
}

int run(int argc, char** argv) {
    systolic::run::SimulateOptions options;
    int status = 0;
    if (!verif::run::read_command_line(argc, argv, systolic::run::option_rows(options), kAbout,
                                       status)) {
        return status;
    }
    systolic::run::Platform platform;
    platform.name = systolic_params::name;
    platform.architecture = tb::architecture();
    platform.config_address = systolic_params::config_address;
    platform.identity = {systolic_params::identity, systolic_params::program_parameters};
    platform.run_rtl = run_rtl;
    platform.has_waves = VM_TRACE != 0;
    platform.has_counts = VM_COVERAGE != 0;
    return systolic::run::simulate(options, platform);
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
