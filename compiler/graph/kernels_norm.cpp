/// Layer normalisation.
#include <cmath>

#include "compiler/graph/kernels.hpp"

namespace macrame::graph {

Bytes execute(const Call& call, const Norm& op) {
    const std::vector<int>& shape = call.in().shape;
    std::size_t size = 1;
    for (std::size_t i = static_cast<std::size_t>(op.axis); i < shape.size(); ++i)
        size *= static_cast<std::size_t>(shape[i]);
    std::vector<float> values = call.reals();
    const std::vector<float> gain = call.has(1) ? call.reals(1) : std::vector<float>(size, 1);
    const std::vector<float> offset = call.has(2) ? call.reals(2) : std::vector<float>(size, 0);
    for (std::size_t start = 0; start < values.size(); start += size) {
        float* const row = &values[start];
        double mean = 0, squares = 0;
        for (std::size_t i = 0; op.centred && i < size; ++i)
            mean += static_cast<double>(row[i]) / static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i) {
            const double distance = static_cast<double>(row[i]) - mean;
            squares += distance * distance;
        }
        const double variance = squares / static_cast<double>(size);
        const double scale = 1 / std::sqrt(variance + static_cast<double>(op.epsilon));
        for (std::size_t i = 0; i < size; ++i) {
            const double value = (static_cast<double>(row[i]) - mean) * scale;
            row[i] = static_cast<float>(value) * gain[i] + offset[i];
        }
    }
    return pack(call, values);
}

}  // namespace macrame::graph
