/// Values of an ONNX file: attributes, tensors, layout.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "compiler/front/onnx_reader.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/kernels.hpp"

namespace macrame::front {

using graph::kNone;
using graph::TensorId;
using graph::Type;

// ---------------------------------------------------------------- numbers

int size_of(std::int64_t value, const char* what) {
    if (value < 1 || value > std::numeric_limits<int>::max())
        throw Refusal{fmt::format("{} of {}: want at least 1", what, value)};
    return static_cast<int>(value);
}

std::vector<int> image_shape(const std::vector<int>& shape) {
    return {shape[0], shape[2], shape[3], shape[1]};
}

int image_axis(int axis) {
    constexpr std::array<int, 4> kAxes = {0, 3, 1, 2};
    return kAxes[static_cast<std::size_t>(axis)];
}

std::int64_t elements_of(const std::vector<int>& shape) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    std::int64_t product = 1;
    for (const int size : shape)
        product = std::min(product * size, kMost);
    return product;
}

// ---------------------------------------------------------------- attributes

namespace {

/// Numbers of the kinds of attributes.
enum AttributeKind {
    kFloatKind = 1,
    kIntKind = 2,
    kStringKind = 3,
    kFloatsKind = 6,
    kIntsKind = 7
};

const onnx_schema::Attribute* checked(const OnnxOperator& op, const char* name,
                                      AttributeKind kind) {
    const onnx_schema::Attribute* found = op.find(name);
    if (found != nullptr && found->type() != kind)
        throw Refusal{fmt::format("attribute {} is of kind {}: want {}", name, found->type(),
                                  static_cast<int>(kind))};
    return found;
}

/// No amount in a network is larger: sums of a few do not overflow.
std::int64_t limited(std::int64_t value) {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
    return std::clamp(value, -kLargest - 1, kLargest);
}

}  // namespace

const onnx_schema::Attribute* OnnxOperator::find(const char* name) const {
    asked.emplace_back(name);
    const auto found =
        std::find_if(node->attribute().begin(), node->attribute().end(),
                     [&](const onnx_schema::Attribute& a) { return a.name() == name; });
    return found == node->attribute().end() ? nullptr : &*found;
}

std::int64_t OnnxOperator::integer(const char* name, std::int64_t otherwise) const {
    const onnx_schema::Attribute* found = checked(*this, name, kIntKind);
    return found == nullptr ? otherwise : limited(found->i());
}

float OnnxOperator::real(const char* name, float otherwise) const {
    const onnx_schema::Attribute* found = checked(*this, name, kFloatKind);
    return found == nullptr ? otherwise : found->f();
}

std::string OnnxOperator::text(const char* name, const char* otherwise) const {
    const onnx_schema::Attribute* found = checked(*this, name, kStringKind);
    return found == nullptr ? otherwise : readable(found->s());
}

std::vector<std::int64_t> OnnxOperator::integers(const char* name) const {
    constexpr int kMost = 64;
    const onnx_schema::Attribute* found = checked(*this, name, kIntsKind);
    if (found == nullptr) return {};
    if (found->ints_size() > kMost)
        throw Refusal{
            fmt::format("{} values of {}: want at most {}", found->ints_size(), name, kMost)};
    std::vector<std::int64_t> values(found->ints().begin(), found->ints().end());
    std::transform(values.begin(), values.end(), values.begin(), limited);
    return values;
}

// ---------------------------------------------------------------- names

void OnnxReader::define(const std::string& name, OnnxValue value) {
    if (name.empty()) throw Refusal{"a result without a name: want one"};
    if (!values_.emplace(name, std::move(value)).second)
        throw Refusal{fmt::format("{} has two values: want one", readable(name))};
}

const OnnxValue& OnnxReader::value_of(const std::string& name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    if (sequences_.count(name) != 0) {
        for (const onnx_schema::Node& node : model_.graph().node())
            for (const std::string& made : node.output())
                if (made == name)
                    throw Refusal{fmt::format(
                        "{} is a list of tensors, made by operator {} ({}): want SequenceAt or "
                        "ConcatFromSequence behind it",
                        readable(name), node.place(), readable(node.op_type()))};
    }
    const auto defect = defects_.find(name);
    if (defect != defects_.end())
        throw Refusal{fmt::format("{}: {}", readable(name), defect->second)};
    if (empty_.count(name) != 0)
        throw Refusal{fmt::format("{} has no elements: want at least 1", readable(name))};
    throw Refusal{fmt::format("reads {}, which nothing before it writes: want operators in order",
                              readable(name))};
}

bool OnnxReader::has(const OnnxOperator& op, std::size_t i) const {
    if (i >= op.inputs()) return false;
    const std::string& name = op.node->input(static_cast<int>(i));
    return !name.empty() && empty_.count(name) == 0;
}

const OnnxValue& OnnxReader::value(const OnnxOperator& op, std::size_t i) const {
    if (!has(op, i)) throw Refusal{fmt::format("input {} is left out: want it", i)};
    return value_of(op.node->input(static_cast<int>(i)));
}

void OnnxReader::give(const OnnxOperator& op, std::size_t i, OnnxValue value) {
    if (i >= op.outputs()) throw Refusal{fmt::format("{} outputs: want more", op.outputs())};
    const std::string& name = op.node->output(static_cast<int>(i));
    if (name.empty()) return;  // left out
    define(name, std::move(value));
}

void OnnxReader::give(const OnnxOperator& op, const Ending& ending, OnnxValue value) {
    if (!ending.nodes.empty()) {
        done_.insert(ending.nodes.begin(), ending.nodes.end());
        define(ending.name, std::move(value));
    } else {
        give(op, 0, std::move(value));
    }
}

// ---------------------------------------------------------------- tensors

TensorId OnnxReader::add_tensor(graph::Tensor tensor) {
    budget_.charge(sizeof(graph::Tensor));
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
}

TensorId OnnxReader::add_tensor(const std::string& name, Type type, std::vector<int> shape,
                                graph::Quantisation quantisation) {
    graph::Tensor tensor;
    tensor.name = readable(name);
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.quantisation = std::move(quantisation);
    if (const std::string problem = graph::problem_of(tensor); !problem.empty())
        throw Refusal{fmt::format("{}: {}", tensor.name, problem)};
    return add_tensor(std::move(tensor));
}

OnnxValue OnnxReader::integers_value(const std::string& name,
                                     const std::vector<std::int64_t>& values,
                                     std::vector<int> shape) {
    OnnxValue value;
    value.shape = shape;
    value.id = add_tensor(name, Type::int64, std::move(shape));
    graph::Tensor& to = graph_.tensor(value.id);
    to.constant = true;
    to.data.resize(values.size() * sizeof(std::int64_t));
    std::memcpy(to.data.own().data(), values.data(), to.data.size());
    return value;
}

TensorId OnnxReader::add_real(const std::string& name, float value) {
    const TensorId id = add_tensor(name, Type::float32, {});
    graph::Tensor& to = graph_.tensor(id);
    to.constant = true;
    to.data.resize(sizeof(float));
    std::memcpy(to.data.own().data(), &value, sizeof(float));
    return id;
}

void OnnxReader::add(const OnnxOperator& op, graph::Operator what, std::vector<TensorId> inputs,
                     std::vector<TensorId> outputs) {
    if (add_batch(op, what, inputs, outputs)) return;
    graph::Node node{std::move(what), std::move(inputs), std::move(outputs), op.where};
    const bool constant = std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId id) {
        return id != kNone && tensor(id).constant;
    });
    if (constant) {
        const std::string problem = graph::problem_of(graph_, node);
        if (!problem.empty()) throw Refusal{problem};
        if (fold(graph_, node, budget_)) return;
    }
    graph_.nodes.push_back(std::move(node));
}

/// Windows move over one picture: each of a batch is one of its own.
bool OnnxReader::add_batch(const OnnxOperator& op, const graph::Operator& what,
                           const std::vector<TensorId>& inputs,
                           const std::vector<TensorId>& outputs) {
    constexpr int kMostPictures = 4096;
    if (!graph::is_one_of<graph::Conv, graph::TransposeConv, graph::Pool, graph::Resize>(what))
        return false;
    const graph::Tensor x = tensor(inputs[0]), y = tensor(outputs[0]);
    if (x.shape.size() != 4 || x.shape[0] == 1 || y.shape.size() != 4 || y.shape[0] != x.shape[0] ||
        x.shape[0] > kMostPictures)
        return false;
    const auto one_of = [&](const graph::Tensor& from) {
        graph::Tensor one = from;
        one.shape[0] = 1;
        one.constant = false;
        one.data.clear();
        return add_tensor(std::move(one));
    };
    std::vector<TensorId> parts, made;
    for (int i = 0; i < x.shape[0]; ++i) {
        parts.push_back(one_of(x));
        made.push_back(one_of(y));
    }
    add(op, graph::Split{0}, {inputs[0]}, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::vector<TensorId> own = inputs;
        own[0] = parts[i];
        add(op, what, own, {made[i]});
    }
    add(op, graph::Concat{0, {}}, made, outputs);
    return true;
}

TensorId OnnxReader::add_move(const OnnxOperator& op, graph::Operator what, TensorId input,
                              std::vector<int> shape, int axis) {
    const graph::Tensor& from = tensor(input);
    graph::Quantisation quantisation = from.quantisation;
    const bool per_channel = quantisation.per_channel();
    // Only constants may have several scales: given when it is one.
    const std::string name =
        op.node != nullptr && op.outputs() > 0 ? op.node->output(0) : from.name;
    const TensorId output = add_tensor(name, from.type, std::move(shape),
                                       per_channel ? graph::Quantisation{} : quantisation);
    add(op, std::move(what), {input}, {output});
    if (per_channel) {
        quantisation.axis = axis;
        graph_.tensor(output).quantisation = std::move(quantisation);
    }
    return output;
}

// ---------------------------------------------------------------- layout

TensorId OnnxReader::reshaped(const OnnxOperator& op, TensorId id, std::vector<int> shape) {
    if (tensor(id).shape == shape) return id;
    // Back to what it was.
    if (const auto from = reshaped_from_.find(id);
        from != reshaped_from_.end() && tensor(from->second).shape == shape)
        return from->second;
    const auto known = reshaped_.find({id, shape});
    if (known != reshaped_.end()) return known->second;
    const TensorId to = add_move(op, graph::Reshape{}, id, shape);
    graph_.tensor(to).name = tensor(id).name;
    reshaped_from_[to] = id;
    return reshaped_[{id, std::move(shape)}] = to;
}

TensorId OnnxReader::permuted(const OnnxOperator& op, TensorId id, const std::vector<int>& order) {
    if (const auto from = permuted_from_.find(id); from != permuted_from_.end()) {
        bool back = true;
        for (std::size_t i = 0; i < order.size(); ++i)
            back &= from->second.second[static_cast<std::size_t>(order[i])] == static_cast<int>(i);
        if (back) return from->second.first;
    }
    const auto known = permuted_.find({id, order});
    if (known != permuted_.end()) return known->second;
    const graph::Tensor& from = tensor(id);
    std::vector<int> shape;
    for (const int axis : order)
        shape.push_back(from.shape[static_cast<std::size_t>(axis)]);
    // Scales of weights move with their axis.
    const auto axis = std::find(order.begin(), order.end(), from.quantisation.axis);
    const TensorId to = add_move(op, graph::Transpose{order}, id, std::move(shape),
                                 static_cast<int>(axis - order.begin()));
    graph_.tensor(to).name = tensor(id).name;
    permuted_from_[to] = {id, order};
    return permuted_[{id, order}] = to;
}

TensorId OnnxReader::ordered(const OnnxValue& value) const {
    const bool one_channel = value.form == Form::image && value.shape[1] == 1;
    const bool one_pixel = value.form == Form::image && value.shape[2] == 1 && value.shape[3] == 1;
    return value.form == Form::plain || one_channel || one_pixel ? value.id : kNone;
}

TensorId OnnxReader::plain(const OnnxOperator& op, const OnnxValue& value) {
    if (const TensorId id = ordered(value); id != kNone) return reshaped(op, id, value.shape);
    if (value.form == Form::image) return permuted(op, value.id, {0, 3, 1, 2});
    const auto [channels, height, width] = value.chw;
    const TensorId cube = reshaped(op, value.id, {1, height, width, channels});
    return reshaped(op, permuted(op, cube, {0, 3, 1, 2}), value.shape);
}

TensorId OnnxReader::image(const OnnxOperator& op, const OnnxValue& value) {
    if (value.shape.size() != 4)
        throw Refusal{fmt::format("{} has shape {}: want batch x channels x height x width",
                                  tensor(value.id).name, graph::text_of(value.shape))};
    if (value.form == Form::image) return value.id;
    const bool one_channel = value.shape[1] == 1;
    const bool one_pixel = value.shape[2] == 1 && value.shape[3] == 1;
    const TensorId id = plain(op, value);
    if (one_channel || one_pixel) return reshaped(op, id, image_shape(value.shape));
    return permuted(op, id, {0, 2, 3, 1});
}

void OnnxReader::inputs_first() {
    std::set<TensorId> inputs(graph_.inputs.begin(), graph_.inputs.end());
    std::vector<graph::Node> first, others;
    for (graph::Node& node : graph_.nodes) {
        const bool moves = std::holds_alternative<graph::Requantise>(node.op) ||
                           std::holds_alternative<graph::Transpose>(node.op) ||
                           std::holds_alternative<graph::Reshape>(node.op);
        const bool early = moves && inputs.count(node.inputs[0]) != 0;
        if (early) inputs.insert(node.outputs[0]);
        (early ? first : others).push_back(std::move(node));
    }
    graph_.nodes = std::move(first);
    std::move(others.begin(), others.end(), std::back_inserter(graph_.nodes));
}

// ---------------------------------------------------------------- constants

std::vector<std::int64_t> OnnxReader::constants(const OnnxOperator& op, std::size_t i) const {
    return integers_of(tensor(value(op, i).id));
}

std::vector<float> OnnxReader::reals_of(const std::string& name) const {
    const OnnxValue& value = value_of(name);
    const graph::Tensor& from = tensor(value.id);
    if (!from.constant || !value.real)
        throw Refusal{fmt::format("{} is {}: want a constant of float32", from.name,
                                  from.constant ? name_of(from.type) : "computed")};
    graph::Node reader;
    reader.inputs = {value.id};
    const std::vector<const graph::Bytes*> bytes = {&from.data.bytes()};
    return graph::Call{graph_, reader, bytes}.reals();
}

std::vector<float> OnnxReader::reals(const OnnxOperator& op, std::size_t i) const {
    value(op, i);
    return reals_of(op.node->input(static_cast<int>(i)));
}

}  // namespace macrame::front
