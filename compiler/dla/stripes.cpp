#include "compiler/dla/stripes.hpp"

#include <algorithm>
#include <cstddef>

#include "compiler/dla/cbuf_plan.hpp"

namespace macrame::dla::compiler {

namespace {

/// Entries of a line that CSC reads one by one, a row of the step after the other; those of the
/// position before are still there. A position takes a cycle if it needs no more.
class LineSlots {
public:
    LineSlots(const model::Architecture& sizes, const ConvLayer& conv, int offset, int bytes,
              int rows)
        : first_(static_cast<std::size_t>(conv.out_w)), before_(first_.size() + 1) {
        const int stride = conv.stride_w * std::get<Pixels>(conv.input).components;
        int newest = -1;
        for (std::size_t x = 0; x < first_.size(); ++x) {
            const int begin = static_cast<int>(x) * stride + offset;
            const int from = begin / sizes.entry_bytes;
            const int to = (begin + bytes - 1) / sizes.entry_bytes;
            const auto slots = [&](int there) {
                return std::max(1, std::max(0, to - std::max(from - 1, there)) * rows);
            };
            first_[x] = slots(-1);
            before_[x + 1] = before_[x] + slots(newest);
            newest = to;
        }
    }

    /// Of positions first .. end - 1.
    int of(int first, int end) const {
        const auto at = static_cast<std::size_t>(first);
        return first_[at] + before_[static_cast<std::size_t>(end)] - before_[at + 1];
    }

private:
    std::vector<int> first_;   ///< of each position, with nothing before it
    std::vector<int> before_;  ///< of all positions in front of each
};

std::vector<LineSlots> line_slots(const model::Architecture& sizes, const ConvLayer& conv,
                                  const ConvSteps& steps) {
    std::vector<LineSlots> out;
    for (int step = 0; step < steps.count(); ++step) {
        const int block = step / (steps.rows * steps.columns);
        const int offset = block * sizes.atomic_c;
        const int bytes = std::min(sizes.atomic_c, kernel_channels(conv) - offset);
        const int row = steps.row(step) * conv.rows_per_step;
        out.emplace_back(sizes, conv, offset, bytes,
                         std::min(conv.rows_per_step, conv.kernel_h - row));
    }
    return out;
}

std::vector<int> image_slots(const ConvLayer& conv, const std::vector<LineSlots>& lines,
                             const Stripe& stripe) {
    std::vector<int> out;
    for (const LineSlots& own : lines) {
        int slots = 0;
        for (int p = stripe.first; p < stripe.first + stripe.length;) {
            const int line = p / conv.out_w * conv.out_w;
            const int end = std::min(stripe.first + stripe.length, line + conv.out_w);
            slots += own.of(p - line, end - line);
            p = end;
        }
        out.push_back(slots);
    }
    return out;
}

/// Each stripe of an image on its own.
ConvSteps with_slots(const model::Architecture& sizes, const ConvLayer& conv,
                     const ConvSteps& steps) {
    const std::vector<LineSlots> lines = line_slots(sizes, conv, steps);
    ConvSteps out{steps.blocks, steps.rows, steps.columns, {}};
    for (const Stripe& alike : steps.stripes) {
        for (int i = 0; i < alike.count; ++i) {
            out.stripes.push_back({alike.first + i * alike.length, alike.length, 1, {}});
            out.stripes.back().slots = image_slots(conv, lines, out.stripes.back());
        }
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
    const int positions = conv.out_w * conv.out_h;
    const int many = std::max(0, div_up(positions - full - sizes.atomic_k, full));
    int first = many * full, left = positions - first;
    if (many > 0) out.stripes.push_back({0, full, many, {}});
    while (left > 0) {
        const int length = left <= full ? left : sizes.atomic_k;
        out.stripes.push_back({first, length, 1, {}});
        first += length;
        left -= length;
    }
    return conv.is_image() ? with_slots(sizes, conv, out) : out;
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
            out += static_cast<std::uint64_t>(stripe.count) *
                   static_cast<std::uint64_t>(steps.count()) *
                   static_cast<std::uint64_t>(std::max(stripe.length, least));
        for (const int slots : stripe.slots)
            out += static_cast<std::uint64_t>(std::max(slots, least));
    }
    return out;
}

}  // namespace macrame::dla::compiler
