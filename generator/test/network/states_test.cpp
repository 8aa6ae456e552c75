// Networks that keep something from one run to the next, by the commands.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compiler/test/front/tflite_builder.hpp"
#include "emit/file_io.hpp"
#include "generator/test/network/commands.hpp"

namespace macrame::network {
namespace {

class States : public Commands<const char*> {
protected:
    void SetUp() override {
        begin("states", "net.tflite", GetParam());
        const std::vector<std::uint8_t> network = front::test::streaming_network();
        ASSERT_EQ(emit::write_file(file("net.tflite"), std::string(network.begin(), network.end())),
                  "");
        ASSERT_EQ(emit::write_file(file("in.bin"), std::string{1, 2, 3, 4}), "");
    }
};

TEST_P(States, GoFromRunToRun) {
    ASSERT_EQ(
        call("run", {"--input", file("in.bin"), "--output", file("out.bin"), "--compare-layers"}),
        kPassed)
        << said_;
    EXPECT_EQ(emit::read_file(file("out.bin")).bytes, (std::string{61, 53, 36, 10})) << said_;
}

TEST_P(States, AreInTheFileOfParts) {
    ASSERT_EQ(call("compile", {"--out", file("made")}), kPassed) << said_;
    const nlohmann::json parts =
        nlohmann::json::parse(emit::read_file(file("made/net.parts.json")).bytes);
    ASSERT_EQ(parts["states"].size(), 1U);
    EXPECT_EQ(parts["states"][0]["first_bytes"], (std::vector<int>{10, 20, 30}));
    EXPECT_EQ(parts["states"][0]["input"], parts["inputs"][1]);
    EXPECT_EQ(parts["states"][0]["output"], parts["outputs"][1]);
}

INSTANTIATE_TEST_SUITE_P(Presets, States, testing::Values("nv_small", "16x16", "artya7100t"),
                         [](const auto& one) { return "of_" + std::string(one.param); });

}  // namespace
}  // namespace macrame::network
