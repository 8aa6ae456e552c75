#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "cli.hpp"
#include "compiler/host.hpp"
#include "compiler/program/program.hpp"
#include "families/family.hpp"
#include "network/commands.hpp"
#include "network/inputs.hpp"
#include "network/network.hpp"
#include "network/report/report.hpp"
#include "network/runner.hpp"

namespace macrame::network {

namespace fs = std::filesystem;

int run_compile(const Request& request, const Design& design, const emit::Assets&) {
    const std::optional<Network> network = load(request, design);
    if (!network) return kUserError;
    const fs::path out(request.out);
    std::error_code code;
    fs::create_directories(out, code);
    if (code) {
        report({{fmt::format("{}: {}: want a folder", request.out, code.message())}});
        return kUserError;
    }
    // A trace has an input: zero points, and what the golden model makes of them.
    std::vector<Bytes> zeros;
    for (const graph::TensorId id : network->graph.inputs) {
        const graph::Tensor& tensor = network->graph.tensor(id);
        const std::vector<std::int32_t>& zero = tensor.quantisation.zero_point;
        zeros.emplace_back(tensor.bytes(), static_cast<std::uint8_t>(zero.empty() ? 0 : zero[0]));
    }
    if (!request.input.empty()) {
        const auto inputs = read_inputs(request, *network);
        if (!inputs) return kUserError;
        zeros = inputs->front().tensors;
    }
    program::Program program = network->compiled.program;
    program::Program original = program;
    original.commands = network->compiled.commands_for_original;
    if (request.for_original) program.commands = original.commands;
    std::map<std::string, std::string> files;
    if (network->compiled.host.empty()) {
        Runner runner(design, *network);
        if (!runner.run(zeros)) return kFailed;
        compiler::HostSide host(network->graph, network->compiled);
        files = design.family.networks->traces(original, network->name, host.inputs(zeros),
                                               runner.memory(), Runner::kBlock);
    } else {
        fmt::print("no trace: the host runs {} operators between those of the hardware\n",
                   network->compiled.host.size());
    }
    files[network->name + ".program"] = std::string(view(program::write(program)));
    files[network->name + ".txt"] = program::listing(program);
    if (!request.report.empty()) {
        ReportInput page{*network, design};
        page.advice = advice(*network, design);
        if (!write(request.report, html(page))) return kUserError;
    }
    if (const auto& warnings = network->compiled.original_warnings; !warnings.empty())
        fmt::print("the original hardware may not run {} layers: {}\n", warnings.size(),
                   warnings.front());
    for (const auto& [name, text] : files)
        if (!write(out / name, text)) return kUserError;
    fmt::print("{}: {} files, {} layers, {} KiB of memory\n", request.out, files.size(),
               network->compiled.layers.size(), program.memory_bytes / 1024);
    return kPassed;
}

}  // namespace macrame::network
