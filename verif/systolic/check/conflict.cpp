#include "verif/systolic/check/conflict.hpp"

#include "verif/common/text.hpp"

namespace macrame::systolic::check {

using verif::text::shortest;

namespace {

/// Of a buffer that both touch and one of them writes: a point that both have; -1: none.
std::int64_t common_entry(const BufferAccess& a, const BufferAccess& b) {
    if (a.buffer != b.buffer || !(a.write || b.write)) return -1;
    if (a.banks.begin >= b.banks.end || b.banks.begin >= a.banks.end) return -1;
    return common_point(a.entries, b.entries);
}

}  // namespace

bool conflicts(const Accesses& earlier, const Accesses& later) {
    for (const BufferAccess& a : earlier.buffers)
        for (const BufferAccess& b : later.buffers)
            if (common_entry(a, b) >= 0) return true;
    return (earlier.memory_write || later.memory_write) &&
           common_point(earlier.memory, later.memory) >= 0;
}

Conflict conflict(const Accesses& earlier, const Accesses& later) {
    for (const BufferAccess& a : earlier.buffers) {
        for (const BufferAccess& b : later.buffers) {
            const std::int64_t entry = common_entry(a, b);
            if (entry < 0) continue;
            return {std::string(buffer_name(a.buffer)) + " entry " + shortest(entry), a.write,
                    b.write};
        }
    }
    if (!earlier.memory_write && !later.memory_write) return {};
    const std::int64_t byte = common_point(earlier.memory, later.memory);
    if (byte < 0) return {};
    return {"memory at " + verif::text::hex(static_cast<std::uint64_t>(byte)), earlier.memory_write,
            later.memory_write};
}

}  // namespace macrame::systolic::check
