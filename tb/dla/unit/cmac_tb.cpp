/// Unit test of dla_cmac and dla_cmac_retimed against its golden model: weights and swaps at every
/// distance, the exact latency of sums and flags, quiet outputs without a beat, hand-over at the
/// end of a layer.

#include <string>
#include <tuple>
#include <vector>

#include "tb/dla/unit/cmac_bench.hpp"
#include "verif/dla/model/arithmetic.hpp"
#include "verif/dla/model/cmac.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;
using tb::cmac::kLatency;
using tb::cmac::Traffic;

using Lanes = std::vector<std::int8_t>;
using Sums = std::vector<std::int32_t>;

/// Lanes as a port carries them.
std::vector<std::uint8_t> bytes(const Lanes& lanes) { return {lanes.begin(), lanes.end()}; }

/// Sum of MAC cell `cell` in a port of sums.
template <typename Port>
std::int32_t sum(const Port& port, int cell) {
    return static_cast<std::int32_t>(
        m::wrap(tb::get_bits(port, cell * p::psum_w, p::psum_w), p::psum_w));
}

class Bench : public tb::cmac::CmacBench<Sums> {
public:
    Bench(const Traffic& traffic, std::uint64_t seed) : CmacBench(traffic, seed) {
        shadow_.assign(p::cmac_cells, Lanes(p::atomic_c, 0));
        active_ = shadow_;
        for (int i = 0; i < 80; ++i)
            tick();  // read-back RAM of the registers
    }

    /// One cycle of random stimulus, checked.
    void step() {
        if (chance(traffic_.beat)) send_beat(started_ ? chance(traffic_.swap) : true, false);
        if (chance(traffic_.weight)) write_weights(static_cast<int>(rng_() % p::cmac_cells));
        tick();
    }

    void finish_layer() {
        send_beat(!started_, true);
        tick();
        for (int i = 0; i < kLatency + 2; ++i)
            tick();
    }

    bool consumer() {
        dut_->csb2cmac_valid = 1;
        dut_->csb_write = 0;
        dut_->csb_addr = 1;
        tick();
        dut_->csb2cmac_valid = 0;
        tick();
        return ((dut_->cmac2csb_rdata >> 16) & 1) != 0;
    }

    /// Sets OP_EN of a register group.
    void enable(int group) {
        write(1, static_cast<std::uint32_t>(group));
        write(2, 1);
    }

    /// What CSC sees.
    bool enabled() {
        dut_->eval();
        return dut_->mac2csc_enabled != 0;
    }

    void send_end() {
        send_beat(!started_, true);
        tick();
    }

    void idle() { tick(); }

private:
    void write(int word, std::uint32_t value) {
        dut_->csb2cmac_valid = 1;
        dut_->csb_write = 1;
        tb::put_number(dut_->csb_addr, word);
        dut_->csb_wdata = value;
        tick();
        dut_->csb2cmac_valid = 0;
    }

    Lanes random_lanes() {
        static const std::int8_t corners[] = {-128, 127, 0, -1};
        Lanes lanes(p::atomic_c);
        const bool same = chance(traffic_.corner);
        const std::int8_t all = corners[rng_() % 4];
        for (auto& lane : lanes) {
            lane = chance(traffic_.corner) ? (same ? all : corners[rng_() % 4])
                                           : static_cast<std::int8_t>(rng_());
        }
        return lanes;
    }

    /// Presents a shadow write in this cycle. A swap in the same cycle has been modelled before.
    void write_weights(int cell) {
        const Lanes lanes = random_lanes();
        select(cell);
        tb::put_bytes(dut_->csc2mac_wt_data, bytes(lanes));
        shadow_[static_cast<std::size_t>(cell)] = lanes;
    }

    void send_beat(bool swap, bool end) {
        const Lanes lanes = random_lanes();
        tb::put_bytes(dut_->csc2mac_dat_data, bytes(lanes));
        if (swap) {
            active_ = shadow_;
            shadow_.assign(p::cmac_cells, Lanes(p::atomic_c, 0));
        }
        Sums sums;
        for (const Lanes& weights : active_)
            sums.push_back(m::psum(lanes, weights));
        send(swap, end, 0, sums);
        started_ = true;
    }

    void put_noise() override {
        tb::put_bytes(dut_->csc2mac_dat_data, bytes(random_lanes()));
        tb::put_bytes(dut_->csc2mac_wt_data, bytes(random_lanes()));
    }

    void check_sums(const Sums* want) override {
        if (want != nullptr) held_ = *want;
        for (std::size_t c = 0; c < held_.size(); ++c) {
            ASSERT_EQ(sum(dut_->mac2accu_data, static_cast<int>(c)), held_[c])
                << (want != nullptr ? "" : "toggles when idle, ") << "cycle " << cycle_ << " cell "
                << c;
        }
    }

    std::vector<Lanes> shadow_, active_;
    Sums held_;
    bool started_ = false;
};

class CmacTraffic : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(CmacTraffic, SumsFlagsAndLatency) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    for (int layer = 0; layer < 4; ++layer) {
        ASSERT_EQ(bench.consumer(), layer % 2 == 1) << "layer " << layer;
        for (int i = 0; i < 1500; ++i) {
            bench.step();
            if (HasFatalFailure()) return;
        }
        bench.finish_layer();
        if (HasFatalFailure()) return;
        ASSERT_TRUE(bench.drained());
    }
    EXPECT_GT(bench.beats(), 300);
}

/// CSC may begin a layer when its group is enabled. The last beat hands over to the other group,
/// however long the way through the array is; CSC sees none enabled in the cycle in between.
TEST(Cmac, TellsCscThatALayerIsEnabled) {
    Bench bench({"full speed", 100, 100, 5, 20}, 1);
    EXPECT_FALSE(bench.enabled());
    bench.enable(1);
    bench.idle();
    EXPECT_FALSE(bench.enabled()) << "group 1 is not the next one";
    bench.enable(0);
    bench.idle();
    EXPECT_TRUE(bench.enabled());
    for (int i = 0; i < 20; ++i) {
        bench.step();
        ASSERT_TRUE(bench.enabled());
    }
    bench.send_end();
    if (SLICES > 0) bench.idle();  // it is in the slice
    EXPECT_FALSE(bench.enabled()) << "that layer is over";
    bench.idle();
    EXPECT_TRUE(bench.enabled()) << "group 1 was enabled before";
    EXPECT_TRUE(bench.consumer());
    bench.send_end();
    if (SLICES > 0) bench.idle();  // it is in the slice
    EXPECT_FALSE(bench.enabled());
    bench.idle();
    EXPECT_FALSE(bench.enabled());
    EXPECT_FALSE(bench.consumer());
    bench.enable(0);
    bench.idle();
    EXPECT_TRUE(bench.enabled());
}

const Traffic kTraffic[] = {
    {"full speed", 100, 100, 5, 20}, {"swap every beat", 100, 100, 100, 0},
    {"gaps", 40, 30, 20, 50},        {"sparse", 10, 50, 50, 90},
    {"extremes", 80, 60, 10, 100},
};

INSTANTIATE_TEST_SUITE_P(Table, CmacTraffic,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2, 3)));

}  // namespace
