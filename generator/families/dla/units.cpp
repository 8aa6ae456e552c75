#include "families/dla/units.hpp"

namespace macrame::dla {

const std::vector<const Unit*>& units() {
    static const std::vector<const Unit*> kUnits = {
        &cfgrom_unit(), &glb_unit(),      &csb_master_unit(), &mcif_unit(),
        &cdma_unit(),   &cbuf_unit(),     &csc_unit(),        &cmac_unit(),
        &cacc_unit(),   &sdp_rdma_unit(), &sdp_unit(),        &pdp_rdma_unit(),
        &pdp_unit(),    &cdp_rdma_unit(), &cdp_unit(),        &top_unit(),
    };
    return kUnits;
}

}  // namespace macrame::dla
