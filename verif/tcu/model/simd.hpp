#pragma once
/// The SIMD unit of the golden model: operations on vectors of lanes.

#include <cassert>
#include <cstdint>

#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/model/arithmetic.hpp"

namespace macrame::tcu::model {

/// out[i] = with(i) for all lanes, clamped; `saturations` counts what was.
template <class F, class Do>
void saturated(int lanes, typename F::Code* out, std::uint64_t& saturations, Do&& with) {
    std::uint32_t clamped = 0;
    for (int i = 0; i < lanes; ++i) {
        const typename F::Wide exact = with(i);
        out[i] = F::clamp(exact);
        clamped += out[i] != exact ? 1u : 0u;
    }
    saturations += clamped;
}

/// One of the operations 1..15 on all lanes. `out` may be a source.
template <class F>
void simd(int op, int lanes, const typename F::Code* left, const typename F::Code* right,
          typename F::Code* out, std::uint64_t& saturations) {
    using Code = typename F::Code;
    using Wide = typename F::Wide;
    const auto each = [&](auto&& with) {
        for (int i = 0; i < lanes; ++i)
            out[i] = with(left[i], right[i]);
    };
    const auto logic = [&](auto&& with) {
        each([&](Code l, Code r) { return with(l, r) ? F::kOne : Code{}; });
    };
    const auto number = [&](auto&& with) {
        saturated<F>(lanes, out, saturations,
                     [&](int i) { return with(Wide{left[i]}, Wide{right[i]}); });
    };
    switch (op) {
        case kSimdZero:
            return each([](Code, Code) { return Code{}; });
        case kSimdMove:
            return each([](Code l, Code) { return l; });
        case kSimdNot:
            return logic([](Code l, Code) { return l == 0; });
        case kSimdAnd:
            return logic([](Code l, Code r) { return l != 0 && r != 0; });
        case kSimdOr:
            return logic([](Code l, Code r) { return l != 0 || r != 0; });
        case kSimdIncrement:
            return number([](Wide l, Wide) { return l + F::kOne; });
        case kSimdDecrement:
            return number([](Wide l, Wide) { return l - F::kOne; });
        case kSimdAdd:
            return number([](Wide l, Wide r) { return l + r; });
        case kSimdSubtract:
            return number([](Wide l, Wide r) { return l - r; });
        case kSimdMultiply:
            return saturated<F>(lanes, out, saturations,
                                [&](int i) { return F::exact_mac(left[i], right[i], Code{}); });
        // The absolute value of the least number wraps: it is that number.
        case kSimdAbs:
            return each(
                [](Code l, Code) { return l >= 0 || l == F::kMin ? l : static_cast<Code>(-l); });
        case kSimdGreaterThan:
            return logic([](Code l, Code r) { return l > r; });
        case kSimdGreaterThanEqual:
            return logic([](Code l, Code r) { return l >= r; });
        case kSimdMin:
            return each([](Code l, Code r) { return l < r ? l : r; });
        case kSimdMax:
            return each([](Code l, Code r) { return l > r ? l : r; });
        default:
            assert(false);
    }
}

}  // namespace macrame::tcu::model
