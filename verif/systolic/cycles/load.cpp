#include "verif/systolic/cycles/load.hpp"

#include <algorithm>

#include "verif/systolic/cycles/parameters.hpp"

namespace macrame::systolic::cycles {

namespace {

constexpr int kMostBeats = 256, kMostBytes = 4096;

}  // namespace

Load::Load(const Architecture& architecture)
    : architecture_(architecture),
      walk_(architecture),
      room_(static_cast<std::uint32_t>(
          2 * std::min(kMostBeats, kMostBytes / architecture.bus_bytes))) {}

void Load::start(const Word& parameters) {
    const Transfer t = instruction_of(Module::load, parameters).transfer;
    if (t.x_size == 0 || t.y_size == 0 || t.z_size == 0) {
        done_ = true;
        return;
    }
    busy_ = true;
    address_ = static_cast<std::uint64_t>(t.dram_address);
    target_ = static_cast<Target>(t.sram_address >> 24);
    const int banks = target_ == Target::ibuf ? architecture_.rows : architecture_.columns;
    const int width = t.bitwidth == 0           ? architecture_.accumulator_width
                      : target_ == Target::wbuf ? architecture_.weight_width
                                                : architecture_.input_width;
    constexpr int kEntryMask = 0x7fff;
    entry_ = static_cast<int>(t.sram_address >> clog2(banks)) & kEntryMask;
    walk_.start(t, clog2(element_bytes(width)));
}

/// What the next cycle does for the step.
void Load::next_op() {
    const TransferWalk::Step& step = walk_.step();
    op_.valid = step.valid;
    if (!step.valid) return;
    const bool half = step.first && step.crosses && !half_;
    const bool fresh = (step.first && !half_) || step.lane == 0;
    op_.pop = fresh || step.crosses;
    op_.write = !half;
    op_.last = step.last;
    op_.entry = entry_;
    half_ = half;
    if (step.ends && !half) ++entry_;
}

void Load::clock_beats(bool push, bool pop) {
    const bool move = beat_next_ && (!beat_valid_ || pop);
    const bool fetch = beats_ != 0 && (!beat_next_ || move);
    beats_ += static_cast<std::uint32_t>(push) - static_cast<std::uint32_t>(fetch);
    beat_next_ = fetch || (beat_next_ && !move);
    beat_valid_ = move || (beat_valid_ && !pop);
}

void Load::clock(const Inputs& in) {
    const bool takes = in.resolver2load_valid && !busy_;
    const bool written = turned_.valid && (in.load2obuf_ready || target_ != Target::obuf);
    const bool turned_ready = !turned_.valid || written;
    const bool merged_ready = !merged_.valid || turned_ready;
    const bool pops = op_.valid && op_.pop && merged_ready && beat_valid_;
    const bool op_goes = op_.valid && (beat_valid_ || !op_.pop) && merged_ready;
    const bool op_ready = !op_.valid || op_goes;
    const TransferWalk::Burst burst = walk_.burst();
    const bool asks = burst.valid && room_ > burst.len && (!arvalid_ || in.arready);

    done_ = written && turned_.last;
    if (done_) busy_ = false;
    error_ = in.rvalid && in.rresp != 0;
    if (turned_ready) turned_ = merged_;
    if (merged_ready) merged_ = {op_goes && op_.write, op_.last, op_.entry};
    if (op_ready) next_op();
    const bool step_taken = op_ready && op_.valid && op_.write;
    if (asks) {
        araddr_ = burst.addr;
        arlen_ = burst.len;
        room_ -= burst.len + 1;
    }
    arvalid_ = asks || (arvalid_ && !in.arready);
    room_ += pops;
    clock_beats(in.rvalid, pops);
    if (busy_) walk_.clock(asks, step_taken);
    if (takes) start(in.resolver2load_parameters);
}

}  // namespace macrame::systolic::cycles
