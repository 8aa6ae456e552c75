#include "fpga/pll.hpp"

namespace macrame::fpga {

namespace {

// ECP5 data sheet: phase detector 3.125 to 400 MHz, oscillator 400 to 800 MHz.
constexpr int kEcp5Dividers = 128;
constexpr double kEcp5Detector = 3.125;
constexpr int kEcp5Slow = 400, kEcp5Fast = 800, kEcp5Middle = 600;

// iCE40 data sheet: phase detector 10 to 133 MHz, oscillator 533 to 1066 MHz.
constexpr int kIce40Detector = 10, kIce40Slow = 533, kIce40Fast = 1066;
constexpr int kIce40Feedback = 128, kIce40Shift = 6;

// 7-series data sheet, slowest speed grade: phase detector from 10 MHz, oscillator 600 to 1200 MHz.
constexpr int kMmcmSlow = 600, kMmcmFast = 1200, kMmcmDetector = 10;

}  // namespace

std::optional<Ecp5Pll> ecp5_pll(int in_mhz, int out_mhz) {
    for (int input = 1; input <= kEcp5Dividers && in_mhz >= kEcp5Detector * input; ++input) {
        if (out_mhz * input % in_mhz != 0) continue;
        const int feedback = out_mhz * input / in_mhz;
        if (feedback > kEcp5Dividers) continue;
        int output = kEcp5Middle / out_mhz;
        while (output > 1 && out_mhz * output > kEcp5Fast)
            --output;
        if (output < 1 || output > kEcp5Dividers || out_mhz * output < kEcp5Slow) continue;
        return Ecp5Pll{input, feedback, output};
    }
    return std::nullopt;
}

std::optional<Ice40Pll> ice40_pll(int in_mhz, int out_mhz) {
    if (in_mhz < kIce40Detector) return std::nullopt;
    for (int shift = 1; shift <= kIce40Shift; ++shift) {
        const int oscillator = out_mhz << shift;
        if (oscillator < kIce40Slow || oscillator > kIce40Fast || oscillator % in_mhz != 0)
            continue;
        const int feedback = oscillator / in_mhz;
        if (feedback <= kIce40Feedback) return Ice40Pll{feedback, shift};
    }
    return std::nullopt;
}

std::optional<Mmcm> mmcm(int in_mhz, int out_mhz) {
    for (int input = 1; in_mhz >= kMmcmDetector * input; ++input) {
        for (int feedback = 2; feedback <= 64; ++feedback) {
            if (in_mhz * feedback % input != 0) continue;
            const int oscillator = in_mhz * feedback / input;
            if (oscillator < kMmcmSlow || oscillator > kMmcmFast) continue;
            if (oscillator % out_mhz == 0 && oscillator / out_mhz <= 128)
                return Mmcm{input, feedback, oscillator / out_mhz};
        }
    }
    return std::nullopt;
}

}  // namespace macrame::fpga
