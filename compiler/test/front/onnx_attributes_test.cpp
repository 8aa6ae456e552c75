/// Attributes of ONNX operators with values that no operator has: refused, not taken for others.
#include <gtest/gtest.h>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front {
namespace {

using test::Attributes;
using test::Dims;
using test::Floats;
using test::Ints;
using test::Names;
using test::OnnxBuilder;

struct Case {
    const char* type;
    Dims input;
    std::vector<Dims> weights;  ///< of the inputs behind it, of real values
    Attributes attributes;
    const char* says;  ///< at the end of the message; empty: none
};

std::string error_of(const Case& one) {
    OnnxBuilder b(17);
    Names inputs = {b.input(one.input)};
    for (const Dims& dims : one.weights) {
        std::size_t count = 1;
        for (const std::int64_t n : dims)
            count *= static_cast<std::size_t>(n);
        inputs.push_back(b.real(dims, Floats(count, 1)));
    }
    b.output(b.op(one.type, inputs, one.attributes));
    const ReadResult read = b.read();
    return read.ok() ? "" : read.errors[0];
}

TEST(OnnxAttributes, AreUsedOrRefused) {
    const Dims picture = {1, 2, 6, 6}, rows = {3, 1, 4};
    const Attributes cells = {{"hidden_size", std::int64_t{2}}};
    const auto with = [](Attributes all, const Attributes& more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const std::vector<Case> cases = {
        {"Conv", picture, {{3, 2, 3, 3}}, {{"strides", Ints{2, 2}}}, ""},
        {"Conv",
         picture,
         {{3, 2, 3, 3}},
         {{"strides", Ints{2}}},
         "1 values of strides: want 2, of an input with 4 axes"},
        {"MaxPool",
         picture,
         {},
         {{"kernel_shape", Ints{2, 2}}, {"pads", Ints{1, 1}}},
         "2 values of pads: want 4, of an input with 4 axes"},
        {"AveragePool",
         picture,
         {},
         {{"kernel_shape", Ints{3}}},
         "1 values of kernel_shape: want 2, of an input with 4 axes"},
        {"ConvTranspose",
         picture,
         {{2, 3, 2, 2}},
         {{"kernel_shape", Ints{3, 3}}},
         "kernel_shape 3x3: want that of the weights, 2x3x2x2"},
        {"MaxPool",
         picture,
         {},
         {{"kernel_shape", Ints{2, 2}}, {"ceil_mode", std::int64_t{2}}},
         "ceil_mode = 2: want 0 or 1"},
        {"RNN", rows, {{1, 2, 4}, {1, 2, 2}}, cells, ""},
        {"RNN",
         rows,
         {{2, 2, 4}, {2, 2, 2}},
         cells,
         "input 1 of shape 2x2x4: want 1 in front, of direction forward"},
        {"RNN",
         rows,
         {{1, 2, 4}, {1, 2, 2}},
         with(cells, {{"clip", 0.0F}}),
         "clip = 0: want more than 0"},
        {"RNN",
         rows,
         {{1, 2, 4}, {1, 2, 2}},
         with(cells, {{"layout", std::int64_t{2}}}),
         "layout = 2: want 0 or 1"},
    };
    for (const Case& one : cases) {
        const std::string error = error_of(one), says = one.says;
        if (says.empty()) {
            EXPECT_EQ(error, "") << one.type;
            continue;
        }
        ASSERT_GE(error.size(), says.size()) << one.type << ": want: " << says;
        EXPECT_EQ(error.substr(error.size() - says.size()), says) << error;
    }
}

/// 1.5 / 0.6 is 2.5 in float32 alone.
TEST(OnnxAttributes, PlacesOfResizeAreThoseOfFloat32) {
    for (const std::string mode : {"floor", "round_up"}) {
        OnnxBuilder b(17);
        const std::string x = b.input({1, 1, 2, 4});
        const std::string y = b.op("Resize", {x, "", b.real({4}, Floats{1, 1, 0.6F, 0.6F})},
                                   {{"nearest_mode", mode}});
        b.output(y);
        const ReadResult read = b.read();
        if (mode == "floor") {
            ASSERT_TRUE(read.ok()) << read.errors[0];
            EXPECT_EQ(test::run<float>(read, Floats{1, 2, 3, 4, 5, 6, 7, 8}), (Floats{1, 3}));
        } else {
            ASSERT_FALSE(read.ok());
            EXPECT_NE(read.errors[0].find("nearest_mode round_up: want floor, ceil, "),
                      std::string::npos)
                << read.errors[0];
        }
    }
}

}  // namespace
}  // namespace macrame::front
