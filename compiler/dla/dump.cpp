#include "compiler/dla/dump.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/report.hpp"
#include "compiler/dump.hpp"
#include "verif/dla/model/register_pages.hpp"
#include "verif/dla/trace/dla_registers.hpp"

namespace macrame::dla::compiler {

namespace {

using macrame::compiler::LayerReport;

std::string size_text(const Cube& cube) {
    return fmt::format("{}x{}x{}", cube.height, cube.width, cube.channels);
}

std::string size_text(const Pixels& pixels) {
    return fmt::format("image {}x{}x{}", pixels.height, pixels.width, pixels.components);
}

/// Stages of SDP that do something.
std::string stages_text(const PostProcess& post) {
    std::string out = post.bs.bypass ? "" : " BS";
    if (!post.bn.bypass) out += " BN";
    if (!post.ew.bypass) out += post.ew.lookup ? " EW with a table" : " EW";
    return out;
}

struct Work {
    std::string operator()(const ConvLayer& conv) const {
        std::string out =
            fmt::format("{} -> {}, kernel {}x{}, stride {}x{},",
                        std::visit([](const auto& in) { return size_text(in); }, conv.input),
                        size_text(conv.post.output), conv.kernel_h, conv.kernel_w, conv.stride_h,
                        conv.stride_w);
        out += fmt::format(" {} bytes of weights{},{}", conv.weight_bytes,
                           conv.masks ? " compressed" : "", stages_text(conv.post));
        if (conv.pool) out += fmt::format(", PDP to {}", size_text(conv.pool->output));
        return out;
    }
    std::string operator()(const SdpLayer& sdp) const {
        return fmt::format("{} -> {},{}", size_text(sdp.input), size_text(sdp.post.output),
                           stages_text(sdp.post));
    }
    std::string operator()(const PdpLayer& pdp) const {
        return fmt::format("{} -> {}, window {}x{}, stride {}x{}", size_text(pdp.input),
                           size_text(pdp.output), pdp.kernel_h, pdp.kernel_w, pdp.stride_h,
                           pdp.stride_w);
    }
    std::string operator()(const CdpLayer& cdp) const {
        return fmt::format("{} -> {}, a table", size_text(cdp.input), size_text(cdp.output));
    }
    std::string operator()(const RubikLayer& rubik) const {
        return fmt::format("{} -> {}, {}x{} phases", size_text(rubik.input),
                           size_text(rubik.output), rubik.stride_h, rubik.stride_w);
    }
    std::string operator()(const RowLayer& row) const {
        constexpr const char* kModes[] = {"softmax", "layer norm", "RMS norm"};
        return fmt::format("{} -> {}, {}", size_text(row.input), size_text(row.output),
                           kModes[static_cast<int>(row.settings.mode)]);
    }
    std::string operator()(const HostLayer& host) const {
        return fmt::format("operator {} of the host", host.number);
    }
};

/// Registers by name.
program::NameOf names(std::string_view variant = {}) {
    return [table = trace::dla_registers(variant)](std::uint32_t address) {
        const trace::RegisterInfo* found = table.at(address);
        return found == nullptr ? std::string() : found->unit + "." + found->name;
    };
}

/// `heading` comes behind the name of a layer.
std::string text_of(const State& state, const std::vector<program::Command>& commands,
                    const program::NameOf& name_of,
                    const std::function<std::string(std::size_t)>& heading = {}) {
    program::Program named;
    for (const Layer& layer : state.layers)
        named.layers.push_back({layer.name, 0, 0});
    std::string out;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const bool layer = commands[i].code == program::Code::begin_layer;
        out += fmt::format("{:6} {}{}", i, layer ? "" : "  ",
                           program::command_text(named, commands[i], name_of));
        if (layer && heading) out += heading(commands[i].value);
        out += '\n';
    }
    return out;
}

}  // namespace

std::string plan_text(const State& state) { return plan_text(*state.graph, state.lowering->plan); }

std::string layers_text(const State& state) {
    std::string out =
        fmt::format("{} layers, {} buffers\n\n{:>5} {:>8}  {:5}  what it does\n",
                    state.layers.size(), state.buffers.size(), "layer", "operator", "unit");
    for (std::size_t i = 0; i < state.layers.size(); ++i) {
        const Layer& layer = state.layers[i];
        out +=
            fmt::format("{:5} {:8}  {:5}  {}: {}", i, layer.node, report(state.sizes, layer).unit,
                        layer.name, std::visit(Work{}, layer.work));
        if (!layer.after.empty()) out += fmt::format("; behind {}", fmt::join(layer.after, ", "));
        if (!layer.choice.empty()) out += fmt::format("; {}", layer.choice);
        out += '\n';
    }
    return out;
}

std::string banks_text(const State& state) {
    std::string out = fmt::format("{} banks of {} entries\n\n{:>5}  {:>7} {:>7} {:>13}  layer\n",
                                  state.sizes.cbuf_banks, state.sizes.cbuf_depth, "layer", "data",
                                  "weights", "entries/slice");
    for (std::size_t i = 0; i < state.layers.size(); ++i) {
        const ConvLayer* conv = std::get_if<ConvLayer>(&state.layers[i].work);
        if (conv == nullptr) continue;
        out += fmt::format("{:5}  {:7} {:7} {:13}  {}\n", i, conv->buffer.data_banks,
                           conv->buffer.weight_banks, conv->buffer.entries_per_slice,
                           state.layers[i].name);
    }
    return out;
}

std::string memory_text(const State& state) {
    std::vector<macrame::compiler::BufferReport> buffers;
    for (const Buffer& buffer : state.buffers)
        buffers.push_back(report(buffer));
    return macrame::compiler::memory_picture(std::move(buffers),
                                             static_cast<int>(state.layers.size()));
}

std::string commands_text(const State& state) {
    return text_of(state, state.result.program.commands, names());
}

std::string moved_text(const State& state) {
    return text_of(state, state.result.program.commands,
                   names(model::register_variant(state.sizes.v1_map)));
}

std::string times_text(const State& state) {
    std::vector<LayerReport> layers;
    std::vector<std::uint64_t> ends;
    for (const Layer& layer : state.layers) {
        layers.push_back(report(state.sizes, layer));
        ends.push_back((ends.empty() ? 0 : ends.back()) + layer.cycles);
    }
    const auto heading = [&](std::size_t layer) {
        return fmt::format(": {} cycles, done at {}", state.layers[layer].cycles, ends[layer]);
    };
    return macrame::compiler::times_table(layers, "SDP") + "\n" +
           text_of(state, state.result.program.commands, names(), heading);
}

std::string tensors_text(const State& state) {
    program::Program shown = state.result.program;
    shown.commands.clear();
    return program::listing(shown);
}

std::string check_text(const State& state) {
    return fmt::format("{} commands break no rule of the hardware\n",
                       state.result.program.commands.size());
}

std::string original_text(const State& state) {
    std::string out;
    for (const std::string& warning : state.result.original_warnings)
        out += warning + "\n";
    return out + banks_text(state) + "\n" +
           text_of(state, state.result.commands_for_original, names());
}

}  // namespace macrame::dla::compiler
