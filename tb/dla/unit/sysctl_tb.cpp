/// Unit test of dla_sysctl: random accesses to its page and to the core, in order, errors of memory
/// at any time, and the reset of the core.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <string_view>
#include <type_traits>
#include <utility>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "tb/dla/unit/csb_slave.hpp"
#include "verif/dla/model/sysctl.hpp"

namespace macrame::tb {
namespace {

namespace model = dla::model;

constexpr int kPorts = dla_params::secondary_memif_enable ? 2 : 1;
constexpr int kAddrW = dla_params::addr_w;

/// The core has a clock of its own: it tells when it has seen the reset.
template <typename Dut, typename = void>
inline constexpr bool has_core_up = false;
template <typename Dut>
inline constexpr bool has_core_up<Dut, std::void_t<decltype(std::declval<Dut&>().core_up)>> = true;
// Were the port renamed, the template above would not say so.
static_assert(has_core_up<Vdut> == (std::string_view(CONFIG_NAME) == "axi_own"));

template <typename Dut>
void put_core_up(Dut& dut, bool level) {
    if constexpr (has_core_up<Dut>) dut.core_up = level;
}

/// core_up is so many cycles behind: less than the reset lasts, and more.
constexpr int kQuick = 5, kSlow = 70;

/// Pauses in percent.
struct Case {
    int ask, core, errors;
    std::uint64_t seed;
};

class Bench {
public:
    explicit Bench(const Case& c)
        : case_(c), context_(c.seed), top_(&context_), core_(c.core, c.seed + 1),
          random_(c.seed + 2) {}
    ~Bench() { top_.final(); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Errors only while there is no access to the own page: then what is read is certain.
    void run(int accesses) {
        reset();
        for (int i = 0; i < accesses && !::testing::Test::HasFailure(); ++i) {
            for (int n = random_.in(0, 3); n > 0; --n)
                core_access();
            drain();
            EXPECT_EQ(top_.dla_intr != 0, model_.interrupt());
            own_access();
            drain();
            for (int n = random_.in(0, 4); n > 0; --n)
                tick(random_.chance(case_.errors));
            tick(false);
            tick(false);
        }
    }

    /// Cycles for which the core is in reset after a write to S_RESET, and until it gets an access.
    void soft_reset(int behind) {
        reset();
        up_.assign(static_cast<std::size_t>(behind), true);
        top_.core_intr = 1;
        tick(false);
        tick(false);
        EXPECT_EQ(top_.dla_intr, 1);
        EXPECT_EQ(top_.core_rst_n, 1);
        request({true, true, 0x3f014 >> 2, 0});
        request({false, false, 0x1000 >> 2, 0});
        int low = 0, high = 0;  // cycles in reset, cycles behind it without an access
        for (int i = 0; i < 400 && !wanted_.empty(); ++i) {
            tick(false);
            if (has_core_up<Vdut> && top_.core_rst_n == 0) {
                EXPECT_EQ(top_.dla_intr, 0);
            }
            low += top_.core_rst_n == 0;
            high += low > 0 && top_.core_rst_n != 0 && arrived_.empty();
        }
        const bool waits = has_core_up<Vdut> && behind == kSlow;
        EXPECT_GE(low, waits ? kSlow : 16);
        EXPECT_LE(low, waits ? kSlow + 4 : 16);
        EXPECT_GE(high, waits ? kSlow : 48);
        EXPECT_TRUE(wanted_.empty());
    }

private:
    void reset() {
        top_.ctl_valid = 0;
        top_.core_intr = 0;
        top_.core_rd_valid = top_.core_wr_complete = 0;
        put_number(top_.error, 0);
        top_.rst_n = 1;
        top_.clk = 0;
        top_.eval();
        top_.rst_n = 0;
        for (int i = 0; i < 4; ++i)
            tick(false);
        EXPECT_EQ(top_.core_rst_n, 0);
        top_.rst_n = 1;
        for (int i = 0; i < 80; ++i)
            tick(false);
    }

    void tick(bool errors) {
        top_.clk = 0;
        top_.eval();
        const bool taken = top_.ctl_valid && top_.ctl_ready;
        CsbPins& p = pins_;
        p.valid = top_.core_valid != 0;
        p.write = top_.core_write != 0;
        p.nposted = top_.core_nposted != 0;
        p.addr = top_.core_addr;
        p.wdat = top_.core_wdat;
        if (p.valid) {
            EXPECT_EQ(top_.core_rst_n, 1);
        }
        if (top_.rst_n) check_answer();
        context_.timeInc(1);
        top_.clk = 1;
        top_.eval();
        up_.push_back(top_.core_rst_n != 0);
        put_core_up(top_, up_.front());
        up_.pop_front();
        core_.clock(p);
        while (const auto access = core_.take())
            arrived_.push_back(*access);
        top_.core_ready = p.ready;
        top_.core_rd_valid = p.rd_valid;
        top_.core_rd_data = p.rd_data;
        top_.core_wr_complete = p.wr_complete;
        if (taken) requests_.pop_front();
        drive_request(top_.ctl_valid && !taken);
        drive_errors(errors);
    }

    void drive_request(bool stalled) {
        top_.ctl_valid = !requests_.empty() && (stalled || !random_.chance(case_.ask));
        if (requests_.empty()) return;
        const CsbTaken& next = requests_.front();
        top_.ctl_addr = static_cast<std::uint16_t>(next.addr);
        top_.ctl_wdat = next.data;
        top_.ctl_write = next.write;
        top_.ctl_nposted = next.nposted;
    }

    void drive_errors(bool errors) {
        std::uint32_t fail = errors ? random_.word() & ((1u << (2 * kPorts)) - 1) : 0;
        put_number(top_.error, fail);
        for (int i = 0; i < 2 * kPorts; ++i) {
            model::BusError error;
            error.client = random_.word() % 10;
            error.decode = random_.chance(50);
            error.addr = random_.bits() & (kAddrW < 64 ? (std::uint64_t{1} << kAddrW % 64) - 1
                                                       : ~std::uint64_t{0});
            put_bits(top_.error_decode, i, 1, error.decode);
            put_bits(top_.error_client, 4 * i, 4, error.client);
            for (int bit = 0; bit < kAddrW; bit += 16) {
                const int width = std::min(16, kAddrW - bit);
                put_bits(top_.error_addr, kAddrW * i + bit, width,
                         static_cast<std::uint32_t>(error.addr >> bit) & ((1u << width) - 1));
            }
            if ((fail >> i & 1) != 0) model_.error(error, i % 2 != 0, i / 2 != 0);
        }
    }

    void request(const CsbTaken& access) {
        requests_.push_back(access);
        if (access.write && !access.nposted) return;
        std::uint32_t data = 0;
        if (!access.write) {
            data = model::Sysctl::own(access.addr) ? model_.read(access.addr % 1024 * 4)
                                                   : CsbSlave::value(access.addr);
        }
        wanted_.push_back({access.write, true, access.addr, data});
    }

    void core_access() {
        CsbTaken access;
        access.write = random_.chance(50);
        access.nposted = access.write && random_.chance(50);
        access.addr = random_.word() & 0xffff;
        if (model::Sysctl::own(access.addr)) access.addr ^= 0x8000;
        access.data = random_.word();
        sent_.push_back(access);
        request(access);
    }

    void own_access() {
        CsbTaken access;
        access.write = random_.chance(30);
        access.nposted = access.write && random_.chance(50);
        std::uint32_t offset = random_.word() % 8 * 4;
        if (access.write && offset == model::Sysctl::kReset) offset = model::Sysctl::kMask;
        access.addr = model::kSysctlPage << 10 | offset / 4;
        access.data = random_.word();
        request(access);
        if (access.write) model_.write(offset, access.data);
    }

    void check_answer() {
        if (!top_.ctl_rd_valid && !top_.ctl_wr_complete) return;
        ASSERT_FALSE(wanted_.empty()) << "an answer that nobody waits for";
        EXPECT_EQ(top_.ctl_wr_complete != 0, wanted_.front().write);
        EXPECT_EQ(top_.ctl_rd_valid != 0, !wanted_.front().write);
        if (!wanted_.front().write) {
            EXPECT_EQ(top_.ctl_rd_data, wanted_.front().data) << std::hex << wanted_.front().addr;
        }
        wanted_.pop_front();
    }

    /// Until all is done and everything has arrived.
    void drain() {
        const auto done = [&] {
            return requests_.empty() && wanted_.empty() && arrived_.size() == sent_.size();
        };
        for (int i = 0; !done(); ++i) {
            ASSERT_LT(i, 5000) << "an access is never answered, or lost";
            tick(false);
        }
        for (std::size_t i = 0; i < sent_.size(); ++i) {
            EXPECT_EQ(arrived_[i].addr, sent_[i].addr);
            EXPECT_EQ(arrived_[i].write, sent_[i].write);
            EXPECT_EQ(arrived_[i].nposted, sent_[i].nposted);
            EXPECT_EQ(arrived_[i].data, sent_[i].data);
        }
        arrived_.clear();
        sent_.clear();
        for (int i = 0; i < 4; ++i)
            tick(false);
    }

    Case case_;
    RandomState context_;
    Vdut top_;
    CsbSlave core_;
    CsbPins pins_;
    verif::Random random_;
    model::Sysctl model_{dla_params::identity};
    std::deque<bool> up_ = std::deque<bool>(kQuick, false);  ///< core_rst_n on its way to core_up
    std::deque<CsbTaken> requests_, wanted_;
    std::deque<CsbTaken> sent_, arrived_;  ///< to the core, at the core
};

TEST(Sysctl, AccessesAndErrors) {
    for (const Case& c : {Case{0, 0, 30, 1}, {30, 30, 50, 2}, {0, 80, 10, 3}, {80, 0, 90, 4}}) {
        Bench bench(c);
        bench.run(1500);
        ASSERT_FALSE(HasFailure()) << "seed " << c.seed;
    }
}

TEST(Sysctl, ResetsTheCore) {
    for (const int behind : {kQuick, kSlow})
        Bench({0, 0, 0, 5}).soft_reset(behind);
}

}  // namespace
}  // namespace macrame::tb
