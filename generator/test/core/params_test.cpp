#include "core/params.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

namespace macrame {
namespace {

TEST(Params, KeysAreUniqueAndDocumented) {
    std::set<std::string_view> keys;
    for (const Param& param : params()) {
        EXPECT_TRUE(keys.insert(param.key).second) << param.key;
        EXPECT_FALSE(param.doc.empty()) << param.key;
        EXPECT_LE(param.doc.size(), 90u) << param.key;
    }
}

TEST(Params, DefaultsAreInRange) {
    for (const Param& param : params()) {
        EXPECT_TRUE(in_range(Config{}, param)) << param.key;
    }
}

TEST(Params, FindsByKeyAndByFlag) {
    EXPECT_EQ(find_param("mac-atomic-c-size"), find_param("mac_atomic_c_size"));
    EXPECT_NE(find_param("mac_atomic_c_size"), nullptr);
    EXPECT_EQ(find_param("nope"), nullptr);
}

/// Every parameter: its own text is read back, nonsense is refused.
TEST(Params, TextRoundTrip) {
    for (const Param& param : params()) {
        Config config;
        const std::string text = value_text(config, param);
        EXPECT_TRUE(assign(config, param, text)) << param.key;
        EXPECT_EQ(value_text(config, param), text) << param.key;
        const bool taken = assign(config, param, "nonsense");
        EXPECT_FALSE(taken && in_range(config, param)) << param.key;
    }
}

/// Every parameter with a range: both ends pass, the values beside them fail.
TEST(Params, Ranges) {
    for (const Param& param : params()) {
        const auto* member = std::get_if<int Config::*>(&param.member);
        if (member == nullptr) {
            continue;
        }
        const Allowed& allowed = param.allowed;
        const int low = allowed.choices.empty() ? allowed.low : allowed.choices.front();
        const int high = allowed.choices.empty() ? allowed.high : allowed.choices.back();
        Config config;
        for (const int good : {low, high}) {
            config.*(*member) = good;
            EXPECT_TRUE(in_range(config, param)) << param.key << " " << good;
        }
        config.*(*member) = high + 1;
        EXPECT_FALSE(in_range(config, param)) << param.key;
        config.*(*member) = -1;
        EXPECT_FALSE(in_range(config, param)) << param.key;
        config.*(*member) = 0;
        EXPECT_EQ(in_range(config, param), allowed.or_none) << param.key;
        if (allowed.power_of_two && high > 2) {
            config.*(*member) = 3;
            EXPECT_FALSE(in_range(config, param)) << param.key;
        }
    }
}

TEST(Params, AllowedText) {
    EXPECT_EQ(allowed_text(*find_param("mac_atomic_c_size")), "8, 16, 32 or 64");
    EXPECT_EQ(allowed_text(*find_param("cbuf_bank_number")), "a power of two in 2..32");
    EXPECT_EQ(allowed_text(*find_param("max_batch_size")), "a number in 1..32 or none");
    EXPECT_EQ(allowed_text(*find_param("clock_gating")), "true or false");
    EXPECT_EQ(allowed_text(*find_param("cfgrom_words")), "reference or derived");
}

TEST(Params, ReadmeHasTheTable) {
    std::ifstream in(SOURCE_DIR "/README.md");
    const std::string readme(std::istreambuf_iterator<char>(in), {});
    EXPECT_NE(readme.find(markdown_table()), std::string::npos) << "want this in README.md:\n"
                                                                << markdown_table();
}

TEST(Params, Closest) {
    const std::vector<std::string> names = {"generate", "list", "mac-atomic-c-size"};
    EXPECT_EQ(closest("genrate", names), "generate");
    EXPECT_EQ(closest("mac-atmoic-c", names), "mac-atomic-c-size");
    EXPECT_EQ(closest("quite-different", names), "");
}

}  // namespace
}  // namespace macrame
