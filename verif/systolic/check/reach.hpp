#pragma once
/// Where an instruction begins and ends in buffers and memory: tells of most instructions whether
/// they conflict, in much less time than all that they touch (accesses.hpp).

#include <array>
#include <cstdint>

#include "verif/systolic/isa/accesses.hpp"

namespace macrame::systolic::check {

/// `begin` up to, not including, `end`: both ends are touched, with `all` everything between them,
/// too. Nothing if they are equal.
struct Span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool all = true;
};

/// Of a buffer.
struct BufferReach {
    Buffer buffer = Buffer::ibuf;
    bool write = false;
    Span entries;
    Interval banks;
};

struct Reach {
    std::array<BufferReach, 3> buffers;
    int count = 0;  ///< of buffers
    Span memory;
    bool memory_write = false;
};

/// Of a legal instruction.
Reach reach(const Architecture& architecture, const Instruction& instruction);

/// As conflicts() of all that they touch; `perhaps`: that has to be seen there.
enum class Meeting { no, yes, perhaps };
Meeting meeting(const Reach& earlier, const Reach& later);

}  // namespace macrame::systolic::check
