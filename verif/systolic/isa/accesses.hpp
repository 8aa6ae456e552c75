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

/// Entries of a buffer in some of its banks.
struct BufferAccess {
    Buffer buffer = Buffer::ibuf;
    std::vector<Interval> entries;  ///< ascending, apart
    Interval banks;
    bool write = false;
};

struct Accesses {
    std::vector<BufferAccess> buffers;
    std::vector<Interval> memory;  ///< bytes; ascending, apart
    bool memory_write = false;
};

/// Of a legal instruction.
Accesses accesses(const Architecture& architecture, const Instruction& instruction);

/// Sorts intervals and joins those that touch.
std::vector<Interval> joined(std::vector<Interval> intervals);

/// A point that is in both lists, which ascend; -1 if there is none.
std::int64_t common_point(const std::vector<Interval>& a, const std::vector<Interval>& b);

}  // namespace macrame::systolic
