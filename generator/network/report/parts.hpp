#pragma once
/// Sections of a report, HTML each; empty where there is nothing to show.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "network/report/report.hpp"

namespace macrame::network::report {

std::string answer_section(const ReportInput& input);
std::string compared_section(const ReportInput& input);
std::string limit_section(const ReportInput& input);
std::string graph_section(const ReportInput& input);
std::string operator_section(const ReportInput& input);
std::string timeline_section(const ReportInput& input);
std::string memory_section(const ReportInput& input);
std::string roofline_section(const ReportInput& input);
std::string host_section(const ReportInput& input);
std::string count_section(const ReportInput& input);

/// When a layer is set up, begins and ends, in cycles from the first command.
struct Span {
    std::uint64_t set_up = 0, begin = 0, end = 0;
};
/// Of all layers: as measured, else as estimated, one behind the other.
std::vector<Span> spans(const ReportInput& input);

/// "1,234,567"
std::string number(std::uint64_t value);
/// "12.3 KiB"
std::string bytes_text(std::uint64_t bytes);
/// "12 conv 3x3 /2"
std::string node_text(const graph::Graph& graph, int node);
/// "49x10x1", without a batch of one.
std::string shape_text(const graph::Tensor& tensor);
/// Style class with the colour of a unit or limiter.
std::string_view colour(std::string_view name);
/// A legend of names in their colours.
std::string legend(const std::vector<std::string>& names);

/// Cell of a table with a number; scripts sort by its attribute.
std::string cell(std::uint64_t value);
std::string cell(double value, const std::string& text);
/// The cell of a number that there is not.
std::string nothing();

}  // namespace macrame::network::report
