#pragma once
/// Operators of ONNX as steps of others, of float32.

#include <string>
#include <utility>
#include <vector>

#include "compiler/front/onnx_importers.hpp"
#include "compiler/graph/at.hpp"

namespace macrame::front {

/// Makes nodes in the name of one operator of the file. Values have the layout of the file, but for
/// what functions of elements leave as it is.
class OnnxImporters::Steps {
public:
    Steps(OnnxReader& r, const OnnxOperator& op) : r_(r), op_(op) {
        between_.name = op.node->output(0);
    }

    OnnxValue number(float value) const { return real_value(r_, value); }
    OnnxValue of(graph::Function function, const OnnxValue& x, float alpha = 0) const {
        return apply(r_, op_, {function, alpha}, x, between_);
    }
    OnnxValue of(graph::Arithmetic function, const OnnxValue& a, const OnnxValue& b) const {
        return combine(r_, op_, function, a, b, between_);
    }
    OnnxValue times(const OnnxValue& x, float factor) const {
        return factor == 1 ? x : of(graph::Arithmetic::mul, x, number(factor));
    }
    OnnxValue plus(const OnnxValue& x, float value) const {
        return value == 0 ? x : of(graph::Arithmetic::add, x, number(value));
    }
    OnnxValue product(const OnnxValue& a, const OnnxValue& b) const {
        return multiply(r_, op_, a, b, between_);
    }
    OnnxValue shaped(const OnnxValue& x, std::vector<int> shape) const {
        return in_shape(r_, op_, plain(x), std::move(shape));
    }
    /// The same in the layout of the file.
    OnnxValue plain(OnnxValue x) const {
        x.id = r_.plain(op_, x);
        x.form = Form::plain;
        return x;
    }
    OnnxValue permuted(OnnxValue x, const std::vector<int>& order) const {
        x = plain(x);
        x.id = r_.permuted(op_, x.id, order);
        x.shape = r_.tensor(x.id).shape;
        return x;
    }
    /// Elements begin, begin + stride, ... of an axis.
    OnnxValue sliced(OnnxValue x, int axis, int begin, int count, int stride = 1) const {
        x = plain(x);
        graph::Slice slice{std::vector<int>(x.shape.size(), 0),
                           std::vector<int>(x.shape.size(), 1)};
        slice.begin[at(axis)] = begin;
        slice.stride[at(axis)] = stride;
        x.shape[at(axis)] = count;
        x.id = r_.add_move(op_, slice, x.id, x.shape);
        return x;
    }
    OnnxValue joined(std::vector<OnnxValue> parts, int axis) const {
        return join(r_, op_, std::move(parts), axis, nullptr);
    }
    /// A truth value, in the shape of the first.
    OnnxValue truth(graph::Relation relation, const OnnxValue& a, const OnnxValue& b) const {
        OnnxValue y = a;
        y.id = truth_of(r_, op_, relation, a.id, b.id);
        return y;
    }
    OnnxValue chosen(const OnnxValue& condition, const OnnxValue& a, const OnnxValue& b) const {
        OnnxValue y;
        y.real = true;
        y.shape = broadcast(condition.shape, broadcast(a.shape, b.shape));
        y.id = r_.add_tensor(op_.node->output(0), graph::Type::float32, y.shape);
        r_.add(op_, graph::Select{}, {r_.plain(op_, condition), r_.plain(op_, a), r_.plain(op_, b)},
               {y.id});
        return y;
    }

private:
    OnnxReader& r_;
    const OnnxOperator& op_;
    Ending between_;
};

}  // namespace macrame::front
