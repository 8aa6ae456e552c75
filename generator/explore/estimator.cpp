#include "explore/estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "compiler/bandwidth.hpp"
#include "compiler/declared.hpp"
#include "compiler/front/front.hpp"
#include "compiler/graph/canonical.hpp"
#include "compiler/graph/make_signed.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/host_time.hpp"
#include "emit/file_io.hpp"
#include "emit/sha256.hpp"
#include "families/family.hpp"
#include "network/operators.hpp"

namespace macrame::explore {

namespace {

/// As `estimate` calls it.
std::string name_of_network(const std::filesystem::path& file) {
    const std::string folder = file.parent_path().filename().string();
    return file.stem() == "model" && !folder.empty() ? folder : file.stem().string();
}

const graph::Node& node_at(const graph::Graph& graph, int node) {
    return graph.nodes[static_cast<std::size_t>(node)];
}

void add_refused(NetworkCost& cost, const graph::Graph& graph, const compiler::Compiled& made) {
    for (const compiler::Refusal& one : made.refused) {
        const graph::Node& node = node_at(graph, one.node);
        if (graph::multiply_adds(graph, node) == 0) continue;
        cost.refused.push_back(
            {one.node, network::title(graph, node), one.reason, one.buffer_bytes});
    }
}

}  // namespace

std::size_t NetworkFile::input_bytes() const {
    std::size_t sum = 0;
    for (const graph::TensorId id : graph.inputs)
        sum += graph.tensor(id).bytes();
    return sum;
}

std::vector<NetworkFile> read_networks(const std::vector<std::string>& files, const Target& target,
                                       std::vector<std::string>& errors,
                                       const front::Shapes& shapes, const front::Fixed& fixed) {
    std::string settled;
    for (const auto& [name, shape] : shapes)
        settled += fmt::format("--shape {}={}\n", name, fmt::join(shape, ","));
    for (const auto& [name, values] : fixed)
        settled += fmt::format("--fix {}={}\n", name, fmt::join(values, ","));
    std::vector<NetworkFile> out;
    for (const std::string& file : files) {
        const emit::FileText text = emit::read_file(file, std::size_t{4} << 30);
        front::ReadResult read = front::read(file, shapes, fixed);
        errors.insert(errors.end(), read.errors.begin(), read.errors.end());
        if (!read.errors.empty()) continue;
        graph::canonicalise(read.graph);
        if (!target.takes_uint8()) graph::make_signed(read.graph);
        out.push_back({file, name_of_network(file), emit::sha256(text.bytes + settled),
                       std::move(read.graph)});
    }
    return out;
}

Estimator::Estimator(const std::vector<NetworkFile>& networks, double memory_bytes_per_cycle)
    : networks_(networks), memory_bytes_per_cycle_(memory_bytes_per_cycle) {}

NetworkCost Estimator::estimate(const Design& design, std::size_t network) {
    const Prepared made = prepare(design, network);
    return cost_of(made, compile(design, made.graph, true).report);
}

NetworkCost Estimator::model(const Design& design, std::size_t network) {
    const Target& target = *design.family.target;
    if (!target.has_cycle_model()) return estimate(design, network);
    const Prepared prepared = prepare(design, network);
    compiler::InParts made = compile(design, prepared.graph, false);
    std::size_t at = 0;  // layers of all parts, one after the other
    for (const compiler::Part& part : made.parts) {
        if (!part.hardware) continue;
        std::string error;
        const std::vector<std::uint64_t> ends =
            target.model_ends(part.compiled, {{}, memory_bytes_per_cycle_}, error);
        if (!error.empty()) {
            NetworkCost broken;
            broken.errors = {"cycle model: " + error};
            return broken;
        }
        std::uint64_t before = 0;
        const std::size_t layers = part.compiled.layers.size();
        for (std::size_t i = 0; i < layers; ++i) {
            // Layers overlap; the last one takes what is left of the program.
            const std::uint64_t end = i + 1 == layers ? ends.back() : std::max(before, ends[i]);
            made.report.layers[at++].cycles = end - before;
            before = end;
        }
    }
    return cost_of(prepared, std::move(made.report));
}

Estimator::Prepared Estimator::prepare(const Design& design, std::size_t network) {
    Prepared out{networks_[network].graph, false};
    compiler::Options options;
    options.memo = &memo_;
    out.near = design.family.target->split_sums(out.graph, design, options);
    return out;
}

compiler::InParts Estimator::compile(const Design& design, const graph::Graph& graph,
                                     bool reports_alone) {
    compiler::Options options;
    options.host_commands = true;
    options.reports_alone = reports_alone;
    options.memo = &memo_;
    return compiler::compile_in_parts(graph, [&](const graph::Graph& part) {
        return design.family.target->compile(design, part, options);
    });
}

NetworkCost Estimator::cost_of(const Prepared& made, compiler::Compiled report) const {
    const graph::Graph& graph = made.graph;
    if (made.near) compiler::leave_open(graph, report);
    NetworkCost cost;
    cost.errors = report.errors;
    if (!report.ok()) return cost;
    compiler::limit_bandwidth(report.layers, memory_bytes_per_cycle_);
    cost.cycles = report.cycles();
    cost.memory_bytes = report.program.memory_bytes;
    cost.macs_per_cycle = report.macs_per_cycle;
    cost.layers = report.layers;
    for (const compiler::LayerReport& layer : report.layers) {
        cost.read_bytes += layer.read_bytes;
        cost.write_bytes += layer.write_bytes;
        cost.multiply_adds += layer.macs;
    }
    for (const compiler::BufferReport& buffer : report.buffers)
        if (buffer.constant) cost.constant_bytes += buffer.bytes;
    for (const compiler::Exactness& exact : report.exactness) {
        cost.channels += exact.channels;
        cost.proved += exact.proved;
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (report.on_host(static_cast<int>(i)))
            cost.host_cycles += compiler::host_cycles(graph, graph.nodes[i]);
    add_refused(cost, graph, report);
    return cost;
}

}  // namespace macrame::explore
