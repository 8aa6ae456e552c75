/// Unit test of dla_route_rd and dla_route_wr against the model of the switch: answers in the order
/// of the requests with the right data, whichever ports are asked, however slow each one is; no
/// cycle is lost while the port stays the same, one where it changes. One request may wait in
/// the switch.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "verif/dla/model/cvif.hpp"

namespace {

namespace model = macrame::dla::model;

/// Atoms of a read that a port can answer in a cycle.
#ifdef PAIRS
constexpr int kLanes = 2;
#else
constexpr int kLanes = 1;
#endif

struct Conditions {
    const char* name;
    int primary_latency, second_latency;
    int stall;    ///< of the ports, percent
    int gap;      ///< of the client, percent
    int change;   ///< of the port, percent
    int longest;  ///< read, atoms
};

/// A request of the client: a read of `atoms`, or a write of one atom.
struct Request {
    bool primary;
    int atoms;
    bool last;
    std::uint32_t addr;
};

/// One of the two ports, as MCIF looks to a client: it answers the first atoms of a request perhaps
/// before it takes the request, which is when all of its atoms are asked for.
struct Port {
    int latency = 1;
    int asked = 0;                                                ///< atoms of the waiting request
    std::deque<std::pair<std::uint64_t, std::uint32_t>> answers;  ///< earliest cycle, tag

    bool due(std::uint64_t cycle) const {
        return !answers.empty() && answers.front().first <= cycle;
    }
};

class Route : public ::testing::TestWithParam<Conditions> {
protected:
    Route() {
        dut_ = std::make_unique<Vdut>(&context_);
        port(true).latency = GetParam().primary_latency;
        port(false).latency = GetParam().second_latency;
        dut_->rst_n = 0;
        dut_->rd_req_valid = dut_->wr_req_valid = 0;
        edge();
        edge();
        dut_->rst_n = 1;
    }

    bool chance(int percent) { return static_cast<int>(rng_() % 100u) < percent; }

    Port& port(bool primary) { return ports_[primary ? 1 : 0]; }

    void edge() {
        dut_->clk = 0;
        dut_->eval();
        context_.timeInc(1);
        dut_->clk = 1;
        dut_->eval();
        ++cycle_;
    }

    /// Reads of 1 .. longest atoms, or runs of writes that end with `last`.
    void fill(int count, bool writes) {
        bool primary = true, last = true;
        for (int i = 0; i < count; ++i) {
            if (last && chance(GetParam().change)) primary = !primary;
            last = !writes || i + 1 == count || chance(30);
            const int longest = writes ? 1 : GetParam().longest;
            requests_.push_back({primary, 1 + static_cast<int>(rng_() % unsigned(longest)), last,
                                 static_cast<std::uint32_t>(rng_())});
        }
    }

    /// The front request at the ports: at the right one, when the order allows and no later.
    void look_at_request(bool valid, bool at_primary, bool at_second) {
        EXPECT_FALSE(at_primary && at_second) << "cycle " << cycle_;
        if (!valid) {
            EXPECT_FALSE(at_primary || at_second) << "cycle " << cycle_;
            return;
        }
        const bool primary = requests_.front().primary;
        const bool shown = at_primary || at_second;
        if (shown) {
            EXPECT_EQ(at_primary, primary) << "cycle " << cycle_;
        }
        if (shown && !shown_) {
            EXPECT_TRUE(switch_.open(primary)) << "overtakes, cycle " << cycle_;
        }
        lost_ += !shown;
        waits_ = !shown && switch_.open(primary) ? waits_ + 1 : 0;
        EXPECT_LE(waits_, 1) << "waits for nothing, cycle " << cycle_;
        EXPECT_TRUE(shown || primary != latest_) << "no change of ports, cycle " << cycle_;
    }

    /// Lets a port work on the request it sees; true: it takes it in this cycle.
    bool serve(bool primary, bool count_lasts) {
        Port& p = port(primary);
        const Request& request = requests_.front();
        if (chance(GetParam().stall)) return false;
        // As in MCIF a third `last` may be on its way; more wait for the first.
        if (count_lasts && request.last && p.answers.size() > 2) return false;
        if (!count_lasts || request.last) {
            p.answers.push_back({cycle_ + static_cast<unsigned>(p.latency), next_tag_++});
        }
        return ++p.asked == request.atoms;
    }

    /// Puts answers of a port on its pins: one in any lane, or what is due side by side.
    template <typename Valid, typename Tag>
    void answer(bool now, const Port& from, Valid& valid, Tag& tag) {
        valid = 0;
        tag = static_cast<Tag>(~Tag{0});
        if (!now) return;
        const bool pair =
            kLanes > 1 && from.answers.size() > 1 && from.answers[1].first <= cycle_ && chance(70);
        const int first = pair || kLanes == 1 ? 0 : static_cast<int>(rng_() % 2);
        for (int i = 0; i <= int{pair}; ++i) {
            valid = static_cast<Valid>(valid | 1u << (first + i));
            macrame::tb::put_bits(tag, 32 * (first + i), 32,
                                  from.answers[static_cast<std::size_t>(i)].second);
        }
    }

    /// The end of a cycle in which a request entered the switch, the front one left it.
    void move(bool entered, bool taken) {
        inside_ += entered;
        if (!taken) return;
        port(requests_.front().primary).asked = 0;
        requests_.pop_front();
        --inside_;
        shown_ = false;
    }

    void check_end() {
        EXPECT_TRUE(requests_.empty()) << "stuck in cycle " << cycle_;
        EXPECT_EQ(switch_.in_flight(), 0u);
        EXPECT_EQ(answered_, next_tag_);
    }

    macrame::tb::RandomState context_{1};
    std::unique_ptr<Vdut> dut_;
    std::mt19937 rng_{1};
    std::uint64_t cycle_ = 0;
    Port ports_[2];
    std::deque<Request> requests_;
    model::PortSwitch switch_;
    std::size_t inside_ = 0;  ///< requests in the switch, the first of requests_
    bool shown_ = false;      ///< the port has seen the front request
    bool latest_ = true;      ///< port of the latest request, primary after reset
    int waits_ = 0;           ///< cycles without a reason
    int lost_ = 0;            ///< cycles in which a request was kept from its port
    std::uint32_t next_tag_ = 0, answered_ = 0;
};

TEST_P(Route, ReadsComeBackInOrder) {
    fill(3000, false);
    Vdut& d = *dut_;
    int both_busy = 0, pairs = 0;
    for (int i = 0; i < 2000000 && (!requests_.empty() || switch_.in_flight() != 0); ++i) {
        if (!d.rd_req_valid && inside_ < requests_.size() && !chance(GetParam().gap)) {
            const Request& request = requests_[inside_];
            d.rd_req_valid = 1;
            d.rd_primary = request.primary;
            d.rd_req_addr = request.addr;
            d.rd_req_size = static_cast<std::uint16_t>(request.atoms - 1);
        }
        const bool pri = port(true).due(cycle_) && !chance(GetParam().stall);
        const bool sec = port(false).due(cycle_) && !chance(GetParam().stall);
        answer(pri, port(true), d.rd_pri_rsp_valid, d.rd_pri_rsp_tag);
        answer(sec, port(false), d.rd_sec_rsp_valid, d.rd_sec_rsp_tag);
        d.rd_pri_req_ready = d.rd_sec_req_ready = 0;
        d.clk = 0;
        d.eval();
        both_busy += pri && sec;
        look_at_request(inside_ > 0 || d.rd_req_valid, d.rd_pri_req_valid, d.rd_sec_req_valid);
        if (inside_ > 0 || d.rd_req_valid) {
            EXPECT_EQ(d.rd_port_addr, requests_.front().addr);
            EXPECT_EQ(d.rd_port_size + 1, requests_.front().atoms);
        }
        ASSERT_FALSE(HasFailure());
        // The answer first: its atom was asked for in an earlier cycle.
        int atoms = 0;
        ASSERT_EQ(d.rd_rsp_valid != 0, pri || sec);
        for (int lane = 0; lane < kLanes; ++lane) {
            if ((d.rd_rsp_valid >> lane & 1) == 0) continue;
            ASSERT_TRUE(switch_.may_answer(pri)) << "cycle " << cycle_;
            ASSERT_EQ(macrame::tb::get_bits(d.rd_rsp_tag, 32 * lane, 32), answered_)
                << "cycle " << cycle_;
            ASSERT_TRUE(d.rd_rsp_whole);
            switch_.answered();
            port(pri).answers.pop_front();
            ++answered_;
            ++atoms;
        }
        pairs += atoms > 1;
        bool taken = false;
        if (d.rd_pri_req_valid || d.rd_sec_req_valid) {
            const bool primary = d.rd_pri_req_valid;
            if (!shown_) switch_.sent(primary, requests_.front().atoms);
            shown_ = true;
            latest_ = primary;
            taken = serve(primary, false);
            (primary ? d.rd_pri_req_ready : d.rd_sec_req_ready) = taken;
            port(!primary).asked = 0;
        } else {  // a port that is not asked may be ready
            d.rd_pri_req_ready = chance(50);
            d.rd_sec_req_ready = chance(50);
        }
        d.eval();
        ASSERT_EQ(d.rd_req_ready != 0, inside_ == 0) << "cycle " << cycle_;
        const bool entered = d.rd_req_valid && d.rd_req_ready;
        edge();
        if (entered) d.rd_req_valid = 0;
        move(entered, taken);
    }
    check_end();
    EXPECT_EQ(both_busy, 0);
    EXPECT_GT(pairs, kLanes > 1 && GetParam().stall > 0 ? 10 : -1);
    if (GetParam().change == 0) {
        EXPECT_EQ(lost_, 0);
    } else {
        EXPECT_GT(lost_, 100);
    }
}

TEST_P(Route, WritesAreCompleteInOrder) {
    fill(3000, true);
    Vdut& d = *dut_;
    for (int i = 0; i < 2000000 && (!requests_.empty() || switch_.in_flight() != 0); ++i) {
        if (!d.wr_req_valid && inside_ < requests_.size() && !chance(GetParam().gap)) {
            const Request& request = requests_[inside_];
            d.wr_req_valid = 1;
            d.wr_primary = request.primary;
            d.wr_req_addr = request.addr;
            d.wr_req_last = request.last;
        }
        const bool pri = port(true).due(cycle_);
        const bool sec = port(false).due(cycle_);
        d.wr_pri_rsp_complete = pri;
        d.wr_sec_rsp_complete = sec;
        d.wr_pri_req_ready = d.wr_sec_req_ready = 0;
        d.clk = 0;
        d.eval();
        look_at_request(inside_ > 0 || d.wr_req_valid, d.wr_pri_req_valid, d.wr_sec_req_valid);
        if (inside_ > 0 || d.wr_req_valid) {
            EXPECT_EQ(d.wr_port_addr, requests_.front().addr);
            EXPECT_EQ(d.wr_port_last != 0, requests_.front().last);
            EXPECT_TRUE(d.wr_port_whole);
        }
        ASSERT_FALSE(HasFailure());
        ASSERT_EQ(d.wr_rsp_complete != 0, pri || sec);
        if (pri || sec) {
            ASSERT_NE(pri, sec);
            ASSERT_TRUE(switch_.may_answer(pri)) << "cycle " << cycle_;
            switch_.answered();
            port(pri).answers.pop_front();
            ++answered_;
        }
        bool taken = false;
        if (d.wr_pri_req_valid || d.wr_sec_req_valid) {
            const bool primary = d.wr_pri_req_valid;
            shown_ = true;
            latest_ = primary;
            taken = serve(primary, true);
            if (taken && requests_.front().last) switch_.sent(primary, 1);
            (primary ? d.wr_pri_req_ready : d.wr_sec_req_ready) = taken;
        } else {
            d.wr_pri_req_ready = chance(50);
            d.wr_sec_req_ready = chance(50);
        }
        d.eval();
        ASSERT_EQ(d.wr_req_ready != 0, inside_ == 0) << "cycle " << cycle_;
        const bool entered = d.wr_req_valid && d.wr_req_ready;
        edge();
        if (entered) d.wr_req_valid = 0;
        move(entered, taken);
    }
    check_end();
    if (GetParam().change == 0) {
        EXPECT_EQ(lost_, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Conditions, Route,
                         ::testing::Values(Conditions{"Ideal", 1, 1, 0, 0, 20, 1},
                                           Conditions{"OnePort", 20, 20, 0, 0, 0, 8},
                                           Conditions{"EveryTime", 3, 5, 0, 0, 100, 4},
                                           Conditions{"SlowSecond", 1, 60, 30, 10, 30, 16},
                                           Conditions{"SlowPrimary", 60, 1, 30, 10, 30, 16},
                                           Conditions{"Worst", 7, 9, 90, 0, 50, 8},
                                           Conditions{"SlowClient", 10, 10, 10, 90, 50, 8}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
