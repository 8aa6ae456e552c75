#include "verif/systolic/isa/sram_map.hpp"

#include <array>

namespace macrame::systolic {

namespace {

/// A part of the address space: the entries of a buffer from `first`, the half of OBUF or all.
struct Region {
    std::int64_t start;
    std::int64_t size;
    Buffer buffer;
    bool upper_half;
};
constexpr std::array<Region, 5> kRegions = {{
    {0x0000000, 0x1000000, Buffer::scale, false},
    {0x1000000, 0x1000000, Buffer::ibuf, false},
    {0x2000000, 0x1000000, Buffer::wbuf, false},
    {0x3000000, 0x800000, Buffer::obuf, false},
    {0x3800000, 0x800000, Buffer::obuf, true},
}};

bool is_upper(const Architecture& a, Buffer buffer, std::int64_t entry) {
    return buffer == Buffer::obuf && entry >= a.obuf_entries / 2;
}

}  // namespace

std::string_view buffer_name(Buffer buffer) {
    constexpr std::array<std::string_view, 4> kNames = {"IBUF", "WBUF", "OBUF", "scale memory"};
    return kNames[static_cast<std::size_t>(buffer)];
}

int entries(const Architecture& a, Buffer buffer) {
    return buffer == Buffer::ibuf   ? a.ibuf_entries
           : buffer == Buffer::wbuf ? a.wbuf_entries
           : buffer == Buffer::obuf ? a.obuf_entries
           : a.requantise           ? kScaleSets * kScaleWords
                                    : 0;
}

int banks(const Architecture& a, Buffer buffer) {
    return buffer == Buffer::ibuf ? a.rows : a.columns;
}

int element_width(const Architecture& a, Buffer buffer) {
    return buffer == Buffer::ibuf   ? a.input_width
           : buffer == Buffer::wbuf ? a.weight_width
                                    : a.accumulator_width;
}

std::optional<Place> place_of(const Architecture& a, std::int64_t sram_address) {
    for (const Region& region : kRegions) {
        const std::int64_t offset = sram_address - region.start;
        if (offset < 0 || offset >= region.size) continue;
        const int bank_bits = clog2(banks(a, region.buffer));
        const std::int64_t entry = offset >> bank_bits;
        const std::int64_t bank = offset - (entry << bank_bits);
        if (entry >= entries(a, region.buffer) || bank >= banks(a, region.buffer)) break;
        if (is_upper(a, region.buffer, entry) != region.upper_half) break;
        return Place{region.buffer, static_cast<int>(entry), static_cast<int>(bank)};
    }
    return std::nullopt;
}

std::int64_t sram_address(const Architecture& a, const Place& place) {
    const bool upper = is_upper(a, place.buffer, place.entry);
    std::int64_t start = 0;
    for (const Region& region : kRegions)
        if (region.buffer == place.buffer && region.upper_half == upper) start = region.start;
    return start + (std::int64_t{place.entry} << clog2(banks(a, place.buffer))) + place.bank;
}

int transfer_bytes(const Architecture& a, Buffer buffer, bool narrow) {
    if (!narrow) return element_bytes(a.accumulator_width);
    return element_bytes(buffer == Buffer::wbuf ? a.weight_width : a.input_width);
}

}  // namespace macrame::systolic
