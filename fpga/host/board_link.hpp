#pragma once
/// Requests to a board over a serial line, answered in order, each executed exactly once.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "fpga/host/frame.hpp"
#include "fpga/host/serial_port.hpp"

namespace macrame::fpga {

/// Registers of the board itself, see fpga/rtl/board_regs.v.
namespace board_reg {
constexpr std::uint32_t kMagic = 0x80000000u;
constexpr std::uint32_t kDesign = 0x80000004u;
constexpr std::uint32_t kMemory = 0x80000008u;
constexpr std::uint32_t kClock = 0x8000000cu;
constexpr std::uint32_t kReset = 0x80000010u;
constexpr std::uint32_t kCycles = 0x80000014u;
constexpr std::uint32_t kWriteTime = 0x80000018u;
constexpr std::uint32_t kIrqTime = 0x8000001cu;
constexpr std::uint32_t kSegment = 0x80000040u;
constexpr std::uint32_t kMagicValue = 0x6d616372u;
}  // namespace board_reg

/// The board does not do what it should.
class BoardError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class BoardLink {
public:
    /// Finds the board behind the line; throws BoardError if none answers.
    explicit BoardLink(SerialPort& port);

    const std::string& place() const { return port_.path(); }

    std::uint32_t read_reg(std::uint32_t addr);
    /// At most kMaxBeats pairs of address and value, in their order.
    void write_regs(const std::vector<std::uint64_t>& pairs);
    void write_reg(std::uint32_t addr, std::uint32_t value) { write_regs({reg_beat(addr, value)}); }

    /// Addresses are multiples of 8; any number of beats.
    std::vector<std::uint64_t> read_memory(std::uint32_t addr, std::size_t beats);
    void write_memory(std::uint32_t addr, const std::vector<std::uint64_t>& beats);
    void fill_memory(std::uint32_t addr, std::uint64_t beat, std::uint64_t count);

    /// Interrupt pin as the last answer saw it.
    bool interrupt() const { return interrupt_; }
    /// Frames that had to be sent again.
    int repeats() const { return repeats_; }

private:
    /// Sends until there is an answer. Throws BoardError.
    Answer ask(Op op, std::uint32_t addr, std::vector<std::uint64_t> beats);
    bool wait_answer(const Request& request, Answer& answer, int timeout_ms);

    SerialPort& port_;
    AnswerReader reader_;
    std::uint8_t tag_ = 0;
    bool interrupt_ = false;
    int repeats_ = 0;
};

}  // namespace macrame::fpga
