/// Test of tcu_feed and tcu_weights on tcu_local: random micro-operations, with what they need, and
/// writers of local memory in between. What reaches array and accumulators, in order; the rows that
/// a swap takes; places and distances that are kept; full rate when nothing hinders.

#include <deque>
#include <string>
#include <tuple>

#include "tb/tcu/unit/streams_program.hpp"

namespace {

namespace p = tcu_params;
using macrame::tb::Engine;
using macrame::tb::get_bytes;
using macrame::tb::kEngines;
using macrame::tb::MicroOp;
using macrame::tb::Mix;
using macrame::tb::op_of;
using macrame::tb::Program;
using macrame::tb::put_bytes;
using macrame::tb::put_number;
using macrame::tb::StreamTraffic;
using macrame::tb::UnitBench;
using macrame::tb::Vector;

/// Micro-operations from the oldest unfinished one on that there are at a time, as decode sees to.
constexpr int kWindow = 1 << (p::transfer_tag_w < 7 ? p::transfer_tag_w - 2 : 5);
constexpr long kSilence = 3000;  ///< cycles without any step: stuck

/// The micro-operations of an engine, in order.
struct Queue {
    std::vector<std::size_t> ops;  ///< places in the program
    std::size_t next = 0;          ///< that is not handed over or, by a writer, not finished
    int done = 0;                  ///< finished as the engine says
    int written = 0;               ///< vectors of the current one
    bool offered = false;
};

constexpr std::uint32_t kValid = 1U << p::transfer_tag_w;  ///< of a number that is needed
static_assert(p::transfer_tag_w == p::compute_tag_w);

constexpr StreamTraffic kSpeed = {"speed", 100, 100, 0};

/// What must come out next.
struct Expected {
    std::size_t op;
    int index;
};

class Bench : public UnitBench {
public:
    Bench(const StreamTraffic& traffic, std::uint64_t seed)
        : UnitBench(seed), traffic_(traffic), program(random()), memory_(program.start()) {
        reset();
    }

    void run() {
        fill();
        for (std::size_t i = 0; i < program.ops.size(); ++i)
            enter(i);
        start_ = last_step_ = cycle();
        while (unfinished() < program.ops.size()) {
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle(), last_step_ + kSilence)
                << "stuck at micro-operation " << unfinished() << " of " << program.ops.size();
        }
        const long drained = cycle() + 20 * (p::result_depth + p::array_latency);
        while (cycle() < drained && (busy_ || !order_.empty()))
            tick();
        EXPECT_TRUE(to_feed_.empty() && rows_.empty());
        EXPECT_TRUE(order_.empty()) << "results and moves that acc waits for";
        EXPECT_FALSE(busy_);
        cycles_ = last_vector_ - start_;
    }

    long cycles() const { return cycles_; }  ///< to the last vector or row
    int vectors() const { return vectors_; }
    int rows() const { return shifted_; }

private:
    StreamTraffic traffic_;

public:
    Program program;

private:
    /// Local memory as the program expects it.
    void fill() {
        for (filled_ = 0; filled_ < p::local_depth; ++filled_)
            tick();
        filled_ = -1;
    }

    void enter(std::size_t i) {
        const MicroOp& op = program.ops[i];
        queue(op).ops.push_back(i);
        for (int k = 0; k < op.count; ++k) {
            if (op.kind == macrame::tb::kWeights) rows_.push_back({i, k});
            if (op.kind == macrame::tb::kMatmul || op.kind == macrame::tb::kToAcc) {
                to_feed_.push_back({i, k});
                order_.push_back(op.kind == macrame::tb::kMatmul);
            }
        }
    }

    Queue& queue(const MicroOp& op) {
        return queues_[static_cast<std::size_t>(macrame::tb::engine_of(op.kind))];
    }

    /// Place in the program of the oldest unfinished micro-operation.
    std::size_t unfinished() const {
        std::size_t oldest = program.ops.size();
        for (const Queue& q : queues_) {
            const auto done = static_cast<std::size_t>(q.done);
            if (done < q.ops.size()) oldest = std::min(oldest, q.ops[done]);
        }
        return oldest;
    }

    /// The micro-operation that the engine may see now; null: none.
    const MicroOp* current(const Queue& q) const {
        if (q.next == q.ops.size() || q.ops[q.next] >= unfinished() + kWindow) return nullptr;
        return &program.ops[q.ops[q.next]];
    }

    // ------------------------------------------------------------ inputs
    /// Write, address and data of load, where it is always granted; another port rests.
    template <typename Dut>
    static auto load_port(Dut& dut) {
        if constexpr (p::array_vectors == 2) {
            dut.load2local_write0 = 0;
            return std::tie(dut.load2local_write1, dut.load2local_addr1, dut.load2local_data1);
        } else {
            return std::tie(dut.load2local_write, dut.load2local_addr, dut.load2local_data);
        }
    }

    void drive(Vdut& dut) override {
        if (!dut.rst_n) clear(dut);
        auto [load_write, load_addr, load_data] = load_port(dut);
        drive_write(queues_[macrame::tb::kLoadEngine], load_write, load_addr, load_data);
        drive_write(queues_[macrame::tb::kMovedEngine], dut.acc2local_write, dut.acc2local_addr,
                    dut.acc2local_data);
        if (filled_ >= 0) {
            load_write = 1;
            put_number(load_addr, filled_);
            put_bytes(load_data, memory_[static_cast<std::size_t>(filled_)]);
        }
        const auto bits = [](const Queue& q) {
            return static_cast<std::uint32_t>(q.done) & ((1U << p::transfer_tag_w) - 1);
        };
        put_number(dut.load2all_done, bits(queues_[macrame::tb::kLoadEngine]));
        put_number(dut.acc2all_moved, bits(queues_[macrame::tb::kMovedEngine]));
        drive_weights(dut);
        drive_feed(dut);
        dut.acc2feed_taken = result_left_;
        dut.acc2feed_moved = move_left_;
        drive_second(dut);
        dut.store2local_read = chance(traffic_.store);
        put_number(dut.store2local_addr, random().in(0, p::local_depth - 1));
    }

    template <typename Dut>
    void drive_second(Dut& dut) {
        if constexpr (p::array_vectors == 2) dut.acc2feed_taken1 = result1_left_;
    }

    static void clear(Vdut& dut) {
        dut.issue2weights_valid = dut.issue2feed_valid = 0;
        std::get<0>(load_port(dut)) = dut.acc2local_write = 0;
    }

    /// A writer waits for the older micro-operations on its vectors.
    template <typename Addr, typename Data>
    void drive_write(Queue& q, CData& write, Addr& addr, Data& data) {
        if (!q.offered) {
            const MicroOp* op = current(q);
            write = op != nullptr && satisfied(*op) && chance(traffic_.offer);
            if (!write) return;
            q.offered = true;
            put_number(addr, op->addr(q.written));
            put_bytes(data, op->data[static_cast<std::size_t>(q.written)]);
        }
    }

    /// A number with its valid bit; long finished ones are not named.
    std::uint32_t tag(const MicroOp& op, Engine engine) const {
        const int number = op.need[engine];
        const bool valid = number != 0 && queues_[engine].done - number < kWindow / 2;
        const std::uint32_t bits = static_cast<std::uint32_t>(number) & (kValid - 1);
        return valid ? kValid | bits : bits;
    }

    bool satisfied(const MicroOp& op) const {
        for (std::size_t e = 0; e < kEngines; ++e) {
            if (queues_[e].done < op.need[e]) return false;
        }
        return true;
    }

    void drive_weights(Vdut& dut) {
        Queue& q = queues_[macrame::tb::kWeightsEngine];
        const MicroOp* op = current(q);
        if (!q.offered) q.offered = op != nullptr && filled_ < 0 && chance(traffic_.offer);
        dut.issue2weights_valid = q.offered;
        if (!q.offered) return;
        dut.issue2weights_zero = op->zero;
        put_number(dut.issue2weights_local, op->local);
        put_number(dut.issue2weights_local_stride, op->stride);
        put_number(dut.issue2weights_count, op->count - 1);
        put_number(dut.issue2weights_need_load, tag(*op, macrame::tb::kLoadEngine));
        put_number(dut.issue2weights_need_moved, tag(*op, macrame::tb::kMovedEngine));
        put_number(dut.issue2weights_swap_number,
                   static_cast<std::uint32_t>(op->swaps) & ((1U << p::compute_tag_w) - 1));
    }

    void drive_feed(Vdut& dut) {
        Queue& q = queues_[macrame::tb::kFeedEngine];
        const MicroOp* op = current(q);
        if (!q.offered) q.offered = op != nullptr && filled_ < 0 && chance(traffic_.offer);
        dut.issue2feed_valid = q.offered;
        if (!q.offered) return;
        dut.issue2feed_matmul = op->kind == macrame::tb::kMatmul;
        dut.issue2feed_zero = op->zero;
        dut.issue2feed_swap = op->swap;
        put_number(dut.issue2feed_local, op->local);
        put_number(dut.issue2feed_local_stride, op->stride);
        put_number(dut.issue2feed_count, op->count - 1);
        put_number(dut.issue2feed_need_load, tag(*op, macrame::tb::kLoadEngine));
        put_number(dut.issue2feed_need_moved, tag(*op, macrame::tb::kMovedEngine));
        put_number(dut.issue2feed_need_weights, tag(*op, macrame::tb::kWeightsEngine));
    }

    // ------------------------------------------------------------ outputs
    void sample(Vdut& dut) override {
        if (!dut.rst_n) return;
        if (filled_ < 0) {
            check_local(dut);
            writer_step(queues_[macrame::tb::kLoadEngine], std::get<0>(load_port(dut)));
            writer_step(queues_[macrame::tb::kMovedEngine], dut.local2acc_wgrant);
        }
        busy_ = dut.feed_busy || dut.weights_busy;
        ASSERT_TRUE(dut.feed_busy || feed_held_ == 0) << "cycle " << cycle();
        ASSERT_TRUE(dut.weights_busy || rows_held_ == 0) << "cycle " << cycle();
        take(queues_[macrame::tb::kWeightsEngine], dut.issue2weights_ready);
        take(queues_[macrame::tb::kFeedEngine], dut.issue2feed_ready);
        array_step(dut);
        acc_step(dut);
    }

    /// What finished by the edge is known to the engines in the next cycle, as from a register.
    void writer_step(Queue& q, bool granted) {
        if (!q.offered || !granted) return;
        q.offered = false;
        last_step_ = cycle();
        if (++q.written < program.ops[q.ops[q.next]].count) return;
        q.written = 0;
        ++q.next;
        ++q.done;
    }

    void take(Queue& q, bool ready) {
        if (!q.offered || !ready) return;
        q.offered = false;
        const MicroOp& op = program.ops[q.ops[q.next++]];
        (op.kind == macrame::tb::kWeights ? rows_held_ : feed_held_) += op.count;
        last_step_ = cycle();
    }

    /// A vector is not read while it is written. (Random reads of store may be.)
    void check_local(Vdut& dut) {
        const auto& [load_write, load_addr, load_data] = load_port(dut);
        for (const auto& [write, waddr] : {std::pair{load_write, load_addr},
                                           std::pair{dut.local2acc_wgrant, dut.acc2local_addr}}) {
            if (!write) continue;
            ASSERT_FALSE(dut.local2feed_grant && dut.feed2local_addr == waddr) << cycle();
            ASSERT_FALSE(dut.local2weights_grant && dut.weights2local_addr == waddr) << cycle();
        }
    }

    void array_step(const Vdut& dut) {
        if (dut.feed2array_swap) start_swap(dut);
        if (p::weight_buffers == 2) check_copied();
        if (dut.feed2array_valid) {
            check_vector(true, dut.feed2array_swap, get_bytes(dut.feed2array_x, p::vector_w / 8));
            results_.push_back(cycle() + p::array_latency);
            second_step(dut);
        }
        if (dut.feed2acc_valid) {
            check_vector(false, false, get_bytes(dut.feed2acc_data, p::vector_w / 8));
            moves_.push_back(cycle());
        }
        if (dut.weights2array_shift) {
            check_row(get_bytes(dut.weights2array_row, p::vector_w / 8));
            second_row(dut);
        }
        read_counters(dut);
    }

    template <typename Dut>
    void second_step(const Dut& dut) {
        if constexpr (p::array_vectors == 2) {
            if (!dut.feed2array_valid1) return;
            check_vector(true, false, get_bytes(dut.feed2array_x1, p::vector_w / 8));
            results_.push_back(cycle() + p::array_latency);
        }
    }

    template <typename Dut>
    void second_row(const Dut& dut) {
        if constexpr (p::array_vectors == 2) {
            if (dut.weights2array_shift1)
                check_row(get_bytes(dut.weights2array_row1, p::vector_w / 8));
        }
    }

    void read_counters(const Vdut& dut) {
        const auto follow = [](Queue& q, std::uint32_t bits) {
            const auto now = static_cast<std::uint32_t>(q.done);
            q.done += static_cast<int>((bits - now) & ((1U << p::compute_tag_w) - 1));
        };
        // Registers: as they are now, the other engines see them.
        follow(queues_[macrame::tb::kWeightsEngine], dut.weights2all_done);
        follow(queues_[macrame::tb::kFeedEngine], dut.feed2all_done);
    }

    void start_swap(const Vdut& dut) {
        ASSERT_TRUE(dut.feed2array_valid);
        ASSERT_FALSE(to_feed_.empty());
        ASSERT_GE(cycle() - swap_cycle_, p::swap_cycles) << "swaps too close";
        swap_cycle_ = cycle();
        wanted_ = program.ops[to_feed_.front().op].chain;
        if (p::weight_buffers == 3) {
            ASSERT_EQ(chain_, wanted_) << "cycle " << cycle();
        }
    }

    /// Row k is copied k cycles after the swap, before what is shifted in that cycle.
    void check_copied() {
        const long k = cycle() - swap_cycle_;
        if (k >= static_cast<long>(wanted_.size())) return;
        const auto row = static_cast<std::size_t>(k);
        ASSERT_EQ(chain_[row], wanted_[row]) << "row " << k << ", cycle " << cycle();
    }

    void check_vector(bool matmul, bool swap, const Vector& data) {
        ASSERT_FALSE(to_feed_.empty()) << "cycle " << cycle();
        const Expected want = to_feed_.front();
        to_feed_.pop_front();
        const MicroOp& op = program.ops[want.op];
        ASSERT_EQ(matmul, op.kind == macrame::tb::kMatmul) << "cycle " << cycle();
        ASSERT_EQ(swap, op.swap && want.index == 0) << "cycle " << cycle();
        ASSERT_EQ(data, op.data[static_cast<std::size_t>(want.index)])
            << "micro-operation " << want.op << ", vector " << want.index << ", cycle " << cycle();
        ++vectors_;
        --feed_held_;
        last_vector_ = last_step_ = cycle();
    }

    void check_row(const Vector& data) {
        ASSERT_FALSE(rows_.empty()) << "cycle " << cycle();
        const Expected want = rows_.front();
        rows_.pop_front();
        ASSERT_EQ(data, program.ops[want.op].data[static_cast<std::size_t>(want.index)])
            << "micro-operation " << want.op << ", row " << want.index << ", cycle " << cycle();
        if (p::weight_buffers == 2) {
            ASSERT_GT(cycle() - swap_cycle_, p::swap_cycles) << "row during a swap";
        }
        chain_.pop_back();
        chain_.insert(chain_.begin(), data);
        ++shifted_;
        --rows_held_;
        last_vector_ = last_step_ = cycle();
    }

    /// acc takes results and moves in program order, from FIFOs of the promised sizes.
    void acc_step(const Vdut&) {
        const auto in_fifo = std::count_if(results_.begin(), results_.end(),
                                           [this](long at) { return at <= cycle(); });
        ASSERT_LE(in_fifo, p::result_depth);
        ASSERT_LE(moves_.size(), static_cast<std::size_t>(p::move_depth));
        result_left_ = result1_left_ = move_left_ = false;
        if (!chance(traffic_.take) || !leaves()) return;
        const bool result = order_.front();
        leave();
        (result ? result_left_ : move_left_) = true;
        if (p::array_vectors == 1 || !result || !leaves() || !order_.front()) return;
        leave();
        result1_left_ = true;
    }

    /// Is what acc takes next in its FIFO?
    bool leaves() {
        if (order_.empty()) return false;
        const std::deque<long>& fifo = order_.front() ? results_ : moves_;
        return !fifo.empty() && fifo.front() < cycle();
    }

    void leave() {
        (order_.front() ? results_ : moves_).pop_front();
        order_.pop_front();
    }

    std::vector<Vector> memory_;
    int filled_ = -1;
    std::array<Queue, kEngines> queues_;
    std::deque<Expected> to_feed_, rows_;
    std::deque<bool> order_;  ///< results and moves as acc takes them; true: a result
    std::vector<Vector> chain_ = std::vector<Vector>(std::size_t{p::array_size} + 1);
    std::vector<Vector> wanted_;
    std::deque<long> results_, moves_;  ///< cycles of their arrival
    bool result_left_ = false, result1_left_ = false, move_left_ = false, busy_ = false;
    int feed_held_ = 0, rows_held_ = 0;
    long swap_cycle_ = -1000, last_step_ = 0, last_vector_ = 0, start_ = 0, cycles_ = 0;
    int vectors_ = 0, shifted_ = 0;
};

class Streams : public ::testing::TestWithParam<std::tuple<StreamTraffic, Mix>> {};

TEST_P(Streams, ArriveInOrder) {
    const auto& [traffic, mix] = GetParam();
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(std::string(traffic.name) + ", " + mix.name + ", seed " +
                     std::to_string(seed));
        Bench bench(traffic, seed);
        for (int i = 0; i < 600; ++i)
            bench.program.add_random(mix);
        bench.run();
        if (HasFailure()) return;
    }
}

const StreamTraffic kTraffic[] = {{"no stall", 100, 100, 0},
                                  {"random", 50, 50, 30},
                                  {"acc slow", 100, 15, 10},
                                  {"issue slow", 15, 100, 90}};

// Loads, moves to local memory, weights, MatMul, moves to the accumulators.
const Mix kMixes[] = {{"all", {20, 15, 15, 35, 15}, 12, 15},
                      {"single vectors", {20, 10, 20, 40, 10}, 1, 30},
                      {"new weights", {10, 0, 45, 45, 0}, 2 * p::array_size, 30},
                      {"moves", {10, 30, 0, 20, 40}, 20, 0}};

INSTANTIATE_TEST_SUITE_P(Table, Streams,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::ValuesIn(kMixes)));

constexpr int kMost = p::local_depth < 64 ? p::local_depth : 64;

/// One vector per cycle, in micro-operations of any size.
TEST(StreamSpeed, VectorsFollowEachOther) {
    for (const int count : {1, 2, 7, kMost}) {
        for (const auto kind : {macrame::tb::kMatmul, macrame::tb::kToAcc}) {
            Bench bench(kSpeed, 5);
            for (int i = 0; i < 2000 / count; ++i)
                bench.program.add(op_of(kind, 0, count));
            bench.run();
            // Of an odd count one goes alone.
            const bool pairs = p::array_vectors == 2 && kind == macrame::tb::kMatmul;
            const int steps = pairs ? (count + 1) / 2 : count;
            EXPECT_LE(bench.cycles(), 2000 / count * steps + 2 * p::array_size + 20)
                << count << " vectors of kind " << kind;
        }
    }
}

TEST(StreamSpeed, RowsFollowEachOther) {
    for (const int count : {1, 2, p::array_size + 1}) {
        Bench bench(kSpeed, 6);
        for (int i = 0; i < 1000 / count; ++i)
            bench.program.add(op_of(macrame::tb::kWeights, p::array_size, count, i % 2 != 0));
        bench.run();
        const int steps = (count + p::array_vectors - 1) / p::array_vectors;
        const int unpaired = p::array_vectors - 1;  // where neighbours lie in one bank
        EXPECT_LE(bench.cycles(), 1000 / count * (steps + unpaired) + p::array_size + 20)
            << count << " rows";
    }
}

/// New weights for every MatMul: large ones do not wait for them, small ones as long as it takes to
/// shift them in.
TEST(StreamSpeed, WeightsLoadWhileVectorsStream) {
    constexpr int kSets = 100;
    constexpr int kSwitch = p::weight_buffers == 3 ? 4 : 4 + p::swap_cycles;
    for (const int count : {1, p::array_size, 4 * p::array_size, kMost}) {
        if (count > p::local_depth) continue;
        Bench bench(kSpeed, 7);
        for (int i = 0; i < kSets; ++i) {
            bench.program.add(op_of(macrame::tb::kWeights, p::local_depth - 1, p::array_size + 1));
            bench.program.add(op_of(macrame::tb::kMatmul, 0, count));
        }
        bench.run();
        const int set = std::max(count + 1, 3 * (p::array_size + 1) / 2 + kSwitch);
        EXPECT_LE(bench.cycles(), kSets * set) << count << " vectors for a set of weights";
    }
}

}  // namespace
