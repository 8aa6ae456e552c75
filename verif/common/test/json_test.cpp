#include "verif/common/json.hpp"

#include <gtest/gtest.h>

#include "verif/common/sha256.hpp"

namespace macrame::verif {

namespace {

std::string problem_of(const std::string& text) {
    std::string problem;
    EXPECT_FALSE(parse_json(text, problem));
    return problem;
}

TEST(Json, ReadsEveryKindOfValue) {
    std::string problem;
    const auto json = parse_json(
        " {\"a\": [1, -2.5e+3, true, false, null],\r\n\t\"b\\n\\u00e9\\ud83d\\ude00\": {\"c\": "
        "\"\"}} ",
        problem);
    ASSERT_TRUE(json) << problem;
    ASSERT_EQ(json->members.size(), 2u);
    const Json& a = json->members[0].second;
    ASSERT_EQ(a.items.size(), 5u);
    EXPECT_EQ(a.items[0].text, "1");
    EXPECT_EQ(a.items[1].text, "-2.5e+3");
    EXPECT_TRUE(a.items[2].boolean);
    EXPECT_TRUE(a.items[3].is(Json::Kind::boolean));
    EXPECT_FALSE(a.items[3].boolean);
    EXPECT_TRUE(a.items[4].is(Json::Kind::null));
    EXPECT_EQ(json->members[1].first, "b\n\xc3\xa9\xf0\x9f\x98\x80");
    const Json* c = json->members[1].second.find("c");
    ASSERT_NE(c, nullptr);
    EXPECT_EQ(c->text, "");
    EXPECT_EQ(c->line, 2);
    EXPECT_EQ(json->find("d"), nullptr);
}

TEST(Json, NamesThePlaceOfAMistake) {
    EXPECT_EQ(problem_of(""), "1:1: found the end of the text: want a value");
    EXPECT_EQ(problem_of("{\"a\": 1,\n \"b\" 2}"), "2:6: found `2`: want `:`");
    EXPECT_EQ(problem_of("{\"a\": 1,}"), "1:9: found `}`: want a key in quotes");
    EXPECT_EQ(problem_of("[1 2]"), "1:4: found `2`: want `,` or `]`");
    EXPECT_EQ(problem_of("[1,2"), "1:5: found the end of the text: want `,` or `]`");
    EXPECT_EQ(problem_of("{\"a\": 1, \"a\": 2}"),
              "1:10: key `a` for the second time: want it once");
    EXPECT_EQ(problem_of("01"), "1:2: found `1`: want no digit behind a leading 0");
    EXPECT_EQ(problem_of("1."), "1:3: found the end of the text: want a digit");
    EXPECT_EQ(problem_of("nul"), "1:1: found `n`: want a value");
    EXPECT_EQ(problem_of("1 1"), "1:3: found `1`: want the end of the text");
    EXPECT_EQ(problem_of("\"a"),
              "1:3: found the end of the text: want the `\"` that ends a string");
    EXPECT_EQ(problem_of("\"\n\""), "1:2: found `\\x0a`: want no control character in a string");
    EXPECT_EQ(problem_of("\"\\x\""),
              "1:3: found `x`: want one of \" \\ / b f n r t u behind a backslash");
    EXPECT_EQ(problem_of("\"\\u12g4\""), "1:6: found `g`: want a hexadecimal digit");
    EXPECT_EQ(problem_of("\"\\ud800\""),
              "1:8: found `\"`: want the second half of a pair, \\uDC00..\\uDFFF");
    EXPECT_EQ(problem_of(std::string(100, '[')),
              "1:66: found `[`: want at most 64 values inside each other");
}

TEST(Json, WritesStrings) {
    std::string problem;
    const std::string text = "a\"b\\c\n\xc3\xa9";
    const auto json = parse_json(json_string(text), problem);
    ASSERT_TRUE(json) << problem;
    EXPECT_EQ(json->text, text);
}

TEST(Sha256, PublishedValues) {
    const auto digest = [](const std::string& text) {
        return sha256(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    };
    EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace

}  // namespace macrame::verif
