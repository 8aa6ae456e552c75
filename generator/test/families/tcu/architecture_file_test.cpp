/// Architecture files (.tarch) and models (.tmodel) as --config.

#include "cli.hpp"
#include "core/json_settings.hpp"
#include "support.hpp"

namespace macrame::tcu {
namespace {

constexpr const char* kKeys =
    "data_type, array_size, dram0_depth, dram1_depth, local_depth, accumulator_depth, "
    "simd_registers_depth, stride0_depth, stride1_depth, number_of_threads, thread_queue_depth";

std::string architecture(const std::string& array_size = "4", const std::string& more = "") {
    return "{\n  \"data_type\": \"FP8BP4\",\n  \"array_size\": " + array_size +
           ",\n  \"dram0_depth\": 160, \"dram1_depth\": 64,\n  \"local_depth\": 48,\n"
           "  \"accumulator_depth\": 24,\n  \"simd_registers_depth\": 2,\n"
           "  \"stride0_depth\": 4, \"stride1_depth\": 4,\n  \"number_of_threads\": 1,\n"
           "  \"thread_queue_depth\": 8" +
           more + "\n}\n";
}

Settings resolved(const std::string& path, Diags& diags) {
    Request request;
    request.config_file = path;
    return resolve(request, emit::Assets(), diags);
}

/// All messages about a file with this text, without its folder.
std::vector<std::string> errors_of(const std::string& text, const std::string& name = "x.tarch") {
    Diags diags;
    const Settings settings = resolved(file_with(name, text), diags);
    const Diags more = check(settings);
    diags.insert(diags.end(), more.begin(), more.end());
    std::vector<std::string> out = texts(diags);
    const std::string folder = testing::TempDir();
    for (std::string& error : out) {
        const std::size_t at = error.find(folder);
        if (at != error.npos) error.erase(at, folder.size());
    }
    return out;
}

std::vector<std::string> one(const std::string& error) { return {error}; }

TEST(ArchitectureFile, EveryKeyIsTaken) {
    Diags diags;
    const std::string path = file_with("small.tarch", architecture());
    const Settings settings = resolved(path, diags);
    EXPECT_EQ(texts(diags), std::vector<std::string>{});
    EXPECT_TRUE(check(settings).empty());
    EXPECT_EQ(settings.design.family.name, "tcu");
    EXPECT_EQ(settings.design.name, "small");
    const Config& config = config_of(settings);
    EXPECT_EQ(config.data_type, "FP8BP4");
    EXPECT_EQ(config.array_size, 4);
    EXPECT_EQ(config.dram0_depth, 160);
    EXPECT_EQ(config.dram1_depth, 64);
    EXPECT_EQ(config.local_depth, 48);
    EXPECT_EQ(config.accumulator_depth, 24);
    EXPECT_EQ(config.simd_registers_depth, 2);
    EXPECT_EQ(config.stride0_depth, 4);
    EXPECT_EQ(config.stride1_depth, 4);
    EXPECT_EQ(config.axi_data_width, 32);  // follows
    EXPECT_EQ(settings.origin(*find_param(params(), "dram1_depth")).where, path + ":4:38");
}

TEST(ArchitectureFile, AModelHoldsOne) {
    Diags diags;
    const std::string path =
        file_with("net.tmodel",
                  "{\"name\": \"net\", \"prog\": {\"file_name\": \"net.tprog\", "
                  "\"size\": 6}, \"array_size\": 99, \"arch\": " +
                      architecture() + ", \"load_consts_to_local\": false}");
    const Settings settings = resolved(path, diags);
    EXPECT_EQ(texts(diags), std::vector<std::string>{});
    EXPECT_EQ(config_of(settings).array_size, 4);
    EXPECT_EQ(settings.design.name, "net");
}

TEST(ArchitectureFile, FlagsComeAfterIt) {
    int status = 0;
    Diags diags;
    const std::string path = file_with("flags.tarch", architecture());
    const Settings settings = resolve(
        parse_command_line(
            {"generate", "--config", path, "--array-size", "8", "--status-port", "--out", "x"},
            emit::Assets(), status),
        emit::Assets(), diags);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(texts(diags), std::vector<std::string>{});
    EXPECT_EQ(config_of(settings).array_size, 8);
    EXPECT_EQ(config_of(settings).local_depth, 48);
    EXPECT_TRUE(config_of(settings).status_port);
}

TEST(ArchitectureFile, KnownByKeysWithoutTheExtension) {
    EXPECT_EQ(errors_of(architecture(), "any.json"), std::vector<std::string>{});
    const Families& families = all_families();
    EXPECT_EQ(json_family(families, " {\"local_depth\": 1}", "a"), &family());
    EXPECT_EQ(json_family(families, "array_size = 1", "a.toml"), nullptr);
    EXPECT_EQ(json_family(families, "array_size = 1", "a.tarch"), &family());
}

TEST(ArchitectureFile, MissingAndUnknownKeysAreNamedAtOnce) {
    EXPECT_EQ(errors_of("{\"data_type\": \"FP8BP4\", \"array_size\": 1,\n \"array_sise\": 4,\n"
                        "\"dram0_depth\": 2, \"dram1_depth\": 2, \"local_depth\": 2.5,\n"
                        "\"accumulator_depth\": \"2\", \"simd_registers_depth\": true,\n"
                        "\"stride0_depth\": 8, \"number_of_threads\": 2}"),
              (std::vector<std::string>{
                  "x.tarch:1:1: stride1_depth, thread_queue_depth missing: want these keys, too",
                  "array_sise: want a parameter of tcu (x.tarch:2:16); did you mean array_size?",
                  "local-depth = 2.5: want a number in 2..65536 (x.tarch:3:52)",
                  "accumulator-depth = `2`: want a number in 2..65536 (x.tarch:4:22)",
                  "simd-registers-depth = true: want a number in 0..16 (x.tarch:4:51)",
                  "array-size = 1: want a number in 2..256 (x.tarch:1:39)",
                  "number-of-threads = 2: want 1: programs with two threads are for compilers and "
                  "emulators only (x.tarch:5:42)"}));
}

TEST(ArchitectureFile, NotAnArchitecture) {
    const std::string wanted =
        std::string("want an object with ") + kKeys + ", or one under \"arch\"";
    EXPECT_EQ(errors_of("[1]"), one("x.tarch:1:1: found an array: " + wanted));
    EXPECT_EQ(errors_of("8"), one("x.tarch:1:1: found 8: " + wanted));
    EXPECT_EQ(errors_of("{}"), one("x.tarch:1:1: found an object: " + wanted));
    EXPECT_EQ(errors_of("{\"arch\": null}"), one("x.tarch:1:10: found null: " + wanted));
    EXPECT_EQ(errors_of("{\"other\": 1}", "x.json"), one("x.json:1:1: found an object: " + wanted));
}

TEST(ArchitectureFile, BrokenJsonHasAPlace) {
    const std::string whole = architecture();
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
        const std::vector<std::string> errors = errors_of(whole.substr(0, size));
        ASSERT_EQ(errors.size(), 1u) << size;
        EXPECT_EQ(errors[0].substr(0, 8), "x.tarch:") << errors[0];
        EXPECT_NE(errors[0].find(": want "), errors[0].npos) << errors[0];
    }
    EXPECT_EQ(errors_of(architecture("4", ",\n  \"array_size\": 4")),
              one("x.tarch:11:3: key `array_size` for the second time: want it once"));
}

TEST(ArchitectureFile, OfAnotherFamily) {
    Request request;
    request.family = "dla";
    request.config_file = file_with("dla.tarch", architecture());
    Diags diags;
    resolve(request, emit::Assets(), diags);
    EXPECT_EQ(texts(diags),
              one(*request.config_file + ": found JSON: want TOML with parameters of dla"));
}

}  // namespace
}  // namespace macrame::tcu
