#include "verif/systolic/isa/accesses.hpp"

#include <algorithm>

#include "verif/systolic/isa/walk.hpp"

namespace macrame::systolic {

namespace {

/// Adds what most often follows the last one without a gap.
void append(std::vector<Interval>& to, std::int64_t begin, std::int64_t end) {
    if (!to.empty() && to.back().end == begin)
        to.back().end = end;
    else
        to.push_back({begin, end});
}

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
    std::vector<Interval> memory;
    for_vectors(i.transfer, bytes, [&](std::int64_t address, std::int64_t) {
        append(memory, address, address + i.transfer.z_size * bytes);
    });
    out.memory = joined(std::move(memory));
    if (i.transfer.requantise != 0) {
        const std::int64_t first = i.transfer.scale_set * kScaleWords;
        out.buffers.push_back(access(Buffer::scale, {{first, first + kScaleWords}},
                                     {place.bank, place.bank + i.transfer.z_size}, false));
    }
    return out;
}

Accesses of_gemm(const Architecture& a, const Gemm& g) {
    std::vector<Interval> inputs;
    if (g.stride_w == 1) {
        const std::int64_t width = g.ofmap_width - g.pad_left - g.pad_right;
        for (std::int64_t y = g.pad_top; y < g.ofmap_height - g.pad_bottom && width > 0; ++y) {
            // Behind the last entry comes the first one.
            const std::int64_t begin =
                (g.input_address + y * g.stride_h + g.pad_left) % a.ibuf_entries;
            const std::int64_t end = std::min<std::int64_t>(begin + width, a.ibuf_entries);
            append(inputs, begin, end);
            for (std::int64_t left = begin + width - end; left > 0; left -= a.ibuf_entries)
                append(inputs, 0, std::min<std::int64_t>(left, a.ibuf_entries));
        }
    } else {
        for_pixels(a, g, [&](std::int64_t, std::int64_t entry, bool padded) {
            if (!padded) append(inputs, entry, entry + 1);
        });
    }
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
            append(inputs, from, from + alu.window_width);
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
    const auto before = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
    if (!std::is_sorted(intervals.begin(), intervals.end(), before))
        std::sort(intervals.begin(), intervals.end(), before);
    std::size_t count = 0;
    for (const Interval& piece : intervals) {
        if (count > 0 && piece.begin <= intervals[count - 1].end)
            intervals[count - 1].end = std::max(intervals[count - 1].end, piece.end);
        else
            intervals[count++] = piece;
    }
    intervals.resize(count);
    return intervals;
}

std::int64_t common_point(const Intervals& a, const Intervals& b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const std::int64_t begin = std::max(a[i].begin, b[j].begin);
        if (begin < std::min(a[i].end, b[j].end)) return begin;
        ++(a[i].end < b[j].end ? i : j);
    }
    return -1;
}

}  // namespace macrame::systolic
