#pragma once
/// The addresses by which LOAD and STORE name entries and banks of the buffers.

#include <cstdint>
#include <optional>
#include <string_view>

#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic {

/// `scale`: words of scale memory, an entry each.
enum class Buffer { ibuf, wbuf, obuf, scale };

std::string_view buffer_name(Buffer buffer);  ///< "IBUF"
int entries(const Architecture& architecture, Buffer buffer);
int banks(const Architecture& architecture, Buffer buffer);
/// Of an element in the buffer.
int element_width(const Architecture& architecture, Buffer buffer);

struct Place {
    Buffer buffer = Buffer::ibuf;
    int entry = 0;
    int bank = 0;
};

/// Nothing for addresses of no entry or bank: OBUF1 has the lower half of OBUF only, OBUF2 the
/// upper half; scale memory is there with `requantise` only.
std::optional<Place> place_of(const Architecture& architecture, std::int64_t sram_address);

/// The address of a place that exists.
std::int64_t sram_address(const Architecture& architecture, const Place& place);

/// Bytes in memory of an element of LOAD or STORE. Narrow elements of OBUF are as inputs.
int transfer_bytes(const Architecture& architecture, Buffer buffer, bool narrow);

}  // namespace macrame::systolic
