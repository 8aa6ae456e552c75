#pragma once
/// AXI4 slave memory for a Verilated model: programmable latency, random stalls on every channel,
/// answers in order or in any order that their ids allow, and the protocol rules of the data port
/// checked on the way (interfaces of the DBB port: incrementing bursts, beat size = port width, ids
/// 4 bits used).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/dram.hpp"
#include "verif/common/memory.hpp"

namespace macrame::verif {

/// Behaviour of the memory.
struct AxiMemoryOptions {
    int latency = 32;    ///< cycles from AR handshake to first R beat, last W to B; >= 1
    double stall = 0.0;  ///< probability per cycle that a ready is low or an answer is held back
    bool interleave = false;  ///< R and B of different ids may overtake each other
    std::uint64_t seed = 1;   ///< of the stalls and the interleaving
    int bus_bytes = 8;        ///< port width, a power of two
    int beat_bytes = 0;       ///< size of all transfers if it is less, a power of two; 0: the width
    int fault_bytes = 0;  ///< errors in one block of so many bytes of a read count as one; 0: all
    int max_burst = 1;    ///< beats that one transaction may have
    bool any_cache = false;  ///< the attributes of caches are up to a program
    DramOptions dram;        ///< of the Dram behind the port; the latency comes on top
};

/// Bytes of the widest port.
inline constexpr std::size_t kMostAxiBytes = 128;

/// Signals of a request that full AXI has beside address, length and id.
struct AxiAttributes {
    std::uint32_t size = 0, burst = 0, lock = 0, cache = 0, prot = 0, qos = 0;
};

/// Pins of one port as seen by the memory; the owner copies them from and to the model each cycle.
struct AxiPins {
    // driven by the accelerator
    bool aw_valid = false, w_valid = false, w_last = false, b_ready = false;
    bool ar_valid = false, r_ready = false;
    std::uint32_t aw_id = 0, aw_len = 0, ar_id = 0, ar_len = 0;
    std::uint64_t aw_addr = 0, ar_addr = 0;
    std::uint8_t w_strb[kMostAxiBytes / 8] = {};
    std::uint8_t w_data[kMostAxiBytes] = {};
    bool full = false;         ///< the port has the attributes and the responses
    bool timing_only = false;  ///< nobody looks at what is read
    std::uint32_t w_id = 0;
    AxiAttributes aw, ar;
    // driven by the memory
    bool aw_ready = false, w_ready = false, b_valid = false, ar_ready = false;
    bool r_valid = false, r_last = false;
    std::uint32_t b_id = 0, r_id = 0, b_resp = 0, r_resp = 0;
    std::uint8_t r_data[kMostAxiBytes] = {};
};

/// An answer with an error, as the accelerator has taken it.
struct AxiFault {
    std::uint64_t addr = 0;  ///< of the beat that was read, of the transaction that was written
    std::uint32_t resp = 0;  ///< 2 SLVERR, 3 DECERR
};

/// Which answers are errors.
struct AxiFaultPlan {
    double probability = 0.0;  ///< of every answer
    std::uint64_t only = 0;    ///< this one, the next one is 1; 0: none
};

/// All of them.
struct AxiFaults {
    std::uint64_t count = 0;
    std::optional<AxiFault> first_read, first_write;
};

class AxiMemory {
public:
    /// `dram` may be null; else it is clocked in every cycle, before its ports.
    AxiMemory(Memory& memory, const AxiMemoryOptions& options, Dram* dram = nullptr);

    /// One rising clock edge: looks at `pins` as they were before the edge, then sets the memory's
    /// outputs for the cycle that follows.
    void clock(AxiPins& pins);

    /// In so many cycles from now on it changes no pin, if it is not asked; 0 with a Dram or where
    /// it answers by chance.
    std::uint64_t quiet_cycles(const AxiPins& pins) const {
        if (pins.r_valid || pins.b_valid || options_.stall > 0 || dram_ != nullptr) return 0;
        std::uint64_t answer = ~std::uint64_t{0};
        if (!reads_.empty()) answer = reads_.front().ready_at;
        if (!answers_.empty()) answer = std::min(answer, answers_.front().ready_at);
        return answer > now_ + 1 ? answer - now_ - 1 : 0;
    }
    /// As so many calls of clock() in them.
    void pass(std::uint64_t cycles) { now_ += cycles; }

    const AxiCounts& counts() const { return counts_; }
    /// Protocol violations, in order; empty when the accelerator behaved.
    const std::vector<std::string>& violations() const { return violations_; }
    /// From now on these answers are errors, of a port with responses: what is read then is noise,
    /// what is written is lost. Forgets earlier faults.
    void set_faults(const AxiFaultPlan& plan);
    void set_faults_off() { fault_plan_ = {}; }
    /// Since set_faults(): beats that are read, writes.
    std::uint64_t answers() const { return answered_; }
    const AxiFaults& faults() const { return faults_; }
    /// Forgets all that is on its way: a reset of the memory.
    void reset();
    bool idle() const { return reads_.empty() && writes_.empty() && answers_.empty(); }

private:
    struct Read {
        std::uint32_t id;
        std::uint64_t addr;
        int beats_left;
        std::uint64_t ready_at;
        bool failed = false;      ///< in the block of the last beat
        std::uint64_t moved = 0;  ///< by the DRAM for this port, to the end of the next beat
    };
    struct Write {
        std::uint32_t id;
        std::uint64_t addr;
        int beats_left;
        AxiFault fault;  ///< resp 0: none
        std::uint64_t bytes = 0;
    };
    struct Answer {
        std::uint32_t id;
        std::uint64_t ready_at;
        AxiFault fault;
        std::uint64_t moved = 0;
    };
    /// Its side of the DRAM.
    struct Queue {
        std::size_t number = 0;
        std::uint64_t bytes = 0;  ///< of all requests
    };
    struct Held {  ///< last cycle's request, to see that it holds while stalled
        bool stalled = false;
        std::uint64_t addr = 0;
        std::uint32_t len = 0, id = 0;
        AxiAttributes attributes;
    };
    struct HeldData {
        bool stalled = false, last = false;
        std::uint8_t strb[kMostAxiBytes / 8] = {};
        std::uint8_t data[kMostAxiBytes] = {};
    };

    bool chance();
    bool chance(double probability);
    /// OKAY, sometimes an error.
    std::uint32_t response(const AxiPins& pins);
    void check_attributes(const char* channel, const AxiAttributes& attributes);
    std::uint64_t random();
    std::uint64_t beat_bytes() const {
        return static_cast<std::uint64_t>(options_.beat_bytes != 0 ? options_.beat_bytes
                                                                   : options_.bus_bytes);
    }
    void violation(const std::string& what);
    void check_hold(Held& held, const char* channel, bool valid, bool ready, const Held& now);
    void check_hold(const AxiPins& pins);
    void check_data_hold(const AxiPins& pins);
    void accept(const AxiPins& pins);
    /// The next one of some to answer, if one can in this cycle.
    template <typename Waiting>
    std::optional<std::size_t> pick(const Waiting& waiting, const Queue& queue);
    /// The DRAM has so many bytes ready for the next cycle.
    bool has_moved(const Queue& queue, std::uint64_t bytes);
    void ask_dram(Queue& queue, std::uint64_t address, std::uint64_t bytes);
    /// From a request to its answer, without DRAM.
    std::uint64_t answer_time() const;
    void drive_read(AxiPins& pins);
    void drive_answer(AxiPins& pins);
    void write_beat(const AxiPins& pins);

    Memory& memory_;
    AxiMemoryOptions options_;
    Dram* dram_;
    Queue dram_reads_, dram_writes_;
    std::uint64_t state_;
    std::uint64_t now_ = 0;
    std::deque<Read> reads_;
    std::deque<Write> writes_;        ///< accepted AW, data still missing
    std::deque<AxiPins> early_data_;  ///< W beats that came before their AW
    std::deque<Answer> answers_;
    int beats_in_flight_ = 0;
    Held ar_held_, aw_held_;
    HeldData w_held_;
    AxiFaultPlan fault_plan_;
    std::uint64_t answered_ = 0;
    AxiFault b_fault_, r_fault_;  ///< of the answers on the bus
    AxiFaults faults_;
    AxiCounts counts_;
    std::vector<std::string> violations_;
};

}  // namespace macrame::verif
