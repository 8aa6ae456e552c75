/// Unit test of dla_cmac and dla_cmac_retimed with element types of 16 bits against the golden
/// models: every type and mode of the configuration in turn, layers back to back, weights and swaps
/// at every distance, exact latency, quiet outputs; recorded operations where they fit.

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/dla/unit/cmac_bench.hpp"
#include "verif/dla/model/cmac.hpp"
#include "verif/dla/model/cmac_fp16.hpp"
#include "verif/dla/test/oracle.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;
using m::Precision;
using macrame::dla::Kind;
using macrame::dla::kinds;
using tb::cmac::kLatency;
using tb::cmac::Traffic;

/// Lanes of an entry as the ports carry them.
using Lanes = std::vector<std::uint16_t>;
using Words = std::vector<std::uint64_t>;

constexpr int kMiscWord = 3;
constexpr std::uint64_t kWordMask = (std::uint64_t{1} << p::psum_w) - 1;

/// Results of a cell that has kernels of 16 bits.
template <typename Integer>
Words integer_sums(const std::vector<Integer>& data, const std::vector<Integer>& weights,
                   bool winograd) {
    if (!winograd)
        return {static_cast<std::uint64_t>(m::psum(data.data(), weights.data(), data.size()))};
    Words out;
    for (const std::int64_t sum : m::winograd_psums(data.data(), weights.data()))
        out.push_back(static_cast<std::uint64_t>(sum));
    return out;
}

/// Words of a cell, by the golden model.
Words cell_words(const Kind& kind, const Lanes& data, const Lanes& weights) {
    if (kind.precision == Precision::fp16) {
        if (!kind.winograd) return {m::fp16_psum(data.data(), weights.data(), data.size())};
        const auto sums = m::fp16_winograd_psums(data.data(), weights.data());
        return {sums.begin(), sums.end()};
    }
    if (kind.precision == Precision::int16) {
        Words out = integer_sums<std::int16_t>({data.begin(), data.end()},
                                               {weights.begin(), weights.end()}, kind.winograd);
        for (std::uint64_t& word : out)
            word &= kWordMask;
        return out;
    }
    std::vector<std::int8_t> d, low, high;
    for (std::size_t i = 0; i < data.size(); ++i) {
        d.push_back(static_cast<std::int8_t>(data[i]));
        low.push_back(static_cast<std::int8_t>(weights[i]));
        high.push_back(static_cast<std::int8_t>(weights[i] >> 8));
    }
    constexpr int half = p::psum_w / 2;
    const Words a = integer_sums(d, low, kind.winograd), b = integer_sums(d, high, kind.winograd);
    Words out;
    for (std::size_t r = 0; r < a.size(); ++r)
        out.push_back((b[r] << half | (a[r] & ((std::uint64_t{1} << half) - 1))) & kWordMask);
    return out;
}

/// Word `n` of the port of sums.
template <typename Port>
std::uint64_t word(const Port& port, int n) {
    return tb::get_bits(port, n * p::psum_w, 32) |
           std::uint64_t{tb::get_bits(port, n * p::psum_w + 32, p::psum_w - 32)} << 32;
}

class Bench : public tb::cmac::CmacBench<std::vector<Words>> {
public:
    Bench(const Traffic& traffic, std::uint64_t seed) : CmacBench(traffic, seed) {
        active_.assign(p::cmac_cells, Lanes());
        shadow_ = active_;
        seen_.assign(p::mac_results * p::cmac_cells, 0);
        known_.assign(seen_.size(), false);
        for (int i = 0; i < 128; ++i)
            tick();  // read-back RAM of the registers
        for (std::uint32_t group = 0; group < 2; ++group)
            program(group);
        kind_ = kinds_.front();
        while (!csb_.empty())
            tick();
    }

    /// A layer of random beats; the next one follows it at once. Weights belong to one layer: its
    /// first beat swaps, and so does its last one.
    void layer(int cycles) {
        bool started = false;
        for (int i = 0; i < cycles && !::testing::Test::HasFatalFailure(); ++i) {
            const bool end = i == cycles - 1;
            if (end || chance(traffic_.beat)) {
                send_beat(random_lanes(false), !started || end || chance(traffic_.swap), end);
                started = true;
            }
            if (!end && chance(traffic_.weight)) {
                write_weights(static_cast<int>(rng_() % p::cmac_cells), random_lanes(true));
            }
            tick();
        }
        next_layer();
    }

    /// Layers of single operations in one cell, with recorded results.
    void operation(const Kind& kind, const Lanes& data, const Lanes& weights, const Words& want) {
        if (kind_.misc() != kind.misc()) set_kind(kind);
        const int cell = static_cast<int>(rng_() % p::cmac_cells);
        write_weights(cell, weights);
        tick();
        send_beat(data, true, false);
        sent()[static_cast<std::size_t>(cell)] = want;
        tick();
    }

    void drain() {
        for (int i = 0; i < kLatency + 2; ++i)
            tick();
        ASSERT_TRUE(drained());
    }

private:
    // ------------------------------------------------------------------ layers

    /// One more layer, in a register group.
    void program(std::uint32_t group) {
        const std::vector<Kind> all = kinds();
        kinds_.push_back(all[rng_() % all.size()]);
        csb_.push_back({1, group});
        csb_.push_back({kMiscWord, kinds_.back().misc()});
    }

    void next_layer() {
        program(static_cast<std::uint32_t>(layer_ % 2));
        ++layer_;
        kind_ = kinds_[layer_];
    }

    void set_kind(const Kind& kind) {
        csb_.push_back({1, static_cast<std::uint32_t>(layer_ % 2)});
        csb_.push_back({kMiscWord, kind.misc()});
        kind_ = kind;
        for (int i = 0; i < 4 || !csb_.empty(); ++i)
            tick();
    }

    // ------------------------------------------------------------------ stimulus

    std::uint16_t random_fp16() {
        static const std::uint16_t corners[] = {0,      0x8000, 1,      0x83FF, 0x0400, 0x7BFF,
                                                0xFBFF, 0x7C00, 0xFC00, 0x3C00, 0xBC00, 0x0200};
        if (chance(traffic_.corner)) return corners[rng_() % std::size(corners)];
        auto bits = static_cast<std::uint16_t>(rng_());
        if (spread_ != 0) {  // exponents near each other
            const unsigned exponent = (spread_ + static_cast<unsigned>(rng_() % 6)) % 31;
            bits = static_cast<std::uint16_t>((bits & 0x83FFu) | exponent << 10);
        }
        return (bits & 0x7FFF) > 0x7C00 ? static_cast<std::uint16_t>(bits & 0xBFFF) : bits;
    }

    Lanes random_lanes(bool weights) {
        static const std::int16_t corners8[] = {-128, 127, 0, -1},
                                  corners16[] = {-32768, 32767, 0, -1};
        Lanes lanes(p::atomic_c);
        spread_ = chance(60) ? 1 + static_cast<unsigned>(rng_() % 30) : 0;
        const bool same = chance(traffic_.corner);
        const std::size_t all = rng_() % 4;
        for (auto& lane : lanes) {
            const bool corner = chance(traffic_.corner);
            const std::size_t which = same ? all : rng_() % 4;
            std::int16_t value = corner ? corners16[which] : static_cast<std::int16_t>(rng_());
            if (kind_.precision == Precision::int8) {
                const auto byte = [&] {
                    return corner ? static_cast<std::int8_t>(corners8[same ? all : rng_() % 4])
                                  : static_cast<std::int8_t>(rng_());
                };
                value = byte();
                if (weights) value = static_cast<std::int16_t>((value & 0xFF) | byte() * 256);
            }
            lane = static_cast<std::uint16_t>(value);
            if (kind_.precision == Precision::fp16) lane = random_fp16();
        }
        if (kind_.precision == Precision::fp16) {
            while (chance(8))
                lanes[rng_() % lanes.size()] = static_cast<std::uint16_t>(
                    0x7C01u + rng_() % 0x3FF + (chance(50) ? 0x8000u : 0));
        }
        return lanes;
    }

    /// Presents a shadow write in this cycle. A swap in the same cycle has been modelled before.
    void write_weights(int cell, const Lanes& lanes) {
        select(cell);
        put_lanes(dut_->csc2mac_wt_data, lanes);
        shadow_[static_cast<std::size_t>(cell)] = lanes;
    }

    void send_beat(const Lanes& lanes, bool swap, bool end) {
        put_lanes(dut_->csc2mac_dat_data, lanes);
        if (swap) {
            active_ = shadow_;
            shadow_.assign(p::cmac_cells, Lanes());
        }
        const Lanes zero(p::atomic_c, 0);
        std::vector<Words> sums;
        for (const Lanes& weights : active_) {
            const bool used = !weights.empty();
            sums.push_back(cell_words(kind_, used ? lanes : zero, used ? weights : zero));
        }
        send(swap, end, kind_.bits(), std::move(sums));
    }

    template <typename Port>
    static void put_lanes(Port& port, const Lanes& lanes) {
        tb::put_bytes(port, reinterpret_cast<const std::uint8_t*>(lanes.data()), 2 * p::atomic_c);
    }

    // ------------------------------------------------------------------ one cycle

    void drive_registers() override {
        dut_->csb2cmac_valid = !csb_.empty();
        if (csb_.empty()) return;
        dut_->csb_write = 1;
        tb::put_number(dut_->csb_addr, csb_.front().first);
        dut_->csb_wdata = csb_.front().second;
        csb_.pop_front();
    }

    void put_noise() override {
        put_lanes(dut_->csc2mac_dat_data, random_lanes(false));
        put_lanes(dut_->csc2mac_wt_data, random_lanes(true));
    }

    /// Results that a beat does not have keep what they were.
    void check_sums(const std::vector<Words>* want) override {
        for (int n = 0; n < p::mac_results * p::cmac_cells; ++n) {
            const auto cell = static_cast<std::size_t>(n % p::cmac_cells);
            const auto result = static_cast<std::size_t>(n / p::cmac_cells);
            const std::uint64_t got = word(dut_->mac2accu_data, n);
            auto& seen = seen_[static_cast<std::size_t>(n)];
            if (want != nullptr && result < (*want)[cell].size()) {
                ASSERT_EQ(got, (*want)[cell][result])
                    << std::hex << got << " for " << (*want)[cell][result] << std::dec << ", cycle "
                    << cycle_ << " cell " << cell << " result " << result << " layer " << layer_;
                known_[static_cast<std::size_t>(n)] = true;
            } else if (known_[static_cast<std::size_t>(n)]) {
                ASSERT_EQ(got, seen) << "toggles when idle, cycle " << cycle_ << " word " << n;
            }
            seen = got;
        }
    }

    std::vector<Lanes> shadow_, active_;  // of each cell; empty: no write
    std::deque<std::pair<int, std::uint32_t>> csb_;
    Words seen_;               ///< in the cycle before
    std::vector<bool> known_;  ///< a beat has set the word
    std::size_t layer_ = 0;
    std::vector<Kind> kinds_;  ///< of the layers
    Kind kind_{};              ///< of this one
    unsigned spread_ = 0;      ///< fp16: smallest exponent, 0: any
};

class CmacTypes16 : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(CmacTypes16, SumsFlagsAndLatency) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    for (int layer = 0; layer < 24; ++layer) {
        bench.layer(layer % 3 == 0 ? 12 : 120);
        if (HasFatalFailure()) return;
    }
    bench.drain();
    EXPECT_GT(bench.beats(), 100);
}

const Traffic kTraffic[] = {
    {"full speed", 100, 100, 10, 10}, {"swap every beat", 100, 100, 100, 0},
    {"gaps", 40, 60, 20, 50},         {"sparse", 10, 50, 50, 90},
    {"extremes", 80, 60, 10, 100},
};

INSTANTIATE_TEST_SUITE_P(Table, CmacTypes16,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2)));

/// Results of a recorded operation.
Words recorded(const m::OracleRow& row, bool winograd) {
    if (!winograd) return {row.hex64("r0")};
    return {row.hex64("r0"), row.hex64("r1"), row.hex64("r2"), row.hex64("r3")};
}

#define NEEDS_LANES(lanes)                                                  \
    if (p::atomic_c != (lanes)) {                                           \
        GTEST_SKIP() << "recorded operations have " << (lanes) << " lanes"; \
    }

TEST(CmacRecorded, Operations) {
    NEEDS_LANES(64);
    NEEDS_ORACLE();
    Bench bench({"recorded", 0, 0, 0, 0}, 1);
    constexpr std::pair<Precision, const char*> kTables[] = {{Precision::int16, "cmac_int16.csv"},
                                                             {Precision::fp16, "cmac_fp16.csv"}};
    for (const auto& [precision, table] : kTables) {
        if (precision == Precision::int16 ? !p::int16 : !p::fp16) continue;
        const m::OracleTable rows(table);
        for (const char* mode : {"dc", "wg"}) {
            const bool winograd = mode == std::string("wg");
            if (winograd && p::mac_results == 1) continue;
            const int before = bench.beats();
            for (const m::OracleRow& row : rows) {
                if (row.text("mode") != mode) continue;
                bench.operation({precision, winograd}, row.elements<std::uint16_t>("d"),
                                row.elements<std::uint16_t>("w"), recorded(row, winograd));
                if (HasFatalFailure()) return;
            }
            EXPECT_GT(bench.beats(), before) << table << " " << mode;
        }
    }
    bench.drain();
}

}  // namespace
