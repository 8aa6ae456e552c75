#include "cacc.hpp"

namespace macrame::dla::model {

namespace r = dla_regs::cacc;

int CaccUnit::truncate() const {
    return static_cast<int>(regs.get<r::D_CLIP_CFG>().CLIP_TRUNCATE());
}

void CaccUnit::finish(std::uint64_t saturated) {
    regs.set_counter(r::D_OUT_SATURATION::kOffset,
                     static_cast<std::uint32_t>(std::min<std::uint64_t>(saturated, 0xFFFFFFFFu)));
    done(kCaccBit);
}

}  // namespace macrame::dla::model
