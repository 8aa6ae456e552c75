#include "compiler/dla/columns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::Graph;
using graph::Node;
using graph::Tensor;
using graph::TensorId;

namespace {

/// Of the bounds of all layers: what is worth lowering a network again.
constexpr double kWorth = 0.97;
/// Columns of a pixel.
constexpr int kTried[] = {1, 2, 4, 8};

bool has_columns(const Tensor& tensor) {
    return !tensor.constant && tensor.type == graph::Type::int8 && tensor.shape.size() == 4 &&
           tensor.shape[0] == 1 && !tensor.quantisation.per_channel();
}

/// The window of a convolution along the width, in pixels of so many columns.
class Taps {
public:
    Taps(const graph::Window& window, int from, int to) : window_(window), from_(from) {
        stride = window.stride_w * to / from;
        int last = 0;
        for (int j = 0; j < to; ++j)
            for (int t = 0; t < window.kernel_w; ++t) {
                first_ = std::min(first_, pixel(j, t));
                last = std::max(last, pixel(j, t));
            }
        count = last - first_ + 1;
        before = -first_;
    }
    /// Is there a window for all pixels of the output?
    static bool exist(const graph::Window& window, int from, int to) {
        return window.stride_w * to % from == 0;
    }

    int stride = 1, count = 1, before = 0;

    /// Of a tap and a column of the output's pixel: which tap of the pixels, which column of it.
    std::pair<int, int> place(int column, int tap) const {
        const int at = column_of(column, tap);
        const int p = pixel(column, tap);
        return {p - first_, at - p * from_};
    }

private:
    int column_of(int column, int tap) const {
        return window_.stride_w * column + window_.dilation_w * tap - window_.left;
    }
    int pixel(int column, int tap) const {
        return static_cast<int>(floor_divide(column_of(column, tap), from_));
    }

    const graph::Window window_;
    const int from_;
    int first_ = 0;
};

/// A constant with an element, a channel or a whole tensor beside a tensor of that shape.
enum class Beside { one, channels, all, other };
Beside beside(const Tensor& constant, const std::vector<int>& shape) {
    if (constant.elements() == 1) return Beside::one;
    if (constant.shape == shape) return Beside::all;
    const bool row = constant.elements() == at(shape[3]) && constant.shape.back() == shape[3];
    return row ? Beside::channels : Beside::other;
}

/// What an operator of single elements reads: tensors of the shape of its output, or constants that
/// change with its columns.
bool is_pointwise(const Graph& graph, const Node& node) {
    if (!graph::is_one_of<graph::Binary, graph::Unary, graph::Prelu, graph::Requantise>(node.op))
        return false;
    const std::vector<int>& shape = graph.tensor(node.outputs[0]).shape;
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId id) {
        const Tensor& tensor = graph.tensor(id);
        if (!tensor.constant) return tensor.shape == shape;
        return shape.size() == 4 && !tensor.quantisation.per_channel() &&
               beside(tensor, shape) != Beside::other;
    });
}

/// Can its windows be those of pixels?
const graph::Conv* as_conv(const Graph& graph, const Node& node) {
    const auto* conv = std::get_if<graph::Conv>(&node.op);
    if (conv == nullptr || conv->sums != graph::Sums::whole ||
        !graph.tensor(node.inputs[1]).constant)
        return nullptr;
    const bool bias = node.inputs.size() > 2 && node.inputs[2] != graph::kNone;
    return bias && !graph.tensor(node.inputs[2]).constant ? nullptr : conv;
}

/// Cycles of a network by the bounds of its layers, as a function of the columns of its tensors.
class Search {
public:
    Search(const Graph& graph, const model::Architecture& sizes, const std::vector<bool>& stays)
        : graph_(graph), sizes_(sizes), columns_(graph.tensors.size(), 1) {
        group_of_.resize(graph.tensors.size());
        std::iota(group_of_.begin(), group_of_.end(), 0);
        std::vector<bool> fixed = stays;
        for (std::size_t i = 0; i < fixed.size(); ++i)
            if (!has_columns(graph.tensors[i])) fixed[i] = true;
        for (const Node& node : graph.nodes) {
            const bool pointwise = is_pointwise(graph, node);
            const bool conv = as_conv(graph, node) != nullptr;
            for (const auto* ids : {&node.inputs, &node.outputs})
                for (const TensorId id : *ids) {
                    if (id == graph::kNone || graph.tensor(id).constant) continue;
                    if (!pointwise && !conv) fixed[at(id)] = true;
                    if (pointwise) join(id, node.outputs[0]);
                }
        }
        add_groups(fixed);
    }

    /// Fewer cycles than with single columns, by how much of them.
    double run() {
        if (groups_.empty()) return 1;
        const double before = total();
        descend();
        const ColumnsPerPixel low = columns_;
        const double first = total();
        for (const Group& group : groups_)
            set(group, group.tried.back());
        descend();
        if (total() >= first) columns_ = low;
        return total() / before;
    }

    const ColumnsPerPixel& columns() const { return columns_; }

private:
    /// Tensors that have the same columns, nodes beside them, and what can be tried.
    struct Group {
        std::vector<TensorId> tensors;
        std::vector<int> nodes, tried;  ///< ascending
    };
    /// Of what cannot be: more than any network takes.
    static constexpr double kNever = 1e18;

    int root(int id) const {
        while (group_of_[at(id)] != id)
            id = group_of_[at(id)];
        return id;
    }
    void join(TensorId a, TensorId b) { group_of_[at(root(a))] = root(b); }

    void add_groups(const std::vector<bool>& fixed) {
        const int lanes = std::max(sizes_.atomic_c, sizes_.atomic_k);
        std::vector<std::optional<Group>> made(graph_.tensors.size());
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            if (tensor.constant) continue;
            std::optional<Group>& group = made[at(root(static_cast<int>(i)))];
            if (!group) {
                group.emplace();
                group->tried.assign(std::begin(kTried), std::end(kTried));
            }
            group->tensors.push_back(static_cast<TensorId>(i));
            const auto cannot = [&](int n) {
                return n > 1 && (fixed[i] || tensor.shape[2] % n != 0 || tensor.shape[2] == n ||
                                 tensor.shape[3] * n > 2 * lanes);
            };
            group->tried.erase(std::remove_if(group->tried.begin(), group->tried.end(), cannot),
                               group->tried.end());
        }
        for (std::optional<Group>& group : made)
            if (group && group->tried.size() > 1) add_nodes(std::move(*group));
        std::vector<std::optional<std::size_t>> of(graph_.tensors.size());
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (const TensorId id : groups_[g].tensors)
                of[at(id)] = g;
        for (const Node& node : graph_.nodes) {
            if (as_conv(graph_, node) == nullptr) continue;
            const auto from = of[at(node.inputs[0])], to = of[at(node.outputs[0])];
            if (from && to && from != to) pairs_.emplace_back(*from, *to);
        }
    }

    void add_nodes(Group group) {
        const auto beside = [&](const std::vector<TensorId>& ids) {
            return std::any_of(ids.begin(), ids.end(), [&](TensorId id) {
                return std::count(group.tensors.begin(), group.tensors.end(), id) != 0;
            });
        };
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
            if (beside(graph_.nodes[n].inputs) || beside(graph_.nodes[n].outputs))
                group.nodes.push_back(static_cast<int>(n));
        groups_.push_back(std::move(group));
    }

    void set(const Group& group, int columns) {
        for (const TensorId id : group.tensors)
            columns_[at(id)] = columns;
    }

    double cost(const std::vector<int>& nodes) const {
        double sum = 0;
        for (const int n : nodes)
            sum += cost(graph_.nodes[at(n)]);
        return sum;
    }

    double total() const {
        double sum = 0;
        for (const Node& node : graph_.nodes)
            sum += cost(node);
        return sum;
    }

    /// One group after the other, and two beside a convolution at once, from the end of the
    /// network, as long as that helps.
    void descend() {
        for (bool better = true; better;) {
            better = false;
            for (std::size_t i = groups_.size(); i-- > 0;)
                better = improve(i, i) || better;
            for (std::size_t i = pairs_.size(); i-- > 0;)
                better = improve(pairs_[i].first, pairs_[i].second) || better;
        }
    }

    /// The best columns of two groups, or of one; whether they are others than before.
    bool improve(std::size_t first, std::size_t second) {
        const Group &a = groups_[first], &b = groups_[second];
        const std::pair before{columns_of(a), columns_of(b)};
        std::pair best = before;
        std::vector<int> nodes;
        std::set_union(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                       std::back_inserter(nodes));
        const auto now = [&] { return cost(nodes); };
        double least = now();
        for (const int n : a.tried)
            for (const int m : b.tried) {
                if (first == second && n != m) continue;
                set(a, n);
                set(b, m);
                if (const double cycles = now(); cycles < least) {
                    least = cycles;
                    best = {n, m};
                }
            }
        set(a, best.first);
        set(b, best.second);
        return best != before;
    }

    int columns_of(const Group& group) const { return columns_[at(group.tensors[0])]; }

    /// Bytes of a tensor in memory.
    double bytes(TensorId id) const {
        const Shape shape = shape_of(graph_.tensor(id));
        const int columns = columns_[at(id)];
        return static_cast<double>(shape.height) * (shape.width / columns) *
               static_cast<double>(round_up(at(shape.channels * columns), at(sizes_.atom_bytes)));
    }

    double cost(const Node& node) const {
        if (as_conv(graph_, node) != nullptr) return conv_cost(node);
        if (!is_pointwise(graph_, node)) return 0;
        return bytes(node.outputs[0]) / std::max(1, sizes_.sdp_bs_throughput);
    }

    double conv_cost(const Node& node) const {
        const graph::Conv& conv = std::get<graph::Conv>(node.op);
        const Shape in = shape_of(graph_.tensor(node.inputs[0]));
        const Shape out = shape_of(graph_.tensor(node.outputs[0]));
        const int from = columns_[at(node.inputs[0])], to = columns_[at(node.outputs[0])];
        const double pixels = static_cast<double>(out.height) * (out.width / to);
        double steps = 0;  // of the array, for a pixel
        if (from == 1 && to == 1) {
            const bool image = sizes_.image && in.channels <= 4 && conv.groups == 1;
            const int lanes = std::min({sizes_.atomic_c, sizes_.atomic_k, in.channels});
            const int columns = conv.window.kernel_w;
            if (image)
                steps = div_up(columns * in.channels, sizes_.atomic_c);
            else if (conv.groups > 1)
                steps = static_cast<double>(columns) * div_up(in.channels, lanes);
            else
                steps = static_cast<double>(columns) * div_up(in.channels, sizes_.atomic_c);
            if (conv.groups == 1) steps *= div_up(out.channels, sizes_.atomic_k);
        } else {
            if (!Taps::exist(conv.window, from, to)) return kNever;
            const Taps taps(conv.window, from, to);
            if (taps.stride > kMaxStride || taps.count > kMaxKernel) return kNever;
            const bool image = sizes_.image && in.channels <= 4 && from == 1;
            steps = image ? div_up(taps.count * in.channels, sizes_.atomic_c)
                          : taps.count * div_up(from * in.channels, sizes_.atomic_c);
            steps *= div_up(to * out.channels, sizes_.atomic_k);
        }
        const double sdp = bytes(node.outputs[0]) / std::max(1, sizes_.sdp_bs_throughput);
        const double memory = std::max(bytes(node.inputs[0]), bytes(node.outputs[0])) /
                              std::min(sizes_.bus_bytes, sizes_.atom_bytes);
        return std::max({pixels * conv.window.kernel_h * steps, sdp, memory});
    }

    const Graph& graph_;
    const model::Architecture& sizes_;
    std::vector<int> group_of_;  ///< by tensor: one of its group
    std::vector<Group> groups_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;  ///< in front of a conv and behind it
    ColumnsPerPixel columns_;
};

/// A constant of one row as so many of them, one behind the other.
void repeat(Tensor& constant, int times) {
    graph::Data::Bytes data;
    for (int i = 0; i < times; ++i)
        data.insert(data.end(), constant.data.begin(), constant.data.end());
    constant.data = std::move(data);
    constant.shape.back() *= times;
}

template <class T>
void repeat(std::vector<T>& values, int times) {
    if (values.size() < 2) return;
    const std::vector<T> once = values;
    for (int i = 1; i < times; ++i)
        values.insert(values.end(), once.begin(), once.end());
}

/// The network while it changes.
class Change {
public:
    Change(const Graph& graph, const ColumnsPerPixel& columns)
        : before_(graph), columns_(columns), made_(graph) {}

    Graph run() {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (columns_[i] == 1) continue;
            std::vector<int>& shape = made_.tensors[i].shape;
            shape[2] /= columns_[i];
            shape[3] *= columns_[i];
        }
        for (Node& node : made_.nodes) {
            if (std::holds_alternative<graph::Conv>(node.op))
                change_conv(node);
            else
                change_constants(node);
        }
        return std::move(made_);
    }

private:
    TensorId add(Tensor tensor) {
        made_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(made_.tensors.size()) - 1;
    }

    /// Of an operator of single elements.
    void change_constants(Node& node) {
        const int columns = columns_[at(node.outputs[0])];
        if (columns == 1) return;
        for (TensorId& id : node.inputs) {
            const std::vector<int>& shape = before_.tensor(node.outputs[0]).shape;
            if (!made_.tensor(id).constant) continue;
            Tensor constant = made_.tensor(id);
            Beside is = beside(constant, shape);
            if (std::holds_alternative<graph::Prelu>(node.op)) is = Beside::channels;
            if (is == Beside::one) continue;
            if (is == Beside::all) constant.shape = made_.tensor(node.outputs[0]).shape;
            if (is == Beside::channels) repeat(constant, columns);
            id = add(std::move(constant));
        }
    }

    void change_conv(Node& node) {
        const int from = columns_[at(node.inputs[0])], to = columns_[at(node.outputs[0])];
        if (from == 1 && to == 1) return;
        graph::Conv& conv = std::get<graph::Conv>(node.op);
        const Taps taps(conv.window, from, to);
        node.inputs[1] = add(weights(node, taps, from, to));
        if (node.inputs.size() > 2 && node.inputs[2] != graph::kNone && to > 1) {
            Tensor bias = made_.tensor(node.inputs[2]);
            repeat(bias, to);
            repeat(bias.quantisation.scale, to);
            repeat(bias.quantisation.zero_point, to);
            node.inputs[2] = add(std::move(bias));
        }
        conv.groups = 1;
        graph::Window& window = conv.window;
        window.kernel_w = taps.count;
        window.stride_w = taps.stride;
        window.dilation_w = 1;
        window.left = taps.before;
        const int in = made_.tensor(node.inputs[0]).shape[2];
        const int out = made_.tensor(node.outputs[0]).shape[2];
        window.right = std::max(0, (out - 1) * taps.stride - taps.before + taps.count - in);
    }

    /// [column of the output and its kernel][row][pixel][column of the input and its channel].
    Tensor weights(const Node& node, const Taps& taps, int from, int to) const {
        const graph::Conv& conv = std::get<graph::Conv>(node.op);
        const Tensor& old = before_.tensor(node.inputs[1]);
        const int kernels = old.shape[0], rows = old.shape[1], columns = old.shape[2];
        const int each = old.shape[3], channels = each * conv.groups;
        const int of_group = kernels / conv.groups;
        const std::vector<std::int32_t>& zeros = old.quantisation.zero_point;
        Tensor made = old;
        made.shape = {to * kernels, rows, taps.count, from * channels};
        repeat(made.quantisation.scale, to);
        repeat(made.quantisation.zero_point, to);
        const std::size_t kernel = at(rows) * at(taps.count) * at(from * channels);
        graph::Data::Bytes data(at(to * kernels) * kernel);
        for (int k = 0; k < to * kernels; ++k) {
            const int own = k % kernels;
            const std::int32_t zero = zeros.empty() ? 0 : zeros[zeros.size() > 1 ? at(own) : 0];
            const auto begin = data.begin() + static_cast<std::ptrdiff_t>(at(k) * kernel);
            std::fill(begin, begin + static_cast<std::ptrdiff_t>(kernel),
                      static_cast<std::uint8_t>(zero));
            for (int r = 0; r < rows; ++r)
                for (int t = 0; t < columns; ++t) {
                    const auto [pixel, column] = taps.place(k / kernels, t);
                    const std::size_t read =
                        ((at(own) * at(rows) + at(r)) * at(columns) + at(t)) * at(each);
                    const std::size_t write =
                        ((at(r) * at(taps.count) + at(pixel)) * at(from) + at(column)) *
                            at(channels) +
                        at(own / of_group * each);
                    std::copy_n(old.data.bytes().begin() + static_cast<std::ptrdiff_t>(read), each,
                                begin + static_cast<std::ptrdiff_t>(write));
                }
        }
        made.data = std::move(data);
        return made;
    }

    const Graph& before_;
    const ColumnsPerPixel& columns_;
    Graph made_;
};

}  // namespace

ColumnsPerPixel best_columns(const Graph& graph, const model::Architecture& sizes,
                             const std::vector<bool>& stays) {
    Search search(graph, sizes, stays);
    return search.run() < kWorth ? search.columns() : ColumnsPerPixel{};
}

Graph with_columns(const Graph& graph, const ColumnsPerPixel& columns) {
    return Change(graph, columns).run();
}

Share own_products(const Graph& graph, const Node& node, const ColumnsPerPixel& columns) {
    const auto* conv = std::get_if<graph::Conv>(&node.op);
    if (conv == nullptr) return {};
    const int from = columns[at(node.inputs[0])], to = columns[at(node.outputs[0])];
    if (from == 1 && to == 1) return {};
    const std::vector<int>& weights = graph.tensor(node.inputs[1]).shape;
    return {at(weights[2]) * at(weights[3]),
            at(Taps(conv->window, from, to).count) * at(from * weights[3] * conv->groups)};
}

}  // namespace macrame::dla::compiler
