/// Unit test of dla_csc against its golden model: every operation and every shadow weight at its
/// swap, reads of announced entries only, releases, credits, reuse, bank changes; cycles of layers
/// that nothing stalls.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/csc_bench.hpp"
#include "tb/dla/unit/csc_stimulus.hpp"
#include "verif/dla/model/csc.hpp"

namespace macrame::tb::csc {
namespace {

namespace text = verif::text;

TEST(Csc, RandomLayers) {
    for (const Stall stall : {Stall::kNone, Stall::kRandom, Stall::kWorst}) {
        for (unsigned seed = 1; seed <= 6; ++seed) {
            SCOPED_TRACE("stall " + std::to_string(static_cast<int>(stall)) + " seed " +
                         std::to_string(seed) + " " CONFIG_NAME);
            Random rnd(seed);
            const auto layers = random_layers(rnd, 24);
            Bench bench(stall, seed);
            if (seed % 2 == 0) bench.credit_every = kAK / p::sdp_lanes;
            bench.run(layers);
            if (HasFailure()) return;
        }
    }
}

/// Layers that go round in their regions: slices and kernels lie across the end.
TEST(Csc, RegionsWrap) {
    int slices = 0, reads = 0, owed = 0;
    for (unsigned seed = 1; seed <= (LONG_TESTS ? 4 : 2); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " " CONFIG_NAME);
        Random rnd(seed);
        Bench bench(seed % 2 == 0 ? Stall::kRandom : Stall::kNone, seed);
        bench.credit_every = 200;
        bench.run(random_layers(rnd, 60, Regions::kSmallest));
        if (HasFailure()) return;
        slices += bench.split_slices();
        reads += bench.wrapped_reads();
        owed = std::max(owed, bench.most_owed());
    }
    EXPECT_GT(slices, 2) << "slices across the end of the region";
    EXPECT_GT(reads, 50) << "reads behind it";
    EXPECT_EQ(owed, p::cacc_depth) << "positions in CACC without a credit back";
}

/// Lines over the upper edge wait for nothing, others only for themselves.
TEST(Csc, StartsBeforeAllLinesAreThere) {
    m::ConvLayer r;
    r.width = r.out_width = 3;
    r.height = 40;
    r.channels = kAC;
    r.kernel_height = 3;
    r.pad_top = 2;
    r.out_height = 40;
    r.precision = types().back();
    Random rnd(3);
    Bench bench(Stall::kWorst, 3);
    bench.run({single_layer(rnd, r)});
    EXPECT_GT(bench.early_padding(), 0);
}

/// Of a layer without any weight an entry is fetched, which nobody reads; then one that has some.
TEST(Csc, NoWeights) {
    if (!p::weight_compression_enable) GTEST_SKIP();
    m::ConvLayer r;
    r.width = r.out_width = r.height = r.out_height = 5;
    r.channels = kAC + 3;
    r.kernels = kAK + 1;
    r.compressed = true;
    for (const m::Precision type : types()) {
        r.precision = type;
        Random rnd(4);
        std::vector<Layer> layers = {single_layer(rnd, r), single_layer(rnd, r)};
        Layer& first = layers[0];
        std::fill(first.masks->begin(), first.masks->end(), std::uint8_t{0});
        first.regs.weight_bytes = 128;
        ASSERT_TRUE(expand_weights(first));
        EXPECT_EQ(first.group_ends.back(), 0);
        Bench bench(Stall::kRandom, 4);
        bench.run(layers);
        if (HasFailure()) return;
    }
}

/// An image layer worked by hand.
TEST(CscModel, Image) {
    const Bytes line = {0xf9, 0xf9, 0xf9, 0xf9, 75,   0xcb, 30,   0xbc,
                        116,  21,   0xe5, 0xb5, 0xf9, 0xfa, 0xfb, 0xf8};
    const int weights[8] = {1, -1, 2, 0, 3, 1, -2, 1};
    m::ConvLayer r;
    r.is_image = true;
    r.components = 4;
    r.channels = 8;
    r.width = 4;
    r.out_width = r.positions = 3;
    const int want[3] = {30, 536, 16};
    m::CdmaSizes s;
    for (int x = 0; x < 3; ++x) {
        int sum = 0;
        m::for_each_step(r, {}, [&](const m::CscStep& step) {
            const auto lanes = m::operation_data(s, 8, r, step, x, [&](int, m::CbufPlace place) {
                return line[static_cast<std::size_t>(place.entry * 8 + place.byte)];
            });
            for (std::size_t i = 0; i < 8; ++i)
                sum += lanes[i] * weights[i];
        });
        EXPECT_EQ(sum, want[x]);
    }
}

struct Speed {
    std::uint64_t cycles, ideal;
};

/// Runs the layer alone, without stalls.
Speed measure(const m::ConvLayer& shape) {
    Random rnd(7);
    Bench bench(Stall::kNone, 7, true);
    const Layer layer = single_layer(rnd, shape);
    bench.run({layer});
    const auto ideal = m::ideal_cycles(layer.regs, step_sizes(layer.regs));
    return {bench.cycles(0), static_cast<std::uint64_t>(ideal)};
}

void say_speed(const std::string& layer, const Speed& speed) {
    verif::run::print(CONFIG_NAME ": " + layer + ": " + text::shortest(speed.cycles) +
                      " cycles, ideal " + text::shortest(speed.ideal) + "\n");
}

/// "4 x 3"
std::string product(const std::vector<int>& sizes) {
    std::string out;
    for (const int size : sizes)
        out += (out.empty() ? "" : " x ") + text::shortest(size);
    return out;
}

/// Layers of these shapes reach one operation per cycle as soon as their weights are there.
TEST(Csc, FullSpeed) {
    struct Shape {
        int width, height, channels, kernel, stride, pad, out, kernels;
    };
    const Shape shapes[] = {
        {16, 16, 2 * kAC, 3, 1, 1, 16, 2 * kAK}, {9, 9, 3 * kAC, 3, 2, 1, 5, kAK},
        {4, 4, kAC + 3, 3, 1, 1, 4, 3 * kAK},    {3, 3, 2 * kAC, 3, 1, 0, 1, 2 * kAK},
        {12, 12, kAC, 5, 1, 2, 12, kAK + 3},     {6, 6, 5 * kAC, 1, 1, 0, 6, 4 * kAK},
    };
    for (const m::Precision type : types()) {
        for (const Shape& s : shapes) {
            m::ConvLayer r;
            r.precision = type;
            r.width = s.width;
            r.height = s.height;
            r.channels = s.channels;
            r.kernel_width = r.kernel_height = s.kernel;
            r.stride_x = r.stride_y = s.stride;
            r.pad_left = r.pad_top = s.pad;
            r.out_width = r.out_height = s.out;
            r.kernels = s.kernels;
            r.compressed = p::weight_compression_enable && &s - shapes != 0;
            const Speed speed = measure(r);
            if (HasFailure()) return;
            say_speed(product({s.width, s.height, s.channels}) + ", kernel " +
                          text::shortest(s.kernel) + ", " + text::shortest(s.kernels) + " kernels",
                      speed);
            EXPECT_LE(speed.cycles, speed.ideal + speed.ideal / 64 + 8);
        }
    }
}

/// Layers of Winograd: a tile per cycle, and clearly fewer cycles than the same convolution
/// without.
TEST(Csc, WinogradSpeed) {
    if (!p::winograd_enable) GTEST_SKIP();
    struct Shape {
        int out, channels, kernels;
    };
    const Shape shapes[] = {{8, 64, 32}, {8, 128, 64}, {16, 64, 64}, {28, 64, 64}, {28, 128, 32}};
    for (const m::Precision type : types()) {
        for (const Shape& s : shapes) {
            m::ConvLayer direct;
            direct.precision = type;
            direct.width = direct.height = direct.out_width = direct.out_height = s.out;
            direct.positions = s.out * s.out;
            direct.kernel_width = direct.kernel_height = 3;
            direct.pad_left = direct.pad_top = 1;
            direct.channels = s.channels;
            direct.kernels = s.kernels;
            m::ConvLayer r = direct;
            r.is_winograd = true;
            r.width = r.height = s.out + 4;
            r.kernel_width = r.kernel_height = 4;
            r.pad_left = r.pad_top = 0;
            r.compressed = p::weight_compression_enable && &s - shapes != 0;
            const Speed speed = measure(r);
            if (HasFailure()) return;
            const auto without =
                static_cast<std::uint64_t>(m::ideal_cycles(direct, step_sizes(direct)));
            say_speed("Winograd " + product({r.width, r.height, s.channels}) + ", " +
                          text::shortest(s.kernels) + " kernels, without " +
                          text::shortest(without),
                      speed);
            EXPECT_LE(speed.cycles, speed.ideal + speed.ideal / 64 + 8);
            EXPECT_GE(10 * without, 18 * speed.cycles);
        }
    }
}

/// Image layers: one operation per cycle if neighbours share entries, however the windows lie.
TEST(Csc, ImageSpeed) {
    if (!p::image_enable) GTEST_SKIP();
    struct Shape {
        int width, components, columns, rows, stride, rows_per_step;
    };
    const Shape shapes[] = {{66, 4, 8, 5, 1, 1}, {67, 1, 5, 5, 1, 1}, {66, 3, 5, 3, 2, 1},
                            {64, 4, 4, 6, 2, 1}, {68, 1, 2, 8, 1, 2}, {69, 1, 2, 8, 1, 4}};
    for (const m::Precision type : types()) {
        for (const Shape& s : shapes) {
            m::ConvLayer r;
            r.is_image = true;
            r.precision = type;
            r.width = s.width;
            r.height = 16;
            r.components = s.components;
            r.channels = s.columns * s.components;
            r.kernel_height = s.rows;
            r.stride_x = r.stride_y = s.stride;
            r.rows_per_step = s.rows_per_step;
            r.out_width = (s.width - s.columns) / s.stride + 1;
            r.out_height = (r.height - s.rows) / s.stride + 1;
            r.kernels = kAK;
            const Speed speed = measure(r);
            if (HasFailure()) return;
            say_speed(product({s.width, s.components}) + ", window " +
                          product({r.channels, s.rows}) + ", stride " + text::shortest(s.stride) +
                          ", " + text::shortest(s.rows_per_step) + " rows",
                      speed);
            // A stripe begins with a read more, with several rows also each entry of a line.
            if (s.rows_per_step == 1)
                EXPECT_LE(speed.cycles, speed.ideal + speed.ideal / 8 + 8);
            else
                EXPECT_LE(speed.cycles, 2 * speed.ideal);
        }
    }
}

}  // namespace
}  // namespace macrame::tb::csc
