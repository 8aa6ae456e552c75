/// SVDF and LSTM of float32, with weights of float32 or, dynamic range quantisation, of int8: as
/// steps of other operators.
#include <fmt/format.h>

#include <algorithm>
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
// Of LSTM: input, 4 and 4 weights, 3 peepholes, 4 biases, 2 of a projection, output and state, 4
// gains of a normalisation.
constexpr std::size_t kInputWeights = 1, kOutputWeights = 5, kPeepholes = 9, kBiases = 12,
                      kProjection = 16, kProjectionBias = 17, kLastOutput = 18, kCells = 19,
                      kGains = 20;
constexpr std::size_t kInputGate = 0, kMadeGate = 2, kOutputGate = 3;
constexpr int kMostSteps = 2048;

void want_states(const std::vector<int>& shape, const std::vector<int>& output,
                 const std::vector<int>& cells, int front, bool projected) {
    if (shape.size() != 3 || cells.size() != 2 || output.size() != 2 || output[0] != cells[0] ||
        (!projected && output != cells) || cells[0] != shape[at(1 - front)])
        throw Refusal{fmt::format(
            "input {}, states {} and {}: want batch x steps x values, and batch x units twice",
            graph::text_of(shape), graph::text_of(output), graph::text_of(cells))};
    if (shape[at(front)] > kMostSteps)
        throw Refusal{fmt::format("{} steps: want at most {}", shape[at(front)], kMostSteps)};
}

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

/// Values of float32 between -bound and bound; 0: any.
TensorId TfliteImporters::limited(TfliteReader& r, const Op& op, TensorId x, float bound) {
    if (!(bound > 0)) return x;
    const std::vector<int> shape = r.tensor(x).shape;
    for (const bool most : {false, true}) {
        const float number = most ? bound : -bound;
        const TensorId id = new_part(r, op, Type::float32, {});
        r.graph_.tensor(id).constant = true;
        r.graph_.tensor(id).data.resize(sizeof number);
        std::memcpy(r.graph_.tensor(id).data.own().data(), &number, sizeof number);
        const Arithmetic function = most ? Arithmetic::minimum : Arithmetic::maximum;
        x = real_part(r, op, graph::Binary{function, {}}, {x, id}, shape);
    }
    return x;
}

/// What the input brings to each gate, of all steps at once; `state`: the shape of the cells.
std::array<TensorId, 4> TfliteImporters::brought_to_gates(TfliteReader& r, const Op& op,
                                                          const std::vector<int>& state,
                                                          const LstmForm& form) {
    const std::vector<int> shape = r.tensor(r.input(op, 0)).shape;
    const auto has = [&](std::size_t i) { return i < op.inputs.size() && op.inputs[i] != kNone; };
    const int steps = shape[form.time_major ? 0 : 1];
    const TensorId rows =
        real_part(r, op, graph::Reshape{}, {r.input(op, 0)}, {state[0] * steps, shape[2]});
    const bool normal = has(kGains + kMadeGate);
    std::array<TensorId, 4> brought{};
    for (std::size_t gate = has(kInputWeights) ? 0 : 1; gate < 4; ++gate) {
        const TensorId bias = normal ? kNone : r.input(op, kBiases + gate);
        const TensorId all =
            connected(r, op, rows, r.input(op, kInputWeights + gate), bias, form.symmetric);
        brought[gate] = real_part(r, op, graph::Reshape{}, {all}, {shape[0], shape[1], state[1]});
    }
    return brought;
}

/// All steps of an LSTM of float32, from what it gave in the run before: those of its output.
/// Without weights of the input gate it takes what it does not forget.
TensorId TfliteImporters::lstm_in_steps(TfliteReader& r, const Op& op, const LstmForm& form,
                                        TensorId to) {
    const TensorId output = r.input(op, kLastOutput), cells = r.input(op, kCells);
    const std::vector<int> shape = r.tensor(r.input(op, 0)).shape;
    const std::vector<int> state = r.tensor(cells).shape, given = r.tensor(output).shape;
    const auto has = [&](std::size_t i) { return i < op.inputs.size() && op.inputs[i] != kNone; };
    const int front = form.time_major ? 0 : 1;
    want_states(shape, given, state, front, has(kProjection));
    const int steps = shape[at(front)];
    const auto two = [&](Arithmetic function, TensorId a, TensorId b) {
        return real_part(r, op, graph::Binary{function, {}}, {a, b}, r.tensor(a).shape);
    };
    const auto of = [&](Function function, TensorId x) {
        return real_part(r, op, graph::Unary{function, 0}, {x}, state);
    };
    // Those of peepholes and normalisation: few, in float32 in the reference, too.
    const auto vector_of = [&](std::size_t i) {
        const TensorId id = r.input(op, i);
        if (r.tensor(id).type == Type::float32) return id;
        return real_part(r, op, graph::Requantise{}, {id}, r.tensor(id).shape);
    };
    const auto weights_of = [&](std::size_t i, TensorId x, TensorId bias) {
        return connected(r, op, x, r.input(op, i), bias, form.symmetric);
    };
    const bool normal = has(kGains + kMadeGate), coupled = !has(kInputWeights);
    const std::array<TensorId, 4> brought = brought_to_gates(r, op, state, form);
    TensorId last = output, now = cells;
    std::vector<TensorId> made;
    for (int turn = 0; turn < steps; ++turn) {
        const int step = form.backwards ? steps - 1 - turn : turn;
        r.budget_.charge(16 * sizeof(graph::Node));
        // Gate `gate`; the state of the cells that its peephole sees.
        const auto gate_of = [&](std::size_t gate, TensorId seen) {
            graph::Slice slice{{0, 0, 0}, {1, 1, 1}};
            slice.begin[at(front)] = step;
            std::vector<int> one = {state[0], state[0], state[1]};
            one[at(front)] = 1;
            const TensorId part = real_part(r, op, graph::Reshape{},
                                            {real_part(r, op, slice, {brought[gate]}, one)}, state);
            TensorId sum =
                two(Arithmetic::add, part, weights_of(kOutputWeights + gate, last, kNone));
            const std::size_t peephole = kPeepholes + (gate == kOutputGate ? 2 : gate);
            if (gate != kMadeGate && has(peephole))
                sum = two(Arithmetic::add, sum, two(Arithmetic::mul, seen, vector_of(peephole)));
            graph::Norm norm;
            norm.axis = 1;
            norm.epsilon = 1e-8F;
            if (normal)
                sum =
                    real_part(r, op, norm,
                              {sum, vector_of(kGains + gate), r.input(op, kBiases + gate)}, state);
            return of(gate == kMadeGate ? Function::tanh : Function::sigmoid, sum);
        };
        const TensorId forget = gate_of(1, now), what = gate_of(kMadeGate, now);
        // (1 - f) g = g - f g
        const TensorId taken = coupled
                                   ? two(Arithmetic::sub, what, two(Arithmetic::mul, forget, what))
                                   : two(Arithmetic::mul, gate_of(kInputGate, now), what);
        now = limited(r, op, two(Arithmetic::add, two(Arithmetic::mul, forget, now), taken),
                      form.cell_clip);
        last = two(Arithmetic::mul, gate_of(kOutputGate, now), of(Function::tanh, now));
        if (has(kProjection)) {
            const TensorId bias = has(kProjectionBias) ? r.input(op, kProjectionBias) : kNone;
            last = limited(r, op, weights_of(kProjection, last, bias), form.projection_clip);
        }
        std::vector<int> one = {given[0], given[0], given[1]};
        one[at(front)] = 1;
        made.push_back(real_part(r, op, graph::Reshape{}, {last}, one));
    }
    if (form.backwards) std::reverse(made.begin(), made.end());
    if (to == kNone) to = new_part(r, op, Type::float32, {shape[0], shape[1], given[1]});
    r.add(op, graph::Concat{front, {}}, made, {to});
    r.keep(output, last, graph::Data::Bytes(r.tensor(output).bytes(), 0));
    r.keep(cells, now, graph::Data::Bytes(r.tensor(cells).bytes(), 0));
    return to;
}

}  // namespace macrame::front
