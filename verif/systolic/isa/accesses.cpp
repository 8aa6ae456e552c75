#include "verif/systolic/isa/accesses.hpp"

#include <algorithm>

#include "verif/systolic/isa/walk.hpp"

namespace macrame::systolic {

namespace {

BufferAccess access(Buffer buffer, std::vector<Interval> entries, Interval banks, bool write) {
    return {buffer, joined(std::move(entries)), banks, write};
}

Accesses of_transfer(const Architecture& a, const Instruction& i) {
    const Place place = *place_of(a, i.transfer.sram_address);
    const std::int64_t bytes = transfer_bytes(a, place.buffer, i.transfer.bitwidth != 0);
    const std::int64_t vectors = i.transfer.x_size * i.transfer.y_size;
    Accesses out;
    out.memory_write = i.module == Module::store;
    out.buffers.push_back(access(place.buffer, {{place.entry, place.entry + vectors}},
                                 {place.bank, place.bank + i.transfer.z_size},
                                 i.module == Module::load));
    for_vectors(i.transfer, bytes, [&](std::int64_t address, std::int64_t) {
        out.memory.push_back({address, address + i.transfer.z_size * bytes});
    });
    out.memory = joined(std::move(out.memory));
    if (i.transfer.requantise != 0) {
        const std::int64_t first = i.transfer.scale_set * kScaleWords;
        out.buffers.push_back(access(Buffer::scale, {{first, first + kScaleWords}},
                                     {place.bank, place.bank + i.transfer.z_size}, false));
    }
    return out;
}

Accesses of_gemm(const Architecture& a, const Gemm& g) {
    std::vector<Interval> inputs;
    for_pixels(a, g, [&](std::int64_t, std::int64_t entry, bool padded) {
        if (!padded) inputs.push_back({entry, entry + 1});
    });
    const std::vector<Interval> outputs = {
        {g.output_address, g.output_address + g.ofmap_height * g.ofmap_width}};
    const Interval rows = {0, g.active_rows};
    const Interval columns = {0, g.active_cols};
    Accesses out;
    out.buffers.push_back(access(Buffer::ibuf, std::move(inputs), rows, false));
    out.buffers.push_back(access(
        Buffer::wbuf, {{g.weight_address, g.weight_address + g.active_rows}}, columns, false));
    out.buffers.push_back(access(Buffer::obuf, outputs, columns, true));
    return out;
}

Accesses of_alu(const Alu& alu) {
    std::vector<Interval> inputs;
    for_windows(alu, [&](std::int64_t, std::int64_t start) {
        for (std::int64_t k = 0; k < alu.window_height; ++k) {
            const std::int64_t from = start + k * alu.mem_stride_s;
            inputs.push_back({from, from + alu.window_width});
        }
    });
    const std::int64_t to = alu.output_address;
    const Interval lanes = {0, alu.num_active};
    Accesses out;
    out.buffers.push_back(access(Buffer::obuf, std::move(inputs), lanes, false));
    out.buffers.push_back(
        access(Buffer::obuf, {{to, to + alu.output_height * alu.output_width}}, lanes, true));
    return out;
}

}  // namespace

Accesses accesses(const Architecture& architecture, const Instruction& instruction) {
    if (is_nop(instruction)) return {};
    if (instruction.module == Module::gemm) return of_gemm(architecture, instruction.gemm);
    if (instruction.module == Module::alu) return of_alu(instruction.alu);
    return of_transfer(architecture, instruction);
}

std::vector<Interval> joined(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::vector<Interval> out;
    for (const Interval& piece : intervals) {
        if (!out.empty() && piece.begin <= out.back().end) {
            out.back().end = std::max(out.back().end, piece.end);
        } else {
            out.push_back(piece);
        }
    }
    return out;
}

std::int64_t common_point(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const std::int64_t begin = std::max(a[i].begin, b[j].begin);
        if (begin < std::min(a[i].end, b[j].end)) return begin;
        ++(a[i].end < b[j].end ? i : j);
    }
    return -1;
}

}  // namespace macrame::systolic
