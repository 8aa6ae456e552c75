#include "compiler/graph/sums.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/alone.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/canonical.hpp"
#include "compiler/graph/links.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::graph {

namespace {

/// Channels in parts are whole atoms of any hardware.
constexpr int kUnit = 64;

bool is_number(const Tensor& tensor) {
    return tensor.quantisation.scale == kNumber.scale &&
           tensor.quantisation.zero_point == kNumber.zero_point;
}

bool only_moves(const Operator& op) { return is_one_of<Reshape, Transpose>(op); }

/// Weights less their zero points, in the order of their data.
std::vector<std::int64_t> weight_distances(const Tensor& weights) {
    const std::vector<std::int32_t>& zeros = weights.quantisation.zero_point;
    const Data& data = weights.data;
    const std::size_t each = data.size() / std::max<std::size_t>(1, zeros.size());
    std::vector<std::int64_t> out(data.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int value = weights.type == Type::uint8 ? data[i] : static_cast<std::int8_t>(data[i]);
        out[i] = value - (zeros.empty() ? 0 : zeros[i / each]);
    }
    return out;
}

/// Bytes of int32.
Bytes bytes_of_int32(const std::vector<std::int64_t>& values) {
    Bytes out;
    for (const std::int64_t value : values)
        for (int byte = 0; byte < 4; ++byte)
            out.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
    return out;
}

std::vector<std::int64_t> int32_of(const Bytes& bytes) {
    std::vector<std::int64_t> out(bytes.size() / 4);
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint32_t value = 0;
        for (std::size_t byte = 4; byte-- > 0;)
            value = value << 8 | bytes[4 * i + byte];
        out[i] = static_cast<std::int32_t>(value);
    }
    return out;
}

class SumSplitter {
public:
    SumSplitter(Graph& graph, Sums form, const TakesSums& takes)
        : graph_(graph), form_(form), takes_(takes) {}

    void run() {
        // Nodes are read while others are made of them.
        const std::vector<Node> before = graph_.nodes;
        bool any = false;
        for (std::size_t i = 0; i < before.size(); ++i) {
            made_.clear();
            const std::size_t tensors = graph_.tensors.size();
            if (split(before[i])) {
                nodes_.insert(nodes_.end(), made_.begin(), made_.end());
                any = true;
                continue;
            }
            graph_.tensors.resize(tensors);
            nodes_.push_back(before[i]);
        }
        if (!any) return;
        graph_.nodes = std::move(nodes_);
        drop_unused(graph_);
    }

private:
    /// What numbers of int32 are made of: int8, moved, less a zero point.
    struct Source {
        TensorId bytes = kNone;
        TensorId zero = kNone;           ///< int32, computed
        std::int64_t constant_zero = 0;  ///< beside that
        std::vector<const Node*> moves;  ///< of int32, the last one first
    };

    TensorId add_tensor(const std::string& name, Type type, std::vector<int> shape,
                        Quantisation quantisation = {}) {
        Tensor tensor;
        tensor.name = name;
        tensor.type = type;
        tensor.shape = std::move(shape);
        tensor.quantisation = std::move(quantisation);
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size()) - 1;
    }
    TensorId add_constant(const std::string& name, std::vector<int> shape,
                          const std::vector<std::int64_t>& values) {
        const TensorId id = add_tensor(name, Type::int32, std::move(shape));
        graph_.tensor(id).constant = true;
        graph_.tensor(id).data = bytes_of_int32(values);
        return id;
    }
    /// Of a function of two tensors of int32, the first of which has the shape of the result.
    TensorId add_binary(const Node& node, Arithmetic function, TensorId a, TensorId b) {
        const TensorId to = add_tensor(name_of(node), Type::int32, graph_.tensor(a).shape);
        made_.push_back({Binary{function, Activation::none}, {a, b}, {to}, node.where});
        return to;
    }
    const std::string& name_of(const Node& node) const {
        return graph_.tensor(node.outputs[0]).name;
    }

    const Node* maker_of(TensorId id) const {
        const int index = maker(graph_, id);
        return index < 0 ? nullptr : &graph_.nodes[at(index)];
    }

    std::optional<Source> source_of(TensorId id) const {
        Source out;
        const Node* node = maker_of(id);
        for (; node != nullptr && only_moves(node->op); node = maker_of(node->inputs[0]))
            out.moves.push_back(node);
        if (node == nullptr) return std::nullopt;
        const Binary* difference = std::get_if<Binary>(&node->op);
        if (difference != nullptr && difference->function == Arithmetic::sub) {
            if (graph_.tensor(node->inputs[1]).elements() != 1) return std::nullopt;
            if (!take_zero(node->inputs[1], out)) out.zero = node->inputs[1];
            node = maker_of(node->inputs[0]);
        }
        if (node == nullptr || !std::holds_alternative<Cast>(node->op)) return std::nullopt;
        out.bytes = node->inputs[0];
        const Tensor& bytes = graph_.tensor(out.bytes);
        if (bytes.type != Type::int8 || bytes.constant) return std::nullopt;
        out.constant_zero += shift_of(graph_.tensor(node->outputs[0])) - shift_of(bytes);
        return out;
    }

    /// A zero point that is known.
    bool take_zero(TensorId id, Source& source) const {
        std::int64_t shift = 0;
        const auto is_constant = [&] { return graph_.tensor(id).constant; };
        for (const Node* node = maker_of(id); !is_constant() && node != nullptr;
             node = maker_of(id)) {
            const bool casts = std::holds_alternative<Cast>(node->op);
            if (!casts && !std::holds_alternative<Reshape>(node->op)) return false;
            id = node->inputs[0];
            if (casts)
                shift += shift_of(graph_.tensor(id)) - shift_of(graph_.tensor(node->outputs[0]));
        }
        const Tensor& tensor = graph_.tensor(id);
        if (!tensor.constant) return false;
        if (tensor.type == Type::int8)
            source.constant_zero += static_cast<std::int8_t>(std::as_const(tensor.data)[0]) + shift;
        else if (tensor.type == Type::int32)
            source.constant_zero += int32_of(tensor.data)[0] + shift;
        else
            return false;
        return true;
    }

    /// Has it, with all that only moves it, no scale that anybody reads? Then it gets that of
    /// numbers.
    bool make_number(TensorId id) {
        while (true) {
            const Node* node = maker_of(id);
            if (node == nullptr) break;
            if (std::holds_alternative<DynamicQuantise>(node->op) && node->outputs[0] == id) break;
            if (!only_moves(node->op)) return is_number(graph_.tensor(id));
            id = node->inputs[0];
        }
        std::vector<TensorId> all = {id};
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (is_output(graph_, all[i])) return is_number(graph_.tensor(id));
            for (const int reader : readers(graph_, all[i])) {
                const Node& node = graph_.nodes[at(reader)];
                if (only_moves(node.op))
                    all.push_back(node.outputs[0]);
                else if (!std::holds_alternative<Cast>(node.op))
                    return is_number(graph_.tensor(id));
            }
        }
        for (const TensorId one : all)
            graph_.tensor(one).quantisation = kNumber;
        return true;
    }

    /// The product as a convolution of 4 axes: shapes, weights.
    struct Product {
        Conv op;
        std::vector<int> input, output;
        Tensor weights;
    };
    std::optional<Product> product_of(const Node& node) const {
        const auto* conv = std::get_if<Conv>(&node.op);
        const bool full = std::holds_alternative<FullyConnected>(node.op);
        if ((conv == nullptr && !full) || (conv != nullptr && conv->sums != Sums::whole))
            return std::nullopt;
        const Tensor &input = graph_.tensor(node.inputs[0]),
                     &output = graph_.tensor(node.outputs[0]);
        if (input.type != Type::int32 || output.type != Type::int32) return std::nullopt;
        Product out;
        out.weights = graph_.tensor(node.inputs[1]);
        if (out.weights.type != Type::int8) return std::nullopt;
        if (conv != nullptr) {
            out.op = *conv;
            out.input = input.shape;
            out.output = output.shape;
        } else {
            const int kernels = out.weights.shape[0], channels = out.weights.shape[1];
            const int rows = static_cast<int>(input.elements()) / channels;
            out.input = {1, 1, rows, channels};
            out.output = {1, 1, rows, kernels};
            out.weights.shape = {kernels, 1, 1, channels};
        }
        out.op.sums = form_;
        return out;
    }

    /// So many digits have all sums of these channels of int8; 0: none have.
    static std::size_t digits_for(const std::vector<std::int64_t>& weights, std::size_t kernels,
                                  std::size_t channels, std::size_t first, std::size_t end) {
        const std::size_t each = weights.size() / kernels;
        std::int64_t least = 0, most = 0;
        for (std::size_t k = 0; k < kernels; ++k) {
            std::int64_t low = 0, high = 0;
            for (std::size_t i = 0; i < each; ++i) {
                const std::int64_t w = weights[k * each + i];
                if (i % channels < first || i % channels >= end) continue;
                low += w * (w > 0 ? -128 : 127);
                high += w * (w > 0 ? 127 : -128);
            }
            least = std::min(least, low);
            most = std::max(most, high);
        }
        for (std::size_t count = 1; count <= kMostDigits; ++count)
            if (least >= least_of_digits(count) && most <= most_of_digits(count)) return count;
        return 0;
    }

    struct Part {
        int first = 0, end = 0;
        std::size_t outputs = 1;
    };
    /// Of the channels; none: sums are too large.
    std::vector<Part> parts_of(const Product& product) const {
        const int channels = product.weights.shape[3];
        if (form_ == Sums::bytes) return {{0, channels, 1}};
        const std::vector<std::int64_t> weights = weight_distances(product.weights);
        const auto digits = [&](int first, int end) {
            return digits_for(weights, at(product.weights.shape[0]), at(channels), at(first),
                              at(end));
        };
        std::vector<Part> out;
        for (int first = 0; first < channels;) {
            int end = channels;
            // Halves, in whole units.
            while (digits(first, end) == 0) {
                const int units = (end - first + kUnit - 1) / kUnit;
                if (units < 2 || product.op.groups > 1) return {};
                end = first + units / 2 * kUnit;
            }
            out.push_back({first, end, digits(first, end)});
            first = end;
        }
        return out;
    }

    /// The same shape changes of bytes.
    TensorId moved(const Node& node, const Source& source) {
        TensorId id = source.bytes;
        for (std::size_t i = source.moves.size(); i-- > 0;) {
            const Node& move = *source.moves[i];
            const TensorId to = add_tensor(graph_.tensor(id).name, Type::int8,
                                           graph_.tensor(move.outputs[0]).shape, kNumber);
            graph_.tensor(to).shifted = graph_.tensor(id).shifted;
            made_.push_back({move.op, {id}, {to}, node.where});
            id = to;
        }
        return id;
    }
    TensorId reshaped(const Node& node, TensorId id, const std::vector<int>& shape) {
        if (graph_.tensor(id).shape == shape) return id;
        const TensorId to = add_tensor(graph_.tensor(id).name, Type::int8, shape, kNumber);
        graph_.tensor(to).shifted = graph_.tensor(id).shifted;
        made_.push_back({Reshape{}, {id}, {to}, node.where});
        return to;
    }

    /// The convolution of some channels; kNone: the hardware does not take it.
    TensorId add_part(const Node& node, const Product& product, TensorId from, const Part& part) {
        const int channels = product.weights.shape[3];
        const bool whole = part.end - part.first == channels;
        std::vector<int> shape = product.input;
        TensorId weights = static_cast<TensorId>(graph_.tensors.size());
        graph_.tensors.push_back(product.weights);
        if (!whole) {
            shape[3] = part.end - part.first;
            const TensorId to = add_tensor(graph_.tensor(from).name, Type::int8, shape, kNumber);
            made_.push_back({Slice{{0, 0, 0, part.first}, {1, 1, 1, 1}}, {from}, {to}, node.where});
            from = to;
            Tensor& own = graph_.tensor(weights);
            own.shape[3] = shape[3];
            Bytes data;
            for (auto tap = product.weights.data.begin(); tap != product.weights.data.end();
                 tap += channels)
                data.insert(data.end(), tap + part.first, tap + part.end);
            own.data = std::move(data);
        }
        std::vector<int> to = product.output;
        if (form_ == Sums::bytes) to[3] *= 4;
        Node conv{product.op, {from, weights}, {}, node.where};
        for (std::size_t i = 0; i < part.outputs; ++i)
            conv.outputs.push_back(add_tensor(name_of(node), Type::int8, to, kNumber));
        if (!is_taken(conv)) return kNone;
        const TensorId sums =
            add_tensor(name_of(node), Type::int32, graph_.tensor(node.outputs[0]).shape);
        made_.push_back(conv);
        made_.push_back({Join{}, conv.outputs, {sums}, node.where});
        return sums;
    }

    bool is_taken(const Node& conv) const {
        Graph alone;
        alone.rounding = graph_.rounding;
        alone.name = graph_.name;
        for (const TensorId id : {conv.inputs[0], conv.inputs[1]})
            alone.tensors.push_back(graph_.tensor(id));
        alone.inputs = {0};
        Node own = conv;
        own.inputs = {0, 1};
        for (TensorId& id : own.outputs) {
            alone.tensors.push_back(graph_.tensor(id));
            id = static_cast<TensorId>(alone.tensors.size()) - 1;
        }
        alone.outputs = own.outputs;
        alone.nodes = {own};
        return takes_(alone);
    }

    /// What ones give: of each kernel where that is all, else of each element.
    std::vector<std::int64_t> sums_of_ones(const Node& node) const {
        Alone alone(graph_, node);
        const Tensor& input = graph_.tensor(node.inputs[0]);
        alone.set_input(0, input.shape,
                        bytes_of_int32(std::vector<std::int64_t>(input.elements(), 1)));
        std::vector<std::int64_t> all = int32_of(alone.run(graph_.tensor(node.outputs[0]).shape));
        const std::size_t kernels = at(graph_.tensor(node.outputs[0]).shape.back());
        for (std::size_t i = kernels; i < all.size(); ++i)
            if (all[i] != all[i % kernels]) return all;
        all.resize(kernels);
        return all;
    }

    /// Less what the zero point adds, which is all that the sums are not yet.
    TensorId without_zero(const Node& node, TensorId sums, const Source& source) {
        if (source.zero == kNone && source.constant_zero == 0) return sums;
        std::vector<std::int64_t> ones = sums_of_ones(node);
        const std::vector<int>& all = graph_.tensor(sums).shape;
        const std::vector<int> shape =
            ones.size() == graph_.tensor(sums).elements() ? all : std::vector<int>{all.back()};
        if (source.zero == kNone) {
            for (std::int64_t& one : ones)
                one *= source.constant_zero;
            return add_binary(node, Arithmetic::sub, sums,
                              add_constant(name_of(node) + " zero", shape, ones));
        }
        TensorId zero = source.zero;
        if (!graph_.tensor(zero).shape.empty()) {
            const TensorId scalar = add_tensor(graph_.tensor(zero).name, Type::int32, {});
            made_.push_back({Reshape{}, {zero}, {scalar}, node.where});
            zero = scalar;
        }
        if (source.constant_zero != 0)
            zero = add_binary(node, Arithmetic::add, zero,
                              add_constant(name_of(node) + " shift", {}, {source.constant_zero}));
        const TensorId by = add_binary(node, Arithmetic::mul,
                                       add_constant(name_of(node) + " ones", shape, ones), zero);
        return add_binary(node, Arithmetic::sub, sums, by);
    }

    bool split(const Node& node) {
        const std::optional<Product> product = product_of(node);
        if (!product) return false;
        const std::optional<Source> source = source_of(node.inputs[0]);
        if (!source || !make_number(source->bytes)) return false;
        const std::vector<Part> parts = parts_of(*product);
        if (parts.empty()) return false;
        const TensorId from = reshaped(node, moved(node, *source), product->input);
        TensorId sums = kNone;
        for (const Part& part : parts) {
            const TensorId own = add_part(node, *product, from, part);
            if (own == kNone) return false;
            sums = sums == kNone ? own : add_binary(node, Arithmetic::add, sums, own);
        }
        sums = without_zero(node, sums, *source);
        made_.back().outputs[0] = node.outputs[0];
        return true;
    }

    Graph& graph_;
    const Sums form_;
    const TakesSums& takes_;
    std::vector<Node> nodes_, made_;  ///< of the new graph; of the product at hand
};

}  // namespace

void split_sums(Graph& graph, Sums form, const TakesSums& takes) {
    if (form != Sums::whole) SumSplitter(graph, form, takes).run();
}

}  // namespace macrame::graph
