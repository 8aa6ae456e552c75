#pragma once

#include <cstdint>

#include "verif/systolic/cycles/transfer.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/word.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of load. Pins of memory have no prefix.
class Load {
public:
    struct Inputs {
        bool resolver2load_valid = false;
        Word resolver2load_parameters;
        bool load2obuf_ready = false;
        bool arready = false;
        bool rvalid = false;
        std::uint32_t rresp = 0;
    };
    /// What belongs to a valid or write matters while it is true.
    struct Outputs {
        bool resolver2load_ready = false;
        bool load2resolver_done = false, load2control_error = false;
        std::uint64_t load2control_address = 0;  ///< with an error: where the transfer begins
        bool load2ibuf_write = false, load2wbuf_write = false, load2scale_write = false;
        bool load2obuf_valid = false;
        int entry = 0;  ///< of each of them
        bool arvalid = false;
        std::uint64_t araddr = 0;
        std::uint32_t arlen = 0;
        bool rready = false;
    };

    explicit Load(const Architecture& architecture);

    Outputs outputs() const {
        Outputs out;
        out.resolver2load_ready = !busy_;
        out.load2resolver_done = done_;
        out.load2control_error = error_;
        out.load2control_address = address_;
        out.load2scale_write = turned_.valid && target_ == Target::scale;
        out.load2ibuf_write = turned_.valid && target_ == Target::ibuf;
        out.load2wbuf_write = turned_.valid && target_ == Target::wbuf;
        out.load2obuf_valid = turned_.valid && target_ == Target::obuf;
        out.entry = turned_.entry;
        out.arvalid = arvalid_;
        out.araddr = araddr_;
        out.arlen = arlen_;
        out.rready = true;
        return out;
    }
    /// A rising edge.
    void clock(const Inputs& in);

    /// Edges change nothing as long as memory does not answer and there is no instruction.
    bool is_still() const {
        const bool asks = walk_.burst().valid && room_ > walk_.burst().len;
        const bool waits = op_.valid ? op_.pop : !walk_.step().valid;
        const bool moves = turned_.valid || merged_.valid || done_ || error_ || arvalid_ || asks;
        return waits && !moves && beats_ == 0 && !beat_next_ && !beat_valid_ && walk_.is_still();
    }
    bool waits_for_memory() const { return op_.valid && op_.pop && !beat_valid_; }

private:
    enum class Target { scale, ibuf, wbuf, obuf };

    struct Op {
        bool valid = false, pop = false, write = false, last = false;
        int entry = 0;
    };
    /// A step with its data.
    struct Stage {
        bool valid = false, last = false;
        int entry = 0;
    };

    void start(const Word& parameters);
    void next_op();
    void clock_beats(bool push, bool pop);

    const Architecture architecture_;
    TransferWalk walk_;
    bool busy_ = false, done_ = false, error_ = false;
    std::uint64_t address_ = 0;  ///< of the first byte
    Target target_ = Target::scale;
    int entry_ = 0;      ///< of the next step
    bool half_ = false;  ///< the first beat of the step is there
    Op op_;
    Stage merged_, turned_;
    // Requests.
    bool arvalid_ = false;
    std::uint64_t araddr_ = 0;
    std::uint32_t arlen_ = 0;
    std::uint32_t room_;  ///< beats
    // FIFO of beats: in the RAM, at its output, at that of the FIFO.
    std::uint32_t beats_ = 0;
    bool beat_next_ = false, beat_valid_ = false;
};

}  // namespace macrame::systolic::cycles
