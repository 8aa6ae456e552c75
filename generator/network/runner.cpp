#include "network/runner.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "compiler/program/program.hpp"
#include "families/family.hpp"
#include "runtime/play/play.hpp"

namespace macrame::network {

Runner::Runner(const Design& design, const Network& network) : design_(design), network_(network) {
    for (const compiler::Part& part : network.parts) {
        if (!part.hardware) continue;
        Machine& machine = machines_.emplace_back();
        if (design.family.networks->run_model != nullptr) continue;
        machine.file = program::write(part.compiled.program);
        machine.device = design.family.networks->make_model(design, machine.memory);
    }
}

std::optional<std::vector<Bytes>> Runner::run(const std::vector<Bytes>& inputs,
                                              layers::Values* values, const Tap& tap) {
    compiler::NetworkRun network(network_.graph, network_.parts, inputs);
    auto machine = machines_.begin();
    while (const compiler::Part* part = network.next()) {
        if (tap) tap(*part, network.program_inputs());
        const auto outputs = run(*part, network, *machine++);
        if (!outputs) return std::nullopt;
        network.finish(*outputs);
    }
    if (values != nullptr) *values = network.values();
    return network.outputs();
}

bool Runner::run_programs(const std::vector<Bytes>& inputs, const Tap& tap) {
    compiler::NetworkRun network(network_.graph, network_.parts, inputs);
    for (Machine& machine : machines_) {
        const compiler::Part* part = network.next();
        tap(*part, network.program_inputs());
        if (&machine == &machines_.back()) break;
        const auto outputs = run(*part, network, machine);
        if (!outputs) return false;
        network.finish(*outputs);
    }
    return true;
}

std::optional<std::vector<Bytes>> Runner::run(const compiler::Part& part, compiler::NetworkRun& run,
                                              Machine& machine) {
    if (machine.device == nullptr) {
        std::string error;
        std::vector<Bytes> outputs = design_.family.networks->run_model(
            design_, part.cut.graph, part.compiled, run.program_inputs(), machine.saturated, error);
        if (!error.empty() && report_all({fmt::format("{}: {}", network_.name, error)}))
            return std::nullopt;
        return outputs;
    }
    program::PlayOptions options;
    options.block = kBlock;
    if (!part.compiled.host.empty()) {
        options.host = [&](std::uint32_t number, std::uint8_t* memory) {
            return run.host().run(number, memory);
        };
    }
    program::PlayResult played =
        program::play(machine.file, run.program_inputs(), *machine.device, machine.memory, options);
    if (!played.passed()) {
        report_all({fmt::format("{}: {}", network_.name, played.error)});
        report_all(played.violations);
        return std::nullopt;
    }
    return std::move(played.outputs);
}

std::vector<std::uint64_t> Runner::saturated() const {
    std::vector<std::uint64_t> out;
    std::size_t layers = 0;
    bool counted = false;
    auto machine = machines_.begin();
    for (const compiler::Part& part : network_.parts) {
        if (!part.hardware) continue;
        const std::vector<std::uint64_t>& own = machine++->saturated;
        counted = counted || !own.empty();
        out.insert(out.end(), own.begin(), own.end());
        layers += part.compiled.layers.size();
        out.resize(layers);
    }
    return counted ? out : std::vector<std::uint64_t>();
}

std::vector<std::string> Runner::saturations() const {
    std::vector<std::string> out;
    const std::vector<std::uint64_t> counts = saturated();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        out.push_back(fmt::format("layer {}: {} values saturated: the number format is too narrow",
                                  network_.compiled.layers[i].name, counts[i]));
    }
    return out;
}

}  // namespace macrame::network
