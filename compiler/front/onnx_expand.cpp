/// Operators of ONNX that are others put together: a table of what each is made of.
#include "compiler/front/onnx_expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/front/onnx_types.hpp"

namespace macrame::front {
namespace {

using onnx_schema::Attribute;
using onnx_schema::Graph;
using onnx_schema::Node;

/// An operator as steps "result = Operator(operands, attribute=value)", one in a line.
///
/// Operands are names, numbers (1 an int64, 1.0 a float32, a row in brackets) or @attribute:number,
/// that of the call or the number. Attributes are numbers, rows or @attribute[:number]; those that
/// the call has not are left out. `Operator?` gives its first operand where another one is left
/// out, `Operator!` nothing. `Operator.7` is that of set 7, `ms.Operator` of com.microsoft; `*`
/// behind the operands: all attributes of the call.
struct Made {
    const char* type;
    bool microsoft;
    std::size_t needs;  ///< this input; else the reader has an importer
    const char* inputs;
    const char* outputs;
    const char* steps;
    int since = 1;            ///< this operator set; those before have another meaning
    const char* unused = "";  ///< attributes that change nothing
};

constexpr Made kMade[] = {
    {"Tan", false, 0, "x", "y", "s = Sin(x)\n c = Cos(x)\n y = Div(s, c)"},
    {"Sinh", false, 0, "x", "y",
     "n = Neg(x)\n a = Exp(x)\n b = Exp(n)\n d = Sub(a, b)\n y = Mul(d, 0.5)"},
    {"Cosh", false, 0, "x", "y",
     "n = Neg(x)\n a = Exp(x)\n b = Exp(n)\n d = Add(a, b)\n y = Mul(d, 0.5)"},
    {"Asinh", false, 0, "x", "y",
     "a = Abs(x)\n q = Mul(x, x)\n o = Add(q, 1.0)\n r = Sqrt(o)\n t = Add(a, r)\n l = Log(t)\n"
     "s = Sign(x)\n y = Mul(l, s)"},
    {"Acosh", false, 0, "x", "y",
     "q = Mul(x, x)\n o = Sub(q, 1.0)\n r = Sqrt(o)\n t = Add(x, r)\n y = Log(t)"},
    {"Atanh", false, 0, "x", "y",
     "a = Add(x, 1.0)\n b = Sub(1.0, x)\n q = Div(a, b)\n l = Log(q)\n y = Mul(l, 0.5)"},
    // Within tan(pi / 8) by a polynomial, what is larger by its reciprocal or distance from 1
    // (Cephes, atanf).
    {"Atan", false, 0, "x", "y",
     "a = Abs(x)\n far = Greater(a, 2.414213562373095)\n some = Greater(a, 0.4142135623730950)\n"
     "n = Neg(a)\n inverse = Reciprocal(n)\n less = Sub(a, 1.0)\n more = Add(a, 1.0)\n"
     "part = Div(less, more)\n near = Where(some, part, a)\n t = Where(far, inverse, near)\n"
     "b = Where(some, 0.7853981633974483, 0.0)\n base = Where(far, 1.5707963267948966, b)\n"
     "z = Mul(t, t)\n p = Mul(z, 0.0805374449538)\n q = Sub(p, 0.138776856032)\n r = Mul(q, z)\n"
     "u = Add(r, 0.199777106478)\n v = Mul(u, z)\n w = Sub(v, 0.333329491539)\n k = Mul(w, z)\n"
     "m = Mul(k, t)\n h = Add(m, t)\n f = Add(base, h)\n sign = Sign(x)\n y = Mul(f, sign)"},
    {"Asin", false, 0, "x", "y",
     "q = Mul(x, x)\n o = Sub(1.0, q)\n r = Sqrt(o)\n t = Div(x, r)\n y = Atan(t)"},
    {"Acos", false, 0, "x", "y", "a = Asin(x)\n y = Sub(1.5707963267948966, a)"},
    {"Hardmax", false, 0, "x", "y",
     "i = ArgMax(x, axis=@axis:-1, keepdims=0)\n s = Shape(x)\n d = Gather(s, @axis:-1)\n"
     "y = OneHot(i, d, [0.0 1.0], axis=@axis:-1)",
     13},
    {"Shrink", false, 0, "x", "y",
     "low = Neg(@lambd:0.5)\n below = Less(x, low)\n above = Greater(x, @lambd:0.5)\n"
     "more = Add(x, @bias:0.0)\n less = Sub(x, @bias:0.0)\n a = Where(above, less, 0.0)\n"
     "y = Where(below, more, a)"},
    {"MeanVarianceNormalization", false, 0, "x", "y",
     "m = ReduceMean.13(x, axes=@axes:[0 2 3])\n d = Sub(x, m)\n q = Mul(d, d)\n"
     "v = ReduceMean.13(q, axes=@axes:[0 2 3])\n r = Sqrt(v)\n s = Add(r, 0.000000001)\n"
     "y = Div(d, s)"},
    {"SwiGLU", false, 0, "a b", "y", "s = Swish.24(a, alpha=@alpha:1.0)\n y = Mul(s, b)"},
    {"BiasGelu", true, 0, "x b", "y", "t = Add(x, b)\n y = ms.Gelu(t)"},
    {"FastGelu", true, 1, "x b", "y", "t = Add(x, b)\n y = ms.FastGelu(t)"},
    {"GemmFastGelu", true, 0, "x w b", "y",
     "p = MatMul(x, w)\n t = Add?(p, b)\n y = ms.FastGelu(t)"},
    {"BiasAdd", true, 0, "x b s", "y", "t = Add(x, b)\n y = Add(t, s)"},
    {"BiasSplitGelu", true, 0, "x b", "y",
     "t = Add(x, b)\n h g = Split.13(t, axis=-1)\n a = ms.Gelu(g)\n y = Mul(h, a)"},
    {"DynamicQuantizeMatMul", true, 0, "a b scale zero bias", "y",
     "q s z = DynamicQuantizeLinear(a)\n n = MatMulInteger(q, b, z, zero)\n"
     "f = Cast(n, to=1)\n e = Mul(s, scale)\n p = Mul(f, e)\n y = Add?(p, bias)"},
    {"MatMulIntegerToFloat", true, 0, "a b sa sb za zb bias", "y",
     "n = MatMulInteger(a, b, za, zb)\n f = Cast(n, to=1)\n e = Mul(sa, sb)\n p = Mul(f, e)\n"
     "y = Add?(p, bias)"},
    {"QLinearReduceMean", true, 0, "x sx zx sy zy", "y",
     "d = DequantizeLinear(x, sx, zx)\n m = ReduceMean.13(d, *)\n"
     "y = QuantizeLinear(m, sy, zy)"},
    {"EmbedLayerNormalization", true, 0, "ids segments words places kinds gain offset mask at",
     "y counts sum",
     "w = Gather(words, ids)\n n = Shape(ids)\n steps = Gather(n, [1])\n"
     "usual = Slice(places, [0], steps, [0])\n given = Gather!(places, at)\n"
     "p = First(given, usual)\n k = Gather!(kinds, segments)\n a = Add(w, p)\n sum = Add?(a, k)\n"
     "y = LayerNormalization(sum, gain, offset, epsilon=@epsilon:0.000000000001)\n"
     "c = ReduceSum!(mask, [1], keepdims=0)\n counts = Cast!(c, to=6)",
     1, "mask_index_type"},
    {"QAttention", true, 0, "x w b sx sw mask zx zw past", "y present",
     "p = ms.MatMulIntegerToFloat(x, w, sx, sw, zx, zw, b)\n"
     "y present = ms.PackedAttention(p, mask, past, *)"},
    {"Attention", true, 0, "x w b mask past bias", "y present",
     "p = MatMul(x, w)\n q = Add?(p, b)\n y present = ms.PackedAttention(q, mask, past, bias, *)"},
    {"Pad", true, 0, "x amounts value", "y", "y = Pad.18(x, amounts, value, *)"},
    {"GridSample", true, 0, "x grid", "y", "y = GridSample.16(x, grid, *)"},
    {"GatherND", true, 0, "x i", "y", "y = GatherND(x, i, *)"},
    {"Trilu", true, 0, "x k", "y", "y = Trilu(x, k, *)"},
    {"Range", true, 0, "a b c", "y", "y = Range(a, b, c)"},
    {"ExpandDims", true, 0, "x axis", "y", "a = Reshape(axis, [1])\n y = Unsqueeze(x, a)"},
};

constexpr int kUsualVersion = 18;
constexpr int kMostLevels = 8;
const std::string kPart = "a part of ";

/// Words of a text that are between separators.
std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts;
    int depth = 0;
    std::string part;
    for (const char c : text + separator) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c != separator || depth > 0) {
            if (!part.empty() || c != ' ') part += c;
            continue;
        }
        while (!part.empty() && part.back() == ' ')
            part.pop_back();
        if (!part.empty()) parts.push_back(std::exchange(part, {}));
    }
    return parts;
}

const Attribute* found_in(const Node& node, const std::string& name) {
    for (const Attribute& attribute : node.attribute())
        if (attribute.name() == name) return &attribute;
    return nullptr;
}

/// The steps, or none, depend on the attribute.
bool knows_attribute(const Made& made, const std::string& name) {
    const std::string steps = made.steps;
    if (steps.find('*') != std::string::npos || name == made.unused) return true;
    for (const char behind : {':', ')', ','})
        if (steps.find("@" + name + behind) != std::string::npos) return true;
    return false;
}

enum LiteralKind { kReal = 1, kInteger = 2, kReals = 6, kIntegers = 7 };

/// A number, or a row of numbers in brackets.
Attribute literal(const std::string& text) {
    Attribute made;
    const bool row = text.front() == '[', whole = text.find('.') == std::string::npos;
    made.set_type(row ? whole ? kIntegers : kReals : whole ? kInteger : kReal);
    const auto take = [&](const std::string& number) {
        if (row && whole) made.add_ints(std::atoll(number.c_str()));
        if (row && !whole) made.add_floats(std::strtof(number.c_str(), nullptr));
        if (!row && whole) made.set_i(std::atoll(number.c_str()));
        if (!row && !whole) made.set_f(std::strtof(number.c_str(), nullptr));
    };
    if (!row) {
        take(text);
    } else {
        for (const std::string& number : parts_of(text.substr(1, text.size() - 2), ' '))
            take(number);
    }
    return made;
}

class Expander {
public:
    Expander(Graph& to, Budget& budget, std::int64_t version)
        : to_(to), budget_(budget), version_(version) {}

    void add(Node node, int level) {
        const bool microsoft = node.domain() == "com.microsoft";
        const std::int64_t version = node.has_version() ? node.version() : version_;
        const auto row = std::find_if(std::begin(kMade), std::end(kMade), [&](const Made& made) {
            return node.op_type() == made.type && microsoft == made.microsoft &&
                   (microsoft || (node.domain().empty() && made.since <= version)) &&
                   made.needs < static_cast<std::size_t>(node.input_size()) &&
                   !node.input(static_cast<int>(made.needs)).empty();
        });
        if (row == std::end(kMade) || level == kMostLevels || node.output_size() == 0) {
            *to_.add_node() = std::move(node);
            return;
        }
        budget_.charge(node.ByteSizeLong() + std::strlen(row->steps) * 16);
        expand(*row, node, level);
    }

private:
    using Names = std::map<std::string, std::string>;

    void expand(const Made& made, const Node& call, int level) {
        Names names;
        int i = 0;
        for (const std::string& name : parts_of(made.inputs, ' ')) {
            names[name] = i < call.input_size() ? call.input(i) : "";
            ++i;
        }
        if (i < call.input_size())
            throw Refusal{fmt::format("operator {} ({}): {} inputs: want at most {}", call.place(),
                                      made.type, call.input_size(), i)};
        for (const Attribute& attribute : call.attribute())
            if (!knows_attribute(made, attribute.name()))
                throw Refusal{fmt::format("operator {} ({}): attribute {}: want it left out",
                                          call.place(), made.type, readable(attribute.name()))};
        i = 0;
        Names outputs;
        for (const std::string& name : parts_of(made.outputs, ' ')) {
            if (i < call.output_size() && !call.output(i).empty()) outputs[name] = call.output(i);
            ++i;
        }
        const std::string prefix = fmt::format(
            "{}/{}/", call.output(0).empty() ? call.op_type() : call.output(0), ++calls_);
        for (const std::string& step : parts_of(made.steps, '\n'))
            take(step, call, prefix, outputs, names, level);
    }

    void take(const std::string& step, const Node& call, const std::string& prefix,
              const Names& outputs, Names& names, int level) {
        const std::size_t equal = step.find(" = "), open = step.find('(');
        const std::string kind = step.substr(equal + 3, open - equal - 3);
        Node node;
        std::vector<std::string> operands;
        for (const std::string& part :
             parts_of(step.substr(open + 1, step.rfind(')') - open - 1), ',')) {
            const std::size_t at = part.find('=');
            if (part == "*")
                *node.mutable_attribute() = call.attribute();
            else if (at != std::string::npos)
                set_attribute(node, part.substr(0, at), part.substr(at + 1), call);
            else
                operands.push_back(operand(part, call, prefix, names));
        }
        const bool lacks =
            std::any_of(operands.begin(), operands.end(), [](const auto& o) { return o.empty(); });
        const std::vector<std::string> results = parts_of(step.substr(0, equal), ' ');
        const char last = kind.back();
        if (kind == "First") {
            names[results[0]] = operands[operands[0].empty() ? 1 : 0];
            return;
        }
        if (last == '!' && lacks) {
            names[results[0]] = "";
            return;
        }
        const bool same = last == '?' && lacks;
        set_kind(node, same                         ? "Identity"
                       : last == '!' || last == '?' ? kind.substr(0, kind.size() - 1)
                                                    : kind);
        if (same) operands.resize(1);
        for (const std::string& name : operands)
            node.add_input(name);
        for (const std::string& result : results) {
            const auto own = outputs.find(result);
            names[result] = own != outputs.end() ? own->second : prefix + result;
            node.add_output(names[result]);
        }
        node.set_place(call.place());
        const bool inner = call.name().rfind(kPart, 0) == 0;
        node.set_name(inner ? call.name() : kPart + call.op_type() + " " + call.name());
        add(std::move(node), level + 1);
    }

    static void set_kind(Node& node, std::string kind) {
        int version = kUsualVersion;
        if (kind.rfind("ms.", 0) == 0) {
            node.set_domain("com.microsoft");
            kind = kind.substr(3);
            version = 1;
        }
        if (const std::size_t dot = kind.find('.'); dot != std::string::npos) {
            version = std::atoi(kind.c_str() + dot + 1);
            kind.resize(dot);
        }
        node.set_op_type(kind);
        node.set_version(version);
    }

    /// What "@name:otherwise" is in a call.
    static bool value_in(const std::string& text, const Node& call, Attribute& value) {
        if (text.front() != '@') {
            value = literal(text);
            return true;
        }
        const std::size_t colon = text.find(':');
        if (const Attribute* given = found_in(call, text.substr(1, colon - 1)))
            value = *given;
        else if (colon == std::string::npos)
            return false;
        else
            value = literal(text.substr(colon + 1));
        return true;
    }

    static void set_attribute(Node& node, const std::string& name, const std::string& text,
                              const Node& call) {
        Attribute value;
        if (!value_in(text, call, value)) return;
        value.set_name(name);
        *node.add_attribute() = std::move(value);
    }

    std::string operand(const std::string& text, const Node& call, const std::string& prefix,
                        const Names& names) {
        const auto known = names.find(text);
        if (known != names.end()) return known->second;
        Attribute value;
        value_in(text, call, value);
        onnx_schema::Tensor& tensor = *to_.add_initializer();
        tensor.set_name(fmt::format("{}{}", prefix, ++constants_));
        const bool real = value.type() == kReal || value.type() == kReals;
        tensor.set_data_type(real ? kFloat : kInt64);
        if (value.type() == kReals) tensor.add_dims(value.floats_size());
        if (value.type() == kIntegers) tensor.add_dims(value.ints_size());
        *tensor.mutable_float_data() = value.floats();
        *tensor.mutable_int64_data() = value.ints();
        if (value.type() == kReal) tensor.add_float_data(value.f());
        if (value.type() == kInteger) tensor.add_int64_data(value.i());
        return tensor.name();
    }

    Graph& to_;
    Budget& budget_;
    const std::int64_t version_;  ///< of the operators of the file
    int calls_ = 0, constants_ = 0;
};

}  // namespace

void expand_operators(onnx_schema::Model& model, Budget& budget) {
    Graph& graph = *model.mutable_graph();
    Graph nodes;
    nodes.mutable_node()->Swap(graph.mutable_node());
    std::int64_t version = 1;
    for (const onnx_schema::OperatorSet& set : model.opset_import())
        if (set.domain().empty() || set.domain() == "ai.onnx") version = set.version();
    Expander expander(graph, budget, version);
    for (Node& node : *nodes.mutable_node())
        expander.add(std::move(node), 0);
}

std::vector<KnownOperator> expanded_operators() {
    std::vector<KnownOperator> all;
    for (const Made& made : kMade)
        all.push_back({made.type, made.microsoft ? "ONNX com.microsoft" : "ONNX"});
    return all;
}

}  // namespace macrame::front
