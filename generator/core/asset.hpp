#pragma once

#include <string_view>
#include <vector>

namespace macrame {

/// A source file that is part of the program: template, preset, testbench source.
struct Asset {
    std::string_view path;  ///< relative to the top of the source tree
    std::string_view bytes;
};

/// Files of one part of the program, sorted by path; made by cmake/embed.cmake.
using AssetList = std::vector<Asset>;

}  // namespace macrame
