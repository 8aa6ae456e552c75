#pragma once
/// Texts that a template has only in some configurations: a line that holds an empty one vanishes.

#include <initializer_list>
#include <string>
#include <utility>

namespace macrame::dla {

/// The text if `yes`, else nothing.
inline std::string when(bool yes, std::string text) {
    return yes ? std::move(text) : std::string();
}

/// Those of the texts that are not empty, a line each.
inline std::string lines(std::initializer_list<std::string> texts) {
    std::string out;
    for (const std::string& line : texts) {
        if (!line.empty()) out += (out.empty() ? "" : "\n") + line;
    }
    return out;
}

}  // namespace macrame::dla
