#pragma once
/// The unit under test with its clock, its reset and its register bus, and the random numbers and
/// pauses that its links are driven with.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/random_state.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/text.hpp"

namespace macrame::tb {

/// Bytes of an atom.
inline constexpr int kAtom = dla_params::atom_bytes;
inline constexpr std::size_t kAtomZ = dla_params::atom_bytes;

/// How often a valid or a ready is low that could be high. kBlocked: what goes in never waits, what
/// comes out is not taken for long times, so that everything inside fills up.
enum class Stall { kNone, kRandom, kWorst, kBlocked };

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

private:
    std::mt19937 engine_;
};

/// An address as far as the bus has bits for it.
inline std::uint64_t bus_addr(std::uint64_t addr) {
    namespace p = dla_params;
    return p::addr_w < 64 ? addr & ((std::uint64_t{1} << (p::addr_w % 64)) - 1) : addr;
}

/// Address of any atom.
inline std::uint64_t random_addr(Random& rnd) {
    const std::uint64_t high = rnd.bits();
    return bus_addr(high << 32 | rnd.bits()) / dla_params::atom_bytes * dla_params::atom_bytes;
}

/// Prints the seed of a test.
inline void say_seed(unsigned seed) {
    verif::run::print("seed " + verif::text::shortest(seed) + "\n");
}

template <typename Job>
std::vector<Job> random_jobs(Random& rnd, int count, Job (*random_job)(Random&)) {
    std::vector<Job> jobs;
    for (int i = 0; i < count; ++i)
        jobs.push_back(random_job(rnd));
    return jobs;
}

/// Pauses and number of layers of a test.
struct LayersCase {
    Stall stall;
    unsigned seed;
    int layers;
};

/// Calls `round(seed)` with seeds far from each other, until one fails: its seed is printed.
template <typename Round>
void run_rounds(unsigned first_seed, unsigned rounds, Round round) {
    for (unsigned i = 0; i < rounds; ++i) {
        const unsigned seed = first_seed + 100 * i;
        round(seed);
        if (::testing::Test::HasFailure()) return say_seed(seed);
    }
}

/// A test derives its bench from this, with the links of the unit.
class UnitBench {
public:
    UnitBench(const UnitBench&) = delete;
    UnitBench& operator=(const UnitBench&) = delete;
    virtual ~UnitBench() { dut_.final(); }

    /// Register accesses, at most one per cycle, in this order. A write returns at once.
    void write(int byte_offset, std::uint32_t value) {
        accesses_.push_back({true, byte_offset / 4, value});
    }
    std::uint32_t read(int byte_offset) {
        accesses_.push_back({false, byte_offset / 4, 0});
        while (!accesses_.empty())
            tick();
        tick();
        return *csb_rdata_;
    }

    /// Have all accesses gone out?
    bool bus_idle() const { return accesses_.empty(); }

    /// Is a link idle in this cycle?
    bool gap() {
        if (stall_ == Stall::kNone || stall_ == Stall::kBlocked) return false;
        return random_.chance(stall_ == Stall::kRandom ? 30 : 88);
    }

    /// The same for the ready of what the unit sends.
    bool refuses() {
        if (stall_ != Stall::kBlocked) return gap();
        if (cycle_ >= turn_) {
            blocked_ = !blocked_;
            turn_ = cycle_ + static_cast<unsigned>(random_.in(1, 300));
        }
        return blocked_;
    }

    Stall stall() const { return stall_; }
    Random& random() { return random_; }
    /// Cycles since reset.
    std::uint64_t cycle() const { return cycle_; }

protected:
    UnitBench(Stall stall, unsigned seed) : context_(seed), stall_(stall), random_(seed) {}

    Vdut& dut() { return dut_; }

    /// Connects the register bus, resets the unit and gives it time to clear its memories.
    void start(CData& csb_valid, const IData& csb_rdata, int cycles = 200) {
        csb_valid_ = &csb_valid;
        csb_rdata_ = &csb_rdata;
        dut_.rst_n = 0;
        for (int i = 0; i < 3; ++i)
            tick();
        dut_.rst_n = 1;
        cycle_ = turn_ = 0;
        for (int i = 0; i < cycles; ++i)
            tick();
    }

    /// Sets all inputs but clock, reset and register bus for this cycle.
    virtual void drive(Vdut& dut) = 0;
    /// Looks at the outputs in this cycle, just before the rising edge.
    virtual void sample(Vdut& dut) = 0;

    void tick() {
        dut_.clk = 0;
        no_override(dut_);
        const bool pause = stall_ == Stall::kRandom && random_.chance(20);
        *csb_valid_ = !accesses_.empty() && !pause;
        if (*csb_valid_) {
            dut_.csb_write = accesses_.front().write;
            dut_.csb_addr = accesses_.front().word & 0x3ff;
            dut_.csb_wdata = accesses_.front().value;
            accesses_.pop_front();
        }
        drive(dut_);
        dut_.eval();
        if (dut_.rst_n) sample(dut_);
        context_.timeInc(1);
        dut_.clk = 1;
        dut_.eval();
        ++cycle_;
    }

    /// Waits for an event. It fails if the test has failed or takes too many cycles in all.
    template <typename Event>
    void wait_for(Event event, const std::string& complaint) {
        while (!event()) {
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, kMostCycles) << complaint;
        }
    }

    /// Waits until the register group of a layer is idle; layers take turns with the groups.
    void wait_for_layer(std::size_t layer) {
        const int group = static_cast<int>(layer % 2);
        wait_for([&] { return (read(0x00) >> (16 * group) & 3) == 0; },
                 "layer " + std::to_string(layer) + " hangs");
    }

    /// Keeps both register groups busy: `program(i)` sets up and enables layer i as soon as layer
    /// i - 2 is over, whose counters `check(i - 2)` reads.
    template <typename Program, typename Check>
    void run_layers(std::size_t count, Program program, Check check) {
        for (std::size_t i = 0; i < count + 2; ++i) {
            if (i >= 2) {
                write(0x04, static_cast<std::uint32_t>(i % 2));
                wait_for_layer(i - 2);
                if (::testing::Test::HasFailure()) return;
                check(i - 2);
            }
            if (i < count) program(i);
        }
    }

private:
    static constexpr std::uint64_t kMostCycles = 3000000;

    struct Access {
        bool write;
        int word;
        std::uint32_t value;
    };

    /// Only designs with clock gating have this pin.
    template <typename Dut>
    static void no_override(Dut& dut) {
        if constexpr (dla_params::clock_gating != 0) dut.clk_ovr_on = 0;
    }

    RandomState context_;
    Vdut dut_{&context_};
    Stall stall_;
    Random random_;
    std::uint64_t cycle_ = 0;
    std::uint64_t turn_ = 0;  ///< until then `blocked_` stays
    bool blocked_ = false;
    std::deque<Access> accesses_;
    CData* csb_valid_ = nullptr;
    const IData* csb_rdata_ = nullptr;
};

}  // namespace macrame::tb
