#pragma once
/// What a test sees of an accelerator, be it the Verilated design or the golden model: registers,
/// the interrupt pin and time. The memories are Memory objects given at construction.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"

namespace macrame::verif {

/// Traffic since reset.
struct AxiCounts {
    std::uint64_t read_bytes = 0;   ///< bytes of all R beats
    std::uint64_t write_bytes = 0;  ///< bytes enabled by strobes
    std::uint64_t write_beats = 0;  ///< W beats, with strobes or without
    std::uint64_t ar_stalls = 0;    ///< cycles with a read request held off
    std::uint64_t aw_stalls = 0;    ///< cycles with a write request held off
    int max_in_flight = 0;          ///< largest number of read beats outstanding
};

/// Inheritance is for two real implementations: the Verilated design and the golden model of a
/// family.
class Device {
public:
    virtual ~Device() = default;

    /// A device whose memory is not a Memory object takes over its contents, which are complete
    /// now. `looked_at`: what somebody will look at afterwards.
    virtual void load_memory(const std::vector<MemoryRange>& looked_at) {
        static_cast<void>(looked_at);
    }
    /// Such a device brings this part of the Memory object up to date.
    virtual void fetch_memory(const MemoryRange& range) { static_cast<void>(range); }
    /// Or takes over this part of it, which was among `looked_at`.
    virtual void store_memory(const MemoryRange& range) { static_cast<void>(range); }

    /// Reset pulse. Registers get their reset values, the memories keep their contents.
    virtual void reset() = 0;

    /// One 32-bit register write, accepted when the call returns. Not posted: completed as well.
    virtual void csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted = true) = 0;

    /// One 32-bit register read.
    virtual std::uint32_t csb_read(std::uint32_t byte_addr) = 0;

    /// Level of the interrupt pin.
    virtual bool interrupt() = 0;

    /// Lets time pass. The design runs n core clock cycles; it may stop earlier when the interrupt
    /// pin rises. The model, which has no clock, makes at most one step: the next layer (or pair of
    /// layers that feed each other) that can run runs to its end. Register accesses alone never
    /// complete a layer in the model, so a read behind an enable sees the layer running.
    virtual void advance(int n) = 0;

    /// Nothing happens any more until a register is written: all that advance() does is to count. A
    /// device with a clock never says so.
    virtual bool still() const { return false; }

    /// Core clock cycles since reset (the model: the sum of what advance() was asked for).
    virtual std::uint64_t cycle() = 0;

    /// Cycle in which the last register write was accepted, asked for right behind it.
    virtual std::uint64_t last_write() { return cycle(); }

    /// Cycle of the last rising edge of the interrupt pin; 0 when not known exactly, then the cycle
    /// in which the test saw the pin high is taken.
    virtual std::uint64_t interrupt_rise() { return 0; }

    /// Broken protocol rules seen so far (memory port, register bus); empty when all is well.
    virtual std::vector<std::string> violations() const { return {}; }
};

}  // namespace macrame::verif
