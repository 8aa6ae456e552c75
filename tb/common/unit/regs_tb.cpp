/// Plain register files on every kind of bus against one model: random accesses with random gaps
/// and stalls, live inputs that change every cycle, all outputs compared in every cycle.
/// The register files are written by generator/test/regs/regs_dut_main.cpp.

#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>

#include "Vdut.h"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"

namespace {

using macrame::tb::get_bits;

constexpr std::uint32_t kId = 0xca5e0001;

/// What the registers hold.
struct Model {
    std::uint32_t ctrl = 0x000abc51, data = 0;
    bool sticky = false;

    static bool mapped(unsigned word) { return word != 4 && word < 6; }

    std::uint32_t read(unsigned word, bool busy, std::uint32_t count) const {
        switch (word) {
            case 0:
                return kId;
            case 1:
                return ctrl;
            case 2:
                return data;
            case 3:
                return (count << 16) | (sticky ? 2u : 0u) | (busy ? 1u : 0u);
            default:
                return 0;
        }
    }

    void write(unsigned word, std::uint32_t value, unsigned strobes) {
        std::uint32_t bytes = 0;
        for (int i = 0; i < 4; ++i) {
            if ((strobes >> i) & 1u) bytes |= 0xffu << (8 * i);
        }
        const auto merge = [&](std::uint32_t old, std::uint32_t mask) {
            return (old & ~(bytes & mask)) | (value & bytes & mask);
        };
        if (word == 1) ctrl = merge(ctrl, 0x000fff71);
        if (word == 2) data = merge(data, ~0u);
        if (word == 3) sticky = (merge(sticky ? 2u : 0u, 2u) & 2u) != 0;
    }
};

/// A design out of reset, its inputs and its outputs. `Bus` is 0 native, 1 AXI4-Lite, 2 APB4.
class Bench {
public:
    Bench(int bus, unsigned seed) : bus_(bus), context_(seed), random(seed), top(&context_) {
        top.rst_n = 1;
        top.clk = 0;
        top.reg_valid = top.awvalid = top.wvalid = top.arvalid = top.bready = top.rready = 0;
        top.psel = top.penable = 0;
        top.eval();
        top.rst_n = 0;
        cycle();
        cycle();
        top.rst_n = 1;
        cycle();
    }

    bool chance(unsigned percent) { return random() % 100 < percent; }
    /// A register more often than a hole.
    unsigned pick_word() { return chance(80) ? random() % 4 : random() % 8; }
    std::uint32_t pick_data() { return chance(20) ? ~0u : static_cast<std::uint32_t>(random()); }
    unsigned pick_strobes() { return chance(50) ? 15u : random() % 16; }

    /// One clock edge, and new live inputs behind it.
    void cycle() {
        busy_before = busy_;
        count_before = count_;
        top.clk = 1;
        top.eval();
        busy_ = random() % 2 == 0;
        count_ = static_cast<std::uint16_t>(random());
        top.busy = busy_;
        top.count = count_;
        top.clk = 0;
        top.eval();
    }

    /// All outputs; `wrote` is the word that was written by the last edge.
    void check(std::optional<unsigned> wrote) {
        ASSERT_EQ(get_bits(top.enable, bus_, 1), model.ctrl & 1u);
        ASSERT_EQ(get_bits(top.level, 12 * bus_, 12), (model.ctrl >> 8) & 0xfffu);
        ASSERT_EQ(get_bits(top.data, 32 * bus_, 32), model.data);
        ASSERT_EQ(get_bits(top.sticky, bus_, 1), model.sticky ? 1u : 0u);
        ASSERT_EQ(get_bits(top.ctrl_wr, bus_, 1), wrote == 1u ? 1u : 0u);
        ASSERT_EQ(get_bits(top.key_wr, bus_, 1), wrote == 5u ? 1u : 0u);
    }

    /// What a word read as in front of the last edge.
    std::uint32_t before(unsigned word) const {
        return model.read(word, busy_before, count_before);
    }

private:
    int bus_;
    macrame::tb::RandomState context_;
    bool busy_ = false;
    std::uint16_t count_ = 0;

public:
    std::mt19937 random;
    Vdut top;
    Model model;
    bool busy_before = false;
    std::uint16_t count_before = 0;
};

TEST(Regs, Native) {
    for (unsigned seed : {1u, 2u, 3u}) {
        Bench bench(0, seed);
        for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
            const bool valid = bench.chance(70), write = bench.chance(50);
            const unsigned word = bench.pick_word();
            const std::uint32_t data = bench.pick_data();
            bench.top.reg_valid = valid;
            bench.top.reg_write = write;
            bench.top.reg_addr = static_cast<std::uint8_t>(word);
            bench.top.reg_wdata = data;
            bench.cycle();
            ASSERT_EQ(bench.top.reg_rdata, valid && !write ? bench.before(word) : 0u)
                << "seed " << seed;
            if (valid && write) bench.model.write(word, data, 15);
            bench.check(valid && write ? std::optional(word) : std::nullopt);
        }
    }
}

TEST(Regs, Apb4) {
    for (unsigned seed : {1u, 2u, 3u}) {
        Bench bench(2, seed);
        Vdut& top = bench.top;
        for (int i = 0; i < 10000 && !HasFatalFailure(); ++i) {
            if (bench.chance(40)) {
                top.psel = 0;
                bench.cycle();
                bench.check({});
                continue;
            }
            const bool write = bench.chance(50);
            const unsigned word = bench.pick_word(), strobes = write ? bench.pick_strobes() : 0;
            const std::uint32_t data = bench.pick_data();
            top.psel = 1;
            top.penable = 0;
            top.pwrite = write;
            top.paddr = static_cast<std::uint8_t>(4 * word + bench.random() % 4);
            top.pwdata = data;
            top.pstrb = static_cast<std::uint8_t>(strobes);
            bench.cycle();
            bench.check({});
            ASSERT_EQ(top.pready, 1);
            ASSERT_EQ(top.pslverr, Model::mapped(word) ? 0 : 1) << "word " << word;
            if (!write) {
                ASSERT_EQ(top.prdata, bench.before(word)) << "word " << word << " seed " << seed;
            }
            top.penable = 1;
            bench.cycle();
            top.psel = top.penable = 0;
            if (write) bench.model.write(word, data, strobes);
            bench.check(write ? std::optional(word) : std::nullopt);
            ASSERT_EQ(top.pslverr, 0);
        }
    }
}

/// Writes and reads at the same time; address and data of a write in any order.
class AxiMaster {
public:
    AxiMaster(unsigned seed, unsigned valid_percent, unsigned ready_percent)
        : bench_(1, seed), valid_percent_(valid_percent), ready_percent_(ready_percent) {}

    void cycle() {
        drive();
        Vdut& top = bench_.top;
        top.eval();
        const bool aw = top.awvalid && top.awready, w = top.wvalid && top.wready;
        const bool b = top.bvalid && top.bready, ar = top.arvalid && top.arready;
        const bool r = top.rvalid && top.rready;
        const bool b_was = top.bvalid, r_was = top.rvalid;
        const std::uint32_t rdata = top.rdata;
        const unsigned bresp = top.bresp, rresp = top.rresp;
        bench_.cycle();
        if (aw) aw_taken_ = true;
        if (w) w_taken_ = true;
        if (ar) ar_taken_ = true;
        // One at a time: nothing is taken while an answer is due.
        ASSERT_FALSE(aw_taken_ && top.awready && !b);
        ASSERT_FALSE(w_taken_ && top.wready && !b);
        ASSERT_FALSE(ar_taken_ && top.arready && !r);
        std::optional<unsigned> wrote;
        if (!b_was && top.bvalid) {
            ASSERT_TRUE(aw_taken_ && w_taken_);
            wrote = word_w_;
            bench_.model.write(word_w_, data_, strobes_);
            ASSERT_EQ(top.bresp, Model::mapped(word_w_) ? 0 : 2);
        }
        if (!r_was && top.rvalid) {
            ASSERT_TRUE(ar_taken_);
            ASSERT_EQ(top.rdata, bench_.before(word_r_)) << "word " << word_r_;
            ASSERT_EQ(top.rresp, Model::mapped(word_r_) ? 0 : 2);
        }
        if (b_was && !b) {
            ASSERT_TRUE(top.bvalid && top.bresp == bresp);
        }
        if (r_was && !r) {
            ASSERT_TRUE(top.rvalid && top.rresp == rresp && top.rdata == rdata);
        }
        bench_.check(wrote);
        if (b) finish_write();
        if (r) finish_read();
    }

    int writes = 0, reads = 0;

private:
    void drive() {
        Vdut& top = bench_.top;
        if (!writing_ && bench_.chance(valid_percent_)) {
            writing_ = true;
            word_w_ = bench_.pick_word();
            data_ = bench_.pick_data();
            strobes_ = bench_.pick_strobes();
        }
        if (!reading_ && bench_.chance(valid_percent_)) {
            reading_ = true;
            word_r_ = bench_.pick_word();
        }
        // A valid stays until it is taken.
        const auto offer = [&](bool open, bool taken, bool now) {
            return open && !taken && (now || bench_.chance(valid_percent_));
        };
        top.awvalid = offer(writing_, aw_taken_, top.awvalid);
        top.wvalid = offer(writing_, w_taken_, top.wvalid);
        top.arvalid = offer(reading_, ar_taken_, top.arvalid);
        top.awaddr = static_cast<std::uint8_t>(4 * word_w_);
        top.wdata = data_;
        top.wstrb = static_cast<std::uint8_t>(strobes_);
        top.araddr = static_cast<std::uint8_t>(4 * word_r_);
        top.bready = bench_.chance(ready_percent_);
        top.rready = bench_.chance(ready_percent_);
    }

    void finish_write() {
        writing_ = aw_taken_ = w_taken_ = false;
        ++writes;
    }
    void finish_read() {
        reading_ = ar_taken_ = false;
        ++reads;
    }

    Bench bench_;
    unsigned valid_percent_, ready_percent_;
    bool writing_ = false, reading_ = false;
    bool aw_taken_ = false, w_taken_ = false, ar_taken_ = false;
    unsigned word_w_ = 0, word_r_ = 0, strobes_ = 0;
    std::uint32_t data_ = 0;
};

TEST(Regs, Axi4Lite) {
    for (unsigned valid : {100u, 50u, 15u}) {
        for (unsigned ready : {100u, 50u, 15u}) {
            AxiMaster master(valid + ready, valid, ready);
            for (int i = 0; i < 20000; ++i) {
                master.cycle();
                ASSERT_FALSE(HasFatalFailure()) << "valid " << valid << " ready " << ready;
            }
            EXPECT_GT(master.writes, 500);
            EXPECT_GT(master.reads, 500);
        }
    }
}

}  // namespace
