/// Networks whose tensors have no room together: known before their layers are made.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/tcu/lower.hpp"
#include "compiler/tcu/memory.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

namespace {

bool adds(const graph::Operator& op) {
    const auto* binary = std::get_if<graph::Binary>(&op);
    return binary != nullptr && (binary->function == graph::Arithmetic::add ||
                                 binary->function == graph::Arithmetic::sub);
}

/// A tensor, and from which node to which it needs its place.
struct Stay {
    Shape shape;
    int first, last;
};

/// "3 of 540x960x64, 1 of 540x960x3": those that have a place at a node.
std::string sizes_text(const std::vector<Stay>& stays, int index) {
    std::map<std::string, int> counts;
    for (const Stay& one : stays)
        if (one.first <= index && index <= one.last)
            ++counts[fmt::format("{}x{}x{}", one.shape.height, one.shape.width,
                                 one.shape.channels)];
    std::string out;
    for (const auto& [shape, count] : counts)
        out += fmt::format("{}{} of {}", out.empty() ? "" : ", ", count, shape);
    return out;
}

}  // namespace

bool Lowering::is_whole_sum(int index) const {
    return !host_[at(index)] && adds(node(index).op) && !is_affine(node(index));
}

std::int64_t Lowering::own_vectors(TensorId id) const {
    const std::optional<Shape> shape = shape_of(tensor(id));
    if (!shape || constant(id) || lost_.count(id) != 0) return 0;
    if (fused_.count(id) != 0 || chained_.count(id) != 0) return 0;
    const int maker = graph::maker(graph_, id);
    if (maker < 0) {
        if (std::count(inputs.begin(), inputs.end(), id) == 0) return 0;
    } else if (host_[at(maker)] || !(graph::has_products(node(maker).op) || is_whole_sum(maker))) {
        return 0;  // perhaps it lies where another does
    }
    const int pack = packs_[at(id)];
    const int columns = (shape->width + pack - 1) / pack;
    return std::int64_t{blocks(shape->channels * pack)} * shape->height * columns;
}

std::optional<macrame::compiler::Refusal> Lowering::crowded() const {
    // A sum reads all of a tensor of its shape: until then that stays, whoever reads it before.
    std::vector<Stay> stays;
    std::vector<std::int64_t> change(graph_.nodes.size() + 1);
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const auto id = static_cast<TensorId>(i);
        const std::int64_t vectors = own_vectors(id);
        if (vectors == 0) continue;
        const int first = std::max(0, graph::maker(graph_, id));
        int last = first;
        for (const int reader : readers(id))
            if (is_whole_sum(reader) && tensor(node(reader).outputs[0]).shape == tensor(id).shape)
                last = std::max(last, reader);
        change[at(first)] += vectors;
        change[at(last) + 1] -= vectors;
        stays.push_back({shape_without_batch(tensor(id)), first, last});
    }
    // Where they take most.
    std::int64_t taken = 0, most = 0;
    int where = 0;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        taken += change[i];
        if (taken <= most) continue;
        most = taken;
        where = static_cast<int>(i);
    }
    const std::int64_t room = most_variables(architecture_, shared_);
    if (most <= room) return std::nullopt;
    return macrame::compiler::Refusal{
        where, fmt::format("its result and the tensors that later sums read ({}) take {} vectors "
                           "of {} elements at once: want at most {} ({}); dram0-depth {} or more, "
                           "a larger array-size, or a network for smaller inputs would do",
                           sizes_text(stays, where), most, lanes(), room,
                           shared_ ? "dram0_depth; DRAM1 has the constants of several networks"
                                   : "dram0_depth and dram1_depth",
                           most + kDram0OfDriver)};
}

}  // namespace macrame::tcu::compiler
