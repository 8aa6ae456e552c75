/// Sizes at the limits of registers and one above: cut into layers, or refused with the limit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::test {

namespace {

using namespace graph;
using graph::test::Builder;
using graph::test::random_values;

constexpr float kScale = 0.05F;

TensorId weights(Builder& b, std::vector<int> shape, double gain) {
    std::size_t count = 1;
    for (const int size : shape)
        count *= static_cast<std::size_t>(size);
    return b.constant<std::int8_t>(Type::int8, std::move(shape), random_values(count, 7),
                                   static_cast<float>(gain));
}

/// Window over [1, h, w, c] with so many kernels.
Graph conv(int h, int w, int c, int kernels, Window window) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, h, w, c}, kScale, 3);
    const int reach_h = (window.kernel_h - 1) * window.dilation_h + 1;
    const int reach_w = (window.kernel_w - 1) * window.dilation_w + 1;
    const TensorId y =
        b.output(Type::int8,
                 {1, (h + window.top + window.bottom - reach_h) / window.stride_h + 1,
                  (w + window.left + window.right - reach_w) / window.stride_w + 1, kernels},
                 kScale, -5);
    Conv op;
    op.window = window;
    b.node(op, {x, weights(b, {kernels, window.kernel_h, window.kernel_w, c}, 0.01), kNone}, {y});
    return b.graph;
}

Graph connected(int inputs, int outputs) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, inputs}, kScale, 3);
    const TensorId y = b.output(Type::int8, {1, outputs}, kScale, -5);
    b.node(FullyConnected{}, {x, weights(b, {outputs, inputs}, 0.001), kNone}, {y});
    return b.graph;
}

Graph two(std::vector<int> shape, Arithmetic function) {
    Builder b;
    const TensorId x = b.input(Type::int8, shape, kScale, 0);
    const TensorId z = b.input(Type::int8, shape, kScale, 0);
    const TensorId y = b.output(Type::int8, shape, kScale, 0);
    b.node(Binary{function, Activation::none}, {x, z}, {y});
    return b.graph;
}

Graph one(std::vector<int> shape, Function function) {
    Builder b;
    const TensorId x = b.input(Type::int8, shape, kScale, 0);
    const TensorId y = b.output(Type::int8, shape, 1.0F / 128, 0);
    b.node(Unary{function, 0, 0}, {x}, {y});
    return b.graph;
}

Graph pool(std::vector<int> shape, Pooling function, Window window) {
    Builder b;
    const TensorId x = b.input(Type::int8, shape, kScale, 4);
    shape[1] = (shape[1] + window.top + window.bottom - window.kernel_h) / window.stride_h + 1;
    shape[2] = (shape[2] + window.left + window.right - window.kernel_w) / window.stride_w + 1;
    const TensorId y = b.output(Type::int8, shape, kScale, 4);
    Pool op;
    op.function = function;
    op.window = window;
    b.node(op, {x}, {y});
    return b.graph;
}

Window window(int h, int w, int stride_h = 1, int stride_w = 1) {
    Window out;
    out.kernel_h = h;
    out.kernel_w = w;
    out.stride_h = stride_h;
    out.stride_w = stride_w;
    return out;
}

Window padded(Window window) {
    window.top = window.bottom = window.kernel_h / 2;
    window.left = window.right = window.kernel_w / 2;
    return window;
}

Window dilated(int h, int w) {
    Window out = window(2, 2);
    out.dilation_h = h;
    out.dilation_w = w;
    return out;
}

dla::published::Config config(const std::string& name) {
    for (const dla::published::Config& config : dla::published::configs())
        if (config.name == name) return config;
    throw std::runtime_error(name + ": no such configuration");
}

struct Case {
    std::string name;
    Graph graph;
    bool runs = true;
};

/// Each size of a register once at its limit and once above.
std::vector<Case> cases() {
    std::vector<Case> out;
    for (const int n : {8192, 8193}) {
        const std::string size = " of " + std::to_string(n);
        out.push_back({"conv width" + size, conv(3, n, 5, 3, padded(window(3, 3)))});
        out.push_back({"conv width, stride" + size, conv(3, n, 5, 3, window(2, 5, 1, 3))});
        out.push_back({"conv height" + size, conv(n, 3, 5, 3, padded(window(3, 3)))});
        out.push_back({"conv of a column" + size, conv(n, 1, 2, 2, window(1, 1))});
        out.push_back({"conv kernels" + size, conv(2, 3, 5, n, window(1, 1))});
        out.push_back({"conv channels" + size, conv(1, 2, n, 3, window(1, 1)), n <= 8192});
        out.push_back({"image width" + size, conv(3, n, 3, 3, padded(window(3, 3)))});
        out.push_back({"connected inputs" + size, connected(n, 5)});
        out.push_back({"connected outputs" + size, connected(5, n)});
        out.push_back({"table width" + size, one({1, 2, n, 3}, Function::sigmoid)});
        out.push_back({"table height" + size, one({1, n, 2, 3}, Function::sigmoid)});
        out.push_back({"table channels" + size, one({1, 2, 2, n}, Function::sigmoid)});
        out.push_back({"relu width" + size, one({1, 2, n, 3}, Function::relu)});
        for (const Arithmetic function : {Arithmetic::add, Arithmetic::maximum}) {
            out.push_back({"add, maximum width" + size, two({1, 2, n, 3}, function)});
            out.push_back({"add, maximum height" + size, two({1, n, 1, 9}, function)});
            out.push_back({"add, maximum channels" + size, two({1, 2, 1, n}, function)});
            out.push_back({"add, maximum of a vector" + size, two({1, n}, function)});
        }
        for (const Pooling function : {Pooling::maximum, Pooling::average}) {
            out.push_back({"pool width" + size, pool({1, 3, n, 3}, function, window(2, 3, 1, 2))});
            out.push_back({"pool height" + size,
                           pool({1, n, 3, 3}, function, padded(window(3, 2, 2, 1)))});
            out.push_back({"pool channels" + size, pool({1, 3, 3, n}, function, window(2, 2))});
        }
    }
    for (const int n : {4095, 4096, 4097})  // lines that a layer gives back
        out.push_back({"conv lines " + std::to_string(n), conv(n, 1, 1, 1, window(2, 1))});
    for (const int n : {2730, 2731, 4096})  // pixels as columns of bytes
        out.push_back({"image " + std::to_string(n), conv(3, n, 3, 3, padded(window(3, 3, 2, 2)))});
    for (const int n : {2048, 2049})
        out.push_back({"image of 4 " + std::to_string(n), conv(3, n, 4, 3, window(1, 1))});
    out.push_back({"vectors of 9216", connected(9216, 9217)});
    for (const int n : {32, 33}) {
        const std::string size = " of " + std::to_string(n);
        out.push_back({"kernel" + size, conv(n, n, 8, 3, window(n, n)), n <= 32});
        out.push_back({"dilation" + size, conv(n + 2, n + 3, 8, 3, dilated(n, n)), n <= 32});
        out.push_back(
            {"largest kernel" + size, pool({1, n, n, 3}, Pooling::maximum, window(n, n))});
    }
    for (const int n : {8, 9})
        out.push_back({"stride of " + std::to_string(n), conv(20, 20, 8, 3, window(1, 1, n, n)),
                       n <= 8});
    for (const int n : {16, 17})
        out.push_back({"largest, stride of " + std::to_string(n),
                       pool({1, 40, 40, 3}, Pooling::maximum, window(2, 2, n, n)), n <= 16});
    return out;
}

TEST(DlaFieldLimits, SizesAreCutOrRefusedWithTheLimit) {
    for (const char* name : {"nv_small", "nv_large"}) {
        const dla::published::Config hardware = config(name);
        for (const Case& c : cases()) {
            SCOPED_TRACE(c.name);
            const compiler::Compiled made = dla::compiler::compile(c.graph, hardware.sizes);
            if (!c.runs) {
                ASSERT_FALSE(made.ok());
                EXPECT_NE(made.errors[0].find("want "), std::string::npos) << made.errors[0];
                EXPECT_EQ(made.errors[0].find("broken rule"), std::string::npos) << made.errors[0];
                EXPECT_EQ(made.refused.size(), 1U);
            }
            Counts counts;
            follow(c.graph, 1, hardware, counts, {}, "want ");
            EXPECT_EQ(counts.networks == 1, c.runs) << (made.ok() ? "" : made.errors[0]);
        }
    }
}

TEST(DlaFieldLimits, PaddingBeyondTheWindow) {
    for (const char* name : {"nv_small", "nv_large"}) {
        for (const int channels : {2, 9}) {  // an image, and a cube
            for (const auto& [kernel_h, kernel_w] : {std::pair{1, 1}, {1, 3}, {3, 1}, {3, 3}}) {
                for (const int amount : {1, 3, 31, 32, 40}) {
                    Window padding = window(kernel_h, kernel_w, 2, 1);
                    padding.top = amount;
                    padding.left = amount - 1;
                    padding.bottom = 1;
                    padding.right = amount;
                    SCOPED_TRACE(fmt::format("{} {} x {}, {}", name, kernel_h, kernel_w, amount));
                    Counts counts;
                    follow(conv(5, 7, channels, 3, padding), 1, config(name), counts);
                    EXPECT_EQ(counts.networks, 1);
                }
            }
        }
        for (const int amount : {31, 32}) {
            Window wide = dilated(amount, amount);
            wide.top = wide.left = wide.bottom = wide.right = amount;
            Counts counts;
            follow(conv(9, 8, 9, 3, wide), 1, config(name), counts);
            EXPECT_EQ(counts.networks, 1) << amount;
        }
    }
}

TEST(DlaFieldLimits, TheHostTakesWhatIsTooLarge) {
    compiler::Options options;
    options.host_commands = true;
    Counts counts;
    follow(conv(1, 2, 8193, 3, window(1, 1)), 1, config("nv_small"), counts, options);
    EXPECT_EQ(counts.networks, 1);
}

}  // namespace

}  // namespace macrame::test
