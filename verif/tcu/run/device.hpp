#pragma once
/// What a run sees of a tensor unit, be it the Verilated design or the golden model: an instruction
/// stream in, two DRAM banks, status. Inheritance is for these two.
///
/// The banks are verif::Memory objects given at construction, one for DRAM0, one for DRAM1,
/// addressed with the 32-bit byte addresses of the two AXI ports. The device may keep parts of them
/// (a board does): run() brings them up to date.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::tcu::run {

/// Status pins. Flags are those that were up in any cycle since reset, as the pins themselves drop
/// again when the decoder moves on.
struct Status {
    std::uint32_t program_counter = 0;  ///< now
    bool timeout = false;
    bool error = false;  ///< only where instruction validation is built in
    bool tracepoint = false;
};

/// The two memories, for the functions that make devices.
struct Banks {
    verif::Memory& dram0;
    verif::Memory& dram1;
};

class Device {
public:
    virtual ~Device() = default;

    /// Reset pulse: program counter, registers, weights and SIMD registers are as at power-up,
    /// local memory and accumulators undefined, instructions not yet run are forgotten. The banks
    /// keep their contents.
    virtual void reset() = 0;

    /// Appends to the instruction stream. As with the drivers of the original, each call brings
    /// whole instructions and whole beats of the stream: see padded() in run/stream.hpp. Returns at
    /// once; nothing runs before run().
    virtual void send(const std::vector<std::uint8_t>& bytes) = 0;

    /// Runs until all instructions sent are complete: consumed, all units at rest, all writes to
    /// DRAM acknowledged. False if that has not happened after so many cycles; a later call goes
    /// on. The model has no clock and needs none of them.
    virtual bool run(std::uint64_t most_cycles) = 0;

    /// Clock cycles since reset; 0 in the model.
    virtual std::uint64_t cycle() const = 0;

    virtual Status status() const = 0;

    /// Words of the sample stream since reset; empty in the model and where no sampling is built.
    virtual const std::vector<std::uint64_t>& samples() const = 0;

    /// Cycle in which each instruction since reset was consumed, in order, for tables of cycles per
    /// opcode; empty where nobody knows, as in the model.
    virtual const std::vector<std::uint64_t>& consumed() const = 0;

    /// Cycle in which each micro-operation from accumulators to local memory was complete, in
    /// order; empty where nobody knows. An instruction has one for each block of local memory.
    virtual const std::vector<std::uint64_t>& moved() const = 0;

    /// Traffic of bank 0 or 1 since reset.
    virtual verif::AxiCounts counts(int bank) const = 0;

    /// The device has registers that software reads and writes (doc/registers.md of an output).
    virtual bool has_registers() const { return false; }
    virtual std::uint32_t read_register(std::uint32_t /*address*/) { return 0; }
    virtual void write_register(std::uint32_t /*address*/, std::uint32_t /*value*/) {}

    /// Rules of AXI that the design broke since reset, each once; empty when all is well.
    virtual std::vector<std::string> violations() const = 0;
};

}  // namespace macrame::tcu::run
