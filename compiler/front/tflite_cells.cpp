/// Recurrent operators of TFLite of float32 or, dynamic range quantisation, with weights of int8:
/// simple cells, single steps, and both ways. Steps of other operators.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::Arithmetic;
using graph::kNone;
using graph::TensorId;
using graph::Type;
using Options = schema::OptionsType;
using Shape = std::vector<int>;

namespace {

constexpr int kMostCellSteps = 2048;

void want_real(const graph::Tensor& x) {
    if (x.type != Type::float32)
        throw Refusal{fmt::format(
            "{} has type {}: want float32, with weights of float32 or int8, as its kernels do "
            "(UNIDIRECTIONAL_SEQUENCE_LSTM is read in int8, too)",
            x.name, name_of(x.type))};
}

}  // namespace

/// Steps of a cell: a function of the input, the output before and a bias.
TensorId TfliteImporters::cells_in_steps(TfliteReader& r, const Op& op, TensorId x,
                                         const CellForm& form, TensorId to) {
    const TensorId state = r.input(op, form.inputs[3]);
    const Shape shape = r.tensor(x).shape, given = r.tensor(state).shape;
    const int front = form.time_major ? 0 : 1;
    if (shape.size() != 3 || given.size() != 2 || given[0] != shape[at(1 - front)] ||
        shape[at(front)] > kMostCellSteps)
        throw Refusal{
            fmt::format("input {}, state {}: want batch x steps x values, at most {} steps, and "
                        "batch x units",
                        graph::text_of(shape), graph::text_of(given), kMostCellSteps)};
    const int steps = shape[at(front)], batch = given[0];
    TensorId last = state;
    std::vector<TensorId> made;
    for (int turn = 0; turn < steps; ++turn) {
        r.budget_.charge(8 * sizeof(graph::Node));
        graph::Slice slice{{0, 0, 0}, {1, 1, 1}};
        slice.begin[at(front)] = form.backwards ? steps - 1 - turn : turn;
        Shape one = shape, row = {batch, batch, given[1]};
        one[at(front)] = row[at(front)] = 1;
        const TensorId now = real_part(r, op, graph::Reshape{}, {real_part(r, op, slice, {x}, one)},
                                       {batch, shape[2]});
        const TensorId bias = form.inputs[2] < op.inputs.size() ? op.inputs[form.inputs[2]] : kNone;
        const TensorId there =
                           connected(r, op, now, r.input(op, form.inputs[0]), bias, form.symmetric),
                       back = connected(r, op, last, r.input(op, form.inputs[1]), kNone,
                                        form.symmetric);
        const bool clamps = form.activation != graph::Activation::none;
        last = real_part(r, op, graph::Binary{Arithmetic::add, {}}, {there, back}, given);
        if (form.tanh) last = real_part(r, op, graph::Unary{graph::Function::tanh}, {last}, given);
        if (clamps) {
            const TensorId clamped = new_part(r, op, Type::float32, given);
            activate(r, op, last, form.activation, clamped);
            last = clamped;
        }
        made.push_back(real_part(r, op, graph::Reshape{}, {last}, row));
    }
    if (form.backwards) std::reverse(made.begin(), made.end());
    if (to == kNone) to = new_part(r, op, Type::float32, {shape[0], shape[1], given[1]});
    r.add(op, graph::Concat{front, {}}, made, {to});
    r.keep(state, last, graph::Data::Bytes(r.tensor(state).bytes(), 0));
    return to;
}

namespace {

/// Of a cell: TANH is no activation of others.
template <typename Form>
void set_activation(Form& form, schema::Activation activation) {
    form.tanh = activation == schema::Activation::TANH;
    if (!form.tanh) form.activation = activation_of(activation);
}

}  // namespace

/// One step.
void TfliteImporters::cell(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::RnnOptions>(op, Options::RNN);
    const TensorId x = r.input(op, 0);
    const Shape shape = r.tensor(x).shape;
    want_real(r.tensor(x));
    if (shape.size() != 2)
        throw Refusal{fmt::format("input {}: want batch x values", graph::text_of(shape))};
    CellForm form;
    set_activation(form, options.activation());
    form.symmetric = !options.asymmetric_quantize_inputs();
    const TensorId rows = real_part(r, op, graph::Reshape{}, {x}, {shape[0], 1, shape[1]});
    r.add(op, graph::Reshape{}, {cells_in_steps(r, op, rows, form, kNone)}, {r.output(op)});
}

void TfliteImporters::cells(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::SequenceRnnOptions>(op, Options::SEQUENCE_RNN);
    const TensorId x = r.input(op, 0);
    want_real(r.tensor(x));
    CellForm form;
    set_activation(form, options.activation());
    form.symmetric = !options.asymmetric_quantize_inputs();
    form.time_major = options.time_major();
    cells_in_steps(r, op, x, form, r.output(op));
}

/// As two outputs, or one with the values of the way back behind those of the way there.
void TfliteImporters::give_both_ways(TfliteReader& r, const Op& op, TensorId there, TensorId back,
                                     bool merged) {
    if (!merged) {
        r.add(op, graph::Reshape{}, {there}, {r.output(op, 0)});
        r.add(op, graph::Reshape{}, {back}, {r.output(op, 1)});
        return;
    }
    Shape shape = r.tensor(there).shape;
    shape[2] += r.tensor(back).shape[2];
    r.graph_.tensor(r.output(op, 0)).shape = shape;
    r.add(op, graph::Concat{2, {}}, {there, back}, {r.output(op, 0)});
}

void TfliteImporters::cells_both_ways(TfliteReader& r, const Op& op) {
    constexpr std::size_t kOther = 9;
    const auto& options =
        r.options_or_none<schema::BidirectionalRnnOptions>(op, Options::BIDIRECTIONAL_SEQUENCE_RNN);
    const TensorId x = r.input(op, 0);
    want_real(r.tensor(x));
    for (std::size_t i = kOther; i < op.inputs.size(); ++i)
        if (op.inputs[i] != kNone)
            throw Refusal{
                fmt::format("input {} ({}), a second sequence: want one, both joined in "
                            "front",
                            i, r.tensor(op.inputs[i]).name)};
    CellForm form;
    set_activation(form, options.activation());
    form.symmetric = !options.asymmetric_quantize_inputs();
    form.time_major = options.time_major();
    const TensorId there = cells_in_steps(r, op, x, form, kNone);
    form.inputs = {5, 6, 7, 8};
    form.backwards = true;
    give_both_ways(r, op, there, cells_in_steps(r, op, x, form, kNone), options.merge_outputs());
}

/// One step of an LSTM with the inputs of a sequence.
void TfliteImporters::lstm_cell(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::LstmOptions>(op, Options::LSTM);
    const TensorId x = r.input(op, 0);
    const Shape shape = r.tensor(x).shape;
    want_real(r.tensor(x));
    if (options.kernel_type() != 0)
        throw Refusal{fmt::format(
            "kernel_type {}, the basic form of old converters: want the full one (0), or a "
            "conversion by TensorFlow 2, which writes UNIDIRECTIONAL_SEQUENCE_LSTM",
            static_cast<int>(options.kernel_type()))};
    if (options.activation() != schema::Activation::TANH)
        throw Refusal{
            fmt::format("activation {}: want TANH", static_cast<int>(options.activation()))};
    if (shape.size() != 2)
        throw Refusal{fmt::format("input {}: want batch x values", graph::text_of(shape))};
    Op step = op;
    step.inputs[0] = real_part(r, op, graph::Reshape{}, {x}, {shape[0], 1, shape[1]});
    const TensorId made = lstm_in_steps(r, step,
                                        {options.cell_clip(), options.projection_clip(), false,
                                         !options.asymmetric_quantize_inputs()});
    r.add(op, graph::Reshape{}, {made}, {r.output(op)});
}

void TfliteImporters::lstm_both_ways(TfliteReader& r, const Op& op) {
    // Of each way: 4 and 4 weights, 3 peepholes, 4 biases, 2 of a projection; then the states of
    // both, then a second sequence.
    constexpr std::size_t kWay = 17, kStates = 35, kOther = 39, kLstmStates = 18;
    const auto& options = r.options_or_none<schema::BidirectionalLstmOptions>(
        op, Options::BIDIRECTIONAL_SEQUENCE_LSTM);
    want_real(r.tensor(r.input(op, 0)));
    if (options.activation() != schema::Activation::TANH)
        throw Refusal{
            fmt::format("activation {}: want TANH", static_cast<int>(options.activation()))};
    for (std::size_t i = kOther; i < op.inputs.size(); ++i)
        if (op.inputs[i] != kNone)
            throw Refusal{
                fmt::format("input {} ({}), a second sequence: want one, both joined in "
                            "front",
                            i, r.tensor(op.inputs[i]).name)};
    if (op.inputs.size() < kOther)
        throw Refusal{fmt::format("{} inputs: want {}", op.inputs.size(), kOther)};
    std::array<TensorId, 2> made{};
    for (std::size_t way = 0; way < 2; ++way) {
        Op one = op;
        one.inputs.assign(kLstmStates + 2, kNone);
        one.inputs[0] = op.inputs[0];
        for (std::size_t i = 0; i < kWay; ++i)
            one.inputs[1 + i] = op.inputs[1 + way * kWay + i];
        for (std::size_t i = 0; i < 2; ++i)
            one.inputs[kLstmStates + i] = op.inputs[kStates + 2 * way + i];
        made[way] =
            lstm_in_steps(r, one,
                          {options.cell_clip(), options.projection_clip(), options.time_major(),
                           !options.asymmetric_quantize_inputs(), way == 1});
    }
    give_both_ways(r, op, made[0], made[1], options.merge_outputs());
}

}  // namespace macrame::front
