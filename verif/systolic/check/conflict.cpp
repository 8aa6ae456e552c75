#include "verif/systolic/check/conflict.hpp"

#include "verif/common/text.hpp"

namespace macrame::systolic::check {

using verif::text::shortest;

Conflict conflict(const Accesses& earlier, const Accesses& later) {
    for (const BufferAccess& a : earlier.buffers) {
        for (const BufferAccess& b : later.buffers) {
            if (a.buffer != b.buffer || !(a.write || b.write)) continue;
            if (a.banks.begin >= b.banks.end || b.banks.begin >= a.banks.end) continue;
            const std::int64_t entry = common_point(a.entries, b.entries);
            if (entry < 0) continue;
            return {std::string(buffer_name(a.buffer)) + " entry " + shortest(entry), a.write,
                    b.write};
        }
    }
    if (!earlier.memory_write && !later.memory_write) return {};
    const std::int64_t byte = common_point(earlier.memory, later.memory);
    if (byte < 0) return {};
    return {"memory at " + verif::text::hex(static_cast<std::uint64_t>(byte)),
            earlier.memory_write, later.memory_write};
}

}  // namespace macrame::systolic::check
