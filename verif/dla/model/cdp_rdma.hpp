#pragma once
/// Golden model of CDP_RDMA: the input cube. It is read pixel by pixel: line, column, then all
/// surfaces.

#include <cstdint>

#include "unit.hpp"

namespace macrame::dla::model {

/// The D_ registers of CDP_RDMA that matter, as real numbers (sizes are NOT minus one here).
struct CdpRdmaLayer {
    int width = 1, height = 1, channels = 1;
    Precision precision = Precision::int8;
    std::uint64_t src_addr = 0;
    std::uint32_t src_line = 0, src_surf = 0;  ///< strides in bytes
    std::uint32_t src_ram_type = 1;            ///< memory port
};

/// CDP_RDMA in the device; CDP runs its layers.
class CdpRdmaUnit : public Unit {
public:
    using Unit::Unit;

    CdpRdmaLayer layer() const;
};

}  // namespace macrame::dla::model
