#pragma once
/// Pins of the memory ports of a Verilated model.

#include "tb/common/axi_pins.hpp"

namespace macrame::tb {

struct FetchPort {};
struct LoadPort {};
struct StorePort {};

MACRAME_AXI_READS(FetchPort, m_axi_fetch_)
MACRAME_AXI_READS(LoadPort, m_axi_load_)
MACRAME_AXI_WRITES(StorePort, m_axi_store_, pins.aw_id)

}  // namespace macrame::tb
