/// Runs: options, comparison of two devices, programs that hang, files that are written.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "verif/common/run/command_line.hpp"
#include "verif/common/sha256.hpp"
#include "verif/tcu/files/model_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/run/job.hpp"
#include "verif/tcu/run/simulate.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu::run {

namespace {

using verif::run::Subject;

/// What is wrong with a design.
enum class Fault { none, byte, extra_write, counter, hang, axi };

/// A golden model with a clock and a fault, in place of a design.
class FaultyDesign : public Device {
public:
    FaultyDesign(const Architecture& architecture, Banks banks, Fault fault)
        : model_(architecture, banks, 99), banks_(banks), fault_(fault) {}

    void reset() override { model_.reset(); }
    void send(const std::vector<std::uint8_t>& bytes) override { model_.send(bytes); }
    bool run(std::uint64_t most_cycles) override {
        cycle_ += std::min<std::uint64_t>(most_cycles, 1000);
        if (fault_ == Fault::hang) return false;
        model_.run(most_cycles);
        const std::uint8_t byte = 0x5a;
        if (fault_ == Fault::byte) banks_.dram0.write(8, &byte, 1);
        if (fault_ == Fault::extra_write) banks_.dram1.write(100, &byte, 1);
        return true;
    }
    std::uint64_t cycle() const override { return cycle_; }
    Status status() const override {
        Status out = model_.status();
        if (fault_ == Fault::counter) ++out.program_counter;
        return out;
    }
    const std::vector<std::uint64_t>& samples() const override { return model_.samples(); }
    const std::vector<std::uint64_t>& consumed() const override { return model_.consumed(); }
    const std::vector<std::uint64_t>& moved() const override { return model_.moved(); }
    verif::AxiCounts counts(int bank) const override { return model_.counts(bank); }
    std::vector<std::string> violations() const override {
        if (fault_ == Fault::axi) return {"DRAM0: a burst crosses 4 KiB"};
        return {};
    }

private:
    GoldenModel model_;
    Banks banks_;
    Fault fault_;
    std::uint64_t cycle_ = 0;
};

Platform platform_with(Fault fault) {
    Platform out;
    out.name = "test";
    out.architecture = test::architectures().at("n4_fp8bp4");
    out.make_rtl = [architecture = out.architecture, fault](Banks banks, const SimulateOptions&) {
        return std::make_unique<FaultyDesign>(architecture, banks, fault);
    };
    return out;
}

Bytes assembled(const Architecture& a, const std::string& text) {
    std::vector<std::string> errors;
    const auto out = assemble(layout_of(a), text, "test", errors);
    EXPECT_TRUE(out) << errors.front();
    return out.value_or(Bytes());
}

/// Copies two vectors of DRAM1 to DRAM0.
Job copy_job(const Architecture& a) {
    Job job;
    job.name = "copy";
    job.before.push_back({1, 0, std::make_shared<const Bytes>(Bytes{1, 2, 3, 4, 5, 6, 7, 8})});
    job.stream = assembled(a,
                           "DataMove(<-) Local(0) DRAM1(0) 1(+1)\n"
                           "DataMove(->) Local(0) DRAM0(1) 1(+1)\n");
    job.after.push_back({0, 4, job.before[0].bytes});
    return job;
}

std::vector<std::string> failures(Fault fault, Subject subject) {
    const Platform platform = platform_with(fault);
    SimulateOptions options;
    options.subject = subject;
    return run_job(copy_job(platform.architecture), options, platform, {}).row.failures;
}

TEST(TcuRun, GoodDesignsPass) {
    for (const Subject subject : {Subject::rtl, Subject::model, Subject::both})
        EXPECT_EQ(failures(Fault::none, subject), std::vector<std::string>{});
}

TEST(TcuRun, DifferencesAreSeen) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(failures(Fault::byte, Subject::rtl),
              (Texts{"design: DRAM0 byte 0x8 (vector 2): found 5a, want 05"}));
    EXPECT_EQ(failures(Fault::byte, Subject::both),
              (Texts{"design: DRAM0 byte 0x8 (vector 2): found 5a, want 05",
                     "DRAM0 byte 0x8: design 5a, model 05"}));
    EXPECT_EQ(failures(Fault::extra_write, Subject::rtl), Texts{});
    EXPECT_EQ(failures(Fault::extra_write, Subject::both),
              (Texts{"DRAM1 byte 0x64: design 5a, model 00 (not written)"}));
    EXPECT_EQ(failures(Fault::counter, Subject::both),
              (Texts{"program counter: design 5, model 4"}));
    EXPECT_EQ(failures(Fault::axi, Subject::rtl), (Texts{"design: DRAM0: a burst crosses 4 KiB"}));
    EXPECT_EQ(failures(Fault::hang, Subject::both),
              (Texts{"design: hangs: nothing moves at cycle 10000, program counter 0"}));
}

TEST(TcuRun, ProgramsWithUndefinedResultsDoNotRun) {
    const Platform platform = platform_with(Fault::none);
    Job job = copy_job(platform.architecture);
    job.stream = assembled(platform.architecture, "Wait\nDataMove(<-) Local(47) DRAM1(0) 1(+1)\n");
    const verif::run::Outcome outcome = run_job(job, {}, platform, {});
    EXPECT_EQ(outcome.row.reason, "not run");
    EXPECT_EQ(outcome.row.failures,
              (std::vector<std::string>{"instruction 1, DataMove(<-) Local(47) DRAM1(0) 1(+1): "
                                        "local memory 48: want below 48"}));
}

TEST(TcuRun, SlowerThanTheOriginalFails) {
    const Platform platform = platform_with(Fault::none);
    Job job = copy_job(platform.architecture);
    job.most_cycles = 999;
    EXPECT_EQ(run_job(job, {}, platform, {}).row.failures,
              (std::vector<std::string>{"design: 1000 cycles: want at most 999"}));
    job.most_cycles = 1000;
    EXPECT_TRUE(run_job(job, {}, platform, {}).row.failures.empty());
}

TEST(TcuRun, DigestOfTheFirstBytes) {
    const Platform platform = platform_with(Fault::none);
    Job job = copy_job(platform.architecture);
    const Bytes want = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    job.digest = Digest{12, verif::sha256(want.data(), want.size())};
    EXPECT_TRUE(run_job(job, {}, platform, {}).row.failures.empty());
    job.digest->size = 11;
    const auto wrong = run_job(job, {}, platform, {}).row.failures;
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_EQ(wrong[0].find("design: DRAM0, first 11 bytes: found SHA-256 "), 0u) << wrong[0];
}

TEST(TcuRun, DumpsReachTheLastByteInWholeBlocks) {
    const Architecture pynq = test::architectures().at("pynqz1");
    verif::Memory memory;
    memory.log_writes(true);
    EXPECT_EQ(dump_bytes(pynq, 0, 0, memory), 65536u);
    EXPECT_EQ(dump_bytes(pynq, 0, 65537, memory), 131072u);
    const std::uint8_t byte = 1;
    memory.write(131072, &byte, 1);
    EXPECT_EQ(dump_bytes(pynq, 0, 65537, memory), 196608u);
    EXPECT_EQ(dump_bytes(test::architectures().at("n2_fp16bp8"), 1, 0, memory), 64u * 4u);
}

/// The command lines that other programs rely on.
class TcuSimulate : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ =
            std::filesystem::path(testing::TempDir()) / ("tcu_run_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const Bytes& bytes) {
        std::vector<std::string> errors;
        ASSERT_TRUE(files::write_bytes(path(name), bytes, errors));
    }
    Bytes read(const std::string& name) {
        std::vector<std::string> errors;
        return files::read_bytes(path(name), errors).value_or(Bytes());
    }
    /// Exit status; what was printed is in out and err.
    int simulate_with(std::vector<std::string> words, Fault fault = Fault::none) {
        SimulateOptions options;
        words.insert(words.begin(), "sim");
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        int status = 0;
        if (verif::run::read_command_line(static_cast<int>(argv.size()), argv.data(),
                                          option_rows(options), "", status)) {
            status = simulate(options, platform_with(fault));
        }
        out = testing::internal::GetCapturedStdout();
        err = testing::internal::GetCapturedStderr();
        return status;
    }
    std::filesystem::path folder_;
    std::string out, err;
};

TEST_F(TcuSimulate, ProgramOnImages) {
    const Architecture a = platform_with(Fault::none).architecture;
    write("p.tprog", copy_job(a).stream);
    write("a.d1", {1, 2, 3, 4, 5, 6, 7, 8});
    const std::vector<std::string> words = {"--program",    path("p.tprog"), "--dram1",
                                            path("a.d1"),   "--dump-dram0",  path("f0"),
                                            "--dump-dram1", path("f1")};
    for (const char* subject : {"--model", "--both", "--latency=60"}) {
        std::vector<std::string> all = words;
        all.emplace_back(subject);
        EXPECT_EQ(simulate_with(all), 0) << out << err;
        const Bytes dram0 = read("f0");
        ASSERT_EQ(dram0.size(), 160u * 4u);
        EXPECT_EQ(Bytes(dram0.begin() + 4, dram0.begin() + 12), (Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
        EXPECT_EQ(read("f1").size(), 64u * 4u);
        std::filesystem::remove(path("f0"));
    }
    std::vector<std::string> both = words;
    both.emplace_back("--both");
    EXPECT_EQ(simulate_with(both, Fault::byte), 1);
    EXPECT_EQ(simulate_with(both, Fault::hang), 1);
    EXPECT_EQ(simulate_with({"--program", path("p.tprog"), "--dump-dram0", path("no/f0")}), 2);
}

TEST_F(TcuSimulate, AssemblyTextBothWays) {
    const Architecture a = platform_with(Fault::none).architecture;
    write("p.tprog", copy_job(a).stream);
    EXPECT_EQ(
        simulate_with({"--program", path("p.tprog"), "--model", "--write-tasm", path("p.tasm")}),
        0);
    const Bytes text = read("p.tasm");
    EXPECT_EQ(std::string(text.begin(), text.end()),
              "[0] 0 DataMove(<-) Local(0) DRAM1(0) 1(+1)\r\n"
              "[1] 0 DataMove(->) Local(0) DRAM0(1) 1(+1)\r\n");
    EXPECT_EQ(
        simulate_with({"--program", path("p.tasm"), "--model", "--write-tprog", path("q.tprog")}),
        0);
    EXPECT_EQ(read("q.tprog"), copy_job(a).stream);
    const std::string wrong = "Wait\nStop\n";
    write("p.tasm", {wrong.begin(), wrong.end()});
    EXPECT_EQ(simulate_with({"--program", path("p.tasm"), "--model"}), 2);
    EXPECT_NE(err.find("p.tasm:2:1: found `Stop`: want an instruction"), std::string::npos);
    write("large.d1", Bytes(257));
    EXPECT_EQ(simulate_with({"--program", path("p.tprog"), "--dram1", path("large.d1")}), 2);
    EXPECT_NE(err.find("large.d1: found 257 bytes: want at most 256, those of the bank"),
              std::string::npos);
}

TEST_F(TcuSimulate, NetworkOnInputs) {
    const Architecture a = platform_with(Fault::none).architecture;
    files::Model model;
    model.name = "net";
    model.architecture = a;
    model.program_file = "net.tprog";
    model.constants = {{"net.tdata", 2, 1}};
    model.inputs = {{"x", 0, 1}, {"x", 5, 1}};
    model.outputs = {{"y", 7, 1}};
    model.constants_to_local = true;  // at 2, as in DRAM1
    const Bytes program = assembled(a,
                                    "DataMove(<-) Local(0) DRAM0(0) 0(+1)\n"
                                    "DataMove(<-) Local(1) DRAM0(5) 0(+1)\n"
                                    "DataMove(->) Local(0) Acc(0) 0(+1)\n"
                                    "DataMove(->, Acc) Local(1) Acc(0) 0(+1)\n"
                                    "DataMove(->, Acc) Local(2) Acc(0) 0(+1)\n"
                                    "DataMove(<-) Local(3) Acc(0) 0(+1)\n"
                                    "DataMove(->) Local(3) DRAM0(7) 0(+1)\n");
    model.program_bytes = program.size();
    const std::string text = files::model_text(model);
    write("net.tmodel", {text.begin(), text.end()});
    write("net.tprog", program);
    write("net.tdata", {100, 0, 1, 2});
    write("in.bin", {1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8, 100, 0, 0, 0});
    const std::vector<std::string> words = {"--program",    path("net.tmodel"), "--input",
                                            path("in.bin"), "--output",         path("out.bin")};
    for (const char* subject : {"--model", "--both", "--stall=0.1"}) {
        std::vector<std::string> all = words;
        all.emplace_back(subject);
        EXPECT_EQ(simulate_with(all), 0) << out << err;
        EXPECT_EQ(read("out.bin"), (Bytes{111, 22, 34, 46, 127, 6, 8, 10}));
        std::filesystem::remove(path("out.bin"));
    }
    EXPECT_EQ(simulate_with({"--program", path("net.tmodel"), "--input", path("in.bin"), "--count",
                             "1", "--output", path("out.csv"), "--model"}),
              0);
    const Bytes csv = read("out.csv");
    EXPECT_EQ(std::string(csv.begin(), csv.end()), "6.9375,1.375,2.125,2.875\n");
    EXPECT_EQ(simulate_with({"--program", path("net.tmodel"), "--input", path("out.csv")}), 2);
    EXPECT_NE(err.find("found 1 vectors: want a multiple of 2, those of an input"),
              std::string::npos)
        << err;
    write("net.tprog", Bytes(program.begin(), program.end() - 6));
    EXPECT_EQ(simulate_with(words), 2);
    EXPECT_NE(err.find("net.tprog: found 36 bytes: want the 42 of "), std::string::npos) << err;
}

TEST_F(TcuSimulate, MistakesOnTheCommandLine) {
    const auto error = [&](const std::vector<std::string>& words) {
        EXPECT_EQ(simulate_with(words), 2);
        return err;
    };
    EXPECT_EQ(error({"--program", "x.bin"}),
              "sim: --program = x.bin: want a .tmodel, .tprog or .tasm file\n");
    EXPECT_EQ(error({"--program", "x.tmodel"}), "sim: --program = x.tmodel: want --input, too\n");
    EXPECT_EQ(error({"--program", "x.tprog", "--input", "i"}),
              "sim: --input: want it with a .tmodel file only\n");
    EXPECT_EQ(error({"--program", "x.tmodel", "--input", "i", "--dram0", "d"}),
              "sim: --dram0: want it with a .tprog file only\n");
    EXPECT_NE(error({"--dram0", "d"}).find("--dram0: want --program, too"), std::string::npos);
    EXPECT_NE(error({"--program", "none.tprog"}).find("none.tprog: cannot be read"),
              std::string::npos);
    EXPECT_NE(error({"--conformance", "none"}).find("--conformance = none: want a folder"),
              std::string::npos);
    EXPECT_NE(error({"--conformance", folder_.string()}).find("found no .tmodel and no index.csv"),
              std::string::npos);
    EXPECT_NE(error({}).find("nothing to run: want --random N, --program FILE or --conformance"),
              std::string::npos)
        << err;
}

TEST_F(TcuSimulate, RandomProgramsAgree) {
    EXPECT_EQ(simulate_with({"--random", "20", "--both", "--seed", "5"}), 0) << out;
    EXPECT_NE(out.find("20 passed, 0 failed"), std::string::npos);
    EXPECT_EQ(simulate_with({"--random", "3", "--both", "--compat"}, Fault::extra_write), 1);
}

TEST_F(TcuSimulate, OptionsBecomeArgumentsAgain) {
    SimulateOptions options;
    options.program = "a.tprog";
    options.dump_dram1 = "f";
    options.stall = 0.25;
    options.subject = Subject::both;
    EXPECT_EQ(to_arguments(options),
              (std::vector<std::string>{"--program=a.tprog", "--dump-dram1=f", "--both",
                                        "--stall=0.25"}));
}

}  // namespace

}  // namespace macrame::tcu::run
