#include "runtime/play/run_inputs.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "compiler/test/program/picture_program.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/test/published_sizes.hpp"

namespace macrame::program {
namespace {

namespace fs = std::filesystem;
using verif::Memory;
using verif::run::Outcome;
using verif::run::Simulated;
using verif::run::Turn;
using verif::run::Verdict;

/// A golden model with a clock; at its end it writes a byte where it should not.
class Design : public dla::model::Device {
public:
    Design(const dla::model::Architecture& sizes, Memory& memory, std::uint64_t spoilt)
        : dla::model::Device(sizes, memory), memory_(memory), spoilt_(spoilt) {}
    void advance(int n) override {
        dla::model::Device::advance(n);
        if (spoilt_ != 0 && interrupt()) memory_.write(spoilt_, 0x55);
    }

private:
    Memory& memory_;
    std::uint64_t spoilt_;
};

class RunInputs : public ::testing::Test {
protected:
    RunInputs() {
        fs::create_directories(folder_);
        options_.program = (folder_ / "network.program").string();
        options_.input = (folder_ / "inputs").string();
        options_.output = (folder_ / "outputs").string();
        Program program = convert(example_);
        program.configuration = "nv_small";
        put(options_.program, write(program));
        Bytes inputs = pixels();
        one_ = inputs.size();
        Bytes other = pixels();
        other[1000] ^= 0x40u;
        inputs.insert(inputs.end(), other.begin(), other.end());
        put(options_.input, inputs);
        simulator_ = {"dla", "nv_small", maker(0), maker(0), 0, ""};
    }
    ~RunInputs() override { fs::remove_all(folder_); }

    static void put(const fs::path& path, const Bytes& bytes) {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }

    verif::run::MakeSimulated maker(std::uint64_t spoilt) const {
        return [this, spoilt](Memory& primary, Memory&, const Turn&) {
            return Simulated{std::make_unique<Design>(example_.sizes, primary, spoilt), {}};
        };
    }

    std::vector<Outcome> run() {
        std::vector<Outcome> out;
        for (const auto& program : run_inputs(options_, simulator_, errors_)) {
            out.push_back(program.run({}));
            EXPECT_EQ(out.back().row.name, program.name);
            if (out.back().finish) out.back().finish();
        }
        return out;
    }

    std::string only_error() {
        EXPECT_TRUE(run().empty());
        EXPECT_EQ(errors_.size(), 1u);
        return errors_.empty() ? "" : std::exchange(errors_, {}).front();
    }

    Bytes outputs() const {
        std::ifstream in(options_.output, std::ios::binary);
        return Bytes(std::istreambuf_iterator<char>(in), {});
    }

    const fs::path folder_ =
        fs::temp_directory_path() /
        ("run_inputs_" +
         std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    const Example example_{dla::published::configs()[0].sizes};
    verif::run::Options options_;
    verif::run::Simulator simulator_;
    std::vector<std::string> errors_;
    std::size_t one_ = 0;
};

TEST_F(RunInputs, EachInputIsALineWithTimesOfItsLayers) {
    options_.subject = verif::run::Subject::both;
    const std::vector<Outcome> got = run();
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(got[1].row.name, "picture input 1");
    for (const Outcome& outcome : got) {
        EXPECT_EQ(outcome.row.verdict, Verdict::passed);
        EXPECT_FALSE(outcome.row.first_difference);
        ASSERT_TRUE(outcome.row.layer_times);
        EXPECT_EQ(outcome.row.layer_times->begins, std::vector<std::uint64_t>{0});
        EXPECT_EQ(outcome.row.layer_times->ends, std::vector<std::uint64_t>{outcome.row.cycles});
    }
    const Bytes written = outputs();
    Bytes wanted;
    for (const std::size_t flipped : {0u, 0x40u}) {
        Bytes input = pixels();
        input[1000] ^= static_cast<std::uint8_t>(flipped);
        Memory memory;
        dla::model::Device device(example_.sizes, memory);
        const Bytes one = play(write(convert(example_)), {input}, device, memory).outputs.at(0);
        wanted.insert(wanted.end(), one.begin(), one.end());
    }
    EXPECT_EQ(written, wanted);
}

TEST_F(RunInputs, BytesThatDifferAreToldAndNothingIsWritten) {
    options_.subject = verif::run::Subject::both;
    options_.count = 1;
    simulator_.rtl = maker(PlayOptions{}.block + 0x123456);
    const std::vector<Outcome> got = run();
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].row.verdict, Verdict::failed);
    EXPECT_EQ(
        got[0].row.failures,
        std::vector<std::string>{"pri_mem byte 0x80123456: design 55, model 00 (not written)"});
    EXPECT_EQ(got[0].row.first_difference, 0x123456u);
    EXPECT_FALSE(fs::exists(options_.output));
}

TEST_F(RunInputs, MistakesSayWhatWasFoundAndWanted) {
    simulator_.configuration = "nv_large";
    EXPECT_EQ(only_error(),
              "--program = " + options_.program + ": made for nv_small: want one for nv_large");
    simulator_.configuration = "nv_small";
    options_.count = 3;
    EXPECT_EQ(only_error(), "--count = 3: want at most 2, the inputs in " + options_.input);
    options_.count = 0;
    put(options_.input, Bytes(one_ + 1));
    EXPECT_EQ(only_error(), "--input = " + options_.input + ": " + std::to_string(one_ + 1) +
                                " bytes: want a multiple of " + std::to_string(one_) +
                                ", the bytes of an input");
    put(options_.program, Bytes(10));
    EXPECT_EQ(only_error(), "--program = " + options_.program +
                                ": not a program file, or one of another version");
}

/// Identities are compared, not names, where both are known.
TEST_F(RunInputs, ProgramsForOtherHardwareAreRefused) {
    Program program = convert(example_);
    program.configuration = "mine";
    program.identity = 77;
    program.parameters = "atoms=16\nbanks=32\n";
    put(options_.program, write(program));
    simulator_.identity = 78;
    simulator_.parameters = "atoms=8\nbanks=32\n";
    EXPECT_EQ(only_error(), "--program = " + options_.program +
                                ": made for other hardware: atoms = 16: want 8, as nv_small has");
    simulator_.parameters = "";
    program.parameters = "";
    put(options_.program, write(program));
    EXPECT_EQ(only_error(),
              "--program = " + options_.program +
                  ": made for other hardware: identity 0x4d: want 0x4e, as nv_small has");
    simulator_.identity = 77;
    EXPECT_EQ(run().size(), 2u);
    simulator_.identity = 0;  // not known: the name counts
    EXPECT_EQ(only_error(),
              "--program = " + options_.program + ": made for mine: want one for nv_small");
}

/// Of earlier versions: they run, and it is said that nothing was compared.
TEST_F(RunInputs, ProgramsThatNameNoHardwareAreTold) {
    simulator_.identity = 78;
    const std::vector<Outcome> got = run();
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(got[0].row.verdict, Verdict::passed);
    EXPECT_EQ(got[0].notes,
              std::vector<std::string>{options_.program +
                                       ": does not say for what hardware it was compiled: not "
                                       "compared; want it compiled again"});
    EXPECT_TRUE(got[1].notes.empty());
    options_.strict = true;
    EXPECT_EQ(only_error(), "--program = " + options_.program +
                                ": does not say for what hardware it was compiled: want it "
                                "compiled again, for --strict");
}

TEST_F(RunInputs, ProgramsWithHostOperatorsAreRefused) {
    Program program = convert(example_);
    program.configuration = "nv_small";
    program.commands.push_back({Code::host, 0, 1, 0});
    put(options_.program, write(program));
    EXPECT_EQ(only_error(), "--program = " + options_.program +
                                ": has operators for the host: want macrame run, which has them");
}

}  // namespace
}  // namespace macrame::program
