/// SVDF and LSTM of float32, with weights of float32 or, dynamic range quantisation, of int8: as
/// steps of other operators.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::Function;
using graph::kNone;
using graph::TensorId;
using graph::Type;

namespace {

constexpr std::size_t kFeature = 1, kTime = 2, kSvdfBias = 3, kSvdfState = 4;
// Of LSTM: input, 4 and 4 weights, 3 peepholes, 4 biases, 2 of a projection, output and state.
constexpr std::size_t kInputWeights = 1, kOutputWeights = 5, kBiases = 12, kLastOutput = 18,
                      kCells = 19;
constexpr int kMostSteps = 2048;

}  // namespace

TensorId TfliteImporters::real_part(TfliteReader& r, const Op& op, graph::Operator what,
                                    std::vector<TensorId> inputs, std::vector<int> shape) {
    const TensorId to = new_part(r, op, Type::float32, std::move(shape));
    r.add(op, std::move(what), std::move(inputs), {to});
    return to;
}

/// Rows times weights, and a bias or kNone. The reference quantises each row of values by itself
/// where weights are int8.
TensorId TfliteImporters::connected(TfliteReader& r, const Op& op, TensorId x, TensorId weights,
                                    TensorId bias, bool symmetric) {
    const graph::Tensor w = r.tensor(weights);
    const std::vector<int> from = r.tensor(x).shape;
    if (w.shape.size() != 2 || w.shape[1] != from[1])
        throw Refusal{fmt::format("weights {} of shape {} for {} values: want kernels x values",
                                  w.name, graph::text_of(w.shape), from[1])};
    const std::vector<int> shape = {from[0], w.shape[0]};
    if (w.type == Type::float32)
        return real_part(r, op, graph::FullyConnected{}, {x, weights, bias}, shape);
    const TensorId scales = scales_of(r, op, w), sums = new_part(r, op, Type::int32, shape);
    const Quantised numbers = quantised(r, op, x, symmetric);
    r.add(op, graph::FullyConnected{}, {numbers.numbers, weights, kNone}, {sums});
    const TensorId real =
        product(r, op, real_sums(r, op, sums), product(r, op, numbers.scales, scales));
    if (bias == kNone) return real;
    return real_part(r, op, graph::Binary{Arithmetic::add, {}}, {real, bias}, shape);
}

/// The state: features of some steps in a row for each filter.
void TfliteImporters::svdf_in_steps(TfliteReader& r, const Op& op, int rank, bool symmetric,
                                    graph::Activation activation) {
    const TensorId state = r.input(op, kSvdfState), to = r.output(op);
    const graph::Tensor of_state = r.tensor(state), time = r.tensor(r.input(op, kTime));
    const int batch = r.tensor(r.input(op, 0)).shape.at(0);
    if (time.shape.size() != 2 || rank < 1 || time.shape[0] % rank != 0 ||
        of_state.type != Type::float32 || of_state.elements() != time.elements() * at(batch))
        throw Refusal{
            fmt::format("state {} of {} for weights of time {}, rank {}: want float32, as "
                        "many steps of each filter, and a divisor of the filters",
                        graph::text_of(of_state.shape), name_of(of_state.type),
                        graph::text_of(time.shape), rank)};
    const int filters = time.shape[0], steps = time.shape[1];
    const auto as = [&](TensorId x, std::vector<int> shape) {
        return real_part(r, op, graph::Reshape{}, {x}, std::move(shape));
    };
    TensorId rows = as(connected(r, op, r.input(op, 0), r.input(op, kFeature), kNone, symmetric),
                       {batch, filters, 1});
    if (steps > 1) {
        const TensorId later =
            real_part(r, op, graph::Slice{{0, 0, 1}, {1, 1, 1}},
                      {as(state, {batch, filters, steps})}, {batch, filters, steps - 1});
        rows = real_part(r, op, graph::Concat{2, {}}, {later, rows}, {batch, filters, steps});
    }
    const TensorId next = r.add_tensor(of_state, of_state.shape);
    r.add(op, graph::Reshape{}, {rows}, {next});
    TensorId weights = r.input(op, kTime);
    if (time.type != Type::float32)
        weights = real_part(r, op, graph::Requantise{}, {weights}, time.shape);
    const auto sum = [&](TensorId x, std::vector<int> shape) {
        const std::vector<int> axes = {static_cast<int>(shape.size())};
        return real_part(r, op, graph::Reduce{graph::Reduction::sum, axes, false}, {x},
                         std::move(shape));
    };
    const TensorId weighted = product(r, op, rows, weights);
    const TensorId units = sum(as(sum(weighted, {batch, filters}), {batch, filters / rank, rank}),
                               {batch, filters / rank});
    give_sums(r, op, units, op.inputs[kSvdfBias], activation, to);
    r.keep(state, next, graph::Data::Bytes(of_state.bytes(), 0));
}

/// All steps of an LSTM of float32, from what it gave in the run before.
void TfliteImporters::lstm_in_steps(TfliteReader& r, const Op& op, float clip, bool time_major,
                                    bool symmetric) {
    const TensorId output = r.input(op, kLastOutput), cells = r.input(op, kCells);
    const std::vector<int> shape = r.tensor(r.input(op, 0)).shape;
    const std::vector<int> state = r.tensor(cells).shape;
    if (shape.size() != 3 || state.size() != 2 || r.tensor(output).shape != state ||
        state[0] != shape[time_major ? 1 : 0])
        throw Refusal{fmt::format(
            "input {}, states {} and {}: want batch x steps x values, and "
            "batch x units twice",
            graph::text_of(shape), graph::text_of(r.tensor(output).shape), graph::text_of(state))};
    const int steps = shape[time_major ? 0 : 1], depth = shape[2];
    if (steps > kMostSteps)
        throw Refusal{fmt::format("{} steps: want at most {}", steps, kMostSteps)};
    const auto two = [&](Arithmetic function, TensorId a, TensorId b) {
        return real_part(r, op, graph::Binary{function, {}}, {a, b}, state);
    };
    const auto of = [&](Function function, TensorId x) {
        return real_part(r, op, graph::Unary{function, 0}, {x}, state);
    };
    const auto limit = [&](TensorId x, Arithmetic function, float bound) {
        const TensorId id = new_part(r, op, Type::float32, {});
        r.graph_.tensor(id).constant = true;
        r.graph_.tensor(id).data.resize(sizeof bound);
        std::memcpy(r.graph_.tensor(id).data.own().data(), &bound, sizeof bound);
        return two(function, x, id);
    };
    // What the input brings to each gate, of all steps at once.
    const TensorId rows =
        real_part(r, op, graph::Reshape{}, {r.input(op, 0)}, {state[0] * steps, depth});
    std::array<TensorId, 4> brought{};
    for (std::size_t gate = 0; gate < 4; ++gate) {
        const TensorId all = connected(r, op, rows, r.input(op, kInputWeights + gate),
                                       r.input(op, kBiases + gate), symmetric);
        const std::vector<int> apart = {shape[0], shape[1], state[1]};
        brought[gate] = real_part(r, op, graph::Reshape{}, {all}, apart);
    }
    TensorId last = output, now = cells;
    std::vector<TensorId> made;
    for (int step = 0; step < steps; ++step) {
        r.budget_.charge(16 * sizeof(graph::Node));
        std::array<TensorId, 4> gates{};
        for (std::size_t gate = 0; gate < 4; ++gate) {
            graph::Slice slice{{0, 0, 0}, {1, 1, 1}};
            slice.begin[time_major ? 0 : 1] = step;
            std::vector<int> one = {state[0], 1, state[1]};
            if (time_major) std::swap(one[0], one[1]);
            const TensorId part = real_part(r, op, graph::Reshape{},
                                            {real_part(r, op, slice, {brought[gate]}, one)}, state);
            const TensorId sum =
                two(Arithmetic::add, part,
                    connected(r, op, last, r.input(op, kOutputWeights + gate), kNone, symmetric));
            gates[gate] = of(gate == 2 ? Function::tanh : Function::sigmoid, sum);
        }
        now = two(Arithmetic::add, two(Arithmetic::mul, gates[1], now),
                  two(Arithmetic::mul, gates[0], gates[2]));
        if (clip > 0) {
            now = limit(limit(now, Arithmetic::maximum, -clip), Arithmetic::minimum, clip);
        }
        last = two(Arithmetic::mul, gates[3], of(Function::tanh, now));
        std::vector<int> one = {state[0], 1, state[1]};
        if (time_major) std::swap(one[0], one[1]);
        made.push_back(real_part(r, op, graph::Reshape{}, {last}, one));
    }
    r.add(op, graph::Concat{time_major ? 0 : 1, {}}, made, {r.output(op)});
    const graph::Data::Bytes zeros(r.tensor(cells).bytes(), 0);
    r.keep(output, last, zeros);
    r.keep(cells, now, zeros);
}

}  // namespace macrame::front
