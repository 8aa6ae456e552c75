#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/diag.hpp"
#include "emit/file_io.hpp"

namespace macrame::emit {

/// The right to change a folder. One run at a time has it, others wait.
///
/// It is a lock of the operating system (flock) on FOLDER/.macrame.lock, so that it ends with the
/// run, however that ends; a program that got the descriptor keeps the lock until it ends, too.
/// The file is there only while a run has the lock; one left over by a killed run does no harm.
class FolderLock {
public:
    /// Makes the folder if there is none and waits for other runs; after a second it says so on
    /// stderr. Null with a diagnostic if the folder cannot be written or locked, or if an interrupt
    /// came.
    static std::unique_ptr<FolderLock> take(const std::filesystem::path& folder, Diags& diags);

    /// Removes the folder, too, if it was made here and is empty.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    const Descriptor& descriptor() const { return file_; }

private:
    explicit FolderLock(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::string make_folder();
    int try_once();

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> made_;  ///< folders that were not there, outermost first
    Descriptor file_;
};

}  // namespace macrame::emit
