#include "verif/dla/run/mutated.hpp"

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "verif/dla/run/execution.hpp"
#include "verif/dla/stimulus/compare_devices.hpp"

namespace macrame::dla::run {

namespace {

using verif::run::Outcome;
using verif::run::Verdict;

/// Programs are small: what takes longer waits for ever, or has become large.
constexpr std::uint64_t kTimeout = 20'000, kMaxCycles = 400'000;

trace::PlayOptions limits(std::uint64_t timeout, std::uint64_t max_cycles) {
    trace::PlayOptions play;
    play.timeout = timeout;
    play.max_cycles = max_cycles;
    return play;
}

/// A changed program, what the layer checker says of it, and its runs.
class Mutated {
public:
    Mutated(const std::string& name, const SimulateOptions& options, const Platform& platform,
            std::uint64_t seed)
        : options_(options),
          platform_(platform),
          seed_(seed),
          mutation_(platform.mutated_program(options.mutate, seed)) {
        out_.row.name = name + ", mutated";
        for (const BrokenRule& rule : platform.check_rules(mutation_.program))
            if (!rule.warning && !rule.info) errors_.push_back(rule.text);
    }

    Outcome run(const verif::run::Turn& turn) {
        out_.row.commands = mutation_.program.commands.size();
        out_.row.checks = 1;
        if (mutation_.text.empty()) {
            end(Verdict::skipped, "no such register in random programs");
            return std::move(out_);
        }
        const trace::PlayOptions play = limits(kTimeout, kMaxCycles);
        try {
            model_ = execute(platform_, options_, mutation_.program, turn, seed_, false, play);
        } catch (const std::exception& error) {  // it has to stop with a reason
            fail("model breaks", {error.what(), mutation_.text});
            return std::move(out_);
        }
        if (model_->violations.empty()) {
            rtl_ = design(turn, options_, play);
            // Or it computes: a kernel of many taps that is in CBUF moves nothing for long.
            if (rtl_->play.stuck && !model_->play.stuck)
                rtl_ = design(turn, options_, limits(kMaxCycles, 4 * kMaxCycles));
            fill_row();
        }
        judge();
        if (out_.row.reason == "different" && depends_on_timing(turn)) {
            out_.row.failures.clear();
            end(Verdict::passed, "different with other timing, too");
        }
        if (!out_.row.failures.empty() || options_.verbose) {
            out_.notes.push_back(mutation_.text);
            for (const std::string& error : errors_)
                out_.notes.push_back("layer checker: " + error);
            for (const auto* texts : {&model_->violations, &model_->warnings})
                for (const std::string& text : *texts)
                    out_.notes.push_back("model: " + text);
        }
        return std::move(out_);
    }

private:
    std::unique_ptr<Run> design(const verif::run::Turn& turn, const SimulateOptions& options,
                                const trace::PlayOptions& play) const {
        return execute(platform_, options, mutation_.program, turn, seed_, true, play);
    }

    void end(Verdict verdict, const std::string& reason) {
        out_.row.verdict = verdict;
        out_.row.reason = reason;
    }
    void fail(const std::string& reason, std::vector<std::string> failures) {
        end(Verdict::failed, reason);
        out_.row.failures = std::move(failures);
    }

    void judge() {
        const std::vector<std::string> none = {"the layer checker has no rule for it"};
        if (!model_->violations.empty()) {
            if (errors_.empty()) return fail("model stops", none);
            return end(Verdict::passed, "model stops");
        }
        const trace::PlayResult &model = model_->play, &rtl = rtl_->play;
        if (rtl.too_long || model.too_long) return end(Verdict::skipped, "takes too long");
        if (model.stuck) {
            const char* end_text = rtl.stuck ? "both wait for ever" : "model waits for ever";
            if (errors_.empty()) return fail(end_text, none);
            return end(Verdict::passed, end_text);
        }
        std::vector<std::string> differences;
        for (const auto& [side, run] : {std::pair("model: ", &model), std::pair("design: ", &rtl)})
            for (const std::string& failure : run->failures)
                if (rtl.failures != model.failures) differences.push_back(side + failure);
        stimulus::compare_runs({"design", rtl.reads, rtl_->primary, rtl_->secondary},
                               {"model", model.reads, model_->primary, model_->secondary},
                               differences);
        if (differences.empty()) return end(Verdict::passed, "same");
        if (errors_.empty() && model_->warnings.empty())
            return fail("different", std::move(differences));
        end(Verdict::passed,
            errors_.empty() ? "different, the model warns" : "different, the layer checker tells");
        if (options_.verbose)
            for (const std::string& difference : differences)
                out_.notes.push_back(difference);
    }

    /// Layers that nothing keeps apart: the design itself has another result.
    bool depends_on_timing(const verif::run::Turn& turn) const {
        for (const int latency : {1, 200, 1000}) {
            SimulateOptions options = options_;
            options.latency = latency;
            const auto other = design(turn, options, limits(kMaxCycles, 4 * kMaxCycles));
            std::vector<std::string> differences;
            stimulus::compare_runs({"other", other->play.reads, other->primary, other->secondary},
                                   {"design", rtl_->play.reads, rtl_->primary, rtl_->secondary},
                                   differences);
            if (!differences.empty()) return true;
        }
        return false;
    }

    void fill_row() {
        verif::run::Row& row = out_.row;
        row.has_cycles = true;
        row.cycles = rtl_->play.cycles();
        row.total_cycles = rtl_->total_cycles;
        row.cpu_s = rtl_->play.cpu_s;
        row.read_bytes = rtl_->counts.read_bytes;
        row.write_bytes = rtl_->counts.write_bytes;
        row.read_stalls = rtl_->counts.ar_stalls;
        row.write_stalls = rtl_->counts.aw_stalls;
    }

    const SimulateOptions& options_;
    const Platform& platform_;
    std::uint64_t seed_;
    stimulus::Mutation mutation_;
    std::vector<std::string> errors_;  ///< of the layer checker
    std::unique_ptr<Run> model_, rtl_;
    Outcome out_;
};

}  // namespace

Outcome run_mutated(const std::string& name, const SimulateOptions& options,
                    const Platform& platform, const verif::run::Turn& turn, std::uint64_t seed) {
    return Mutated(name, options, platform, seed).run(turn);
}

}  // namespace macrame::dla::run
