#pragma once
/// Random layers of SDP, offline and behind a convolution.

#include <string>

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

/// A programmed SDP layer. Its output cube is the last of the builder.
struct SdpLayer {
    int group = 0;       ///< register group of SDP
    bool reads = false;  ///< SDP_RDMA takes part
    std::string text;
};

/// The tables of SDP and their registers; once, before the first layer.
void load_sdp_tables(ProgramBuilder& b);

/// Programs SDP, SDP_RDMA if needed and, sometimes, PDP behind it, for a cube that comes from CACC
/// or from `source`; `in` has its sizes, its batches and the type to compute in, `numbers` the size
/// of its elements. Enables PDP only.
SdpLayer program_sdp(ProgramBuilder& b, const Cube& in, bool winograd, const Cube* source,
                     Numbers numbers);

/// A layer with input from memory.
void make_sdp(ProgramBuilder& b);

}  // namespace macrame::dla::stimulus
