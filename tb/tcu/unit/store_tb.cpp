// Tests of store: random micro-operations against a model, with memories of all speeds; rates.

#include <algorithm>

#include "tb/tcu/unit/transfer_bench.hpp"

namespace macrame::tb {
namespace {

enum Needed { kLoad, kMoved, kLoadedDram };

/// A read of local memory that has to come.
struct LocalRead {
    int addr;
    std::size_t op;
    bool last;
};

class StoreBench : public TransferBench {
public:
    explicit StoreBench(const TransferCase& c)
        : TransferBench(c, {p::transfer_tag_w, p::transfer_tag_w}, {kLoad, kMoved, kLoad}),
          local_(p::local_depth) {
        for (Bytes& vector : local_) {
            for (int i = 0; i < kPackedBytes; ++i)
                vector.push_back(static_cast<std::uint8_t>(random_.word()));
            // Bits that no scalar has are not on the wires.
            if (p::vector_w % 8 != 0) vector.back() &= (1 << (p::vector_w % 8)) - 1;
        }
        dut_.control2all_stop = 0;
        dut_.rst_n = 0;
        for (int i = 0; i < 4; ++i)
            tick();
        dut_.rst_n = 1;
        tick();
        for (verif::Memory& memory : memories_)
            memory.log_writes(true);
    }

    /// Runs these, compares both banks with what must be in them then.
    void run(const std::vector<MicroOp>& ops) {
        for (const MicroOp& op : ops)
            to_do_.push_back(op);
        const std::uint64_t limit = cycle_ + 2000000;
        while (!to_do_.empty() || dut_.store_busy) {
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, limit) << "hangs";
        }
        for (int i = 0; i < 3; ++i)
            tick();
        EXPECT_EQ(acked_, ops_.size());
        for (std::size_t bank = 0; bank < 2; ++bank) {
            EXPECT_TRUE(axi_[bank].idle());
            for (const std::string& text : axi_[bank].violations())
                ADD_FAILURE() << text;
            EXPECT_TRUE(beats_[bank].empty());
            compare(memories_[bank], wanted_[bank]);
        }
    }

    std::uint64_t first_beat_ = 0, last_beat_ = 0, first_read_ = 0, last_read_ = 0;
    int beats_seen_ = 0, reads_seen_ = 0;

private:
    void tick() {
        advance_engines(taken_);
        drive();
        dut_.clk = 0;
        dut_.eval();
        if (dut_.rst_n) sample();
        context_.timeInc(1);
        dut_.clk = 1;
        dut_.eval();
        ++cycle_;
    }

    static void compare(const verif::Memory& got, const verif::Memory& wanted) {
        const std::vector<verif::MemoryRange> a = got.written(), b = wanted.written();
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_EQ(a[i].addr, b[i].addr);
            ASSERT_EQ(a[i].size, b[i].size);
            ASSERT_EQ(got.dump(a[i].addr, a[i].size), wanted.dump(a[i].addr, a[i].size));
        }
    }

    void drive() {
        registers();
        if (!offered_ && !to_do_.empty() && ops_.size() - acked_ < kMostOpen && !gap()) {
            offered_ = true;
            add_needs(to_do_.front());
        }
        dut_.decode2store_valid = offered_;
        if (offered_) offer(to_do_.front());
        put_number(dut_.load2all_done, engines_[kLoad].wire());
        put_number(dut_.acc2all_moved, engines_[kMoved].wire());
        dut_.local2store_grant = !gap();
        dut_.local2store_valid = answers_[1] >= 0;
        if (answers_[1] >= 0)
            put_bytes(dut_.local2store_data, local_[static_cast<std::size_t>(answers_[1])]);
        drive_writes(dut_, pins_[0], Bank<0>{});
        drive_writes(dut_, pins_[1], Bank<1>{});
    }

    void offer(const MicroOp& op) {
        put_number(dut_.decode2store_bank, op.bank);
        put_number(dut_.decode2store_addr, op.addr);
        put_number(dut_.decode2store_stride, op.stride);
        put_number(dut_.decode2store_count, op.count - 1);
        put_number(dut_.decode2store_local, op.local);
        put_number(dut_.decode2store_local_stride, op.local_stride);
        put_number(dut_.decode2store_need_load, wire(op, kLoad));
        put_number(dut_.decode2store_need_moved, wire(op, kMoved));
        put_number(dut_.decode2store_need_loaded_dram, wire(op, kLoadedDram));
    }

    bool may_begin(const MicroOp& op) const {
        return meets(op, kLoad) && meets(op, kMoved) && meets(op, kLoadedDram);
    }

    void sample() {
        EXPECT_EQ(dut_.store2all_read, read_ & kNumbers) << "cycle " << cycle_;
        EXPECT_EQ(dut_.store_busy, busy_) << "cycle " << cycle_;
        while ((acked_ & kNumbers) != dut_.store2all_acked) {
            EXPECT_TRUE(acked_ < ops_.size() && in_flight_[acked_] == 0 && complete_[acked_])
                << "cycle " << cycle_ << ": micro-operation " << acked_ << " is not in memory";
            if (::testing::Test::HasFailure()) return;
            ++acked_;
        }
        sample_read();
        sample_writes(dut_, pins_[0], p::axi_bytes, Bank<0>{});
        sample_writes(dut_, pins_[1], p::axi_bytes, Bank<1>{});
        for (std::size_t bank = 0; bank < 2; ++bank) {
            look_at_bus(bank);
            axi_[bank].clock(pins_[bank]);
        }
        if (dut_.decode2store_valid && dut_.decode2store_ready) take();
        busy_ = ops_.size() != acked_;
    }

    void take() {
        const MicroOp& op = to_do_.front();
        const std::size_t number = ops_.size();
        add_beats(op, number);
        for (int i = 0; i < op.count; ++i) {
            reads_.push_back({op.local_at(i), number, i == op.count - 1});
            const Bytes bytes = unpacked(local_[static_cast<std::size_t>(op.local_at(i))]);
            verif::Memory& memory = wanted_[static_cast<std::size_t>(op.bank)];
            memory.log_writes(true);
            for (int b = 0; b < p::vector_bytes; ++b)
                memory.write(byte_addr(op.bank, op.vector(i), b),
                             bytes[static_cast<std::size_t>(b)]);
        }
        ops_.push_back(op);
        in_flight_.push_back(0);
        complete_.push_back(false);
        taken_.push_back(op);
        to_do_.pop_front();
        offered_ = false;
    }

    void sample_read() {
        answers_[1] = answers_[0];
        answers_[0] = -1;
        if (!dut_.store2local_read) return;
        if (reads_.empty()) {
            ADD_FAILURE() << "cycle " << cycle_ << ": a read that nobody wants";
            return;
        }
        const LocalRead& read = reads_.front();
        EXPECT_TRUE(may_begin(ops_[read.op])) << "cycle " << cycle_ << ": a read does not wait";
        if (!dut_.local2store_grant) return;
        EXPECT_EQ(dut_.store2local_addr, static_cast<unsigned>(read.addr)) << "cycle " << cycle_;
        answers_[0] = read.addr;
        if (reads_seen_++ == 0) first_read_ = cycle_;
        last_read_ = cycle_;
        if (read.last) {
            ++read_;
            taken_.pop_front();
        }
        reads_.pop_front();
    }

    void look_at_bus(std::size_t bank) {
        const verif::AxiPins& pins = pins_[bank];
        if (pins.w_valid && pins.w_ready) {
            if (beats_seen_++ == 0) first_beat_ = cycle_;
            last_beat_ = cycle_;
        }
        if (pins.b_valid && pins.b_ready) {
            --in_flight_[bursts_[bank].front()];
            bursts_[bank].pop_front();
        }
        if (!pins.aw_valid) return;
        EXPECT_EQ(pins.aw.cache, caches_[bank]);
        if (!beats_[bank].empty()) {
            EXPECT_TRUE(may_begin(ops_[beats_[bank].front().op]))
                << "cycle " << cycle_ << ": a request does not wait";
        }
        if (!pins.aw_ready) return;
        const std::size_t op = take_beats(bank, pins.aw_addr, pins.aw_len);
        if (::testing::Test::HasFailure()) return;
        ++in_flight_[op];
        complete_[op] = beats_[bank].empty() || beats_[bank].front().op != op;
        bursts_[bank].push_back(op);
    }

    std::vector<Bytes> local_;
    std::array<int, 2> answers_{-1, -1};  ///< addresses of granted reads, this cycle and the last
    std::deque<MicroOp> to_do_;
    std::deque<MicroOp> taken_;  ///< and not read
    std::vector<MicroOp> ops_;
    std::vector<int> in_flight_;  ///< bursts without an answer
    std::vector<bool> complete_;  ///< all bursts are on their way
    std::array<std::deque<std::size_t>, 2> bursts_;
    std::deque<LocalRead> reads_;
    std::array<verif::Memory, 2> wanted_;
    std::size_t read_ = 0, acked_ = 0;
    bool busy_ = false;  ///< what the unit says in the next cycle
    bool offered_ = false;
};

class Store : public ::testing::TestWithParam<TransferCase> {};

/// All that a micro-operation can be, offsets that wrap at 2^32; the later one of two wins.
TEST_P(Store, BanksGetWhatLocalMemoryHolds) {
    StoreBench bench(GetParam());
    bench.set_most(std::max(4, 2048 / p::vector_beats));
    bench.set_waits();
    for (int round = 0; round < 3 && !HasFailure(); ++round) {
        bench.set_offset(0, static_cast<std::uint32_t>(bench.random().in(0, 0xffff)) << 16);
        bench.set_offset(1, static_cast<std::uint32_t>(-bench.random().in(1, 3)) << 16);
        std::vector<MicroOp> ops;
        for (int i = 0; i < std::max(12, GetParam().ops / p::vector_beats); ++i)
            ops.push_back(bench.random_op());
        bench.run(ops);
    }
}

INSTANTIATE_TEST_SUITE_P(Speeds, Store,
                         ::testing::Values(TransferCase{1, 0.0, 4000, 1},
                                           TransferCase{60, 0.0, 4000, 2},
                                           TransferCase{5, 0.3, 3000, 3},
                                           TransferCase{20, 0.5, 2000, 4},
                                           TransferCase{37, 0.85, 600, 5}),
                         case_name);

/// A beat per cycle, or a vector per cycle if a beat has several.
void expect_no_gaps(int stride) {
    StoreBench bench({60, 0.0, 0, 1});
    constexpr int kBlock = 1 << std::min(p::local_block_w, p::dram_block_w);
    const int count =
        std::min({kBlock, p::dram0_depth >> stride, std::max(4, 4096 / p::vector_beats)});
    std::vector<MicroOp> ops;
    for (int i = 0; i < std::max(4, 30 / p::vector_beats); ++i) {
        MicroOp op;
        op.stride = stride;
        op.count = count;
        op.addr = static_cast<std::uint64_t>(i * count) %
                  static_cast<std::uint64_t>(p::dram0_depth - ((count - 1) << stride));
        op.addr = op.addr / static_cast<unsigned>(count) * static_cast<unsigned>(count);
        ops.push_back(op);
    }
    bench.run(ops);
    if (p::beat_vectors == 1) {
        EXPECT_EQ(bench.last_beat_ - bench.first_beat_ + 1,
                  static_cast<std::uint64_t>(bench.beats_seen_));
    } else {
        EXPECT_EQ(bench.last_read_ - bench.first_read_ + 1,
                  static_cast<std::uint64_t>(bench.reads_seen_));
    }
}

TEST(StoreRate, ContiguousHasNoGaps) { expect_no_gaps(0); }
TEST(StoreRate, StridedHasNoGaps) { expect_no_gaps(p::stride1_depth > 1 ? 1 : 0); }

}  // namespace
}  // namespace macrame::tb
