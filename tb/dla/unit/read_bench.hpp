#pragma once
/// Plays layers on a unit that only reads memory, through one port, and hands beats to another.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/unit_bench.hpp"

namespace macrame::tb {

/// A test derives its bench from this, with the links and registers of the unit. `Job` is a layer
/// and has a `dma_en`.
template <typename Job, typename Beat>
class ReadBench : public UnitBench {
public:
    /// Programs one layer after the other: half of them as soon as the one before has ended, when
    /// the FIFO still holds its data; the others when all of it was taken, as nothing but the unit
    /// itself keeps its clock running until then.
    void run(const std::vector<Job>& jobs) {
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            memory_.stalls = 0;
            expect(jobs[i]);
            program(jobs[i], static_cast<int>(i % 2));
            wait_for_layer(i);
            if (::testing::Test::HasFailure()) return;
            EXPECT_TRUE(memory_.idle());
            EXPECT_EQ(read(stall_counter_), jobs[i].dma_en ? memory_.stalls : 0) << "layer " << i;
            if (i + 1 < jobs.size() && random().chance(50)) continue;
            wait_for([&] { return beats_.empty(); }, "beats missing");
        }
        for (int i = 0; i < 100; ++i)
            tick();
        EXPECT_FALSE(offers()) << "more data than asked for";
    }

    std::uint64_t first_cycle = 0, last_cycle = 0;  ///< in which beats were taken

protected:
    /// `stall_counter`: the register that counts cycles in which requests waited.
    ReadBench(Stall stall, unsigned seed, int latency, int stall_counter)
        : UnitBench(stall, seed), memory_(*this, latency), stall_counter_(stall_counter) {}

    /// Writes the registers of a layer and enables it.
    virtual void program(const Job& job, int group) = 0;
    /// Adds what the layer reads to memory_, what it hands over to beats_.
    virtual void expect(const Job& job) = 0;
    /// Does the unit offer a beat in this cycle?
    virtual bool offers() = 0;

    /// The first of beats_ was taken in this cycle.
    void taken() {
        if (first_cycle == 0) first_cycle = cycle();
        last_cycle = cycle();
        beats_.pop_front();
    }

    ReadStub memory_;
    std::deque<Beat> beats_;

private:
    int stall_counter_;
};

}  // namespace macrame::tb
