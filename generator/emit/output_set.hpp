#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/diag.hpp"

namespace macrame::emit {

/// One file of the output, its path relative to the output folder.
struct OutputFile {
    std::string path;
    std::string bytes;
};

/// All files of one run. Nothing touches the disk before check() has passed.
class OutputSet {
public:
    void add(std::string path, std::string bytes);

    /// Sorted by path.
    const std::vector<OutputFile>& files() const { return files_; }

    /// Paths relative, inside the folder and unique. Verilog files: ASCII, no tabs, no trailing
    /// blanks, at most so many columns, no leftover `${`, one module named as the file, unique
    /// modules.
    Diags check(std::size_t columns = 100) const;

private:
    std::vector<OutputFile> files_;
};

/// True if `path` is relative, spelt in its shortest form and does not lead out of the folder.
bool is_inside(const std::string& path);

}  // namespace macrame::emit
