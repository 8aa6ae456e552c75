#include "compiler/dla/stripes.hpp"

#include <algorithm>
#include <cstddef>

#include "compiler/dla/cbuf_plan.hpp"

namespace macrame::dla::compiler {

namespace {

/// Entries of a line that CSC reads one by one, a row of the step after the other; those of the
/// position before are still there. A position takes a cycle if it needs no more.
int line_slots(int first, int end, int stride_bytes, int offset, int bytes, int rows, int entry) {
    int slots = 0, newest = -1;
    for (int x = first; x < end; ++x) {
        const int from = (x * stride_bytes + offset) / entry;
        const int to = (x * stride_bytes + offset + bytes - 1) / entry;
        const int fresh = to - std::max(from - 1, newest);
        slots += std::max(1, std::max(0, fresh) * rows);
        newest = to;
    }
    return slots;
}

std::vector<int> image_slots(const model::Architecture& sizes, const ConvLayer& conv,
                             const ConvSteps& steps, const Stripe& stripe) {
    const Pixels& pixels = std::get<Pixels>(conv.input);
    std::vector<int> out;
    for (int step = 0; step < steps.count(); ++step) {
        const int block = step / (steps.rows * steps.columns);
        const int offset = block * sizes.atomic_c;
        const int bytes = std::min(sizes.atomic_c, kernel_channels(conv) - offset);
        const int row = steps.row(step) * conv.rows_per_step;
        const int rows = std::min(conv.rows_per_step, conv.kernel_h - row);
        int slots = 0;
        for (int p = stripe.first; p < stripe.first + stripe.length;) {
            const int line = p / conv.out_w * conv.out_w;
            const int end = std::min(stripe.first + stripe.length, line + conv.out_w);
            slots += line_slots(p - line, end - line, conv.stride_w * pixels.components, offset,
                                bytes, rows, sizes.entry_bytes);
            p = end;
        }
        out.push_back(slots);
    }
    return out;
}

}  // namespace

int cacc_depth(const model::Architecture& sizes) {
    return (sizes.winograd || sizes.atomic_c / sizes.atomic_k == 4 ? 4 : 2) * sizes.atomic_k;
}

ConvSteps steps_of(const model::Architecture& sizes, const ConvLayer& conv) {
    ConvSteps out;
    out.blocks = div_up(kernel_channels(conv), sizes.atomic_c);
    out.rows = div_up(conv.kernel_h, conv.rows_per_step);
    out.columns = kernel_columns(conv);
    // Full stripes; none but a lone one is shorter than the kernels of a group, as a step takes as
    // many cycles as these.
    const int full = cacc_depth(sizes);
    int left = conv.out_w * conv.out_h;
    for (int first = 0; left > 0;) {
        int length = full;
        if (left <= full)
            length = left;
        else if (left - full <= sizes.atomic_k)
            length = sizes.atomic_k;
        out.stripes.push_back({first, length, {}});
        first += length;
        left -= length;
    }
    if (!conv.is_image()) return out;
    for (Stripe& stripe : out.stripes)
        stripe.slots = image_slots(sizes, conv, out, stripe);
    return out;
}

int least_step(const model::Architecture& sizes, const ConvLayer& conv, int kernels) {
    const int rows = conv.is_image() ? std::min(conv.rows_per_step, conv.kernel_h) : 1;
    if (!sizes.types16()) return kernels * rows;
    // A cell of two kernels per cycle, or a row of a kernel if a step has more than one.
    const int cell = rows == 1 ? 2 : 1;
    const bool saturates =
        sizes.int16 && sizes.cbuf_banks * sizes.cbuf_depth * sizes.entry_bytes > 256 * 1024;
    const int again = sizes.fp16 ? 10 : saturates ? 4 : 3;
    return std::max(div_up(kernels, cell) * rows, again);
}

std::uint64_t group_cycles(const ConvSteps& steps, int least) {
    std::uint64_t out = 0;
    for (const Stripe& stripe : steps.stripes) {
        if (stripe.slots.empty())
            out += static_cast<std::uint64_t>(steps.count()) *
                   static_cast<std::uint64_t>(std::max(stripe.length, least));
        for (const int slots : stripe.slots)
            out += static_cast<std::uint64_t>(std::max(slots, least));
    }
    return out;
}

}  // namespace macrame::dla::compiler
