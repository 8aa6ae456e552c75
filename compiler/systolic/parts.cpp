#include "compiler/systolic/parts.hpp"

#include <algorithm>
#include <cstddef>

namespace macrame::systolic::compiler {

namespace {

/// Outputs from `first` on.
struct Piece {
    int first, count;
};

/// Of a count, in multiples of `step`.
std::vector<Piece> pieces(int count, int parts, int step) {
    const int size = ceil_div(ceil_div(count, parts), step) * step;
    std::vector<Piece> out;
    for (int first = 0; first < count; first += size)
        out.push_back({first, std::min(size, count - first)});
    return out;
}

/// The lines that windows reach from one of them on: they begin in the padding, or at a line.
void begin_at(TensorLayout& input, Window& window, int first) {
    const int line = first * window.stride_y - window.top;
    window.top = std::max(0, -line);
    input.base += std::max(0, line) * input.line;
    input.height -= std::max(0, line);
}

void take_rows(TensorLayout& output, const Piece& rows) {
    output.base += rows.first * output.line;
    output.height = rows.count;
}

void take_channels(TensorLayout& surface, const Piece& channels) {
    surface.first += channels.first;
    surface.channels = channels.count;
}

void take_filters(Operand& operand, const Piece& filters) {
    TensorLayout& matrix = operand.matrix;
    if (operand.turned) {
        matrix.base += filters.first * matrix.pixel;
        matrix.width = filters.count;
    } else {
        take_channels(matrix, filters);
    }
}

}  // namespace

std::vector<ConvLayer> cut(const ConvLayer& layer, int parts) {
    std::vector<ConvLayer> out;
    if (layer.output.height > 1) {
        const Window last = layer.last_window();
        for (const Piece& rows : pieces(layer.output.height, parts, 1)) {
            ConvLayer part = layer;
            take_rows(part.output, rows);
            part.out_height = (rows.count - 1) * last.stride_y + last.height;
            begin_at(part.input, part.window, rows.first * last.stride_y);
            out.push_back(std::move(part));
        }
        return out;
    }
    if (layer.groups > 1) return {layer};
    // Whole folds of filters of any array: a plane of the output has as many as there are columns.
    for (const Piece& filters : pieces(layer.filters(), parts, layer.output.block)) {
        ConvLayer part = layer;
        take_channels(part.output, filters);
        if (layer.weights)
            part.weights = [all = layer.weights, first = filters.first](
                               int m, int r, int s, int c) { return all(first + m, r, s, c); };
        if (part.operand) take_filters(*part.operand, filters);
        const auto begin = layer.scales.begin() + filters.first;
        if (!layer.scales.empty()) part.scales = {begin, begin + filters.count};
        out.push_back(std::move(part));
    }
    return out;
}

std::vector<AluLayer> cut(const AluLayer& layer, int parts) {
    std::vector<AluLayer> out;
    if (layer.output.height > 1) {
        for (const Piece& rows : pieces(layer.output.height, parts, 1)) {
            AluLayer part = layer;
            take_rows(part.output, rows);
            for (TensorLayout& input : part.inputs) {
                part.window = layer.window;
                begin_at(input, part.window, rows.first);
            }
            out.push_back(std::move(part));
        }
        return out;
    }
    for (const Piece& channels : pieces(layer.output.channels, parts, layer.output.block)) {
        AluLayer part = layer;
        take_channels(part.output, channels);
        for (TensorLayout& input : part.inputs)
            take_channels(input, channels);
        if (layer.scale)
            part.scale = [all = layer.scale, first = channels.first](int channel, int elements) {
                return all(first + channel, elements);
            };
        out.push_back(std::move(part));
    }
    return out;
}

}  // namespace macrame::systolic::compiler
