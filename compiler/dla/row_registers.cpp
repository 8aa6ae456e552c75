/// Registers of ROW.

#include "compiler/dla/register_writes.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::compiler {

UnitProgram row_program(const RowLayer& layer) {
    namespace r = dla_regs::row;
    const Cube &in = layer.input, &out = layer.output;
    const model::RowSettings& s = layer.settings;
    Writes w(Unit::row);
    w.put(r::D_MISC_CFG(0).ROW_MODE(static_cast<std::uint32_t>(s.mode)));
    w.put(r::D_DATA_CUBE_WIDTH(minus1(in.width)));
    w.put(r::D_DATA_CUBE_HEIGHT(minus1(in.height)));
    w.put(r::D_DATA_CUBE_CHANNEL(minus1(in.channels)));
    w.put(r::D_SRC_DMA_CFG(kPrimary));
    w.put_address<r::D_SRC_BASE_ADDR_HIGH, r::D_SRC_BASE_ADDR_LOW>(in.place);
    w.put(r::D_SRC_LINE_STRIDE(in.line_stride));
    w.put(r::D_SRC_SURFACE_STRIDE(in.surface_stride));
    w.put_address<r::D_OPERAND_ADDR_HIGH, r::D_OPERAND_ADDR_LOW>(layer.records);
    w.put(r::D_DST_DMA_CFG(kPrimary));
    w.put_address<r::D_DST_BASE_ADDR_HIGH, r::D_DST_BASE_ADDR_LOW>(out.place);
    w.put(r::D_DST_LINE_STRIDE(out.line_stride));
    w.put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
    w.put(r::D_DATIN_OFFSET(0).DATIN_OFFSET(bits(s.in_offset) & 0xFFu));
    w.put(r::D_DATOUT_OFFSET(0).DATOUT_OFFSET(bits(s.out_offset) & 0xFFu));
    w.put(r::D_DATOUT_SHIFTER(0).DATOUT_SHIFTER(bits(s.shift)));
    w.put(r::D_EPSILON(s.epsilon));
    w.put(r::D_PERF_ENABLE(0));
    return w.take();
}

}  // namespace macrame::dla::compiler
