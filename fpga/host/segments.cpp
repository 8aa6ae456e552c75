#include "fpga/host/segments.hpp"

#include <algorithm>
#include <map>

#include "verif/common/text.hpp"

namespace macrame::fpga {

namespace {

constexpr int kUsualPageBits = 12, kSmallPageBits = 9;
constexpr int kSegmentBits = 28;

}  // namespace

int page_bits(std::uint64_t memory_bytes) {
    return memory_bytes < kSmallMemory ? kSmallPageBits : kUsualPageBits;
}

std::optional<Segments> plan_segments(const std::vector<verif::MemoryRange>& ranges,
                                      std::uint64_t memory_bytes, std::string& problem) {
    const int bits = page_bits(memory_bytes);
    const std::uint64_t places = memory_bytes >> bits;
    const std::string too_small = "does not fit the memory of the board, " +
                                  verif::text::shortest(memory_bytes / 1024) + " KiB";
    // Of each segment: places modulo the memory, and the page that is there.
    std::array<std::map<std::uint64_t, std::uint64_t>, 16> pages;
    for (const verif::MemoryRange& range : ranges) {
        if (range.size == 0) continue;
        const std::uint64_t last = range.addr + range.size - 1;
        if (last >> 32 != 0) {
            problem = "address " + verif::text::hex(last) + ": want addresses of 32 bits";
            return std::nullopt;
        }
        for (std::uint64_t page = range.addr >> bits; page <= last >> bits; ++page) {
            auto& segment = pages[static_cast<std::size_t>(page >> (kSegmentBits - bits))];
            if (segment.emplace(page % places, page).first->second == page) continue;
            problem = too_small;
            return std::nullopt;
        }
    }
    Segments out{};
    std::vector<bool> used(static_cast<std::size_t>(places), false);
    for (std::size_t segment = 0; segment < pages.size(); ++segment) {
        if (pages[segment].empty()) continue;
        const auto fits = [&](std::uint64_t base) {
            return std::none_of(
                pages[segment].begin(), pages[segment].end(), [&](const auto& page) {
                    return used[static_cast<std::size_t>((page.first + base) % places)];
                });
        };
        std::uint64_t base = 0;
        while (base < places && !fits(base))
            ++base;
        if (base == places) {
            problem = too_small;
            return std::nullopt;
        }
        for (const auto& page : pages[segment])
            used[static_cast<std::size_t>((page.first + base) % places)] = true;
        out[segment] = static_cast<std::uint16_t>(base);
    }
    return out;
}

}  // namespace macrame::fpga
