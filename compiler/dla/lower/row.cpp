/// Softmax, layer norm and RMS norm by ROW: docs/row.md has its numbers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/host_time.hpp"

namespace macrame::dla::compiler {

using model::RowMode;
using model::RowRecord;
using model::RowSettings;

namespace {

/// Of a record: 24 bits, signed; of `term` in units of a step of the output.
constexpr std::int64_t kMostFactor = (1 << 23) - 1;
constexpr int kTermBits = 15, kMostFactorBits = 20;
/// Bits that the unit shifts by more than `factor` has behind its point.
constexpr int kRowShift = 18;
/// The variance of a row, times the square of its length, has so many fraction bits.
constexpr int kEpsilonBits = 8;
/// The result of a norm is off by at most one for gains up to so many steps of the output: what
/// epsilon and the scale of a row lose by their last bits is less than a step before it is rounded.
constexpr double kMostGain = 256;

/// Throws where ROW cannot take the channels of each pixel as a row.
void check_rows(const Lowering& lowering, int index) {
    const model::Architecture& sizes = lowering.context.sizes;
    const graph::Node& n = lowering.node(index);
    const graph::Tensor &in = lowering.tensor(n.inputs[0]), &out = lowering.tensor(n.outputs[0]);
    const std::string_view name = graph::name_of(n.op);
    if (!sizes.row) throw Unsupported{fmt::format("{}: want the row unit (row-enable)", name)};
    const auto int8 = [](const graph::Tensor& t) {
        return t.type == graph::Type::int8 && t.quantisation.scale.size() == 1;
    };
    if (!int8(in) || !int8(out)) throw Unsupported{fmt::format("{}: want int8", name)};
    const int channels = in.shape.empty() ? 1 : in.shape.back();
    if (shape_of(in).channels != channels)
        throw Unsupported{fmt::format("{}: rows of {} axes: want at most three that are not 1",
                                      name, in.shape.size())};
    if (channels > sizes.row_length)
        throw Unsupported{fmt::format("{} of {} channels: want at most {} (row-length)", name,
                                      channels, sizes.row_length)};
}

/// Not what is to have the values of the reference: its results may be off by one.
void check_exact(const Lowering& lowering, int index) {
    if (lowering.context.options.exact)
        throw Unsupported{fmt::format("{}: the row unit may be off by one: want it not exact",
                                      graph::name_of(lowering.node(index).op))};
}

/// `most`: by how much results may differ from those of the reference.
void add_rows(Lowering& lowering, int index, const RowSettings& settings, int most) {
    const Location in = lowering.location_of(lowering.node(index).inputs[0]);
    Location& made = lowering.add_output(index, in.cube.width, in.cube.height, in.cube.channels);
    made.writers = lowering.build.add_row(in.cube, settings, made.cube, in.writers);
    const std::uint64_t host =
        macrame::compiler::host_cycles(lowering.context.graph, lowering.node(index));
    for (const int layer : made.writers)
        lowering.build.layers[at(layer)].choice = fmt::format("host: {} cycles", host);
    const int channels = in.cube.channels;
    lowering.build.exactness.push_back(
        {index, "row unit", channels, most == 0 ? channels : 0, 0, 0, most});
}

/// exp(-difference) of a softmax in units of 2^-31: its upper digits and 14 below.
RowRecord exponential(std::int64_t e) {
    return {static_cast<std::int32_t>(e >> 14), static_cast<std::int32_t>(e & 0x3fff)};
}

std::vector<RowRecord> exponentials(const Lowering& lowering, const graph::Node& n) {
    const graph::Tensor& in = lowering.tensor(n.inputs[0]);
    const auto& op = std::get<graph::Softmax>(n.op);
    std::vector<RowRecord> out;
    if (lowering.context.graph.rounding == graph::Rounding::tflite) {
        for (const std::int32_t e : graph::softmax_table(in, op))
            out.push_back(exponential(e));
        return out;
    }
    constexpr std::int64_t kOne = std::numeric_limits<std::int32_t>::max();
    for (const double e : graph::real_softmax_table(in, op))
        out.push_back(exponential(std::min<std::int64_t>(std::llround(std::ldexp(e, 31)), kOne)));
    return out;
}

/// By how much a softmax may differ from real values that are rounded once. ROW has 256 steps for
/// 1, and rounds the exponentials of the sum, which is at least 1, to 2^-19.
int most_apart(const graph::Tensor& out, int channels) {
    const double steps = std::fabs(256 - 1 / double{out.quantisation.scale[0]});
    const double sum = std::ldexp(channels, -20);
    constexpr double kRest = 0.001;  // of the fixed point behind it
    return static_cast<int>(std::min(100.0, steps + 256 * sum + kRest)) + 1;
}

/// A constant of an operator for each channel.
std::vector<double> per_channel(const Lowering& lowering, int index, std::size_t input,
                                std::size_t channels, double missing) {
    const graph::Graph& graph = lowering.context.graph;
    const graph::Node& n = lowering.node(index);
    if (n.inputs.size() <= input || n.inputs[input] == graph::kNone)
        return std::vector<double>(channels, missing);
    const graph::Tensor& tensor = lowering.tensor(n.inputs[input]);
    if (!tensor.constant)
        throw Unsupported{
            fmt::format("{}: {} is computed: want a constant", graph::name_of(n.op), tensor.name)};
    std::vector<const graph::Bytes*> inputs(n.inputs.size(), nullptr);
    inputs[input] = &tensor.data.bytes();
    const std::vector<float> values = graph::Call{graph, n, inputs}.reals(input);
    return {values.begin(), values.end()};
}

}  // namespace

void lower_softmax(Lowering& lowering, int index) {
    check_rows(lowering, index);
    const graph::Node& n = lowering.node(index);
    const graph::Tensor& out = lowering.tensor(n.outputs[0]);
    if (!(std::get<graph::Softmax>(n.op).beta > 0))
        throw Unsupported{"softmax: want a beta above 0"};
    const bool exact = lowering.context.graph.rounding == graph::Rounding::tflite;
    const int most = exact ? 0 : most_apart(out, lowering.tensor(n.inputs[0]).shape.back());
    if (!exact) check_exact(lowering, index);
    if (most > 2)
        throw Unsupported{
            fmt::format("softmax to a scale of {}: want about 1/256", out.quantisation.scale[0])};
    RowSettings settings;
    settings.mode = RowMode::softmax;
    settings.out_offset = zero_point(out);
    settings.records = exponentials(lowering, n);
    add_rows(lowering, index, settings, most);
}

void lower_norm(Lowering& lowering, int index) {
    check_rows(lowering, index);
    check_exact(lowering, index);
    const graph::Node& n = lowering.node(index);
    const auto& op = std::get<graph::Norm>(n.op);
    const graph::Tensor &in = lowering.tensor(n.inputs[0]), &out = lowering.tensor(n.outputs[0]);
    if (op.axis != static_cast<int>(in.shape.size()) - 1)
        throw Unsupported{fmt::format("norm from axis {} on: want the last one", op.axis)};
    const auto channels = static_cast<double>(in.shape.back());
    const double in_scale = double{in.quantisation.scale[0]};
    const double out_scale = double{out.quantisation.scale[0]};
    std::vector<double> gains = per_channel(lowering, index, 1, at(in.shape.back()), 1);
    std::vector<double> terms = per_channel(lowering, index, 2, at(in.shape.back()), 0);
    double most = 0;
    for (double& gain : gains) {
        gain /= out_scale;
        most = std::max(most, std::fabs(gain));
    }
    if (!(most <= kMostGain))
        throw Unsupported{fmt::format("norm with a gain of {} steps of the output: want at most {}",
                                      most, kMostGain)};
    int bits = kMostFactorBits;
    while (std::ldexp(most, bits) > static_cast<double>(kMostFactor))
        --bits;

    RowSettings settings;
    settings.mode = op.centred ? RowMode::layer_norm : RowMode::rms_norm;
    settings.in_offset = op.centred ? 0 : zero_point(in);
    settings.shift = kRowShift + bits;
    const double epsilon =
        std::ldexp(double{op.epsilon} * channels * channels / (in_scale * in_scale), kEpsilonBits);
    if (!(epsilon < 4294967295.0))
        throw Unsupported{fmt::format("norm with an epsilon of {} beside a scale of {}: want less",
                                      op.epsilon, in_scale)};
    settings.epsilon = static_cast<std::uint32_t>(std::max(1LL, std::llround(epsilon)));
    for (std::size_t c = 0; c < gains.size(); ++c) {
        const double term = std::ldexp(terms[c] / out_scale + zero_point(out), kTermBits);
        if (!(std::fabs(term) <= static_cast<double>(kMostFactor)))
            throw Unsupported{
                fmt::format("norm with an offset of {} steps of the output: want less than 256",
                            terms[c] / out_scale)};
        settings.records.push_back(
            {static_cast<std::int32_t>(std::llround(std::ldexp(gains[c], bits))),
             static_cast<std::int32_t>(std::llround(term))});
    }
    add_rows(lowering, index, settings, 1);
}

}  // namespace macrame::dla::compiler
