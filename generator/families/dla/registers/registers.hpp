#pragma once
/// Register maps of the dla family, one typed table per unit. Names, offsets, bit positions and
/// resets are those of the NVDLA documents. A field reads
///
///     {"NAME", msb, lsb, access, hw, reset, "what it means", {"CODE_0", "CODE_1"}, v1_bits(31, 5)}

#include <vector>

#include "regs/register_map.hpp"

namespace macrame::dla {

const regs::RegisterMap& glb_registers();
const regs::RegisterMap& cfgrom_registers();
const regs::RegisterMap& mcif_registers();
const regs::RegisterMap& cvif_registers();
const regs::RegisterMap& bdma_registers();
const regs::RegisterMap& cdma_registers();
const regs::RegisterMap& csc_registers();
const regs::RegisterMap& cmac_a_registers();
const regs::RegisterMap& cmac_b_registers();
const regs::RegisterMap& cacc_registers();
const regs::RegisterMap& sdp_rdma_registers();
const regs::RegisterMap& sdp_registers();
const regs::RegisterMap& pdp_rdma_registers();
const regs::RegisterMap& pdp_registers();
const regs::RegisterMap& cdp_rdma_registers();
const regs::RegisterMap& cdp_registers();
const regs::RegisterMap& rubik_registers();
const regs::RegisterMap& row_registers();
const regs::RegisterMap& sysctl_registers();

/// The tables hold the map of the configurable designs (nv_small .. nv_large) and, as a variant of
/// this name, what is different in the map of the first, fixed design.
inline constexpr std::string_view kV1 = "v1";

/// All of them, in the order of their pages.
const std::vector<const regs::RegisterMap*>& all_register_maps();

/// The same for documents and headers.
const regs::RegisterSet& registers();

/// The set of a variant alone, "" or kV1.
const regs::RegisterSet& registers(std::string_view variant);

/// The map with this unit name ("CDMA" or "cdma"; "cmac" stands for both halves) in a variant, or
/// null.
const regs::RegisterMap* find_register_map(std::string_view unit, std::string_view variant = "");

}  // namespace macrame::dla
