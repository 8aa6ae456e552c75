#pragma once
/// One function per operator, and what several of them are made of. Functions that add layers
/// return them; Unsupported is thrown where the hardware has no layers.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/dla/lower/lowering.hpp"
#include "compiler/dla/multiply.hpp"
#include "compiler/dla/requantise.hpp"
#include "compiler/dla/searches.hpp"
#include "compiler/dla/table.hpp"
#include "compiler/dla/table_search.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

struct Halves;

void lower_conv(Lowering& lowering, int index);
void lower_fully_connected(Lowering& lowering, int index);
void lower_pool(Lowering& lowering, int index);
void lower_mean(Lowering& lowering, int index);
void lower_binary(Lowering& lowering, int index);
void lower_transpose_conv(Lowering& lowering, int index);
void lower_concat(Lowering& lowering, int index);
void lower_slice(Lowering& lowering, int index);
void lower_split(Lowering& lowering, int index);
void lower_pad(Lowering& lowering, int index);
void lower_reshape(Lowering& lowering, int index);
void lower_unary(Lowering& lowering, int index);
void lower_prelu(Lowering& lowering, int index);
void lower_requantise(Lowering& lowering, int index);
void lower_transpose(Lowering& lowering, int index);
void lower_resize(Lowering& lowering, int index);
void lower_softmax(Lowering& lowering, int index);
void lower_norm(Lowering& lowering, int index);
void lower_matmul(Lowering& lowering, int index);
/// All of its operators, as the first of them.
void lower_chain(Lowering& lowering, const graph::Chain& chain);

Location constant(Lowering& lowering, const graph::Tensor& tensor);
/// SDP registers for these values; remembers how exact they are.
PostProcess post_process(Lowering& lowering, int index, const LayerTarget& target,
                         const Cube& output);
/// What is on the fly behind it as SDP's table.
void add_table(Lowering& lowering, int index, const Requantisation& made, PostProcess& post);
/// Tells of ties, on top of what the operator is off by without them.
void add_ties(Lowering& lowering, macrame::compiler::Exactness ties);
/// What add_conv() is given.
struct WeightedConv {
    ConvLayer layer;
    Cube whole;
    std::vector<std::int8_t> weights;
    std::vector<int> after;
    std::uint64_t macs = 0;
};
/// With its requantisation, in two halves and their sum where that is more exact and wanted.
std::vector<int> add_requantised_conv(Lowering& lowering, int index, WeightedConv conv,
                                      const LayerTarget& target, const Cube& output);
std::vector<int> add_halves(Lowering& lowering, int index, const WeightedConv& conv,
                            const Halves& halves, const Cube& output);
/// Weights of more than 8 bits are sums of several `terms`, for which the input is there as
/// often, whole atoms behind each other. One: as it is.
Cube add_repeated(Lowering& lowering, int index, const Cube& in, int terms,
                  std::vector<int>& writers);
/// Channels of another cube, by a convolution.
struct Selection {
    std::vector<int> channels;  ///< of the cube for each of the output; -1: `filler`
    int filler = 0;
    int y = 0, x = 0, stride_h = 1, stride_w = 1;
};
std::vector<int> add_selection(Lowering& lowering, int index, const Cube& whole,
                               const Selection& selection, const Cube& to,
                               const std::vector<int>& after);
std::vector<int> add_vector_selection(Lowering& lowering, int index, const Cube& whole,
                                      const Selection& selection, const Cube& to,
                                      const std::vector<int>& after);
void add_slice(Lowering& lowering, int index, std::size_t output, const std::array<int, 3>& begin,
               std::array<int, 3> stride);
std::vector<int> add_atoms(Lowering& lowering, const Cube& cube, const Shape& shape,
                           const Cube& row, bool to_cube, const std::vector<int>& after);
/// How phases - lines and columns with the same remainder of a factor - come about and
/// together.
enum class PhaseMethod {
    scattered,   ///< each on its own, SDP puts its pixels between those of the others
    contracted,  ///< each on its own, RUBIK brings all together
    at_once,     ///< a convolution with the kernels of all phases, RUBIK brings them together
};
/// Tries the methods: the most exact of them, then the fastest.
void choose_method(Lowering& lowering, const std::vector<PhaseMethod>& methods,
                   const std::function<void(PhaseMethod)>& lower);
/// Output of a size that RUBIK writes, perhaps with more around it: lines and columns of `all`
/// from there on.
void add_contracted(Lowering& lowering, int index, const Cube& all, int y, int x, int height,
                    int width);
void add_bilinear(Lowering& lowering, int index, bool half_pixel, int up_h, int up_w);
/// Sums over windows of a cube, without padding and with equal weights: convolutions of blocks
/// of channels.
std::vector<int> add_average(Lowering& lowering, int index, const Cube& in, const Cube& out,
                             const graph::Window& window, const ChannelTarget& channel,
                             LayerTarget target);
/// The same over all of a cube, in one layer; no layer if memory or configuration do not allow
/// it.
std::vector<int> add_global_average(Lowering& lowering, int index, const Cube& in, const Cube& out,
                                    const graph::Window& window, const ChannelTarget& channel,
                                    LayerTarget target);
/// Averages that count only what lies inside: a region of the output for each divisor.
void add_averages(Lowering& lowering, int index, const graph::Window& window);
void add_sum_of_channels(Lowering& lowering, int index, const graph::Window& window,
                         const ChannelTarget& channel, LayerTarget target);
/// Largest of each window, in as many passes as PDP needs.
void add_maximum(Lowering& lowering, int index, const graph::Window& window);
/// A function of one tensor: SDP's BS and BN, SDP's table or CDP's.
void lower_tables(Lowering& lowering, int index, std::size_t operand);
std::vector<int> add_tables(Lowering& lowering, int index, const std::vector<Table>& tables,
                            const Location& in, const Cube& out);
/// `zero`: that of the input. `rescaled`: all that the functions are, if it is that.
std::vector<int> add_tables(Lowering& lowering, int index, const std::vector<Table>& tables,
                            int zero, const std::optional<LayerTarget>& rescaled,
                            const Location& in, const Cube& out);
/// The real values of one tensor in the integers of another.
Table rescaled(Lowering& lowering, graph::TensorId from, graph::TensorId to);
std::vector<int> add_rescaled(Lowering& lowering, int index, graph::TensorId from,
                              graph::TensorId to, const Location& in, const Cube& out);
/// Of one channel or of each: rounded lines, as all of them are that have a constant operand.
std::vector<int> add_lines(Lowering& lowering, const Requantisation& made, const Location& in,
                           const Cube& out);
/// For a binary operator with a constant per channel, at most off by one.
std::optional<Requantisation> constant_lines(Lowering& lowering, int index, std::size_t operand,
                                             const std::vector<Table>& tables);
/// What a binary operator does with a constant per channel, or PReLU below its zero point.
LineTarget line_target(Lowering& lowering, int index, std::size_t operand,
                       std::vector<Table> tables);
/// PReLU in two layers: what it makes of what lies below its zero point, then the rest. Without
/// a value: it is not exact that way, either.
std::optional<std::vector<int>> add_two_lines(Lowering& lowering, int index,
                                              const std::vector<Table>& tables, const Location& in,
                                              const Cube& out);
/// An operand of an element-wise operator: of the size of its output, or one pixel for all.
struct BinaryOperand {
    Cube cube;
    std::vector<int> writers;
    bool whole = true;
};
BinaryOperand side(Lowering& lowering, int index, graph::TensorId id, const Shape& out);
/// Repeats its line or its pixels to the size of the output.
void spread(Lowering& lowering, int index, BinaryOperand& side, const Shape& out);
/// Stage operands in memory that are such a side.
Operands operands(const BinaryOperand& side, bool alu);
// To `out`, without the activation; they return their layers.
std::vector<int> add_binary(Lowering& lowering, int index, graph::Arithmetic function,
                            const BinaryOperand& a, const BinaryOperand& b, const Cube& out);
/// The same; no layers if that is not exact.
std::vector<int> add_exact_binary(Lowering& lowering, int index, graph::Arithmetic function,
                                  const BinaryOperand& a, const BinaryOperand& b, const Cube& out);
AddTarget add_target(Lowering& lowering, int index, bool a_whole, bool b_whole);
std::vector<int> add_sum(Lowering& lowering, int index, const BinaryOperand& a,
                         const BinaryOperand& b, const Cube& out);
std::vector<int> add_sum(Lowering& lowering, const BinaryOperand& a, const BinaryOperand& b,
                         const AddMapping& mapping, const Cube& out);
/// Parts of the results, and their sum: `offsets` with each part but the first.
std::vector<int> add_in_parts(
    Lowering& lowering, int index, const Cube& out, const std::vector<int>& offsets,
    const std::function<std::vector<int>(std::size_t part, const Cube& cube)>& add);
std::vector<int> add_choice(Lowering& lowering, int index, BinaryOperand a, BinaryOperand b,
                            const Cube& out);
std::vector<int> add_product(Lowering& lowering, int index, const BinaryOperand& a,
                             const BinaryOperand& b, const Cube& out);
std::vector<int> add_product(Lowering& lowering, const BinaryOperand& main,
                             const BinaryOperand& other, const MultiplyMapping& mapping,
                             const Cube& out);
/// What is above the zero point of the output, what is below, and their sum.
std::vector<int> add_product_of_signs(Lowering& lowering, int index, const BinaryOperand& main,
                                      const BinaryOperand& other, const ProductParts& parts,
                                      int zero, const Cube& out);
/// In parts with either sign, where BS cannot subtract the zero point of the second one.
std::vector<int> add_parted_product(Lowering& lowering, int index, const BinaryOperand& main,
                                    const BinaryOperand& other, MultiplyTarget target,
                                    const std::vector<std::int8_t>& pairs, const Cube& out);
/// Does a transpose swap height and width, and nothing else?
bool swaps_lines(const Lowering& lowering, int index);
/// Heads as lines of a view of a cube with tokens as its only line.
Cube heads_of(const Lowering& lowering, const Cube& tokens, int heads);
/// Lines of a pixel each that only products of matrices read: their units know no strides of a
/// single pixel, so the atoms of one lie one behind the other.
bool lies_as_pixels(const Lowering& lowering, graph::TensorId id);
/// Gives a cube the strides of that.
void put_pixels_together(const Lowering& lowering, Cube& cube);
/// Is a reshape the first half of such a view? It has no place then, and transposes are behind it.
bool splits_heads(const Lowering& lowering, int index);
/// Is a transpose the first half of what brings heads together? The reshapes behind it do that.
bool joins_heads(const Lowering& lowering, int index);
/// The other half of that, a reshape.
void lower_joined_heads(Lowering& lowering, int transpose, int index);
/// The input with the padding of a layer around it.
Location with_border(Lowering& lowering, int index, const Location& in, const ConvLayer& conv);

/// Sums whose average lies in the middle of two integers: there a reference that adds real values
/// in float32 may round to either side.
macrame::compiler::Exactness ties_of(int index, const ChannelTarget& channel);

/// Weights of a convolution that are all the same where input and output channel belong together:
/// [kernel][row][column][channel] with zeros elsewhere.
std::vector<std::int8_t> diagonal(int channels, int positions);

}  // namespace macrame::dla::compiler
