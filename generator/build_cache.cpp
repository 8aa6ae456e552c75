#include "build_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "emit/folder_lock.hpp"
#include "emit/write.hpp"
#include "core/process.hpp"

namespace macrame {

namespace {

namespace fs = std::filesystem;
using emit::error_text;

constexpr std::size_t kLogLines = 30;
constexpr const char* kWanted = "want --build-dir FOLDER";

/// An absolute path in the environment, else empty.
fs::path environment_path(const char* name) {
    const char* value = std::getenv(name);
    const fs::path path(value != nullptr ? value : "");
    return path.is_absolute() ? path : fs::path();
}

/// Where the user's caches are; empty if the user has no place of that kind.
fs::path caches_of_user() {
    const fs::path xdg = environment_path("XDG_CACHE_HOME");
    if (!xdg.empty()) return xdg;
    fs::path home = environment_path("HOME");
    if (home.empty()) {
        const passwd* user = getpwuid(geteuid());
        home = user != nullptr ? user->pw_dir : "";
    }
    return home.is_absolute() ? home / ".cache" : fs::path();
}

/// Makes a folder and those above it, all for the user alone. Returns what went wrong.
std::string make_private(const fs::path& folder) {
    std::error_code code;
    if (fs::is_directory(folder, code)) return "";
    if (folder.has_relative_path()) {
        if (std::string error = make_private(folder.parent_path()); !error.empty()) return error;
    }
    if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return "";
    return fmt::format("{}: cannot make this folder: {}: {}", folder.string(), error_text(errno),
                       kWanted);
}

/// Why programs in this folder must not be run; empty if they may.
std::string distrust(const fs::path& folder) {
    struct stat status {};
    if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        return fmt::format("{}: not a folder: {}", folder.string(), kWanted);
    }
    if (status.st_uid != geteuid()) {
        return fmt::format("{}: belongs to another user: {}", folder.string(), kWanted);
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fmt::format(
            "{}: mode {:o}, other users may write there: want 700, or --build-dir "
            "FOLDER",
            folder.string(), static_cast<unsigned>(status.st_mode) & 07777u);
    }
    return "";
}

std::string last_lines(const fs::path& log) {
    const std::string text = emit::read_file(log).bytes;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    std::string out;
    for (std::size_t i = lines.size() - std::min(lines.size(), kLogLines); i < lines.size(); ++i)
        out += fmt::format("\n    {}", lines[i]);
    return out;
}

/// Runs make in `tb`. Returns what went wrong.
std::string make(const fs::path& tb, const std::string& kind, const emit::FolderLock& lock) {
    const fs::path log = tb / (kind + ".log");
    // There while a build is under way: what a killed one left cannot be trusted.
    const fs::path mark = tb / (kind + ".incomplete");
    std::error_code code;
    if (fs::exists(mark, code)) {
        fs::remove_all(tb / kind, code);
        fs::remove(mark, code);
    }
    if (const std::string error = emit::write_file(mark, ""); !error.empty())
        return fmt::format("{}: cannot write: {}", mark.string(), error);
    std::vector<std::string> command = {"make", "-C", tb.string(), "-j2"};
    if (kind != "build") command.emplace_back("WAVES=1");
    const Ended ended = run_logged(command, log, lock.descriptor());
    if (waiting_interrupt() != 0)
        return fmt::format("{}: interrupted, the next run builds again", tb.string());
    if (!ended.error.empty()) {
        return fmt::format("make: {}: want GNU make, Verilator and a C++ compiler", ended.error);
    }
    if (ended.status != 0) {
        return fmt::format("{}: the build failed (make: exit status {}), end of {}:{}", tb.string(),
                           ended.status, log.string(), last_lines(log));
    }
    fs::remove(mark, code);
    return "";
}

}  // namespace

std::optional<fs::path> cache_folder(Diags& diags) {
    const fs::path caches = caches_of_user();
    if (caches.empty()) {
        diags.push_back({fmt::format("the user has no home folder to build in: {}", kWanted)});
        return std::nullopt;
    }
    const fs::path folder = caches / "macrame";
    std::string fault = make_private(folder);
    if (fault.empty()) fault = distrust(folder);
    if (fault.empty()) return folder;
    diags.push_back({fault});
    return std::nullopt;
}

std::optional<Testbench> build_testbench(const emit::OutputSet& set, const fs::path& folder,
                                         bool waves, Diags& diags) {
    const auto lock = emit::FolderLock::take(folder, diags);
    if (lock == nullptr) return std::nullopt;
    const emit::WriteReport written = emit::write(set, *lock);
    if (!written.diags.empty()) {
        diags = written.diags;
        return std::nullopt;
    }
    const fs::path tb = folder / "tb";
    const std::string kind = waves ? "build-waves" : "build";
    Testbench out;
    out.path = tb / kind / "sim";
    if (!fs::exists(out.path)) {
        fmt::print("building {} (once for this configuration)\n", tb.string());
        std::fflush(stdout);
    }
    if (const std::string fault = make(tb, kind, *lock); !fault.empty()) {
        diags.push_back({fault});
        return std::nullopt;
    }
    out.program = emit::Descriptor(open(out.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!out.program.is_open()) {
        diags.push_back({fmt::format("{}: cannot read: {}", out.path.string(), error_text(errno))});
        return std::nullopt;
    }
    return out;
}

}  // namespace macrame
