/// The testbench of this configuration: ./build/sim --help

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>

#include "systolic_params.hpp"
#include "systolic_regs.hpp"
#include "tb/systolic/system/cycle_device.hpp"
#include "tb/systolic/system/rtl_device.hpp"
#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/systolic/files/program_file.hpp"
#include "verif/systolic/run/simulate.hpp"

namespace {

using namespace macrame;
using systolic::Word;

constexpr const char* kAbout =
    "Runs programs (.hex, assembly text) or random programs on the Verilated design.\n";

constexpr int kMaxBurst = 256;  // beats

namespace regs = systolic_regs::control;
constexpr std::uint32_t kBase = systolic_params::config_address;
constexpr std::uint32_t kStart = kBase + regs::PROGRAM_ADDRESS::kOffset;
constexpr std::uint32_t kStatus = kBase + regs::STATUS::kOffset;
constexpr std::uint32_t kCycles = kBase + regs::CYCLES_LOW::kOffset;
// The first of four, one per module.
constexpr std::uint32_t kBusy = kBase + regs::LOAD_CYCLES::kOffset;
constexpr std::uint32_t kEnded = kBase + regs::LOAD_ENDED::kOffset;
constexpr std::uint32_t kWaits = kBase + regs::LOAD_WAITS::kOffset;
constexpr std::size_t kMostInstructions = 65535;

systolic::Architecture architecture() {
    namespace p = systolic_params;
    systolic::Architecture a;
    a.rows = p::rows;
    a.columns = p::cols;
    a.input_width = p::in_width;
    a.weight_width = p::weight_width;
    a.accumulator_width = p::out_width;
    a.ibuf_entries = p::ibuf_entries;
    a.wbuf_entries = p::wbuf_entries;
    a.obuf_entries = p::obuf_entries;
    a.queue_depth = p::queue_depth;
    a.token_depth = p::token_depth;
    a.address_width = p::address_width;
    a.bus_bytes = p::axi_bytes;
    a.requantise = p::requantise;
    return a;
}

/// No instruction is without traffic in memory for longer.
std::uint64_t longest(const std::vector<systolic::Instruction>& program, int latency) {
    std::int64_t most = 0;
    for (const systolic::Instruction& i : program) {
        const systolic::Alu& alu = i.alu;
        const std::int64_t elements = alu.output_height * alu.output_width *
                                      (alu.window_height * alu.window_width + 1);
        most = std::max({most, i.gemm.ofmap_height * i.gemm.ofmap_width, 8 * elements});
    }
    const auto queues = static_cast<std::uint64_t>(2 * systolic_params::queue_depth + 1);
    return 20000 + 100 * static_cast<std::uint64_t>(latency) +
           queues * static_cast<std::uint64_t>(most + 2 * systolic_params::rows);
}

std::array<std::uint64_t, systolic::kModuleCount> counters(tb::Device& device,
                                                           std::uint32_t address) {
    const Word word = device.read(address);
    std::array<std::uint64_t, systolic::kModuleCount> out{};
    for (std::size_t m = 0; m < out.size(); ++m)
        out[m] = systolic::get_bits(word, static_cast<int>(32 * m), 32);
    return out;
}

/// Runs the program and reads the registers.
systolic::run::RtlResult run_on(tb::Device& device, const systolic::run::RtlJob& job) {
    systolic::run::RtlResult out;
    device.write(kStart, {0, static_cast<std::uint64_t>(job.program.size()) << 32});
    if (!device.wait(longest(job.program, job.options.latency))) out.problem = "it stands still";
    const regs::STATUS status(static_cast<std::uint32_t>(device.read(kStatus).low));
    const std::uint32_t wanted = regs::STATUS().DONE(1).raw;
    if (out.problem.empty() && status.raw != wanted)
        out.problem = "STATUS is " + std::to_string(status.raw) + ", want " + std::to_string(wanted);
    out.cycles = device.read(kCycles).low;
    out.busy = counters(device, kBusy);
    out.ended = counters(device, kEnded);
    out.waits = counters(device, kWaits);
    out.violations = device.violations();
    return out;
}

std::string text_of(const systolic::run::RtlResult& result) {
    std::string out = std::to_string(result.cycles) + " cycles; busy, ended, waiting:";
    for (std::size_t m = 0; m < systolic::kModuleCount; ++m) {
        out += " " + std::to_string(result.busy[m]) + "," + std::to_string(result.ended[m]) + "," +
               std::to_string(result.waits[m]);
    }
    return out;
}

/// The design, then the model of its cycles on the same memory: all counters must agree.
systolic::run::RtlResult run_rtl(const systolic::run::RtlJob& job) {
    if (job.program.size() > kMostInstructions) {
        systolic::run::RtlResult out;
        out.problem = "the program has more than 65535 instructions";
        return out;
    }
    verif::Memory program;
    std::vector<std::uint8_t> bytes;
    for (const systolic::Instruction& instruction : job.program) {
        const auto word = systolic::word_bytes(systolic::encode(instruction));
        bytes.insert(bytes.end(), word.begin(), word.end());
    }
    program.load(0, bytes);
    tb::AxiMemoryOptions axi;
    axi.latency = job.options.latency;
    axi.stall = job.options.stall;
    axi.seed = job.seed;
    axi.bus_bytes = systolic_params::axi_bytes;
    axi.max_burst = kMaxBurst;
    axi.any_cache = true;
    // Random contents of registers come from a generator whose seed is set for all threads at once:
    // a design is made from its seed before the next one sets another.
    static std::mutex making;
    std::unique_lock<std::mutex> lock(making);
    tb::RtlDevice device(program, job.memory, axi, {job.wave, job.counts});
    lock.unlock();
    systolic::run::RtlResult out = run_on(device, job);
    verif::Memory nothing;
    tb::CycleDevice cycles(program, nothing, axi, architecture(), kBase);
    const std::string expected = text_of(run_on(cycles, job));
    if (out.problem.empty() && text_of(out) != expected)
        out.problem = text_of(out) + "; the model of the cycles: " + expected;
    return out;
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
    platform.architecture = architecture();
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
