#include "verif/dla/run/simulate.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "verif/common/memory.hpp"
#include "verif/dla/stimulus/coverage.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/find_traces.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/txn_reader.hpp"

namespace macrame::dla::run {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxDifferences = 10;

/// One program on one device.
struct Run {
    trace::PlayResult play;
    verif::Memory primary{"pri_mem"};
    verif::Memory secondary{"sec_mem"};
    verif::AxiCounts counts;
    std::uint64_t total_cycles = 0;
};

/// A line of the table.
struct Row {
    std::string name;
    std::string result;  ///< "ok", "FAIL" or "skipped: why"
    std::uint64_t cycles = 0;
    std::uint64_t total_cycles = 0;
    std::uint64_t macs = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;
    std::uint64_t read_stalls = 0;
    std::uint64_t write_stalls = 0;
    std::size_t checks = 0;
    double cpu_s = 0.0;
    bool has_cycles = false;
};

/// Register contents as the program leaves them at each enable of a unit, per register group.
class RegisterShadow {
public:
    explicit RegisterShadow(const trace::RegisterTable& registers) : registers_(registers) {}

    /// Follows one command; returns the unit that it enables, empty if none.
    std::string write(const trace::Command& command) {
        const trace::RegisterInfo* info = registers_.at(command.addr);
        if (info == nullptr || command.op != trace::Op::write) return {};
        if (info->name == "S_POINTER") producer_[info->unit] = command.value & 1u;
        values_[info->unit][producer_[info->unit]][info->name] = command.value;
        return info->name == "D_OP_ENABLE" && (command.value & 1u) != 0 ? info->unit : "";
    }

    /// Field of the group that the program is writing.
    std::uint64_t field(const std::string& unit, const std::string& name, int msb, int lsb) {
        return values_[unit][producer_[unit]][name] >> lsb & ((2u << (msb - lsb)) - 1u);
    }

private:
    const trace::RegisterTable& registers_;
    std::map<std::string, std::uint32_t> producer_;
    std::map<std::string, std::map<std::uint32_t, std::map<std::string, std::uint32_t>>> values_;
};

/// Multiply-accumulates of all convolution layers, padded taps included (out_W*out_H*K*C*S*R).
std::uint64_t count_macs(const trace::Program& program, const trace::RegisterTable& registers) {
    RegisterShadow shadow(registers);
    std::uint64_t macs = 0;
    for (const trace::Command& command : program.commands) {
        if (shadow.write(command) != "CSC") continue;
        const auto size = [&](const char* name, int msb, int lsb) {
            return shadow.field("CSC", name, msb, lsb) + 1;
        };
        macs += size("D_DATAOUT_SIZE_0", 12, 0) * size("D_DATAOUT_SIZE_0", 28, 16) *
                size("D_WEIGHT_SIZE_EXT_1", 28, 16) * size("D_WEIGHT_SIZE_EXT_1", 12, 0) *
                size("D_WEIGHT_SIZE_EXT_0", 4, 0) * size("D_WEIGHT_SIZE_EXT_0", 20, 16);
    }
    return macs;
}

/// What the program needs and the configuration has not; empty if it can run.
std::string missing(const trace::Program& program, const Platform& platform) {
    RegisterShadow shadow(platform.registers);
    std::set<std::string> lacks;
    for (const trace::Command& command : program.commands) {
        const std::string unit = shadow.write(command);
        if (unit == "PDP" && !platform.has_pdp) lacks.insert("PDP");
        if (unit == "CDP" && !platform.has_cdp) lacks.insert("CDP");
        if (unit == "CDMA" && !platform.has_image &&
            shadow.field("CDMA", "D_DATAIN_FORMAT", 0, 0) != 0) {
            lacks.insert("image input");
        }
        if (unit == "SDP" && !platform.has_ew && shadow.field("SDP", "D_DP_EW_CFG", 0, 0) == 0) {
            lacks.insert("SDP EW");
        }
    }
    for (const trace::Notify& notify : program.notifies) {
        if (notify.unit.rfind("PDP", 0) == 0 && !platform.has_pdp) lacks.insert("PDP");
        if (notify.unit.rfind("CDP", 0) == 0 && !platform.has_cdp) lacks.insert("CDP");
    }
    std::string text;
    for (const std::string& what : lacks)
        text += (text.empty() ? "" : ", ") + what;
    return text;
}

/// Takes the register accesses of units that the configuration has not out of the program: they
/// would read 0. Returns how many there were.
std::size_t drop_absent_units(trace::Program& program, const Platform& platform) {
    const auto absent = [&](const trace::Command& command) {
        const trace::RegisterInfo* info = platform.registers.at(command.addr);
        if (info == nullptr) return false;
        return (!platform.has_pdp && info->unit.rfind("PDP", 0) == 0) ||
               (!platform.has_cdp && info->unit.rfind("CDP", 0) == 0);
    };
    const auto end = std::remove_if(program.commands.begin(), program.commands.end(), absent);
    const auto dropped = static_cast<std::size_t>(program.commands.end() - end);
    program.commands.erase(end, program.commands.end());
    return dropped;
}

std::string display_name(const std::string& path) {
    const fs::path file(path);
    return file.filename() == "input.txn" ? file.parent_path().filename().string()
                                          : file.stem().string();
}

/// Registers whose value depends on cycles, not on the program.
bool depends_on_time(const std::string& reg) {
    for (const char* part : {"STALL", "LATENCY", "MCIF.STATUS", "CVIF.STATUS"}) {
        if (reg.find(part) != std::string::npos) return true;
    }
    return false;
}

/// Adds the differences between the bytes that the two wrote.
void compare_memory(const verif::Memory& rtl, const verif::Memory& model,
                    std::vector<std::string>& out) {
    char text[160];
    for (const auto& [memory, other] : {std::pair(&rtl, &model), std::pair(&model, &rtl)}) {
        for (const verif::MemoryRange& range : memory->written()) {
            for (std::uint64_t i = 0; i < range.size && out.size() < kMaxDifferences; ++i) {
                const std::uint64_t addr = range.addr + i;
                const bool both = other->was_written(addr);
                if (both && memory->peek(addr) == other->peek(addr)) continue;
                std::snprintf(text, sizeof text, "%s byte 0x%llx: design %02x%s, model %02x%s",
                              rtl.name().c_str(), static_cast<unsigned long long>(addr),
                              rtl.peek(addr), rtl.was_written(addr) ? "" : " (not written)",
                              model.peek(addr), model.was_written(addr) ? "" : " (not written)");
                out.push_back(text);
            }
        }
    }
}

/// Differences between the design and the model after the same program; empty if none.
std::vector<std::string> compare(const Run& rtl, const Run& model) {
    std::vector<std::string> out;
    char text[160];
    const auto& a = rtl.play.reads;
    const auto& b = model.play.reads;
    if (a.size() != b.size()) out.push_back("different numbers of register reads");
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].value == b[i].value || depends_on_time(a[i].name)) continue;
        std::snprintf(text, sizeof text, "read %zu, %s: design 0x%x, model 0x%x", i,
                      a[i].name.c_str(), a[i].value, b[i].value);
        out.push_back(text);
    }
    compare_memory(rtl.primary, model.primary, out);
    compare_memory(rtl.secondary, model.secondary, out);
    return out;
}

class Session {
public:
    Session(const SimulateOptions& options, const Platform& platform)
        : options_(options), platform_(platform) {}

    int run() {
        if (!options_.coverage.empty() && !start_coverage()) return 2;
        if (options_.picture) {
            run_picture();
        } else if (options_.random_layers > 0) {
            run_random();
        } else {
            run_traces();
        }
        if (bad_input_) return 2;
        return finish();
    }

private:
    std::unique_ptr<Run> execute(const trace::Program& program, bool rtl) {
        auto out = std::make_unique<Run>();
        out->primary.log_writes(true);
        out->secondary.log_writes(true);
        SimulateOptions chosen = options_;
        chosen.seed = seed_;
        DeviceUnderTest dut = rtl ? platform_.make_rtl(out->primary, out->secondary, chosen)
                                  : platform_.make_model(out->primary, out->secondary);
        trace::PlayOptions play;
        std::uint64_t start = 0;
        try {
            if (dut.warm_up) dut.warm_up(program);
            start = dut.device->cycle();
            out->play = trace::play(program, *dut.device, out->primary, out->secondary, play);
        } catch (const std::exception& error) {
            out->play.passed = false;
            out->play.failures.push_back(program.name + ": " + error.what());
        }
        out->total_cycles = dut.device->cycle() - start;
        if (dut.counts) out->counts = dut.counts();
        return out;
    }

    /// Prints what the layer checker finds; true if there are errors.
    bool print_broken_rules(const std::string& name, const trace::Program& program) {
        if (!platform_.check_rules) return false;
        const std::vector<BrokenRule> broken = platform_.check_rules(program);
        if (broken.empty()) return false;
        const auto warnings = std::count_if(broken.begin(), broken.end(),
                                            [](const BrokenRule& r) { return r.warning; });
        const auto infos =
            std::count_if(broken.begin(), broken.end(), [](const BrokenRule& r) { return r.info; });
        const auto errors = static_cast<std::ptrdiff_t>(broken.size()) - warnings - infos;
        std::printf("%s: layer checker: errors %td, warnings %td", name.c_str(), errors, warnings);
        if (infos > 0) std::printf(", infos %td", infos);
        std::printf("%s\n",
                    warnings + infos > 0 && !options_.verbose ? " (--verbose shows them)" : "");
        for (const BrokenRule& rule : broken) {
            if ((rule.warning || rule.info) && !options_.verbose) continue;
            std::printf("    %s %s\n",
                        rule.warning ? "warning"
                        : rule.info  ? "info"
                                     : "error",
                        rule.text.c_str());
        }
        std::fflush(stdout);
        return errors > 0;
    }

    void run_program(const std::string& name, const trace::Program& program) {
        Row row;
        row.name = name;
        row.macs = count_macs(program, platform_.registers);
        std::vector<std::string> failures;
        // Before the hardware runs, which may hang on what this finds.
        if (print_broken_rules(name, program) && options_.strict) {
            row.result = "FAIL: not run";
            print(row);
            rows_.push_back(row);
            return;
        }
        std::unique_ptr<Run> rtl;
        std::unique_ptr<Run> model;
        if (options_.subject != Subject::model) rtl = execute(program, true);
        if (options_.subject != Subject::rtl) model = execute(program, false);
        for (const auto& [run, label] :
             {std::pair(rtl.get(), "design: "), std::pair(model.get(), "model: ")}) {
            if (run == nullptr) continue;
            for (const std::string& text : run->play.failures)
                failures.push_back(label + text);
        }
        if (rtl && model) {
            for (const std::string& text : compare(*rtl, *model))
                failures.push_back(text);
        }
        const Run& main = rtl ? *rtl : *model;
        row.checks = main.play.checks.size() + (rtl && model ? 1u : 0u);
        row.has_cycles = rtl != nullptr;
        row.cycles = main.play.cycles();
        row.total_cycles = main.total_cycles;
        row.cpu_s = main.play.cpu_s;
        row.read_bytes = rtl ? main.counts.read_bytes
                             : main.primary.device_reads() + main.secondary.device_reads();
        row.write_bytes = rtl ? main.counts.write_bytes
                              : main.primary.device_writes() + main.secondary.device_writes();
        row.read_stalls = main.counts.ar_stalls;
        row.write_stalls = main.counts.aw_stalls;
        row.result = failures.empty() ? "ok" : "FAIL";
        if (coverage_ && failures.empty()) {
            coverage_->play(program);
            coverage_->reads(main.play.reads);
        }
        print(row);
        for (const std::string& text : failures)
            std::printf("    %s\n", text.c_str());
        if (options_.verbose) {
            for (const trace::CheckResult& check : main.play.checks) {
                std::printf("    %s %s\n", check.passed ? "ok  " : "FAIL", check.what.c_str());
            }
        }
        rows_.push_back(row);
        last_rtl_ = std::move(rtl);
        last_model_ = std::move(model);
    }

    void run_traces() {
        std::vector<std::string> files;
        for (const std::string& path : options_.traces) {
            std::vector<std::string> errors;
            const std::vector<std::string> found = trace::find_traces(path, errors);
            for (const std::string& error : errors)
                complain(error);
            files.insert(files.end(), found.begin(), found.end());
        }
        if (bad_input_) return;
        for (const std::string& file : files) {
            const bool txn = fs::path(file).extension() == ".txn";
            trace::ReadResult read =
                txn ? trace::read_txn(file) : trace::read_cfg(file, platform_.registers);
            if (!read.ok()) {
                for (const std::string& error : read.errors)
                    complain(error);
                continue;
            }
            const std::string lacks = missing(read.program, platform_);
            if (!lacks.empty()) {
                Row row;
                row.name = display_name(file);
                row.result = "skipped: needs " + lacks;
                print(row);
                rows_.push_back(row);
                continue;
            }
            const std::size_t dropped = drop_absent_units(read.program, platform_);
            run_program(display_name(file), read.program);
            if (dropped != 0) {
                std::printf("    %zu accesses to registers of units that are not built left out\n",
                            dropped);
            }
        }
    }

    void run_random() {
        if (!platform_.random_program) throw std::logic_error("no random layers here");
        for (int i = 0; i < options_.random_layers; ++i) {
            seed_ = options_.seed + static_cast<std::uint64_t>(i);
            run_program("random seed " + std::to_string(seed_),
                        platform_.random_program(seed_, options_.original_safe));
        }
    }

    /// The picture asked for, else the bundled one.
    verif::Picture source_picture() const {
        if (!options_.picture_in.empty()) return verif::read_ppm(options_.picture_in);
        if (platform_.picture_ppm.empty()) return verif::read_ppm(platform_.picture_path);
        return verif::parse_ppm(platform_.picture_ppm, "the bundled picture");
    }

    void run_picture() {
        try {
            const PictureExample example(source_picture(), platform_.picture);
            run_program("picture: eight filters", example.program());
            const verif::Memory* rtl = last_rtl_ ? &last_rtl_->primary : nullptr;
            const verif::Memory* model = last_model_ ? &last_model_->primary : nullptr;
            if (options_.picture_out.empty() || (rtl == nullptr && model == nullptr)) return;
            example.write(options_.picture_out, rtl, model);
            std::printf("\nwrote %s: the picture, then its eight filters",
                        options_.picture_out.c_str());
            std::printf(rtl && model ? " from the design (left) and the model (right)\n" : "\n");
        } catch (const std::runtime_error& error) {
            complain(error.what());
        }
    }

    /// Takes over what the table says so far.
    bool start_coverage() {
        coverage_ = platform_.make_coverage();
        std::ifstream table(options_.coverage);
        if (!table || coverage_->merge(table)) return true;
        complain(options_.coverage + ": want a table of functional coverage or no such file");
        return false;
    }

    void finish_coverage() {
        std::printf("\nfunctional coverage: %s\n", coverage_->summary().c_str());
        std::fflush(stdout);
        if (options_.coverage == "-") {
            coverage_->write(std::cout);
            std::cout.flush();
            return;
        }
        std::ofstream out(options_.coverage);
        coverage_->write(out);
        if (!out) complain(options_.coverage + ": cannot be written");
        for (const std::string& hole : coverage_->bins().holes())
            std::printf("  not hit: %s\n", hole.c_str());
        std::printf("%s: bins and their counts\n", options_.coverage.c_str());
    }

    void complain(const std::string& error) {
        std::fprintf(stderr, "error: %s\n", error.c_str());
        bad_input_ = true;
    }

    void print(const Row& row) {
        if (!head_printed_) {
            const char* subject = options_.subject == Subject::rtl     ? "design"
                                  : options_.subject == Subject::model ? "golden model"
                                                                       : "design and golden model";
            std::printf("%s, %s, memory latency %d", platform_.name.c_str(), subject,
                        options_.latency);
            if (options_.stall > 0.0) std::printf(", stalls %.0f %%", 100.0 * options_.stall);
            if (options_.interleave) std::printf(", interleaved answers");
            std::printf("\n%-44s %10s %6s %9s %9s %10s %10s  %s\n", "trace", "cycles", "MACs",
                        "rd stall", "wr stall", "rd bytes", "wr bytes", "result");
            head_printed_ = true;
        }
        std::printf("%-44s", row.name.c_str());
        if (row.result.rfind("skipped", 0) == 0) {
            std::printf(" %69s %s\n", "", row.result.c_str());
            return;
        }
        if (row.has_cycles) {
            std::printf(" %10llu", static_cast<unsigned long long>(row.cycles));
        } else {
            std::printf(" %10s", "-");
        }
        if (row.has_cycles && row.macs != 0 && row.cycles != 0) {
            std::printf(" %5.1f%%", utilisation(row));
        } else {
            std::printf(" %6s", "-");
        }
        std::printf(" %9llu %9llu %10llu %10llu  %s\n",
                    static_cast<unsigned long long>(row.read_stalls),
                    static_cast<unsigned long long>(row.write_stalls),
                    static_cast<unsigned long long>(row.read_bytes),
                    static_cast<unsigned long long>(row.write_bytes), row.result.c_str());
        std::fflush(stdout);
    }

    double utilisation(const Row& row) const {
        return 100.0 * static_cast<double>(row.macs) /
               (static_cast<double>(row.cycles) * platform_.macs_per_cycle);
    }

    int finish() {
        int passed = 0;
        int failed = 0;
        int skipped = 0;
        std::uint64_t cycles = 0;
        double seconds = 0.0;
        for (const Row& row : rows_) {
            const bool skip = row.result.rfind("skipped", 0) == 0;
            ++(skip ? skipped : row.result == "ok" ? passed : failed);
            cycles += row.has_cycles ? row.total_cycles : 0;
            seconds += row.cpu_s;
        }
        if (cycles != 0 && options_.subject == Subject::rtl && seconds > 0.0) {
            std::printf("%llu clock cycles in %.2f CPU seconds, %.0f kcycles/s\n",
                        static_cast<unsigned long long>(cycles), seconds,
                        static_cast<double>(cycles) / seconds / 1000.0);
        }
        std::printf("%d passed, %d failed", passed, failed);
        if (skipped != 0) std::printf(", %d skipped", skipped);
        std::printf("\n");
        if (!options_.csv.empty()) write_csv();
        if (coverage_) finish_coverage();
        if (bad_input_) return 2;
        return failed == 0 && passed + skipped > 0 ? 0 : 1;
    }

    void write_csv() const {
        std::ofstream out(options_.csv);
        out << "trace,result,cycles,macs,read_stalls,write_stalls,read_bytes,write_bytes,"
               "total_cycles,cpu_s\n";
        for (const Row& row : rows_) {
            out << row.name << ',' << row.result << ',' << row.cycles << ',' << row.macs << ','
                << row.read_stalls << ',' << row.write_stalls << ',' << row.read_bytes << ','
                << row.write_bytes << ',' << row.total_cycles << ',' << row.cpu_s << '\n';
        }
        if (!out) std::fprintf(stderr, "error: %s: cannot be written\n", options_.csv.c_str());
    }

    const SimulateOptions& options_;
    std::uint64_t seed_ = options_.seed;  ///< of the program's stalls and initial state
    const Platform& platform_;
    std::vector<Row> rows_;
    std::shared_ptr<stimulus::Coverage> coverage_;
    std::unique_ptr<Run> last_rtl_;
    std::unique_ptr<Run> last_model_;
    bool head_printed_ = false;
    bool bad_input_ = false;
};

}  // namespace

int simulate(const SimulateOptions& options, const Platform& platform) {
    return Session(options, platform).run();
}

}  // namespace macrame::dla::run
