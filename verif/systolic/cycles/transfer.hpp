#pragma once

#include <cstdint>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::cycles {

/// Bursts and steps of a LOAD or STORE: systolic_transfer. A run is vectors that follow each other
/// in memory, a step up to a beat of bytes of one vector.
class TransferWalk {
public:
    struct Burst {
        bool valid = false;
        bool last = false;  ///< of the transfer
        std::uint64_t addr = 0;
        std::uint32_t len = 0;  ///< beats - 1
    };
    struct Step {
        bool valid = false;
        bool first = false;     ///< of its run
        bool ends = false;      ///< its vector
        bool closes = false;    ///< its run
        bool last = false;      ///< of the transfer
        bool crosses = false;   ///< into the next beat
        bool fills = false;     ///< its beat to the last lane
        bool border = false;    ///< its beat is the last one that a burst may have
        std::int64_t lane = 0;  ///< of the first byte
    };

    explicit TransferWalk(const Architecture& architecture);

    const Burst& burst() const { return burst_; }
    const Step& step() const { return step_; }
    /// The edge at which a transfer that is not empty is taken; elements of 2^size bytes.
    void start(const Transfer& transfer, int size);
    /// Edges change nothing as long as nothing is taken.
    bool is_still() const { return begin_ == 0 && (burst_.valid || !run_valid_); }
    /// Every other edge.
    void clock(bool burst_taken, bool step_taken) {
        if (step_.valid && step_taken) next_step();
        if (run_valid_ || burst_.valid) move_burst(burst_taken);
        if (begin_ != 0) begin();
    }

private:
    void begin();
    void move_burst(bool taken);
    void load_burst();
    void next_run();
    void next_step();
    void set_step();

    // Powers of two.
    const std::int64_t beat_;  ///< bytes
    const int beat_bits_;
    const std::int64_t chunk_;  ///< bytes: bursts do not go over a multiple of it
    const std::uint64_t address_end_;

    Transfer t_;               ///< strides in bytes
    std::int64_t vector_ = 0;  ///< bytes
    bool join_vectors_ = false, join_slices_ = false;
    int begin_ = 0;  ///< cycles since the start

    Burst burst_;
    std::int64_t behind_ = 0;  ///< bytes of the run behind the chunk of the burst
    bool run_valid_ = false;
    std::int64_t run_ = 0, run_bytes_ = 0;
    std::int64_t runs_ = 0, slices_ = 0;  ///< behind this one
    std::int64_t slice_stride_ = 0;

    Step step_;
    std::int64_t step_vectors_ = 0, step_slices_ = 0;  ///< behind this one
    std::int64_t step_vector_ = 0;                     ///< its address
    std::int64_t step_addr_ = 0, step_left_ = 0;
};

}  // namespace macrame::systolic::cycles
