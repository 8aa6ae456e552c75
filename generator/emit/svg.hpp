#pragma once
/// A small writer of SVG pictures: boxes, text, right-angled lines with arrow heads.

#include <string>
#include <string_view>
#include <vector>

namespace macrame::emit {

struct Point {
    int x = 0, y = 0;
};

class Svg {
public:
    /// Width that a text of this size needs at most, with fonts without serifs.
    static int text_width(std::string_view text, int size);

    void box(int x, int y, int width, int height, std::string_view colour);
    /// Black, or in a colour.
    void text(int x, int y, int size, std::string_view text, std::string_view colour = "#222");
    void bold(int x, int y, int size, std::string_view text);
    /// A line through these points; `title` is what browsers show for it.
    void line(const std::vector<Point>& points, std::string_view colour, int width,
              std::string_view title = "");
    /// The head of an arrow that comes from `from` and ends at `tip`, on the same line.
    void head(Point from, Point tip, std::string_view colour);

    /// The picture.
    std::string finish(int width, int height, std::string_view title) const;

private:
    std::string body_;
};

}  // namespace macrame::emit
