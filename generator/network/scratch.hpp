#pragma once
/// Files that nobody sees.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace macrame::network {

/// A folder that goes with its object; without a path if there could be none.
class Scratch {
public:
    Scratch() {
        std::error_code code;
        std::string name = (std::filesystem::temp_directory_path(code) / "macrame-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~Scratch() {
        std::error_code code;
        if (!path_.empty()) std::filesystem::remove_all(path_, code);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace macrame::network
