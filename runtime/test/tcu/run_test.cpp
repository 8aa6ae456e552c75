/// The driver of the tcu family on the golden model: streams as Tensil's drivers send them, the end
/// of a program, memory, what is refused.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "runtime/play/tcu/driver.hpp"
#include "runtime/tcu/macrame_axi_dma.h"
#include "runtime/test/tcu/sample_network.hpp"
#include "runtime/test/tcu/unit.hpp"
#include "verif/common/text.hpp"
#include "verif/tcu/files/arch_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/run/conformance.hpp"
#include "verif/tcu/run/golden_model.hpp"

// The bare-metal example as it is, its network and its board here.
namespace macrame::tcu::bare_metal {
macrame_tcu_machine* unit = nullptr;
}
extern "C" {
unsigned char net_tmodel[2048], net_tprog[256], net_tdata[256];
unsigned int net_tmodel_len, net_tprog_len, net_tdata_len;
int board_machine(struct macrame_tcu_machine* machine);
int board_machine(struct macrame_tcu_machine* machine) {
    *machine = *macrame::tcu::bare_metal::unit;
    return MACRAME_TCU_OK;
}
#define BOARD
#define INPUT_PIXELS 3
#define INPUT_CHANNELS 4
#define OUTPUT_CHANNELS 12
#define main tcu_bare_metal_main
#define run tcu_bare_metal_run
#include "runtime/examples/tcu_bare_metal/main.c"
#undef run
#undef main
}

namespace macrame::tcu {
namespace {

TEST(TcuDriver, SendsTheBytesOfTensilsDrivers) {
    Architecture pynqz1;
    files::Model model;
    model.name = "net";
    model.architecture = pynqz1;
    model.program_file = "net.tprog";
    model.program_bytes = 8;
    model.constants = {{"net.tdata", 0, 0}};
    model.inputs = model.outputs = {{"x", 0, 1}};
    const std::string text = files::model_text(model);
    const Bytes program = {1, 2, 3, 4, 5, 6, 7, 0x40};
    Unit unit(pynqz1);
    unit.machine.timeout = 100;
    macrame_tcu_network net;
    ASSERT_EQ(macrame_tcu_open(&net, text.data(), text.size()), MACRAME_TCU_OK);
    ASSERT_EQ(macrame_tcu_attach(&net, program.data(), program.size(), nullptr, 0), MACRAME_TCU_OK);
    ASSERT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
    const Bytes probe = {0xff, 0x1f, 0xff, 0xff, 0x0f, 0, 0, 0x20,
                         0xff, 0x1f, 0xfe, 0xff, 0x0f, 0, 0, 0x21};
    Bytes want = {0x00, 0x68, 1, 0,    0,    0, 0, 0xf0, 0x04, 0x78, 1, 0,
                  0,    0,    0, 0xf0, 0x48, 6, 0, 0,    0,    0,    0, 0xf0};
    want.insert(want.end(), probe.begin(), probe.end());
    ASSERT_EQ(unit.sent.size(), 1u);
    EXPECT_EQ(unit.sent[0], want);
    want = program;
    want.insert(want.end(), probe.begin(), probe.end());
    ASSERT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_OK);
    ASSERT_EQ(unit.sent.size(), 2u);
    EXPECT_EQ(unit.sent[1], want);

    // Beats that the instructions do not fill, samples.
    Unit wide(pynqz1, 64);
    wide.machine.sample_interval = 1000;
    ASSERT_EQ(macrame_tcu_load(&net, &wide.machine), MACRAME_TCU_OK);
    EXPECT_EQ(wide.sent[0].size(), 64u);
    const Bytes samples(wide.sent[0].begin() + 16, wide.sent[0].begin() + 24);
    EXPECT_EQ(samples, Bytes({0x8b, 0x3e, 0, 0, 0, 0, 0, 0xf0}));
    EXPECT_EQ(Bytes(wide.sent[0].begin() + 40, wide.sent[0].end()), Bytes(24));
}

/// The sample on these inputs; values are small enough not to saturate.
std::vector<float> sample_output(const std::vector<float>& first, const std::vector<float>& second,
                                 float constant) {
    std::vector<float> out;
    for (std::size_t i = 0; i < 8; ++i)
        out.push_back(first[i] + second[i]);
    out.insert(out.end(), 4, constant);
    return out;
}

TEST(TcuDriver, RunsWithNumbersOfEveryType) {
    for (const DataTypeInfo& type : kDataTypes) {
        const Sample sample(type.type);
        for (const bool rest : {false, true}) {
            Unit unit(sample.architecture);
            unit.machine.interrupts = rest ? 0 : 1;
            if (rest) unit.machine.at_rest = [](void*) { return 1; };
            macrame_tcu_network net;
            ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
            ASSERT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK) << net.problem.what;
            for (int run = 0; run < 3; ++run) {
                // Three pixels of two channels, two pixels of four.
                std::vector<float> first(6), second(8), out(12);
                for (std::size_t i = 0; i < 8; ++i) {
                    if (i < 6) first[i] = 0.5f * static_cast<float>(i) - static_cast<float>(run);
                    second[i] = 0.25f * static_cast<float>(i) - 1;
                }
                ASSERT_EQ(macrame_tcu_write_input(&net, &unit.machine, 0, first.data(), 3, 2),
                          MACRAME_TCU_OK);
                ASSERT_EQ(macrame_tcu_write_input(&net, &unit.machine, 1, second.data(), 2, 4),
                          MACRAME_TCU_OK);
                ASSERT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_OK);
                ASSERT_EQ(macrame_tcu_read_output(&net, &unit.machine, 0, out.data(), 3, 4),
                          MACRAME_TCU_OK);
                const std::vector<float> padded = {first[0], first[1], 0, 0,
                                                   first[2], first[3], 0, 0};
                const std::int32_t code = files::code_at(sample.constants, 0, type.type);
                const auto constant = static_cast<float>(files::value_of(code, type.type));
                std::vector<float> want = sample_output(padded, second, constant);
                for (std::size_t i = 8; i < 12; ++i) {
                    want[i] = static_cast<float>(files::value_of(
                        files::code_at(sample.constants, i - 8, type.type), type.type));
                }
                EXPECT_EQ(out, want) << type.name << " run " << run;
                EXPECT_EQ(unit.model.status().tracepoint, !rest);
            }
        }
    }
}

TEST(TcuDriver, BareMetalExampleRuns) {
    const Sample sample;
    Unit unit(sample.architecture);
    bare_metal::unit = &unit.machine;
    ASSERT_LE(sample.text.size(), sizeof net_tmodel);
    ASSERT_LE(sample.program.size(), sizeof net_tprog);
    ASSERT_LE(sample.constants.size(), sizeof net_tdata);
    std::copy(sample.text.begin(), sample.text.end(), net_tmodel);
    std::copy(sample.program.begin(), sample.program.end(), net_tprog);
    std::copy(sample.constants.begin(), sample.constants.end(), net_tdata);
    net_tmodel_len = static_cast<unsigned>(sample.text.size());
    net_tprog_len = static_cast<unsigned>(sample.program.size());
    net_tdata_len = static_cast<unsigned>(sample.constants.size());
    for (int i = 0; i < 12; ++i)
        tcu_input[i] = i == 5 ? 100.0f : 0.5f * static_cast<float>(i);
    ASSERT_EQ(tcu_bare_metal_main(), MACRAME_TCU_OK);
    EXPECT_EQ(tcu_answer, 5u);
    EXPECT_EQ(std::vector<float>(tcu_output, tcu_output + 8),
              std::vector<float>({0, 0.5f, 1, 1.5f, 2, 100, 3, 3.5f}));
    --net_tprog_len;
    EXPECT_EQ(tcu_bare_metal_main(), MACRAME_TCU_PROGRAM_SIZE);
}

/// An error of load() on a machine that is changed.
void expect_refused(const Sample& sample, const std::function<void(macrame_tcu_machine&)>& change,
                    int error, const std::string& what) {
    Unit unit(sample.architecture);
    change(unit.machine);
    macrame_tcu_network net;
    ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), error) << what;
    EXPECT_STREQ(net.problem.what, what.c_str());
    EXPECT_TRUE(unit.sent.empty() || error == MACRAME_TCU_TIMEOUT);
    EXPECT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);
}

TEST(TcuDriver, RefusesMachinesThatDoNotFit) {
    const Sample sample;
    const auto refused = [&](int error, const char* what, auto change) {
        expect_refused(sample, change, error, what);
    };
    using M = macrame_tcu_machine;
    refused(MACRAME_TCU_OTHER_ARCHITECTURE, "array_size",
            [](M& m) { m.architecture.array_size = 8; });
    refused(MACRAME_TCU_OTHER_ARCHITECTURE, "data_type",
            [](M& m) { m.architecture.data_type = MACRAME_TENSIL_DATA_TYPE_FP8BP4; });
    refused(MACRAME_TCU_OTHER_ARCHITECTURE, "local_depth",
            [](M& m) { m.architecture.local_depth = 31; });
    refused(MACRAME_TCU_OTHER_ARCHITECTURE, "bits of operand 0 addresses",
            [](M& m) { m.architecture.local_depth = 33; });
    refused(MACRAME_TCU_OTHER_ARCHITECTURE, "bits of operand 1 addresses",
            [](M& m) { m.architecture.dram0_depth = 256; });
    refused(MACRAME_TCU_OTHER_ARCHITECTURE, "bits of operand 1 strides",
            [](M& m) { m.architecture.stride1_depth = 16; });
    refused(MACRAME_TCU_SMALL_MEMORY, "dram0", [](M& m) { --m.dram0.bytes; });
    refused(MACRAME_TCU_SMALL_MEMORY, "dram1", [](M& m) { m.dram1.bytes = 23; });
    refused(MACRAME_TCU_SMALL_MEMORY, "stream", [](M& m) { m.stream.bytes = 64; });
    refused(MACRAME_TCU_BAD_ADDRESS, "dram0", [](M& m) { m.dram0.device_address += 4096; });
    refused(MACRAME_TCU_BAD_ADDRESS, "dram1",
            [](M& m) { m.dram1.device_address = std::uint64_t{1} << 32; });
    refused(MACRAME_TCU_BAD_ADDRESS, "stream", [](M& m) { m.stream.device_address += 4; });
    refused(MACRAME_TCU_OVERLAP, "dram0, dram1",
            [](M& m) { m.dram1.device_address = m.dram0.device_address; });
    refused(MACRAME_TCU_OVERLAP, "dram0, stream",
            [](M& m) { m.stream.device_address = m.dram0.device_address + 1016; });
    refused(MACRAME_TCU_OVERLAP, "dram1, stream",
            [](M& m) { m.stream.device_address = m.dram1.device_address - 65528; });
    refused(MACRAME_TCU_BAD_ARGUMENT, "dram1", [](M& m) { m.dram1.memory = nullptr; });
    refused(MACRAME_TCU_BAD_ARGUMENT, "machine, its send or beat_bytes",
            [](M& m) { m.send = nullptr; });
    refused(MACRAME_TCU_BAD_ARGUMENT, "machine, its send or beat_bytes",
            [](M& m) { m.beat_bytes = 12; });

    // Without a probe less memory is enough; memories of their own may have equal addresses.
    Unit unit(sample.architecture);
    unit.machine.at_rest = [](void*) { return 1; };
    unit.machine.dram0.bytes = 41 * 8;
    unit.machine.dram1.device_address = kBank0;
    unit.machine.separate_memories = 1;
    macrame_tcu_network net;
    ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK) << net.problem.what;
}

TEST(TcuDriver, LeavesVectorsToTheProbe) {
    Sample sample;
    encode(sample.layout, move(kLocalToDram0, 1, 126, 1),
           sample.program.data() + 7 * sample.layout.bytes);
    expect_refused(
        sample, [](macrame_tcu_machine&) {}, MACRAME_TCU_PROBE_IN_USE, "free vectors of DRAM0");
    Sample local;
    const std::string from = "\"base\":1,";
    local.text.replace(local.text.find(from), from.size(), "\"base\":30,");
    expect_refused(
        local, [](macrame_tcu_machine&) {}, MACRAME_TCU_PROBE_IN_USE,
        "free vectors of local memory");
}

TEST(TcuDriver, RunsOnlyWhatIsLoaded) {
    const Sample sample;
    Unit unit(sample.architecture), other(sample.architecture);
    macrame_tcu_network first, second;
    ASSERT_EQ(sample.attach(first), MACRAME_TCU_OK);
    ASSERT_EQ(sample.attach(second), MACRAME_TCU_OK);
    ASSERT_EQ(macrame_tcu_load(&first, &unit.machine), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_run(&first, &other.machine), MACRAME_TCU_BAD_ARGUMENT);  // not there
    EXPECT_STREQ(first.problem.what, "machine, load");
    ASSERT_EQ(macrame_tcu_load(&second, &unit.machine), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_run(&first, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);
    EXPECT_EQ(macrame_tcu_switch(&second, &unit.machine, &first), MACRAME_TCU_BAD_ARGUMENT);
    EXPECT_EQ(macrame_tcu_run(&second, &unit.machine), MACRAME_TCU_OK);
    unit.works = false;
    EXPECT_EQ(macrame_tcu_load(&first, &unit.machine), MACRAME_TCU_TIMEOUT);
    unit.works = true;
    EXPECT_EQ(macrame_tcu_run(&second, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);  // half of first
}

TEST(TcuDriver, EveryWaitHasAnEnd) {
    const Sample sample;
    Unit unit(sample.architecture);
    macrame_tcu_network net;
    ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);  // not loaded
    unit.works = false;
    EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_TIMEOUT);
    EXPECT_EQ(net.problem.found, 3u);
    unit.works = true;
    ASSERT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
    unit.works = false;
    ASSERT_EQ(macrame_tcu_begin(&net, &unit.machine), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_poll(&net, &unit.machine), MACRAME_TCU_BUSY);
    unit.waits = 1;
    EXPECT_EQ(macrame_tcu_finish(&net, &unit.machine), MACRAME_TCU_CANCELLED);
    unit.refuses = true;
    EXPECT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_STREAM_FAILED);
    unit.machine.at_rest = [](void*) { return -1; };
    EXPECT_EQ(macrame_tcu_poll(&net, &unit.machine), MACRAME_TCU_CANCELLED);

    float values[12] = {};
    EXPECT_EQ(macrame_tcu_write_input(&net, &unit.machine, 0, values, 2, 4),
              MACRAME_TCU_WRONG_LENGTH);
    EXPECT_EQ(net.problem.found, 2u);
    EXPECT_EQ(net.problem.wanted, 3u);
    EXPECT_EQ(macrame_tcu_write_input(&net, &unit.machine, 0, values, 3, 5),
              MACRAME_TCU_WRONG_LENGTH);
    EXPECT_EQ(macrame_tcu_write_input(&net, &unit.machine, 0, values, 3, 0),
              MACRAME_TCU_WRONG_LENGTH);
    EXPECT_EQ(macrame_tcu_write_input(&net, &unit.machine, 2, values, 3, 4),
              MACRAME_TCU_BAD_ARGUMENT);
    EXPECT_EQ(macrame_tcu_read_vectors(&net, &unit.machine, 0, values, 2),
              MACRAME_TCU_WRONG_LENGTH);
}

/// Registers that answer as they are set to.
struct Registers {
    std::uint32_t control = 0, status = 0;
    int lengths = 0;
    macrame_axi_dma dma{};
    Registers() {
        dma.user = this;
        dma.read = [](void* user, std::uint32_t address) {
            const auto& registers = *static_cast<Registers*>(user);
            return address == 0 ? registers.control : registers.status;
        };
        dma.write = [](void* user, std::uint32_t address, std::uint32_t) {
            if (address == 0x28) ++static_cast<Registers*>(user)->lengths;
        };
        dma.beat_bytes = 8;
        dma.length_bits = 14;
        dma.max_polls = 10;
    }
};

TEST(TcuDriver, DmaReportsWhatFails) {
    Registers registers;
    registers.control = 4;
    EXPECT_NE(macrame_axi_dma_start(&registers.dma), 0);  // stays in reset
    registers.control = 0;
    EXPECT_EQ(macrame_axi_dma_start(&registers.dma), 0);
    // Before the first transfer the DMA is not idle: it is started all the same.
    EXPECT_EQ(macrame_axi_dma_send(&registers.dma, 0, 8), 0);
    EXPECT_EQ(registers.lengths, 1);
    EXPECT_NE(macrame_axi_dma_send(&registers.dma, 0, 8), 0);  // never done
    registers.status = 2;
    EXPECT_EQ(macrame_axi_dma_send(&registers.dma, 0, 3 * 16384), 0);  // four transfers
    EXPECT_EQ(registers.lengths, 5);
    registers.status = 0x42;
    EXPECT_NE(macrame_axi_dma_send(&registers.dma, 0, 8), 0);  // nobody at the address
    EXPECT_EQ(registers.lengths, 5);
}

TEST(TcuDriver, SampleBehindTheDma) {
    const Sample sample;
    Bytes input(static_cast<std::size_t>(5 * sample.architecture.vector_bytes()));
    for (std::size_t i = 0; i < input.size(); i += 2)
        input[i] = static_cast<std::uint8_t>(i);
    std::vector<Bytes> first;
    for (int variant = 0; variant < 8; ++variant) {
        play::System system;
        system.architecture = sample.architecture;
        system.beat_bytes = 4 << variant % 4;
        system.separate_memories = (variant & 1) != 0;
        system.bank1 = system.separate_memories ? 0 : 0x10000;
        system.sees_rest = (variant & 2) != 0;
        system.interrupts = (variant & 4) != 0;
        system.dma_length_bits = variant % 3 == 0 ? 26 : 6;
        verif::Memory dram0, dram1;
        const run::Banks banks{dram0, dram1};
        run::GoldenModel model(sample.architecture, banks, 7);
        std::vector<Bytes> outputs;
        EXPECT_EQ(play::drive(sample.network, system, model, banks, {input, input}, outputs), "");
        ASSERT_EQ(outputs.size(), 2u);
        EXPECT_EQ(outputs[0], outputs[1]);
        if (first.empty()) first = outputs;
        EXPECT_EQ(outputs, first) << variant;
    }
    // First pixel: lanes 0, 2, 4, 6 and those of input 1, 24 bytes further.
    EXPECT_EQ(files::code_at(first[0], 1, DataType::fp16bp8), 2 + 26);
}

class TcuDriverNetworks : public ::testing::Test {
protected:
    void SetUp() override {
        const char* root = std::getenv("MACRAME_TENSIL");
        if (root == nullptr)
            GTEST_SKIP() << "the environment variable MACRAME_TENSIL is not set: want the folder "
                            "of the conformance data";
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
            if (entry.path().extension() == ".tmodel") models_.push_back(entry.path());
        ASSERT_GE(models_.size(), 6u);
    }
    std::vector<std::filesystem::path> models_;
};

/// Complete images of DRAM0, each input after a reset.
TEST_F(TcuDriverNetworks, LeaveTheRightMemory) {
    for (const auto& path : models_) {
        std::vector<std::string> errors;
        run::Platform platform;
        platform.architecture = *files::read_architecture(path.string(), errors);
        platform.drive = play::drive_job;
        run::SimulateOptions options;
        options.subject = verif::run::Subject::model;
        options.driver = true;
        options.random_memory = true;
        const auto programs =
            run::conformance_programs(path.parent_path().string(), options, platform, errors);
        ASSERT_GE(programs.size(), 2u) << path;
        for (const verif::run::ProgramRun& program : programs) {
            const verif::run::Outcome outcome = program.run({});
            EXPECT_EQ(outcome.row.verdict, verif::run::Verdict::passed)
                << outcome.row.name << ": "
                << (outcome.row.failures.empty() ? "" : outcome.row.failures.front());
        }
    }
}

/// All inputs back to back on a unit that is not reset, banks in one memory.
TEST_F(TcuDriverNetworks, RunOneBehindTheOther) {
    for (const auto& path : models_) {
        std::vector<std::string> errors;
        play::System system;
        system.architecture = *files::read_architecture(path.string(), errors);
        system.separate_memories = false;
        system.bank0 = 0x16800000;
        system.bank1 = system.bank0 + run::bank_bytes(system.architecture, 0);
        system.beat_bytes = 16;
        system.interrupts = true;
        const auto network = run::load_network(path.string(), system.architecture, errors);
        ASSERT_TRUE(network) << errors.front();
        const auto read = [&](const char* name) {
            return *files::read_bytes((path.parent_path() / name).string(), errors);
        };
        const Bytes all = read("inputs.bin"), want = read("outputs.bin");
        const std::size_t one = static_cast<std::size_t>(
            network->model.input_vectors() *
            static_cast<std::uint64_t>(system.architecture.vector_bytes()));
        std::vector<Bytes> inputs, outputs;
        for (std::size_t at = 0; at < all.size(); at += one)
            inputs.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                                all.begin() + static_cast<std::ptrdiff_t>(at + one));
        verif::Memory dram0, dram1;
        const run::Banks banks{dram0, dram1};
        run::GoldenModel model(system.architecture, banks, 7);
        EXPECT_EQ(play::drive(*network, system, model, banks, inputs, outputs), "");
        Bytes found;
        for (const Bytes& output : outputs)
            found.insert(found.end(), output.begin(), output.end());
        EXPECT_TRUE(found == want) << path;
        EXPECT_TRUE(model.status().tracepoint);
    }
}

}  // namespace
}  // namespace macrame::tcu
