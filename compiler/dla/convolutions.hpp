#pragma once
/// The convolutions that operators become, with what SDP is to make of them: functions of the graph
/// and of the sizes of what is read. Lowering gives them their places.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/dla/context.hpp"
#include "compiler/dla/location.hpp"
#include "compiler/dla/requantise.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

/// Some groups of a convolution as one layer.
struct GroupedConv {
    int input = 0, inputs = 0;    ///< channels: the first, how many
    int kernel = 0, kernels = 0;  ///< the same of the output
    ConvLayer layer;              ///< with its input repeated for the terms of weights
    LayerTarget target;
};

/// A convolution; throws Unsupported where there are no layers for it.
class ConvParts {
public:
    /// `in` has its border already where border() wants one.
    ConvParts(const Context& context, int index, const Location& in, bool bordered);

    /// The layer whose padding has to be a border in memory. Without a value: none has to.
    static std::optional<ConvLayer> border(const Context& context, int index, const Location& in);
    /// What lies in memory then, to be placed.
    static Location with_border(const model::Architecture& sizes, const ConvLayer& conv);

    const std::vector<GroupedConv>& all() const { return all_; }
    int terms() const { return terms_; }
    /// [kernel][row][column][channel], with zeros where groups do not meet.
    std::vector<std::int8_t> weights(const GroupedConv& part);
    std::uint64_t macs(const GroupedConv& part) const;

private:
    LayerTarget target(int first, int count) const;

    const Context& context_;
    const int index_;
    const graph::Node& node_;
    std::vector<std::int16_t> distances_;  ///< where weights() was called
    int terms_ = 1;
    int group_in_ = 1, group_out_ = 1, positions_ = 1;
    std::optional<PixelForm> form_;
    std::vector<GroupedConv> all_;
};

/// A fully connected layer: `in` as it lies, repeated for the terms of its weights.
struct FullyConnectedConv {
    ConvLayer layer;
    LayerTarget target;
    Cube input;                 ///< a row of pixels where the vector is longer than registers count
    bool row = false;           ///< it is that
    int height = 1, width = 1;  ///< of the output in memory
};
/// Throws Unsupported where rows are not what the weights are for; `in` is not repeated.
void check_fully_connected(const Context& context, int index, const Cube& in);
FullyConnectedConv fully_connected(const Context& context, int index, const Cube& in, int terms);

/// A transposed convolution. Each phase of the output - lines and columns with the same remainder
/// of the stride - is a convolution, or one has the kernels of all phases.
class TransposedConv {
public:
    /// `in` is repeated for the terms of the weights.
    TransposedConv(const Context& context, int index, const Cube& in);
    static int terms(const Context& context, int index);

    /// One axis of a phase, or of all phases at once.
    struct Axis {
        int first = 0, count = 0;  ///< positions of the output: first, first + stride, ...
        int taps = 0;
        int begin = 0, size = 0;  ///< of the input
        int before = 0, behind = 0;
    };
    struct Part {
        Axis rows, columns;
        ConvLayer layer;
        std::vector<std::int8_t> weights;
        LayerTarget target;
        std::uint64_t macs = 0;
    };
    std::vector<Part> phases() const;  ///< those that have something
    Part at_once() const;
    /// May RUBIK bring the phases together?
    bool can_contract() const;
    const graph::Window& window() const { return window_; }
    int count() const { return window_.stride_h * window_.stride_w; }
    /// Channels of a phase, with those that fill its last atom.
    int atoms() const { return atoms_; }

private:
    Axis row_axis(int phase) const;
    Axis column_axis(int phase) const;
    ConvLayer layer(const Axis& rows, const Axis& columns) const;
    void add_kernel(const ConvLayer& conv, int phase, int k, Part& part) const;
    std::uint64_t macs(const Axis& rows, const Axis& columns) const;

    const Context& context_;
    const graph::Node& node_;
    const graph::Window& window_;
    const Cube in_;
    const Shape out_;
    const int zero_;
    const std::vector<double> factors_;
    std::vector<std::int8_t> weights_;
    LayerTarget target_;
    int atoms_ = 0;
};

/// What a mean is to do with the sum of its values.
struct MeanTarget {
    graph::Window window;
    bool over_channels = false;
    ChannelTarget channel;
    LayerTarget target;  ///< without channels
};
MeanTarget mean_target(const Context& context, int index, const Cube& in);

/// Weights as sums of so many of eight bits, for an input that is there as often.
std::vector<std::int8_t> split(const model::Architecture& sizes,
                               const std::vector<std::int16_t>& weights, int channels, int terms);

}  // namespace macrame::dla::compiler
