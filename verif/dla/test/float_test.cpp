/// Floating point primitives: examples of the documents, IEEE arithmetic of the host where both
/// agree, the recorded operations.

#include "verif/dla/model/float.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "verif/common/random.hpp"
#include "verif/dla/test/oracle.hpp"

namespace macrame::dla::model {
namespace {

using Binary = std::uint32_t (*)(std::uint32_t, std::uint32_t);

const std::map<std::string, Binary> kOperations = {
    {"fp16_max", Fp16::max},
    {"fp16_min", Fp16::min},
    {"fp17_add", Fp17::add},
    {"fp17_sub", Fp17::sub},
    {"fp17_mul", Fp17::mul},
    {"fp32_add", Fp32::add},
    {"fp32_sub", Fp32::sub},
    {"fp32_mul", Fp32::mul},
    {"fp16_to_fp17", [](std::uint32_t a, std::uint32_t) { return widen<Fp16, Fp17>(a); }},
    {"fp16_to_fp32", [](std::uint32_t a, std::uint32_t) { return widen<Fp16, Fp32>(a); }},
    {"fp17_to_fp32", [](std::uint32_t a, std::uint32_t) { return widen<Fp17, Fp32>(a); }},
    {"fp32_to_fp17", [](std::uint32_t a, std::uint32_t) { return narrow<Fp32, Fp17>(a); }},
    {"fp32_to_fp16", [](std::uint32_t a, std::uint32_t) { return narrow<Fp32, Fp16>(a); }},
    {"fp17_to_fp16", [](std::uint32_t a, std::uint32_t) { return narrow<Fp17, Fp16>(a); }},
    {"frac16_to_fp17", [](std::uint32_t a, std::uint32_t) { return Fp17::from_fraction(a, 16); }},
};

TEST(Float, ExamplesOfTheDocuments) {
    EXPECT_EQ((widen<Fp16, Fp17>(0x0001)), 0x01C00u);
    EXPECT_EQ((widen<Fp16, Fp17>(0x7C00)), 0x0FBFFu);
    EXPECT_EQ((widen<Fp16, Fp17>(0xFC00)), 0x1FBFFu);
    EXPECT_EQ((widen<Fp16, Fp32>(0x7E01)), 0x7F800201u);
    EXPECT_EQ((narrow<Fp17, Fp16>(0x01C00)), 0x0001u);
    EXPECT_EQ((narrow<Fp17, Fp16>(0x01BFF)), 0x0001u);
    EXPECT_EQ((narrow<Fp17, Fp16>(0x017FF)), 0x0000u);
    EXPECT_EQ((narrow<Fp32, Fp16>(0x477FEFFF)), 0x7BFFu);
    EXPECT_EQ((narrow<Fp32, Fp16>(0x33000000)), 0x0000u);
    EXPECT_EQ((narrow<Fp32, Fp16>(0x33000001)), 0x0001u);
    EXPECT_EQ(Fp32::add(0xBF800000, 0x3F800000), 0x80000000u);
    EXPECT_EQ(Fp32::add(0x80000000, 0x00000000), 0x80000000u);
    EXPECT_EQ(Fp32::add(0x00000000, 0x80000000), 0x00000000u);
    EXPECT_EQ(Fp32::add(0x3F800000, 0x33800000), 0x3F800000u);
    EXPECT_EQ(Fp32::add(0x3F800001, 0x33800000), 0x3F800002u);
    EXPECT_EQ(Fp32::mul(0x7F7FFFFF, 0x40000000), 0x7F7FFFFFu);
    EXPECT_EQ(Fp32::mul(0x00800000, 0x3F000000), 0x00000000u);
    EXPECT_EQ(Fp17::sub(0x07C00, 0x0FE01), 0x1FE01u);
    EXPECT_EQ(Fp32::relu(0xFF800001), 0xFF800001u);
    EXPECT_EQ(Fp32::relu(0x80000000), 0u);
    const std::pair<std::uint32_t, int> to_int[] = {
        {0x4100, 3}, {0x4300, 4},     {0xC100, -3},     {0x3800, 1},
        {0x37FF, 0}, {0x7C00, 32767}, {0xFC00, -32768}, {0x7E00, -32768}};
    for (const auto& [fp16, value] : to_int)
        EXPECT_EQ(int16_of_fp16(fp16), value) << std::hex << fp16;
    EXPECT_EQ(Fp16::from_int(2049), 0x6800u);
    EXPECT_EQ(Fp16::from_int(2051), 0x6802u);
    EXPECT_EQ(Fp16::from_int(65535), 0x7BFFu);
    EXPECT_EQ(Fp16::from_int(-65536), 0xFBFFu);
    EXPECT_EQ(Fp16::from_int(0), 0u);
    const std::uint32_t reciprocals[] = {0x07C00, 0x07800, 0x07555, 0x07400,
                                         0x07266, 0x07155, 0x07092, 0x07000};
    for (int n = 1; n <= 8; ++n) {
        const auto fraction = static_cast<std::uint64_t>(std::llround(std::ldexp(1.0 / n, 35)));
        EXPECT_EQ(Fp17::from_fraction(fraction, 35), reciprocals[n - 1]) << n;
    }
}

float number(std::uint32_t pattern) {
    float out = 0;
    std::memcpy(&out, &pattern, sizeof out);
    return out;
}

/// Products and conversions round as IEEE wherever nothing is denormal or too large.
TEST(Float, AgreesWithTheHost) {
    verif::Random random(1);
    int compared = 0;
    for (int i = 0; i < 200000; ++i) {
        const auto pattern = [&] {
            return static_cast<std::uint32_t>(random.in(0, 1)) << 31 |
                   static_cast<std::uint32_t>(random.in(64, 180)) << 23 |
                   static_cast<std::uint32_t>(random.in(0, (1 << 23) - 1));
        };
        const std::uint32_t a = pattern(), b = pattern();
        const float product = number(a) * number(b);
        EXPECT_EQ(number(Fp32::mul(a, b)), product);
        const std::uint32_t half = narrow<Fp32, Fp16>(a);
        if (std::fabs(number(a)) < 65504) {
            const std::uint32_t wide = widen<Fp16, Fp32>(half);
            const float step = std::ldexp(1.0f, std::max(std::ilogb(number(a)), -14) - 10);
            EXPECT_LE(std::fabs(number(wide) - number(a)), step / 2);
            ++compared;
        }
        const std::int64_t whole = static_cast<std::int32_t>(random.word());
        EXPECT_EQ(number(Fp32::from_int(whole)), static_cast<float>(whole));
    }
    EXPECT_GT(compared, 1000);
}

/// A sum differs from that of IEEE by less than a unit in the last place: no sticky bit.
TEST(Float, SumsAreCloseToTheHost) {
    verif::Random random(2);
    for (int i = 0; i < 200000; ++i) {
        const auto pattern = [&] {
            return static_cast<std::uint32_t>(random.in(0, 1)) << 31 |
                   static_cast<std::uint32_t>(random.in(110, 139)) << 23 |
                   static_cast<std::uint32_t>(random.in(0, (1 << 23) - 1));
        };
        const std::uint32_t a = pattern(), b = pattern();
        const double exact = static_cast<double>(number(a)) + static_cast<double>(number(b));
        if (exact == 0) continue;
        const double step = std::ldexp(1.0, std::ilogb(exact) - 23);
        EXPECT_LE(std::fabs(static_cast<double>(number(Fp32::add(a, b))) - exact), step);
    }
}

/// All recorded operations.
TEST(Float, Oracle) {
    NEEDS_ORACLE();
    std::map<std::string, int> seen;
    for (const OracleRow& row : OracleTable("primitives.csv")) {
        const auto found = kOperations.find(row.text("op"));
        ASSERT_NE(found, kOperations.end()) << row.text("op");
        const std::uint32_t a = row.hex("a"), b = row.hex("b");
        EXPECT_EQ(found->second(a, b), row.hex("o"))
            << row.text("op") << std::hex << " " << a << " " << b;
        ++seen[row.text("op")];
    }
    EXPECT_EQ(seen.size(), kOperations.size());
}

}  // namespace
}  // namespace macrame::dla::model
