#pragma once
/// Masters of the register buses for a Verilated model: AXI4-Lite and APB4, 32 bits of data. They
/// do the accesses they are given, with random gaps, and check the rules of the bus on the way.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "verif/common/random.hpp"

namespace macrame::tb {

/// An access to a register.
struct BusAccess {
    bool write = false;
    std::uint32_t addr = 0, data = 0;
    std::uint32_t strobes = 15;  ///< of a write
    std::uint32_t idle = 0;      ///< cycles before it
};

struct BusAnswer {
    std::uint32_t data = 0;  ///< that was read
    std::uint32_t resp = 0;  ///< 0 OKAY, 2 SLVERR, 3 DECERR; APB knows 0 and 2 only
};

/// Pins of an AXI4-Lite slave; the owner copies them from and to the model each cycle.
struct AxiLitePins {
    // driven by the master
    bool aw_valid = false, w_valid = false, b_ready = false, ar_valid = false, r_ready = false;
    std::uint32_t aw_addr = 0, w_data = 0, w_strb = 0, ar_addr = 0;
    // driven by the slave
    bool aw_ready = false, w_ready = false, b_valid = false, ar_ready = false, r_valid = false;
    std::uint32_t b_resp = 0, r_resp = 0, r_data = 0;
};

/// Writes and reads go their own ways, each in order.
class AxiLiteMaster {
public:
    /// `stall`: probability per cycle that a channel idles.
    AxiLiteMaster(double stall, std::uint64_t seed) : stall_(stall), random_(seed) {}

    void start(const BusAccess& access) { (access.write ? writes_ : reads_).push_back(access); }
    /// Has every access been answered?
    bool idle() const { return writes_.empty() && reads_.empty(); }
    std::optional<BusAnswer> take_write() { return take(write_answers_); }
    std::optional<BusAnswer> take_read() { return take(read_answers_); }

    /// One rising clock edge: looks at `pins` as they were before the edge, then sets the master's
    /// outputs for the cycle that follows.
    void clock(AxiLitePins& pins);
    /// The slave was reset: nothing is on its way.
    void reset(AxiLitePins& pins);
    const std::vector<std::string>& violations() const { return violations_; }

private:
    struct Held {  ///< an answer that waits has to stay as it is
        bool stalled = false;
        BusAnswer answer;
    };

    template <typename T>
    static std::optional<T> take(std::deque<T>& queue) {
        if (queue.empty()) return std::nullopt;
        const T front = queue.front();
        queue.pop_front();
        return front;
    }
    bool gap() { return stall_ > 0.0 && random_.chance(static_cast<int>(100.0 * stall_)); }
    void check(Held& held, const char* channel, bool valid, bool ready, const BusAnswer& answer,
               bool asked);
    void clock_writes(AxiLitePins& pins);
    void clock_reads(AxiLitePins& pins);

    double stall_;
    verif::Random random_;
    std::deque<BusAccess> writes_, reads_;  ///< the first one is on the bus, or about to be
    std::deque<BusAnswer> write_answers_, read_answers_;
    bool aw_sent_ = false, w_sent_ = false, ar_sent_ = false;
    Held b_held_, r_held_;
    std::vector<std::string> violations_;
};

/// Pins of an APB4 slave.
struct ApbPins {
    // driven by the master
    bool sel = false, enable = false, write = false;
    std::uint32_t addr = 0, wdata = 0, strb = 0;
    // driven by the slave
    bool ready = false, slverr = false;
    std::uint32_t rdata = 0;
};

class ApbMaster {
public:
    /// `stall`: probability per cycle that the bus idles between two accesses.
    ApbMaster(double stall, std::uint64_t seed) : stall_(stall), random_(seed) {}

    void start(const BusAccess& access) { accesses_.push_back(access); }
    bool idle() const { return accesses_.empty(); }
    std::optional<BusAnswer> take();
    /// As that of AxiLiteMaster.
    void clock(ApbPins& pins);
    void reset(ApbPins& pins);

private:
    double stall_;
    verif::Random random_;
    std::deque<BusAccess> accesses_;
    std::deque<BusAnswer> answers_;
};

}  // namespace macrame::tb
