#pragma once
/// The loops of the instructions, in their order.

#include <cstdint>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic {

/// `each(address, n)` for the vectors of LOAD and STORE: the byte address, and the number of the
/// vector, which is that of its entry.
template <typename Each>
void for_vectors(const Transfer& t, std::int64_t element_bytes, Each each) {
    std::int64_t address = t.dram_address;
    for (std::int64_t x = 0; x < t.x_size; ++x) {
        for (std::int64_t y = 0; y < t.y_size; ++y) {
            each(address, x * t.y_size + y);
            address += (y + 1 < t.y_size ? t.z_stride : t.y_stride) * element_bytes;
        }
    }
}

/// `each(t, entry, padded)` for the time steps of GEMM: the entry of IBUF, or zeros in its place.
template <typename Each>
void for_pixels(const Architecture& a, const Gemm& g, Each each) {
    for (std::int64_t oh = 0; oh < g.ofmap_height; ++oh) {
        for (std::int64_t ow = 0; ow < g.ofmap_width; ++ow) {
            const bool padded = oh < g.pad_top || ow < g.pad_left ||
                                g.ofmap_height - 1 - oh < g.pad_bottom ||
                                g.ofmap_width - 1 - ow < g.pad_right;
            const std::int64_t at = g.input_address + oh * g.stride_h + ow * g.stride_w;
            each(oh * g.ofmap_width + ow, at % a.ibuf_entries, padded);
        }
    }
}

/// `each(p, start)` for the outputs of ALU: the number of the pixel, and the first entry of its
/// window.
template <typename Each>
void for_windows(const Alu& alu, Each each) {
    for (std::int64_t i = 0; i < alu.output_height; ++i) {
        for (std::int64_t j = 0; j < alu.output_width; ++j) {
            each(i * alu.output_width + j,
                 alu.input_address + i * alu.mem_stride_ow + j * alu.mem_stride_r);
        }
    }
}

}  // namespace macrame::systolic
