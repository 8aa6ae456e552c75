#include "compiler/systolic/weights.hpp"

#include <algorithm>
#include <cstddef>

#include "compiler/graph/at.hpp"

namespace macrame::systolic::compiler {

using graph::Tensor;
using graph::TensorId;

std::shared_ptr<const std::vector<int>> whole_weights(const graph::Graph& graph, TensorId id) {
    const Tensor& weights = graph.tensor(id);
    auto out = std::make_shared<std::vector<int>>(integers(graph, id));
    const std::vector<std::int32_t>& zeros = weights.quantisation.zero_point;
    const std::size_t each = out->size() / at(weights.shape[0]);
    for (std::size_t i = 0; i < out->size() && !zeros.empty(); ++i)
        (*out)[i] -= zeros[zeros.size() == 1 ? 0 : i / each];
    return out;
}

int terms_of(const std::vector<int>& weights) {
    int terms = 1;
    for (const int weight : weights)
        terms = std::max(terms, weight > 0 ? ceil_div(weight, 127) : ceil_div(-weight, 128));
    return terms;
}

/// Term `term` of such a sum: as much as int8 has of what those before left.
static int term_of(int weight, int term) {
    for (; term > 0; --term)
        weight -= std::clamp(weight, -128, 127);
    return std::clamp(weight, -128, 127);
}

Value repeat_input(ConvLayer& layer, Value in, int filters, int terms) {
    if (terms == 1) return in;
    TensorLayout& s = in.surface;
    const int channels = s.channels, block = s.block, first = s.first % block;
    const int planes = ceil_div(first + channels, block);
    // Groups of whole planes, whose weights alone are loaded.
    const int own = channels / layer.groups;
    const bool aligned = first == 0 && channels % block == 0 && block % own == 0;
    layer.groups = aligned && filters % planes == 0 ? planes : 1;
    layer.weights = [whole = layer.weights, channels, block, first, terms](int m, int r, int y,
                                                                           int c) {
        const Reading reading = reading_of(c, block, terms, first);
        if (reading.channel < 0 || reading.channel >= channels) return 0;
        return term_of(whole(m, r, y, reading.channel), reading.term);
    };
    s.base += s.first / block * s.plane;
    s.first = 0;
    s.channels = planes * block * terms;
    s.repeats = terms;
    return in;
}

}  // namespace macrame::systolic::compiler
