#include "verif/dla/run/simulate.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "verif/common/memory.hpp"
#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/run/coverage_file.hpp"
#include "verif/common/run/device_server.hpp"
#include "verif/common/run/report.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/common/run/verilog_bench.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/cfgrom.hpp"
#include "verif/dla/run/bench_program.hpp"
#include "verif/dla/run/driver_checker.hpp"
#include "verif/dla/run/driver_recorder.hpp"
#include "verif/dla/run/execution.hpp"
#include "verif/dla/run/mutated.hpp"
#include "verif/dla/run/requirements.hpp"
#include "verif/dla/run/trace_file.hpp"
#include "verif/dla/stimulus/compare_devices.hpp"
#include "verif/dla/stimulus/coverage.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/find_traces.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/txn_reader.hpp"

namespace macrame::dla::run {

namespace {

namespace text = verif::text;
using verif::run::Outcome;
using verif::run::Turn;
using verif::run::Verdict;

/// A program on what the options name.
struct Runs {
    std::unique_ptr<Run> rtl;
    std::unique_ptr<Run> model;
    const Run& main() const { return rtl ? *rtl : *model; }
};

/// Adds the differences between the design and the model after the same program.
void compare(const Run& rtl, const Run& model, std::vector<std::string>& out) {
    stimulus::compare_runs({"design", rtl.play.reads, rtl.primary, rtl.secondary},
                           {"model", model.play.reads, model.primary, model.secondary}, out);
}

/// Prints what the layer checker finds; true if there are errors.
bool say_broken_rules(const std::string& name, const std::vector<BrokenRule>& broken, bool verbose,
                      const Turn& turn) {
    if (broken.empty()) return false;
    const auto count = [&](bool BrokenRule::*level) {
        const auto has = [&](const BrokenRule& rule) { return rule.*level; };
        return static_cast<std::size_t>(std::count_if(broken.begin(), broken.end(), has));
    };
    const std::size_t warnings = count(&BrokenRule::warning);
    const std::size_t infos = count(&BrokenRule::info);
    const std::size_t errors = broken.size() - warnings - infos;
    std::string head = name + ": layer checker: errors " + text::shortest(errors) + ", warnings " +
                       text::shortest(warnings);
    if (infos > 0) head += ", infos " + text::shortest(infos);
    turn.say(head + (warnings + infos > 0 && !verbose ? " (--verbose shows them)" : ""));
    for (const BrokenRule& rule : broken) {
        const char* level = rule.warning ? "warning " : rule.info ? "info " : "error ";
        if ((rule.warning || rule.info) && !verbose) continue;
        turn.say(std::string("    ") + level + rule.text);
    }
    return errors > 0;
}

/// What a program does with memory that the configuration cannot address.
std::vector<std::string> unreachable(const trace::Trace& program, const Platform& platform,
                                     const std::vector<BrokenRule>& broken) {
    std::vector<std::string> out = unreachable_memory(program, platform);
    for (const BrokenRule& rule : broken)
        if (!rule.unreachable.empty()) out.push_back(rule.unreachable + ": " + rule.text);
    return out;
}

Outcome skipped(const std::string& name, const std::string& why) {
    Outcome out;
    out.row.name = name;
    out.row.verdict = Verdict::skipped;
    out.row.reason = why;
    return out;
}

class Session {
public:
    Session(const SimulateOptions& options, const Platform& platform)
        : options_(options), platform_(platform) {}

    int run() {
        std::vector<std::string> errors = mistakes();
        if (errors.empty() && !options_.coverage.empty()) {
            coverage_ = platform_.make_coverage();
            verif::run::read_coverage(options_.coverage, coverage_->bins(), errors);
        }
        std::vector<verif::run::ProgramRun> programs;
        if (errors.empty()) programs = find_programs(errors);
        for (const std::string& error : errors)
            verif::run::complain(platform_.program, error);
        if (!errors.empty()) return verif::run::kUserError;
        if (options_.serve != 0) return serve();

        verif::run::Setup setup;
        setup.program = platform_.program;
        setup.title = platform_.name;
        setup.place = platform_.place;
        setup.macs_per_cycle = platform_.macs_per_cycle;
        const int status = verif::run::run_programs(options_, setup, programs);
        const bool written =
            !coverage_ ||
            verif::run::write_coverage(options_.coverage, coverage_->bins(), platform_.program);
        return written ? status : verif::run::kUserError;
    }

private:
    /// Gives the device to a driver in another process.
    int serve() const {
        const bool model = options_.subject == verif::run::Subject::model;
        verif::Memory primary("pri_mem"), secondary("sec_mem");
        const DeviceUnderTest dut = model ? platform_.make_model(primary, secondary)
                                          : platform_.make_rtl(primary, secondary, options_);
        const auto say = [&](const std::string& text) {
            verif::run::complain(platform_.program, text);
        };
        DriverChecker checker(platform_.sizes, *dut.device, options_.verbose, options_.strict, say);
        verif::run::ServeOptions extra;
        extra.design = {
            platform_.sizes.addr_w, static_cast<std::uint32_t>(platform_.sizes.identity), {}};
        if (!platform_.sizes.v1_map)
            extra.design.identity_registers = model::Cfgrom::identity_offsets();
        extra.watches = {&checker};
        extra.complain = [&](const std::string& violation) { say("device: " + violation); };
        extra.layers = [&] { return checker.layers(); };
        extra.counts = dut.counts;
        if (!extra.counts) {
            extra.counts = [&] {
                verif::AxiCounts out;
                out.read_bytes = primary.device_reads() + secondary.device_reads();
                out.write_bytes = primary.device_writes() + secondary.device_writes();
                return out;
            };
        }
        std::unique_ptr<DriverRecorder> recorder;
        if (!options_.record.empty()) {
            recorder = std::make_unique<DriverRecorder>(
                options_.record, "a driver on " + platform_.name, platform_.registers, *dut.device);
            extra.watches.push_back(recorder.get());
        }
        const auto [problem, violations] =
            verif::run::serve(options_.serve, *dut.device, primary,
                              platform_.sizes.secondary ? &secondary : nullptr, model, extra);
        const bool written = !recorder || recorder->finish();
        if (!problem.empty()) say("--serve: " + problem);
        if (!written) say("--record = " + options_.record + ": cannot write: want room for it");
        if (!written) return verif::run::kUserError;
        return problem.empty() && violations.empty() ? verif::run::kPassed : verif::run::kFailed;
    }

    // ---- what to run

    /// What this build and these files cannot do.
    std::vector<std::string> mistakes() const {
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
        return errors;
    }

    std::vector<verif::run::ProgramRun> find_programs(std::vector<std::string>& errors) {
        if (options_.picture) return picture(errors);
        if (options_.random_layers > 0) return random_programs();
        if (!options_.layers.empty()) return layers(errors);
        if (!options_.program.empty()) return network(errors);
        std::vector<verif::run::ProgramRun> out;
        for (const std::string& path : options_.traces) {
            for (const std::string& file : trace::find_traces(path, errors)) {
                out.push_back({trace_name(file),
                               [this, file](const Turn& turn) { return play(file, turn); }});
            }
        }
        return out;
    }

    std::vector<verif::run::ProgramRun> random_programs() {
        std::vector<verif::run::ProgramRun> out;
        for (int i = 0; i < options_.random_layers; ++i) {
            const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(i);
            const std::string name = "random seed " + text::shortest(seed);
            if (!options_.mutate.empty()) {
                out.push_back({name, [this, name, seed](const Turn& turn) {
                                   return run_mutated(name, options_, platform_, turn, seed);
                               }});
                continue;
            }
            out.push_back({name, [this, name, seed](const Turn& turn) {
                               return run_program(
                                   name, platform_.random_program(seed, options_.original_safe),
                                   turn, seed);
                           }});
        }
        return out;
    }

    std::vector<verif::run::ProgramRun> layers(std::vector<std::string>& errors) {
        std::vector<verif::run::ProgramRun> out;
        for (const std::string& shape : options_.layers) {
            try {
                const auto program = std::make_shared<const trace::Trace>(
                    platform_.layer_program(shape, options_.seed));
                out.push_back({shape, [this, shape, program](const Turn& turn) {
                                   return run_program(shape, *program, turn, options_.seed);
                               }});
            } catch (const std::runtime_error& error) {
                errors.push_back("--layer = " + shape + ": " + error.what());
            }
        }
        return out;
    }

    /// A compiled network on its inputs.
    std::vector<verif::run::ProgramRun> network(std::vector<std::string>& errors) {
        if (!platform_.run_inputs) {
            errors.push_back("--program = " + options_.program + ": want a simulator with these");
            return {};
        }
        verif::run::Simulator simulator{"dla",
                                        platform_.name,
                                        {},
                                        {},
                                        static_cast<std::uint32_t>(platform_.sizes.identity),
                                        platform_.parameters};
        if (platform_.make_rtl) {
            simulator.rtl = [this](verif::Memory& primary, verif::Memory& secondary,
                                   const Turn& turn) {
                DeviceUnderTest dut = platform_.make_rtl(primary, secondary,
                                                         options_of(options_, turn, options_.seed));
                return verif::run::Simulated{with_rules(std::move(dut.device), turn, true),
                                             dut.counts};
            };
        }
        simulator.model = [this](verif::Memory& primary, verif::Memory& secondary,
                                 const Turn& turn) {
            DeviceUnderTest dut = platform_.make_model(primary, secondary);
            return verif::run::Simulated{with_rules(std::move(dut.device), turn, false), {}};
        };
        return platform_.run_inputs(options_, simulator, errors);
    }

    /// The device with the layer checker in front of it. Of two, the design's says what it finds.
    std::unique_ptr<verif::Device> with_rules(std::unique_ptr<verif::Device> device,
                                              const Turn& turn, bool is_rtl) const {
        const auto say = [say = turn.say, quiet = options_.subject == Subject::both &&
                                                  !is_rtl](const std::string& text) {
            if (say && !quiet) say(text);
        };
        return checked(platform_.sizes, std::move(device), options_.verbose, options_.strict, say);
    }

    /// The picture asked for, else the bundled one.
    verif::Picture source_picture() const {
        if (!options_.picture_in.empty()) return verif::read_ppm(options_.picture_in);
        if (platform_.picture_ppm.empty()) return verif::read_ppm(platform_.picture_path);
        return verif::parse_ppm(platform_.picture_ppm, "the bundled picture");
    }

    std::vector<verif::run::ProgramRun> picture(std::vector<std::string>& errors) {
        try {
            const auto example =
                std::make_shared<PictureExample>(source_picture(), platform_.picture);
            const std::string name = "picture: eight filters";
            return {{name, [this, name, example](const Turn& turn) {
                         const trace::Trace program =
                             trace::in_map(example->program(), "", platform_.register_variant);
                         return run_program(
                             name, program, turn, options_.seed,
                             [&](const Runs& runs) { return write_picture(*example, runs); });
                     }}};
        } catch (const std::runtime_error& error) {
            errors.emplace_back(error.what());
            return {};
        }
    }

    /// Writes the picture if it is asked for; what is to be said then.
    std::string write_picture(const PictureExample& example, const Runs& runs) const {
        if (options_.picture_out.empty()) return {};
        example.write(options_.picture_out, runs.rtl ? &runs.rtl->primary : nullptr,
                      runs.model ? &runs.model->primary : nullptr);
        return "wrote " + options_.picture_out + ": the picture, then its eight filters" +
               (runs.rtl && runs.model ? " from the design (left) and the model (right)" : "");
    }

    // ---- programs

    Outcome play(const std::string& file, const Turn& turn) {
        const std::string name = trace_name(file);
        const bool txn = file.size() > 4 && file.compare(file.size() - 4, 4, ".txn") == 0;
        trace::ReadResult read =
            (txn ? trace::read_txn : trace::read_cfg)(file, platform_.registers);
        if (!read.ok()) {
            Outcome out;
            out.row.name = name;
            out.row.verdict = Verdict::failed;
            out.row.reason = "not run";
            out.row.failures = out.bad_input = read.errors;
            return out;
        }
        const std::string other = txn ? other_register_map(file, platform_.registers) : "";
        if (!other.empty()) {
            return skipped(name, "needs another register map (" + other +
                                     "): want a configuration with register-map v1");
        }
        const std::string lacks = missing(read.program, platform_);
        if (!lacks.empty()) return skipped(name, "needs " + lacks);
        const std::size_t dropped = drop_absent_units(read.program, platform_);
        if (dropped != 0 && read.program.commands.empty()) {
            return skipped(name, "all registers are those of units that are not built");
        }
        Outcome out = run_program(name, read.program, turn, options_.seed);
        if (dropped != 0) {
            out.notes.push_back(text::shortest(dropped) +
                                " accesses to registers of units that are not built left out");
        }
        return out;
    }

    /// `seed`: of stalls and of the state before reset. `after`: called with what ran; a note if it
    /// returns one.
    Outcome run_program(const std::string& name, const trace::Trace& program, const Turn& turn,
                        std::uint64_t seed,
                        const std::function<std::string(const Runs&)>& after = {}) {
        Outcome out;
        verif::run::Row& row = out.row;
        row.name = name;
        // Before the hardware runs, which may hang on what this finds.
        const std::vector<BrokenRule> broken =
            platform_.check_rules ? platform_.check_rules(program) : std::vector<BrokenRule>();
        const bool breaks = say_broken_rules(name, broken, options_.verbose, turn);
        row.failures = unreachable(program, platform_, broken);
        if (!row.failures.empty()) {
            row.verdict = Verdict::failed;
            row.reason = "not run";
            return out;
        }
        if (breaks && options_.strict) {
            row.verdict = Verdict::failed;
            row.reason = "not run";
            row.failures.push_back("breaks programming rules, which --strict does not let run");
            return out;
        }
        Runs runs;
        const auto run_on = [&](bool rtl) {
            return execute(platform_, options_, program, turn, seed, rtl);
        };
        if (options_.subject != Subject::model) runs.rtl = run_on(true);
        if (options_.subject != Subject::rtl) runs.model = run_on(false);
        for (const auto& [run, label] :
             {std::pair(runs.rtl.get(), "design: "), std::pair(runs.model.get(), "model: ")}) {
            if (run == nullptr) continue;
            for (const std::string& failure : run->play.failures)
                row.failures.push_back(label + failure);
            for (const std::string& warning : run->warnings)
                out.notes.push_back(label + std::string("warning: ") + warning);
        }
        if (runs.rtl && runs.model) compare(*runs.rtl, *runs.model, row.failures);
        if (!options_.verilog.empty() && row.failures.empty())
            write_verilog(name, program, *runs.model, out);
        fill(row, program, runs);
        if (options_.verbose) {
            for (const trace::CheckResult& check : runs.main().play.checks)
                out.notes.push_back((check.passed ? "ok   " : "FAIL ") + check.what);
        }
        if (coverage_ && row.failures.empty()) {
            out.finish = [this, program, reads = runs.main().play.reads] {
                coverage_->play(program);
                coverage_->reads(reads);
            };
        }
        try {
            const std::string note = after ? after(runs) : "";
            if (!note.empty()) out.notes.push_back(note);
        } catch (const std::runtime_error& error) {
            out.bad_input.emplace_back(error.what());
        }
        return out;
    }

    /// For the bench in Verilog; `run` is that of the model.
    void write_verilog(const std::string& name, const trace::Trace& program, const Run& run,
                       Outcome& out) const {
        const std::string objection = bench_objection(program);
        if (!objection.empty()) {
            out.row.failures.push_back("--verilog: " + objection);
            return;
        }
        verif::Memory primary, secondary;
        trace::prepare_memory(program, primary, secondary);
        verif::run::BenchProgram bench{name, bench_lines(program), {}, {}, 0};
        bench.memories.push_back({"primary", primary, run.primary});
        if (platform_.sizes.secondary)
            bench.memories.push_back({"secondary", secondary, run.secondary});
        verif::run::write_bench(options_.verilog, bench, out.bad_input);
    }

    void fill(verif::run::Row& row, const trace::Trace& program, const Runs& runs) const {
        const Run& main = runs.main();
        const Work work = count_work(program, platform_);
        row.verdict = row.failures.empty() ? Verdict::passed : Verdict::failed;
        row.layers = work.layers;
        row.macs = work.macs;
        row.wide_macs = work.wide_macs;
        row.commands = program.commands.size() + program.notifies.size();
        row.checks = count_checks(program) + (runs.rtl && runs.model ? 1u : 0u);
        row.has_cycles = runs.rtl != nullptr;
        row.cycles = main.play.cycles();
        row.total_cycles = main.total_cycles;
        row.cpu_s = main.play.cpu_s;
        row.read_bytes = runs.rtl ? main.counts.read_bytes
                                  : main.primary.device_reads() + main.secondary.device_reads();
        row.write_bytes = runs.rtl ? main.counts.write_bytes
                                   : main.primary.device_writes() + main.secondary.device_writes();
        row.read_stalls = main.counts.ar_stalls;
        row.write_stalls = main.counts.aw_stalls;
    }

    const SimulateOptions& options_;
    const Platform& platform_;
    std::shared_ptr<stimulus::Coverage> coverage_;
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

}  // namespace macrame::dla::run
