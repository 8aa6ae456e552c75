#include <gtest/gtest.h>

#include <set>

#include "core/param.hpp"
#include "support.hpp"
#include "test/source_dir.hpp"

namespace macrame::dla {
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
        EXPECT_TRUE(in_range(family().defaults, param)) << param.key;
    }
}

TEST(Params, FindsByKeyAndByFlag) {
    EXPECT_EQ(find_param(params(), "mac-atomic-c-size"), find_param(params(), "mac_atomic_c_size"));
    EXPECT_NE(find_param(params(), "mac_atomic_c_size"), nullptr);
    EXPECT_EQ(find_param(params(), "nope"), nullptr);
}

/// Every parameter: its own text is read back, nonsense is refused.
TEST(Params, TextRoundTrip) {
    for (const Param& param : params()) {
        AnyConfig config = Config{};
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
        if (param.kind != Param::Kind::number) continue;
        const Allowed& allowed = param.allowed;
        const int low = allowed.choices.empty() ? allowed.low : allowed.choices.front();
        const int high = allowed.choices.empty() ? allowed.high : allowed.choices.back();
        AnyConfig config = Config{};
        for (const int good : {low, high}) {
            param.set(config, good);
            EXPECT_TRUE(in_range(config, param)) << param.key << " " << good;
        }
        param.set(config, high + 1);
        EXPECT_FALSE(in_range(config, param)) << param.key;
        param.set(config, -1);
        EXPECT_FALSE(in_range(config, param)) << param.key;
        param.set(config, 0);
        EXPECT_EQ(in_range(config, param), allowed.or_none) << param.key;
        if (allowed.power_of_two && high > 2) {
            param.set(config, 3);
            EXPECT_FALSE(in_range(config, param)) << param.key;
        }
    }
}

TEST(Params, AllowedText) {
    EXPECT_EQ(allowed_text(*find_param(params(), "mac_atomic_c_size")), "8, 16, 32 or 64");
    EXPECT_EQ(allowed_text(*find_param(params(), "cbuf_bank_number")), "a power of two in 2..32");
    EXPECT_EQ(allowed_text(*find_param(params(), "max_batch_size")), "a number in 1..32 or none");
    EXPECT_EQ(allowed_text(*find_param(params(), "clock_gating")), "true or false");
    EXPECT_EQ(allowed_text(*find_param(params(), "cfgrom_words")), "reference or derived");
}

TEST(Params, DocumentsHaveTheTable) {
    const std::string table = markdown_table(params(), family().defaults);
    EXPECT_NE(source_text("docs/parameters.md").find(table), std::string::npos)
        << "want this in docs/parameters.md:\n"
        << table;
}

TEST(Params, Closest) {
    const std::vector<std::string> names = {"generate", "list", "mac-atomic-c-size"};
    EXPECT_EQ(closest("genrate", names), "generate");
    EXPECT_EQ(closest("mac-atmoic-c", names), "mac-atomic-c-size");
    EXPECT_EQ(closest("quite-different", names), "");
    // Nothing far from what was written.
    EXPECT_EQ(closest("foo", {"feature-data-types"}), "");
    EXPECT_EQ(closest("wat", {"latency"}), "");
    EXPECT_EQ(closest("a", {"family"}), "");
}

}  // namespace
}  // namespace macrame::dla
