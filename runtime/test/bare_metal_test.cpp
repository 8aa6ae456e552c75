/// The bare-metal example as it is, its board a golden model: examples/bare_metal/main.c is
/// compiled with BOARD, its main() called bare_metal_main().

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/test/program/picture_program.hpp"
#include "runtime/macrame.h"
#include "verif/dla/model/device.hpp"

namespace macrame::program {
namespace {

struct Board {
    verif::Memory memory;
    dla::model::Device device{{}, memory};
    Bytes block = Bytes(1 << 20);
};
Board* board = nullptr;

}  // namespace
}  // namespace macrame::program

// What the example asks of its board and of the compiler of the network.
extern "C" {
using macrame::program::board;

std::uint8_t macrame_network[1 << 16];
std::uint32_t macrame_network_bytes;
extern std::int8_t macrame_input[1 << 16], macrame_output[1 << 14];
extern volatile std::uint32_t macrame_answer;
int bare_metal_main(void);

std::uint8_t* board_memory(void);
std::uint32_t board_read(void* user, std::uint32_t address);
void board_write(void* user, std::uint32_t address, std::uint32_t value);
int board_wait(void* user, std::uint32_t timeout_ms);
void board_sync(void* user, std::uint64_t offset, std::uint64_t bytes, int to_device);

std::uint8_t* board_memory(void) { return board->block.data(); }
std::uint32_t board_read(void*, std::uint32_t address) { return board->device.csb_read(address); }
void board_write(void*, std::uint32_t address, std::uint32_t value) {
    board->device.csb_write(address, value);
}
int board_wait(void*, std::uint32_t timeout_ms) {
    for (std::uint32_t i = 0; i < timeout_ms && !board->device.interrupt(); ++i)
        board->device.advance(1);
    return board->device.interrupt() ? 1 : 0;
}
void board_sync(void*, std::uint64_t offset, std::uint64_t bytes, int to_device) {
    const std::uint64_t address = 0x80000000u + offset;
    if (to_device != 0) {
        board->memory.load(address, board->block.data() + offset, bytes);
    } else {
        const macrame::program::Bytes found = board->memory.dump(address, bytes);
        std::copy(found.begin(), found.end(), board->block.data() + offset);
    }
}
}

namespace macrame::program {
namespace {

TEST(BareMetal, ExampleComputesWhatThePlayerDoes) {
    Board here;
    board = &here;
    const Example example({});
    const Bytes file = write(convert(example));
    ASSERT_LE(file.size(), sizeof macrame_network);
    std::copy(file.begin(), file.end(), macrame_network);
    macrame_network_bytes = static_cast<std::uint32_t>(file.size());
    const Bytes image = pixels();
    std::copy(image.begin(), image.end(), macrame_input);
    ASSERT_EQ(bare_metal_main(), MACRAME_OK);

    verif::Memory memory;
    dla::model::Device device({}, memory);
    const Bytes wanted = play(file, {image}, device, memory).outputs.at(0);
    ASSERT_EQ(wanted.size(), 37u * 21 * 8);
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(),
                           reinterpret_cast<const std::uint8_t*>(macrame_output)));
    const auto largest = std::max_element(macrame_output, macrame_output + wanted.size());
    EXPECT_EQ(macrame_answer, static_cast<std::uint32_t>(largest - macrame_output));

    macrame_network[200] ^= 1;
    EXPECT_EQ(bare_metal_main(), MACRAME_BAD_CHECKSUM);
    board = nullptr;
}

}  // namespace
}  // namespace macrame::program
