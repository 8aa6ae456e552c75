#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::emit {

/// A source file that is part of the program: template, preset, testbench source.
struct Asset {
    std::string_view path;  ///< relative to the top of the source tree
    std::string_view bytes;
};

/// All of them, sorted by path; made by cmake/embed.cmake.
const std::vector<Asset>& embedded_assets();

/// The source files, from the program or - templates only - from a folder given by the user.
class Assets {
public:
    /// `templates_folder` replaces templates/; empty: everything comes from the program.
    explicit Assets(std::string templates_folder = "");

    /// Contents, empty if there is no such file.
    std::optional<std::string> read(std::string_view path) const;
    /// Paths that start with `prefix`, sorted.
    std::vector<std::string_view> list(std::string_view prefix) const;
    /// How messages call the file: with the folder of the user, if it comes from there.
    std::string display_name(std::string_view path) const;

private:
    std::string templates_folder_;
};

}  // namespace macrame::emit
