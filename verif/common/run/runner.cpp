#include "verif/common/run/runner.hpp"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "verif/common/run/command_line.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/run/progress.hpp"
#include "verif/common/run/report.hpp"
#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

using text::fixed;
using text::pad_left;
using text::pad_right;
using text::shortest;

constexpr std::size_t kNameColumns = 44;
constexpr auto kProgressStep = std::chrono::milliseconds(250);

std::string head_text(const Options& options, const Setup& setup) {
    const char* subject = options.subject == Subject::rtl     ? "design"
                          : options.subject == Subject::model ? "golden model"
                                                              : "design and golden model";
    std::string out = setup.title + ", " + subject;
    out += setup.place.empty() ? ", memory latency " + shortest(options.latency)
                               : " at " + setup.place;
    if (options.stall > 0.0) out += ", stalls " + fixed(100.0 * options.stall, 0) + " %";
    if (options.interleave) out += ", interleaved answers";
    return out + "\n" + pad_right("trace", kNameColumns) + pad_left("cycles", 11) +
           pad_left("MACs", 7) + pad_left("rd stall", 10) + pad_left("wr stall", 10) +
           pad_left("rd bytes", 11) + pad_left("wr bytes", 11) + "  result\n";
}

std::string row_text(const Row& row, const Setup& setup) {
    std::string out = pad_right(row.name, kNameColumns);
    if (row.verdict == Verdict::skipped || !row.reason.empty()) {
        return out + std::string(62, ' ') + result_text(row) + "\n";
    }
    out += pad_left(row.has_cycles ? shortest(row.cycles) : "-", 11);
    if (row.has_cycles && row.macs != 0 && row.cycles != 0) {
        const double peak = static_cast<double>(row.cycles) * setup.macs_per_cycle;
        const auto multiplied = static_cast<double>(row.macs + row.wide_macs);
        out += pad_left(fixed(100.0 * multiplied / peak, 1) + "%", 7);
    } else {
        out += pad_left("-", 7);
    }
    return out + pad_left(shortest(row.read_stalls), 10) +
           pad_left(shortest(row.write_stalls), 10) + pad_left(shortest(row.read_bytes), 11) +
           pad_left(shortest(row.write_bytes), 11) + "  " + result_text(row) + "\n";
}

/// "x.fst" of several programs: "x-<program>.fst", all different.
std::vector<std::string> wave_files(const std::string& path,
                                    const std::vector<ProgramRun>& programs) {
    if (path.empty() || programs.size() == 1) {
        return std::vector<std::string>(programs.size(), path);
    }
    const std::size_t name_at = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
    const std::size_t dot = path.rfind('.');
    const std::size_t stem = dot == path.npos || dot <= name_at ? path.size() : dot;
    const std::string extension = stem == path.size() ? ".fst" : path.substr(stem);
    std::vector<std::string> out;
    std::set<std::string> used;
    for (const ProgramRun& program : programs) {
        std::string name = program.name;
        for (char& c : name) {
            const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ||
                               c == '-' || c == '_';
            if (!plain) c = '_';
        }
        std::string file = path.substr(0, stem) + "-" + name;
        for (int i = 2; !used.insert(file).second; ++i)
            file = path.substr(0, stem) + "-" + name + "-" + shortest(i);
        out.push_back(file + extension);
    }
    return out;
}

/// A program that told the device nothing, or of which nothing could fail, has not passed.
void judge(Row& row) {
    if (row.verdict != Verdict::passed) return;
    if (row.commands > 0 && row.checks > 0) return;
    row.reason = row.commands == 0 ? "does nothing" : "checks nothing";
    row.verdict = Verdict::failed;
    row.failures.push_back(row.commands == 0 ? "the program is empty: want commands"
                                             : "nothing in the program can fail: want a check or a "
                                               "wait, or --both");
}

class Runner {
public:
    Runner(const Options& options, const Setup& setup, const std::vector<ProgramRun>& programs)
        : options_(options),
          setup_(setup),
          programs_(programs),
          slots_(programs.size()),
          waves_(wave_files(options.wave, programs)),
          progress_(isatty(fileno(stderr)) != 0) {
        const auto add = [&](const std::string& path, const ReportFormat& format) {
            if (!path.empty()) {
                reports_.push_back(std::make_unique<Report>(path, format, setup.title));
            }
        };
        add(options.csv, kCsv);
        add(options.json, kJson);
        add(options.junit, kJunit);
    }

    int run() {
        if (!options_.quiet) print(head_text(options_, setup_));
        std::vector<std::thread> threads;
        for (int i = 1; i < options_.jobs && threads.size() + 1 < programs_.size(); ++i)
            threads.emplace_back([this] { work(); });
        std::thread ticker;
        if (progress_.on()) ticker = std::thread([this] { tick(); });
        work();
        for (std::thread& thread : threads)
            thread.join();
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            over_ = true;
        }
        wake_.notify_all();
        if (ticker.joinable()) ticker.join();
        progress_.clear();
        if (internal_error_) std::rethrow_exception(internal_error_);
        return finish();
    }

private:
    /// A program and what it has said.
    struct Slot {
        std::vector<std::string> said;
        std::atomic<std::uint64_t> cycles{0};
        std::optional<Outcome> outcome;
    };

    /// Takes programs until there are none.
    void work() {
        for (std::size_t i = next_++; i < programs_.size(); i = next_++) {
            try {
                Outcome outcome = programs_[i].run(turn(i));
                judge(outcome.row);
                const std::lock_guard<std::mutex> lock(mutex_);
                slots_[i].outcome = std::move(outcome);
                show_finished();
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex_);
                if (!internal_error_) internal_error_ = std::current_exception();
                next_ = programs_.size();
            }
        }
    }

    Turn turn(std::size_t i) {
        Turn out;
        out.say = [this, i](const std::string& line) {
            const std::lock_guard<std::mutex> lock(mutex_);
            slots_[i].said.push_back(line);
            show_finished();
        };
        out.wave = waves_[i];
        if (!options_.counts.empty()) out.counts = options_.counts + "/" + shortest(i) + ".dat";
        out.cycles = &slots_[i].cycles;
        return out;
    }

    /// Prints what is next in the order of the programs: rows of those that have ended, and what
    /// the first one that still runs has said so far.
    void show_finished() {
        for (; first_ < slots_.size(); ++first_) {
            Slot& slot = slots_[first_];
            const bool ended = slot.outcome.has_value();
            std::string text;
            if (!options_.quiet || (ended && slot.outcome->row.verdict == Verdict::failed)) {
                for (const std::string& line : slot.said)
                    text += line + "\n";
                slot.said.clear();
                if (ended) text += outcome_text(*slot.outcome, waves_[first_]);
            }
            progress_.clear();
            print(text);
            std::fflush(stdout);
            if (!ended) return;
            close(*slot.outcome);
        }
    }

    std::string outcome_text(const Outcome& outcome, const std::string& wave) const {
        std::string text = row_text(outcome.row, setup_);
        for (const std::string& failure : outcome.row.failures)
            text += "    " + failure + "\n";
        for (const std::string& note : outcome.notes)
            text += "    " + note + "\n";
        if (!wave.empty() && outcome.row.has_cycles) text += "    waves: " + wave + "\n";
        return text;
    }

    /// What has to happen in order when a program has ended.
    void close(Outcome& outcome) {
        sum_.add(outcome.row);
        for (const auto& report : reports_)
            report->add(outcome.row);
        for (const std::string& error : outcome.bad_input)
            complain(setup_.program, error);
        bad_input_ = bad_input_ || !outcome.bad_input.empty();
        if (outcome.finish) outcome.finish();
        outcome = {};
    }

    void tick() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!wake_.wait_for(lock, kProgressStep, [this] { return over_; })) {
            ProgressState state;
            state.programs = programs_.size();
            state.done = sum_;
            for (const Slot& slot : slots_)
                state.cycles += slot.cycles.load(std::memory_order_relaxed);
            state.seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
            progress_.show(state);
        }
    }

    int finish() {
        if (sum_.total_cycles != 0 && options_.subject == Subject::rtl && sum_.cpu_s > 0.0 &&
            setup_.place.empty()) {
            const double rate = static_cast<double>(sum_.total_cycles) / sum_.cpu_s / 1000.0;
            print(shortest(sum_.total_cycles) + " clock cycles in " + fixed(sum_.cpu_s, 2) +
                  " CPU seconds, " + fixed(rate, 0) + " kcycles/s\n");
        }
        print(summary_text(sum_) + "\n");
        std::fflush(stdout);
        for (const auto& report : reports_) {
            if (report->good()) continue;
            complain(setup_.program, report->path() + ": cannot be written to its end");
            bad_input_ = true;
        }
        if (bad_input_) return kUserError;
        if (sum_.passed == 0 && sum_.failed == 0)
            complain(setup_.program, "no program has run: all were skipped");
        return sum_.failed == 0 && sum_.passed != 0 ? kPassed : kFailed;
    }

    const Options& options_;
    const Setup& setup_;
    const std::vector<ProgramRun>& programs_;
    std::vector<Slot> slots_;
    const std::vector<std::string> waves_;
    std::vector<std::unique_ptr<Report>> reports_;
    Progress progress_;
    Summary sum_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<std::size_t> next_{0};  ///< program to start
    std::size_t first_ = 0;             ///< program to print
    std::mutex mutex_;
    std::condition_variable wake_;
    std::exception_ptr internal_error_;
    bool bad_input_ = false;
    bool over_ = false;
};

}  // namespace

int run_programs(const Options& options, const Setup& setup,
                 const std::vector<ProgramRun>& programs) {
    return Runner(options, setup, programs).run();
}

}  // namespace macrame::verif::run
