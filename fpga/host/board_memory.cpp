#include "fpga/host/board_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "fpga/host/segments.hpp"

namespace macrame::fpga {

namespace {

constexpr std::uint64_t kBeat = 8;
constexpr std::size_t kChunk = kBeat * kMaxBeats;

/// Bytes from..to as beats.
std::vector<std::uint64_t> beats_of(const std::vector<std::uint8_t>& bytes, std::size_t from,
                                    std::size_t to) {
    std::vector<std::uint64_t> out((to - from) / kBeat, 0);
    for (std::size_t i = from; i < to; ++i)
        out[(i - from) / kBeat] |= std::uint64_t{bytes[i]} << 8 * ((i - from) % kBeat);
    return out;
}

}  // namespace

verif::MemoryRange beats_around(const verif::MemoryRange& range) {
    const std::uint64_t first = range.addr / kBeat * kBeat;
    const std::uint64_t end = (range.addr + range.size + kBeat - 1) / kBeat * kBeat;
    return {first, end - first};
}

void map_memory(BoardLink& link, const std::vector<verif::MemoryRange>& ranges) {
    std::string problem;
    const std::uint64_t bytes = std::uint64_t{link.read_reg(board_reg::kMemory)} * 1024;
    const std::optional<Segments> segments = plan_segments(ranges, bytes, problem);
    if (!segments) throw BoardError("the program " + problem);
    std::vector<std::uint64_t> pairs;
    for (std::size_t i = 0; i < segments->size(); ++i)
        pairs.push_back(
            reg_beat(board_reg::kSegment + static_cast<std::uint32_t>(4 * i), (*segments)[i]));
    link.write_regs(pairs);
}

void upload(BoardLink& link, std::uint64_t addr, const std::vector<std::uint8_t>& bytes) {
    std::uint64_t fill_addr = 0, fill_beat = 0, fill_count = 0;  // equal beats, not yet sent
    const auto send_fill = [&] {
        if (fill_count != 0)
            link.fill_memory(static_cast<std::uint32_t>(fill_addr), fill_beat, fill_count);
        fill_count = 0;
    };
    for (std::size_t at = 0; at < bytes.size(); at += kChunk) {
        const auto beats = beats_of(bytes, at, std::min(at + kChunk, bytes.size()));
        const bool equal = std::all_of(beats.begin(), beats.end(),
                                       [&](std::uint64_t beat) { return beat == beats.front(); });
        if (fill_count != 0 && (!equal || beats.front() != fill_beat)) send_fill();
        if (!equal) {
            link.write_memory(static_cast<std::uint32_t>(addr + at), beats);
            continue;
        }
        if (fill_count == 0) fill_addr = addr + at;
        fill_beat = beats.front();
        fill_count += beats.size();
    }
    send_fill();
}

std::vector<std::uint8_t> download(BoardLink& link, const verif::MemoryRange& range) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint64_t beat :
         link.read_memory(static_cast<std::uint32_t>(range.addr),
                          static_cast<std::size_t>(range.size / kBeat))) {
        for (unsigned i = 0; i < kBeat; ++i)
            bytes.push_back(static_cast<std::uint8_t>(beat >> 8 * i));
    }
    return bytes;
}

}  // namespace macrame::fpga
