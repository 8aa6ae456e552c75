#include "network/report/drawing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "emit/svg.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

namespace {

/// At most two digits behind the point, none that say nothing.
std::string coordinate(double value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string end_of(std::string_view tag, std::string_view title) {
    if (title.empty()) return "/>\n";
    return fmt::format("><title>{}</title></{}>\n", text::xml_escaped(title), tag);
}

}  // namespace

void Drawing::rect(double x, double y, double width, double height, std::string_view style,
                   std::string_view title) {
    body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"{})", style,
                         coordinate(x), coordinate(y), coordinate(width), coordinate(height),
                         end_of("rect", title));
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view style) {
    body_ += fmt::format(R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>)"
                         "\n",
                         style, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
}

void Drawing::path(const std::vector<Point>& points, std::string_view style) {
    corners("polyline", points, style);
}

void Drawing::area(const std::vector<Point>& points, std::string_view style) {
    corners("polygon", points, style);
}

void Drawing::corners(std::string_view tag, const std::vector<Point>& points,
                      std::string_view style) {
    std::string list;
    for (const Point& point : points)
        list += fmt::format("{}{},{}", list.empty() ? "" : " ", coordinate(point.x),
                            coordinate(point.y));
    body_ += fmt::format("<{} class=\"{}\" points=\"{}\"/>\n", tag, style, list);
}

void Drawing::circle(double x, double y, double radius, std::string_view style,
                     std::string_view title) {
    body_ += fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="{}"{})", style, coordinate(x),
                         coordinate(y), coordinate(radius), end_of("circle", title));
}

void Drawing::text(double x, double y, std::string_view text, std::string_view style,
                   Anchor anchor) {
    const std::string_view where = anchor == Anchor::start    ? ""
                                   : anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                              : " text-anchor=\"end\"";
    body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n", style, coordinate(x),
                         coordinate(y), where, text::xml_escaped(text));
}

std::string Drawing::finish(int width, int height, std::string_view label, int least) const {
    return fmt::format(
        "<div class=\"scroll\"><svg viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"{2}\" style=\"min-width:{3}px;max-width:{0}px\">\n{4}</svg>"
        "</div>\n",
        width, height, text::xml_escaped(label), least, body_);
}

double Drawing::text_width(std::string_view text) {
    return static_cast<double>(emit::Svg::text_width(text, 11));
}

double nice_step(double most, int count) {
    const double raw = most / count;
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0})
        if (raw <= step * decade) return step * decade;
    return 10 * decade;
}

}  // namespace macrame::network::report
