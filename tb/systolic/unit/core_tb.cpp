/// Unit test of gemm, array, obuf and alu together: random operations end as if they were executed
/// one after the other, whoever waits, in the cycles of the cycle models; and what folds and
/// elements cost.

#include <string>
#include <tuple>

#include "tb/systolic/unit/core_bench.hpp"

namespace {

namespace p = systolic_params;
using macrame::tb::Buffer;
using macrame::tb::CoreBench;
using macrame::tb::CoreMix;
using macrame::tb::CoreProgram;
using macrame::tb::Instruction;
using macrame::tb::Module;
using macrame::tb::Traffic;

constexpr CoreMix kCycles{"cycles", 100, 0, 0, 0, 0};

void load_all(CoreProgram& program, CoreBench& bench) {
    for (const Buffer buffer : {Buffer::ibuf, Buffer::wbuf, Buffer::obuf})
        bench.add(program.load(buffer, true));
    bench.run();
}

class CorePrograms : public ::testing::TestWithParam<std::tuple<Traffic, CoreMix, int>> {};

TEST_P(CorePrograms, EndAsInTheirOrder) {
    const auto& [traffic, mix, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", " + mix.name + ", seed " + std::to_string(seed));
    CoreBench bench(traffic, static_cast<std::uint64_t>(seed));
    CoreProgram program(mix, bench.random());
    load_all(program, bench);
    for (int i = 0; i < 1200 && !HasFatalFailure(); ++i) {
        bench.add(program.next());
        bench.run_to(12);
    }
    bench.add(program.store(true));
    bench.run();
}

const Traffic kTraffic[] = {
    {"full speed", 100, 100},
    {"gaps", 50, 50},
    {"slow", 8, 8},
};

const CoreMix kMixes[] = {
    {"all", 35, 25, 20, 40, 40},
    {"short folds on the same entries", 80, 5, 5, 95, 90},
    {"folds", 70, 0, 20, 50, 60},
    {"ALU on the same entries", 5, 75, 10, 80, 80},
};

INSTANTIATE_TEST_SUITE_P(Table, CorePrograms,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::ValuesIn(kMixes), ::testing::Values(1, 2)));

// ---------------------------------------------------------------- cycles

class CoreCycles : public ::testing::Test {
protected:
    CoreCycles() { load_all(program_, bench_); }

    /// More cycles with two times as many of an instruction, by what they are more.
    double cycles_of(const Instruction& instruction) {
        const long some = run(instruction, kMany), more = run(instruction, 2 * kMany);
        return static_cast<double>(more - some) / kMany;
    }
    static Instruction fold(int rows, int height, int width) {
        Instruction i;
        i.module = Module::gemm;
        i.gemm.active_rows = rows;
        i.gemm.active_cols = p::cols;
        i.gemm.ofmap_height = height;
        i.gemm.ofmap_width = width;
        i.gemm.stride_w = 1;
        i.gemm.preload_output = 1;
        return i;
    }

    static constexpr int kMany = 40;
    CoreBench bench_{{"full speed", 100, 100}, 1};
    CoreProgram program_{kCycles, bench_.random()};

private:
    long run(const Instruction& instruction, int count) {
        for (int i = 0; i < count; ++i)
            bench_.add(program_.compute(instruction));
        return bench_.run();
    }
};

TEST_F(CoreCycles, FoldsFollowEachOtherWithoutGaps) {
    const int most = p::obuf_entries / 2;
    for (const int rows : {1, p::rows}) {
        for (const int steps : {4, rows + 1, most}) {
            if (steps < 4 || steps > most) continue;
            EXPECT_EQ(cycles_of(fold(rows, 1, steps)), std::max(steps, rows + 1))
                << rows << " rows, " << steps << " steps";
        }
    }
}

TEST_F(CoreCycles, AddingToTheSameEntryTakesFour) {
    EXPECT_EQ(cycles_of(fold(1, 1, 1)), 4);
    Instruction anew = fold(1, 1, 1);
    anew.gemm.preload_output = 0;
    EXPECT_EQ(cycles_of(anew), 2);
}

/// In place, and as sums of windows: an element per cycle.
TEST_F(CoreCycles, AluTakesOnePerElement) {
    const int half = p::obuf_entries / 2;
    Instruction one;
    one.module = Module::alu;
    one.alu.output_height = one.alu.window_height = one.alu.window_width = 1;
    one.alu.mem_stride_r = 1;
    one.alu.num_active = p::cols;
    one.alu.use_immediate = 1;
    Instruction two = one;
    one.alu.output_width = half;
    two.alu.output_width = 1;
    EXPECT_EQ(cycles_of(one) - cycles_of(two), half - 1);
    Instruction window = two;
    window.alu.alu_opcode = static_cast<int>(macrame::systolic::AluOp::add);
    window.alu.use_immediate = 0;
    window.alu.window_width = std::min(half, 15);
    EXPECT_EQ(cycles_of(window) - cycles_of(two), window.alu.window_width - 1);
}

}  // namespace
