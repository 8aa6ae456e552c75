#include "cdp.hpp"

#include "lut_registers.hpp"

namespace macrame::dla::model {

namespace cdp = dla_regs::cdp;

// ---- registers

CdpLayer CdpUnit::layer() const {
    CdpLayer out{unit<CdpRdmaUnit>("CDP_RDMA").layer()};
    out.dst_ram_type = regs.get<cdp::D_DST_DMA_CFG>().DST_RAM_TYPE();
    out.dst_addr = address<cdp::D_DST_BASE_ADDR_HIGH, cdp::D_DST_BASE_ADDR_LOW>();
    out.dst_line = whole_atoms(regs.get<cdp::D_DST_LINE_STRIDE>().raw);
    out.dst_surf = whole_atoms(regs.get<cdp::D_DST_SURFACE_STRIDE>().raw);
    out.half = plus1(regs.get<cdp::D_LRN_CFG>().NORMALZ_LEN());
    out.sqsum_bypass = regs.get<cdp::D_FUNC_BYPASS>().SQSUM_BYPASS() != 0;
    out.mul_bypass = regs.get<cdp::D_FUNC_BYPASS>().MUL_BYPASS() != 0;
    out.nan_to_zero = regs.get<cdp::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO() != 0;
    const bool narrow = out.precision == Precision::int8;
    const std::uint32_t in_offset = regs.get<cdp::D_DATIN_OFFSET>().DATIN_OFFSET();
    out.in_offset = narrow ? signed8(in_offset) : signed16(in_offset);
    out.in_scale = signed16(regs.get<cdp::D_DATIN_SCALE>().DATIN_SCALE());
    out.in_shift = static_cast<int>(regs.get<cdp::D_DATIN_SHIFTER>().DATIN_SHIFTER());
    out.out_offset = static_cast<std::int32_t>(
        wrap(regs.get<cdp::D_DATOUT_OFFSET>().DATOUT_OFFSET(), narrow ? 25 : 32));
    out.out_scale = signed16(regs.get<cdp::D_DATOUT_SCALE>().DATOUT_SCALE());
    out.out_shift = static_cast<int>(regs.get<cdp::D_DATOUT_SHIFTER>().DATOUT_SHIFTER());
    return out;
}

template <class High, class Low>
std::int64_t CdpUnit::bound() const {
    const std::uint64_t both = std::uint64_t{regs.get<High>().raw} << 32 | regs.get<Low>().raw;
    return wrap(static_cast<std::int64_t>(both), 38);
}

/// The tables and the S_LUT_ registers.
Lut CdpUnit::lut(Precision precision) const {
    Lut out = tables_;
    const int select_bits = 6 + static_cast<int>(precision);
    read_lut_registers<cdp::S_LUT_CFG, cdp::S_LUT_INFO, cdp::S_LUT_LE_SLOPE_SCALE,
                       cdp::S_LUT_LE_SLOPE_SHIFT, cdp::S_LUT_LO_SLOPE_SCALE,
                       cdp::S_LUT_LO_SLOPE_SHIFT>(regs, select_bits, out);
    out.le.start = bound<cdp::S_LUT_LE_START_HIGH, cdp::S_LUT_LE_START_LOW>();
    out.le.end = bound<cdp::S_LUT_LE_END_HIGH, cdp::S_LUT_LE_END_LOW>();
    out.lo.start = bound<cdp::S_LUT_LO_START_HIGH, cdp::S_LUT_LO_START_LOW>();
    out.lo.end = bound<cdp::S_LUT_LO_END_HIGH, cdp::S_LUT_LO_END_LOW>();
    return out;
}

void CdpUnit::write(std::uint32_t offset, std::uint32_t data) {
    if (offset == cdp::S_LUT_ACCESS_CFG::kOffset) access_.write_cfg(data);
    if (offset == cdp::S_LUT_ACCESS_DATA::kOffset) access_.write_data(tables_, data);
    regs.write(offset, data);
}

std::uint32_t CdpUnit::read(std::uint32_t offset) {
    if (offset == cdp::S_LUT_ACCESS_DATA::kOffset) return access_.read_data(tables_);
    if (offset != cdp::S_LUT_ACCESS_CFG::kOffset) return regs.read(offset);
    auto cfg = regs.get<cdp::S_LUT_ACCESS_CFG>();
    return cfg.LUT_ADDR(static_cast<std::uint32_t>(access_.pointer())).raw;
}

// ---- layers

bool CdpUnit::step() {
    if (!regs.running()) return false;
    CdpRdmaUnit& rdma = unit<CdpRdmaUnit>("CDP_RDMA");
    if (!rdma.regs.running()) return false;
    const CdpLayer now = layer();
    const std::uint32_t type = regs.get<cdp::D_DATA_FORMAT>().INPUT_DATA_TYPE();
    if (sizes().precision(type) != now.precision) {
        machine_.violation("INPUT_DATA_TYPE of CDP is not INPUT_DATA of CDP_RDMA");
        return false;
    }
    if (machine_.refuses({"CDP_RDMA", "CDP"})) return false;
    const CdpCounts counts = cdp_layer(sizes().atom_bytes, now, lut(now.precision),
                                       machine_.reader(DmaClient::kCdp, now.src_ram_type),
                                       machine_.writer(DmaClient::kCdp, now.dst_ram_type));
    set_lut_counters<cdp::D_PERF_LUT_UFLOW, cdp::D_PERF_LUT_OFLOW, cdp::D_PERF_LUT_HYBRID,
                     cdp::D_PERF_LUT_LE_HIT, cdp::D_PERF_LUT_LO_HIT>(regs, counts.lut);
    regs.set_counter(cdp::D_NAN_INPUT_NUM::kOffset, counts.nan_in);
    regs.set_counter(cdp::D_INF_INPUT_NUM::kOffset, counts.inf_in);
    regs.set_counter(cdp::D_NAN_OUTPUT_NUM::kOffset, counts.nan_out);
    regs.set_counter(cdp::D_OUT_SATURATION::kOffset, sizes().types16() ? counts.saturated : 0);
    done(kCdpBit);
    rdma.regs.op_done();
    return true;
}

}  // namespace macrame::dla::model
