#include "cdp_rdma.hpp"

namespace macrame::dla::model {

namespace cdp_rdma = dla_regs::cdp_rdma;

CdpRdmaLayer CdpRdmaUnit::layer() const {
    CdpRdmaLayer out;
    out.width = plus1(regs.get<cdp_rdma::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(regs.get<cdp_rdma::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(regs.get<cdp_rdma::D_DATA_CUBE_CHANNEL>().CHANNEL());
    out.precision = sizes().precision(regs.get<cdp_rdma::D_DATA_FORMAT>().INPUT_DATA());
    out.src_ram_type = regs.get<cdp_rdma::D_SRC_DMA_CFG>().SRC_RAM_TYPE();
    out.src_addr = address<cdp_rdma::D_SRC_BASE_ADDR_HIGH, cdp_rdma::D_SRC_BASE_ADDR_LOW>();
    out.src_line = whole_atoms(regs.get<cdp_rdma::D_SRC_LINE_STRIDE>().raw);
    out.src_surf = whole_atoms(regs.get<cdp_rdma::D_SRC_SURFACE_STRIDE>().raw);
    return out;
}

}  // namespace macrame::dla::model
