#include <utility>

#include "compiler/systolic/conv.hpp"
#include "compiler/systolic/cost/estimate.hpp"

namespace macrame::systolic::compiler {

Choice best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal) {
    constexpr std::size_t kTried = 16;
    ConvLayer shape = layer;
    shape.weights = nullptr;
    Choice best;
    std::int64_t least = 0;
    for (Tiling& tiling : tilings(architecture, layer, goal, kTried)) {
        Stream stream(architecture);
        Constants constants(0);
        write_conv(stream, constants, shape, tiling);
        const std::int64_t value = goal == Goal::cycles
                                       ? estimate(architecture, stream.program()).cycles
                                       : moved_bytes(architecture, stream.program());
        if (best.instructions > 0 && value >= least) continue;
        least = value;
        best = {std::move(tiling), stream.program().size()};
    }
    return best;
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
