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
    TensorId of(const graph::Unary& function, TensorId x) {
        return add(function, {x}, OnnxImporters::shape_of(r_, x));
    }
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

/// What a direction makes of its sums.
struct Functions {
    graph::Unary gate{graph::Function::sigmoid}, made{graph::Function::tanh},
        out{graph::Function::tanh};
    TensorId least = kNone, most = kNone;  ///< sums stay between
    bool coupled = false;                  ///< what an LSTM forgets is what it does not take
};

/// Constants of one direction: weights [gates * size, inputs], recurrent [gates * size, size],
/// their biases.
struct Weights {
    Matrix input, recurrent;
    TensorId bias = kNone, recurrent_bias = kNone;
    bool linear_before_reset = false;
    std::array<TensorId, 3> peepholes = {kNone, kNone, kNone};  ///< to input, output, forget gate
    Functions functions;
};

TensorId bounded(Cells& c, TensorId x, const Functions& f) {
    if (f.least == kNone) return x;
    return c.two(graph::Arithmetic::minimum, c.two(graph::Arithmetic::maximum, x, f.least), f.most);
}

/// One step: `x` has the products of the input with its weights, and its bias.
State lstm(Cells& c, TensorId x, const State& s, const Weights& w) {
    const Functions& f = w.functions;
    const TensorId sum = c.plus(x, c.connect(s.output, w.recurrent, w.recurrent_bias));
    if (w.peepholes[0] == kNone && !f.coupled) {
        const TensorId within = bounded(c, sum, f);
        const TensorId open = c.of(f.gate, c.gates(within, 0, 3));
        const TensorId kept = c.times(c.gates(open, 2), s.cell);
        const TensorId taken = c.times(c.gates(open, 0), c.of(f.made, c.gates(within, 3)));
        const TensorId cell = c.plus(kept, taken);
        return {c.times(c.gates(open, 1), c.of(f.out, cell)), cell};
    }
    const auto gate = [&](int number, TensorId cell) {
        TensorId x_of = c.gates(sum, number);
        const TensorId peephole = w.peepholes[static_cast<std::size_t>(number)];
        if (peephole != kNone) x_of = c.plus(x_of, c.times(cell, peephole));
        return c.of(f.gate, bounded(c, x_of, f));
    };
    const TensorId in = gate(0, s.cell);
    // (1 - i) c = c - i c
    const TensorId kept = f.coupled ? c.two(graph::Arithmetic::sub, s.cell, c.times(in, s.cell))
                                    : c.times(gate(2, s.cell), s.cell);
    const TensorId taken = c.times(in, c.of(f.made, bounded(c, c.gates(sum, 3), f)));
    const TensorId cell = c.plus(kept, taken);
    return {c.times(gate(1, cell), c.of(f.out, cell)), cell};
}

State gru(Cells& c, TensorId x, const State& s, const Weights& w) {
    const Functions& f = w.functions;
    const TensorId h = c.connect(s.output, w.recurrent, w.recurrent_bias);
    const TensorId open = c.of(f.gate, bounded(c, c.plus(c.gates(x, 0, 2), c.gates(h, 0, 2)), f));
    const TensorId update = c.gates(open, 0), reset = c.gates(open, 1);
    TensorId hidden = c.gates(h, 2);
    if (w.linear_before_reset) {
        hidden = c.times(reset, hidden);
    } else {
        const TensorId again = c.connect(c.times(reset, s.output), w.recurrent, w.recurrent_bias);
        hidden = c.gates(again, 2);
    }
    const TensorId made = c.of(f.made, bounded(c, c.plus(c.gates(x, 2), hidden), f));
    // (1 - z) made + z h = made + z (h - made)
    const TensorId apart = c.two(graph::Arithmetic::sub, s.output, made);
    return {c.plus(made, c.times(update, apart)), kNone};
}

State rnn(Cells& c, TensorId x, const State& s, const Weights& w) {
    const TensorId sum = c.plus(x, c.connect(s.output, w.recurrent, w.recurrent_bias));
    return {c.of(w.functions.made, bounded(c, sum, w.functions)), kNone};
}

/// Functions of gates, of what is made, of what is given, as `activations` names them for each
/// direction; their constants are in lists for those that have some.
std::vector<Functions> functions_of(const OnnxOperator& op, int directions, int gates,
                                    const Functions& usual) {
    using graph::Function;
    struct Known {
        const char* name;
        graph::Unary usual;
        int constants;
    };
    const Known known[] = {{"Sigmoid", {Function::sigmoid}, 0},
                           {"Tanh", {Function::tanh}, 0},
                           {"Relu", {Function::relu}, 0},
                           {"Softsign", {Function::softsign}, 0},
                           {"Softplus", {Function::softplus}, 0},
                           {"Elu", {Function::elu, 1}, 1},
                           {"LeakyRelu", {Function::leaky_relu, 0.01F}, 1},
                           {"HardSigmoid", {Function::hard_sigmoid, 0.2F, 0.5F}, 2}};
    std::vector<Functions> all(static_cast<std::size_t>(directions), usual);
    const auto* named = op.find("activations");
    if (named == nullptr) return all;
    const int each = gates == 4 ? 3 : gates == 3 ? 2 : 1;
    const bool usual_two = gates == 1 && named->strings_size() == 2;  // of RNN, also of one
    if (named->strings_size() != each * directions && !usual_two)
        throw Refusal{
            fmt::format("{} activations: want {}", named->strings_size(), each * directions)};
    const auto *alphas = op.find("activation_alpha"), *betas = op.find("activation_beta");
    int alpha = 0, beta = 0;
    for (int i = 0; i < each * directions; ++i) {
        const std::string name = readable(named->strings(i));
        const auto found = std::find_if(std::begin(known), std::end(known),
                                        [&](const Known& k) { return name == k.name; });
        if (found == std::end(known))
            throw Refusal{
                fmt::format("activation {}: want Sigmoid, Tanh, Relu, Softsign, "
                            "Softplus, Elu, LeakyRelu or HardSigmoid",
                            name)};
        graph::Unary function = found->usual;
        if (found->constants > 0 && alphas != nullptr && alpha < alphas->floats_size())
            function.alpha = alphas->floats(alpha++);
        if (found->constants > 1 && betas != nullptr && beta < betas->floats_size())
            function.beta = betas->floats(beta++);
        Functions& f = all[static_cast<std::size_t>(i / each)];
        (each == 1 ? f.made : i % each == 0 ? f.gate : i % each == 1 ? f.made : f.out) = function;
    }
    return all;
}

int directions_of(const OnnxOperator& op) {
    const std::string direction = op.text("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
        throw Refusal{
            fmt::format("direction {}: want forward, reverse or bidirectional", direction)};
    return direction == "bidirectional" ? 2 : 1;
}

/// What one direction is: products of all steps with weights, where it begins.
struct Direction {
    TensorId products = kNone;
    State first;
    bool backward = false;
    std::vector<TensorId> there;  ///< truth values for each step; none: all
    TensorId zero = kNone;
};

/// The outputs of all steps, and the state behind the last.
std::vector<TensorId> run_steps(Cells& c, const Direction& d, const Weights& w, int gates,
                                State& state, int steps) {
    std::vector<TensorId> outputs(static_cast<std::size_t>(steps));
    const int batch = c.state()[0], wide = gates * c.state()[1];
    state = d.first;
    for (int i = 0; i < steps; ++i) {
        const int t = d.backward ? steps - 1 - i : i;
        const TensorId now =
            c.add(graph::Slice{{t * batch, 0}, {1, 1}}, {d.products}, {batch, wide});
        const State before = state;
        state = gates == 4   ? lstm(c, now, state, w)
                : gates == 3 ? gru(c, now, state, w)
                             : rnn(c, now, state, w);
        TensorId& output = outputs[static_cast<std::size_t>(t)];
        output = state.output;
        if (d.there.empty()) continue;
        // Behind the end of a sequence: 0, and its state stays.
        const auto chosen = [&](TensorId a, TensorId b) {
            return c.add(graph::Select{}, {d.there[static_cast<std::size_t>(t)], a, b}, c.state());
        };
        output = chosen(state.output, d.zero);
        state.output = chosen(state.output, before.output);
        if (gates == 4) state.cell = chosen(state.cell, before.cell);
    }
    return outputs;
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

/// Truth values [batch, 1] for each step: the sequence has it. Nothing: all have all steps.
std::vector<TensorId> OnnxImporters::steps_there(OnnxReader& r, const OnnxOperator& op, int steps,
                                                 int batch) {
    if (!r.has(op, 4)) return {};
    const OnnxValue lengths = r.value(op, 4);
    const graph::Tensor given = r.tensor(lengths.id);
    if (lengths.real || elements_of(lengths.shape) != batch)
        throw Refusal{fmt::format("sequence_lens {} of shape {}: want {} numbers", given.name,
                                  graph::text_of(lengths.shape), batch)};
    if (given.constant) {
        const auto values = integers_of(given, 1 << 20);
        if (std::all_of(values.begin(), values.end(), [&](auto n) { return n == steps; }))
            return {};
        for (const std::int64_t value : values)
            if (value < 0 || value > steps)
                throw Refusal{fmt::format("sequence_lens {}: want 0 to {}", value, steps)};
    }
    const TensorId wide = new_tensor(r, op, Type::int64, {batch, 1});
    add_node(r, op, graph::Cast{}, {r.reshaped(op, r.plain(op, lengths), {batch, 1})}, {wide});
    std::vector<TensorId> there;
    for (int t = 0; t < steps; ++t) {
        const TensorId number = r.integers_value("step", {t}, {1, 1}).id;
        there.push_back(r.add_tensor("step", Type::int8, {batch, 1}, {{1.0F}, {0}, 0}));
        add_node(r, op, graph::Compare{graph::Relation::less}, {number, wide}, {there.back()});
    }
    return there;
}

/// A value of axes in another order.
OnnxValue OnnxImporters::turned(OnnxReader& r, const OnnxOperator& op, OnnxValue x,
                                const std::vector<int>& order) {
    std::vector<int> shape;
    int moved = 0, last = -1;  // axes of more than one element keep their order
    for (const int axis : order) {
        shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
        if (shape.back() == 1) continue;
        moved += axis < last ? 1 : 0;
        last = axis;
    }
    if (moved == 0) return in_shape(r, op, x, shape);
    x.id = r.permuted(op, r.plain(op, x), order);
    x.form = Form::plain;
    x.shape = shape;
    return x;
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
    const int directions = directions_of(op);
    OnnxValue x = r.in_float(op, r.value(op, 0));
    const bool batch_first = op.integer("layout", 0) != 0;
    if (x.shape.size() != 3)
        throw Refusal{
            fmt::format("input of shape {}: want steps x batch x values", graph::text_of(x.shape))};
    if (batch_first) x = turned(r, op, x, {1, 0, 2});
    const int steps = x.shape[0], batch = x.shape[1], values = x.shape[2];
    const int size = size_of(op.integer("hidden_size", 0), "hidden_size");
    if (steps > kMostSteps)
        throw Refusal{fmt::format("{} steps: want at most {}", steps, kMostSteps)};
    Functions usual;
    usual.coupled = is_lstm && op.integer("input_forget", 0) != 0;
    if (const float clip = op.real("clip", 0); clip > 0) {
        usual.least = r.add_real("clip", -clip);
        usual.most = r.add_real("clip", clip);
    }
    const std::vector<Functions> functions = functions_of(op, directions, gates, usual);
    const std::vector<TensorId> there = steps_there(r, op, steps, batch);
    Cells cells(r, op, batch, size);
    const TensorId rows = r.reshaped(op, r.plain(op, x), {steps * batch, values});
    std::vector<OnnxValue> inputs(8);
    for (std::size_t i = 1; i < 8; ++i) {
        if (i != 4 && !(dynamic && i < 3) && r.has(op, i))
            inputs[i] = r.in_float(op, r.value(op, i));
        if (i < 4 && inputs[i].id != kNone && !r.tensor(inputs[i].id).constant)
            throw Refusal{fmt::format("input {} is computed: want constant weights", i)};
    }
    const auto first = [&](std::size_t i, int d) {
        if (inputs[i].id != kNone)
            return part(r, op, batch_first ? turned(r, op, inputs[i], {1, 0, 2}) : inputs[i], d,
                        cells.state());
        return zeros(r, op, cells.state());
    };
    std::vector<std::vector<TensorId>> outputs;
    std::vector<TensorId> last_output, last_cell;
    for (int d = 0; d < directions; ++d) {
        const int wide = gates * size;
        const auto found = weights_of(r, op, inputs, d, {wide, values, size});
        Weights w = {{found[0], found[4]},
                     {found[1], found[5]},
                     found[2],
                     found[3],
                     op.integer("linear_before_reset", 0) != 0,
                     {kNone, kNone, kNone},
                     functions[static_cast<std::size_t>(d)]};
        if (is_lstm && inputs[7].id != kNone) {
            const TensorId all_peepholes = part(r, op, inputs[7], d, {3, size});
            for (int i = 0; i < 3; ++i)
                w.peepholes[static_cast<std::size_t>(i)] =
                    cells.add(graph::Slice{{i, 0}, {1, 1}}, {all_peepholes}, {1, size});
        }
        const TensorId all = cells.connect(rows, w.input, w.bias);
        State state;
        outputs.push_back(run_steps(cells,
                                    {all,
                                     {first(5, d), is_lstm ? first(6, d) : kNone},
                                     op.text("direction", "forward") == "reverse" || d == 1,
                                     there,
                                     there.empty() ? kNone : zeros(r, op, cells.state())},
                                    w, gates, state, steps));
        last_output.push_back(state.output);
        last_cell.push_back(state.cell);
    }
    give_recurrent(r, op, outputs, {last_output, is_lstm ? last_cell : std::vector<TensorId>{}});
}

/// All outputs, and what is there behind the last step.
void OnnxImporters::give_recurrent(OnnxReader& r, const OnnxOperator& op,
                                   const std::vector<std::vector<TensorId>>& outputs,
                                   const std::array<std::vector<TensorId>, 2>& ends) {
    const std::vector<int> state = shape_of(r, ends[0][0]);
    const int batch = state[0], size = state[1], directions = static_cast<int>(outputs.size()),
              steps = static_cast<int>(outputs[0].size());
    const bool batch_first = op.integer("layout", 0) != 0;
    const auto joined = [&](const std::vector<TensorId>& parts, std::vector<int> shape) {
        OnnxValue value;
        value.real = true;
        value.id = parts[0];
        if (parts.size() > 1) {
            value.id = new_real(r, op, {static_cast<int>(parts.size()) * batch, size});
            add_node(r, op, graph::Concat{0, {}}, parts, {value.id});
        }
        value.id = r.reshaped(op, value.id, shape);
        value.shape = std::move(shape);
        return value;
    };
    if (!op.node->output(0).empty()) {
        std::vector<TensorId> each;
        for (std::size_t t = 0; t < outputs[0].size(); ++t)
            for (const auto& of_direction : outputs)
                each.push_back(of_direction[t]);
        const OnnxValue all = joined(each, {steps, directions, batch, size});
        r.give(op, 0, batch_first ? turned(r, op, all, {2, 0, 1, 3}) : all);
    }
    for (std::size_t i = 0; i < ends.size() && i + 1 < op.outputs(); ++i) {
        if (ends[i].empty()) continue;
        const OnnxValue end = joined(ends[i], {directions, batch, size});
        r.give(op, i + 1, batch_first ? turned(r, op, end, {1, 0, 2}) : end);
    }
}

}  // namespace macrame::front
