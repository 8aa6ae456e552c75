#include "compiler/front/building.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "compiler/graph/canonical.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::front {
namespace {

using graph::TensorId;

/// Results of operators on constants are kept up to this size.
constexpr std::size_t kMaxFolded = std::size_t{1} << 26;

/// Operators whose work is a few steps for each element.
bool cheap(const graph::Operator& op) {
    return graph::is_one_of<
        graph::Reshape, graph::Slice, graph::Concat, graph::Split, graph::Transpose, graph::Pad,
        graph::Requantise, graph::Gather, graph::Compare, graph::Select, graph::Unary,
        graph::Binary, graph::Reduce, graph::Cast, graph::Argmax, graph::GatherNd,
        graph::GatherElements, graph::PutRows, graph::ScatterNd, graph::Cumsum, graph::TopK>(op);
}

}  // namespace

std::string readable(std::string_view text) {
    std::string result(text.substr(0, kMaxName));
    for (char& c : result) {
        if (c < ' ' || c > '~') c = '?';
    }
    return result;
}

namespace {

/// Letters to change, to add or to leave out, until one is the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const bool same = std::toupper(static_cast<unsigned char>(a[i])) ==
                              std::toupper(static_cast<unsigned char>(b[j]));
            const std::size_t changed = diagonal + (same ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
    constexpr std::size_t kMost = 3;
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const std::string& other : known) {
        const std::size_t apart = distance(name, other);
        if (3 * apart <= name.size()) found.emplace_back(apart, other);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
        text += (i == 0 ? "; the nearest known: " : ", ") + found[i].second;
    return text;
}

void want_none_left(const Shapes& shapes, const Fixed& fixed,
                    const std::vector<std::string>& names) {
    if (shapes.empty() && fixed.empty()) return;
    const std::string& name = shapes.empty() ? fixed.begin()->first : shapes.begin()->first;
    throw Refusal{fmt::format("a {} for {}, which is no input: want one of {}",
                              shapes.empty() ? "value" : "shape", readable(name),
                              fmt::join(names, ", "))};
}

void Budget::charge(std::size_t bytes) {
    charged_ += bytes;
    if (exceeded())
        throw Refusal{
            fmt::format("more than {} bytes in tensors and operators of a file of {}: "
                        "want data that are used once",
                        most_, file_bytes_)};
}

bool fold(graph::Graph& graph, const graph::Node& node, Budget& budget) {
    if (!cheap(node.op)) return false;
    std::vector<const graph::Bytes*> inputs;
    for (const TensorId id : node.inputs) {
        if (id == graph::kNone || !graph.tensor(id).constant) return false;
        inputs.push_back(&graph.tensor(id).data.bytes());
    }
    std::size_t bytes = 0;
    for (const TensorId id : node.outputs)
        bytes += graph.tensor(id).bytes();
    if (bytes > kMaxFolded) return false;
    budget.charge(bytes);
    std::vector<graph::Bytes> results;
    try {
        results = graph::run_node(graph, node, inputs);
    } catch (const std::invalid_argument&) {
        return false;  // has no exact arithmetic: told when the network runs
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        graph.tensor(node.outputs[i]).constant = true;
        graph.tensor(node.outputs[i]).data = std::move(results[i]);
    }
    return true;
}

ReadResult finish(const std::string& name, graph::Graph graph, std::vector<std::string> errors) {
    if (errors.empty()) {
        graph::drop_unused(graph);
        errors = graph::check(graph);
        if (errors.size() > kMaxErrors) errors.resize(kMaxErrors);
    }
    ReadResult result;
    for (const std::string& error : errors)
        result.errors.push_back(fmt::format("{}: {}", name, error));
    if (result.ok()) result.graph = std::move(graph);
    return result;
}

std::vector<std::int64_t> integers_of(const graph::Tensor& tensor, std::size_t most) {
    if (!tensor.constant)
        throw Refusal{fmt::format("{} is computed: want a constant", tensor.name)};
    const std::size_t size = graph::size_of(tensor.type);
    if ((tensor.type != graph::Type::int32 && tensor.type != graph::Type::int64) ||
        tensor.elements() > most)
        throw Refusal{fmt::format("{} is {} of {}: want at most {} of int32 or int64", tensor.name,
                                  graph::text_of(tensor.shape), name_of(tensor.type), most)};
    std::vector<std::int64_t> values;
    for (std::size_t e = 0; e < tensor.elements(); ++e) {
        std::int64_t value = 0;
        if (size == sizeof(value)) {
            std::memcpy(&value, &tensor.data[e * size], size);
        } else {
            std::int32_t narrow = 0;
            std::memcpy(&narrow, &tensor.data[e * size], size);
            value = narrow;
        }
        // No amount in a network is larger: sums of a few do not overflow.
        constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
        values.push_back(std::clamp(value, -kLargest - 1, kLargest));
    }
    return values;
}

int axis_of(std::int64_t value, std::size_t rank) {
    const auto axes = static_cast<std::int64_t>(rank);
    if (value < -axes || value >= axes)
        throw Refusal{fmt::format("axis {}: want one of {}", value, rank)};
    return static_cast<int>(value < 0 ? value + axes : value);
}

Range range_of(std::int64_t begin, std::int64_t end, std::int64_t stride, std::int64_t size,
               bool no_begin, bool no_end) {
    if (stride == 0) throw Refusal{"stride 0: want another"};
    const std::int64_t least = stride > 0 ? 0 : -1, most = stride > 0 ? size : size - 1;
    const auto limited = [&](std::int64_t at) {
        return std::clamp(at < 0 ? at + size : at, least, most);
    };
    const std::int64_t first = no_begin ? (stride > 0 ? least : most) : limited(begin);
    const std::int64_t last = no_end ? (stride > 0 ? most : least) : limited(end);
    const std::int64_t distance = stride > 0 ? last - first : first - last;
    const std::int64_t step = std::abs(stride);
    return {first, distance > 0 ? (distance + step - 1) / step : 0, stride};
}

}  // namespace macrame::front
