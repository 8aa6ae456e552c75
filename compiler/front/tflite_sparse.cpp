/// Constants of TFLite files whose zeros are left out.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/front/tflite_importers.hpp"

namespace macrame::front {
namespace {

using graph::TensorId;

std::vector<std::int64_t> list_of(schema::IndexList type, const void* table) {
    const auto copied = [](const auto* values) {
        return values == nullptr ? std::vector<std::int64_t>{}
                                 : std::vector<std::int64_t>(values->begin(), values->end());
    };
    if (table == nullptr) return {};
    switch (type) {
        case schema::IndexList::Indices:
            return copied(static_cast<const schema::Indices*>(table)->values());
        case schema::IndexList::ShortIndices:
            return copied(static_cast<const schema::ShortIndices*>(table)->values());
        case schema::IndexList::ByteIndices:
            return copied(static_cast<const schema::ByteIndices*>(table)->values());
        default:
            throw Refusal{"sparse, with indices of an unknown type: want 8, 16 or 32 bits"};
    }
}

/// An axis of the tensor, or of its blocks, as the values follow each other.
struct Level {
    int size = 1;             ///< of its axis, in blocks where there are some
    std::int64_t stride = 1;  ///< elements of the tensor from one position to the next
    bool all = true;          ///< positions; else those that are listed
    std::vector<std::int64_t> segments, indices;
};

Level level_of(const schema::Dimension& from, int size, std::int64_t stride) {
    Level level;
    level.size = size;
    level.stride = stride;
    level.all = from.format() == schema::DimensionType::DENSE;
    if (level.all) {
        if (from.dense_size() != size)
            throw Refusal{fmt::format("sparse, with {} positions along an axis of {}: want as many",
                                      from.dense_size(), size)};
        return level;
    }
    level.segments = list_of(from.segments_type(), from.segments());
    level.indices = list_of(from.indices_type(), from.indices());
    std::int64_t last = 0;
    for (const std::int64_t begin : level.segments) {
        if (begin < last || begin > static_cast<std::int64_t>(level.indices.size()))
            throw Refusal{fmt::format("sparse, with a segment at {}: want rising ones up to {}",
                                      begin, level.indices.size())};
        last = begin;
    }
    for (const std::int64_t index : level.indices)
        if (index < 0 || index >= size)
            throw Refusal{fmt::format("sparse, with index {}: want 0 to {}", index, size - 1)};
    return level;
}

/// Goes through the values in their order and tells the element that each one is.
class SparsePlaces {
public:
    SparsePlaces(const std::vector<Level>& levels, std::size_t values)
        : levels_(levels), values_(static_cast<std::int64_t>(values)) {
        visit(0, 0, 0);
    }
    std::vector<std::int64_t> elements;

private:
    void visit(std::size_t depth, std::int64_t number, std::int64_t element) {
        if (depth == levels_.size()) {
            if (number >= values_)
                throw Refusal{
                    fmt::format("sparse, with {} values: want one for each index", values_)};
            elements.push_back(element);
            return;
        }
        const Level& level = levels_[depth];
        if (level.all) {
            for (int i = 0; i < level.size; ++i)
                visit(depth + 1, number * level.size + i, element + i * level.stride);
            return;
        }
        const auto place = static_cast<std::size_t>(number);
        if (place + 1 >= level.segments.size())
            throw Refusal{fmt::format("sparse, with {} segments: want one more than {}",
                                      level.segments.size(), place + 1)};
        for (std::int64_t i = level.segments[place]; i < level.segments[place + 1]; ++i)
            visit(depth + 1, i,
                  element + level.indices[static_cast<std::size_t>(i)] * level.stride);
    }

    const std::vector<Level>& levels_;
    std::int64_t values_;
};

/// Axes of the tensor, then those of blocks, in the order in which the values follow each other.
std::vector<Level> levels_of(const schema::Sparsity& sparsity, const std::vector<int>& shape) {
    const std::size_t rank = shape.size();
    const auto* order = sparsity.traversal_order();
    const auto* blocks = sparsity.block_map();
    const auto* dimensions = sparsity.dimensions();
    const std::size_t count = rank + (blocks == nullptr ? 0 : blocks->size());
    if (order == nullptr || dimensions == nullptr || order->size() != count ||
        dimensions->size() != count || count > 2 * graph::kMaxRank)
        throw Refusal{
            fmt::format("sparse, with other than {} axes: want those of the tensor and "
                        "of its blocks",
                        count)};
    const auto at = [&](std::size_t i) -> const schema::Dimension& {
        return *dimensions->Get(static_cast<flatbuffers::uoffset_t>(i));
    };
    std::vector<std::size_t> places(count, count);  // of each axis in the order
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t axis = order->Get(static_cast<flatbuffers::uoffset_t>(i));
        if (axis < 0 || static_cast<std::size_t>(axis) >= count ||
            places[static_cast<std::size_t>(axis)] != count)
            throw Refusal{fmt::format("sparse, with axis {} in its order: want each of {} once",
                                      axis, count)};
        places[static_cast<std::size_t>(axis)] = i;
    }
    std::vector<int> sizes(shape.begin(), shape.end());
    std::vector<std::int64_t> strides(count, 1);
    for (std::size_t i = rank; i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    std::int32_t last = -1;
    for (std::size_t i = rank; i < count; ++i) {
        const std::int32_t axis = blocks->Get(static_cast<flatbuffers::uoffset_t>(i - rank));
        const int size = at(places[i]).dense_size();
        if (axis <= last || static_cast<std::size_t>(axis) >= rank || size < 1 ||
            sizes[static_cast<std::size_t>(axis)] % size != 0)
            throw Refusal{
                fmt::format("sparse, with blocks of {} along axis {}: want parts of it, "
                            "axes in order",
                            size, axis)};
        last = axis;
        sizes.push_back(size);
        strides[i] = strides[static_cast<std::size_t>(axis)];
        sizes[static_cast<std::size_t>(axis)] /= size;
        strides[static_cast<std::size_t>(axis)] *= size;
    }
    std::vector<Level> levels(count);
    for (std::size_t i = 0; i < count; ++i)
        levels[places[i]] = level_of(at(places[i]), sizes[i], strides[i]);
    return levels;
}

}  // namespace

void TfliteReader::fill(const schema::Sparsity& sparsity, graph::Tensor& tensor) {
    if (!tensor.constant) throw Refusal{"sparse and computed: want a constant"};
    graph::Tensor whole;
    whole.type = tensor.type;
    whole.shape = tensor.shape;
    if (const std::string problem = graph::problem_of(whole); !problem.empty())
        throw Refusal{problem};
    const std::size_t size = graph::size_of(tensor.type);
    const graph::Data values = tensor.data;
    budget_.charge(tensor.bytes());
    const SparsePlaces places(levels_of(sparsity, tensor.shape), values.size() / size);
    graph::Data::Bytes bytes(tensor.bytes());
    for (std::size_t i = 0; i < places.elements.size(); ++i)
        std::memcpy(&bytes[static_cast<std::size_t>(places.elements[i]) * size], &values[i * size],
                    size);
    tensor.data = std::move(bytes);
}

std::set<TensorId> TfliteReader::filled(const schema::Model& model,
                                        const schema::SubGraph& subgraph) const {
    std::set<TensorId> result;
    const auto* codes = model.operator_codes();
    if (codes == nullptr || subgraph.operators() == nullptr) return result;
    for (const schema::Operator* op : *subgraph.operators())
        if (op->opcode_index() < codes->size() && op->outputs() != nullptr &&
            code_of(*codes->Get(op->opcode_index())) == schema::BuiltinOperator::DENSIFY)
            result.insert(op->outputs()->begin(), op->outputs()->end());
    return result;
}

/// Constants are whole where they are read.
void TfliteImporters::densify(TfliteReader& r, const Op& op) {
    const graph::Tensor& from = r.tensor(r.input(op, 0));
    if (!from.constant) throw Refusal{fmt::format("{} is computed: want a constant", from.name)};
    graph::Tensor& to = r.graph_.tensor(r.output(op));
    to.shape = from.shape;
    to.quantisation = from.quantisation;
    r.add(op, graph::Reshape{}, {r.input(op, 0)}, {r.output(op)});
}

}  // namespace macrame::front
