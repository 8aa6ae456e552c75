/// Lists of tensors in ONNX files, as far as they are known when the file is read.
#include <fmt/format.h>

#include "compiler/front/onnx_steps.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {

/// Of SequenceEmpty, SequenceConstruct, SequenceInsert, SequenceErase, SequenceAt, SequenceLength,
/// SplitToSequence, ConcatFromSequence.
void OnnxImporters::sequence(OnnxReader& r, const OnnxOperator& op) {
    const Steps steps(r, op);
    const std::string &type = op.type(), &name = op.node->output(0);
    using Values = std::vector<OnnxValue>;
    const auto list = [&]() -> Values {
        if (op.inputs() == 0) throw Refusal{"no inputs: want a list of tensors"};
        const auto found = r.sequences_.find(op.node->input(0));
        if (found == r.sequences_.end())
            throw Refusal{
                fmt::format("{} is no list of tensors that is known: want one that "
                            "operators in front make",
                            readable(op.node->input(0)))};
        return found->second;
    };
    const auto place = [&](std::size_t i, std::size_t size) {
        const std::vector<std::int64_t> given = r.constants(op, i);
        if (given.size() != 1) throw Refusal{fmt::format("{} places: want one", given.size())};
        return axis_of(given[0], size);
    };
    if (type == "SequenceEmpty") {
        r.sequences_[name] = {};  // of whatever type
    } else if (type == "SequenceConstruct") {
        Values& made = r.sequences_[name];
        for (std::size_t i = 0; i < op.inputs(); ++i)
            made.push_back(r.value(op, i));
    } else if (type == "SequenceInsert") {
        Values made = list();
        const int at_place =
            r.has(op, 2) ? place(2, made.size() + 1) : static_cast<int>(made.size());
        made.insert(made.begin() + at_place, r.value(op, 1));
        r.sequences_[name] = made;
    } else if (type == "SequenceErase") {
        Values made = list();
        if (made.empty()) throw Refusal{"an empty list: want an element"};
        made.erase(made.begin() +
                   (r.has(op, 1) ? place(1, made.size()) : static_cast<int>(made.size()) - 1));
        r.sequences_[name] = made;
    } else if (type == "SequenceAt") {
        r.give(op, 0, list()[at(place(1, list().size()))]);
    } else if (type == "SequenceLength") {
        r.give(op, 0, r.integers_value(name, {static_cast<std::int64_t>(list().size())}, {}));
    } else if (type == "SplitToSequence") {
        const OnnxValue x = as_it_is(r, op, 0);
        const int axis = axis_of(op.integer("axis", 0), x.shape.size());
        const int size = x.shape[at(axis)];
        std::vector<int> parts;
        const bool keeps = r.has(op, 1) || op.integer("keepdims", 1) != 0;
        if (r.has(op, 1) && !r.value(op, 1).shape.empty()) {
            for (const std::int64_t part : r.constants(op, 1))
                parts.push_back(size_of(part, "a part"));
        } else {
            const int each = r.has(op, 1) ? size_of(r.constants(op, 1).at(0), "a part") : 1;
            for (int begin = 0; begin < size; begin += each)
                parts.push_back(std::min(each, size - begin));
        }
        Values made;
        int begin = 0;
        for (const int part : parts) {
            if (part > size - begin)
                throw Refusal{fmt::format("parts of more than {} elements: want them all", size)};
            OnnxValue y = steps.sliced(x, axis, begin, part);
            std::vector<int> shape = y.shape;
            if (!keeps) shape.erase(shape.begin() + axis);
            made.push_back(in_shape(r, op, y, shape));
            begin += part;
        }
        r.sequences_[name] = made;
    } else {  // ConcatFromSequence
        Values from = list();
        if (from.empty()) throw Refusal{"an empty list: want an element"};
        const bool adds = op.integer("new_axis", 0) != 0;
        const int axis = axis_of(op.integer("axis", 0), from[0].shape.size() + (adds ? 1 : 0));
        for (std::size_t i = 0; adds && i < from.size(); ++i) {
            std::vector<int> shape = from[i].shape;
            shape.insert(shape.begin() + axis, 1);
            from[i] = in_shape(r, op, from[i], shape);
        }
        r.give(op, 0, join(r, op, from, axis, nullptr));
    }
}

}  // namespace macrame::front
