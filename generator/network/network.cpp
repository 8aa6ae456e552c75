#include "network/network.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli.hpp"
#include "compiler/bandwidth.hpp"
#include "compiler/declared.hpp"
#include "compiler/front/front.hpp"
#include "compiler/front/states.hpp"
#include "compiler/graph/canonical.hpp"
#include "compiler/graph/make_signed.hpp"
#include "compiler/graph/text.hpp"
#include "emit/file_io.hpp"
#include "families/target.hpp"
#include "network/passes.hpp"

namespace macrame::network {

namespace fs = std::filesystem;

bool report_all(const std::vector<std::string>& errors) {
    Diags diags;
    for (const std::string& text : errors)
        diags.push_back({text});
    return macrame::report(diags);
}

namespace {

/// There programs are on their own.
bool runs_on_design(const Request& request) {
    return request.machine && request.machine->subject != verif::run::Subject::model;
}

/// What the command says of it.
std::optional<int> latency_of(const Request& request) {
    if (request.latency) return request.latency;
    if (runs_on_design(request)) return request.machine->latency;
    return std::nullopt;
}

}  // namespace

std::optional<Network> load(const Request& request, const Design& design) {
    if (request.networks.size() > 1) {
        report_all({fmt::format("{}: {} networks: want one; compile and estimate take several",
                                request.command, request.networks.size())});
        return std::nullopt;
    }
    return load_one(request, design);
}

std::optional<Network> load_one(const Request& request, const Design& design) {
    if (design.family.target == nullptr) {
        report_all({fmt::format("the family {} has no compiler yet: want another one",
                                design.family.name)});
        return std::nullopt;
    }
    front::ReadResult read = front::read(request.network, request.shapes, request.fixed);
    if (report_all(read.errors)) return std::nullopt;
    for (const auto& [output, input] : request.states) {
        const std::string problem = front::keep_state(read, output, input);
        if (report_all(problem.empty() ? std::vector<std::string>()
                                       : std::vector{request.network + ": " + problem}))
            return std::nullopt;
    }
    Network network;
    network.name = fs::path(request.network).stem().string();
    network.title = network.name;
    const std::string folder = fs::path(request.network).parent_path().filename().string();
    if (network.name == "model" && !folder.empty()) network.title = folder;
    network.graph = std::move(read.graph);
    network.real_inputs = std::move(read.real_inputs);
    network.real_outputs = std::move(read.real_outputs);
    const auto show = [&](std::string_view pass, const auto& text) {
        if (compiler::wants(request.dump, pass))
            network.dumps.push_back({std::string(pass), text()});
    };
    show(kRead, [&] { return graph::text_of(network.graph); });
    graph::canonicalise(network.graph);
    if (!design.family.target->takes_uint8()) graph::make_signed(network.graph);
    show(kCanonical, [&] { return graph::text_of(network.graph); });
    network.options.memo = network.memo.get();
    network.options.no_host = request.no_host;
    network.options.host_commands = !request.no_host && !runs_on_design(request);
    if (request.networks.size() > 1) network.options.own_begin = 0;  // until it has its place
    network.options.exact = request.exact;
    network.options.for_original = request.for_original;
    network.options.strategy = request.strategy;
    network.options.keep_tensors = !request.layers.empty() || request.compare_layers.has_value();
    if (design.family.target->takes_latency()) network.options.memory_latency = latency_of(request);
    network.memory_bytes_per_cycle = request.memory_bytes_per_cycle;
    network.options.dump = request.dump;
    graph::Graph whole = network.graph;
    if (design.family.target->split_sums(network.graph, design, network.options)) {
        network.reference = std::move(whole);
        fmt::print(
            "products of float32 as digits of 8 bits: near the reference; "
            "with --exact they are the host's\n");
    }
    compile(network, design, network.graph);
    if (network.reference) compiler::leave_open(network.graph, network.compiled);
    show(kPartition, [&] { return partition_text(network); });
    if (!write_dumps(request, network, design.family)) return std::nullopt;
    if (report_all(network.compiled.errors)) {
        if (request.no_host && !network.compiled.refused.empty())
            report_all({"without --no-host the host runs what the hardware cannot"});
        return std::nullopt;
    }
    if (request.exact && !network.compiled.exact_otherwise)
        fmt::print("--exact has no effect on {}, which declares nothing of how exact it is\n",
                   design.name);
    for (compiler::Part& part : network.parts)
        complete(request, part.compiled);
    return network;
}

void complete(const Request& request, compiler::Compiled& made) {
    // Programs do not say in which folder they were made.
    made.program.network = fs::path(request.network).filename().string();
    if (request.for_original && !made.commands_for_original.empty())
        made.program.commands = made.commands_for_original;
}

void compile(Network& network, const Design& design, const graph::Graph& graph) {
    compiler::InParts made = compiler::compile_in_parts(
        graph,
        [&](const graph::Graph& part) {
            return design.family.target->compile(design, part, network.options);
        },
        network.options.no_host);
    network.parts = std::move(made.parts);
    network.compiled = std::move(made.report);
    compiler::limit_bandwidth(network.compiled.layers, network.memory_bytes_per_cycle);
}

bool write(const fs::path& path, std::string_view bytes) {
    std::error_code code;
    fs::remove(path, code);
    const std::string error = emit::write_file(path, bytes);
    return error.empty() || !report_all({fmt::format("{}: {}", path.string(), error)});
}

std::string_view view(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace macrame::network
