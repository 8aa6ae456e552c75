// Networks that keep something from one run to the next, by the commands.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "compiler/test/front/tflite_builder.hpp"
#include "emit/file_io.hpp"
#include "families/family.hpp"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;

class States : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        base_ = fs::temp_directory_path() /
                ("macrame_states_" + std::to_string(getpid()) + "_" + GetParam());
        fs::create_directories(base_);
        const std::vector<std::uint8_t> network = front::test::streaming_network();
        ASSERT_EQ(emit::write_file(file("net.tflite"), std::string(network.begin(), network.end())),
                  "");
        ASSERT_EQ(emit::write_file(file("in.bin"), std::string{1, 2, 3, 4}), "");
    }
    void TearDown() override { fs::remove_all(base_); }

    std::string file(const std::string& name) const { return (base_ / name).string(); }
    int call(const std::string& command, const std::vector<std::string>& more) {
        std::vector<std::string> words = {command, file("net.tflite"), "--preset", GetParam()};
        words.insert(words.end(), more.begin(), more.end());
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = run(words, all_families());
        said_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
        return status;
    }

    fs::path base_;
    std::string said_;
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
