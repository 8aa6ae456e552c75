#include "verif/systolic/cycles/transfer.hpp"

#include <algorithm>

namespace macrame::systolic::cycles {

namespace {

constexpr std::int64_t kChunkBeats = 256, kChunkBytes = 4096;
// Cycles from the start.
constexpr int kStepsFrom = 2, kBurstsFrom = 3;

}  // namespace

TransferWalk::TransferWalk(const Architecture& architecture)
    : beat_(architecture.bus_bytes),
      beat_bits_(clog2(architecture.bus_bytes)),
      chunk_(std::min(kChunkBytes, kChunkBeats * architecture.bus_bytes)),
      address_end_(std::uint64_t{1} << architecture.address_width) {}

void TransferWalk::start(const Transfer& transfer, int size) {
    t_ = transfer;
    const bool dense_z = t_.z_stride == t_.z_size || t_.y_size == 1;
    join_vectors_ = dense_z;
    join_slices_ = dense_z && (t_.y_stride == t_.z_size || t_.x_size == 1);
    vector_ = t_.z_size << size;
    t_.z_stride <<= size;
    t_.y_stride <<= size;
    begin_ = 1;
}

void TransferWalk::begin() {
    if (begin_ == kStepsFrom) {
        step_vectors_ = t_.y_size - 1;
        step_slices_ = t_.x_size - 1;
        step_addr_ = step_vector_ = t_.dram_address;
        step_left_ = vector_;
        step_.first = true;
        set_step();
    }
    if (begin_ == kBurstsFrom) {
        run_ = t_.dram_address;
        run_bytes_ = vector_ * (join_vectors_ ? t_.y_size : 1) * (join_slices_ ? t_.x_size : 1);
        runs_ = join_vectors_ ? 0 : t_.y_size - 1;
        slices_ = join_slices_ ? 0 : t_.x_size - 1;
        slice_stride_ = t_.y_stride + (join_vectors_ ? (t_.y_size - 1) * vector_ : 0);
        run_valid_ = true;
        begin_ = 0;
        return;
    }
    ++begin_;
}

/// Up to the end of the chunk or of the run.
void TransferWalk::load_burst() {
    const std::int64_t first = run_ & -beat_;
    const std::int64_t end = run_ + run_bytes_;
    const std::int64_t border = (run_ & -chunk_) + chunk_;
    burst_.valid = true;
    burst_.addr = static_cast<std::uint64_t>(first) & (address_end_ - 1);
    burst_.len = static_cast<std::uint32_t>((std::min(end, border) - 1 - first) >> beat_bits_);
    behind_ = std::max<std::int64_t>(end - border, 0);
    burst_.last = runs_ == 0 && slices_ == 0 && behind_ == 0;
}

void TransferWalk::next_run() {
    if (runs_ == 0 && slices_ == 0) {
        run_valid_ = false;
    } else if (runs_ != 0) {
        --runs_;
        run_ += t_.z_stride;
    } else {
        --slices_;
        runs_ = join_vectors_ ? 0 : t_.y_size - 1;
        run_ += slice_stride_;
    }
}

void TransferWalk::move_burst(bool taken) {
    if (burst_.valid && !taken) return;
    if (burst_.valid && behind_ != 0) {
        const auto chunk = static_cast<std::uint64_t>(chunk_);
        burst_.addr = ((burst_.addr & ~(chunk - 1)) + chunk) & (address_end_ - 1);
        burst_.len = static_cast<std::uint32_t>((std::min(behind_, chunk_) - 1) >> beat_bits_);
        behind_ = std::max<std::int64_t>(behind_ - chunk_, 0);
        burst_.last = !run_valid_ && behind_ == 0;
        return;
    }
    burst_.valid = run_valid_;
    if (!run_valid_) return;
    load_burst();
    next_run();
}

void TransferWalk::next_step() {
    step_.first = false;
    if (!step_.ends) {
        step_addr_ += beat_;
        step_left_ -= beat_;
    } else {
        if (step_.last) {
            step_.valid = false;
            return;
        }
        step_.first = step_.closes;
        if (step_vectors_ != 0) {
            --step_vectors_;
            step_vector_ += t_.z_stride;
        } else {
            --step_slices_;
            step_vectors_ = t_.y_size - 1;
            step_vector_ += t_.y_stride;
        }
        step_addr_ = step_vector_;
        step_left_ = vector_;
    }
    set_step();
}

void TransferWalk::set_step() {
    const bool slice_ends = step_vectors_ == 0;
    step_.valid = true;
    step_.lane = step_addr_ & (beat_ - 1);
    step_.ends = step_left_ <= beat_;
    step_.last = step_.ends && slice_ends && step_slices_ == 0;
    step_.closes = step_.last || (step_.ends && !(slice_ends ? join_slices_ : join_vectors_));
    const std::int64_t end = step_.lane + std::min(step_left_, beat_);
    step_.crosses = end > beat_;
    step_.fills = end >= beat_;
    step_.border = ((step_addr_ | (beat_ - 1)) & (chunk_ - 1)) == chunk_ - 1;
}

}  // namespace macrame::systolic::cycles
