#include "verif/common/run/runner.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "verif/common/run/command_line.hpp"
#include "verif/common/run/progress.hpp"
#include "verif/common/run/report.hpp"

namespace macrame::verif::run {
namespace {

std::string read(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A program that ends with this row after a while.
ProgramRun program(const std::string& name, Verdict verdict, int milliseconds = 0) {
    return {name, [=](const Turn& turn) {
                turn.say(name + " begins");
                std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                Outcome out;
                out.row.name = name;
                out.row.verdict = verdict;
                out.row.commands = out.row.checks = 3;
                out.row.cycles = out.row.total_cycles = 100;
                if (verdict == Verdict::failed) out.row.failures = {"byte <1> & \"2\" differ"};
                if (verdict == Verdict::skipped) out.row.reason = "needs A, B";
                out.notes = {"a note"};
                return out;
            }};
}

struct Ran {
    int status = -1;
    std::string out;
    std::string err;
};

Ran run(const Options& options, const std::vector<ProgramRun>& programs) {
    Ran ran;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    ran.status = run_programs(options, {"sim", "tiny", 1.0}, programs);
    ran.out = testing::internal::GetCapturedStdout();
    ran.err = testing::internal::GetCapturedStderr();
    return ran;
}

const std::vector<ProgramRun> kThree = {program("a", Verdict::passed, 20),
                                        program("b", Verdict::failed, 10),
                                        program("c", Verdict::skipped)};

TEST(Runner, TableAndSummary) {
    const Ran ran = run({}, kThree);
    EXPECT_EQ(ran.status, kFailed);
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(ran.out.rfind("tiny, design, memory latency 32\ntrace  ", 0), 0u) << ran.out;
    EXPECT_NE(ran.out.find("a begins\na    "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("FAIL\n    byte <1> & \"2\" differ\n    a note\n"), std::string::npos);
    EXPECT_NE(ran.out.find("skipped: needs A, B\n"), std::string::npos);
    EXPECT_NE(ran.out.find("\n1 passed, 1 failed, 1 skipped\n"), std::string::npos);
}

TEST(Runner, OutputDoesNotDependOnJobs) {
    std::vector<ProgramRun> many;
    for (int i = 0; i < 30; ++i) {
        many.push_back(program("program " + std::to_string(i),
                               i % 7 == 3 ? Verdict::failed : Verdict::passed, (i * 5) % 11));
    }
    Options one;
    one.csv = testing::TempDir() + "one.csv";
    Options four;
    four.jobs = 4;
    four.csv = testing::TempDir() + "four.csv";
    const Ran a = run(one, many);
    const Ran b = run(four, many);
    EXPECT_EQ(a.out, b.out);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(read(one.csv), read(four.csv));
}

TEST(Runner, QuietShowsFailuresAndTheSummary) {
    Options options;
    options.quiet = true;
    const Ran ran = run(options, kThree);
    EXPECT_EQ(ran.out.rfind("b begins\nb   ", 0), 0u) << ran.out;
    EXPECT_EQ(ran.out.find("skipped: "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("1 passed, 1 failed, 1 skipped\n"), std::string::npos) << ran.out;
}

TEST(Runner, NothingThatRanIsNoSuccess) {
    EXPECT_EQ(run({}, {kThree[0]}).status, kPassed);
    const Ran skipped = run({}, {kThree[2]});
    EXPECT_EQ(skipped.status, kFailed);
    EXPECT_EQ(skipped.err, "sim: no program has run: all were skipped\n");
    const Ran none = run({}, {});
    EXPECT_EQ(none.status, kFailed);
}

TEST(Runner, AProgramWithoutCommandsOrChecksFails) {
    const auto only = [](std::size_t commands, std::size_t checks) {
        return ProgramRun{"p", [=](const Turn&) {
                              Outcome out;
                              out.row.name = "p";
                              out.row.commands = commands;
                              out.row.checks = checks;
                              return out;
                          }};
    };
    EXPECT_EQ(run({}, {only(1, 1)}).status, kPassed);
    const Ran empty = run({}, {only(0, 1)});
    EXPECT_EQ(empty.status, kFailed);
    EXPECT_NE(empty.out.find("FAIL: does nothing\n"), std::string::npos) << empty.out;
    EXPECT_NE(empty.out.find("0 passed, 1 failed\n"), std::string::npos) << empty.out;
    const Ran blind = run({}, {only(1, 0)});
    EXPECT_EQ(blind.status, kFailed);
    EXPECT_NE(blind.out.find("FAIL: checks nothing\n"), std::string::npos) << blind.out;
}

TEST(Runner, BadInputIsAnErrorOfTheUserAndTheRestRuns) {
    const ProgramRun bad = {"bad", [](const Turn&) {
                                Outcome out;
                                out.row.verdict = Verdict::failed;
                                out.bad_input = {"x.cfg:3: `wat`: want a command"};
                                return out;
                            }};
    const Ran ran = run({}, {bad, kThree[0]});
    EXPECT_EQ(ran.status, kUserError);
    EXPECT_EQ(ran.err, "sim: x.cfg:3: `wat`: want a command\n");
    EXPECT_NE(ran.out.find("1 passed, 1 failed\n"), std::string::npos) << ran.out;
}

TEST(Runner, WhatAProgramThrowsIsNoFailureOfIt) {
    const ProgramRun broken = {"x", [](const Turn&) -> Outcome { throw std::logic_error("oh"); }};
    for (const int jobs : {1, 3}) {
        Options options;
        options.jobs = jobs;
        testing::internal::CaptureStdout();
        EXPECT_THROW(run_programs(options, {}, {kThree[0], broken, kThree[0]}), std::logic_error);
        testing::internal::GetCapturedStdout();
    }
}

TEST(Runner, EachProgramHasItsWaves) {
    std::vector<std::string> files;
    const auto note = [&](const std::string& name) {
        return ProgramRun{name, [&files](const Turn& turn) {
                              files.push_back(turn.wave);
                              Outcome out;
                              out.row.commands = out.row.checks = 1;
                              out.row.has_cycles = true;
                              return out;
                          }};
    };
    Options options;
    options.wave = "out.d/run.fst";
    run(options, {note("only one")});
    const Ran ran = run(options, {note("seed 1"), note("a/b:c"), note("seed 1")});
    EXPECT_EQ(files, (std::vector<std::string>{"out.d/run.fst", "out.d/run-seed_1.fst",
                                               "out.d/run-a_b_c.fst", "out.d/run-seed_1-2.fst"}));
    EXPECT_NE(ran.out.find("    waves: out.d/run-a_b_c.fst\n"), std::string::npos) << ran.out;
    files.clear();
    options.wave = "out.d/run";
    run(options, {note("x"), note("y")});
    EXPECT_EQ(files, (std::vector<std::string>{"out.d/run-x.fst", "out.d/run-y.fst"}));
}

TEST(Reports, AreCompleteAfterEveryRow) {
    const std::string path = testing::TempDir() + "report.";
    std::vector<std::string> json, junit, csv;
    const auto look = [&] {
        csv.push_back(read(path + "csv"));
        json.push_back(read(path + "json"));
        junit.push_back(read(path + "xml"));
    };
    Options options;
    options.csv = path + "csv";
    options.json = path + "json";
    options.junit = path + "xml";
    std::vector<ProgramRun> programs = kThree;
    for (ProgramRun& p : programs) {
        p.run = [&look, inner = p.run](const Turn& turn) {
            look();
            return inner(turn);
        };
    }
    run(options, programs);
    look();
    ASSERT_EQ(json.size(), 4u);
    const std::string zeros = ",0,0,0,0,0,100,0.000000\n";
    const std::string head =
        "trace,result,cycles,macs,read_stalls,write_stalls,read_bytes,write_bytes,total_cycles,"
        "cpu_s\n";
    EXPECT_EQ(csv[0], head);
    EXPECT_EQ(csv[1], head + "a,ok,100" + zeros);
    EXPECT_EQ(csv[3], head + "a,ok,100" + zeros + "b,FAIL,100" + zeros +
                          "c,\"skipped: needs A, B\",100" + zeros);
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string& text = json[i];
        const std::string end = "\n  ],\n  \"passed\": " + std::to_string(i > 0 ? 1 : 0) +
                                ",\n  \"failed\": " + std::to_string(i > 1 ? 1 : 0) +
                                ",\n  \"skipped\": " + std::to_string(i > 2 ? 1 : 0) + "\n}\n";
        EXPECT_EQ(text.rfind("{\n  \"configuration\": \"tiny\",\n  \"programs\": [", 0), 0u)
            << text;
        ASSERT_GE(text.size(), end.size());
        EXPECT_EQ(text.substr(text.size() - end.size()), end);
        const std::string close = "</testsuite>\n</testsuites>\n";
        EXPECT_EQ(junit[i].substr(junit[i].size() - close.size()), close);
        EXPECT_NE(junit[i].find("tests=\"" + std::to_string(i) + "\""), std::string::npos);
    }
    EXPECT_NE(json[3].find("\"failures\": [\"byte <1> & \\\"2\\\" differ\"]}"), std::string::npos);
    EXPECT_NE(junit[3].find("<failure message=\"byte &lt;1&gt; &amp; &quot;2&quot; differ\">"),
              std::string::npos)
        << junit[3];
    EXPECT_NE(junit[3].find("<skipped message=\"needs A, B\"/>"), std::string::npos);
}

TEST(Reports, PathsThatCannotBeWritten) {
    Options options;
    options.csv = "/nonexist/x.csv";
    options.json = testing::TempDir();
    options.wave = "/nonexist/x.fst";
    options.junit = options.coverage = testing::TempDir() + "same.xml";
    EXPECT_EQ(
        check_outputs(option_rows(options)),
        (std::vector<std::string>{
            "--csv = /nonexist/x.csv: want a file that can be written",
            "--json = " + options.json + ": want a file that can be written",
            "--coverage = " + options.coverage + ": want a file of its own, --junit names it, too",
            "--wave = /nonexist/x.fst: want a file that can be written"}));
    EXPECT_FALSE(std::ifstream(options.junit).good());  // nothing is left
    options = {};
    options.coverage = "-";
    options.csv = "/dev/null";
    options.json = "/dev/null/x";
    EXPECT_EQ(check_outputs(option_rows(options)).size(), 1u);
    options.json = "/dev/null";
    EXPECT_EQ(check_outputs(option_rows(options)).size(), 2u);
}

TEST(Reports, AFullDeviceIsAnError) {
    Options options;
    options.csv = "/dev/full";
    const Ran ran = run(options, {kThree[0]});
    EXPECT_EQ(ran.status, kUserError);
    EXPECT_EQ(ran.err, "sim: /dev/full: cannot be written to its end\n");
}

TEST(Progress, SaysWhatIsDone) {
    ProgressState state;
    state.programs = 45;
    EXPECT_EQ(progress_text(state), "0 of 45 programs");
    state.seconds = 30.0;
    state.cycles = 12'345'678;
    EXPECT_EQ(progress_text(state), "0 of 45 programs, 412 kcycles/s, 0:30");
    state.done.passed = 12;
    state.done.skipped = 3;
    state.done.layers = 31;
    EXPECT_EQ(progress_text(state), "15 of 45 programs, 31 layers, 412 kcycles/s, 1:00 left");
    state.done.failed = 1;
    state.seconds = 7200.0;
    state.cycles = 0;
    EXPECT_EQ(progress_text(state), "16 of 45 programs, 1 failed, 31 layers, 3:37:30 left");
}

TEST(Progress, NothingWithoutATerminal) {
    testing::internal::CaptureStderr();
    {
        Progress off(false);
        off.show({});
        off.clear();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    testing::internal::CaptureStderr();
    {
        Progress on(true);
        on.show({});
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "\r0 of 0 programs\x1b[K\r\x1b[K");
}

TEST(CommandLine, HelpAndMistakes) {
    const auto status_of = [](std::vector<const char*> words) {
        Options options;
        int status = -1;
        words.insert(words.begin(), "sim");
        const bool go_on =
            read_command_line(static_cast<int>(words.size()), const_cast<char**>(words.data()),
                              option_rows(options), "About.\n", status);
        return go_on ? -1 : status;
    };
    testing::internal::CaptureStdout();
    EXPECT_EQ(status_of({"--random", "1", "--help"}), kPassed);
    const std::string help = testing::internal::GetCapturedStdout();
    EXPECT_EQ(help.rfind("usage: sim [options] PATH...\n\nAbout.\n\n  --trace PATH", 0), 0u)
        << help;
    EXPECT_NE(help.find("Exit status: 0 "), std::string::npos) << help;
    testing::internal::CaptureStderr();
    EXPECT_EQ(status_of({"--random", "1x", "--wat"}), kUserError);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "sim: --random = 1x: want a whole number in 1..1000000\n"
              "sim: --wat: unknown option; --help lists them\n");
    EXPECT_EQ(status_of({"--random", "1"}), -1);
}

}  // namespace
}  // namespace macrame::verif::run
