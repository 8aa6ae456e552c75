#pragma once
/// What an instruction reads and writes, exactly: padded pixels and banks beyond the active ones
/// are not touched.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
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

/// Intervals that ascend and lie apart. Most often it is one, which takes no memory of its own.
class Intervals {
public:
    Intervals() = default;
    Intervals(std::vector<Interval> all) : size_(all.size()) {  // NOLINT: as a vector
        if (size_ == 1)
            one_ = all[0];
        else
            many_ = std::move(all);
    }
    Intervals(std::initializer_list<Interval> all) : Intervals(std::vector<Interval>(all)) {}

    const Interval* begin() const { return size_ == 1 ? &one_ : many_.data(); }
    const Interval* end() const { return begin() + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Interval& operator[](std::size_t i) const { return begin()[i]; }
    const Interval& front() const { return *begin(); }
    const Interval& back() const { return *(end() - 1); }

private:
    std::size_t size_ = 0;
    Interval one_;
    std::vector<Interval> many_;
};

/// Entries of a buffer in some of its banks.
struct BufferAccess {
    Buffer buffer = Buffer::ibuf;
    Intervals entries;
    Interval banks;
    bool write = false;
};

/// Those of an instruction: three at most.
class BufferAccesses {
public:
    void push_back(BufferAccess access) { all_[size_++] = std::move(access); }
    const BufferAccess* begin() const { return all_.data(); }
    const BufferAccess* end() const { return begin() + size_; }
    std::size_t size() const { return size_; }
    const BufferAccess& operator[](std::size_t i) const { return all_[i]; }

private:
    std::array<BufferAccess, 3> all_;
    std::size_t size_ = 0;
};

struct Accesses {
    BufferAccesses buffers;
    Intervals memory;  ///< bytes
    bool memory_write = false;
};

/// Of a legal instruction.
Accesses accesses(const Architecture& architecture, const Instruction& instruction);

/// Sorts intervals and joins those that touch.
std::vector<Interval> joined(std::vector<Interval> intervals);

/// A point that is in both lists, which ascend; -1 if there is none.
std::int64_t common_point(const Intervals& a, const Intervals& b);

}  // namespace macrame::systolic
