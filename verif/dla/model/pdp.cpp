#include "pdp.hpp"

#include <algorithm>
#include <string>

#include "pdp_rdma.hpp"
#include "sdp.hpp"

namespace macrame::dla::model {

namespace r = dla_regs::pdp;

PdpLayer PdpUnit::layer() const {
    PdpLayer out;
    const auto mode = regs.get<r::D_OPERATION_MODE_CFG>();
    out.flying = mode.FLYING_MODE() == 0;
    out.method = static_cast<int>(mode.POOLING_METHOD());
    out.wide = sizes().wide();
    out.precision = sizes().precision(regs.get<r::D_DATA_FORMAT>().INPUT_DATA());
    out.nan_to_zero = regs.get<r::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO() != 0;
    out.width = plus1(regs.get<r::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH());
    out.height = plus1(regs.get<r::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT());
    out.channels = plus1(regs.get<r::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL());
    out.out_width = plus1(regs.get<r::D_DATA_CUBE_OUT_WIDTH>().CUBE_OUT_WIDTH());
    out.out_height = plus1(regs.get<r::D_DATA_CUBE_OUT_HEIGHT>().CUBE_OUT_HEIGHT());
    out.widest = out.out_width;
    if (!out.flying && mode.SPLIT_NUM() != 0) {
        const auto in = regs.get<r::D_PARTIAL_WIDTH_IN>();
        const auto to = regs.get<r::D_PARTIAL_WIDTH_OUT>();
        out.width = pdp_split_width(mode.SPLIT_NUM(), in.PARTIAL_WIDTH_IN_FIRST(),
                                    in.PARTIAL_WIDTH_IN_MID(), in.PARTIAL_WIDTH_IN_LAST());
        out.out_width = pdp_split_width(mode.SPLIT_NUM(), to.PARTIAL_WIDTH_OUT_FIRST(),
                                        to.PARTIAL_WIDTH_OUT_MID(), to.PARTIAL_WIDTH_OUT_LAST());
        out.widest =
            std::max(plus1(to.PARTIAL_WIDTH_OUT_FIRST()), plus1(to.PARTIAL_WIDTH_OUT_LAST()));
        if (mode.SPLIT_NUM() > 1) {
            out.widest = std::max(out.widest, plus1(to.PARTIAL_WIDTH_OUT_MID()));
        }
    }
    const auto kernel = regs.get<r::D_POOLING_KERNEL_CFG>();
    out.kernel_width = plus1(kernel.KERNEL_WIDTH() & 7);
    out.kernel_height = plus1(kernel.KERNEL_HEIGHT() & 7);
    out.stride_x = plus1(kernel.KERNEL_STRIDE_WIDTH());
    out.stride_y = plus1(kernel.KERNEL_STRIDE_HEIGHT());
    if (!out.flying && mode.SPLIT_NUM() != 0) {
        const auto in = regs.get<r::D_PARTIAL_WIDTH_IN>();
        PdpRdmaLayer read;
        read.strips = plus1(mode.SPLIT_NUM());
        read.kernel_width = out.kernel_width;
        read.stride_x = out.stride_x;
        read.in_first = plus1(in.PARTIAL_WIDTH_IN_FIRST());
        read.in_mid = plus1(in.PARTIAL_WIDTH_IN_MID());
        read.in_last = plus1(in.PARTIAL_WIDTH_IN_LAST());
        out.strips = pdp_strips(read);
    }
    const auto pad = regs.get<r::D_POOLING_PADDING_CFG>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_top = static_cast<int>(pad.PAD_TOP());
    for (std::uint32_t n = 1; n < 8; ++n) {
        const auto value = regs.get<r::D_POOLING_PADDING_VALUE_1_CFG>(4 * (n - 1));
        out.pad[n] = static_cast<std::int32_t>(wrap(value.raw, 19));
    }
    out.recip_width = regs.get<r::D_RECIP_KERNEL_WIDTH>().RECIP_KERNEL_WIDTH();
    out.recip_height = regs.get<r::D_RECIP_KERNEL_HEIGHT>().RECIP_KERNEL_HEIGHT();
    out.dst_ram_type = regs.get<r::D_DST_RAM_CFG>().DST_RAM_TYPE();
    out.dst_addr = address<r::D_DST_BASE_ADDR_HIGH, r::D_DST_BASE_ADDR_LOW>();
    out.line_stride = whole_atoms(regs.get<r::D_DST_LINE_STRIDE>().raw);
    out.surf_stride = whole_atoms(regs.get<r::D_DST_SURFACE_STRIDE>().raw);
    return out;
}

/// Beyond its line buffer the design computes something else.
bool PdpUnit::has_room(const PdpLayer& layer) {
    const int most = pdp_line_limit(layer.kernel_height, layer.stride_y);
    if (layer.widest <= most) return true;
    machine_.violation("PDP: output lines of " + std::to_string(layer.widest) +
                       " columns: want at most " + std::to_string(most) +
                       ", for which the line buffer has room with this window and stride");
    return false;
}

bool PdpUnit::takes(const SdpLayer& sdp) {
    if (!regs.running()) return false;
    const PdpLayer next = layer();
    if (!next.flying || !has_room(next)) return false;
    if (!same_cube(next, sdp)) {
        machine_.violation("cube sizes of SDP and PDP differ");
        return false;
    }
    if (next.precision == sdp.out && bytes_of(sdp.proc) == bytes_of(sdp.out)) return true;
    machine_.violation("INPUT_DATA of PDP is no type that SDP makes for it");
    return false;
}

bool PdpUnit::step() {
    if (!regs.running()) return false;
    PdpRdmaUnit& rdma = unit<PdpRdmaUnit>("PDP_RDMA");
    if (!rdma.regs.running()) return false;
    const PdpLayer next = layer();
    if (next.flying || !has_room(next)) return false;
    if (!same_cube(next, rdma.layer())) {
        machine_.violation("cube sizes of PDP and PDP_RDMA differ");
        return false;
    }
    if (next.precision != rdma.layer().precision) {
        machine_.violation("INPUT_DATA of PDP and PDP_RDMA differ");
        return false;
    }
    run(rdma.fetch());
    rdma.regs.op_done();
    return true;
}

void PdpUnit::run(const std::vector<std::int8_t>& input) {
    const PdpLayer now = layer();
    const PdpResult result = pdp_layer(sizes().atom_bytes, now, input);
    write_atoms(DmaClient::kPdp, now.dst_ram_type, result.addrs, result.data);
    regs.set_counter(r::D_INF_INPUT_NUM::kOffset, result.counts.inf_in);
    regs.set_counter(r::D_NAN_INPUT_NUM::kOffset, result.counts.nan_in);
    regs.set_counter(r::D_NAN_OUTPUT_NUM::kOffset, result.counts.nan_out);
    done(kPdpBit);
}

}  // namespace macrame::dla::model
