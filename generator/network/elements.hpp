#pragma once
/// Elements of tensors and the real values that they stand for.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::network {

/// Whether Network::real_inputs or real_outputs hold this one.
inline bool is_real(const std::vector<std::size_t>& numbers, std::size_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

/// Elements of a tensor from real values and from pixels.
class Elements {
public:
    /// `range`: real values of pixels 0 and 255, if pixels are not the elements themselves. The
    /// arguments have to stay.
    Elements(const graph::Tensor& tensor, graph::Rounding rounding,
             const std::optional<std::pair<double, double>>& range)
        : tensor_(tensor), rounding_(rounding), range_(range) {}

    void add_real(double value);
    void add_pixel(int pixel);
    graph::Bytes take() { return std::move(bytes_); }

private:
    const graph::Tensor& tensor_;
    const graph::Rounding rounding_;
    const std::optional<std::pair<double, double>>& range_;
    graph::Bytes bytes_;
};

}  // namespace macrame::network
