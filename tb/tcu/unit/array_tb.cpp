/// Unit test of tcu_array against the array of the golden model: weights that change at every
/// distance, the exact latency, results on their way at reset.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "Vdut.h"
#include "tb/common/random_state.hpp"
#include "tb/tcu/unit/lanes.hpp"
#include "verif/tcu/model/array.hpp"

namespace {

namespace m = macrame::tcu::model;
namespace p = tcu_params;
namespace tb = macrame::tb;

struct Traffic {
    const char* name;
    int vector;  ///< percent of cycles with a vector
    int shift;   ///< percent of the cycles that may have one with a row
    int swap;    ///< percent of the vectors that may with a swap
    int corner;  ///< percent of lanes at a corner
};

class Bench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed)
        : traffic_(traffic), random_(seed), context_(seed), next_(p::array_size), now_(next_) {
        dut_ = std::make_unique<Vdut>(&context_);
        reset();
    }
    ~Bench() { dut_->final(); }

    void step() { step(traffic_.vector, traffic_.shift, traffic_.swap); }
    /// Until all results have come.
    void drain() {
        for (int i = 0; i <= p::array_latency; ++i)
            step(0, traffic_.shift, 0);
    }
    /// Weights that were under way to a column are lost: all rows are loaded again.
    void reset() {
        send_vector(false, false);
        send_row(false);
        send_second_vector(*dut_, false);
        send_second_row(*dut_, false);
        dut_->rst_n = 0;
        expected_.clear();
        clock();
        clock();
        dut_->rst_n = 1;
        swapped_ = cycle_ - p::swap_cycles;
        for (int i = 0; i <= p::array_size; ++i)
            step(0, 100, 0);
        step(100, 0, 100);
    }

    int vectors() const { return vectors_; }
    int swaps() const { return swaps_; }
    std::uint64_t saturations() const { return saturations_; }
    bool drained() const { return expected_.empty(); }

private:
    struct Result {
        long due;
        tb::Lanes lanes;
    };

    void step(int vector, int shift, int swap) {
        const bool may_swap = cycle_ >= swapped_ + p::swap_cycles;
        const bool valid = random_.chance(vector);
        const bool swaps = may_swap && random_.chance(swap);
        const bool may_shift = p::weight_buffers == 3 || (may_swap && !(valid && swaps));
        send_vector(valid, swaps);
        send_second_vector(*dut_, valid);
        const bool shifts = may_shift && random_.chance(shift);
        send_row(shifts);
        send_second_row(*dut_, shifts);
        check();
        clock();
    }

    void send_vector(bool valid, bool swap) {
        const tb::Lanes x = tb::random_lanes(random_, traffic_.corner);
        dut_->feed2array_valid = valid;
        dut_->feed2array_swap = swap;
        tb::put_lanes(dut_->feed2array_x, x);
        if (!valid) return;
        if (swap) {
            now_ = next_;
            swapped_ = cycle_;
            ++swaps_;
        }
        expect(x);
    }

    void expect(const tb::Lanes& x) {
        Result result{cycle_ + p::array_latency, tb::zero_lanes()};
        now_.multiply(x.data(), result.lanes.data(), saturations_);
        expected_.push_back(result);
        ++vectors_;
    }

    /// A vector and a row in the same cycle behind the first one, where the array takes two.
    template <typename Dut>
    void send_second_vector(Dut& dut, bool first) {
        if constexpr (p::array_vectors == 2) {
            const tb::Lanes x = tb::random_lanes(random_, traffic_.corner);
            const bool valid = first && random_.chance(70);
            dut.feed2array_valid1 = valid;
            tb::put_lanes(dut.feed2array_x1, x);
            if (valid) expect(x);
        }
    }
    template <typename Dut>
    void send_second_row(Dut& dut, bool first) {
        if constexpr (p::array_vectors == 2) {
            const tb::Lanes row = tb::random_lanes(random_, traffic_.corner);
            const bool shift = first && random_.chance(70);
            dut.weights2array_shift1 = shift;
            tb::put_lanes(dut.weights2array_row1, row);
            if (shift) next_.shift(row.data());
        }
    }

    void send_row(bool shift) {
        const tb::Lanes row = tb::random_lanes(random_, traffic_.corner);
        dut_->weights2array_shift = shift;
        tb::put_lanes(dut_->weights2array_row, row);
        if (shift) next_.shift(row.data());
    }

    void check() {
        dut_->eval();
        check_result(dut_->array2acc_valid, dut_->array2acc_y);
        check_second_result(*dut_);
    }

    template <typename Dut>
    void check_second_result(const Dut& dut) {
        if constexpr (p::array_vectors == 2) check_result(dut.array2acc_valid1, dut.array2acc_y1);
    }

    template <typename Port>
    void check_result(bool valid, const Port& y) {
        const bool due = !expected_.empty() && expected_.front().due == cycle_;
        ASSERT_EQ(valid, due) << "cycle " << cycle_;
        if (!due) return;
        const tb::Lanes got = tb::get_lanes(y);
        for (std::size_t i = 0; i < p::array_size; ++i)
            ASSERT_EQ(+got[i], +expected_.front().lanes[i]) << "cycle " << cycle_ << " lane " << i;
        expected_.pop_front();
    }

    void clock() {
        context_.timeInc(1);
        dut_->clk = 1;
        dut_->eval();
        dut_->clk = 0;
        dut_->eval();
        ++cycle_;
    }

    Traffic traffic_;
    macrame::verif::Random random_;
    tb::RandomState context_;
    std::unique_ptr<Vdut> dut_;
    m::Array<tb::Fixed> next_, now_;  ///< weights as they are shifted, weights of vectors
    std::deque<Result> expected_;
    long cycle_ = 0, swapped_ = 0;
    int vectors_ = 0, swaps_ = 0;
    std::uint64_t saturations_ = 0;
};

class ArrayTraffic : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(ArrayTraffic, ResultsAndLatency) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    const int cycles = 100000 / p::array_size;
    for (int i = 0; i < cycles; ++i) {
        bench.step();
        if (HasFatalFailure()) return;
    }
    bench.drain();
    EXPECT_TRUE(bench.drained());
    EXPECT_GE(bench.vectors(), cycles * traffic.vector / 150);
    EXPECT_GE(bench.swaps(), bench.vectors() * traffic.swap / (200 * p::swap_cycles));
    EXPECT_GT(bench.saturations(), 0u);
}

TEST(Array, ResetLeavesNoResultsOnTheirWay) {
    Bench bench({"full speed", 100, 100, 50, 20}, 1);
    for (int i = 0; i < 3 * p::array_latency; ++i)
        bench.step();
    bench.reset();
    for (int i = 0; i < 3 * p::array_latency; ++i)
        bench.step();
    bench.drain();
    EXPECT_TRUE(bench.drained());
}

const Traffic kTraffic[] = {
    {"full speed", 100, 100, 10, 10},  {"a swap whenever it may be", 100, 100, 100, 20},
    {"parts of rows", 100, 20, 50, 5}, {"gaps", 40, 50, 50, 20},
    {"sparse", 10, 90, 90, 50},        {"extremes", 80, 60, 20, 100},
};

INSTANTIATE_TEST_SUITE_P(Table, ArrayTraffic,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2, 3)));

}  // namespace
