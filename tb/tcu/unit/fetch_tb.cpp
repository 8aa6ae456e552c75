/// Unit test of tcu_fetch: instructions come out of beats as they went in, whatever the stalls; a
/// program of whole beats leaves nothing behind; beats or instructions follow without gaps.

#include <algorithm>
#include <deque>

#include "tb/tcu/unit/unit_bench.hpp"

namespace {

namespace p = tcu_params;
using macrame::tb::get_bytes;
using macrame::tb::put_bytes;
using macrame::tb::Traffic;
using macrame::tb::UnitBench;

using Bytes = std::vector<std::uint8_t>;

class Bench : public UnitBench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed) : UnitBench(seed), traffic_(traffic) {
        reset();
    }

    void send(int beats) {
        for (int i = 0; i < beats * p::axi_bytes; ++i)
            in_.push_back(static_cast<std::uint8_t>(random().bits()));
    }

    /// Until all beats are in and all whole instructions are out.
    void run() {
        const std::size_t whole = taken_ + (in_.size() + out_.size()) / kInstruction;
        const long limit = cycle() + 200 * static_cast<long>(in_.size()) + 100;
        first_ = cycle();
        while (taken_ < whole || !in_.empty()) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(cycle(), limit) << "nothing moves";
        }
        cycles_ = cycle() - first_;
        for (int i = 0; i < 10; ++i)
            tick();
        EXPECT_LT(out_.size(), kInstruction);
        EXPECT_FALSE(busy_);
    }

    std::size_t taken() const { return taken_; }
    long cycles() const { return cycles_; }

private:
    static constexpr std::size_t kInstruction = p::instruction_bytes;

    void drive(Vdut& dut) override {
        offers_ = offers_ || (!in_.empty() && chance(traffic_.offer));
        dut.control2all_stop = 0;
        dut.instruction_tvalid = offers_;
        if (offers_)
            put_bytes(dut.instruction_tdata, Bytes(in_.begin(), in_.begin() + p::axi_bytes));
        dut.fetch2decode_ready = chance(traffic_.take);
    }

    void sample(Vdut& dut) override {
        busy_ = dut.fetch_busy;
        if (dut.fetch2decode_valid) {
            ASSERT_GE(out_.size(), kInstruction) << "cycle " << cycle();
            ASSERT_EQ(get_bytes(dut.fetch2decode_data, p::instruction_bytes),
                      Bytes(out_.begin(), out_.begin() + p::instruction_bytes))
                << "cycle " << cycle();
            ASSERT_TRUE(busy_);
        }
        ASSERT_TRUE(dut.fetch2decode_valid || !stalled_) << "cycle " << cycle();
        stalled_ = dut.fetch2decode_valid && !dut.fetch2decode_ready;
        if (dut.fetch2decode_valid && dut.fetch2decode_ready) {
            out_.erase(out_.begin(), out_.begin() + p::instruction_bytes);
            ++taken_;
        }
        if (!dut.instruction_tvalid || !dut.instruction_tready) return;
        out_.insert(out_.end(), in_.begin(), in_.begin() + p::axi_bytes);
        in_.erase(in_.begin(), in_.begin() + p::axi_bytes);
        offers_ = false;
    }

    Traffic traffic_;
    std::deque<std::uint8_t> in_, out_;  ///< bytes to send; bytes inside
    std::size_t taken_ = 0;
    long first_ = 0, cycles_ = 0;
    bool offers_ = false, stalled_ = false, busy_ = false;
};

TEST(Fetch, InstructionsComeOutAsTheyWentIn) {
    for (const Traffic& traffic : {Traffic{"fast", 100, 100}, Traffic{"random", 60, 60},
                                   Traffic{"few beats", 10, 100}, Traffic{"few taken", 100, 10}}) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
            Bench bench(traffic, seed);
            // Whole programs: as many beats as make whole instructions.
            bench.send(20 * p::instruction_bytes);
            bench.run();
            EXPECT_EQ(bench.taken(), 20U * p::axi_bytes);
            bench.send(3);
            bench.run();
            if (HasFailure()) return;
        }
    }
}

TEST(Fetch, NoGapBetweenInstructionsOrBeats) {
    Bench bench({"speed", 100, 100}, 4);
    const long beats = 40 * p::instruction_bytes;
    bench.send(static_cast<int>(beats));
    bench.run();
    const long instructions = 40 * p::axi_bytes;
    EXPECT_LE(bench.cycles(), std::max(beats, instructions) + 8);
}

}  // namespace
