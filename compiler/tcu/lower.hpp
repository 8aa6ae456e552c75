#pragma once
/// Makes layers of the operators of a graph.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/links.hpp"
#include "compiler/tcu/layer.hpp"
#include "compiler/tcu/linear.hpp"
#include "compiler/tcu/timing.hpp"

namespace macrame::tcu::compiler {

/// What an operator wants that is not built; ends its lowering.
struct Unsupported {
    std::string text;
};

/// Height, width, channels of a tensor.
struct Shape {
    int height = 1, width = 1, channels = 1;

    int pixels() const { return height * width; }
    bool operator==(const Shape& other) const {
        return height == other.height && width == other.width && channels == other.channels;
    }
};

/// Where the elements of a tensor are: block b of the channels of pixel p in vector b * pixels + p.
/// Few channels leave room for `pack` pixels of a line in a vector, one behind the other, which
/// counts as a pixel then. A tensor that was reshaped has the shape of before, and the same order
/// of elements.
struct TensorLayout {
    Shape shape;
    std::vector<VectorId> vectors;
    int pack = 1;

    int columns() const { return (shape.width + pack - 1) / pack; }
    int pixels() const { return shape.height * columns(); }
    VectorId at(int block, int y, int column) const {
        return vectors[static_cast<std::size_t>((block * shape.height + y) * columns() + column)];
    }
};

class Lowering {
public:
    /// `shared` as in most_variables().
    Lowering(const graph::Graph& graph, const Architecture& architecture,
             const TimingSizes& machine, bool shared);

    void run(bool keep_tensors = false);

    Layers layers;
    std::vector<macrame::compiler::Refusal> refused;  ///< then the rest is incomplete
    /// The first operator where tensors need more vectors than there are for variables; then the
    /// rest is incomplete, too. No part of the network for the host mends that.
    std::optional<macrame::compiler::Refusal> no_room;
    VectorPool pool;
    std::vector<double> factors;  ///< by tensor
    std::vector<int> host_first, host_nodes;
    std::vector<graph::TensorId> inputs, outputs;  ///< of the program
    std::vector<graph::TensorId> kept;             ///< others of Layers::kept

    /// Where a tensor is; of a constant, which is nowhere, it is Unsupported.
    const TensorLayout& view(graph::TensorId id) const;

private:
    const graph::Node& node(int index) const {
        return graph_.nodes[static_cast<std::size_t>(index)];
    }
    const graph::Tensor& tensor(graph::TensorId id) const { return graph_.tensor(id); }
    bool constant(graph::TensorId id) const { return tensor(id).constant; }
    int lanes() const { return layers.array_size; }
    int blocks(int channels) const { return (channels + lanes() - 1) / lanes(); }
    Values values(graph::TensorId id) const;
    /// Do the integers of a tensor begin at the real value 0?
    bool clamps_at_zero(graph::TensorId id) const;
    /// Real values of a constant.
    std::vector<float> reals(graph::TensorId id) const;
    TensorLayout new_view(const Shape& shape, int pack = 1);
    /// The vector of a tensor, or zeros where it has none there.
    static VectorId pixel(const TensorLayout& view, int block, int y, int column);

    void refuse(int index, const std::string& text);
    /// Gives outputs vectors if they have none: what is behind a refused operator is looked at,
    /// too.
    void replace(int index);

    // Ends of the graph that the host does (lower.cpp).
    void find_host_nodes();
    /// Refuses what the host would have to do in front of an operator of the array.
    void refuse_in_front_of(int index);
    bool is_output(graph::TensorId id) const { return graph::is_output(graph_, id); }
    std::vector<int> readers(graph::TensorId id) const { return graph::readers(graph_, id); }
    void add_inputs();
    void add_outputs();
    /// All other tensors that layers write.
    void add_kept();
    /// Vectors of a tensor, pixel after pixel.
    static std::vector<VectorId> in_file(const TensorLayout& view);
    /// Copies what lies at the place of something else, or is constant, for files.
    TensorLayout own_view(graph::TensorId id, const TensorLayout& view);
    /// Products whose only reader is a sum, which takes them along.
    void find_fused();
    bool can_fuse(int index, int reader) const;
    /// Tensors in float32 whose only reader adds or multiplies with constants, as their own node
    /// does: one layer for all of these, which may begin with a bilinear resize.
    void find_chains();
    /// How many pixels of each tensor go into a vector (packs.cpp).
    void plan_packs();
    bool reads_packed(int index) const;
    int most_packed(graph::TensorId id) const;
    /// Packs inputs whose convolutions take that much less then.
    void pack_inputs();
    std::int64_t cycles_packed(graph::TensorId id, int pack) const;
    TensorLayout packed(graph::TensorId id, int pack);
    void lower(int index);

    // Room for variables (room.cpp).
    /// Adds tensors of which it reads all.
    bool is_whole_sum(int index) const;
    /// Vectors that are those of this tensor alone; 0 where it may share them.
    std::int64_t own_vectors(graph::TensorId id) const;
    /// Where no order of addresses has room: less than what is there in truth.
    std::optional<macrame::compiler::Refusal> crowded() const;

    // Sums (lower_linear.cpp).
    /// Adds what a convolution or fully connected layer makes to a sum; returns the products in it.
    std::uint64_t add_products(Linear& sum, int index, int pack);
    void add_conv(Linear& sum, int index, const graph::Conv& op, int pack);
    /// Weights of line `ky` of a kernel for a block of inputs and one of outputs, where the first
    /// pixel of the inputs lies `delta` behind that of the outputs' stride; empty if all are zeros.
    std::vector<float> conv_set(int index, const std::vector<float>& weights, int ky, int from,
                                int to, int delta, int pack) const;
    void add_transposed(Linear& sum, int index, const graph::TransposeConv& op);
    void add_fully_connected(Linear& sum, int index);
    /// A fully connected layer of one pixel has a product for each set of weights, and sets follow
    /// each other slower than vectors. So inputs become the weights of the array, a set for each of
    /// their vectors, and weights stream through it: worth while for many outputs.
    bool is_streamed(int index) const;
    void add_streamed(Linear& sum, int index);
    /// A vector for each element, in its first lane; those of a vector one behind the other.
    std::vector<VectorId> spread(int index);
    void add_bias(Linear& sum, int index, int pack);
    /// For what becomes this tensor.
    Linear new_sum(graph::TensorId output);
    /// Adds a tensor, or what it is broadcast to, times a number for each channel.
    void add_tensor(Linear& sum, const TensorLayout& from, const Values& values, const Shape& to,
                    int pack, const std::vector<double>& factor);
    /// Means over a window, as many as `to` has pixels.
    void add_average(Linear& sum, int index, const Shape& to, const graph::Window& window);
    void finish_sum(Linear& sum, int index, graph::TensorId output, graph::Activation activation,
                    std::uint64_t macs);
    std::uint64_t macs(int index) const;

    // Products of two matrices (lower_matmul.cpp).
    /// Where an operand is; constants of networks in float32 have no factor.
    TensorLayout matrix(graph::TensorId id, bool quantised);
    /// Can what a layer has made of it be outside of the range that its integers have? Products of
    /// two such values are far from those of the reference, so they are clamped in front.
    bool may_exceed_range(graph::TensorId id) const;
    /// Steps that do so.
    void clamp_to_range(Layer& layer, const Range& range, double factor, int groups);
    /// Has a layer written its vectors one behind the other?
    bool is_written_in_order(const TensorLayout& view) const;
    /// A digit of the numbers of lines and lanes within square tiles: step * (0 .. radix - 1).
    struct Digit {
        int step, radix;
    };
    /// Those that change places one after the other when lines become lanes: the array takes a set
    /// of weights for each pair of values of a digit. One digit where that takes less.
    std::vector<Digit> digits_of_transposition(const Shape& shape) const;
    /// A tensor whose lines and lanes have changed places in this digit, filled up to whole tiles.
    TensorLayout swapped(int index, graph::TensorId id, const Digit& digit);
    /// Its lines as they are, or each one's columns as rows, times `factor`, within its range, one
    /// row behind the other.
    TensorLayout gathered(int index, graph::TensorId id, const TensorLayout& from, bool transposed,
                          double factor);
    /// Of both operands, so that sums of `depth` products fit, and operands and sums are fine.
    std::array<double, 2> factors_of_operands(int index, int depth) const;
    void lower_matmul(int index, const graph::MatMul& op);

    // Operators, by kind.
    void lower_products(int index, graph::Activation activation);
    void lower_binary(int index, const graph::Binary& op);
    void lower_sum(int index, const graph::Binary& op);
    /// An addition or multiplication whose one operand is a number for each channel.
    bool is_affine(const graph::Node& n) const;
    void lower_affine(int index);
    void lower_product(int index, const graph::Binary& op);
    void lower_choice(int index, Combine combine, graph::Activation activation);
    void lower_pool(int index, const graph::Pool& op);
    void lower_mean(int index, const graph::Mean& op);
    /// A constant as a view: real values times the factor. One channel is in all lanes.
    TensorLayout constant_view(graph::TensorId id, double factor);
    TensorLayout constant_view(graph::TensorId id, double factor, bool in_all_lanes);
    void lower_steps(int index, std::vector<Step> steps);
    void lower_unary(int index, const graph::Unary& op);
    void lower_hard_swish(int index);
    void lower_prelu(int index);
    void lower_requantise(int index);
    void lower_concat(int index, const graph::Concat& op);
    void lower_slice(int index, std::size_t output, const std::vector<int>& begin,
                     const std::vector<int>& stride);
    void lower_split(int index, const graph::Split& op);
    void lower_pad(int index, const graph::Pad& op);
    /// Do all readers of what a reshape makes take elements in any form, as fully connected layers?
    bool is_flat(int index) const;
    /// Refuses forms of reshapes and transposes that are no view of a picture.
    void check_form(int index) const;
    void lower_reshape(int index);
    void lower_transpose(int index, const graph::Transpose& op);
    void lower_resize(int index, const graph::Resize& op);

    /// What becomes of each channel: value * scale + offset.
    struct Affine {
        std::vector<double> scale, offset;
    };
    /// Of the nodes of a chain that ends with `index`; `source` becomes what its first one reads.
    Affine affine_of(int index, graph::TensorId& source) const;
    void lower_bilinear(int resize, int index, const Affine& affine, graph::Activation activation);
    /// The first half of it where pixels share vectors: these lines of the input, as wide as `out`.
    TensorLayout resized_lines(int resize, const std::vector<int>& lines, const Shape& out,
                               int pack);

    /// Element `from` of a tensor for element `to` of another, -1: zero; both in order of their
    /// channels, then pixels.
    struct Element {
        std::size_t input = 0;
        int y = 0, x = 0, channel = -1;
    };
    /// Sets that select, by group, rows and pairs of lanes.
    using SelectionSets = std::map<std::tuple<int, int, std::vector<std::array<int, 2>>>, int>;
    static constexpr VectorId kNone = -2;
    /// The vector that has these in its lanes and zeros behind; kNone if there is none.
    VectorId whole_vector(const std::vector<Element>& elements,
                          const std::vector<graph::TensorId>& from) const;
    void add_selection(Linear& sum, int group, int position, const std::vector<Element>& elements,
                       const std::vector<graph::TensorId>& from, double factor,
                       SelectionSets& sets);
    using ElementOf = std::function<Element(int y, int x, int channel)>;
    /// A tensor made of elements of others: a view where whole vectors stay together, else sums
    /// that select them.
    void select(int index, graph::TensorId output, const Shape& shape,
                const std::vector<graph::TensorId>& from, const ElementOf& element);

    /// A vector for reading by the SIMD unit.
    VectorId loadable(VectorId id) { return id == kZeros ? pool.same(0) : id; }
    Layer new_layer(int index, graph::TensorId output) const;
    /// Steps for an activation, and for what the integers of a tensor clamp.
    void add_clamp(Layer& layer, graph::TensorId output, graph::Activation activation);

    const graph::Graph& graph_;
    TimingSizes machine_;
    const Architecture& architecture_;
    bool shared_;                ///< DRAM1 is
    std::vector<Range> ranges_;  ///< by tensor
    std::map<graph::TensorId, TensorLayout> views_;
    std::vector<int> packs_;  ///< by tensor
    enum class Made { here, before, behind };
    std::vector<Made> made_;                  ///< by tensor
    std::vector<bool> host_;                  ///< by node
    std::set<graph::TensorId> lost_;          ///< without vectors behind what is refused
    std::map<graph::TensorId, int> fused_;    ///< tensors that are parts of a sum: their node
    std::map<graph::TensorId, int> chained_;  ///< those within a chain: their node
};

/// The last axes of a tensor as height, width and channels; those in front of them must be 1.
std::optional<Shape> shape_of(const graph::Tensor& tensor);
/// The same of one that must have it; throws Unsupported.
Shape shape_without_batch(const graph::Tensor& tensor);

}  // namespace macrame::tcu::compiler
