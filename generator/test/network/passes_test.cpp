// `macrame compile --dump`: what passes have made, as files for people.
#include "network/passes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "compiler/test/front/onnx_builder.hpp"
#include "emit/file_io.hpp"
#include "generator/test/network/commands.hpp"
#include "test/source_dir.hpp"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;
using front::test::OnnxBuilder;

/// A preset of a family, and what its passes are called.
struct Machine {
    const char* preset;
    const char* family;
    const char* layers;  ///< in the text of its lowering
};

class Passes : public Commands<Machine> {
protected:
    void SetUp() override {
        begin("passes", "net.onnx", GetParam().preset);
        OnnxBuilder b;
        const std::string x = b.input({1, 3, 8, 8}, OnnxBuilder::kInt8);
        const std::string w = b.constant<std::int8_t>(OnnxBuilder::kInt8, {4, 3, 1, 1},
                                                      {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        const std::string sums =
            b.op("Conv", {b.dequantised(x, 0.05F, 3), b.dequantised(w, 0.03F, 0)});
        b.output(b.op("QuantizeLinear", {sums, b.real(0.02F), b.zero(1)}));
        const graph::Bytes bytes = b.bytes();
        ASSERT_EQ(emit::write_file(file("net.onnx"), std::string(bytes.begin(), bytes.end())), "");
    }

    /// Files for people that a command has written.
    std::set<std::string> dumps(const std::string& folder) const {
        std::set<std::string> out;
        for (const fs::directory_entry& entry : fs::directory_iterator(file(folder))) {
            const std::string name = entry.path().filename().string();
            if (name.find("-") != std::string::npos) out.insert(name);
        }
        return out;
    }
    std::string text(const std::string& name) const { return emit::read_file(file(name)).bytes; }
    static std::vector<std::string> names() {
        return pass_names(*find_family(all_families(), GetParam().family));
    }
};

TEST_P(Passes, AllAreWritten) {
    ASSERT_EQ(call("compile", {"--dump", "all", "--out", file("all")}), kPassed) << said_;
    std::set<std::string> want;
    for (const std::string& name : names())
        want.insert(fmt::format("net.{:02}-{}.txt", want.size() + 1, name));
    EXPECT_EQ(dumps("all"), want);
    for (const std::string& name : want)
        EXPECT_FALSE(text("all/" + name).empty()) << name;
    EXPECT_NE(text("all/net.01-read.txt").find("conv 1x1"), std::string::npos);
    const auto lowering = std::find_if(want.begin(), want.end(), [](const std::string& name) {
        return name.find("-lowering.txt") != std::string::npos;
    });
    ASSERT_NE(lowering, want.end());
    EXPECT_NE(text("all/" + *lowering).find(GetParam().layers), std::string::npos)
        << text("all/" + *lowering);
    EXPECT_NE(text("all/net.03-partition.txt").find(": conv  ("), std::string::npos);
}

TEST_P(Passes, OneIsWrittenAndChangesNothing) {
    ASSERT_EQ(call("compile", {"--dump", "memory", "--out", file("one")}), kPassed) << said_;
    ASSERT_EQ(call("compile", {"--out", file("none")}), kPassed) << said_;
    ASSERT_EQ(dumps("one").size(), 1U);
    EXPECT_NE(dumps("one").begin()->find("-memory.txt"), std::string::npos);
    EXPECT_TRUE(dumps("none").empty());
    for (const fs::directory_entry& entry : fs::directory_iterator(file("none"))) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(text("one/" + name), text("none/" + name)) << name;
    }
}

TEST_P(Passes, AnUnknownOneIsAnErrorThatListsThem) {
    EXPECT_EQ(call("compile", {"--dump", "steps", "--out", file("none")}), kUserError);
    EXPECT_NE(said_.find("--dump: steps not in {read,canonical,partition,"), std::string::npos)
        << said_;
    for (const std::string& name : names())
        EXPECT_NE(said_.find(name + ","), std::string::npos) << name;
    EXPECT_FALSE(fs::exists(file("none")));
}

TEST_P(Passes, TheDocumentHasARowForEach) {
    const std::string document = source_text("docs/networks.md");
    for (const std::string& name : names())
        EXPECT_NE(document.find("\n| `" + name + "` | "), std::string::npos) << name;
}

INSTANTIATE_TEST_SUITE_P(Families, Passes,
                         testing::Values(Machine{"nv_small", "dla", "-> 8x8x4"},
                                         Machine{"16x16", "systolic", "8x8x3 -> 8x8x4"},
                                         Machine{"artya7100t", "tcu", "sums"}),
                         [](const auto& one) { return "of_" + std::string(one.param.family); });

}  // namespace
}  // namespace macrame::network
