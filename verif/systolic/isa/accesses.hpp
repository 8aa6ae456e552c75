#pragma once
/// What an instruction reads and writes, exactly: padded pixels and banks beyond the active ones
/// are not touched.

#include <cstdint>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/isa/sram_map.hpp"

namespace macrame::systolic {

/// `begin` up to, not including, `end`.
struct Interval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Intervals that ascend and lie apart.
using Intervals = std::vector<Interval>;

/// Entries of a buffer in some of its banks.
struct BufferAccess {
    Buffer buffer = Buffer::ibuf;
    Intervals entries;
    Interval banks;
    bool write = false;
};

struct Accesses {
    std::vector<BufferAccess> buffers;
    Intervals memory;  ///< bytes
    bool memory_write = false;
};

/// Of a legal instruction.
Accesses accesses(const Architecture& architecture, const Instruction& instruction);

/// Sorts intervals and joins those that touch.
Intervals joined(Intervals intervals);

/// A point that is in both lists, which ascend; -1 if there is none.
std::int64_t common_point(const Intervals& a, const Intervals& b);

}  // namespace macrame::systolic
