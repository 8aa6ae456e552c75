#include "fpga/host/frame.hpp"

#include <cstddef>

#include "verif/common/crc32.hpp"

namespace macrame::fpga {

namespace {

constexpr std::uint8_t kRequestMark = 0xa5;
constexpr std::uint8_t kAnswerMark = 0x5a;
constexpr std::uint8_t kFailed = 0x80;
constexpr std::size_t kHead = 8;  // mark, op, tag, beats, address or status
constexpr std::size_t kSum = 4;

void put_bytes(std::vector<std::uint8_t>& to, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i)
        to.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

std::uint64_t get_bytes(const std::uint8_t* from, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i)
        value |= std::uint64_t{from[i]} << 8 * i;
    return value;
}

std::vector<std::uint8_t> frame(std::uint8_t mark, std::uint8_t op, std::uint8_t tag,
                                std::uint32_t word, const std::vector<std::uint64_t>& beats) {
    std::vector<std::uint8_t> out{mark, op, tag, static_cast<std::uint8_t>(beats.size())};
    put_bytes(out, word, 4);
    for (const std::uint64_t beat : beats)
        put_bytes(out, beat, 8);
    put_bytes(out, verif::crc32(out.data() + 1, out.size() - 1), 4);
    return out;
}

}  // namespace

std::vector<std::uint8_t> encode(const Request& request) {
    return frame(kRequestMark, static_cast<std::uint8_t>(request.op), request.tag, request.addr,
                 request.beats);
}

std::vector<std::uint8_t> encode(const Answer& answer) {
    const bool failed = answer.error != Error::none;
    const std::uint32_t status = (answer.interrupt ? 1u : 0u) |
                                 static_cast<std::uint32_t>(answer.error) << 8;
    return frame(kAnswerMark,
                 static_cast<std::uint8_t>(static_cast<unsigned>(answer.op) |
                                           (failed ? kFailed : 0u)),
                 answer.tag, status, answer.beats);
}

std::optional<Answer> AnswerReader::take() {
    std::size_t at = 0;
    std::optional<Answer> found;
    for (; at < bytes_.size(); ++at) {
        if (bytes_[at] != kAnswerMark) continue;
        const std::uint8_t* head = bytes_.data() + at;
        if (bytes_.size() - at < kHead) break;
        const std::size_t beats = head[3];
        if (beats > kMaxBeats) continue;
        const std::size_t size = kHead + 8 * beats;
        if (bytes_.size() - at < size + kSum) break;
        if (verif::crc32(head + 1, size - 1) != get_bytes(head + size, 4)) continue;
        found.emplace();
        found->op = static_cast<Op>(head[1] & ~unsigned{kFailed});
        found->tag = head[2];
        found->interrupt = (head[4] & 1u) != 0;
        found->error = static_cast<Error>(head[5]);
        for (std::size_t i = 0; i < beats; ++i)
            found->beats.push_back(get_bytes(head + kHead + 8 * i, 8));
        at += size + kSum;
        break;
    }
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
    return found;
}

}  // namespace macrame::fpga
