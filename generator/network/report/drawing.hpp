#pragma once
/// Pictures of reports, SVG whose colours are style classes of the page.

#include <string>
#include <string_view>
#include <vector>

namespace macrame::network::report {

class Drawing {
public:
    /// `title` is what browsers show for it.
    void rect(double x, double y, double width, double height, std::string_view style,
              std::string_view title = "");
    void line(double x1, double y1, double x2, double y2, std::string_view style);
    /// Corners of a polyline.
    struct Point {
        double x, y;
    };
    void path(const std::vector<Point>& points, std::string_view style);
    /// The area within these corners.
    void area(const std::vector<Point>& points, std::string_view style);
    void circle(double x, double y, double radius, std::string_view style, std::string_view title);
    enum class Anchor { start, middle, end };
    void text(double x, double y, std::string_view text, std::string_view style = "t",
              Anchor anchor = Anchor::start);

    /// The picture; it is not made narrower than `least` pixels, its frame scrolls then.
    std::string finish(int width, int height, std::string_view label, int least) const;

    /// Width of small text (11 px) at most.
    static double text_width(std::string_view text);

private:
    void corners(std::string_view tag, const std::vector<Point>& points, std::string_view style);

    std::string body_;
};

/// Round steps for an axis up to `most`, about `count` of them.
double nice_step(double most, int count);

}  // namespace macrame::network::report
