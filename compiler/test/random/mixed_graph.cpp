#include "compiler/test/random/mixed_graph.hpp"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "verif/common/random.hpp"

namespace macrame::test {

namespace {

using namespace graph;

/// What comes between gives a tensor of the shape and quantisation that it takes.
class Mixer {
public:
    Mixer(Graph graph, std::uint64_t seed)
        : random_(seed), graph_(std::move(graph)), last_only_(seed % 2 == 0) {}

    Graph run() {
        for (Node& node : std::exchange(graph_.nodes, {})) {
            for (TensorId& id : node.inputs)
                if (const auto found = mixed_.find(id); found != mixed_.end()) id = found->second;
            const TensorId made = node.outputs[0];
            graph_.nodes.push_back(std::move(node));
            if (!random_.chance(35)) continue;
            mixed_[made] = mixed(made);
            graph_.outputs.push_back(mixed_[made]);
        }
        const TensorId last = graph_.nodes.back().outputs[0];
        if (last_only_) graph_.outputs = {last};
        return std::move(graph_);
    }

private:
    using Ids = std::vector<TensorId>;

    TensorId new_tensor(Tensor tensor, const Operator& op) {
        tensor.name += std::string(" ") + std::string(name_of(op));
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size()) - 1;
    }

    void add_node(Operator op, Ids inputs, Ids outputs) {
        graph_.nodes.push_back({std::move(op), std::move(inputs), std::move(outputs),
                                "mixed " + std::to_string(graph_.nodes.size())});
    }

    /// Its output is as `model`, but for what `shape` says.
    TensorId add(const Operator& op, Ids inputs, const Tensor& model, std::vector<int> shape) {
        const TensorId out = new_tensor(model, op);
        graph_.tensor(out).shape = std::move(shape);
        add_node(op, std::move(inputs), {out});
        return out;
    }

    TensorId add(const Operator& op, Ids inputs, TensorId model) {
        return add(op, std::move(inputs), graph_.tensor(model), graph_.tensor(model).shape);
    }

    TensorId as_type(const Operator& op, TensorId in, Type type) {
        Tensor model = graph_.tensor(in);
        model.type = type;
        model.quantisation = {};
        return add(op, {in}, model, model.shape);
    }

    TensorId real(TensorId in) {
        if (graph_.tensor(in).type == Type::float32) return in;
        return as_type(Requantise{}, in, Type::float32);
    }

    /// With float32 in between.
    TensorId in_float(const Operator& op, TensorId in) {
        const TensorId values = real(in);
        return add(Requantise{}, {add(op, {values}, values)}, in);
    }

    TensorId turned(TensorId in) {
        const std::vector<int> shape = graph_.tensor(in).shape;
        const Transpose turn{{0, 3, 2, 1}};
        const TensorId out =
            add(turn, {in}, graph_.tensor(in), {shape[0], shape[3], shape[2], shape[1]});
        return add(turn, {out}, graph_.tensor(in), shape);
    }

    TensorId softmax(TensorId in) {
        if (graph_.tensor(in).type == Type::float32) return add(Softmax{}, {in}, in);
        Tensor model = graph_.tensor(in);
        model.quantisation.scale = {1.0F / 256};
        model.quantisation.zero_point = {model.type == Type::int8 ? -128 : 0};
        return add(Requantise{}, {add(Softmax{}, {in}, model, model.shape)}, in);
    }

    /// The largest first, by their indices.
    TensorId sorted(TensorId in) {
        const TensorId values = new_tensor(graph_.tensor(in), TopK{});
        Tensor model = graph_.tensor(in);
        model.type = Type::int32;
        model.quantisation = {};
        const TensorId indices = new_tensor(model, TopK{});
        add_node(TopK{}, {in}, {values, indices});
        const int last = static_cast<int>(model.shape.size()) - 1;
        return add(GatherElements{last}, {in, indices}, in);
    }

    TensorId larger_of_two(TensorId in) {
        const TensorId other = add(Unary{Function::tanh, 0, 0}, {in}, in);
        Tensor model = graph_.tensor(in);
        model.type = Type::int8;
        model.quantisation = {{1.0F}, {0}, 0};
        const TensorId less = add(Compare{Relation::less}, {in, other}, model, model.shape);
        return add(Select{}, {less, other, in}, in);
    }

    /// Rows of the last two axes times each other, times themselves.
    TensorId attention(TensorId in) {
        Tensor model = graph_.tensor(in);
        std::vector<int> shape = model.shape;
        const float depth = static_cast<float>(shape.back());
        shape.back() = shape[shape.size() - 2];
        if (model.type != Type::float32)
            model.quantisation.scale = {40 * std::sqrt(depth) * model.quantisation.scale[0] *
                                        model.quantisation.scale[0]};
        const TensorId scores = add(MatMul{false, true}, {in, in}, model, shape);
        return add(MatMul{}, {scores, in}, in);
    }

    TensorId less_the_largest(TensorId in) {
        std::vector<int> shape = graph_.tensor(in).shape;
        const int axis = random_.in(0, static_cast<int>(shape.size()) - 1);
        shape[static_cast<std::size_t>(axis)] = 1;
        const Reduce largest{Reduction::maximum, {axis}, true};
        const TensorId most = add(largest, {in}, graph_.tensor(in), shape);
        return add(Binary{Arithmetic::sub, {}}, {in, most}, in);
    }

    TensorId halves_swapped(TensorId in) {
        Tensor half = graph_.tensor(in);
        const int axis = static_cast<int>(half.shape.size()) - 1;
        if (half.shape.back() % 2 != 0) return add(Unary{Function::abs, 0, 0}, {in}, in);
        half.shape.back() /= 2;
        const Ids halves = {new_tensor(half, Split{}), new_tensor(half, Split{})};
        add_node(Split{axis}, {in}, halves);
        return add(Concat{axis, {}}, {halves[1], halves[0]}, in);
    }

    /// Quantised by its own range in this run.
    TensorId dynamic(TensorId in) {
        const TensorId values = real(in);
        const DynamicQuantise op{random_.chance(50)};
        Tensor rows = graph_.tensor(values);
        rows.shape.assign(rows.shape.size(), 1);
        Tensor bytes = graph_.tensor(values), zeros = rows;
        bytes.type = zeros.type = Type::int8;
        const Ids made = {new_tensor(bytes, op), new_tensor(rows, op), new_tensor(zeros, op)};
        add_node(op, {values}, made);
        const TensorId numbers = as_type(Cast{}, made[0], Type::float32),
                       zero = as_type(Cast{}, made[2], Type::float32);
        const TensorId steps = add(Binary{Arithmetic::sub, {}}, {numbers, zero}, numbers);
        return add(Requantise{}, {add(Binary{Arithmetic::mul, {}}, {steps, made[1]}, values)}, in);
    }

    /// In another order along one axis.
    TensorId gathered(TensorId in) {
        const Tensor& from = graph_.tensor(in);
        const int axis = random_.in(0, static_cast<int>(from.shape.size()) - 1);
        const int count = from.shape[static_cast<std::size_t>(axis)];
        Tensor indices;
        indices.name = "order";
        indices.type = Type::int32;
        indices.shape = {count};
        indices.constant = true;
        for (int i = 0; i < count; ++i)
            for (int byte = 0; byte < 4; ++byte)
                indices.data.push_back(static_cast<std::uint8_t>((count - 1 - i) >> (8 * byte)));
        const TensorId order = new_tensor(std::move(indices), Gather{});
        return add(Gather{axis}, {in, order}, in);
    }

    TensorId cut_from_padded(TensorId in) {
        const std::vector<int> shape = graph_.tensor(in).shape;
        Pad pad;
        pad.kind = random_.chance(50) ? Padding::edge : Padding::symmetric;
        pad.amounts.assign(shape.size(), {0, 0});
        Slice cut{std::vector<int>(shape.size(), 0), std::vector<int>(shape.size(), 1)};
        const auto axis = static_cast<std::size_t>(random_.in(1, 2));
        pad.amounts[axis] = {1, 1};
        cut.begin[axis] = random_.in(0, 2);
        std::vector<int> larger = shape;
        larger[axis] += 2;
        return add(cut, {add(pad, {in}, graph_.tensor(in), larger)}, in);
    }

    /// A constant of so many numbers that a function of the place gives.
    template <typename Value, typename Of>
    TensorId constant(Type type, const std::vector<int>& shape, const Of& of) {
        Tensor made;
        made.name = "constant";
        made.type = type;
        made.shape = shape;
        made.constant = true;
        for (std::size_t i = 0; i < made.elements(); ++i) {
            const Value value = of(i);
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
            for (std::size_t k = 0; k < sizeof value; ++k)
                made.data.push_back(bytes[k]);
        }
        graph_.tensors.push_back(std::move(made));
        return static_cast<TensorId>(graph_.tensors.size()) - 1;
    }

    /// As RotaryEmbedding is read: halves of each row in pairs, turned by an angle of their place.
    TensorId rotated(TensorId in) {
        const TensorId values = real(in);
        Tensor half = graph_.tensor(values);
        const int axis = static_cast<int>(half.shape.size()) - 1;
        if (half.shape.back() % 2 != 0) return add(Unary{Function::abs, 0, 0}, {in}, in);
        half.shape.back() /= 2;
        const std::vector<int> row = {half.shape.back()};
        const auto angle = [](std::size_t i) { return 0.7F * static_cast<float>(i + 1); };
        const TensorId cosine = constant<float>(Type::float32, row,
                                                [&](std::size_t i) { return std::cos(angle(i)); }),
                       sine = constant<float>(Type::float32, row,
                                              [&](std::size_t i) { return std::sin(angle(i)); });
        const Ids halves = {new_tensor(half, Split{}), new_tensor(half, Split{})};
        add_node(Split{axis}, {values}, halves);
        const auto turned_by = [&](TensorId x, TensorId y, Arithmetic function) {
            const Binary times{Arithmetic::mul, {}};
            const TensorId a = add(times, {halves[0], x}, half, half.shape),
                           b = add(times, {halves[1], y}, half, half.shape);
            return add(Binary{function, {}}, {a, b}, half, half.shape);
        };
        const Ids made = {turned_by(cosine, sine, Arithmetic::sub),
                          turned_by(sine, cosine, Arithmetic::add)};
        return add(Requantise{}, {add(Concat{axis, {}}, made, values)}, in);
    }

    /// As Attention is read: each row sees those up to it.
    TensorId attending(TensorId in) {
        const TensorId values = real(in);
        const Tensor model = graph_.tensor(values);
        std::vector<int> shape = model.shape;
        const int rows = shape[shape.size() - 2];
        shape.back() = rows;
        const TensorId scores = add(MatMul{false, true}, {values, values}, model, shape);
        const TensorId seen = constant<std::int8_t>(Type::int8, {rows, rows}, [&](std::size_t i) {
            const auto wide = static_cast<std::size_t>(rows);
            return static_cast<std::int8_t>(i % wide <= i / wide);
        });
        graph_.tensor(seen).quantisation = {{1.0F}, {0}, 0};
        const TensorId least =
            constant<float>(Type::float32, {}, [](std::size_t) { return -1e30F; });
        const TensorId masked = add(Select{}, {seen, scores, least}, model, shape);
        const TensorId shares = add(Softmax{}, {masked}, model, shape);
        return add(Requantise{}, {add(MatMul{}, {shares, values}, values)}, in);
    }

    /// As GridSample and RoiAlign are read: rows at places that are computed.
    TensorId sampled(TensorId in) {
        const TensorId values = real(in);
        const Tensor model = graph_.tensor(values);
        const int rows = model.shape[model.shape.size() - 2], width = model.shape.back();
        const auto count = static_cast<int>(model.elements()) / width;
        const TensorId flat = add(Reshape{}, {values}, model, {count, width});
        const TensorId first = add(Slice{{0, 0}, {1, 1}}, {flat}, model, {count, 1});
        const TensorId floor = add(Unary{Function::floor, 0, 0}, {first}, first);
        const auto limit = [&](TensorId x, Arithmetic function, float bound) {
            const TensorId number =
                constant<float>(Type::float32, {}, [&](std::size_t) { return bound; });
            return add(Binary{function, {}}, {x, number}, x);
        };
        const TensorId inside = limit(limit(floor, Arithmetic::maximum, 0), Arithmetic::minimum,
                                      static_cast<float>(rows - 1));
        const TensorId places = as_type(Cast{}, inside, Type::int32);
        Tensor row = graph_.tensor(places);
        const TensorId which = add(Reshape{}, {places}, row, {count});
        const TensorId taken = add(Gather{0}, {flat, which}, model, {count, width});
        return add(Requantise{}, {add(Reshape{}, {taken}, values)}, in);
    }

    /// Elements as rows of the last axis.
    TensorId in_rows(TensorId values) {
        const Tensor model = graph_.tensor(values);
        const int width = model.shape.back();
        return add(Reshape{}, {values}, model, {static_cast<int>(model.elements()) / width, width});
    }

    /// Rows of 4 as boxes, in the order of those that are kept, then the first one.
    TensorId suppressed(TensorId in) {
        const TensorId values = real(in);
        const Tensor model = graph_.tensor(values);
        if (model.elements() % 4 != 0) return add(Unary{Function::abs, 0, 0}, {in}, in);
        const auto count = static_cast<int>(model.elements()) / 4;
        const TensorId boxes = add(Reshape{}, {values}, model, {count, 4});
        const TensorId first = add(Slice{{0, 1}, {1, 1}}, {boxes}, model, {count, 1});
        const TensorId scores = add(Reshape{}, {first}, model, {count});
        const Suppression op{-0.5F, 0.3F, random_.chance(50) ? 0.5F : 0.0F};
        Tensor row = model, number = model;
        row.shape = {count};
        number.shape = {};
        number.type = Type::int32;
        const TensorId kept = new_tensor(row, op), total = new_tensor(number, op);
        row.type = Type::int32;
        const TensorId which = new_tensor(row, op);
        add_node(op, {boxes, scores}, {which, kept, total});
        const TensorId taken = add(Gather{0}, {boxes, which}, model, {count, 4});
        return add(Requantise{}, {add(Reshape{}, {taken}, values)}, in);
    }

    /// Rows written to rows at computed places, over what is there or as one with it.
    TensorId scattered(TensorId in) {
        const TensorId rows = in_rows(real(in));
        const Tensor model = graph_.tensor(rows);
        const int count = model.shape[0];
        const TensorId first = add(Slice{{0, 0}, {1, 1}}, {rows}, model, {count, 1});
        // Numbers of rows, also from behind.
        Tensor order = model;
        order.type = Type::int32;
        order.shape = {1, count};
        Tensor sorted = model;
        sorted.shape = {1, count};
        const TensorId flat = add(Reshape{}, {first}, model, {1, count});
        const TensorId places = new_tensor(order, TopK{}), values = new_tensor(sorted, TopK{});
        add_node(TopK{}, {flat}, {values, places});
        const TensorId half = constant<std::int32_t>(
            Type::int32, {}, [&](std::size_t) { return std::int32_t{count / 2}; });
        const TensorId less = add(Binary{Arithmetic::sub, {}}, {places, half}, places);
        const TensorId where = add(Reshape{}, {less}, order, {count, 1});
        ScatterNd op;
        if (random_.chance(70)) op.joined = static_cast<Reduction>(random_.in(0, 3));
        const TensorId made = add(op, {rows, where, rows}, model, model.shape);
        return add(Requantise{}, {add(Reshape{}, {made}, real_model(in), graph_.tensor(in).shape)},
                   in);
    }

    TensorId real_weights(const std::vector<int>& shape) {
        const float gain = 1 / std::sqrt(static_cast<float>(shape.back()));
        return constant<float>(Type::float32, shape, [&](std::size_t i) {
            return gain * static_cast<float>(static_cast<int>(i * 37 % 19) - 9) / 9;
        });
    }

    /// Features of rows, and those of steps before, which are constants.
    TensorId filtered(TensorId in) {
        const TensorId rows = in_rows(real(in));
        const Tensor model = graph_.tensor(rows);
        const int count = model.shape[0], width = model.shape[1];
        const Svdf op{random_.in(1, 2), random_.chance(50) ? Activation::relu : Activation::none};
        const int filters = op.rank * width, steps = random_.in(1, 4);
        Tensor state = model;
        state.shape = {count, filters * steps};
        const TensorId before = real_weights(state.shape), made = new_tensor(model, op),
                       after = new_tensor(state, op);
        const TensorId bias = random_.chance(50) ? real_weights({width}) : kNone;
        add_node(
            op,
            {rows, real_weights({filters, width}), real_weights({filters, steps}), bias, before},
            {made, after});
        return add(Requantise{}, {add(Reshape{}, {made}, real_model(in), graph_.tensor(in).shape)},
                   in);
    }

    Tensor real_model(TensorId in) {
        Tensor model = graph_.tensor(in);
        model.type = Type::float32;
        model.quantisation = {};
        return model;
    }

    /// As an LSTM of float32 is read: two steps of all rows, gates by two products each.
    TensorId recurrent(TensorId in) {
        const TensorId rows = in_rows(real(in));
        const Tensor model = graph_.tensor(rows);
        const int width = model.shape[1];
        const auto two = [&](Arithmetic function, TensorId a, TensorId b) {
            return add(Binary{function, {}}, {a, b}, model, model.shape);
        };
        TensorId last = rows, cells = rows;
        for (int step = 0; step < 2; ++step) {
            const auto gate = [&](Function function) {
                const TensorId weights = real_weights({width, width});
                const TensorId own = add(FullyConnected{}, {rows, weights, real_weights({width})},
                                         model, model.shape);
                const TensorId other =
                    add(FullyConnected{}, {last, weights, kNone}, model, model.shape);
                return add(Unary{function, 0, 0}, {two(Arithmetic::add, own, other)}, model,
                           model.shape);
            };
            const TensorId forget = gate(Function::sigmoid), what = gate(Function::tanh),
                           input = gate(Function::sigmoid), output = gate(Function::sigmoid);
            cells = two(Arithmetic::add, two(Arithmetic::mul, forget, cells),
                        two(Arithmetic::mul, input, what));
            last = two(Arithmetic::mul, output,
                       add(Unary{Function::tanh, 0, 0}, {cells}, model, model.shape));
        }
        return add(Requantise{}, {add(Reshape{}, {last}, real_model(in), graph_.tensor(in).shape)},
                   in);
    }

    TensorId mixed(TensorId id) {
        const Tensor& tensor = graph_.tensor(id);
        const bool picture = tensor.shape.size() == 4;
        const int last = static_cast<int>(tensor.shape.size()) - 1;
        // Of these a small change of the input is a larger one of the output: only where values
        // are compared byte for byte.
        const bool exact = tensor.type != Type::float32;
        const auto function = static_cast<Function>(
            random_.pick({int(Function::elu), int(Function::silu), int(Function::gelu),
                          int(Function::mish), int(Function::softplus), int(Function::erf),
                          int(Function::hard_sigmoid), int(Function::softsign)}));
        switch (random_.in(picture ? 0 : 4, exact ? 21 : 9)) {
            case 0:
                return halves_swapped(id);
            case 1:
                return gathered(id);
            case 2:
                return cut_from_padded(id);
            case 3:
                return turned(id);
            case 4:
                return add(Unary{Function::tanh, 0, 0}, {id}, id);
            case 5:
                return add(Unary{function, 0.5F, 0.25F}, {id}, id);
            case 6:
                return softmax(id);
            case 7:
                return sorted(id);
            case 8:
                return larger_of_two(id);
            case 9:
                return less_the_largest(id);
            case 10:
                return in_float(L2Norm{}, id);
            case 11:
                return in_float(Norm{last, 0.5F, random_.chance(50)}, id);
            case 12:
                return in_float(Cumsum{random_.in(0, last), random_.chance(50), false}, id);
            case 13:
                return dynamic(id);
            case 14:
                return rotated(id);
            case 15:
                return attending(id);
            case 16:
                return sampled(id);
            case 17:
                return suppressed(id);
            case 18:
                return scattered(id);
            case 19:
                return filtered(id);
            case 20:
                return recurrent(id);
            default:
                return attention(id);
        }
    }

    verif::Random random_;
    Graph graph_;
    bool last_only_;
    std::map<TensorId, TensorId> mixed_;  ///< what is read in place of a tensor
};

}  // namespace

graph::Graph mixed(graph::Graph graph, std::uint64_t seed) {
    return Mixer(std::move(graph), seed).run();
}

}  // namespace macrame::test
