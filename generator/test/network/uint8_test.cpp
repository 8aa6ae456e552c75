// Networks of uint8, by the commands.
#include <gtest/gtest.h>

#include "compiler/test/front/tflite_builder.hpp"
#include "emit/file_io.hpp"
#include "generator/test/network/commands.hpp"

namespace macrame::network {
namespace {

class Unsigned : public Commands<const char*> {
protected:
    /// What it reads, fully connected with ones on the diagonal.
    void SetUp() override {
        begin("uint8", "net.tflite", GetParam());
        const auto uint8 = front::schema::TensorType::UINT8;
        front::test::TfliteBuilder b;
        const int x = b.tensor(uint8, {1, 4}, {1}, {130}), y = b.tensor(uint8, {1, 4}, {1}, {7});
        std::vector<std::uint8_t> ones(16, 120);
        for (std::size_t i = 0; i < 4; ++i)
            ones[5 * i] = 121;
        const int w = b.tensor<std::uint8_t>(uint8, {4, 4}, {1}, {120}, ones);
        b.op(front::schema::BuiltinOperator::FULLY_CONNECTED, {x, w}, {y},
             front::schema::OptionsType::FULLY_CONNECTED,
             front::schema::CreateFullyConnectedOptions(b.fbb));
        const std::vector<std::uint8_t> network = b.finish({x}, {y});
        ASSERT_EQ(emit::write_file(file("net.tflite"), std::string(network.begin(), network.end())),
                  "");
    }
};

TEST_P(Unsigned, RunOnTheHardware) {
    ASSERT_EQ(call("estimate", {}), kPassed) << said_;
    EXPECT_NE(said_.find(", 100 % of 16 multiply-adds"), std::string::npos) << said_;
    const std::string in = {static_cast<char>(125), static_cast<char>(130), static_cast<char>(150),
                            static_cast<char>(250)};
    ASSERT_EQ(emit::write_file(file("in.bin"), in), "");
    ASSERT_EQ(call("run", {"--input", file("in.bin"), "--output", file("out.bin")}), kPassed)
        << said_;
    EXPECT_EQ(emit::read_file(file("out.bin")).bytes, (std::string{2, 7, 27, 127}));
}

/// The golden model plays the network for them: only where somebody wants that.
TEST_P(Unsigned, TracesAreWrittenOnDemand) {
    const bool registers = std::string(GetParam()) == "nv_small";
    const auto writes_trace = [&](const std::string& folder) {
        return emit::read_file(file(folder + "/net.cfg")).error.empty();
    };
    ASSERT_EQ(call("compile", {"--out", file("made")}), kPassed) << said_;
    EXPECT_FALSE(writes_trace("made"));
    ASSERT_EQ(emit::write_file(file("in.bin"), std::string(4, '\x02')), "");
    ASSERT_EQ(call("compile", {"--out", file("two"), "--input", file("in.bin")}), kPassed) << said_;
    EXPECT_EQ(writes_trace("two"), registers);
    const int status = call("compile", {"--out", file("zeros"), "--trace"});
    EXPECT_EQ(status, registers ? kPassed : kUserError) << said_;
    EXPECT_EQ(writes_trace("zeros"), registers);
}

INSTANTIATE_TEST_SUITE_P(Presets, Unsigned, testing::Values("nv_small", "16x16", "artya7100t"),
                         [](const auto& one) { return "of_" + std::string(one.param); });

}  // namespace
}  // namespace macrame::network
