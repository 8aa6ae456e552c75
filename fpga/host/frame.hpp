#pragma once
/// Frames between a host and a board: fpga/README.md has their layout.

#include <cstdint>
#include <optional>
#include <vector>

namespace macrame::fpga {

enum class Op : std::uint8_t {
    hello = 1,      ///< forget the tag of the last write_reg
    read_reg = 2,   ///< beats: addresses; answer: address and value
    write_reg = 3,  ///< beats: address and value
    read_mem = 4,   ///< one beat: how many; answer: these
    write_mem = 5,  ///< beats: contents
    fill_mem = 6    ///< two beats: contents, how many times
};

constexpr std::size_t kMaxBeats = 32;  ///< of 8 bytes in a frame

struct Request {
    Op op = Op::hello;
    std::uint8_t tag = 0;
    std::uint32_t addr = 0;  ///< of memory, a multiple of 8
    std::vector<std::uint64_t> beats;
};

enum class Error : std::uint8_t { none = 0, bad_request = 1, no_answer = 2 };

struct Answer {
    Op op = Op::hello;
    std::uint8_t tag = 0;
    bool interrupt = false;  ///< level of the pin
    Error error = Error::none;
    std::vector<std::uint64_t> beats;
};

/// A register in a beat.
constexpr std::uint64_t reg_beat(std::uint32_t addr, std::uint32_t value = 0) {
    return std::uint64_t{value} << 32 | addr;
}

std::vector<std::uint8_t> encode(const Request& request);
std::vector<std::uint8_t> encode(const Answer& answer);

/// Finds answers in what arrives, whatever else arrives.
class AnswerReader {
public:
    void put(std::uint8_t byte) { bytes_.push_back(byte); }
    /// The next whole frame, if it is there.
    std::optional<Answer> take();
    /// Forgets what arrived so far.
    void clear() { bytes_.clear(); }

private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace macrame::fpga
