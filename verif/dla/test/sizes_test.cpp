#include "verif/dla/model/sizes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace macrame::dla::model {
namespace {

/// Names in the order of the table in sizes.cpp, found by asking for one after the other.
std::vector<NamedSize> all_rows() {
    std::vector<NamedSize> rows;
    static std::vector<std::string> names;
    for (int value = 1;; ++value) {
        try {
            architecture(rows);
            return rows;
        } catch (const std::invalid_argument& error) {
            const std::string text = error.what();
            const std::size_t begin = text.find("no ") + 3;
            names.reserve(100);
            names.push_back(text.substr(begin, text.find(':', begin) - begin));
            rows.push_back({names.back(), value});
        }
    }
}

TEST(Sizes, AreTakenByName) {
    std::vector<NamedSize> rows = all_rows();
    rows.push_back({"something_else", 1000});
    for (NamedSize& row : rows) {
        if (row.name == "atomic_c") row.value = 32;
        if (row.name == "max_burst") row.value = 4;
        if (row.name == "pdp_enable") row.value = 0;
        if (row.name == "cdp_enable") row.value = 1;
    }
    const Architecture sizes = architecture_of(rows);
    EXPECT_EQ(sizes.atomic_c, 32);
    EXPECT_EQ(sizes.max_burst, 4);
    EXPECT_FALSE(sizes.pdp);
    EXPECT_TRUE(sizes.cdp);
}

TEST(Sizes, ANameThatIsMissingIsAnError) {
    const std::vector<NamedSize> rows = all_rows();
    EXPECT_GT(rows.size(), 20u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<NamedSize> without = rows;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        try {
            architecture(without);
            ADD_FAILURE() << rows[i].name;
        } catch (const std::invalid_argument& error) {
            EXPECT_EQ(error.what(), "sizes of the configuration: no " + std::string(rows[i].name) +
                                        ": want one for the golden model");
        }
    }
}

}  // namespace
}  // namespace macrame::dla::model
