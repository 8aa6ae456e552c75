/// Tensors in the memory of a program.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "compiler/program/program.hpp"

namespace macrame::program {

namespace {

/// Calls `see(channel, address)` for every element and the fillers behind the channels.
template <class See>
void for_elements(const Tensor& t, See&& see) {
    const std::uint32_t channels = (t.channels + t.group - 1) / t.group * t.group;
    for (std::uint32_t y = 0; y < t.height; ++y) {
        for (std::uint32_t x = 0; x < t.width; ++x) {
            for (std::uint32_t c = 0; c < channels; ++c) {
                see(c, t.offset + c / t.group * std::uint64_t{t.surface_stride} +
                           y * std::uint64_t{t.line_stride} + x * std::uint64_t{t.pixel_stride} +
                           c % t.group * static_cast<std::uint64_t>(element_bytes(t.element)));
            }
        }
    }
}

}  // namespace

std::uint64_t span(const Tensor& t) {
    const std::uint32_t surfaces = (t.channels + t.group - 1) / t.group;
    return std::uint64_t{surfaces - 1} * t.surface_stride +
           std::uint64_t{t.height - 1} * t.line_stride + std::uint64_t{t.width} * t.pixel_stride;
}

std::vector<std::uint8_t> packed(const Tensor& tensor, const std::uint8_t* memory) {
    const auto size = static_cast<std::ptrdiff_t>(element_bytes(tensor.element));
    std::vector<std::uint8_t> out;
    for_elements(tensor, [&](std::uint32_t c, std::uint64_t address) {
        if (c < tensor.channels) out.insert(out.end(), memory + address, memory + address + size);
    });
    return out;
}

void put(const Tensor& tensor, const std::vector<std::uint8_t>& packed, std::uint8_t* memory) {
    const auto size = static_cast<std::size_t>(element_bytes(tensor.element));
    const std::uint8_t* from = packed.data();
    for_elements(tensor, [&](std::uint32_t c, std::uint64_t address) {
        if (c >= tensor.channels) {
            std::memset(memory + address, static_cast<std::uint8_t>(tensor.filler), size);
            return;
        }
        std::memcpy(memory + address, from, size);
        from += size;
    });
}

}  // namespace macrame::program
