#include "network/runner.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "families/family.hpp"

namespace macrame::network {

Runner::Runner(const Design& design, const Network& network) : network_(network) {
    for (const compiler::Part& part : network.parts)
        if (part.hardware)
            programs_.push_back(design.family.target->load(design, part.cut.graph, part.compiled));
}

std::optional<std::vector<Bytes>> Runner::run(const std::vector<Bytes>& inputs,
                                              layers::Values* values, const Tap& tap) {
    compiler::NetworkRun network(network_.graph, network_.parts, inputs);
    auto program = programs_.begin();
    while (const compiler::Part* part = network.next()) {
        if (tap) tap(*part, network.program_inputs());
        const auto outputs = run(network, **program++);
        if (!outputs) return std::nullopt;
        network.finish(*outputs);
    }
    if (values != nullptr) *values = network.values();
    return network.outputs();
}

bool Runner::run_programs(const std::vector<Bytes>& inputs, const Tap& tap) {
    compiler::NetworkRun network(network_.graph, network_.parts, inputs);
    for (const auto& program : programs_) {
        const compiler::Part* part = network.next();
        tap(*part, network.program_inputs());
        if (program == programs_.back()) break;
        const auto outputs = run(network, *program);
        if (!outputs) return false;
        network.finish(*outputs);
    }
    return true;
}

std::optional<std::vector<Bytes>> Runner::run(compiler::NetworkRun& run, ModelRun& program) {
    const ModelRun::Host host = [&](std::uint32_t number, std::uint8_t* memory) {
        return run.host().run(number, memory);
    };
    std::vector<std::string> errors;
    std::vector<Bytes> outputs = program.run(run.program_inputs(), host, errors);
    for (std::string& error : errors)
        error = fmt::format("{}: {}", network_.name, error);
    if (report_all(errors)) return std::nullopt;
    return outputs;
}

std::vector<std::uint64_t> Runner::saturated() const {
    std::vector<std::uint64_t> out;
    std::size_t layers = 0;
    bool counted = false;
    auto program = programs_.begin();
    for (const compiler::Part& part : network_.parts) {
        if (!part.hardware) continue;
        const std::vector<std::uint64_t> own = (*program++)->saturated();
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
