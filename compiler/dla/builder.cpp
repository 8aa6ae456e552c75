#include "compiler/dla/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/passes.hpp"
#include "compiler/dla/plan.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// RUBIK's addresses and strides count so many bytes.
constexpr int kRubikUnit = 32;

/// Weights for a kernel that has become a column or a line larger: zeros there.
std::vector<std::int8_t> with_zeros(const std::vector<std::int8_t>& weights, std::size_t run,
                                    std::size_t zeros) {
    std::vector<std::int8_t> out;
    for (std::size_t from = 0; from < weights.size(); from += run) {
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(from);
        out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(run));
        out.insert(out.end(), zeros, 0);
    }
    return out;
}

/// Bytes of banks as deep as it takes, twice as deep each time; 0: not within what there can be.
std::int64_t least_buffer(model::Architecture sizes, const ConvLayer& conv) {
    constexpr std::int64_t kMostBytes = 1024 * 1024;
    const auto bytes = [&] {
        return std::int64_t{sizes.cbuf_banks} * sizes.cbuf_depth * sizes.entry_bytes;
    };
    for (; bytes() <= kMostBytes; sizes.cbuf_depth *= 2)
        if (largest_tile(sizes, conv)) return bytes();
    return 0;
}

std::vector<SdpLayer> pieces_of_copy(const model::Architecture& sizes, const Cube& from,
                                     const Cube& to) {
    SdpLayer whole;
    whole.input = from;
    whole.post.output = to;
    return pieces_of(sizes, whole);
}

/// Records of ROW as it reads them: whole atoms.
std::vector<std::uint8_t> record_bytes(const model::Architecture& sizes,
                                       const std::vector<model::RowRecord>& records) {
    std::vector<std::uint8_t> out;
    for (const model::RowRecord& record : records)
        for (const std::int32_t word : {record.factor, record.term})
            for (unsigned i = 0; i < 4; ++i)
                out.push_back(
                    static_cast<std::uint8_t>(static_cast<std::uint32_t>(word) >> (8 * i)));
    out.resize(round_up(out.size(), at(sizes.atom_bytes)));
    return out;
}

}  // namespace

void Builder::begin(int node, std::string name) {
    node_ = node;
    name_ = std::move(name);
}

Builder::Snapshot Builder::snapshot() const {
    return {layers.size(), buffers.size(), exactness.size()};
}

void Builder::restore(const Snapshot& snapshot) {
    layers.resize(snapshot.layers);
    buffers.resize(snapshot.buffers);
    exactness.resize(snapshot.exactness);
}

std::uint64_t Builder::cycles_since(const Snapshot& snapshot) const {
    const auto first = static_cast<int>(snapshot.layers);
    std::vector<Layer> made(layers.begin() + first, layers.end());
    for (Layer& layer : made) {
        std::vector<int> after;
        for (const int other : layer.after)
            if (other >= first) after.push_back(other - first);
        layer.after = std::move(after);
    }
    return finished_cycles(sizes_, without_contents(buffers), std::move(made));
}

std::int64_t Builder::wrong_since(const Snapshot& snapshot) const {
    return std::accumulate(exactness.begin() + static_cast<std::ptrdiff_t>(snapshot.exactness),
                           exactness.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& told) { return sum + told.values; });
}

// ---------------------------------------------------------------- memory

int Builder::add_buffer(const std::string& name, std::uint64_t bytes, bool keep) {
    Buffer buffer;
    buffer.name = name;
    buffer.bytes = bytes;
    buffer.keep = keep;
    buffers.push_back(std::move(buffer));
    return static_cast<int>(buffers.size()) - 1;
}

Place Builder::add_constant(const std::string& name, std::vector<std::uint8_t> contents) {
    // Both halves of a convolution have the same weights.
    for (std::size_t i = buffers.size(); i-- > 0;)
        if (!contents.empty() && buffers[i].name == name && buffers[i].contents == contents)
            return {static_cast<int>(i), 0};
    const int buffer = add_buffer(name, contents.size(), true);
    buffers[at(buffer)].contents = std::move(contents);
    return {buffer, 0};
}

Cube Builder::new_cube(const std::string& name, int width, int height, int channels) {
    Cube cube = packed_cube(sizes_, width, height, channels);
    std::uint64_t surfaces = static_cast<std::uint64_t>(div_up(channels, sizes_.atom_bytes));
    // A long vector may become a cube of several pixels: row_of().
    if (width == 1 && height == 1) surfaces = round_up(surfaces, at(div_up(channels, most_size())));
    cube.place = {add_buffer(name, cube.surface_stride * surfaces), 0};
    return cube;
}

Cube Builder::new_rubik_cube(const std::string& name, int width, int height, int channels) {
    const int unit = std::max(1, kRubikUnit / sizes_.atom_bytes);
    Cube cube = new_cube(name, div_up(width, unit) * unit, height, channels);
    cube.width = width;
    return cube;
}

// ---------------------------------------------------------------- layers

int Builder::add_layer(Layer layer) {
    if (const std::optional<Excess> found = excess(layer)) throw Unsupported{text_of(*found)};
    layers.push_back(std::move(layer));
    return static_cast<int>(layers.size()) - 1;
}

int Builder::add(Work work, std::vector<int> after) {
    Layer layer;
    layer.work = std::move(work);
    layer.name = name_;
    layer.node = node_;
    layer.after = std::move(after);
    return add_layer(std::move(layer));
}

std::vector<int> Builder::add_conv(ConvLayer conv, const Cube& whole,
                                   std::vector<std::int8_t> weights, const std::vector<int>& after,
                                   std::uint64_t macs) {
    const int kernel_h = conv.kernel_h, kernel_w = conv.kernel_w;
    if (widen(sizes_, conv, whole)) {
        const std::size_t pixel = at(kernel_channels(conv)), line = at(kernel_w) * pixel;
        weights = conv.kernel_w > kernel_w ? with_zeros(weights, line, pixel)
                                           : with_zeros(weights, at(kernel_h) * line, line);
    }
    if (conv.pool && !add_pool(sizes_, conv, PdpLayer(*conv.pool)))
        throw std::logic_error(fmt::format("layers of {}: planned pooling does not fit", name_));
    // As many kernels at a time as registers count.
    std::vector<int> out;
    const std::size_t kernel = weights.size() / at(conv.kernels);
    const std::uint64_t all = at(conv.kernels) * at(conv.out_h) * at(conv.out_w);
    for (int first = 0; first < conv.kernels; first += most_size()) {
        const int count = std::min(most_size(), conv.kernels - first);
        ConvLayer part = kernels_of(sizes_, conv, first, count);
        part.weight_bytes = weight_bytes(part);
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(at(first) * kernel);
        part.weights = add_constant(
            name_ + " weights",
            weight_stream(sizes_, part,
                          {begin, begin + static_cast<std::ptrdiff_t>(at(count) * kernel)}));
        gather(out, add_tiles(part, after, static_cast<double>(macs) / static_cast<double>(all)));
    }
    return out;
}

std::vector<int> Builder::add_tiles(const ConvLayer& conv, const std::vector<int>& after,
                                    double macs) {
    const std::optional<Tile> tile = largest_tile(sizes_, conv);
    if (!tile) {
        const ConvLayer least =
            lines_of(conv.is_image() ? conv : columns_of(sizes_, conv, 0, 1), 0, 1);
        if (const std::optional<Excess> found = excess(least)) throw Unsupported{text_of(*found)};
        throw Unsupported{
            fmt::format(
                "kernel of {} x {} x {} channels and {} lines of input do not fit into the "
                "convolution buffer: want more or deeper banks (cbuf-bank-number, cbuf-bank-depth)",
                conv.kernel_h, conv.kernel_w, kernel_channels(conv), conv.kernel_h),
            least_buffer(sizes_, conv)};
    }
    std::vector<int> out;
    for (int x = 0; x < conv.out_w; x += tile->columns) {
        const int columns = std::min(tile->columns, conv.out_w - x);
        const ConvLayer wide = columns == conv.out_w ? conv : columns_of(sizes_, conv, x, columns);
        for (int y = 0; y < conv.out_h; y += tile->lines) {
            ConvLayer part = lines_of(wide, y, std::min(tile->lines, conv.out_h - y));
            part.buffer = *plan_cbuf(sizes_, part);
            Layer layer;
            layer.macs = static_cast<std::uint64_t>(
                std::llround(macs * part.out_h * part.out_w * part.kernels));
            layer.work = std::move(part);
            layer.name = name_;
            layer.node = node_;
            layer.after = after;
            out.push_back(add_layer(std::move(layer)));
        }
    }
    return out;
}

std::vector<int> Builder::add_sdp(const Cube& from, PostProcess post,
                                  const std::vector<int>& after) {
    SdpLayer whole;
    whole.input = from;
    whole.post = std::move(post);
    std::vector<int> out;
    for (SdpLayer& sdp : pieces_of(sizes_, whole)) {
        out.push_back(add(std::move(sdp), after));
    }
    return out;
}

std::vector<int> Builder::add_cdp(const Cube& from, const Lookup& lookup, const Cube& to,
                                  const std::vector<int>& after) {
    std::vector<int> out;
    for (const SdpLayer& piece : pieces_of_copy(sizes_, from, to))
        out.push_back(add(CdpLayer{piece.input, piece.post.output, lookup}, after));
    return out;
}

std::vector<int> Builder::add_row(const Cube& from, const model::RowSettings& row, const Cube& to,
                                  const std::vector<int>& after) {
    RowLayer layer;
    layer.settings = row;
    layer.settings.records.clear();
    layer.records = add_constant(name_ + " records", record_bytes(sizes_, row.records));
    std::vector<int> out;
    for (const SdpLayer& piece : pieces_of_copy(sizes_, from, to)) {
        layer.input = piece.input;
        layer.output = piece.post.output;
        out.push_back(add(layer, after));
    }
    return out;
}

std::vector<int> Builder::add_copy(const Cube& from, const Cube& to,
                                   const std::vector<int>& after) {
    std::vector<int> out;
    const auto copy = [&](const Cube& a, const Cube& b) {
        PostProcess post;
        post.output = b;
        gather(out, add_sdp(a, std::move(post), after));
    };
    if (is_legal(sizes_, from) && is_legal(sizes_, to)) {
        copy(from, to);
        return out;
    }
    // One pixel whose atoms lie apart: one after the other.
    for (int c = 0; c < from.channels; c += sizes_.atom_bytes) {
        const int channels = std::min(sizes_.atom_bytes, from.channels - c);
        copy(block(sizes_, from, c, channels), block(sizes_, to, c, channels));
    }
    return out;
}

std::vector<int> Builder::add_scatter(const Cube& from, const Cube& to, int y0, int x0,
                                      int stride_h, int stride_w, const std::vector<int>& after) {
    const int atom = sizes_.atom_bytes;
    Cube target = part_of(sizes_, to, y0, x0, from.height, from.width);
    target.line_stride *= static_cast<unsigned>(stride_h);
    if (stride_w == 1 || from.width == 1) return add_copy(from, target, after);
    // Pixels as lines and lines as surfaces, for each surface on its own.
    std::vector<int> out;
    const int lines_at_once = std::max(1, most_size() / atom);
    for (int c = 0; c < from.channels; c += atom) {
        for (int y = 0; y < from.height; y += lines_at_once) {
            const int lines = std::min(lines_at_once, from.height - y);
            Cube a = part_of(sizes_, block(sizes_, from, c, atom), y, 0, from.width, 1);
            Cube b = part_of(sizes_, block(sizes_, target, c, atom), y, 0, from.width, 1);
            a.surface_stride = a.line_stride;
            b.surface_stride = b.line_stride;
            a.line_stride = static_cast<unsigned>(atom);
            b.line_stride = static_cast<unsigned>(stride_w * atom);
            a.channels = b.channels = lines * atom;
            gather(out, add_copy(a, b, after));
        }
    }
    return out;
}

int Builder::add_contract(const Cube& phases, const Cube& to, int stride_h, int stride_w,
                          const std::vector<int>& after) {
    Layer layer;
    layer.work = RubikLayer{phases, to, stride_h, stride_w};
    layer.name = name_;
    layer.node = node_;
    layer.after = after;
    layer.choice = "contract";
    return add_layer(std::move(layer));
}

}  // namespace macrame::dla::compiler
