#include "fpga/host/board_link.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace macrame::fpga {

namespace {

constexpr int kTries = 5;
constexpr int kHelloMs = 2000;
constexpr int kAnswerMs = 10000;  ///< enough for the largest request, for a simulated board, too
/// Silence after which a board has forgotten half a frame: more than 2^20 cycles of a slow clock.
constexpr int kSilenceMs = 100;
constexpr std::uint64_t kFillBeats = 8192;  ///< in one request: none takes longer than kAnswerMs

}  // namespace

BoardLink::BoardLink(SerialPort& port) : port_(port) {
    ask(Op::hello, 0, {});
    const std::uint32_t magic = read_reg(board_reg::kMagic);
    if (magic != board_reg::kMagicValue)
        throw BoardError(port_.path() + ": answers, but not as a board of macrame");
}

bool BoardLink::wait_answer(const Request& request, Answer& answer, int timeout_ms) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(timeout_ms);
    while (true) {
        while (std::optional<Answer> found = reader_.take()) {
            interrupt_ = found->interrupt;
            if (found->tag != request.tag || found->op != request.op) continue;
            answer = std::move(*found);
            return true;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) return false;
        for (const std::uint8_t byte : port_.read(static_cast<int>(left.count())))
            reader_.put(byte);
    }
}

Answer BoardLink::ask(Op op, std::uint32_t addr, std::vector<std::uint64_t> beats) {
    Request request;
    request.op = op;
    request.tag = ++tag_;
    request.addr = addr;
    request.beats = std::move(beats);
    const std::vector<std::uint8_t> bytes = encode(request);
    for (int tries = 0; tries < kTries; ++tries) {
        Answer answer;
        port_.write(bytes);
        if (wait_answer(request, answer, op == Op::hello ? kHelloMs : kAnswerMs)) {
            if (answer.error == Error::none) return answer;
            throw BoardError(port_.path() + (answer.error == Error::no_answer
                                                 ? ": a register access was not answered"
                                                 : ": the board does not know a request"));
        }
        ++repeats_;
        while (!port_.read(kSilenceMs).empty()) {
        }
        reader_.clear();
    }
    throw BoardError(port_.path() + (op == Op::hello
                                         ? ": no answer: want a board with its bitstream loaded and "
                                           "the speed of its line (--baud)"
                                         : ": the board does not answer any more"));
}

std::uint32_t BoardLink::read_reg(std::uint32_t addr) {
    const Answer answer = ask(Op::read_reg, 0, {reg_beat(addr)});
    return static_cast<std::uint32_t>(answer.beats.at(0) >> 32);
}

void BoardLink::write_regs(const std::vector<std::uint64_t>& pairs) {
    if (!pairs.empty()) ask(Op::write_reg, 0, pairs);
}

std::vector<std::uint64_t> BoardLink::read_memory(std::uint32_t addr, std::size_t beats) {
    std::vector<std::uint64_t> out;
    while (out.size() < beats) {
        const std::size_t count = std::min(kMaxBeats, beats - out.size());
        const Answer answer =
            ask(Op::read_mem, addr + static_cast<std::uint32_t>(8 * out.size()), {count});
        out.insert(out.end(), answer.beats.begin(), answer.beats.end());
    }
    return out;
}

void BoardLink::write_memory(std::uint32_t addr, const std::vector<std::uint64_t>& beats) {
    for (std::size_t at = 0; at < beats.size(); at += kMaxBeats) {
        const auto first = beats.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t count = std::min(kMaxBeats, beats.size() - at);
        ask(Op::write_mem, addr + static_cast<std::uint32_t>(8 * at),
            {first, first + static_cast<std::ptrdiff_t>(count)});
    }
}

void BoardLink::fill_memory(std::uint32_t addr, std::uint64_t beat, std::uint64_t count) {
    for (std::uint64_t at = 0; at < count; at += kFillBeats) {
        ask(Op::fill_mem, addr + static_cast<std::uint32_t>(8 * at),
            {beat, std::min(kFillBeats, count - at)});
    }
}

}  // namespace macrame::fpga
