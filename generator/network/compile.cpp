#include <fmt/format.h>

#include <algorithm>
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
#include "network/exactness.hpp"
#include "network/inputs.hpp"
#include "network/network.hpp"
#include "network/report/report.hpp"
#include "network/runner.hpp"

namespace macrame::network {

namespace fs = std::filesystem;

namespace {

bool write_report(const Request& request, const Network& network, const Design& design) {
    if (request.report.empty()) return true;
    ReportInput page{network, design};
    page.advice = advice(network, design);
    return write(request.report, html(page));
}

/// The inputs that were given, as the family's simulator takes them.
bool add_inputs(const Request& request, const Design& design, const Network& network,
                std::map<std::string, std::string>& files) {
    if (request.input.empty()) return true;
    const auto inputs = read_inputs(request, network);
    if (!inputs) return false;
    compiler::HostSide host(network.graph, network.compiled);
    std::string& bytes = files[network.name + ".inputs.bin"];
    for (const Input& input : *inputs)
        bytes += view(design.family.networks->encode_inputs(network.graph, network.compiled,
                                                            host.inputs(input.tensors)));
    return true;
}

bool write_files(const fs::path& folder, const std::map<std::string, std::string>& files) {
    return std::all_of(files.begin(), files.end(),
                       [&](const auto& file) { return write(folder / file.first, file.second); });
}

}  // namespace

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
    if (design.family.networks->files != nullptr) {
        auto files = design.family.networks->files(network->compiled, network->name);
        if (!add_inputs(request, design, *network, files)) return kUserError;
        if (!write_report(request, *network, design) || !write_files(out, files)) return kUserError;
        for (const std::string& warning : network->compiled.original_warnings)
            fmt::print("{}\n", warning);
        fmt::print("{}: {} files, {} layers\n{}\n", request.out, files.size(),
                   network->compiled.layers.size(), exactness_text(*network));
        return kPassed;
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
    if (!write_report(request, *network, design)) return kUserError;
    if (const auto& warnings = network->compiled.original_warnings; !warnings.empty())
        fmt::print("the original hardware may not run {} layers: {}\n", warnings.size(),
                   warnings.front());
    if (!write_files(out, files)) return kUserError;
    fmt::print("{}: {} files, {} layers, {} KiB of memory\n{}\n", request.out, files.size(),
               network->compiled.layers.size(), program.memory_bytes / 1024,
               exactness_text(*network));
    return kPassed;
}

}  // namespace macrame::network
