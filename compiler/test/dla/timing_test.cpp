/// Estimates against cycles that the designs took, memory latency 32 where nothing else is said.

#include "compiler/dla/timing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/schedule.hpp"
#include "compiler/dla/stripes.hpp"

namespace macrame::dla::compiler {
namespace {

model::Architecture nv_small() {
    model::Architecture out;
    out.pdp = true;
    return out;
}

model::Architecture nv_large() {
    model::Architecture out{64, 32, 32, 64, 16, 512};
    out.sdp_ew = out.secondary = true;
    out.bus_bytes = out.secondary_bus_bytes = 32;
    out.sdp_bs_throughput = out.sdp_bn_throughput = 16;
    out.sdp_ew_throughput = 4;
    out.pdp_throughput = 8;
    return out;
}

/// A convolution of a cube, operands of BS and BN per channel.
ConvLayer conv(const model::Architecture& sizes, int width, int height, int channels, int kernels,
               int kernel, int padding) {
    ConvLayer out;
    const auto atom = static_cast<std::uint32_t>(sizes.atom_bytes);
    const auto strides = [&](Cube& cube) {
        cube.line_stride = static_cast<std::uint32_t>(cube.width) * atom;
        cube.surface_stride = cube.line_stride * static_cast<std::uint32_t>(cube.height);
    };
    Cube in{width, height, channels, {}, 0, 0};
    strides(in);
    out.input = in;
    out.kernels = kernels;
    out.kernel_h = out.kernel_w = kernel;
    out.top = out.left = out.bottom = out.right = padding;
    out.out_w = width + 2 * padding - kernel + 1;
    out.out_h = height + 2 * padding - kernel + 1;
    out.post.output = {out.out_w, out.out_h, kernels, {}, 0, 0};
    strides(out.post.output);
    for (XRegisters* x : {&out.post.bs, &out.post.bn}) {
        x->bypass = x->alu_bypass = x->mul_bypass = false;
        x->memory = Operands{true, true, true, false, {}, 0, 0};
    }
    out.weight_bytes = weight_bytes(out);
    out.buffer = *plan_cbuf(sizes, out);
    return out;
}

/// Cycles from the enable of the last unit to the interrupt.
double cycles(const model::Architecture& sizes, const ConvLayer& layer) {
    Layer one;
    one.work = layer;
    const std::vector<program::Command> commands = schedule(sizes, {one});
    double writes = 0;
    for (const program::Command& command : commands)
        writes += command.code != program::Code::wait && command.code != program::Code::begin_layer;
    // The first command waits until CBUF is clear.
    return static_cast<double>(layer_ends(sizes, {one}, commands).at(0)) - 259 - (writes - 2);
}

TEST(Timing, LayersTakeWhatTheyTookOnTheDesigns) {
    struct Row {
        const char* what;
        int width, height, channels, kernels, kernel, padding;
        double nv_small, nv_large;  ///< measured
    };
    const Row rows[] = {
        {"1x1, 5x25x64 -> 64", 5, 25, 64, 64, 1, 0, 8489, 762},
        {"1x1, 48x48x8 -> 16", 48, 48, 8, 16, 1, 0, 37048, 4786},
        {"1x1, 3x3x256 -> 256", 3, 3, 256, 256, 1, 0, 10065, 2320},
        {"3x3, 32x32x16 -> 16", 32, 32, 16, 16, 3, 1, 37255, 9437},
        {"3x3, 8x8x64 -> 64", 8, 8, 64, 64, 3, 1, 37423, 1542},
        {"fully connected 640 -> 128", 1, 1, 640, 128, 1, 0, 10631, 2732},
    };
    for (const Row& row : rows) {
        for (const auto& [sizes, measured] :
             {std::pair(nv_small(), row.nv_small), std::pair(nv_large(), row.nv_large)}) {
            const double estimated = cycles(sizes, conv(sizes, row.width, row.height, row.channels,
                                                        row.kernels, row.kernel, row.padding));
            EXPECT_NEAR(estimated / measured, 1.0, 0.03)
                << row.what << ": " << estimated << ", measured " << measured;
        }
    }
}

/// A window of 13 x 13 over 13 x 13 x 9 with padding of 6, in the passes that PDP takes.
std::vector<Layer> large_pool() {
    const auto cube = [](int buffer, int width, int height) {
        const auto line = static_cast<std::uint32_t>(width) * 8;
        const auto all = line * static_cast<std::uint32_t>(height);
        const std::uint64_t offset = std::uint64_t{0x10000} * static_cast<unsigned>(buffer);
        return Cube{width, height, 9, {Place::kPlaced, offset}, line, all};
    };
    const auto layer = [](PdpLayer pdp, std::vector<int> after) {
        Layer out;
        out.work = pdp;
        out.after = std::move(after);
        return out;
    };
    PdpLayer left;
    left.input = cube(0, 13, 13);
    left.input.width = 10;
    left.output = cube(1, 18, 18);
    left.output.width = 9;
    left.kernel_h = left.kernel_w = 8;
    left.top = left.left = left.bottom = 6;
    PdpLayer right = left;
    right.input.place.offset += 3 * 8;
    right.output.place.offset += 9 * 8;
    std::swap(right.left, right.right);
    PdpLayer last;
    last.input = cube(1, 18, 18);
    last.output = cube(2, 13, 13);
    last.kernel_h = last.kernel_w = 6;
    return {layer(left, {}), layer(right, {}), layer(last, {0, 1})};
}

TEST(Timing, LargePoolingTakesWhatItTookOnTheDesign) {
    const std::vector<Layer> layers = large_pool();
    const std::vector<program::Command> commands = schedule(nv_small(), layers);
    const std::vector<std::pair<int, double>> rows = {{32, 11312},  {100, 11720}, {200, 18426},
                                                      {300, 26126}, {400, 33826}, {800, 64960}};
    for (const auto& [latency, measured] : rows) {
        const auto ends = layer_ends(nv_small(), layers, commands, latency);
        EXPECT_NEAR(static_cast<double>(ends.back()) / measured, 1.0, 0.04)
            << "latency " << latency << ": " << ends.back() << ", measured " << measured;
    }
}

/// Where CDMA takes two atoms of weights per cycle, a layer that waits for them takes half.
TEST(Timing, WeightsInPairsTakeHalf) {
    model::Architecture sizes = nv_large();
    sizes.bus_bytes = sizes.secondary_bus_bytes = 64;
    const ConvLayer layer = conv(sizes, 2, 1, 1024, 1024, 1, 0);
    const double one = cycles(sizes, layer);
    sizes.wt_atoms = 2;
    const double two = cycles(sizes, layer);
    EXPECT_NEAR(one - two, layer.weight_bytes / 64.0, 32.0);
    Layer bounded;
    bounded.work = layer;
    EXPECT_LE(bounds(sizes, bounded).memory * 64, layer.weight_bytes + 64 * 512);
    sizes.axi_bytes = 32;  // a narrower bus around the core
    EXPECT_EQ(cycles(sizes, layer), one);
}

TEST(Timing, StripesAreFullAndNoneIsShort) {
    const model::Architecture sizes = nv_small();
    for (const auto& [positions, wanted] :
         {std::pair(5, std::vector<int>{5}), std::pair(16, std::vector<int>{16}),
          std::pair(17, std::vector<int>{8, 9}), std::pair(24, std::vector<int>{8, 16}),
          std::pair(25, std::vector<int>{16, 9}), std::pair(49, std::vector<int>{16, 16, 8, 9})}) {
        std::vector<int> found;
        for (const Stripe& stripe : steps_of(sizes, conv(sizes, positions, 1, 8, 8, 1, 0)).stripes)
            found.insert(found.end(), static_cast<std::size_t>(stripe.count), stripe.length);
        EXPECT_EQ(found, wanted) << positions;
    }
}

/// A step takes as many cycles as it has positions, but at least as many as kernels.
TEST(Timing, WeightsOfShortStripesBoundTheArray) {
    const model::Architecture sizes = nv_small();
    Layer layer;
    layer.work = conv(sizes, 1, 1, 64, 12, 1, 0);  // 8 steps, groups of 8 and 4 kernels
    EXPECT_EQ(bounds(sizes, layer).mac, 8u * 8 + 8 * 4);
    layer.work = conv(sizes, 10, 1, 64, 12, 1, 0);
    EXPECT_EQ(bounds(sizes, layer).mac, 2u * 8 * 10);
}

/// Layers that do not depend on each other follow without a gap; if they do, fetching shows.
TEST(Timing, IndependentLayersAreFetchedMeanwhile) {
    const model::Architecture sizes = nv_small();
    std::vector<Layer> layers(2);
    for (Layer& layer : layers)
        layer.work = conv(sizes, 16, 16, 16, 16, 3, 1);
    const auto second = [&] {
        const auto ends = layer_ends(sizes, layers, schedule(sizes, layers));
        return ends.at(1) - ends.at(0);
    };
    const std::uint64_t bound = bounds(sizes, layers[0]).most();
    EXPECT_GE(second(), bound);
    EXPECT_LT(second(), bound + 30);
    layers[1].after = {0};
    EXPECT_GT(second(), bound + 100);
    EXPECT_LT(second(), bound + 500);
}

}  // namespace
}  // namespace macrame::dla::compiler
