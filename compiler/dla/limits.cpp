#include "compiler/dla/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/tiling.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::compiler {

namespace {

namespace regs = dla_regs;

/// Looks at values until one is too large.
class Fields {
public:
    void see(const char* what, std::int64_t value, std::int64_t most, const char* place) {
        if (!found_ && value > most) found_ = Excess{what, value, most, place};
    }
    const std::optional<Excess>& found() const { return found_; }

private:
    std::optional<Excess> found_;
};

// The largest that a field holds is in the description of the registers. Sizes are kept less by 1.
#define FIELD(unit, reg, field) \
    std::int64_t { regs::unit::reg(0).field(~0u).field() }
#define SIZE(what, value, unit, reg, field) \
    fields.see(what, value, FIELD(unit, reg, field) + 1, #unit "." #reg)
#define VALUE(what, value, unit, reg, field) \
    fields.see(what, value, FIELD(unit, reg, field), #unit "." #reg)

void see(Fields& fields, const PdpLayer& p, bool flying) {
    SIZE("width", p.input.width, pdp, D_DATA_CUBE_IN_WIDTH, CUBE_IN_WIDTH);
    SIZE("height", p.input.height, pdp, D_DATA_CUBE_IN_HEIGHT, CUBE_IN_HEIGHT);
    SIZE("channels", p.input.channels, pdp, D_DATA_CUBE_IN_CHANNEL, CUBE_IN_CHANNEL);
    SIZE("width of the output", p.output.width, pdp, D_DATA_CUBE_OUT_WIDTH, CUBE_OUT_WIDTH);
    SIZE("height of the output", p.output.height, pdp, D_DATA_CUBE_OUT_HEIGHT, CUBE_OUT_HEIGHT);
    SIZE("columns of the kernel", p.kernel_w, pdp, D_POOLING_KERNEL_CFG, KERNEL_WIDTH);
    SIZE("lines of the kernel", p.kernel_h, pdp, D_POOLING_KERNEL_CFG, KERNEL_HEIGHT);
    SIZE("stride", p.stride_w, pdp, D_POOLING_KERNEL_CFG, KERNEL_STRIDE_WIDTH);
    SIZE("stride", p.stride_h, pdp, D_POOLING_KERNEL_CFG, KERNEL_STRIDE_HEIGHT);
    VALUE("padding", std::max(p.left, p.right), pdp, D_POOLING_PADDING_CFG, PAD_LEFT);
    VALUE("padding", std::max(p.top, p.bottom), pdp, D_POOLING_PADDING_CFG, PAD_TOP);
    // The line buffer of PDP has fewer columns than this; those of the input are not looked at.
    if (!flying)
        SIZE("columns of the output", p.output.width, pdp, D_PARTIAL_WIDTH_OUT,
             PARTIAL_WIDTH_OUT_FIRST);
}

void see(Fields& fields, const ConvLayer& c) {
    int width = 0, height = 0, channels = 0;
    if (const Pixels* pixels = std::get_if<Pixels>(&c.input)) {
        width = pixels->width;
        height = pixels->height;
        channels = pixels->components;
    } else {
        const Cube& cube = std::get<Cube>(c.input);
        width = cube.width;
        height = cube.height;
        channels = cube.channels;
    }
    SIZE("width", width, cdma, D_DATAIN_SIZE_0, DATAIN_WIDTH);
    SIZE("height", height, csc, D_RELEASE, RLS_SLICES);
    SIZE("channels", channels, cdma, D_DATAIN_SIZE_1, DATAIN_CHANNEL);
    SIZE("channels of a kernel", kernel_channels(c), csc, D_WEIGHT_SIZE_EXT_1, WEIGHT_CHANNEL_EXT);
    SIZE("kernels", c.kernels, csc, D_WEIGHT_SIZE_EXT_1, WEIGHT_KERNEL);
    SIZE("bytes of a kernel", kernel_bytes(c), cdma, D_WEIGHT_SIZE_0, BYTE_PER_KERNEL);
    SIZE("columns of the kernel", kernel_columns(c), csc, D_WEIGHT_SIZE_EXT_0, WEIGHT_WIDTH_EXT);
    SIZE("lines of the kernel", c.kernel_h, csc, D_WEIGHT_SIZE_EXT_0, WEIGHT_HEIGHT_EXT);
    SIZE("width of the output", c.out_w, csc, D_DATAOUT_SIZE_0, DATAOUT_WIDTH);
    SIZE("height of the output", c.out_h, csc, D_DATAOUT_SIZE_0, DATAOUT_HEIGHT);
    SIZE("pixels of the output", std::int64_t{c.out_w} * c.out_h, csc, D_ATOMICS, ATOMICS);
    SIZE("stride", c.stride_w, csc, D_CONV_STRIDE_EXT, CONV_X_STRIDE_EXT);
    SIZE("stride", c.stride_h, csc, D_CONV_STRIDE_EXT, CONV_Y_STRIDE_EXT);
    SIZE("dilation", c.dilation_w, csc, D_DILATION_EXT, X_DILATION_EXT);
    SIZE("dilation", c.dilation_h, csc, D_DILATION_EXT, Y_DILATION_EXT);
    VALUE("padding", c.left, cdma, D_ZERO_PADDING, PAD_LEFT);
    VALUE("padding", c.right, cdma, D_ZERO_PADDING, PAD_RIGHT);
    VALUE("padding", c.top, cdma, D_ZERO_PADDING, PAD_TOP);
    VALUE("padding", c.bottom, cdma, D_ZERO_PADDING, PAD_BOTTOM);
    if (c.pool) see(fields, *c.pool, true);
}

/// Of SDP, CDP and ROW alone.
void see_cube(Fields& fields, const Cube& cube) {
    SIZE("width", cube.width, sdp, D_DATA_CUBE_WIDTH, WIDTH);
    SIZE("height", cube.height, sdp, D_DATA_CUBE_HEIGHT, HEIGHT);
    SIZE("channels", cube.channels, sdp, D_DATA_CUBE_CHANNEL, CHANNEL);
}

void see(Fields& fields, const RubikLayer& layer) {
    SIZE("width", layer.input.width, rubik, D_DATAIN_SIZE_0, DATAIN_WIDTH);
    SIZE("height", layer.input.height, rubik, D_DATAIN_SIZE_0, DATAIN_HEIGHT);
    SIZE("channels", layer.input.channels, rubik, D_DATAIN_SIZE_1, DATAIN_CHANNEL);
    SIZE("stride", layer.stride_w, rubik, D_DECONV_STRIDE, DECONV_X_STRIDE);
    SIZE("stride", layer.stride_h, rubik, D_DECONV_STRIDE, DECONV_Y_STRIDE);
}

int largest_size() { return static_cast<int>(FIELD(sdp, D_DATA_CUBE_WIDTH, WIDTH) + 1); }

#undef VALUE
#undef SIZE
#undef FIELD

/// As few parts of a size as its register allows, all about as large.
int part_of(int size) { return div_up(size, div_up(size, largest_size())); }

int channel_atom(const model::Architecture& sizes, int channels) {
    return channels / sizes.atom_bytes;
}

/// Some channels of what stages read from memory.
void keep_channels(const model::Architecture& sizes, PostProcess& post, int first) {
    for (auto* operands : {&post.bs.memory, &post.bn.memory, &post.ew.memory}) {
        if (!*operands) continue;
        Operands& o = **operands;
        const int record = (o.alu && o.mul ? 2 : 1) * (o.two_byte ? 2 : 1);
        o.place.offset +=
            o.per_element
                ? static_cast<std::uint64_t>(channel_atom(sizes, first)) * o.surface_stride
                : static_cast<std::uint64_t>(first) * static_cast<unsigned>(record);
    }
}

bool has_room(const model::Architecture& sizes, const ConvLayer& conv) {
    return !excess(conv) && plan_cbuf(sizes, conv).has_value();
}

bool fits(const model::Architecture& sizes, const ConvLayer& conv) {
    return is_legal(sizes, conv) && has_room(sizes, conv);
}

/// Do all parts of so many lines fit?
bool lines_fit(const model::Architecture& sizes, const ConvLayer& conv, int lines) {
    for (int first = 0; first < conv.out_h; first += lines)
        if (!fits(sizes, lines_of(conv, first, std::min(lines, conv.out_h - first)))) return false;
    return true;
}

/// Lines at a time of all parts of so many columns; 0: none.
int lines_of_columns(const model::Architecture& sizes, const ConvLayer& conv, int columns) {
    int lines = conv.out_h;
    for (int first = 0; first < conv.out_w; first += columns) {
        const ConvLayer part =
            columns_of(sizes, conv, first, std::min(columns, conv.out_w - first));
        // More lines are never easier, but for a single pixel that is not packed.
        if (!has_room(sizes, lines_of(part, 0, 1))) return 0;
        while (lines >= 1 && !lines_fit(sizes, part, lines))
            --lines;
    }
    return lines;
}

}  // namespace

std::string text_of(const Excess& excess) {
    return fmt::format("{} {}: want at most {} (register {})", excess.value, excess.what,
                       excess.most, excess.place);
}

int most_size() { return largest_size(); }

int most_pool_columns(int kernel_h, int stride_h) {
    const int overlap = div_up(kernel_h, stride_h);
    return overlap == 1 ? 128 : overlap == 2 ? 64 : overlap <= 4 ? 32 : 16;
}

bool can_contract(const model::Architecture& sizes, int width, int height, int channels,
                  int stride_h, int stride_w) {
    // RUBIK counts lines, columns and channels in 13 bits, strides in 5.
    constexpr int kMaxSize = 8192, kMaxContract = 32;
    return sizes.rubik_contract && stride_h * stride_w > 1 &&
           std::max(stride_h, stride_w) <= kMaxContract &&
           std::max(width * stride_w, height * stride_h) <= kMaxSize &&
           channels * stride_h * stride_w <= kMaxSize;
}

std::optional<Excess> excess(const ConvLayer& conv) {
    Fields fields;
    see(fields, conv);
    return fields.found();
}

std::optional<Excess> excess(const Layer& layer) {
    Fields fields;
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) see(fields, *conv);
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) see_cube(fields, sdp->input);
    if (const CdpLayer* cdp = std::get_if<CdpLayer>(&layer.work)) see_cube(fields, cdp->input);
    if (const RowLayer* row = std::get_if<RowLayer>(&layer.work)) see_cube(fields, row->input);
    if (const PdpLayer* pdp = std::get_if<PdpLayer>(&layer.work)) see(fields, *pdp, false);
    if (const RubikLayer* rubik = std::get_if<RubikLayer>(&layer.work)) see(fields, *rubik);
    return fields.found();
}

Cube channels_of(const model::Architecture& sizes, const Cube& cube, int first, int count) {
    Cube part = cube;
    part.channels = count;
    part.place.offset +=
        static_cast<std::uint64_t>(channel_atom(sizes, first)) * cube.surface_stride;
    return part;
}

ConvLayer kernels_of(const model::Architecture& sizes, const ConvLayer& whole, int first,
                     int count) {
    ConvLayer part = whole;
    part.kernels = count;
    part.post.output = channels_of(sizes, whole.post.output, first, count);
    keep_channels(sizes, part.post, first);
    return part;
}

std::optional<Tile> largest_tile(const model::Architecture& sizes, const ConvLayer& conv) {
    // Equal parts of the width, as few as possible.
    const int most_parts = conv.is_image() ? 1 : conv.out_w;
    int before = 0;
    for (int parts = 1; parts <= most_parts; ++parts) {
        const int columns = div_up(conv.out_w, parts);
        if (columns == before) continue;
        before = columns;
        const int lines = lines_of_columns(sizes, conv, columns);
        if (lines >= 1) return Tile{lines, columns};
    }
    return std::nullopt;
}

std::vector<SdpLayer> pieces_of(const model::Architecture& sizes, const SdpLayer& whole) {
    const int most = most_size();
    const int lines = part_of(whole.input.height), columns = part_of(whole.input.width);
    std::vector<SdpLayer> out;
    for (int c = 0; c < whole.input.channels; c += most) {
        SdpLayer block = whole;
        const int channels = std::min(most, whole.input.channels - c);
        block.input = channels_of(sizes, whole.input, c, channels);
        block.post.output = channels_of(sizes, whole.post.output, c, channels);
        keep_channels(sizes, block.post, c);
        for (int y = 0; y < whole.input.height; y += lines) {
            const SdpLayer part = lines_of(block, y, std::min(lines, whole.input.height - y));
            for (int x = 0; x < whole.input.width; x += columns)
                out.push_back(columns_of(sizes, part, x, std::min(columns, whole.input.width - x)));
        }
    }
    return out;
}

}  // namespace macrame::dla::compiler
