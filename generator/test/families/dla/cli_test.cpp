#include "cli.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "support.hpp"
#include "test/source_dir.hpp"
#include "verif/dla/run/simulate_options.hpp"

namespace macrame::dla {
namespace {

using Words = std::vector<std::string>;

Words completed(const Words& words) {
    Diags diags;
    Words result = complete_arguments(words, family(), diags);
    for (const Diag& diag : diags) {
        result.push_back("error: " + diag.text);
    }
    return result;
}

TEST(Complete, UniquePrefixes) {
    EXPECT_EQ(completed({"gen", "--pres", "nv_small", "--mac-atomic-c=16", "--o", "x"}),
              Words({"generate", "--preset", "nv_small", "--mac-atomic-c-size=16", "--out", "x"}));
    EXPECT_EQ(completed({"li", "par"}), Words({"list", "params"}));
    EXPECT_EQ(completed({"--version"}), Words({"--version"}));
    EXPECT_EQ(completed({"sim", "--pi"}), Words({"simulate", "--picture"}));
    EXPECT_EQ(completed({"sim", "--or"}), Words({"simulate", "--original-safe"}));
}

TEST(Complete, Mistakes) {
    EXPECT_EQ(completed({"genrate"}).back(),
              "error: command genrate: unknown; did you mean generate?");
    EXPECT_EQ(completed({"generate", "--mac", "8"}).back(),
              "error: --mac: could be mac-atomic-c-size or mac-atomic-k-size");
    EXPECT_EQ(completed({"generate", "--cbuf-bnak-depth", "8"}).back(),
              "error: --cbuf-bnak-depth: unknown; did you mean cbuf-bank-depth?");
    EXPECT_EQ(completed({"list", "xyz"}).back(), "error: list xyz: unknown");
}

TEST(Complete, EveryOptionOfTheHelpIsKnown) {
    std::size_t count = 0;
    for (const char* command : {"generate", "simulate", "compile", "run", "estimate", "quantise",
                                "host", "fpga", "explain"}) {
        int status = 0;
        testing::internal::CaptureStdout();
        parse_command_line({command, "--help"}, emit::Assets(), status);
        const std::string help = testing::internal::GetCapturedStdout();
        Words words = {command};
        for (std::size_t at = help.find("\n  --"); at != std::string::npos;
             at = help.find("\n  --", at + 1))
            words.push_back(help.substr(at + 3, help.find_first_of(" ,\n", at + 3) - at - 3));
        EXPECT_EQ(completed(words), words);
        count += words.size();
    }
    EXPECT_GT(count, 400U);
}

Request parsed(const Words& words) {
    int status = 0;
    Request request = parse_command_line(words, emit::Assets(), status);
    EXPECT_EQ(status, 0);
    return request;
}

TEST(CommandLine, Values) {
    const Request request = parsed({"generate", "--out", "dir", "--mac-atomic-c", "16",
                                    "--clock-gating", "--pdp-enable", "false"});
    EXPECT_EQ(request.out, "dir");
    ASSERT_EQ(request.values.size(), 3u);
    Diags diags;
    const Settings settings = resolve(request, emit::Assets(), diags);
    EXPECT_TRUE(diags.empty());
    EXPECT_EQ(config_of(settings).mac_atomic_c_size, 16);
    EXPECT_EQ(config_of(settings).cbuf_bank_width, 16);
    EXPECT_TRUE(config_of(settings).clock_gating);
    EXPECT_FALSE(config_of(settings).pdp_enable);
    EXPECT_EQ(config_of(settings).num_dma_read_clients, 6);
}

run::SimulateOptions options_of(const Words& words) {
    return static_cast<const run::SimulateOptions&>(*parsed(words).simulate);
}

TEST(CommandLine, LatencyOfEachMemory) {
    const Words words = {"simulate", "--random", "1", "--latency", "200"};
    EXPECT_EQ(options_of(words).secondary_latency, 0);  // as --latency
    Words two = words;
    two.insert(two.end(), {"--secondary-lat", "5"});
    EXPECT_EQ(options_of(two).latency, 200);
    EXPECT_EQ(options_of(two).secondary_latency, 5);
    const Words passed_on = run::to_arguments(options_of(two));
    EXPECT_EQ(passed_on, Words({"--random=1", "--latency=200", "--secondary-latency=5"}));
}

/// What a command line with a mistake prints.
std::string refused(const Words& words) {
    int status = 0;
    testing::internal::CaptureStderr();
    parse_command_line(words, emit::Assets(), status);
    EXPECT_EQ(status, 2);
    return testing::internal::GetCapturedStderr();
}

TEST(CommandLine, ValuesOfASimulationAreStrict) {
    EXPECT_EQ(refused({"simulate", "--random", "1", "--seed", "-1"}),
              "macrame: --seed = -1: want a whole number in 0..18446744073709551615\n");
    EXPECT_EQ(refused({"simulate", "--random", "1x"}),
              "macrame: --random = 1x: want a whole number in 1..1000000\n");
    EXPECT_EQ(refused({"simulate", "--random=1", "--latency", "1e3", "--stall=2"}),
              "macrame: --latency = 1e3: want a whole number in 1..100000\n"
              "macrame: --stall = 2: want a number in 0..0.95\n");
    EXPECT_EQ(refused({"simulate", "--random", "1", "--csv", "--model"}),
              "macrame: --csv: found no value: want the name of a file\n");
    EXPECT_EQ(refused({"simulate", "--random", "1", "--latency", "1", "--latency", "2"}),
              "macrame: --latency: given twice: want it once\n");
    EXPECT_EQ(refused({"simulate", "--wave", "x.fst", "--model", "--random", "1"}),
              "macrame: --model and --wave: want one of them\n");
    EXPECT_EQ(refused({"simulate", "--model"}),
              "macrame: nothing to run: want --trace PATH, --random N, --layer SHAPE, --picture, "
              "--serve FD or --program FILE\n");
}

TEST(CommandLine, OptionsThatDoNothingWithoutOthers) {
    const Words run = {"run", "net.tflite", "--input", "in.i8"};
    const auto with = [](Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    EXPECT_EQ(refused(with(run, {"--output-type", "float32"})),
              "macrame: --output-type: want --output, too\n");
    EXPECT_EQ(refused(with(run, {"--templates", "t"})),
              "macrame: --templates: want --rtl or --both, too\n");
    for (const char* option : {"--resize", "--input-type=float32", "--pixel-range=0,1"})
        EXPECT_EQ(
            refused({"compile", "net.tflite", "--out", "o", option}),
            "macrame: " + std::string(option, std::strcspn(option, "=")) + ": want --input, too\n");
    EXPECT_EQ(refused({"estimate", "net.tflite", "--board-dir", "b"}),
              "macrame: --board-dir: want --board, too\n");
    EXPECT_EQ(refused({"explore", "net.tflite", "--out", "o", "--board-dir", "b"}),
              "macrame: --board-dir: want --board, too\n");
    EXPECT_EQ(refused({"compile", "net.tflite", "--out", "o", "--templates", "t"}),
              "macrame: --templates: unknown\n");
    EXPECT_EQ(refused({"soc", "net.tflite", "--input", "i", "--out", "o", "--report", "r"}),
              "macrame: --report: unknown\n");
}

TEST(CommandLine, OptionsThatDoNothingBesideOthers) {
    for (const char* option : {"--prefix=p_", "--top=t", "--templates=t"})
        EXPECT_EQ(refused({"simulate", "--random=1", "--model", option}),
                  "macrame: --model and " + std::string(option, std::strcspn(option, "=")) +
                      ": want one of them\n");
    for (const char* option : {"--latency=9", "--csb-idle=1", "--build-dir=b"})
        EXPECT_EQ(refused({"simulate", "--random=1", "--model", option}),
                  "macrame: --model and " + std::string(option, std::strcspn(option, "=")) +
                      ": want one of them\n");
}

TEST(CommandLine, ExploredInputsThatAreSettledAreNotVerified) {
    for (const char* option : {"--fix=x=1", "--shape=x=1,2"})
        EXPECT_EQ(refused({"explore", "net.tflite", "--out", "o", "--verify=1", option}),
                  "macrame: --verify and " + std::string(option, std::strcspn(option, "=")) +
                      ": want one of them\n");
}

TEST(CommandLine, ProgramsForAnOriginalAreOfFamiliesThatFollowOne) {
    const Words words = {"compile", "net.tflite", "--out", "o", "--for", "original"};
    const auto of = [&](const char* preset) {
        Words all = words;
        all.insert(all.end(), {"--preset", preset});
        int status = 0;
        testing::internal::CaptureStderr();
        parse_command_line(all, emit::Assets(), status);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(of("nv_small"), "");
    EXPECT_EQ(of("zcu104"), "");
    EXPECT_EQ(of("16x16"), "macrame: --for: original not in {macrame}\n");
}

TEST(Resolve, DefaultsAreThePresetNvSmall) {
    Request request;
    request.preset = "nv_small";
    Diags diags;
    const Settings settings = resolve(request, emit::Assets(), diags);
    for (const Param& param : params()) {
        EXPECT_EQ(value_text(settings.config(), param), value_text(family().defaults, param))
            << param.key;
    }
}

TEST(Resolve, PresetThenFileThenFlags) {
    const std::string path = testing::TempDir() + "mine.toml";
    std::ofstream(path) << "preset = \"nv_small_256\"\ncbuf_bank_number = 16\n"
                           "cbuf_bank_depth = 64\n";
    Request request;
    request.config_file = path;
    request.values = {{"cbuf_bank_depth", "256"}};
    Diags diags;
    const Settings settings = resolve(request, emit::Assets(), diags);
    EXPECT_TRUE(diags.empty());
    EXPECT_EQ(settings.design.name, "mine");
    EXPECT_EQ(config_of(settings).mac_atomic_c_size, 32);
    EXPECT_EQ(config_of(settings).cbuf_bank_number, 16);
    EXPECT_EQ(config_of(settings).cbuf_bank_depth, 256);
    EXPECT_EQ(settings.origin(*find_param(params(), "cbuf_bank_number")).where, path + ":2");
}

TEST(Resolve, Mistakes) {
    Request request;
    request.preset = "nv_sml";
    Diags diags;
    resolve(request, emit::Assets(), diags);
    ASSERT_EQ(diags.size(), 1u);
    EXPECT_EQ(diags[0].text,
              "preset = nv_sml: want one of fit_7010, fit_7020, nv_full, nv_large, "
              "nv_medium_1024_full, nv_medium_512, nv_small, nv_small_256, nv_small_256_full "
              "(--preset); did you mean nv_small?");
    diags.clear();
    request = {};
    request.config_file = "/no/such/file.toml";
    resolve(request, emit::Assets(), diags);
    ASSERT_EQ(diags.size(), 1u);
    EXPECT_EQ(diags[0].text, "/no/such/file.toml: cannot read: No such file or directory");
}

std::string first_message(const Request& request) {
    Diags diags;
    resolve(request, emit::Assets(), diags);
    return diags.empty() ? "" : diags.front().text;
}

/// What is there but no name does not silently mean the default.
TEST(Resolve, EmptyAndWrongChoices) {
    Request request;
    request.preset = "";
    EXPECT_EQ(first_message(request).substr(0, 25), "preset = \"\": want one of ");
    request = {};
    request.config_file = "";
    EXPECT_EQ(first_message(request), "--config = \"\": want a file (command line)");
    request.config_file = testing::TempDir();
    EXPECT_EQ(first_message(request), testing::TempDir() + ": a folder: want a file");
    const std::string path = testing::TempDir() + "five.toml";
    std::ofstream(path) << "preset = 5\n";
    request.config_file = path;
    EXPECT_EQ(first_message(request),
              "preset = 5 (integer): want the name of a preset (" + path + ":1)");
    request = {};
    request.family = "nvdla";
    EXPECT_EQ(first_message(request), "family = nvdla: want dla, tcu or systolic (--family)");
}

TEST(Presets, AllAreBuilt) {
    const std::vector<std::string> expected = {
        "fit_7010",      "fit_7020", "nv_full",      "nv_large",         "nv_medium_1024_full",
        "nv_medium_512", "nv_small", "nv_small_256", "nv_small_256_full"};
    EXPECT_EQ(preset_names(family(), emit::Assets()), expected);
    for (const std::string& name : expected) {
        Request request;
        request.preset = name;
        Diags diags;
        const Settings settings = resolve(request, emit::Assets(), diags);
        EXPECT_TRUE(diags.empty()) << name;
        EXPECT_TRUE(check(settings).empty()) << name;
    }
}

TEST(CommandLine, DocumentsHaveTheOptionsOfASimulation) {
    run::SimulateOptions options;
    const std::string table = verif::run::markdown_table(run::option_rows(options));
    EXPECT_NE(source_text("docs/simulate.md").find(table), std::string::npos)
        << "want this in docs/simulate.md:\n"
        << table;
}

}  // namespace
}  // namespace macrame::dla
