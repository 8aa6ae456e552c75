#include "verif/systolic/check/reach.hpp"

#include <algorithm>

namespace macrame::systolic::check {

namespace {

/// Two loops over points, each in steps of one size.
struct Grid {
    std::int64_t outer, outer_step;
    std::int64_t inner, inner_step;
};

bool has_points(const Grid& grid) { return grid.outer > 0 && grid.inner > 0; }

/// Of pieces of `size` from `first` on; steps are not negative.
Span span_of(std::int64_t first, const Grid& grid, std::int64_t size) {
    if (!has_points(grid) || size <= 0) return {};
    const std::int64_t line = (grid.inner - 1) * grid.inner_step;
    Span out;
    out.begin = first;
    out.end = first + (grid.outer - 1) * grid.outer_step + line + size;
    out.all = (grid.inner == 1 || grid.inner_step <= size) &&
              (grid.outer == 1 || grid.outer_step <= line + size);
    return out;
}

Span span_of(const Intervals& intervals) {
    if (intervals.empty()) return {};
    return {intervals.front().begin, intervals.back().end, intervals.size() == 1};
}

void add(Reach& to, Buffer buffer, const Span& entries, std::int64_t first_bank, std::int64_t banks,
         bool write) {
    to.buffers[static_cast<std::size_t>(to.count++)] = {
        buffer, write, entries, {first_bank, first_bank + banks}};
}

Reach of_transfer(const Architecture& a, const Instruction& i) {
    const Transfer& t = i.transfer;
    const Place place = *place_of(a, t.sram_address);
    const std::int64_t bytes = transfer_bytes(a, place.buffer, t.bitwidth != 0);
    const std::int64_t vectors = t.x_size * t.y_size;
    Reach out;
    add(out, place.buffer, {place.entry, place.entry + vectors}, place.bank, t.z_size,
        i.module == Module::load);
    // The last vector of a row is followed by that of the next one in y_stride.
    const std::int64_t row = (t.y_size - 1) * t.z_stride + t.y_stride;
    out.memory = span_of(t.dram_address, {t.x_size, row * bytes, t.y_size, t.z_stride * bytes},
                         t.z_size * bytes);
    out.memory_write = i.module == Module::store;
    if (t.requantise != 0) {
        const std::int64_t first = t.scale_set * kScaleWords;
        add(out, Buffer::scale, {first, first + kScaleWords}, place.bank, t.z_size, false);
    }
    return out;
}

Reach of_gemm(const Architecture& a, const Instruction& i) {
    const Gemm& g = i.gemm;
    const Grid pixels = {g.ofmap_height - g.pad_top - g.pad_bottom, g.stride_h,
                         g.ofmap_width - g.pad_left - g.pad_right, g.stride_w};
    Span inputs = span_of(g.input_address + g.pad_top * g.stride_h + g.pad_left * g.stride_w,
                          pixels, 1);
    const std::int64_t depth = a.ibuf_entries;
    if (inputs.begin / depth == (inputs.end - 1) / depth) {
        const std::int64_t turns = inputs.begin / depth * depth;
        inputs = {inputs.begin - turns, inputs.end - turns, inputs.all};
    } else if (inputs.end > inputs.begin) {
        // Behind the last entry comes the first one.
        inputs = span_of(accesses(a, i).buffers.front().entries);
    }
    Reach out;
    add(out, Buffer::ibuf, inputs, 0, g.active_rows, false);
    add(out, Buffer::wbuf, {g.weight_address, g.weight_address + g.active_rows}, 0, g.active_cols,
        false);
    add(out, Buffer::obuf,
        {g.output_address, g.output_address + g.ofmap_height * g.ofmap_width}, 0, g.active_cols,
        true);
    return out;
}

Reach of_alu(const Alu& alu) {
    const Grid outputs = {alu.output_height, alu.mem_stride_ow, alu.output_width,
                          alu.mem_stride_r};
    const Grid window = {alu.window_height, alu.mem_stride_s, 1, 0};
    Span inputs = span_of(alu.input_address, outputs, 1);
    const Span taps = span_of(0, window, alu.window_width);
    if (taps.end == 0) {
        inputs = {};
    } else if (inputs.end > inputs.begin) {
        inputs.end += taps.end - 1;
        inputs.all = inputs.all && taps.all;
    }
    const std::int64_t to = alu.output_address;
    Reach out;
    add(out, Buffer::obuf, inputs, 0, alu.num_active, false);
    add(out, Buffer::obuf, {to, to + alu.output_height * alu.output_width}, 0, alu.num_active,
        true);
    return out;
}

bool holds(const Span& span, std::int64_t point) {
    return point >= span.begin && point < span.end;
}

Meeting meeting(const Span& a, const Span& b) {
    if (std::max(a.begin, b.begin) >= std::min(a.end, b.end)) return Meeting::no;
    const bool end_in = (a.all && (holds(a, b.begin) || holds(a, b.end - 1))) ||
                        (b.all && (holds(b, a.begin) || holds(b, a.end - 1)));
    return end_in || a.begin == b.begin || a.end == b.end ? Meeting::yes : Meeting::perhaps;
}

/// Of a buffer that both touch and one of them writes.
Meeting meeting(const BufferReach& a, const BufferReach& b) {
    if (a.buffer != b.buffer || !(a.write || b.write)) return Meeting::no;
    if (a.banks.begin >= b.banks.end || b.banks.begin >= a.banks.end) return Meeting::no;
    return meeting(a.entries, b.entries);
}

}  // namespace

Reach reach(const Architecture& architecture, const Instruction& instruction) {
    if (is_nop(instruction)) return {};
    if (instruction.module == Module::gemm) return of_gemm(architecture, instruction);
    if (instruction.module == Module::alu) return of_alu(instruction.alu);
    return of_transfer(architecture, instruction);
}

Meeting meeting(const Reach& earlier, const Reach& later) {
    Meeting out = Meeting::no;
    for (int a = 0; a < earlier.count; ++a) {
        for (int b = 0; b < later.count; ++b) {
            const Meeting one = meeting(earlier.buffers[static_cast<std::size_t>(a)],
                                        later.buffers[static_cast<std::size_t>(b)]);
            if (one == Meeting::yes) return one;
            if (one == Meeting::perhaps) out = one;
        }
    }
    if (!earlier.memory_write && !later.memory_write) return out;
    const Meeting memory = meeting(earlier.memory, later.memory);
    return memory == Meeting::no ? out : memory;
}

}  // namespace macrame::systolic::check
