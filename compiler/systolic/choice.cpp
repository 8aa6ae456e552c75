#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "compiler/parallel.hpp"
#include "compiler/systolic/conv.hpp"
#include "compiler/systolic/cost/estimate.hpp"

namespace macrame::systolic::compiler {

Choice best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal) {
    constexpr std::size_t kTried = 16;
    ConvLayer shape = layer;
    shape.weights = nullptr;
    struct Tried {
        std::int64_t value = 0;
        std::size_t instructions = 0;
    };
    std::vector<Tiling> all = tilings(architecture, layer, goal, kTried);
    std::vector<Tried> tried(all.size());
    const auto measure = [&](std::size_t i) {
        Stream stream(architecture);
        Constants constants(0);
        write_conv(stream, constants, shape, all[i]);
        tried[i].value = goal == Goal::cycles ? estimate(architecture, stream.program()).cycles
                                              : moved_bytes(architecture, stream.program());
        tried[i].instructions = stream.program().size();
    };
    macrame::compiler::for_each_item(all.size(), 1, measure, 1);
    const auto best =
        std::min_element(tried.begin(), tried.end(),
                         [](const Tried& a, const Tried& b) { return a.value < b.value; });
    if (best == tried.end()) return {};
    return {std::move(all[static_cast<std::size_t>(best - tried.begin())]), best->instructions};
}

std::int64_t moved_bytes(const Architecture& architecture,
                         const std::vector<Instruction>& program) {
    std::int64_t sum = 0;
    for (const Instruction& i : program) {
        if (is_nop(i) || (i.module != Module::load && i.module != Module::store)) continue;
        const Place place = *place_of(architecture, i.transfer.sram_address);
        sum += i.transfer.x_size * i.transfer.y_size * i.transfer.z_size *
               transfer_bytes(architecture, place.buffer, i.transfer.bitwidth != 0);
    }
    return sum;
}

}  // namespace macrame::systolic::compiler
