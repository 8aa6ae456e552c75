/// Reads TFLite files: verifies the bytes, reads tensors, builds the graph.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "compiler/front/half.hpp"
#include "compiler/front/tflite_reader.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::front {
namespace {

using graph::TensorId;
using graph::Type;

constexpr flatbuffers::uoffset_t kTfliteDepth = 16, kTfliteTables = 1 << 18;
std::size_t number(TensorId id) { return static_cast<std::size_t>(id); }

std::string_view text_of(const flatbuffers::String* text) {
    return text == nullptr ? std::string_view{} : text->string_view();
}

}  // namespace

bool convert(schema::TensorType from, Type& to) {
    switch (from) {
        case schema::TensorType::FLOAT32:
            to = Type::float32;
            return true;
        case schema::TensorType::INT32:
            to = Type::int32;
            return true;
        case schema::TensorType::UINT8:
            to = Type::uint8;
            return true;
        case schema::TensorType::INT64:
            to = Type::int64;
            return true;
        case schema::TensorType::INT16:
            to = Type::int16;
            return true;
        case schema::TensorType::INT8:
        case schema::TensorType::BOOL:
            to = Type::int8;
            return true;
        default:
            return false;
    }
}

TfliteReader::TfliteReader(const std::string& name, const std::vector<std::uint8_t>& bytes,
                           Shapes shapes, Fixed fixed)
    : name_(name),
      bytes_(bytes),
      shapes_(std::move(shapes)),
      fixed_(std::move(fixed)),
      budget_(bytes.size()) {}

const schema::Model& TfliteReader::verified() const {
    constexpr std::size_t kLargest = std::size_t{1} << 30;
    if (bytes_.size() < 8 || bytes_.size() > kLargest)
        throw Refusal{fmt::format("{} bytes: want 8 to {}", bytes_.size(), kLargest)};
    flatbuffers::Verifier verifier(bytes_.data(), bytes_.size(), kTfliteDepth, kTfliteTables);
    if (!schema::VerifyModelBuffer(verifier))
        throw Refusal{"damaged or no TFLite file: want a complete one"};
    const schema::Model& model = *schema::GetModel(bytes_.data());
    if (model.version() != 3)
        throw Refusal{fmt::format("version {} of the format: want 3", model.version())};
    const std::size_t subgraphs = model.subgraphs() == nullptr ? 0 : model.subgraphs()->size();
    // The first is what runs; others are branches of it, or bodies of operators that are refused.
    if (subgraphs == 0) throw Refusal{"no subgraph: want at least 1"};
    return model;
}

void TfliteReader::read_data(const schema::Model& model, const schema::Tensor& from,
                             graph::Tensor& to) {
    if (from.buffer() == 0) return;  // of what has no data, whatever is in it
    const std::size_t count = model.buffers() == nullptr ? 0 : model.buffers()->size();
    if (from.buffer() >= count)
        throw Refusal{fmt::format("buffer {}: want one of {}", from.buffer(), count)};
    const schema::Buffer* buffer = model.buffers()->Get(from.buffer());
    if (buffer == nullptr) throw Refusal{"a buffer that is left out: want it"};
    const std::uint8_t* begin = nullptr;
    std::uint64_t size = 0;
    if (buffer->offset() > 1) {  // of large files: behind the flatbuffer
        size = buffer->size();
        if (size > bytes_.size() || buffer->offset() > bytes_.size() - size)
            throw Refusal{
                fmt::format("{} bytes of data at byte {}: want them within the {} of the "
                            "file",
                            size, buffer->offset(), bytes_.size())};
        begin = bytes_.data() + buffer->offset();
    } else if (buffer->data() != nullptr) {
        begin = buffer->data()->data();
        size = buffer->data()->size();
    }
    if (size == 0) return;
    // The reference reads as much as the shape wants; tools align the ends.
    if (graph::problem_of(to).empty()) size = std::min<std::uint64_t>(size, to.bytes());
    to.constant = true;
    // Tensors that name the same bytes share them; only what follows from the bytes costs more.
    graph::Data& data = read_[{begin, size}];
    if (data.size() == 0) {
        budget_.charge(size);
        data = graph::Data::Bytes(begin, begin + size);
    }
    to.data = data;
}

namespace {

/// The reference reads no zero points of int32; scales of what is no bias are whatever a tool
/// wrote.
void settle_int32(graph::Tensor& tensor) {
    graph::Quantisation& q = tensor.quantisation;
    std::fill(q.zero_point.begin(), q.zero_point.end(), 0);
    const bool numbers = std::all_of(q.scale.begin(), q.scale.end(), [](float scale) {
        return std::isfinite(scale) && scale >= 0;
    });
    if (!numbers) q = {};
}

}  // namespace

void TfliteReader::widen(graph::Tensor& tensor) {
    if (!tensor.constant) throw Refusal{"float16 that is computed: want constants of it alone"};
    budget_.charge(2 * tensor.data.size());
    graph::Data::Bytes bytes(2 * tensor.data.size());
    for (std::size_t i = 0; i + 1 < tensor.data.size(); i += 2) {
        const std::uint8_t low = *(tensor.data.begin() + static_cast<std::ptrdiff_t>(i)),
                           high = *(tensor.data.begin() + static_cast<std::ptrdiff_t>(i + 1));
        const float value = wide(static_cast<std::uint16_t>(low | high << 8));
        std::memcpy(&bytes[2 * i], &value, sizeof value);
    }
    tensor.type = Type::float32;
    tensor.data = std::move(bytes);
}

/// Two elements in a byte, the lower bits first.
void TfliteReader::unpack(graph::Tensor& tensor) {
    if (!tensor.constant) throw Refusal{"int4 that is computed: want constants of it alone"};
    graph::Tensor whole;
    whole.shape = tensor.shape;
    if (const std::string problem = graph::problem_of(whole); !problem.empty())
        throw Refusal{problem};
    const std::size_t count = tensor.elements();
    const graph::Data packed = tensor.data;
    if (packed.size() < (count + 1) / 2)
        throw Refusal{fmt::format("{} bytes of int4: want {}", packed.size(), (count + 1) / 2)};
    budget_.charge(count);
    graph::Data::Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int value = packed[i / 2] >> (i % 2 == 0 ? 0 : 4) & 15;
        bytes[i] = static_cast<std::uint8_t>(value > 7 ? value - 16 : value);
    }
    tensor.data = std::move(bytes);
}

void TfliteReader::read_quantisation(const schema::Quantisation& from, graph::Tensor& to) {
    // The first kind is a tool's own, which nobody else reads.
    if (from.details_type() > 1) throw Refusal{"scales of blocks: want those of channels"};
    if (from.scale() == nullptr || to.type == Type::float32 || to.type == Type::int64) return;
    graph::Quantisation& q = to.quantisation;
    const std::size_t count = from.scale()->size();
    const std::size_t zeros = from.zero_point() == nullptr ? 0 : from.zero_point()->size();
    if (zeros > 1 && zeros != count)
        throw Refusal{fmt::format("{} scales and {} zero points: want as many", count, zeros)};
    budget_.charge(count * (sizeof(float) + sizeof(std::int32_t)));
    q.scale.assign(from.scale()->begin(), from.scale()->end());
    // Of a vector there is one axis, whatever a tool wrote: often that of the weights.
    q.axis = count > 1 && to.shape.size() != 1 ? from.axis() : 0;
    q.zero_point.resize(count, 0);
    for (std::size_t i = 0; i < count && zeros > 0; ++i) {
        // Nothing makes a file align its 64-bit elements, so they are copied.
        std::int64_t value = 0;
        std::memcpy(&value, from.zero_point()->Data() + (zeros > 1 ? i : 0) * sizeof value,
                    sizeof value);
        value = flatbuffers::EndianScalar(value);
        if (value < std::numeric_limits<std::int32_t>::min() ||
            value > std::numeric_limits<std::int32_t>::max())
            throw Refusal{fmt::format("zero point {}: want 32 bits", value)};
        q.zero_point[i] = static_cast<std::int32_t>(value);
    }
    if (to.type == Type::int32) settle_int32(to);
}

void TfliteReader::read_tensors(const schema::Model& model, const schema::SubGraph& subgraph) {
    if (subgraph.tensors() == nullptr) throw Refusal{"no tensors: want some"};
    const std::set<TensorId> dense = filled(model, subgraph);
    for (const schema::Tensor* from : *subgraph.tensors()) {
        budget_.charge(sizeof(graph::Tensor));
        graph::Tensor to;
        to.name = readable(text_of(from->name()));
        std::string defect;
        try {
            const bool half = from->type() == schema::TensorType::FLOAT16;
            const bool four_bits = from->type() == schema::TensorType::INT4;
            const bool complex = from->type() == schema::TensorType::COMPLEX64;
            to.type = half ? Type::int16 : complex ? Type::float32 : Type::int8;  // of its size
            if (!half && !four_bits && !complex && !convert(from->type(), to.type))
                throw Refusal{fmt::format(
                    "type {} ({}): want int4, int8, uint8, int16, int32, int64, "
                    "float32, bool",
                    static_cast<int>(from->type()), schema::EnumNameTensorType(from->type()))};
            const std::size_t rank = from->shape() == nullptr ? 0 : from->shape()->size();
            if (rank > graph::kMaxRank)
                throw Refusal{fmt::format("{} axes: want at most {}", rank, graph::kMaxRank)};
            if (rank > 0) to.shape.assign(from->shape()->begin(), from->shape()->end());
            if (complex) to.shape.push_back(2);  // both parts of each
            if (from->sparsity() != nullptr && four_bits)
                throw Refusal{"sparse int4: want all elements"};
            read_data(model, *from, to);
            if (from->sparsity() != nullptr) fill(*from->sparsity(), to);
            if (half && dense.count(static_cast<TensorId>(graph_.tensors.size())) != 0)
                to.type = Type::float32;
            else if (half)
                widen(to);
            if (four_bits) unpack(to);
            if (complex && to.constant) throw Refusal{"complex constants: want computed ones"};
            if (from->type() == schema::TensorType::BOOL)
                to.quantisation = {{1.0F}, {0}, 0};
            else if (from->quantisation() != nullptr)
                read_quantisation(*from->quantisation(), to);
            // Shapes of what is computed follow from those of the inputs.
            if (to.constant) defect = graph::problem_of(to);
        } catch (const Refusal& refusal) {
            if (budget_.exceeded()) throw;
            defect = refusal.text;
        }
        is_truth_.push_back(from->type() == schema::TensorType::BOOL);
        is_complex_.push_back(from->type() == schema::TensorType::COMPLEX64);
        is_variable_.push_back(from->is_variable());
        graph_.tensors.push_back(std::move(to));
        defects_.push_back(std::move(defect));
    }
    written_.resize(graph_.tensors.size());
}

void TfliteReader::read_version(const schema::Model& model) {
    if (model.metadata() == nullptr || model.buffers() == nullptr) return;
    for (const schema::Metadata* one : *model.metadata()) {
        if (text_of(one->name()) != "CONVERSION_METADATA") continue;
        if (one->buffer() >= model.buffers()->size()) return;
        const auto* data = model.buffers()->Get(one->buffer())->data();
        if (data == nullptr || data->size() > 1 << 16) return;
        std::vector<std::uint64_t> aligned(data->size() / sizeof(std::uint64_t) + 1);
        std::memcpy(aligned.data(), data->data(), data->size());
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(aligned.data());
        flatbuffers::Verifier verifier(bytes, data->size());
        if (!verifier.VerifyBuffer<schema::Conversion>(nullptr)) return;
        const auto* conversion = flatbuffers::GetRoot<schema::Conversion>(bytes);
        if (conversion->environment() == nullptr) return;
        const std::string version(text_of(conversion->environment()->tensorflow_version()));
        int major = 0, minor = 0;
        if (std::sscanf(version.c_str(), "%d.%d", &major, &minor) == 2)
            rounds_once_ = major > 2 || (major == 2 && minor >= 20);
    }
}

std::vector<TensorId> TfliteReader::ids(const flatbuffers::Vector<std::int32_t>* from,
                                        bool optional, std::size_t most) {
    std::vector<TensorId> result;
    if (from == nullptr) return result;
    budget_.charge(from->size() * sizeof(TensorId));
    for (const std::int32_t id : *from) {
        if (result.size() == most) break;
        const bool left_out = optional && id == graph::kNone;
        if (!left_out && (id < 0 || number(id) >= defects_.size()))
            throw Refusal{fmt::format("tensor {}: want one of {}", id, defects_.size())};
        if (!left_out && !defects_[number(id)].empty())
            throw Refusal{
                fmt::format("tensor {} ({}): {}", id, tensor(id).name, defects_[number(id)])};
        result.push_back(id);
    }
    return result;
}

void TfliteReader::check_tensors(const std::vector<TensorId>& tensors) const {
    for (const TensorId id : tensors) {
        if (id == graph::kNone) continue;
        const std::string problem = graph::problem_of(tensor(id));
        if (!problem.empty())
            throw Refusal{fmt::format("tensor {} ({}): {}", id, tensor(id).name, problem)};
    }
}

namespace {

/// So many inputs are looked at: shapes are those of outputs, whatever computes them or is missing.
std::size_t inputs_of(schema::BuiltinOperator code) {
    using Code = schema::BuiltinOperator;
    const bool one = code == Code::RESHAPE || code == Code::EXPAND_DIMS || code == Code::SHAPE ||
                     code == Code::RESIZE_BILINEAR || code == Code::RESIZE_NEAREST_NEIGHBOR;
    return one ? 1 : std::numeric_limits<std::size_t>::max();
}

/// Does nothing but write its outputs.
bool only_computes(schema::BuiltinOperator code) {
    using Code = schema::BuiltinOperator;
    for (const Code other : {Code::CUSTOM, Code::DELEGATE, Code::CALL, Code::CALL_ONCE, Code::IF,
                             Code::WHILE, Code::STABLEHLO_WHILE, Code::STABLEHLO_CUSTOM_CALL})
        if (code == other) return false;
    return true;
}

/// Changes variables among its inputs.
bool keeps_variables(schema::BuiltinOperator code) {
    using Code = schema::BuiltinOperator;
    for (const Code other : {Code::UNIDIRECTIONAL_SEQUENCE_LSTM, Code::BIDIRECTIONAL_SEQUENCE_LSTM,
                             Code::LSTM, Code::RNN, Code::UNIDIRECTIONAL_SEQUENCE_RNN,
                             Code::BIDIRECTIONAL_SEQUENCE_RNN, Code::SVDF})
        if (code == other) return true;
    return false;
}

}  // namespace

schema::BuiltinOperator code_of(const schema::OperatorCode& code) {
    return std::max(code.code(), static_cast<schema::BuiltinOperator>(code.short_code()));
}

std::vector<bool> TfliteReader::needed(const schema::Model& model,
                                       const schema::SubGraph& subgraph) const {
    const auto& operators = *subgraph.operators();
    std::vector<bool> used(defects_.size()), result(operators.size());
    const auto in_range = [&](std::int32_t id) { return id >= 0 && number(id) < used.size(); };
    for (const TensorId id : graph_.outputs)
        used[number(id)] = true;
    for (flatbuffers::uoffset_t i = operators.size(); i-- > 0;) {
        const schema::Operator& op = *operators.Get(i);
        const auto* codes = model.operator_codes();
        bool wanted = op.outputs() == nullptr || op.outputs()->size() == 0 || codes == nullptr ||
                      op.opcode_index() >= codes->size() ||
                      !only_computes(code_of(*codes->Get(op.opcode_index())));
        for (std::size_t k = 0; !wanted && k < op.outputs()->size(); ++k) {
            const std::int32_t id = op.outputs()->Get(static_cast<flatbuffers::uoffset_t>(k));
            wanted = !in_range(id) || used[number(id)];
        }
        result[i] = wanted;
        if (!wanted || op.inputs() == nullptr) continue;
        for (const std::int32_t id : *op.inputs())
            if (in_range(id)) used[number(id)] = true;
    }
    return result;
}

TfliteOperator TfliteReader::named(const schema::Model& model, const schema::Operator& op,
                                   std::size_t number_of_op) const {
    const std::size_t codes =
        model.operator_codes() == nullptr ? 0 : model.operator_codes()->size();
    TfliteOperator view;
    view.table = &op;
    view.where = fmt::format("operator {}", number_of_op);
    if (op.opcode_index() >= codes)
        throw Refusal{
            fmt::format("{}: code {}: want one of {}", view.where, op.opcode_index(), codes)};
    const schema::OperatorCode& code = *model.operator_codes()->Get(op.opcode_index());
    view.code = code_of(code);
    std::string name = schema::EnumNameBuiltinOperator(view.code);
    if (name.empty()) name = fmt::format("code {}", static_cast<int>(view.code));
    if (view.code == schema::BuiltinOperator::CUSTOM)
        name += " " + readable(text_of(code.custom_code()));
    view.where += fmt::format(" ({})", name);
    view.kind = std::move(name);
    return view;
}

TfliteOperator TfliteReader::view_of(const schema::Model& model, const schema::Operator& op,
                                     std::size_t number_of_op) {
    TfliteOperator view = named(model, op, number_of_op);
    try {
        view.outputs = ids(op.outputs(), false);
        if (!view.outputs.empty()) view.where += ", tensor " + tensor(view.outputs[0]).name;
        view.inputs = ids(op.inputs(), true, inputs_of(view.code));
        for (const TensorId id : view.inputs) {
            if (id == graph::kNone || !is_variable_[number(id)] || keeps_variables(view.code))
                continue;
            throw Refusal{fmt::format(
                "tensor {} ({}): a variable: want a recurrent operator or SVDF that keeps it", id,
                tensor(id).name)};
        }
        check_tensors(view.inputs);
        for (const TensorId id : view.outputs) {
            if (written_[number(id)] || tensor(id).constant)
                throw Refusal{
                    fmt::format("writes tensor {} ({}), which has a value: want one "
                                "writer",
                                id, tensor(id).name)};
        }
    } catch (const Refusal& refusal) {
        throw Refusal{fmt::format("{}: {}", view.where, refusal.text)};
    }
    return view;
}

void TfliteReader::read_operator(const schema::Model& model, const schema::Operator& op,
                                 std::size_t number_of_op) {
    budget_.charge(sizeof(graph::Node) + kMaxName);
    if (read_variable(model, op, number_of_op)) return;
    const TfliteOperator view = view_of(model, op, number_of_op);
    for (const TensorId id : view.outputs)
        written_[number(id)] = true;
    try {
        const std::size_t first = graph_.nodes.size();
        const std::vector<int> none = shape_outputs(view);
        check_tensors(view.outputs);
        translate(view);
        if (!none.empty())
            throw Refusal{fmt::format("a result of shape {}: want elements", graph::text_of(none))};
        settle(first);
        for (const TensorId id : view.outputs) {
            if (tensor(id).constant) continue;
            graph::FileValue value;
            value.place = static_cast<int>(number_of_op);
            value.kind = view.kind;
            value.name = tensor(id).name;
            value.id = id;
            value.shape = tensor(id).shape;
            graph_.file_values.push_back(std::move(value));
        }
    } catch (const Refusal& refusal) {
        throw Refusal{fmt::format("{}: {}", view.where, refusal.text)};
    }
}

void TfliteReader::settle(std::size_t first) {
    std::size_t kept = first;
    for (std::size_t i = first; i < graph_.nodes.size(); ++i) {
        graph::Node& node = graph_.nodes[i];
        for (const TensorId id : node.outputs) {
            const std::string problem = graph::problem_of(tensor(id));
            if (!problem.empty())
                throw Refusal{fmt::format("tensor {} ({}): {}", id, tensor(id).name, problem)};
        }
        const std::string problem = graph::problem_of(graph_, node);
        if (!problem.empty()) throw Refusal{problem};
        if (fold(graph_, node, budget_)) continue;
        if (kept != i) graph_.nodes[kept] = std::move(node);
        ++kept;
    }
    graph_.nodes.resize(kept);
}

void TfliteReader::read_operators(const schema::Model& model, const schema::SubGraph& subgraph) {
    const std::size_t count = subgraph.operators() == nullptr ? 0 : subgraph.operators()->size();
    const std::vector<bool> wanted = count == 0 ? std::vector<bool>() : needed(model, subgraph);
    for (std::size_t i = 0; i < count && errors_.size() < kMaxErrors; ++i) {
        if (!wanted[i]) continue;
        const auto place = static_cast<flatbuffers::uoffset_t>(i);
        try {
            read_operator(model, *subgraph.operators()->Get(place), i);
        } catch (const Refusal& refusal) {
            errors_.push_back(refusal.text);
        }
    }
}

ReadResult TfliteReader::run() {
    try {
        const schema::Model& model = verified();
        const schema::SubGraph& subgraph = *model.subgraphs()->Get(0);
        graph_.name = name_;
        read_version(model);
        read_tensors(model, subgraph);
        read_ends(subgraph);
        if (subgraph.operators() != nullptr && subgraph.operators()->size() > 0)
            find_variables(model, subgraph);
        read_operators(model, subgraph);
        if (errors_.empty()) add_states();
        if (!errors_.empty()) tell_open();
    } catch (const Refusal& refusal) {
        errors_.push_back(refusal.text);
    }
    return finish(name_, std::move(graph_), std::move(errors_));
}

ReadResult read_tflite(const std::string& name, const std::vector<std::uint8_t>& bytes,
                       const Shapes& shapes, const Fixed& fixed) {
    return TfliteReader(name, bytes, shapes, fixed).run();
}

}  // namespace macrame::front
