#include "compiler/dla/tiling.hpp"

#include <algorithm>

namespace macrame::dla::compiler {

namespace {

/// Lines of a cube or an image from there on.
template <class Input>
void skip_lines(Input& input, int first) {
    input.place.offset += static_cast<std::uint64_t>(first) * input.line_stride;
}

/// Columns of a cube, or of operands of a byte per element.
template <class Columns>
void skip_columns(const model::Architecture& sizes, Columns& columns, int first) {
    columns.place.offset +=
        static_cast<std::uint64_t>(first) * static_cast<unsigned>(sizes.atom_bytes);
}

/// Those that lie as the output does.
std::vector<Operands*> per_element(PostProcess& post) {
    std::vector<Operands*> out;
    for (auto* operands : {&post.bs.memory, &post.bn.memory, &post.ew.memory})
        if (*operands && (*operands)->per_element) out.push_back(&**operands);
    return out;
}

/// What windows of an axis read.
struct Reach {
    int begin, end, before, after;  ///< of the input, padding
};
Reach reach(int size, int first, int count, int stride, int before, int span) {
    const int from = first * stride - before;
    const int to = (first + count - 1) * stride - before + span;
    const int begin = std::max(from, 0), end = std::min(to, size);
    return {begin, end, begin - from, to - end};
}

}  // namespace

ConvLayer lines_of(const ConvLayer& whole, int first, int count) {
    if (count == whole.out_h) return whole;
    ConvLayer part = whole;
    const int span = (whole.kernel_h - 1) * whole.dilation_h + 1;
    const int height = std::visit([](const auto& in) { return in.height; }, whole.input);
    const Reach rows = reach(height, first, count, whole.stride_h, whole.top, span);
    part.top = rows.before;
    part.bottom = rows.after;
    part.out_h = count;
    std::visit(
        [&](auto& in) {
            in.height = rows.end - rows.begin;
            skip_lines(in, rows.begin);
        },
        part.input);
    Cube& out = part.post.output;
    out.height = count;
    skip_lines(out, first);
    for (Operands* operands : per_element(part.post))
        skip_lines(*operands, first);
    return part;
}

SdpLayer lines_of(const SdpLayer& whole, int first, int count) {
    SdpLayer part = whole;
    for (Cube* cube : {&part.input, &part.post.output}) {
        skip_lines(*cube, first);
        cube->height = count;
    }
    for (Operands* operands : per_element(part.post))
        skip_lines(*operands, first);
    return part;
}

ConvLayer columns_of(const model::Architecture& sizes, const ConvLayer& whole, int first,
                     int count) {
    if (count == whole.out_w) return whole;
    ConvLayer part = whole;
    Cube& in = std::get<Cube>(part.input);
    const int span = (whole.kernel_w - 1) * whole.dilation_w + 1;
    const Reach columns = reach(in.width, first, count, whole.stride_w, whole.left, span);
    part.left = columns.before;
    part.right = columns.after;
    in.width = columns.end - columns.begin;
    skip_columns(sizes, in, columns.begin);
    part.out_w = part.post.output.width = count;
    skip_columns(sizes, part.post.output, first);
    for (Operands* operands : per_element(part.post))
        skip_columns(sizes, *operands, first);
    return part;
}

SdpLayer columns_of(const model::Architecture& sizes, const SdpLayer& whole, int first, int count) {
    SdpLayer part = whole;
    for (Cube* cube : {&part.input, &part.post.output}) {
        skip_columns(sizes, *cube, first);
        cube->width = count;
    }
    for (Operands* operands : per_element(part.post))
        skip_columns(sizes, *operands, first);
    return part;
}

bool is_legal(const model::Architecture& sizes, const Cube& cube) {
    return cube.width > 1 || cube.height > 1 || cube.channels <= sizes.atom_bytes ||
           cube.surface_stride == static_cast<std::uint32_t>(sizes.atom_bytes);
}

bool is_legal(const model::Architecture& sizes, const ConvLayer& conv) {
    const Cube* input = std::get_if<Cube>(&conv.input);
    return is_legal(sizes, conv.post.output) && (input == nullptr || is_legal(sizes, *input));
}

bool is_legal(const model::Architecture& sizes, const SdpLayer& sdp) {
    return is_legal(sizes, sdp.input) && is_legal(sizes, sdp.post.output);
}

}  // namespace macrame::dla::compiler
