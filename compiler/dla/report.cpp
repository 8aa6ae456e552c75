#include "compiler/dla/report.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <variant>

#include "compiler/dla/cost.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

/// What a layer writes; nothing for those of the host.
const Cube* output_of(const Layer& layer) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) return &conv->post.output;
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) return &sdp->post.output;
    if (const PdpLayer* pdp = std::get_if<PdpLayer>(&layer.work)) return &pdp->output;
    if (const CdpLayer* cdp = std::get_if<CdpLayer>(&layer.work)) return &cdp->output;
    if (const RubikLayer* rubik = std::get_if<RubikLayer>(&layer.work)) return &rubik->output;
    if (const RowLayer* row = std::get_if<RowLayer>(&layer.work)) return &row->output;
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

}  // namespace

/// Layout of an input or output in memory.
program::Tensor tensor_of(const graph::Tensor& tensor, const Location& location,
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

macrame::compiler::LayerReport report(const model::Architecture& sizes, const Layer& layer) {
    const Bounds b = bounds(sizes, layer);
    macrame::compiler::LayerReport out;
    out.name = layer.name;
    out.unit = std::holds_alternative<ConvLayer>(layer.work)    ? "conv"
               : std::holds_alternative<SdpLayer>(layer.work)   ? "SDP"
               : std::holds_alternative<PdpLayer>(layer.work)   ? "PDP"
               : std::holds_alternative<RubikLayer>(layer.work) ? "RUBIK"
               : std::holds_alternative<RowLayer>(layer.work)   ? "ROW"
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

}  // namespace macrame::dla::compiler
