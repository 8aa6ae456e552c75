#include "network/runner.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "compiler/host.hpp"
#include "runtime/play/play.hpp"
#include "compiler/program/program.hpp"
#include "families/family.hpp"

namespace macrame::network {

Runner::Runner(const Design& design, const Network& network) : design_(design), network_(network) {
    if (design.family.networks->run_model != nullptr) return;
    file_ = program::write(network.compiled.program);
    device_ = design.family.networks->make_model(design, memory_);
}

std::optional<std::vector<Bytes>> Runner::run(const std::vector<Bytes>& inputs,
                                              layers::Values* values) {
    compiler::HostSide host(network_.graph, network_.compiled);
    const auto finished = [&](const std::vector<Bytes>& program) {
        std::vector<Bytes> outputs = host.outputs(program);
        if (values != nullptr) *values = host.values();
        return outputs;
    };
    if (device_ == nullptr) {
        std::string error;
        const std::vector<Bytes> outputs = design_.family.networks->run_model(
            design_, network_.graph, network_.compiled, host.inputs(inputs), saturated_, error);
        if (!error.empty() && report_all({fmt::format("{}: {}", network_.name, error)}))
            return std::nullopt;
        return finished(outputs);
    }
    program::PlayOptions options;
    options.block = kBlock;
    if (!network_.compiled.host.empty()) {
        options.host = [&](std::uint32_t number, std::uint8_t* memory) {
            return host.run(number, memory);
        };
    }
    const program::PlayResult played =
        program::play(file_, host.inputs(inputs), *device_, memory_, options);
    if (!played.passed()) {
        report_all({fmt::format("{}: {}", network_.name, played.error)});
        report_all(played.violations);
        return std::nullopt;
    }
    return finished(played.outputs);
}

std::vector<std::string> Runner::saturations() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < saturated_.size() && i < network_.compiled.layers.size(); ++i) {
        if (saturated_[i] == 0) continue;
        out.push_back(fmt::format("layer {}: {} values saturated: the number format is too narrow",
                                  network_.compiled.layers[i].name, saturated_[i]));
    }
    return out;
}

}  // namespace macrame::network
