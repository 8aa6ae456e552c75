#pragma once
/// From operators to layers of the hardware.

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/builder.hpp"
#include "compiler/dla/context.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/dla/lines.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/dla/multiply.hpp"
#include "compiler/dla/plan.hpp"
#include "compiler/dla/pointwise.hpp"
#include "compiler/dla/requantise.hpp"
#include "compiler/dla/searches.hpp"
#include "compiler/dla/table.hpp"
#include "compiler/dla/table_search.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/quantised.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

struct Halves;

/// Layers, buffers and tensors of a program while it grows.
class Lowering {
public:
    /// `precise`: operators that are to be exact whatever the options say. `searches` has to stay.
    Lowering(const graph::Graph& graph, const model::DeviceSizes& sizes,
             const macrame::compiler::Options& options, Searches& searches,
             std::set<int> precise = {});

    /// Everything up to the operators that the host has to run behind it.
    void run();

    Builder build;
    std::vector<macrame::compiler::HostOperator> host;  ///< without places
    std::vector<int> host_first, host_nodes;            ///< in front of the program, behind it
    std::vector<graph::TensorId> program_inputs;
    std::vector<std::string> errors;
    std::vector<macrame::compiler::Refusal> refused;  ///< what the host does, or wants to
    std::vector<graph::TensorId> outputs;

    const Location& location(graph::TensorId id) const { return locations_.at(id); }
    const Plan& plan() const { return plan_; }

private:
    // One per operator; throw Unsupported.
    void lower(int index, const graph::Conv& op);
    void lower(int index, const graph::FullyConnected& op);
    void lower(int index, const graph::Pool& op);
    void lower(int index, const graph::Mean& op);
    void lower(int index, const graph::Binary& op);
    void lower(int index, const graph::TransposeConv& op);
    void lower(int index, const graph::Concat& op);
    void lower(int index, const graph::Slice& op);
    void lower(int index, const graph::Split& op);
    void lower(int index, const graph::Pad& op);
    void lower(int index, const graph::Reshape& op);
    void lower(int index, const graph::Unary& op);
    void lower(int index, const graph::Prelu& op);
    void lower(int index, const graph::Requantise& op);
    void lower(int index, const graph::Transpose& op);
    void lower(int index, const graph::Resize& op);
    template <class Other>
    void lower(int index, const Other& op);

    void lower_fused(int index);
    void lower_alone(int index);

    const graph::Node& node(int index) const { return context_.node(index); }
    const graph::Tensor& tensor(graph::TensorId id) const { return graph_.tensor(id); }
    /// What there was at some time, for what is tried and then undone.
    struct Snapshot {
        Builder::Snapshot build;
        std::map<graph::TensorId, Location> locations;
        std::map<graph::TensorId, Cube> gathered;
    };
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);
    /// Lowers an operator; the message if that cannot be done, then nothing is left of it.
    std::string try_lower(int index);
    /// Where a tensor lies that an operator reads; throws Unsupported where the hardware has not
    /// got it.
    const Location& location_of(graph::TensorId id) const;
    /// Of what an operator writes, which has a place already.
    Location& output_of(graph::TensorId id);
    /// Gives it to the host, if that has or finds what it reads.
    bool give_to_host(int index);
    /// Lets the host give what the operator reads the shape that it wants; false: that is no help.
    bool unflatten(int index);
    static bool takes_any_order(const graph::Operator& op);
    /// What is too large about the network; empty: nothing.
    std::string size_problem() const;
    void place_inputs();

    /// Some channels of a cube, from a whole atom on.
    Cube block(const Cube& cube, int first, int channels) const {
        return compiler::block(sizes_, cube, first, channels);
    }
    /// Some lines and columns of a cube; its strides stay.
    Cube part_of(const Cube& cube, int y, int x, int height, int width) const {
        return compiler::part_of(sizes_, cube, y, x, height, width);
    }
    Location constant(const graph::Tensor& tensor);
    Location& add_output(int index, int width, int height, int channels);

    /// SDP registers for these values; remembers how exact they are.
    PostProcess post_process(int index, const LayerTarget& target, const Cube& output);
    /// What is on the fly behind it as SDP's table.
    void add_table(int index, const Requantisation& made, PostProcess& post) const;
    /// Tells of ties, on top of what the operator is off by without them.
    void add_ties(macrame::compiler::Exactness ties);
    /// What add_conv() is given.
    struct WeightedConv {
        ConvLayer layer;
        Cube whole;
        std::vector<std::int8_t> weights;
        std::vector<int> after;
        std::uint64_t macs = 0;
    };
    /// With its requantisation, in two halves and their sum where that is more exact and wanted.
    std::vector<int> add_requantised_conv(int index, WeightedConv conv, const LayerTarget& target,
                                          const Cube& output);
    std::vector<int> add_halves(int index, const WeightedConv& conv, const Halves& halves,
                                const Cube& output);
    /// Weights of more than 8 bits are sums of several `terms`, for which the input is there as
    /// often, whole atoms behind each other. One: as it is.
    Cube add_repeated(int index, const Cube& in, int terms, std::vector<int>& writers);
    /// Channels of another cube, by a convolution.
    struct Selection {
        std::vector<int> channels;  ///< of the cube for each of the output; -1: `filler`
        int filler = 0;
        int y = 0, x = 0, stride_h = 1, stride_w = 1;
    };
    std::vector<int> add_selection(int index, const Cube& whole, const Selection& selection,
                                   const Cube& to, const std::vector<int>& after);
    std::vector<int> add_vector_selection(int index, const Cube& whole, const Selection& selection,
                                          const Cube& to, const std::vector<int>& after);
    void add_slice(int index, std::size_t output, const std::array<int, 3>& begin,
                   std::array<int, 3> stride);
    std::vector<int> add_atoms(const Cube& cube, const Shape& shape, const Cube& row, bool to_cube,
                               const std::vector<int>& after);
    /// How phases - lines and columns with the same remainder of a factor - come about and
    /// together.
    enum class Way {
        scattered,   ///< each on its own, SDP puts its pixels between those of the others
        contracted,  ///< each on its own, RUBIK brings all together
        at_once,     ///< a convolution with the kernels of all phases, RUBIK brings them together
    };
    /// Tries the ways: the most exact of them, then the fastest.
    void choose_way(const std::vector<Way>& ways, const std::function<void(Way)>& lower);
    class Transposed;
    /// Output of a size that RUBIK writes, perhaps with more around it: lines and columns of `all`
    /// from there on.
    void add_contracted(int index, const Cube& all, int y, int x, int height, int width);
    void add_bilinear(int index, bool half_pixel, int up_h, int up_w);
    struct Between;  ///< two lines or columns
    std::vector<int> add_bilinear_phase(int index, const Cube& wide, const Cube& output,
                                        const Between& y, const Between& x,
                                        const std::vector<int>& after);
    /// Does it lie as the cube that it was before it was flattened? The order of its elements is
    /// that of the cube: lines, columns, channels.
    bool is_flattened(graph::TensorId id) const;
    /// The cube of a concat; not before somebody asks for it.
    const Cube& gathered(graph::TensorId id);
    /// Sums over windows of a cube, without padding and with equal weights: convolutions of blocks
    /// of channels.
    std::vector<int> add_average(int index, const Cube& in, const Cube& out,
                                 const graph::Window& window, const ChannelTarget& channel,
                                 LayerTarget target);
    class GlobalAverage;
    /// The same over all of a cube, in one layer; no layer if memory or configuration do not allow
    /// it.
    std::vector<int> add_global_average(int index, const Cube& in, const Cube& out,
                                        const graph::Window& window, const ChannelTarget& channel,
                                        LayerTarget target);
    /// Averages that count only what lies inside: a region of the output for each divisor.
    void add_averages(int index, const graph::Window& window);
    void add_sum_of_channels(int index, const graph::Window& window, const ChannelTarget& channel,
                             LayerTarget target);
    /// Largest of each window, in as many passes as PDP needs.
    void add_maximum(int index, const graph::Window& window);
    /// A function of one tensor: SDP's BS and BN, SDP's table or CDP's.
    void lower_tables(int index, std::size_t operand);
    std::vector<int> add_tables(int index, const std::vector<Table>& tables, const Location& in,
                                const Cube& out);
    /// `zero`: that of the input. `rescaled`: all that the functions are, if it is that.
    std::vector<int> add_tables(int index, const std::vector<Table>& tables, int zero,
                                const std::optional<LayerTarget>& rescaled, const Location& in,
                                const Cube& out);
    /// The real values of one tensor in the integers of another.
    Table rescaled(graph::TensorId from, graph::TensorId to) const;
    std::vector<int> add_rescaled(int index, graph::TensorId from, graph::TensorId to,
                                  const Location& in, const Cube& out);
    /// Of one channel or of each: rounded lines, as all of them are that have a constant operand.
    std::vector<int> add_lines(const Requantisation& made, const Location& in, const Cube& out);
    /// For a binary operator with a constant per channel, at most off by one.
    std::optional<Requantisation> constant_lines(int index, std::size_t operand,
                                                 const std::vector<Table>& tables) const;
    /// What a binary operator does with a constant per channel, or PReLU below its zero point.
    LineTarget line_target(int index, std::size_t operand, std::vector<Table> tables) const;
    /// PReLU in two layers: what it makes of what lies below its zero point, then the rest. Without
    /// a value: it is not exact that way, either.
    std::optional<std::vector<int>> add_two_lines(int index, const std::vector<Table>& tables,
                                                  const Location& in, const Cube& out);
    /// An operand of an element-wise operator: of the size of its output, or one pixel for all.
    struct Side {
        Cube cube;
        std::vector<int> writers;
        bool whole = true;
    };
    Side side(int index, graph::TensorId id, const Shape& out);
    /// Repeats its line or its pixels to the size of the output.
    void spread(int index, Side& side, const Shape& out);
    /// Stage operands in memory that are such a side.
    Operands operands(const Side& side, bool alu) const;
    // To `out`, without the activation; they return their layers.
    std::vector<int> add_binary(int index, graph::Arithmetic function, const Side& a, const Side& b,
                                const Cube& out);
    /// The same; no layers if that is not exact.
    std::vector<int> add_exact_binary(int index, graph::Arithmetic function, const Side& a,
                                      const Side& b, const Cube& out);
    AddTarget add_target(int index, bool a_whole, bool b_whole) const;
    std::vector<int> add_sum(int index, const Side& a, const Side& b, const Cube& out);
    std::vector<int> add_sum(const Side& a, const Side& b, const AddMapping& mapping,
                             const Cube& out);
    /// Parts of the results, and their sum: `offsets` with each part but the first.
    std::vector<int> add_in_parts(
        int index, const Cube& out, const std::vector<int>& offsets,
        const std::function<std::vector<int>(std::size_t part, const Cube& cube)>& add);
    std::vector<int> add_choice(int index, Side a, Side b, const Cube& out);
    std::vector<int> add_product(int index, const Side& a, const Side& b, const Cube& out);
    std::vector<int> add_product(const Side& main, const Side& other,
                                 const MultiplyMapping& mapping, const Cube& out);
    /// What is above the zero point of the output, what is below, and their sum.
    std::vector<int> add_product_of_signs(int index, const Side& main, const Side& other,
                                          const ProductParts& parts, int zero, const Cube& out);
    /// In parts with either sign, where BS cannot subtract the zero point of the second one.
    std::vector<int> add_parted_product(int index, const Side& main, const Side& other,
                                        MultiplyTarget target,
                                        const std::vector<std::int8_t>& pairs, const Cube& out);
    /// The input with the padding of a layer around it.
    Location with_border(int index, const Location& in, const ConvLayer& conv);

    bool exact_at(int index) const { return context_.exact_at(index); }
    /// What the layers of a node write.
    graph::TensorId result_of(int index) const { return plan_.result_of(context_, index); }

    const Context context_;
    const graph::Graph& graph_;
    const model::DeviceSizes& sizes_;
    const macrame::compiler::Options& options_;
    Searches& searches_;
    Plan plan_;
    std::set<graph::TensorId> on_host_;  ///< outputs of operators of the host
    std::map<graph::TensorId, Location> locations_;
    std::map<graph::TensorId, Cube> gathered_;
};

/// Sums whose average lies in the middle of two integers: there a reference that adds real values
/// in float32 may round to either side.
macrame::compiler::Exactness ties_of(int index, const ChannelTarget& channel);

/// Weights of a convolution that are all the same where input and output channel belong together:
/// [kernel][row][column][channel] with zeros elsewhere.
std::vector<std::int8_t> diagonal(int channels, int positions);

}  // namespace macrame::dla::compiler
