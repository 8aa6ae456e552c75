#include "sdp_rdma.hpp"

#include <algorithm>

namespace macrame::dla::model {

namespace sdp_rdma = dla_regs::sdp_rdma;

SdpRdmaLayer SdpRdmaUnit::layer() const {
    SdpRdmaLayer out;
    out.width = plus1(regs.get<sdp_rdma::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(regs.get<sdp_rdma::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(regs.get<sdp_rdma::D_DATA_CUBE_CHANNEL>().CHANNEL());
    const auto mode = regs.get<sdp_rdma::D_FEATURE_MODE_CFG>();
    out.flying = mode.FLYING_MODE() != 0;
    out.winograd = mode.WINOGRAD() != 0 && sizes().winograd;
    out.proc = sdp_precision(sizes(), mode.PROC_PRECISION());
    out.in = sdp_in_precision(out.proc, sdp_precision(sizes(), mode.IN_PRECISION()));
    out.src_ram_type = regs.get<sdp_rdma::D_SRC_DMA_CFG>().SRC_RAM_TYPE();
    out.src_addr = address<sdp_rdma::D_SRC_BASE_ADDR_HIGH, sdp_rdma::D_SRC_BASE_ADDR_LOW>();
    out.line_stride = whole_atoms(regs.get<sdp_rdma::D_SRC_LINE_STRIDE>().raw);
    out.surf_stride = whole_atoms(regs.get<sdp_rdma::D_SRC_SURFACE_STRIDE>().raw);
    out.bs = source(sizes().sdp_bs, 0);
    out.bn =
        source(sizes().sdp_bn, sdp_rdma::D_NRDMA_CFG::kOffset - sdp_rdma::D_BRDMA_CFG::kOffset);
    out.ew =
        source(sizes().sdp_ew, sdp_rdma::D_ERDMA_CFG::kOffset - sdp_rdma::D_BRDMA_CFG::kOffset);
    // Operands of what computes in 16 bits have two bytes.
    for (SdpOperandSource* const op : {&out.bs, &out.bn, &out.ew})
        op->two_byte = op->two_byte || out.proc != Precision::int8;
    return out;
}

/// The channels have the same registers, `distance` bytes behind those of BRDMA.
SdpOperandSource SdpRdmaUnit::source(bool built, std::uint32_t distance) const {
    SdpOperandSource out;
    const auto cfg = regs.get<sdp_rdma::D_BRDMA_CFG>(distance);
    out.enable = cfg.BRDMA_DISABLE() == 0 && built;
    out.data_use = std::min<int>(static_cast<int>(cfg.BRDMA_DATA_USE()), kUseBoth);
    out.two_byte = cfg.BRDMA_DATA_SIZE() != 0;
    out.per_element = cfg.BRDMA_DATA_MODE() != 0;
    out.ram_type = cfg.BRDMA_RAM_TYPE();
    out.addr = address<sdp_rdma::D_BS_BASE_ADDR_HIGH, sdp_rdma::D_BS_BASE_ADDR_LOW>(distance);
    out.line_stride = whole_atoms(regs.get<sdp_rdma::D_BS_LINE_STRIDE>(distance).raw);
    out.surf_stride = whole_atoms(regs.get<sdp_rdma::D_BS_SURFACE_STRIDE>(distance).raw);
    return out;
}

bool SdpRdmaUnit::step() {
    if (!regs.running()) return false;
    const SdpRdmaLayer next = layer();
    if (!next.flying || next.bs.enable || next.bn.enable || next.ew.enable) return false;
    regs.op_done();
    return true;
}

bool SdpRdmaUnit::serves(const SdpLayer& sdp) {
    if (!regs.running()) return false;
    const SdpRdmaLayer next = layer();
    if (next.flying != sdp.flying) {
        machine_.violation("FLYING_MODE of SDP and SDP_RDMA differ");
        return false;
    }
    if (!sdp.flying && sdp.batches > 1) {
        machine_.violation("SDP: BATCH_NUMBER of a layer whose input is in memory");
        return false;
    }
    if ((sdp.bs.needs_memory() && !next.bs.enable) || (sdp.bn.needs_memory() && !next.bn.enable) ||
        (sdp.ew.needs_memory() && !next.ew.enable)) {
        machine_.violation("SDP takes an operand from memory, but its read channel is disabled");
        return false;
    }
    if ((!sdp.bs.needs_memory() && next.bs.enable) || (!sdp.bn.needs_memory() && next.bn.enable) ||
        (!sdp.ew.needs_memory() && next.ew.enable)) {
        // What it reads would stay in front of the operands of the next layer.
        machine_.violation("SDP_RDMA reads an operand that SDP does not take");
        return false;
    }
    if (next.proc != sdp.proc) {
        machine_.violation("PROC_PRECISION of SDP and SDP_RDMA differ");
        return false;
    }
    if (!same_cube(next, sdp)) {
        machine_.violation("cube sizes of SDP and SDP_RDMA differ");
        return false;
    }
    return true;
}

SdpRdmaData SdpRdmaUnit::fetch(const SdpLayer& sdp) const {
    const SdpRdmaLayer from = layer();
    const int atom = sizes().atom_bytes;
    const auto operands = [&](DmaClient client, bool needed, const SdpOperandSource& op) {
        if (!needed) return std::vector<SdpOperand>();
        return sdp_read_operands(atom, from, op, machine_.reader(client, op.ram_type));
    };
    SdpRdmaData out;
    if (!sdp.flying) {
        out.main = sdp_read_main(atom, from, machine_.reader(DmaClient::kSdp, from.src_ram_type));
    }
    out.bs = operands(DmaClient::kSdpB, sdp.bs.needs_memory(), from.bs);
    out.bn = operands(DmaClient::kSdpN, sdp.bn.needs_memory(), from.bn);
    out.ew = operands(DmaClient::kSdpE, sdp.ew.needs_memory(), from.ew);
    return out;
}

void SdpRdmaUnit::finish(const SdpRdmaData& read) {
    if (regs.get<sdp_rdma::D_PERF_ENABLE>().PERF_NAN_INF_COUNT_EN() != 0 &&
        layer().in == Precision::fp16) {
        const SdpInputCounts counts = sdp_count_input(read.main);
        regs.set_counter(sdp_rdma::D_STATUS_NAN_INPUT_NUM::kOffset, counts.nans);
        regs.set_counter(sdp_rdma::D_STATUS_INF_INPUT_NUM::kOffset, counts.infs);
    }
    regs.op_done();
}

}  // namespace macrame::dla::model
