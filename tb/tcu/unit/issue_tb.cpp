/// Unit test of tcu_issue: random micro-operations under random stalls reach the engines that they
/// are for, in order, with all their fields; what feed and acc share leaves for both at once. With
/// two vectors per cycle acc may get MATMULs that follow each other in its accumulators as one.

#include <deque>
#include <map>
#include <string>
#include <tuple>

#include "tb/tcu/unit/unit_bench.hpp"

namespace {

namespace p = tcu_params;
using macrame::tb::put_number;
using macrame::tb::Traffic;
using macrame::tb::UnitBench;

enum Kind { kWeights, kMatmul, kToAcc, kToLocal, kSimd };

using Fields = std::map<std::string, std::uint32_t>;

/// Names and widths of what decode sends.
const std::map<std::string, int> kWidths = {
    {"zero", 1},
    {"accumulate", 1},
    {"swap", 1},
    {"local", p::local_addr_w},
    {"local_stride", p::stride_code0_w},
    {"acc", p::acc_addr_w},
    {"acc_stride", p::stride_code1_w},
    {"count", p::size_w},
    {"simd_write", p::acc_addr_w},
    {"simd_op", p::simd_op_w},
    {"simd_left", p::simd_code_w},
    {"simd_right", p::simd_code_w},
    {"simd_dest", p::simd_code_w},
    {"simd_read", 1},
    {"simd_write_en", 1},
    {"need_load", p::transfer_tag_w + 1},
    {"need_b", p::transfer_tag_w + 1},
    {"need_feed", p::compute_tag_w + 1},
    {"need_weights", p::compute_tag_w + 1},
};

Fields some(const Fields& op, std::initializer_list<const char*> names) {
    Fields fields;
    for (const char* name : names)
        fields[name] = op.at(name);
    return fields;
}

Fields for_weights(const Fields& op) {
    Fields f = some(op, {"zero", "local", "local_stride", "count", "need_load", "need_b"});
    f["swap_number"] = op.at("need_feed") & ((1U << p::compute_tag_w) - 1);
    return f;
}

Fields for_feed(const Fields& op) {
    Fields f = some(op, {"zero", "swap", "local", "local_stride", "count", "need_load", "need_b",
                         "need_weights"});
    f["matmul"] = op.at("kind") == kMatmul;
    return f;
}

Fields for_acc(const Fields& op) {
    Fields f = op;
    f.erase("zero");
    f.erase("swap");
    return f;
}

constexpr std::uint32_t mask(int width) { return (1U << width) - 1; }

/// The accumulator after the last one of a MATMUL.
std::uint32_t next_acc(const Fields& op) {
    return (op.at("acc") + ((op.at("count") + 1) << op.at("acc_stride"))) & mask(p::acc_addr_w);
}

bool continues(const Fields& op, const Fields& next) {
    return op.at("kind") == kMatmul && next.at("kind") == kMatmul &&
           op.at("accumulate") == next.at("accumulate") && next.at("acc") == next_acc(op) &&
           op.at("acc_stride") == next.at("acc_stride");
}

class Bench : public UnitBench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed) : UnitBench(seed), traffic_(traffic) {
        reset();
    }

    void run(int count) {
        for (to_send_ = count; to_send_ > 0 || sending_ || waiting() > 0;) {
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle(), 100L * count + 1000) << "nothing moves";
        }
        for (int i = 0; i < 8; ++i)
            tick();
        EXPECT_FALSE(busy_);
    }

    /// MATMULs that acc got as part of another one.
    int joined() const { return joined_; }
    int continued() const { return continued_; }

    /// No engine takes anything: how many does it accept?
    int fill(int cycles) {
        to_send_ = cycles;
        for (int i = 0; i < cycles; ++i)
            tick();
        return accepted_;
    }

private:
    std::size_t waiting() const { return weights_.size() + feed_.size() + acc_.size(); }

    void next_op() {
        sending_ = to_send_ > 0 && chance(traffic_.offer);
        if (!sending_) return;
        --to_send_;
        const Fields before = op_;
        for (const auto& [name, width] : kWidths)
            op_[name] = random().word() & mask(width);
        op_["kind"] = static_cast<std::uint32_t>(random().in(kWeights, kSimd));
        if (!before.empty() && before.at("kind") == kMatmul && random().chance(75))
            continue_matmul(before);
    }

    /// In all fields or in all but one.
    void continue_matmul(const Fields& before) {
        op_["kind"] = kMatmul;
        op_["count"] &= 0xf;
        op_["accumulate"] = before.at("accumulate") ^ (random().chance(10) ? 1 : 0);
        op_["acc"] = (next_acc(before) + (random().chance(10) ? 1 : 0)) & mask(p::acc_addr_w);
        if (random().chance(90)) op_["acc_stride"] = before.at("acc_stride");
    }

    void drive(Vdut& dut) override {
        if (!sending_ && dut.rst_n) next_op();
        dut.decode2issue_valid = sending_;
        if (sending_) drive_op(dut);
        dut.issue2weights_ready = chance(traffic_.take);
        dut.issue2feed_ready = chance(traffic_.take);
        dut.issue2acc_ready = chance(traffic_.take);
    }

    void drive_op(Vdut& dut) {
        put_number(dut.decode2issue_kind, op_["kind"]);
        put_number(dut.decode2issue_zero, op_["zero"]);
        put_number(dut.decode2issue_accumulate, op_["accumulate"]);
        put_number(dut.decode2issue_swap, op_["swap"]);
        put_number(dut.decode2issue_local, op_["local"]);
        put_number(dut.decode2issue_local_stride, op_["local_stride"]);
        put_number(dut.decode2issue_acc, op_["acc"]);
        put_number(dut.decode2issue_acc_stride, op_["acc_stride"]);
        put_number(dut.decode2issue_count, op_["count"]);
        put_number(dut.decode2issue_simd_write, op_["simd_write"]);
        put_number(dut.decode2issue_simd_op, op_["simd_op"]);
        put_number(dut.decode2issue_simd_left, op_["simd_left"]);
        put_number(dut.decode2issue_simd_right, op_["simd_right"]);
        put_number(dut.decode2issue_simd_dest, op_["simd_dest"]);
        put_number(dut.decode2issue_simd_read, op_["simd_read"]);
        put_number(dut.decode2issue_simd_write_en, op_["simd_write_en"]);
        put_number(dut.decode2issue_need_load, op_["need_load"]);
        put_number(dut.decode2issue_need_b, op_["need_b"]);
        put_number(dut.decode2issue_need_feed, op_["need_feed"]);
        put_number(dut.decode2issue_need_weights, op_["need_weights"]);
    }

    void sample(Vdut& dut) override {
        if (!dut.rst_n) return;
        // Before a new one: none comes out in the cycle in which it goes in.
        busy_ = dut.issue_busy;
        ASSERT_TRUE(busy_ || waiting() == 0) << "cycle " << cycle();
        if (dut.issue2weights_valid) check(weights_, from_weights(dut), dut.issue2weights_ready);
        if (dut.issue2feed_valid) check(feed_, from_feed(dut), dut.issue2feed_ready);
        if (dut.issue2acc_valid) check_acc(from_acc(dut), dut.issue2acc_ready);
        if (!dut.decode2issue_valid || !dut.decode2issue_ready) return;
        sending_ = false;
        ++accepted_;
        const std::uint32_t kind = op_["kind"];
        if (kind == kWeights) weights_.push_back(for_weights(op_));
        if (kind == kMatmul || kind == kToAcc) feed_.push_back(for_feed(op_));
        if (kind == kWeights) return;
        acc_.push_back(for_acc(op_));
        if (!last_.empty() && continues(last_, acc_.back())) ++continued_;
        last_ = acc_.back();
    }

    /// A MATMUL with more vectors than the oldest one is made of those that continue it.
    void check_acc(const Fields& got, bool taken) {
        ASSERT_FALSE(acc_.empty()) << "cycle " << cycle();
        Fields want = acc_.front();
        std::size_t parts = 1;
        while (p::array_vectors == 2 && want["count"] < got.at("count") && parts < acc_.size() &&
               continues(acc_[parts - 1], acc_[parts]))
            want["count"] += acc_[parts++].at("count") + 1;
        ASSERT_EQ(got, want) << "cycle " << cycle();
        if (!taken) return;
        acc_.erase(acc_.begin(), acc_.begin() + static_cast<std::ptrdiff_t>(parts));
        joined_ += static_cast<int>(parts) - 1;
    }

    void check(std::deque<Fields>& expected, const Fields& got, bool taken) {
        ASSERT_FALSE(expected.empty()) << "cycle " << cycle();
        ASSERT_EQ(got, expected.front()) << "cycle " << cycle();
        if (taken) expected.pop_front();
    }

    static Fields from_weights(const Vdut& dut) {
        return {{"zero", dut.issue2weights_zero},
                {"local", dut.issue2weights_local},
                {"local_stride", dut.issue2weights_local_stride},
                {"count", dut.issue2weights_count},
                {"need_load", dut.issue2weights_need_load},
                {"need_b", dut.issue2weights_need_moved},
                {"swap_number", dut.issue2weights_swap_number}};
    }

    static Fields from_feed(const Vdut& dut) {
        return {{"matmul", dut.issue2feed_matmul},
                {"zero", dut.issue2feed_zero},
                {"swap", dut.issue2feed_swap},
                {"local", dut.issue2feed_local},
                {"local_stride", dut.issue2feed_local_stride},
                {"count", dut.issue2feed_count},
                {"need_load", dut.issue2feed_need_load},
                {"need_b", dut.issue2feed_need_moved},
                {"need_weights", dut.issue2feed_need_weights}};
    }

    static Fields from_acc(const Vdut& dut) {
        return {{"kind", dut.issue2acc_kind},
                {"accumulate", dut.issue2acc_accumulate},
                {"local", dut.issue2acc_local},
                {"local_stride", dut.issue2acc_local_stride},
                {"acc", dut.issue2acc_acc},
                {"acc_stride", dut.issue2acc_acc_stride},
                {"count", dut.issue2acc_count},
                {"simd_write", dut.issue2acc_simd_write},
                {"simd_op", dut.issue2acc_simd_op},
                {"simd_left", dut.issue2acc_simd_left},
                {"simd_right", dut.issue2acc_simd_right},
                {"simd_dest", dut.issue2acc_simd_dest},
                {"simd_read", dut.issue2acc_simd_read},
                {"simd_write_en", dut.issue2acc_simd_write_en},
                {"need_load", dut.issue2acc_need_load},
                {"need_b", dut.issue2acc_need_read},
                {"need_feed", dut.issue2acc_need_feed},
                {"need_weights", dut.issue2acc_need_weights}};
    }

    Traffic traffic_;
    int to_send_ = 0;
    int accepted_ = 0;
    int joined_ = 0, continued_ = 0;
    bool sending_ = false;
    bool busy_ = false;
    Fields op_, last_;  ///< last_: for acc
    std::deque<Fields> weights_, feed_, acc_;
};

class Issue : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(Issue, DistributesInOrder) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.run(3 * p::queue_depth + 1000);
    if (traffic.offer == 100 && traffic.take == 100) {
        // A MATMUL waits for a cycle behind what goes to acc right before it.
        EXPECT_LE(bench.cycle(), p::array_vectors * (3 * p::queue_depth + 1000) + 20);
    }
    // MATMULs join while acc has others to do.
    if (p::array_vectors == 2 && traffic.take == 10) {
        EXPECT_GT(bench.continued(), 100);
        EXPECT_GT(bench.joined(), bench.continued() / 2);
    }
    // MATMULs join while acc has others to do.
    if (p::array_vectors == 2 && traffic.take == 10) {
        EXPECT_GT(bench.continued(), 100);
        EXPECT_GT(bench.joined(), bench.continued() / 2);
    }
}

const Traffic kTraffic[] = {{"no stall", 100, 100},
                            {"random", 50, 50},
                            {"engines slow", 100, 10},
                            {"decode slow", 10, 100}};

INSTANTIATE_TEST_SUITE_P(Table, Issue,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2)));

TEST(IssueDepth, HoldsAFullQueue) {
    Bench bench({"fill", 100, 0}, 3);
    EXPECT_GE(bench.fill(p::queue_depth + 100), p::queue_depth);
}

}  // namespace
