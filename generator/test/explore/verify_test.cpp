/// Points of a front that are measured.

#include "explore/verify.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli.hpp"
#include "families/family.hpp"

namespace macrame::explore {
namespace {

/// What is said to a command that is refused.
std::string refused(std::vector<std::string> options) {
    options.insert(options.begin(), {"explore", "net.tflite", "--out", "/dev/null/none"});
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(options, all_families()), kUserError);
    return testing::internal::GetCapturedStderr();
}

TEST(ExploreVerify, WantsAllPointsOfOneFamily) {
    EXPECT_NE(refused({"--verify", "2", "--part", "1/2"}).find("--verify: of a part: want all"),
              std::string::npos);
    EXPECT_NE(refused({"--verify", "2", "--family", "all"}).find("family = all: want one family"),
              std::string::npos);
    EXPECT_NE(refused({"--verify", "0"}).find("--verify"), std::string::npos);
}

TEST(ExploreVerify, ReadsWhatTheScriptWrites) {
    const std::vector<Verified> found = verified_of(
        R"([{"name": "a", "errors": ["net: differs"], "cycles": {}},
            {"name": "b", "errors": [], "cycles": {"net": 4000},
             "area": {"luts": 1000, "ffs": 2000, "dsps": 4, "brams": 5}}])");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].errors, std::vector<std::string>{"net: differs"});
    EXPECT_TRUE(found[0].area.empty());
    EXPECT_EQ(found[1].cycles.at("net"), 4000);
    EXPECT_EQ(found[1].area.at("dsps"), 4);
}

/// In a checkout it is there.
TEST(ExploreVerify, TheScriptIsBesideTheBuildFolder) {
    Diags diags;
    EXPECT_EQ(verify_script(diags).filename(), "verify.py");
    EXPECT_TRUE(diags.empty()) << diags[0].text;
}

}  // namespace
}  // namespace macrame::explore
