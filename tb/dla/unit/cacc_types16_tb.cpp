/// Unit test of dla_cacc with element types of 16 bits against the golden models: every type and
/// mode in turn, stripes as short as they may be, exact rounding, order, credits, stalls by SDP,
/// layers back to back, interrupts, the count of saturated results; recorded chains of additions.

#include <string>
#include <tuple>

#include "tb/dla/unit/cacc_bench.hpp"
#include "verif/dla/model/arithmetic.hpp"
#include "verif/dla/model/cacc_fp16.hpp"
#include "verif/dla/test/oracle.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
using m::Precision;
using macrame::dla::Kind;
using macrame::tb::put_bits;
using macrame::tb::cacc::kTraffic;
using macrame::tb::cacc::Layer;
using macrame::tb::cacc::Traffic;

constexpr int kCells = 2 * p::cmac_cells;
constexpr int kHalf = p::psum_w / 2;

constexpr int log2_lanes(int lanes) { return lanes > 1 ? 1 + log2_lanes(lanes / 2) : 0; }
constexpr int kSum8 = 16 + log2_lanes(p::atomic_c), kSum16 = 32 + log2_lanes(p::atomic_c);

/// An accumulator of any type.
struct Acc {
    std::int64_t integer = 0;
    m::FloatAcc real;
};

class Bench : public macrame::tb::cacc::CaccBench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed) : CaccBench(traffic, seed) {}

    void run(int count, int stripes, int max_length, int max_steps) {
        const std::vector<Kind> kinds = macrame::dla::kinds();
        std::deque<Layer> layers;
        for (int i = 0; i < count; ++i) {
            layers.push_back({kinds[rng_() % kinds.size()],
                              static_cast<int>(rng_() % (traffic_.large ? 4 : 32)), stripes});
        }
        run_layers(layers, max_length, max_steps, traffic_.large);
    }

    /// A layer of one kind with given partial sums: chains[step][cell].
    void run(const Kind& kind, std::vector<std::vector<std::uint64_t>> chains) {
        given_ = std::move(chains);
        run_layers({{kind, 0, 1}}, 1, static_cast<int>(given_.size()), true);
    }

private:
    /// Bits of an integer partial sum that CMAC can make; large ones are what the bus can carry.
    std::int64_t random_integer(std::int64_t acc, int bits, bool last, int truncate) {
        if (traffic_.large) {
            const std::int64_t top = (std::int64_t{1} << (bits - 1)) - 1;
            return chance(5) ? static_cast<std::int64_t>(rng_() % 3) - 1 : sign_ ? -top - 1 : top;
        }
        if (last && truncate > 0 && chance(60)) {  // near a half
            const std::int64_t half = std::int64_t{1} << (truncate - 1);
            std::int64_t want = m::wrap(static_cast<std::int64_t>(rng_()), bits - 1);
            want = want / half * half + static_cast<std::int64_t>(rng_() % 3) - 1;
            if (chance(50)) want += std::int64_t{1} << rng_() % static_cast<unsigned>(truncate);
            const std::int64_t limit = (std::int64_t{1} << (bits - 1)) - 1;
            return std::clamp(want - acc, -limit, limit);
        }
        return m::wrap(static_cast<std::int64_t>(rng_()), bits) >>
               rng_() % static_cast<unsigned>(bits);
    }

    std::uint64_t random_float(const m::FloatAcc& acc) {
        if (chance(1)) return m::psum_word(m::kPsumNan, (std::int64_t{1} + rng_() % 1023) << 27);
        int exponent = 4 * static_cast<int>(rng_() % 15);
        std::int64_t sum = m::wrap(static_cast<std::int64_t>(rng_()), 36) >> rng_() % 36;
        if (chance(30) && !acc.is_nan() && acc.exponent >= 55 && acc.exponent < 105) {
            // Cancels most of the accumulator.
            exponent = (acc.exponent - 49 + 3) / 4 * 4;
            sum = -(acc.mantissa >> std::clamp(exponent + 51 - acc.exponent, 3, 39)) +
                  static_cast<std::int64_t>(rng_() % 3) - 1;
            exponent = std::clamp(exponent, 0, 56);
        }
        return m::psum_word(exponent, chance(10) ? 0 : sum);
    }

    /// A partial sum of a cell, added to its accumulators.
    std::uint64_t next_psum(const Layer& layer, Acc* acc, std::size_t cell, bool last) {
        const int lanes = p::psum_w;
        switch (layer.kind.precision) {
            case Precision::fp16: {
                const std::uint64_t word = given_.empty()
                                               ? random_float(acc->real)
                                               : given_[static_cast<std::size_t>(step())][cell];
                acc->real = m::accumulate(acc->real, word);
                return word;
            }
            case Precision::int16: {
                const bool wide = traffic_.large && saturates16();
                const std::int64_t psum =
                    random_integer(acc->integer, wide ? lanes : kSum16 - 1, last, layer.truncate);
                acc->integer = m::accumulate(acc->integer, psum, m::kAccBitsInt16);
                return static_cast<std::uint64_t>(psum) & ((std::uint64_t{1} << lanes) - 1);
            }
            default: {
                std::uint64_t word = 0;
                for (int k = 0; k < 2; ++k) {
                    const std::int64_t psum =
                        random_integer(acc[k].integer, kSum8, last, layer.truncate);
                    acc[k].integer = m::accumulate(acc[k].integer, psum);
                    word |= (static_cast<std::uint64_t>(psum) & ((std::uint64_t{1} << kHalf) - 1))
                            << k * kHalf;
                }
                return word;
            }
        }
    }

    static bool saturates16() { return p::cbuf_bytes > 256 * 1024; }

    void begin_stripe(const Layer& layer, int length) override {
        sign_ = chance(50);
        const std::size_t accs = 2 * kCells * static_cast<std::size_t>(layer.places());
        acc_.assign(static_cast<std::size_t>(length), std::vector<Acc>(accs));
    }

    void put_psum(int result, int cell, std::uint64_t word) {
        auto& port = cell < p::cmac_cells ? dut_.mac_a2accu_data : dut_.mac_b2accu_data;
        const int at = (result * p::cmac_cells + cell % p::cmac_cells) * p::psum_w;
        put_bits(port, at, 32, static_cast<std::uint32_t>(word));
        put_bits(port, at + 32, p::psum_w - 32, static_cast<std::uint32_t>(word >> 32));
    }

    void put_psums(Layer& layer, bool last, bool end) override {
        const int results = layer.places();
        const int kernels = layer.kind.precision == Precision::int8 ? 2 : 1;
        for (int r = 0; r < results; ++r) {
            for (int c = 0; c < kCells; ++c) {
                Acc* const acc = &acc_[position()][static_cast<std::size_t>(2 * (r * kCells + c))];
                put_psum(r, c, next_psum(layer, acc, static_cast<std::size_t>(c), last));
                for (int k = 0; last && k < kernels; ++k) {
                    const bool final = r == results - 1 && c == kCells - 1 && k == kernels - 1;
                    expect_result(layer, acc[k], end && final);
                }
            }
        }
    }

    void expect_result(Layer& layer, const Acc& acc, bool end) {
        if (layer.kind.precision == Precision::fp16) {
            expect(m::final_fp32(acc.real), end);
        } else {
            expect(layer, m::final_value(acc.integer, layer.truncate), end);
        }
    }

    std::vector<std::vector<Acc>> acc_;  ///< [position][2 * (result * cells + cell) + kernel]
    std::vector<std::vector<std::uint64_t>> given_;
    bool sign_ = false;
};

class CaccTypes16 : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(CaccTypes16, ResultsMatchModel) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.run(10, 6, p::cacc_depth, 5);
}

INSTANTIATE_TEST_SUITE_P(Table, CaccTypes16,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2)));

TEST(CaccTypes16Layers, OfOneResultBackToBack) {
    Bench bench({"tiny layers", 100, 70, 0, false}, 4);
    bench.run(80, 1, 1, 1);
}

/// Short stripes: a position comes again as soon as it may.
TEST(CaccTypes16Layers, OfShortStripes) {
    Bench bench({"short stripes", 100, 100, 0, false}, 5);
    bench.run(30, 6, p::cacc_min_stripe, 8);
}

/// One layer fills the delivery RAM while the next ones are on their way.
TEST(CaccTypes16Layers, OfEveryLengthAgainstASlowSdp) {
    Bench bench({"slow", 100, 25, 0, false}, 6);
    bench.run(60, 1, 7, 2);
}

TEST(CaccTypes16Values, OfFullSizeSaturate) {
    Bench bench({"large", 100, 100, 0, true}, 7);
    bench.run(24, 1, 4, 40);
    if (p::int16) {  // int8 is too small for that in a short kernel
        EXPECT_GT(bench.saturated(), 0U);
    }
}

TEST(CaccTypes16Speed, NoGapBetweenPositions) {
    Bench bench({"speed", 100, 100, 0, false}, 8);
    bench.run(1, 30, p::cacc_depth, 1);
    EXPECT_LE(bench.cycles(),
              bench.positions() * p::mac_results * (p::atomic_k / p::sdp_lanes) + 40);
}

TEST(CaccRecorded, Chains) {
    if (!p::fp16) {
        GTEST_SKIP() << "no fp16";
    }
    NEEDS_ORACLE();
    std::vector<std::vector<std::uint64_t>> chains;
    std::vector<std::uint32_t> want;
    for (const m::OracleRow& row : m::OracleTable("cacc_fp.csv")) {
        if (row.text("step") == "0") {
            chains.emplace_back();
            want.push_back(0);
        }
        chains.back().push_back(row.hex64("psum"));
        want.back() = row.hex("fp32");
    }
    ASSERT_GT(chains.size(), 100U);
    // A chain per cell; additions of 0 behind the shorter ones.
    for (std::size_t first = 0; first < chains.size(); first += kCells) {
        const std::size_t count = std::min<std::size_t>(kCells, chains.size() - first);
        std::size_t steps = 0;
        for (std::size_t c = 0; c < count; ++c)
            steps = std::max(steps, chains[first + c].size());
        std::vector<std::vector<std::uint64_t>> psums(steps, std::vector<std::uint64_t>(kCells, 0));
        for (std::size_t c = 0; c < count; ++c) {
            for (std::size_t s = 0; s < chains[first + c].size(); ++s)
                psums[s][c] = chains[first + c][s];
        }
        Bench bench({"recorded", 100, 100, 0, false}, first);
        bench.run({Precision::fp16, false}, psums);
        if (HasFatalFailure()) return;
        for (std::size_t c = 0; c < count; ++c)
            ASSERT_EQ(bench.results()[c], want[first + c]) << "chain " << first + c;
    }
}

}  // namespace
