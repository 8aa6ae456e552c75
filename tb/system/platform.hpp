#pragma once
/// A configuration of the dla family as the testbench sees it: sizes in, Platform out.

#include <string>

#include "tb/system/simulate.hpp"
#include "verif/model/dla/device.hpp"

namespace macrame::tb {

/// What the testbench must know beyond the sizes of the golden model.
struct PortSizes {
    int bus_bytes = 8;  ///< AXI data width
    int max_burst = 1;  ///< AXI beats per transaction
};

/// Platform with the golden model; the owner of a Verilated design sets make_rtl.
Platform make_platform(const std::string& name, const model::dla::DeviceSizes& sizes,
                       const PortSizes& port);

}  // namespace macrame::tb
