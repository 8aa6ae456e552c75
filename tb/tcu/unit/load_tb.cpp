// Tests of load: random micro-operations against a model, with memories of all speeds; rates.

#include <algorithm>

#include "tb/tcu/unit/transfer_bench.hpp"

namespace macrame::tb {
namespace {

enum Needed { kMoved, kRead, kFeed, kWeights, kAcked };

/// Ports to local memory: one for both banks, or one for each.
constexpr std::size_t kPorts = p::array_vectors;

/// A write to local memory that has to come.
struct LocalWrite {
    int addr;
    Bytes data;
    std::size_t op;
    bool last;
};

class LoadBench : public TransferBench {
public:
    explicit LoadBench(const TransferCase& c)
        : TransferBench(c,
                        {p::transfer_tag_w, p::transfer_tag_w, p::compute_tag_w, p::compute_tag_w,
                         p::transfer_tag_w},
                        {kMoved, kRead, kFeed, kWeights, kAcked}) {
        dut_.control2all_stop = 0;
        dut_.rst_n = 0;
        for (int i = 0; i < 4; ++i)
            tick();
        dut_.rst_n = 1;
        tick();
    }

    /// Runs these; they begin when the unit takes them.
    void run(const std::vector<MicroOp>& ops) {
        for (const MicroOp& op : ops)
            to_do_.push_back(op);
        const std::uint64_t limit = cycle_ + 2000000;
        while (!to_do_.empty() || done_ != ops_.size() || dut_.load_busy) {
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, limit) << "hangs";
        }
        tick();
        for (const verif::AxiMemory& axi : axi_) {
            EXPECT_TRUE(axi.idle());
            for (const std::string& text : axi.violations())
                ADD_FAILURE() << text;
        }
        EXPECT_TRUE(beats_[0].empty() && beats_[1].empty());
    }

    /// Local memory takes nothing for so many cycles.
    void block(const std::vector<MicroOp>& ops, int cycles) {
        for (const MicroOp& op : ops)
            to_do_.push_back(op);
        blocked_ = true;
        for (int i = 0; i < cycles; ++i)
            tick();
        blocked_ = false;
    }

    /// Random contents of what a micro-operation reads.
    void fill(const MicroOp& op) {
        for (int i = 0; i < op.count; ++i) {
            for (int b = 0; b < p::vector_bytes; ++b) {
                const auto byte = static_cast<std::uint8_t>(random_.word());
                memories_[static_cast<std::size_t>(op.bank)].load(
                    byte_addr(op.bank, op.vector(i), b), &byte, 1);
            }
        }
    }

    /// All that was asked for has come.
    bool answered() const { return axi_[0].idle() && axi_[1].idle(); }

    std::uint64_t first_beat_ = 0, last_beat_ = 0, first_write_ = 0, last_write_ = 0;
    int beats_seen_ = 0, writes_seen_ = 0;

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

    void drive() {
        registers();
        if (!offered_ && !to_do_.empty() && ops_.size() - done_ < kMostOpen && !gap()) {
            offered_ = true;
            add_needs(to_do_.front());
        }
        dut_.decode2load_valid = offered_;
        if (offered_) offer(to_do_.front());
        put_number(dut_.acc2all_moved, engines_[kMoved].wire());
        put_number(dut_.store2all_read, engines_[kRead].wire());
        put_number(dut_.feed2all_done, engines_[kFeed].wire());
        put_number(dut_.weights2all_done, engines_[kWeights].wire());
        put_number(dut_.store2all_acked, engines_[kAcked].wire());
        for (std::size_t port = 0; port < kPorts; ++port)
            grants_[port] = !blocked_ && !gap();
        drive_grants(dut_);
        drive_reads(dut_, pins_[0], p::axi_bytes, Bank<0>{});
        drive_reads(dut_, pins_[1], p::axi_bytes, Bank<1>{});
    }

    template <typename Dut>
    void drive_grants(Dut& dut) const {
        if constexpr (kPorts == 2) {
            dut.local2load_wgrant0 = grants_[0];
            dut.local2load_wgrant1 = grants_[1];
        } else {
            dut.local2load_wgrant = grants_[0];
        }
    }

    void offer(const MicroOp& op) {
        put_number(dut_.decode2load_bank, op.bank);
        put_number(dut_.decode2load_addr, op.addr);
        put_number(dut_.decode2load_stride, op.stride);
        put_number(dut_.decode2load_count, op.count - 1);
        put_number(dut_.decode2load_local, op.local);
        put_number(dut_.decode2load_local_stride, op.local_stride);
        put_number(dut_.decode2load_need_moved, wire(op, kMoved));
        put_number(dut_.decode2load_need_read, wire(op, kRead));
        put_number(dut_.decode2load_need_feed, wire(op, kFeed));
        put_number(dut_.decode2load_need_weights, wire(op, kWeights));
        put_number(dut_.decode2load_need_acked, wire(op, kAcked));
    }

    void sample() {
        EXPECT_EQ(dut_.load2all_done, done_ & kNumbers) << "cycle " << cycle_;
        EXPECT_EQ(dut_.load_busy, busy_) << "cycle " << cycle_;
        const std::size_t done = done_;
        sample_writes(dut_);
        if (done_ < ops_.size() && finished_[done_]) {
            ++done_;
            taken_.pop_front();
        }
        sample_reads(dut_, pins_[0], Bank<0>{});
        sample_reads(dut_, pins_[1], Bank<1>{});
        for (std::size_t bank = 0; bank < 2; ++bank) {
            look_at_bus(bank);
            axi_[bank].clock(pins_[bank]);
        }
        if (dut_.decode2load_valid && dut_.decode2load_ready) take();
        busy_ = ops_.size() != done;
    }

    void take() {
        const MicroOp& op = to_do_.front();
        const std::size_t number = ops_.size();
        add_beats(op, number);
        for (int i = 0; i < op.count; ++i) {
            writes_[static_cast<std::size_t>(op.bank) % kPorts].push_back(
                {op.local_at(i), packed(vector_in_memory(op.bank, op.vector(i))), number,
                 i == op.count - 1});
        }
        ops_.push_back(op);
        finished_.push_back(false);
        taken_.push_back(op);
        to_do_.pop_front();
        offered_ = false;
    }

    template <typename Dut>
    void sample_writes(const Dut& dut) {
        const auto bytes = [](const auto& data) { return get_bytes(data, kPackedBytes); };
        if constexpr (kPorts == 2) {
            if (dut.load2local_write0)
                sample_write(0, dut.load2local_addr0, bytes(dut.load2local_data0));
            if (dut.load2local_write1)
                sample_write(1, dut.load2local_addr1, bytes(dut.load2local_data1));
        } else {
            if (dut.load2local_write)
                sample_write(0, dut.load2local_addr, bytes(dut.load2local_data));
        }
    }

    void sample_write(std::size_t port, unsigned addr, const Bytes& data) {
        std::deque<LocalWrite>& writes = writes_[port];
        if (writes.empty()) {
            ADD_FAILURE() << "cycle " << cycle_ << ": a write that nobody wants";
            return;
        }
        const LocalWrite& write = writes.front();
        for (const Needed n : {kMoved, kRead, kFeed, kWeights}) {
            EXPECT_TRUE(meets(ops_[write.op], n)) << "cycle " << cycle_ << ": micro-operation "
                                                  << write.op << " does not wait for " << n;
        }
        if (!grants_[port]) return;
        EXPECT_EQ(addr, static_cast<unsigned>(write.addr)) << "cycle " << cycle_;
        EXPECT_EQ(data, write.data) << "cycle " << cycle_ << ", vector at " << write.addr;
        for (const LocalWrite& other : writes_[kPorts - 1 - port]) {
            if (other.op >= write.op) break;
            EXPECT_NE(other.addr, write.addr)
                << "cycle " << cycle_ << ": micro-operation " << write.op << " before " << other.op;
        }
        if (writes_seen_++ == 0) first_write_ = cycle_;
        last_write_ = cycle_;
        if (write.last) finished_[write.op] = true;
        writes.pop_front();
    }

    void look_at_bus(std::size_t bank) {
        const verif::AxiPins& pins = pins_[bank];
        if (pins.r_valid && pins.r_ready) {
            if (beats_seen_++ == 0) first_beat_ = cycle_;
            last_beat_ = cycle_;
        }
        if (!pins.ar_valid) return;
        EXPECT_EQ(pins.ar.cache, caches_[bank]);
        if (!beats_[bank].empty()) {
            EXPECT_TRUE(meets(ops_[beats_[bank].front().op], kAcked))
                << "cycle " << cycle_ << ": a request that does not wait for stores";
        }
        if (pins.ar_ready) take_beats(bank, pins.ar_addr, pins.ar_len);
    }

    std::deque<MicroOp> to_do_;
    std::deque<MicroOp> taken_;  ///< and not done
    std::vector<MicroOp> ops_;
    std::vector<bool> finished_;  ///< micro-operations
    std::array<std::deque<LocalWrite>, kPorts> writes_;
    std::array<bool, kPorts> grants_{};
    std::size_t done_ = 0;  ///< in order, one per cycle
    bool busy_ = false;     ///< what the unit says in the next cycle
    bool offered_ = false;
    bool blocked_ = false;
};

class Load : public ::testing::TestWithParam<TransferCase> {};

/// All that a micro-operation can be, offsets that wrap at 2^32.
TEST_P(Load, WritesWhatTheBanksHold) {
    LoadBench bench(GetParam());
    bench.set_most(std::max(4, 2048 / p::vector_beats));
    bench.set_waits();
    for (int round = 0; round < 3 && !HasFailure(); ++round) {
        bench.set_offset(0, static_cast<std::uint32_t>(bench.random().in(0, 0xffff)) << 16);
        bench.set_offset(1, static_cast<std::uint32_t>(-bench.random().in(1, 3)) << 16);
        std::vector<MicroOp> ops;
        for (int i = 0; i < std::max(12, GetParam().ops / p::vector_beats); ++i) {
            ops.push_back(bench.random_op());
            bench.fill(ops.back());
        }
        bench.run(ops);
    }
}

INSTANTIATE_TEST_SUITE_P(Speeds, Load,
                         ::testing::Values(TransferCase{1, 0.0, 4000, 1},
                                           TransferCase{60, 0.0, 4000, 2},
                                           TransferCase{5, 0.3, 3000, 3},
                                           TransferCase{20, 0.5, 2000, 4},
                                           TransferCase{37, 0.85, 600, 5}),
                         case_name);

constexpr int kBlock = 1 << std::min(p::local_block_w, p::dram_block_w);

std::vector<MicroOp> long_run(LoadBench& bench, int ops, int stride) {
    std::vector<MicroOp> list;
    const int count =
        std::min({kBlock, p::dram0_depth >> stride, std::max(4, 4096 / p::vector_beats)});
    for (int i = 0; i < ops; ++i) {
        MicroOp op;
        op.stride = stride;
        op.count = count;
        op.addr = static_cast<std::uint64_t>(i * count) %
                  static_cast<std::uint64_t>(p::dram0_depth - ((count - 1) << stride));
        op.addr = op.addr / static_cast<unsigned>(count) * static_cast<unsigned>(count);
        bench.fill(op);
        list.push_back(op);
    }
    return list;
}

/// A beat per cycle from the first one on, or a vector per cycle if a beat has several.
void expect_no_gaps(const LoadBench& bench) {
    if (p::beat_vectors == 1) {
        EXPECT_EQ(bench.last_beat_ - bench.first_beat_ + 1,
                  static_cast<std::uint64_t>(bench.beats_seen_));
    } else {
        EXPECT_EQ(bench.last_write_ - bench.first_write_ + 1,
                  static_cast<std::uint64_t>(bench.writes_seen_));
    }
}

TEST(LoadRate, ContiguousHasNoGaps) {
    LoadBench bench({60, 0.0, 0, 1});
    bench.run(long_run(bench, std::max(4, 30 / p::vector_beats), 0));
    expect_no_gaps(bench);
}

TEST(LoadRate, StridedHasNoGaps) {
    LoadBench bench({60, 0.0, 0, 1});
    bench.run(long_run(bench, std::max(4, 30 / p::vector_beats), p::stride1_depth > 1 ? 1 : 0));
    expect_no_gaps(bench);
}

/// With a port for each bank, a vector per cycle and bank.
TEST(LoadRate, BothBanksAtOnce) {
    if (kPorts < 2) GTEST_SKIP() << "one port";
    LoadBench bench({20, 0.0, 0, 1});
    std::vector<MicroOp> ops = long_run(bench, 16, 0);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        ops[i].bank = static_cast<int>(i % 2);
        ops[i].local = ops[i].bank * p::local_depth / 2;
        ops[i].count = std::min(ops[i].count, p::local_depth / 2);
        bench.fill(ops[i]);
    }
    bench.run(ops);
    const std::uint64_t cycles = bench.last_write_ - bench.first_write_ + 1;
    const auto writes = static_cast<std::uint64_t>(bench.writes_seen_);
    EXPECT_LE(cycles, (writes / 2 + 8) * p::vector_beats);
}

/// What was asked for comes, whatever happens at local memory: the banks may be one memory.
TEST(LoadRoom, DataNeverWaitsAtTheBus) {
    LoadBench bench({10, 0.0, 0, 1});
    std::vector<MicroOp> ops = long_run(bench, 40, 0);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        ops[i].bank = i % 3 == 0 ? 1 : 0;
        ops[i].local = ops[i].bank * p::local_depth / 2;
        ops[i].count = std::min(ops[i].count, p::local_depth / 2);
        ops[i].addr %= static_cast<unsigned>(p::dram1_depth - ops[i].count + 1);
        bench.fill(ops[i]);
    }
    bench.block(ops, 2 * p::load_depth * p::vector_beats + 1000);
    EXPECT_TRUE(bench.answered());
    EXPECT_EQ(bench.writes_seen_, 0);
    EXPECT_GE(bench.beats_seen_, p::load_depth / 2 * p::vector_beats / p::beat_vectors);
    bench.run({});
}

}  // namespace
}  // namespace macrame::tb
