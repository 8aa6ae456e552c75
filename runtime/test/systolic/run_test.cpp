/// The driver of the systolic family: what it puts into memory and registers, and what it refuses.

#include "runtime/test/systolic/unit.hpp"

namespace macrame::systolic {
namespace {

constexpr std::uint64_t kBase = 0x80000000u;

/// A vector of 16 bytes from byte 64 on into IBUF, another of OBUF, which is zero, to byte 128.
std::vector<std::uint8_t> image() {
    const auto transfer = [](Module module, Buffer buffer, std::int64_t address) {
        Instruction out;
        out.module = module;
        out.transfer.dram_address = address;
        out.transfer.sram_address = sram_address({}, {buffer, 0, 0});
        out.transfer.x_size = out.transfer.y_size = 1;
        out.transfer.z_size = 16;
        out.transfer.bitwidth = 1;
        return out;
    };
    std::vector<std::uint8_t> out(4096, 0x55);
    for (const Instruction& one :
         {transfer(Module::load, Buffer::ibuf, 64), transfer(Module::store, Buffer::obuf, 128)}) {
        const auto bytes = word_bytes(encode(one));
        out.insert(out.end(), bytes.begin(), bytes.end());
    }
    return out;
}

const macrame_systolic_start kStarts[] = {{4096, 1}, {4112, 1}};
/// 2 x 2 pixels of 3 channels: the second half of one plane, the first one of the next.
const macrame_systolic_tensor kInputs[] = {{256, 2, 2, 3, 4, 2, 4, 16, 64}};
const macrame_systolic_tensor kOutputs[] = {{128, 1, 1, 16, 16, 0, 16, 16, 16}};
const macrame_systolic_program kProgram = {0x1234, 32, 4128,    0,       2,
                                           1,      1,  kStarts, kInputs, kOutputs};

TEST(SystolicDriver, RunsAProgramAnywhereInMemory) {
    Unit unit({}, 0x1234, kBase, 8192);
    const std::vector<std::uint8_t> file = image();
    ASSERT_EQ(macrame_systolic_load(&kProgram, &unit.machine, file.data(), file.size()),
              MACRAME_OK);
    for (const auto& [at, address] : {std::pair(4096, 64), std::pair(4112, 128)}) {
        const auto found = decode(word_of_bytes(&unit.block[static_cast<std::size_t>(at)]));
        ASSERT_TRUE(found);
        EXPECT_EQ(static_cast<std::uint64_t>(found->transfer.dram_address),
                  kBase + static_cast<std::uint64_t>(address));
    }
    for (int run = 1; run <= 2; ++run) {
        unit.block[128] = 7;
        ASSERT_EQ(macrame_systolic_run(&kProgram, &unit.machine), MACRAME_OK);
        EXPECT_EQ(unit.starts, 2 * run);
        std::vector<std::uint8_t> out(16, 1);
        ASSERT_EQ(macrame_systolic_read_output(&kProgram, &unit.machine, 0, out.data(), 16),
                  MACRAME_OK);
        EXPECT_EQ(out, std::vector<std::uint8_t>(16));
        unit.device.pass(2);
        EXPECT_FALSE(unit.device.irq());
    }
}

TEST(SystolicDriver, PlacesElements) {
    Unit unit({}, 0, kBase, 8192);
    std::vector<std::uint8_t> in(12);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<std::uint8_t>(i);
    ASSERT_EQ(macrame_systolic_write_input(&kProgram, &unit.machine, 0, in.data(), 12), MACRAME_OK);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t channel = 2 + i % 3;
        const std::size_t at = 256 + i / 6 * 16 + i / 3 % 2 * 4 + channel / 4 * 64 + channel % 4;
        EXPECT_EQ(unit.block[at], i);
        unit.block[at] = 0xaa;
    }
    EXPECT_EQ(unit.block, std::vector<std::uint8_t>(8192, 0xaa));
}

TEST(SystolicDriver, EndsWithWhatTheArrayTells) {
    Unit unit({}, 0x1234, kBase, 8192);
    const auto run = [&] { return macrame_systolic_run(&kProgram, &unit.machine); };
    const std::vector<std::uint8_t> file = image();
    ASSERT_EQ(macrame_systolic_load(&kProgram, &unit.machine, file.data(), file.size()),
              MACRAME_OK);
    unit.device.set_faults(performance::Device::Port::load, {1.0, 0});
    EXPECT_EQ(run(), MACRAME_MEMORY_ERROR);
    ASSERT_EQ(macrame_systolic_reset(&unit.machine), MACRAME_OK);
    unit.device.set_faults(performance::Device::Port::load, {});
    EXPECT_EQ(run(), MACRAME_OK);
    unit.block[4096 + 15] = 0;  // the opcode
    EXPECT_EQ(run(), MACRAME_NO_INSTRUCTION);
    ASSERT_EQ(macrame_systolic_reset(&unit.machine), MACRAME_OK);
    unit.cancels = true;
    EXPECT_EQ(run(), MACRAME_CANCELLED);
    unit.cancels = false;
    ASSERT_EQ(macrame_systolic_reset(&unit.machine), MACRAME_OK);
    unit.identity = 0x4321;
    EXPECT_EQ(run(), MACRAME_OTHER_HARDWARE);
}

TEST(SystolicDriver, RefusesWhatDoesNotFit) {
    const std::vector<std::uint8_t> file = image();
    std::vector<std::uint8_t> some(16);
    Unit unit({}, 0, kBase, 8192);
    macrame_machine& machine = unit.machine;
    const auto load = [&](std::uint64_t bytes) {
        return macrame_systolic_load(&kProgram, &machine, file.data(), bytes);
    };
    EXPECT_EQ(load(file.size() - 1), MACRAME_BAD_SIZE);
    machine.device_address = kBase + 64;
    EXPECT_EQ(load(file.size()), MACRAME_BAD_ALIGNMENT);
    machine.device_address = 0xfffff000u;
    EXPECT_EQ(load(file.size()), MACRAME_BAD_ADDRESS);
    machine.device_address = std::uint64_t{1} << 32;
    EXPECT_EQ(load(file.size()), MACRAME_BAD_ADDRESS);
    machine.device_address = 0;
    EXPECT_EQ(macrame_systolic_write_input(&kProgram, &machine, 0, some.data(), 11),
              MACRAME_WRONG_LENGTH);
    EXPECT_EQ(macrame_systolic_write_input(&kProgram, &machine, 1, some.data(), 12),
              MACRAME_BAD_ARGUMENT);
    machine.memory_bytes = 4127;
    EXPECT_EQ(load(file.size()), MACRAME_SMALL_MEMORY);
    machine.memory_bytes = 8192;
    const macrame_systolic_start beyond[] = {{4112, 2}};
    macrame_systolic_program program = kProgram;
    program.starts = beyond;
    program.start_count = 1;
    EXPECT_EQ(macrame_systolic_load(&program, &machine, file.data(), file.size()),
              MACRAME_BAD_COMMAND);
    EXPECT_EQ(unit.starts, 0);
}

/// Of an image of several networks each brings its own part.
TEST(SystolicDriver, LoadsItsPartOfAnImage) {
    std::vector<std::uint8_t> file = image();
    file.resize(file.size() + 64, 7);
    Unit unit({}, 0, kBase, 8192);
    unit.machine.memory[4095] = 9;
    unit.machine.memory[4128] = 9;
    EXPECT_EQ(macrame_systolic_load(&kProgram, &unit.machine, file.data(), file.size()),
              MACRAME_BAD_SIZE);
    macrame_systolic_program program = kProgram;
    program.begin = 4096;
    ASSERT_EQ(macrame_systolic_load(&program, &unit.machine, file.data(), file.size()), MACRAME_OK);
    EXPECT_EQ(unit.machine.memory[4095], 9);
    EXPECT_EQ(unit.machine.memory[4128], 9);
    EXPECT_EQ(unit.machine.memory[4111], file[4111]);  // the opcode of the first word
    program.begin = 4112;                              // behind its first instruction
    EXPECT_EQ(macrame_systolic_load(&program, &unit.machine, file.data(), file.size()),
              MACRAME_BAD_COMMAND);
}

}  // namespace
}  // namespace macrame::systolic
