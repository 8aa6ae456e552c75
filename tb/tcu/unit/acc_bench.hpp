#pragma once
/// tcu_acc between queue, array, feed and local memory. Whatever it takes and gives waits at
/// random; what goes to local memory is what the model says, in its order.

#include <deque>
#include <vector>

#include "tb/tcu/unit/acc_model.hpp"
#include "tb/tcu/unit/unit_bench.hpp"

namespace macrame::tb {

/// How often, in percent, something happens in a cycle in which it could.
struct AccTraffic {
    const char* name;
    int offer = 100;   ///< a micro-operation
    int result = 100;  ///< a vector from the array; the same for moves
    int grant = 100;   ///< local memory takes a vector
    int done = 100;    ///< an engine that a TO_LOCAL waits for finishes something
};

class AccBench : public UnitBench {
public:
    AccBench(const AccTraffic& traffic, std::uint64_t seed) : UnitBench(seed), traffic_(traffic) {
        reset();
        result_places_ = tcu_params::result_depth;
        move_places_ = tcu_params::move_depth;
    }

    /// Adds a micro-operation; a MATMUL or TO_ACC gets vectors with so many lanes at a corner.
    void send(const MicroOp& op, int corner_percent = 20) {
        std::vector<Lanes> vectors;
        if (op.kind == kMatmul || op.kind == kToAcc)
            for (int i = 0; i < op.count; ++i)
                vectors.push_back(random_lanes(random(), corner_percent));
        send(op, vectors);
    }

    void send(MicroOp op, const std::vector<Lanes>& vectors) {
        std::deque<Lanes>& queue = op.kind == kMatmul ? results_ : moves_;
        queue.insert(queue.end(), vectors.begin(), vectors.end());
        number(op);
        model_.execute(op, vectors, expected_);
        to_send_.push_back(op);
    }

    /// LoadLUT, in pieces. Keys ascend, and some are equal.
    void send_table(int table) {
        std::vector<Lanes> entries;
        for (int i = 0; i < tcu_params::lut_depth; ++i)
            entries.push_back(i > 0 && chance(10) ? entries.back() : random_lanes(random(), 20));
        if (table == 0) {
            for (int lane = 0; lane < kLanes; ++lane) {
                const auto at = static_cast<std::size_t>(lane);
                std::vector<Code> codes;
                for (const Lanes& lanes : entries)
                    codes.push_back(lanes[at]);
                std::sort(codes.begin(), codes.end());
                for (std::size_t i = 0; i < codes.size(); ++i)
                    entries[i][at] = codes[i];
            }
        }
        MicroOp op;
        op.kind = kToTable;
        op.dest = table;
        for (std::size_t at = 0; at < entries.size(); at += static_cast<std::size_t>(op.count)) {
            op.entry = static_cast<int>(at);
            op.count = random().in(1, tcu_params::lut_depth - op.entry);
            send(op, {entries.begin() + op.entry, entries.begin() + op.entry + op.count});
        }
    }

    /// Until nothing is under way; returns the number of cycles.
    long run() {
        const long start = cycle();
        long limit = start + 1000;
        for (const MicroOp& op : to_send_)
            limit += 200L * op.count;
        while (waits()) {
            tick();
            if (::testing::Test::HasFailure()) break;
            if (cycle() >= limit) {
                ADD_FAILURE() << "nothing moves, cycle " << cycle() << ", " << to_send_.size()
                              << " micro-operations, " << expected_.size() << " writes";
                break;
            }
        }
        return cycle() - start;
    }

    /// All accumulators and registers, compared.
    void dump() {
        MicroOp op;
        for (int i = 0; i < tcu_params::accumulator_depth; ++i)
            send(copy_out(i));
        for (int r = 1; r <= tcu_params::simd_registers_depth; ++r) {
            op.left = r;
            op.write_en = true;
            send(op);
            send(copy_out(0));
        }
        run();
    }

    /// All accumulators get something.
    void fill() {
        MicroOp op;
        op.kind = kMatmul;
        op.count = tcu_params::accumulator_depth;
        send(op);
    }

    const AccModel& model() const { return model_; }

private:
    static MicroOp copy_out(int address) {
        MicroOp op;
        op.kind = kToLocal;
        op.acc = address;
        return op;
    }

    static constexpr std::uint32_t mask(int width) { return (1U << width) - 1; }
    static constexpr int tag_w(std::size_t engine) {
        return engine < 2 ? tcu_params::transfer_tag_w : tcu_params::compute_tag_w;
    }

    /// Numbers of what it waits for: done already, or soon.
    void number(MicroOp& op) {
        for (std::size_t e = 0; e < kEngines; ++e) {
            op.needs[e] = op.kind == kToLocal && chance(30);
            if (!op.needs[e]) continue;
            if (chance(50) && last_[e] - done_[e] < 8) last_[e] += 1;
            op.numbers[e] = last_[e];
        }
    }

    bool waits() {
        return !to_send_.empty() || !results_.empty() || !moves_.empty() || !expected_.empty() ||
               quiet_ < 3;
    }

    void drive(Vdut& dut) override {
        if (!dut.rst_n) sending_ = false;
        if (!sending_) sending_ = dut.rst_n && !to_send_.empty() && chance(traffic_.offer);
        dut.issue2acc_valid = sending_;
        drive_op(dut, sending_ ? to_send_.front() : MicroOp());
        drive_vectors(dut);
        dut.local2acc_wgrant = 0;
        for (std::size_t e = 0; e < kEngines; ++e)
            if (done_[e] != last_[e] && chance(traffic_.done)) ++done_[e];
        put_number(dut.load2all_done, done_[0] & mask(tag_w(0)));
        put_number(dut.store2all_read, done_[1] & mask(tag_w(1)));
        put_number(dut.feed2all_done, done_[2] & mask(tag_w(2)));
        put_number(dut.weights2all_done, done_[3] & mask(tag_w(3)));
    }

    void drive_op(Vdut& dut, const MicroOp& op) {
        put_number(dut.issue2acc_kind, op.kind);
        put_number(dut.issue2acc_accumulate, op.accumulate);
        put_number(dut.issue2acc_local, op.local);
        put_number(dut.issue2acc_local_stride, op.local_stride);
        put_number(dut.issue2acc_acc, op.acc);
        put_number(dut.issue2acc_acc_stride, op.acc_stride);
        put_number(dut.issue2acc_count, op.count - 1);
        put_number(dut.issue2acc_simd_write, op.write);
        put_number(dut.issue2acc_simd_op, op.op);
        put_number(dut.issue2acc_simd_left, op.left);
        put_number(dut.issue2acc_simd_right, op.right);
        put_number(dut.issue2acc_simd_dest, op.dest);
        put_number(dut.issue2acc_simd_read, op.read);
        put_number(dut.issue2acc_simd_write_en, op.write_en);
        put_number(dut.issue2acc_need_load, need(op, 0));
        put_number(dut.issue2acc_need_read, need(op, 1));
        put_number(dut.issue2acc_need_feed, need(op, 2));
        put_number(dut.issue2acc_need_weights, need(op, 3));
    }

    /// {valid, number}
    std::uint32_t need(const MicroOp& op, std::size_t e) const {
        return (op.numbers[e] & mask(tag_w(e))) | (op.needs[e] ? 1U << tag_w(e) : 0U);
    }

    void drive_vectors(Vdut& dut) {
        const bool result =
            dut.rst_n && !results_.empty() && result_places_ > 0 && chance(traffic_.result);
        const bool move =
            dut.rst_n && !moves_.empty() && move_places_ > 0 && chance(traffic_.result);
        dut.array2acc_valid = result;
        dut.feed2acc_valid = move;
        put_lanes(dut.array2acc_y, result ? results_.front() : random_lanes(random(), 0));
        drive_second(dut, result);
        put_lanes(dut.feed2acc_data, move ? moves_.front() : random_lanes(random(), 0));
        if (result) {
            results_.pop_front();
            --result_places_;
        }
        if (move) {
            moves_.pop_front();
            --move_places_;
        }
    }

    /// The result after the front one in the same cycle, where the array computes two.
    template <typename Dut>
    void drive_second(Dut& dut, bool result) {
        if constexpr (tcu_params::array_vectors == 2) {
            const bool second = result && results_.size() > 1 && result_places_ > 1 && chance(80);
            dut.array2acc_valid1 = second;
            put_lanes(dut.array2acc_y1, second ? results_[1] : random_lanes(random(), 0));
            if (!second) return;
            results_.erase(results_.begin() + 1);
            --result_places_;
        }
    }

    template <typename Dut>
    bool second_taken(const Dut& dut) const {
        if constexpr (tcu_params::array_vectors == 2) return dut.acc2feed_taken1 != 0;
        return false;
    }

    void sample(Vdut& dut) override {
        if (!dut.rst_n) return;
        quiet_ = dut.acc_busy || sending_ ? 0 : quiet_ + 1;
        if (sending_ && dut.issue2acc_ready) {
            sending_ = false;
            to_send_.pop_front();
        }
        ASSERT_TRUE(dut.acc2feed_taken || !second_taken(dut)) << "cycle " << cycle();
        result_places_ += (dut.acc2feed_taken ? 1 : 0) + (second_taken(dut) ? 1 : 0);
        if (dut.acc2feed_moved) ++move_places_;
        ASSERT_LE(result_places_, tcu_params::result_depth) << "cycle " << cycle();
        ASSERT_LE(move_places_, tcu_params::move_depth) << "cycle " << cycle();
        ASSERT_EQ(dut.acc2all_moved, moved_ & mask(tcu_params::transfer_tag_w))
            << "cycle " << cycle();
        if (dut.acc2local_write) check_write(dut);
    }

    void check_write(Vdut& dut) {
        ASSERT_FALSE(expected_.empty()) << "a write too many, cycle " << cycle();
        const LocalWrite& want = expected_.front();
        for (std::size_t e = 0; e < kEngines; ++e)
            ASSERT_TRUE(!want.op.needs[e] || want.op.numbers[e] <= done_[e])
                << "does not wait for engine " << e << ", cycle " << cycle();
        ASSERT_EQ(static_cast<int>(dut.acc2local_addr), want.address) << "cycle " << cycle();
        const Lanes got = get_lanes(dut.acc2local_data);
        for (int i = 0; i < kLanes; ++i)
            ASSERT_EQ(+got[static_cast<std::size_t>(i)], +want.lanes[static_cast<std::size_t>(i)])
                << "A[" << want.op.acc << "], " << want.op.count << " vectors, lane " << i
                << ", cycle " << cycle();
        dut.local2acc_wgrant = chance(traffic_.grant);
        dut.eval();
        if (!dut.local2acc_wgrant) return;
        if (want.last) ++moved_;
        expected_.pop_front();
    }

    AccTraffic traffic_;
    AccModel model_;
    std::deque<MicroOp> to_send_;
    std::deque<Lanes> results_, moves_;
    std::deque<LocalWrite> expected_;
    std::array<std::uint32_t, kEngines> done_ = {}, last_ = {};
    std::uint32_t moved_ = 0;
    int result_places_ = 0, move_places_ = 0;
    int quiet_ = 0;  ///< cycles without work
    bool sending_ = false;
};

}  // namespace macrame::tb
