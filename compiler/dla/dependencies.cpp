#include "compiler/dla/dependencies.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "compiler/dla/cbuf_plan.hpp"

namespace macrame::dla::compiler {

namespace {

/// Atoms of a cube; an image has one surface.
struct Region {
    Place place;
    std::uint64_t surfaces = 1, surface_stride = 0;
    std::uint64_t lines = 1, line_stride = 0;
    std::uint64_t line_bytes = 0;

    std::uint64_t end() const {
        return place.offset + (surfaces - 1) * surface_stride + (lines - 1) * line_stride +
               line_bytes;
    }
};

std::uint64_t wide(int n) { return static_cast<std::uint64_t>(n); }

Region region_of(const Cube& cube, int atom) {
    return {cube.place,          wide(div_up(cube.channels, atom)),
            cube.surface_stride, wide(cube.height),
            cube.line_stride,    wide(cube.width * atom)};
}

bool meet(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

/// Are its lines between two surfaces?
bool is_nested(const Region& r) {
    return r.line_stride != 0 && (r.lines - 1) * r.line_stride < r.surface_stride &&
           r.line_stride <= r.surface_stride;
}

bool overlap(const Region& a, const Region& b) {
    if (a.place.buffer != b.place.buffer) return false;
    if (a.line_stride != b.line_stride || a.surface_stride != b.surface_stride || !is_nested(a) ||
        !is_nested(b))
        return a.place.offset < b.end() && b.place.offset < a.end();
    // Parts of one cube: surfaces, lines and columns.
    const auto surface = [](const Region& r) { return r.place.offset / r.surface_stride; };
    const auto line = [](const Region& r) {
        return r.place.offset % r.surface_stride / r.line_stride;
    };
    const auto column = [](const Region& r) {
        return r.place.offset % r.surface_stride % r.line_stride;
    };
    return meet(surface(a), a.surfaces, surface(b), b.surfaces) &&
           meet(line(a), a.lines, line(b), b.lines) &&
           meet(column(a), a.line_bytes, column(b), b.line_bytes);
}

/// What a layer writes; nothing if that is not known.
std::optional<Region> written(const Layer& layer, int atom) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work))
        return region_of(conv->post.output, atom);
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work))
        return region_of(sdp->post.output, atom);
    return std::nullopt;
}

/// What a convolution or SDP alone reads of other layers.
std::vector<Region> read(const Layer& layer, int atom) {
    std::vector<Region> out;
    const PostProcess* post = nullptr;
    Cube shape;
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) {
        post = &conv->post;
        if (const Cube* cube = std::get_if<Cube>(&conv->input))
            out.push_back(region_of(*cube, atom));
        out.push_back({conv->weights, 1, 0, 1, 0, conv->weight_bytes});
    } else if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) {
        post = &sdp->post;
        out.push_back(region_of(sdp->input, atom));
    }
    if (post == nullptr) return out;
    for (const auto* operands : {&post->bs.memory, &post->bn.memory, &post->ew.memory}) {
        if (!*operands) continue;
        Cube cube = post->output;
        cube.place = (*operands)->place;
        cube.line_stride = (*operands)->line_stride;
        cube.surface_stride = (*operands)->surface_stride;
        const int record =
            ((*operands)->alu && (*operands)->mul ? 2 : 1) * ((*operands)->two_byte ? 2 : 1);
        const std::uint64_t surfaces = wide(div_up(cube.channels, atom));
        if ((*operands)->per_element) {
            out.push_back(region_of(cube, atom * record));
            out.back().surfaces = surfaces;
        } else {
            out.push_back({cube.place, 1, 0, 1, 0, surfaces * wide(atom * record)});
        }
    }
    return out;
}

}  // namespace

void limit_dependencies(const model::Architecture& sizes, std::vector<Layer>& layers) {
    const int atom = sizes.atom_bytes;
    for (Layer& layer : layers) {
        const std::vector<Region> reads = read(layer, atom);
        if (reads.empty()) continue;
        const auto needless = [&](int index) {
            const std::optional<Region> writes =
                written(layers[static_cast<std::size_t>(index)], atom);
            return writes && std::none_of(reads.begin(), reads.end(),
                                          [&](const Region& r) { return overlap(r, *writes); });
        };
        layer.after.erase(std::remove_if(layer.after.begin(), layer.after.end(), needless),
                          layer.after.end());
    }
}

}  // namespace macrame::dla::compiler
