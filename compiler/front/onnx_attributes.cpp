/// What attributes may be for any operator that has them, so that none is read as something else.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/front/onnx_reader.hpp"

namespace macrame::front {
namespace {

/// Numbers that are yes or no.
constexpr std::string_view kFlags[] = {"antialias",
                                       "ceil_mode",
                                       "center_point_box",
                                       "count_include_pad",
                                       "exclude_outside",
                                       "exclusive",
                                       "fmod",
                                       "input_forget",
                                       "interleaved",
                                       "inverse",
                                       "is_causal",
                                       "keepdims",
                                       "largest",
                                       "layout",
                                       "linear_before_reset",
                                       "noop_with_empty_axes",
                                       "onesided",
                                       "reverse",
                                       "select_last_index",
                                       "sorted",
                                       "storage_order",
                                       "training_mode",
                                       "transA",
                                       "transB",
                                       "upper"};

/// Words of an attribute, where one that is unknown must not be taken for another.
struct Words {
    std::string_view name;
    std::vector<std::string_view> words;
};

const std::vector<Words>& words() {
    static const std::vector<Words> all = {
        {"nearest_mode", {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"}},
        {"approximate", {"none", "tanh"}},
    };
    return all;
}

/// Operators with a window, and which of their inputs has weights of its size.
struct Windowed {
    std::string_view type;
    int weights = -1;
};

constexpr Windowed kWindowed[] = {{"AveragePool"},      {"Conv", 1},           {"ConvInteger", 1},
                                  {"ConvTranspose", 1}, {"DeformConv", 1},     {"FusedConv", 1},
                                  {"LpPool"},           {"MaxPool"},           {"MaxUnpool"},
                                  {"QLinearConv", 3},   {"QLinearAveragePool"}};

}  // namespace

void OnnxReader::want_window(const OnnxOperator& op) const {
    const auto* const row =
        std::find_if(std::begin(kWindowed), std::end(kWindowed),
                     [&](const Windowed& one) { return one.type == op.type(); });
    if (row == std::end(kWindowed) || !has(op, 0) || is_empty(op, 0)) return;
    const std::vector<int> shape = value(op, 0).shape;
    if (shape.size() < 3) return;
    const std::size_t axes = shape.size() - 2;
    for (const char* name : {"kernel_shape", "strides", "dilations", "output_padding", "pads"}) {
        const std::size_t count = op.integers(name).size();
        const std::size_t wanted = std::string_view(name) == "pads" ? 2 * axes : axes;
        if (count != 0 && count != wanted)
            throw Refusal{fmt::format("{} values of {}: want {}, of an input with {} axes", count,
                                      name, wanted, shape.size())};
    }
    const auto weights = static_cast<std::size_t>(row->weights);
    const std::vector<std::int64_t> kernel = op.integers("kernel_shape");
    if (row->weights < 0 || kernel.empty() || !has(op, weights)) return;
    const std::vector<int>& of = value(op, weights).shape;
    if (of.size() != axes + 2 || !std::equal(kernel.begin(), kernel.end(), of.begin() + 2))
        throw Refusal{fmt::format("kernel_shape {}: want that of the weights, {}",
                                  fmt::join(kernel, "x"), fmt::join(of, "x"))};
}

void OnnxReader::want_directions(const OnnxOperator& op) const {
    if (op.type() != "GRU" && op.type() != "LSTM" && op.type() != "RNN") return;
    if (op.find("clip") != nullptr && !(op.real("clip", 0) > 0))
        throw Refusal{fmt::format("clip = {}: want more than 0", op.real("clip", 0))};
    const int directions = op.text("direction", "forward") == "bidirectional" ? 2 : 1;
    for (std::size_t i = 1; i < 4; ++i) {
        if (!has(op, i) || value(op, i).shape.empty() || value(op, i).shape[0] == directions)
            continue;
        throw Refusal{fmt::format("input {} of shape {}: want {} in front, of direction {}", i,
                                  fmt::join(value(op, i).shape, "x"), directions,
                                  op.text("direction", "forward"))};
    }
}

void OnnxReader::want_attributes(const OnnxOperator& op) const {
    for (const onnx_schema::Attribute& attribute : op.node->attribute()) {
        const std::string& name = attribute.name();
        if (std::find(std::begin(kFlags), std::end(kFlags), name) != std::end(kFlags)) {
            const std::int64_t value = op.integer(name.c_str(), 0);
            if (value != 0 && value != 1)
                throw Refusal{fmt::format("{} = {}: want 0 or 1", name, value)};
        }
        for (const Words& row : words()) {
            if (row.name != name) continue;
            const std::string word = op.text(name.c_str(), "");
            if (std::find(row.words.begin(), row.words.end(), word) == row.words.end())
                throw Refusal{
                    fmt::format("{} {}: want {}", name, word, fmt::join(row.words, ", "))};
        }
    }
    want_window(op);
    want_directions(op);
}

}  // namespace macrame::front
