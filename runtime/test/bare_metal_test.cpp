/// The bare-metal example as it is, its board a golden model: examples/bare_metal/main.c is
/// compiled with BOARD, its main() called bare_metal_main().

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "compiler/test/program/picture_program.hpp"
#include "runtime/macrame.h"
#include "verif/dla/model/device.hpp"

namespace macrame::program {
namespace {

struct Board {
    verif::Memory memory;
    dla::model::Device device{{}, memory};
    Bytes block = Bytes(2 << 20);  ///< two of DMA_BYTES
    // Of two_buffers.c.
    bool allowed = false;
    int handled = 0;  ///< interrupts while an input came
    std::deque<Bytes> inputs;
    std::vector<Bytes> outputs;
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
void board_allow_interrupt(int on);
int board_input(std::int8_t* input, std::uint64_t bytes);
void board_output(const std::int8_t* output, std::uint64_t bytes);
void two_buffers_interrupt(void);
int two_buffers(void);
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
void board_allow_interrupt(int on) { board->allowed = on != 0; }
/// Takes so long that a run comes to its end meanwhile.
int board_input(std::int8_t* input, std::uint64_t bytes) {
    for (int i = 0; i < 100'000 && board->allowed; ++i) {
        board->device.advance(1);
        if (!board->device.interrupt()) continue;
        ++board->handled;
        two_buffers_interrupt();
    }
    if (board->inputs.empty()) return 0;
    EXPECT_EQ(board->inputs.front().size(), bytes);
    std::copy(board->inputs.front().begin(), board->inputs.front().end(), input);
    board->inputs.pop_front();
    return 1;
}
void board_output(const std::int8_t* output, std::uint64_t bytes) {
    board->outputs.emplace_back(output, output + bytes);
    board->device.reset();  // the program has no commands for its units
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

TEST(BareMetal, TheNextInputComesWhileTheAcceleratorComputes) {
    Board here;
    board = &here;
    const Bytes file = write(convert(Example({})));
    std::copy(file.begin(), file.end(), macrame_network);
    macrame_network_bytes = static_cast<std::uint32_t>(file.size());
    EXPECT_EQ(two_buffers(), MACRAME_OK);
    EXPECT_TRUE(here.outputs.empty());  // of no input
    std::vector<Bytes> wanted;
    for (std::uint8_t n = 0; n < 3; ++n) {
        Bytes image = pixels();
        for (std::uint8_t& byte : image)
            byte = static_cast<std::uint8_t>(byte + 40 * n);
        verif::Memory memory;
        dla::model::Device device({}, memory);
        wanted.push_back(play(file, {image}, device, memory).outputs.at(0));
        here.inputs.push_back(image);
    }
    EXPECT_EQ(two_buffers(), MACRAME_OK);
    EXPECT_EQ(here.outputs, wanted);
    EXPECT_NE(wanted[0], wanted[1]);
    EXPECT_EQ(here.handled, 3);
    EXPECT_FALSE(here.allowed);
    macrame_network[200] ^= 1;
    EXPECT_EQ(two_buffers(), MACRAME_BAD_CHECKSUM);
    board = nullptr;
}

}  // namespace
}  // namespace macrame::program
