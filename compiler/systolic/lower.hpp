#pragma once
/// Makes layers of the operators of a graph.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/links.hpp"
#include "compiler/systolic/alu_layer.hpp"
#include "compiler/systolic/exact.hpp"
#include "compiler/systolic/layer.hpp"

namespace macrame::systolic::compiler {

/// Of tensors with one scale and zero point.
inline double scale_of(const graph::Tensor& tensor) {
    return static_cast<double>(tensor.quantisation.scale[0]);
}
inline int zero_of(const graph::Tensor& tensor) { return tensor.quantisation.zero_point[0]; }

/// Of a sum in memory.
constexpr int kSumBytes = 4;

/// What an operator wants that is not built; ends its lowering.
struct Unsupported {
    std::string text;
    int node = -1;  ///< another operator that had better run elsewhere
};

/// A piece of memory: addresses in surfaces count from its begin.
struct Area {
    std::string name;
    std::int64_t bytes = 0;
    bool keep = false;      ///< inputs, outputs, what has a border
    bool bordered = false;  ///< what has a border
    std::int8_t fill = 0;
    int first = -1, last = -1;  ///< layers that use it
    std::int64_t address = 0;
};

/// Where a tensor lies. One that was reshaped has the size of before, and the same order of
/// elements.
struct Value {
    int area = 0;
    TensorLayout surface;
    bool bordered = false;  ///< its padding lies around it
};

/// A layer, and what it reads and writes: inputs in their order, then the output.
struct Operation {
    int node = 0;
    std::variant<ConvLayer, AluLayer> layer;
    std::vector<int> reads;
    int writes = 0;

    const std::string& name() const {
        return std::visit([](const auto& own) -> const std::string& { return own.name; }, layer);
    }
};

class Lowering {
public:
    Lowering(const graph::Graph& graph, const Architecture& architecture);

    void run(bool keep_tensors = false);

    std::vector<Operation> operations;
    std::vector<Area> areas;
    std::vector<macrame::compiler::Refusal> refused;      ///< then the rest is incomplete
    std::vector<macrame::compiler::Exactness> exactness;  ///< of machines with exact scales
    std::vector<int> host_first, host_nodes;
    std::vector<graph::TensorId> inputs, outputs;  ///< of the program

    const Value& value(graph::TensorId id) const { return values_.at(id); }

private:
    /// Pixels around a picture.
    struct Border {
        int top = 0, left = 0, bottom = 0, right = 0;
    };
    /// Where in another tensor one lies.
    struct Part {
        graph::TensorId whole;
        int axis;  ///< 0: height, 1: width, 2: channels
        int at;
    };

    const graph::Tensor& tensor(graph::TensorId id) const { return graph_.tensor(id); }
    bool constant(graph::TensorId id) const { return tensor(id).constant; }
    std::vector<int> readers(graph::TensorId id) const { return graph::readers(graph_, id); }
    bool is_output(graph::TensorId id) const { return graph::is_output(graph_, id); }

    void refuse(int index, const std::string& text);
    /// Gives outputs places if they have none: what is behind a refused operator is looked at, too.
    void replace(int index);

    // Ends of the graph that the host does.
    void find_host_nodes();
    std::string host_reason(const graph::Node& node) const;
    /// Refuses what the host would have to do in front of an operator of the array.
    void refuse_in_front_of(int index);
    bool is_last_move(int index) const;
    void add_inputs();
    /// Those that the host or the network wants, then all others if they are to be kept.
    void add_outputs(bool keep_tensors);

    // Places.
    void plan_borders();
    void plan_parts();
    bool shares_rows(const graph::Node& node) const;
    bool has_bytes_of_sums(graph::TensorId id) const;
    /// A new one for a tensor that a layer makes.
    const Value& new_value(graph::TensorId id);
    static Value part_of(const Value& whole, int axis, int at, const TensorLayout& size);
    /// Memory between two layers of one operator, of this height, width and channels.
    Value temporary(const TensorLayout& size, const std::string& name);
    Value with_margin(int index, const Value& in, const graph::Window& w, Window& window);
    /// Of an input, with the size of its tensor.
    const Value& picture(graph::TensorId id) const;

    void lower(int index);
    void lower_conv(int index, const graph::Conv& op);
    void lower_transpose_conv(int index, const graph::TransposeConv& op);
    void lower_fully_connected(int index, const graph::FullyConnected& op);
    void lower_matmul(int index, const graph::MatMul& op);
    void lower_binary(int index, const graph::Binary& op);
    void lower_affine(int index, const graph::Binary& op);
    void lower_slopes(int index);
    void lower_pool(int index, const graph::Pool& op);
    void lower_mean(int index, const graph::Mean& op);
    void lower_unary(int index, const graph::Unary& op);
    void lower_concat(int index, const graph::Concat& op);
    void lower_slice(int index, std::size_t output, const std::vector<int>& begin,
                     const std::vector<int>& stride);
    void lower_split(int index, const graph::Split& op);
    void lower_pad(int index, const graph::Pad& op);
    void lower_transpose(int index, const graph::Transpose& op);
    void lower_resize(int index, const graph::Resize& op);
    bool split_channels(int index);
    bool join_channels(int index);
    void pass_on(int index);

    /// A convolution of these weights [K, ...], with its scales.
    void add_conv(int index, ConvLayer layer, const Value& in, const Value& out,
                  graph::Activation activation);
    /// The average of a window.
    void add_average(int index, const Window& window, graph::Activation activation);
    void add(int index, AluLayer layer, const std::vector<const Value*>& in, const Value& out);
    /// Values of `from` in `to`, scaled for the quantisation of the output.
    void copy(int index, graph::TensorId from, const Value& in, graph::TensorId to,
              const Value& out, graph::Activation activation = graph::Activation::none);

    // Scales with the integers of the reference.
    void tell(int index, const std::string& mapping, const std::vector<Fit>& fits);
    /// Of sums whose size is at most `largest`: what TFLite does by its definition, of ONNX what is
    /// proved for all of them.
    Fitted exact_sums(int index, Scale scale, double factor,
                      const std::function<std::int64_t()>& largest) const;
    /// Of a convolution.
    void set_exact_scales(int index, ConvLayer& layer, const std::vector<double>& factors);
    Scale exact_copy(int index, const graph::Tensor& from, const graph::Tensor& to,
                     const Scale& limits, bool& needed);
    /// `input`: the one that is no constant.
    AluLayer exact_affine(int index, const graph::Binary& op, std::size_t input,
                          const std::vector<std::int32_t>& constants, const Scale& limits);
    AluLayer exact_sum(int index, const graph::Binary& op, const Scale& limits);
    std::function<Scale(int, int)> exact_average(int index, const std::set<int>& counts,
                                                 const Scale& limits);

    const graph::Graph& graph_;
    Architecture architecture_;
    std::map<graph::TensorId, Value> values_;
    std::map<graph::TensorId, Border> borders_;
    std::map<graph::TensorId, Part> parts_;
    enum class Made { here, before, behind };
    std::vector<Made> made_;          ///< by tensor
    std::vector<bool> host_;          ///< by node
    std::set<graph::TensorId> lost_;  ///< without a place behind what is refused
};

/// Whether an axis that is not 1 comes to another place.
bool moves_lanes(const graph::Transpose& op, const graph::Tensor& input);

/// The elements of a constant.
std::vector<std::int32_t> integers(const graph::Graph& graph, graph::TensorId id);

/// The last axes of a tensor as height, width and channels; those in front of them must be 1.
std::optional<TensorLayout> size_of(const graph::Tensor& tensor);

}  // namespace macrame::systolic::compiler
