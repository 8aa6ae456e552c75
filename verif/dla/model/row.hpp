#pragma once
/// Golden model of ROW: softmax, layer norm and RMS norm over all channels of a pixel.
///
/// A layer reads its operand records, unless it keeps those of the layer before, then pixel by
/// pixel in the order of CDP. Padding channels of the last surface are written as 0.

#include <cstdint>
#include <vector>

#include "memory_access.hpp"
#include "row_math.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// The D_ registers of a layer as real numbers (not minus one).
struct RowLayer {
    RowSettings settings;  ///< without records
    bool keep = false;     ///< the records of the layer before
    int width = 1, height = 1, channels = 1;
    std::uint64_t src_addr = 0, dst_addr = 0, operand_addr = 0;
    std::uint32_t src_line = 0, src_surf = 0, dst_line = 0, dst_surf = 0;  ///< strides in bytes
    std::uint32_t src_ram_type = 1, dst_ram_type = 1;  ///< memory ports; records are in that of src

    /// Records that it reads.
    int records() const {
        return keep ? 0 : settings.mode == RowMode::softmax ? kRowDifferences : channels;
    }
};

/// Runs a layer on memory. `records`: those of the layer before, then its own.
void row_layer(int atom_bytes, const RowLayer& layer, std::vector<RowRecord>& records,
               const MemoryRead& read, const MemoryWrite& write);

/// ROW in the device.
class RowUnit : public Unit {
public:
    using Unit::Unit;

    RowLayer layer() const;
    bool step() override;

private:
    std::vector<RowRecord> records_;
};

}  // namespace macrame::dla::model
