#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "network/report/drawing.hpp"
#include "network/report/parts.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

namespace {

constexpr double kTimelineLeft = 92, kTimelineWidth = 1100, kTimelineRight = 12, kBar = 16,
                 kStep = 20, kFill = 30;

class Timeline {
public:
    explicit Timeline(const ReportInput& input)
        : input_(input), layers_(input.network.compiled.layers), spans_(spans(input)) {
        for (const Span& span : spans_)
            end_ = std::max(end_, span.end);
    }

    std::string draw() {
        draw_operators();
        draw_units();
        using Layer = compiler::LayerReport;
        using Sample = Measured::Sample;
        if (sampled()) {
            draw_samples(
                "read", [](const Sample& s) { return s.read_bytes; },
                [](const Sample& s) { return s.read_stalls; });
            draw_samples(
                "write", [](const Sample& s) { return s.write_bytes; },
                [](const Sample& s) { return s.write_stalls; });
        } else {
            draw_memory("read", [](const Layer& l) { return l.read_bytes; });
            draw_memory("write", [](const Layer& l) { return l.write_bytes; });
        }
        draw_axis();
        return drawing_.finish(static_cast<int>(kTimelineWidth), static_cast<int>(y_ + 22),
                               "Timeline of units", 860);
    }

    /// Units in the order in which they are first used.
    std::vector<std::string> units() const {
        std::vector<std::string> out;
        for (const compiler::LayerReport& layer : layers_) {
            for (const compiler::UnitUse& use : layer.units)
                if (std::find(out.begin(), out.end(), use.unit) == out.end())
                    out.push_back(use.unit);
        }
        return out;
    }

    /// Were the memory ports looked at while it ran?
    bool sampled() const { return input_.measured != nullptr && !input_.measured->samples.empty(); }

private:
    double x_of(std::uint64_t cycle) const {
        return kTimelineLeft + (kTimelineWidth - kTimelineLeft - kTimelineRight) *
                                   static_cast<double>(cycle) /
                                   static_cast<double>(std::max<std::uint64_t>(end_, 1));
    }

    void bar(std::uint64_t begin, std::uint64_t end, std::string_view style,
             const std::string& title) {
        const double x = x_of(begin);
        drawing_.rect(x, y_, std::max(0.4, x_of(end) - x), kBar, style, title);
    }

    /// A text in the part of a lane between two cycles, if there is room.
    void inside(std::uint64_t begin, std::uint64_t end, const std::string& text,
                std::string_view style) {
        const double room = x_of(end) - x_of(begin);
        if (Drawing::text_width(text) + 4 > room) return;
        drawing_.text(x_of(begin) + room / 2, y_ + 12, text, style, Drawing::Anchor::middle);
    }

    void lane(const std::string& name) {
        drawing_.text(kTimelineLeft - 8, y_ + 12, name, "t", Drawing::Anchor::end);
        drawing_.rect(kTimelineLeft, y_, kTimelineWidth - kTimelineLeft - kTimelineRight, kBar,
                      "lane");
    }

    std::string times(std::size_t i) const {
        return fmt::format("cycles {} to {} ({})", number(spans_[i].begin), number(spans_[i].end),
                           number(spans_[i].end - spans_[i].begin));
    }

    /// From the end of the operator before to its own.
    void draw_operators() {
        lane("operator");
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            std::uint64_t end = spans_[i].end;
            std::size_t next = i + 1;
            while (next < layers_.size() && layers_[next].node == layers_[i].node)
                end = std::max(end, spans_[next++].end);
            if (end > begin) {
                bar(begin, end, "span",
                    fmt::format("{}: cycles {} to {} ({})",
                                node_text(input_.network.graph, layers_[i].node), number(begin),
                                number(end), number(end - begin)));
                inside(begin, end, fmt::to_string(layers_[i].node), "t");
                begin = end;
            }
            i = next - 1;
        }
        y_ += kStep + 4;
    }

    bool used(const std::string& unit, int group) const {
        return std::any_of(layers_.begin(), layers_.end(), [&](const compiler::LayerReport& layer) {
            return std::any_of(layer.units.begin(), layer.units.end(), [&](const auto& use) {
                return use.unit == unit && use.group == group;
            });
        });
    }

    void draw_units() {
        for (const std::string& unit : units()) {
            for (const int group : {0, 1}) {
                if (!used(unit, group)) continue;
                lane(unit == "host" ? unit : fmt::format("{}, group {}", unit, group));
                for (std::size_t i = 0; i < layers_.size(); ++i) {
                    for (const compiler::UnitUse& use : layers_[i].units)
                        if (use.unit == unit && use.group == group) draw_use(i, use);
                }
                y_ += kStep;
            }
            y_ += 4;
        }
    }

    void draw_use(std::size_t i, const compiler::UnitUse& use) {
        const std::string name =
            fmt::format("{}, layer {}", node_text(input_.network.graph, layers_[i].node), i);
        const std::string style(colour(use.unit));
        if (spans_[i].set_up < spans_[i].begin)
            bar(spans_[i].set_up, spans_[i].begin, style + " waits",
                fmt::format("{}: set up from cycle {}", name, number(spans_[i].set_up)));
        bar(spans_[i].begin, spans_[i].end, style, fmt::format("{}: {}", name, times(i)));
    }

    void memory_lane(const std::string& name) {
        drawing_.text(kTimelineLeft - 8, y_ + kFill / 2 + 4, "memory " + name, "t",
                      Drawing::Anchor::end);
        drawing_.rect(kTimelineLeft, y_, kTimelineWidth - kTimelineLeft - kTimelineRight, kFill,
                      "lane");
    }

    /// How full a channel of the memory port is.
    template <class Bytes>
    void draw_memory(const std::string& name, Bytes&& bytes) {
        memory_lane(name);
        const int most = std::max(1, input_.network.compiled.bytes_per_cycle);
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const std::uint64_t end = spans_[i].end;
            if (end <= begin) continue;
            const double full =
                static_cast<double>(bytes(layers_[i])) / (static_cast<double>(end - begin) * most);
            const double height = kFill * std::min(1.0, full);
            drawing_.rect(x_of(begin), y_ + kFill - height, x_of(end) - x_of(begin), height, "mem",
                          fmt::format("{}, layer {}: {} {}, {:.0f} % of the port",
                                      node_text(input_.network.graph, layers_[i].node), i,
                                      bytes_text(bytes(layers_[i])), name, 100 * full));
            begin = end;
        }
        y_ += kFill + 6;
    }

    /// The same from what was measured; from above, the part of the time in which it holds requests
    /// off.
    template <class Bytes, class Stalls>
    void draw_samples(const std::string& name, Bytes&& bytes, Stalls&& stalls) {
        memory_lane(name);
        const std::vector<Measured::Sample>& samples = input_.measured->samples;
        const double most = std::max(1, input_.network.compiled.bytes_per_cycle);
        std::vector<Drawing::Point> moved = {{kTimelineLeft, y_ + kFill}},
                                    held = {{kTimelineLeft, y_}};
        Measured::Sample last;
        for (const Measured::Sample& sample : samples) {
            if (sample.cycle <= last.cycle) continue;
            const auto time = static_cast<double>(sample.cycle - last.cycle);
            const double left = x_of(last.cycle), right = x_of(std::min(sample.cycle, end_));
            const double full = static_cast<double>(bytes(sample) - bytes(last)) / (time * most);
            const double top = y_ + kFill * (1 - std::min(1.0, full));
            moved.push_back({left, top});
            moved.push_back({right, top});
            const double part = static_cast<double>(stalls(sample) - stalls(last)) / time;
            const double bottom = y_ + kFill * std::min(1.0, part);
            held.push_back({left, bottom});
            held.push_back({right, bottom});
            last = sample;
        }
        moved.push_back({moved.back().x, y_ + kFill});
        held.push_back({held.back().x, y_});
        drawing_.area(moved, "mem");
        drawing_.area(held, "held");
        y_ += kFill + 6;
    }

    void draw_axis() {
        drawing_.line(kTimelineLeft, y_, kTimelineWidth - kTimelineRight, y_, "axis");
        const double step = nice_step(static_cast<double>(std::max<std::uint64_t>(end_, 1)), 8);
        for (double at = 0; at <= static_cast<double>(end_); at += step) {
            const auto cycle = static_cast<std::uint64_t>(at);
            drawing_.line(x_of(cycle), y_, x_of(cycle), y_ + 4, "axis");
            // Not beyond the picture.
            const bool last = x_of(cycle) > kTimelineWidth - 50;
            drawing_.text(last ? kTimelineWidth - 2 : x_of(cycle), y_ + 16, number(cycle), "t d",
                          last ? Drawing::Anchor::end : Drawing::Anchor::middle);
        }
    }

    const ReportInput& input_;
    const std::vector<compiler::LayerReport>& layers_;
    std::vector<Span> spans_;
    std::uint64_t end_ = 0;
    double y_ = 4;
    Drawing drawing_;
};

std::string ports(const Measured& measured) {
    std::string out;
    for (const Measured::Port& port : measured.ports) {
        out += fmt::format(
            "<p>Through the {}: {} read, {} written; requests held off in {} cycles for reads, {} "
            "for writes.</p>\n",
            text::xml_escaped(port.name), bytes_text(port.read_bytes), bytes_text(port.write_bytes),
            number(port.read_stalls), number(port.write_stalls));
    }
    return out;
}

/// What the bars mean.
std::string legend(const ReportInput& input, bool sampled) {
    if (input.measured == nullptr)
        return "<p>Estimated: each layer from the end of the one before to its own.</p>\n";
    return fmt::format(
        "<p>As measured: {}. A bar begins {}.{}</p>\n", text::xml_escaped(input.measured->machine),
        input.measured->from_end_to_end
            ? "when the layer before it ends"
            : "when the registers of its layer are written and its unit is free, and ends with its "
              "interrupt",
        sampled ? "" : " Bytes are those of the estimate.");
}

}  // namespace

std::string timeline_section(const ReportInput& input) {
    if (input.network.compiled.layers.empty()) return "";
    Timeline timeline(input);
    std::string out = "<section id=\"timeline\"><h2>Timeline</h2>\n";
    out += legend(input, timeline.sampled());
    std::vector<std::string> names = timeline.units();
    names.emplace_back("memory");
    if (timeline.sampled()) names.emplace_back("requests held off");
    out += legend(names);
    out +=
        "<p class=\"dim\">Pale: a layer is set up in its register group and waits. Heights of "
        "memory: part of the port that is busy.</p>\n";
    out += timeline.draw();
    if (input.measured != nullptr) out += ports(*input.measured);
    return out + "</section>\n";
}

}  // namespace macrame::network::report
