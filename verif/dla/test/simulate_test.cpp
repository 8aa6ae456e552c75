#include "verif/dla/run/simulate.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "verif/dla/model/device.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/trace/dla_registers.hpp"

namespace macrame::dla::run {
namespace {

struct Ran {
    int status = -1;
    std::string out;
    std::string err;
};

/// A configuration with all units; its "design" is a second golden model.
Platform platform() {
    model::Architecture sizes;
    sizes.pdp = sizes.cdp = sizes.sdp_ew = sizes.sdp_lut = true;
    Platform out = make_platform("test", sizes);
    out.make_rtl = [make = out.make_model](verif::Memory& primary, verif::Memory& secondary,
                                           const SimulateOptions&) {
        return make(primary, secondary);
    };
    return out;
}

Ran run(const SimulateOptions& options, const Platform& on = platform()) {
    Ran ran;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    ran.status = simulate(options, on);
    ran.out = testing::internal::GetCapturedStdout();
    ran.err = testing::internal::GetCapturedStderr();
    return ran;
}

SimulateOptions random_options(int programs) {
    SimulateOptions options;
    options.random_layers = programs;
    options.subject = Subject::both;
    return options;
}

/// The options that play a trace of this text on the model.
SimulateOptions trace_options(const std::string& name, const std::string& text) {
    SimulateOptions options;
    options.traces = {testing::TempDir() + name};
    options.subject = Subject::model;
    std::ofstream(options.traces[0]) << text;
    return options;
}

TEST(Simulate, RandomProgramsOnBothForAnyNumberOfJobs) {
    SimulateOptions options = random_options(12);
    const Ran one = run(options);
    EXPECT_EQ(one.status, 0) << one.out;
    EXPECT_EQ(one.err, "");
    EXPECT_NE(one.out.find("test, design and golden model, memory latency 32\n"),
              std::string::npos);
    EXPECT_NE(one.out.find("\n12 passed, 0 failed\n"), std::string::npos) << one.out;
    options.jobs = 3;
    EXPECT_EQ(run(options).out, one.out);
}

TEST(Simulate, LayersOfGivenShapesOnBoth) {
    SimulateOptions options;
    options.subject = Subject::both;
    options.strict = true;
    options.layers = {"8x8x16 k8 3x3 pad 1", "5x4x3 k9 1x1 int8"};
    const Ran ran = run(options);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("\n5x4x3 k9 1x1 int8 "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\n2 passed, 0 failed\n"), std::string::npos) << ran.out;
}

TEST(Simulate, ALayerThatIsNoneStopsItBeforeAnythingRuns) {
    SimulateOptions options;
    options.layers = {"8x8x16 k8 3x3", "8x8x16 3x3", "8x8x16 k8 3x3 int16"};
    const Ran ran = run(options);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err,
              "sim: --layer = 8x8x16 3x3: no kernels: want kN\n"
              "sim: --layer = 8x8x16 k8 3x3 int16: int16: want int8, the types built here\n");
}

/// Contents and checks of memory that 32 bits of address do not reach, at the end and across it.
TEST(Simulate, TracesWithMemoryBeyondTheAddressesDoNotRun) {
    const std::string first = "reg_write(NVDLA_CDMA.S_POINTER_0, 0);\n";
    for (const char* line : {"mem_init(pri_mem, 0x100000000, 0x10, ALL_ZERO);\n",
                             "mem_init(pri_mem, 0xfffffff1, 0x10, ALL_ZERO);\n"}) {
        const SimulateOptions options = trace_options("far.cfg", first + line);
        const Ran ran = run(options);
        EXPECT_EQ(ran.status, 1) << line;
        const std::string address(line + 18, line + (line[20] == '1' ? 29 : 28));
        EXPECT_NE(ran.out.find("far.cfg:2: 16 bytes of memory at " + address +
                               ": want them below the end of addresses of 32 bits"),
                  std::string::npos)
            << ran.out;
        EXPECT_NE(ran.out.find("FAIL: not run"), std::string::npos) << ran.out;
    }
    // The last bytes that there are. It runs, and then is told to check nothing.
    const std::string last = "mem_init(pri_mem, 0xfffffff0, 0x10, ALL_ZERO);\n";
    const std::string near = run(trace_options("near.cfg", first + last)).out;
    EXPECT_NE(near.find("FAIL: checks nothing"), std::string::npos) << near;
    EXPECT_EQ(near.find("bytes of memory at"), std::string::npos) << near;
}

/// The program is a compiled network: what it writes is looked at on its way to the device.
TEST(Simulate, TheLayerCheckerIsInFrontOfCompiledNetworks) {
    for (const bool strict : {false, true}) {
        Platform on = make_platform("test", model::Architecture());
        std::string said;
        bool written = false;
        on.run_inputs = [&](const verif::run::Options&, const verif::run::Simulator& simulator,
                            std::vector<std::string>&) {
            const auto run = [&, simulator](const verif::run::Turn& turn) {
                verif::Memory primary, secondary;
                const auto device = simulator.model(primary, secondary, turn).device;
                device->reset();
                try {
                    device->csb_write(dla_regs::sdp::D_OP_ENABLE::kAddress, 1);
                    device->csb_write(dla_regs::sdp::D_DATA_CUBE_WIDTH::kAddress, 5);
                    written = true;
                } catch (const std::runtime_error& error) {
                    said = error.what();
                }
                return verif::run::Outcome{};
            };
            return std::vector<verif::run::ProgramRun>{{"network", run}};
        };
        SimulateOptions options;
        options.program = "a network";
        options.subject = Subject::model;
        options.strict = strict;
        testing::internal::CaptureStdout();
        simulate(options, on);
        const std::string text = testing::internal::GetCapturedStdout();
        EXPECT_NE(text.find("layer checker: error busy-group: SDP.D_DATA_CUBE_WIDTH"),
                  std::string::npos)
            << text;
        EXPECT_EQ(written, !strict);
        EXPECT_EQ(said, strict ? "breaks programming rules, which --strict does not let run" : "");
    }
}

TEST(Simulate, CoverageDoesNotDependOnJobs) {
    SimulateOptions options = random_options(8);
    options.coverage = "-";
    const Ran one = run(options);
    EXPECT_NE(one.out.find("functional coverage: "), std::string::npos);
    options.jobs = 3;
    EXPECT_EQ(run(options).out, one.out);
}

TEST(Simulate, DifferencesBetweenDesignAndModelFail) {
    Platform on = platform();
    model::Architecture other;  // no PDP, no CDP: their layers never run
    on.make_rtl = [make = make_platform("other", other).make_model](
                      verif::Memory& primary, verif::Memory& secondary, const SimulateOptions&) {
        primary.write(0x10, 0xa5);
        return make(primary, secondary);
    };
    const Ran ran = run(random_options(1), on);
    EXPECT_EQ(ran.status, 1);
    EXPECT_NE(ran.out.find("    pri_mem byte 0x10: design a5, model 00 (not written)\n"),
              std::string::npos)
        << ran.out;
}

TEST(Simulate, AnEmptyTraceIsRefused) {
    const Ran ran = run(trace_options("empty.cfg", "// nothing\n"));
    EXPECT_NE(ran.status, 0);
    EXPECT_EQ(ran.out.find("1 passed"), std::string::npos) << ran.out;
}

TEST(Simulate, ATraceThatChecksNothingFails) {
    const Ran ran =
        run(trace_options("blind.cfg", "reg_write(NVDLA_GLB.S_INTR_MASK_0, 0x3f03fc);\n"));
    EXPECT_EQ(ran.status, 1);
    EXPECT_NE(ran.out.find("FAIL: checks nothing\n"), std::string::npos) << ran.out;
    SimulateOptions both =
        trace_options("blind.cfg", "reg_write(NVDLA_GLB.S_INTR_MASK_0, 0x3f03fc);\n");
    both.subject = Subject::both;
    EXPECT_EQ(run(both).status, 0);  // design and model are compared
}

TEST(Simulate, ATraceWithAMistakeIsAnErrorOfTheUser) {
    const SimulateOptions options = trace_options("wrong.cfg", "wat();\n");
    const Ran ran = run(options);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.err.rfind("sim: " + options.traces[0] + ":1: ", 0), 0u) << ran.err;
    EXPECT_NE(ran.out.find("0 passed, 1 failed\n"), std::string::npos) << ran.out;
}

TEST(Simulate, ATraceOfAnotherRegisterMapSaysSo) {
    const std::string text =
        "write_reg 0xffff0c01 0x0 #NVDLA_CDMA.S_POINTER_0\n"
        "read_reg 0xffff100b 0xffffffe0 0x00000000 #NVDLA_BDMA.CFG_DST_SURF_0\n";
    const Ran ran = run(trace_options("v1.txn", text));
    EXPECT_EQ(ran.status, 1);  // nothing ran
    EXPECT_NE(ran.out.find("skipped: needs another register map (NVDLA_BDMA.CFG_DST_SURF_0 at "
                           "0x402c): want a configuration with register-map v1\n"),
              std::string::npos)
        << ran.out;
    EXPECT_EQ(ran.err, "sim: no program has run: all were skipped\n");
}

TEST(Simulate, UnitsThatAreNotBuiltSkipTheTrace) {
    const Ran ran = run(trace_options("rubik.cfg",
                                      "reg_write(NVDLA_GLB.S_INTR_MASK_0, 0x0);\n"
                                      "intr_notify(RUBIK_0, sync_id_0);\n"
                                      "check_nothing(sync_id_0);\n"));
    EXPECT_NE(ran.out.find("skipped: needs RUBIK\n"), std::string::npos) << ran.out << ran.err;
}

TEST(Simulate, FeaturesThatAreNotBuiltSkipTheTrace) {
    const struct {
        const char* writes;
        const char* needs;
    } cases[] = {
        {"reg_write(NVDLA_CDMA.D_MISC_CFG_0, 0x1101);\nreg_write(NVDLA_CDMA.D_OP_ENABLE_0, 1);\n",
         "INT16, Winograd"},
        {"reg_write(NVDLA_CDMA.D_BATCH_NUMBER_0, 3);\nreg_write(NVDLA_CDMA.D_WEIGHT_FORMAT_0, 1);\n"
         "reg_write(NVDLA_CDMA.D_OP_ENABLE_0, 1);\n",
         "batches, compressed weights"},
        {"reg_write(NVDLA_SDP.D_DATA_FORMAT_0, 0x8);\nreg_write(NVDLA_SDP.D_OP_ENABLE_0, 1);\n",
         "FP16"},
        {"reg_write(NVDLA_CDP.D_DATA_FORMAT_0, 1);\nreg_write(NVDLA_CDP.D_OP_ENABLE_0, 1);\n",
         "INT16"},
        {"mem_init(sec_mem, 0, 32, ALL_ZERO);\nreg_write(NVDLA_GLB.S_INTR_MASK_0, 0);\n",
         "second memory port"},
    };
    for (const auto& c : cases) {
        const Ran ran = run(trace_options("feature.cfg", c.writes));
        EXPECT_NE(ran.out.find(std::string("skipped: needs ") + c.needs + "\n"), std::string::npos)
            << ran.out << ran.err;
    }
    const std::string contract =
        "reg_write(NVDLA_RBK.D_MISC_CFG_0, 0x0);\nreg_write(NVDLA_RBK.D_OP_ENABLE_0, 1);\n";
    model::Architecture sizes;
    sizes.rubik_reshape = true;
    const Ran ran = run(trace_options("contract.cfg", contract), make_platform("test", sizes));
    EXPECT_NE(ran.out.find("skipped: needs contract mode of RUBIK\n"), std::string::npos)
        << ran.out << ran.err;
}

TEST(Simulate, WavesAndCountsNeedABuildWithThem) {
    SimulateOptions options = random_options(1);
    options.wave = testing::TempDir() + "x.fst";
    options.counts = testing::TempDir();
    Platform on = platform();
    const Ran ran = run(options, on);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "sim: --wave = " + options.wave +
                           ": this build has no waves: want one made with make WAVES=1\n"
                           "sim: --counts = " +
                           options.counts +
                           ": this build counts nothing: want one made with make COVERAGE=1\n");
    on.has_waves = on.has_counts = true;
    EXPECT_EQ(run(options, on).status, 0);
}

TEST(Simulate, UnwritableFilesStopItBeforeAnythingRuns) {
    SimulateOptions options = random_options(1);
    options.csv = "/nonexist/x";
    Platform on = platform();
    on.program = "macrame";
    on.random_program = [](std::uint64_t, bool) -> trace::Trace { throw std::logic_error("ran"); };
    const Ran ran = run(options, on);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.err, "macrame: --csv = /nonexist/x: want a file that can be written\n");
    options.csv.clear();
    const Ran broken = run(options, on);
    EXPECT_EQ(broken.status, 3);
    EXPECT_EQ(broken.err, "macrame: internal error: ran\n");
}

TEST(Simulate, TheDeviceThatDoesNotAnswerFailsTheProgram) {
    class Deaf : public verif::Device {
    public:
        void reset() override {}
        void csb_write(std::uint32_t, std::uint32_t, bool) override {
            throw std::runtime_error("CSB request is never accepted");
        }
        std::uint32_t csb_read(std::uint32_t) override { return 0; }
        bool interrupt() override { return false; }
        void advance(int) override {}
        std::uint64_t cycle() override { return 0; }
    };
    Platform on = platform();
    on.make_rtl = [](verif::Memory&, verif::Memory&, const SimulateOptions&) {
        DeviceUnderTest dut;
        dut.device = std::make_unique<Deaf>();
        return dut;
    };
    SimulateOptions options = random_options(2);
    options.subject = Subject::rtl;
    const Ran ran = run(options, on);
    EXPECT_EQ(ran.status, 1);
    EXPECT_NE(ran.out.find("CSB request is never accepted\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("0 passed, 2 failed\n"), std::string::npos) << ran.out;
}

TEST(Simulate, WhatTheDesignDoesNotHaveIsRefused) {
    SimulateOptions options;
    EXPECT_EQ(objection(options, {false, false, false}), "");
    options.faults = 1;
    EXPECT_EQ(objection(options, {true, false, false}), "");
    EXPECT_EQ(objection(options, {false, false, false}),
              "--faults = 1: want 0, or memory-bus = axi4 or axi3: the memory port has no error "
              "answers");
    options.faults = 0;
    options.bus_clock_div = 2.5;
    EXPECT_EQ(objection(options, {false, true, false}), "");
    EXPECT_EQ(objection(options, {false, false, false}),
              "--bus-clock-div = 2.5: want 1, or bus-clock = own: this design has one clock");
    options.bus_clock_div = 1.0;
    options.secondary_latency = 7;
    EXPECT_EQ(objection(options, {false, false, true}), "");
    EXPECT_EQ(objection(options, {false, false, false}),
              "--secondary-latency = 7: want secondary-memif-enable, too: this design has one "
              "memory port");
}

TEST(Simulate, WhatTheModelDoesNotDoIsRefused) {
    for (const std::string option : {"resets", "faults", "wave", "latency", "secondary-latency",
                                     "csb-idle", "bus-clock-div", "build-dir"}) {
        SimulateOptions options;
        const verif::run::OptionRows rows = option_rows(options);
        const std::vector<std::string> words = {"--random=1", "--model", "--" + option + "=2"};
        EXPECT_EQ(verif::run::set_options(rows, verif::run::read_arguments(rows, words)),
                  std::vector<std::string>{"--model and --" + option + ": want one of them"});
    }
}

}  // namespace
}  // namespace macrame::dla::run
