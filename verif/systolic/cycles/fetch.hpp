#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/word.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of fetch. Pins of memory have no prefix.
class Fetch {
public:
    struct Inputs {
        bool control2fetch_valid = false;
        std::uint64_t control2fetch_address = 0;  ///< a multiple of 16
        std::uint32_t control2fetch_count = 0;    ///< from 1
        bool control2fetch_run = true;            ///< false: no further instructions
        bool fetch2resolver_ready = false;
        bool arready = false;
        bool rvalid = false, rlast = false;
        std::uint32_t rresp = 0;
        const std::uint8_t* rdata = nullptr;  ///< a beat, if rvalid
    };
    /// What belongs to a valid matters while it is true.
    struct Outputs {
        bool control2fetch_ready = false;
        bool fetch2control_idle = false, fetch2control_error = false;
        std::uint64_t fetch2control_address = 0;  ///< with an error: of its beat
        bool fetch2resolver_valid = false;
        Word fetch2resolver_word;
        bool arvalid = false;
        std::uint64_t araddr = 0;
        std::uint32_t arlen = 0;
        bool rready = false;
    };

    explicit Fetch(const Architecture& architecture);

    Outputs outputs() const {
        Outputs out;
        out.control2fetch_ready = !running_;
        out.fetch2control_idle = !running_;
        out.fetch2control_error = error_;
        out.fetch2control_address = beat_at_;
        out.fetch2resolver_valid = valid_;
        out.fetch2resolver_word = word_;
        out.arvalid = arvalid_;
        out.araddr = araddr_;
        out.arlen = arlen_;
        out.rready = true;
        return out;
    }
    /// A rising edge.
    void clock(const Inputs& in);

    /// Edges change nothing as long as memory and control do nothing.
    bool is_still(bool ready, bool run) const {
        const bool asks = sized_ && free_ >= piece_;
        const bool sizes = sized_ != (left_ != 0);
        const bool moves = valid_ ? ready : !fifo_.empty();
        const bool ends = left_ == 0 && bursts_ == 0 && fifo_.empty() && !valid_;
        return !asks && !sizes && !moves && !(running_ && ends) && !arvalid_ && !error_ &&
               !stopped_ && run;
    }

private:
    using Entry = std::vector<Word>;

    void start(const Inputs& in);
    void size_burst();
    void ask();
    void take_beat(const Inputs& in);
    void move_word();

    const std::uint64_t beat_bytes_;
    const std::uint64_t entry_bytes_;  ///< of the FIFO: a beat, at least an instruction
    const std::uint64_t piece_;        ///< entries of a burst, at most
    const std::uint64_t address_end_;

    bool running_ = false, stopped_ = false, error_ = false;
    bool failed_ = false;        ///< an answer was not OKAY
    std::uint64_t beat_at_ = 0;  ///< of the next beat, or of the first one that was not OKAY
    // Requests, counted in entries.
    std::uint64_t next_ = 0;  ///< byte address of the next burst
    std::uint64_t left_ = 0;  ///< that are not asked for
    bool sized_ = false;      ///< the length of the next burst is known
    std::uint64_t length_ = 0;
    std::uint64_t free_;  ///< places of the FIFO that are not promised
    int bursts_ = 0;      ///< on their way
    bool arvalid_ = false;
    std::uint64_t araddr_ = 0;
    std::uint32_t arlen_ = 0;
    // Answers.
    std::vector<std::uint8_t> part_;  ///< beats of an entry
    std::deque<Entry> fifo_;
    std::size_t lane_ = 0;     ///< of the first entry: its next instruction
    std::uint32_t words_ = 0;  ///< that are not handed on
    bool valid_ = false;
    Word word_;
};

}  // namespace macrame::systolic::cycles
