#include "verif/common/run/options.hpp"

#include <gtest/gtest.h>

namespace macrame::verif::run {
namespace {

using Words = std::vector<std::string>;

/// The options of a family that adds one row.
struct MoreOptions : Options {
    int depth = 3;
};

OptionRows rows_of(MoreOptions& options) {
    OptionRows rows = option_rows(static_cast<Options&>(options));
    add_behind(rows, "latency", {{"depth", &options.depth, "N", {0, 9}, "how deep", {"seed"}}});
    return rows;
}

/// What is wrong with a command line, one line each.
std::string mistakes(const Words& words, Offered by = Offered::delivered) {
    MoreOptions options;
    const OptionRows rows = offered(rows_of(options), by);
    std::string text;
    for (const std::string& error : set_options(rows, read_arguments(rows, words)))
        text += error + "\n";
    return text;
}

TEST(Options, NumbersAreReadToTheEnd) {
    for (const char* text : {"1x", "1e3", "0x10", "+1", " 1", "1.0", "99999999999999999999"}) {
        EXPECT_EQ(mistakes({"--random", "1", "--latency", text}),
                  std::string("--latency = ") + text + ": want a whole number in 1..100000\n");
    }
    EXPECT_EQ(mistakes({"--random", "1x"}), "--random = 1x: want a whole number in 1..1000000\n");
    EXPECT_EQ(mistakes({"--random", "1", "--seed", "-1"}),
              "--seed = -1: want a whole number in 0..18446744073709551615\n");
    EXPECT_EQ(mistakes({"--random", "1", "--stall", "0.3.4"}),
              "--stall = 0.3.4: want a number in 0..0.95\n");
    EXPECT_EQ(mistakes({"--random", "1", "--stall", "nan"}),
              "--stall = nan: want a number in 0..0.95\n");
}

TEST(Options, NumbersAreInTheirRange) {
    EXPECT_EQ(mistakes({"--random=0"}), "--random = 0: want a whole number in 1..1000000\n");
    EXPECT_EQ(mistakes({"--random=1", "--latency=100001", "--stall=0.96"}),
              "--latency = 100001: want a whole number in 1..100000\n"
              "--stall = 0.96: want a number in 0..0.95\n");
    EXPECT_EQ(
        mistakes({"--random=1", "--latency=100000", "--stall=0.95", "--seed=18446744073709551615"}),
        "");
}

TEST(Options, FoundAndWanted) {
    EXPECT_EQ(mistakes({"--random", "1", "--csv"}),
              "--csv: found no value: want the name of a file\n");
    EXPECT_EQ(mistakes({"--random", "1", "--csv", "--model"}),
              "--csv: found no value: want the name of a file\n");
    EXPECT_EQ(mistakes({"--random", "1", "--csv="}),
              "--csv: found no value: want the name of a file\n");
    EXPECT_EQ(mistakes({"--random", "1", "--model=yes"}), "--model = yes: want no value\n");
    EXPECT_EQ(mistakes({"--random", "1", "--seed", "1", "--seed", "2"}),
              "--seed: given twice: want it once\n");
    EXPECT_EQ(mistakes({"--wat", "x"}), "--wat: unknown option; --help lists them\n");
    EXPECT_EQ(mistakes({"-w", "x"}), "--w: unknown option; --help lists them\n");
    EXPECT_EQ(mistakes({"--seed", "1"}),
              "nothing to run: want --trace PATH, --random N or --program FILE\n");
    EXPECT_EQ(mistakes({"--program", "x"}), "--program: want --input, too\n");
    EXPECT_EQ(mistakes({"--random", "1", "--count", "1"}), "--count: want --program, too\n");
}

TEST(Options, WhatGoesTogether) {
    EXPECT_EQ(mistakes({"a.cfg", "--random", "1"}), "--trace and --random: want one of them\n");
    EXPECT_EQ(mistakes({"a.cfg", "--both", "--model"}), "--model and --both: want one of them\n");
    EXPECT_EQ(mistakes({"a.cfg", "--model", "--wave", "x.fst"}),
              "--model and --wave: want one of them\n");
    EXPECT_EQ(mistakes({"a.cfg", "--model", "--latency=9", "--stall=0.1", "--interleave"}),
              "--model and --latency: want one of them\n"
              "--model and --stall: want one of them\n"
              "--model and --interleave: want one of them\n");
    EXPECT_EQ(mistakes({"a.cfg", "--depth", "4"}), "--depth: want --seed, too\n");
    EXPECT_EQ(mistakes({"a.cfg", "--depth", "4", "--seed", "0"}), "");
}

TEST(Options, EachProgramHasItsOwn) {
    const std::string unknown = ": unknown option; --help lists them\n";
    EXPECT_EQ(mistakes({"a.cfg", "--counts", "x"}), "");
    EXPECT_EQ(mistakes({"a.cfg", "--counts", "x"}, Offered::generator), "--counts" + unknown);
    EXPECT_EQ(mistakes({"a.cfg", "--build-dir", "x"}), "--build-dir" + unknown);
    EXPECT_EQ(mistakes({"a.cfg", "--build-dir", "x"}, Offered::generator), "");
}

TEST(Options, ArgumentsSayTheSameAgain) {
    const std::vector<Words> cases = {
        {"a.cfg", "-1.cfg"},
        {"--random=3", "--both", "--stall=0.1", "--latency=100000", "--seed=18446744073709551615"},
        {"--trace=b", "--both", "--interleave", "--verbose", "--strict", "--depth=0", "--seed=5"},
        {"--trace=x y", "--csv=--odd", "--wave=w"},
    };
    for (const Words& words : cases) {
        MoreOptions options, again, fresh, fresh_too;
        const OptionRows rows = rows_of(options);
        Words given = words;
        if (given[0] == "a.cfg") given = {"--trace=a.cfg", "--trace=-1.cfg"};
        EXPECT_TRUE(set_options(rows, read_arguments(rows, given)).empty());
        const Words made = to_arguments(rows, rows_of(fresh));
        const OptionRows more = rows_of(again);
        EXPECT_EQ(set_options(more, read_arguments(more, made)), Words());
        EXPECT_EQ(to_arguments(more, rows_of(fresh_too)), made);
        EXPECT_EQ(made.size(), given.size());
    }
}

TEST(Options, HelpSaysValuesAndDefaults) {
    MoreOptions options;
    const std::string text = help_text(rows_of(options));
    EXPECT_NE(text.find("  --latency N                 memory latency in cycles (32)\n"
                        "  --depth N                   how deep (3)\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("  --random N                  run that many random programs\n"),
              std::string::npos)
        << text;
    for (const auto& line : {help_text(rows_of(options)), markdown_table(rows_of(options))}) {
        EXPECT_EQ(line.find("\t"), std::string::npos);
    }
    EXPECT_NE(markdown_table(rows_of(options))
                  .find("| `--stall P` | a number in 0..0.95 | 0 | probability of a stall, per "
                        "channel and cycle |\n"),
              std::string::npos);
}

}  // namespace
}  // namespace macrame::verif::run
