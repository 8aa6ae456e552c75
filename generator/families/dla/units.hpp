#pragma once

#include <vector>

#include "core/unit.hpp"

namespace macrame::dla {

const Unit& csb_master_unit();
const Unit& cfgrom_unit();
const Unit& glb_unit();
const Unit& mcif_unit();
const Unit& cdma_unit();
const Unit& cbuf_unit();
const Unit& csc_unit();
const Unit& cmac_unit();
const Unit& cacc_unit();
const Unit& sdp_rdma_unit();
const Unit& sdp_unit();
const Unit& pdp_rdma_unit();
const Unit& pdp_unit();
const Unit& cdp_rdma_unit();
const Unit& cdp_unit();
const Unit& top_unit();

/// Cycles after reset in which CDP clears its tables: no access before that.
constexpr int kCdpClearCycles = 256;

/// The unit table in the order of the file list: leaves first, the top last.
const std::vector<const Unit*>& units();

}  // namespace macrame::dla
