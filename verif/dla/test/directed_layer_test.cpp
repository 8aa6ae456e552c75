/// Layers of a given shape: what they compute, that no rule is broken, what is refused.

#include "verif/dla/stimulus/directed_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "naive_conv.hpp"
#include "published_sizes.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/requirements.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame {
namespace {

using dla::model::Architecture;
using dla::model::Precision;
using dla::stimulus::directed_layer;
using test::NaiveConv;

/// What the program writes into a register.
std::uint32_t value(const dla::trace::Trace& program, const std::string& reg) {
    for (const dla::trace::Command& c : program.commands) {
        if (c.op == dla::trace::Op::write && c.reg == reg) return c.value;
    }
    return 0;
}

/// A layer on the golden model beside the definition; the machine is nv_full.
class Beside {
public:
    Beside(const std::string& layer, NaiveConv conv)
        : program_(directed_layer(sizes_, layer, 7)), c_(std::move(conv)) {
        c_.in = c_.proc;
        if (c_.proc != Precision::int8) c_.group = 16;
        dla::model::Device device(sizes_, memory_, &unused_);
        const auto played =
            dla::trace::play(dla::trace::in_map(program_, "", "v1"), device, memory_, unused_);
        EXPECT_TRUE(played.passed) << layer;
        read_data();
        read_weights();
    }

    void compare() {
        std::set<int> seen;
        for (int i = 0; i < c_.batches * c_.kernels * c_.out_height() * c_.out_width(); ++i) {
            const int x = i % c_.out_width(), y = i / c_.out_width() % c_.out_height();
            const int k = i / c_.out_width() / c_.out_height() % c_.kernels;
            const int b = i / c_.out_width() / c_.out_height() / c_.kernels;
            const int want = result(c_.output(b, k, y, x).value);
            ASSERT_EQ(element(address("SDP.D_DST_BASE_ADDR", "_LOW", "_HIGH") +
                              place(b, k, y, x, "SDP.D_DST_BATCH_STRIDE", "SDP.D_DST_LINE_STRIDE",
                                    "SDP.D_DST_SURFACE_STRIDE")),
                      want)
                << "batch " << b << " kernel " << k << " line " << y << " column " << x;
            seen.insert(want);
        }
        EXPECT_GT(seen.size(), 50u);  // neither zeros nor the largest number everywhere
    }

private:
    std::uint64_t address(const std::string& reg, const char* low, const char* high) const {
        return value(program_, reg + low) | std::uint64_t{value(program_, reg + high)} << 32;
    }
    std::uint64_t place(int b, int c, int y, int x, const char* batch, const char* line,
                        const char* surface) const {
        const auto u = [](int v) { return static_cast<std::uint64_t>(v); };
        const int each = sizes_.elements(c_.proc);
        return u(b) * value(program_, batch) + u(c / each) * value(program_, surface) +
               u(y) * value(program_, line) + u(x * sizes_.atom_bytes) +
               u(c % each * c_.element_bytes());
    }
    int element(std::uint64_t at) const {
        if (c_.proc == Precision::int8) return static_cast<std::int8_t>(memory_.peek(at));
        return static_cast<std::int16_t>(memory_.peek(at) | memory_.peek(at + 1) << 8);
    }

    void read_data() {
        const std::uint64_t base = address("CDMA.D_DAIN_ADDR", "_LOW_0", "_HIGH_0");
        for (int i = 0; i < c_.batches * c_.height * c_.width * c_.channels; ++i) {
            const int pixel = i / c_.channels, line = pixel / c_.width;
            c_.data.push_back(element(
                base + place(line / c_.height, i % c_.channels, line % c_.height, pixel % c_.width,
                             "CDMA.D_BATCH_STRIDE", "CDMA.D_LINE_STRIDE", "CDMA.D_SURF_STRIDE")));
        }
    }
    void read_weights() {
        // Where in the stream each weight is.
        c_.weights.resize(static_cast<std::size_t>(c_.kernels * c_.kernel_weights()));
        std::iota(c_.weights.begin(), c_.weights.end(), 0);
        const std::vector<int> order = c_.stream();
        const std::uint64_t masks = address("CDMA.D_WMB_ADDR", "_LOW", "_HIGH");
        std::uint64_t at = address("CDMA.D_WEIGHT_ADDR", "_LOW", "_HIGH");
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool stored = !c_.compressed || (memory_.peek(masks + i / 8) >> i % 8 & 1) != 0;
            c_.weights[static_cast<std::size_t>(order[i])] = stored ? element(at) : 0;
            at += stored ? static_cast<unsigned>(c_.element_bytes()) : 0;
        }
    }

    /// Behind SDP.
    int result(std::int32_t word) const {
        using dla::model::Fp16;
        using dla::model::Fp32;
        if (c_.proc == Precision::fp16) {
            return static_cast<std::int16_t>(
                dla::model::narrow<Fp32, Fp16>(static_cast<std::uint32_t>(word)));
        }
        const std::int64_t size = std::abs(std::int64_t{word});
        const auto shift = value(program_, "SDP.D_CVT_SHIFT");
        const std::int64_t rounded = (size + (std::int64_t{1} << shift >> 1)) >> shift;
        const std::int64_t top = c_.proc == Precision::int8 ? 127 : 32767;
        return static_cast<int>(std::clamp(word < 0 ? -rounded : rounded, -top - 1, top));
    }

    const Architecture sizes_ = dla::published::nv_full();
    dla::trace::Trace program_;
    NaiveConv c_;
    verif::Memory memory_{"pri_mem"}, unused_{"sec_mem"};
};

NaiveConv conv(Precision type, int width, int height, int channels, int kernels, int s, int r) {
    NaiveConv c;
    c.proc = type;
    c.width = width;
    c.height = height;
    c.channels = channels;
    c.kernels = kernels;
    c.s = s;
    c.r = r;
    return c;
}

TEST(DirectedLayer, DirectIsTheNaiveConvolution) {
    NaiveConv c = conv(Precision::int8, 9, 7, 70, 40, 3, 3);
    c.left = c.right = c.top = c.bottom = 1;
    Beside("9x7x70 k40 3x3 pad 1", c).compare();
    c = conv(Precision::fp16, 6, 5, 20, 18, 2, 3);
    c.left = c.top = 1;
    Beside("6x5x20 k18 2x3 pad 1,0,1,0 fp16", c).compare();
    c = conv(Precision::int16, 9, 9, 10, 5, 3, 3);
    c.left = c.right = c.top = c.bottom = 1;
    c.sx = c.sy = 2;
    Beside("int16 stride 2 pad 1 3x3 k5 9x9x10", c).compare();  // in any order
}

/// Of eleven columns windows of three with stride 3 reach nine.
TEST(DirectedLayer, WhatNoWindowReachesIsLeftOut) {
    NaiveConv c = conv(Precision::int8, 9, 9, 16, 12, 3, 3);
    c.sx = c.sy = 3;
    Beside("11x11x16 k12 3x3 stride 3", c).compare();
}

TEST(DirectedLayer, WinogradIsTheNaiveConvolutionOfTiles) {
    for (const auto& [type, name] :
         {std::pair(Precision::int8, "int8"), std::pair(Precision::int16, "int16"),
          std::pair(Precision::fp16, "fp16")}) {
        NaiveConv c = conv(type, 11, 8, 32, 18, 3, 3);
        c.mode = NaiveConv::Mode::winograd;
        c.left = c.top = 1;
        c.right = 4;   // 12 columns of output instead of 11
        c.bottom = 3;  // 8 lines
        Beside("11x8x32 k18 3x3 pad 1 winograd " + std::string(name), c).compare();
    }
}

TEST(DirectedLayer, BatchesAndCompressedWeightsAreThoseOfTheDefinition) {
    NaiveConv c = conv(Precision::fp16, 3, 2, 40, 20, 1, 1);
    c.batches = 5;
    c.compressed = true;
    Beside("3x2x40 k20 1x1 fp16 batch 5 density 50", c).compare();
    c = conv(Precision::int8, 5, 5, 33, 35, 3, 3);
    c.compressed = true;
    Beside("5x5x33 k35 3x3 density 25 int8", c).compare();
}

TEST(DirectedLayer, BreaksNoRule) {
    const std::vector<std::string> shapes = {
        "28x28x128 k128 3x3 pad 1 fp16",     "28x28x128 k128 3x3 pad 1 fp16 winograd",
        "14x14x256 k256 3x3 pad 1 int16",    "14x14x256 k256 3x3 pad 1 int8 winograd",
        "56x29x64 k64 3x3 pad 1,1,1,0 fp16", "56x29x64 k64 3x3 pad 1,1,0,1 fp16 winograd",
        "7x7x512 k512 3x3 pad 1 int8",       "7x7x512 k512 3x3 pad 1 int16 winograd density 50",
        "2x1x2048 k1000 1x1 fp16 batch 32",  "1x1x2048 k1000 1x1 int8 density 0",
        "1x1x1 k1 3x3 pad 1 winograd",       "112x112x3 k64 7x7 stride 2 pad 3",
        "224x30x3 k64 7x7 stride 2 pad 3",   "17x1x8 k9 3x1 stride 8 pad 2,1,0,0"};
    const Architecture sizes = dla::published::nv_full();
    const dla::run::Platform platform = dla::run::make_platform("nv_full", sizes);
    for (const std::string& shape : shapes) {
        for (const dla::run::BrokenRule& rule :
             platform.check_rules(platform.layer_program(shape, 1))) {
            ADD_FAILURE() << shape << ": " << rule.text;
        }
    }
    for (const dla::published::Config& config : dla::published::configs()) {
        const auto on = dla::run::make_platform(config.name, config.sizes);
        for (const char* shape : {"14x14x32 k40 3x3 pad 1", "5x4x100 k8 1x1 int8"})
            EXPECT_TRUE(on.check_rules(on.layer_program(shape, 1)).empty()) << config.name;
    }
}

TEST(DirectedLayer, CountsTheProductsOfDirectModeForAllInputs) {
    const auto platform = dla::run::make_platform("nv_full", dla::published::nv_full());
    const auto macs = [&](const std::string& shape) {
        return dla::run::count_work(platform.layer_program(shape, 1), platform).macs;
    };
    EXPECT_EQ(macs("12x8x16 k8 3x3 pad 1 fp16"), 12u * 8 * 16 * 8 * 9);
    EXPECT_EQ(macs("12x8x16 k8 3x3 pad 1 fp16 winograd"), 12u * 8 * 16 * 8 * 9);
    EXPECT_EQ(macs("11x7x16 k8 3x3 pad 1 fp16 winograd"), 12u * 8 * 16 * 8 * 9);  // whole tiles
    EXPECT_EQ(macs("2x3x16 k8 1x1 int8 batch 4"), 4u * 2 * 3 * 16 * 8);
}

TEST(DirectedLayer, SameSeedSameProgram) {
    const auto weights = [](std::uint64_t seed) {
        const auto program = directed_layer({}, "4x4x8 k8 3x3", seed);
        return program.memory[1].segments[0].bytes;
    };
    EXPECT_EQ(weights(1), weights(1));
    EXPECT_NE(weights(1), weights(2));
}

std::string refused(const Architecture& sizes, const std::string& layer) {
    try {
        directed_layer(sizes, layer, 1);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(DirectedLayer, WordsThatAreNoLayerAreRefused) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "no input: want WxHxC"},
        {"k8 3x3", "no input: want WxHxC"},
        {"8x8x8", "no kernels: want kN"},
        {"8x8x8 k8", "no size of a kernel: want SxR"},
        {"8x8x8 k8 3x3 fp17",
         "fp17: want WxHxC, kN, SxR, pad N or pad L,R,T,B, stride N, batch N, density N, int8, "
         "int16, fp16 or winograd"},
        {"8x0x8 k8 3x3", "8x0x8: want WxHxC, each in 1..8192"},
        {"8x8x8 k8 33x3", "33x3: want SxR, each in 1..32"},
        {"8x8x8 k0 3x3", "k0: want a whole number in 1..8192"},
        {"8x8x8 k8 3x3 pad",
         "pad of nothing: want N or L,R,T,B (left, right, top, bottom), each "
         "in 0..31"},
        {"8x8x8 k8 3x3 pad 1,1",
         "pad 1,1: want N or L,R,T,B (left, right, top, bottom), each in "
         "0..31"},
        {"8x8x8 k8 3x3 int8 fp16", "fp16: want one type"},
        {"8x8x8 k8 3x3 5x5", "5x5: want one SxR"},
        {"8x8x8 k8 3x3 pad 1 pad 2", "pad: want one pad"},
        {"8x8x8 k8 3x3 stride 9", "stride 9: want a whole number in 1..8"},
        {"8x8x8 k8 3x3 batch x", "batch x: want a whole number in 1..32"},
        {"8x8x8 k8 3x3 density 101", "density 101: want a whole number in 0..100"}};
    for (const auto& [layer, want] : cases)
        EXPECT_EQ(refused(dla::published::nv_full(), layer), want) << layer;
}

TEST(DirectedLayer, WhatTheMachineDoesNotTakeIsRefused) {
    const Architecture full = dla::published::nv_full();
    Architecture few = full;
    few.max_batch = 4;
    few.fp16 = false;
    const struct {
        Architecture sizes;
        const char* layer;
        const char* want;
    } cases[] = {
        {{}, "8x8x8 k8 3x3 fp16", "fp16: want int8, the types built here"},
        {few, "8x8x8 k8 3x3 fp16", "fp16: want int8 or int16, the types built here"},
        {{}, "8x8x8 k8 3x3 winograd", "winograd: want a configuration with winograd-enable"},
        {{}, "8x8x8 k8 3x3 batch 2", "batch 2: want a configuration with batch-enable"},
        {few, "8x8x8 k8 3x3 batch 5", "batch 5: want at most 4"},
        {{},
         "8x8x8 k8 3x3 density 50",
         "density 50: want a configuration with weight-compression-enable"},
        {full, "8x8x8 k8 5x5 winograd", "winograd of 5x5 stride 1: want 3x3 stride 1"},
        {full, "8x8x8 k8 3x3 winograd stride 2", "winograd of 3x3 stride 2: want 3x3 stride 1"},
        {full, "8x8x8 k8 3x3 winograd batch 2", "winograd and batch 2: want one of them"},
        {full, "8x8x8 k8 3x3 pad 0,0,3,0", "pad top 3: want less than the kernel, 3"},
        {full, "2x8x8 k8 3x3", "width 2 with padding: want at least 3, that of the kernel"},
        {full, "3x3x8 k8 3x3 batch 2",
         "batch of an output of 1 x 1: want a larger one: NVDLA has no such batches"},
        {full, "8x8x8192 k8 32x32 pad 30", "kernel of 8388608 bytes: want at most 262144"},
        {full, "8x8x8192 k8192 1x1", "weights of 67108864 bytes: want at most 33554432"},
        {full, "56x56x64 k64 3x3 pad 1 fp16 winograd",
         "17 CBUF banks (data 15, a group of kernels 2): want at most 16: fewer lines, channels or "
         "inputs"},
        {full, "1x2x8192 k32 4x2 pad 3,0,0,0 density 50",
         "density 50 with masks of 262144 bytes for a group of kernels: want at most 32640"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(refused(c.sizes, c.layer), c.want) << c.layer;
}

}  // namespace
}  // namespace macrame
