#pragma once

#include <filesystem>
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
    /// blanks, at most 100 columns, no leftover `${`, one module named as the file, unique modules.
    Diags check() const;

private:
    std::vector<OutputFile> files_;
};

/// What write() did.
struct WriteReport {
    Diags diags;
    int written = 0;    ///< new or changed
    int unchanged = 0;  ///< left alone
    int removed = 0;    ///< made by an earlier run, not part of this one
};

/// Writes changed files only. New contents go to temporary names first and are renamed when all
/// are on the disk: an error leaves the folder as it was. `stale` lists paths to remove.
WriteReport write(const OutputSet& set, const std::filesystem::path& folder,
                  const std::vector<std::string>& stale);

}  // namespace macrame::emit
