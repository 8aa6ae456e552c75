#include <algorithm>
#include <cstddef>
#include <numeric>

#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

namespace {

/// Floor, for numbers of any sign.
int floor_div(int a, int b) { return a >= 0 ? a / b : -ceil_div(-a, b); }

/// A part of `all`.
Group part(int number, int size, int all) {
    return {number * size, std::min(all, (number + 1) * size)};
}

/// An axis of a layer: what lines and folds of it depend on.
struct Axis {
    int size, stride, dilation, padding;
    bool bordered;
};

/// `tap`: of a fold along the axis.
Line line_of(const Axis& axis, int first, int outputs, const Image& image, int Fold::*tap) {
    const auto before = [&](const Fold& a, const Fold& b) { return a.*tap < b.*tap; };
    const auto [least, most] = std::minmax_element(image.folds.begin(), image.folds.end(), before);
    const int low = (*least).*tap, high = (*most).*tap;
    Line line;
    line.step = axis.stride;
    for (const Fold& fold : image.folds)
        line.step = std::gcd(line.step, (fold.*tap - low) * axis.dilation);
    line.first = first * axis.stride - axis.padding + low * axis.dilation;
    const int span = (outputs - 1) * axis.stride + (high - low) * axis.dilation;
    line.count = span / line.step + 1;
    if (axis.bordered) return line;
    // What lies inside.
    const int skipped = std::max(0, ceil_div(-line.first, line.step));
    const int end = floor_div(axis.size - 1 - line.first, line.step) + 1;
    line.first += skipped * line.step;
    line.count = std::max(0, std::min(line.count, end) - skipped);
    return line;
}

LineFold fold_of(const Axis& axis, int first, int outputs, const Line& line, int tap) {
    const int start = first * axis.stride - axis.padding + tap * axis.dilation;
    LineFold fold;
    fold.begin = floor_div(start - line.first, line.step);
    fold.step = axis.stride / line.step;
    if (axis.bordered) return fold;
    fold.before = std::clamp(ceil_div(std::max(0, -start), axis.stride), 0, outputs);
    const int last = start + (outputs - 1) * axis.stride;
    fold.behind = std::clamp(ceil_div(std::max(0, last - (axis.size - 1)), axis.stride), 0,
                             outputs - fold.before);
    return fold;
}

Axis axis_y(const ConvLayer& layer) {
    const Window& w = layer.window;
    return {layer.input.height, w.stride_y, w.dilation_y, w.top, layer.bordered};
}

Axis axis_x(const ConvLayer& layer) {
    const Window& w = layer.window;
    return {layer.input.width, w.stride_x, w.dilation_x, w.left, layer.bordered};
}

}  // namespace

Plan::Plan(const Architecture& architecture, const ConvLayer& layer, const Tiling& tiling)
    : architecture_(architecture),
      layer_(layer),
      tiling_(tiling),
      channel_folds_(ceil_div(layer.input.channels, architecture.rows)),
      filter_folds_(ceil_div(layer.filters(), architecture.columns)),
      tile_rows_(ceil_div(layer.output.height, tiling.rows)),
      tile_columns_(ceil_div(layer.output.width, tiling.columns)) {
    measure();
}

Tile Plan::tile(int index) const {
    const Window pool = layer_.last_window();
    Tile tile;
    tile.row = index / tile_columns_ * tiling_.rows;
    tile.column = index % tile_columns_ * tiling_.columns;
    tile.rows = std::min(tiling_.rows, layer_.output.height - tile.row);
    tile.columns = std::min(tiling_.columns, layer_.output.width - tile.column);
    tile.sum_row = tile.row * pool.stride_y;
    tile.sum_column = tile.column * pool.stride_x;
    tile.sum_rows = (tile.rows - 1) * pool.stride_y + pool.height;
    tile.sum_columns = (tile.columns - 1) * pool.stride_x + pool.width;
    return tile;
}

int Plan::channels(int fold) const {
    return std::min(architecture_.rows, layer_.input.channels - fold * architecture_.rows);
}

int Plan::filters(int fold) const {
    return std::min(architecture_.columns, layer_.filters() - fold * architecture_.columns);
}

Group Plan::filters_of(int group) const { return part(group, tiling_.filter_folds, filter_folds_); }

Group Plan::channels_of(int group) const {
    return part(group, tiling_.channel_folds, channel_folds_);
}

bool Plan::meet(int filter_fold, int channel_fold) const {
    if (layer_.groups == 1) return true;
    const int filters_of_group = layer_.filters() / layer_.groups;
    const int channels_of_group = layer_.input.channels / layer_.groups;
    const int first = filter_fold * architecture_.columns;
    const int first_channel = channel_fold * architecture_.rows;
    const int first_group = first / filters_of_group;
    const int last_group = (first + filters(filter_fold) - 1) / filters_of_group;
    return first_channel < (last_group + 1) * channels_of_group &&
           first_channel + channels(channel_fold) > first_group * channels_of_group;
}

Line Plan::line_y(const Tile& tile, const Image& image) const {
    return line_of(axis_y(layer_), tile.sum_row, tile.sum_rows, image, &Fold::row);
}

Line Plan::line_x(const Tile& tile, const Image& image) const {
    return line_of(axis_x(layer_), tile.sum_column, tile.sum_columns, image, &Fold::column);
}

LineFold Plan::fold_y(const Tile& tile, const Line& line, const Fold& fold) const {
    return fold_of(axis_y(layer_), tile.sum_row, tile.sum_rows, line, fold.row);
}

LineFold Plan::fold_x(const Tile& tile, const Line& line, const Fold& fold) const {
    return fold_of(axis_x(layer_), tile.sum_column, tile.sum_columns, line, fold.column);
}

void Plan::measure() {
    for (const Image& image : tiling_.cover) {
        // No tile has more than one of full size away from the padding.
        const Tile full = tile(0);
        Axis y = axis_y(layer_), x = axis_x(layer_);
        y.bordered = x.bordered = true;
        const int most_rows = line_of(y, 0, full.sum_rows, image, &Fold::row).count;
        const int most_columns = line_of(x, 0, full.sum_columns, image, &Fold::column).count;
        int rows = 0, columns = 0;
        for (int i = 0; i < tile_rows_ && rows < most_rows; ++i)
            rows = std::max(rows, line_y(tile(i * tile_columns_), image).count);
        for (int i = 0; i < tile_columns_ && columns < most_columns; ++i)
            columns = std::max(columns, line_x(tile(i), image).count);
        input_slot_ = std::max(input_slot_, rows * columns * tiling_.channel_folds);
    }
    const int filter_folds = std::min(tiling_.filter_folds, filter_folds_);
    for (const Image& image : tiling_.cover) {
        const int folds = std::min(tiling_.folds, static_cast<int>(image.folds.size()));
        weight_slot_ = std::max(
            weight_slot_, filter_folds * tiling_.channel_folds * folds * active_rows(image, 0));
    }
    output_slot_ = filter_folds * tile(0).sums();
}

int Plan::input_slots() const { return architecture_.ibuf_entries / std::max(1, input_slot_); }

int Plan::weight_slots() const { return architecture_.wbuf_entries / weight_slot_; }

/// A half each, or both as one.
int Plan::output_slots() const {
    if (output_slot_ <= architecture_.obuf_entries / 2) return 2;
    return output_slot_ <= architecture_.obuf_entries ? 1 : 0;
}

int Plan::scale_slots() const { return kScaleSets / tiling_.filter_folds; }

bool Plan::fits() const {
    const int most_scales = layer_.scales.empty() ? filter_folds_ : kScaleSets;
    return input_slots() > 0 && weight_slots() > 0 && output_slots() > 0 &&
           tiling_.filter_folds <= most_scales;
}

}  // namespace macrame::systolic::compiler
