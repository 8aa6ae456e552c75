#pragma once
/// Tables of recorded operations: one operation per line behind a line with the columns' names.
/// The data (oracle/v1/arith/ in it) comes from the environment variable MACRAME_CONFORMANCE.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "verif/dla/test/oracle.hpp"

namespace macrame::dla::oracle {

using Row = std::vector<std::string>;

/// The parts of a text between separators.
inline Row split(const std::string& text, char separator) {
    Row out;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find(separator, begin);
        out.push_back(text.substr(begin, end - begin));
    }
    return out;
}

/// Rows of a table; none if it is not there.
inline std::vector<Row> rows(const std::string& table) {
    std::vector<Row> out;
    std::ifstream file(model::oracle_folder() / table);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line))
        out.push_back(split(line, ','));
    return out;
}

inline std::uint64_t hex(const std::string& text) { return std::stoull(text, nullptr, 16); }

/// Elements of four digits each.
template <typename Element>
std::vector<Element> elements(const std::string& text) {
    std::vector<Element> out;
    for (std::size_t i = 0; i < text.size(); i += 4)
        out.push_back(static_cast<Element>(hex(text.substr(i, 4))));
    return out;
}

}  // namespace macrame::dla::oracle

/// Rows of a table; a test without the data ends as skipped, one without the table fails.
#define ORACLE_ROWS(name, table)                                   \
    if (macrame::dla::model::oracle_folder().empty()) {            \
        GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE is not set"; \
    }                                                              \
    const auto name = macrame::dla::oracle::rows(table);           \
    ASSERT_FALSE((name).empty()) << table
