/// Unit test of systolic_control, in every cycle against its cycle model under random traffic; and
/// what software sees at the addresses of the C header: starts, stops, events, interrupts,
/// counters, bursts.

#include "tb/systolic/unit/control_bench.hpp"

namespace {

using macrame::systolic::kModuleCount;
using macrame::systolic::Word;
using macrame::systolic::cycles::Control;
using macrame::tb::kAddresses;
using macrame::tb::kBase;
using Bench = macrame::tb::ControlBench;
using Software = macrame::tb::ControlSoftware;

constexpr std::uint32_t kBusy = SYSTOLIC_CONTROL_STATUS_BUSY_MASK;
constexpr std::uint32_t kDone = SYSTOLIC_CONTROL_STATUS_DONE_MASK;
constexpr std::uint32_t kRefused = SYSTOLIC_CONTROL_STATUS_REFUSED_MASK;
constexpr std::uint32_t kEvents = kDone | kRefused | SYSTOLIC_CONTROL_STATUS_FETCH_ERROR_MASK |
                                  SYSTOLIC_CONTROL_STATUS_LOAD_ERROR_MASK |
                                  SYSTOLIC_CONTROL_STATUS_STORE_ERROR_MASK |
                                  SYSTOLIC_CONTROL_STATUS_ILLEGAL_MASK |
                                  SYSTOLIC_CONTROL_STATUS_STOPPED_MASK;
constexpr std::uint32_t kStopped = SYSTOLIC_CONTROL_STATUS_STOPPED_MASK;

TEST(Control, AProgram) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Software s(seed);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), 0U);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_INTERRUPT_ENABLE), kEvents);
        s.start(0x1230, 77);
        s.take_program();
        EXPECT_EQ(s.out.control2fetch_address, 0x1230U);
        EXPECT_EQ(s.out.control2fetch_count, 77U);
        s.pass(20);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
        EXPECT_FALSE(s.out.irq);
        // Fetch is idle before the resolver is.
        s.in.resolver2control_idle = false;
        s.in.fetch2control_idle = true;
        s.pass(20);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
        s.in.resolver2control_idle = true;
        s.pass(3);
        EXPECT_TRUE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kDone);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_PROGRAM_ADDRESS), 0x1230U);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_PROGRAM_COUNT), 77U);
        s.put(SYSTOLIC_CONTROL_STATUS, kDone);
        s.pass(2);
        EXPECT_FALSE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), 0U);
    }
}

TEST(Control, AStartWhileBusyIsRefused) {
    Software s(1);
    s.start(0x100, 5);
    s.start(0x200, 6);
    s.take_program();
    EXPECT_EQ(s.out.control2fetch_address, 0x100U);
    EXPECT_EQ(s.out.control2fetch_count, 5U);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy | kRefused);
    s.in.fetch2control_idle = true;
    s.pass(2);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kDone | kRefused);
    s.put(SYSTOLIC_CONTROL_STATUS, kRefused);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kDone);
    // The next start clears done.
    s.start(0x300, 7);
    s.take_program();
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
}

TEST(Control, NoInstructionsAreDoneAtOnce) {
    Software s(2);
    s.start(0x100, 0);
    s.pass(1);
    EXPECT_FALSE(s.out.control2fetch_valid);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kDone);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_CYCLES_LOW), 1U);
}

TEST(Control, WhatIsNoStart) {
    Software s(3);
    for (int i = 0; i < 8; ++i)
        s.start(0x100, 1, 0xffffu & ~(1u << i));
    s.write(kBase + 0x80, {{{0, 1ull << 32}}});
    s.write(kBase - 0x80, {{{0, 1ull << 32}}});
    s.write(kBase ^ 0x80000000u, {{{0, 1ull << 32}}});
    s.write(kBase + SYSTOLIC_CONTROL_CYCLES_LOW, {{{0, 1ull << 32}}});
    s.pass(3);
    EXPECT_FALSE(s.out.control2fetch_valid);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), 0U);
    // The upper half of the bus does not matter.
    s.start(0x100, 1, 0x00ff);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
}

/// Masters of 32 bits, and of fewer: halves in any order, then GO.
TEST(Control, AStartByParts) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        Software s(seed);
        s.start(0x7770, 0);  // other values before
        s.pass(3);
        const std::uint32_t address = 0x1230 + 16 * static_cast<std::uint32_t>(seed);
        const auto put_address = [&] { s.put(SYSTOLIC_CONTROL_PROGRAM_ADDRESS, address); };
        if (seed % 2 == 0) put_address();
        s.put(SYSTOLIC_CONTROL_PROGRAM_COUNT, 0x0305);
        if (seed % 4 == 1) {  // byte by byte
            for (std::uint32_t i = 0; i < 4; ++i)
                s.write(kBase + i, {{{0, address}, 1u << i}}, 0);
        } else if (seed % 2 != 0) {
            put_address();
        }
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kDone);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_PROGRAM_ADDRESS), address);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_PROGRAM_COUNT), 0x0305U);
        s.put(SYSTOLIC_CONTROL_GO, 0);
        s.pass(3);
        EXPECT_FALSE(s.out.control2fetch_valid);
        s.put(SYSTOLIC_CONTROL_GO, 1);
        s.take_program();
        EXPECT_EQ(s.out.control2fetch_address, address);
        EXPECT_EQ(s.out.control2fetch_count, 0x0305U);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_GO), 0U);
        // While it runs nothing of it changes.
        s.put(SYSTOLIC_CONTROL_PROGRAM_COUNT, 9);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy | kRefused);
        s.put(SYSTOLIC_CONTROL_STATUS, kRefused);
        s.put(SYSTOLIC_CONTROL_GO, 1);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy | kRefused);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_PROGRAM_COUNT), 0x0305U);
        // The same once more, with GO alone.
        s.in.fetch2control_idle = true;
        s.pass(3);
        s.put(SYSTOLIC_CONTROL_GO, 1);
        s.take_program();
        EXPECT_EQ(s.out.control2fetch_count, 0x0305U);
    }
}

/// Nothing begins any more; it is over when all that had begun has ended.
TEST(Control, AResetStopsTheProgram) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Software s(seed);
        s.start(0x100, 5);
        s.take_program();
        s.in.resolver2control_idle = false;
        s.pass(10);
        EXPECT_TRUE(s.out.control2fetch_run && s.out.control2resolver_run);
        s.put(SYSTOLIC_CONTROL_RESET, 1);
        s.pass(2);
        EXPECT_FALSE(s.out.control2fetch_run || s.out.control2resolver_run);
        s.in.fetch2control_idle = true;
        s.pass(20);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_RESET), 1U);
        EXPECT_FALSE(s.out.irq);
        s.put(SYSTOLIC_CONTROL_GO, 1);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy | kRefused);
        s.put(SYSTOLIC_CONTROL_STATUS, kRefused);
        s.in.resolver2control_idle = true;
        s.pass(3);
        EXPECT_TRUE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kStopped);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_RESET), 0U);
        // The next start clears it.
        s.start(0x300, 7);
        s.take_program();
        EXPECT_TRUE(s.out.control2fetch_run && s.out.control2resolver_run);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
    }
}

TEST(Control, AResetOfAnIdleMachine) {
    Software s(1);
    s.put(SYSTOLIC_CONTROL_RESET, 0);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), 0U);
    s.put(SYSTOLIC_CONTROL_RESET, 1);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kStopped);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_CYCLES_LOW), 0U);
    // Both in one beat: there is no start.
    s.put(SYSTOLIC_CONTROL_STATUS, kStopped);
    s.write(kBase + SYSTOLIC_CONTROL_GO, {{{0, 1ull << 32 | 1}, 0xff}}, 3);
    s.pass(3);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kStopped | kRefused);
    EXPECT_FALSE(s.out.control2fetch_run);
}

/// It ends without DONE, and tells where the first one was.
TEST(Control, AnErrorStopsTheProgram) {
    struct Row {
        bool Control::Inputs::*pin;
        std::uint64_t Control::Inputs::*address;
        std::uint32_t bit, source;
    };
    const std::array<Row, 4> kRows = {{
        {&Control::Inputs::fetch2control_error, &Control::Inputs::fetch2control_address,
         SYSTOLIC_CONTROL_STATUS_FETCH_ERROR_MASK, 1},
        {&Control::Inputs::load2control_error, &Control::Inputs::load2control_address,
         SYSTOLIC_CONTROL_STATUS_LOAD_ERROR_MASK, 2},
        {&Control::Inputs::store2control_error, &Control::Inputs::store2control_address,
         SYSTOLIC_CONTROL_STATUS_STORE_ERROR_MASK, 3},
        {&Control::Inputs::resolver2control_error, nullptr, SYSTOLIC_CONTROL_STATUS_ILLEGAL_MASK,
         0},
    }};
    for (const Row& row : kRows) {
        Software s(4);
        s.start(0x100, 5);
        s.take_program();
        s.in.resolver2control_idle = false;
        const auto pulse = [&](std::uint64_t address) {
            s.in.*row.pin = true;
            if (row.address != nullptr) s.in.*row.address = address;
            s.tick();
            s.in.*row.pin = false;
            if (row.address != nullptr) s.in.*row.address = 0;
        };
        pulse(0x1240);
        s.pass(3);
        EXPECT_TRUE(s.out.irq);
        EXPECT_FALSE(s.out.control2fetch_run || s.out.control2resolver_run);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy | row.bit);
        pulse(0x2240);
        s.in.fetch2control_idle = s.in.resolver2control_idle = true;
        s.pass(3);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kStopped | row.bit);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_ERROR_SOURCE), row.source);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_ERROR_ADDRESS), row.source != 0 ? 0x1240U : 0U);
        if (row.source == 0) continue;
        // The next one counts when this is cleared.
        s.put(SYSTOLIC_CONTROL_STATUS, row.bit);
        pulse(0x3240);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_ERROR_ADDRESS), 0x3240U);
    }
}

TEST(Control, EventsAndInterrupts) {
    const std::array<std::pair<bool Control::Inputs::*, std::uint32_t>, 4> kErrors = {{
        {&Control::Inputs::fetch2control_error, SYSTOLIC_CONTROL_STATUS_FETCH_ERROR_MASK},
        {&Control::Inputs::load2control_error, SYSTOLIC_CONTROL_STATUS_LOAD_ERROR_MASK},
        {&Control::Inputs::store2control_error, SYSTOLIC_CONTROL_STATUS_STORE_ERROR_MASK},
        {&Control::Inputs::resolver2control_error, SYSTOLIC_CONTROL_STATUS_ILLEGAL_MASK},
    }};
    for (const auto& [pin, bit] : kErrors) {
        Software s(4);
        s.in.*pin = true;
        s.tick();
        s.in.*pin = false;
        s.pass(3);
        EXPECT_TRUE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), bit);
        s.put(SYSTOLIC_CONTROL_INTERRUPT_ENABLE, ~bit);
        s.pass(2);
        EXPECT_FALSE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_INTERRUPT_ENABLE), kEvents & ~bit);
        s.put(SYSTOLIC_CONTROL_STATUS, ~bit);
        s.put(SYSTOLIC_CONTROL_INTERRUPT_ENABLE, bit);
        s.pass(2);
        EXPECT_TRUE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), bit);
        s.put(SYSTOLIC_CONTROL_STATUS, bit);
        s.pass(2);
        EXPECT_FALSE(s.out.irq);
        EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), 0U);
    }
}

TEST(Control, Counters) {
    Software s(5);
    s.start(0x100, 9);
    s.take_program();
    std::array<std::array<std::uint32_t, 4>, 3> expected{};
    for (int i = 0; i < 500; ++i) {
        for (std::size_t m = 0; m < kModuleCount; ++m) {
            s.in.resolver2control_running[m] = s.chance(20 + 20 * static_cast<int>(m));
            s.in.resolver2control_ended[m] = s.chance(10);
            s.in.resolver2control_waiting[m] = s.chance(60);
            expected[0][m] += s.in.resolver2control_running[m];
            expected[1][m] += s.in.resolver2control_ended[m];
            expected[2][m] += s.in.resolver2control_waiting[m];
        }
        s.tick();
    }
    s.in.resolver2control_running = s.in.resolver2control_ended = {};
    s.in.resolver2control_waiting = {};
    const std::uint32_t first = s.get(SYSTOLIC_CONTROL_CYCLES_LOW);
    EXPECT_GE(first, 500U);
    EXPECT_LE(first, 560U);
    // The busy machine counts on, the idle one does not.
    const long here = s.cycle();
    EXPECT_EQ(s.read(kBase + SYSTOLIC_CONTROL_CYCLES_LOW, 1).size(), 1U);
    s.in.fetch2control_idle = true;
    s.pass(5);
    const std::uint32_t last = s.get(SYSTOLIC_CONTROL_CYCLES_LOW);
    EXPECT_GT(last, first);
    EXPECT_LE(last, first + static_cast<std::uint32_t>(s.cycle() - here) + 4);
    s.pass(50);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_CYCLES_LOW), last);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_CYCLES_HIGH), 0U);
    constexpr std::uint32_t kFirst[] = {SYSTOLIC_CONTROL_LOAD_CYCLES, SYSTOLIC_CONTROL_LOAD_ENDED,
                                        SYSTOLIC_CONTROL_LOAD_WAITS};
    static_assert(SYSTOLIC_CONTROL_STORE_WAITS == SYSTOLIC_CONTROL_LOAD_WAITS + 12);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::uint32_t m = 0; m < kModuleCount; ++m)
            EXPECT_EQ(s.get(kFirst[i] + 4 * m), expected[i][m]) << i << " " << m;
    // A burst of all of them; what is behind is 0.
    const auto words = s.read(kBase + SYSTOLIC_CONTROL_LOAD_CYCLES, 12);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(words[i].low, std::uint64_t{expected[i][1]} << 32 | expected[i][0]);
        EXPECT_EQ(words[i].high, std::uint64_t{expected[i][3]} << 32 | expected[i][2]);
    }
    constexpr std::size_t kIdentity =
        (SYSTOLIC_CONTROL_IDENTITY - SYSTOLIC_CONTROL_LOAD_CYCLES) / 16;
    for (std::size_t i = 3; i < words.size(); ++i)
        EXPECT_EQ(words[i], (i == kIdentity ? Word{0, systolic_params::identity} : Word{}));
    // Narrow beats see their word of the bus; those of a fixed burst the same one.
    const auto narrow = s.read(kBase + SYSTOLIC_CONTROL_ALU_CYCLES, 6, 2);
    for (std::size_t i = 0; i < narrow.size(); ++i)
        EXPECT_EQ(narrow[i], words[i < 2 ? 0 : 1]);
    for (const Word& word : s.read(kBase + SYSTOLIC_CONTROL_LOAD_ENDED, 3, 4, 0))
        EXPECT_EQ(word, words[1]);
    // A new program counts from 0.
    s.start(0x100, 0);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STORE_WAITS), 0U);
}

TEST(Control, ABurstWritesEachRegister) {
    Software s(6);
    s.write(kBase, {{{0, 3ull << 32 | 0x40}}, {{0, 2ull << 32}, 0x00f0}, {{~0ull, ~0ull}}});
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_STATUS), kBusy);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_INTERRUPT_ENABLE), 2U);
    EXPECT_EQ(s.get(SYSTOLIC_CONTROL_PROGRAM_COUNT), 3U);
}

/// Anything on all inputs that AXI4 allows, against the model.
TEST(Control, AnyTraffic) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Bench b(seed);
        const auto any_address = [&] {
            return b.chance(80) ? kBase + (b.random().word() & 0x7f)
                                : b.random().word() & 0xfff000f0u;
        };
        for (int i = 0; i < 5000; ++i) {
            // What stalls is held.
            if (!b.in.awvalid || b.out.awready) {
                b.in.awvalid = b.chance(40);
                b.in.awaddr = any_address();
                b.in.awid = b.random().word() & 15;
                b.in.awsize = static_cast<std::uint32_t>(b.random().in(0, 4));
                b.in.awburst = static_cast<std::uint32_t>(b.random().in(0, 1));
            }
            if (!b.in.wvalid || b.out.wready) {
                b.in.wvalid = b.chance(60);
                b.in.wlast = b.chance(50);
                b.in.wdata = {b.random().bits(), b.random().bits()};
                if (b.chance(20)) b.in.wdata.low &= 0xffffffff;
                if (b.chance(80)) b.in.wdata.low &= ~(std::uint64_t{1} << 32);  // few resets
                b.in.wstrb = b.chance(70) ? 0xffff : b.random().word() & 0xffff;
            }
            if (!b.in.arvalid || b.out.arready) {
                b.in.arvalid = b.chance(40);
                b.in.araddr = any_address();
                b.in.arid = b.random().word() & 15;
                b.in.arlen = static_cast<std::uint32_t>(b.random().low(0, 10));
                b.in.arsize = static_cast<std::uint32_t>(b.random().in(0, 4));
                b.in.arburst = static_cast<std::uint32_t>(b.random().in(0, 1));
            }
            b.in.bready = b.chance(60);
            b.in.rready = b.chance(60);
            b.in.control2fetch_ready = b.chance(30);
            b.in.fetch2control_idle = b.chance(40);
            b.in.resolver2control_idle = b.chance(40);
            b.in.fetch2control_error = b.chance(5);
            b.in.load2control_error = b.chance(5);
            b.in.store2control_error = b.chance(5);
            b.in.fetch2control_address = b.random().bits() & kAddresses;
            b.in.load2control_address = b.random().bits() & kAddresses;
            b.in.store2control_address = b.random().bits() & kAddresses;
            b.in.resolver2control_error = b.chance(5);
            for (std::size_t m = 0; m < kModuleCount; ++m) {
                b.in.resolver2control_running[m] = b.chance(50);
                b.in.resolver2control_waiting[m] = b.chance(50);
                b.in.resolver2control_ended[m] = b.chance(50);
            }
            b.tick();
            if (HasFailure()) return;
        }
    }
}

}  // namespace
