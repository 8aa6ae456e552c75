#pragma once
/// MCIF as its clients see it, for the tests of units that read or write memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "tb/common/ports.hpp"
#include "tb/dla/unit/unit_bench.hpp"

namespace macrame::tb {

/// Bits that look random.
inline std::uint64_t hash(std::uint64_t number) {
    std::uint64_t h = (number + 1) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    h ^= h >> 32;
    return h;
}

/// What memory holds: any byte, with many corner values; in designs with fp16 infinite numbers.
inline std::uint8_t memory_byte(std::uint64_t addr) {
    const std::uint64_t word = hash(bus_addr(addr) / 2);
    if (dla_params::fp16 != 0 && word % 64 == 0) {
        return addr % 2 == 0 ? 0x00 : word % 128 == 0 ? 0x7c : 0xfc;
    }
    const std::uint64_t h = hash(bus_addr(addr));
    constexpr std::uint8_t kCorner[] = {0x00, 0xff, 0x80, 0x7f, 0x01, 0x55};
    if ((h & 3) == 0) return kCorner[(h >> 8) % 6];
    return static_cast<std::uint8_t>(h >> 16);
}

inline void memory_read(std::uint64_t addr, std::uint8_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        to[i] = memory_byte(addr + i);
}

/// MCIF for one read client: takes requests and answers them in order, an atom per cycle at most.
class ReadStub {
public:
    /// `latency`: cycles from a request to its first atom; with stalls up to 20 more.
    ReadStub(UnitBench& bench, int latency) : bench_(bench), latency_(latency) {}

    /// The next atom that the unit has to ask for. Without any, it may ask for what it likes.
    void expect(std::uint64_t addr) {
        expected_.push_back(addr);
        strict_ = true;
    }

    /// Sets the inputs of the unit in this cycle.
    template <typename Data>
    void drive(CData& req_ready, CData& rsp_valid, Data& rsp_data) {
        ready_ = !bench_.gap();
        rsp_valid =
            !answers_.empty() && answers_.front().earliest <= bench_.cycle() && !bench_.gap();
        req_ready = ready_;
        if (!rsp_valid) return;
        std::vector<std::uint8_t> atom(dla_params::atom_bytes);
        memory_read(answers_.front().addr, atom.data(), atom.size());
        put_bytes(rsp_data, atom);
        answers_.pop_front();
    }

    /// The same for a client that takes an aligned pair of atoms in a cycle: those of a request
    /// come together, `rsp_valid` says which are there.
    template <typename Data>
    void drive_pairs(CData& req_ready, CData& rsp_valid, Data& rsp_data) {
        constexpr auto kBytes = static_cast<std::uint64_t>(dla_params::atom_bytes);
        req_ready = ready_ = !bench_.gap();
        rsp_valid = 0;
        const bool due = !answers_.empty() && answers_.front().earliest <= bench_.cycle();
        if (!due || bench_.gap()) return;
        std::vector<std::uint8_t> pair(2 * kBytes, std::uint8_t(bench_.cycle()));
        const std::uint64_t first = answers_.front().addr, request = answers_.front().request;
        do {
            const std::uint64_t addr = answers_.front().addr, lane = addr / kBytes % 2;
            memory_read(addr, pair.data() + lane * kBytes, kBytes);
            rsp_valid = static_cast<CData>(rsp_valid | 1u << lane);
            answers_.pop_front();
        } while (!answers_.empty() && answers_.front().request == request &&
                 answers_.front().addr / (2 * kBytes) == first / (2 * kBytes));
        put_bytes(rsp_data, pair);
    }

    /// Looks at the outputs of the unit in this cycle. `size`: atoms less 1.
    void sample(bool req_valid, std::uint64_t addr, int size) {
        if (waits_) {
            EXPECT_TRUE(req_valid) << "request withdrawn, cycle " << bench_.cycle();
            EXPECT_EQ(addr, held_addr_) << "address moves, cycle " << bench_.cycle();
            EXPECT_EQ(size, held_size_) << "size moves, cycle " << bench_.cycle();
        }
        waits_ = req_valid && !ready_;
        held_addr_ = addr;
        held_size_ = size;
        if (!req_valid) return;
        EXPECT_EQ(addr % dla_params::atom_bytes, 0u) << "cycle " << bench_.cycle();
        if (strict_) {
            ASSERT_LT(static_cast<std::size_t>(size), expected_.size())
                << "more requests than atoms, cycle " << bench_.cycle();
        }
        if (waits_) {
            ++stalls;
            return;
        }
        ++requests_;
        for (int i = 0; i <= size; ++i, addr += dla_params::atom_bytes) {
            if (strict_) {
                EXPECT_EQ(bus_addr(addr), expected_.front()) << "cycle " << bench_.cycle();
                expected_.pop_front();
            }
            const bool prompt = bench_.stall() == Stall::kNone || bench_.stall() == Stall::kBlocked;
            const int late = prompt ? 0 : bench_.random().in(0, 20);
            answers_.push_back(
                {addr, bench_.cycle() + static_cast<unsigned>(latency_ + late), requests_});
        }
    }

    /// Did a request wait in the cycle before?
    bool waits() const { return waits_; }

    /// Has everything been asked for and answered?
    bool idle() const { return expected_.empty() && answers_.empty(); }

    std::uint64_t stalls = 0;  ///< cycles in which a request waited

private:
    struct Answer {
        std::uint64_t addr, earliest, request;  // earliest: cycle
    };

    UnitBench& bench_;
    int latency_;
    bool strict_ = false, ready_ = false, waits_ = false;
    std::uint64_t held_addr_ = 0;
    int held_size_ = 0;
    std::uint64_t requests_ = 0;
    std::deque<std::uint64_t> expected_;
    std::deque<Answer> answers_;
};

/// Stalls and latencies that every read DMA is tested with.
struct ReadCase {
    Stall stall;
    unsigned seed;
    int layers;
    int latency;
};
inline const ReadCase kReadCases[] = {{Stall::kNone, 1, 100, 1},   {Stall::kNone, 2, 100, 50},
                                      {Stall::kRandom, 3, 100, 5}, {Stall::kRandom, 4, 100, 30},
                                      {Stall::kWorst, 5, 40, 1},   {Stall::kWorst, 6, 40, 100},
                                      {Stall::kBlocked, 7, 60, 20}};

/// Runs random layers on the bench of a read DMA.
template <typename Bench, typename Job>
void run_random(const ReadCase& c, Job (*random_job)(Random&)) {
    say_seed(c.seed);
    Random rnd(c.seed);
    Bench(c.stall, c.seed, c.latency).run(random_jobs(rnd, c.layers, random_job));
}

/// MCIF for one write client: takes the atoms it expects, in order, and answers each `last` write
/// up to 60 cycles later. With that answer, or up to 2 cycles behind it, the unit raises the
/// interrupt of the layer.
class WriteStub {
public:
    explicit WriteStub(UnitBench& bench) : bench_(bench) {}

    /// The next atom; `data`: its bytes.
    void expect(std::uint64_t addr, const std::int8_t* data) {
        expected_.push_back({bus_addr(addr), {data, data + dla_params::atom_bytes}, false});
    }

    /// The atom before was the last one of its layer.
    void end_layer() {
        expected_.back().last = true;
        stalls_.push_back(0);
    }

    /// Sets the inputs of the unit in this cycle.
    void drive(CData& req_ready, CData& rsp_complete) {
        ready_ = !bench_.refuses();
        req_ready = ready_;
        rsp_complete = !answers_.empty() && answers_.front() <= bench_.cycle();
        if (!rsp_complete) return;
        answers_.pop_front();
        interrupts_.push_back(bench_.cycle() + kInterruptDelay);
    }

    /// Looks at the outputs of the unit in this cycle. `done`: its interrupts.
    template <typename Data>
    void sample(bool req_valid, std::uint64_t addr, const Data& data, bool last, unsigned done) {
        if (done != 0) {
            ASSERT_FALSE(interrupts_.empty()) << "early interrupt, cycle " << bench_.cycle();
            EXPECT_EQ(done, 1u << (layers_done % 2)) << "cycle " << bench_.cycle();
            ++layers_done;
            interrupts_.pop_front();
        }
        if (!interrupts_.empty()) {
            EXPECT_LT(bench_.cycle(), interrupts_.front()) << "interrupt missing";
        }
        if (waits_) {
            EXPECT_TRUE(req_valid) << "write withdrawn, cycle " << bench_.cycle();
        }
        waits_ = req_valid && !ready_;
        if (!req_valid) return;
        ASSERT_FALSE(expected_.empty()) << "unexpected write, cycle " << bench_.cycle();
        const Atom& want = expected_.front();
        EXPECT_EQ(addr, want.addr) << "cycle " << bench_.cycle();
        EXPECT_EQ(last, want.last) << "cycle " << bench_.cycle();
        EXPECT_EQ(get_bytes(data, dla_params::atom_bytes), want.data)
            << "cycle " << bench_.cycle() << " layer " << layer_;
        if (waits_) {
            ++stalls_[layer_];
            return;
        }
        last_write = bench_.cycle();
        if (want.last) {
            const std::uint64_t earliest = answers_.empty() ? 0 : answers_.back() + 1;
            const auto late = static_cast<unsigned>(bench_.random().in(1, 60));
            answers_.push_back(std::max(earliest, bench_.cycle() + late));
            ++layer_;
        }
        expected_.pop_front();
    }

    /// Has everything been written?
    bool idle() const { return expected_.empty(); }

    /// Cycles in which writes of a layer waited.
    std::uint64_t stalls(std::size_t layer) const { return stalls_[layer]; }

    std::size_t layers_done = 0;   ///< interrupts
    std::uint64_t last_write = 0;  ///< cycle

private:
    struct Atom {
        std::uint64_t addr;
        std::vector<std::uint8_t> data;
        bool last;
    };

    static constexpr std::uint64_t kInterruptDelay = 2;

    UnitBench& bench_;
    bool ready_ = false, waits_ = false;
    std::deque<Atom> expected_;
    std::deque<std::uint64_t> answers_;     // cycle of each
    std::deque<std::uint64_t> interrupts_;  // latest cycle of each
    std::vector<std::uint64_t> stalls_;     // by layer
    std::size_t layer_ = 0;                 // whose atoms are written
};

}  // namespace macrame::tb
