#pragma once
/// What a layer of the machine does, before it is cut into tiles and folds.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/systolic/requantise.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::compiler {

/// Whole numbers, rounded up.
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Where the elements of a tensor lie: channels in planes of `block`. Steps count bytes. Pixels
/// outside of height and width may exist: the border of a padded picture.
struct TensorLayout {
    std::int64_t base = 0;  ///< of pixel 0, 0, channel 0
    int height = 1, width = 1, channels = 1;
    int block = 1;
    int first = 0;    ///< channel 0 is this one of its planes
    int element = 1;  ///< bytes
    std::int64_t pixel = 1, line = 1, plane = 1;
    int repeats = 1;  ///< of each plane, one behind the other

    std::int64_t address(int y, int x, int channel) const {
        const int c = first + channel;
        return base + c / block / repeats * plane + y * line + x * pixel +
               c % block * std::int64_t{element};
    }
    /// Channels from `channel` to before `end` that lie together.
    int together(int channel, int end) const {
        return std::min(end - channel, block - (first + channel) % block);
    }
};

/// Channels of each pixel one behind the other, no gaps.
inline TensorLayout dense_layout(std::int64_t base, int height, int width, int channels,
                                 int element) {
    TensorLayout out;
    out.base = base;
    out.height = height;
    out.width = width;
    out.channels = channels;
    out.block = channels;
    out.element = element;
    out.pixel = std::int64_t{channels} * element;
    out.line = out.pixel * width;
    out.plane = out.line * height;
    return out;
}

/// A window that moves over height and width. Padding at the far ends is what the outputs need.
struct Window {
    int height = 1, width = 1;
    int stride_y = 1, stride_x = 1;
    int dilation_y = 1, dilation_x = 1;
    int top = 0, left = 0;
};

/// An operation of ALU on every sum, with an immediate.
struct PostOperation {
    AluOp op = AluOp::max;
    int immediate = 0;
};

/// The weight of a filter for a tap and a channel; zero where they do not meet.
using Weights = std::function<int(int filter, int row, int column, int channel)>;

/// A channel of an input whose planes are read several times, once for each term.
struct Reading {
    int channel = 0, term = 0;
};

/// Of channels in planes of `block`; channel 0 is number `first` of its plane, so what lies in
/// front of it has negative ones.
constexpr Reading reading_of(int channel, int block, int terms, int first) {
    return {channel / (block * terms) * block + channel % block - first, channel / block % terms};
}

/// Weights that are computed: for a channel of the input a row of a matrix that lies in memory.
struct Operand {
    TensorLayout matrix;  ///< a line of pixels
    /// A pixel has the weights of a channel for all filters; turned: those of a filter for all
    /// channels.
    bool turned = false;
    int rows = 1;  ///< channels that have one
    /// The input has `block` channels in a plane, which is read so often, the first time times the
    /// matrix, then times constant weights. Channel 0 is this one of its plane.
    int block = 1, terms = 1, first = 0;

    /// Is there a row for its channel? Planes have more.
    bool has(const Reading& reading) const {
        return reading.channel >= 0 && reading.channel < rows;
    }
    /// Of a channel of the input; none: its weights are constant.
    std::optional<int> row_of(int channel) const {
        const Reading reading = reading_of(channel, block, terms, first);
        if (reading.term > 0 || !has(reading)) return std::nullopt;
        return reading.channel;
    }
};

/// A convolution with what follows on its sums. Fully connected layers are convolutions of a pixel,
/// or of a window as large as their input.
struct ConvLayer {
    std::string name;
    TensorLayout input;
    TensorLayout output;  ///< behind the pool
    Window window;
    int out_height = 1, out_width = 1;  ///< of the convolution
    int groups = 1;
    int pad_value = 0;
    /// The padding lies in memory around the input.
    bool bordered = false;
    Weights weights;  ///< none: a program that only its cycles are wanted of
    /// Then `weights` has those that are constant; all taps have the same ones.
    std::optional<Operand> operand;
    std::vector<PostOperation> post;
    std::optional<Window> pool;  ///< largest sum of a window, without padding
    /// By filter; empty: sums are stored as they are.
    std::vector<Scale> scales;

    int filters() const { return output.channels; }
    /// The pool, or a window of one.
    Window last_window() const { return pool.value_or(Window()); }
    std::int64_t macs() const {
        const std::int64_t products = std::int64_t{out_height} * out_width * filters();
        if (operand) return products * operand->rows;
        return products * window.height * window.width * (input.channels / groups);
    }
};

}  // namespace macrame::systolic::compiler
