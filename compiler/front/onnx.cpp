/// Reads ONNX files: verifies the bytes, goes through inputs, operators and outputs.
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include <algorithm>

#include "compiler/front/onnx_form.hpp"
#include "compiler/front/onnx_reader.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

using graph::TensorId;
using graph::Type;

constexpr int kOnnxDepth = 16;
constexpr std::size_t kLargestFile = std::size_t{1} << 30;
/// Versions of the operator sets that are known.
constexpr std::int64_t kOldest = 7, kNewest = 28;

bool parse(const std::vector<std::uint8_t>& bytes, onnx_schema::Model& model) {
    google::protobuf::io::CodedInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
    stream.SetRecursionLimit(kOnnxDepth);
    return model.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

}  // namespace

OnnxReader::OnnxReader(const std::string& name, const std::vector<std::uint8_t>& bytes,
                       Shapes shapes, Fixed fixed, Branches taken)
    : name_(name),
      shapes_(std::move(shapes)),
      fixed_(std::move(fixed)),
      bytes_(bytes),
      budget_(bytes.size()),
      branches_(std::move(taken)) {}

onnx_schema::Model OnnxReader::parsed() const {
    if (bytes_.size() > kLargestFile)
        throw Refusal{fmt::format("{} bytes: want at most {}", bytes_.size(), kLargestFile)};
    onnx_schema::Model model;
    if (!parse(bytes_, model)) throw Refusal{"damaged or no ONNX file: want a complete one"};
    if (!model.has_graph()) throw Refusal{"no graph: want one"};
    return model;
}

void OnnxReader::read_versions(const onnx_schema::Model& model) {
    for (const onnx_schema::OperatorSet& set : model.opset_import()) {
        const std::string domain = domain_of(set.domain());
        const auto [at, is_new] = versions_.emplace(domain, set.version());
        if (!is_new && at->second != set.version())
            throw Refusal{fmt::format("operator set '{}' twice, {} and {}: want it once",
                                      readable(domain), at->second, set.version())};
    }
    const auto own = versions_.find("");
    if (own != versions_.end() && own->second < kOldest)
        throw Refusal{fmt::format("operator set {}: want {} or newer", own->second, kOldest)};
}

OnnxOperator OnnxReader::view_of(int index) const {
    OnnxOperator op;
    op.node = &model_.graph().node(index);
    op.index = index;
    op.where = fmt::format("operator {} ({})", op.node->place(), readable(op.type()));
    if (op.node->has_name() && !op.node->name().empty())
        op.where += ", " + readable(op.node->name());
    else if (op.outputs() > 0)
        op.where += ", tensor " + readable(op.node->output(0));
    const std::string& domain = op.node->domain();
    const auto version = versions_.find(domain);
    if (version == versions_.end() && !op.node->has_version())
        throw Refusal{fmt::format("{}: operator set '{}': want one that the file imports", op.where,
                                  readable(domain))};
    // Layouts that ONNX Runtime makes for the processor that it runs on.
    if (domain == "com.microsoft.nchwc" || domain == "com.ms.internal.nhwc")
        throw Refusal{
            fmt::format("{}: operator set '{}', which is for one kind of processor: want "
                        "the model before ONNX Runtime's optimisations, or saved with "
                        "ORT_ENABLE_EXTENDED",
                        op.where, readable(domain))};
    if (!domain.empty() && domain != "com.microsoft")
        throw Refusal{fmt::format("{}: operator set '{}': want ai.onnx or com.microsoft", op.where,
                                  readable(domain))};
    op.version = op.node->has_version() ? op.node->version() : version->second;
    return op;
}

namespace {

/// Sets of operators that are newer than those known here add attributes where they change one;
/// com.microsoft does so in its only set.
void want_known_attributes(const OnnxOperator& op) {
    if (op.domain_is_own() && op.version <= kNewest) return;
    for (const onnx_schema::Attribute& attribute : op.node->attribute()) {
        const auto& asked = op.asked;
        if (std::find(asked.begin(), asked.end(), attribute.name()) != asked.end()) continue;
        const std::string name = readable(attribute.name());
        throw Refusal{op.domain_is_own()
                          ? fmt::format("attribute {} in operator set {}: want those of set {}",
                                        name, op.version, kNewest)
                          : fmt::format("attribute {}: want it left out", name)};
    }
}

/// Operators of an input without elements that have none either.
bool keeps_elements(const OnnxOperator& op) {
    constexpr const char* kTypes[] = {"Cast",           "DequantizeLinear", "Identity",
                                      "QuantizeLinear", "Transpose",        "Unsqueeze"};
    return std::find(std::begin(kTypes), std::end(kTypes), op.type()) != std::end(kTypes);
}

}  // namespace

void OnnxReader::read_operator(int index) {
    if (done_.count(index) != 0) return;
    budget_.charge(sizeof(graph::Node) + kMaxName);
    const OnnxOperator op = view_of(index);
    try {
        for (const onnx_schema::Attribute& attribute : op.node->attribute()) {
            if (attribute.has_ref_attr_name())
                throw Refusal{"an attribute of a function: want a value"};
        }
        for (const std::string& name : op.node->input()) {
            if (unknown_.count(name) != 0) throw Refusal{};
            if (!name.empty() && empty_.count(name) == 0 && sequences_.count(name) == 0)
                value_of(name);
        }
        if (op.outputs() == 0) throw Refusal{"no outputs: want at least one"};
        if (op.inputs() > 0 && empty_.count(op.node->input(0)) != 0 && keeps_elements(op)) {
            empty_.insert(op.node->output(0));
            return;
        }
        want_attributes(op);
        op.asked.clear();
        translate(op);
        want_known_attributes(op);
    } catch (const Refusal& refusal) {
        for (const std::string& name : op.node->output())
            unknown_.insert(name);
        if (refusal.text.empty()) return;  // told where the input was refused
        throw Refusal{fmt::format("{}: {}", op.where, refusal.text)};
    }
}

void OnnxReader::read_outputs() {
    OnnxOperator op;
    for (const onnx_schema::ValueInfo& output : model_.graph().output()) {
        op.where = "output " + readable(output.name());
        try {
            const OnnxValue value = value_of(output.name());
            TensorId id = plain(op, value);
            const graph::Tensor from = tensor(id);
            if (value.shifted && from.type == Type::int8) {
                graph::Tensor to = from;
                to.constant = false;
                to.data.clear();
                to.type = Type::uint8;
                for (std::int32_t& zero : to.quantisation.zero_point)
                    zero += 128;
                const TensorId unsigned_id = add_tensor(std::move(to));
                add(op, graph::Requantise{}, {id}, {unsigned_id});
                id = unsigned_id;
            }
            const int declared = output.type().tensor_type().elem_type();
            Type wanted = from.type;
            if (!value.real && (declared == kInt32 || declared == kInt64))
                convert(declared, wanted);
            if (wanted != from.type && (from.type == Type::int32 || from.type == Type::int64)) {
                const TensorId numbers = add_tensor(from.name, wanted, from.shape);
                add(op, graph::Cast{}, {id}, {numbers});
                id = numbers;
            }
            graph_.tensor(id).name = readable(output.name());
            // Truth values stay the bytes that they are.
            const bool truth = output.type().tensor_type().elem_type() == kBool;
            if (value.real && !truth && from.type != Type::float32)
                real_outputs_.push_back(graph_.outputs.size());
            graph_.outputs.push_back(id);
        } catch (const Refusal& refusal) {
            throw Refusal{fmt::format("{}: {}", op.where, refusal.text)};
        }
    }
    graph_.outputs.insert(graph_.outputs.end(), counts_.begin(), counts_.end());
}

/// What operators of the file write; before outputs are given the layout of the file.
void OnnxReader::name_values() {
    for (const onnx_schema::Node& node : model_.graph().node()) {
        for (const std::string& name : node.output()) {
            if (name.empty()) continue;
            const auto found = values_.find(name);
            graph::FileValue value;
            value.place = node.place();
            value.kind = readable(node.op_type());
            value.name = readable(name);
            if (found != values_.end()) {
                const OnnxValue& known = found->second;
                if (tensor(known.id).constant) continue;
                value.id = known.id;
                value.shape = known.shape;
                if (known.form == Form::image)
                    value.planes.assign(known.shape.begin() + 1, known.shape.end());
                if (known.form == Form::flat)
                    value.planes.assign(known.chw.begin(), known.chw.end());
                value.unsigned_bytes = known.shifted && tensor(known.id).type == Type::int8;
                value.real = known.real;
            }
            budget_.charge(sizeof(graph::FileValue) + kMaxName);
            graph_.file_values.push_back(std::move(value));
        }
    }
}

void OnnxReader::read_nodes_of_values() {
    for (int i = 0; i < model_.graph().node_size(); ++i) {
        for (const std::string& name : model_.graph().node(i).input())
            readers_[name].push_back(i);
    }
    for (const onnx_schema::ValueInfo& output : model_.graph().output())
        outputs_.insert(output.name());
}

ReadResult OnnxReader::run() {
    try {
        model_ = parsed();
        graph_.name = name_;
        graph_.rounding = graph::Rounding::onnx;
        read_versions(model_);
        fix_inputs();
        settle_operators(model_, branches_, budget_);
        settle_data(model_, name_, budget_);
        read_nodes_of_values();
        read_initialisers();
        read_inputs();
        for (int i = 0; i < model_.graph().node_size() && errors_.size() < kMaxErrors; ++i) {
            try {
                read_operator(i);
            } catch (const Refusal& refusal) {
                errors_.push_back(refusal.text);
                if (budget_.exceeded()) break;
            }
        }
        if (errors_.empty()) {
            name_values();
            read_outputs();
            spread_scales();
            inputs_first();
        }
    } catch (const Refusal& refusal) {
        errors_.push_back(refusal.text);
    }
    ReadResult result = finish(name_, std::move(graph_), std::move(errors_));
    result.real_inputs = std::move(real_inputs_);
    result.real_outputs = std::move(real_outputs_);
    return result;
}

bool is_onnx(const std::vector<std::uint8_t>& bytes) {
    onnx_schema::Model model;
    return bytes.size() <= kLargestFile && parse(bytes, model) && model.has_graph();
}

ReadResult read_onnx(const std::string& name, const std::vector<std::uint8_t>& bytes,
                     const Shapes& shapes, const Fixed& fixed) {
    // A condition may be known behind a branch that was taken.
    constexpr int kMost = 16;
    Branches taken;
    for (int i = 0;; ++i) {
        OnnxReader reader(name, bytes, shapes, fixed, taken);
        ReadResult result = reader.run();
        if (reader.branches().size() == taken.size() || i == kMost) return result;
        taken = reader.branches();
    }
}

}  // namespace macrame::front
