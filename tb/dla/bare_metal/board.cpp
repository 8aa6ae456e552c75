/// The board of runtime/examples/bare_metal/main.c: the Verilated nv_small. main() of the example
/// is compiled as bare_metal_main() and runs as it is.
///   board NETWORK.program INPUT OUTPUT      writes the first output, prints the answer

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/system/rtl_device.hpp"
#include "verif/common/memory.hpp"
#include "verif/common/run/console.hpp"

namespace {

using Bytes = std::vector<char>;

constexpr std::uint64_t kMemory = 0x80000000u;   // DMA_OFFSET
constexpr std::size_t kMemoryBytes = 0x1000000;  // DMA_BYTES

struct Board {
    macrame::verif::Memory primary, secondary;
    macrame::tb::RtlDevice device;
    std::vector<std::uint8_t> block = std::vector<std::uint8_t>(kMemoryBytes);

    Board() : device(primary, secondary, options()) {}

    static macrame::tb::RtlOptions options() {
        macrame::tb::RtlOptions out;
        out.axi.latency = 32;
        out.axi.bus_bytes = out.axi.beat_bytes = out.axi.fault_bytes = dla_params::bus_bytes;
        out.axi.max_burst = dla_params::max_burst;
        return out;
    }
};
Board* board = nullptr;

Bytes read(const char* path) {
    std::ifstream in(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

// What the example asks of its board and of the compiler of the network.
extern "C" {
std::uint8_t macrame_network[1 << 22];
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
    // A millisecond of a clock of 1 MHz.
    for (std::uint32_t i = 0; i < timeout_ms && !board->device.interrupt(); ++i)
        board->device.advance(1000);
    return board->device.interrupt() ? 1 : 0;
}
void board_sync(void*, std::uint64_t offset, std::uint64_t bytes, int to_device) {
    std::uint8_t* at = board->block.data() + offset;
    if (to_device != 0) {
        board->primary.load(kMemory + offset, at, bytes);
    } else {
        const std::vector<std::uint8_t> found = board->primary.dump(kMemory + offset, bytes);
        std::copy(found.begin(), found.end(), at);
    }
}
}

int main(int argc, char** argv) {
    using macrame::verif::run::complain;
    if (argc != 4) {
        complain("board", "want NETWORK.program INPUT OUTPUT");
        return 2;
    }
    const Bytes network = read(argv[1]), input = read(argv[2]);
    if (network.empty() || network.size() > sizeof macrame_network || input.empty() ||
        input.size() > sizeof macrame_input) {
        complain("board", "want a network and an input that fit the example");
        return 2;
    }
    std::memcpy(macrame_network, network.data(), network.size());
    macrame_network_bytes = static_cast<std::uint32_t>(network.size());
    std::memcpy(macrame_input, input.data(), input.size());
    Board here;
    board = &here;
    here.device.reset();
    const int error = bare_metal_main();
    for (const std::string& violation : here.device.violations())
        complain("board", violation);
    std::ofstream(argv[3], std::ios::binary)
        .write(reinterpret_cast<const char*>(macrame_output), sizeof macrame_output);
    macrame::verif::run::print("error " + std::to_string(error) + ", answer " +
                               std::to_string(macrame_answer) + ", " +
                               std::to_string(here.device.cycle()) + " cycles\n");
    return error != 0 || !here.device.violations().empty() ? 1 : 0;
}
