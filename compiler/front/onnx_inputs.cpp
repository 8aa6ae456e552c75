/// Inputs of ONNX files: shapes, quantisation, and those that become constants.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "compiler/front/fixed.hpp"
#include "compiler/front/onnx_reader.hpp"
#include "compiler/front/onnx_types.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::TensorId;
using graph::Type;

/// Sizes of open axes that have names, by these: those of the shapes given, and 1 of batches.
std::map<std::string, int> OnnxReader::named_sizes() const {
    std::map<std::string, int> sizes;
    for (const bool given : {true, false}) {
        for (const onnx_schema::ValueInfo& input : model_.graph().input()) {
            const auto found = shapes_.find(input.name());
            if ((found != shapes_.end()) != given || values_.count(input.name()) != 0) continue;
            const onnx_schema::Shape& shape = input.type().tensor_type().shape();
            for (int i = 0; i < shape.dim_size(); ++i) {
                const std::string& name = shape.dim(i).dim_param();
                if (name.empty() || shape.dim(i).has_dim_value()) continue;
                const auto axis = static_cast<std::size_t>(i);
                if (given && axis < found->second.size())
                    sizes.insert({name, found->second[axis]});
                else if (!given && i == 0)
                    sizes.insert({name, 1});
            }
        }
    }
    return sizes;
}

/// The shape of an input: what the file says, and for axes that it leaves open what is given.
std::vector<int> OnnxReader::input_shape(const onnx_schema::ValueInfo& input,
                                         const std::map<std::string, int>& named) {
    const auto refuse = [&](const std::string& text) {
        throw Refusal{fmt::format("input {}: {}", readable(input.name()), text)};
    };
    if (!input.type().has_tensor_type() || !input.type().tensor_type().has_shape())
        refuse("no tensor with a shape: want one");
    const onnx_schema::Shape& shape = input.type().tensor_type().shape();
    const Shapes::node_type given = shapes_.extract(input.name());
    const int axes = shape.dim_size();
    std::vector<int> out;
    if (!given.empty() && given.mapped().size() != static_cast<std::size_t>(axes))
        refuse(fmt::format("a shape of {} axes: want {}", given.mapped().size(), axes));
    for (int i = 0; i < axes; ++i) {
        const onnx_schema::Dimension& dim = shape.dim(i);
        // Some write what is open as -1.
        const bool open = !dim.has_dim_value() || dim.dim_value() == -1;
        const auto like = named.find(dim.has_dim_value() ? "" : dim.dim_param());
        if (open && i > 0 && given.empty() && like == named.end())
            refuse(
                fmt::format("axis {} is open ('{}'): want --shape NAME=N,N,... (without, "
                            "only axis 0, the batch, may be open: it is 1)",
                            i, readable(dim.dim_param())));
        std::int64_t size = !open ? dim.dim_value() : like != named.end() ? like->second : 1;
        if (!given.empty()) {
            const int wanted = given.mapped()[static_cast<std::size_t>(i)];
            if (!open && wanted != size)
                refuse(fmt::format("axis {} of the shape given is {}: want {}, as in the file", i,
                                   wanted, size));
            size = wanted;
        }
        if (size < 1 || size > std::numeric_limits<int>::max())
            refuse(fmt::format("axis {} has {} elements: want at least 1", i, size));
        out.push_back(static_cast<int>(size));
    }
    return out;
}

namespace {

/// How elements of an input lie, and the type of the constant that it becomes: other
/// floating-point types are float32. Nothing of types that there are no constants of.
std::optional<ElementForm> form_of(int& type) {
    using Kind = ElementForm::Kind;
    switch (type) {
        case kFloat:
        case kDouble:
        case kHalf:
        case kBfloat16:
            type = kFloat;
            return ElementForm{Kind::real, 4};
        case kUint8:
            return ElementForm{Kind::natural, 1};
        case kUint16:
            return ElementForm{Kind::natural, 2};
        case kInt8:
            return ElementForm{Kind::integer, 1};
        case kInt16:
            return ElementForm{Kind::integer, 2};
        case kInt32:
            return ElementForm{Kind::integer, 4};
        case kInt64:
            return ElementForm{Kind::integer, 8};
        case kBool:
            return ElementForm{Kind::truth, 1};
        default:
            return std::nullopt;
    }
}

}  // namespace

void OnnxReader::fix_inputs() {
    if (fixed_.empty()) return;
    onnx_schema::Graph& graph = *model_.mutable_graph();
    std::set<std::string> constants;
    for (const onnx_schema::Tensor& tensor : graph.initializer())
        constants.insert(tensor.name());
    const std::map<std::string, int> named = named_sizes();
    std::vector<std::string> names;
    for (int i = 0; i < graph.input_size();) {
        const onnx_schema::ValueInfo& input = graph.input(i);
        const std::string name = input.name();
        const bool listed = constants.count(name) != 0;  // older files list constants, too
        if (!listed) names.push_back(readable(name));
        if (listed || fixed_.count(name) == 0) {
            ++i;
            continue;
        }
        const std::vector<int> shape = input_shape(input, named);
        int type = input.type().tensor_type().elem_type();
        const std::optional<ElementForm> form = form_of(type);
        if (!form) throw Refusal{fmt::format("input {}: {}", readable(name), type_problem(type))};
        const auto bytes = fixed_elements(fixed_, name, *form, shape);
        budget_.charge(bytes->size());
        onnx_schema::Tensor constant;
        constant.set_raw_data(bytes->data(), bytes->size());
        constant.set_name(name);
        constant.set_data_type(type);
        for (const int size : shape)
            constant.add_dims(size);
        *graph.add_initializer() = std::move(constant);
        graph.mutable_input()->DeleteSubrange(i, 1);
    }
    want_none_left({}, fixed_, names);
}

void OnnxReader::read_inputs() {
    const std::map<std::string, int> named = named_sizes();
    for (const onnx_schema::ValueInfo& input : model_.graph().input()) {
        const std::string& name = input.name();
        // Older files list constants, too.
        if (defects_.count(name) != 0 || empty_.count(name) != 0) continue;
        const auto known = values_.find(name);
        if (known != values_.end() && tensor(known->second.id).constant) continue;
        const auto refuse = [&](const std::string& text) {
            throw Refusal{fmt::format("input {}: {}", readable(name), text)};
        };
        const onnx_schema::TensorType& type = input.type().tensor_type();
        OnnxValue value;
        value.shape = input_shape(input, named);
        graph::Tensor to;
        to.name = readable(name);
        to.shape = value.shape;
        if (!convert(type.elem_type(), to.type) || type.elem_type() == kUint16 ||
            type.elem_type() == kUint4 || type.elem_type() == kInt4)
            refuse(type_problem(type.elem_type()));
        value.shifted = type.elem_type() == kUint8;
        if (type.elem_type() == kBool) to.quantisation = {{1.0F}, {0}, 0};
        value.real = to.type == Type::float32 || type.elem_type() == kBool;
        if (to.type == Type::float32) {
            // The quantisation of inputs is left to whoever has the real values.
            if (const auto parameters = quantised_by_all(name)) {
                real_inputs_.push_back(graph_.inputs.size());
                to.type = Type::int8;
                to.quantisation = parameters->quantisation;
                value.shifted = parameters->shifted;
            }
        }
        if (const std::string problem = graph::problem_of(to); !problem.empty()) refuse(problem);
        value.id = add_tensor(to);
        graph_.inputs.push_back(value.id);
        if (value.shifted) {
            graph::Tensor& from = graph_.tensor(value.id);
            from.type = Type::uint8;
            for (std::int32_t& zero : from.quantisation.zero_point)
                zero += 128;
            const TensorId signed_id = add_tensor(std::move(to));
            graph_.nodes.push_back(
                {graph::Requantise{}, {value.id}, {signed_id}, "input " + readable(name)});
            value.id = signed_id;
        }
        define(name, std::move(value));
    }
    std::vector<std::string> names;
    for (const TensorId id : graph_.inputs)
        names.push_back(tensor(id).name);
    want_none_left(shapes_, {}, names);
}

}  // namespace macrame::front
