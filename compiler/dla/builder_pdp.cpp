/// PDP, and clamps behind layers that do not.

#include <algorithm>
#include <utility>

#include "compiler/dla/builder.hpp"
#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/limits.hpp"

namespace macrame::dla::compiler {

namespace {

/// Parts of the height whose input has no more lines than registers count.
int parts_of_height(const PdpLayer& pdp) {
    const int most = (most_size() - pdp.kernel_h) / pdp.stride_h + 1;
    return pdp.input.height <= most_size() ? 1 : div_up(pdp.output.height, most);
}

/// One axis of a part: input from `begin`, `size` long, with padding.
struct Span {
    int begin, size, before, after;
};
Span span_of(int input, int first, int count, int kernel, int stride, int before) {
    const int from = first * stride - before, to = (first + count - 1) * stride - before + kernel;
    const int begin = std::max(from, 0), end = std::min(to, input);
    return {begin, end - begin, begin - from, to - end};
}

}  // namespace

std::vector<int> Builder::add_pdp(const PdpLayer& whole, const std::vector<int>& after) {
    std::vector<int> made;
    // As many columns at a time as fit, equal lines and channels.
    const int parts = div_up(whole.output.width, most_pool_columns(whole.kernel_h, whole.stride_h));
    const int channels = std::min(most_size(), whole.input.channels);
    const int height = div_up(whole.output.height, parts_of_height(whole));
    const auto add_part = [&](int c, int y, int x, int width) {
        const int lines = std::min(height, whole.output.height - y);
        const Span rows =
            span_of(whole.input.height, y, lines, whole.kernel_h, whole.stride_h, whole.top);
        const Span columns =
            span_of(whole.input.width, x, width, whole.kernel_w, whole.stride_w, whole.left);
        const int lanes = std::min(channels, whole.input.channels - c);
        PdpLayer pdp = whole;
        pdp.input = part_of(sizes_, block(sizes_, whole.input, c, lanes), rows.begin, columns.begin,
                            rows.size, columns.size);
        pdp.output = part_of(sizes_, block(sizes_, whole.output, c, lanes), y, x, lines, width);
        pdp.top = rows.before;
        pdp.bottom = rows.after;
        pdp.left = columns.before;
        pdp.right = columns.after;
        made.push_back(add(pdp, after));
    };
    for (int c = 0; c < whole.input.channels; c += channels) {
        for (int y = 0; y < whole.output.height; y += height) {
            for (int i = 0, x = 0; i < parts; ++i) {
                const int width = (whole.output.width - x) / (parts - i);
                add_part(c, y, x, width);
                x += width;
            }
        }
    }
    return made;
}

std::vector<int> Builder::add_clamp(const Cube& in, const Cube& out, int low, int high,
                                    const std::vector<int>& after) {
    if (!sizes_.sdp_bs || !sizes_.sdp_bn)
        throw Unsupported{"activation: want sdp-bs-enable and sdp-bn-enable"};
    PostProcess clamp;
    clamp.output = out;
    const auto limit = [](XRegisters& stage, AluFunction function, int value) {
        stage.bypass = stage.alu_bypass = false;
        stage.function = function;
        stage.alu_value = value;
    };
    if (low > -128) limit(clamp.bs, AluFunction::maximum, low);
    if (high < 127) limit(clamp.bn, AluFunction::minimum, high);
    return add_sdp(in, std::move(clamp), after);
}

}  // namespace macrame::dla::compiler
