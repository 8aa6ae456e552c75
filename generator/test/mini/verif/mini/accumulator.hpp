#pragma once
/// The accumulator: golden model, and what a program sees of it.

#include <cstdint>

namespace macrame::mini {

/// Registers of an accumulator, model or design.
class Device {
public:
    virtual ~Device() = default;
    virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
    virtual std::uint32_t read(std::uint32_t offset) = 0;
    virtual std::uint64_t cycle() { return 0; }
};

inline constexpr std::uint32_t kOperand = 0x0, kSum = 0x4, kClear = 0x8;

/// Adds `lanes` signed numbers of `width` bits per word.
class Accumulator : public Device {
public:
    Accumulator(int lanes, int width) : lanes_(lanes), width_(width) {}

    void write(std::uint32_t offset, std::uint32_t value) override {
        if (offset == kClear) sum_ = 0;
        if (offset != kOperand) return;
        operand_ = value;
        for (int lane = 0; lane < lanes_; ++lane) {
            const std::uint32_t top = value << (32 - width_ - lane * width_);
            sum_ += static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32 - width_));
        }
    }
    std::uint32_t read(std::uint32_t offset) override {
        return offset == kSum ? sum_ : offset == kOperand ? operand_ : 0;
    }

private:
    int lanes_, width_;
    std::uint32_t operand_ = 0;
    std::uint32_t sum_ = 0;
};

}  // namespace macrame::mini
