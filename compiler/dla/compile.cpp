#include "compiler/dla/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/choose_exact.hpp"
#include "compiler/dla/compression.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/dependencies.hpp"
#include "compiler/dla/finish.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/dla/overlap.hpp"
#include "compiler/dla/schedule.hpp"
#include "dla_regs.hpp"
#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/model/register_pages.hpp"

namespace macrame::dla::compiler {

namespace {

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

/// Layout of an input or output in memory.
program::Tensor tensor_of(const graph::Tensor& tensor, const Lowering::Location& location,
                          const std::vector<Buffer>& buffers, int atom) {
    program::Tensor out;
    out.name = tensor.name;
    // What was flattened has the same order as the cube that it was.
    const Cube& cube = location.cube;
    const Pixels& pixels = location.pixels;
    const Shape shape = shape_of(tensor);
    out.height = number(location.form ? shape.height : cube.height);
    out.width = number(location.form ? shape.width : cube.width);
    out.channels = number(location.form ? shape.channels : cube.channels);
    if (!tensor.quantisation.scale.empty()) out.scale = tensor.quantisation.scale[0];
    if (!tensor.quantisation.zero_point.empty()) out.zero_point = tensor.quantisation.zero_point[0];
    const Place& place = location.form ? pixels.place : cube.place;
    out.offset = buffers[static_cast<std::size_t>(place.buffer)].offset + place.offset;
    if (location.form) {
        out.group = number(location.form->components * location.form->columns);
        out.pixel_stride = out.group;
        out.line_stride = pixels.line_stride;
        out.surface_stride = out.line_stride * out.height;
    } else {
        out.group = number(atom);
        out.pixel_stride = out.group;
        out.line_stride = cube.line_stride;
        out.surface_stride = cube.surface_stride;
    }
    return out;
}

/// What the layer checker says of the register writes.
std::vector<model::Finding> check(const model::DeviceSizes& sizes,
                                  const std::vector<program::Command>& commands) {
    model::LayerFollower follower(sizes);
    std::vector<model::Finding> findings;
    const auto add = [&](std::vector<model::Finding> more) {
        for (model::Finding& finding : more)
            findings.push_back(std::move(finding));
    };
    for (const program::Command& command : commands) {
        using program::Code;
        const std::uint64_t offset = std::uint64_t{command.aux} << 32 | command.value;
        if (command.code == Code::write) add(follower.write(command.address, command.value));
        if (command.code == Code::write_low)
            add(follower.write(command.address, static_cast<std::uint32_t>(offset)));
        if (command.code == Code::write_high)
            add(follower.write(command.address, static_cast<std::uint32_t>(offset >> 32)));
    }
    add(follower.finish());
    return findings;
}

/// The addresses of the first design in place of those that all of the compiler uses.
void to_v1_map(program::Program& program) {
    const auto move = [](std::uint32_t& address) {
        address = model::register_address(address, "", model::register_variant(true));
    };
    move(program.interrupt_status);
    for (program::Command& command : program.commands) {
        using program::Code;
        if (command.code == Code::write || command.code == Code::write_low ||
            command.code == Code::write_high || command.code == Code::poll)
            move(command.address);
    }
}

/// What a layer writes; nothing for those of the host.
const Cube* output_of(const Layer& layer) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) return &conv->post.output;
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) return &sdp->post.output;
    if (const PdpLayer* pdp = std::get_if<PdpLayer>(&layer.work)) return &pdp->output;
    if (const CdpLayer* cdp = std::get_if<CdpLayer>(&layer.work)) return &cdp->output;
    if (const RubikLayer* rubik = std::get_if<RubikLayer>(&layer.work)) return &rubik->output;
    return nullptr;
}

macrame::compiler::MemoryArea area(const Cube& cube, int atom_bytes) {
    macrame::compiler::MemoryArea out;
    out.offset = cube.place.offset;
    out.surfaces = number((cube.channels + atom_bytes - 1) / atom_bytes);
    out.surface_stride = cube.surface_stride;
    out.lines = number(cube.height);
    out.line_stride = cube.line_stride;
    out.line_bytes = number(cube.width * atom_bytes);
    return out;
}

macrame::compiler::LayerReport report(const model::DeviceSizes& sizes, const Layer& layer) {
    const Bounds b = bounds(sizes, layer);
    macrame::compiler::LayerReport out;
    out.name = layer.name;
    out.unit = std::holds_alternative<ConvLayer>(layer.work)    ? "conv"
               : std::holds_alternative<SdpLayer>(layer.work)   ? "SDP"
               : std::holds_alternative<PdpLayer>(layer.work)   ? "PDP"
               : std::holds_alternative<RubikLayer>(layer.work) ? "RUBIK"
               : std::holds_alternative<HostLayer>(layer.work)  ? "host"
                                                                : "CDP";
    out.choice = layer.choice;
    out.node = layer.node;
    out.macs = layer.macs;
    out.mac_cycles = b.mac;
    out.post_cycles = b.sdp;
    out.memory_cycles = b.memory;
    out.cycles = layer.cycles;
    out.read_bytes = b.read_bytes;
    out.write_bytes = b.write_bytes;
    if (const Cube* cube = output_of(layer)) out.output = area(*cube, sizes.atom_bytes);
    const std::uint64_t most = b.most();
    out.limiter = out.unit == "host" ? "host"
                  : most == b.mac    ? "MAC array"
                  : most == b.sdp    ? out.unit == "conv" ? "SDP" : out.unit
                                     : "memory";
    return out;
}

/// Layers take the register groups of a unit in turn.
void add_units(std::vector<macrame::compiler::LayerReport>& layers) {
    std::map<std::string, int> uses;
    for (macrame::compiler::LayerReport& layer : layers) {
        std::vector<std::string> units = {layer.unit};
        if (layer.unit == "conv") units.push_back("SDP");
        for (const std::string& unit : units)
            layer.units.push_back({unit, uses[unit]++ % 2});
    }
}

macrame::compiler::BufferReport report(const Buffer& buffer) {
    const bool constant = !buffer.contents.empty();
    return {buffer.name, buffer.offset, buffer.bytes, buffer.first,
            buffer.last, buffer.keep,   constant};
}

}  // namespace

Compiled compile(const graph::Graph& graph, const model::DeviceSizes& sizes,
                 const macrame::compiler::Options& options) {
    Compiled result;
    if (!sizes.int8) {
        result.errors = {graph.name + ": networks want INT8 among the types of the configuration"};
        return result;
    }
    const std::unique_ptr<Lowering> chosen = lowered(graph, sizes, options);
    Lowering& lowering = *chosen;
    result.errors = lowering.errors;
    result.refused = std::move(lowering.refused);
    if (!result.ok()) return result;
    program::Program& program = result.program;
    program.family = "dla";
    program.network = graph.name;
    limit_dependencies(sizes, lowering.layers);
    compress_weights(sizes, lowering.layers, lowering.buffers);
    const std::vector<Buffer> empty = without_contents(lowering.buffers);
    const auto cycles = [&](const std::vector<Layer>& layers) {
        return finished_cycles(sizes, empty, layers);
    };
    lowering.layers = overlap(sizes, lowering.layers, cycles);
    finish(sizes, lowering.buffers, lowering.layers, program);
    if (options.memory_latency)
        estimate(sizes, program.commands, lowering.layers, *options.memory_latency);
    program.alignment = 256;
    program.interrupt_status = dla_regs::glb::S_INTR_STATUS::kAddress;
    for (Buffer& buffer : lowering.buffers) {
        result.buffers.push_back(report(buffer));
        if (!buffer.contents.empty())
            program.segments.push_back({buffer.offset, std::move(buffer.contents)});
    }
    std::sort(program.segments.begin(), program.segments.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
    const auto tensor = [&](graph::TensorId id) {
        return tensor_of(graph.tensor(id), lowering.location(id), lowering.buffers,
                         sizes.atom_bytes);
    };
    for (const graph::TensorId id : lowering.program_inputs)
        program.inputs.push_back(tensor(id));
    for (const graph::TensorId id : lowering.outputs)
        program.outputs.push_back(tensor(id));
    for (macrame::compiler::HostOperator& op : lowering.host) {
        for (auto* values : {&op.reads, &op.writes})
            for (macrame::compiler::HostOperator::Value& value : *values)
                value.place = tensor(value.id);
    }
    result.host = std::move(lowering.host);
    for (const Layer& layer : lowering.layers) {
        program.layers.push_back({layer.name, layer.cycles, layer.macs});
        result.layers.push_back(report(sizes, layer));
    }
    add_units(result.layers);
    result.macs_per_cycle = sizes.atomic_c * sizes.atomic_k;
    result.bytes_per_cycle = std::min(sizes.bus_bytes, sizes.wt_atoms * sizes.atom_bytes);
    for (const model::Finding& finding : check(sizes, program.commands)) {
        if (finding.level == model::Level::error)
            result.errors.push_back(fmt::format("{}: broken rule: {}", graph.name, finding.text()));
    }
    choose_banks_for_original(sizes, lowering.layers);
    result.commands_for_original = schedule(sizes, lowering.layers);
    for (const model::Finding& finding : check(sizes, result.commands_for_original))
        result.original_warnings.push_back(finding.text());
    if (sizes.v1_map) to_v1_map(program);
    result.exactness = std::move(lowering.exactness);
    result.exact_otherwise = true;
    result.host_first = std::move(lowering.host_first);
    result.host_nodes = std::move(lowering.host_nodes);
    result.inputs = std::move(lowering.program_inputs);
    result.outputs = std::move(lowering.outputs);
    return result;
}

}  // namespace macrame::dla::compiler
