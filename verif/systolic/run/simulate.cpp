#include "verif/systolic/run/simulate.hpp"

#include <algorithm>
#include <ctime>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "verif/common/run/command_line.hpp"
#include "verif/common/run/compare_memory.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/run/coverage_file.hpp"
#include "verif/common/run/report.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/common/run/verilog_bench.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/files/program_file.hpp"
#include "verif/systolic/isa/assembly.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/run/bench_program.hpp"
#include "verif/systolic/run/job.hpp"
#include "verif/systolic/run/mutated.hpp"
#include "verif/systolic/run/networks.hpp"
#include "verif/systolic/stimulus/coverage.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/timing/reference.hpp"

namespace macrame::systolic::run {

namespace {

using verif::run::Outcome;
using verif::run::Subject;
using verif::run::Turn;
using verif::run::Verdict;
using verif::text::shortest;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kShownFindings = 5;
constexpr int kRandomLength = 60;

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
        const std::vector<verif::run::ProgramRun> programs = find_programs(errors);
        for (const std::string& error : errors)
            verif::run::complain(platform_.program, error);
        if (!errors.empty()) return verif::run::kUserError;
        verif::run::Setup setup;
        setup.program = platform_.program;
        setup.title = platform_.name;
        setup.macs_per_cycle =
            static_cast<double>(platform_.architecture.rows) * platform_.architecture.columns;
        const int status = verif::run::run_programs(options_, setup, programs);
        const bool written =
            options_.coverage.empty() ||
            verif::run::write_coverage(options_.coverage, coverage_.bins(), platform_.program);
        return written ? status : verif::run::kUserError;
    }

private:
    std::vector<verif::run::ProgramRun> find_programs(std::vector<std::string>& errors) {
        std::vector<verif::run::ProgramRun> out;
        const auto add = [&](const Job& job) {
            out.push_back({job.name, [this, job](const Turn& turn) { return run_job(job, turn); }});
        };
        check_program_options(errors);
        if (is_network(options_.program)) {
            for (const Job& job : network_jobs(options_, platform_.architecture, platform_.program,
                                               errors, platform_.identity))
                add(job);
        } else if (options_.random_layers == 0) {
            add(read_job(errors));
        }
        for (int i = 0; i < options_.random_layers; ++i) {
            const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(i);
            const Job job = random_job(seed);
            if (!options_.mutate) {
                add(job);
                continue;
            }
            out.push_back({job.name, [this, job](const Turn& turn) {
                               return run_mutated(job, options_, platform_, turn);
                           }});
        }
        return out;
    }

    /// Which options go with a network, which with a program.
    void check_program_options(std::vector<std::string>& errors) const {
        const bool network = is_network(options_.program);
        const auto only = [&](const char* name, bool given, bool with_network) {
            if (given && network != with_network)
                errors.push_back("--" + std::string(name) + ": want it " +
                                 (with_network ? "with" : "without") + " a .json file");
        };
        only("input", !options_.input.empty(), true);
        only("output", !options_.output.empty(), true);
        only("count", options_.count != 0, true);
        only("memory", !options_.memory.empty(), false);
        only("dump", !options_.dump.empty(), false);
        only("expect", !options_.expect.empty(), false);
        only("write-assembly", !options_.write_assembly.empty(), false);
        only("write-hex", !options_.write_hex.empty(), false);
        only("buffers", !options_.buffers.empty(), false);
    }

    Job random_job(std::uint64_t seed) const {
        const stimulus::RandomProgram random =
            stimulus::random_program(platform_.architecture, seed, kRandomLength);
        return single_job("random seed " + shortest(seed), random.program, random.memory, seed);
    }

    static Job single_job(const std::string& name, const std::vector<Instruction>& program,
                          const Bytes& before, std::uint64_t order) {
        Job job;
        job.name = name;
        job.programs = {{0, program}};
        job.fill = [before](verif::Memory& memory) { memory.load(0, before); };
        job.image_bytes = before.size();
        job.order = order;
        return job;
    }

    Job read_job(std::vector<std::string>& errors) const {
        const auto program = files::read_program(options_.program, &platform_.architecture, errors)
                                 .value_or(std::vector<Instruction>());
        Bytes before;
        if (!options_.memory.empty())
            before = files::read_bytes(options_.memory, errors).value_or(Bytes());
        const std::uint64_t most = std::uint64_t{1} << platform_.architecture.address_width;
        if (before.size() > most) {
            errors.push_back("--memory = " + options_.memory + ": want at most " + shortest(most) +
                             " bytes");
        }
        if (errors.empty() && program.empty())
            errors.push_back("--program = " + options_.program + ": want an instruction");
        if (errors.empty()) {
            write_text(options_.write_assembly, disassemble(program), errors);
            write_text(options_.write_hex, files::hex_text(program), errors);
        }
        return single_job(options_.program.substr(options_.program.rfind('/') + 1), program, before,
                          options_.seed);
    }

    /// The verifier's findings go to the notes, with --strict to the failures.
    void verify(const Job& job, Outcome& out) const {
        std::vector<check::Finding> found;
        for (const performance::PlacedProgram& program : job.programs) {
            const auto more = check::check_program(platform_.architecture, program.instructions);
            found.insert(found.end(), more.begin(), more.end());
        }
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
        out.row.commands = job.instructions().size();
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
        } else if (job.longest() > kMostInstructions) {
            out.notes.push_back("no cycles: a start counts at most " + shortest(kMostInstructions) +
                                " instructions");
        } else if (out.row.failures.empty()) {
            run_cycles(job, out);
        }
        if (options_.subject == Subject::both && out.row.failures.empty()) {
            out.row.first_difference =
                verif::run::compare_memory({"RTL", of_rtl}, {"model", of_model}, out.row.failures);
            ++out.row.checks;
        }
        if (!options_.verilog.empty() && out.row.failures.empty())
            write_verilog(job, of_model, out);
        out.row.cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        out.row.verdict = out.row.failures.empty() ? Verdict::passed : Verdict::failed;
        const verif::Memory& memory = options_.subject == Subject::model ? of_model : of_rtl;
        out.row.read_bytes = memory.device_reads();
        out.row.write_bytes = memory.device_writes();
        for (const performance::PlacedProgram& program : job.programs) {
            if (!options_.verbose) break;
            out.notes.push_back(timing_text(
                timing::reference_timing(platform_.architecture, program.instructions)));
        }
        if (!options_.expect.empty()) expect(job, memory, out);
        if (!options_.dump.empty() && out.row.failures.empty()) dump(job, memory, out);
        if (job.take_outputs && out.row.failures.empty()) job.take_outputs(memory);
        out.finish = [this, job, covers = !options_.coverage.empty() && out.row.failures.empty()] {
            if (covers) coverage_.play(job.instructions());
            if (job.finish) job.finish();
        };
        return out;
    }

    /// For the bench in Verilog; `after` is memory behind the model.
    void write_verilog(const Job& job, const verif::Memory& after, Outcome& out) const {
        if (job.longest() > kMostInstructions) {
            out.row.failures.push_back("--verilog: a start counts at most " +
                                       shortest(kMostInstructions) + " instructions");
            return;
        }
        verif::Memory words, before;
        performance::put_programs(job.programs, words);
        job.fill(before);
        verif::run::BenchProgram bench{job.name, {}, {}, {}, 0};
        bench.lines = bench_lines(job.programs, platform_.config_address, platform_.identity.hash);
        bench.memories.push_back({"program", words, words});
        bench.memories.push_back({"data", before, after});
        verif::run::write_bench(options_.verilog, bench, out.bad_input);
    }

    /// The cycles of the row.
    void run_rtl(const Job& job, const Turn& turn, verif::Memory& memory, Outcome& out) const {
        job.fill(memory);
        memory.log_writes(true);
        verif::Memory wanted;
        std::optional<StepCheck> steps;
        if (options_.steps) {
            job.fill(wanted);
            steps.emplace(platform_.architecture, job.instructions(), wanted, memory);
        }
        const verif::AxiMemoryOptions axi = axi_of(options_, platform_.architecture, job.order);
        const performance::Run result =
            platform_.run_rtl({job.programs, memory, axi, turn.wave, turn.counts,
                               steps ? &*steps : nullptr, trials_of(options_, job.order)});
        verif::run::Row& row = out.row;
        add_problems(result, "RTL", row);
        if (steps) {
            if (result.problem.empty()) steps->finish();
            for (const std::string& text : steps->differences())
                row.failures.push_back("RTL: " + text);
            row.checks += steps->values();
        }
        if (!platform_.own_memory) {
            const std::string differs = difference(result, run_cycles(job, out));
            if (!differs.empty()) row.failures.push_back("RTL: " + differs);
        }
        row.has_cycles = true;
        row.cycles = row.total_cycles = result.counters.cycles;
        row.macs = macs_of(job.instructions());
        if (!job.layers.empty()) row.layer_times = layer_times(job.layers, result.ends);
    }

    static void add_problems(const performance::Run& run, const std::string& of,
                             verif::run::Row& row) {
        if (!run.problem.empty()) row.failures.push_back(of + ": " + run.problem);
        for (const std::string& text : run.violations)
            row.failures.push_back("AXI: " + text);
    }

    /// The cycle model, with what it tells about instructions.
    performance::Run run_cycles(const Job& job, Outcome& out) const {
        const performance::Trials trials = trials_of(options_, job.order);
        const bool observed = (options_.verbose && !trials.some()) || !options_.times.empty();
        const std::vector<Instruction> program = job.instructions();
        performance::Observer observer(program);
        const performance::Run run =
            performance::run_on_model(platform_.architecture, job.programs,
                                      axi_of(options_, platform_.architecture, job.order),
                                      observed ? &observer : nullptr, trials);
        add_problems(run, "cycle model", out.row);
        out.row.cycles = out.row.total_cycles = run.counters.cycles;
        out.row.has_cycles = true;
        if (!job.layers.empty()) out.row.layer_times = layer_times(job.layers, run.ends);
        if (observed && options_.verbose) {
            const std::vector<std::string> table = performance::activity_table(observer);
            out.notes.insert(out.notes.end(), table.begin(), table.end());
        }
        if (!options_.times.empty())
            write_text(options_.times, performance::times_csv(program, observer), out.bad_input);
        return run;
    }

    void run_model(const Job& job, verif::Memory& memory, Outcome& out) const {
        job.fill(memory);
        memory.log_writes(true);
        const auto seed = options_.any_order ? std::optional(job.order) : std::nullopt;
        out.row.macs = 0;
        std::string problem;
        for (const performance::PlacedProgram& program : job.programs) {
            const std::vector<Instruction>& instructions = program.instructions;
            model::Simulator simulator(platform_.architecture, instructions, memory, seed);
            problem = options_.buffers.empty() ? simulator.run()
                                               : run_in_steps(instructions, simulator, out);
            out.row.macs += simulator.machine().macs();
            if (problem.empty()) continue;
            out.row.failures.push_back("model: " + problem);
            break;
        }
        if (problem.empty() && options_.any_order) compare_orders(job, memory, out.row);
    }

    /// What the program writes in the order of the stream must be the same.
    void compare_orders(const Job& job, const verif::Memory& found, verif::run::Row& row) const {
        verif::Memory memory;
        job.fill(memory);
        memory.log_writes(true);
        for (const performance::PlacedProgram& program : job.programs)
            model::Simulator(platform_.architecture, program.instructions, memory).run();
        verif::run::compare_memory({"any order", found}, {"stream order", memory}, row.failures);
        ++row.checks;
    }

    /// Run to the end with a look at the buffers after every instruction.
    std::string run_in_steps(const std::vector<Instruction>& program, model::Simulator& simulator,
                             Outcome& out) const {
        std::string text;
        while (const auto index = simulator.step()) {
            text += (text.empty() ? "[" : ",\n") +
                    step_text(simulator.machine(), program[*index], *index);
        }
        write_text(options_.buffers, text + "]\n", out.bad_input);
        return simulator.run();
    }

    /// Up to the end of the image before the program, or the last byte that it writes.
    static std::uint64_t image_size(const Job& job, const verif::Memory& memory) {
        std::uint64_t size = job.image_bytes;
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

verif::AxiMemoryOptions axi_of(const SimulateOptions& options, const Architecture& architecture,
                               std::uint64_t seed) {
    verif::AxiMemoryOptions out =
        performance::memory_options(architecture, options.latency, options.stall, seed);
    out.dram = options.dram;
    return out;
}

performance::Trials trials_of(const SimulateOptions& options, std::uint64_t seed) {
    return {options.resets, options.faults, seed};
}

int simulate(const SimulateOptions& options, const Platform& platform) {
    try {
        return Session(options, platform).run();
    } catch (const std::exception& error) {
        verif::run::complain(platform.program, std::string("internal error: ") + error.what());
        return verif::run::kInternalError;
    }
}

}  // namespace macrame::systolic::run
