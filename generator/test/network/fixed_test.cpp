// Inputs that become constants, by the commands.
#include <gtest/gtest.h>

#include "compiler/test/front/onnx_builder.hpp"
#include "emit/file_io.hpp"
#include "generator/test/network/commands.hpp"

namespace macrame::network {
namespace {

using front::test::OnnxBuilder;

/// The sum of two inputs of int8, all of one scale.
class FixedInputs : public Commands<const char*> {
protected:
    void SetUp() override {
        begin("fixed", "net.onnx", GetParam());
        OnnxBuilder b;
        const std::string x = b.input({1, 4}, OnnxBuilder::kInt8),
                          y = b.input({1, 4}, OnnxBuilder::kInt8);
        const std::string made =
            b.op("Add", {b.dequantised(x, 0.5F, 0), b.dequantised(y, 0.5F, 0)});
        b.output(b.op("QuantizeLinear", {made, b.real(0.5F), b.zero(0)}));
        const auto text = b.bytes();
        ASSERT_EQ(emit::write_file(file("net.onnx"), std::string(text.begin(), text.end())), "");
        ASSERT_EQ(emit::write_file(file("in.bin"), std::string{1, 2, 3, 4}), "");
    }
};

TEST_P(FixedInputs, LeaveTheOthers) {
    ASSERT_EQ(call("run", {"--input", file("in.bin"), "--output", file("out.bin"), "--fix",
                           "x2=10,20,30,-5"}),
              kPassed)
        << said_;
    EXPECT_EQ(emit::read_file(file("out.bin")).bytes, (std::string{11, 22, 33, -1})) << said_;
    EXPECT_EQ(call("estimate", {"--fix", "x2=7"}), kPassed) << said_;
}

TEST_P(FixedInputs, MistakesAreToldByEachCommand) {
    const std::vector<std::pair<const char*, std::vector<std::string>>> commands = {
        {"estimate", {}},
        {"compile", {"--out", file("made")}},
        {"run", {"--input", file("in.bin")}}};
    for (const auto& [command, options] : commands) {
        std::vector<std::string> more = options;
        more.insert(more.end(), {"--fix", "x9=1"});
        EXPECT_EQ(call(command, more), kUserError) << command;
        EXPECT_NE(said_.find("a value for x9, which is no input: want one of x1, x2"),
                  std::string::npos)
            << said_;
    }
    for (const char* text : {"x2", "=1", "x2=", "x2=1,,2"}) {
        EXPECT_EQ(call("estimate", {"--fix", text}), kUserError);
        EXPECT_NE(said_.find(std::string("--fix: ") + text +
                             ": want NAME=V,V,..., one value or "
                             "each"),
                  std::string::npos)
            << said_;
    }
    EXPECT_EQ(call("estimate", {"--fix", "x2=1", "--fix", "x2=2"}), kUserError);
    EXPECT_NE(said_.find("--fix: x2=2: given twice: want it once"), std::string::npos) << said_;
}

INSTANTIATE_TEST_SUITE_P(Presets, FixedInputs, testing::Values("nv_small", "16x16", "artya7100t"),
                         [](const auto& one) { return "of_" + std::string(one.param); });

}  // namespace
}  // namespace macrame::network
