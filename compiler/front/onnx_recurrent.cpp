/// LSTM, GRU and RNN, step by step, in float32.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::TensorId;
using graph::Type;

namespace {

constexpr int kMostSteps = 2048;

/// Weights [K, C]: float32, or int8 with scales of float32 for all or for each kernel.
struct Matrix {
    TensorId weights = kNone, scales = kNone;
};

/// Adds nodes of float32 for one direction of one operator.
class Cells {
public:
    Cells(OnnxReader& r, const OnnxOperator& op, int batch, int size)
        : r_(r), op_(op), batch_(batch), size_(size) {}

    TensorId add(graph::Operator what, std::vector<TensorId> inputs, std::vector<int> shape) {
        const TensorId id = OnnxImporters::new_real(r_, op_, std::move(shape));
        OnnxImporters::add_node(r_, op_, std::move(what), std::move(inputs), {id});
        return id;
    }
    std::vector<int> state() const { return {batch_, size_}; }
    TensorId two(graph::Arithmetic function, TensorId a, TensorId b) {
        return add(graph::Binary{function, {}}, {a, b}, OnnxImporters::shape_of(r_, a));
    }
    TensorId plus(TensorId a, TensorId b) { return two(graph::Arithmetic::add, a, b); }
    TensorId times(TensorId a, TensorId b) { return two(graph::Arithmetic::mul, a, b); }
    TensorId of(graph::Function function, TensorId x) {
        return add(graph::Unary{function}, {x}, OnnxImporters::shape_of(r_, x));
    }
    TensorId sigmoid(TensorId x) { return of(graph::Function::sigmoid, x); }
    TensorId tanh(TensorId x) { return of(graph::Function::tanh, x); }
    /// Gates `first` to `first + count` of [batch, gates * size].
    TensorId gates(TensorId x, int first, int count = 1) {
        return add(graph::Slice{{0, first * size_}, {1, 1}}, {x}, {batch_, count * size_});
    }
    /// Rows of x times weights [K, C].
    TensorId connect(TensorId x, const Matrix& m, TensorId bias) {
        const int rows = OnnxImporters::shape_of(r_, x)[0];
        const int kernels = OnnxImporters::shape_of(r_, m.weights)[0];
        if (m.scales == kNone)
            return add(graph::FullyConnected{}, {x, m.weights, bias}, {rows, kernels});
        // Quantised in this run, all rows together.
        const OnnxImporters::Distances d = OnnxImporters::distances_of(r_, op_, x);
        const TensorId sums =
            OnnxImporters::new_tensor(r_, op_, graph::Type::int32, {rows, kernels});
        OnnxImporters::add_node(r_, op_, graph::FullyConnected{}, {d.numbers, m.weights, kNone},
                                {sums});
        const TensorId real = add(graph::Cast{}, {sums}, {rows, kernels});
        const TensorId scale = add(graph::Binary{graph::Arithmetic::mul, {}}, {m.scales, d.scale},
                                   OnnxImporters::shape_of(r_, m.scales));
        const TensorId y = times(real, scale);
        return bias == kNone ? y : plus(y, bias);
    }

private:
    OnnxReader& r_;
    const OnnxOperator& op_;
    int batch_, size_;
};

struct State {
    TensorId output = kNone, cell = kNone;
};

/// Constants of one direction: weights [gates * size, inputs], recurrent [gates * size, size],
/// their biases.
struct Weights {
    Matrix input, recurrent;
    TensorId bias = kNone, recurrent_bias = kNone;
    bool linear_before_reset = false;
};

/// One step: `x` has the products of the input with its weights, and its bias.
State lstm(Cells& c, TensorId x, const State& s, const Weights& w) {
    const TensorId sum = c.plus(x, c.connect(s.output, w.recurrent, w.recurrent_bias));
    const TensorId open = c.sigmoid(c.gates(sum, 0, 3));
    const TensorId kept = c.times(c.gates(open, 2), s.cell);
    const TensorId taken = c.times(c.gates(open, 0), c.tanh(c.gates(sum, 3)));
    const TensorId cell = c.plus(kept, taken);
    return {c.times(c.gates(open, 1), c.tanh(cell)), cell};
}

State gru(Cells& c, TensorId x, const State& s, const Weights& w) {
    const TensorId h = c.connect(s.output, w.recurrent, w.recurrent_bias);
    const TensorId open = c.sigmoid(c.plus(c.gates(x, 0, 2), c.gates(h, 0, 2)));
    const TensorId update = c.gates(open, 0), reset = c.gates(open, 1);
    TensorId hidden = c.gates(h, 2);
    if (w.linear_before_reset) {
        hidden = c.times(reset, hidden);
    } else {
        const TensorId again = c.connect(c.times(reset, s.output), w.recurrent, w.recurrent_bias);
        hidden = c.gates(again, 2);
    }
    const TensorId made = c.tanh(c.plus(c.gates(x, 2), hidden));
    // (1 - z) made + z h = made + z (h - made)
    const TensorId apart = c.two(graph::Arithmetic::sub, s.output, made);
    return {c.plus(made, c.times(update, apart)), kNone};
}

State rnn(Cells& c, TensorId x, const State& s, const Weights& w) {
    return {c.tanh(c.plus(x, c.connect(s.output, w.recurrent, w.recurrent_bias))), kNone};
}

/// The functions that all frameworks have.
void want_usual_functions(const OnnxOperator& op, bool is_lstm, int gates) {
    const std::string direction = op.text("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
        throw Refusal{
            fmt::format("direction {}: want forward, reverse or bidirectional", direction)};
    if (op.find("clip") != nullptr || op.integer("input_forget", 0) != 0)
        throw Refusal{"clip or input_forget: want neither"};
    if (const auto* named = op.find("activations")) {
        for (int i = 0; i < named->strings_size(); ++i) {
            const bool gate = gates > 1 && i % (is_lstm ? 3 : 2) == 0;
            if (named->strings(i) != (gate ? "Sigmoid" : "Tanh"))
                throw Refusal{fmt::format("activation {}: want Sigmoid for gates, Tanh for others",
                                          readable(named->strings(i)))};
        }
    }
}

}  // namespace

TensorId OnnxImporters::new_real(OnnxReader& r, const OnnxOperator& op, std::vector<int> shape) {
    return new_tensor(r, op, Type::float32, std::move(shape));
}

TensorId OnnxImporters::new_tensor(OnnxReader& r, const OnnxOperator& op, Type type,
                                   std::vector<int> shape) {
    const auto& outputs = op.node->output();
    const auto named = std::find_if(outputs.begin(), outputs.end(),
                                    [](const std::string& name) { return !name.empty(); });
    return r.add_tensor(named == outputs.end() ? op.type() : *named, type, std::move(shape));
}

void OnnxImporters::add_node(OnnxReader& r, const OnnxOperator& op, graph::Operator what,
                             std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
    r.budget_.charge(sizeof(graph::Node));
    r.add(op, std::move(what), std::move(inputs), std::move(outputs));
}

std::vector<int> OnnxImporters::shape_of(const OnnxReader& r, TensorId id) {
    return r.tensor(id).shape;
}

/// Part `i` along axis 0 of a value in float32, in another shape.
TensorId OnnxImporters::part(OnnxReader& r, const OnnxOperator& op, const OnnxValue& value, int i,
                             std::vector<int> shape, int axis) {
    const TensorId from = r.plain(op, value);
    graph::Slice slice{std::vector<int>(value.shape.size(), 0),
                       std::vector<int>(value.shape.size(), 1)};
    slice.begin[static_cast<std::size_t>(axis)] = i;
    std::vector<int> one = value.shape;
    one[static_cast<std::size_t>(axis)] = 1;
    if (elements_of(one) != elements_of(shape))
        throw Refusal{fmt::format("{} has shape {}: want {} for each direction or step",
                                  r.tensor(value.id).name, graph::text_of(value.shape),
                                  graph::text_of(shape))};
    return r.reshaped(op, r.add_move(op, slice, from, one), std::move(shape));
}

TensorId OnnxImporters::zeros(OnnxReader& r, const OnnxOperator& op, std::vector<int> shape) {
    const TensorId zero = new_real(r, op, std::move(shape));
    graph::Tensor& t = r.graph_.tensor(zero);
    t.constant = true;
    t.data.resize(t.bytes());
    return zero;
}

/// Sequences of one length, without what few have.
void OnnxImporters::want_plain_inputs(const OnnxReader& r, const OnnxOperator& op,
                                      const std::vector<int>& shape) {
    const bool batch_first = op.integer("layout", 0) != 0;
    if (op.type() != "GRU" && op.type() != "RNN" && r.has(op, 7))
        throw Refusal{"peepholes: want none"};
    if (shape.size() != 3)
        throw Refusal{
            fmt::format("input of shape {}: want steps x batch x values", graph::text_of(shape))};
    if (batch_first && shape[0] != 1)
        throw Refusal{
            fmt::format("layout = 1 with a batch of {}: want 1, or layout = 0", shape[0])};
    const int steps = batch_first ? shape[1] : shape[0];
    for (const std::int64_t length :
         r.has(op, 4) ? r.constants(op, 4) : std::vector<std::int64_t>{})
        if (length != steps)
            throw Refusal{fmt::format("sequence_lens {}: want all {} steps", length, steps)};
}

/// Weights [directions, C, K] of integers of one direction, their scales and zero points at
/// `scale`.
std::array<TensorId, 2> OnnxImporters::integer_matrix(OnnxReader& r, const OnnxOperator& op,
                                                      std::size_t i, std::size_t scale, int d) {
    const auto weights = integer_weights(r, op, i, op.inputs(), 1);
    if (!weights || weights->shape.size() != 3)
        throw Refusal{fmt::format("input {}: want constant weights of int8 or uint8", i)};
    const int depth = weights->shape[1], kernels = weights->shape[2];
    const auto of_direction = [&](const OnnxValue& value) {
        const int directions = weights->shape[0];
        const auto count = static_cast<int>(elements_of(value.shape)) / directions;
        if (count != 1 && count != kernels)
            throw Refusal{fmt::format("{} of shape {}: want one or {} for each direction",
                                      r.tensor(value.id).name, graph::text_of(value.shape),
                                      kernels)};
        return part(r, op, in_shape(r, op, value, {directions, count}), d, {count});
    };
    TensorId id = part(r, op, *weights, d, {depth, kernels});
    id = r.permuted(op, id, {1, 0});
    graph::Tensor matrix = r.tensor(id);
    if (r.has(op, scale + 1)) {
        const graph::Tensor zeros = r.tensor(of_direction(r.value(op, scale + 1)));
        if (!zeros.constant || zeros.type != Type::int8)
            throw Refusal{
                fmt::format("zero points {}: want constants of int8 or uint8", zeros.name)};
        matrix.quantisation = {std::vector<float>(zeros.elements(), 1.0F), {}, 0};
        for (std::size_t k = 0; k < zeros.elements(); ++k)
            matrix.quantisation.zero_point.push_back(
                static_cast<std::int8_t>(std::as_const(zeros.data)[k]));
    }
    r.budget_.charge(matrix.data.size());
    return {r.add_tensor(std::move(matrix)), of_direction(r.in_float(op, r.value(op, scale)))};
}

/// Weights of a direction, recurrent ones, the biases of both, their scales.
std::array<TensorId, 6> OnnxImporters::weights_of(OnnxReader& r, const OnnxOperator& op,
                                                  const std::vector<OnnxValue>& inputs, int d,
                                                  std::array<int, 3> sizes) {
    const auto [wide, values, size] = sizes;
    std::array<TensorId, 6> out = {kNone, kNone, kNone, kNone, kNone, kNone};
    if (op.type() == "DynamicQuantizeLSTM") {
        constexpr std::size_t kScale = 8, kRecurrentScale = 10;
        const auto own = integer_matrix(r, op, 1, kScale, d),
                   again = integer_matrix(r, op, 2, kRecurrentScale, d);
        out = {own[0], again[0], kNone, kNone, own[1], again[1]};
    } else {
        out[0] = part(r, op, r.has(op, 1) ? inputs[1] : r.value(op, 1), d, {wide, values});
        out[1] = part(r, op, r.has(op, 2) ? inputs[2] : r.value(op, 2), d, {wide, size});
    }
    if (inputs[3].id == kNone) return out;
    OnnxValue pair;
    pair.id = part(r, op, inputs[3], d, {2, wide});
    pair.shape = {2, wide};
    out[2] = part(r, op, pair, 0, {wide});
    out[3] = part(r, op, pair, 1, {wide});
    return out;
}

void OnnxImporters::recurrent(OnnxReader& r, const OnnxOperator& op) {
    const bool dynamic = op.type() == "DynamicQuantizeLSTM";
    const bool is_lstm = dynamic || op.type() == "LSTM", is_gru = op.type() == "GRU";
    const int gates = is_lstm ? 4 : is_gru ? 3 : 1;
    const std::string direction = op.text("direction", "forward");
    const int directions = direction == "bidirectional" ? 2 : 1;
    want_usual_functions(op, is_lstm, gates);
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const bool batch_first = op.integer("layout", 0) != 0;
    want_plain_inputs(r, op, x.shape);
    if (batch_first) x = in_shape(r, op, x, {x.shape[1], 1, x.shape[2]});
    const int steps = x.shape[0], batch = x.shape[1], values = x.shape[2];
    const int size = size_of(op.integer("hidden_size", 0), "hidden_size");
    if (steps > kMostSteps)
        throw Refusal{fmt::format("{} steps: want at most {}", steps, kMostSteps)};
    Cells cells(r, op, batch, size);
    const TensorId rows = r.reshaped(op, r.plain(op, x), {steps * batch, values});
    std::vector<OnnxValue> inputs(7);
    for (std::size_t i = 1; i < 7; ++i) {
        if (i != 4 && !(dynamic && i < 3) && r.has(op, i))
            inputs[i] = r.in_float(op, r.value(op, i));
        if (i < 4 && inputs[i].id != kNone && !r.tensor(inputs[i].id).constant)
            throw Refusal{fmt::format("input {} is computed: want constant weights", i)};
    }
    const auto first = [&](std::size_t i, int d) {
        if (inputs[i].id != kNone)
            return part(r, op, inputs[i], d, cells.state(), batch_first ? 1 : 0);
        return zeros(r, op, cells.state());
    };
    std::vector<std::vector<TensorId>> outputs(static_cast<std::size_t>(directions));
    std::vector<TensorId> last_output, last_cell;
    for (int d = 0; d < directions; ++d) {
        const int wide = gates * size;
        const auto found = weights_of(r, op, inputs, d, {wide, values, size});
        const Weights w = {{found[0], found[4]},
                           {found[1], found[5]},
                           found[2],
                           found[3],
                           op.integer("linear_before_reset", 0) != 0};
        const TensorId all = cells.connect(rows, w.input, w.bias);
        State state{first(5, d), is_lstm ? first(6, d) : kNone};
        auto& made = outputs[static_cast<std::size_t>(d)];
        made.resize(static_cast<std::size_t>(steps));
        const bool backward = direction == "reverse" || d == 1;
        for (int i = 0; i < steps; ++i) {
            const int t = backward ? steps - 1 - i : i;
            const TensorId now =
                cells.add(graph::Slice{{t * batch, 0}, {1, 1}}, {all}, {batch, wide});
            state = is_lstm  ? lstm(cells, now, state, w)
                    : is_gru ? gru(cells, now, state, w)
                             : rnn(cells, now, state, w);
            made[static_cast<std::size_t>(t)] = state.output;
        }
        last_output.push_back(state.output);
        last_cell.push_back(state.cell);
    }
    const auto joined = [&](const std::vector<TensorId>& parts, std::vector<int> shape) {
        OnnxValue value;
        value.real = true;
        const int count = static_cast<int>(parts.size()) * batch;
        value.id =
            parts.size() == 1 ? parts[0] : cells.add(graph::Concat{0, {}}, parts, {count, size});
        value.id = r.reshaped(op, value.id, shape);
        value.shape = std::move(shape);
        return value;
    };
    if (!op.node->output(0).empty()) {
        std::vector<TensorId> each;
        for (int t = 0; t < steps; ++t)
            for (const auto& of_direction : outputs)
                each.push_back(of_direction[static_cast<std::size_t>(t)]);
        r.give(op, 0,
               joined(each, batch_first ? std::vector<int>{1, steps, directions, size}
                                        : std::vector<int>{steps, directions, batch, size}));
    }
    const std::vector<int> end = batch_first ? std::vector<int>{1, directions, size}
                                             : std::vector<int>{directions, batch, size};
    if (op.outputs() > 1) r.give(op, 1, joined(last_output, end));
    if (op.outputs() > 2 && is_lstm) r.give(op, 2, joined(last_cell, end));
}

}  // namespace macrame::front
