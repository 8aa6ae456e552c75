#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "network/report/drawing.hpp"
#include "network/report/parts.hpp"
#include "network/work.hpp"

namespace macrame::network::report {

namespace {

constexpr double kMemoryLeft = 74, kMemoryWidth = 1100, kMemoryRight = 12, kMemoryTop = 8,
                 kMemoryHeight = 360;

std::string_view kind(const compiler::BufferReport& buffer) {
    return buffer.constant ? "constant" : buffer.keep ? "input or output" : "activation";
}

/// "9 conv 3x3 weights": what a buffer is for, shorter than its name.
std::string short_name(const Network& network, const compiler::BufferReport& buffer) {
    if (buffer.keep && !buffer.constant) return buffer.name;
    const auto layer = static_cast<std::size_t>(std::max(buffer.first, 0));
    if (layer >= network.compiled.layers.size()) return buffer.name;
    std::string out = node_text(network.graph, network.compiled.layers[layer].node);
    const std::size_t blank = buffer.name.rfind(' ');
    if (buffer.constant && blank != std::string::npos) out += buffer.name.substr(blank);
    return out;
}

/// Layers of the program that has a buffer: all, unless there are several.
std::vector<std::array<double, 2>> programs(const Network& network) {
    std::vector<std::array<double, 2>> out;
    double layers = 0;
    for (const compiler::Part& part : network.parts) {
        const double end = layers + static_cast<double>(part.compiled.layers.size());
        out.insert(out.end(), part.compiled.buffers.size(), {layers, end});
        layers = end;
    }
    out.resize(network.compiled.buffers.size(),
               {0, static_cast<double>(network.compiled.layers.size())});
    return out;
}

/// Buffers by offset, from the layer that first uses them to the last.
std::string draw(const Network& network) {
    const compiler::Compiled& made = network.compiled;
    Drawing drawing;
    const double layers = std::max<double>(1, static_cast<double>(made.layers.size()));
    const auto memory = static_cast<double>(std::max<std::uint64_t>(made.program.memory_bytes, 1));
    const auto x_of = [&](double layer) {
        return kMemoryLeft + (kMemoryWidth - kMemoryLeft - kMemoryRight) * layer / layers;
    };
    const auto y_of = [&](double offset) {
        return kMemoryTop + kMemoryHeight * (1 - offset / memory);
    };
    drawing.rect(kMemoryLeft, kMemoryTop, kMemoryWidth - kMemoryLeft - kMemoryRight, kMemoryHeight,
                 "lane");
    const std::vector<std::array<double, 2>> there = programs(network);
    for (std::size_t i = 0; i < made.buffers.size(); ++i) {
        const compiler::BufferReport& buffer = made.buffers[i];
        const bool always = buffer.keep || buffer.constant;
        const double x = x_of(always ? there[i][0] : buffer.first);
        const double right = x_of(always ? there[i][1] : buffer.last + 1.0);
        const double y = y_of(static_cast<double>(buffer.offset + buffer.bytes));
        const double height = kMemoryHeight * static_cast<double>(buffer.bytes) / memory;
        const std::string_view style = buffer.constant ? "constant"
                                       : buffer.keep   ? "kept"
                                                       : "activation";
        // An edge would hide a thin one.
        drawing.rect(x, y, right - x, std::max(0.05, height),
                     fmt::format("{}{}", style, height > 3 && right - x > 3 ? " edge" : ""),
                     fmt::format("{}: {} at {:#x}, {}, layers {} to {}", buffer.name,
                                 bytes_text(buffer.bytes), buffer.offset, kind(buffer),
                                 buffer.first, buffer.last));
        const std::string name = short_name(network, buffer);
        if (height > 14 && Drawing::text_width(name) + 8 < right - x)
            drawing.text((x + right) / 2, y + height / 2 + 4, name, "t", Drawing::Anchor::middle);
    }
    const double step = nice_step(memory / 1024, 6);
    for (double kib = 0; kib <= memory / 1024; kib += step) {
        const double y = y_of(kib * 1024);
        drawing.line(kMemoryLeft - 4, y, kMemoryLeft, y, "axis");
        drawing.text(kMemoryLeft - 8, std::max(y + 4, 11.0), fmt::format("{:g} KiB", kib), "t d",
                     Drawing::Anchor::end);
    }
    const double every = std::max(1.0, nice_step(layers, 10));
    for (double layer = 0; layer <= layers; layer += every) {
        drawing.line(x_of(layer), kMemoryTop + kMemoryHeight, x_of(layer),
                     kMemoryTop + kMemoryHeight + 4, "axis");
        drawing.text(std::min(x_of(layer), kMemoryWidth - 10), kMemoryTop + kMemoryHeight + 16,
                     fmt::format("{:g}", layer), "t d", Drawing::Anchor::middle);
    }
    drawing.text(kMemoryLeft, kMemoryTop + kMemoryHeight + 32, "layer", "t d");
    return drawing.finish(static_cast<int>(kMemoryWidth),
                          static_cast<int>(kMemoryTop + kMemoryHeight + 38),
                          "Buffers in memory over time", 860);
}

}  // namespace

std::string memory_section(const ReportInput& input) {
    const compiler::Compiled& made = input.network.compiled;
    if (made.buffers.empty()) return "";
    std::uint64_t constants = 0, kept = 0, activations = 0;
    for (const compiler::BufferReport& buffer : made.buffers)
        (buffer.constant ? constants : buffer.keep ? kept : activations) += buffer.bytes;
    std::string out = "<section id=\"memory\"><h2>Memory</h2>\n";
    const std::size_t count = work_of(input.network).programs;
    out += fmt::format(
        "<p>{} {}: {} of constants, {} of inputs and outputs; activations of {} share the "
        "rest.</p>\n",
        count > 1 ? fmt::format("{} programs take up to", count) : "The program takes",
        bytes_text(made.program.memory_bytes), bytes_text(constants), bytes_text(kept),
        bytes_text(activations));
    out +=
        "<p class=\"legend\"><span><i class=\"constant\"></i>constants</span> <span><i "
        "class=\"kept\"></i>inputs and outputs</span> <span><i class=\"activation\"></i>"
        "activations</span></p>\n";
    return out + draw(input.network) + "</section>\n";
}

}  // namespace macrame::network::report
