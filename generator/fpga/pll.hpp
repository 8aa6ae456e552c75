#pragma once
/// Dividers of clock generators.

#include <optional>

namespace macrame::fpga {

/// An ECP5 EHXPLLL with feedback from its own output: out = in / input * feedback,
/// oscillator = out * output.
struct Ecp5Pll {
    int input = 1;
    int feedback = 1;
    int output = 1;
};

/// The PLL that makes exactly this frequency; nothing if there is none. MHz.
std::optional<Ecp5Pll> ecp5_pll(int in_mhz, int out_mhz);

/// An iCE40 PLL with feedback from its oscillator = in * feedback, out = oscillator / 2^shift.
struct Ice40Pll {
    int feedback = 1;
    int shift = 1;
};
std::optional<Ice40Pll> ice40_pll(int in_mhz, int out_mhz);

/// A Xilinx MMCM: oscillator = in / input * feedback, out = oscillator / output; whole numbers.
struct Mmcm {
    int input = 1;
    int feedback = 1;
    int output = 1;
};
std::optional<Mmcm> mmcm(int in_mhz, int out_mhz);

}  // namespace macrame::fpga
