#include "pdp.hpp"

#include <algorithm>
#include <string>

#include "pdp_rdma.hpp"
#include "sdp.hpp"

namespace macrame::dla::model {

namespace pdp = dla_regs::pdp;

bool PdpUnit::flying() const { return regs.get<pdp::D_OPERATION_MODE_CFG>().FLYING_MODE() == 0; }

PdpLayer PdpUnit::layer() const {
    PdpLayer out;
    const auto mode = regs.get<pdp::D_OPERATION_MODE_CFG>();
    out.flying = flying();
    out.method = static_cast<int>(mode.POOLING_METHOD());
    out.types16 = sizes().types16();
    out.precision = sizes().precision(regs.get<pdp::D_DATA_FORMAT>().INPUT_DATA());
    out.nan_to_zero = regs.get<pdp::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO() != 0;
    out.width = plus1(regs.get<pdp::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH());
    out.height = plus1(regs.get<pdp::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT());
    out.channels = plus1(regs.get<pdp::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL());
    out.out_width = plus1(regs.get<pdp::D_DATA_CUBE_OUT_WIDTH>().CUBE_OUT_WIDTH());
    out.out_height = plus1(regs.get<pdp::D_DATA_CUBE_OUT_HEIGHT>().CUBE_OUT_HEIGHT());
    const auto kernel = regs.get<pdp::D_POOLING_KERNEL_CFG>();
    out.kernel_width = plus1(kernel.KERNEL_WIDTH());
    out.kernel_height = plus1(kernel.KERNEL_HEIGHT());
    out.stride_x = plus1(kernel.KERNEL_STRIDE_WIDTH());
    out.stride_y = plus1(kernel.KERNEL_STRIDE_HEIGHT());
    if (!out.flying && mode.SPLIT_NUM() != 0) read_strips(out);
    const auto pad = regs.get<pdp::D_POOLING_PADDING_CFG>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_top = static_cast<int>(pad.PAD_TOP());
    for (std::uint32_t n = 1; n < 8; ++n) {
        const auto value = regs.get<pdp::D_POOLING_PADDING_VALUE_1_CFG>(4 * (n - 1));
        out.pad[n] = static_cast<std::int32_t>(wrap(value.raw, 19));
    }
    out.recip_width = regs.get<pdp::D_RECIP_KERNEL_WIDTH>().RECIP_KERNEL_WIDTH();
    out.recip_height = regs.get<pdp::D_RECIP_KERNEL_HEIGHT>().RECIP_KERNEL_HEIGHT();
    out.dst_ram_type = regs.get<pdp::D_DST_RAM_CFG>().DST_RAM_TYPE();
    out.dst_addr = address<pdp::D_DST_BASE_ADDR_HIGH, pdp::D_DST_BASE_ADDR_LOW>();
    out.line_stride = whole_atoms(regs.get<pdp::D_DST_LINE_STRIDE>().raw);
    out.surf_stride = whole_atoms(regs.get<pdp::D_DST_SURFACE_STRIDE>().raw);
    return out;
}

/// The strips of a layer and the width that they make.
void PdpUnit::read_strips(PdpLayer& out) const {
    const auto in = regs.get<pdp::D_PARTIAL_WIDTH_IN>();
    const auto to = regs.get<pdp::D_PARTIAL_WIDTH_OUT>();
    PdpRdmaLayer read;
    read.strips = plus1(regs.get<pdp::D_OPERATION_MODE_CFG>().SPLIT_NUM());
    read.kernel_width = out.kernel_width;
    read.stride_x = out.stride_x;
    read.in_first = plus1(in.PARTIAL_WIDTH_IN_FIRST());
    read.in_mid = plus1(in.PARTIAL_WIDTH_IN_MID());
    read.in_last = plus1(in.PARTIAL_WIDTH_IN_LAST());
    out.strips = pdp_strips(read);
    out.width = out.strips.back().begin + out.strips.back().count;
    out.out_width = 0;
    for (int i = 0; i < read.strips; ++i) {
        const int columns = plus1(i == 0                ? to.PARTIAL_WIDTH_OUT_FIRST()
                                  : i + 1 < read.strips ? to.PARTIAL_WIDTH_OUT_MID()
                                                        : to.PARTIAL_WIDTH_OUT_LAST());
        out.out_strips.push_back({out.out_width, columns});
        out.out_width += columns;
    }
}

std::string pdp_objection(const PdpLayer& layer) {
    const auto say = [](int n) { return std::to_string(n); };
    if (layer.kernel_width > 8 || layer.kernel_height > 8) return "a window of more than 8 x 8";
    int begin = 0;
    for (const PdpColumns& strip : layer.strips) {
        if (strip.count < 1 || strip.begin < begin)
            return "a strip that begins at column " + say(strip.begin) + " and has " +
                   say(strip.count) + " columns";
        begin = strip.begin;
    }
    const int most = pdp_line_limit(layer.kernel_height, layer.stride_y);
    for (const PdpColumns& strip : pdp_out_strips(layer)) {
        if (strip.count > most)
            return "output lines of " + say(strip.count) + " columns: want at most " + say(most) +
                   ", for which the line buffer has room with this window and stride";
        for (const int column : {strip.begin, strip.begin + strip.count - 1}) {
            if (PdpWindow(layer, 0, column).x0 >= PdpWindow(layer, 0, column).x1)
                return "all columns of the windows of output column " + say(column) +
                       " are missing";
        }
    }
    for (const int line : {0, layer.out_height - 1}) {
        if (PdpWindow(layer, line, 0).y0 >= PdpWindow(layer, line, 0).y1)
            return "all lines of the windows of output line " + say(line) + " are missing";
    }
    return {};
}

bool PdpUnit::can(const PdpLayer& layer) {
    const std::string objection = pdp_objection(layer);
    if (!objection.empty()) machine_.violation("PDP: " + objection);
    return objection.empty();
}

bool PdpUnit::takes(const SdpLayer& sdp) {
    if (!regs.running()) return false;
    const PdpLayer next = layer();
    if (!next.flying || !can(next)) return false;
    if (!same_cube(next, sdp)) {
        machine_.violation("cube sizes of SDP and PDP differ");
        return false;
    }
    if (next.precision == sdp.out && bytes_of(sdp.proc) == bytes_of(sdp.out)) return true;
    machine_.violation("INPUT_DATA of PDP is no type that SDP makes for it");
    return false;
}

/// Do PDP and PDP_RDMA mean the same input?
bool PdpUnit::agrees(const PdpLayer& layer, const PdpRdmaLayer& rdma) {
    const std::vector<PdpColumns> strips =
        layer.strips.empty() ? std::vector<PdpColumns>{{0, layer.width}} : layer.strips;
    std::string wrong;
    if (strips != pdp_strips(rdma)) wrong = "strips";
    if (!same_cube(layer, rdma)) wrong = "cube sizes";
    if (layer.precision != rdma.precision) wrong = "INPUT_DATA";
    if (!wrong.empty()) machine_.violation(wrong + " of PDP and PDP_RDMA differ");
    return wrong.empty();
}

bool PdpUnit::step() {
    if (!regs.running()) return false;
    PdpRdmaUnit& rdma = unit<PdpRdmaUnit>("PDP_RDMA");
    if (!rdma.regs.running()) return false;
    const PdpLayer next = layer();
    if (next.flying || !can(next)) return false;
    if (!agrees(next, rdma.layer()) || machine_.refuses({"PDP_RDMA", "PDP"})) return false;
    run(rdma.fetch());
    rdma.regs.op_done();
    return true;
}

void PdpUnit::run(const std::vector<std::int8_t>& input) {
    const PdpLayer now = layer();
    const PdpResult result = pdp_layer(sizes().atom_bytes, now, input);
    write_atoms(DmaClient::kPdp, now.dst_ram_type, result.addrs, result.data);
    regs.set_counter(pdp::D_INF_INPUT_NUM::kOffset, result.counts.inf_in);
    regs.set_counter(pdp::D_NAN_INPUT_NUM::kOffset, result.counts.nan_in);
    regs.set_counter(pdp::D_NAN_OUTPUT_NUM::kOffset, result.counts.nan_out);
    done(kPdpBit);
}

}  // namespace macrame::dla::model
