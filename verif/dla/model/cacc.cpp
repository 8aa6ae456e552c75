#include "cacc.hpp"

namespace macrame::dla::model {

namespace cacc = dla_regs::cacc;

int CaccUnit::truncate() const {
    return static_cast<int>(regs.get<cacc::D_CLIP_CFG>().CLIP_TRUNCATE());
}

void CaccUnit::finish(std::uint64_t saturated) {
    regs.set_counter(cacc::D_OUT_SATURATION::kOffset,
                     static_cast<std::uint32_t>(std::min<std::uint64_t>(saturated, 0xFFFFFFFFu)));
    done(kCaccBit);
}

}  // namespace macrame::dla::model
