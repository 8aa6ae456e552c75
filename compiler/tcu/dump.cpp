#include "compiler/tcu/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/dump.hpp"
#include "compiler/graph/at.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu::compiler {

namespace {

using macrame::compiler::BufferReport;

std::string_view name_of(Combine combine) {
    constexpr std::array<std::string_view, 5> kNames = {"sums", "copies", "maxima", "minima",
                                                        "products"};
    return kNames[static_cast<std::size_t>(combine)];
}

std::string_view name_of(StepKind kind) {
    constexpr std::array<std::string_view, 5> kNames = {"relu", "minimum", "maximum", "multiply",
                                                        "leaky relu"};
    return kNames[static_cast<std::size_t>(kind)];
}

/// Vectors of a memory as buffers: those of a layer or a tensor of the network are one.
class Buffers {
public:
    Buffers(const Layers& layers, const std::vector<int>& addresses)
        : layers_(layers), addresses_(addresses), last_(last_reads(layers)) {}

    void add(std::string name, const std::vector<VectorId>& ids, int first, bool keep) {
        BufferReport out;
        int least = -1, end = 0;
        out.first = out.last = first;
        for (const VectorId id : ids) {
            if (id == kZeros || layers_.at(id).constant) continue;
            const std::size_t variable = at(layers_.at(id).index);
            const int address = address_of(addresses_, layers_.at(id).index);
            if (address < 0 || seen_[variable]) continue;
            seen_[variable] = true;
            least = least < 0 ? address : std::min(least, address);
            end = std::max(end, address + 1);
            out.last = std::max(out.last, last_[variable]);
        }
        if (least < 0) return;
        out.name = std::move(name);
        out.offset = static_cast<std::uint64_t>(least);
        out.bytes = static_cast<std::uint64_t>(end - least);
        out.keep = keep;
        made.push_back(std::move(out));
    }

    std::vector<BufferReport> made;

private:
    const Layers& layers_;
    const std::vector<int>& addresses_;
    std::vector<int> last_;
    std::vector<bool> seen_ = std::vector<bool>(at(layers_.variables));
};

std::string picture(const Layers& layers, const std::vector<int>& addresses) {
    Buffers buffers(layers, addresses);
    for (std::size_t i = 0; i < layers.outputs.size(); ++i)
        buffers.add(fmt::format("output {}", i), layers.outputs[i], 0, true);
    for (std::size_t i = 0; i < layers.inputs.size(); ++i)
        buffers.add(fmt::format("input {}", i), layers.inputs[i], 0, false);
    for (std::size_t i = 0; i < layers.layers.size(); ++i) {
        std::vector<VectorId> ids;
        for (const Output& output : layers.layers[i].outputs)
            ids.push_back(output.vector);
        buffers.add(fmt::format("layer {} {}", i, layers.layers[i].name), ids, static_cast<int>(i),
                    false);
    }
    return macrame::compiler::memory_picture(std::move(buffers.made),
                                             static_cast<int>(layers.layers.size()), "vectors");
}

}  // namespace

std::string text_of(const Layers& layers) {
    std::string out = fmt::format(
        "{} layers, {} variables, {} constants, vectors of {}\n\n{:>5} {:>8}  what it does\n",
        layers.layers.size(), layers.variables, layers.constant_count(), layers.array_size, "layer",
        "operator");
    for (std::size_t i = 0; i < layers.layers.size(); ++i) {
        const Layer& layer = layers.layers[i];
        std::size_t terms = 0;
        for (const Output& output : layer.outputs)
            terms += output.terms.size();
        out += fmt::format("{:5} {:8}  {}: {} {} of {} vectors", i, layer.node, layer.name,
                           layer.outputs.size(), name_of(layer.combine), terms);
        if (!layer.sets.empty()) out += fmt::format(", {} sets of weights", layer.sets.size());
        for (const Step& step : layer.steps)
            out += fmt::format(", {}", name_of(step.kind));
        out += '\n';
    }
    return out;
}

std::string text_of(const Layers& layers, const Placement& placement,
                    const Architecture& architecture) {
    std::string out =
        fmt::format("DRAM0: {} of {} vectors\nDRAM1: {} of {} vectors\n", placement.dram0_used,
                    architecture.dram0_depth, placement.dram1_used, architecture.dram1_depth);
    out += fmt::format("local memory: {} of {} vectors stay, the rest is for layers in turn\n",
                       placement.local_first, architecture.local_depth);
    out += "\nDRAM0\n" + picture(layers, placement.dram0);
    if (placement.dram1_used > layers.constant_count())
        out += "\nDRAM1, behind the constants\n" + picture(layers, placement.dram1);
    return out + "\nlocal memory\n" + picture(layers, placement.local);
}

std::string text_of(const Layers& layers, const Assembled& assembled,
                    const Architecture& architecture) {
    const Layout layout = layout_of(architecture);
    std::string out = fmt::format("{} instructions\n", assembled.instructions.size());
    int layer = -1;
    for (std::size_t n = 0; n < assembled.instructions.size(); ++n) {
        if (assembled.layers[n] != layer) {
            layer = assembled.layers[n];
            out += fmt::format("layer {} {}\n", layer, layers.layers[at(layer)].name);
        }
        out += fmt::format("{:6}   {}\n", n, assembly_text(layout, assembled.instructions[n]));
    }
    return out;
}

std::string text_of(const TcuProgram& program, std::size_t constants) {
    std::string out = fmt::format("{} instructions, {} constants of DRAM1\n",
                                  program.instructions.size(), constants);
    const auto add = [&](std::string_view title, const std::vector<Port>& ports) {
        for (const Port& port : ports)
            out += fmt::format("{} {}: {}x{}x{}, {} vectors from {}, values times {}\n", title,
                               port.name, port.height, port.width, port.channels, port.stored(),
                               port.vectors.empty() ? 0 : port.vectors.front(), port.factor);
    };
    add("input", program.inputs);
    add("output", program.outputs);
    return out;
}

}  // namespace macrame::tcu::compiler
