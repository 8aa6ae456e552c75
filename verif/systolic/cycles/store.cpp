#include "verif/systolic/cycles/store.hpp"

#include "verif/systolic/cycles/parameters.hpp"

namespace macrame::systolic::cycles {

namespace {

constexpr int kMostBursts = 64;
constexpr int kPlainDelay = 1, kScaledDelay = 6, kExactDelay = 7;

}  // namespace

Store::Store(const Architecture& architecture) : architecture_(architecture), walk_(architecture) {}

void Store::start(const Word& parameters) {
    const Transfer t = instruction_of(Module::store, parameters).transfer;
    if (t.x_size == 0 || t.y_size == 0 || t.z_size == 0) {
        done_ = true;
        return;
    }
    busy_ = asking_ = reading_ = true;
    address_ = static_cast<std::uint64_t>(t.dram_address);
    entry_ = static_cast<int>(t.sram_address >> clog2(architecture_.columns)) &
             (architecture_.obuf_entries - 1);
    rows_left_ = t.x_size * t.y_size;
    const bool scaled = architecture_.requantise && t.bitwidth != 0 && t.requantise != 0;
    delay_ = !scaled ? kPlainDelay : architecture_.exact ? kExactDelay : kScaledDelay;
    walk_.start(t, clog2(element_bytes(t.bitwidth != 0 ? architecture_.input_width
                                                       : architecture_.accumulator_width)));
}

void Store::next_read() {
    entry_ = (entry_ + 1) & (architecture_.obuf_entries - 1);
    --row_room_;
    reading_ = --rows_left_ != 0;
}

/// Lets a step go on; true if the walk has the next one then.
bool Store::issue() {
    const TransferWalk::Step& step = walk_.step();
    if (!step.valid || places_ == 0 || (rows_ == 0 && !tail_)) return false;
    const bool closes = step.closes && (tail_ || !step.crosses);
    if (!tail_ && step.ends) {
        --rows_;
        ++row_room_;
    }
    if (step.closes || step.fills) {
        --places_;
        sends_ |= 1;
        lasts_ |= static_cast<std::uint32_t>(closes || step.border);
    }
    tail_ = step.closes && !closes;
    return !tail_;
}

bool Store::waits_for_memory(bool wready) const {
    if (beats_ != 0) return !wready;
    return open_ != 0 && !asking_ && !reading_ && !has_rows() && row_room_ == kRows && sends_ == 0;
}

void Store::clock(const Inputs& in) {
    const bool takes = in.resolver2store_valid && !busy_;
    if (!busy_ && !takes && is_still() && !in.bvalid) return;
    const TransferWalk::Burst burst = walk_.burst();
    const bool asks = burst.valid && open_ != kMostBursts && (!awvalid_ || in.awready);
    const bool finishes = busy_ && !asking_ && open_ == 0;
    const bool reads = reading_ && row_room_ != 0 && in.store2obuf_ready;
    const bool sent = beats_ != 0 && in.wready;

    done_ = finishes;
    error_ = in.bvalid && in.bresp != 0;
    if (finishes) busy_ = false;
    if (asks) {
        awaddr_ = burst.addr;
        awlen_ = burst.len;
        if (burst.last) asking_ = false;
    }
    awvalid_ = asks || (awvalid_ && !in.awready);
    open_ += static_cast<int>(asks) - static_cast<int>(in.bvalid);

    const bool stepped = issue();
    if (reads) next_read();
    rows_ += in.obuf2store_valid;
    // To the bus: the delay, and a cycle for the rotation.
    if (sent) {
        --beats_;
        ends_ >>= 1;
        ++places_;
    }
    const std::uint32_t arriving = std::uint32_t{1} << (delay_ + 1);
    if ((sends_ & arriving) != 0) {
        if ((lasts_ & arriving) != 0) ends_ |= std::uint32_t{1} << beats_;
        ++beats_;
    }
    sends_ = (sends_ & (arriving - 1)) << 1;
    lasts_ = (lasts_ & (arriving - 1)) << 1;
    if (busy_) walk_.clock(asks, stepped);
    if (takes) start(in.resolver2store_parameters);
}

}  // namespace macrame::systolic::cycles
