#pragma once
/// What the tests of the control buses share: random accesses, legal ones and others, and what has
/// to become of them.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>

#include "Vdut.h"
#include "tb/common/random_state.hpp"
#include "tb/common/register_bus.hpp"
#include "tb/dla/unit/csb_slave.hpp"
#include "verif/dla/model/axi_lite.hpp"

namespace macrame::tb {

/// Percent of cycles in which the slave, and probability with which the master idles.
struct ControlCase {
    int csb_stall;
    double bus_stall;
    std::uint64_t seed;
};

inline constexpr ControlCase kControlCases[] = {{0, 0.0, 1},  {30, 0.3, 2}, {90, 0.0, 3},
                                                {0, 0.9, 4},  {88, 0.88, 5}, {50, 0.1, 6}};

inline BusAccess random_access(verif::Random& random) {
    BusAccess access;
    access.write = random.chance(50);
    const std::uint32_t page = random.chance(70) ? random.word() % 0x14 : random.word() % 64;
    access.addr = page << 12 | (random.word() & 0xffc);
    if (random.chance(5)) access.addr |= random.word() & 3;
    access.data = random.word();
    if (random.chance(10)) access.strobes = random.word() & 15;
    return access;
}

/// A bridge between a master and a CSB slave.
class ControlBench {
public:
    explicit ControlBench(const ControlCase& c)
        : context_(c.seed), top_(&context_), csb_(c.csb_stall, c.seed + 1), random_(c.seed + 2) {}
    virtual ~ControlBench() { top_.final(); }
    ControlBench(const ControlBench&) = delete;
    ControlBench& operator=(const ControlBench&) = delete;

    void run(int accesses) {
        reset();
        for (int i = 0; i < accesses; ++i) {
            const BusAccess access = random_access(random_);
            (access.write ? writes_ : reads_).push_back(access);
            start(access);
        }
        const int most = 400 * accesses + 1000;
        for (int i = 0; !idle() && !::testing::Test::HasFailure(); ++i) {
            ASSERT_LT(i, most) << "an access is never answered";
            tick();
            check_requests();
        }
        for (int i = 0; i < 20; ++i)
            tick();
        check_requests();
        EXPECT_TRUE(legal_writes_.empty() && legal_reads_.empty()) << "an access is lost";
        EXPECT_TRUE(seen_.empty()) << "an access too many";
    }

protected:
    virtual void start(const BusAccess& access) = 0;
    virtual bool idle() const = 0;
    /// The pins of the master before and behind a clock edge.
    virtual void sample() = 0;
    virtual void drive() = 0;

    Vdut& top() { return top_; }

    /// The oldest write or read was answered.
    void check_answer(bool write, const BusAnswer& answer) {
        std::deque<BusAccess>& asked = write ? writes_ : reads_;
        ASSERT_FALSE(asked.empty());
        const BusAccess access = asked.front();
        asked.pop_front();
        const auto want = dla::model::control_response(write, access.addr, access.strobes);
        EXPECT_EQ(answer.resp, response(want)) << std::hex << access.addr;
        if (want != dla::model::BusResponse::okay) {
            EXPECT_EQ(answer.data, 0u);
            return;
        }
        (write ? legal_writes_ : legal_reads_).push_back(access);
        if (!write) {
            EXPECT_EQ(answer.data, CsbSlave::value(access.addr >> 2));
        }
    }

    /// As the bus tells it.
    virtual std::uint32_t response(dla::model::BusResponse r) const {
        return static_cast<std::uint32_t>(r);
    }

private:
    void reset() {
        top_.csb_rd_valid = top_.csb_wr_complete = 0;
        top_.rst_n = 1;
        top_.clk = 0;
        top_.eval();
        top_.rst_n = 0;
        for (int i = 0; i < 4; ++i)
            edge();
        top_.rst_n = 1;
    }

    void edge() {
        top_.clk = 0;
        top_.eval();
        context_.timeInc(1);
        top_.clk = 1;
        top_.eval();
    }

    void tick() {
        top_.clk = 0;
        top_.eval();
        CsbPins& p = pins_;
        p.valid = top_.csb_valid != 0;
        p.write = top_.csb_write != 0;
        p.nposted = top_.csb_nposted != 0;
        p.addr = top_.csb_addr;
        p.wdat = top_.csb_wdat;
        sample();
        top_.clk = 1;
        top_.eval();
        csb_.clock(p);
        top_.csb_ready = p.ready;
        top_.csb_rd_valid = p.rd_valid;
        top_.csb_rd_data = p.rd_data;
        top_.csb_wr_complete = p.wr_complete;
        drive();
    }

    /// What has reached the CSB against what was answered with OKAY; answers come later.
    void check_requests() {
        while (const auto taken = csb_.take())
            seen_.push_back(*taken);
        while (!seen_.empty()) {
            auto& legal = seen_.front().write ? legal_writes_ : legal_reads_;
            if (legal.empty()) return;
            EXPECT_EQ(seen_.front().addr, legal.front().addr >> 2);
            EXPECT_EQ(seen_.front().nposted, seen_.front().write);
            if (seen_.front().write) {
                EXPECT_EQ(seen_.front().data, legal.front().data);
            }
            legal.pop_front();
            seen_.pop_front();
        }
    }

    RandomState context_;
    Vdut top_;
    CsbSlave csb_;
    CsbPins pins_;
    verif::Random random_;
    std::deque<BusAccess> writes_, reads_;              ///< not yet answered
    std::deque<BusAccess> legal_writes_, legal_reads_;  ///< answered, have to be in seen_
    std::deque<CsbTaken> seen_;
};

}  // namespace macrame::tb
