#include "compiler/graph/int16.hpp"

#include <algorithm>
#include <cstdlib>

namespace macrame::graph {
namespace {

constexpr int kEntries = 256;

/// Sigmoid of i / 24 with 16 fraction bits, raised by half of what a line to the next entry lacks
/// in its middle; the last one is the end.
std::array<std::uint32_t, kEntries> sigmoid_table() {
    const auto exact = [](double i) { return 65536 / (1 + std::exp(-i / 24)); };
    std::array<std::uint32_t, kEntries> table{};
    for (int i = 0; i < kEntries - 1; ++i) {
        const double lack = exact(i + 0.5) - (exact(i) + exact(i + 1)) / 2;
        table[static_cast<std::size_t>(i)] =
            static_cast<std::uint32_t>(std::lround(exact(i) + lack / 2));
    }
    table.back() = 65535;
    return table;
}

/// A place in the table with so many fraction bits; the value has as many more.
std::int64_t interpolated(std::int64_t place, int fraction, std::int64_t end) {
    static const std::array<std::uint32_t, kEntries> kTable = sigmoid_table();
    const auto entry = static_cast<std::size_t>(place >> fraction);
    if (entry >= kEntries - 1) return end;
    const std::int64_t first = kTable[entry], second = kTable[entry + 1];
    const std::int64_t part = place & ((std::int64_t{1} << fraction) - 1);
    return (first << fraction) + part * (second - first);
}

bool is_power_of_two(float scale, int& exponent) {
    const bool power = std::frexp(scale, &exponent) == 0.5F;
    --exponent;
    return power;
}

}  // namespace

std::int16_t Table16::operator()(int value) const {
    const auto index = static_cast<std::size_t>((value + 32768) >> 7);
    const int base = entries_[index];
    // The reference has 16 bits for it.
    const auto slope = static_cast<std::int16_t>(
        static_cast<std::uint16_t>(static_cast<unsigned>(entries_[index + 1] - base)));
    const int result = base + ((slope * (value & 127) + 64) >> 7);
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(static_cast<unsigned>(result)));
}

bool suits_sigmoid16(const Tensor& in, const Tensor& out) {
    return in.quantisation.zero_point[0] == 0 && out.quantisation.zero_point[0] == 0 &&
           out.quantisation.scale[0] == std::ldexp(1.0F, -15);
}

Sigmoid16::Sigmoid16(Function function, float scale) : tanh_(function == Function::tanh) {
    int exponent = 0;
    const bool power = is_power_of_two(scale, exponent);
    const int shift = exponent + 12;
    if (power && (shift == 0 || (tanh_ && shift == 1))) {
        factor_ = 3 << shift;
        return;
    }
    double factor = static_cast<double>(scale) * 4096 * 3;
    for (; factor <= 32767.0 / 2 && shift_ <= 30; ++shift_)
        factor *= 2;
    factor_ = static_cast<int>(std::min(factor, 2147483647.0));
}

std::int64_t Sigmoid16::scaled(int value) const {
    const std::int64_t round = shift_ > 0 ? std::int64_t{1} << (shift_ - 1) : 0;
    return (std::int64_t{value} * factor_ + round) >> shift_;
}

std::int16_t Sigmoid16::operator()(int value) const {
    const std::int64_t place = scaled(value);
    if (tanh_) {
        constexpr std::int64_t kHalf = 1 << 23;
        const std::int64_t twice = interpolated(std::abs(place), 8, std::int64_t{0xffff} << 8);
        const std::int64_t result = place >= 0 ? twice - kHalf + 128 : kHalf - twice + 127;
        return static_cast<std::int16_t>(result >> 8);
    }
    const std::int64_t found = interpolated(std::abs(place), 9, std::int64_t{0x7fff} << 10);
    const std::int64_t result =
        place >= 0 ? found + (1 << 9) : (std::int64_t{1} << 25) - found + (1 << 9) - 1;
    return static_cast<std::int16_t>(result >> 10);
}

}  // namespace macrame::graph
