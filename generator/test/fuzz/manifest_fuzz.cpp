/// A manifest.json of any kind in the output folder does no harm.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "emit/manifest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace fs = std::filesystem;
    static const fs::path kFolder =
        fs::temp_directory_path() / ("macrame_manifest_fuzz_" + std::to_string(getpid()));
    fs::create_directories(kFolder / "rtl");
    std::ofstream(kFolder / "rtl/a.v") << "module a;\nendmodule\n";
    std::ofstream(kFolder / macrame::emit::kManifest, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    macrame::Diags diags;
    for (const std::string& path :
         macrame::emit::stale_files(kFolder, macrame::emit::OutputSet(), diags)) {
        if (path != "rtl/a.v") std::abort();  // would be removed
    }
    fs::remove_all(kFolder);
    return 0;
}
