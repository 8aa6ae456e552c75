/// Unit test of dla_glb: random events, writes and reads against the model, and the
/// pin behind the interrupt registers.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/random_state.hpp"
#include "verif/dla/model/glb.hpp"

namespace {

using macrame::dla::model::Glb;

constexpr int kPinLatency = 2;  // flops of the crossing

/// Only designs with these units have their pins. `events`: as in the status.
template <typename Dut>
void put_optional(Dut& dut, std::uint32_t events) {
    if constexpr (dla_params::pdp_enable != 0) dut.pdp2glb_done = (events >> 4) & 3;
    if constexpr (dla_params::bdma_enable != 0) dut.bdma2glb_done = (events >> 6) & 3;
    if constexpr (dla_params::rubik_enable != 0) dut.rubik2glb_done = (events >> 8) & 3;
    if constexpr (dla_params::row_enable != 0) dut.row2glb_done = (events >> 10) & 3;
}

class Bench {
public:
    explicit Bench(unsigned seed) : random_(seed), context_(seed), top_(&context_) {
        top_.rst_n = 0;
        top_.csb_rst_n = 0;
        top_.csb2glb_valid = 0;
        top_.sdp2glb_done = top_.cdp2glb_done = top_.cacc2glb_done = 0;
        top_.cdma_dat2glb_done = top_.cdma_wt2glb_done = 0;
        put_optional(top_, 0);
        for (int i = 0; i < 5; ++i)
            edge();
        top_.rst_n = 1;
        top_.csb_rst_n = 1;
        pin_.assign(kPinLatency, false);
    }

    void cycle() {
        const bool access = chance(50);
        const bool write = chance(60);
        const std::uint32_t word = chance(5) ? random_() % 1024 : random_() % 4;
        const std::uint32_t data = chance(30) ? ~0u : static_cast<std::uint32_t>(random_());
        const std::uint32_t events =
            chance(20) ? static_cast<std::uint32_t>(random_()) & 0x3f03ffu : 0;
        top_.csb2glb_valid = access;
        top_.csb_write = write;
        top_.csb_addr = static_cast<std::uint16_t>(word);
        top_.csb_wdata = data;
        top_.sdp2glb_done = events & 3;
        top_.cdp2glb_done = (events >> 2) & 3;
        put_optional(top_, events);
        top_.cdma_dat2glb_done = (events >> 16) & 3;
        top_.cdma_wt2glb_done = (events >> 18) & 3;
        top_.cacc2glb_done = (events >> 20) & 3;

        const std::uint32_t old_mask = model_.read(Glb::kMask);
        if (access && write) model_.write(word * 4, data);
        model_.raise(events);
        // A new mask reaches the flop of the pin one cycle later than a new status.
        pin_.push_back((model_.read(Glb::kStatus) & ~old_mask) != 0);
        edge();
        ASSERT_EQ(top_.glb2csb_rdata, rdata_) << "word " << word;
        rdata_ = access && !write ? model_.read(word * 4) : 0;
        ASSERT_EQ(bool(top_.dla_intr), pin_.front());
        pin_.pop_front();
    }

private:
    bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }

    void edge() {
        top_.clk = 0;
        top_.dla_csb_clk = 0;
        top_.eval();
        top_.clk = 1;
        top_.dla_csb_clk = 1;
        top_.eval();
    }

    std::mt19937 random_;
    macrame::tb::RandomState context_;
    Vdut top_;
    Glb model_{{dla_params::pdp_enable != 0, dla_params::cdp_enable != 0,
                dla_params::bdma_enable != 0, dla_params::rubik_enable != 0,
                dla_params::row_enable != 0}};
    std::deque<bool> pin_;
    std::uint32_t rdata_ = 0;  ///< answer of the next cycle
};

TEST(Glb, RandomEventsAndAccesses) {
    for (unsigned seed : {1u, 2u, 3u}) {
        auto bench = std::make_unique<Bench>(seed);
        for (int i = 0; i < 20000; ++i) {
            bench->cycle();
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << " cycle " << i;
        }
    }
}

}  // namespace
