#include "verif/common/axi_memory.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "verif/common/text.hpp"

namespace macrame::verif {

namespace {

constexpr std::size_t kMaxViolations = 20;

using text::hex;

template <typename Waiting>
void take(Waiting& waiting, std::size_t chosen) {
    if (chosen == 0)
        waiting.pop_front();
    else
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
}

}  // namespace

AxiMemory::AxiMemory(Memory& memory, const AxiMemoryOptions& options, Dram* dram)
    : memory_(memory),
      options_(options),
      dram_(dram),
      state_(options.seed * 2654435761u + 88172645463325252u) {
    if (dram_ == nullptr) return;
    dram_reads_.number = dram_->add_queue();
    dram_writes_.number = dram_->add_queue();
}

std::uint64_t AxiMemory::random() {  // xorshift64
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
}

bool AxiMemory::chance(double probability) {
    if (probability <= 0.0) return false;
    return static_cast<double>(random() >> 11) * 0x1.0p-53 < probability;
}

bool AxiMemory::chance() { return chance(options_.stall); }

std::uint32_t AxiMemory::response(const AxiPins& pins) {
    ++answered_;
    if (!pins.full) return 0;
    if (answered_ != fault_plan_.only && !chance(fault_plan_.probability)) return 0;
    return 2 + static_cast<std::uint32_t>(random() & 1);
}

void AxiMemory::set_faults(const AxiFaultPlan& plan) {
    fault_plan_ = plan;
    answered_ = 0;
    faults_ = {};
}

void AxiMemory::reset() {
    reads_.clear();
    writes_.clear();
    early_data_.clear();
    answers_.clear();
    beats_in_flight_ = 0;
    ar_held_ = aw_held_ = {};
    w_held_ = {};
    b_fault_ = r_fault_ = {};
}

void AxiMemory::violation(const std::string& what) {
    if (violations_.size() < kMaxViolations) {
        violations_.push_back("cycle " + std::to_string(now_) + ": " + what);
    }
}

void AxiMemory::check_hold(Held& held, const char* channel, bool valid, bool ready,
                           const Held& now) {
    const auto key = [](const Held& h) {
        const AxiAttributes& a = h.attributes;
        return std::tie(h.addr, h.len, h.id, a.size, a.burst, a.lock, a.cache, a.prot, a.qos);
    };
    if (held.stalled && !valid) violation(std::string(channel) + "valid fell before ready");
    if (held.stalled && valid && key(now) != key(held)) {
        violation(std::string(channel) + " payload changed while stalled");
    }
    held.stalled = valid && !ready;
    if (held.stalled) {
        held = now;
        held.stalled = true;
    }
}

/// Requests and data stay as they are until they are taken.
void AxiMemory::check_hold(const AxiPins& pins) {
    if (ar_held_.stalled || (pins.ar_valid && !pins.ar_ready))
        check_hold(ar_held_, "ar", pins.ar_valid, pins.ar_ready,
                   {false, pins.ar_addr, pins.ar_len, pins.ar_id, pins.ar});
    if (aw_held_.stalled || (pins.aw_valid && !pins.aw_ready))
        check_hold(aw_held_, "aw", pins.aw_valid, pins.aw_ready,
                   {false, pins.aw_addr, pins.aw_len, pins.aw_id, pins.aw});
    if (w_held_.stalled || (pins.w_valid && !pins.w_ready)) check_data_hold(pins);
}

void AxiMemory::check_data_hold(const AxiPins& pins) {
    const auto bus = static_cast<std::size_t>(options_.bus_bytes);
    HeldData& held = w_held_;
    if (held.stalled && !pins.w_valid) violation("wvalid fell before ready");
    if (held.stalled && pins.w_valid &&
        (held.last != pins.w_last || std::memcmp(held.data, pins.w_data, bus) != 0 ||
         std::memcmp(held.strb, pins.w_strb, (bus + 7) / 8) != 0)) {
        violation("w payload changed while stalled");
    }
    held.stalled = pins.w_valid && !pins.w_ready;
    if (!held.stalled) return;
    held.last = pins.w_last;
    std::memcpy(held.data, pins.w_data, bus);
    std::memcpy(held.strb, pins.w_strb, (bus + 7) / 8);
}

/// Whole beats, incrementing, not exclusive; not cacheable, unless programs choose: what the data
/// ports are made for.
void AxiMemory::check_attributes(const char* channel, const AxiAttributes& a) {
    constexpr std::uint32_t kIncr = 1, kDevice = 0, kNormal = 2;
    const auto want = [&](bool good, const char* name, std::uint32_t value) {
        if (!good) violation(std::string(channel) + name + " = " + std::to_string(value));
    };
    want((std::uint64_t{1} << a.size) == beat_bytes(), "size", a.size);
    want(a.burst == kIncr, "burst", a.burst);
    want(a.lock == 0, "lock", a.lock);
    want(options_.any_cache || (a.cache >> 2 == 0 && (a.cache & kNormal) != kDevice), "cache",
         a.cache);
}

void AxiMemory::accept(const AxiPins& pins) {
    const std::uint64_t bus = beat_bytes();
    if (pins.ar_valid && pins.ar_ready) {
        const int beats = static_cast<int>(pins.ar_len) + 1;
        if (beats > options_.max_burst) {
            violation("AR of " + std::to_string(beats) + " beats, want at most " +
                      std::to_string(options_.max_burst));
        }
        if ((pins.ar_addr & (bus - 1)) != 0)
            violation("araddr " + hex(pins.ar_addr) + " not aligned");
        if (pins.ar_addr / 4096 !=
            (pins.ar_addr + static_cast<std::uint64_t>(beats) * bus - 1) / 4096) {
            violation("AR at " + hex(pins.ar_addr) + " crosses a 4 KiB boundary");
        }
        if (pins.full) check_attributes("ar", pins.ar);
        reads_.push_back(
            Read{pins.ar_id, pins.ar_addr, beats, answer_time(), false, dram_reads_.bytes + bus});
        ask_dram(dram_reads_, pins.ar_addr, static_cast<std::uint64_t>(beats) * bus);
        beats_in_flight_ += beats;
        counts_.max_in_flight = std::max(counts_.max_in_flight, beats_in_flight_);
    }
    if (pins.aw_valid && pins.aw_ready) {
        const int beats = static_cast<int>(pins.aw_len) + 1;
        if (beats > options_.max_burst) {
            violation("AW of " + std::to_string(beats) + " beats, want at most " +
                      std::to_string(options_.max_burst));
        }
        if (pins.full) check_attributes("aw", pins.aw);
        if (pins.aw_addr / 4096 !=
            ((pins.aw_addr & ~(bus - 1)) + static_cast<std::uint64_t>(beats) * bus - 1) / 4096) {
            violation("AW at " + hex(pins.aw_addr) + " crosses a 4 KiB boundary");
        }
        writes_.push_back(Write{pins.aw_id, pins.aw_addr, beats, {pins.aw_addr, response(pins)}});
    }
    if (pins.w_valid && pins.w_ready) {
        if (early_data_.empty() && !writes_.empty())
            write_beat(pins);
        else
            early_data_.push_back(pins);
    }
    while (!early_data_.empty() && !writes_.empty()) {
        write_beat(early_data_.front());
        early_data_.pop_front();
    }
}

void AxiMemory::write_beat(const AxiPins& pins) {
    Write& write = writes_.front();
    const auto bus = static_cast<std::uint64_t>(options_.bus_bytes);
    const std::uint64_t base = write.addr & ~(bus - 1);
    const std::uint64_t end = (write.addr & ~(beat_bytes() - 1)) + beat_bytes();
    for (std::uint64_t i = 0; i < bus; ++i) {
        if (i % 8 == 0 && pins.w_strb[i / 8] == 0) {
            i += 7;
            continue;
        }
        if ((pins.w_strb[i / 8] >> i % 8 & 1) == 0) continue;
        if (base + i < write.addr) violation("wstrb below awaddr " + hex(write.addr));
        if (base + i >= end) violation("wstrb beyond the beat at " + hex(write.addr));
        if (write.fault.resp != 0) continue;
        memory_.write(base + i, pins.w_data[i]);
        ++counts_.write_bytes;
    }
    write.addr = end;
    write.bytes += beat_bytes();
    --write.beats_left;
    ++counts_.write_beats;
    if (pins.w_last != (write.beats_left == 0)) violation("wlast on the wrong beat");
    if (write.beats_left == 0) {
        if (pins.full && pins.w_id != write.id) violation("wid is not that of the request");
        ask_dram(dram_writes_, write.addr - write.bytes, write.bytes);
        answers_.push_back(Answer{write.id, answer_time(), write.fault, dram_writes_.bytes});
        writes_.pop_front();
    }
}

std::uint64_t AxiMemory::answer_time() const {
    return dram_ != nullptr ? now_ : now_ + static_cast<std::uint64_t>(options_.latency);
}

void AxiMemory::ask_dram(Queue& queue, std::uint64_t address, std::uint64_t bytes) {
    if (dram_ == nullptr) return;
    dram_->request(queue.number, address, bytes);
    queue.bytes += bytes;
}

bool AxiMemory::has_moved(const Queue& queue, std::uint64_t bytes) {
    const auto latency = static_cast<std::uint64_t>(options_.latency);
    if (dram_ == nullptr) return true;
    return now_ + 1 >= latency && dram_->moved(queue.number, now_ + 1 - latency) >= bytes;
}

template <typename Waiting>
std::optional<std::size_t> AxiMemory::pick(const Waiting& waiting, const Queue& queue) {
    if (chance()) return std::nullopt;
    const auto is_ready = [&](const auto& one) {
        return one.ready_at <= now_ + 1 && has_moved(queue, one.moved);
    };
    if (!options_.interleave)
        return is_ready(waiting.front()) ? std::optional<std::size_t>(0) : std::nullopt;
    // The first one of any id may answer: those of one id stay in order.
    std::vector<std::size_t> heads;
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < waiting.size() && is_ready(waiting[i]); ++i) {
        const std::uint32_t bit = 1u << (waiting[i].id & 15u);
        if ((seen & bit) == 0) heads.push_back(i);
        seen |= bit;
    }
    if (heads.empty()) return std::nullopt;
    return heads[random() % heads.size()];
}

void AxiMemory::drive_read(AxiPins& pins) {
    const std::optional<std::size_t> chosen = pick(reads_, dram_reads_);
    pins.r_valid = chosen.has_value();
    if (!chosen) return;
    Read& read = reads_[*chosen];
    pins.r_id = read.id;
    const auto block = static_cast<std::uint64_t>(options_.fault_bytes);
    if (block == 0 || read.addr % block == 0) read.failed = false;
    r_fault_ = {read.addr, response(pins)};
    pins.r_resp = r_fault_.resp;
    const auto bus = static_cast<std::uint64_t>(options_.bus_bytes);
    if (r_fault_.resp != 0 || beat_bytes() != bus) {
        for (std::uint8_t& byte : pins.r_data)
            byte = static_cast<std::uint8_t>(random());
    }
    if (r_fault_.resp == 0) {
        if (!pins.timing_only)
            memory_.read(read.addr, pins.r_data + (read.addr & (bus - 1)), beat_bytes());
    } else if (read.failed) {
        r_fault_.resp = 0;  // told already
    } else {
        read.failed = true;
    }
    read.addr += beat_bytes();
    read.moved += beat_bytes();
    --read.beats_left;
    pins.r_last = read.beats_left == 0;
    if (read.beats_left == 0) take(reads_, *chosen);
}

void AxiMemory::drive_answer(AxiPins& pins) {
    const std::optional<std::size_t> chosen = pick(answers_, dram_writes_);
    pins.b_valid = chosen.has_value();
    if (!chosen) return;
    pins.b_id = answers_[*chosen].id;
    b_fault_ = answers_[*chosen].fault;
    pins.b_resp = b_fault_.resp;
    take(answers_, *chosen);
}

void AxiMemory::clock(AxiPins& pins) {
    check_hold(pins);
    if (pins.ar_valid && !pins.ar_ready) ++counts_.ar_stalls;
    if (pins.aw_valid && !pins.aw_ready) ++counts_.aw_stalls;

    if (pins.ar_valid || pins.aw_valid || pins.w_valid) accept(pins);
    const auto note = [&](const AxiFault& fault, std::optional<AxiFault>& first) {
        if (fault.resp == 0) return;
        ++faults_.count;
        if (!first) first = fault;
    };
    if (pins.r_valid && pins.r_ready) note(r_fault_, faults_.first_read);
    if (pins.b_valid && pins.b_ready) note(b_fault_, faults_.first_write);
    if (pins.r_valid && pins.r_ready) {
        counts_.read_bytes += beat_bytes();
        --beats_in_flight_;
    }
    if (!pins.r_valid || pins.r_ready) {
        pins.r_valid = false;
        if (!reads_.empty()) drive_read(pins);
    }
    if (!pins.b_valid || pins.b_ready) {
        pins.b_valid = false;
        if (!answers_.empty()) drive_answer(pins);
    }
    pins.ar_ready = !chance();
    pins.aw_ready = !chance();
    pins.w_ready = !chance();
    ++now_;
}

}  // namespace macrame::verif
