#include "verif/common/run/coverage_file.hpp"

#include <filesystem>
#include <fstream>

#include "verif/common/run/console.hpp"
#include "verif/common/text.hpp"

namespace macrame::verif::run {

void read_coverage(const std::string& path, Bins& bins, std::vector<std::string>& errors) {
    std::error_code code;
    if (!std::filesystem::exists(path, code)) return;
    std::string problem;
    const auto table = text::read_file(path, problem);
    if (!table || !bins.merge(*table)) {
        errors.push_back("--coverage = " + path +
                         ": want a table of functional coverage or no such file");
    }
}

bool write_coverage(const std::string& path, const Bins& bins, std::string_view program) {
    print("\nfunctional coverage: " + bins.summary() + "\n");
    if (path == "-") {
        print(bins.table());
        return true;
    }
    std::ofstream out(path);
    out << bins.table() << std::flush;
    if (!out) {
        complain(program, path + ": cannot be written");
        return false;
    }
    for (const std::string& hole : bins.holes())
        print("  not hit: " + hole + "\n");
    print(path + ": bins and their counts\n");
    return true;
}

}  // namespace macrame::verif::run
