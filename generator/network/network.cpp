#include "network/network.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli.hpp"
#include "compiler/front/front.hpp"
#include "compiler/graph/canonical.hpp"
#include "emit/file_io.hpp"

namespace macrame::network {

namespace fs = std::filesystem;

bool report_all(const std::vector<std::string>& errors) {
    Diags diags;
    for (const std::string& text : errors)
        diags.push_back({text});
    return report(diags);
}

/// What the command says of it.
static std::optional<int> latency_of(const Request& request) {
    if (request.latency) return request.latency;
    if (request.machine && request.machine->subject != verif::run::Subject::model)
        return request.machine->latency;
    return std::nullopt;
}

std::optional<Network> load(const Request& request, const Design& design) {
    if (design.family.networks == nullptr) {
        report({{fmt::format("the family {} has no compiler yet: want another one",
                             design.family.name)}});
        return std::nullopt;
    }
    front::ReadResult read = front::read(request.network);
    if (report_all(read.errors)) return std::nullopt;
    Network network;
    network.name = fs::path(request.network).stem().string();
    network.title = network.name;
    const std::string folder = fs::path(request.network).parent_path().filename().string();
    if (network.name == "model" && !folder.empty()) network.title = folder;
    network.graph = std::move(read.graph);
    network.real_inputs = std::move(read.real_inputs);
    graph::canonicalise(network.graph);
    network.options.host_fallback = request.host_fallback;
    network.options.exact = request.exact;
    network.options.for_original = request.for_original;
    network.options.strategy = request.strategy;
    network.options.keep_tensors = !request.layers.empty() || request.compare_layers.has_value();
    if (design.family.networks->takes_latency) network.options.memory_latency = latency_of(request);
    network.compiled = design.family.networks->compile(design, network.graph, network.options);
    if (report_all(network.compiled.errors)) return std::nullopt;
    // Programs do not say in which folder they were made.
    network.compiled.program.network = fs::path(request.network).filename().string();
    if (request.for_original && !network.compiled.commands_for_original.empty())
        network.compiled.program.commands = network.compiled.commands_for_original;
    return network;
}

bool write(const fs::path& path, std::string_view bytes) {
    std::error_code code;
    fs::remove(path, code);
    const std::string error = emit::write_file(path, bytes);
    return error.empty() || !report({{fmt::format("{}: {}", path.string(), error)}});
}

std::string_view view(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace macrame::network
