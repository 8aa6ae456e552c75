#pragma once
/// Files that nobody sees.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace macrame::network {

/// A folder that goes with its object.
class Scratch {
public:
    Scratch() {
        std::error_code code;
        std::string name = (std::filesystem::temp_directory_path(code) / "macrame-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr)
            path_ = name;
        else
            problem_ = name + ": cannot be made: want a folder for temporary files (TMPDIR)";
    }
    ~Scratch() {
        std::error_code code;
        if (!path_.empty()) std::filesystem::remove_all(path_, code);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// Why there is none; empty: there is one.
    const std::string& problem() const { return problem_; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::string problem_;
};

}  // namespace macrame::network
