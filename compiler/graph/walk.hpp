#pragma once
/// Walks over the elements of a box, with the place of each in several tensors.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/graph/check.hpp"

namespace macrame::graph {

/// Elements from one index of an axis to the next.
using Strides = std::array<std::int64_t, kMaxRank>;

/// Of a tensor whose elements lie in order.
inline Strides strides_of(const std::vector<int>& shape) {
    Strides strides{};
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = step;
        step *= shape[i];
    }
    return strides;
}

/// Of a tensor that is broadcast to `to`: 0 along axes that it does not have.
inline Strides broadcast_strides(const std::vector<int>& shape, const std::vector<int>& to) {
    const Strides own = strides_of(shape);
    const std::size_t missing = to.size() - shape.size();
    Strides strides{};
    for (std::size_t i = 0; i < shape.size(); ++i)
        strides[i + missing] = shape[i] == 1 ? 0 : own[i];
    return strides;
}

/// Indices of a kernel that lie inside an input, when its first lies at `at`.
struct Taps {
    int first, end;
};
inline Taps taps(int at, int kernel, int dilation, int input) {
    const int first = at >= 0 ? 0 : (-at + dilation - 1) / dilation;
    const int end = at >= input ? 0 : std::min(kernel, (input - at + dilation - 1) / dilation);
    return {first, std::max(first, end)};
}

/// Order: the last axis first. N tensors, each with its strides and the place of its first element.
template <std::size_t N>
class Walk {
public:
    Walk(const std::vector<int>& shape, const std::array<Strides, N>& strides,
         const std::array<std::int64_t, N>& start = {})
        : rank_(shape.size()), strides_(strides), at_(start) {
        for (std::size_t i = 0; i < rank_; ++i)
            size_[i] = shape[i];
        for (const int size : shape)
            left_ *= size;
    }

    bool done() const { return left_ == 0; }
    std::size_t at(std::size_t tensor) const { return static_cast<std::size_t>(at_[tensor]); }

    void next() {
        --left_;
        for (std::size_t axis = rank_; axis-- > 0;) {
            for (std::size_t n = 0; n < N; ++n)
                at_[n] += strides_[n][axis];
            if (++index_[axis] < size_[axis]) return;
            for (std::size_t n = 0; n < N; ++n)
                at_[n] -= strides_[n][axis] * size_[axis];
            index_[axis] = 0;
        }
    }

private:
    std::size_t rank_;
    std::int64_t left_ = 1;
    std::array<Strides, N> strides_;
    std::array<std::int64_t, N> at_;
    std::array<std::int64_t, kMaxRank> size_{}, index_{};
};

}  // namespace macrame::graph
