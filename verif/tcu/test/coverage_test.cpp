#include "verif/tcu/stimulus/coverage.hpp"

#include <gtest/gtest.h>

#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/stimulus/random_program.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu::stimulus {

namespace {

std::uint64_t count(const Coverage& coverage, const std::string& bin) {
    const auto at = coverage.bins().all().find(bin);
    EXPECT_NE(at, coverage.bins().all().end()) << bin;
    return at == coverage.bins().all().end() ? 0 : at->second;
}

void play(Coverage& coverage, const Architecture& a, const std::string& text) {
    std::vector<std::string> errors;
    const auto program = assemble(layout_of(a), text, "test", errors);
    ASSERT_TRUE(program) << errors.front();
    coverage.play(*program);
}

TEST(TcuCoverage, OverlapOfSteps) {
    const auto run = [](std::uint64_t first, std::uint64_t step, std::uint64_t size) {
        return Access{Space::local, true, first, step, size};
    };
    for (std::uint64_t first = 0; first < 12; ++first) {
        for (const std::uint64_t step : {1, 2, 4}) {
            for (std::uint64_t size = 1; size < 5; ++size) {
                const Access a = run(first, step, size);
                const Access b = run(5, 2, 3);  // 5, 7, 9
                bool meets = false;
                for (std::uint64_t n = 0; n < size; ++n) {
                    const std::uint64_t at = first + n * step;
                    meets = meets || at == 5 || at == 7 || at == 9;
                }
                EXPECT_EQ(a.overlaps(b), meets) << first << " " << step << " " << size;
                EXPECT_EQ(b.overlaps(a), meets);
            }
        }
    }
    Access other = run(5, 1, 1);
    other.space = Space::accumulators;
    EXPECT_FALSE(other.overlaps(run(5, 1, 1)));
}

TEST(TcuCoverage, SeesInstructionsAndDependences) {
    const Architecture a = test::architectures().at("n4_fp8bp4");
    Coverage coverage(a);
    for (const auto& [name, hits] : coverage.bins().all())
        EXPECT_EQ(hits, 0u) << name;
    play(coverage, a,
         "DataMove(<-) Local(0) DRAM0(0) 7(+1)\n"
         "MatMul Local(6) Acc(3) 0(+1)\n"
         "MatMul(Acc) Local(20)@2^1 Acc(3) 1(+1)\n"
         "Wait\n"
         "DataMove(<-) Local(22) Acc(9) 0(+1)\n"
         "Configure DRAM0Offset 1\n"
         "DataMove(->) Local(30) DRAM0(7) 0(+1)\n"
         "SIMD(RW) Max(In, R2) -> R1 Acc(4) <- Acc(4)\n");
    EXPECT_EQ(count(coverage, "opcode.1"), 2u);
    EXPECT_EQ(count(coverage, "MatMul.flags accumulate x vectors"), 1u);
    EXPECT_EQ(count(coverage, "MatMul.stride code 0 1"), 1u);
    EXPECT_EQ(count(coverage, "DataMove.kind 0"), 1u);
    EXPECT_EQ(count(coverage, "DataMove 0.offset zero"), 1u);
    EXPECT_EQ(count(coverage, "DataMove 1.offset not zero"), 1u);
    EXPECT_EQ(count(coverage, "order.DRAM0 to local, MatMul"), 1u);
    EXPECT_EQ(count(coverage, "order.MatMul, acc to local"), 1u);
    EXPECT_EQ(count(coverage, "order.local read behind write"), 1u);
    EXPECT_EQ(count(coverage, "order.local write behind read"), 1u);
    EXPECT_EQ(count(coverage, "order.DRAM0 write behind read"), 1u);
    EXPECT_EQ(count(coverage, "order.accumulators write behind write"), 2u);
    EXPECT_EQ(count(coverage, "accumulators.accumulate 1 behind a write"), 1u);
    EXPECT_EQ(count(coverage, "SIMD.Max right register"), 1u);
    EXPECT_EQ(count(coverage, "SIMD.reads and writes one address"), 1u);
    EXPECT_EQ(count(coverage, "SIMD.input needed, read"), 1u);
}

TEST(TcuCoverage, BinsThatCannotBeReachedDoNotExist) {
    const auto has = [](const Architecture& a, const std::string& bin) {
        const Coverage coverage(a);
        return coverage.bins().all().count(bin) != 0;
    };
    const Architecture one_stride = test::architectures().at("n8_fp18bp10");
    EXPECT_FALSE(has(one_stride, "MatMul.stride code 0 1"));
    EXPECT_TRUE(has(one_stride, "MatMul.stride code 1 7"));
    EXPECT_FALSE(has(one_stride, "DataMove 2.across 4 KiB"));
    EXPECT_TRUE(has(one_stride, "DataMove 0.across 4 KiB"));
    EXPECT_FALSE(has(one_stride, "SIMD.Lookup"));
    Architecture tables = one_stride;
    tables.lut_tables = 1;
    tables.lut_depth = 2;
    EXPECT_TRUE(has(tables, "SIMD.Lookup"));
    EXPECT_TRUE(has(tables, "order.LoadLUT, SIMD"));
    EXPECT_TRUE(has(tables, "order.lookup, LoadLUT"));
    EXPECT_TRUE(has(tables, "LoadLUT.table 1"));
    EXPECT_FALSE(has(one_stride, "LoadLUT.table 0"));
    EXPECT_FALSE(has(test::odd_architectures()[0], "SIMD.Max left register"));
}

TEST(TcuCoverage, RandomProgramsHitEveryBin) {
    Architecture tables = test::architectures().at("n8_fp16bp8");
    tables.simd_registers_depth = 3;
    tables.lut_tables = 2;
    tables.lut_depth = 5;
    for (const Architecture& a :
         {test::architectures().at("n2_fp16bp8"), test::architectures().at("n4_fp8bp4"),
          test::architectures().at("n8_fp18bp10"), tables}) {
        Coverage coverage(a);
        for (std::uint64_t seed = 0; seed < 1000; ++seed) {
            const RandomProgram random = random_program(a, seed, false);
            verif::Memory dram0, dram1;
            dram0.load(random.dram0_at, random.dram0);
            dram1.load(random.dram1_at, random.dram1);
            run::GoldenModel model(a, {dram0, dram1});
            model.send(random.program);
            model.run(0);
            coverage.play(random.program);
            coverage.data(model.machine().saturations());
        }
        EXPECT_EQ(coverage.bins().holes(), std::vector<std::string>{}) << a.array_size;
    }
}

}  // namespace

}  // namespace macrame::tcu::stimulus
