#include "verif/tcu/run/job.hpp"

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <utility>

#include "verif/common/random.hpp"
#include "verif/common/run/compare_memory.hpp"
#include "verif/common/run/verilog_bench.hpp"
#include "verif/common/sha256.hpp"
#include "verif/common/text.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/rules.hpp"
#include "verif/tcu/run/analysis.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/run/stream.hpp"
#include "verif/tcu/run/transfers.hpp"
#include "verif/tcu/stimulus/coverage.hpp"

namespace macrame::tcu::run {

namespace {

using verif::run::Subject;
using verif::run::Turn;
using verif::run::Verdict;
using verif::text::shortest;

constexpr std::uint64_t kSlice = 50000;  // cycles between two looks at the clock
constexpr int kIdleSlices = 10;  // no instruction, however long, moves nothing for that long

/// One run on one device.
struct Run {
    Memories memory;
    bool ended = false;
    std::string broken;  ///< why the device could not go on
    Status status;
    std::uint64_t cycles = 0;
    verif::AxiCounts counts[2];
    std::vector<std::string> violations;
    Bytes stream;  ///< all that was sent
    std::vector<std::uint64_t> consumed, moved;
    std::vector<std::uint64_t> samples;
    model::Saturations saturations;  ///< of the model
    double cpu_s = 0.0;
};

/// What changes as long as the device does something.
std::uint64_t progress(const Device& device) {
    const verif::AxiCounts bank0 = device.counts(0);
    const verif::AxiCounts bank1 = device.counts(1);
    return device.status().program_counter + bank0.read_bytes + bank0.write_bytes +
           bank1.read_bytes + bank1.write_bytes;
}

/// Runs to the end; false if the device hangs.
bool run_to_end(Device& device, const Turn& turn) {
    std::uint64_t seen = progress(device);
    for (int idle = 0; idle < kIdleSlices; ++idle) {
        if (device.run(kSlice)) return true;
        if (turn.cycles != nullptr) *turn.cycles = device.cycle();
        const std::uint64_t now = progress(device);
        if (now != seen) idle = 0;
        seen = now;
    }
    return false;
}

/// The whole stream as the options want it; false if the device hangs.
bool play(const Job& job, const SimulateOptions& options, const Platform& platform,
          const Turn& turn, Device& device, Run& out) {
    std::vector<Bytes> transfers = {
        padded(layout_of(platform.architecture), platform.beat_bytes, job.stream)};
    verif::Random random(options.seed + job.stream.size());
    if (options.driver) {
        transfers = driver_transfers(platform.architecture, job.stream, platform.beat_bytes,
                                     platform.sample_block > 0, random);
    }
    for (const Bytes& transfer : transfers) {
        device.send(transfer);
        out.stream.insert(out.stream.end(), transfer.begin(), transfer.end());
        if (options.driver && random.chance(50))
            device.run(static_cast<std::uint64_t>(random.low(0, 300)));
    }
    return run_to_end(device, turn);
}

/// The same by a driver.
bool drive(const Job& job, const Turn& turn, Device& device, Banks banks, Run& out) {
    out.broken = job.drive(device, banks, [&] {
        if (turn.cycles != nullptr) *turn.cycles = device.cycle();
    });
    return out.broken.empty() && run_to_end(device, turn);
}

std::unique_ptr<Run> execute(const Job& job, const SimulateOptions& options,
                             const Platform& platform, const Turn& turn, bool rtl) {
    auto out = std::make_unique<Run>();
    const auto fill = [&memory = out->memory, &job] {
        memory.dram0.clear();
        memory.dram1.clear();
        for (const Piece& piece : job.drive ? std::vector<Piece>() : job.before)
            memory.bank(piece.bank).load(piece.address, *piece.bytes);
        memory.dram0.log_writes(true);
        memory.dram1.log_writes(true);
    };
    fill();
    const Banks banks{out->memory.dram0, out->memory.dram1};
    std::unique_ptr<Device> device;
    const GoldenModel* golden = nullptr;
    if (rtl) {
        SimulateOptions one = options;
        one.wave = turn.wave;
        one.counts = turn.counts;
        device = platform.make_rtl(banks, one);
    } else {
        const auto noise = options.random_memory ? std::optional(options.seed) : std::nullopt;
        auto model = std::make_unique<GoldenModel>(platform.architecture, banks, noise);
        golden = model.get();
        device = std::move(model);
    }
    const std::clock_t start = std::clock();
    try {
        if (!job.drive) device->reset();
        if (rtl && platform.warm_up && options.faults + options.resets > 0) {
            const Bytes stream =
                padded(layout_of(platform.architecture), platform.beat_bytes, job.stream);
            platform.warm_up(*device, banks, stream, fill, options);
        }
        out->ended = job.drive ? drive(job, turn, *device, banks, *out)
                               : play(job, options, platform, turn, *device, *out);
    } catch (const std::runtime_error& error) {  // the device does not answer
        out->broken = error.what();
    }
    out->cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    out->status = device->status();
    out->cycles = device->cycle();
    out->counts[0] = device->counts(0);
    out->counts[1] = device->counts(1);
    out->violations = device->violations();
    out->consumed = device->consumed();
    out->moved = device->moved();
    out->samples = device->samples();
    if (golden != nullptr) out->saturations = golden->machine().saturations();
    return out;
}

/// Adds what is not as expected. One line per piece.
void check(const Job& job, Run& run, int vector_bytes, std::vector<std::string>& out) {
    for (const Piece& piece : job.after) {
        const verif::Memory& memory = run.memory.bank(piece.bank);
        const Bytes found = memory.dump(piece.address, piece.bytes->size());
        const auto [at, want] = std::mismatch(found.begin(), found.end(), piece.bytes->begin());
        if (at == found.end()) continue;
        const std::uint64_t address =
            piece.address + static_cast<std::uint64_t>(at - found.begin());
        out.push_back(memory.name() + " byte " + verif::text::hex(address) + " (vector " +
                      shortest(address / static_cast<std::uint64_t>(vector_bytes)) + "): found " +
                      verif::text::hex_digits(*at, 2) + ", want " +
                      verif::text::hex_digits(*want, 2));
    }
    if (!job.digest) return;
    const Bytes image = run.memory.dram0.dump(0, job.digest->size);
    const std::string found = verif::sha256(image.data(), image.size());
    if (found != job.digest->sha256) {
        out.push_back("DRAM0, first " + shortest(image.size()) + " bytes: found SHA-256 " + found +
                      ", want " + job.digest->sha256);
    }
}

void compare(const Run& rtl, const Run& model, const Platform& platform,
             std::vector<std::string>& out) {
    verif::run::compare_memory({"design", rtl.memory.dram0}, {"model", model.memory.dram0}, out);
    verif::run::compare_memory({"design", rtl.memory.dram1}, {"model", model.memory.dram1}, out);
    const auto differ = [&](std::string_view what, std::uint64_t a, std::uint64_t b) {
        if (a != b)
            out.push_back(std::string(what) + ": design " + shortest(a) + ", model " + shortest(b));
    };
    differ("program counter", rtl.status.program_counter, model.status.program_counter);
    differ("tracepoint flag", rtl.status.tracepoint, model.status.tracepoint);
    if (platform.validates) differ("error flag", rtl.status.error, model.status.error);
}

/// Multiply-accumulates of the array, of all rows and columns.
std::uint64_t count_macs(const Job& job, const Architecture& architecture) {
    const Layout layout = layout_of(architecture);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    const auto size = static_cast<std::uint64_t>(architecture.array_size);
    std::uint64_t vectors = 0;
    for (std::size_t at = 0; at + bytes <= job.stream.size(); at += bytes) {
        const Instruction i = decode(layout, job.stream.data() + at);
        if (i.is(kMatMul) && !i.has(kMatMulZeroes)) vectors += i.size;
    }
    return vectors * size * size;
}

/// Instructions with undefined results, the first few.
std::vector<std::string> undefined_instructions(const Job& job, const Architecture& architecture) {
    constexpr std::size_t kMost = 10;
    const Layout layout = layout_of(architecture);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    std::vector<std::string> out;
    for (std::size_t i = 0; (i + 1) * bytes <= job.stream.size() && out.size() < kMost; ++i) {
        const Instruction instruction = decode(layout, job.stream.data() + i * bytes);
        const std::string problem = undefined(architecture, instruction);
        if (problem.empty()) continue;
        out.push_back("instruction " + shortest(i) + ", " + assembly_text(layout, instruction) +
                      ": " + problem);
    }
    return out;
}

void fill(verif::run::Row& row, const Job& job, const Run& run, bool has_cycles,
          const Architecture& architecture) {
    row.verdict = row.failures.empty() ? Verdict::passed : Verdict::failed;
    row.has_cycles = has_cycles;
    row.cycles = row.total_cycles = run.cycles;
    row.macs = count_macs(job, architecture);
    row.commands = job.stream.size() / static_cast<std::size_t>(layout_of(architecture).bytes);
    row.checks = 1 + job.after.size() + (job.digest ? 1 : 0) + (job.most_cycles != 0 ? 1 : 0);
    row.cpu_s = run.cpu_s;
    row.moved = run.moved;
    for (const verif::AxiCounts& counts : run.counts) {
        row.read_bytes += counts.read_bytes;
        row.write_bytes += counts.write_bytes;
        row.read_stalls += counts.ar_stalls;
        row.write_stalls += counts.aw_stalls;
    }
}

/// What the options want to know of the run of the design.
void report(const Run& run, const SimulateOptions& options, const Platform& platform,
            verif::run::Outcome& out) {
    const auto add = [&](const std::vector<std::string>& lines) {
        out.notes.insert(out.notes.end(), lines.begin(), lines.end());
    };
    if (options.cycles)
        add(cycle_table(platform.architecture, run.stream, run.consumed, run.cycles));
    if (options.sample_interval > 0)
        add(sample_table(platform.architecture, run.stream, run.samples));
    if (options.samples.empty()) return;
    Bytes words;
    for (const std::uint64_t word : run.samples)
        for (int shift = 0; shift < 64; shift += 8)
            words.push_back(static_cast<std::uint8_t>(word >> shift));
    files::write_bytes(options.samples, words, out.bad_input);
}

/// The run of the model for the bench in Verilog.
void write_verilog(const Job& job, Run& run, const SimulateOptions& options,
                   const Platform& platform, std::vector<std::string>& errors) {
    // Pins of the bench; registers and bits of STATUS.
    constexpr std::uint64_t kIdlePin = 1u << 1, kBusErrorPin = 1u << 4, kRestCycles = 16;
    constexpr std::uint64_t kAll = 0xffffffff, kCounterPins = kAll << 32;
    constexpr std::uint64_t kStatus = 0x0, kProgramCounter = 0x4, kIdentity = 0x14;
    constexpr std::uint64_t kIdle = 1u << 0, kBusError = 1u << 4;
    const std::uint64_t counter = run.status.program_counter;
    Memories before;
    for (const Piece& piece : job.before)
        before.bank(piece.bank).load(piece.address, *piece.bytes);
    const auto beat = static_cast<std::size_t>(platform.beat_bytes);
    verif::run::BenchProgram bench{job.name, {}, {}, run.stream, beat};
    bench.lines.push_back({'t', run.stream.size() / beat, 0, 0, 0, "instructions"});
    bench.lines.push_back({'v', kIdlePin, kIdlePin | kBusErrorPin, kRestCycles, 0, "idle"});
    bench.lines.push_back({'b', counter << 32, kCounterPins, 0, 0, "program_counter"});
    if (platform.control_port) {
        bench.lines.push_back({'r', kIdentity, platform.identity, kAll, 0, "IDENTITY"});
        bench.lines.push_back({'r', kStatus, kIdle, kIdle | kBusError, 0, "STATUS"});
        bench.lines.push_back({'r', kProgramCounter, counter, kAll, 0, "PROGRAM_COUNTER"});
    }
    bench.memories.push_back({"dram0", before.dram0, run.memory.dram0});
    bench.memories.push_back({"dram1", before.dram1, run.memory.dram1});
    verif::run::write_bench(options.verilog, bench, errors);
}

}  // namespace

verif::run::Outcome run_job(const Job& given, const SimulateOptions& options,
                            const Platform& platform, const Turn& turn) {
    Job job = given;
    if (options.sample_interval > 0) {
        const Bytes first = configure(layout_of(platform.architecture), kSampleInterval,
                                      static_cast<std::uint32_t>(options.sample_interval));
        job.stream.insert(job.stream.begin(), first.begin(), first.end());
    }
    verif::run::Outcome out;
    out.row.name = job.name;
    std::vector<std::string>& failures = out.row.failures;
    failures = undefined_instructions(job, platform.architecture);
    if (!failures.empty()) {
        out.row.verdict = Verdict::failed;
        out.row.reason = "not run";
        return out;
    }
    std::unique_ptr<Run> rtl, model;
    if (options.subject != Subject::model) rtl = execute(job, options, platform, turn, true);
    if (options.subject != Subject::rtl) model = execute(job, options, platform, turn, false);
    for (const auto& [run, label] :
         {std::pair(rtl.get(), "design: "), std::pair(model.get(), "model: ")}) {
        if (run == nullptr) continue;
        std::vector<std::string> problems = run->violations;
        if (!run->broken.empty()) {
            problems.push_back(run->broken);
        } else if (!run->ended) {
            problems.push_back("hangs: nothing moves at cycle " + shortest(run->cycles) +
                               ", program counter " + shortest(run->status.program_counter) +
                               (run->status.timeout ? ", timeout flag" : ""));
        } else {
            check(job, *run, platform.architecture.vector_bytes(), problems);
        }
        for (const std::string& problem : problems)
            failures.push_back(label + problem);
    }
    Run& main = rtl ? *rtl : *model;
    if (rtl && job.most_cycles != 0 && !options.driver && rtl->cycles > job.most_cycles) {
        failures.push_back("design: " + shortest(rtl->cycles) + " cycles: want at most " +
                           shortest(job.most_cycles));
    }
    if (rtl && model && rtl->ended) compare(*rtl, *model, platform, failures);
    if (!options.verilog.empty() && failures.empty())
        write_verilog(job, *model, options, platform, out.bad_input);
    fill(out.row, job, main, rtl != nullptr, platform.architecture);
    if (rtl && model) ++out.row.checks;
    if (rtl) report(*rtl, options, platform, out);
    if (main.ended && job.finish) job.finish(main.memory, out.bad_input);
    if (main.status.error && platform.validates)
        out.notes.emplace_back("the error flag was up: an instruction breaks a validation rule");
    if (platform.coverage && failures.empty()) {
        const auto saturations = model ? model->saturations : model::Saturations();
        out.finish = [coverage = platform.coverage, stream = job.stream, saturations] {
            coverage->play(stream);
            coverage->data(saturations);
        };
    }
    return out;
}

std::uint64_t bank_bytes(const Architecture& architecture, int bank) {
    const std::int64_t depth = bank == 0 ? architecture.dram0_depth : architecture.dram1_depth;
    return static_cast<std::uint64_t>(depth) *
           static_cast<std::uint64_t>(architecture.vector_bytes());
}

std::uint64_t dump_bytes(const Architecture& architecture, int bank, std::uint64_t image,
                         const verif::Memory& memory) {
    std::uint64_t end = image;
    for (const verif::MemoryRange& range : memory.written())
        end = std::max(end, range.addr + range.size);
    constexpr std::uint64_t kUnit = 65536;
    return std::min(bank_bytes(architecture, bank),
                    (std::max<std::uint64_t>(end, 1) + kUnit - 1) / kUnit * kUnit);
}

}  // namespace macrame::tcu::run
