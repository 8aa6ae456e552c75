#include "find_traces.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace macrame::dla::trace {

namespace {

namespace fs = std::filesystem;

bool is_trace(const fs::directory_entry& entry) {
    std::error_code code;
    const fs::path extension = entry.path().extension();
    return (extension == ".cfg" || extension == ".txn") && entry.is_regular_file(code);
}

/// Adds the traces of one folder to `found` and its folders to `folders`.
void look_into(const fs::path& folder, std::vector<std::string>& found,
               std::vector<fs::path>& folders, std::vector<std::string>& errors) {
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
        std::error_code ignored;
        if (is_trace(*entry)) {
            found.push_back(entry->path().string());
        } else if (!entry->is_symlink(ignored) && entry->is_directory(ignored)) {
            folders.push_back(entry->path());
        }
    }
    if (code) {
        errors.push_back(folder.string() + ": cannot be read (" + code.message() +
                         "): want a readable folder");
    }
}

}  // namespace

std::vector<std::string> find_traces(const std::string& path, std::vector<std::string>& errors) {
    std::error_code code;
    if (fs::is_regular_file(path, code)) return {path};
    if (!fs::is_directory(path, code)) {
        errors.push_back(path +
                         ": no such file or folder: want a .cfg or .txn trace or a folder of "
                         "traces");
        return {};
    }
    const std::size_t first_error = errors.size();
    std::vector<std::string> found;
    for (std::vector<fs::path> folders = {path}; !folders.empty();) {
        const fs::path folder = folders.back();
        folders.pop_back();
        look_into(folder, found, folders, errors);
    }
    std::sort(found.begin(), found.end());
    if (found.empty() && errors.size() == first_error) {
        errors.push_back(path + ": no trace in this folder: want .cfg or .txn files");
    }
    return found;
}

}  // namespace macrame::dla::trace
