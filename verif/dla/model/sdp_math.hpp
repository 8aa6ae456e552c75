#pragma once
/// What the stages of the SDP model share.

#include <cstdint>

#include "arithmetic.hpp"

namespace macrame::dla::model {

/// Operands of one element for one stage.
struct SdpOperand {
    std::int16_t alu = 0;
    std::int16_t mul = 0;
};

/// ALU operation of a stage; for X1 and X2 code 3 acts as kSum.
enum SdpAlgo { kMax = 0, kMin = 1, kSum = 2 };

}  // namespace macrame::dla::model
