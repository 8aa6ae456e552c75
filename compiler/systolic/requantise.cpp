#include "compiler/systolic/requantise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::systolic::compiler {

namespace {

constexpr int kLongestShift = 48;  // what is shifted further is 0 anyway: products have 50 bits

void append(std::vector<std::uint8_t>& to, std::uint32_t word) {
    for (int byte = 0; byte < 4; ++byte)
        to.push_back(static_cast<std::uint8_t>(word >> 8 * byte));
}

std::uint32_t halves(int low, int high) {
    return (static_cast<std::uint32_t>(low) & 0xffff) | static_cast<std::uint32_t>(high) << 16;
}

}  // namespace

int Scale::apply(std::int64_t sum) const {
    const std::int64_t scaled =
        model::scaled_down(model::wrap(sum + bias, 32) * multiplier, shift, rounding);
    return static_cast<int>(std::clamp<std::int64_t>(scaled + zero_point, low, high));
}

void set_factor(Scale& scale, double factor) {
    constexpr int kBits = kMultiplierWidth - 1;
    constexpr std::int64_t kMost = (std::int64_t{1} << kBits) - 1;
    int exponent = 0;
    std::frexp(factor, &exponent);  // |factor| < 2^exponent
    scale.shift = std::clamp(kBits - exponent, 0, kLongestShift);
    const auto rounded = [&] { return std::llround(std::ldexp(factor, scale.shift)); };
    if (std::abs(rounded()) > kMost && scale.shift > 0) --scale.shift;
    scale.multiplier =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(rounded(), -kMost, kMost));
}

std::int64_t Constants::add(const std::vector<std::uint8_t>& bytes) {
    constexpr std::size_t kBeat = 64;
    if (shared_) {
        if (const auto found = shared_->find(bytes); found != shared_->end()) return found->second;
    }
    bytes_.resize((bytes_.size() + kBeat - 1) / kBeat * kBeat);
    const auto address = base_ + static_cast<std::int64_t>(bytes_.size());
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    if (shared_) (*shared_)[bytes] = address;
    return address;
}

std::vector<std::uint8_t> scale_words(const std::vector<Scale>& lanes) {
    std::vector<std::uint8_t> out;
    for (const Scale& lane : lanes)
        append(out, static_cast<std::uint32_t>(lane.bias));
    for (const Scale& lane : lanes)
        append(out, static_cast<std::uint32_t>(lane.multiplier));
    for (const Scale& lane : lanes)
        append(out, halves(lane.shift | static_cast<int>(lane.rounding) << 6, lane.zero_point));
    for (const Scale& lane : lanes)
        append(out, halves(lane.low, lane.high));
    return out;
}

void load_scale_set(Stream& stream, std::int64_t address, int lanes, int set) {
    const std::int64_t bytes = std::int64_t{lanes} * 4;
    stream.transfer(Module::load, {address, 1, kScaleWords, lanes, 0, bytes},
                    {Buffer::scale, set * kScaleWords, 0}, Transfer{});
}

}  // namespace macrame::systolic::compiler
