/// The arithmetic of the golden model against its definition.

#include "verif/tcu/model/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/tcu/model/array.hpp"
#include "verif/tcu/model/simd.hpp"

namespace macrame::tcu::model {

namespace {

/// mac as the fact sheet writes it down: an exact sum, its half bit, what is below, the odd bit.
std::int64_t defined_mac(std::int64_t x, std::int64_t y, std::int64_t z, int width, int point) {
    const std::int64_t unit = std::int64_t{1} << point;
    const std::int64_t sum = x * y + z * unit;
    const std::int64_t floor = sum >= 0 ? sum / unit : -((-sum + unit - 1) / unit);
    const std::int64_t rest = sum - floor * unit;
    const bool half = rest >= unit / 2;
    const bool low = rest % (unit / 2) != 0;
    const bool odd = floor % 2 != 0;
    const std::int64_t rounded = floor + (half && (low || odd) ? 1 : 0);
    const std::int64_t limit = std::int64_t{1} << (width - 1);
    return std::min(limit - 1, std::max(-limit, rounded));
}

template <class F>
typename F::Code mac(std::int64_t x, std::int64_t y, std::int64_t z) {
    using Code = typename F::Code;
    return F::mac(static_cast<Code>(x), static_cast<Code>(y), static_cast<Code>(z));
}

TEST(TcuArithmetic, WorkedValues) {
    EXPECT_EQ(mac<Fp8bp4>(24, 1, 0), 2);
    EXPECT_EQ(mac<Fp8bp4>(40, 1, 0), 2);
    EXPECT_EQ(mac<Fp8bp4>(-24, 1, 0), -2);
    EXPECT_EQ(mac<Fp8bp4>(-40, 1, 0), -2);
    EXPECT_EQ(mac<Fp8bp4>(127, 127, 0), 127);
    EXPECT_EQ(mac<Fp8bp4>(-128, 127, -128), -128);
    EXPECT_EQ(mac<Fp16bp8>(384, 1, 0), 2);
    EXPECT_EQ(mac<Fp16bp8>(128, 1, 0), 0);
    EXPECT_EQ(mac<Fp16bp8>(129, 1, 0), 1);
    EXPECT_EQ(mac<Fp16bp8>(300, -7, 5), -3);
    EXPECT_EQ(mac<Fp18bp10>(1536, 1, 0), 2);
    EXPECT_EQ(mac<Fp18bp10>(131071, 1024, 1), 131071);
    EXPECT_EQ(mac<Fp32bp16>(98304, 1, 0), 2);
    EXPECT_EQ(mac<Fp32bp16>(-2147483648LL, -65536, 0), 2147483647);
}

TEST(TcuArithmetic, EveryProductOfEightBits) {
    for (int x = -128; x < 128; ++x)
        for (int y = -128; y < 128; ++y)
            for (const int z : {-128, -127, -65, -1, 0, 1, 2, 64, 126, 127})
                ASSERT_EQ(mac<Fp8bp4>(x, y, z), defined_mac(x, y, z, 8, 4))
                    << x << " " << y << " " << z;
}

template <class F>
class TcuTypes : public ::testing::Test {
public:
    using CodeType = typename F::Code;
    using Wide = typename F::Wide;
    verif::Random random{5};

    CodeType code() {
        const Wide corners[] = {F::kMin, F::kMin + 1, -1, 0, 1, F::kOne, -F::kOne, F::kMax};
        if (random.chance(30)) return static_cast<CodeType>(corners[random.in(0, 7)]);
        return static_cast<CodeType>(F::from_bits(random.word()) >> random.in(0, F::kWidth - 1));
    }
    static CodeType defined(CodeType x, CodeType y, CodeType z) {
        return static_cast<CodeType>(defined_mac(x, y, z, F::kWidth, F::kBinaryPoint));
    }
};
using Types = ::testing::Types<Fp8bp4, Fp16bp8, Fp18bp10, Fp32bp16>;
TYPED_TEST_SUITE(TcuTypes, Types);

TYPED_TEST(TcuTypes, MacIsAsDefined) {
    for (int n = 0; n < 200000; ++n) {
        const auto x = this->code(), y = this->code(), z = this->code();
        ASSERT_EQ(TypeParam::mac(x, y, z), this->defined(x, y, z)) << +x << " " << +y << " " << +z;
    }
}

TYPED_TEST(TcuTypes, CodesComeBackFromMemory) {
    for (int n = 0; n < 1000; ++n) {
        const auto code = this->code();
        const std::uint32_t bits = TypeParam::to_bits(code);
        if (TypeParam::kWidth < 32) {
            EXPECT_EQ(bits >> TypeParam::kWidth % 32, 0u);
            EXPECT_EQ(TypeParam::from_bits(bits | ~std::uint32_t{0} << TypeParam::kWidth % 32),
                      code);
        }
        EXPECT_EQ(TypeParam::from_bits(bits), code);
    }
}

/// Weights as rows 0..N, one product after the other.
TYPED_TEST(TcuTypes, ArrayRoundsAndSaturatesEveryStep) {
    using Code = typename TypeParam::Code;
    for (const int size : {2, 5, 8, 12}) {
        const auto lanes = static_cast<std::size_t>(size);
        Array<TypeParam> array(size);
        std::vector<std::vector<Code>> rows(lanes + 1, std::vector<Code>(lanes));
        for (int n = 0; n < 60; ++n) {
            // Shifts: the new row becomes row 0.
            std::vector<Code> row(static_cast<std::size_t>(padded_lanes(size)));
            for (std::size_t i = 0; i < lanes; ++i)
                row[i] = this->code();
            array.shift(n % 7 == 6 ? nullptr : row.data());
            rows.pop_back();
            rows.insert(rows.begin(), n % 7 == 6
                                          ? std::vector<Code>(lanes)
                                          : std::vector<Code>(row.begin(), row.begin() + size));
            std::vector<Code> x(row.size());
            for (std::size_t i = 0; i < lanes; ++i)
                x[i] = this->random.chance(20) ? Code{} : this->code();
            std::vector<Code> y(row.size());
            std::uint64_t saturations = 0;
            array.multiply(x.data(), y.data(), saturations);
            for (std::size_t out = 0; out < lanes; ++out) {
                Code want = rows[0][out];
                for (std::size_t k = 0; k < lanes; ++k)
                    want = this->defined(x[k], rows[k + 1][out], want);
                ASSERT_EQ(y[out], want) << "size " << size << ", vector " << n << ", lane " << out;
            }
        }
    }
}

TYPED_TEST(TcuTypes, SimdOperations) {
    using F = TypeParam;
    using Code = typename F::Code;
    const std::int64_t one = F::kOne;
    const auto clamp = [](std::int64_t v) {
        return std::min<std::int64_t>(F::kMax, std::max<std::int64_t>(F::kMin, v));
    };
    for (int n = 0; n < 20000; ++n) {
        const Code left = this->code();
        const Code right = this->random.chance(20) ? left : this->code();
        const std::int64_t l = left, r = right;
        const auto truth = [&](bool yes) { return yes ? one : 0; };
        const std::int64_t want[16] = {
            0,
            0,
            l,
            truth(l == 0),
            truth(l != 0 && r != 0),
            truth(l != 0 || r != 0),
            clamp(l + one),
            clamp(l - one),
            clamp(l + r),
            clamp(l - r),
            this->defined(left, right, 0),
            l == F::kMin ? l : std::abs(l),
            truth(l > r),
            truth(l >= r),
            std::min(l, r),
            std::max(l, r),
        };
        for (int op = kSimdZero; op <= kSimdMax; ++op) {
            Code out[3] = {};
            const Code lefts[3] = {left, left, left};
            const Code rights[3] = {right, right, right};
            std::uint64_t saturations = 0;
            simd<F>(op, 2, lefts, rights, out, saturations);
            ASSERT_EQ(out[0], want[op]) << simd_name(op) << " " << l << " " << r;
            ASSERT_EQ(out[1], want[op]);
            ASSERT_EQ(out[2], 0);  // no lane
        }
    }
}

}  // namespace

}  // namespace macrame::tcu::model
