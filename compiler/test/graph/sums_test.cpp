/// Convolutions of numbers, split into sums of bytes and what zero points add.

#include "compiler/graph/sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "compiler/graph/check.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph::test {

namespace {

constexpr int kRuns = 3;

/// What an operator of dynamic quantisation looks like.
struct Case {
    int groups = 1;
    bool full = false;
    int padding = 0;
    bool shifted = true;
    /// Of the input: none, one that is known, or one of a run.
    enum class Zero { none, known, computed } zero = Zero::computed;
    int weight_zero = 0;
    int channels = 12;
    std::vector<int> zero_shape = {};
    int moves = 0;  ///< in front of the product, of int32
    bool largest = false;
};

Builder network(const Case& c) {
    Builder b(Rounding::onnx);
    const int height = c.full ? 1 : 4, width = 5, kernels = c.groups > 1 ? 2 * c.channels : 7;
    const std::vector<int> shape = {1, height, width, c.channels};
    const TensorId x = b.input(Type::int8, shape);
    b.graph.tensor(x).shifted = c.shifted;
    TensorId wide = b.tensor(Type::int32, shape);
    b.node(Cast{}, {x}, {wide});
    if (c.zero != Case::Zero::none) {
        const TensorId zero = c.zero == Case::Zero::computed
                                  ? b.input(Type::int8, c.zero_shape)
                                  : b.constant<std::int8_t>(Type::int8, c.zero_shape, {37});
        b.graph.tensor(zero).shifted = c.shifted;
        const TensorId wide_zero = b.tensor(Type::int32, c.zero_shape);
        const TensorId difference = b.tensor(Type::int32, shape);
        b.node(Cast{}, {zero}, {wide_zero});
        b.node(Binary{Arithmetic::sub, Activation::none}, {wide, wide_zero}, {difference});
        wide = difference;
    }
    for (int i = 0; i < c.moves; ++i) {
        const TensorId to = b.tensor(Type::int32, shape);
        b.node(Reshape{}, {wide}, {to});
        wide = to;
    }
    const int kernel = c.full ? 1 : 3;
    const std::vector<int> form = c.full
                                      ? std::vector<int>{kernels, c.channels}
                                      : std::vector<int>{kernels, kernel, 2, c.channels / c.groups};
    std::size_t count = 1;
    for (const int size : form)
        count *= static_cast<std::size_t>(size);
    std::vector<std::int8_t> weights = random_values(count, 5);
    if (c.largest) std::fill(weights.begin(), weights.end(), std::int8_t{-128});
    const TensorId w = b.constant<std::int8_t>(Type::int8, form, weights, 1, c.weight_zero);
    if (c.full) {
        b.node(FullyConnected{}, {wide, w}, {b.output(Type::int32, {1, 1, width, kernels})});
        return b;
    }
    Conv op;
    op.groups = c.groups;
    op.window.kernel_h = kernel;
    op.window.kernel_w = 2;
    op.window.top = op.window.left = c.padding;
    b.node(op, {wide, w},
           {b.output(Type::int32,
                     {1, height - kernel + 1 + c.padding, width - 1 + c.padding, kernels})});
    return b;
}

std::size_t count_of(const Graph& graph, bool (*is)(const Node&)) {
    return static_cast<std::size_t>(std::count_if(graph.nodes.begin(), graph.nodes.end(), is));
}
bool leaves_sums(const Node& node) {
    const auto* conv = std::get_if<Conv>(&node.op);
    return conv != nullptr && conv->sums != Sums::whole;
}

/// The same bytes for random inputs; how many products of the hardware there are.
std::size_t split_and_compare(const Case& c, Sums form) {
    const Builder b = network(c);
    EXPECT_EQ(check(b.graph), std::vector<std::string>{});
    Graph split = b.graph;
    split_sums(split, form, [](const Graph& alone) { return check(alone).empty(); });
    EXPECT_EQ(check(split), std::vector<std::string>{});
    for (unsigned run = 0; run < kRuns; ++run) {
        std::vector<Bytes> inputs;
        for (const TensorId id : b.graph.inputs)
            inputs.push_back(bytes_of(random_values(b.graph.tensor(id).elements(), run)));
        if (c.largest)
            std::fill(inputs[0].begin(), inputs[0].end(), static_cast<std::uint8_t>(-128));
        EXPECT_EQ(graph::run(split, inputs), graph::run(b.graph, inputs));
    }
    return count_of(split, leaves_sums);
}

TEST(SplitSums, LeavesTheResultsAsTheyAre) {
    int number = 0;
    for (const Sums form : {Sums::digits, Sums::bytes})
        for (const bool full : {false, true})
            for (const auto zero : {Case::Zero::none, Case::Zero::known, Case::Zero::computed})
                for (const bool shifted : {false, true})
                    for (const int weight_zero : {0, 100, -128}) {
                        SCOPED_TRACE(number++);
                        Case c;
                        c.full = full;
                        c.zero = zero;
                        c.shifted = shifted;
                        c.weight_zero = weight_zero;
                        c.padding = number % 3;
                        c.groups = !full && number % 4 == 0 ? 12 : 1;
                        c.moves = number % 3;
                        if (number % 2 == 0) c.zero_shape = {1, 1, 1, 1};
                        EXPECT_EQ(split_and_compare(c, form), 1U);
                    }
}

TEST(SplitSums, TakesChannelsInPartsWhereDigitsDoNotHoldTheSums) {
    Case c;
    c.full = c.largest = true;
    c.channels = 600;  // sums up to 600 * 2^14
    EXPECT_EQ(split_and_compare(c, Sums::digits), 2U);
    EXPECT_EQ(split_and_compare(c, Sums::bytes), 1U);
    c.channels = 1500;
    EXPECT_GT(split_and_compare(c, Sums::digits), 2U);
}

TEST(SplitSums, LeavesWhatTheHardwareDoesNotTake) {
    const Builder b = network({});
    Graph split = b.graph;
    split_sums(split, Sums::digits, [](const Graph&) { return false; });
    EXPECT_EQ(split.nodes.size(), b.graph.nodes.size());
    split_sums(split, Sums::whole, [](const Graph&) { return true; });
    EXPECT_EQ(count_of(split, leaves_sums), 0U);
}

/// Somebody reads the real values of the bytes.
TEST(SplitSums, LeavesBytesWithAScaleThatIsRead) {
    Builder b = network({});
    b.graph.tensor(b.graph.inputs[0]).quantisation = {{0.5F}, {3}, 0};
    b.node(Requantise{}, {b.graph.inputs[0]},
           {b.output(Type::float32, b.graph.tensor(b.graph.inputs[0]).shape)});
    Graph split = b.graph;
    split_sums(split, Sums::digits, [](const Graph&) { return true; });
    EXPECT_EQ(count_of(split, leaves_sums), 0U);
}

TEST(Digits, HoldAllSumsBetweenTheirEnds) {
    EXPECT_EQ(least_of_digits(1), -128);
    EXPECT_EQ(most_of_digits(1), 127);
    EXPECT_EQ(least_of_digits(2), -32640);
    EXPECT_EQ(most_of_digits(2), 32895);
    EXPECT_EQ(most_of_digits(3) - least_of_digits(3), (1 << 24) - 1);
}

/// A convolution of 1 x 1 whose sums are what the inputs say, and the digits joined.
TEST(Digits, JoinedAreTheSums) {
    std::mt19937 random(3);
    for (std::size_t count = 1; count <= kMostDigits; ++count) {
        Builder b(Rounding::onnx);
        const TensorId x = b.input(Type::int8, {1, 1, 256, 2}, 1);
        const TensorId w = b.constant<std::int8_t>(
            Type::int8, {2, 1, 1, 2}, {1, 0, static_cast<std::int8_t>(count > 1 ? 127 : 0), 0}, 1);
        Conv op;
        op.sums = Sums::digits;
        std::vector<TensorId> digits;
        for (std::size_t d = 0; d < count; ++d)
            digits.push_back(b.tensor(Type::int8, {1, 1, 256, 2}, 1));
        b.node(op, {x, w}, digits);
        b.node(Join{}, digits, {b.output(Type::int32, {512})});
        std::vector<std::int8_t> values;
        for (int i = -128; i < 128; ++i) {
            values.push_back(static_cast<std::int8_t>(i));
            values.push_back(static_cast<std::int8_t>(random()));
        }
        const auto got = b.run<std::int32_t, std::int8_t>({values});
        for (std::size_t i = 0; i < 256; ++i) {
            EXPECT_EQ(got[2 * i], values[2 * i]);
            EXPECT_EQ(got[2 * i + 1], values[2 * i] * (count > 1 ? 127 : 0));
        }
    }
}

TEST(Digits, ChecksSayWhatIsWanted) {
    Builder b(Rounding::onnx);
    const TensorId x = b.input(Type::int8, {1, 1, 4, 2}, 0.5F);
    const TensorId w = b.constant<std::int8_t>(Type::int8, {1, 1, 1, 2}, {1, 0}, 1);
    Conv op;
    op.sums = Sums::digits;
    b.node(op, {x, w}, {b.output(Type::int8, {1, 1, 4, 1}, 1)});
    ASSERT_EQ(check(b.graph).size(), 1U);
    EXPECT_NE(check(b.graph)[0].find("want a scale of 1, no zero point"), std::string::npos);
    b.graph.tensor(x).quantisation.scale = {1};
    EXPECT_EQ(check(b.graph), std::vector<std::string>{});
    b.node(Join{}, {b.graph.outputs[0]}, {b.output(Type::int32, {3})});
    ASSERT_EQ(check(b.graph).size(), 1U);
    EXPECT_NE(check(b.graph)[0].find("want 3 digits, or four bytes each"), std::string::npos);
}

}  // namespace

}  // namespace macrame::graph::test
