/// Simulations as `macrame simulate --model` makes them.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "verif/common/run/command_line.hpp"
#include "verif/systolic/run/simulate.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using verif::run::Given;

std::string file(const std::string& name) { return testing::TempDir() + name; }

std::string file_with(const std::string& name, const std::string& text) {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
}

std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

struct Result {
    int status;
    std::string out, errors;
};

Result simulate(const std::vector<Given>& given, const files::Identity& identity = {},
                int address_width = 32) {
    run::SimulateOptions options;
    options.subject = verif::run::Subject::model;
    EXPECT_EQ(verif::run::set_options(run::option_rows(options), given),
              std::vector<std::string>{});
    run::Platform platform;
    platform.name = "small";
    platform.architecture.rows = platform.architecture.columns = 2;
    platform.architecture.ibuf_entries = platform.architecture.wbuf_entries = 2;
    platform.architecture.obuf_entries = 2;
    platform.identity = identity;
    platform.architecture.address_width = address_width;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run::simulate(options, platform);
    return {status, testing::internal::GetCapturedStdout(),
            testing::internal::GetCapturedStderr()};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

constexpr const char* kCopy =
    "LOAD push_next sram_address=0x3000000 dram_address=1 x_size=1 y_size=1 z_size=1\n"
    "GEMM pop_prev push_next\nALU pop_prev push_next\n"
    "STORE pop_prev sram_address=0x3000000 dram_address=8 x_size=1 y_size=1 z_size=1\n";

TEST(SystolicRun, MemoryBeforeAndAfter) {
    const Result result =
        simulate({{"program", file_with("copy.sasm", kCopy)},
                  {"memory", file_with("before.bin", std::string("\1\2\3\4\5\6", 6))},
                  {"dump", file("after.bin")},
                  {"write-assembly", file("again.sasm")},
                  {"write-hex", file("again.hex")},
                  {"buffers", file("buffers.json")},
                  {"any-order", std::nullopt},
                  {"verbose", std::nullopt}});
    EXPECT_EQ(result.status, verif::run::kPassed) << result.errors;
    // Longer than the image, as it was written behind it.
    EXPECT_EQ(text_of(file("after.bin")), std::string("\1\2\3\4\5\6\0\0\2\3\4\5", 12));
    EXPECT_TRUE(has(result.out, "reference timing: 44 cycles, LOAD busy 21, GEMM busy 1"))
        << result.out;
    EXPECT_TRUE(has(text_of(file("again.sasm")), "GEMM  pop_prev push_next\n"));
    EXPECT_TRUE(has(text_of(file("again.hex")), "a9000000000000000000000000000000\n"));
    EXPECT_TRUE(has(text_of(file("buffers.json")),
                    "[{\"index\":0,\"op\":\"LOAD\",\"ibuf\":[[0,0],[0,0]],"));
    EXPECT_TRUE(has(text_of(file("buffers.json")), "\"obuf\":[[84148994,0],[0,0]]"));
    EXPECT_EQ(simulate({{"program", file("again.hex")}, {"quiet", std::nullopt}}).status,
              verif::run::kPassed);
}

TEST(SystolicRun, CyclesOfTheModel) {
    const std::string path = file_with("copy.sasm", kCopy);
    const auto cycles = [&](const std::string& latency) {
        const Result result = simulate({{"program", path},
                                        {"latency", latency},
                                        {"csv", file("rows.csv")},
                                        {"times", file("times.csv")},
                                        {"verbose", std::nullopt}});
        EXPECT_EQ(result.status, verif::run::kPassed) << result.errors;
        EXPECT_TRUE(has(result.out, "    cycles of             LOAD        GEMM")) << result.out;
        const std::string rows = text_of(file("rows.csv"));
        return std::stoi(rows.substr(rows.find(",ok,") + 4));
    };
    // Instructions, a LOAD and the answer to a STORE.
    EXPECT_EQ(cycles("41") - cycles("1"), 3 * 40);
    const std::string times = text_of(file("times.csv"));
    EXPECT_TRUE(has(times, "\n0,LOAD,LOAD  push_next dram_address=0x1 ")) << times;
    EXPECT_TRUE(has(times, "\n3,STORE,STORE pop_prev ")) << times;
}

TEST(SystolicRun, TooLongForAStart) {
    std::string text;
    for (int i = 0; i < 65536; ++i)
        text += "ALU\n";
    const Result result = simulate({{"program", file_with("long.sasm", text)}});
    EXPECT_EQ(result.status, verif::run::kPassed);
    EXPECT_TRUE(has(result.out, "no cycles: a start counts at most 65535 instructions"))
        << result.out;
}

TEST(SystolicRun, Dram) {
    const std::string path = file_with("copy.sasm", kCopy);
    const auto cycles = [&](const std::vector<Given>& more) {
        std::vector<Given> given = {{"program", path}, {"csv", file("rows.csv")}};
        given.insert(given.end(), more.begin(), more.end());
        EXPECT_EQ(simulate(given).status, verif::run::kPassed);
        const std::string rows = text_of(file("rows.csv"));
        return std::stoi(rows.substr(rows.find(",ok,") + 4));
    };
    const int base = cycles({}), dram = cycles({{"dram-bytes", "16"}});
    EXPECT_GT(dram, base + 2 * 10);
    EXPECT_GT(cycles({{"dram-bytes", "2"}}), dram);
    EXPECT_EQ(cycles({{"dram-bytes", "16"}, {"dram-hit", "15"}}) - dram, 2 * 5);
    EXPECT_EQ(cycles({{"dram-bytes", "16"}, {"dram-miss", "37"}}) - dram, 7);
    run::SimulateOptions options;
    EXPECT_EQ(verif::run::set_options(run::option_rows(options), {{"program", path},
                                                                  {"dram-row", "64"}}),
              std::vector<std::string>{"--dram-row: want --dram-bytes, too"});
}

TEST(SystolicRun, FindingsOfTheVerifier) {
    std::string text = kCopy;
    text.replace(text.find("STORE pop_prev"), 14, "STORE");
    const std::string path = file_with("hazard.sasm", text);
    const Result told = simulate({{"program", path}});
    EXPECT_EQ(told.status, verif::run::kFailed);  // a token is left
    EXPECT_TRUE(has(told.out, "read-after-write: STORE (3) reads OBUF entry 0, which LOAD (0)"))
        << told.out;
    EXPECT_TRUE(has(told.out, "unused token: 1 of ALU to STORE")) << told.out;
    EXPECT_TRUE(has(told.out, "model: 1 tokens of ALU to STORE are left")) << told.out;
    const Result strict = simulate({{"program", path}, {"strict", std::nullopt}});
    EXPECT_EQ(strict.status, verif::run::kFailed);
    EXPECT_TRUE(has(strict.out, "not run")) << strict.out;
    EXPECT_FALSE(has(strict.out, "model:")) << strict.out;
}

/// A store that no token makes wait for what it stores.
TEST(SystolicRun, OrdersThatDiffer) {
    const std::string path = file_with(
        "race.sasm",
        "LOAD sram_address=0x3000000 dram_address=1 x_size=1 y_size=1 z_size=1\n"
        "STORE sram_address=0x3000000 dram_address=8 x_size=1 y_size=1 z_size=1\n");
    const std::string before = file_with("before.bin", std::string("\1\2\3\4\5\6", 6));
    int failed = 0;
    for (int seed = 1; seed <= 8; ++seed) {
        const Result result = simulate({{"program", path},
                                        {"memory", before},
                                        {"any-order", std::nullopt},
                                        {"seed", std::to_string(seed)}});
        failed += result.status == verif::run::kFailed ? 1 : 0;
        if (result.status == verif::run::kFailed) {
            EXPECT_TRUE(has(result.out, "any order")) << result.out;
        }
    }
    EXPECT_GT(failed, 0);
    EXPECT_LT(failed, 8);
}

TEST(SystolicRun, RandomPrograms) {
    const Result result = simulate({{"random", "20"}, {"seed", "5"}, {"strict", std::nullopt},
                                    {"any-order", std::nullopt}});
    EXPECT_EQ(result.status, verif::run::kPassed) << result.out;
    EXPECT_TRUE(has(result.out, "random seed 24")) << result.out;
    EXPECT_TRUE(has(result.out, "20 passed, 0 failed")) << result.out;
}

TEST(SystolicRun, MutatedPrograms) {
    const Result result = simulate({{"random", "200"}, {"mutate", std::nullopt},
                                    {"verbose", std::nullopt}});
    EXPECT_EQ(result.status, verif::run::kPassed) << result.out;
    for (const char* said : {"harmless", "missing token: ", "unused token: "})
        EXPECT_TRUE(has(result.out, said)) << result.out;
}

/// Copies four bytes, in two programs of which the second one does nothing but begin and end.
std::string network_with(const std::string& old_text, const std::string& new_text) {
    std::string memory(16, '\7');
    for (const Instruction& instruction : test::program_of(std::string(kCopy) + "LOAD\n"))
        for (const std::uint8_t byte : word_bytes(encode(instruction)))
            memory += static_cast<char>(byte);
    file_with("copy.bin", memory);
    std::string text = R"({"network": "copy", "config": {"rows": 2, "cols": 2, "in_width": 8,
 "out_width": 32, "ibuf_entries": 2, "wbuf_entries": 2, "obuf_entries": 2}, "memory": "copy.bin",
 "programs": [
  {"address": 16, "count": 4, "layers": [{"layer": 0, "instructions": 1},
                                         {"layer": 1, "instructions": 3}]},
  {"address": 80, "count": 1, "layers": [{"layer": 2, "instructions": 1}]}],
 "inputs": [{"name": "x", "address": 1, "height": 2, "width": 2, "channels": 1, "block": 1,
  "first_channel": 0, "pixel_bytes": 1, "line_bytes": 2, "plane_bytes": 4}],
 "outputs": [{"name": "y", "address": 7, "height": 1, "width": 1, "channels": 2, "block": 2,
  "first_channel": 1, "pixel_bytes": 2, "line_bytes": 2, "plane_bytes": 3}]})";
    if (!old_text.empty()) text.replace(text.find(old_text), old_text.size(), new_text);
    return file_with("copy.json", text);
}

TEST(SystolicRun, Networks) {
    const std::string network = network_with("", "");
    const std::string inputs = file_with("inputs.bin", "abcdefgh");
    const Result result = simulate({{"program", network},
                                    {"input", inputs},
                                    {"output", file("outputs.bin")},
                                    {"json", file("report.json")}});
    EXPECT_EQ(result.status, verif::run::kPassed) << result.out << result.errors;
    // Channel 1 of the first plane and channel 0 of the next, which lies 3 bytes behind it.
    EXPECT_EQ(text_of(file("outputs.bin")), "aceg") << result.out;
    EXPECT_TRUE(has(text_of(file("report.json")), "\"layer_ends\": [")) << result.out;
}

/// The first parameter that differs is named, or the hashes.
TEST(SystolicRun, NetworksForOtherHardwareAreRefused) {
    const std::string inputs = file_with("inputs.bin", "abcdefgh");
    const std::string network = network_with(
        "\"memory\"", "\"identity\": 77, \"parameters\": [\"a=1\", \"bus=64\"], \"memory\"");
    const auto on = [&](const files::Identity& identity) {
        return simulate({{"program", network}, {"input", inputs}}, identity);
    };
    EXPECT_EQ(on({}).status, verif::run::kPassed);
    EXPECT_EQ(on({77, "a=1\nbus=64\n"}).status, verif::run::kPassed);
    const Result other = on({78, "a=1\nbus=128\n"});
    EXPECT_EQ(other.status, verif::run::kUserError);
    EXPECT_TRUE(has(other.errors, "made for bus=64: want bus=128, as this configuration has"))
        << other.errors;
    EXPECT_TRUE(has(on({78, "a=1\nbus=64\n"}).errors, "made for identity=0x4d: want identity=0x4e"));
}

TEST(SystolicRun, NetworksBeyondTheAddressesAreRefused) {
    const std::string inputs = file_with("inputs.bin", "abcdefgh");
    const std::string network =
        network_with("\"obuf_entries\": 2", "\"obuf_entries\": 2, \"address_width\": 16");
    const auto with = [&](std::size_t bytes) {
        std::string memory = text_of(file("copy.bin"));
        memory.resize(bytes);
        file_with("copy.bin", memory);
        return simulate({{"program", network}, {"input", inputs}}, {}, 16);
    };
    EXPECT_EQ(with(0x10000).status, verif::run::kPassed);
    const Result far = with(0x10001);
    EXPECT_TRUE(has(far.errors, "memory of 65537 bytes: want at most 65536, the addresses of 16 "
                                "bits"))
        << far.errors;
}

TEST(SystolicRun, MistakesInNetworks) {
    const std::string inputs = file_with("inputs.bin", "abcdefgh");
    const auto errors = [&](const std::string& old_text, const std::string& new_text) {
        const Result result = simulate({{"program", network_with(old_text, new_text)},
                                        {"input", inputs}});
        EXPECT_EQ(result.status, verif::run::kUserError) << new_text;
        return result.errors;
    };
    EXPECT_TRUE(has(errors("\"rows\": 2", "\"rows\": 3"),
                    "made for rows = 3: want 2, as this configuration has"));
    EXPECT_TRUE(has(errors("\"count\": 4", "\"count\": 9"), "count: want a whole number in 0..5"));
    EXPECT_TRUE(has(errors("\"address\": 16", "\"address\": 0"), "instruction 0: "));
    EXPECT_TRUE(has(errors("\"instructions\": 3", "\"instructions\": 2"),
                    "layers: found 3 instructions: want 4"));
    EXPECT_TRUE(has(errors("\"height\": 2", "\"height\": 90"), "more elements than the memory"));
    EXPECT_TRUE(has(errors("\"name\": \"x\"", "\"name\": 1"), "name: want a text"));
    EXPECT_TRUE(has(errors("copy.bin", "none.bin"), "cannot be read"));
    const std::string network = network_with("", "");
    const Result odd = simulate({{"program", network}, {"input", file_with("odd.bin", "abc")}});
    EXPECT_TRUE(has(odd.errors, "found 3 bytes: want a multiple of 4")) << odd.errors;
    EXPECT_TRUE(has(simulate({{"program", network}}).errors, "want --input, too"));
    const Result many = simulate({{"program", network}, {"input", inputs}, {"count", "3"}});
    EXPECT_TRUE(has(many.errors, "--count = 3: want at most 2")) << many.errors;
    const Result both = simulate({{"program", network}, {"input", inputs},
                                  {"buffers", file("buffers.json")}});
    EXPECT_TRUE(has(both.errors, "--buffers: want it without a .json file")) << both.errors;
}

TEST(SystolicRun, MistakesInFiles) {
    const std::string bad = file_with("bad.hex", "1\n");
    EXPECT_EQ(simulate({{"program", bad}}).errors,
              "sim: " + bad + ":1: found `1`: want 32 hexadecimal digits\n");
    const std::string empty = file_with("empty.hex", "\n");
    EXPECT_EQ(simulate({{"program", empty}}).errors,
              "sim: --program = " + empty + ": want an instruction\n");
    const std::string program = file_with("copy.sasm", kCopy);
    const Result missing = simulate({{"program", program}, {"memory", file("none")}});
    EXPECT_EQ(missing.status, verif::run::kUserError);
    EXPECT_TRUE(has(missing.errors, "none: cannot be read")) << missing.errors;
}

}  // namespace
}  // namespace macrame::systolic
