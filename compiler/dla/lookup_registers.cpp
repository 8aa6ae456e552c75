/// Tables of SDP and CDP, and CDP as nothing but a table.

#include <variant>

#include "compiler/dla/register_writes.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::compiler {

namespace {

namespace regs = dla_regs;

constexpr int kLeEntries = 65, kLoEntries = 257;

/// Both tables. LO has an entry for each value: its results are exact. It is taken wherever LE,
/// which begins at the same place and ends before, might be, and goes on as its ends are.
template <class AccessCfg, class AccessData, class Cfg, class Info>
void tables(Writes& w, const Lookup& lookup) {
    w.put(AccessCfg(0).LUT_TABLE_ID(0).LUT_ACCESS_TYPE(1));
    for (int i = 0; i < kLeEntries; ++i)
        w.put(AccessData(0));
    w.put(AccessCfg(0).LUT_TABLE_ID(1).LUT_ACCESS_TYPE(1));
    for (std::size_t i = 0; i < kLoEntries; ++i)
        w.put(AccessData(half(lookup.values[i < 256 ? i : 255])));
    w.put(Cfg(0).LUT_LE_FUNCTION(1).LUT_UFLOW_PRIORITY(1).LUT_OFLOW_PRIORITY(1).LUT_HYBRID_PRIORITY(
        1));
    w.put(Info(0));
}

UnitProgram sdp_table(const Lookup& lookup) {
    namespace r = regs::sdp;
    Writes w(Unit::sdp);
    tables<r::S_LUT_ACCESS_CFG, r::S_LUT_ACCESS_DATA, r::S_LUT_CFG, r::S_LUT_INFO>(w, lookup);
    w.put(r::S_LUT_LE_START(bits(lookup.start)));
    w.put(r::S_LUT_LE_END(bits(lookup.start + kLeEntries - 1)));
    w.put(r::S_LUT_LO_START(bits(lookup.start)));
    w.put(r::S_LUT_LO_END(bits(lookup.start + kLoEntries - 1)));
    w.put(r::S_LUT_LE_SLOPE_SCALE(0));
    w.put(r::S_LUT_LE_SLOPE_SHIFT(0));
    w.put(r::S_LUT_LO_SLOPE_SCALE(0));
    w.put(r::S_LUT_LO_SLOPE_SHIFT(0));
    return w.take();
}

/// A value of 38 bits in two registers.
template <class High, class Low>
void put_wide(Writes& w, int value) {
    w.put(High(value < 0 ? 0x3Fu : 0u));
    w.put(Low(bits(value)));
}

UnitProgram cdp_table(const Lookup& lookup) {
    namespace r = regs::cdp;
    Writes w(Unit::cdp);
    tables<r::S_LUT_ACCESS_CFG, r::S_LUT_ACCESS_DATA, r::S_LUT_CFG, r::S_LUT_INFO>(w, lookup);
    put_wide<r::S_LUT_LE_START_HIGH, r::S_LUT_LE_START_LOW>(w, lookup.start);
    put_wide<r::S_LUT_LE_END_HIGH, r::S_LUT_LE_END_LOW>(w, lookup.start + kLeEntries - 1);
    put_wide<r::S_LUT_LO_START_HIGH, r::S_LUT_LO_START_LOW>(w, lookup.start);
    put_wide<r::S_LUT_LO_END_HIGH, r::S_LUT_LO_END_LOW>(w, lookup.start + kLoEntries - 1);
    w.put(r::S_LUT_LE_SLOPE_SCALE(0));
    w.put(r::S_LUT_LE_SLOPE_SHIFT(0));
    w.put(r::S_LUT_LO_SLOPE_SCALE(0));
    w.put(r::S_LUT_LO_SLOPE_SHIFT(0));
    return w.take();
}

const YRegisters* ew_of(const Layer& layer) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) return &conv->post.ew;
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) return &sdp->post.ew;
    return nullptr;
}

}  // namespace

std::vector<UnitProgram> cdp_programs(const CdpLayer& layer) {
    namespace r = regs::cdp;
    Writes w(Unit::cdp);
    w.put_address<r::D_DST_BASE_ADDR_HIGH, r::D_DST_BASE_ADDR_LOW>(layer.output.place);
    w.put(r::D_DST_LINE_STRIDE(layer.output.line_stride));
    w.put(r::D_DST_SURFACE_STRIDE(layer.output.surface_stride));
    w.put(r::D_DST_DMA_CFG(kPrimary));
    w.put(r::D_DATA_FORMAT(0));
    w.put(r::D_LRN_CFG(0));
    w.put(r::D_DATIN_OFFSET(0));
    w.put(r::D_DATIN_SCALE(1));
    w.put(r::D_DATIN_SHIFTER(0));
    w.put(r::D_DATOUT_OFFSET(0));
    w.put(r::D_DATOUT_SCALE(1));
    w.put(r::D_DATOUT_SHIFTER(0));
    w.put(r::D_FUNC_BYPASS(0).SQSUM_BYPASS(1).MUL_BYPASS(1));
    w.put(r::D_PERF_ENABLE(0));

    namespace d = regs::cdp_rdma;
    Writes rdma(Unit::cdp_rdma);
    rdma.put(d::D_DATA_CUBE_WIDTH(minus1(layer.input.width)));
    rdma.put(d::D_DATA_CUBE_HEIGHT(minus1(layer.input.height)));
    rdma.put(d::D_DATA_CUBE_CHANNEL(minus1(layer.input.channels)));
    rdma.put_address<d::D_SRC_BASE_ADDR_HIGH, d::D_SRC_BASE_ADDR_LOW>(layer.input.place);
    rdma.put(d::D_SRC_LINE_STRIDE(layer.input.line_stride));
    rdma.put(d::D_SRC_SURFACE_STRIDE(layer.input.surface_stride));
    rdma.put(d::D_SRC_DMA_CFG(kPrimary));
    rdma.put(d::D_DATA_FORMAT(0));
    rdma.put(d::D_PERF_ENABLE(0));
    return {w.take(), rdma.take()};
}

const Lookup* lookup_of(const Layer& layer) {
    if (const CdpLayer* cdp = std::get_if<CdpLayer>(&layer.work)) return &cdp->lookup;
    const YRegisters* ew = ew_of(layer);
    return ew != nullptr && !ew->bypass && ew->lookup ? &*ew->lookup : nullptr;
}

std::vector<program::Command> table_load(const Layer& layer) {
    const Lookup* lookup = lookup_of(layer);
    if (lookup == nullptr) return {};
    const bool cdp = std::holds_alternative<CdpLayer>(layer.work);
    return (cdp ? cdp_table(*lookup) : sdp_table(*lookup)).registers;
}

}  // namespace macrame::dla::compiler
