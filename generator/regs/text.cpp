#include "text.hpp"

#include <algorithm>

namespace macrame::regs {

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    while (text.size() > columns) {
        std::size_t cut = text.rfind(' ', columns);
        if (cut == std::string_view::npos || cut == 0) cut = columns;
        lines.emplace_back(text.substr(0, cut));
        text.remove_prefix(std::min(text.size(), text[cut] == ' ' ? cut + 1 : cut));
    }
    lines.emplace_back(text);
    return lines;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

}  // namespace macrame::regs
