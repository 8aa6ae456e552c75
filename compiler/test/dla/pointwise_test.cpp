#include "compiler/dla/pointwise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/dla/model/sdp.hpp"

namespace macrame::dla::compiler {

namespace {

template <class Function>
Table table(const Function& function) {
    Table out{};
    for (int x = -128; x < 128; ++x)
        out[static_cast<std::size_t>(x + 128)] =
            static_cast<std::int8_t>(std::clamp<double>(std::round(function(x)), -128, 127));
    return out;
}

model::SdpX stage(const PointwiseStage& from, std::size_t channel) {
    const XRegisters& r = from.registers;
    model::SdpX x;
    x.bypass = r.bypass;
    x.alu_bypass = r.alu_bypass;
    x.mul_bypass = r.mul_bypass;
    x.mul_prelu = r.prelu;
    x.relu_bypass = !r.relu;
    x.alu_algo = static_cast<int>(r.function);
    x.alu_shift = r.alu_shift;
    x.mul_shift = r.mul_shift;
    x.alu_operand = from.alu.empty() ? static_cast<std::int16_t>(r.alu_value) : from.alu[channel];
    x.mul_operand = from.mul.empty() ? static_cast<std::int16_t>(r.mul_value) : from.mul[channel];
    return x;
}

/// All values of all channels on the golden model of SDP's stages.
void expect_model(const std::vector<Table>& tables, const Pointwise& made) {
    for (std::size_t c = 0; c < tables.size(); ++c) {
        for (int x = -128; x < 128; ++x) {
            const std::int32_t v =
                model::sdp_x_stage(stage(made.bn, c), model::sdp_x_stage(stage(made.bs, c), x));
            const int found =
                model::sdp_c_stage({made.offset, static_cast<std::int16_t>(made.scale), made.shift},
                                   v)
                    .value;
            ASSERT_EQ(found, made.apply(c, x)) << made.mapping;
            if (made.wrong == 0) {
                ASSERT_EQ(found, look_up(tables[c], x)) << made.mapping;
            }
        }
    }
}

TEST(DlaPointwise, LinesWithClampsAreExact) {
    verif::Random random(3);
    for (int n = 0; n < 300; ++n) {
        const double slope = std::exp2(random.in(-300, 200) / 100.0) * (random.chance(30) ? -1 : 1);
        const int offset = random.in(-90, 90);
        int low = random.in(-128, 20), high = random.in(21, 127);
        // Steeper ones have room for one clamp between two inputs.
        if (std::abs(slope) > 1) (random.chance(50) ? low : high) = random.chance(50) ? -200 : 200;
        if (low == 200 || high == -200) continue;
        const std::vector<Table> tables{table(
            [&](int x) { return std::clamp<double>(std::round(slope * x) + offset, low, high); })};
        const auto made = pointwise(tables, 0);
        ASSERT_TRUE(made);
        EXPECT_EQ(made->wrong, 0) << slope << " * x + " << offset << " in " << low << ".." << high;
        expect_model(tables, *made);
    }
}

TEST(DlaPointwise, ClampsNeedNoMultiplier) {
    const auto made = pointwise({table([](int x) { return std::clamp(x, -7, 90); })}, 0);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->mapping, "clamp");
    EXPECT_TRUE(made->bs.registers.mul_bypass && made->bn.registers.mul_bypass);
}

TEST(DlaPointwise, ABendHasItsOwnSlopeForEachChannel) {
    verif::Random random(4);
    int proved = 0;
    for (int n = 0; n < 50; ++n) {
        const double up = std::exp2(random.in(-100, 100) / 100.0);
        const int bend = random.in(-100, 100), zero = random.in(-100, 100);
        std::vector<Table> tables;
        for (int c = 0; c < 12; ++c) {
            const double down = random.in(-100, 100) / 100.0;
            tables.push_back(table([&](int x) {
                const int d = x - bend;
                return std::round(d * (d < 0 ? down : up)) + zero;
            }));
        }
        const auto made = pointwise(tables, bend);
        ASSERT_TRUE(made);
        // Operands below the bend have 15 bits.
        EXPECT_GE(made->proved, 10);
        EXPECT_LE(made->most, 1);
        proved += made->proved;
        expect_model(tables, *made);
    }
    EXPECT_GT(proved, 50 * 12 * 95 / 100);
}

TEST(DlaPointwise, CurvesAreToldToBeWrong) {
    const std::vector<Table> tables{table([](int x) { return 100 * std::sin(x / 20.0); })};
    const auto made = pointwise(tables, 0);
    ASSERT_TRUE(made);
    EXPECT_GT(made->wrong, 200);
    EXPECT_GT(made->most, 50);
    EXPECT_EQ(made->proved, 0);
    expect_model(tables, *made);
}

}  // namespace

}  // namespace macrame::dla::compiler
