// axi_port, mem_path and the memories behind them: random bursts of a bus port and transfers of a
// host at the same time, against a copy of the memory.
#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "Vdut.h"
#include "fpga/sim/sdram_model.hpp"
#include "tb/common/random_state.hpp"
#include "verif/common/memory.hpp"

namespace macrame::fpga {
namespace {

constexpr std::uint32_t kPage = 4096;
constexpr std::uint64_t kMemoryBytes = MEMORY_SDRAM ? 32u << 20 : 64u << 10;

struct Burst {
    std::uint8_t id = 0;
    std::uint32_t addr = 0;
    std::vector<std::uint64_t> beats;
    std::vector<std::uint8_t> strobes;
};

class BoardMemory : public ::testing::TestWithParam<unsigned> {
protected:
    BoardMemory()
        : random_(GetParam()),
          context_(GetParam()),
          dut_(std::make_unique<Vdut>(&context_)),
          sdram_(chips_, 9, times()) {
        Vdut& dut = *dut_;
        dut.clk = 0;
        dut.seg_we = dut.aw_valid = dut.w_valid = dut.ar_valid = dut.h_valid = 0;
        dut.b_ready = dut.r_ready = 0;
        dut.rst_n = 1;
        dut.eval();
        dut.rst_n = 0;
        for (int i = 0; i < 4; ++i)
            cycle();
        dut.rst_n = 1;
        for (std::uint32_t i = 0; i < 16; ++i) {
            dut.seg_we = 1;
            dut.seg_addr = static_cast<std::uint8_t>(i);
            dut.seg_data = segment_[i] = static_cast<std::uint16_t>(below(65536));
            cycle();
        }
        dut.seg_we = 0;
    }

    static SdramTimes times() {
        SdramTimes out;
        out.period = 1000.0 / MEMORY_MHZ;
        return out;
    }

    bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    /// Where an address lies in the memory, from the definition.
    std::uint64_t place(std::uint32_t addr) const {
        const std::uint64_t in_segment = addr & 0x0fffffffu;
        return (in_segment + std::uint64_t{segment_[addr >> 28]} * kPage) % kMemoryBytes / 8 * 8;
    }

    void cycle() {
        Vdut& dut = *dut_;
        dut.clk = 0;
        dut.eval();
        if (MEMORY_SDRAM) {  // its rising edge
            SdramPins pins;
            pins.cs_n = dut.cs_n, pins.ras_n = dut.ras_n, pins.cas_n = dut.cas_n;
            pins.we_n = dut.we_n, pins.ba = dut.ba, pins.a = dut.a, pins.dqm = dut.dqm;
            pins.dq_driven = dut.dq_oe, pins.dq = dut.dq_o;
            dut.dq_i = sdram_.clock(pins);
            dut.eval();
        }
        const bool aw = dut.aw_valid && dut.aw_ready, w = dut.w_valid && dut.w_ready;
        const bool ar = dut.ar_valid && dut.ar_ready, h = dut.h_valid && dut.h_ready;
        sample();
        dut.clk = 1;
        dut.eval();
        if (aw) dut.aw_valid = 0;
        if (w) dut.w_valid = 0;
        if (ar) dut.ar_valid = 0;
        if (h) dut.h_valid = 0;
        if (dut.rst_n && running_) drive();
        ++now_;
    }

    // ---- the bus

    void sample() {
        const Vdut& dut = *dut_;
        if (dut.b_valid && dut.b_ready) take_b();
        if (dut.r_valid && dut.r_ready) take_r();
        if (dut.h_done) take_h();
    }

    void take_b() {
        auto& queue = writes_[dut_->b_id];
        ASSERT_FALSE(queue.empty()) << "an answer to no write";
        release(queue.front());
        queue.pop_front();
        ++done_;
    }
    void take_r() {
        auto& queue = reads_[dut_->r_id];
        ASSERT_FALSE(queue.empty()) << "an answer to no read";
        Burst& burst = queue.front();
        const std::size_t beat = taken_[dut_->r_id]++;
        EXPECT_EQ(dut_->r_data, burst.beats[beat]) << "cycle " << now_;
        const bool last = beat + 1 == burst.beats.size();
        EXPECT_EQ(dut_->r_last != 0, last);
        if (!last) return;
        taken_[dut_->r_id] = 0;
        release(burst);
        queue.pop_front();
        ++done_;
    }
    void take_h() {
        ASSERT_FALSE(host_.empty()) << "an answer to no request of the host";
        const Burst& burst = host_.front();
        if (burst.id == 0) {
            EXPECT_EQ(dut_->h_rdata, burst.beats[0]) << "host, cycle " << now_;
        }
        release(burst);
        host_.pop_front();
        ++done_;
    }

    void release(const Burst& burst) {
        for (std::size_t i = 0; i < burst.beats.size(); ++i)
            busy_.erase(busy_.find(place(burst.addr + static_cast<std::uint32_t>(8 * i))));
    }

    /// A burst whose beats nobody else uses: its outcome is certain. Empty if there is none.
    Burst claim(std::size_t beats) {
        Burst burst;
        burst.id = static_cast<std::uint8_t>(below(10));
        const bool near = chance(0.7);
        burst.addr = near ? last_addr_ + 8 * static_cast<std::uint32_t>(beats)
                          : below(16) << 28 | below(1u << 14) * 8;
        const std::uint32_t bytes = static_cast<std::uint32_t>(8 * beats);
        if (burst.addr / kPage != (burst.addr + bytes - 8) / kPage) burst.addr -= bytes;
        for (std::uint32_t i = 0; i < beats; ++i) {
            if (busy_.count(place(burst.addr + 8 * i)) != 0) return burst;
        }
        last_addr_ = burst.addr;
        for (std::uint32_t i = 0; i < beats; ++i) {
            busy_.insert(place(burst.addr + 8 * i));
            burst.beats.push_back(copy_[place(burst.addr + 8 * i)]);
            burst.strobes.push_back(0);
        }
        return burst;
    }
    void fill(Burst& burst) {
        for (std::size_t i = 0; i < burst.beats.size(); ++i) {
            const std::uint8_t strobe =
                chance(0.5) ? 0xff : static_cast<std::uint8_t>(random_());
            const std::uint64_t data = random_();
            std::uint64_t mask = 0;
            for (int b = 0; b < 8; ++b)
                if ((strobe >> b & 1u) != 0) mask |= std::uint64_t{0xff} << 8 * b;
            std::uint64_t& copy = copy_[place(burst.addr + static_cast<std::uint32_t>(8 * i))];
            copy = (copy & ~mask) | (data & mask);
            burst.beats[i] = data;
            burst.strobes[i] = strobe;
        }
    }

    void drive() {
        Vdut& dut = *dut_;
        dut.b_ready = chance(ready_);
        dut.r_ready = chance(ready_);
        if (!dut.w_valid && !data_.empty() && chance(busy_line_)) {
            dut.w_valid = 1;
            dut.w_data = data_.front().first;
            dut.w_strb = data_.front().second;
            data_.pop_front();
        }
        if (!issuing_) return;
        const std::size_t beats = chance(0.6) ? 1 : 1 + below(16);
        if (!dut.ar_valid && chance(busy_line_)) {
            const Burst burst = claim(beats);
            if (!burst.beats.empty()) {
                dut.ar_valid = 1, dut.ar_id = burst.id, dut.ar_addr = burst.addr;
                dut.ar_len = static_cast<std::uint8_t>(burst.beats.size() - 1);
                reads_[burst.id].push_back(burst);
                ++asked_;
            }
        }
        if (!dut.aw_valid && data_.size() < 40 && chance(busy_line_)) {
            Burst burst = claim(beats);
            if (!burst.beats.empty()) {
                fill(burst);
                dut.aw_valid = 1, dut.aw_id = burst.id, dut.aw_addr = burst.addr;
                dut.aw_len = static_cast<std::uint8_t>(burst.beats.size() - 1);
                for (std::size_t i = 0; i < burst.beats.size(); ++i)
                    data_.emplace_back(burst.beats[i], burst.strobes[i]);
                writes_[burst.id].push_back(burst);
                ++asked_;
            }
        }
        if (!dut.h_valid && chance(busy_line_ / 4)) {
            Burst burst = claim(1);
            if (!burst.beats.empty()) {
                burst.id = chance(0.5) ? 1 : 0;  // 1: a write
                dut.h_valid = 1, dut.h_addr = burst.addr, dut.h_write = burst.id;
                if (burst.id != 0) copy_[place(burst.addr)] = burst.beats[0] = random_();
                dut.h_wdata = burst.beats[0];
                host_.push_back(burst);
                ++asked_;
            }
        }
    }

    void run(double ready, double busy_line, int cycles) {
        ready_ = ready;
        busy_line_ = busy_line;
        running_ = issuing_ = true;
        for (int i = 0; i < cycles && !HasFailure(); ++i)
            cycle();
        issuing_ = false;
        for (int i = 0; i < 20000 && done_ != asked_; ++i)
            cycle();
        EXPECT_EQ(done_, asked_) << "some burst is never answered";
        EXPECT_TRUE(sdram_.violations().empty()) << sdram_.violations().front();
    }

    /// Known contents for what is read first.
    void prepare() {
        for (std::uint64_t beat = 0; !MEMORY_SDRAM && beat < kMemoryBytes / 8; ++beat) {
            write_one(static_cast<std::uint32_t>(8 * beat), random_());
        }
    }
    void write_one(std::uint32_t addr, std::uint64_t data) {
        Burst burst;
        burst.id = 1;
        burst.addr = addr;
        burst.beats = {data};
        busy_.insert(place(addr));
        copy_[place(addr)] = data;
        dut_->h_valid = 1, dut_->h_addr = addr, dut_->h_write = 1, dut_->h_wdata = data;
        host_.push_back(burst);
        ++asked_;
        while (dut_->h_valid)
            cycle();
    }

    std::mt19937_64 random_;
    tb::RandomState context_;
    std::unique_ptr<Vdut> dut_;
    verif::Memory chips_{"sdram"};
    SdramModel sdram_;
    std::array<std::uint16_t, 16> segment_{};
    std::map<std::uint64_t, std::uint64_t> copy_;  ///< by place
    std::multiset<std::uint64_t> busy_;            ///< places of beats on their way
    std::map<int, std::deque<Burst>> writes_, reads_;
    std::map<int, std::size_t> taken_;
    std::deque<Burst> host_;
    std::deque<std::pair<std::uint64_t, std::uint8_t>> data_;
    std::uint32_t last_addr_ = 0;
    double ready_ = 1, busy_line_ = 1;
    bool running_ = false, issuing_ = false;
    std::uint64_t asked_ = 0, done_ = 0;
    std::uint64_t now_ = 0;
};

TEST_P(BoardMemory, RandomBurstsOfBoth) {
    prepare();
    run(1.0, 1.0, 6000);
    run(0.5, 0.3, 6000);
    run(0.1, 1.0, 3000);
    run(1.0, 0.02, 6000);
    if (MEMORY_SDRAM) {
        EXPECT_GT(sdram_.refreshes(), 20u);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BoardMemory, ::testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace macrame::fpga
