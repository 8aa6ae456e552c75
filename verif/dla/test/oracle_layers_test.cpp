/// Whole programs of the full design with golden memory, registers and counters (oracle/v1/layers
/// of the conformance data) on the golden model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "published_sizes.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame {
namespace {

namespace fs = std::filesystem;

fs::path layers_folder() {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    return path != nullptr ? fs::path(path) / "oracle" / "v1" / "layers" : fs::path();
}

/// Plays a program; the failures.
std::string run(const fs::path& path) {
    static const dla::trace::RegisterTable registers = dla::trace::dla_registers("v1");
    const dla::trace::ReadResult read = dla::trace::read_cfg(path.string(), registers);
    if (!read.ok()) return read.errors.front() + "\n";
    verif::Memory primary, secondary;
    dla::model::Device device(dla::published::nv_full(), primary, &secondary);
    dla::trace::PlayOptions options;
    options.timeout = 20000;
    options.max_messages = 2;
    const dla::trace::PlayResult result =
        dla::trace::play(read.program, device, primary, secondary, options);
    std::string out = result.checks.empty() ? "nothing was checked\n" : "";
    for (const std::string& failure : result.failures)
        out += failure + "\n";
    return out;
}

class OracleLayers : public testing::TestWithParam<const char*> {};

TEST_P(OracleLayers, GoldenModel) {
    const fs::path folder = layers_folder() / GetParam();
    if (!fs::is_directory(layers_folder())) {
        GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE does not name a folder with oracle/v1/layers";
    }
    std::vector<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cfg") programs.push_back(entry.path());
    }
    std::sort(programs.begin(), programs.end());
    EXPECT_FALSE(programs.empty()) << folder;
    for (const fs::path& path : programs)
        EXPECT_EQ(run(path), "") << path.filename();
}

/// Categories that the golden model has.
INSTANTIATE_TEST_SUITE_P(Category, OracleLayers,
                         testing::Values("dc", "batch", "comp", "wino", "img", "multi", "convsdp",
                                         "rnd", "sdp", "pdp", "cdp", "rubik", "bdma"),
                         [](const auto& category) { return std::string(category.param); });

}  // namespace
}  // namespace macrame
