#include "tb/common/axi_memory.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "verif/common/text.hpp"

namespace macrame::tb {

namespace {

constexpr std::size_t kMaxViolations = 20;

using verif::text::hex;

}  // namespace

AxiMemory::AxiMemory(verif::Memory& memory, const AxiMemoryOptions& options)
    : memory_(memory), options_(options), state_(options.seed * 2654435761u + 88172645463325252u) {}

std::uint64_t AxiMemory::random() {  // xorshift64
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
}

bool AxiMemory::chance() {
    if (options_.stall <= 0.0) return false;
    return static_cast<double>(random() >> 11) * 0x1.0p-53 < options_.stall;
}

void AxiMemory::violation(const std::string& what) {
    if (violations_.size() < kMaxViolations) {
        violations_.push_back("cycle " + std::to_string(now_) + ": " + what);
    }
}

void AxiMemory::check_hold(Held& held, const char* channel, bool valid, bool ready, std::uint64_t a,
                           std::uint64_t b, std::uint64_t c) {
    if (!held.stalled && (!valid || ready)) return;
    if (held.stalled && !valid) violation(std::string(channel) + "valid fell before ready");
    if (held.stalled && valid && (a != held.a || b != held.b || c != held.c)) {
        violation(std::string(channel) + " payload changed while stalled");
    }
    held = Held{valid && !ready, a, b, c};
}

void AxiMemory::accept(const AxiPins& pins) {
    const auto bus = static_cast<std::uint64_t>(options_.bus_bytes);
    if (pins.ar_valid && pins.ar_ready) {
        const int beats = static_cast<int>(pins.ar_len) + 1;
        if (beats > options_.max_burst) {
            violation("AR of " + std::to_string(beats) + " beats, want at most " +
                      std::to_string(options_.max_burst));
        }
        if (pins.ar_addr % bus != 0) violation("araddr " + hex(pins.ar_addr) + " not bus aligned");
        if (pins.ar_addr / 4096 !=
            (pins.ar_addr + static_cast<std::uint64_t>(beats) * bus - 1) / 4096) {
            violation("AR at " + hex(pins.ar_addr) + " crosses a 4 KiB boundary");
        }
        reads_.push_back(Read{pins.ar_id, pins.ar_addr, beats,
                              now_ + static_cast<std::uint64_t>(options_.latency)});
        beats_in_flight_ += beats;
        counts_.max_in_flight = std::max(counts_.max_in_flight, beats_in_flight_);
    }
    if (pins.aw_valid && pins.aw_ready) {
        const int beats = static_cast<int>(pins.aw_len) + 1;
        if (beats > options_.max_burst) {
            violation("AW of " + std::to_string(beats) + " beats, want at most " +
                      std::to_string(options_.max_burst));
        }
        writes_.push_back(Write{pins.aw_id, pins.aw_addr, beats});
    }
    if (pins.w_valid && pins.w_ready) early_data_.push_back(pins);
    while (!early_data_.empty() && !writes_.empty()) {
        write_beat(early_data_.front());
        early_data_.pop_front();
    }
}

void AxiMemory::write_beat(const AxiPins& pins) {
    Write& write = writes_.front();
    const auto bus = static_cast<std::uint64_t>(options_.bus_bytes);
    const std::uint64_t base = write.addr - write.addr % bus;
    for (std::uint64_t i = 0; i < bus; ++i) {
        if ((pins.w_strb >> i & 1u) == 0) continue;
        memory_.write(base + i, pins.w_data[i]);
        ++counts_.write_bytes;
    }
    write.addr = base + bus;
    --write.beats_left;
    if (pins.w_last != (write.beats_left == 0)) violation("wlast on the wrong beat");
    if (write.beats_left == 0) {
        answers_.push_back(Answer{write.id, now_ + static_cast<std::uint64_t>(options_.latency)});
        writes_.pop_front();
    }
}

template <typename Queue>
std::optional<std::size_t> AxiMemory::pick(const Queue& queue) {
    if (queue.empty() || chance()) return std::nullopt;
    const auto is_ready = [&](std::size_t i) { return queue[i].ready_at <= now_ + 1; };
    if (!options_.interleave) return is_ready(0) ? std::optional<std::size_t>(0) : std::nullopt;
    // The first one of any id may answer: those of one id stay in order.
    std::vector<std::size_t> heads;
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < queue.size() && is_ready(i); ++i) {
        const std::uint32_t bit = 1u << (queue[i].id & 15u);
        if ((seen & bit) == 0) heads.push_back(i);
        seen |= bit;
    }
    if (heads.empty()) return std::nullopt;
    return heads[random() % heads.size()];
}

void AxiMemory::drive_read(AxiPins& pins) {
    const std::optional<std::size_t> chosen = pick(reads_);
    pins.r_valid = chosen.has_value();
    if (!chosen) return;
    Read& read = reads_[*chosen];
    pins.r_id = read.id;
    memory_.read(read.addr, pins.r_data, static_cast<std::size_t>(options_.bus_bytes));
    read.addr += static_cast<std::uint64_t>(options_.bus_bytes);
    --read.beats_left;
    pins.r_last = read.beats_left == 0;
    if (read.beats_left == 0) reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(*chosen));
}

void AxiMemory::drive_answer(AxiPins& pins) {
    const std::optional<std::size_t> chosen = pick(answers_);
    pins.b_valid = chosen.has_value();
    if (!chosen) return;
    pins.b_id = answers_[*chosen].id;
    answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(*chosen));
}

void AxiMemory::clock(AxiPins& pins) {
    std::uint64_t data = 0;
    if (pins.w_valid) std::memcpy(&data, pins.w_data, sizeof data);
    check_hold(ar_held_, "ar", pins.ar_valid, pins.ar_ready, pins.ar_addr, pins.ar_len, pins.ar_id);
    check_hold(aw_held_, "aw", pins.aw_valid, pins.aw_ready, pins.aw_addr, pins.aw_len, pins.aw_id);
    check_hold(w_held_, "w", pins.w_valid, pins.w_ready, data, pins.w_strb, pins.w_last);
    if (pins.ar_valid && !pins.ar_ready) ++counts_.ar_stalls;
    if (pins.aw_valid && !pins.aw_ready) ++counts_.aw_stalls;

    accept(pins);
    if (pins.r_valid && pins.r_ready) {
        counts_.read_bytes += static_cast<std::uint64_t>(options_.bus_bytes);
        --beats_in_flight_;
    }
    if (!pins.r_valid || pins.r_ready) drive_read(pins);
    if (!pins.b_valid || pins.b_ready) drive_answer(pins);
    pins.ar_ready = !chance();
    pins.aw_ready = !chance();
    pins.w_ready = !chance();
    ++now_;
}

}  // namespace macrame::tb
