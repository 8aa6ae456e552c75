/// Unit test of dla_csb_master: random reads, posted and non-posted writes from a CSB host to units
/// that remember what they were sent, for several ratios of the two clocks.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/random_state.hpp"
#include "verif/dla/model/csb_master.hpp"

namespace {

namespace model = macrame::dla::model;

/// Clock periods, idle percentage of the host.
struct Shape {
    int csb_period, core_period, idle;
};

/// The unit ports in the order of their pages.
struct UnitPort {
    std::uint32_t page;
    bool (*valid)(const Vdut&);
    void (*rdata)(Vdut&, std::uint32_t);
};

#define UNIT(page, u)                                               \
    UnitPort {                                                      \
        page, [](const Dut& t) { return bool(t.csb2##u##_valid); }, \
            [](Dut& t, std::uint32_t v) { t.u##2csb_rdata = v; }    \
    }

template <typename Dut>
std::vector<UnitPort> units_of() {
    std::vector<UnitPort> out = {
        UNIT(0, cfgrom),     UNIT(1, glb),    UNIT(2, mcif),       UNIT(3, cdma),     UNIT(4, csc),
        UNIT(5, cmac_a),     UNIT(6, cmac_b), UNIT(7, cacc),       UNIT(8, sdp_rdma), UNIT(9, sdp),
        UNIT(0xA, pdp_rdma), UNIT(0xB, pdp),  UNIT(0xC, cdp_rdma), UNIT(0xD, cdp)};
    if constexpr (dla_params::secondary_memif_enable) out.push_back(UNIT(0xF, cvif));
    return out;
}
const std::vector<UnitPort> kUnits = units_of<Vdut>();

std::vector<std::uint32_t> pages() {
    std::vector<std::uint32_t> out;
    for (const UnitPort& unit : kUnits)
        out.push_back(unit.page);
    return out;
}

class Bench {
public:
    Bench(const Shape& shape, unsigned seed)
        : shape_(shape), random_(seed), context_(seed), top_(&context_) {
        top_.rst_n = 0;
        top_.csb_rst_n = 0;
        top_.csb2nvdla_valid = 0;
        for (const UnitPort& unit : kUnits)
            unit.rdata(top_, 0);
        run(20 * shape_.csb_period);
        top_.rst_n = 1;
        top_.csb_rst_n = 1;
    }

    void run(int time) {
        for (const int end = time_ + time; time_ < end; ++time_) {
            const bool core = time_ % shape_.core_period == 0;
            const bool csb = time_ % shape_.csb_period == 0;
            if (core) before_core();
            if (csb) before_csb();
            if (core) top_.clk = 1;
            if (csb) top_.dla_csb_clk = 1;
            top_.eval();
            if (core) after_core();
            if (csb) after_csb();
            if (time_ % shape_.core_period == (shape_.core_period + 1) / 2) top_.clk = 0;
            if (time_ % shape_.csb_period == (shape_.csb_period + 1) / 2) top_.dla_csb_clk = 0;
            top_.eval();
        }
    }

    void stop_sending() { sending_ = false; }
    void send_only_posted() { only_posted_ = true; }
    bool idle() const { return model_.idle(); }
    int accepted() const { return accepted_; }
    int at_units() const { return at_units_; }
    int core_cycles_busy() const { return last_access_ - first_access_ + 1; }

private:
    std::uint32_t pick(std::uint32_t count) {
        return static_cast<std::uint32_t>(random_() % count);
    }
    bool chance(int percent) { return static_cast<int>(pick(100)) < percent; }

    void before_core() {
        access_ = false;
        if (!top_.rst_n) return;
        next_rdata_.clear();
        for (const UnitPort& unit : kUnits) {
            if (!unit.valid(top_)) continue;
            ASSERT_FALSE(access_) << "two units at once";
            access_ = true;
            ASSERT_GE(core_cycle_, 128) << "access during the reset sweep";
            const std::optional<model::CsbAccess> want = model_.take_access();
            ASSERT_TRUE(want.has_value()) << "access that nobody sent";
            ASSERT_EQ(unit.page, want->page);
            ASSERT_EQ(std::uint32_t{top_.csb_addr}, want->word);
            ASSERT_EQ(bool(top_.csb_write), want->write);
            const std::uint32_t addr = (unit.page << 10) | top_.csb_addr;
            if (want->write) {
                ASSERT_EQ(top_.csb_wdata, want->data);
                memory_[addr] = want->data;
            } else {
                next_rdata_[unit.page] = value(memory_, addr);
            }
            ++at_units_;
            if (first_access_ == 0) first_access_ = core_cycle_;
            last_access_ = core_cycle_;
        }
        ++core_cycle_;
    }

    void after_core() {
        for (const UnitPort& unit : kUnits)
            unit.rdata(top_, rdata_.count(unit.page) ? rdata_[unit.page] : 0);
        rdata_ = next_rdata_;
    }

    using Words = std::map<std::uint32_t, std::uint32_t>;

    /// What a unit reads at a word address.
    static std::uint32_t value(const Words& words, std::uint32_t addr) {
        const auto it = words.find(addr);
        return it == words.end() ? addr * 0x9e3779b1u + 1u : it->second;
    }

    void before_csb() {
        transfer_ = top_.csb_rst_n && top_.csb2nvdla_valid && top_.csb2nvdla_ready;
        if (!transfer_) return;
        ++accepted_;
        model_.accept(now_, value(host_memory_, now_.addr));
        if (now_.write) host_memory_[now_.addr] = now_.data;
    }

    void after_csb() {
        if (!top_.csb_rst_n) return;
        ASSERT_FALSE(top_.nvdla2csb_valid && top_.nvdla2csb_wr_complete);
        if (top_.nvdla2csb_valid || top_.nvdla2csb_wr_complete) {
            const std::optional<model::CsbAnswer> want = model_.take_answer();
            ASSERT_TRUE(want.has_value()) << "answer that nobody waits for";
            ASSERT_EQ(bool(top_.nvdla2csb_wr_complete), want->write);
            if (top_.nvdla2csb_valid) {
                ASSERT_EQ(top_.nvdla2csb_data, want->data);
            }
        }
        if (transfer_ || !top_.csb2nvdla_valid) next_request();
    }

    void next_request() {
        top_.csb2nvdla_valid = sending_ && !chance(shape_.idle);
        const std::uint32_t page = chance(5) ? pick(64) : pick(14);
        now_.addr = (page << 10) | pick(4) * 341u;
        now_.data = static_cast<std::uint32_t>(random_());
        now_.write = only_posted_ || chance(60);
        now_.nposted = !only_posted_ && chance(40);
        top_.csb2nvdla_addr = static_cast<std::uint16_t>(now_.addr);
        top_.csb2nvdla_wdat = now_.data;
        top_.csb2nvdla_write = now_.write;
        top_.csb2nvdla_nposted = now_.nposted;
    }

    Shape shape_;
    std::mt19937 random_;
    macrame::tb::RandomState context_;
    Vdut top_;
    int time_ = 0, core_cycle_ = 0, accepted_ = 0, at_units_ = 0;
    int first_access_ = 0, last_access_ = 0;
    bool access_ = false, transfer_ = false, sending_ = true, only_posted_ = false;
    model::CsbRequest now_{};
    model::CsbMaster model_{pages()};
    Words memory_, host_memory_;  ///< at the units, in the order of the host
    Words rdata_, next_rdata_;    ///< answers of this and of the next cycle
};

constexpr Shape kShapes[] = {{4, 4, 0}, {4, 4, 50}, {10, 4, 0}, {4, 14, 0}, {7, 6, 20}, {5, 8, 90}};

TEST(CsbMaster, RandomAccesses) {
    for (const Shape& shape : kShapes) {
        for (unsigned seed : {1u, 2u}) {
            auto bench = std::make_unique<Bench>(shape, seed);
            bench->run(60000);
            bench->stop_sending();
            bench->run(4000);
            ASSERT_FALSE(HasFatalFailure()) << shape.csb_period << "/" << shape.core_period << "/"
                                            << shape.idle << " seed " << seed;
            EXPECT_TRUE(bench->idle()) << "an access or answer is lost";
            EXPECT_GT(bench->at_units(), 200);
        }
    }
}

TEST(CsbMaster, PostedWritesGoAtFullSpeed) {
    auto bench = std::make_unique<Bench>(Shape{4, 4, 0}, 3);
    bench->send_only_posted();
    bench->run(4 * 2000);
    bench->stop_sending();
    bench->run(400);
    EXPECT_TRUE(bench->idle());
    EXPECT_GT(bench->accepted(), 1700);  // the first accesses wait for the tables of CDP
    EXPECT_LE(bench->core_cycles_busy(), bench->accepted() + 20);
}

}  // namespace
