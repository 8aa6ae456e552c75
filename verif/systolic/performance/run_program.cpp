#include "verif/systolic/performance/run_program.hpp"

#include <algorithm>

#include "verif/systolic/performance/cycle_device.hpp"

namespace macrame::systolic::performance {

namespace {

using Register = Device::Register;

constexpr std::uint64_t kDone = 2;  ///< STATUS of a program that has ended well
constexpr int kMaxBurst = 256;      // beats

/// No instruction is without traffic in memory for longer.
std::uint64_t longest(const Architecture& architecture, const std::vector<Instruction>& program,
                      int latency) {
    std::int64_t most = 0;
    for (const Instruction& i : program) {
        const Alu& alu = i.alu;
        const std::int64_t elements = alu.output_height * alu.output_width *
                                      (alu.window_height * alu.window_width + 1);
        most = std::max({most, i.gemm.ofmap_height * i.gemm.ofmap_width, 8 * elements});
    }
    const auto queues = static_cast<std::uint64_t>(2 * architecture.queue_depth + 1);
    return 20000 + 100 * static_cast<std::uint64_t>(latency) +
           queues * static_cast<std::uint64_t>(most + 2 * architecture.rows);
}

std::array<std::uint64_t, kModuleCount> counts(Device& device, Register at) {
    const Word word = device.read(at);
    std::array<std::uint64_t, kModuleCount> out{};
    for (std::size_t m = 0; m < out.size(); ++m)
        out[m] = get_bits(word, static_cast<int>(32 * m), 32);
    return out;
}

}  // namespace

bool operator==(const Counters& a, const Counters& b) {
    return a.cycles == b.cycles && a.busy == b.busy && a.ended == b.ended && a.waits == b.waits;
}

std::string counters_text(const Counters& counters) {
    std::string out = std::to_string(counters.cycles) + " cycles; busy, ended, waiting:";
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        out += " " + std::to_string(counters.busy[m]) + "," + std::to_string(counters.ended[m]) +
               "," + std::to_string(counters.waits[m]);
    }
    return out;
}

void put_program(const std::vector<Instruction>& program, verif::Memory& memory) {
    std::vector<std::uint8_t> bytes;
    for (const Instruction& instruction : program) {
        const auto word = word_bytes(encode(instruction));
        bytes.insert(bytes.end(), word.begin(), word.end());
    }
    memory.load(0, bytes);
}

Run run_program(Device& device, const Architecture& architecture,
                const std::vector<Instruction>& program, int latency) {
    Run out;
    if (program.size() > kMostInstructions) {
        out.problem = "the program has more than " + std::to_string(kMostInstructions) +
                      " instructions";
        return out;
    }
    device.write(Register::program, {0, static_cast<std::uint64_t>(program.size()) << 32});
    if (!device.wait(longest(architecture, program, latency))) out.problem = "it stands still";
    const std::uint64_t status = device.read(Register::status).low & 0xffffffff;
    if (out.problem.empty() && status != kDone)
        out.problem = "STATUS is " + std::to_string(status) + ", want " + std::to_string(kDone);
    out.counters.cycles = device.read(Register::cycles).low;
    out.counters.busy = counts(device, Register::running);
    out.counters.ended = counts(device, Register::ended);
    out.counters.waits = counts(device, Register::waiting);
    out.violations = device.violations();
    return out;
}

Run run_on_model(const Architecture& architecture, const std::vector<Instruction>& program,
                 const verif::AxiMemoryOptions& axi, Observer* observer) {
    verif::Memory words, nothing;
    put_program(program, words);
    CycleDevice device(words, nothing, axi, architecture, observer);
    return run_program(device, architecture, program, axi.latency);
}

verif::AxiMemoryOptions memory_options(const Architecture& architecture, int latency, double stall,
                                       std::uint64_t seed) {
    verif::AxiMemoryOptions out;
    out.latency = latency;
    out.stall = stall;
    out.seed = seed;
    out.bus_bytes = architecture.bus_bytes;
    out.max_burst = kMaxBurst;
    out.any_cache = true;
    return out;
}

}  // namespace macrame::systolic::performance
