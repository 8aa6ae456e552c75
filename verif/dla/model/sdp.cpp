#include "sdp.hpp"

#include <string>

#include "lut_registers.hpp"
#include "pdp.hpp"
#include "sdp_rdma.hpp"

namespace macrame::dla::model {

namespace sdp = dla_regs::sdp;

// ---- registers

SdpLayer SdpUnit::layer() const {
    SdpLayer out;
    out.width = plus1(regs.get<sdp::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(regs.get<sdp::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(regs.get<sdp::D_DATA_CUBE_CHANNEL>().CHANNEL());
    const auto mode = regs.get<sdp::D_FEATURE_MODE_CFG>();
    out.flying = mode.FLYING_MODE() != 0;
    out.winograd = mode.WINOGRAD() != 0 && sizes().winograd;
    out.batches = sizes().batch ? plus1(mode.BATCH_NUMBER()) : 1;
    out.batch_stride = whole_atoms(regs.get<sdp::D_DST_BATCH_STRIDE>().raw);
    const auto format = regs.get<sdp::D_DATA_FORMAT>();
    out.proc = sdp_precision(sizes(), format.PROC_PRECISION());
    out.out = sdp_out_precision(out.proc, sdp_precision(sizes(), format.OUT_PRECISION()));
    out.nan_to_zero = mode.NAN_TO_ZERO() != 0;
    out.to_pdp = mode.OUTPUT_DST() != 0;
    out.dst_ram_type = regs.get<sdp::D_DST_DMA_CFG>().DST_RAM_TYPE();
    out.dst_addr = address<sdp::D_DST_BASE_ADDR_HIGH, sdp::D_DST_BASE_ADDR_LOW>();
    out.line_stride = whole_atoms(regs.get<sdp::D_DST_LINE_STRIDE>().raw);
    out.surf_stride = whole_atoms(regs.get<sdp::D_DST_SURFACE_STRIDE>().raw);
    out.bs = x_stage(sizes().sdp_bs, 0);
    out.bn = x_stage(sizes().sdp_bn, sdp::D_DP_BN_CFG::kOffset - sdp::D_DP_BS_CFG::kOffset);
    out.ew = ew_stage();
    out.cvt.offset = static_cast<std::int32_t>(regs.get<sdp::D_CVT_OFFSET>().raw);
    out.cvt.scale = signed16(regs.get<sdp::D_CVT_SCALE>().CVT_SCALE());
    out.cvt.shift = static_cast<int>(regs.get<sdp::D_CVT_SHIFT>().CVT_SHIFT());
    return out;
}

/// X1 and X2 have the same registers, `distance` bytes behind those of BS.
SdpX SdpUnit::x_stage(bool built, std::uint32_t distance) const {
    SdpX out;
    const auto cfg = regs.get<sdp::D_DP_BS_CFG>(distance);
    out.bypass = cfg.BS_BYPASS() != 0 || !built;
    out.alu_bypass = cfg.BS_ALU_BYPASS() != 0;
    out.alu_algo = static_cast<int>(cfg.BS_ALU_ALGO());
    out.mul_bypass = cfg.BS_MUL_BYPASS() != 0;
    out.mul_prelu = cfg.BS_MUL_PRELU() != 0;
    out.relu_bypass = cfg.BS_RELU_BYPASS() != 0;
    const auto alu = regs.get<sdp::D_DP_BS_ALU_CFG>(distance);
    out.alu_from_memory = alu.BS_ALU_SRC() != 0;
    out.alu_shift = static_cast<int>(alu.BS_ALU_SHIFT_VALUE());
    out.alu_operand = signed16(regs.get<sdp::D_DP_BS_ALU_SRC_VALUE>(distance).BS_ALU_OPERAND());
    const auto mul = regs.get<sdp::D_DP_BS_MUL_CFG>(distance);
    out.mul_from_memory = mul.BS_MUL_SRC() != 0;
    out.mul_shift = static_cast<int>(mul.BS_MUL_SHIFT_VALUE());
    out.mul_operand = signed16(regs.get<sdp::D_DP_BS_MUL_SRC_VALUE>(distance).BS_MUL_OPERAND());
    return out;
}

SdpEw SdpUnit::ew_stage() const {
    SdpEw out;
    const auto cfg = regs.get<sdp::D_DP_EW_CFG>();
    const auto alu = regs.get<sdp::D_DP_EW_ALU_CFG>();
    const auto mul = regs.get<sdp::D_DP_EW_MUL_CFG>();
    out.bypass = cfg.EW_BYPASS() != 0 || !sizes().sdp_ew;
    out.alu_bypass = cfg.EW_ALU_BYPASS() != 0;
    out.alu_algo = static_cast<int>(cfg.EW_ALU_ALGO());
    out.mul_bypass = cfg.EW_MUL_BYPASS() != 0;
    out.mul_prelu = cfg.EW_MUL_PRELU() != 0;
    out.lut_bypass = cfg.EW_LUT_BYPASS() != 0 || !sizes().sdp_lut;
    out.alu_from_memory = alu.EW_ALU_SRC() != 0;
    out.alu_operand = static_cast<std::int32_t>(regs.get<sdp::D_DP_EW_ALU_SRC_VALUE>().raw);
    out.alu_cvt.bypass = alu.EW_ALU_CVT_BYPASS() != 0;
    out.alu_cvt.offset =
        static_cast<std::int32_t>(regs.get<sdp::D_DP_EW_ALU_CVT_OFFSET_VALUE>().raw);
    out.alu_cvt.scale = signed16(regs.get<sdp::D_DP_EW_ALU_CVT_SCALE_VALUE>().EW_ALU_CVT_SCALE());
    out.alu_cvt.shift =
        static_cast<int>(regs.get<sdp::D_DP_EW_ALU_CVT_TRUNCATE_VALUE>().EW_ALU_CVT_TRUNCATE());
    out.mul_from_memory = mul.EW_MUL_SRC() != 0;
    out.mul_operand = static_cast<std::int32_t>(regs.get<sdp::D_DP_EW_MUL_SRC_VALUE>().raw);
    out.mul_cvt.bypass = mul.EW_MUL_CVT_BYPASS() != 0;
    out.mul_cvt.offset =
        static_cast<std::int32_t>(regs.get<sdp::D_DP_EW_MUL_CVT_OFFSET_VALUE>().raw);
    out.mul_cvt.scale = signed16(regs.get<sdp::D_DP_EW_MUL_CVT_SCALE_VALUE>().EW_MUL_CVT_SCALE());
    out.mul_cvt.shift =
        static_cast<int>(regs.get<sdp::D_DP_EW_MUL_CVT_TRUNCATE_VALUE>().EW_MUL_CVT_TRUNCATE());
    out.truncate = static_cast<int>(regs.get<sdp::D_DP_EW_TRUNCATE_VALUE>().EW_TRUNCATE());
    return out;
}

/// The tables and the S_LUT_ registers.
Lut SdpUnit::lut() const {
    const auto word = [](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
    Lut out = tables_;
    read_lut_registers<sdp::S_LUT_CFG, sdp::S_LUT_INFO, sdp::S_LUT_LE_SLOPE_SCALE,
                       sdp::S_LUT_LE_SLOPE_SHIFT, sdp::S_LUT_LO_SLOPE_SCALE,
                       sdp::S_LUT_LO_SLOPE_SHIFT>(regs, 8, out);
    out.le.start = word(regs.get<sdp::S_LUT_LE_START>().raw);
    out.le.end = word(regs.get<sdp::S_LUT_LE_END>().raw);
    out.lo.start = word(regs.get<sdp::S_LUT_LO_START>().raw);
    out.lo.end = word(regs.get<sdp::S_LUT_LO_END>().raw);
    return out;
}

/// The data window to the tables is no register; without tables it stores nothing and reads 0.
void SdpUnit::write(std::uint32_t offset, std::uint32_t data) {
    if (offset == sdp::S_LUT_ACCESS_DATA::kOffset) {
        if (sizes().sdp_lut) access_.write_data(tables_, data);
        return;
    }
    if (offset == sdp::S_LUT_ACCESS_CFG::kOffset) access_.write_cfg(data);
    regs.write(offset, data);
}

std::uint32_t SdpUnit::read(std::uint32_t offset) {
    const bool window = offset == sdp::S_LUT_ACCESS_DATA::kOffset && sizes().sdp_lut;
    return window ? access_.read_data(tables_) : regs.read(offset);
}

// ---- layers

/// The layer in front is enabled and of that kind, and all units that it works with are ready.
bool SdpUnit::ready(const SdpLayer& layer, bool flying) {
    if (layer.flying != flying) return false;
    PdpUnit* const pdp = layer.to_pdp ? machine_.find<PdpUnit>("PDP") : nullptr;
    if (pdp != nullptr && !pdp->takes(layer)) return false;
    if (layer.needs_rdma() && !unit<SdpRdmaUnit>("SDP_RDMA").serves(layer)) return false;
    std::vector<std::string_view> names = {"SDP"};
    if (flying) names.insert(names.end(), {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC"});
    if (layer.needs_rdma()) names.emplace_back("SDP_RDMA");
    if (pdp != nullptr) names.emplace_back("PDP");
    return !machine_.refuses(names);
}

bool SdpUnit::takes(std::int64_t atoms) {
    if (!regs.running()) return false;
    const SdpLayer next = layer();
    if (!ready(next, true)) return false;
    const std::int64_t wanted = static_cast<std::int64_t>(sdp_elements(sizes().atom_bytes, next)) /
                                next.elements(sizes().atom_bytes);
    if (wanted == atoms) return true;
    machine_.violation("SDP wants " + std::to_string(wanted) + " atoms, the convolution makes " +
                       std::to_string(atoms));
    return false;
}

bool SdpUnit::step() {
    if (!regs.running() || !ready(layer(), false)) return false;
    run({});
    return true;
}

void SdpUnit::run(const std::vector<std::int32_t>& flying, const NegativeTies& ties) {
    const SdpLayer now = layer();
    SdpRdmaUnit& rdma = unit<SdpRdmaUnit>("SDP_RDMA");
    const SdpRdmaData read = rdma.fetch(now);
    const SdpResult result = sdp_layer(sizes().atom_bytes, now, now.flying ? flying : read.main,
                                       read.bs, read.bn, read.ew, lut());
    write_atoms(DmaClient::kSdp, now.dst_ram_type, result.addrs, result.data);
    if (machine_.ties && !ties.words.empty()) {
        std::vector<std::int32_t> up = flying;
        for (const std::size_t at : ties.words)
            ++up[at];
        const SdpResult other =
            sdp_layer(sizes().atom_bytes, now, up, read.bs, read.bn, read.ew, lut());
        machine_.ties(ties.truncate, !result.addrs.empty() && other.data != result.data);
    }
    count(result);
    done(kSdpBit);
    if (now.needs_rdma()) rdma.finish(read);
    if (!now.to_pdp) return;
    if (PdpUnit* const pdp = machine_.find<PdpUnit>("PDP")) pdp->run(result.data);
}

void SdpUnit::count(const SdpResult& result) {
    regs.set_counter(sdp::D_STATUS::kOffset, result.any_bit ? 1 : 0);
    const auto enable = regs.get<sdp::D_PERF_ENABLE>();
    if (enable.PERF_SAT_EN() != 0) {
        regs.set_counter(sdp::D_PERF_OUT_SATURATION::kOffset, result.saturated);
    }
    if (enable.PERF_NAN_INF_COUNT_EN() != 0) {
        regs.set_counter(sdp::D_STATUS_NAN_OUTPUT_NUM::kOffset, result.nans);
    }
    if (enable.PERF_LUT_EN() == 0) return;
    set_lut_counters<sdp::D_PERF_LUT_UFLOW, sdp::D_PERF_LUT_OFLOW, sdp::D_PERF_LUT_HYBRID,
                     sdp::D_PERF_LUT_LE_HIT, sdp::D_PERF_LUT_LO_HIT>(regs, result.lut_counts);
}

}  // namespace macrame::dla::model
