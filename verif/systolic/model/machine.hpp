#pragma once
/// Golden model of buffers and executors: one instruction after the other, each in its definition
/// form. Queues and tokens are those of the scheduler (scheduler.hpp).
///
/// What the sources leave open is fixed here:
/// - Element k of a vector lies at A + k * bytes, little-endian, and belongs to bank b0 + k, of
///   LOAD and STORE, narrow and wide; every vector begins at the start bank.
/// - Sums wrap at the width of an accumulator. STORE of narrow elements clamps to them.
/// - Windows without immediate start from their first element; with accumulate from the output.
///   The immediate is signed. Shift is arithmetic, to the right; to the left if it is negative.
/// - Beyond the original (templates/systolic/README.md): STORE with scales, ALU with products, padded
///   pixels with a value of their own.
/// - ALU goes from output to output: a window sees what the outputs before it have written.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/isa/sram_map.hpp"

namespace macrame::systolic::model {

class Machine {
public:
    /// All buffers are zero.
    Machine(const Architecture& architecture, verif::Memory& memory);

    const Architecture& architecture() const { return architecture_; }

    /// Does nothing and returns the reason if the instruction is illegal (isa/rules.hpp).
    std::string execute(const Instruction& instruction);

    std::int32_t value(const Place& place) const { return buffer(place.buffer)[index(place)]; }
    void set(const Place& place, std::int64_t value);
    /// The banks of an entry.
    std::vector<std::int32_t> entry(Buffer buffer, int entry) const;

    std::uint64_t macs() const { return macs_; }  ///< of active rows and columns, padding included

private:
    using Values = std::vector<std::int32_t>;

    const Values& buffer(Buffer name) const { return buffers_[static_cast<std::size_t>(name)]; }
    std::size_t index(const Place& place) const;
    std::int64_t output(std::int64_t entry, std::int64_t lane) const;

    void load(const Transfer& transfer);
    void store(const Transfer& transfer);
    /// Lane of OBUF with the words of a set of scale memory.
    std::int64_t requantised(std::int64_t found, int lane, std::int64_t set) const;
    void gemm(const Gemm& gemm);
    void alu(const Alu& alu);
    std::int64_t window(const Alu& alu, std::int64_t pixel, std::int64_t start,
                        std::int64_t lane) const;

    Architecture architecture_;
    verif::Memory& memory_;
    std::vector<Values> buffers_;
    std::uint64_t macs_ = 0;
};

}  // namespace macrame::systolic::model
