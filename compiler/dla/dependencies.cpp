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

/// A region with all that is compared of it: it is with those of many layers.
struct Extent {
    explicit Extent(const Region& r) : region(r), end(r.end()), nested(is_nested(r)) {
        if (!nested) return;
        surface = r.place.offset / r.surface_stride;
        line = r.place.offset % r.surface_stride / r.line_stride;
        column = r.place.offset % r.surface_stride % r.line_stride;
    }

    Region region;
    std::uint64_t end;
    bool nested;  ///< then it begins at these
    std::uint64_t surface = 0, line = 0, column = 0;
};

bool overlap(const Extent& one, const Extent& other) {
    const Region &a = one.region, &b = other.region;
    if (a.place.buffer != b.place.buffer) return false;
    if (a.line_stride != b.line_stride || a.surface_stride != b.surface_stride || !one.nested ||
        !other.nested)
        return a.place.offset < other.end && b.place.offset < one.end;
    // Parts of one cube: surfaces, lines and columns.
    return meet(one.surface, a.surfaces, other.surface, b.surfaces) &&
           meet(one.line, a.lines, other.line, b.lines) &&
           meet(one.column, a.line_bytes, other.column, b.line_bytes);
}

/// What a layer writes; nothing if that is not known.
std::optional<Extent> written(const Layer& layer, int atom) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work))
        return Extent(region_of(conv->post.output, atom));
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work))
        return Extent(region_of(sdp->post.output, atom));
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
    std::vector<std::optional<Extent>> writes;
    writes.reserve(layers.size());
    for (const Layer& layer : layers)
        writes.push_back(written(layer, atom));
    std::vector<Extent> reads;
    for (Layer& layer : layers) {
        reads.clear();
        for (const Region& region : read(layer, atom))
            reads.emplace_back(region);
        if (reads.empty()) continue;
        const auto needless = [&](int index) {
            const std::optional<Extent>& other = writes[static_cast<std::size_t>(index)];
            return other && std::none_of(reads.begin(), reads.end(),
                                         [&](const Extent& r) { return overlap(r, *other); });
        };
        layer.after.erase(std::remove_if(layer.after.begin(), layer.after.end(), needless),
                          layer.after.end());
    }
}

}  // namespace macrame::dla::compiler
