/// Unit test of tcu_local: all clients with random requests against an array of vectors. Who is
/// granted, that banks serve different clients at once, and that vectors come 2 cycles later.

#include <algorithm>
#include <array>
#include <bitset>
#include <deque>
#include <string>
#include <tuple>

#include "tb/tcu/unit/unit_bench.hpp"

namespace {

namespace p = tcu_params;
using macrame::tb::get_bytes;
using macrame::tb::put_bytes;
using macrame::tb::Traffic;
using macrame::tb::UnitBench;
using macrame::tb::Vector;

/// In the order in which a bank serves them; kFeed1 and kWeights1: second
/// vectors, if there are any.
enum Reader { kFeed, kWeights, kStore, kFeed1, kWeights1, kReaders };
/// The same; kLoad0: what comes from memory bank 0, if that has a port of its own.
enum Writer { kLoad, kLoad0, kAcc, kWriters };

int bank_of(int addr) {
    return static_cast<int>(std::bitset<32>(static_cast<unsigned>(addr)).count() % 2);
}

/// A request that stays until it is granted.
struct Request {
    bool valid = false;
    int addr = 0;
    Vector data;  ///< what is written
};

struct Coming {
    long cycle;
    Vector data;
};

class Bench : public UnitBench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed)
        : UnitBench(seed), traffic_(traffic), memory_(p::local_depth) {
        reset();
        for (int addr = 0; addr < p::local_depth; ++addr)
            fill(addr);
    }

    /// Random requests, most of them close to each other.
    void run(int cycles) {
        for (int i = 0; i < cycles && !::testing::Test::HasFailure(); ++i) {
            for (int w = 0; w < kWriters; ++w) {
                if (w == kLoad0 && p::array_vectors == 1) continue;
                offer(writes_[static_cast<std::size_t>(w)], true);
            }
            for (int r = 0; r < kFeed1; ++r)
                offer(reads_[static_cast<std::size_t>(r)], false);
            if (p::array_vectors == 2 && reads_[kFeed].valid) offer(reads_[kFeed1], false);
            if (p::array_vectors == 2 && reads_[kWeights].valid) offer(reads_[kWeights1], false);
            tick();
        }
        reads_ = {};
        writes_ = {};
        for (int i = 0; i < 3; ++i)
            tick();
        for (const auto& coming : coming_)
            EXPECT_TRUE(coming.empty());
    }

    /// Readers `first` up to before `last` walk along, from their own places, at a step of 2^shift.
    /// Returns vectors read.
    std::array<int, kReaders> stream(int cycles, int shift, std::size_t first, std::size_t last) {
        granted_ = {};
        const auto next = [&](std::size_t r, int ahead) {
            const int place = granted_[r] + ahead + static_cast<int>(r) * p::local_depth / kReaders;
            return Request{true, (place << shift) % p::local_depth, {}};
        };
        for (int i = 0; i < cycles && !::testing::Test::HasFailure(); ++i) {
            for (std::size_t r = first; r < last; ++r) {
                if (!reads_[r].valid) reads_[r] = next(r, 0);
                if (p::array_vectors == 2 && r < kStore) reads_[kFeed1 + r] = next(r, 1);
            }
            tick();
        }
        return granted_;
    }

    int both_banks() const { return both_banks_; }

private:
    void fill(int addr) {
        writes_[kLoad] = {true, addr, macrame::tb::random_vector(random())};
        tick();
        ASSERT_FALSE(writes_[kLoad].valid) << "load is always granted";
    }

    bool in_use(int addr) const {
        for (const Request& r : reads_) {
            if (r.valid && r.addr == addr) return true;
        }
        for (const Request& w : writes_) {
            if (w.valid && w.addr == addr) return true;
        }
        return false;
    }

    /// No vector is written by two or read and written: micro-operations rule that out.
    void offer(Request& request, bool write) {
        if (request.valid || !chance(traffic_.offer)) return;
        const int addr =
            random().mostly(0, std::min(15, p::local_depth - 1), 0, p::local_depth - 1);
        if (in_use(addr)) return;
        request = {true, addr, write ? macrame::tb::random_vector(random()) : Vector{}};
    }

    void drive(Vdut& dut) override {
        dut.feed2local_read = reads_[kFeed].valid;
        macrame::tb::put_number(dut.feed2local_addr, reads_[kFeed].addr);
        dut.weights2local_read = reads_[kWeights].valid;
        macrame::tb::put_number(dut.weights2local_addr, reads_[kWeights].addr);
        dut.store2local_read = reads_[kStore].valid;
        macrame::tb::put_number(dut.store2local_addr, reads_[kStore].addr);
        drive_second(dut);
        drive_load(dut);
        dut.acc2local_write = writes_[kAcc].valid;
        macrame::tb::put_number(dut.acc2local_addr, writes_[kAcc].addr);
        put_bytes(dut.acc2local_data, writes_[kAcc].data);
    }

    template <typename Dut>
    void drive_second(Dut& dut) const {
        if constexpr (p::array_vectors == 2) {
            dut.feed2local_read1 = reads_[kFeed1].valid;
            macrame::tb::put_number(dut.feed2local_addr1, reads_[kFeed1].addr);
            dut.weights2local_read1 = reads_[kWeights1].valid;
            macrame::tb::put_number(dut.weights2local_addr1, reads_[kWeights1].addr);
        }
    }

    template <typename Dut>
    void drive_load(Dut& dut) const {
        const Request& load = writes_[kLoad];
        if constexpr (p::array_vectors == 2) {
            const Request& load0 = writes_[kLoad0];
            dut.load2local_write0 = load0.valid;
            macrame::tb::put_number(dut.load2local_addr0, load0.addr);
            put_bytes(dut.load2local_data0, load0.data);
            dut.load2local_write1 = load.valid;
            macrame::tb::put_number(dut.load2local_addr1, load.addr);
            put_bytes(dut.load2local_data1, load.data);
        } else {
            dut.load2local_write = load.valid;
            macrame::tb::put_number(dut.load2local_addr, load.addr);
            put_bytes(dut.load2local_data, load.data);
        }
    }

    template <typename Dut>
    static std::array<bool, kWriters> write_grants(const Dut& dut) {
        if constexpr (p::array_vectors == 2) {
            return {dut.local2load_wgrant1 != 0, dut.local2load_wgrant0 != 0,
                    dut.local2acc_wgrant != 0};
        } else {
            return {dut.local2load_wgrant != 0, false, dut.local2acc_wgrant != 0};
        }
    }

    /// Second vectors of feed and weights.
    template <typename Dut>
    std::array<bool, 2> second_grants(const Dut& dut) {
        if constexpr (p::array_vectors == 2) {
            check(kFeed1, dut.local2feed_valid1, get_bytes(dut.local2feed_data1, p::vector_w / 8));
            check(kWeights1, dut.local2weights_valid1,
                  get_bytes(dut.local2weights_data1, p::vector_w / 8));
            return {dut.local2feed_grant1 != 0, dut.local2weights_grant1 != 0};
        }
        return {};
    }

    /// The first request per bank, in the order of the clients.
    template <std::size_t N>
    std::array<bool, N> expected(const std::array<Request, N>& requests) const {
        std::array<bool, 2> taken{};
        std::array<bool, N> grants{};
        for (std::size_t i = 0; i < N; ++i) {
            if (!requests[i].valid) continue;
            bool& bank = taken[static_cast<std::size_t>(bank_of(requests[i].addr))];
            grants[i] = !bank;
            bank = true;
        }
        return grants;
    }

    void sample(Vdut& dut) override {
        const std::array<bool, kWriters> wgrants = write_grants(dut);
        if (!dut.rst_n) return;
        const auto [feed1, weights1] = second_grants(dut);
        const std::array<bool, kReaders> grants = {dut.local2feed_grant != 0,
                                                   dut.local2weights_grant != 0,
                                                   dut.local2store_grant != 0, feed1, weights1};
        std::array<bool, kReaders> want = expected(reads_);
        want[kWeights1] = want[kWeights1] && want[kWeights];
        ASSERT_EQ(grants, want) << "cycle " << cycle();
        ASSERT_EQ(wgrants, expected(writes_)) << "cycle " << cycle();
        both_banks_ += std::count(grants.begin(), grants.end(), true) == 2;
        check(kFeed, dut.local2feed_valid, get_bytes(dut.local2feed_data, p::vector_w / 8));
        check(kWeights, dut.local2weights_valid,
              get_bytes(dut.local2weights_data, p::vector_w / 8));
        check(kStore, dut.local2store_valid, get_bytes(dut.local2store_data, p::vector_w / 8));
        for (std::size_t r = 0; r < kReaders; ++r) {
            if (!grants[r]) continue;
            const auto addr = static_cast<std::size_t>(reads_[r].addr);
            coming_[r].push_back({cycle() + 2, memory_[addr]});
            reads_[r].valid = false;
            ++granted_[r < kFeed1 ? r : r - kFeed1];
        }
        reads_[kFeed1].valid = reads_[kWeights1].valid = false;  // asked for again, as the first
        for (std::size_t w = 0; w < kWriters; ++w) {
            if (!wgrants[w]) continue;
            memory_[static_cast<std::size_t>(writes_[w].addr)] = writes_[w].data;
            writes_[w].valid = false;
        }
    }

    void check(Reader reader, bool valid, const Vector& data) {
        auto& coming = coming_[reader];
        const bool want = !coming.empty() && coming.front().cycle == cycle();
        ASSERT_EQ(valid, want) << "reader " << reader << ", cycle " << cycle();
        if (!valid) return;
        ASSERT_EQ(data, coming.front().data) << "reader " << reader << ", cycle " << cycle();
        coming.pop_front();
    }

    Traffic traffic_;
    std::vector<Vector> memory_;
    std::array<Request, kReaders> reads_;
    std::array<Request, kWriters> writes_;
    std::array<std::deque<Coming>, kReaders> coming_;
    std::array<int, kReaders> granted_{};
    int both_banks_ = 0;
};

class Local : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(Local, ReadsWhatWasWritten) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.run(20000);
    EXPECT_GT(bench.both_banks(), 100);
}

const Traffic kTraffic[] = {{"busy", 100, 100}, {"half", 50, 100}, {"calm", 20, 100}};

INSTANTIATE_TEST_SUITE_P(Table, Local,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2, 3)));

/// feed never waits, at any step; of the other bank, weights get the most part.
TEST(LocalSpeed, StreamsShareTheBanks) {
    for (int shift = 0; shift < 4; ++shift) {
        Bench bench(kTraffic[0], 9);
        constexpr int kCycles = 4000;
        const std::array<int, kReaders> read = bench.stream(kCycles, shift, kFeed, kFeed1);
        EXPECT_GE(read[kFeed], kCycles);
        EXPECT_GE(read[kWeights], kCycles * 9 / 20) << "step " << (1 << shift);
    }
}

/// All that a reader can have, when it is alone.
TEST(LocalSpeed, ReaderAlone) {
    for (const std::size_t reader : {kFeed, kWeights, kStore}) {
        for (int shift = 0; shift < 4; ++shift) {
            Bench bench(kTraffic[0], 9);
            constexpr int kCycles = 4000;
            const int read = bench.stream(kCycles, shift, reader, reader + 1)[reader];
            const int most = reader == kStore ? kCycles : p::array_vectors * kCycles;
            EXPECT_GE(read, most * 19 / 20) << "reader " << reader << ", step " << (1 << shift);
        }
    }
}

}  // namespace
