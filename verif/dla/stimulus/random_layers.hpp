#pragma once
/// Random legal programs: convolution layers, also of images, with SDP and offline SDP layers, with
/// all that makes layers hang together: both register groups in flight, reuse and release of data
/// and weights, bank changes, one layer reading what another wrote.
///
/// The layers of a unit are in its file: random_conv.cpp (pixels: random_image.cpp),
/// random_sdp.cpp, random_pdp.cpp, random_cdp.cpp, random_row.cpp,
/// random_rubik.cpp, random_bdma.cpp. What they share is program_builder.hpp.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/dla/model/device.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

/// What to make.
struct RandomOptions {
    std::uint64_t seed = 1;           ///< same seed, sizes and options: same program
    int layers = 0;                   ///< 0: two to six
    std::int64_t max_macs = 150'000;  ///< per convolution layer
    int max_elements = 4'000;         ///< per output cube
    bool huge = true;         ///< now and then one side of 1000 to 8192, beyond max_elements
    bool image = true;        ///< convolutions of pixels, too, if the configuration has them
    bool convolution = true;  ///< at least one of these two
    bool offline_sdp = true;
    bool cdp = true;             ///< where the configuration has it
    bool pdp = true;             ///< the same: offline, in strips, and behind SDP
    bool row = true;             ///< where the configuration has it
    bool rubik = true;           ///< where the configuration has it
    bool bdma = true;            ///< the same
    bool original_safe = false;  ///< nothing that the original hardware fails (layer checker, info)
    /// Only the contents of memory are random (directed_layer.hpp): cubes without gaps, registers
    /// that do not shape a layer at values without effect.
    bool plain = false;
};

/// A program and what it does, one line per layer.
struct RandomProgram {
    trace::Trace program;
    std::vector<std::string> layers;
};

/// Makes a program for a configuration. It ends when the machine is idle and then reads all
/// registers of the used units, so that two devices can be compared.
RandomProgram random_layers(const dla::model::Architecture& sizes, const RandomOptions& options);

/// The program alone, with default options.
trace::Trace random_program(const dla::model::Architecture& sizes, std::uint64_t seed,
                            bool original_safe = false);

}  // namespace macrame::dla::stimulus
