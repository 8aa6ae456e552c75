/// Plays traces on the golden model: `model [-v] <trace or folder> ...`. For work on the model and
/// on traces; the emitted testbench does the same and more.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tb/common/memory.hpp"
#include "verif/model/dla/device.hpp"
#include "verif/trace/cfg_reader.hpp"
#include "verif/trace/dla_registers.hpp"
#include "verif/trace/player.hpp"
#include "verif/trace/txn_reader.hpp"

namespace {

namespace fs = std::filesystem;

void collect(const fs::path& path, std::vector<fs::path>& out) {
    if (!fs::is_directory(path)) {
        out.push_back(path);
        return;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        const fs::path& p = entry.path();
        if (p.extension() == ".cfg" || p.extension() == ".txn") out.push_back(p);
    }
}

}  // namespace

int main(int argc, char** argv) {
    bool verbose = false;
    std::vector<fs::path> traces;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "-v") {
            verbose = true;
        } else {
            collect(argv[i], traces);
        }
    }
    std::sort(traces.begin(), traces.end());
    const macrame::trace::RegisterTable registers = macrame::trace::dla_registers();
    int passed = 0;
    for (const fs::path& path : traces) {
        const auto begin = std::chrono::steady_clock::now();
        const macrame::trace::ReadResult read = path.extension() == ".txn"
                                                    ? macrame::trace::read_txn(path.string())
                                                    : macrame::trace::read_cfg(path.string(), registers);
        std::vector<std::string> messages = read.errors;
        std::size_t checks = 0;
        if (read.ok()) {
            macrame::tb::Memory primary("pri_mem"), secondary("sec_mem");
            macrame::model::dla::Device device({}, primary, &secondary);
            const auto result = macrame::trace::play(read.program, device, primary, secondary);
            messages = result.failures;
            checks = result.checks.size();
        }
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        passed += messages.empty() ? 1 : 0;
        std::printf("%-4s %-48s %5zu checks %7.2f s\n", messages.empty() ? "PASS" : "FAIL",
                    path.parent_path().filename().string().c_str(), checks, spent.count());
        const std::size_t shown = std::min<std::size_t>(messages.size(), verbose ? 20 : 2);
        for (std::size_t i = 0; i < shown; ++i) std::printf("     %s\n", messages[i].c_str());
    }
    std::printf("%d of %zu passed\n", passed, traces.size());
    return passed == static_cast<int>(traces.size()) ? 0 : 1;
}
