#pragma once
/// Golden model of RUBIK: moves the elements of a cube, without arithmetic.
///
///     contract  surfaces become pixels: the last step of a deconvolution, whole atoms
///     split     a feature cube becomes a plane per channel
///     merge     planes become a feature cube
///
/// An atom has as many elements as fit: half as many of 16 bits as of 8. Lines of planes are read
/// and written up to the next multiple of the memory atom, in whole atoms; what is behind the cube
/// is written as 0.

#include <cstdint>

#include "memory_access.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// Codes of the field RUBIK_MODE.
enum class RubikMode { contract, split, merge };

/// The D_ registers of a layer as real numbers (not minus one). A stride has the same name in all
/// modes, if it is used.
struct RubikLayer {
    RubikMode mode = RubikMode::contract;
    int element_bytes = 1;
    int width = 1, height = 1;  ///< input
    int channels = 1;           ///< output
    int stride_x = 1, stride_y = 1;
    std::uint64_t src_addr = 0, dst_addr = 0;
    std::uint32_t src_ram_type = 1, dst_ram_type = 1;          ///< memory ports
    std::uint32_t src_line = 0, src_surf = 0, src_planar = 0;  ///< bytes
    std::uint32_t dst_line = 0, dst_surf = 0, dst_planar = 0;
    std::uint32_t contract = 0;  ///< CONTRACT_STRIDE_0
};

/// Runs a layer on memory.
void rubik_layer(int atom_bytes, const RubikLayer& layer, const MemoryRead& read,
                 const MemoryWrite& write);

/// RUBIK in the device.
class RubikUnit : public Unit {
public:
    using Unit::Unit;

    RubikLayer layer() const;
    bool step() override;

private:
    RubikMode mode(std::uint32_t field) const;
    int element_bytes(std::uint32_t precision) const;
};

}  // namespace macrame::dla::model
