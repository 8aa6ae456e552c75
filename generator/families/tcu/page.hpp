#pragma once
/// A page of tables, as Markdown and as HTML.

#include <string>
#include <string_view>
#include <vector>

namespace macrame::tcu {

/// Part of an instruction, for the picture of its bits.
struct BitField {
    std::string name;
    int lsb = 0;
    int bits = 0;
};

/// Text between backticks is code.
struct Section {
    std::string heading;
    std::string text;
    std::vector<BitField> picture;  ///< from the lowest bit upward; HTML only
    std::vector<std::string> head;  ///< of the table
    std::vector<std::vector<std::string>> rows;
};

struct Page {
    std::string title;
    std::string text;
    std::vector<Section> sections;
};

std::string to_markdown(const Page& page);
/// One file that loads nothing.
std::string to_html(const Page& page);

}  // namespace macrame::tcu
