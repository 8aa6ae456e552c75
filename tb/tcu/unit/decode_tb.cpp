/// Unit test of tcu_decode: random programs become the micro-operations that a vector by vector
/// reference makes of them; units that do theirs as early as tags allow, or much later, never meet
/// an older access that is not done; all of it ends. Configuration, flags, speed.

#include "tb/tcu/unit/decode_bench.hpp"

namespace {

using namespace macrame::tcu;
using namespace macrame::tcu::test;
using macrame::verif::Random;

constexpr Pace kPaces[] = {
    {"fast", 100, 100, {100, 100, 100, 100, 100}, 100},
    {"random", 50, 50, {30, 30, 30, 30, 30}, 30},
    {"slow load", 100, 100, {2, 100, 100, 100, 100}, 100},
    {"slow store", 100, 100, {100, 2, 100, 100, 100}, 100},
    {"slow acknowledge", 100, 100, {100, 100, 100, 100, 100}, 2},
    {"slow weights", 100, 100, {100, 100, 2, 100, 100}, 100},
    {"slow feed", 100, 100, {100, 100, 100, 2, 100}, 100},
    {"slow acc", 100, 100, {100, 100, 100, 100, 2}, 100},
};
constexpr Pace kFast = kPaces[0];

/// Random instructions within a part of each memory, small ones for many conflicts.
class Programs {
public:
    explicit Programs(std::uint64_t seed) : random_(seed) {
        local_ = window(p::local_depth);
        acc_ = window(p::accumulator_depth);
        dram_[0] = window(p::dram0_depth);
        dram_[1] = window(p::dram1_depth);
    }

    Instruction next() {
        const int what = random_.in(0, 99);
        if (what < 45) return move();
        if (what < 65) return matmul();
        if (what < 75) return weights();
        if (what < 94) return simd();
        if (what < 97) return configure();
        if (p::lut_tables > 0 && random_.chance(50)) return load_lut();
        return nothing();
    }

    Instruction simd() {
        Instruction i;
        i.opcode = kSimd;
        i.flags = random_.in(0, 7);
        i.simd_op = random_.in(0, 15);
        if (p::lut_tables > 0 && random_.chance(20))
            i.simd_op = random_.chance(80) ? int{kSimdLookup} : random_.in(17, 31);
        i.simd_left = random_.in(0, p::simd_registers_depth);
        i.simd_right = random_.in(0, p::simd_registers_depth);
        i.simd_dest = random_.in(0, p::simd_registers_depth);
        i.address0 = address(acc_);
        i.address1 = address(acc_);
        return i;
    }

private:
    struct Window {
        std::uint64_t first, size;
    };

    std::uint64_t below(std::uint64_t limit) { return random_.bits() % limit; }

    Window window(std::uint64_t depth) {
        const std::uint64_t size =
            random_.chance(30) ? depth : 1 + below(std::min(depth, std::uint64_t{300}));
        return {below(depth - size + 1), size};
    }
    std::uint64_t address(const Window& w) { return w.first + below(w.size); }

    /// A range of `w` with at most `most` vectors.
    std::uint64_t range(const Window& w, std::uint64_t most, std::uint64_t start, int stride) {
        return std::min(most, ((w.first + w.size - 1 - start) >> stride) + 1);
    }
    int stride(int depth) { return random_.chance(60) ? 0 : random_.low(0, depth - 1); }

    /// Addresses and size within both memories.
    void place(Instruction& i, const Window* one) {
        i.stride0 = stride(p::stride0_depth);
        i.address0 = address(local_);
        std::uint64_t most = static_cast<std::uint64_t>(random_.pick({1, 8, 40, 400}));
        most = range(local_, most, i.address0, i.stride0);
        if (one != nullptr) {
            i.stride1 = stride(p::stride1_depth);
            i.address1 = address(*one);
            most = range(*one, most, i.address1, i.stride1);
        }
        i.size = 1 + below(most);
    }

    Instruction move() {
        Instruction i;
        i.opcode = kDataMove;
        i.flags = random_.pick({kDram0ToLocal, kLocalToDram0, kDram1ToLocal, kLocalToDram1,
                                kAccumulatorToLocal, kAccumulatorToLocal, kLocalToAccumulator,
                                kLocalToAccumulatorAdd});
        const Space space = move_space(i.flags);
        place(i, space == Space::accumulators ? &acc_ : &dram_[space == Space::dram1]);
        return i;
    }

    Instruction matmul() {
        Instruction i;
        i.opcode = kMatMul;
        i.flags = random_.in(0, 3);
        place(i, &acc_);
        if (i.has(kMatMulZeroes)) i.size = range(acc_, 1 + below(500), i.address1, i.stride1);
        return i;
    }

    Instruction weights() {
        Instruction i;
        i.opcode = kLoadWeights;
        i.flags = random_.chance(20);
        place(i, nullptr);
        return i;
    }

    /// Not the program counter: its test is another one.
    Instruction configure() {
        const Layout layout = layout_of(architecture());
        Instruction i;
        i.opcode = kConfigure;
        i.config_register = random_.pick({0, 1, 4, 5, 0xb, 2, 3, 6, 7, 0xc, 0xf});
        i.config_value =
            static_cast<std::uint32_t>(below(std::uint64_t{1} << layout.configure_value_bits));
        return i;
    }

    Instruction load_lut() {
        Instruction i;
        i.opcode = kLoadLut;
        i.flags = random_.chance(30) ? random_.in(0, 15) : 0;
        i.stride0 = stride(p::stride0_depth);
        constexpr int kLast = p::lut_tables > 0 ? p::lut_depth - 1 : 0;
        while (kLast << i.stride0 >= p::local_depth)
            --i.stride0;
        i.address0 = below(static_cast<std::uint64_t>(p::local_depth - (kLast << i.stride0)));
        i.address1 = below(p::lut_tables + 1);
        return i;
    }

    Instruction nothing() {
        Instruction i;
        i.opcode = random_.pick({kNoOp, kDataMove, 5, 6, 9, 0xe});
        if (i.opcode == kDataMove) i.flags = random_.pick({4, 5, 6, 7, 8, 9, 0xa, 0xb, 0xe});
        if (i.opcode == kLoadLut && p::lut_tables > 0)  // a table that does not exist
            i.address1 = static_cast<std::uint64_t>(random_.in(p::lut_tables + 1, 255));
        i.size = 1;
        return i;
    }

    Random random_;
    Window local_{}, acc_{}, dram_[2] = {};
};

void expect_state(const DecodeBench& bench) {
    EXPECT_EQ(bench.program_counter(), bench.reference().counter);
    EXPECT_EQ(bench.sample_interval(), bench.reference().sample_interval);
}

TEST(Decode, ProgramsKeepTheirOrder) {
    std::size_t micro_ops = 0;
    for (const Pace& pace : kPaces) {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            SCOPED_TRACE(std::string(pace.name) + ", seed " + std::to_string(seed));
            DecodeBench bench(pace, seed);
            Programs programs(seed);
            for (int i = 0; i < 200; ++i)
                bench.send(programs.next());
            bench.run();
            if (HasFailure()) return;
            expect_state(bench);
            micro_ops += bench.reference().ops.size();
        }
    }
    EXPECT_GT(micro_ops, 96U * 150U);
}

/// A unit that waits long keeps its tags, whatever the others do meanwhile.
TEST(Decode, TagsSurviveLongWaits) {
    for (int engine = 0; engine < kEngines; ++engine) {
        Pace pace = kFast;
        pace.engines[static_cast<std::size_t>(engine)] = 1;
        SCOPED_TRACE("engine " + std::to_string(engine));
        DecodeBench bench(pace, 70 + static_cast<std::uint64_t>(engine));
        Programs programs(80 + static_cast<std::uint64_t>(engine));
        for (int i = 0; i < 800; ++i)
            bench.send(programs.next());
        bench.run();
        if (HasFailure()) return;
    }
}

Instruction of(int opcode, int flags = 0) {
    Instruction i;
    i.opcode = opcode;
    i.flags = flags;
    return i;
}

Instruction configure(int number, std::uint32_t value) {
    Instruction i = of(kConfigure);
    i.config_register = number;
    i.config_value = value;
    return i;
}

TEST(DecodeSpeed, SimdEveryCycle) {
    DecodeBench bench(kFast, 5);
    Programs programs(6);
    const std::size_t kCount = 1000;
    while (bench.reference().ops.size() < kCount)
        bench.send(programs.simd());
    const std::size_t sent = bench.reference().counter;
    bench.run();
    EXPECT_LE(bench.finished_at(), static_cast<long>(sent) + 25);
}

/// Pieces of one vector each, as the steps are as large as blocks; fewer than are bound to wait for
/// the units, which are slower here.
TEST(DecodeSpeed, PieceEveryCycle) {
    constexpr int kTimes = 6, kPieces = 32;
    static_assert(kTimes * kPieces < 2 << (p::transfer_tag_w - 3) || p::transfer_tag_w < 10, "");
    if (p::stride0_depth <= p::local_block_w || p::local_depth >> p::local_block_w < kPieces ||
        p::transfer_tag_w < 10)
        GTEST_SKIP();
    DecodeBench bench(kFast, 7);
    bench.wait(2 * p::order_blocks);  // the tables are clear
    for (int n = 0; n < kTimes; ++n) {
        Instruction i = of(kMatMul);
        i.stride0 = p::local_block_w;
        i.size = kPieces;
        bench.send(i);
    }
    bench.wait(kTimes * kPieces + 12);
    EXPECT_EQ(bench.issued(), static_cast<std::size_t>(kTimes * kPieces + 1));
    bench.run();
}

TEST(DecodeConfigure, ProgramCounterCountsAndIsSet) {
    DecodeBench bench(kFast, 8);
    Programs programs(9);
    bench.send(of(kNoOp));
    bench.send(configure(kProgramCounter, 1000));
    for (int i = 0; i < 5; ++i)
        bench.send(programs.simd());
    bench.send(of(7));
    bench.run();
    EXPECT_EQ(bench.program_counter(), 1006U);
}

TEST(DecodeConfigure, TracepointWhileTheCounterIsThere) {
    DecodeBench bench(kFast, 10);
    bench.send(configure(kTracepoint, 3));
    bench.run();
    EXPECT_FALSE(bench.tracepoint());
    bench.send(of(kNoOp));
    bench.run();
    EXPECT_FALSE(bench.tracepoint());
    bench.send(of(kNoOp));
    bench.run();
    EXPECT_TRUE(bench.tracepoint());
    bench.send(of(kNoOp));
    bench.run();
    EXPECT_FALSE(bench.tracepoint());
}

/// Fills decode until an instruction cannot leave, after this many cycles.
int cycles_to_timeout(DecodeBench& bench, int most) {
    bench.block(true);
    Programs programs(12);
    for (int i = 0; i < 60; ++i)
        bench.send(programs.simd());
    for (int i = 0; i < most; ++i) {
        bench.wait(1);
        if (bench.timeout()) return i;
    }
    return most;
}

TEST(DecodeConfigure, TimeoutWhenAnInstructionWaits) {
    for (const int timeout : {0, 50, 400}) {  // 0: as after reset
        DecodeBench bench(kFast, 11);
        bench.wait(300);
        EXPECT_FALSE(bench.timeout());
        if (timeout > 0) bench.send(configure(kTimeout, static_cast<std::uint32_t>(timeout)));
        bench.run();
        const int cycles = cycles_to_timeout(bench, 1000);
        const int expected = timeout > 0 ? timeout : p::decoder_timeout;
        EXPECT_GE(cycles, expected);
        EXPECT_LE(cycles, expected + 90);
        bench.wait(100);
        EXPECT_TRUE(bench.timeout());
        bench.block(false);
        bench.run();
        EXPECT_FALSE(bench.timeout());
    }
}

TEST(DecodeConfigure, TimeoutOfZeroIsAlwaysThere) {
    DecodeBench bench(kFast, 13);
    bench.send(configure(kTimeout, 0));
    bench.run();
    EXPECT_TRUE(bench.timeout());
}

/// Any bits at all.
Instruction scrambled(Random& random) {
    const Layout layout = layout_of(architecture());
    std::vector<std::uint8_t> bytes(p::instruction_bytes);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(
            random.bits() & (random.chance(40) ? random.bits() & random.bits() : 0xff));
    if (random.chance(50))
        bytes.back() = static_cast<std::uint8_t>(random.in(1, p::lut_tables > 0 ? 5 : 4) << 4 |
                                                 random.in(0, 15));
    return decode(layout, bytes.data());
}

TEST(DecodeValidate, ErrorFlagWhileAnInstructionBreaksARule) {
    if (!p::validate_instructions) GTEST_SKIP();
    Random random(14);
    int errors = 0, harmless = 0;
    for (int i = 0; i < 1500; ++i) {
        Programs programs(static_cast<std::uint64_t>(i));
        const Instruction instruction = random.chance(40) ? programs.next() : scrambled(random);
        DecodeBench bench(kFast, 15);
        bench.send_raw(instruction);
        bool error = false;
        for (int cycle = 0; cycle < 10; ++cycle) {
            bench.wait(1);
            error = error || bench.error();
        }
        const bool expected = raises_error(architecture(), instruction);
        ASSERT_EQ(error, expected) << "instruction " << i << " opcode " << instruction.opcode
                                   << " flags " << instruction.flags;
        (expected ? errors : harmless) += 1;
        bench.wait(1);
        ASSERT_FALSE(bench.error());
    }
    EXPECT_GT(errors, 300);
    EXPECT_GT(harmless, 100);
}

}  // namespace
