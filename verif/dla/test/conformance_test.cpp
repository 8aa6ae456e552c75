/// The published traces and the recorded vectors on the golden model. Their folder (that with
/// nv_small/ in it) comes from the environment variable MACRAME_CONFORMANCE.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "verif/dla/model/device.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame {
namespace {

namespace fs = std::filesystem;

/// Folder of the conformance data, empty if it is not there.
fs::path data_folder() {
    const char* path = std::getenv("MACRAME_CONFORMANCE");
    return path != nullptr ? fs::path(path) : fs::path();
}

#define NEEDS_DATA()                                                                       \
    if (!fs::is_directory(data_folder())) {                                                \
        GTEST_SKIP() << "SKIPPED: MACRAME_CONFORMANCE does not name the conformance data"; \
    }

std::vector<fs::path> traces(const fs::path& folder, const std::string& prefix = "") {
    std::vector<fs::path> out;
    if (!fs::is_directory(folder)) return out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& p = entry.path();
        if (p.extension() == ".cfg" && p.stem().string().rfind(prefix, 0) == 0) out.push_back(p);
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// What a program uses and the model lacks ("PDP", "EW").
std::set<std::string> extra_units(const dla::trace::Trace& program) {
    std::set<std::string> out;
    for (const dla::trace::Command& c : program.commands) {
        if (c.op != dla::trace::Op::write) continue;
        if (c.reg == "PDP.D_OP_ENABLE") out.insert("PDP");
        if (c.reg == "SDP.D_DP_EW_CFG" && (c.value & 1u) == 0) out.insert("EW");
    }
    return out;
}

/// Plays a trace; the failures.
std::string run(const fs::path& path, const dla::model::Architecture& sizes, bool& needs_more,
                bool ignore_pdp_cdp = false) {
    static const dla::trace::RegisterTable registers = dla::trace::dla_registers();
    dla::trace::ReadResult read = dla::trace::read_cfg(path.string(), registers);
    if (!read.ok()) return read.errors.front();
    needs_more = !extra_units(read.program).empty();
    if (needs_more) return {};
    if (ignore_pdp_cdp) {
        auto& commands = read.program.commands;
        commands.erase(std::remove_if(commands.begin(), commands.end(),
                                      [](const dla::trace::Command& c) {
                                          return c.addr >= 0xA000 && c.addr < 0xE000;
                                      }),
                       commands.end());
    }
    verif::Memory memory("pri_mem"), other("sec_mem");
    dla::model::Device device(sizes, memory, &other);
    const dla::trace::PlayResult result = dla::trace::play(read.program, device, memory, other);
    std::string out;
    for (const std::string& f : result.failures)
        out += f + "\n";
    return out;
}

/// Traces of a test.
class Traces {
public:
    void play(const std::vector<fs::path>& paths, const dla::model::Architecture& sizes) {
        for (const fs::path& path : paths) {
            bool more = false;
            ++found_;
            EXPECT_EQ(run(path, sizes, more), "") << path;
            done_ += more ? 0 : 1;
        }
    }

    /// There were some, and some need no more than the model has.
    void finish() const {
        if (found_ == 0) GTEST_SKIP() << "SKIPPED: no such data in " << data_folder();
        EXPECT_GT(done_, 0) << "none of " << found_ << " traces was played";
    }

private:
    int found_ = 0, done_ = 0;
};

TEST(Conformance, PublishedTracesOfNvSmall) {
    NEEDS_DATA();
    Traces all;
    dla::model::Architecture sizes;
    sizes.cdp = true;
    for (const std::string prefix : {"dc_", "sdp_", "cdp_"}) {
        all.play(traces(data_folder() / "nv_small", prefix), sizes);
    }
    all.finish();
}

TEST(Conformance, PublishedTracesOfLargerConfigurations) {
    NEEDS_DATA();
    struct Config {
        const char* folder;
        dla::model::Architecture sizes;
    };
    const Config configs[] = {{"nv_small_256", {32, 8, 8, 32, 32, 128, 32}},
                              {"nv_medium_512", {32, 16, 16, 32, 32, 512, 64}},
                              {"nv_medium_1024_full", {32, 32, 32, 32, 32, 512, 64}},
                              {"nv_large", {64, 32, 32, 64, 16, 512, 64}}};
    Traces all;
    for (const Config& config : configs) {
        for (const std::string prefix : {"dc_", "sdp_"}) {
            all.play(traces(data_folder() / config.folder, prefix), config.sizes);
        }
    }
    all.finish();
}

TEST(Conformance, RecordedVectorsOfNvSmall) {
    NEEDS_DATA();
    dla::model::Architecture sizes;
    sizes.cdp = true;
    Traces all;
    for (const char* category : {"dc", "img", "sdp_fly", "sdp_off", "cdp", "multi"}) {
        all.play(traces(data_folder() / "oracle/nv_small" / category), sizes);
    }
    all.finish();
}

TEST(Conformance, RecordedRegisterVectors) {
    NEEDS_DATA();
    // Recorded with PDP and CDP: their interrupt bits are there, their own pages are left out.
    dla::model::Architecture sizes;
    sizes.pdp = sizes.cdp = true;
    for (const fs::path& path : traces(data_folder() / "oracle/nv_small/reg")) {
        bool more = false;
        const bool leave_out = path.stem() != "reg_lut_cdp";
        EXPECT_EQ(run(path, sizes, more, leave_out), "") << path;
    }
}

}  // namespace
}  // namespace macrame
