#include "verif/systolic/stimulus/coverage.hpp"

#include <gtest/gtest.h>

#include "verif/systolic/isa/assembly.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic::stimulus {
namespace {

std::uint64_t count(const Coverage& coverage, const std::string& bin) {
    const auto at = coverage.bins().all().find(bin);
    EXPECT_NE(at, coverage.bins().all().end()) << bin;
    return at == coverage.bins().all().end() ? 0 : at->second;
}

TEST(SystolicCoverage, SeesInstructionsAndDependences) {
    Architecture a;
    a.rows = a.columns = 4;
    Coverage coverage(a);
    for (const auto& [name, hits] : coverage.bins().all())
        EXPECT_EQ(hits, 0u) << name;

    Instruction load;
    load.flags.push_next = true;
    load.transfer.sram_address = sram_address(a, {Buffer::ibuf, 3, 1});
    load.transfer.dram_address = 4093;
    load.transfer.x_size = load.transfer.y_size = 2;
    load.transfer.z_size = load.transfer.z_stride = 3;
    load.transfer.bitwidth = 1;
    Instruction gemm;
    gemm.module = Module::gemm;
    gemm.flags.pop_prev = true;
    gemm.gemm.input_address = 6;
    gemm.gemm.output_address = 9;
    gemm.gemm.ofmap_height = gemm.gemm.ofmap_width = 1;
    gemm.gemm.active_rows = 2;
    gemm.gemm.active_cols = 4;
    Instruction shift;
    shift.module = Module::alu;
    shift.alu.alu_opcode = static_cast<std::int64_t>(AluOp::shift);
    shift.alu.input_address = shift.alu.output_address = 9;
    shift.alu.output_height = shift.alu.output_width = 1;
    shift.alu.window_height = shift.alu.window_width = shift.alu.num_active = 1;
    shift.alu.use_immediate = 1;
    shift.alu.immediate_value = -2;
    Instruction nothing;
    nothing.module = Module::store;
    coverage.play({load, gemm, shift, nothing});

    EXPECT_EQ(count(coverage, "LOAD.push_next"), 1u);
    EXPECT_EQ(count(coverage, "LOAD IBUF.start bank another one"), 1u);
    EXPECT_EQ(count(coverage, "LOAD IBUF.elements of a vector: some"), 1u);
    EXPECT_EQ(count(coverage, "LOAD IBUF.address of an element"), 1u);
    EXPECT_EQ(count(coverage, "LOAD IBUF.vectors in several rows"), 1u);
    EXPECT_EQ(count(coverage, "LOAD IBUF.across 4 KiB"), 1u);
    EXPECT_EQ(count(coverage, "LOAD WBUF.across 4 KiB"), 0u);
    EXPECT_EQ(count(coverage, "GEMM.rows some"), 1u);
    EXPECT_EQ(count(coverage, "GEMM.columns all"), 1u);
    EXPECT_EQ(count(coverage, "IBUF.GEMM behind LOAD"), 1u);
    EXPECT_EQ(count(coverage, "OBUF.ALU behind GEMM"), 1u);
    EXPECT_EQ(count(coverage, "OBUF.GEMM behind GEMM"), 0u);
    EXPECT_EQ(count(coverage, "ALU.shift left"), 1u);
    EXPECT_EQ(count(coverage, "ALU.in place"), 1u);
    EXPECT_EQ(count(coverage, "STORE.tokens only"), 1u);
    EXPECT_EQ(count(coverage, "STORE.no flag"), 1u);
}

TEST(SystolicCoverage, RandomProgramsHitEverything) {
    for (const std::uint64_t kind : {3, 11, 20, 34}) {
        const Architecture a = random_architecture(kind);
        Coverage coverage(a);
        for (std::uint64_t seed = 0; seed < 1500 && !coverage.bins().holes().empty(); ++seed)
            coverage.play(random_program(a, seed, 60).program);
        for (const std::string& hole : coverage.bins().holes())
            ADD_FAILURE() << "architecture " << kind << ": " << hole;
    }
}

}  // namespace
}  // namespace macrame::systolic::stimulus
