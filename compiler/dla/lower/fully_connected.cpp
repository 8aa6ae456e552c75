/// Fully connected layers: convolutions with a kernel as large as what was flattened.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Weights of a vector for the row of pixels that it is read as; what lies behind it has zeros.
std::vector<std::int8_t> row_weights(const std::vector<std::int8_t>& weights, int kernels,
                                     const Cube& row, int atom) {
    const std::size_t inputs = weights.size() / at(kernels);
    const std::size_t all = at(row.width) * at(row.channels);
    std::vector<std::int8_t> out(at(kernels) * all, 0);
    for (std::size_t k = 0; k < at(kernels); ++k) {
        for (std::size_t i = 0; i < inputs; ++i) {
            const std::size_t number = i / at(atom), lane = i % at(atom);
            const std::size_t pixel = number % at(row.width), surface = number / at(row.width);
            out[k * all + pixel * at(row.channels) + surface * at(atom) + lane] =
                weights[k * inputs + i];
        }
    }
    return out;
}

}  // namespace

void lower_fully_connected(Lowering& lowering, int index) {
    const graph::Node& n = lowering.node(index);
    Location in = lowering.location_of(n.inputs[0]);
    check_fully_connected(lowering.context, index, in.cube);
    const graph::Tensor& weights = lowering.tensor(n.inputs[1]);
    const int kernels = weights.shape[0], inputs = weights.shape[1];
    const int terms = lowering.context.searches.weights(weights).terms;
    std::vector<std::int8_t> w =
        split(lowering.context.sizes, distances(weights), in.cube.channels, terms);
    in.cube = add_repeated(lowering, index, in.cube, terms, in.writers);
    FullyConnectedConv made = fully_connected(lowering.context, index, in.cube, terms);
    if (made.row) {
        if (!is_legal(lowering.context.sizes, in.cube))
            throw Unsupported{"vector: want its atoms side by side"};
        w = row_weights(w, kernels, made.input, lowering.context.sizes.atom_bytes);
    }
    const Shape shape = shape_of(lowering.tensor(n.outputs[0]));
    if (shape.channels != kernels)
        throw Unsupported{"rows: want axes of height, width and channels alone"};
    Location& location = lowering.add_output(index, shape.width, shape.height, kernels);
    // Lines of another length, one behind the other.
    Cube output = location.cube;
    if (output.height != made.height) {
        output.height = made.height;
        output.width = made.width;
        output.line_stride = static_cast<unsigned>(made.width * lowering.context.sizes.atom_bytes);
        if (lowering.plan.placements.count(n.outputs[0]) != 0)
            throw Unsupported{"rows in front of a concat: want as many lines as in front"};
    }
    const std::uint64_t macs = static_cast<std::uint64_t>(made.height * made.width) *
                               static_cast<unsigned>(kernels) * static_cast<unsigned>(inputs);
    location.writers = add_requantised_conv(
        lowering, index, {std::move(made.layer), made.input, std::move(w), in.writers, macs},
        made.target, output);
}

}  // namespace macrame::dla::compiler
