#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "network/report/drawing.hpp"
#include "network/report/parts.hpp"

namespace macrame::network::report {

namespace {

constexpr double kRooflineLeft = 64, kRooflineRight = 16, kRooflineTop = 12, kRooflineWidth = 760,
                 kRooflineHeight = 380, kRooflineBottom = 40;

struct Spot {
    const OperatorCost* cost = nullptr;
    double intensity = 0, speed = 0;  ///< MAC per byte, MAC per cycle
};

/// Of operators that multiply; a byte is one of the busier direction of the memory port.
std::vector<Spot> spots(const std::vector<OperatorCost>& costs) {
    std::vector<Spot> out;
    for (const OperatorCost& cost : costs) {
        const auto bytes = static_cast<double>(std::max(cost.read_bytes, cost.write_bytes));
        const auto cycles = static_cast<double>(cost.best_cycles());
        if (cost.macs == 0 || bytes == 0 || cycles == 0) continue;
        const auto macs = static_cast<double>(cost.macs);
        out.push_back({&cost, macs / bytes, macs / cycles});
    }
    // Small ones in front of large ones.
    std::stable_sort(out.begin(), out.end(), [](const Spot& a, const Spot& b) {
        return a.cost->best_cycles() > b.cost->best_cycles();
    });
    return out;
}

class Roofline {
public:
    Roofline(const ReportInput& input, const std::vector<OperatorCost>& costs)
        : input_(input), spots_(spots(costs)) {
        const compiler::Compiled& made = input.network.compiled;
        peak_ = made.macs_per_cycle;
        bus_ = made.bytes_per_cycle;
        low_x_ = high_x_ = peak_ / bus_;
        low_y_ = high_y_ = peak_;
        for (const Spot& spot : spots_) {
            low_x_ = std::min(low_x_, spot.intensity);
            high_x_ = std::max(high_x_, spot.intensity);
            low_y_ = std::min(low_y_, spot.speed);
            cycles_ += static_cast<double>(spot.cost->best_cycles());
        }
        const auto decade = [](double value, bool up) {
            const double power = std::log10(value);
            return std::pow(10.0, up ? std::ceil(power + 0.02) : std::floor(power - 0.02));
        };
        low_x_ = decade(low_x_, false);
        high_x_ = decade(high_x_, true);
        low_y_ = decade(low_y_, false);
        high_y_ = decade(high_y_, true);
    }

    bool empty() const { return spots_.empty(); }

    std::string draw() {
        draw_axes();
        draw_roofs();
        for (const Spot& spot : spots_)
            draw_spot(spot);
        draw_labels();
        return drawing_.finish(static_cast<int>(kRooflineWidth),
                               static_cast<int>(kRooflineTop + kRooflineHeight + kRooflineBottom),
                               "Roofline", 560);
    }

    std::vector<std::string> limiters() const {
        std::set<std::string> seen;
        for (const Spot& spot : spots_)
            seen.insert(spot.cost->limiter);
        return {seen.begin(), seen.end()};
    }

private:
    double x_of(double value) const {
        return kRooflineLeft + (kRooflineWidth - kRooflineLeft - kRooflineRight) *
                                   std::log(value / low_x_) / std::log(high_x_ / low_x_);
    }
    double y_of(double value) const {
        return kRooflineTop +
               kRooflineHeight * (1 - std::log(value / low_y_) / std::log(high_y_ / low_y_));
    }

    void draw_axes() {
        drawing_.rect(kRooflineLeft, kRooflineTop, kRooflineWidth - kRooflineLeft - kRooflineRight,
                      kRooflineHeight, "lane");
        for (double at = low_x_; at <= high_x_ * 1.01; at *= 10) {
            drawing_.line(x_of(at), kRooflineTop, x_of(at), kRooflineTop + kRooflineHeight, "grid");
            drawing_.text(x_of(at), kRooflineTop + kRooflineHeight + 15, fmt::format("{:g}", at),
                          "t d", Drawing::Anchor::middle);
        }
        for (double at = low_y_; at <= high_y_ * 1.01; at *= 10) {
            drawing_.line(kRooflineLeft, y_of(at), kRooflineWidth - kRooflineRight, y_of(at),
                          "grid");
            drawing_.text(kRooflineLeft - 6, y_of(at) + 4, fmt::format("{:g}", at), "t d",
                          Drawing::Anchor::end);
        }
        drawing_.text(kRooflineWidth - kRooflineRight, kRooflineTop + kRooflineHeight + 32,
                      "MAC per byte", "t", Drawing::Anchor::end);
        drawing_.text(kRooflineLeft + 6, kRooflineTop + 14, "MAC per cycle");
    }

    void draw_roofs() {
        const double ridge = peak_ / bus_;
        const double left = std::max(low_x_, low_y_ / bus_);
        drawing_.path({{x_of(left), y_of(left * bus_)},
                       {x_of(ridge), y_of(peak_)},
                       {x_of(high_x_), y_of(peak_)}},
                      "roof");
        label(kRooflineWidth - kRooflineRight - 6, y_of(peak_) - 6,
              fmt::format("{:g} MAC per cycle", peak_), Drawing::Anchor::end);
        const std::string slope = fmt::format("{:g} bytes per cycle", bus_);
        for (const double part : {0.1, 0.25, 0.4, 0.55, 0.7}) {
            const double at = left * std::pow(ridge / left, part);
            if (label(x_of(at) + 12, y_of(at * bus_) + 12, slope, Drawing::Anchor::start)) break;
        }
    }

    static double radius(double part) { return 3.5 + 12 * std::sqrt(part); }
    double radius_of(const Spot& spot) const {
        return radius(static_cast<double>(spot.cost->best_cycles()) / cycles_);
    }

    void draw_spot(const Spot& spot) {
        const OperatorCost& cost = *spot.cost;
        drawing_.circle(x_of(spot.intensity), y_of(spot.speed), radius_of(spot),
                        fmt::format("{} spot", colour(cost.limiter)),
                        fmt::format("{}: {:.3g} MAC per byte, {:.3g} MAC per cycle, {} cycles, {}",
                                    node_text(input_.network.graph, cost.node), spot.intensity,
                                    spot.speed, number(cost.best_cycles()), cost.limiter));
    }

    struct Box {
        double left, top, right, bottom;

        bool meets(const Box& other) const {
            return left < other.right && other.left < right && top < other.bottom &&
                   other.top < bottom;
        }
        /// The nearest point of the box is within the circle.
        bool meets(double x, double y, double radius) const {
            const double dx = x - std::clamp(x, left, right), dy = y - std::clamp(y, top, bottom);
            return dx * dx + dy * dy < radius * radius;
        }
    };

    /// Does the line of the roofs go through the box?
    bool meets_roof(const Box& box) const {
        const auto roof = [&](double x) {
            const double part =
                (x - kRooflineLeft) / (kRooflineWidth - kRooflineLeft - kRooflineRight);
            const double intensity = low_x_ * std::pow(high_x_ / low_x_, part);
            return y_of(std::min(peak_, intensity * bus_));
        };
        return roof(box.right) < box.bottom && roof(box.left) > box.top;
    }

    /// A text that covers nothing else.
    bool label(double x, double y, const std::string& text, Drawing::Anchor anchor) {
        const double width = Drawing::text_width(text);
        const double left = anchor == Drawing::Anchor::start ? x
                            : anchor == Drawing::Anchor::end ? x - width
                                                             : x - width / 2;
        const Box box{left, y - 9, left + width, y + 2};
        if (box.right > kRooflineWidth - kRooflineRight || box.left < kRooflineLeft ||
            box.top < kRooflineTop || box.bottom > kRooflineTop + kRooflineHeight ||
            meets_roof(box))
            return false;
        for (const Spot& spot : spots_)
            if (box.meets(x_of(spot.intensity), y_of(spot.speed), radius_of(spot))) return false;
        for (const Box& other : labels_)
            if (box.meets(other)) return false;
        labels_.push_back(box);
        drawing_.text(x, y, text, "t", anchor);
        return true;
    }

    /// One text for spots that lie on each other.
    void draw_labels() {
        constexpr double kNear = 9;
        constexpr int kMostNames = 6;
        std::vector<bool> done(spots_.size());
        for (std::size_t i = 0; i < spots_.size(); ++i) {
            if (done[i]) continue;
            const double x = x_of(spots_[i].intensity), y = y_of(spots_[i].speed);
            double r = 0;
            std::set<int> nodes;
            for (std::size_t k = i; k < spots_.size(); ++k) {
                const double away =
                    std::hypot(x_of(spots_[k].intensity) - x, y_of(spots_[k].speed) - y);
                if (done[k] || away > kNear) continue;
                done[k] = true;
                r = std::max(r, away + radius_of(spots_[k]));
                nodes.insert(spots_[k].cost->node);
            }
            std::string text;
            int names = 0;
            for (const int node : nodes) {
                if (++names > kMostNames) break;
                text += fmt::format("{}{}", text.empty() ? "" : ", ", node);
            }
            if (names > kMostNames) text += ", ...";
            place(x, y, r, text);
        }
    }

    void place(double x, double y, double r, const std::string& text) {
        using Anchor = Drawing::Anchor;
        bool found = label(x + r + 3, y + 4, text, Anchor::start) ||
                     label(x - r - 3, y + 4, text, Anchor::end) ||
                     label(x, y + r + 12, text, Anchor::middle) ||
                     label(x, y - r - 5, text, Anchor::middle) ||
                     label(x + r, y + r + 12, text, Anchor::start) ||
                     label(x - r, y + r + 12, text, Anchor::end);
        for (int further = 1; !found && further < 5; ++further)
            found = label(x, y + r + 12 + 13 * further, text, Anchor::middle);
    }

    const ReportInput& input_;
    std::vector<Spot> spots_;
    double peak_ = 1, bus_ = 1, cycles_ = 0;
    double low_x_ = 1, high_x_ = 1, low_y_ = 1, high_y_ = 1;
    std::vector<Box> labels_;
    Drawing drawing_;
};

}  // namespace

std::string roofline_section(const ReportInput& input) {
    const compiler::Compiled& made = input.network.compiled;
    if (made.macs_per_cycle < 1 || made.bytes_per_cycle < 1) return "";
    const std::vector<OperatorCost> costs = operator_costs(input.network, input.measured);
    Roofline roofline(input, costs);
    if (roofline.empty()) return "";
    return fmt::format(
               "<section id=\"roofline\"><h2>Roofline</h2>\n<p>Operators that multiply, {}. "
               "Numbers "
               "are those of the operators, areas their cycles; bytes are those of the busier "
               "direction of the memory port.</p>\n",
               input.measured != nullptr ? "as measured" : "as estimated") +
           legend(roofline.limiters()) + roofline.draw() + "</section>\n";
}

}  // namespace macrame::network::report
