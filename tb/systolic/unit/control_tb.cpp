/// Unit test of systolic_control, in every cycle against its cycle model under random traffic; and
/// what software sees at the addresses of the C header: starts, events, interrupts, counters, bursts.

#include "verif/systolic/cycles/control.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "systolic_params.hpp"
#include "systolic_regs.h"
#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tb/systolic/system/architecture.hpp"

namespace {

namespace p = systolic_params;
using macrame::systolic::kModuleCount;
using macrame::systolic::Word;
using macrame::systolic::word_of_bytes;
using macrame::systolic::cycles::Control;
using macrame::tb::architecture;
using macrame::tb::get_bytes;
using macrame::tb::put_bytes;
using macrame::tb::UnitBench;

constexpr std::uint32_t kBase = p::config_address;

/// Drives what `in` says, and compares.
class Bench : public UnitBench {
public:
    explicit Bench(std::uint64_t seed) : UnitBench(seed) {
        in.fetch2control_idle = in.resolver2control_idle = true;
        reset();
    }

    Control::Inputs in;    ///< of the next cycle
    Control::Outputs out;  ///< of the last one

protected:
    void drive(Vdut& dut) override {
        dut.s_axi_awvalid = in.awvalid;
        dut.s_axi_awid = static_cast<std::uint8_t>(in.awid);
        dut.s_axi_awaddr = in.awaddr;
        dut.s_axi_awsize = static_cast<std::uint8_t>(in.awsize);
        dut.s_axi_awburst = static_cast<std::uint8_t>(in.awburst);
        dut.s_axi_wvalid = in.wvalid;
        dut.s_axi_wlast = in.wlast;
        const auto bytes = word_bytes(in.wdata);
        put_bytes(dut.s_axi_wdata, bytes.data(), 16);
        dut.s_axi_wstrb = static_cast<std::uint16_t>(in.wstrb);
        dut.s_axi_bready = in.bready;
        dut.s_axi_arvalid = in.arvalid;
        dut.s_axi_arid = static_cast<std::uint8_t>(in.arid);
        dut.s_axi_araddr = in.araddr;
        dut.s_axi_arlen = static_cast<std::uint8_t>(in.arlen);
        dut.s_axi_arsize = static_cast<std::uint8_t>(in.arsize);
        dut.s_axi_arburst = static_cast<std::uint8_t>(in.arburst);
        dut.s_axi_rready = in.rready;
        dut.control2fetch_ready = in.control2fetch_ready;
        dut.fetch2control_idle = in.fetch2control_idle;
        dut.fetch2control_error = in.fetch2control_error;
        dut.load2control_error = in.load2control_error;
        dut.store2control_error = in.store2control_error;
        dut.resolver2control_idle = in.resolver2control_idle;
        dut.resolver2control_error = in.resolver2control_error;
        dut.resolver2control_running = bits(in.resolver2control_running);
        dut.resolver2control_waiting = bits(in.resolver2control_waiting);
        dut.resolver2control_ended = bits(in.resolver2control_ended);
    }

    void sample(Vdut& dut) override {
        out = model_.outputs();
        SCOPED_TRACE("cycle " + std::to_string(cycle()));
        ASSERT_EQ(dut.s_axi_awready, out.awready);
        ASSERT_EQ(dut.s_axi_wready, out.wready);
        ASSERT_EQ(dut.s_axi_bvalid, out.bvalid);
        ASSERT_EQ(dut.s_axi_arready, out.arready);
        ASSERT_EQ(dut.s_axi_rvalid, out.rvalid);
        ASSERT_EQ(dut.irq, out.irq);
        ASSERT_EQ(dut.control2fetch_valid, out.control2fetch_valid);
        ASSERT_EQ(dut.s_axi_bresp | dut.s_axi_rresp, 0);
        if (out.bvalid) {
            ASSERT_EQ(dut.s_axi_bid, out.bid);
        }
        if (out.rvalid) {
            std::array<std::uint8_t, 16> bytes;
            get_bytes(dut.s_axi_rdata, bytes.data(), 16);
            ASSERT_EQ(word_of_bytes(bytes.data()), out.rdata);
            ASSERT_EQ(dut.s_axi_rlast, out.rlast);
            ASSERT_EQ(dut.s_axi_rid, out.rid);
        }
        if (out.control2fetch_valid) {
            ASSERT_EQ(dut.control2fetch_address, out.control2fetch_address);
            ASSERT_EQ(dut.control2fetch_count, out.control2fetch_count);
        }
        model_.clock(in);
    }

private:
    static std::uint8_t bits(const std::array<bool, kModuleCount>& flags) {
        unsigned value = 0;
        for (std::size_t m = 0; m < kModuleCount; ++m)
            value |= unsigned{flags[m]} << m;
        return static_cast<std::uint8_t>(value);
    }

    Control model_{architecture(), kBase};
};

/// Software, with bursts and stalls.
class Software : public Bench {
public:
    using Bench::Bench;

    struct Beat {
        Word data;
        std::uint32_t strobes = 0xffff;
    };

    void write(std::uint32_t address, const std::vector<Beat>& beats, std::uint32_t size = 4,
               std::uint32_t burst = 1) {
        in.awvalid = true;
        in.awaddr = address;
        in.awsize = size;
        in.awburst = burst;
        in.awid = random().word() & 15;
        wait([&] { return out.awready; });
        in.awvalid = false;
        for (std::size_t i = 0; i < beats.size(); ++i) {
            gap();
            in.wvalid = true;
            in.wdata = beats[i].data;
            in.wstrb = beats[i].strobes;
            in.wlast = i + 1 == beats.size();
            wait([&] { return out.wready; });
            in.wvalid = false;
        }
        gap();
        in.bready = true;
        wait([&] { return out.bvalid; });
        EXPECT_EQ(out.bid, in.awid);
        in.bready = false;
    }

    std::vector<Word> read(std::uint32_t address, int beats, std::uint32_t size = 4,
                           std::uint32_t burst = 1) {
        in.arvalid = true;
        in.araddr = address;
        in.arsize = size;
        in.arburst = burst;
        in.arlen = static_cast<std::uint32_t>(beats - 1);
        in.arid = random().word() & 15;
        wait([&] { return out.arready; });
        in.arvalid = false;
        std::vector<Word> words;
        for (int i = 0; i < beats; ++i) {
            gap();
            in.rready = true;
            wait([&] { return out.rvalid; });
            EXPECT_EQ(out.rid, in.arid);
            EXPECT_EQ(out.rlast, i + 1 == beats);
            words.push_back(out.rdata);
            in.rready = false;
        }
        return words;
    }

    /// 32 bits at an offset of the C header.
    std::uint32_t get(std::uint32_t offset) {
        const Word word = read(kBase + offset / 16 * 16, 1)[0];
        const std::uint64_t half = offset % 16 >= 8 ? word.high : word.low;
        return static_cast<std::uint32_t>(half >> (offset % 8 * 8));
    }
    void put(std::uint32_t offset, std::uint32_t value) {
        const std::uint64_t half = std::uint64_t{value} << (offset % 8 * 8);
        const bool high = offset % 16 >= 8;
        write(kBase + offset, {{{high ? half : 0, high ? 0 : half}, 0xfu << offset % 16}}, 2);
    }

    void start(std::uint32_t address, std::uint32_t count, std::uint32_t strobes = 0xffff) {
        write(kBase + SYSTOLIC_CONTROL_PROGRAM_ADDRESS,
              {{{random().bits(), random().bits() << 48 | std::uint64_t{count} << 32 | address},
                strobes}});
    }

    /// Fetch takes the program and is busy with it.
    void take_program() {
        in.control2fetch_ready = true;
        wait([&] { return out.control2fetch_valid; });
        in.control2fetch_ready = false;
        in.fetch2control_idle = false;
    }

    void pass(int cycles) {
        for (int i = 0; i < cycles; ++i)
            tick();
    }

private:
    void gap() {
        while (chance(30))
            tick();
    }
    /// A cycle, and more of them until one in which it is so.
    template <typename Condition>
    void wait(Condition condition) {
        const long limit = cycle() + 100;
        do {
            tick();
            ASSERT_LT(cycle(), limit) << "nothing moves";
        } while (!condition());
    }
};

constexpr std::uint32_t kBusy = SYSTOLIC_CONTROL_STATUS_BUSY_MASK;
constexpr std::uint32_t kDone = SYSTOLIC_CONTROL_STATUS_DONE_MASK;
constexpr std::uint32_t kRefused = SYSTOLIC_CONTROL_STATUS_REFUSED_MASK;
constexpr std::uint32_t kEvents = kDone | kRefused | SYSTOLIC_CONTROL_STATUS_FETCH_ERROR_MASK |
                                  SYSTOLIC_CONTROL_STATUS_LOAD_ERROR_MASK |
                                  SYSTOLIC_CONTROL_STATUS_STORE_ERROR_MASK |
                                  SYSTOLIC_CONTROL_STATUS_ILLEGAL_MASK;

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
    for (std::size_t i = 3; i < words.size(); ++i)
        EXPECT_EQ(words[i], Word{});
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
