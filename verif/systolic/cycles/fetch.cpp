#include "verif/systolic/cycles/fetch.hpp"

#include <algorithm>

namespace macrame::systolic::cycles {

namespace {

constexpr std::uint64_t kPieceBytes = 256;  ///< bursts go from one multiple of it to the next

}  // namespace

Fetch::Fetch(const Architecture& architecture)
    : beat_bytes_(static_cast<std::uint64_t>(architecture.bus_bytes)),
      entry_bytes_(std::max<std::uint64_t>(beat_bytes_, kWordBytes)),
      piece_(kPieceBytes / entry_bytes_),
      address_end_(std::uint64_t{1} << architecture.address_width),
      free_(2 * kPieceBytes / entry_bytes_) {}

void Fetch::clock(const Inputs& in) {
    const bool starts = in.control2fetch_valid && !running_;
    const bool asks = sized_ && free_ >= piece_ && !arvalid_ && !stopped_;
    const bool bad = in.rvalid && in.rresp != 0;
    const bool taken = valid_ && in.fetch2resolver_ready;
    const bool moves = !fifo_.empty() && !stopped_ && (!valid_ || taken);
    const bool drops = !fifo_.empty() && stopped_;
    const bool ends = left_ == 0 && bursts_ == 0 && fifo_.empty() && !valid_;

    if (arvalid_ && in.arready) arvalid_ = false;
    if (taken) valid_ = false;
    if (moves) move_word();
    if (drops) {
        fifo_.pop_front();
        ++free_;
    }
    if (in.rvalid) take_beat(in);
    if (asks) {
        ask();
    } else if (sized_ != (left_ != 0)) {
        size_burst();
    }
    if (stopped_) left_ = 0;
    error_ = bad && !failed_;
    failed_ = failed_ || bad;
    if (in.rvalid && !failed_) beat_at_ = (beat_at_ + beat_bytes_) % address_end_;
    stopped_ = stopped_ || bad || !in.control2fetch_run;
    if (running_ && ends) running_ = false;
    if (starts) start(in);
}

void Fetch::start(const Inputs& in) {
    running_ = true;
    stopped_ = failed_ = false;
    beat_at_ = in.control2fetch_address / beat_bytes_ * beat_bytes_;
    const std::uint64_t first = in.control2fetch_address / entry_bytes_;
    const std::uint64_t end = in.control2fetch_address + in.control2fetch_count * std::uint64_t{16};
    next_ = first * entry_bytes_;
    left_ = (end + entry_bytes_ - 1) / entry_bytes_ - first;
    sized_ = false;
    lane_ = static_cast<std::size_t>(in.control2fetch_address % entry_bytes_) / kWordBytes;
    words_ = in.control2fetch_count;
}

void Fetch::size_burst() {
    sized_ = left_ != 0;
    length_ = std::min(left_, (kPieceBytes - next_ % kPieceBytes) / entry_bytes_);
}

void Fetch::ask() {
    arvalid_ = true;
    araddr_ = next_;
    arlen_ = static_cast<std::uint32_t>(length_ * entry_bytes_ / beat_bytes_ - 1);
    next_ = (next_ + length_ * entry_bytes_) % address_end_;
    left_ -= length_;
    free_ -= length_;
    sized_ = false;
    ++bursts_;
}

void Fetch::take_beat(const Inputs& in) {
    part_.insert(part_.end(), in.rdata, in.rdata + beat_bytes_);
    if (in.rlast) --bursts_;
    if (part_.size() < entry_bytes_) return;
    Entry entry;
    for (std::size_t at = 0; at < part_.size(); at += kWordBytes)
        entry.push_back(word_of_bytes(part_.data() + at));
    fifo_.push_back(std::move(entry));
    part_.clear();
}

void Fetch::move_word() {
    const Entry& entry = fifo_.front();
    word_ = entry[lane_];
    valid_ = true;
    ++lane_;
    --words_;
    if (lane_ < entry.size() && words_ != 0) return;
    lane_ = 0;
    fifo_.pop_front();
    ++free_;
}

}  // namespace macrame::systolic::cycles
