#include "fpga/host/board_device.hpp"

#include <utility>

#include "fpga/host/board_memory.hpp"

namespace macrame::fpga {

BoardDevice::BoardDevice(BoardLink& link, verif::Memory& memory) : link_(link), memory_(memory) {}

void BoardDevice::load_memory(const std::vector<verif::MemoryRange>& looked_at) {
    std::vector<verif::MemoryRange> ranges = memory_.contents();
    for (const verif::MemoryRange& range : looked_at)
        ranges.push_back(beats_around(range));
    link_.write_reg(board_reg::kReset, 1);
    map_memory(link_, ranges);
    for (const verif::MemoryRange& range : ranges)
        upload(link_, range.addr, memory_.dump(range.addr, range.size));
}

void BoardDevice::fetch_memory(const verif::MemoryRange& range) {
    flush();
    const verif::MemoryRange whole = beats_around(range);
    memory_.load(whole.addr, download(link_, whole));
}

void BoardDevice::store_memory(const verif::MemoryRange& range) {
    flush();
    const verif::MemoryRange whole = beats_around(range);
    upload(link_, whole.addr, memory_.dump(whole.addr, whole.size));
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
