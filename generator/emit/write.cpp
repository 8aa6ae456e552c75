#include "emit/write.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "emit/file_io.hpp"
#include "emit/manifest.hpp"
#include "core/process.hpp"

namespace macrame::emit {

namespace fs = std::filesystem;

namespace {

using Files = std::vector<const OutputFile*>;

/// Files whose contents the folder does not have. The manifest is the last one: a folder that has
/// it has all the others.
Files changed_files(const OutputSet& set, const fs::path& folder) {
    Files changed;
    for (const OutputFile& file : set.files()) {
        const FileText old = read_file(folder / file.path, file.bytes.size());
        if (!old.error.empty() || old.bytes != file.bytes) changed.push_back(&file);
    }
    std::stable_partition(changed.begin(), changed.end(),
                          [](const OutputFile* file) { return file->path != kManifest; });
    return changed;
}

/// What would keep a file from being replaced; empty if nothing does.
std::string obstacle(const fs::path& folder, const std::string& path) {
    std::error_code code;
    const fs::path target = folder / path;
    if (fs::is_directory(target, code)) {
        return fmt::format("{}: a folder: want a file", target.string());
    }
    fs::path parent = target.parent_path();
    while (fs::symlink_status(parent, code).type() == fs::file_type::not_found) {
        parent = parent.parent_path();
    }
    if (!fs::is_directory(parent, code)) {
        return fmt::format("{}: not a folder: want a folder", parent.string());
    }
    if (access(parent.c_str(), W_OK | X_OK) != 0) {
        return fmt::format("{}: cannot write: {}: want a folder that may be written",
                           parent.string(), error_text(errno));
    }
    return "";
}

/// Writes the new contents below `staging`. Returns what went wrong.
std::string stage(const Files& files, const fs::path& staging, const fs::path& folder) {
    for (const OutputFile* file : files) {
        const fs::path path = staging / file->path;
        std::error_code code;
        fs::create_directories(path.parent_path(), code);
        const std::string error = code ? code.message() : write_file(path, file->bytes);
        if (!error.empty()) {
            return fmt::format("{}: cannot write: {}", (folder / file->path).string(), error);
        }
        if (waiting_interrupt() != 0) {
            return fmt::format("{}: interrupted, nothing was changed", folder.string());
        }
    }
    return "";
}

/// Moves a file from `staging` to its place. Returns what went wrong.
std::string replace(const OutputFile& file, const fs::path& staging, const fs::path& folder) {
    std::error_code code;
    const fs::path target = folder / file.path;
    fs::create_directories(target.parent_path(), code);
    if (!code) fs::rename(staging / file.path, target, code);
    return code ? fmt::format("{}: cannot write: {}", target.string(), code.message()) : "";
}

}  // namespace

WriteReport write(const OutputSet& set, const FolderLock& lock) {
    WriteReport report;
    std::error_code code;
    const fs::path& folder = lock.folder();
    const fs::path staging = folder / kStaging;
    const std::vector<std::string> stale = stale_files(folder, set, report.diags);
    const Files changed = changed_files(set, folder);
    for (const OutputFile* file : changed) {
        const std::string fault = obstacle(folder, file->path);
        if (!fault.empty() && report.diags.empty()) report.diags.push_back({fault});
    }
    if (!report.diags.empty()) return report;

    fs::remove_all(staging, code);
    std::string error = stage(changed, staging, folder);
    const auto remove_stale = [&] {
        for (const std::string& path : stale)
            report.removed += fs::remove(folder / path, code);
    };
    for (const OutputFile* file : changed) {
        if (!error.empty()) break;
        if (file->path == kManifest) remove_stale();
        error = replace(*file, staging, folder);
        report.written += error.empty() ? 1 : 0;
    }
    fs::remove_all(staging, code);
    if (!error.empty()) report.diags.push_back({error});
    report.unchanged = static_cast<int>(set.files().size() - changed.size());
    return report;
}

}  // namespace macrame::emit
