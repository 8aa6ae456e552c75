#include "runtime/play/run_inputs.hpp"

#include <cstddef>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "runtime/macrame.h"
#include "runtime/play/play.hpp"
#include "verif/common/run/compare_memory.hpp"
#include "verif/common/text.hpp"

namespace macrame::program {

namespace {

using verif::run::Options;
using verif::run::Outcome;
using verif::run::Simulated;
using verif::run::Simulator;
using verif::run::Subject;
using verif::run::Turn;
using verif::run::Verdict;
using verif::text::shortest;

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

/// One device and what came of it.
struct Run {
    verif::Memory primary{"pri_mem"};
    verif::Memory secondary{"sec_mem"};
    PlayResult play;
    verif::AxiCounts counts;
    std::uint64_t total_cycles = 0;
    double cpu_s = 0.0;
};

std::optional<Bytes> read(const std::string& option, const std::string& path,
                          std::vector<std::string>& errors) {
    std::string problem;
    const auto text = verif::text::read_file(path, problem);
    if (text && text->size() <= kMaxBytes) return Bytes(text->begin(), text->end());
    errors.push_back(option + " = " + path + ": " +
                     (text ? "want at most " + shortest(kMaxBytes) + " bytes" : problem));
    return std::nullopt;
}

/// A program and its inputs.
class Network {
public:
    Network(const Options& options, const Simulator& simulator)
        : options_(options), simulator_(simulator) {}

    bool open(std::vector<std::string>& errors) {
        const auto file = read("--program", options_.program, errors);
        const auto inputs = read("--input", options_.input, errors);
        if (!file || !inputs) return false;
        file_ = *file;
        const int error = macrame_open(&program_, file_.data(), file_.size());
        std::string fault = error == MACRAME_OK ? misfit() : macrame_error_text(error);
        if (!fault.empty()) {
            errors.push_back("--program = " + options_.program + ": " + fault);
            return false;
        }
        fault = select();
        if (!fault.empty()) {
            errors.push_back(fault);
            return false;
        }
        return take_inputs(*inputs, errors);
    }

    std::size_t count() const { return inputs_.size(); }
    std::string name(std::size_t number) const {
        const char* const name = program_.name != nullptr ? program_.name : program_.network;
        return std::string(name) + " input " + shortest(number);
    }

    Outcome run(std::size_t number, const Turn& turn) {
        Outcome out;
        verif::run::Row& row = out.row;
        row.name = name(number);
        std::unique_ptr<Run> rtl, model;
        if (options_.subject != Subject::model) rtl = execute(number, turn, true);
        if (options_.subject != Subject::rtl) model = execute(number, turn, false);
        for (const auto& [run, label] :
             {std::pair(rtl.get(), "design: "), std::pair(model.get(), "model: ")}) {
            if (run == nullptr) continue;
            if (!run->play.error.empty()) row.failures.push_back(label + run->play.error);
            for (const std::string& violation : run->play.violations)
                row.failures.push_back(label + violation);
        }
        if (number == 0 && tells_no_hardware()) {
            out.notes.push_back(options_.program + ": " + kNoHardware +
                                ": not compared; want it compiled again");
        }
        if (rtl && model && row.failures.empty()) compare(*rtl, *model, row);
        fill(row, rtl ? *rtl : *model, rtl != nullptr);
        if (row.failures.empty()) outputs_[number] = (rtl ? *rtl : *model).play.outputs;
        row.verdict = row.failures.empty() ? Verdict::passed : Verdict::failed;
        if (number + 1 == count()) out.finish = [this] { write_outputs(); };
        return out;
    }

private:
    static constexpr const char* kNoHardware = "does not say for what hardware it was compiled";

    /// A program of an earlier version, on hardware that has an identity.
    bool tells_no_hardware() const { return program_.identity == 0 && simulator_.identity != 0; }

    /// Why the program is not for this simulator; empty if it is.
    std::string misfit() const {
        const auto other = [](const char* found, const std::string& wanted) {
            return "made for " + std::string(found) + ": want one for " + wanted;
        };
        if (program_.family != simulator_.family) return other(program_.family, simulator_.family);
        if (tells_no_hardware() && options_.strict)
            return std::string(kNoHardware) + ": want it compiled again, for --strict";
        if (program_.identity == 0 || simulator_.identity == 0) {
            if (program_.configuration != simulator_.configuration)
                return other(program_.configuration, simulator_.configuration);
        } else if (macrame_check_identity(&program_, simulator_.identity) != MACRAME_OK) {
            return other_hardware();
        }
        return {};
    }

    /// Takes the network that the options name; why there is none to run, or empty.
    std::string select() {
        const std::string in = "--program = " + options_.program + ": ";
        std::string names;
        for (std::uint32_t i = 0; i < program_.network_count; ++i)
            names += (i == 0 ? "" : ", ") + std::string(macrame_network_name(&program_, i));
        if (options_.network.empty() && program_.networks != nullptr)
            return in + shortest(program_.network_count) +
                   " networks: want --network with one of " + names;
        if (!options_.network.empty() &&
            macrame_select(&program_, options_.network.c_str()) != MACRAME_OK)
            return "--network = " + options_.network + ": want one of " + names +
                   ", which are in " + options_.program;
        for (std::uint32_t i = 0; i < program_.command_count; ++i) {
            macrame_command command{};
            macrame_get_command(&program_, i, &command);
            if (command.code == MACRAME_HOST)
                return in + "has operators for the host: want macrame run, which has them";
        }
        return {};
    }

    /// The first parameter that differs, or at least the names.
    std::string other_hardware() const {
        std::string text(200, '\0');
        const std::string& wanted = simulator_.parameters;
        const bool found =
            macrame_difference(&program_, wanted.c_str(), text.data(), text.size()) != 0;
        text.resize(text.find('\0'));
        return "made for other hardware: " +
               (found ? text
                      : "identity " + verif::text::hex(program_.identity) + ": want " +
                            verif::text::hex(simulator_.identity)) +
               ", as " + simulator_.configuration + " has";
    }

    bool take_inputs(const Bytes& all, std::vector<std::string>& errors) {
        std::vector<std::size_t> sizes;
        std::size_t one = 0;
        for (std::uint32_t i = 0; i < program_.input_count; ++i) {
            macrame_tensor tensor{};
            macrame_get_input(&program_, i, &tensor);
            sizes.push_back(static_cast<std::size_t>(tensor.bytes));
            one += sizes.back();
        }
        if (one == 0 || all.empty() || all.size() % one != 0) {
            errors.push_back("--input = " + options_.input + ": " + shortest(all.size()) +
                             " bytes: want a multiple of " + shortest(one) +
                             ", the bytes of an input");
            return false;
        }
        const std::size_t there = all.size() / one;
        const std::size_t wanted =
            options_.count == 0 ? there : static_cast<std::size_t>(options_.count);
        if (wanted > there) {
            errors.push_back("--count = " + shortest(wanted) + ": want at most " + shortest(there) +
                             ", the inputs in " + options_.input);
            return false;
        }
        auto at = all.begin();
        for (std::size_t i = 0; i < wanted; ++i) {
            inputs_.emplace_back();
            for (const std::size_t bytes : sizes) {
                inputs_.back().emplace_back(at, at + static_cast<std::ptrdiff_t>(bytes));
                at += static_cast<std::ptrdiff_t>(bytes);
            }
        }
        outputs_.resize(wanted);
        return true;
    }

    std::unique_ptr<Run> execute(std::size_t number, const Turn& turn, bool is_rtl) const {
        auto out = std::make_unique<Run>();
        out->primary.log_writes(true);
        out->secondary.log_writes(true);
        const Simulated machine =
            (is_rtl ? simulator_.rtl : simulator_.model)(out->primary, out->secondary, turn);
        PlayOptions options;
        options.network = options_.network;
        if (is_rtl) options.cycles = turn.cycles;
        options.counts = machine.counts;
        const std::clock_t start = std::clock();
        try {
            out->play = play(file_, inputs_[number], *machine.device, out->primary, options);
        } catch (const std::runtime_error& error) {  // the device does not answer
            out->play.error = error.what();
        }
        out->cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        out->total_cycles = machine.device->cycle();
        if (machine.counts) out->counts = machine.counts();
        return out;
    }

    static void compare(const Run& rtl, const Run& model, verif::run::Row& row) {
        const auto first = verif::run::compare_memory({"design", rtl.primary},
                                                      {"model", model.primary}, row.failures);
        verif::run::compare_memory({"design", rtl.secondary}, {"model", model.secondary},
                                   row.failures);
        const std::uint64_t block = PlayOptions{}.block;
        if (first && *first >= block) row.first_difference = *first - block;
    }

    void fill(verif::run::Row& row, const Run& run, bool is_rtl) const {
        row.layers = program_.layer_count;
        for (std::uint32_t i = 0; i < program_.layer_count; ++i) {
            macrame_layer layer{};
            macrame_get_layer(&program_, i, &layer);
            row.macs += layer.macs;
        }
        row.commands = program_.command_count;
        row.checks = 1;  // it ends
        row.cpu_s = run.cpu_s;
        row.has_cycles = is_rtl;
        row.cycles = run.play.cycles();
        row.total_cycles = run.total_cycles;
        row.read_bytes = is_rtl ? run.counts.read_bytes : run.primary.device_reads();
        row.write_bytes = is_rtl ? run.counts.write_bytes : run.primary.device_writes();
        row.read_stalls = run.counts.ar_stalls;
        row.write_stalls = run.counts.aw_stalls;
        if (!is_rtl) return;
        const auto behind_start = [&](std::uint64_t cycle) {
            return cycle > run.play.first_command ? cycle - run.play.first_command : 0;
        };
        row.layer_times.emplace();
        for (const LayerBegin& begin : run.play.layers)
            row.layer_times->begins.push_back(behind_start(begin.cycle));
        for (const std::uint64_t end : run.play.waits)
            row.layer_times->ends.push_back(behind_start(end));
        for (const PortSample& sample : run.play.samples) {
            const verif::AxiCounts& counts = sample.counts;
            row.layer_times->samples.push_back({behind_start(sample.cycle), counts.read_bytes,
                                                counts.write_bytes, counts.ar_stalls,
                                                counts.aw_stalls});
        }
    }

    void write_outputs() const {
        if (options_.output.empty()) return;
        for (const std::vector<Bytes>& one : outputs_)
            if (one.empty()) return;  // what failed has said so
        std::ofstream out(options_.output, std::ios::binary);
        for (const std::vector<Bytes>& one : outputs_) {
            for (const Bytes& tensor : one)
                out.write(reinterpret_cast<const char*>(tensor.data()),
                          static_cast<std::streamsize>(tensor.size()));
        }
        out.flush();
        if (!out) throw std::runtime_error(options_.output + ": cannot be written");
    }

    const Options& options_;
    const Simulator simulator_;
    Bytes file_;
    macrame_program program_{};
    std::vector<std::vector<Bytes>> inputs_, outputs_;  // per run, per tensor
};

}  // namespace

std::vector<verif::run::ProgramRun> run_inputs(const Options& options, const Simulator& simulator,
                                               std::vector<std::string>& errors) {
    const auto network = std::make_shared<Network>(options, simulator);
    std::vector<verif::run::ProgramRun> out;
    if (!network->open(errors)) return out;
    for (std::size_t i = 0; i < network->count(); ++i) {
        out.push_back(
            {network->name(i), [network, i](const Turn& turn) { return network->run(i, turn); }});
    }
    return out;
}

}  // namespace macrame::program
