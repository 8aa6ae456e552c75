#include "compiler/dla/lines.hpp"

#include <algorithm>

namespace macrame::dla::compiler {

namespace {

/// Lines of a cube or an image from there on.
template <class Input>
void skip_lines(Input& input, int first) {
    input.place.offset += static_cast<std::uint64_t>(first) * input.line_stride;
}

}  // namespace

ConvLayer lines_of(const ConvLayer& whole, int first, int count) {
    if (count == whole.out_h) return whole;
    ConvLayer part = whole;
    const int span = (whole.kernel_h - 1) * whole.dilation_h + 1;
    const int height = std::visit([](const auto& in) { return in.height; }, whole.input);
    const int from = first * whole.stride_h - whole.top;
    const int to = (first + count - 1) * whole.stride_h - whole.top + span;
    const int begin = std::max(from, 0);
    const int end = std::min(to, height);
    part.top = begin - from;
    part.bottom = to - end;
    part.out_h = count;
    std::visit(
        [&](auto& in) {
            in.height = end - begin;
            skip_lines(in, begin);
        },
        part.input);
    Cube& out = part.post.output;
    out.height = count;
    skip_lines(out, first);
    return part;
}

SdpLayer lines_of(const SdpLayer& whole, int first, int count) {
    SdpLayer part = whole;
    for (Cube* cube : {&part.input, &part.post.output}) {
        skip_lines(*cube, first);
        cube->height = count;
    }
    for (auto* operands : {&part.post.bs.memory, &part.post.bn.memory, &part.post.ew.memory})
        if (*operands && (*operands)->per_element) skip_lines(**operands, first);
    return part;
}

bool is_legal(const model::DeviceSizes& sizes, const Cube& cube) {
    return cube.width > 1 || cube.height > 1 || cube.channels <= sizes.atom_bytes ||
           cube.surface_stride == static_cast<std::uint32_t>(sizes.atom_bytes);
}

bool is_legal(const model::DeviceSizes& sizes, const ConvLayer& conv) {
    const Cube* input = std::get_if<Cube>(&conv.input);
    return is_legal(sizes, conv.post.output) && (input == nullptr || is_legal(sizes, *input));
}

bool is_legal(const model::DeviceSizes& sizes, const SdpLayer& sdp) {
    return is_legal(sizes, sdp.input) && is_legal(sizes, sdp.post.output);
}

}  // namespace macrame::dla::compiler
