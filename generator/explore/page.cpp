#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/words.hpp"
#include "explore/output.hpp"
#include "network/operators.hpp"
#include "network/report/drawing.hpp"
#include "text/xml.hpp"

namespace macrame::explore {

namespace {

using network::report::Drawing;
using text::xml_escaped;

constexpr std::string_view kPageStyle = R"(<style>
:root { color-scheme: light dark; --bg: #fff; --text: #1c222b; --dim: #5d6878; --line: #cbd2db;
        --soft: #f4f6f9; --front: #3b7fc4; --preset: #d5771f; --chosen: #b3372f; }
@media (prefers-color-scheme: dark) {
:root { --bg: #15191e; --text: #e3e7ec; --dim: #9ba6b4; --line: #3b444f; --soft: #1e242b;
        --front: #5d9fe0; --preset: #e08c3d; --chosen: #ef837b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 3rem; max-width: 78rem; background: var(--bg);
       color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; border-bottom: 1px solid var(--line); }
p { margin: .4rem 0; max-width: 62rem; overflow-wrap: anywhere; }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; height: auto; font: 11px system-ui, "Segoe UI", Roboto,
      "DejaVu Sans", sans-serif; }
.t { fill: var(--text); } .t.d { fill: var(--dim); }
.axis { fill: none; stroke: var(--dim); } .grid { stroke: var(--line); stroke-width: .6; }
.limit { stroke: var(--chosen); stroke-dasharray: 5 4; }
.fits { fill: var(--dim); fill-opacity: .45; } .unfit { fill: var(--dim); fill-opacity: .15; }
.front { fill: var(--front); } .preset { fill: var(--preset); } .chosen { fill: var(--chosen); }
.walk { fill: none; stroke: var(--front); stroke-width: 1.5; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 50%;
            margin-right: .4em; }
i.front { background: var(--front); } i.preset { background: var(--preset); }
i.chosen { background: var(--chosen); } i.fits { background: var(--dim); opacity: .45; }
i.unfit { background: var(--dim); opacity: .2; }
table { border-collapse: collapse; font-size: .86rem; }
th, td { text-align: left; padding: .22rem .45rem; border-bottom: 1px solid var(--line);
         white-space: nowrap; }
td.why { white-space: normal; min-width: 16rem; }
thead th { color: var(--dim); font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
tr.best { background: var(--soft); font-weight: 600; }
</style>
)";

// The picture, in pixels.
constexpr int kWidth = 900, kHeight = 460;
constexpr double kLeft = 64, kRight = 20, kTop = 16, kBottom = 44;

std::string goal_unit(const Outcome& outcome) {
    return outcome.goal == "traffic" ? "bytes, mean of the networks" : "ms, mean of the networks";
}

std::string thousands(std::int64_t value) {
    std::string out = fmt::format("{}", std::abs(value));
    for (int at = static_cast<int>(out.size()) - 3; at > 0; at -= 3)
        out.insert(static_cast<std::size_t>(at), ",");
    return value < 0 ? "-" + out : out;
}

/// A scale of which each decade has the same length.
struct LogScale {
    double low, high, from, to;
    double at(double value) const {
        return from +
               (to - from) * (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    }
    /// Round numbers within it: 1, 2 and 5 times powers of ten, of a short scale all times.
    std::vector<double> marks() const {
        std::vector<double> out;
        const bool is_short = high < 8 * low;
        for (double ten = std::pow(10, std::floor(std::log10(low))); ten <= high; ten *= 10)
            for (int step = 1; step < 10; ++step)
                if ((is_short || step == 1 || step == 2 || step == 5) && ten * step >= low &&
                    ten * step <= high)
                    out.push_back(ten * step);
        return out;
    }
};

LogScale scale_of(const std::vector<Scored>& points, double (*value)(const Scored&), double from,
                  double to) {
    LogScale out{1e300, 1e-300, from, to};
    for (const Scored& one : points) {
        const double v = value(one);
        if (v <= 0 || !std::isfinite(v)) continue;
        out.low = std::min(out.low, v);
        out.high = std::max(out.high, v);
    }
    if (out.low > out.high) out.low = 1, out.high = 10;
    out.low /= 1.1;
    out.high *= 1.1;
    return out;
}

std::string hover(const Scored& one) {
    const Area& area = one.result.area;
    std::string out = fmt::format("{}: {} LUT, {} DSP, {} block RAM, {} MHz", one.point.name,
                                  thousands(area.luts), area.dsps, area.brams, one.mhz);
    for (const double ms : one.ms)
        out += fmt::format(", {:.3f} ms", ms);
    if (!one.unfit.empty()) out += "; does not fit: " + one.unfit;
    return out;
}

std::string_view style_of(const Scored& one, const Scored* best) {
    if (&one == best) return "chosen";
    if (one.front) return "front";
    if (one.point.kind == Point::Kind::preset) return "preset";
    return one.unfit.empty() ? "fits" : "unfit";
}

void draw_axes(Drawing& drawing, const LogScale& x, const LogScale& y, const Outcome& outcome) {
    using Anchor = Drawing::Anchor;
    const double bottom = kHeight - kBottom;
    for (const double mark : x.marks()) {
        drawing.line(x.at(mark), kTop, x.at(mark), bottom, "grid");
        drawing.text(x.at(mark), bottom + 16, thousands(std::llround(mark)), "t d", Anchor::middle);
    }
    for (const double mark : y.marks()) {
        drawing.line(kLeft, y.at(mark), kWidth - kRight, y.at(mark), "grid");
        drawing.text(kLeft - 6, y.at(mark) + 4, fmt::format("{:g}", mark), "t d", Anchor::end);
    }
    drawing.text(kWidth - kRight, kHeight - 6, "LUT", "t d", Anchor::end);
    drawing.text(6, kTop - 4, goal_unit(outcome), "t d");
    const std::optional<int>& luts = outcome.setup.limits.luts;
    if (luts && *luts > x.low && *luts < x.high) {
        drawing.line(x.at(*luts), kTop, x.at(*luts), bottom, "limit");
        drawing.text(x.at(*luts) - 4, kTop + 12, "limit", "t d", Anchor::end);
    }
}

std::string scatter(const Outcome& outcome) {
    const LogScale x = scale_of(
        outcome.points, [](const Scored& s) { return static_cast<double>(s.result.area.luts); },
        kLeft, kWidth - kRight);
    const LogScale y = scale_of(
        outcome.points, [](const Scored& s) { return s.goal; }, kHeight - kBottom, kTop);
    const Scored* best = chosen(outcome.points, outcome.goal);
    Drawing drawing;
    draw_axes(drawing, x, y, outcome);
    std::vector<Drawing::Point> walk;
    for (const Scored* one : front_of(outcome.points))
        walk.push_back({x.at(one->result.area.luts), y.at(one->goal)});
    if (walk.size() > 1) drawing.path(walk, "walk");
    // Those of interest above the others.
    for (const std::string_view style : {"unfit", "fits", "preset", "front", "chosen"}) {
        for (const Scored& one : outcome.points) {
            if (style_of(one, best) != style || one.result.area.luts == 0 || one.goal <= 0)
                continue;
            const double radius = style == "fits" || style == "unfit" ? 2.5 : 4.5;
            drawing.circle(x.at(one.result.area.luts), y.at(one.goal), radius, style, hover(one));
            if (one.point.kind == Point::Kind::preset)
                drawing.text(x.at(one.result.area.luts) + 7, y.at(one.goal) + 4, one.point.name);
        }
    }
    return "<div class=\"scroll\">" + drawing.finish(kWidth, kHeight, "points", 560) + "</div>\n";
}

std::string network_heads(const Outcome& outcome) {
    std::string out;
    for (const NetworkFile& network : outcome.networks)
        out += fmt::format("<th class=\"n\">{}, ms</th>", xml_escaped(network.name));
    return out;
}

std::string numbers(const Scored& one) {
    const Area& area = one.result.area;
    std::string out = fmt::format(
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\" title=\"{}\">{:.1f}</td><td "
        "class=\"n\">{}</td>",
        thousands(area.luts), thousands(std::llround(area.luts_error)), thousands(area.ffs),
        area.dsps, area.brams, area.slowest, area.ns, one.mhz);
    for (const double ms : one.ms)
        out += fmt::format("<td class=\"n\">{:.3f}</td>", ms);
    return out + fmt::format("<td class=\"n\">{} of {}</td>", area.measured, area.units);
}

constexpr std::string_view kHeads =
    "<th class=\"n\">LUT</th><th class=\"n\">&plusmn;</th><th class=\"n\">FF</th><th "
    "class=\"n\">DSP</th>"
    "<th class=\"n\">block RAM</th><th class=\"n\">path, ns</th><th class=\"n\">MHz</th>";

std::string front_table(const Outcome& outcome) {
    std::string out = fmt::format(
        "<div class=\"scroll\"><table><thead><tr><th>configuration</th>{}{}"
        "<th class=\"n\">units measured</th><th>step</th></tr></thead>\n",
        kHeads, network_heads(outcome));
    const Scored* before = nullptr;
    const Scored* best = chosen(outcome.points, outcome.goal);
    for (const Scored* one : front_of(outcome.points)) {
        out += fmt::format("<tr{}><th>{}</th>{}<td class=\"why\">{}</td></tr>\n",
                           one == best ? " class=\"best\"" : "", one->point.name, numbers(*one),
                           before == nullptr ? "" : xml_escaped(step_text(*before, *one)));
        before = one;
    }
    return out + "</table></div>\n";
}

std::string preset_table(const Outcome& outcome) {
    std::string rows;
    for (const Scored& one : outcome.points) {
        if (one.point.kind != Point::Kind::preset) continue;
        std::string why = one.dominated_by.empty() ? "" : "dominated by " + one.dominated_by;
        if (!one.unfit.empty()) why += (why.empty() ? "" : "; ") + one.unfit;
        rows += fmt::format("<tr><th>{}</th>{}<td class=\"why\">{}</td></tr>\n", one.point.name,
                            numbers(one), xml_escaped(why));
    }
    if (rows.empty()) return "";
    return fmt::format(
        "<h2>Presets</h2>\n<div class=\"scroll\"><table><thead><tr><th>preset</th>{}{}"
        "<th class=\"n\">units measured</th><th></th></tr></thead>\n{}</table></div>\n",
        kHeads, network_heads(outcome), rows);
}

/// "3 conv 3x3 /2"
std::string layer_text(const graph::Graph& graph, const compiler::LayerReport& layer) {
    const graph::Node& node = graph.nodes[static_cast<std::size_t>(layer.node)];
    return fmt::format("{} {}", layer.node, network::title(graph, node));
}

std::string layer_tables(const Outcome& outcome) {
    const Scored* best = chosen(outcome.points, outcome.goal);
    if (best == nullptr) return "";
    std::string out;
    for (std::size_t n = 0; n < outcome.layers.size(); ++n) {
        out += fmt::format(
            "<h2>{} on {}</h2>\n<div class=\"scroll\"><table><thead><tr><th>layer</th><th>unit</th>"
            "<th class=\"n\">cycles</th><th class=\"n\">multiply-adds</th><th>limit</th>"
            "<th class=\"n\">bytes</th></tr></thead>\n",
            xml_escaped(outcome.networks[n].name), best->point.name);
        for (const compiler::LayerReport& layer : outcome.layers[n])
            out += fmt::format(
                "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                "<td>{}</td><td class=\"n\">{}</td></tr>\n",
                xml_escaped(layer_text(outcome.networks[n].graph, layer)), layer.unit,
                thousands(static_cast<std::int64_t>(layer.cycles)),
                thousands(static_cast<std::int64_t>(layer.macs)), xml_escaped(layer.limiter),
                thousands(static_cast<std::int64_t>(layer.read_bytes + layer.write_bytes)));
        out += "</table></div>\n";
    }
    return out;
}

std::string limit_text(const Limits& limits) {
    std::string out;
    const auto add = [&](const std::optional<int>& limit, std::string_view what) {
        if (limit) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", thousands(*limit), what);
    };
    add(limits.luts, "LUT");
    add(limits.dsps, "DSP");
    add(limits.brams, "block RAM");
    return out.empty() ? "no limits" : "at most " + out;
}

}  // namespace

std::string page_of(const Outcome& outcome) {
    std::string networks;
    for (const NetworkFile& network : outcome.networks)
        networks += (networks.empty() ? "" : ", ") + xml_escaped(network.name);
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{0} for {1}</title>\n{2}</head><body>\n<h1>{0} for {1}</h1>\n",
        outcome.family.name, networks, kPageStyle);
    out += fmt::format(
        "<p class=\"dim\">{} points on {}{}: {}; goal: {}. Cycles are estimated, LUTs, flip-flops, "
        "DSP blocks and paths are measured for the units that the last column of numbers counts, "
        "else fitted; &plusmn; is the error of the fit.</p>\n",
        outcome.points.size(), outcome.setup.target,
        outcome.board.empty() ? "" : " (" + outcome.board + ")", limit_text(outcome.setup.limits),
        outcome.goal);
    out +=
        "<p class=\"legend\"><span><i class=\"chosen\"></i>chosen</span><span><i class=\"front\">"
        "</i>front</span><span><i class=\"preset\"></i>preset</span><span><i class=\"fits\"></i>"
        "fits</span><span><i class=\"unfit\"></i>does not fit</span></p>\n";
    out += scatter(outcome);
    out += "<h2>Front</h2>\n";
    if (chosen(outcome.points, outcome.goal) == nullptr) out += "<p>No point fits.</p>\n";
    out += front_table(outcome);
    out += verified_section(outcome);
    out += preset_table(outcome);
    out += "<h2>Decided by the networks</h2>\n";
    for (const std::string& text : outcome.decided)
        out += "<p>" + xml_escaped(text) + "</p>\n";
    return out + layer_tables(outcome) + "</body></html>\n";
}

}  // namespace macrame::explore
