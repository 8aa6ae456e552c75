#include "value_set.hpp"

#include <gtest/gtest.h>

namespace macrame {
namespace {

using Items = std::vector<std::string>;

TEST(ValueSet, ShortRangesAreTriedWhole) {
    const auto items = [](std::int64_t low, std::int64_t high, const IsIn& is_in) {
        return number_items(low, high, is_in);
    };
    EXPECT_EQ(items(2, 256, [](auto n) { return n % 2 == 0; }), Items{"an even number in 2..256"});
    EXPECT_EQ(items(2, 256, [](auto n) { return n % 8 == 0 || 8 % n == 0; }),
              (Items{"2", "4", "a multiple of 8 in 8..256"}));
    EXPECT_EQ(items(1, 64, [](auto n) { return n >= 7 && n != 60; }),
              (Items{"a number in 7..59", "a number in 61..64"}));
    EXPECT_EQ(items(1, 64, [](auto n) { return (n & (n - 1)) == 0; }),
              Items{"a power of two in 1..64"});
    EXPECT_EQ(items(3, 10, [](auto n) { return n == 3 || n == 5; }), (Items{"3", "5"}));
    EXPECT_EQ(items(3, 10, [](auto) { return false; }), Items{});
    EXPECT_EQ(items(0, 9, [](auto n) { return n % 3 == 1; }), (Items{"1", "4", "7"}));
}

TEST(ValueSet, LongRangesHaveExactEnds) {
    EXPECT_EQ(number_items(2, 65536, [](auto) { return true; }), Items{"a number in 2..65536"});
    EXPECT_EQ(number_items(2, 65536, [](auto n) { return n >= 12345; }),
              Items{"a number in 12345..65536"});
    EXPECT_EQ(number_items(2, 65536, [](auto n) { return n <= 54321; }),
              Items{"a number in 2..54321"});
    EXPECT_EQ(number_items(1, 65536, [](auto n) { return (n & (n - 1)) == 0 && n >= 4; }),
              Items{"a power of two in 4..65536"});
    EXPECT_EQ(number_items(0, 0x7fffff80, [](auto n) { return n % 128 == 0; }),
              Items{"a multiple of 128 in 0..2147483520"});
    EXPECT_EQ(number_items(0, 0x7fffffff, [](auto n) { return n == 77; }), Items{"77"});
    EXPECT_EQ(number_items(0, 0x7fffffff, [](auto) { return false; }), Items{});
}

/// Where no words fit, nothing is said that is not so.
TEST(ValueSet, OthersAreExamples) {
    const Items items = number_items(0, 1 << 20, [](auto n) { return n % 7 == 3 || n % 5 == 1; });
    ASSERT_GT(items.size(), 2u);
    EXPECT_EQ(items.back(), kAmongOthers);
    EXPECT_EQ(items.front(), "1");
    EXPECT_EQ(items[1], "3");
}

}  // namespace
}  // namespace macrame
