/// Unit test of tcu_sample: words at the right cycles with what the links did, blocks, words that
/// nobody takes.

#include <array>
#include <optional>

#include "tb/tcu/unit/unit_bench.hpp"

namespace {

namespace p = tcu_params;
using macrame::tb::Traffic;
using macrame::tb::UnitBench;

class Bench : public UnitBench {
public:
    explicit Bench(int take, std::uint64_t seed) : UnitBench(seed), take_(take) { reset(); }

    /// From the next cycle on.
    void set_interval(int interval) { interval_ = interval; }

    int words() const { return words_; }
    int blocks() const { return blocks_; }
    int dropped() const { return dropped_; }

private:
    void drive(Vdut& dut) override {
        dut.sample_interval = static_cast<SData>(interval_);
        dut.program_counter = random().word();
        const std::uint32_t bits = random().word();
        CData* const links[] = {
            &dut.fetch2decode_valid, &dut.fetch2decode_ready,  &dut.decode2load_valid,
            &dut.decode2load_ready,  &dut.decode2load_bank,    &dut.decode2store_valid,
            &dut.decode2store_ready, &dut.decode2store_bank,   &dut.decode2issue_valid,
            &dut.decode2issue_ready, &dut.issue2weights_valid, &dut.issue2weights_ready,
            &dut.issue2feed_valid,   &dut.issue2feed_ready,    &dut.issue2acc_valid,
            &dut.issue2acc_ready};
        for (std::size_t i = 0; i < std::size(links); ++i)
            *links[i] = bits >> i & 1;
        dut.sample_tready = chance(take_);
    }

    static std::uint64_t pair(bool valid, bool ready) {
        return (ready ? 2u : 0u) | (valid ? 1u : 0u);
    }
    /// Transfers of the banks in `banks` (bit b: bank b).
    static std::uint64_t transfers(const Vdut& dut, int banks) {
        const bool load = dut.decode2load_valid && (banks >> dut.decode2load_bank & 1);
        const bool store = dut.decode2store_valid && (banks >> dut.decode2store_bank & 1);
        const bool waits = (load && !dut.decode2load_ready) || (store && !dut.decode2store_ready);
        return pair(load || store, !waits);
    }

    static std::uint64_t word(const Vdut& dut) {
        const std::uint64_t links[] = {pair(dut.issue2feed_valid, dut.issue2feed_ready),
                                       pair(dut.issue2acc_valid, dut.issue2acc_ready),
                                       pair(dut.decode2issue_valid, dut.decode2issue_ready),
                                       transfers(dut, 2),
                                       transfers(dut, 1),
                                       transfers(dut, 3),
                                       pair(dut.issue2weights_valid, dut.issue2weights_ready),
                                       pair(dut.fetch2decode_valid, dut.fetch2decode_ready)};
        std::uint64_t word = dut.program_counter;
        for (std::size_t i = 0; i < std::size(links); ++i)
            word |= links[i] << (32 + 2 * i);
        return word;
    }

    void sample(Vdut& dut) override {
        if (!dut.rst_n) return;
        ASSERT_EQ(dut.sample_tvalid != 0, offered_.has_value()) << "cycle " << cycle();
        if (offered_) {
            ASSERT_EQ(dut.sample_tdata, *offered_) << "cycle " << cycle();
            ASSERT_EQ(dut.sample_tlast != 0, words_ % p::sample_block_size == 0)
                << "word " << words_;
            if (dut.sample_tready) {
                offered_.reset();
                if (dut.sample_tlast) ++blocks_;
            }
        }
        const bool due = interval_ != 0 && since_ % interval_ == 0;
        since_ = interval_ != 0 ? since_ + 1 : 0;
        if (!due) return;
        if (offered_) {
            ++dropped_;
        } else {
            offered_ = word(dut);
            ++words_;
        }
    }

    int take_;
    int interval_ = 0;
    long since_ = 0;  ///< cycles since there is an interval
    std::optional<std::uint64_t> offered_;
    int words_ = 0, blocks_ = 0, dropped_ = 0;
};

void run(Bench& bench, int interval, int cycles) {
    bench.set_interval(interval);
    for (int i = 0; i < cycles && !::testing::Test::HasFailure(); ++i)
        bench.tick();
}

TEST(Sample, NothingWithoutInterval) {
    Bench bench(100, 1);
    run(bench, 0, 100);
    EXPECT_EQ(bench.words(), 0);
}

TEST(Sample, EveryInterval) {
    for (const int interval : {1, 2, 3, 10, 1000}) {
        SCOPED_TRACE(interval);
        Bench bench(100, static_cast<std::uint64_t>(interval));
        const int words = 5 * p::sample_block_size + 1;
        run(bench, interval, words * interval);
        run(bench, 0, 50);
        EXPECT_EQ(bench.words(), words);
        EXPECT_EQ(bench.blocks(), words / p::sample_block_size);
        // The first one comes at once again.
        run(bench, interval, 1);
        EXPECT_EQ(bench.words(), words + 1);
        EXPECT_EQ(bench.dropped(), 0);
    }
}

TEST(Sample, WordsThatNobodyTakes) {
    Bench bench(10, 7);
    run(bench, 3, 300 * p::sample_block_size);
    EXPECT_GT(bench.dropped(), 10 * p::sample_block_size);
    EXPECT_GT(bench.blocks(), 10);
}

}  // namespace
