/// Convolutions cut for random machines, against the definition; published traffic.

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/graph/at.hpp"
#include "compiler/systolic/parts.hpp"
#include "compiler/test/systolic/example.hpp"
#include "verif/common/random.hpp"

namespace macrame::systolic::compiler {
namespace {

void set_weights(Example& e) {
    const ConvLayer& l = e.layer;
    const int channels = l.input.channels / l.groups, filters = l.filters();
    const int width = l.window.width, groups = l.groups;
    e.layer.weights = [&e, channels, filters, width, groups](int m, int r, int s, int c) {
        const int first = m / (filters / groups) * channels;
        if (c < first || c >= first + channels) return 0;
        return e.weights[static_cast<std::size_t>(
            ((r * width + s) * channels + c - first) * filters + m)];
    };
}

/// Planes of `block` channels, perhaps with a border of padding.
TensorLayout input_surface(verif::Random& random, int height, int width, int channels, int border) {
    TensorLayout s = dense_layout(0x1000, height, width, channels, 1);
    if (border == 0 && random.chance(30)) return s;
    s.block = random.chance(50) ? random.in(1, channels) : channels;
    s.pixel = s.block;
    s.line = (width + 2 * border) * s.pixel;
    s.plane = (height + 2 * border) * s.line;
    s.base += border * (s.line + s.pixel);
    return s;
}

/// Narrow results, padding with a value of its own.
void add_scales(ConvLayer& l, verif::Random& random) {
    l.pad_value = random.in(-128, 127);
    l.output = input_surface(random, l.output.height, l.output.width, l.output.channels, 0);
    l.output.base = kOutput;
    for (int m = 0; m < l.output.channels; ++m) {
        Scale scale;
        scale.bias = random.in(-100000, 100000);
        set_factor(scale, (random.chance(10) ? -1e-5 : 1e-5) * random.in(1, 1000));
        scale.zero_point = random.in(-128, 127);
        scale.low = random.in(-128, 0);
        scale.high = random.in(0, 127);
        l.scales.push_back(scale);
    }
}

void random_example(Example& e, verif::Random& random) {
    Architecture& a = e.architecture;
    a.rows = random.low(1, 16);
    a.columns = random.low(1, 16);
    a.ibuf_entries = 1 << random.in(6, 8);
    a.wbuf_entries = 1 << random.in(5, 8);
    a.obuf_entries = 1 << random.in(4, 8);
    a.queue_depth = random.in(1, 8);
    a.token_depth = random.in(1, 4);
    ConvLayer& l = e.layer;
    Window& w = l.window;
    w.height = random.low(1, 5);
    w.width = random.low(1, 5);
    w.stride_y = random.low(1, 3);
    w.stride_x = random.low(1, 3);
    w.dilation_y = random.chance(20) ? 2 : 1;
    w.dilation_x = random.chance(20) ? 2 : 1;
    w.top = random.in(0, (w.height - 1) * w.dilation_y);
    w.left = random.in(0, (w.width - 1) * w.dilation_x);
    const int high = (w.height - 1) * w.dilation_y + 1, wide = (w.width - 1) * w.dilation_x + 1;
    const int height = random.in(high, high + 8), width = random.in(wide, wide + 8);
    const int below = random.in(0, high - 1), right = random.in(0, wide - 1);
    l.out_height = (height + w.top + below - high) / w.stride_y + 1;
    l.out_width = (width + w.left + right - wide) / w.stride_x + 1;
    l.groups = random.chance(25) ? random.in(2, 12) : 1;
    const int most = l.groups > 1 || random.chance(30) ? 3 : 40;
    const int channels = l.groups * random.low(1, most);
    const int filters = l.groups * (l.groups > 1 ? random.low(1, 2) : random.low(1, 40));
    l.bordered = random.chance(most == 3 ? 60 : 20);
    l.input = input_surface(random, height, width, channels, l.bordered ? 12 : 0);
    if (random.chance(25)) {
        Window pool;
        pool.height = random.in(1, std::min(3, l.out_height));
        pool.width = random.in(1, std::min(3, l.out_width));
        pool.stride_y = random.in(1, 2);
        pool.stride_x = random.in(1, 2);
        l.pool = pool;
    }
    if (random.chance(30)) l.post.push_back({AluOp::max, 0});
    if (random.chance(20)) l.post.push_back({AluOp::add, random.in(-100, 100)});
    const Window pool = l.last_window();
    l.output = dense_layout(kOutput, (l.out_height - pool.height) / pool.stride_y + 1,
                            (l.out_width - pool.width) / pool.stride_x + 1, filters, 4);
    if (random.chance(40)) add_scales(l, random);
    for (int i = 0; i < w.height * w.width * channels / l.groups * filters; ++i)
        e.weights.push_back(random.in(-128, 127));
    set_weights(e);
    e.memory.fill(0x1000, 0x40000, static_cast<std::uint8_t>(l.pad_value));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                e.memory.write(static_cast<std::uint64_t>(l.input.address(y, x, c)),
                               static_cast<std::uint8_t>(random.in(0, 255)));
}

TEST(Mapper, RandomLayersOnRandomMachines) {
    int packed = 0, compiled = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        verif::Random random(seed);
        Example e;
        random_example(e, random);
        const Goal goal = random.chance(50) ? Goal::cycles : Goal::bytes;
        const std::vector<Tiling> found = tilings(e.architecture, e.layer, goal, 200);
        if (found.empty()) continue;
        const Tiling& tiling =
            found[static_cast<std::size_t>(random.low(0, static_cast<int>(found.size()) - 1))];
        ++compiled;
        packed += tiling.cover.front().taps() > 1 ? 1 : 0;
        Constants constants(kConstants);
        run(e, compile(e, tiling, constants), constants, seed);
        expect_results(e);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
    EXPECT_GT(compiled, 250);
    EXPECT_GT(packed, 10);
}

/// What a layer is known by has all that its tiling depends on: not its addresses.
TEST(Mapper, LayersOfOneShapeHaveOneChoice) {
    const auto text = [](const Choice& c) {
        const Tiling& t = c.tiling;
        return testing::PrintToString(std::vector<int>{
            static_cast<int>(c.instructions), static_cast<int>(t.cover.size()), t.rows, t.columns,
            t.filter_folds, t.channel_folds, t.folds, t.filters_outside, t.snake});
    };
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        verif::Random random(seed);
        Example e;
        random_example(e, random);
        Choices choices;
        std::vector<ConvLayer> layers = {e.layer};
        for (ConvLayer& part : cut(e.layer, 3))
            layers.push_back(std::move(part));
        layers.push_back(e.layer);
        layers.back().input.base += 0x10000;
        layers.back().output.base += 0x20000;
        // Inputs that outputs are written into have waits of their own.
        layers.push_back(e.layer);
        layers.back().output.base = e.layer.input.base + e.layer.input.line;
        layers.push_back(e.layer);
        layers.back().post.push_back({AluOp::max, 0});
        layers.push_back(e.layer);
        layers.back().scales.resize(e.layer.scales.empty() ? at(e.layer.filters()) : 0);
        layers.push_back(e.layer);
        layers.back().window.left = 1 - std::min(1, e.layer.window.left);
        for (const ConvLayer& layer : layers)
            EXPECT_EQ(text(choices.best(e.architecture, layer)),
                      text(best_tiling(e.architecture, layer, Goal::cycles)));
    }
}

/// The example of two halves: 8 x 8 x 64, kernel 2 x 2, 64 filters on 32 x 32.
std::int64_t least_traffic(int obuf_entries) {
    Example e;
    e.architecture = {32, 32, 8, 8, 16, 64, 256, obuf_entries};
    e.layer.input = dense_layout(0, 8, 8, 64, 1);
    e.layer.window.height = e.layer.window.width = 2;
    e.layer.out_height = e.layer.out_width = 8;
    e.layer.output = dense_layout(kOutput, 8, 8, 64, 2);
    e.layer.weights = [](int, int, int, int) { return 1; };
    Constants constants(kConstants);
    const Tiling tiling = best_tiling(e.architecture, e.layer, Goal::bytes).tiling;
    return moved_bytes(e.architecture, compile(e, tiling, constants));
}

TEST(Mapper, TrafficOfThePublishedExample) {
    EXPECT_LE(least_traffic(64), 30720);
    EXPECT_LE(least_traffic(32), 34816);
}

}  // namespace
}  // namespace macrame::systolic::compiler
