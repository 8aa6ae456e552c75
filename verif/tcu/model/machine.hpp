#pragma once
/// Golden model: executes instructions one after the other. Program order is all that there is;
/// what the hardware overlaps must end as if it did not.
///
/// What the documents leave open is fixed here:
/// - SIMD takes a source only if the operation uses it: `read` without need reads nothing, a needed
///   input without `read` is zero. NoOp, and operations that do not exist,
///   do nothing at all.
/// - Register codes above the number of registers read as zero and are not written.
/// - Cache bits and offsets of a DRAM bank take effect in program order.
/// - Addresses beyond a memory are cut to its address bits; what lies there is undefined.
/// - Lookup with destination 0: the difference goes to the output alone, table i to register i.
/// - LoadLUT of a table above the number of tables does nothing. Keys that do not ascend, and tables
///   that are not loaded, are undefined for a lookup; of equal keys it takes the first.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu::model {

/// Results that were clamped, lanes counted one by one.
struct Saturations {
    std::uint64_t array = 0;
    std::uint64_t accumulators = 0;
    std::uint64_t simd = 0;
};

class Machine {
public:
    virtual ~Machine() = default;

    /// Weights and SIMD registers zero, offsets zero. Local memory, accumulators and tables get
    /// random numbers from this seed, or zeros.
    virtual void reset(std::optional<std::uint64_t> noise) = 0;

    /// Everything but the program counter. Invalid instructions do nothing.
    virtual void execute(const Instruction& instruction) = 0;

    virtual const Saturations& saturations() const = 0;

    // Codes of a vector, lane 0 first.
    virtual std::vector<std::int32_t> local(int address) const = 0;
    virtual std::vector<std::int32_t> accumulators(int address) const = 0;
    virtual std::vector<std::int32_t> simd_register(int number) const = 0;  ///< from 1
    virtual std::vector<std::int32_t> weights(int row) const = 0;           ///< 0: the bias
};

std::unique_ptr<Machine> make_machine(const Architecture& architecture, verif::Memory& dram0,
                                      verif::Memory& dram1);

}  // namespace macrame::tcu::model
