#include "emit/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>

#include "core/process.hpp"

namespace macrame::emit {

namespace fs = std::filesystem;

namespace {

constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr int kPollsInSilence = 50;

fs::path lock_file(const fs::path& folder) { return folder / ".macrame.lock"; }

}  // namespace

/// Makes the folder and those above it. Returns what went wrong.
std::string FolderLock::make_folder() {
    std::vector<fs::path> missing;
    std::error_code code;
    for (fs::path path = fs::absolute(folder_, code).lexically_normal();
         !path.empty() && !fs::exists(path, code) && path != path.parent_path();
         path = path.parent_path()) {
        if (path.has_filename()) missing.push_back(path);
    }
    std::reverse(missing.begin(), missing.end());
    for (const fs::path& path : missing) {
        if (fs::create_directory(path, code)) made_.push_back(path);
        if (code) return fmt::format("cannot make this folder: {}", code.message());
    }
    if (!fs::is_directory(folder_, code)) return "not a folder: want a folder";
    return "";
}

/// Returns 0 if the lock is ours now, EWOULDBLOCK if another run has it, or another error number.
int FolderLock::try_once() {
    const fs::path path = lock_file(folder_);
    Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file.is_open() || flock(file.number(), LOCK_EX | LOCK_NB) != 0) return errno;
    // A run removes the file when it is done: it must still be the one that others will open.
    struct stat ours {};
    struct stat there {};
    if (fstat(file.number(), &ours) != 0 || stat(path.c_str(), &there) != 0 ||
        ours.st_ino != there.st_ino || ours.st_dev != there.st_dev) {
        return EWOULDBLOCK;
    }
    file_ = std::move(file);
    return 0;
}

std::unique_ptr<FolderLock> FolderLock::take(const fs::path& folder, Diags& diags) {
    std::unique_ptr<FolderLock> lock(new FolderLock(folder));
    int vanished = 0;
    for (int polls = 0; waiting_interrupt() == 0; ++polls) {
        if (const std::string error = lock->make_folder(); !error.empty()) {
            diags.push_back({fmt::format("{}: {}", folder.string(), error)});
            return nullptr;
        }
        const int error = lock->try_once();
        if (error == 0) return lock;
        // Again and again there is no folder if the run before removes it because it is empty.
        vanished = error == ENOENT ? vanished + 1 : 0;
        const bool again = error == EWOULDBLOCK || error == EINTR || error == ENOENT;
        if (!again || vanished > kPollsInSilence) {
            const bool no_locks = error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS;
            diags.push_back({fmt::format(
                "{}: cannot {}: {}: want a folder {}", folder.string(), no_locks ? "lock" : "write",
                error_text(error),
                no_locks ? "on a file system that has locks" : "that may be written")});
            return nullptr;
        }
        if (polls == kPollsInSilence && error != ENOENT) {
            fmt::print(stderr, "macrame: waiting for another run in {}\n", folder.string());
        }
        std::this_thread::sleep_for(kPoll);
    }
    diags.push_back({fmt::format("{}: interrupted, nothing was changed", folder.string())});
    return nullptr;
}

FolderLock::~FolderLock() {
    if (file_.is_open()) {
        unlink(lock_file(folder_).c_str());
        // Explicitly: a program that was started meanwhile may still have the file open.
        flock(file_.number(), LOCK_UN);
    }
    std::error_code code;
    for (auto path = made_.rbegin(); path != made_.rend(); ++path) {
        if (!fs::remove(*path, code)) break;  // not empty
    }
}

}  // namespace macrame::emit
