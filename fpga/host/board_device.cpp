#include "fpga/host/board_device.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "fpga/host/segments.hpp"

namespace macrame::fpga {

namespace {

constexpr std::uint64_t kBeat = 8;
constexpr std::uint64_t kChunk = kBeat * kMaxBeats;

/// The whole beats around a range.
verif::MemoryRange beats_around(const verif::MemoryRange& range) {
    const std::uint64_t first = range.addr / kBeat * kBeat;
    const std::uint64_t end = (range.addr + range.size + kBeat - 1) / kBeat * kBeat;
    return {first, end - first};
}

std::vector<std::uint64_t> beats_of(const verif::Memory& memory, std::uint64_t addr,
                                    std::uint64_t size) {
    const std::vector<std::uint8_t> bytes = memory.dump(addr, size);
    std::vector<std::uint64_t> out(bytes.size() / kBeat, 0);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        out[i / kBeat] |= std::uint64_t{bytes[i]} << 8 * (i % kBeat);
    return out;
}

}  // namespace

BoardDevice::BoardDevice(BoardLink& link, verif::Memory& memory) : link_(link), memory_(memory) {}

void BoardDevice::load_memory(const std::vector<verif::MemoryRange>& looked_at) {
    std::vector<verif::MemoryRange> ranges = memory_.contents();
    for (const verif::MemoryRange& range : looked_at)
        ranges.push_back(beats_around(range));
    std::string problem;
    const std::uint64_t bytes = std::uint64_t{link_.read_reg(board_reg::kMemory)} * 1024;
    const std::optional<Segments> segments = plan_segments(ranges, bytes, problem);
    if (!segments) throw BoardError("the program " + problem);
    link_.write_reg(board_reg::kReset, 1);
    std::vector<std::uint64_t> pairs;
    for (std::size_t i = 0; i < segments->size(); ++i)
        pairs.push_back(reg_beat(board_reg::kSegment + static_cast<std::uint32_t>(4 * i),
                                 (*segments)[i]));
    link_.write_regs(pairs);
    for (const verif::MemoryRange& range : ranges)
        upload(range);
}

void BoardDevice::upload(const verif::MemoryRange& range) {
    std::uint64_t fill_addr = 0, fill_beat = 0, fill_count = 0;  // equal beats, not yet sent
    const auto send_fill = [&] {
        if (fill_count != 0)
            link_.fill_memory(static_cast<std::uint32_t>(fill_addr), fill_beat, fill_count);
        fill_count = 0;
    };
    const std::uint64_t end = range.addr + range.size;
    for (std::uint64_t addr = range.addr; addr < end; addr += kChunk) {
        const auto beats = beats_of(memory_, addr, std::min(kChunk, end - addr));
        const bool equal = std::all_of(beats.begin(), beats.end(),
                                       [&](std::uint64_t beat) { return beat == beats.front(); });
        if (fill_count != 0 && (!equal || beats.front() != fill_beat)) send_fill();
        if (!equal) {
            link_.write_memory(static_cast<std::uint32_t>(addr), beats);
            continue;
        }
        if (fill_count == 0) fill_addr = addr;
        fill_beat = beats.front();
        fill_count += beats.size();
    }
    send_fill();
}

void BoardDevice::fetch_memory(const verif::MemoryRange& range) {
    flush();
    const verif::MemoryRange whole = beats_around(range);
    std::vector<std::uint8_t> bytes;
    for (const std::uint64_t beat :
         link_.read_memory(static_cast<std::uint32_t>(whole.addr),
                           static_cast<std::size_t>(whole.size / kBeat))) {
        for (unsigned i = 0; i < kBeat; ++i)
            bytes.push_back(static_cast<std::uint8_t>(beat >> 8 * i));
    }
    memory_.load(whole.addr, bytes);
}

void BoardDevice::reset() {
    posted_.clear();
    link_.write_reg(board_reg::kReset, 1);
    link_.write_reg(board_reg::kReset, 0);
    time(board_reg::kCycles);
}

void BoardDevice::flush() {
    if (posted_.empty()) return;
    const std::vector<std::uint64_t> pairs = std::move(posted_);
    posted_.clear();
    link_.write_regs(pairs);
}

void BoardDevice::csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted) {
    posted_.push_back(reg_beat(byte_addr, data));
    if (!posted || posted_.size() == kMaxBeats) flush();
}

std::uint32_t BoardDevice::csb_read(std::uint32_t byte_addr) {
    flush();
    return link_.read_reg(byte_addr);
}

std::uint64_t BoardDevice::time(std::uint32_t reg) {
    // Not more than 2^31 cycles before or behind the last one.
    const std::uint32_t value = link_.read_reg(reg);
    const auto step = static_cast<std::int32_t>(value - static_cast<std::uint32_t>(cycles_));
    std::uint64_t now = cycles_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(step));
    if (reg == board_reg::kCycles) {
        if (step < 0) now += std::uint64_t{1} << 32;
        cycles_ = now;
    }
    return now;
}

void BoardDevice::advance(int /*n*/) {
    flush();
    time(board_reg::kCycles);
}

std::uint64_t BoardDevice::last_write() {
    flush();
    return time(board_reg::kWriteTime);
}

std::uint64_t BoardDevice::interrupt_rise() {
    flush();
    return time(board_reg::kIrqTime);
}

}  // namespace macrame::fpga
