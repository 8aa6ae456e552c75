#pragma once
/// A program of one convolution layer whose shape is given in words:
///
///     28x28x128 k128 3x3 pad 1 fp16 winograd
///
/// The contents of memory are random; Winograd has random transformed weights. SDP has no operands
/// and writes the type of the layer.

#include <cstdint>
#include <string>

#include "verif/dla/model/sizes.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

/// Throws std::runtime_error with what was found and what was wanted, if the words, the
/// configuration or its convolution buffer do not take the layer.
trace::Trace directed_layer(const dla::model::Architecture& sizes, const std::string& layer,
                            std::uint64_t seed);

}  // namespace macrame::dla::stimulus
