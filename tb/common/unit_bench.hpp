#pragma once
/// The unit under test (the Verilated model Vdut) with its clock and its reset, and random numbers.

#include <verilated.h>

#include <cstdint>

#include "Vdut.h"
#include "tb/common/random_state.hpp"
#include "verif/common/random.hpp"

namespace macrame::tb {

/// How often, in percent, something happens in a cycle in which it could.
struct Traffic {
    const char* name;
    int offer;  ///< inputs become valid
    int take;   ///< outputs are taken
};

/// A test derives its bench from this, with the links of the unit.
class UnitBench {
public:
    explicit UnitBench(std::uint64_t seed) : random_(seed), context_(seed) {}
    UnitBench(const UnitBench&) = delete;
    UnitBench& operator=(const UnitBench&) = delete;
    virtual ~UnitBench() { dut_.final(); }

    /// Resets the unit; drive() sets the other inputs.
    void reset() {
        dut_.clk = 0;
        dut_.rst_n = 1;  // flops need an edge
        dut_.eval();
        dut_.rst_n = 0;
        for (int i = 0; i < 2; ++i) {
            drive(dut_);
            edge();
        }
        dut_.rst_n = 1;
        cycle_ = 0;
    }

    /// A cycle: inputs, what follows from them, the rising edge.
    void tick() {
        drive(dut_);
        dut_.eval();
        sample(dut_);
        edge();
        ++cycle_;
    }

    /// Cycles since reset.
    long cycle() const { return cycle_; }
    verif::Random& random() { return random_; }
    bool chance(int percent) { return random_.chance(percent); }

protected:
    /// Sets all inputs but clock and reset for this cycle.
    virtual void drive(Vdut& dut) = 0;
    /// Looks at the outputs in this cycle, just before the rising edge.
    virtual void sample(Vdut& dut) = 0;

private:
    void edge() {
        dut_.clk = 0;
        dut_.eval();
        context_.timeInc(1);
        dut_.clk = 1;
        dut_.eval();
    }

    verif::Random random_;
    RandomState context_;
    Vdut dut_{&context_};
    long cycle_ = 0;
};

}  // namespace macrame::tb
