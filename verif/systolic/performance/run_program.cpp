#include "verif/systolic/performance/run_program.hpp"

#include <algorithm>

#include "verif/systolic/performance/cycle_device.hpp"

namespace macrame::systolic::performance {

namespace {

using Register = Device::Register;

constexpr std::uint64_t kDone = cycles::Control::kDone;  ///< STATUS of what has ended well
constexpr int kMaxBurst = 256;                           // beats

std::array<std::uint64_t, kModuleCount> counts(Device& device, Register at) {
    const Word word = device.read(at);
    std::array<std::uint64_t, kModuleCount> out{};
    for (std::size_t m = 0; m < out.size(); ++m)
        out[m] = get_bits(word, static_cast<int>(32 * m), 32);
    return out;
}

void add(Counters& to, const Counters& more) {
    to.cycles += more.cycles;
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        to.busy[m] += more.busy[m];
        to.ended[m] += more.ended[m];
        to.waits[m] += more.waits[m];
    }
}

/// Adds to counters and ends. Returns what went wrong.
std::string run_program(Device& device, const Architecture& architecture,
                        const PlacedProgram& program, int latency, Run& out) {
    const std::size_t count = program.instructions.size();
    if (count > kMostInstructions)
        return "the program has more than " + std::to_string(kMostInstructions) + " instructions";
    const Device::Ends before = device.ends();
    const std::uint64_t quiet = longest_quiet(architecture, program.instructions, latency);
    start(device, program);
    const bool ended = device.wait(quiet);
    const std::uint64_t end = device.now();
    const std::uint64_t status = device.read(Register::status).low & 0xffffffff;
    Counters counters;
    counters.cycles = device.read(Register::cycles).low;
    counters.busy = counts(device, Register::running);
    counters.ended = counts(device, Register::ended);
    counters.waits = counts(device, Register::waiting);
    clear_events(device);
    // The interrupt comes in the cycle after the last one that is counted.
    const std::uint64_t start = end - 1 - counters.cycles - out.counters.cycles;
    std::array<std::size_t, kModuleCount> next{};
    for (std::size_t m = 0; m < kModuleCount; ++m)
        next[m] = before[m].size();
    for (const Instruction& instruction : program.instructions) {
        const std::size_t m = number(instruction.module);
        const bool has_ended = next[m] < device.ends()[m].size();
        out.ends.push_back(has_ended ? std::optional(device.ends()[m][next[m]] - start)
                                     : std::nullopt);
        ++next[m];
    }
    add(out.counters, counters);
    out.stands_still = !ended;
    if (!ended) {
        const std::string problem = stop(device, quiet);
        return problem.empty() ? "it stands still" : "it stands still; " + problem;
    }
    if (status == kDone) return "";
    return "STATUS is " + std::to_string(status) + ", want " + std::to_string(kDone);
}

std::string cycle_text(const std::optional<std::uint64_t>& cycle) {
    return cycle ? std::to_string(*cycle) : "never";
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

std::string difference(const Run& design, const Run& model) {
    if (design.counters != model.counters)
        return counters_text(design.counters) +
               "; the cycle model: " + counters_text(model.counters);
    const auto at =
        std::mismatch(design.ends.begin(), design.ends.end(), model.ends.begin(), model.ends.end());
    if (at.first == design.ends.end()) return "";
    return "instruction " + std::to_string(at.first - design.ends.begin()) + " ends in cycle " +
           cycle_text(*at.first) + "; of the cycle model: " + cycle_text(*at.second);
}

void put_programs(const std::vector<PlacedProgram>& programs, verif::Memory& memory) {
    for (const PlacedProgram& program : programs) {
        std::uint64_t address = program.address;
        for (const Instruction& instruction : program.instructions) {
            const auto word = word_bytes(encode(instruction));
            memory.load(address, word.data(), word.size());
            address += word.size();
        }
    }
}

Run run_programs(Device& device, const Architecture& architecture,
                 const std::vector<PlacedProgram>& programs, int latency, const Trials& trials) {
    Run out;
    if (trials.some()) out.problem = try_out(device, architecture, programs, trials, latency);
    if (!out.problem.empty()) out.violations = device.violations();
    if (!out.problem.empty()) return out;
    for (const PlacedProgram& program : programs) {
        out.problem = run_program(device, architecture, program, latency, out);
        if (!out.problem.empty()) break;
    }
    out.violations = device.violations();
    return out;
}

Run run_on_model(const Architecture& architecture, const std::vector<PlacedProgram>& programs,
                 const verif::AxiMemoryOptions& axi, Observer* observer, const Trials& trials) {
    verif::Memory words, nothing;
    put_programs(programs, words);
    CycleDevice device(words, nothing, axi, architecture, observer);
    return run_programs(device, architecture, programs, axi.latency, trials);
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
