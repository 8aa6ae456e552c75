#include "verif/systolic/run/mutated.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "verif/common/random.hpp"
#include "verif/common/run/compare_memory.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/stimulus/mutation.hpp"

namespace macrame::systolic::run {

namespace {

using check::Finding;
using check::Kind;
using verif::run::Outcome;
using verif::run::Subject;
using verif::run::Verdict;

constexpr std::uint64_t kOrders = 8;

bool has(const std::vector<Finding>& found, Kind kind) {
    return std::any_of(found.begin(), found.end(),
                       [&](const Finding& finding) { return finding.kind == kind; });
}

/// A changed program, what the verifier says of it, and its runs.
class Mutated {
public:
    Mutated(const Job& job, const SimulateOptions& options, const Platform& platform)
        : job_(job), options_(options), platform_(platform) {
        verif::Random random(job.order);
        mutation_ = stimulus::mutated(job.programs.front().instructions, random);
        found_ = check::check_program(platform.architecture, mutation_.program);
        stops_ = has(found_, Kind::missing_token) || has(found_, Kind::deadlock);
        run_model(job.programs.front().instructions, {}, wanted_);
    }

    Outcome run(const verif::run::Turn& turn) {
        const std::clock_t start = std::clock();
        verif::run::Row& row = out_.row;
        row.name = job_.name + ", mutated";
        row.commands = mutation_.program.size();
        if (options_.subject != Subject::rtl) check_model();
        if (options_.subject != Subject::model) check_design(turn);
        row.verdict = row.failures.empty() ? Verdict::passed : Verdict::failed;
        row.cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (!row.failures.empty() || options_.verbose) out_.notes.push_back(mutation_.text);
        if (options_.verbose)
            out_.notes.push_back(found_.empty() ? "harmless" : finding_text(found_.front()));
        return std::move(out_);
    }

private:
    std::string run_model(const std::vector<Instruction>& program,
                          std::optional<std::uint64_t> order, verif::Memory& memory) const {
        job_.fill(memory);
        memory.log_writes(true);
        return model::Simulator(platform_.architecture, program, memory, order).run();
    }

    void fail(const std::string& subject, const std::string& text) {
        const std::string said = found_.empty() ? "nothing" : finding_text(found_.front());
        out_.row.failures.push_back(subject + ": " + (text.empty() ? "it ends well" : text) +
                                    "; the verifier finds " + said);
    }

    /// A harmless change leaves the memory as it was.
    void compare(const char* subject, const verif::Memory& memory) {
        if (!found_.empty()) return;
        ++out_.row.checks;
        verif::run::compare_memory({subject, memory}, {"unchanged program", wanted_},
                                   out_.row.failures);
    }

    void check_model() {
        const bool ends_well = !stops_ && !has(found_, Kind::unused_token);
        for (std::uint64_t order = 0; order < kOrders; ++order) {
            verif::Memory memory;
            const std::string problem = run_model(mutation_.program, order, memory);
            ++out_.row.checks;
            if (problem.empty() != ends_well) fail("model", problem);
            compare("model", memory);
        }
    }

    void check_design(const verif::run::Turn& turn) {
        verif::Memory memory;
        job_.fill(memory);
        memory.log_writes(true);
        const std::vector<performance::PlacedProgram> programs = {{0, mutation_.program}};
        const verif::AxiMemoryOptions axi = axi_of(options_, platform_.architecture, job_.order);
        const performance::Run result =
            platform_.run_rtl({programs, memory, axi, turn.wave, turn.counts});
        const std::string differs =
            difference(result, performance::run_on_model(platform_.architecture, programs, axi));
        verif::run::Row& row = out_.row;
        ++row.checks;
        if (result.stands_still != stops_ || (!stops_ && !result.problem.empty()))
            fail("RTL", result.problem);
        if (!differs.empty()) row.failures.push_back("RTL: " + differs);
        row.failures.insert(row.failures.end(), result.violations.begin(), result.violations.end());
        row.cycles = row.total_cycles = result.counters.cycles;
        row.has_cycles = true;
        compare("RTL", memory);
    }

    const Job& job_;
    const SimulateOptions& options_;
    const Platform& platform_;
    stimulus::Mutation mutation_;
    std::vector<Finding> found_;
    bool stops_ = false;
    verif::Memory wanted_;  ///< of the program as it was
    Outcome out_;
};

}  // namespace

Outcome run_mutated(const Job& job, const SimulateOptions& options, const Platform& platform,
                    const verif::run::Turn& turn) {
    return Mutated(job, options, platform).run(turn);
}

}  // namespace macrame::systolic::run
