/// Convolutions against the definition, element by element.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using test::random_values;
using Ints = std::vector<std::int8_t>;

constexpr float kIn = 0.02F, kOut = 0.11F;
constexpr int kZeroIn = -7, kZeroOut = 12;

/// Sizes of a convolution and what it computes.
struct Case {
    int height, width, channels, kernels, groups;
    Window window;
};

std::vector<Case> cases() {
    Window plain{3, 2, 1, 1, 1, 1, 0, 0, 0, 0};
    Window padded{3, 3, 2, 1, 1, 1, 1, 0, 0, 2};
    Window dilated{2, 3, 1, 2, 3, 2, 2, 1, 3, 3};
    Window large{7, 7, 3, 3, 1, 1, 6, 6, 6, 6};
    return {{5, 6, 3, 4, 1, plain}, {6, 5, 4, 6, 2, padded}, {9, 8, 5, 5, 5, dilated},
            {4, 4, 2, 6, 2, plain}, {3, 2, 2, 3, 1, large},  {1, 1, 1, 1, 1, Window{}}};
}

int outputs(int size, int kernel, int stride, int dilation, int before, int behind) {
    return (size + before + behind - (kernel - 1) * dilation - 1) / stride + 1;
}

float weight_scale(int kernel) { return 0.004F * static_cast<float>(kernel + 1); }

/// Twice rounded; see quantised_test.cpp.
int rescaled(std::int64_t sum, double factor, Rounding rounding) {
    if (rounding == Rounding::onnx)
        return static_cast<int>(
            std::nearbyint(static_cast<float>(sum) * static_cast<float>(factor)));
    int exponent = 0;
    const auto mantissa = std::llround(std::frexp(factor, &exponent) * 2147483648.0);
    const std::int64_t high = (sum * mantissa + (1 << 30)) >> 31;
    return static_cast<int>(std::round(std::ldexp(static_cast<double>(high), exponent)));
}

class ConvTest : public testing::TestWithParam<Rounding> {};

TEST_P(ConvTest, IsTheDefinition) {
    unsigned seed = 0;
    for (const Case& c : cases()) {
        const Window& w = c.window;
        const int high = outputs(c.height, w.kernel_h, w.stride_h, w.dilation_h, w.top, w.bottom);
        const int wide = outputs(c.width, w.kernel_w, w.stride_w, w.dilation_w, w.left, w.right);
        const int depth = c.channels / c.groups;
        const auto count = [](auto... sizes) { return static_cast<std::size_t>((sizes * ...)); };
        const Ints data = random_values(count(c.height, c.width, c.channels), ++seed);
        const Ints weights =
            random_values(count(c.kernels, w.kernel_h, w.kernel_w, depth), ++seed, -127);
        std::vector<std::int32_t> bias;
        for (const std::int8_t v : random_values(count(c.kernels), ++seed))
            bias.push_back(v * 50);

        Builder b(GetParam());
        const TensorId x = b.input(Type::int8, {1, c.height, c.width, c.channels}, kIn, kZeroIn);
        const TensorId k =
            b.constant(Type::int8, {c.kernels, w.kernel_h, w.kernel_w, depth}, weights);
        Quantisation& q = b.graph.tensor(k).quantisation;
        for (int i = 0; i < c.kernels; ++i)
            q.scale.push_back(weight_scale(i));
        q.zero_point.assign(q.scale.size(), 0);
        const TensorId a = b.constant(Type::int32, {c.kernels}, bias);
        const TensorId y = b.output(Type::int8, {1, high, wide, c.kernels}, kOut, kZeroOut);
        b.node(Conv{w, c.groups, Activation::relu6}, {x, k, a}, {y});
        const Ints got = b.run<std::int8_t, std::int8_t>({data});

        const auto at = [&](int row, int column, int channel) {
            if (row < 0 || row >= c.height || column < 0 || column >= c.width) return kZeroIn;
            return int{data[count(1, (row * c.width + column) * c.channels + channel)]};
        };
        std::size_t next = 0;
        for (int oy = 0; oy < high; ++oy)
            for (int ox = 0; ox < wide; ++ox)
                for (int n = 0; n < c.kernels; ++n) {
                    std::int64_t sum = bias[count(n)];
                    for (int tap = 0; tap < w.kernel_h * w.kernel_w * depth; ++tap) {
                        const int ky = tap / depth / w.kernel_w, kx = tap / depth % w.kernel_w;
                        const int row = oy * w.stride_h - w.top + ky * w.dilation_h;
                        const int column = ox * w.stride_w - w.left + kx * w.dilation_w;
                        const int channel = n / (c.kernels / c.groups) * depth + tap % depth;
                        const int size = w.kernel_h * w.kernel_w * depth;
                        sum += (at(row, column, channel) - kZeroIn) *
                               weights[count(1, n * size + tap)];
                    }
                    const double factor = double{kIn} * double{weight_scale(n)} / double{kOut};
                    const int value = rescaled(sum, factor, GetParam()) + kZeroOut;
                    // ReLU6: 6 / 0.11 is 55 steps.
                    ASSERT_EQ(got[next++], std::min(std::max(value, kZeroOut), kZeroOut + 55))
                        << "case " << seed / 3 << " at " << oy << " " << ox << " " << n;
                }
    }
}

INSTANTIATE_TEST_SUITE_P(Both, ConvTest, testing::Values(Rounding::tflite, Rounding::onnx));

TEST(Conv, WithoutBiasInFloat) {
    Builder b;
    const TensorId x = b.input(Type::float32, {1, 2, 2, 1});
    const TensorId w = b.constant<float>(Type::float32, {1, 2, 2, 1}, {1, 2, 3, -4});
    const TensorId y = b.output(Type::float32, {1, 1, 1, 1});
    Conv conv;
    conv.window.kernel_h = conv.window.kernel_w = 2;
    b.node(conv, {x, w, kNone}, {y});
    EXPECT_EQ((b.run<float, float>({{0.5F, 1, 2, 1}})), std::vector<float>{4.5F});
}

TEST(Conv, WeightsMayHaveAZeroPoint) {
    Builder b;
    const TensorId x = b.input(Type::uint8, {1, 1, 1, 2}, 1, 100);
    const TensorId w = b.constant<std::uint8_t>(Type::uint8, {1, 1, 1, 2}, {130, 120}, 1, 128);
    const TensorId y = b.output(Type::uint8, {1, 1, 1, 1}, 1, 50);
    b.node(Conv{}, {x, w}, {y});
    // (110 - 100) * 2 + (95 - 100) * -8 + 50
    EXPECT_EQ((b.run<std::uint8_t, std::uint8_t>({{110, 95}})), std::vector<std::uint8_t>{110});
}

TEST(TransposeConv, SpreadsEachElement) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2, 2, 1}, 1, 0);
    const TensorId w =
        b.constant<std::int8_t>(Type::int8, {1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1);
    const TensorId y = b.output(Type::int8, {1, 4, 4, 1}, 1, 0);
    TransposeConv conv;
    conv.window = {3, 3, 2, 2, 1, 1, 0, 0, 1, 1};  // SAME over 4x4
    b.node(conv, {x, w, kNone}, {y});
    // Kernels at (0,0), (0,2), (2,0), (2,2), cut off at row and column 4.
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{1, 2, 3, 4}})),
              (Ints{1, 2, 3 + 2, 4, 4, 5, 6 + 8, 10, 7 + 3, 8 + 6, 9 + 14 + 9 + 4, 16 + 8, 12, 15,
                    18 + 16, 20}));
}

TEST(TransposeConv, IsTheGradientOfAConvolution) {
    // <conv(u), v> = <u, transposed(v)> with the same window, dilated and padded.
    const Window window{3, 2, 2, 1, 1, 2, 1, 0, 0, 1};
    const Ints u = random_values(7 * 6 * 2, 5, -3, 3), v = random_values(3 * 5 * 3, 6, -3, 3);
    const Ints weights = random_values(3 * 3 * 2 * 2, 7, -2, 2);
    Builder forward, back;
    const auto dot = [](const std::vector<float>& p, const Ints& q) {
        float sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i)
            sum += p[i] * static_cast<float>(q[i]);
        return sum;
    };
    const auto real = [](const Ints& values) {
        return std::vector<float>(values.begin(), values.end());
    };
    std::vector<float> straight = real(weights), turned(weights.size());
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t tap = 0; tap < 6; ++tap)
            for (std::size_t c = 0; c < 2; ++c)
                turned[(c * 6 + tap) * 3 + k] = straight[(k * 6 + tap) * 2 + c];
    forward.node(Conv{window, 1, Activation::none},
                 {forward.input(Type::float32, {1, 7, 6, 2}),
                  forward.constant(Type::float32, {3, 3, 2, 2}, straight)},
                 {forward.output(Type::float32, {1, 3, 5, 3})});
    back.node(TransposeConv{window, Activation::none},
              {back.input(Type::float32, {1, 3, 5, 3}),
               back.constant(Type::float32, {2, 3, 2, 3}, turned)},
              {back.output(Type::float32, {1, 7, 6, 2})});
    EXPECT_EQ(dot(forward.run<float, float>({real(u)}), v),
              dot(back.run<float, float>({real(v)}), u));
}

TEST(FullyConnected, HasARowForEachKernel) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 1, 1, 3}, 0.5F, -1);
    const TensorId w = b.constant<std::int8_t>(Type::int8, {2, 3}, {1, 2, 3, -4, 5, -6}, 0.5F);
    const TensorId a = b.constant<std::int32_t>(Type::int32, {2}, {10, -20});
    const TensorId y = b.output(Type::int8, {1, 2}, 1, 3);
    b.node(FullyConnected{Activation::relu}, {x, w, a}, {y});
    // Distances 1, 2, 3: sums 14 + 10 and -12 - 20, times 0.25.
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{0, 1, 2}})), (Ints{6 + 3, 3}));
}

}  // namespace
}  // namespace macrame::graph
