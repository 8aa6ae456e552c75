#include "write_folder.hpp"

#include "core/process.hpp"
#include "emit/folder_lock.hpp"
#include "messages.hpp"

namespace macrame {

std::optional<emit::WriteReport> write_folder(const emit::OutputSet& set,
                                              const std::string& folder) {
    emit::WriteReport written;
    const Interrupts interrupts;
    const auto lock = emit::FolderLock::take(folder, written.diags);
    if (lock != nullptr) written = emit::write(set, *lock);
    if (report(written.diags)) return std::nullopt;
    return written;
}

}  // namespace macrame
