/// Operators of TFLite that find boxes, pick by coordinates, sum up, and SVDF.
#include <flatbuffers/flexbuffers.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

using graph::kNone;
using graph::Tensor;
using graph::TensorId;
using graph::Type;
using Options = schema::OptionsType;

namespace {

/// Options of a custom operator: a map of names to numbers.
class Map {
public:
    explicit Map(const schema::Operator& op) {
        const auto* data = op.custom_options();
        if (data == nullptr || data->size() < 3 ||
            !flexbuffers::VerifyBuffer(data->data(), data->size()))
            throw Refusal{"damaged options, or none: want a flexbuffer"};
        const flexbuffers::Reference root = flexbuffers::GetRoot(data->data(), data->size());
        if (!root.IsMap()) throw Refusal{"options that are no map: want names with numbers"};
        map_ = root.AsMap();
    }

    float real(const char* name) const { return want(name).AsFloat(); }
    int number(const char* name) const {
        const std::int64_t value = want(name).AsInt64();
        if (value < 1 || value > 1 << 16)
            throw Refusal{fmt::format("{} {}: want 1 to {}", name, value, 1 << 16)};
        return static_cast<int>(value);
    }
    int number(const char* name, int otherwise) const {
        return map_[name].IsNull() ? otherwise : number(name);
    }
    bool truth(const char* name) const { return !map_[name].IsNull() && map_[name].AsBool(); }

private:
    flexbuffers::Reference want(const char* name) const {
        const flexbuffers::Reference value = map_[name];
        if (!value.IsNumeric()) throw Refusal{fmt::format("no option {}: want a number", name)};
        return value;
    }

    flexbuffers::Map map_ = flexbuffers::Map::EmptyMap();
};

float number_of(const Tensor& tensor, const char* what) {
    if (!tensor.constant || tensor.type != Type::float32 || tensor.elements() != 1)
        throw Refusal{fmt::format("{} {} is computed, or not one of float32: want a constant", what,
                                  tensor.name)};
    float value = 0;
    std::memcpy(&value, tensor.data.data(), sizeof value);
    return value;
}

}  // namespace

/// MediaPipe's: options are three numbers of 32 bits, the padding (1: SAME, 2: VALID), strides of
/// the width and of the height. What a stride leaves over counts as padding, too.
void TfliteImporters::transpose_conv_bias(TfliteReader& r, const Op& op) {
    const TensorId input = r.input(op, 0), weights = r.input(op, 1), bias = r.input(op, 2);
    const std::vector<int> x = r.tensor(input).shape, w = r.tensor(weights).shape;
    const auto* data = op.table->custom_options();
    std::array<std::int32_t, 3> options{};
    if (data == nullptr || data->size() < sizeof options)
        throw Refusal{"damaged options, or none: want padding and two strides"};
    std::memcpy(options.data(), data->data(), sizeof options);
    if (options[0] < 1 || options[0] > 2)
        throw Refusal{fmt::format("padding {}: want 1 (SAME) or 2 (VALID)", options[0])};
    if (x.size() != 4 || w.size() != 4 || r.tensor(input).type != Type::float32)
        throw Refusal{fmt::format("input {} of {}, weights {}: want four axes, and float32",
                                  graph::text_of(x), name_of(r.tensor(input).type),
                                  graph::text_of(w))};
    graph::TransposeConv conv;
    graph::Window& window = conv.window;
    window.kernel_h = w[1];
    window.kernel_w = w[2];
    window.stride_w = positive(options[1], "stride_width");
    window.stride_h = positive(options[2], "stride_height");
    if (std::max(window.stride_w, window.stride_h) > 1 << 10)
        throw Refusal{fmt::format("strides {} and {}: want at most {}", window.stride_h,
                                  window.stride_w, 1 << 10)};
    const auto size = [&](int of, int kernel, int stride, int& before, int& behind) {
        const int total = options[0] == 1 ? std::max(0, kernel - (of - 1) % stride - 1) : 0;
        before = total / 2;
        behind = total - before;
        return stride * (of - 1) + kernel - total;
    };
    std::vector<int>& y = r.graph_.tensor(r.output(op)).shape;
    y = {x[0], size(x[1], w[1], window.stride_h, window.top, window.bottom),
         size(x[2], w[2], window.stride_w, window.left, window.right), w[0]};
    r.add(op, conv, {input, weights, bias}, {r.output(op)});
}

/// TensorFlow's: boxes by their scores, without those that overlap a better one.
void TfliteImporters::detections(TfliteReader& r, const Op& op) {
    const Map map(*op.table);
    graph::Detections found;
    found.most = map.number("max_detections");
    found.each = map.number("max_classes_per_detection");
    found.of_class = map.number("detections_per_class", 100);
    found.classes = map.number("num_classes");
    found.by_class = map.truth("use_regular_nms");
    found.score = map.real("nms_score_threshold");
    found.overlap = map.real("nms_iou_threshold");
    found.scale = {map.real("y_scale"), map.real("x_scale"), map.real("h_scale"),
                   map.real("w_scale")};
    const std::int64_t count = std::int64_t{found.most} * found.each;
    if (count > 1 << 16) throw Refusal{fmt::format("{} boxes: want at most {}", count, 1 << 16)};
    const auto boxes = static_cast<int>(count);
    const std::vector<std::vector<int>> shapes = {{1, boxes, 4}, {1, boxes}, {1, boxes}, {1}};
    for (std::size_t i = 0; i < shapes.size(); ++i)
        r.graph_.tensor(r.output(op, i)).shape = shapes[i];
    r.add(op, found, {r.input(op, 0), r.input(op, 1), r.input(op, 2)}, op.outputs);
}

void TfliteImporters::suppression(TfliteReader& r, const Op& op) {
    constexpr std::size_t kMost = 2, kOverlap = 3, kScore = 4, kSigma = 5;
    graph::Suppression suppression;
    suppression.overlap = number_of(r.tensor(r.input(op, kOverlap)), "overlap");
    suppression.score = number_of(r.tensor(r.input(op, kScore)), "score");
    const bool soft = op.code == schema::BuiltinOperator::NON_MAX_SUPPRESSION_V5;
    if (soft) suppression.sigma = number_of(r.tensor(r.input(op, kSigma)), "sigma");
    const std::vector<std::int64_t> most = integers_of(r.tensor(r.input(op, kMost)));
    if (most.size() != 1 || most[0] < 1 || most[0] > 1 << 16)
        throw Refusal{fmt::format("{} boxes at most: want one number, 1 to {}",
                                  most.empty() ? 0 : most[0], 1 << 16)};
    const std::vector<int> row = {static_cast<int>(most[0])};
    const TensorId indices = r.output(op, 0), count = r.output(op, soft ? 2 : 1);
    Tensor scores;
    scores.name = r.tensor(indices).name + " in part";
    scores.type = Type::float32;
    const TensorId values = soft ? r.output(op, 1) : r.add_tensor(scores, row);
    r.graph_.tensor(indices).shape = row;
    r.graph_.tensor(values).shape = row;
    r.graph_.tensor(count).shape = {};
    r.add(op, suppression, {r.input(op, 0), r.input(op, 1)}, {indices, values, count});
}

void TfliteImporters::top_k(TfliteReader& r, const Op& op) {
    r.add(op, graph::TopK{}, {r.input(op, 0)}, {r.output(op, 0), r.output(op, 1)});
}

void TfliteImporters::gather_nd(TfliteReader& r, const Op& op) {
    r.add(op, graph::GatherNd{}, {r.input(op, 0), r.input(op, 1)}, {r.output(op)});
}

void TfliteImporters::cumsum(TfliteReader& r, const Op& op) {
    const auto& options = r.options_or_none<schema::CumsumOptions>(op, Options::CUMSUM);
    const TensorId input = r.input(op, 0);
    const std::vector<std::int64_t> axis = integers_of(r.tensor(r.input(op, 1)));
    if (axis.size() != 1) throw Refusal{fmt::format("{} axes: want 1", axis.size())};
    r.add(op,
          graph::Cumsum{axis_of(axis[0], r.tensor(input).shape.size()), options.exclusive(),
                        options.reverse()},
          {input}, {r.output(op)});
}

void TfliteImporters::local_norm(TfliteReader& r, const Op& op) {
    const auto& options =
        r.options<schema::LocalNormOptions>(op, Options::LOCAL_RESPONSE_NORMALIZATION);
    const int radius = options.radius();
    if (radius < 0 || radius > 1 << 20)
        throw Refusal{fmt::format("radius {}: want 0 to {}", radius, 1 << 20)};
    // The reference leaves out the last one.
    r.add(op, graph::LocalNorm{radius, radius - 1, options.bias(), options.alpha(), options.beta()},
          {r.input(op, 0)}, {r.output(op)});
}

void TfliteImporters::svdf(TfliteReader& r, const Op& op) {
    constexpr std::size_t kTime = 2, kBias = 3, kState = 4;
    const auto& options = r.options<schema::SvdfOptions>(op, Options::SVDF);
    const TensorId state = r.input(op, kState);
    if (!r.is_variable_[at(state)])
        throw Refusal{fmt::format("state {} is no variable: want one that the network keeps",
                                  r.tensor(state).name)};
    const Tensor of_state = r.tensor(state);
    const graph::Activation activation = activation_of(options.activation());
    // Its converter makes no others; the integers are those of the scale alone.
    const bool real = of_state.type == Type::float32;
    if (!real && activation != graph::Activation::relu && activation != graph::Activation::none)
        throw Refusal{"an activation of integers: want NONE or RELU"};
    if (is_dynamic(r, op, 0, 1))
        return svdf_in_steps(r, op, options.rank(), !options.asymmetric_quantize_inputs(),
                             activation);
    const TensorId next = r.add_tensor(of_state, of_state.shape);
    r.add(op, graph::Svdf{options.rank(), activation},
          {r.input(op, 0), r.input(op, 1), r.input(op, kTime), op.inputs[kBias], state},
          {r.output(op), next});
    // The real value 0.
    const bool byte = graph::size_of(of_state.type) == 1;
    const auto zero = static_cast<std::uint8_t>(byte && !of_state.quantisation.zero_point.empty()
                                                    ? of_state.quantisation.zero_point[0]
                                                    : 0);
    r.keep(state, next, graph::Data::Bytes(of_state.bytes(), zero));
}

namespace {

struct CustomRow {
    const char* name;
    void (*translate)(TfliteReader&, const TfliteOperator&);
};

constexpr CustomRow kCustomRows[] = {
    {"Convolution2DTransposeBias", TfliteImporters::transpose_conv_bias},
    {"TFLite_Detection_PostProcess", TfliteImporters::detections},
};

}  // namespace

std::vector<std::string> custom_operators() {
    std::vector<std::string> names;
    for (const CustomRow& row : kCustomRows)
        names.emplace_back(row.name);
    return names;
}

void TfliteImporters::custom(TfliteReader& r, const Op& op) {
    for (const CustomRow& row : kCustomRows)
        if (op.kind == std::string("CUSTOM ") + row.name) return row.translate(r, op);
    throw Refusal{
        fmt::format("a kernel that the file does not hold: want one of {}, or the network to end "
                    "in front of it, and your program to do it",
                    fmt::join(custom_operators(), ", "))};
}

}  // namespace macrame::front
