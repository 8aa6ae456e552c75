#pragma once
/// Writes the program of a convolution.

#include <cstdint>
#include <vector>

#include "compiler/systolic/stream.hpp"
#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

/// Constants that a program loads, from an address up.
class Constants {
public:
    explicit Constants(std::int64_t base) : base_(base) {}

    /// The address of these bytes, on a beat.
    std::int64_t add(const std::vector<std::uint8_t>& bytes);

    std::int64_t base() const { return base_; }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::int64_t base_;
    std::vector<std::uint8_t> bytes_;
};

/// The layer under a tiling that fits.
void write_conv(Stream& stream, Constants& constants, const ConvLayer& layer,
                const Tiling& tiling);

/// The tiling that is written: of those that promise most the one with the fewest estimated cycles
/// or bytes. Empty cover: none fits.
Tiling best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal);

/// Bytes that LOAD and STORE of a program move.
std::int64_t moved_bytes(const Architecture& architecture, const std::vector<Instruction>& program);

}  // namespace macrame::systolic::compiler
