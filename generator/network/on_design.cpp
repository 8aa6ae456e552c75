#include "network/on_design.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli.hpp"
#include "core/process.hpp"
#include "emit/file_io.hpp"
#include "families/family.hpp"
#include "families/target.hpp"
#include "network/scratch.hpp"
#include "simulate.hpp"

namespace macrame::network {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What the arguments make different from the defaults.
std::vector<std::string> changes(const Family& family, verif::run::Options& options) {
    const auto fresh = family.simulator.make_options();
    fresh->subject = options.subject;
    return verif::run::to_arguments(family.simulator.option_rows(options),
                                    family.simulator.option_rows(*fresh));
}

/// Says which layer writes the byte in which design and golden model differ.
void report_difference(const std::string& name, const compiler::Compiled& made, std::size_t input,
                       std::uint64_t offset) {
    std::string where = "no layer writes there";
    for (const compiler::LayerReport& layer : made.layers)
        if (layer.output.holds(offset)) where = fmt::format("layer {}", layer.name);
    report_all(
        {fmt::format("{}, input {}: design and golden model differ first at byte {:#x} of "
                     "the program's memory: {}",
                     name, input, offset, where)});
}

std::vector<Measured::Sample> samples(const json& numbers) {
    std::vector<Measured::Sample> out;
    for (std::size_t i = 0; i + 4 < numbers.size(); i += 5)
        out.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3], numbers[i + 4]});
    return out;
}

/// What the testbench tells of the runs; false if one of them failed, which it has said.
bool read_report(const std::string& text, const Design& design, const std::string& name,
                 const compiler::Compiled& made, std::vector<DesignRun>& runs) {
    const json report = json::parse(text, nullptr, false);
    bool good = report.is_object() && report["programs"].size() == runs.size();
    for (std::size_t i = 0; good && i < runs.size(); ++i) {
        const json& row = report["programs"][i];
        if (row.contains("first_difference"))
            report_difference(name, made, i, row["first_difference"]);
        good = row["verdict"] == "passed";
        if (!good) break;
        Measured& measured = runs[i].measured;
        measured.machine = "design";
        measured.cycles = row["cycles"];
        if (row.contains("layer_begins")) {
            measured.begins = row["layer_begins"].get<std::vector<std::uint64_t>>();
            measured.ends = row["layer_ends"].get<std::vector<std::uint64_t>>();
            measured.samples = samples(row["port_samples"]);
        }
        if (row.contains("moved")) {
            // A layer begins when the one before it ends.
            measured.ends = design.family.target->layer_ends(
                design, made, row["moved"].get<std::vector<std::uint64_t>>());
            measured.begins = {0};
            measured.begins.insert(measured.begins.end(), measured.ends.begin(),
                                   measured.ends.end());
            measured.begins.pop_back();
        }
        measured.ports = {{"memory port", row["read_bytes"], row["write_bytes"], row["read_stalls"],
                           row["write_stalls"]}};
    }
    return good;
}

/// Tensors of all runs from what the testbench wrote.
bool read_outputs(const std::string& bytes, const compiler::Part& part, const Target& target,
                  std::vector<DesignRun>& runs) {
    const auto size = static_cast<std::ptrdiff_t>(target.output_bytes(part.compiled));
    auto at = bytes.begin();
    for (DesignRun& run : runs) {
        if (bytes.end() - at < size) return false;
        run.outputs = target.decode_outputs(part.cut.graph, part.compiled, {at, at + size});
        at += size;
    }
    return at == bytes.end();
}

/// Writes the program and its inputs, and names them in the options; false after an error, which is
/// printed.
bool write_program(const fs::path& folder, const compiler::Part& part, const Target& target,
                   const std::vector<std::vector<Bytes>>& inputs, verif::run::Options& options) {
    options.program = (folder / ("network" + std::string(target.program_ending()))).string();
    options.input = (folder / "inputs.bin").string();
    std::string packed;
    for (const std::vector<Bytes>& input : inputs)
        packed += view(target.encode_inputs(part.cut.graph, part.compiled, input));
    if (!write(options.input, packed)) return false;
    for (const auto& [name, text] : target.files(part.compiled, "network"))
        if (!write(folder / name, text)) return false;
    return true;
}

}  // namespace

std::string idle_options(const Family& family, verif::run::Options& options) {
    const std::vector<std::string> given = changes(family, options);
    return given.empty() ? "" : fmt::format("{}: want --rtl or --both, too", given.front());
}

std::optional<std::vector<DesignRun>> run_on_design(const Design& design,
                                                    const emit::OutputSet& files,
                                                    verif::run::Options& options,
                                                    const std::string& name,
                                                    const compiler::Part& part,
                                                    const std::vector<std::vector<Bytes>>& inputs) {
    const Family& family = design.family;
    if (family.simulator.objection != nullptr) {
        const std::string text = family.simulator.objection(design, options);
        if (!text.empty() && report_all({text})) return std::nullopt;
    }
    const std::optional<Testbench> testbench = testbench_of(design, files, options);
    if (!testbench) return std::nullopt;
    const Interrupts interrupts;
    const Scratch scratch;
    if (!scratch.problem().empty()) {
        report_all({scratch.problem()});
        return std::nullopt;
    }
    options.output = (scratch.path() / "outputs").string();
    options.json = (scratch.path() / "report.json").string();
    options.quiet = true;
    const Target& target = *family.target;
    if (!write_program(scratch.path(), part, target, inputs, options)) return std::nullopt;
    std::vector<std::string> command = testbench_arguments(family, options);
    command.insert(command.begin(), testbench->path.string());
    const Ended ended = run_open(testbench->program, command);
    if (!ended.error.empty()) {
        report_all({fmt::format("{}: cannot run: {}", testbench->path.string(), ended.error)});
        return std::nullopt;
    }
    std::vector<DesignRun> runs(inputs.size());
    const bool good =
        read_report(emit::read_file(options.json).bytes, design, name, part.compiled, runs) &&
        ended.status == 0 &&
        read_outputs(emit::read_file(options.output).bytes, part, target, runs);
    if (!good) {
        report_all({fmt::format("{} on {}: the run on the design failed", name, design.name)});
        return std::nullopt;
    }
    return runs;
}

std::optional<NetworkRuns> run_parts_on_design(const Design& design, const emit::OutputSet& files,
                                               verif::run::Options& options,
                                               const Network& network,
                                               const std::vector<std::vector<Bytes>>& inputs) {
    NetworkRuns out;
    for (const std::vector<Bytes>& input : inputs)
        out.runs.emplace_back(network.graph, network.parts, input);
    while (true) {
        // All runs come to the same program.
        const compiler::Part* part = nullptr;
        std::vector<std::vector<Bytes>> programs;
        for (compiler::NetworkRun& run : out.runs) {
            part = run.next();
            programs.push_back(run.program_inputs());
        }
        if (part == nullptr) return out;
        if (!out.measured) out.measured.emplace();
        if (programs.front().empty()) {  // all of it is the host's
            for (compiler::NetworkRun& run : out.runs)
                run.finish({});
            continue;
        }
        const auto done = run_on_design(design, files, options, network.name, *part, programs);
        if (!done) return std::nullopt;
        out.measured->append(done->front().measured);
        for (std::size_t i = 0; i < out.runs.size(); ++i)
            out.runs[i].finish((*done)[i].outputs);
    }
}

}  // namespace macrame::network
