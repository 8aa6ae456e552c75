#include "compiler/front/onnx_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "compiler/front/onnx_file.hpp"
#include "compiler/graph/at.hpp"

namespace macrame::front {

namespace {

using namespace graph;

using Names = OnnxFile::Names;
using Ints = OnnxFile::Ints;

constexpr std::int64_t kVersion = 17;  // of operators

struct CannotWrite {
    std::string text;
};

/// Where an axis of N x H x W x C is in N x C x H x W.
constexpr std::array<int, 4> kPlace = {0, 2, 3, 1};

/// Pictures have four axes, whatever they mean.
bool is_picture(const Tensor& tensor) { return tensor.shape.size() == 4; }

/// An axis of a tensor, and shapes, as the file has them.
std::int64_t axis_in(const Tensor& tensor, int axis) {
    return is_picture(tensor) ? kPlace[at(axis)] : axis;
}
template <typename Value>
std::vector<Value> moved(const std::vector<Value>& of) {
    return of.size() == 4 ? std::vector<Value>{of[0], of[3], of[1], of[2]} : of;
}

Ints wide(const std::vector<int>& values) { return {values.begin(), values.end()}; }

std::vector<float> reals(const Tensor& tensor) {
    std::vector<float> out(tensor.elements());
    std::memcpy(out.data(), tensor.data.data(), out.size() * sizeof(float));
    return out;
}

/// Elements of a constant with its axes in another order.
std::vector<float> permuted(const std::vector<float>& values, const std::vector<int>& shape,
                            const std::vector<int>& order) {
    std::vector<std::size_t> stride(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        stride[i - 1] = stride[i] * at(shape[i]);
    std::vector<float> out;
    out.reserve(values.size());
    std::vector<int> index(shape.size(), 0);
    for (std::size_t n = 0; n < values.size(); ++n) {
        std::size_t from = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            from += at(index[i]) * stride[at(order[i])];
        out.push_back(values[from]);
        for (std::size_t i = order.size(); i-- > 0;) {
            if (++index[i] < shape[at(order[i])]) break;
            index[i] = 0;
        }
    }
    return out;
}

/// One function for each operator: writes nodes and returns the name of the result, of a picture
/// as N x C x H x W.
class Writer {
public:
    explicit Writer(const Graph& graph) : graph_(graph), file_(graph.name, kVersion) {}

    std::vector<std::uint8_t> write() {
        for (const std::vector<TensorId>* ends : {&graph_.inputs, &graph_.outputs})
            for (const TensorId id : *ends)
                file_.reserve(real_tensor(id).name);
        for (const TensorId id : graph_.inputs) {
            file_.add_input(tensor(id).name, tensor(id).shape);
            in_file_[id] = tensor(id).name;
        }
        for (const Node& node : graph_.nodes) {
            node_ = &node;
            file_.about(result().name);
            here_[node.outputs[0]] = std::visit([&](const auto& op) { return write(op); }, node.op);
        }
        for (const TensorId id : graph_.outputs)
            file_.add_output(as_in_file(id), tensor(id).name, tensor(id).shape);
        return file_.bytes();
    }

    std::string place() const { return node_ == nullptr ? "network" : node_->where; }

private:
    const Tensor& tensor(TensorId id) const { return graph_.tensor(id); }
    const Tensor& real_tensor(TensorId id) const {
        const Tensor& t = tensor(id);
        if (t.type == Type::float32) return t;
        throw CannotWrite{fmt::format("{}: {}: want a float network", t.name, name_of(t.type))};
    }
    TensorId in(std::size_t i) const { return i < node_->inputs.size() ? node_->inputs[i] : kNone; }
    const Tensor& result() const { return tensor(node_->outputs[0]); }

    // ------------------------------------------------------------ tensors

    std::string constant(const Tensor& t, const std::vector<int>& shape) {
        if (shape.size() != 4) return file_.real(wide(shape), reals(t));
        return file_.real(moved(wide(shape)), permuted(reals(t), shape, {0, 3, 1, 2}));
    }

    /// With N x C x H x W where it is a picture.
    std::string name(TensorId id) {
        const auto found = here_.find(id);
        if (found != here_.end()) return found->second;
        const Tensor& t = tensor(id);
        if (t.constant) return here_[id] = constant(t, t.shape);
        const std::string& file = in_file_.at(id);
        return here_[id] = is_picture(t) ? file_.transposed(file, {0, 3, 1, 2}) : file;
    }

    /// With the order of elements that the network's file has.
    std::string as_in_file(TensorId id) {
        const auto found = in_file_.find(id);
        if (found != in_file_.end()) return found->second;
        const Tensor& t = tensor(id);
        if (t.constant) return in_file_[id] = file_.real(wide(t.shape), reals(t));
        const std::string made = name(id);
        return in_file_[id] = is_picture(t) ? file_.transposed(made, {0, 2, 3, 1}) : made;
    }

    /// What was computed in the order of the network's file.
    std::string from_file(const std::string& made) {
        in_file_[node_->outputs[0]] = made;
        return is_picture(result()) ? file_.transposed(made, {0, 3, 1, 2}) : made;
    }

    /// An operand of an operator on two tensors, broadcast as there.
    std::string operand(TensorId id) {
        const Tensor& t = tensor(id);
        if (!is_picture(result()) || is_picture(t)) return name(id);
        std::vector<int> shape = t.shape;
        shape.insert(shape.begin(), 4 - shape.size(), 1);
        if (t.constant) return constant(t, shape);
        return file_.transposed(file_.op("Reshape", {as_in_file(id), file_.integers(wide(shape))}),
                                {0, 3, 1, 2});
    }

    std::string activated(Activation activation, const std::string& of) {
        switch (activation) {
            case Activation::none:
                return of;
            case Activation::relu:
                return file_.op("Relu", {of});
            case Activation::relu6:
                return file_.op("Clip", {of, file_.real(0), file_.real(6)});
            case Activation::relu_n1_to_1:
                return file_.op("Clip", {of, file_.real(-1), file_.real(1)});
        }
        return of;
    }

    // ------------------------------------------------------------ operators

    static void set_window(onnx_schema::Node& node, const Window& window) {
        OnnxFile::set(node, "kernel_shape", Ints{window.kernel_h, window.kernel_w});
        OnnxFile::set(node, "strides", Ints{window.stride_h, window.stride_w});
        OnnxFile::set(node, "pads", Ints{window.top, window.left, window.bottom, window.right});
    }
    const Tensor& weights() const {
        if (!tensor(in(1)).constant) throw CannotWrite{"computed weights: want constants"};
        return tensor(in(1));
    }
    Names with_bias(Names inputs) {
        if (in(2) != kNone) inputs.push_back(name(in(2)));
        return inputs;
    }

    std::string write(const Conv& conv) {
        onnx_schema::Node& made =
            file_.add("Conv", with_bias({name(in(0)), constant(weights(), weights().shape)}));
        set_window(made, conv.window);
        OnnxFile::set(made, "dilations", Ints{conv.window.dilation_h, conv.window.dilation_w});
        OnnxFile::set(made, "group", std::int64_t{conv.groups});
        return activated(conv.activation, made.output(0));
    }
    std::string write(const TransposeConv& conv) {
        const std::vector<int>& s = weights().shape;
        const std::string w =
            file_.real({s[3], s[0], s[1], s[2]}, permuted(reals(weights()), s, {3, 0, 1, 2}));
        onnx_schema::Node& made = file_.add("ConvTranspose", with_bias({name(in(0)), w}));
        const Window& win = conv.window;
        set_window(made, win);
        const std::vector<int>& from = tensor(in(0)).shape;
        const std::vector<int>& to = result().shape;
        OnnxFile::set(
            made, "output_padding",
            Ints{to[1] + win.top + win.bottom - (from[1] - 1) * win.stride_h - win.kernel_h,
                 to[2] + win.left + win.right - (from[2] - 1) * win.stride_w - win.kernel_w});
        return activated(conv.activation, made.output(0));
    }
    std::string write(const FullyConnected& full) {
        const std::int64_t depth = weights().shape[1], kernels = weights().shape[0];
        const auto rows = static_cast<std::int64_t>(tensor(in(0)).elements()) / depth;
        const std::string flat =
            file_.op("Reshape", {as_in_file(in(0)), file_.integers({rows, depth})});
        onnx_schema::Node& made =
            file_.add("Gemm", with_bias({flat, file_.real({kernels, depth}, reals(weights()))}));
        OnnxFile::set(made, "transB", std::int64_t{1});
        const std::string out = activated(full.activation, made.output(0));
        return from_file(Ints{rows, kernels} == wide(result().shape)
                             ? out
                             : file_.op("Reshape", {out, file_.integers(wide(result().shape))}));
    }
    std::string write(const Binary& binary) {
        const std::string a = operand(in(0)), b = operand(in(1));
        const auto two = [&](const char* kind) {
            return activated(binary.activation, file_.op(kind, {a, b}));
        };
        switch (binary.function) {
            case Arithmetic::add:
                return two("Add");
            case Arithmetic::sub:
                return two("Sub");
            case Arithmetic::mul:
                return two("Mul");
            case Arithmetic::maximum:
                return two("Max");
            case Arithmetic::minimum:
                return two("Min");
            case Arithmetic::div:
                return two("Div");
            case Arithmetic::pow:
                return two("Pow");
            case Arithmetic::floor_div:
            case Arithmetic::floor_mod:
                return refuse();
            case Arithmetic::squared_difference:
                break;
        }
        const std::string apart = file_.op("Sub", {a, b});
        return activated(binary.activation, file_.op("Mul", {apart, apart}));
    }
    std::string write(const Pool& pool) {
        const bool most = pool.function == Pooling::maximum;
        onnx_schema::Node& made = file_.add(most ? "MaxPool" : "AveragePool", {name(in(0))});
        set_window(made, pool.window);
        return activated(pool.activation, made.output(0));
    }
    std::string write(const Mean& mean) {
        const Tensor& from = tensor(in(0));
        const bool pictures = is_picture(from) && mean.keep_dims;
        Ints axes;
        for (const int axis : mean.axes)
            axes.push_back(pictures ? axis_in(from, axis) : axis);
        onnx_schema::Node& made =
            file_.add("ReduceMean", {pictures ? name(in(0)) : as_in_file(in(0))});
        OnnxFile::set(made, "axes", axes);
        OnnxFile::set(made, "keepdims", std::int64_t{mean.keep_dims});
        return pictures ? made.output(0) : from_file(made.output(0));
    }
    std::string write(const Unary& unary) {
        const std::string x = name(in(0));
        const auto with = [&](const char* kind, std::initializer_list<float> values) {
            onnx_schema::Node& made = file_.add(kind, {x});
            const char* const names[] = {"alpha", "beta"};
            std::size_t i = 0;
            for (const float value : values)
                OnnxFile::set(made, names[i++], value);
            return made.output(0);
        };
        const auto times = [&](const std::string& a, const std::string& b) {
            return file_.op("Mul", {a, b});
        };
        switch (unary.function) {
            case Function::relu6:
                return activated(Activation::relu6, x);
            case Function::relu_n1_to_1:
                return activated(Activation::relu_n1_to_1, x);
            case Function::relu_0_to_1:
                return file_.op("Clip", {x, file_.real(0), file_.real(1)});
            case Function::leaky_relu:
                return with("LeakyRelu", {unary.alpha});
            case Function::elu:
                return with("Elu", {unary.alpha});
            case Function::hard_sigmoid:
                return with("HardSigmoid", {unary.alpha, unary.beta});
            case Function::square:
                return times(x, x);
            case Function::rsqrt:
                return file_.op("Reciprocal", {file_.op("Sqrt", {x})});
            case Function::gelu: {
                const std::string e = file_.op("Erf", {times(x, file_.real(std::sqrt(0.5F)))});
                return times(times(x, file_.op("Add", {e, file_.real(1)})), file_.real(0.5F));
            }
            case Function::gelu_tanh: {
                const std::string cube = times(times(x, x), times(x, file_.real(0.044715F)));
                const std::string inner = times(file_.op("Add", {x, cube}),
                                                file_.real(0.7978845608028654F));  // sqrt(2 / pi)
                return times(times(x, file_.op("Add", {file_.op("Tanh", {inner}), file_.real(1)})),
                             file_.real(0.5F));
            }
            case Function::silu:
                return times(x,
                             file_.op("Sigmoid",
                                      {unary.alpha == 1 ? x : times(x, file_.real(unary.alpha))}));
            case Function::mish:
                return times(x, file_.op("Tanh", {file_.op("Softplus", {x})}));
            default:
                break;
        }
        static const std::map<Function, const char*> kSame = {{Function::relu, "Relu"},
                                                              {Function::sigmoid, "Sigmoid"},
                                                              {Function::tanh, "Tanh"},
                                                              {Function::hard_swish, "HardSwish"},
                                                              {Function::exp, "Exp"},
                                                              {Function::abs, "Abs"},
                                                              {Function::neg, "Neg"},
                                                              {Function::sqrt, "Sqrt"},
                                                              {Function::erf, "Erf"},
                                                              {Function::softplus, "Softplus"},
                                                              {Function::softsign, "Softsign"},
                                                              {Function::log, "Log"},
                                                              {Function::reciprocal, "Reciprocal"},
                                                              {Function::sin, "Sin"},
                                                              {Function::cos, "Cos"},
                                                              {Function::floor, "Floor"},
                                                              {Function::ceil, "Ceil"},
                                                              {Function::round, "Round"},
                                                              {Function::sign, "Sign"}};
        const auto found = kSame.find(unary.function);
        if (found == kSame.end()) return refuse();
        return file_.op(found->second, {x});
    }
    std::string write(const Prelu&) { return file_.op("PRelu", {name(in(0)), operand(in(1))}); }
    std::string write(const Requantise&) { return name(in(0)); }
    std::string write(const Concat& concat) {
        Names inputs;
        for (const TensorId id : node_->inputs)
            inputs.push_back(name(id));
        onnx_schema::Node& made = file_.add("Concat", inputs);
        OnnxFile::set(made, "axis", axis_in(result(), concat.axis));
        return activated(concat.activation, made.output(0));
    }
    std::string write(const Slice& slice) {
        const std::vector<int>& shape = result().shape;
        Ints ends;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const std::int64_t end = slice.begin[i] + std::int64_t{shape[i] - 1} * slice.stride[i] +
                                     (slice.stride[i] > 0 ? 1 : -1);
            ends.push_back(end < 0 ? std::numeric_limits<std::int64_t>::min() : end);
        }
        Ints axes;
        for (std::size_t i = 0; i < shape.size(); ++i)
            axes.push_back(static_cast<std::int64_t>(i));
        return file_.op("Slice", {name(in(0)), file_.integers(moved(wide(slice.begin))),
                                  file_.integers(moved(ends)), file_.integers(axes),
                                  file_.integers(moved(wide(slice.stride)))});
    }
    std::string write(const Split& split) {
        const Tensor& from = tensor(in(0));
        Ints sizes;
        for (const TensorId id : node_->outputs)
            sizes.push_back(tensor(id).shape[at(split.axis)]);
        onnx_schema::Node& made = file_.add("Split", {name(in(0)), file_.integers(sizes)});
        OnnxFile::set(made, "axis", axis_in(from, split.axis));
        for (std::size_t i = 1; i < node_->outputs.size(); ++i) {
            made.add_output(file_.fresh());
            here_[node_->outputs[i]] = made.output(static_cast<int>(i));
        }
        return made.output(0);
    }
    std::string write(const Pad& pad) {
        Ints before, behind;
        for (const std::array<int, 2>& amounts : pad.amounts) {
            before.push_back(amounts[0]);
            behind.push_back(amounts[1]);
        }
        before = moved(before);
        behind = moved(behind);
        before.insert(before.end(), behind.begin(), behind.end());
        if (pad.kind == Padding::symmetric) return refuse();
        onnx_schema::Node& made =
            file_.add("Pad", {name(in(0)), file_.integers(before), file_.real(pad.value)});
        OnnxFile::set(made, "mode",
                      std::string(pad.kind == Padding::constant ? "constant"
                                  : pad.kind == Padding::edge   ? "edge"
                                                                : "reflect"));
        return made.output(0);
    }
    std::string write(const Reshape&) {
        return from_file(
            file_.op("Reshape", {as_in_file(in(0)), file_.integers(wide(result().shape))}));
    }
    std::string write(const Transpose& transpose) {
        return from_file(file_.transposed(as_in_file(in(0)), wide(transpose.order)));
    }
    std::string write(const Resize& resize) {
        onnx_schema::Node& made =
            file_.add("Resize", {name(in(0)), "", "", file_.integers(moved(wide(result().shape)))});
        const bool nearest = resize.function == Resampling::nearest;
        OnnxFile::set(made, "mode", std::string(nearest ? "nearest" : "linear"));
        OnnxFile::set(made, "coordinate_transformation_mode",
                      std::string(resize.align_corners        ? "align_corners"
                                  : resize.half_pixel_centers ? "half_pixel"
                                                              : "asymmetric"));
        if (nearest) {
            // TFLite takes the pixel that the point lies in, and rounds between corners.
            if (resize.half_pixel_centers) return refuse();
            OnnxFile::set(made, "nearest_mode",
                          std::string(resize.align_corners ? "round_prefer_ceil" : "floor"));
        }
        return made.output(0);
    }
    std::string write(const Softmax& softmax) {
        const std::string x = softmax.beta == 1
                                  ? name(in(0))
                                  : file_.op("Mul", {name(in(0)), file_.real(softmax.beta)});
        onnx_schema::Node& made = file_.add(softmax.log ? "LogSoftmax" : "Softmax", {x});
        const Tensor& from = tensor(in(0));
        OnnxFile::set(made, "axis", axis_in(from, static_cast<int>(from.shape.size()) - 1));
        return made.output(0);
    }
    std::string write(const Norm& norm) {
        if (!norm.centred) return refuse();
        const Tensor& from = tensor(in(0));
        const std::vector<int> shape(from.shape.begin() + norm.axis, from.shape.end());
        const std::vector<float> ones(std::size_t{1} * elements_of(shape), 1.0F);
        Names inputs = {as_in_file(in(0)),
                        in(1) == kNone ? file_.real(wide(shape), ones) : as_in_file(in(1))};
        if (in(2) != kNone) inputs.push_back(as_in_file(in(2)));
        onnx_schema::Node& made = file_.add("LayerNormalization", inputs);
        OnnxFile::set(made, "axis", std::int64_t{norm.axis});
        OnnxFile::set(made, "epsilon", norm.epsilon);
        return from_file(made.output(0));
    }
    static std::size_t elements_of(const std::vector<int>& shape) {
        std::size_t all = 1;
        for (const int size : shape)
            all *= at(size);
        return all;
    }
    std::string write(const MatMul& product) {
        const auto side = [&](std::size_t i, bool transpose) {
            const std::string x = as_in_file(in(i));
            if (!transpose) return x;
            Ints order;
            for (std::size_t axis = 0; axis < tensor(in(i)).shape.size(); ++axis)
                order.push_back(static_cast<std::int64_t>(axis));
            std::swap(order[order.size() - 1], order[order.size() - 2]);
            return file_.transposed(x, order);
        };
        return from_file(
            file_.op("MatMul", {side(0, product.transpose_a), side(1, product.transpose_b)}));
    }
    template <typename Other>
    std::string write(const Other&) {
        return refuse();
    }
    [[noreturn]] std::string refuse() const {
        throw CannotWrite{fmt::format(
            "{}: has no form in the ONNX file that is quantised: want the network as an ONNX file",
            name_of(node_->op))};
    }

    const Graph& graph_;
    const Node* node_ = nullptr;
    OnnxFile file_;
    std::map<TensorId, std::string> here_, in_file_;  ///< by order of elements
};

}  // namespace

WrittenOnnx write_onnx(const Graph& graph) {
    Writer writer(graph);
    try {
        return {writer.write(), ""};
    } catch (const CannotWrite& found) {
        return {{}, fmt::format("{}: {}", writer.place(), found.text)};
    }
}

}  // namespace macrame::front
