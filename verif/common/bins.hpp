#pragma once
/// Functional coverage: named counters, and the table that they are kept in between runs.
///
///     Bins bins;
///     bins.group("fifo");
///     bins.range("filled", level, {0, 1, 8});   // fifo.filled 0, fifo.filled 1..7, fifo.filled 8+
///     print(bins.table());

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::verif {

/// Named counters. A bin exists from the first call that names it, hit or not.
class Bins {
public:
    using Labels = std::vector<std::string_view>;

    /// All further names begin with "group.".
    void group(std::string_view name) { group_ = name; }
    void hit(const std::string& name, bool yes);
    /// Classes of a number by their lowest values: {1, 2, 4} makes "1", "2..3" and "4+".
    void range(const std::string& name, std::int64_t value, const std::vector<int>& lowest);
    /// "name negative", "name zero", "name positive".
    void sign(const std::string& name, std::int64_t value);
    /// One of several; an index of none (-1) hits none.
    void choice(const std::string& name, const Labels& labels, int index);
    /// Every pair of two choices.
    void cross(const std::string& name, const Labels& a, int index_a, const Labels& b, int index_b);

    /// While false, calls make bins and count nothing.
    void count(bool on) { counting_ = on; }
    const std::map<std::string, std::uint64_t>& all() const { return bins_; }
    std::vector<std::string> holes() const;

    /// Bins with their counts and, at the end, the holes: a bin per line.
    std::string table() const;
    /// Adds the counts of a table that table() made; false if it is none.
    bool merge(std::string_view table);
    /// "412 of 430 bins hit"
    std::string summary() const;

private:
    std::string group_;
    bool counting_ = true;
    std::map<std::string, std::uint64_t> bins_;
};

}  // namespace macrame::verif
