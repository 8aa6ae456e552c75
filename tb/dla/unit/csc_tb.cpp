/// Unit test of dla_csc against its golden model: every operation and every shadow weight at its
/// swap, reads of announced entries only, releases, credits, reuse, bank changes; cycles of layers
/// that nothing stalls.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "dla_params.hpp"
#include "tb/dla/unit/csc_bench.hpp"
#include "tb/dla/unit/csc_stimulus.hpp"
#include "verif/dla/model/csc.hpp"

namespace macrame::tb::csc {
namespace {

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
        m::for_each_step(r, 8, 8, 16, [&](const m::CscStep& step) {
            const auto lanes = m::operation_data(s, 8, r, step, x, [&](int, m::CbufPlace place) {
                return line[static_cast<std::size_t>(place.entry * 8 + place.byte)];
            });
            for (std::size_t i = 0; i < 8; ++i)
                sum += lanes[i] * weights[i];
        });
        EXPECT_EQ(sum, want[x]);
    }
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
    for (const Shape& s : shapes) {
        m::ConvLayer r;
        r.width = s.width;
        r.height = s.height;
        r.channels = s.channels;
        r.kernel_width = r.kernel_height = s.kernel;
        r.stride_x = r.stride_y = s.stride;
        r.pad_left = r.pad_top = s.pad;
        r.out_width = r.out_height = s.out;
        r.kernels = s.kernels;
        Random rnd(7);
        Bench bench(Stall::kNone, 7, true);
        const Layer layer = single_layer(rnd, r);
        bench.run({layer});
        if (HasFailure()) return;
        const auto ideal =
            static_cast<std::uint64_t>(m::ideal_cycles(layer.regs, kAC, kAK, p::cacc_depth));
        std::printf("%s: %d x %d x %d, kernel %d, %d kernels: %llu cycles, ideal %llu\n",
                    CONFIG_NAME, s.width, s.height, s.channels, s.kernel, s.kernels,
                    static_cast<unsigned long long>(bench.cycles(0)),
                    static_cast<unsigned long long>(ideal));
        EXPECT_LE(bench.cycles(0), ideal + ideal / 64 + 8);
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
    for (const Shape& s : shapes) {
        m::ConvLayer r;
        r.is_image = true;
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
        Random rnd(7);
        Bench bench(Stall::kNone, 7, true);
        const Layer layer = single_layer(rnd, r);
        bench.run({layer});
        if (HasFailure()) return;
        const auto ideal =
            static_cast<std::uint64_t>(m::ideal_cycles(layer.regs, kAC, kAK, p::cacc_depth));
        std::printf("%s: %d x %d, window %d x %d, stride %d, %d rows: %llu cycles, ideal %llu\n",
                    CONFIG_NAME, s.width, s.components, r.channels, s.rows, s.stride,
                    s.rows_per_step, static_cast<unsigned long long>(bench.cycles(0)),
                    static_cast<unsigned long long>(ideal));
        // A stripe begins with a read more, with several rows also each entry of a line.
        if (s.rows_per_step == 1)
            EXPECT_LE(bench.cycles(0), ideal + ideal / 8 + 8);
        else
            EXPECT_LE(bench.cycles(0), 2 * ideal);
    }
}

}  // namespace
}  // namespace macrame::tb::csc
