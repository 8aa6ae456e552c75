/// Unit test of tcu_acc: random micro-operations end as if they were executed one after the other,
/// however close dependent ones are and whoever waits; and the cycles that they take.

#include <string>
#include <tuple>

#include "tb/tcu/unit/acc_bench.hpp"

namespace {

namespace p = tcu_params;
namespace tcu = macrame::tcu;
using macrame::tb::AccBench;
using macrame::tb::AccTraffic;
using macrame::tb::MicroOp;
using macrame::verif::Random;

constexpr int kRegisters = p::simd_registers_depth;
constexpr bool kHasRegisters = kRegisters > 0;
constexpr bool kHasTables = p::lut_tables > 0;

/// What random programs are like.
struct Mix {
    const char* name;
    int simd;   ///< percent of micro-operations
    int hot;    ///< accumulators that most of them use
    int count;  ///< vectors of the others, at most
};

/// An address with room for the other vectors of a micro-operation.
int random_start(Random& random, int depth, int hot, int count, int stride) {
    const int room = depth - ((count - 1) << stride);
    return random.chance(80) ? random.in(0, std::min(hot, room) - 1) : random.in(0, room - 1);
}

int random_stride(Random& random, int depths, int memory, int count) {
    int stride = random.chance(50) ? 0 : random.in(0, depths - 1);
    while (((count - 1) << stride) >= memory)
        --stride;
    return stride;
}

MicroOp random_simd(Random& random, const Mix& mix) {
    static const int kUsual[] = {tcu::kSimdMove, tcu::kSimdMultiply, tcu::kSimdAdd, tcu::kSimdMax};
    MicroOp op;
    op.op = random.chance(50) ? kUsual[random.in(0, 3)] : random.in(tcu::kSimdZero, tcu::kSimdMax);
    if (kHasTables && random.chance(20)) op.op = tcu::kSimdLookup;
    const int codes = kHasRegisters ? (1 << p::simd_code_w) - 1 : 0;
    op.left = random.in(0, codes);
    op.right = random.in(0, codes);
    op.dest = random.in(0, codes);
    op.read = macrame::tb::uses_input(op) && random.chance(90);
    op.write_en = op.dest == 0 || random.chance(60);
    op.accumulate = random.chance(25);
    op.acc = random_start(random, p::accumulator_depth, mix.hot, 1, 0);
    op.write = random_start(random, p::accumulator_depth, mix.hot, 1, 0);
    return op;
}

MicroOp random_op(Random& random, const Mix& mix) {
    if (random.chance(mix.simd)) return random_simd(random, mix);
    MicroOp op;
    op.kind = random.in(macrame::tb::kMatmul, macrame::tb::kToLocal);
    op.accumulate = op.kind != macrame::tb::kToLocal && random.chance(60);
    op.count = random.in(1, std::min({mix.count, p::local_depth, p::accumulator_depth}));
    op.acc_stride = random_stride(random, p::stride1_depth, p::accumulator_depth, op.count);
    op.acc = random_start(random, p::accumulator_depth, mix.hot, op.count, op.acc_stride);
    op.local_stride = random_stride(random, p::stride0_depth, p::local_depth, op.count);
    op.local = random_start(random, p::local_depth, p::local_depth, op.count, op.local_stride);
    return op;
}

class AccPrograms : public ::testing::TestWithParam<std::tuple<AccTraffic, Mix, int>> {};

TEST_P(AccPrograms, EndAsInProgramOrder) {
    const auto& [traffic, mix, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", " + mix.name + ", seed " + std::to_string(seed));
    AccBench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.fill();
    for (int table = 0; kHasTables && table <= p::lut_tables; ++table)
        bench.send_table(table);
    for (int i = 0; i < 1500; ++i) {
        if (kHasTables && bench.chance(2)) bench.send_table(bench.random().in(0, p::lut_tables));
        bench.send(random_op(bench.random(), mix));
    }
    bench.run();
    if (HasFailure()) return;
    bench.dump();
    EXPECT_GT(bench.model().saturations(), 0u);
}

const AccTraffic kTraffic[] = {
    {"full speed", 100, 100, 100, 100},
    {"gaps", 60, 60, 60, 50},
    {"slow results", 100, 15, 90, 100},
    {"slow local memory", 100, 100, 20, 20},
};

const Mix kMixes[] = {
    {"SIMD on one accumulator", 90, 1, 1},
    {"SIMD on few", 95, 4, 3},
    {"few", 50, 3, 4},
    {"vectors", 20, 8, 24},
    {"spread", 60, p::accumulator_depth, 8},
};

INSTANTIATE_TEST_SUITE_P(Table, AccPrograms,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::ValuesIn(kMixes), ::testing::Values(1, 2)));

// ---------------------------------------------------------------- cycles

constexpr int kMany = 200;
constexpr int kOnTheWay = 40;  // from the first micro-operation to the end of the last

class AccCycles : public ::testing::Test {
protected:
    AccCycles() : bench_({"full speed"}, 1) {
        bench_.fill();
        bench_.run();
    }
    /// Cycles that `count` of them take: the first, the second ... to accumulators of their own.
    template <typename Make>
    long cycles(int count, Make make) {
        for (int i = 0; i < count; ++i)
            bench_.send(make(i));
        const long cycles = bench_.run();
        bench_.dump();
        return cycles;
    }
    static MicroOp simd(int op, int left, int right, int dest) {
        MicroOp simd;
        simd.op = op;
        simd.left = left;
        simd.right = right;
        simd.dest = dest;
        simd.read = macrame::tb::uses_input(simd);
        return simd;
    }
    static int somewhere(int i) { return i % std::min(20, p::accumulator_depth); }

    AccBench bench_;
};

TEST_F(AccCycles, SimdThatReadsAndWritesTakesOne) {
    const long taken = cycles(kMany, [](int i) {
        MicroOp op = simd(tcu::kSimdMultiply, 0, 0, 0);
        op.acc = op.write = somewhere(i);
        op.write_en = true;
        return op;
    });
    EXPECT_LE(taken, kMany + kOnTheWay);
}

TEST_F(AccCycles, SimdThatReadsAndAccumulatesTakesTwo) {
    const long taken = cycles(kMany, [](int i) {
        MicroOp op = simd(tcu::kSimdMove, 0, 0, 0);
        op.acc = op.write = somewhere(i);
        op.write_en = op.accumulate = true;
        return op;
    });
    EXPECT_LE(taken, 2 * kMany + kOnTheWay);
}

/// To one accumulator: the sum is taken out of the stages.
TEST_F(AccCycles, AccumulatingAgainTakesTwo) {
    const long taken = cycles(kMany, [](int i) {
        MicroOp op = simd(tcu::kSimdMultiply, 0, 0, 0);
        op.acc = somewhere(i) + 2;
        op.write_en = op.accumulate = true;
        return op;
    });
    EXPECT_LE(taken, 2 * kMany + kOnTheWay);
}

/// A factor into a register, the product of it added to one accumulator: the sum before is three
/// elements back.
TEST_F(AccCycles, AccumulatingProductsTakesThreeOrMore) {
    if (!kHasRegisters) GTEST_SKIP() << "no registers";
    const long taken = cycles(2 * kMany, [](int i) {
        MicroOp op = simd(i % 2 == 0 ? tcu::kSimdMove : tcu::kSimdMultiply, 0, 1, (i + 1) % 2);
        op.acc = somewhere(i) + 2;
        op.write_en = op.accumulate = i % 2 != 0;
        return op;
    });
    const int wait = p::array_vectors == 2 ? 0 : p::simd_stages + 2;
    EXPECT_LE(taken, (3 + wait) * kMany + kOnTheWay);
}

TEST_F(AccCycles, AccumulatingResultsTakesOneOrHalf) {
    const int vectors = std::min(p::accumulator_depth, p::local_depth);
    MicroOp op;
    op.kind = macrame::tb::kMatmul;
    op.accumulate = true;
    op.count = vectors;
    // Not all neighbours lie in different banks: two go together in 2 of 3 cycles.
    const int least = p::array_vectors == 2 ? vectors * 2 / 3 + 1 : vectors;
    EXPECT_LE(cycles(10, [&](int) { return op; }), 10 * least + kOnTheWay);
}

TEST_F(AccCycles, MovingToLocalMemoryTakesOne) {
    const int vectors = std::min(p::accumulator_depth, p::local_depth);
    MicroOp op;
    op.kind = macrame::tb::kToLocal;
    op.count = vectors;
    // One that waits for other units starts a cycle later.
    EXPECT_LE(cycles(10, [&](int) { return op; }), 10 * (vectors + 1) + kOnTheWay);
}

TEST_F(AccCycles, OperationsThatDependOnTheOneBeforeTakeOne) {
    if (!kHasRegisters) GTEST_SKIP() << "no registers";
    const long taken = cycles(kMany, [](int i) {
        MicroOp op = simd(i % 2 == 0 ? tcu::kSimdAdd : tcu::kSimdMax, 1, 0, 1);
        op.acc = somewhere(i);
        return op;
    });
    EXPECT_LE(taken, kMany + kOnTheWay);
}

/// Lookups that do not depend on each other.
TEST_F(AccCycles, LookupTakesOne) {
    if (!kHasTables) GTEST_SKIP() << "no tables";
    for (int table = 0; table <= p::lut_tables; ++table)
        bench_.send_table(table);
    bench_.run();
    const long taken = cycles(kMany, [](int i) {
        MicroOp op = simd(tcu::kSimdLookup, 0, 0, 1);
        op.acc = somewhere(i);
        return op;
    });
    EXPECT_LE(taken, kMany + kOnTheWay);
}

/// x * scale + offset, both out of accumulators: what compiled programs have most.
TEST_F(AccCycles, ScaleAndOffset) {
    if (!kHasRegisters) GTEST_SKIP() << "no registers";
    const int ops[] = {tcu::kSimdMove, tcu::kSimdMultiply, tcu::kSimdAdd};
    const long taken = cycles(3 * kMany, [&](int i) {
        const int step = i % 3;
        MicroOp op = simd(ops[step], 0, step == 0 ? 0 : 1, step == 2 ? 0 : 1);
        op.acc = step == 1 ? somewhere(i / 3) : 20 + step;
        op.write = somewhere(i / 3);
        op.write_en = step == 2;
        return op;
    });
    EXPECT_LE(taken, 3 * kMany + kOnTheWay);
}

}  // namespace
