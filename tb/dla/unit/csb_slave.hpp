#pragma once
/// A CSB slave with random pauses: takes requests, answers in order, at least one cycle later.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "verif/common/random.hpp"

namespace macrame::tb {

struct CsbPins {
    // driven by the master
    bool valid = false, write = false, nposted = false;
    std::uint32_t addr = 0, wdat = 0;
    // driven by the slave
    bool ready = false, rd_valid = false, wr_complete = false;
    std::uint32_t rd_data = 0;
};

/// A request that was taken.
struct CsbTaken {
    bool write = false, nposted = false;
    std::uint32_t addr = 0, data = 0;  ///< word address
};

class CsbSlave {
public:
    CsbSlave(int stall_percent, std::uint64_t seed) : stall_(stall_percent), random_(seed) {}

    /// What is read at a word address.
    static std::uint32_t value(std::uint32_t addr) { return addr * 0x9e3779b1u + 1u; }

    /// One rising edge: `pins` as they were before it, then as they are for the next cycle.
    void clock(CsbPins& pins) {
        if (pins.valid && pins.ready) {
            taken_.push_back({pins.write, pins.nposted, pins.addr, pins.wdat});
            if (pins.nposted || !pins.write) waiting_.push_back(taken_.back());
        }
        pins.rd_valid = pins.wr_complete = false;
        pins.rd_data = random_.word();
        if (!waiting_.empty() && !random_.chance(stall_)) {
            const CsbTaken next = waiting_.front();
            waiting_.pop_front();
            pins.wr_complete = next.write;
            pins.rd_valid = !next.write;
            if (!next.write) pins.rd_data = value(next.addr);
        }
        pins.ready = !random_.chance(stall_);
    }

    /// The next request that was taken.
    std::optional<CsbTaken> take() {
        if (taken_.empty()) return std::nullopt;
        const CsbTaken front = taken_.front();
        taken_.pop_front();
        return front;
    }

private:
    int stall_;
    verif::Random random_;
    std::deque<CsbTaken> taken_, waiting_;
};

}  // namespace macrame::tb
