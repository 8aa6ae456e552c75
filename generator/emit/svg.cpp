#include "emit/svg.hpp"

#include <fmt/format.h>

#include "text/xml.hpp"

namespace macrame::emit {

namespace {

int sign(int value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

int Svg::text_width(std::string_view text, int size) {
    return static_cast<int>(text.size()) * size * 56 / 100;
}

void Svg::box(int x, int y, int width, int height, std::string_view colour) {
    body_ += fmt::format(
        "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\"/>\n",
        x, y, width, height, colour);
}

void Svg::text(int x, int y, int size, std::string_view text, std::string_view colour) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n", x, y,
                         size, colour, text::xml_escaped(text));
}

void Svg::bold(int x, int y, int size, std::string_view text) {
    body_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"bold\" fill=\"#222\">{}</text>\n",
        x, y, size, text::xml_escaped(text));
}

void Svg::line(const std::vector<Point>& points, std::string_view colour, int width,
               std::string_view title) {
    std::string list;
    for (const Point& point : points)
        list += fmt::format("{}{},{}", list.empty() ? "" : " ", point.x, point.y);
    const std::string inside =
        title.empty() ? "" : fmt::format("<title>{}</title>", text::xml_escaped(title));
    body_ += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\">{}</polyline>\n",
        list, colour, width, inside);
}

void Svg::head(Point from, Point tip, std::string_view colour) {
    constexpr int kLength = 8;
    constexpr int kHalf = 4;
    const int dx = sign(tip.x - from.x), dy = sign(tip.y - from.y);
    const Point base = {tip.x - kLength * dx, tip.y - kLength * dy};
    body_ += fmt::format("<polygon points=\"{},{} {},{} {},{}\" fill=\"{}\"/>\n", tip.x, tip.y,
                         base.x + kHalf * dy, base.y + kHalf * dx, base.x - kHalf * dy,
                         base.y - kHalf * dx, colour);
}

std::string Svg::finish(int width, int height, std::string_view title) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\">\n"
        "<title>{2}</title>\n"
        "<style>.box {{ stroke: #444; stroke-width: 1.2; }}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{3}</svg>\n",
        width, height, text::xml_escaped(title), body_);
}

}  // namespace macrame::emit
