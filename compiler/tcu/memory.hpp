#pragma once
/// Where vectors lie: for good in DRAM or local memory, for a while in local memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/tcu/layer.hpp"
#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::compiler {

/// The last vectors are the driver's.
constexpr int kLocalOfDriver = 1, kDram0OfDriver = 2;

/// What stays in local memory while the program runs.
struct Strategy {
    bool local_variables = false;
    bool local_constants = false;
};

/// Addresses of vectors for all of the program.
struct Placement {
    /// By variable, -1: none; empty: none has one. In DRAM1 they lie behind the constants.
    std::vector<int> dram0, dram1, local;
    int dram0_used = 0;   ///< vectors
    int dram1_used = 0;   ///< with the constants
    int local_first = 0;  ///< local memory from here on is free
    std::vector<std::string> errors;
};

/// Of a variable; -1: none.
inline int address_of(const std::vector<int>& addresses, int variable) {
    return addresses.empty() ? -1 : addresses[static_cast<std::size_t>(variable)];
}

/// Vectors of variables that there is room for at once, with any strategy, whatever constants there
/// are. `shared`: DRAM1 has constants of other programs, too, and no variables.
std::int64_t most_variables(const Architecture& architecture, bool shared);

/// The last layer that reads each variable; -1: none.
std::vector<int> last_reads(const Layers& layers);

/// Variables of inputs and outputs lie in DRAM0 as files have them, those of a layer one behind the
/// other: where those lie of which it reads one for each output and nobody reads them any more,
/// else where there is room, in DRAM1 if there is none in DRAM0. `shared` as in most_variables().
Placement place(const Layers& layers, const Architecture& architecture, const Strategy& strategy,
                bool shared);

/// A part of a memory that is used round and round; remembers what it holds.
class Ring {
public:
    Ring(int base, int size)
        : base_(base), size_(size), held_(static_cast<std::size_t>(size), kZeros) {}

    int size() const { return size_; }
    /// The next `count` addresses; forgets what they held.
    int take(int count);
    /// The address of a vector; -1: it is not there.
    int find(VectorId id) const;
    /// Makes room for those of `wanted` that are not there, in their order, and keeps the others;
    /// where that cannot be, for all of them. Returns those to be loaded. They are different, and
    /// not more than size().
    std::vector<VectorId> want(const std::vector<VectorId>& wanted);

private:
    void forget(int from, int count);

    int base_, size_, next_ = 0;
    std::vector<VectorId> held_;
    std::unordered_map<VectorId, int> address_;
};

}  // namespace macrame::tcu::compiler
