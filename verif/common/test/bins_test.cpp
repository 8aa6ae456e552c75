/// Named counters of functional coverage and their table.

#include "verif/common/bins.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace macrame {
namespace {

TEST(Bins, ClassesOfNumbersHaveNoGapsAndNoOverlaps) {
    verif::Bins bins;
    bins.group("U");
    for (int value = 1; value <= 10; ++value)
        bins.range("n", value, {1, 2, 4, 9});
    const std::map<std::string, std::uint64_t> want = {
        {"U.n 1", 1}, {"U.n 2..3", 2}, {"U.n 4..8", 5}, {"U.n 9+", 2}};
    EXPECT_EQ(bins.all(), want);
    bins.range("n", 0, {1, 2, 4, 9});
    EXPECT_EQ(bins.all(), want);
}

TEST(Bins, CrossesCountOnePair) {
    verif::Bins bins;
    bins.group("U");
    bins.cross("m", {"a", "b"}, 1, {"c", "d"}, 0);
    bins.cross("m", {"a", "b"}, -1, {"c", "d"}, 0);
    EXPECT_EQ(bins.all().at("U.m b x c"), 1u);
    EXPECT_EQ(bins.holes(), (std::vector<std::string>{"U.m a x c", "U.m a x d", "U.m b x d"}));
}

TEST(Bins, TablesAddUpAndNameTheHoles) {
    verif::Bins bins, more;
    bins.group("U");
    bins.choice("m", {"a", "b"}, 0);
    EXPECT_EQ(bins.table(),
              "# functional coverage: count and bin\n"
              "         1  U.m a\n"
              "         0  U.m b\n"
              "# 1 of 2 bins hit\n"
              "# holes:\n"
              "#   U.m b\n");
    more.group("U");
    more.choice("m", {"a", "b"}, 1);
    ASSERT_TRUE(more.merge(bins.table()));
    EXPECT_EQ(more.summary(), "2 of 2 bins hit");
    EXPECT_NE(more.table().find("# holes: none\n"), std::string::npos);
    const std::map<std::string, std::uint64_t> before = more.all();
    const std::string head = "# functional coverage: count and bin\n";
    for (const std::string& wrong : {std::string("name,count\n"), std::string(), head + "7\n",
                                     head + "many  U.m a\n", head + "1  U.m a\n-1  U.m a\n"}) {
        EXPECT_FALSE(more.merge(wrong)) << wrong;
    }
    EXPECT_EQ(more.all(), before) << "what is no table adds nothing";
}

}  // namespace
}  // namespace macrame
