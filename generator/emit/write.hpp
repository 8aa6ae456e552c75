#pragma once

#include "core/diag.hpp"
#include "emit/folder_lock.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

/// What write() did.
struct WriteReport {
    Diags diags;
    int written = 0;    ///< new or changed
    int unchanged = 0;  ///< left alone
    int removed = 0;    ///< made by an earlier run, not part of this one
};

/// Brings the folder to the state of the set: writes changed files, removes those that earlier
/// runs made and nobody changed. An error or an interrupt leaves the folder as it was: all new
/// contents are on the disk, in FOLDER/.macrame.new, before the first file is replaced. A run that
/// is killed while it replaces them leaves that folder behind, and the next run tidies up.
WriteReport write(const OutputSet& set, const FolderLock& lock);

}  // namespace macrame::emit
