#include "cdma.hpp"

#include <string>

#include "csc.hpp"

namespace macrame::dla::model {

namespace r = dla_regs::cdma;

CdmaUnit::CdmaUnit(Machine& machine, std::string_view name)
    : Unit(machine, name), cdma_(machine.sizes.cdma()), cbuf_(machine.sizes.cdma()) {
    regs.set_status(r::S_CBUF_FLUSH_STATUS::kOffset, 1);
}

CdmaLayer CdmaUnit::layer() const {
    CdmaLayer out;
    const auto size = regs.get<r::D_DATAIN_SIZE_0>();
    out.width = plus1(size.DATAIN_WIDTH());
    out.height = plus1(size.DATAIN_HEIGHT());
    out.channels = plus1(regs.get<r::D_DATAIN_SIZE_1>().DATAIN_CHANNEL());
    out.data_ram_type = regs.get<r::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE();
    out.data_addr = address<r::D_DAIN_ADDR_HIGH_0, r::D_DAIN_ADDR_LOW_0>();
    out.line_stride = regs.get<r::D_LINE_STRIDE>().raw;
    out.surf_stride = regs.get<r::D_SURF_STRIDE>().raw;
    out.entries_per_slice = plus1(regs.get<r::D_ENTRY_PER_SLICE>().ENTRIES());
    out.weight_ram_type = regs.get<r::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE();
    out.weight_addr = address<r::D_WEIGHT_ADDR_HIGH, r::D_WEIGHT_ADDR_LOW>();
    out.weight_bytes = regs.get<r::D_WEIGHT_BYTES>().raw;
    read_buffer_use(regs.get<r::D_BANK>(), regs.get<r::D_MISC_CFG>(), out);
    const auto cvt = regs.get<r::D_CVT_CFG>();
    out.cvt_en = cvt.CVT_EN() != 0;
    out.cvt_truncate = static_cast<int>(cvt.CVT_TRUNCATE());
    out.cvt_offset = signed16(regs.get<r::D_CVT_OFFSET>().CVT_OFFSET());
    out.cvt_scale = signed16(regs.get<r::D_CVT_SCALE>().CVT_SCALE());
    out.is_image = regs.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    out.image = image();
    return out;
}

ImageInput CdmaUnit::image() const {
    ImageInput out;
    const auto format = regs.get<r::D_DATAIN_FORMAT>();
    out.format = static_cast<int>(format.PIXEL_FORMAT());
    out.is_signed = format.PIXEL_SIGN_OVERRIDE() != 0;
    out.x_offset = static_cast<int>(regs.get<r::D_PIXEL_OFFSET>().PIXEL_X_OFFSET());
    out.addr_1 = address<r::D_DAIN_ADDR_HIGH_1, r::D_DAIN_ADDR_LOW_1>();
    out.uv_stride = regs.get<r::D_LINE_UV_STRIDE>().raw;
    out.mean_en = regs.get<r::D_MEAN_FORMAT>().MEAN_FORMAT() != 0;
    const auto mean_0 = regs.get<r::D_MEAN_GLOBAL_0>();
    const auto mean_1 = regs.get<r::D_MEAN_GLOBAL_1>();
    out.mean[0] = signed16(mean_0.MEAN_RY());
    out.mean[1] = signed16(mean_0.MEAN_GU());
    out.mean[2] = signed16(mean_1.MEAN_BV());
    out.mean[3] = signed16(mean_1.MEAN_AX());
    const auto pad = regs.get<r::D_ZERO_PADDING>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_right = static_cast<int>(pad.PAD_RIGHT());
    out.pad_value = signed8(regs.get<r::D_ZERO_PADDING_VALUE>().PAD_VALUE());
    return out;
}

bool CdmaUnit::step() {
    const bool took_over = start();
    return fetch() || took_over;
}

bool CdmaUnit::start() {
    if (started_ != finished_ || !regs.running()) return false;
    const CdmaLayer next = layer();
    if (next.is_image && !sizes().image) {
        machine_.violation("CDMA: image input is not built");
        return false;
    }
    if (next.data_banks + next.weight_banks > sizes().cbuf_banks) {
        machine_.violation("CDMA: " + std::to_string(next.data_banks) + " data banks + " +
                           std::to_string(next.weight_banks) + " weight banks: want at most " +
                           std::to_string(sizes().cbuf_banks));
        return false;
    }
    if (cdma_.banks_move(next) &&
        !unit<CscUnit>("CSC").change_banks(finished_, next.data_banks, next.weight_banks)) {
        return false;
    }
    cdma_.start(next);
    ++started_;
    data_done_ = weight_done_ = false;
    return true;
}

bool CdmaUnit::fetch() {
    if (started_ == finished_) return false;
    bool moved = false;
    CscUnit& csc = unit<CscUnit>("CSC");
    const MemoryRead data = machine_.reader(DmaClient::kCdmaData, cdma_.layer().data_ram_type);
    const MemoryRead weights =
        machine_.reader(DmaClient::kCdmaWeights, cdma_.layer().weight_ram_type);
    for (; cdma_.step_data(data, cbuf_); moved = true)
        csc.add_slice();
    for (; cdma_.step_weight(weights, cbuf_); moved = true)
        csc.add_weight();
    if (!data_done_ && !cdma_.data_pending()) {
        data_done_ = moved = true;
        raise(kCdmaDataBit);
    }
    if (!weight_done_ && !cdma_.weight_pending()) {
        weight_done_ = moved = true;
        raise(kCdmaWeightBit);
    }
    if (data_done_ && weight_done_) {
        ++finished_;
        regs.op_done();
    }
    return moved;
}

void CdmaUnit::release(int data_entries, int weight_entries) {
    cdma_.release_data(data_entries);
    cdma_.release_weights(weight_entries);
}

}  // namespace macrame::dla::model
