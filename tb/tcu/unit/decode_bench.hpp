#pragma once
/// tcu_decode with the units around it played by the test: each does its micro-operations in order,
/// as soon as their tags allow or later, and looks at every tag as the hardware does.

#include <array>
#include <deque>
#include <string>

#include "tb/tcu/unit/decode_order.hpp"
#include "tb/tcu/unit/unit_bench.hpp"

namespace macrame::tcu::test {

namespace p = tcu_params;

/// How often, in percent, something happens in a cycle in which it could.
struct Pace {
    const char* name;
    int offer, take;
    std::array<int, kEngines> engines;
    int ack;
};

/// A micro-operation as it came out: its number in program order, and tags.
struct Taken {
    std::size_t number = 0;
    std::uint32_t load = 0, read = 0, moved = 0, feed = 0, weights = 0, dram = 0;
    bool busy = false;   ///< started
    bool asked = false;  ///< load: DRAM is read
};

class DecodeBench : public tb::UnitBench {
public:
    DecodeBench(const Pace& pace, std::uint64_t seed) : UnitBench(seed), pace_(pace) {
        order_.add(0, reference_.ops[0]);
        reset();
    }

    void send(const Instruction& instruction) {
        std::vector<std::uint8_t> bytes(p::instruction_bytes);
        encode(layout_, instruction, bytes.data());
        program_.push_back(bytes);
        const std::size_t before = reference_.ops.size();
        reference_.add(instruction);
        for (std::size_t n = before; n < reference_.ops.size(); ++n)
            order_.add(n, reference_.ops[n]);
    }

    /// An instruction that may break rules: what comes of it is not looked at.
    void send_raw(const Instruction& instruction) {
        std::vector<std::uint8_t> bytes(p::instruction_bytes);
        encode(layout_, instruction, bytes.data());
        program_.push_back(bytes);
        blocked_ = true;
    }

    /// Until everything is done.
    void run() {
        moved_at_ = cycle();
        while (!program_.empty() || finished_ < reference_.ops.size()) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(cycle(), moved_at_ + 20000) << "nothing moves";
        }
        finished_at_ = moved_at_;
        for (int i = 0; i < 20; ++i)
            tick();
        EXPECT_FALSE(busy_);
    }

    void wait(int cycles) {
        for (int i = 0; i < cycles; ++i)
            tick();
    }

    const Reference& reference() const { return reference_; }
    std::uint32_t program_counter() const { return counter_; }
    std::uint32_t sample_interval() const { return interval_; }
    bool timeout() const { return timeout_; }
    bool tracepoint() const { return tracepoint_; }
    bool error() const { return error_; }
    /// Micro-operations that went to the compute queue.
    std::size_t issued() const { return issued_; }
    /// The cycle in which the last micro-operation was finished.
    long finished_at() const { return finished_at_; }
    /// Nothing is taken from decode.
    void block(bool on) { blocked_ = on; }

protected:
    void drive(Vdut& dut) override {
        offers_ = offers_ || (!program_.empty() && chance(pace_.offer));
        dut.fetch2decode_valid = offers_;
        if (offers_) tb::put_bytes(dut.fetch2decode_data, program_.front());
        dut.decode2load_ready = !blocked_ && load_.size() < 16 && chance(pace_.take);
        dut.decode2store_ready = !blocked_ && store_.size() < 8 && chance(pace_.take);
        dut.decode2issue_ready = !blocked_ && issue_.size() < p::queue_depth && chance(pace_.take);
        drive_status(dut);
        tb::put_number(dut.load2all_done, masked(loaded_));
        tb::put_number(dut.store2all_read, masked(stored_));
        tb::put_number(dut.store2all_acked, masked(acked_));
        tb::put_number(dut.acc2all_moved, masked(moves_));
        tb::put_number(dut.feed2all_done, masked(fed_));
        tb::put_number(dut.weights2all_done, masked(shifted_));
    }

    void sample(Vdut& dut) override {
        busy_ = dut.decode_busy;
        timeout_ = dut.timeout_flag;
        tracepoint_ = dut.tracepoint_flag;
        counter_ = dut.program_counter;
        interval_ = dut.sample_interval;
        offset_ = {dut.decode2all_offset0, dut.decode2all_offset1};
        cache_ = {dut.decode2all_cache0, dut.decode2all_cache1};
        sample_error(dut);
        if (!dut.rst_n) return;
        // Against the direction of the work: nothing passes two units in a cycle.
        step_acc();
        step_feed();
        step_weights();
        step_issue();
        step_store();
        step_load();
        take(dut);
        sample_status(dut);
        if (dut.fetch2decode_valid && dut.fetch2decode_ready) {
            if (p::status_port) taken_.push_back(program_.front());
            program_.pop_front();
            offers_ = false;
            moved_at_ = cycle();
        }
    }

private:
    static constexpr std::uint32_t kTagMask = (1U << p::transfer_tag_w) - 1;
    static_assert(p::transfer_tag_w == p::compute_tag_w, "one kind of numbers");

    static std::uint32_t masked(std::uint64_t count) {
        return static_cast<std::uint32_t>(count) & kTagMask;
    }
    /// As a unit sees it.
    static bool satisfied(std::uint32_t need, std::uint64_t done) {
        if ((need >> p::transfer_tag_w) == 0) return true;
        return masked(done - need) < (kTagMask + 1) / 2;
    }

    template <class Dut>
    void drive_status(Dut& dut) {
        if constexpr (p::status_port) dut.decode2status_ready = chance(pace_.take);
    }
    template <class Dut>
    void sample_error(Dut& dut) {
        if constexpr (p::validate_instructions) error_ = dut.error_flag;
    }
    template <class Dut>
    void sample_status(Dut& dut) {
        if constexpr (p::status_port) {
            if (!dut.decode2status_valid) return;
            ASSERT_FALSE(taken_.empty());
            ASSERT_EQ(tb::get_bytes(dut.decode2status_data, p::instruction_bytes), taken_.front());
            if (dut.decode2status_ready) taken_.pop_front();
        }
    }

    // ------------------------------------------------------------------ what comes out

    const MicroOp& op(const Taken& t) const { return reference_.ops[t.number]; }

    /// The next micro-operation for this link.
    template <class IsOurs>
    void next(std::size_t& number, IsOurs is_ours) {
        while (number < reference_.ops.size() && !is_ours(reference_.ops[number]))
            ++number;
        ASSERT_LT(number, reference_.ops.size()) << "one more than expected, cycle " << cycle();
    }

    void take(Vdut& dut) {
        if (dut.decode2load_valid && dut.decode2load_ready) take_load(dut);
        if (dut.decode2store_valid && dut.decode2store_ready) take_store(dut);
        if (dut.decode2issue_valid && dut.decode2issue_ready) take_issue(dut);
    }

    void check_bank(const MicroOp& o) {
        const auto bank = static_cast<std::size_t>(o.bank);
        ASSERT_EQ(offset_[bank], o.offset) << "cycle " << cycle();
        ASSERT_EQ(cache_[bank], o.cache) << "cycle " << cycle();
    }

    void take_load(Vdut& dut) {
        next(next_load_, [](const MicroOp& o) { return o.kind == kLoadOp; });
        if (::testing::Test::HasFatalFailure()) return;
        Taken t;
        t.number = next_load_++;
        const MicroOp& o = op(t);
        ASSERT_EQ(dut.decode2load_bank, o.bank) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2load_addr, o.other) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2load_stride, o.stride1) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2load_count, o.count) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2load_local, o.local) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2load_local_stride, o.stride0) << "cycle " << cycle();
        t.moved = dut.decode2load_need_moved;
        t.read = dut.decode2load_need_read;
        t.feed = dut.decode2load_need_feed;
        t.weights = dut.decode2load_need_weights;
        t.dram = dut.decode2load_need_acked;
        load_.push_back(t);
    }

    void take_store(Vdut& dut) {
        next(next_store_, [](const MicroOp& o) { return o.kind == kStoreOp; });
        if (::testing::Test::HasFatalFailure()) return;
        Taken t;
        t.number = next_store_++;
        const MicroOp& o = op(t);
        ASSERT_EQ(dut.decode2store_bank, o.bank) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2store_addr, o.other) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2store_stride, o.stride1) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2store_count, o.count) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2store_local, o.local) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2store_local_stride, o.stride0) << "cycle " << cycle();
        t.load = dut.decode2store_need_load;
        t.moved = dut.decode2store_need_moved;
        t.dram = dut.decode2store_need_loaded_dram;
        store_.push_back(t);
    }

    void take_issue(Vdut& dut) {
        next(next_issue_, [](const MicroOp& o) { return o.kind != kLoadOp && o.kind != kStoreOp; });
        if (::testing::Test::HasFatalFailure()) return;
        Taken t;
        t.number = next_issue_++;
        ++issued_;
        const MicroOp& o = op(t);
        ASSERT_EQ(dut.decode2issue_kind, o.kind) << "cycle " << cycle();
        if (o.kind == kSimdOp) {
            check_simd(dut, o);
        } else {
            check_vectors(dut, o);
        }
        if (::testing::Test::HasFatalFailure()) return;
        t.load = dut.decode2issue_need_load;
        (o.kind == kToLocalOp ? t.read : t.moved) = dut.decode2issue_need_b;
        if (o.kind == kToLocalOp) t.feed = dut.decode2issue_need_feed;
        if (o.kind == kToLocalOp || o.kind == kMatMulOp) t.weights = dut.decode2issue_need_weights;
        if (o.kind == kWeightsOp) {
            ASSERT_EQ(masked(dut.decode2issue_need_feed),
                      masked(static_cast<unsigned>(o.swaps_before)));
        }
        issue_.push_back(t);
    }

    void check_vectors(Vdut& dut, const MicroOp& o) {
        const bool zero = (o.kind == kMatMulOp || o.kind == kWeightsOp) && dut.decode2issue_zero;
        ASSERT_EQ(zero, o.zero) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_swap, o.swap) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_count, o.count) << "cycle " << cycle();
        if (!o.zero) {
            ASSERT_EQ(dut.decode2issue_local, o.local) << "cycle " << cycle();
            ASSERT_EQ(dut.decode2issue_local_stride, o.stride0) << "cycle " << cycle();
        }
        if (o.kind == kToLutOp) {
            ASSERT_EQ(dut.decode2issue_simd_dest, o.dest) << "cycle " << cycle();
            ASSERT_EQ(dut.decode2issue_accumulate, 0) << "cycle " << cycle();
        }
        if (o.kind == kWeightsOp || o.kind == kToLutOp) return;
        ASSERT_EQ(dut.decode2issue_acc, o.other) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_acc_stride, o.stride1) << "cycle " << cycle();
        if (o.kind != kToLocalOp) {
            ASSERT_EQ(dut.decode2issue_accumulate, o.accumulate) << "cycle " << cycle();
        }
    }

    void check_simd(Vdut& dut, const MicroOp& o) {
        ASSERT_EQ(dut.decode2issue_simd_write, o.local) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_acc, o.other) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_simd_op, o.op) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_simd_left, o.left) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_simd_right, o.right) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_simd_dest, o.dest) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_simd_read, o.read) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_simd_write_en, o.write) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_accumulate, o.accumulate) << "cycle " << cycle();
        ASSERT_EQ(dut.decode2issue_need_load >> p::transfer_tag_w, 0);
    }

    // ------------------------------------------------------------------ the units

    bool goes(Engine engine) { return chance(pace_.engines[engine]); }

    void finish() {
        ++finished_;
        moved_at_ = cycle();
    }

    /// It begins to touch local memory.
    void start(Taken& t) {
        t.busy = true;
        ASSERT_EQ(order_.local_conflict(t.number, op(t)), -1)
            << "for " << t.number << ", cycle " << cycle();
    }
    void start_dram(Taken& t) {
        ASSERT_EQ(order_.dram_conflict(t.number, op(t)), -1)
            << "for " << t.number << ", cycle " << cycle();
        check_bank(op(t));
    }

    void step_load() {
        for (Taken& t : load_) {
            if (t.asked) continue;
            if (!satisfied(t.dram, acked_)) break;
            t.asked = true;
            start_dram(t);
        }
        if (load_.empty() || !load_.front().asked) return;
        Taken& t = load_.front();
        if (!t.busy) {
            if (satisfied(t.moved, moves_) && satisfied(t.read, stored_) &&
                satisfied(t.feed, fed_) && satisfied(t.weights, shifted_))
                start(t);
        } else if (goes(kLoadEngine)) {
            check_bank(op(t));
            order_.local_done(t.number, op(t));
            order_.dram_done(t.number, op(t));
            ++loaded_;
            finish();
            load_.pop_front();
        }
    }

    void step_store() {
        if (!unacked_.empty() && chance(pace_.ack)) {
            const Taken t = unacked_.front();
            unacked_.pop_front();
            check_bank(op(t));
            order_.dram_done(t.number, op(t));
            ++acked_;
            finish();
        }
        if (store_.empty()) return;
        Taken& t = store_.front();
        if (!t.busy) {
            if (!satisfied(t.load, loaded_) || !satisfied(t.moved, moves_) ||
                !satisfied(t.dram, loaded_))
                return;
            start(t);
            start_dram(t);
        } else if (goes(kStoreEngine)) {
            order_.local_done(t.number, op(t));
            ++stored_;
            unacked_.push_back(t);
            store_.pop_front();
        }
    }

    void step_issue() {
        constexpr std::size_t kDepth = 16;
        if (issue_.empty()) return;
        const Engine engine = op(issue_.front()).engine();
        const bool weights = engine == kWeightsEngine, feed = engine == kFeedEngine;
        if ((weights && weights_.size() == kDepth) || (feed && feed_.size() == kDepth) ||
            (!weights && acc_.size() == kDepth))
            return;
        if (weights) weights_.push_back(issue_.front());
        if (feed) feed_.push_back(issue_.front());
        if (!weights) acc_.push_back(issue_.front());
        issue_.pop_front();
    }

    void step_weights() {
        if (weights_.empty()) return;
        Taken& t = weights_.front();
        if (!t.busy) {
            if (satisfied(t.load, loaded_) && satisfied(t.moved, moves_) &&
                swaps_ == op(t).swaps_before)
                start(t);
        } else if (goes(kWeightsEngine)) {
            order_.local_done(t.number, op(t));
            ++shifted_;
            last_weights_ = t.number;
            finish();
            weights_.pop_front();
        }
    }

    void step_feed() {
        if (feed_.empty()) return;
        Taken& t = feed_.front();
        if (!t.busy) {
            if (!satisfied(t.load, loaded_) || !satisfied(t.moved, moves_)) return;
            if (op(t).swap && !satisfied(t.weights, shifted_)) return;
            if (op(t).swap) {
                std::size_t before = t.number;
                while (reference_.ops[before].kind != kWeightsOp)
                    --before;
                ASSERT_EQ(last_weights_, before) << "the weights are not those";
                ++swaps_;
            }
            start(t);
        } else if (goes(kFeedEngine)) {
            order_.local_done(t.number, op(t));
            ++fed_;
            last_fed_ = t.number;
            feed_.pop_front();
        }
    }

    void step_acc() {
        if (acc_.empty()) return;
        Taken& t = acc_.front();
        if (op(t).engine() == kFeedEngine && (fed_ == 0 || last_fed_ < t.number)) return;
        if (op(t).kind != kToLocalOp) {
            if (!goes(kAccEngine)) return;
        } else if (!t.busy) {
            if (satisfied(t.load, loaded_) && satisfied(t.read, stored_) &&
                satisfied(t.feed, fed_) && satisfied(t.weights, shifted_))
                start(t);
            return;
        } else {
            if (!goes(kAccEngine)) return;
            order_.local_done(t.number, op(t));
            ++moves_;
        }
        finish();
        acc_.pop_front();
    }

    Layout layout_ = layout_of(architecture());
    Pace pace_;
    Reference reference_;
    Order order_;
    std::deque<std::vector<std::uint8_t>> program_, taken_;
    std::deque<Taken> load_, store_, unacked_, issue_, weights_, feed_, acc_;
    std::size_t next_load_ = 0, next_store_ = 0, next_issue_ = 0, finished_ = 0, issued_ = 0;
    std::size_t last_weights_ = 0, last_fed_ = 0;
    std::uint64_t loaded_ = 0, stored_ = 0, acked_ = 0, moves_ = 0, fed_ = 0, shifted_ = 0;
    int swaps_ = 0;
    std::array<std::uint32_t, 2> offset_ = {};
    std::array<int, 2> cache_ = {};
    std::uint32_t counter_ = 0, interval_ = 0;
    long moved_at_ = 0, finished_at_ = 0;
    bool offers_ = false, busy_ = false, blocked_ = false;
    bool timeout_ = false, tracepoint_ = false, error_ = false;
};

}  // namespace macrame::tcu::test
