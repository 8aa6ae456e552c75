#include "compiler/systolic/tap_packing.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace macrame::systolic::compiler {

namespace {

constexpr std::size_t kCandidates = 4;

/// A part of a kernel.
struct Part {
    int row, column, height, width;
};

/// Rectangles over a part; the last ones are moved back so that none leaves it.
Image over(const Part& part, int height, int width) {
    Image image{height, width, {}};
    for (int row = 0; row < part.height; row += height)
        for (int column = 0; column < part.width; column += width)
            image.folds.push_back({part.row + std::min(row, part.height - height),
                                   part.column + std::min(column, part.width - width),
                                   {}});
    return image;
}

/// All rectangles of up to `most` taps over a part.
std::vector<Image> images(const Part& part, int most) {
    std::vector<Image> out;
    for (int height = 1; height <= part.height; ++height)
        for (int width = 1; width <= part.width && height * width <= most; ++width)
            out.push_back(over(part, height, width));
    return out;
}

/// The first fold that covers a tap has it.
void give_out(Cover& cover, int kernel_height, int kernel_width) {
    std::vector<bool> taken(static_cast<std::size_t>(kernel_height * kernel_width));
    for (Image& image : cover) {
        for (Fold& fold : image.folds) {
            for (int tap = 0; tap < image.taps(); ++tap) {
                const int row = fold.row + tap / image.width;
                const auto at = static_cast<std::size_t>(row * kernel_width + fold.column +
                                                         tap % image.width);
                fold.own.push_back(!taken[at]);
                taken[at] = true;
            }
        }
    }
}

std::size_t folds(const Cover& cover) {
    std::size_t sum = 0;
    for (const Image& image : cover)
        sum += image.folds.size();
    return sum;
}

/// Vectors that LOAD brings for a pixel.
int loads(const Cover& cover) {
    int sum = 0;
    for (const Image& image : cover)
        sum += image.taps();
    return sum;
}

}  // namespace

std::vector<Cover> covers(int kernel_height, int kernel_width, int most) {
    const Part all{0, 0, kernel_height, kernel_width};
    std::vector<Cover> found;
    for (const Image& image : images(all, most)) {
        if (image.taps() == 1) continue;
        found.push_back({image});
        // What is left at the right or below, with a rectangle of its own.
        const int width = kernel_width / image.width * image.width;
        const int height = kernel_height / image.height * image.height;
        const Part right{0, width, kernel_height, kernel_width - width};
        const Part below{height, 0, kernel_height - height, kernel_width};
        if (right.width > 0)
            for (const Image& rest : images(right, most))
                found.push_back({over({0, 0, kernel_height, width}, image.height, image.width),
                                 rest});
        if (below.height > 0)
            for (const Image& rest : images(below, most))
                found.push_back({over({0, 0, height, kernel_width}, image.height, image.width),
                                 rest});
    }
    std::stable_sort(found.begin(), found.end(), [](const Cover& a, const Cover& b) {
        return std::make_pair(folds(a), loads(a)) < std::make_pair(folds(b), loads(b));
    });
    if (found.size() > kCandidates) found.resize(kCandidates);
    found.insert(found.begin(), {over(all, 1, 1)});
    for (Cover& cover : found)
        give_out(cover, kernel_height, kernel_width);
    return found;
}

std::vector<Cover> split_covers(int kernel_height, int kernel_width) {
    std::vector<Cover> out;
    int height = kernel_height, width = kernel_width;
    while (height > 1 || width > 1) {
        int& size = height > 1 ? height : width;
        size = (size + 1) / 2;
        Cover cover;
        for (int row = 0; row < kernel_height; row += height)
            for (int column = 0; column < kernel_width; column += width)
                cover.push_back(over({row, column, std::min(height, kernel_height - row),
                                      std::min(width, kernel_width - column)},
                                     1, 1));
        give_out(cover, kernel_height, kernel_width);
        out.push_back(std::move(cover));
    }
    return out;
}

}  // namespace macrame::systolic::compiler
