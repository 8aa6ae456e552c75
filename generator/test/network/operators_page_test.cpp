/// docs/operators.md has a row for each operator that the readers know, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/front/front.hpp"
#include "test/source_dir.hpp"

namespace macrame {
namespace {

TEST(OperatorsPage, HasARowForEachThatIsRead) {
    std::vector<std::string> wanted, found;
    for (const front::KnownOperator& known : front::known_operators()) {
        const auto same = [&](const std::string& row) {
            return row.rfind("| " + known.name + " | ", 0) == 0;
        };
        const auto row = std::find_if(wanted.begin(), wanted.end(), same);
        if (row == wanted.end())
            wanted.push_back("| " + known.name + " | " + known.format);
        else
            *row += ", " + known.format;
    }
    const std::string page = source_text("docs/operators.md");
    for (std::size_t begin = 0, end = 0; begin < page.size(); begin = end + 1) {
        end = std::min(page.find('\n', begin), page.size());
        const std::string line = page.substr(begin, end - begin);
        const std::size_t second = line.find(" | ", line.find(" | ") + 1);
        if (line.rfind("| ", 0) == 0 && line.rfind("| operator |", 0) != 0 &&
            second != std::string::npos)
            found.push_back(line.substr(0, second));
    }
    std::sort(wanted.begin(), wanted.end());
    std::sort(found.begin(), found.end());
    EXPECT_GT(wanted.size(), 250U);
    EXPECT_EQ(found, wanted) << "scripts/networks/operator_table.py writes it";
}

}  // namespace
}  // namespace macrame
