/// What the sections of a report share.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "network/report/parts.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

std::string number(std::uint64_t value) {
    std::string text = fmt::to_string(value);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    const double kib = static_cast<double>(bytes) / 1024;
    if (kib < 1024) return fmt::format("{:.{}f} KiB", kib, kib < 10 ? 1 : 0);
    return fmt::format("{:.1f} MiB", kib / 1024);
}

std::string node_text(const graph::Graph& graph, int node) {
    return fmt::format("{} {}", node, title(graph, graph.nodes[static_cast<std::size_t>(node)]));
}

std::string shape_text(const graph::Tensor& tensor) {
    std::vector<int> shape = tensor.shape;
    if (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::string_view colour(std::string_view name) {
    if (name == "conv" || name == "MAC array") return "mac";
    if (name == "SDP") return "sdp";
    if (name == "PDP") return "pdp";
    if (name == "CDP") return "cdp";
    if (name == "memory") return "mem";
    if (name == "requests held off") return "held";
    return "other";
}

std::string legend(const std::vector<std::string>& names) {
    std::string out = "<p class=\"legend\">";
    for (const std::string& name : names) {
        out += fmt::format("<span><i class=\"{}\"></i>{}</span> ", colour(name),
                           text::xml_escaped(name));
    }
    return out + "</p>\n";
}

std::vector<Span> spans(const ReportInput& input) {
    const std::vector<compiler::LayerReport>& layers = input.network.compiled.layers;
    const bool measured = input.measured != nullptr && input.measured->ends.size() == layers.size();
    const bool begins = measured && input.measured->begins.size() == layers.size();
    std::map<std::string, std::vector<std::uint64_t>> ends;  // of the layers of a unit
    std::vector<Span> out;
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Span span;
        std::uint64_t unit_free = 0;  // its register group, the unit itself
        for (const compiler::UnitUse& use : layers[i].units) {
            const std::vector<std::uint64_t>& before = ends[use.unit];
            if (before.size() >= 2) span.set_up = std::max(span.set_up, before[before.size() - 2]);
            if (!before.empty()) unit_free = std::max(unit_free, before.back());
        }
        if (begins) span.set_up = input.measured->begins[i];
        span.end = measured ? input.measured->ends[i] : last + layers[i].cycles;
        span.begin = measured ? std::max(span.set_up, unit_free) : last;
        span.begin = std::min(span.begin, span.end);
        span.set_up = std::min(span.set_up, span.begin);
        last = std::max(last, span.end);
        for (const compiler::UnitUse& use : layers[i].units)
            ends[use.unit].push_back(span.end);
        out.push_back(span);
    }
    return out;
}

std::string cell(std::uint64_t value) {
    return fmt::format("<td class=\"n\" data-v=\"{}\">{}</td>", value, number(value));
}

std::string cell(double value, const std::string& text) {
    return fmt::format("<td class=\"n\" data-v=\"{:.6g}\">{}</td>", value, text);
}

std::string nothing() { return "<td class=\"n\" data-v=\"-1\">-</td>"; }

}  // namespace macrame::network::report
