#pragma once
/// Pairs of addresses as strided instructions.

#include <vector>

#include "compiler/tcu/instructions.hpp"
#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu::compiler {

/// Addresses of operand 0 beside those of operand 1: as few instructions as possible.
class Strides {
public:
    explicit Strides(const Architecture& architecture)
        : codes0_(architecture.stride0_depth), codes1_(architecture.stride1_depth) {}

    struct Pair {
        int address0 = 0, address1 = 0;
    };
    /// `like` once for each run of pairs, with addresses, strides and size.
    void append(Instructions& to, const Instruction& like, const std::vector<Pair>& pairs) const;
    /// The same for pairs that may be done in any order.
    void append_any_order(Instructions& to, const Instruction& like,
                          const std::vector<Pair>& pairs) const;

private:
    template <typename Each>
    void for_runs(const Instruction& like, const std::vector<Pair>& pairs, const Each& each) const;
    /// Runs that may lie within each other.
    std::vector<Instruction> cover(const Instruction& like, const std::vector<Pair>& pairs) const;

    int codes0_, codes1_;
};

}  // namespace macrame::tcu::compiler
