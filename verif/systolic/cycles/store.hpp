#pragma once

#include <cstdint>

#include "verif/systolic/cycles/transfer.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/word.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of store. Pins of memory have no prefix.
class Store {
public:
    struct Inputs {
        bool resolver2store_valid = false;
        Word resolver2store_parameters;
        bool store2obuf_ready = false;
        bool obuf2store_valid = false;
        bool awready = false, wready = false;
        bool bvalid = false;
        std::uint32_t bresp = 0;
    };
    /// What belongs to a valid matters while it is true.
    struct Outputs {
        bool resolver2store_ready = false;
        bool store2resolver_done = false, store2control_error = false;
        std::uint64_t store2control_address = 0;  ///< with an error: where the transfer begins
        bool store2obuf_valid = false;
        int store2obuf_entry = 0;
        bool awvalid = false;
        std::uint64_t awaddr = 0;
        std::uint32_t awlen = 0;
        bool wvalid = false, wlast = false;
        bool bready = false;
    };

    explicit Store(const Architecture& architecture);

    Outputs outputs() const {
        Outputs out;
        out.resolver2store_ready = !busy_;
        out.store2resolver_done = done_;
        out.store2control_error = error_;
        out.store2control_address = address_;
        out.store2obuf_valid = reading_ && row_room_ != 0;
        out.store2obuf_entry = entry_;
        out.awvalid = awvalid_;
        out.awaddr = awaddr_;
        out.awlen = awlen_;
        out.wvalid = beats_ != 0;
        out.wlast = (ends_ & 1) != 0;
        out.bready = true;
        return out;
    }
    /// A rising edge.
    void clock(const Inputs& in);

    /// Edges change nothing as long as neither memory nor OBUF answers and there is no instruction.
    bool is_still() const {
        if (!busy_) return !done_ && !error_;
        const bool issues = walk_.step().valid && (rows_ != 0 || tail_);
        const bool some = issues || sends_ != 0 || beats_ != 0 || awvalid_ || walk_.burst().valid;
        const bool finishes = !asking_ && open_ == 0;
        return !some && !finishes && !done_ && !error_ && walk_.is_still();
    }
    /// For room for a beat, or for answers alone.
    bool waits_for_memory(bool wready) const;
    bool has_rows() const { return rows_ != 0 || tail_; }

private:
    void start(const Word& parameters);
    void next_read();
    bool issue();

    static constexpr int kRows = 8, kPlaces = 16;

    const Architecture architecture_;
    TransferWalk walk_;
    bool busy_ = false, done_ = false, error_ = false;
    std::uint64_t address_ = 0;  ///< of the first byte
    // Requests and answers.
    bool asking_ = false;  ///< bursts are left
    bool awvalid_ = false;
    std::uint64_t awaddr_ = 0;
    std::uint32_t awlen_ = 0;
    int open_ = 0;  ///< bursts without an answer
    // Rows of OBUF.
    bool reading_ = false;
    int entry_ = 0;
    std::int64_t rows_left_ = 0;  ///< that are not asked for
    int row_room_ = kRows;        ///< places that are not promised
    int rows_ = 0;                ///< that wait
    // Steps.
    bool tail_ = false;     ///< the bytes of the step behind its first beat are left
    int places_ = kPlaces;  ///< of beats, that are not promised
    int delay_ = 1;         ///< cycles from a step to its rotation
    // Steps that send a beat, and those of them that end a burst, by the cycles since they went.
    std::uint32_t sends_ = 0, lasts_ = 0;
    int beats_ = 0;           ///< that wait for the bus
    std::uint32_t ends_ = 0;  ///< a bit for each of them, the oldest in bit 0: it ends its burst
};

}  // namespace macrame::systolic::cycles
