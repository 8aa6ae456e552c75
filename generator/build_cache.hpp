#pragma once
/// Folders in which designs are built, one per configuration, and the build itself.

#include <filesystem>
#include <optional>
#include <string>

#include "core/diag.hpp"
#include "emit/file_io.hpp"
#include "emit/output_set.hpp"

namespace macrame {

/// The folder of the user that holds the builds: macrame in XDG_CACHE_HOME, else in .cache of HOME,
/// else of the home folder in the user database. Made with mode 0700. A folder that others may
/// write, or that is not the user's, is a mistake: programs from there are run.
std::optional<std::filesystem::path> cache_folder(Diags& diags);

/// A testbench ready to run. The open file is what was built, also when another run builds
/// something else in that folder meanwhile.
struct Testbench {
    emit::Descriptor program;
    std::filesystem::path path;
};

/// Writes the files to `folder` and compiles the testbench there, unless that was done before.
/// Other runs wait. A build that was interrupted or failed starts again from nothing. To be called
/// while an Interrupts lives.
std::optional<Testbench> build_testbench(const emit::OutputSet& set,
                                         const std::filesystem::path& folder, bool waves,
                                         Diags& diags);

}  // namespace macrame
