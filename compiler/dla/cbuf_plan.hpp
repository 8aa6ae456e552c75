#pragma once
/// How convolutions lie in CBUF and weights in memory.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// PIXEL_FORMAT of 8-bit pixels with 1 or 4 components in the order of memory.
int pixel_format_code(int components);

inline int div_up(int a, int b) { return (a + b - 1) / b; }
inline std::uint64_t round_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b * b; }

/// Channels of the input that a kernel sees at a time: an image has those of a whole kernel line.
int kernel_channels(const ConvLayer& conv);
/// Columns that a kernel has beside these.
int kernel_columns(const ConvLayer& conv);
/// Bytes of a kernel before compression.
int kernel_bytes(const ConvLayer& conv);
/// Bytes of all weights before compression, rounded up to the 128 bytes of WEIGHT_BYTES.
std::uint32_t weight_bytes(const ConvLayer& conv);
/// Bytes that are fetched for the weights.
std::uint32_t fetched_weight_bytes(const ConvLayer& conv);
/// Banks for data and weights: the last one has the masks of compressed weights.
int usable_banks(const model::Architecture& sizes, const ConvLayer& conv);

/// Entries and banks; nothing if the input or a group of kernels does not fit. The buffer holds two
/// kernel groups where there is room, so that one is fetched while the other works.
std::optional<CbufPlan> plan_cbuf(const model::Architecture& sizes, const ConvLayer& conv);

/// Gives as many convolutions as possible the same banks: at a change of them the buffer is
/// emptied, so nothing can be fetched for a layer while the one before works.
void share_banks(const model::Architecture& sizes, std::vector<Layer>& layers);

/// For the original hardware they change wherever weights would be wrong or would not come.
void choose_banks_for_original(const model::Architecture& sizes, std::vector<Layer>& layers);

/// Weights w[kernel][row][column][channel] (channels of the input, per pixel) as the stream that
/// CDMA reads (NVDLA weight formats), zeros behind it up to `weight_bytes`.
std::vector<std::uint8_t> weight_stream(const model::Architecture& sizes, const ConvLayer& conv,
                                        const std::vector<std::int8_t>& weights);

}  // namespace macrame::dla::compiler
