#include "cdp.hpp"

namespace macrame::model::dla {

namespace r = dla_regs::cdp;

// ---- registers

CdpLayer CdpUnit::layer() const {
    CdpLayer out{unit<CdpRdmaUnit>("CDP_RDMA").layer()};
    out.dst_ram_type = regs.get<r::D_DST_DMA_CFG>().DST_RAM_TYPE();
    out.dst_addr = address<r::D_DST_BASE_ADDR_HIGH, r::D_DST_BASE_ADDR_LOW>();
    out.dst_line = regs.get<r::D_DST_LINE_STRIDE>().raw;
    out.dst_surf = regs.get<r::D_DST_SURFACE_STRIDE>().raw;
    out.half = plus1(regs.get<r::D_LRN_CFG>().NORMALZ_LEN());
    out.sqsum_bypass = regs.get<r::D_FUNC_BYPASS>().SQSUM_BYPASS() != 0;
    out.mul_bypass = regs.get<r::D_FUNC_BYPASS>().MUL_BYPASS() != 0;
    out.in_offset = static_cast<std::int8_t>(regs.get<r::D_DATIN_OFFSET>().DATIN_OFFSET() & 0xFFu);
    out.in_scale = signed16(regs.get<r::D_DATIN_SCALE>().DATIN_SCALE());
    out.in_shift = static_cast<int>(regs.get<r::D_DATIN_SHIFTER>().DATIN_SHIFTER());
    out.out_offset =
        static_cast<std::int32_t>(wrap(regs.get<r::D_DATOUT_OFFSET>().DATOUT_OFFSET(), 25));
    out.out_scale = signed16(regs.get<r::D_DATOUT_SCALE>().DATOUT_SCALE());
    out.out_shift = static_cast<int>(regs.get<r::D_DATOUT_SHIFTER>().DATOUT_SHIFTER());
    return out;
}

/// The tables and the S_LUT_ registers.
Lut CdpUnit::lut() const {
    const auto bound = [](std::uint32_t high, std::uint32_t low) {
        return wrap(static_cast<std::int64_t>(std::uint64_t{high} << 32 | low), 38);
    };
    const auto shift = [](std::uint32_t v) { return static_cast<int>(wrap(v, 5)); };
    Lut out = tables_;
    const auto cfg = regs.get<r::S_LUT_CFG>();
    out.le_linear = cfg.LUT_LE_FUNCTION() != 0;
    out.uflow_lo = cfg.LUT_UFLOW_PRIORITY() != 0;
    out.oflow_lo = cfg.LUT_OFLOW_PRIORITY() != 0;
    out.hybrid_lo = cfg.LUT_HYBRID_PRIORITY() != 0;
    const auto info = regs.get<r::S_LUT_INFO>();
    out.le_offset = static_cast<int>(wrap(info.LUT_LE_INDEX_OFFSET(), 8));
    out.le.select = static_cast<int>(wrap(info.LUT_LE_INDEX_SELECT(), 6));
    out.lo.select = static_cast<int>(wrap(info.LUT_LO_INDEX_SELECT(), 6));
    out.le.start =
        bound(regs.get<r::S_LUT_LE_START_HIGH>().raw, regs.get<r::S_LUT_LE_START_LOW>().raw);
    out.le.end = bound(regs.get<r::S_LUT_LE_END_HIGH>().raw, regs.get<r::S_LUT_LE_END_LOW>().raw);
    out.lo.start =
        bound(regs.get<r::S_LUT_LO_START_HIGH>().raw, regs.get<r::S_LUT_LO_START_LOW>().raw);
    out.lo.end = bound(regs.get<r::S_LUT_LO_END_HIGH>().raw, regs.get<r::S_LUT_LO_END_LOW>().raw);
    const auto le_scale = regs.get<r::S_LUT_LE_SLOPE_SCALE>();
    const auto lo_scale = regs.get<r::S_LUT_LO_SLOPE_SCALE>();
    out.le.uflow_scale = signed16(le_scale.LUT_LE_SLOPE_UFLOW_SCALE());
    out.le.oflow_scale = signed16(le_scale.LUT_LE_SLOPE_OFLOW_SCALE());
    out.lo.uflow_scale = signed16(lo_scale.LUT_LO_SLOPE_UFLOW_SCALE());
    out.lo.oflow_scale = signed16(lo_scale.LUT_LO_SLOPE_OFLOW_SCALE());
    const auto le_shift = regs.get<r::S_LUT_LE_SLOPE_SHIFT>();
    const auto lo_shift = regs.get<r::S_LUT_LO_SLOPE_SHIFT>();
    out.le.uflow_shift = shift(le_shift.LUT_LE_SLOPE_UFLOW_SHIFT());
    out.le.oflow_shift = shift(le_shift.LUT_LE_SLOPE_OFLOW_SHIFT());
    out.lo.uflow_shift = shift(lo_shift.LUT_LO_SLOPE_UFLOW_SHIFT());
    out.lo.oflow_shift = shift(lo_shift.LUT_LO_SLOPE_OFLOW_SHIFT());
    return out;
}

void CdpUnit::write(std::uint32_t offset, std::uint32_t data) {
    if (offset == r::S_LUT_ACCESS_CFG::kOffset) access_.write_cfg(data);
    if (offset == r::S_LUT_ACCESS_DATA::kOffset) access_.write_data(tables_, data);
    regs.write(offset, data);
}

std::uint32_t CdpUnit::read(std::uint32_t offset) {
    if (offset == r::S_LUT_ACCESS_DATA::kOffset) return access_.read_data(tables_);
    if (offset != r::S_LUT_ACCESS_CFG::kOffset) return regs.read(offset);
    auto cfg = regs.get<r::S_LUT_ACCESS_CFG>();
    return cfg.LUT_ADDR(static_cast<std::uint32_t>(access_.pointer())).raw;
}

// ---- layers

bool CdpUnit::step() {
    CdpRdmaUnit& rdma = unit<CdpRdmaUnit>("CDP_RDMA");
    if (!regs.running() || !rdma.regs.running()) return false;
    const CdpLayer now = layer();
    const CdpCounts counts =
        cdp_layer(sizes().atom_bytes, now, lut(), machine_.reader(now.src_ram_type),
                  machine_.writer(now.dst_ram_type));
    constexpr std::uint32_t kCounters[] = {
        r::D_PERF_LUT_UFLOW::kOffset, r::D_PERF_LUT_OFLOW::kOffset, r::D_PERF_LUT_HYBRID::kOffset,
        r::D_PERF_LUT_LE_HIT::kOffset, r::D_PERF_LUT_LO_HIT::kOffset};
    for (std::size_t i = 0; i < counts.size(); ++i)
        regs.set_counter(kCounters[i], counts[i]);
    done(kCdpBit);
    rdma.regs.op_done();
    return true;
}

}  // namespace macrame::model::dla
