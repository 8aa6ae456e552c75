/// Unit test of systolic_fetch, in every cycle against its cycle model: all words in order whatever
/// the stalls, bursts that AXI4 allows, no more of them than there is room for, no word behind an
/// error.

#include "verif/systolic/cycles/fetch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <string>

#include "systolic_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tb/systolic/system/architecture.hpp"

namespace {

namespace p = systolic_params;
using macrame::systolic::kWordBytes;
using macrame::systolic::Word;
using macrame::systolic::word_of_bytes;
using macrame::systolic::cycles::Fetch;
using macrame::tb::architecture;
using macrame::tb::put_bytes;
using macrame::tb::Traffic;
using macrame::tb::UnitBench;

constexpr std::uint64_t kPage = 4096;
/// What may wait between memory and resolver: two pieces, and a word.
constexpr std::uint64_t kRoomBytes = 2 * 256 + kWordBytes;
/// Beats of an instruction.
constexpr int kBeats = p::axi_bytes < kWordBytes ? kWordBytes / p::axi_bytes : 1;

/// What memory holds.
std::uint8_t byte_at(std::uint64_t address) {
    return static_cast<std::uint8_t>((address + 1) * 0x9e3779b97f4a7c15u >> 56);
}

Word word_at(std::uint64_t address) {
    std::array<std::uint8_t, kWordBytes> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = byte_at(address + i);
    return word_of_bytes(bytes.data());
}

class Bench : public UnitBench {
public:
    Bench(const Traffic& traffic, int latency, std::uint64_t seed)
        : UnitBench(seed), traffic_(traffic), latency_(latency) {
        reset();
    }

    /// From the request to idle. `error_at`: the byte of the program whose beat is answered with an
    /// error.
    void run(std::uint64_t address, std::uint32_t count, std::int64_t error_at = -1) {
        address_ = address;
        count_ = count;
        error_byte_ =
            error_at < 0 ? ~std::uint64_t{0} : address + static_cast<std::uint64_t>(error_at);
        handed_ = 0;
        asked_ = address & ~std::uint64_t{p::axi_bytes - 1};
        errors_ = 0;
        pending_ = true;
        first_ = cycle();
        const long limit = cycle() + 100 + 40 * static_cast<long>(count) * kBeats;
        while (pending_ || !idle_) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(cycle(), limit) << "nothing moves";
        }
        EXPECT_TRUE(bursts_.empty());
        if (may_end_early_) {
            EXPECT_LE(handed_, count);
            EXPECT_EQ(errors_, 0);
        } else if (error_at < 0) {
            EXPECT_EQ(handed_, count);
            EXPECT_EQ(errors_, 0);
        } else {
            EXPECT_LE(handed_, static_cast<std::uint32_t>(error_at) / kWordBytes);
            EXPECT_EQ(errors_, 1);
        }
    }

    /// Stopped after so many cycles: no word behind that, and all bursts end.
    void run_and_stop(std::uint64_t address, std::uint32_t count, long cycles) {
        stop_at_ = cycle() + cycles;
        may_end_early_ = true;
        run(address, count);
        may_end_early_ = false;
        stop_at_ = -1;
    }

    /// Cycles of the last run.
    long cycles() const { return cycle() - first_; }

private:
    struct Burst {
        std::uint64_t address;
        int beats;
        long from;
    };

    void drive(Vdut& dut) override {
        in_ = {};
        in_.control2fetch_valid = pending_ && (offers_ || chance(traffic_.offer));
        offers_ = in_.control2fetch_valid;
        in_.control2fetch_address = address_;
        in_.control2fetch_count = count_;
        in_.control2fetch_run = stop_at_ < 0 || cycle() < stop_at_;
        dut.control2fetch_run = in_.control2fetch_run;
        in_.fetch2resolver_ready = chance(traffic_.take);
        in_.arready = chance(traffic_.offer);
        drive_beat();
        dut.control2fetch_valid = in_.control2fetch_valid;
        dut.control2fetch_address = static_cast<std::uint32_t>(
            in_.control2fetch_valid ? in_.control2fetch_address : random().bits());
        dut.control2fetch_count = static_cast<std::uint16_t>(
            in_.control2fetch_valid ? in_.control2fetch_count : random().bits());
        dut.fetch2resolver_ready = in_.fetch2resolver_ready;
        dut.m_axi_fetch_arready = in_.arready;
        dut.m_axi_fetch_rvalid = in_.rvalid;
        dut.m_axi_fetch_rlast = in_.rlast;
        dut.m_axi_fetch_rresp = static_cast<std::uint8_t>(in_.rresp);
        dut.m_axi_fetch_rid = 1;
        put_bytes(dut.m_axi_fetch_rdata, beat_.data(), p::axi_bytes);
    }

    /// The next beat of the first burst, or noise.
    void drive_beat() {
        in_.rvalid = !bursts_.empty() && cycle() >= bursts_.front().from && chance(traffic_.offer);
        for (std::uint8_t& byte : beat_)
            byte = static_cast<std::uint8_t>(random().bits());
        in_.rdata = beat_.data();
        in_.rlast = chance(50);
        in_.rresp = static_cast<std::uint32_t>(random().in(0, 3));
        if (!in_.rvalid) return;
        const Burst& burst = bursts_.front();
        in_.rlast = burst.beats == 1;
        const bool fails = error_byte_ - burst.address < p::axi_bytes ||
                           (errors_ != 0 && chance(30));
        in_.rresp = fails ? static_cast<std::uint32_t>(random().in(1, 3)) : 0;
        if (fails) return;
        for (std::uint64_t i = 0; i < p::axi_bytes; ++i)
            beat_[i] = byte_at(burst.address + i);
    }

    void sample(Vdut& dut) override {
        const Fetch::Outputs out = model_.outputs();
        ASSERT_EQ(dut.control2fetch_ready, out.control2fetch_ready) << "cycle " << cycle();
        ASSERT_EQ(dut.fetch2control_idle, out.fetch2control_idle) << "cycle " << cycle();
        ASSERT_EQ(dut.fetch2control_error, out.fetch2control_error) << "cycle " << cycle();
        ASSERT_EQ(dut.fetch2resolver_valid, out.fetch2resolver_valid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_fetch_arvalid, out.arvalid) << "cycle " << cycle();
        ASSERT_EQ(dut.m_axi_fetch_rready, out.rready);
        idle_ = dut.fetch2control_idle;
        errors_ += dut.fetch2control_error;
        if (out.fetch2control_error) {
            ASSERT_EQ(dut.fetch2control_address, out.fetch2control_address);
            ASSERT_EQ(out.fetch2control_address, error_byte_ & ~std::uint64_t{p::axi_bytes - 1});
        }
        if (out.arvalid) {
            ASSERT_EQ(dut.m_axi_fetch_araddr, out.araddr) << "cycle " << cycle();
            ASSERT_EQ(dut.m_axi_fetch_arlen, out.arlen) << "cycle " << cycle();
        }
        if (out.fetch2resolver_valid) {
            std::array<std::uint8_t, kWordBytes> bytes;
            macrame::tb::get_bytes(dut.fetch2resolver_word, bytes.data(), kWordBytes);
            const Word word = word_of_bytes(bytes.data());
            ASSERT_EQ(word, out.fetch2resolver_word) << "cycle " << cycle();
            ASSERT_LT(handed_, count_);
            ASSERT_EQ(word, word_at(address_ + handed_ * std::uint64_t{kWordBytes}));
            handed_ += in_.fetch2resolver_ready;
        }
        ASSERT_TRUE(out.fetch2resolver_valid || !stalled_) << "cycle " << cycle();
        stalled_ = out.fetch2resolver_valid && !in_.fetch2resolver_ready;
        if (in_.control2fetch_valid && dut.control2fetch_ready) pending_ = offers_ = idle_ = false;
        if (in_.rvalid) {
            Burst& burst = bursts_.front();
            burst.address += p::axi_bytes;
            if (--burst.beats == 0) bursts_.pop_front();
        }
        if (out.arvalid && in_.arready) take_burst(dut);
        model_.clock(in_);
    }

    void take_burst(const Vdut& dut) {
        const std::uint64_t address = dut.m_axi_fetch_araddr;
        const int beats = dut.m_axi_fetch_arlen + 1;
        const std::uint64_t end = address + static_cast<std::uint64_t>(beats) * p::axi_bytes;
        ASSERT_EQ(address, asked_) << "bursts follow each other";
        ASSERT_EQ(address / kPage, (end - 1) / kPage) << "over 4 KiB";
        ASSERT_EQ(1 << dut.m_axi_fetch_arsize, int{p::axi_bytes});
        ASSERT_EQ(dut.m_axi_fetch_arburst, 1);
        ASSERT_EQ(dut.m_axi_fetch_arid, 1);
        ASSERT_EQ(dut.m_axi_fetch_arlock | dut.m_axi_fetch_arprot | dut.m_axi_fetch_arqos, 0);
        const std::uint64_t last = address_ + count_ * std::uint64_t{kWordBytes};
        ASSERT_LT(end, last + std::max<std::uint64_t>(p::axi_bytes, kWordBytes));
        ASSERT_LE(end, address_ + handed_ * std::uint64_t{kWordBytes} + kRoomBytes + p::axi_bytes)
            << "more than there is room for";
        asked_ = end;
        bursts_.push_back({address, beats, cycle() + latency_});
    }

    Traffic traffic_;
    int latency_;
    Fetch model_{architecture()};
    Fetch::Inputs in_;
    std::array<std::uint8_t, p::axi_bytes> beat_{};
    std::deque<Burst> bursts_;
    // The program.
    std::uint64_t address_ = 0;
    std::uint32_t count_ = 0;
    std::uint64_t error_byte_ = 0;
    std::uint64_t asked_ = 0;  ///< up to here
    std::uint32_t handed_ = 0;
    int errors_ = 0;
    long stop_at_ = -1;  ///< cycle; -1: never
    bool may_end_early_ = false;
    bool pending_ = false, offers_ = false, idle_ = true, stalled_ = false;
    long first_ = 0;
};

constexpr Traffic kTraffic[] = {{"fast", 100, 100},
                                {"random", 60, 60},
                                {"few beats", 15, 100},
                                {"few taken", 100, 15}};

/// A multiple of 16, sometimes the first or the last of a page.
std::uint64_t any_address(Bench& bench) {
    constexpr int kPages = 1 << (p::address_width - 12);
    const auto page = static_cast<std::uint64_t>(bench.random().in(0, kPages - 8));
    const auto word = static_cast<std::uint64_t>(bench.random().mostly(0, 255, 250, 255));
    return page * kPage + word * kWordBytes;
}

TEST(Fetch, AllWordsInOrder) {
    for (const Traffic& traffic : kTraffic) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
            Bench bench(traffic, static_cast<int>(1 + seed % 3 * 20), seed);
            for (int i = 0; i < 12; ++i) {
                const int count = i == 0 ? 600 : bench.random().low(1, 100);
                bench.run(any_address(bench), static_cast<std::uint32_t>(count));
                if (HasFailure()) return;
            }
        }
    }
}

TEST(Fetch, NoWordBehindAnError) {
    for (const Traffic& traffic : kTraffic) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
            Bench bench(traffic, 10, seed);
            for (int i = 0; i < 6; ++i) {
                const int count = bench.random().low(1, 150);
                const bool fails = i % 2 == 0;
                bench.run(any_address(bench), static_cast<std::uint32_t>(count),
                          fails ? bench.random().in(0, 16 * count - 1) : -1);
                if (HasFailure()) return;
            }
        }
    }
}

TEST(Fetch, StopsAndStartsAgain) {
    for (const Traffic& traffic : kTraffic) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
            Bench bench(traffic, 10, seed);
            for (int i = 0; i < 6; ++i) {
                const auto count = static_cast<std::uint32_t>(bench.random().low(1, 150));
                bench.run_and_stop(any_address(bench), count, bench.random().low(1, 200));
                if (HasFailure()) return;
                bench.run(any_address(bench), count);
                if (HasFailure()) return;
            }
        }
    }
}

TEST(Fetch, MostInstructions) {
    Bench bench({"fast", 100, 100}, 5, 3);
    bench.run(kPage - 16, 65535);
}

TEST(Fetch, NoGaps) {
    constexpr int kWords = 600;
    Bench bench({"speed", 100, 100}, 8, 4);
    bench.run(0x1000, kWords);
    EXPECT_LE(bench.cycles(), kWords * kBeats + 30);
}

}  // namespace
