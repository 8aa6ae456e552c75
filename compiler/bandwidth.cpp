#include "compiler/bandwidth.hpp"

#include <algorithm>
#include <cmath>

namespace macrame::compiler {

void limit_bandwidth(std::vector<LayerReport>& layers, double bytes_per_cycle) {
    if (bytes_per_cycle <= 0) return;
    for (LayerReport& layer : layers) {
        const auto bytes = static_cast<double>(layer.read_bytes + layer.write_bytes);
        const auto least = static_cast<std::uint64_t>(std::ceil(bytes / bytes_per_cycle));
        layer.memory_cycles = std::max(layer.memory_cycles, least);
        if (least <= layer.cycles) continue;
        layer.cycles = least;
        layer.limiter = "memory";
    }
}

}  // namespace macrame::compiler
