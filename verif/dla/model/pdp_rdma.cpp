#include "pdp_rdma.hpp"

namespace macrame::dla::model {

namespace pdp_rdma = dla_regs::pdp_rdma;

PdpRdmaLayer PdpRdmaUnit::layer() const {
    PdpRdmaLayer out;
    out.width = plus1(regs.get<pdp_rdma::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH());
    if (const std::uint32_t split = regs.get<pdp_rdma::D_OPERATION_MODE_CFG>().SPLIT_NUM();
        split != 0) {
        const auto in = regs.get<pdp_rdma::D_PARTIAL_WIDTH_IN>();
        const auto kernel = regs.get<pdp_rdma::D_POOLING_KERNEL_CFG>();
        out.strips = plus1(split);
        out.kernel_width = plus1(kernel.KERNEL_WIDTH());
        out.stride_x = plus1(kernel.KERNEL_STRIDE_WIDTH());
        out.in_first = plus1(in.PARTIAL_WIDTH_IN_FIRST());
        out.in_mid = plus1(in.PARTIAL_WIDTH_IN_MID());
        out.in_last = plus1(in.PARTIAL_WIDTH_IN_LAST());
        out.width = out.in_first + (out.strips - 2) * out.in_mid + out.in_last;
    }
    out.height = plus1(regs.get<pdp_rdma::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT());
    out.channels = plus1(regs.get<pdp_rdma::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL());
    out.precision = sizes().precision(regs.get<pdp_rdma::D_DATA_FORMAT>().INPUT_DATA());
    out.src_ram_type = regs.get<pdp_rdma::D_SRC_RAM_CFG>().SRC_RAM_TYPE();
    out.src_addr = address<pdp_rdma::D_SRC_BASE_ADDR_HIGH, pdp_rdma::D_SRC_BASE_ADDR_LOW>();
    out.line_stride = whole_atoms(regs.get<pdp_rdma::D_SRC_LINE_STRIDE>().raw);
    out.surf_stride = whole_atoms(regs.get<pdp_rdma::D_SRC_SURFACE_STRIDE>().raw);
    return out;
}

std::vector<std::int8_t> PdpRdmaUnit::fetch() const {
    const PdpRdmaLayer now = layer();
    return pdp_read_input(sizes().atom_bytes, now,
                          machine_.reader(DmaClient::kPdp, now.src_ram_type));
}

}  // namespace macrame::dla::model
