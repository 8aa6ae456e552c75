#include "cli.hpp"

#include "explain.hpp"
#include "support.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tcu {
namespace {

using Words = std::vector<std::string>;

Request parsed(const Words& words, int wanted = 0) {
    int status = 0;
    Request request = parse_command_line(words, emit::Assets(), status);
    EXPECT_EQ(status, wanted);
    return request;
}

const run::SimulateOptions& options_of(const Request& request) {
    return static_cast<const run::SimulateOptions&>(*request.simulate);
}

/// The preset, the file or --family make the options those of the family.
TEST(TcuCommandLine, TheFamilyDecidesTheOptions) {
    const std::string architecture = file_with("cli.tarch", "{");
    for (const Words& choice :
         {Words{"--preset", "zcu104"}, Words{"--family", "tcu"}, Words{"--config", architecture}}) {
        Words words = {"simulate",     "--program", "a.tprog",      "--dram0", "a.d0",
                       "--dump-dram1", "b",         "--array-size", "4"};
        words.insert(words.end(), choice.begin(), choice.end());
        const Request request = parsed(words);
        EXPECT_EQ(request.command, "simulate");
        EXPECT_EQ(options_of(request).program, "a.tprog");
        EXPECT_EQ(options_of(request).dram0, "a.d0");
        EXPECT_EQ(options_of(request).dump_dram1, "b");
    }
    testing::internal::CaptureStderr();
    parsed({"simulate", "--program", "a.tprog", "--dram0", "a.d0", "--preset", "nv_small"}, 2);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "macrame: --dram0: unknown\n");
}

TEST(TcuCommandLine, ExplainTellsWhatBringsAUnit) {
    const Settings settings = preset("pynqz1");
    const auto explained = [&](std::string_view unit) {
        return explain_unit(*family().find_unit(unit), settings.design, emit::Assets());
    };
    EXPECT_EQ(explained("sample"),
              "sample: samples of program counter and stalls\n"
              "  not in pynqz1: want sample-block-size = 1\n");
    EXPECT_EQ(explained("validate"),
              "validate: error flag for instructions that break a rule\n"
              "  not in pynqz1: want validate-instructions = true\n");
    EXPECT_NE(explained("decode").find("rtl/tcu_decode.v"), std::string::npos);
}

TEST(TcuCommandLine, SamplesNeedAPort) {
    Settings settings = preset("zcu104");
    run::SimulateOptions options;
    const auto objection = [&] { return family().simulator.objection(settings.design, options); };
    EXPECT_EQ(objection(), "");
    options.sample_interval = 100;
    EXPECT_EQ(objection(),
              "--sample-interval: zcu104 has no sample port: want sample-block-size, too");
    options.samples = "words";
    EXPECT_EQ(objection(), "--samples: zcu104 has no sample port: want sample-block-size, too");
    std::any_cast<Config&>(settings.design.config).sample_block_size = 1;
    EXPECT_EQ(objection(), "");
}

}  // namespace
}  // namespace macrame::tcu
