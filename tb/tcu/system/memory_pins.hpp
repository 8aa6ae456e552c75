#pragma once
/// Pins of the two memory ports of a Verilated model. A unit may have the channels of reads or those
/// of writes only.

#include "tb/common/axi_pins.hpp"

namespace macrame::tb {

/// Which memory bank.
template <int kBank>
struct Bank {};

MACRAME_AXI_READS(Bank<0>, m_axi_dram0_)
MACRAME_AXI_WRITES(Bank<0>, m_axi_dram0_, top.m_axi_dram0_wid)
MACRAME_AXI_READS(Bank<1>, m_axi_dram1_)
MACRAME_AXI_WRITES(Bank<1>, m_axi_dram1_, top.m_axi_dram1_wid)

}  // namespace macrame::tb
