#include "verif/systolic/run/simulate.hpp"

#include <algorithm>
#include <ctime>
#include <exception>
#include <utility>
#include <vector>

#include "verif/common/run/command_line.hpp"
#include "verif/common/run/compare_memory.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/run/coverage_file.hpp"
#include "verif/common/run/report.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/files/program_file.hpp"
#include "verif/systolic/isa/assembly.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/stimulus/coverage.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/timing/reference.hpp"

namespace macrame::systolic::run {

namespace {

using verif::run::Outcome;
using verif::run::Turn;
using verif::run::Subject;
using verif::run::Verdict;
using verif::text::shortest;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kShownFindings = 5;
constexpr int kRandomLength = 60;

struct Job {
    std::string name;
    std::vector<Instruction> program;
    Bytes before;
    std::uint64_t order = 0;  ///< seed of a random one
};

bool write_text(const std::string& path, const std::string& text,
                std::vector<std::string>& errors) {
    return path.empty() || files::write_bytes(path, {text.begin(), text.end()}, errors);
}

std::string timing_text(const timing::Timing& timing) {
    std::string out = "reference timing: " + shortest(timing.end) + " cycles";
    for (const Module m : kModules)
        out += ", " + std::string(module_name(m)) + " busy " + shortest(timing.busy[number(m)]);
    return out;
}

/// "\"ibuf\":[[1,-2],[0,3]]"
std::string buffer_text(const model::Machine& machine, Buffer name, std::string_view key) {
    std::string out = "\"" + std::string(key) + "\":";
    for (int entry = 0; entry < entries(machine.architecture(), name); ++entry) {
        const auto values = machine.entry(name, entry);
        for (std::size_t bank = 0; bank < values.size(); ++bank)
            out += (bank > 0 ? "," : entry > 0 ? "],[" : "[[") + shortest(values[bank]);
    }
    return out + "]]";
}

/// What all buffers hold after an instruction, as an object.
std::string step_text(const model::Machine& machine, const Instruction& instruction,
                      std::size_t index) {
    return "{\"index\":" + shortest(index) + ",\"op\":\"" +
           std::string(module_name(instruction.module)) + "\"," +
           buffer_text(machine, Buffer::ibuf, "ibuf") + "," +
           buffer_text(machine, Buffer::wbuf, "wbuf") + "," +
           buffer_text(machine, Buffer::obuf, "obuf") + "}";
}

/// Of active rows and columns, padding included.
std::uint64_t macs_of(const std::vector<Instruction>& program) {
    std::int64_t macs = 0;
    for (const Instruction& i : program) {
        if (i.module != Module::gemm) continue;
        macs += i.gemm.ofmap_height * i.gemm.ofmap_width * i.gemm.active_rows * i.gemm.active_cols;
    }
    return static_cast<std::uint64_t>(macs);
}

class Session {
public:
    Session(const SimulateOptions& options, const Platform& platform)
        : options_(options), platform_(platform), coverage_(platform.architecture) {}

    int run() {
        SimulateOptions options = options_;
        std::vector<std::string> errors = verif::run::check_outputs(option_rows(options));
        if (!options_.wave.empty() && !platform_.has_waves) {
            errors.push_back("--wave = " + options_.wave +
                             ": this build has no waves: want one made with make WAVES=1");
        }
        if (!options_.counts.empty() && !platform_.has_counts) {
            errors.push_back("--counts = " + options_.counts +
                             ": this build counts nothing: want one made with make COVERAGE=1");
        }
        if (!options_.coverage.empty())
            verif::run::read_coverage(options_.coverage, coverage_.bins(), errors);
        std::vector<verif::run::Program> programs;
        const int randoms = options_.random_layers;
        for (int i = 0; i < std::max(randoms, 1); ++i) {
            const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(i);
            const Job job = randoms > 0 ? random_job(seed) : read_job(errors);
            programs.push_back(
                {job.name, [this, job](const Turn& turn) { return run_job(job, turn); }});
        }
        for (const std::string& error : errors)
            verif::run::complain(platform_.program, error);
        if (!errors.empty()) return verif::run::kUserError;
        verif::run::Setup setup;
        setup.program = platform_.program;
        setup.title = platform_.name;
        setup.macs_per_cycle =
            static_cast<double>(platform_.architecture.rows) * platform_.architecture.columns;
        const int status = verif::run::run_programs(options_, setup, programs);
        const bool written = options_.coverage.empty() ||
                             verif::run::write_coverage(options_.coverage, coverage_.bins(),
                                                        platform_.program);
        return written ? status : verif::run::kUserError;
    }

private:
    Job random_job(std::uint64_t seed) const {
        stimulus::RandomProgram random =
            stimulus::random_program(platform_.architecture, seed, kRandomLength);
        return {"random seed " + shortest(seed), std::move(random.program),
                std::move(random.memory), seed};
    }

    Job read_job(std::vector<std::string>& errors) const {
        Job job;
        job.order = options_.seed;
        job.name = options_.program.substr(options_.program.rfind('/') + 1);
        auto program = files::read_program(options_.program, &platform_.architecture, errors);
        job.program = std::move(program).value_or(std::vector<Instruction>());
        if (!options_.memory.empty())
            job.before = files::read_bytes(options_.memory, errors).value_or(Bytes());
        const std::uint64_t most = std::uint64_t{1} << platform_.architecture.address_width;
        if (job.before.size() > most) {
            errors.push_back("--memory = " + options_.memory + ": want at most " + shortest(most) +
                             " bytes");
        }
        if (errors.empty() && job.program.empty())
            errors.push_back("--program = " + options_.program + ": want an instruction");
        if (errors.empty()) {
            write_text(options_.write_assembly, disassemble(job.program), errors);
            write_text(options_.write_hex, files::hex_text(job.program), errors);
        }
        return job;
    }

    /// The verifier's findings go to the notes, with --strict to the failures.
    void verify(const Job& job, Outcome& out) const {
        const auto found = check::check_program(platform_.architecture, job.program);
        auto& lines = options_.strict ? out.row.failures : out.notes;
        const std::size_t most = options_.verbose ? found.size() : kShownFindings;
        for (std::size_t i = 0; i < std::min(most, found.size()); ++i)
            lines.push_back(check::finding_text(found[i]));
        if (found.size() > most)
            lines.push_back("and " + shortest(found.size() - most) + " more; --verbose shows all");
    }

    Outcome run_job(const Job& job, const Turn& turn) {
        Outcome out;
        out.row.name = job.name;
        out.row.commands = job.program.size();
        out.row.checks = 1;
        verify(job, out);
        if (!out.row.failures.empty()) {
            out.row.verdict = Verdict::failed;
            out.row.reason = "not run";
            return out;
        }
        const std::clock_t start = std::clock();
        verif::Memory of_model, of_rtl;
        const bool with_model = options_.subject != Subject::rtl;
        if (with_model) run_model(job, of_model, out);
        if (options_.subject != Subject::model) {
            run_rtl(job, turn, of_rtl, out);
        } else if (job.program.size() > kMostInstructions) {
            out.notes.push_back("no cycles: a start counts at most " + shortest(kMostInstructions) +
                                " instructions");
        } else if (out.row.failures.empty()) {
            run_cycles(job, out);
        }
        if (options_.subject == Subject::both && out.row.failures.empty()) {
            verif::run::compare_memory({"RTL", of_rtl}, {"model", of_model}, out.row.failures);
            ++out.row.checks;
        }
        out.row.cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        out.row.verdict = out.row.failures.empty() ? Verdict::passed : Verdict::failed;
        const verif::Memory& memory = options_.subject == Subject::model ? of_model : of_rtl;
        out.row.read_bytes = memory.device_reads();
        out.row.write_bytes = memory.device_writes();
        if (options_.verbose) {
            out.notes.push_back(
                timing_text(timing::reference_timing(platform_.architecture, job.program)));
        }
        if (!options_.expect.empty()) expect(job, memory, out);
        if (!options_.dump.empty() && out.row.failures.empty()) dump(job, memory, out);
        if (!options_.coverage.empty() && out.row.failures.empty())
            out.finish = [this, program = job.program] { coverage_.play(program); };
        return out;
    }

    /// The cycles of the row.
    void run_rtl(const Job& job, const Turn& turn, verif::Memory& memory, Outcome& out) const {
        memory.load(0, job.before);
        memory.log_writes(true);
        const verif::AxiMemoryOptions axi = axi_of(job);
        const performance::Run result =
            platform_.run_rtl({job.program, memory, axi, turn.wave, turn.counts});
        add_problems(result, "RTL", out.row);
        const performance::Run expected = run_cycles(job, out);
        if (result.problem.empty() && result.counters != expected.counters) {
            out.row.failures.push_back("RTL: " + counters_text(result.counters) +
                                       "; cycle model: " + counters_text(expected.counters));
        }
        out.row.cycles = out.row.total_cycles = result.counters.cycles;
        out.row.macs = macs_of(job.program);
    }

    verif::AxiMemoryOptions axi_of(const Job& job) const {
        verif::AxiMemoryOptions out = performance::memory_options(
            platform_.architecture, options_.latency, options_.stall, job.order);
        out.dram = options_.dram;
        return out;
    }

    static void add_problems(const performance::Run& run, const std::string& of,
                             verif::run::Row& row) {
        if (!run.problem.empty()) row.failures.push_back(of + ": " + run.problem);
        for (const std::string& text : run.violations)
            row.failures.push_back("AXI: " + text);
    }

    /// The cycle model, with what it tells about instructions.
    performance::Run run_cycles(const Job& job, Outcome& out) const {
        const bool observed = options_.verbose || !options_.times.empty();
        performance::Observer observer(job.program);
        const performance::Run run = performance::run_on_model(
            platform_.architecture, job.program, axi_of(job), observed ? &observer : nullptr);
        add_problems(run, "cycle model", out.row);
        out.row.cycles = out.row.total_cycles = run.counters.cycles;
        out.row.has_cycles = true;
        if (options_.verbose) {
            const std::vector<std::string> table = performance::activity_table(observer);
            out.notes.insert(out.notes.end(), table.begin(), table.end());
        }
        if (!options_.times.empty())
            write_text(options_.times, performance::times_csv(job.program, observer),
                       out.bad_input);
        return run;
    }

    void run_model(const Job& job, verif::Memory& memory, Outcome& out) const {
        memory.load(0, job.before);
        memory.log_writes(true);
        const auto seed = options_.any_order ? std::optional(job.order) : std::nullopt;
        model::Simulator simulator(platform_.architecture, job.program, memory, seed);
        const std::string problem =
            options_.buffers.empty() ? simulator.run() : run_in_steps(job, simulator, out);
        if (!problem.empty()) out.row.failures.push_back("model: " + problem);
        if (problem.empty() && options_.any_order) compare_orders(job, memory, out.row);
        out.row.macs = simulator.machine().macs();
    }

    /// What the program writes in the order of the stream must be the same.
    void compare_orders(const Job& job, const verif::Memory& found, verif::run::Row& row) const {
        verif::Memory memory;
        memory.load(0, job.before);
        memory.log_writes(true);
        model::Simulator(platform_.architecture, job.program, memory).run();
        verif::run::compare_memory({"any order", found}, {"stream order", memory}, row.failures);
        ++row.checks;
    }

    /// Run to the end with a look at the buffers after every instruction.
    std::string run_in_steps(const Job& job, model::Simulator& simulator, Outcome& out) const {
        std::string text;
        while (const auto index = simulator.step()) {
            text += (text.empty() ? "[" : ",\n") +
                    step_text(simulator.machine(), job.program[*index], *index);
        }
        write_text(options_.buffers, text + "]\n", out.bad_input);
        return simulator.run();
    }

    /// Up to the end of the image before the program, or the last byte that it writes.
    static std::uint64_t image_size(const Job& job, const verif::Memory& memory) {
        std::uint64_t size = job.before.size();
        for (const verif::MemoryRange& range : memory.written())
            size = std::max(size, range.addr + range.size);
        return size;
    }

    void expect(const Job& job, const verif::Memory& memory, Outcome& out) const {
        const auto wanted = files::read_bytes(options_.expect, out.bad_input).value_or(Bytes());
        const Bytes found = memory.dump(0, image_size(job, memory));
        const auto at = std::mismatch(wanted.begin(), wanted.end(), found.begin(), found.end());
        ++out.row.checks;
        if (wanted.size() == found.size() && at.first == wanted.end()) return;
        out.row.failures.push_back(
            wanted.size() != found.size()
                ? "memory after the program has " + shortest(found.size()) + " bytes, want " +
                      shortest(wanted.size())
                : "memory at " +
                      verif::text::hex(static_cast<std::uint64_t>(at.first - wanted.begin())) +
                      ": found " + shortest(*at.second) + ", want " + shortest(*at.first));
        out.row.verdict = Verdict::failed;
    }

    void dump(const Job& job, const verif::Memory& memory, Outcome& out) const {
        files::write_bytes(options_.dump, memory.dump(0, image_size(job, memory)), out.bad_input);
    }

    const SimulateOptions& options_;
    const Platform& platform_;
    stimulus::Coverage coverage_;
};

}  // namespace

int simulate(const SimulateOptions& options, const Platform& platform) {
    try {
        return Session(options, platform).run();
    } catch (const std::exception& error) {
        verif::run::complain(platform.program, std::string("internal error: ") + error.what());
        return verif::run::kInternalError;
    }
}

}  // namespace macrame::systolic::run
