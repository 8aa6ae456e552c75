#include "compiler/dla/compile.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "compiler/dla/cost.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/dla/schedule.hpp"
#include "dla_regs.hpp"
#include "verif/dla/model/layer_checker.hpp"

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
    out.height = number(location.image ? pixels.height : cube.height);
    out.width = number(location.image ? pixels.width : cube.width);
    out.channels = location.image ? number(tensor.shape.back()) : number(cube.channels);
    if (!tensor.quantisation.scale.empty()) out.scale = tensor.quantisation.scale[0];
    if (!tensor.quantisation.zero_point.empty()) out.zero_point = tensor.quantisation.zero_point[0];
    const Place& place = location.image ? pixels.place : cube.place;
    out.offset = buffers[static_cast<std::size_t>(place.buffer)].offset + place.offset;
    if (location.image) {
        out.group = number(pixels.components);
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

/// What the layer checker says of the register writes; errors alone count.
std::vector<std::string> check(const model::DeviceSizes& sizes, const program::Program& program) {
    model::LayerFollower follower(sizes);
    std::vector<model::Finding> findings;
    const auto add = [&](std::vector<model::Finding> more) {
        for (model::Finding& finding : more)
            findings.push_back(std::move(finding));
    };
    for (const program::Command& command : program.commands) {
        using program::Code;
        const std::uint64_t offset = std::uint64_t{command.aux} << 32 | command.value;
        if (command.code == Code::write) add(follower.write(command.address, command.value));
        if (command.code == Code::write_low)
            add(follower.write(command.address, static_cast<std::uint32_t>(offset)));
        if (command.code == Code::write_high)
            add(follower.write(command.address, static_cast<std::uint32_t>(offset >> 32)));
    }
    add(follower.finish());
    std::vector<std::string> out;
    for (const model::Finding& finding : findings)
        if (finding.level == model::Level::error) out.push_back(finding.text());
    return out;
}

macrame::compiler::LayerReport report(const model::DeviceSizes& sizes, const Layer& layer) {
    const Bounds b = bounds(sizes, layer);
    macrame::compiler::LayerReport out;
    out.name = layer.name;
    out.unit = std::holds_alternative<ConvLayer>(layer.work)  ? "conv"
               : std::holds_alternative<SdpLayer>(layer.work) ? "SDP"
                                                              : "PDP";
    out.node = layer.node;
    out.macs = layer.macs;
    out.mac_cycles = b.mac;
    out.post_cycles = b.sdp;
    out.memory_cycles = b.memory;
    out.cycles = layer.cycles;
    out.read_bytes = b.read_bytes;
    out.write_bytes = b.write_bytes;
    return out;
}

}  // namespace

Compiled compile(const graph::Graph& graph, const model::DeviceSizes& sizes) {
    Compiled result;
    Lowering lowering(graph, sizes);
    lowering.run();
    result.errors = lowering.errors;
    if (!result.ok()) return result;
    program::Program& program = result.program;
    program.family = "dla";
    program.network = graph.name;
    program.memory_bytes = plan_memory(lowering.buffers, lowering.layers);
    program.alignment = 256;
    program.interrupt_status = dla_regs::glb::S_INTR_STATUS::kAddress;
    estimate(sizes, lowering.layers);
    program.commands = schedule(sizes, lowering.layers);
    for (Buffer& buffer : lowering.buffers) {
        if (!buffer.contents.empty())
            program.segments.push_back({buffer.offset, std::move(buffer.contents)});
    }
    const auto tensor = [&](graph::TensorId id) {
        return tensor_of(graph.tensor(id), lowering.location(id), lowering.buffers,
                         sizes.atom_bytes);
    };
    for (const graph::TensorId id : graph.inputs)
        program.inputs.push_back(tensor(id));
    for (const graph::TensorId id : lowering.outputs)
        program.outputs.push_back(tensor(id));
    for (const Layer& layer : lowering.layers) {
        program.layers.push_back({layer.name, layer.cycles, layer.macs});
        result.layers.push_back(report(sizes, layer));
    }
    for (const std::string& text : check(sizes, program))
        result.errors.push_back(fmt::format("{}: broken rule: {}", graph.name, text));
    result.exactness = std::move(lowering.exactness);
    result.host_nodes = std::move(lowering.host_nodes);
    result.outputs = std::move(lowering.outputs);
    return result;
}

}  // namespace macrame::dla::compiler
