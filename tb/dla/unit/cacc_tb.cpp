/// Unit test of dla_cacc against its golden model: accumulation of stripes of every length, exact
/// rounding, order, credits, stalls by SDP, layers back to back with different CLIP_TRUNCATE,
/// interrupts and the count of saturated results.

#include <string>
#include <tuple>

#include "tb/dla/unit/cacc_bench.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
using macrame::tb::put_bits;
using macrame::tb::cacc::kTraffic;
using macrame::tb::cacc::Layer;
using macrame::tb::cacc::Traffic;

constexpr int kKernels = p::atomic_k;
constexpr int kBeats = p::atomic_k / p::sdp_lanes;

class Bench : public macrame::tb::cacc::CaccBench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed) : CaccBench(traffic, seed) {}

    void run(int count, int stripes, int max_length, int max_steps) {
        std::deque<Layer> layers;
        for (int i = 0; i < count; ++i) {
            const auto truncate = traffic_.large ? static_cast<unsigned>(5 * i) : rng_();
            layers.push_back({{}, static_cast<int>(truncate % 32), stripes});
        }
        max_steps_ = max_steps;
        run_layers(layers, max_length, max_steps, traffic_.large);
    }

private:
    void begin_stripe(const Layer& layer, int length) override {
        acc_.assign(static_cast<std::size_t>(length), std::vector<std::int64_t>(kKernels, 0));
        target_ = acc_;
        for (auto& kernels : target_) {
            for (auto& value : kernels)
                value = random_target(layer.truncate);
        }
    }

    /// A value near a half or near the limits, as large as max_steps_ partial sums can make it.
    std::int64_t random_target(int truncate) {
        const std::int64_t limit = std::min((std::int64_t{1} << (p::acc_w - 1)) - 1,
                                            (std::int64_t{max_steps_} - 1) << (p::psum_w - 2));
        const int size = static_cast<int>(rng_() % p::acc_w) + 1;
        auto value = static_cast<std::int64_t>(rng_()) >> (64 - size);
        if (chance(60) && truncate > 0) {
            const std::int64_t half = std::int64_t{1} << (truncate - 1);
            value = (value / half) * half + static_cast<std::int64_t>(rng_() % 3) - 1;
            if (chance(50)) value += std::int64_t{1} << rng_() % static_cast<unsigned>(truncate);
            if (chance(30) && truncate > 17) {
                value +=
                    static_cast<std::int64_t>(rng_()) & ((std::int64_t{1} << (truncate - 16)) - 1);
            }
        }
        if (chance(10))
            value = chance(50) ? INT32_MAX + std::int64_t{1} : INT32_MIN - std::int64_t{1};
        return std::clamp(value, -limit, limit);
    }

    std::int32_t next_psum(std::int64_t acc, std::int64_t target) {
        const std::int32_t top = (1 << (p::psum_w - 1)) - 1;
        if (traffic_.large) {
            return static_cast<std::int32_t>(std::clamp<std::int64_t>(
                target - acc, -(1 << (p::psum_w - 2)), 1 << (p::psum_w - 2)));
        }
        switch (rng_() % 6) {
            case 0:
                return top;
            case 1:
                return -top - 1;
            case 2:
                return 0;
            case 3:
                return -1;
            default:
                return static_cast<std::int32_t>(rng_() % (2U * static_cast<unsigned>(top) + 2)) -
                       top - 1;
        }
    }

    void put_psums(Layer& layer, bool last, bool end) override {
        for (int k = 0; k < kKernels; ++k) {
            auto& a = acc_[position()][static_cast<std::size_t>(k)];
            const std::int32_t psum =
                next_psum(a, target_[position()][static_cast<std::size_t>(k)]);
            a = m::accumulate(a, psum);
            const auto bits = static_cast<std::uint32_t>(psum);
            if (k < p::cmac_cells) {
                put_bits(dut_.mac_a2accu_data, k * p::psum_w, p::psum_w, bits);
            } else {
                put_bits(dut_.mac_b2accu_data, (k - p::cmac_cells) * p::psum_w, p::psum_w, bits);
            }
            if (last) expect(layer, m::final_value(a, layer.truncate), end && k == kKernels - 1);
        }
    }

    std::vector<std::vector<std::int64_t>> acc_, target_;  ///< [position][kernel]
    int max_steps_ = 1;
};

class Cacc : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(Cacc, ResultsMatchModel) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.run(8, 12, p::cacc_depth, 5);
}

INSTANTIATE_TEST_SUITE_P(Table, Cacc,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2, 3)));

TEST(CaccLayers, OfOneResultBackToBack) {
    Bench bench({"tiny layers", 100, 70, 0, false}, 4);
    bench.run(60, 1, 1, 1);
}

TEST(CaccValues, AroundHalvesRound) {
    Bench bench({"targeted", 100, 100, 0, true}, 7);
    bench.run(64, 2, 8, 66);
}

TEST(CaccValues, OfFullSizeRoundAndSaturate) {
    Bench bench({"targeted", 100, 100, 0, true}, 5);
    // Enough partial sums to reach the largest accumulator.
    bench.run(10, 1, 8, (1 << (p::acc_w - p::psum_w + 1)) + 2);
    if (p::acc_w > 32) {
        EXPECT_GT(bench.saturated(), 0U);
    } else {
        EXPECT_EQ(bench.saturated(), 0U);
    }
}

TEST(CaccSpeed, NoGapBetweenPositions) {
    Bench bench({"speed", 100, 100, 0, false}, 6);
    bench.run(1, 40, p::cacc_depth, 1);
    EXPECT_LE(bench.cycles(), bench.positions() * kBeats + 20);
}

}  // namespace
