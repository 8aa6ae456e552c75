#pragma once
/// Golden model of the CSB master: which page an access goes to and the order of the answers. It
/// has no clock; the caller knows what the units hold.
///
///     CsbMaster csb({0, 1, 2});
///     csb.accept({0x400, 0, false, false}, value);    // the host's request was taken
///     csb.take_access();  csb.take_answer();          // what a unit, what the host sees next

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace macrame::dla::model {

/// A request at the pins. `addr` is a word address of 16 bits.
struct CsbRequest {
    std::uint32_t addr = 0, data = 0;
    bool write = false;
    bool nposted = false;  ///< the write wants an answer
};

/// An access as its unit sees it.
struct CsbAccess {
    std::uint32_t page = 0;  ///< of 4 KiB
    std::uint32_t word = 0;  ///< word offset in the page
    std::uint32_t data = 0;
    bool write = false;
};

/// An answer at the pins: of a read with its data, or of a non-posted write.
struct CsbAnswer {
    bool write = false;
    std::uint32_t data = 0;
};

class CsbMaster {
public:
    /// Pages that have a unit.
    explicit CsbMaster(std::vector<std::uint32_t> pages) : pages_(std::move(pages)) {}

    static std::uint32_t page(std::uint32_t addr) { return addr >> 10 & 63u; }
    static std::uint32_t word(std::uint32_t addr) { return addr & 1023u; }
    /// A unit sees accesses to this address.
    bool decoded(std::uint32_t addr) const {
        return std::find(pages_.begin(), pages_.end(), page(addr)) != pages_.end();
    }

    /// The host's request was taken; `rdata` is what the addressed unit reads. Without a unit
    /// writes have no effect and reads give 0, both are answered in their turn.
    void accept(const CsbRequest& r, std::uint32_t rdata) {
        const bool unit = decoded(r.addr);
        if (unit) accesses_.push_back({page(r.addr), word(r.addr), r.data, r.write});
        if (r.write && !r.nposted) return;
        answers_.push_back({r.write, r.write || !unit ? 0 : rdata});
    }

    /// Next access at a unit; none: no unit may see one.
    std::optional<CsbAccess> take_access() { return take(accesses_); }
    /// Next answer at the pins; none: there may be none.
    std::optional<CsbAnswer> take_answer() { return take(answers_); }

    /// Every request went its way.
    bool idle() const { return accesses_.empty() && answers_.empty(); }

private:
    template <typename T>
    static std::optional<T> take(std::deque<T>& queue) {
        if (queue.empty()) return std::nullopt;
        const T front = queue.front();
        queue.pop_front();
        return front;
    }

    std::vector<std::uint32_t> pages_;
    std::deque<CsbAccess> accesses_;
    std::deque<CsbAnswer> answers_;
};

}  // namespace macrame::dla::model
