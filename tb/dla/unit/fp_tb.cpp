/// Floating point cells against the primitives of the golden models: recorded, special and random
/// numbers, with and without gaps.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "Vdut.h"
#include "tb/common/unit_bench.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/float.hpp"
#include "verif/dla/test/oracle.hpp"

namespace {

using namespace macrame::dla::model;

struct Input {
    std::uint32_t a = 0, b = 0;
    bool least = false;
    std::uint64_t fixed = 0;
};

std::uint32_t low(std::uint32_t v, int bits) { return v & ((1u << bits) - 1); }

/// A cell: its stages, its output and what that should be.
struct Cell {
    const char* name;
    int stages;
    std::function<std::uint32_t(const Vdut&)> output;
    std::function<std::uint32_t(const Input&)> want;
};

std::uint32_t signed_fixed(const Input& i) {
    const auto size = static_cast<std::int64_t>(i.fixed & 0x1FFFF);
    return Fp16::from_int(i.least ? -size : size);
}

std::vector<Cell> cells() {
    return {
        {"add32", 5, [](const Vdut& d) { return d.add32; },
         [](const Input& i) { return Fp32::add(i.a, i.b); }},
        {"add17", 5, [](const Vdut& d) { return d.add17; },
         [](const Input& i) { return Fp17::add(low(i.a, 17), low(i.b, 17)); }},
        {"mul32", 3, [](const Vdut& d) { return d.mul32; },
         [](const Input& i) { return Fp32::mul(i.a, i.b); }},
        {"mul17", 3, [](const Vdut& d) { return d.mul17; },
         [](const Input& i) { return Fp17::mul(low(i.a, 17), low(i.b, 17)); }},
        {"max32", 1, [](const Vdut& d) { return d.max32; },
         [](const Input& i) { return i.least ? Fp32::min(i.a, i.b) : Fp32::max(i.a, i.b); }},
        {"max16", 1, [](const Vdut& d) { return d.max16; },
         [](const Input& i) {
             const std::uint32_t a = low(i.a, 16), b = low(i.b, 16);
             return i.least ? Fp16::min(a, b) : Fp16::max(a, b);
         }},
        {"widen16_17", 1, [](const Vdut& d) { return d.widen16_17; },
         [](const Input& i) { return widen<Fp16, Fp17>(low(i.a, 16)); }},
        {"widen16_32", 1, [](const Vdut& d) { return d.widen16_32; },
         [](const Input& i) { return widen<Fp16, Fp32>(low(i.a, 16)); }},
        {"widen17_32", 1, [](const Vdut& d) { return d.widen17_32; },
         [](const Input& i) { return widen<Fp17, Fp32>(low(i.a, 17)); }},
        {"narrow32_16", 2, [](const Vdut& d) { return d.narrow32_16; },
         [](const Input& i) { return narrow<Fp32, Fp16>(i.a); }},
        {"narrow32_17", 2, [](const Vdut& d) { return d.narrow32_17; },
         [](const Input& i) { return narrow<Fp32, Fp17>(i.a); }},
        {"narrow17_16", 2, [](const Vdut& d) { return d.narrow17_16; },
         [](const Input& i) { return narrow<Fp17, Fp16>(low(i.a, 17)); }},
        {"int17_16", 2, [](const Vdut& d) { return d.int17_16; }, signed_fixed},
        {"fraction16_17", 2, [](const Vdut& d) { return d.fraction16_17; },
         [](const Input& i) { return Fp17::from_fraction(i.fixed & 0xFFFF, 16); }},
        {"fraction35_17", 2, [](const Vdut& d) { return d.fraction35_17; },
         [](const Input& i) { return Fp17::from_fraction(i.fixed, 35); }},
        {"to_int16", 2, [](const Vdut& d) { return d.to_int16; },
         [](const Input& i) {
             return std::uint32_t{static_cast<std::uint16_t>(int16_of_fp16(low(i.a, 16)))};
         }},
    };
}

/// Numbers with E exponent and M mantissa bits, with many that are special or near each other.
std::uint32_t number(macrame::verif::Random& random, int e, int m, std::uint32_t other) {
    const auto bits = [&](int n) { return random.in(0, (1 << n) - 1); };
    const int sign = random.in(0, 1), top = (1 << e) - 1;
    int exponent = bits(e);
    if (random.chance(20)) {
        const int special[] = {0, 0, 1, 2, top, top - 1, top - 2, top / 2, top / 2 + 1};
        exponent = special[random.in(0, 8)];
    } else if (random.chance(60)) {
        const int near = static_cast<int>(other >> m) & top;
        exponent = std::min(std::max(near + random.in(-m - 4, m + 4), 0), top);
    }
    int mantissa = bits(m);
    if (random.chance(30)) {
        const int all = (1 << m) - 1;
        const int special[] = {0, 0, 1, 2, all, all - 1, (all + 1) / 2, (all + 1) / 2 - 1};
        mantissa = special[random.in(0, 7)];
    } else if (random.chance(30)) {
        mantissa = mantissa >> random.in(0, m - 1) << random.in(0, m - 1) & ((1 << m) - 1);
    } else if (random.chance(20)) {
        mantissa = static_cast<int>(other & ((1u << m) - 1)) ^ (random.chance(50) ? 1 : 0);
    }
    return static_cast<std::uint32_t>(sign) << (e + m) | static_cast<std::uint32_t>(exponent) << m |
           static_cast<std::uint32_t>(mantissa);
}

Input random_input(macrame::verif::Random& random) {
    Input out;
    // The same pattern is an fp32, or an fp17 or fp16 with anything above it.
    const int format = random.in(0, 2);
    const int e = format == 0 ? 8 : format == 1 ? 6 : 5, m = format == 0 ? 23 : 10;
    out.a = number(random, e, m, 0);
    out.b = random.chance(5) ? out.a : number(random, e, m, out.a);
    out.least = random.chance(50);
    const auto half = [&] { return static_cast<std::uint64_t>(random.in(0, (1 << 18) - 1)); };
    out.fixed = (half() << 18 | half()) >> random.in(0, 35);
    if (random.chance(10)) out.fixed = ~out.fixed & 0xFFFFFFFFF;
    return out;
}

/// Operands of the recorded operations, if there are any here.
std::vector<Input> recorded_inputs() {
    std::vector<Input> out;
    if (!std::filesystem::is_directory(oracle_folder())) return out;
    for (const OracleRow& row : OracleTable("primitives.csv"))
        out.push_back({row.hex("a"), row.hex("b"), row.text("op") == "fp16_min", row.hex("a")});
    return out;
}

class Bench : public macrame::tb::UnitBench {
public:
    Bench(unsigned seed, int offer) : UnitBench(seed), offer_(offer) {}

    /// Results of each cell that were compared.
    const std::vector<std::uint64_t>& compared() const { return compared_; }

private:
    void drive(Vdut& d) override {
        const bool recorded = next_ < recorded_.size();
        in_ = recorded ? recorded_[next_++] : random_input(random());
        d.in_valid = chance(offer_);
        d.a = in_.a;
        d.b = in_.b;
        d.least = in_.least;
        d.fixed = in_.fixed;
    }

    void sample(Vdut& d) override {
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Cell& cell = cells_[i];
            if ((d.out_valid >> (cell.stages - 1) & 1) != 0) {
                ASSERT_FALSE(flight_[i].empty()) << cell.name;
                const Input was = flight_[i].front();
                flight_[i].pop_front();
                ++compared_[i];
                ASSERT_EQ(cell.output(d), cell.want(was))
                    << cell.name << std::hex << " " << was.a << " " << was.b << " " << was.fixed
                    << " " << was.least;
            }
            if (d.in_valid) flight_[i].push_back(in_);
        }
    }

    int offer_;
    Input in_;
    std::vector<Input> recorded_ = recorded_inputs();
    std::size_t next_ = 0;
    std::vector<Cell> cells_ = cells();
    std::vector<std::deque<Input>> flight_{cells_.size()};
    std::vector<std::uint64_t> compared_ = std::vector<std::uint64_t>(cells_.size());
};

class Fp : public ::testing::TestWithParam<int> {};

TEST_P(Fp, CellsMatchThePrimitives) {
    Bench bench(7, GetParam());
    bench.reset();
    while (bench.cycle() < 300000 && !HasFailure())
        bench.tick();
    for (const std::uint64_t results : bench.compared())
        EXPECT_GT(results, 100000u);
}

INSTANTIATE_TEST_SUITE_P(Gaps, Fp, ::testing::Values(100, 60));

}  // namespace
