#pragma once
/// Recorded operations of the full design: tables oracle/v1/arith/*.csv of the conformance data,
/// whose folder comes from the environment variable MACRAME_CONFORMANCE.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace macrame::dla::model {

inline std::filesystem::path oracle_folder() {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    return path == nullptr ? std::filesystem::path()
                           : std::filesystem::path(path) / "oracle" / "v1" / "arith";
}

/// Ends a test without the data as skipped.
#define NEEDS_ORACLE()                                                              \
    if (!std::filesystem::is_directory(macrame::dla::model::oracle_folder())) {     \
        GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE does not name a folder with " \
                        "oracle/v1/arith";                                          \
    }

/// A line of a table.
class OracleRow {
public:
    OracleRow(const std::vector<std::string>& names, std::vector<std::string> cells)
        : names_(&names), cells_(std::move(cells)) {}

    /// Cell of a column. Throws std::out_of_range if there is none.
    const std::string& text(const std::string& column) const {
        const auto found = std::find(names_->begin(), names_->end(), column);
        if (found == names_->end()) throw std::out_of_range("no column " + column);
        return cells_.at(static_cast<std::size_t>(found - names_->begin()));
    }
    /// The same as a hexadecimal number; an empty cell is 0.
    std::uint64_t hex64(const std::string& column) const {
        const std::string& cell = text(column);
        return cell.empty() ? 0 : std::stoull(cell, nullptr, 16);
    }
    std::uint32_t hex(const std::string& column) const {
        return static_cast<std::uint32_t>(hex64(column));
    }
    /// The same as a decimal number.
    int number(const std::string& column) const { return std::stoi(text(column)); }
    /// The same as elements of four digits each.
    template <typename Element>
    std::vector<Element> elements(const std::string& column) const {
        const std::string& digits = text(column);
        std::vector<Element> out;
        for (std::size_t i = 0; i < digits.size(); i += 4)
            out.push_back(static_cast<Element>(std::stoul(digits.substr(i, 4), nullptr, 16)));
        return out;
    }

private:
    const std::vector<std::string>* names_;
    std::vector<std::string> cells_;
};

inline std::vector<std::string> split_cells(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',') {
            cells.emplace_back();
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return cells;
}

/// All lines of a table below its header. Fails the test if there is none.
class OracleTable {
public:
    explicit OracleTable(const std::string& file) {
        std::ifstream in(oracle_folder() / file);
        std::string line;
        std::getline(in, line);
        names_ = split_cells(line);
        while (std::getline(in, line)) {
            if (!line.empty()) rows_.emplace_back(names_, split_cells(line));
        }
        EXPECT_FALSE(rows_.empty()) << file;
    }
    OracleTable(const OracleTable&) = delete;  // rows know their header
    OracleTable& operator=(const OracleTable&) = delete;

    auto begin() const { return rows_.begin(); }
    auto end() const { return rows_.end(); }

private:
    std::vector<std::string> names_;
    std::vector<OracleRow> rows_;
};

}  // namespace macrame::dla::model
