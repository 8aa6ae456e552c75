#include "cdma.hpp"

#include <string>

#include "csc.hpp"

namespace macrame::dla::model {

namespace cdma = dla_regs::cdma;

CdmaUnit::CdmaUnit(DeviceState& machine, std::string_view name)
    : Unit(machine, name), cdma_(machine.sizes.cdma()), cbuf_(machine.sizes.cdma()) {
    regs.set_status(cdma::S_CBUF_FLUSH_STATUS::kOffset, 1);
}

CdmaLayer CdmaUnit::layer() const {
    CdmaLayer out;
    const auto size = regs.get<cdma::D_DATAIN_SIZE_0>();
    out.width = plus1(size.DATAIN_WIDTH());
    out.height = plus1(size.DATAIN_HEIGHT());
    out.channels = plus1(regs.get<cdma::D_DATAIN_SIZE_1>().DATAIN_CHANNEL());
    out.data_ram_type = regs.get<cdma::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE();
    out.data_addr = address<cdma::D_DAIN_ADDR_HIGH_0, cdma::D_DAIN_ADDR_LOW_0>();
    out.line_stride = whole_atoms(regs.get<cdma::D_LINE_STRIDE>().raw);
    out.surf_stride = whole_atoms(regs.get<cdma::D_SURF_STRIDE>().raw);
    out.entries_per_slice = plus1(regs.get<cdma::D_ENTRY_PER_SLICE>().ENTRIES());
    out.weight_ram_type = regs.get<cdma::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE();
    out.weight_addr = address<cdma::D_WEIGHT_ADDR_HIGH, cdma::D_WEIGHT_ADDR_LOW>();
    out.weight_bytes = regs.get<cdma::D_WEIGHT_BYTES>().raw;
    read_buffer_use(regs.get<cdma::D_BANK>(), regs.get<cdma::D_MISC_CFG>(), out);
    const auto cvt = regs.get<cdma::D_CVT_CFG>();
    out.cvt_en = cvt.CVT_EN() != 0;
    out.cvt_truncate = static_cast<int>(cvt.CVT_TRUNCATE());
    out.cvt_offset = signed16(regs.get<cdma::D_CVT_OFFSET>().CVT_OFFSET());
    out.cvt_scale = signed16(regs.get<cdma::D_CVT_SCALE>().CVT_SCALE());
    out.is_image = regs.get<cdma::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    out.image = image();
    read_types16(out);
    return out;
}

/// What only configurations with the feature read; elsewhere the fields mean nothing.
void CdmaUnit::read_types16(CdmaLayer& out) const {
    const auto misc = regs.get<cdma::D_MISC_CFG>();
    out.in = sizes().precision(misc.IN_PRECISION());
    out.proc = sizes().precision(misc.PROC_PRECISION());
    out.nan_to_zero = regs.get<cdma::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO() != 0;
    if (sizes().batch) {
        out.batches = plus1(regs.get<cdma::D_BATCH_NUMBER>().BATCHES());
        out.batch_stride = whole_atoms(regs.get<cdma::D_BATCH_STRIDE>().raw);
    }
    if (sizes().winograd && misc.CONV_MODE() != 0) {
        out.is_winograd = true;
        const auto size = regs.get<cdma::D_DATAIN_SIZE_EXT_0>();
        out.winograd.width = plus1(size.DATAIN_WIDTH_EXT());
        out.winograd.height = plus1(size.DATAIN_HEIGHT_EXT());
        const auto stride = regs.get<cdma::D_CONV_STRIDE>();
        out.winograd.stride_x = plus1(stride.CONV_X_STRIDE());
        out.winograd.stride_y = plus1(stride.CONV_Y_STRIDE());
        out.winograd.pad_top = static_cast<int>(regs.get<cdma::D_ZERO_PADDING>().PAD_TOP());
    }
    if (sizes().compression && regs.get<cdma::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() != 0) {
        out.compressed = true;
        out.mask_addr = address<cdma::D_WMB_ADDR_HIGH, cdma::D_WMB_ADDR_LOW>();
        out.mask_bytes = regs.get<cdma::D_WMB_BYTES>().raw;
    }
}

ImageInput CdmaUnit::image() const {
    ImageInput out;
    const auto format = regs.get<cdma::D_DATAIN_FORMAT>();
    out.format = static_cast<int>(format.PIXEL_FORMAT());
    out.is_signed = format.PIXEL_SIGN_OVERRIDE() != 0;
    out.x_offset = static_cast<int>(regs.get<cdma::D_PIXEL_OFFSET>().PIXEL_X_OFFSET());
    out.addr_1 = address<cdma::D_DAIN_ADDR_HIGH_1, cdma::D_DAIN_ADDR_LOW_1>();
    out.uv_stride = whole_atoms(regs.get<cdma::D_LINE_UV_STRIDE>().raw);
    out.mean_en = regs.get<cdma::D_MEAN_FORMAT>().MEAN_FORMAT() != 0;
    const auto mean_0 = regs.get<cdma::D_MEAN_GLOBAL_0>();
    const auto mean_1 = regs.get<cdma::D_MEAN_GLOBAL_1>();
    out.mean[0] = signed16(mean_0.MEAN_RY());
    out.mean[1] = signed16(mean_0.MEAN_GU());
    out.mean[2] = signed16(mean_1.MEAN_BV());
    out.mean[3] = signed16(mean_1.MEAN_AX());
    const auto pad = regs.get<cdma::D_ZERO_PADDING>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_right = static_cast<int>(pad.PAD_RIGHT());
    out.pad_value = signed16(regs.get<cdma::D_ZERO_PADDING_VALUE>().PAD_VALUE());
    out.types16 = sizes().types16();
    return out;
}

bool CdmaUnit::step() {
    const bool took_over = start();
    return fetch() || took_over;
}

/// Does the configuration have what the layer asks for?
bool CdmaUnit::legal(const CdmaLayer& next) {
    std::string wrong;
    const auto misc = regs.get<cdma::D_MISC_CFG>();
    const bool same_type = next.in == next.proc;
    const int banks = sizes().cbuf_banks - (next.compressed ? 1 : 0);
    if (next.is_image && !sizes().image) wrong = "image input is not built";
    if (!sizes().has(next.proc)) wrong = "PROC_PRECISION has a type that is not built";
    if (misc.CONV_MODE() != 0 && !sizes().winograd) wrong = "Winograd is not built";
    if (regs.get<cdma::D_BATCH_NUMBER>().BATCHES() != 0 && !sizes().batch) {
        wrong = "batches are not built";
    }
    if (regs.get<cdma::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() != 0 && !sizes().compression) {
        wrong = "compressed weights are not built";
    }
    if (!same_type && !(next.is_image && next.cvt_en && next.in != Precision::fp16)) {
        wrong = "IN_PRECISION and PROC_PRECISION differ: want pixels of integers and CVT_EN";
    }
    if (next.is_image && next.image.types16 &&
        next.image.pixels().bits16 != (next.in != Precision::int8)) {
        wrong = "IN_PRECISION does not belong to PIXEL_FORMAT";
    }
    if (next.is_winograd && (next.cvt_en || next.is_image || next.batches > 1)) {
        wrong = "Winograd of a converted cube, of pixels or of batches";
    }
    if (next.is_image && next.batches > 1) wrong = "batches of pixels";
    if (next.data_banks + next.weight_banks > banks) {
        wrong = std::to_string(next.data_banks) + " data banks + " +
                std::to_string(next.weight_banks) + " weight banks: want at most " +
                std::to_string(banks);
    }
    if (!wrong.empty()) machine_.violation("CDMA: " + wrong);
    return wrong.empty();
}

bool CdmaUnit::start() {
    if (started_ != finished_ || !regs.running()) return false;
    const CdmaLayer next = layer();
    if (!legal(next)) return false;
    if (cdma_.banks_move(next) &&
        !unit<CscUnit>("CSC").change_banks(finished_, next.data_banks, next.weight_banks)) {
        return false;
    }
    cdma_.start(next);
    taken_.emplace_back();
    Unit::add_registers(taken_.back());
    ++started_;
    data_done_ = weight_done_ = false;
    return true;
}

void CdmaUnit::add_registers(LayerRegisters& to) const {
    if (taken_.empty()) return Unit::add_registers(to);
    to.add(taken_.front());
}

bool CdmaUnit::fetch() {
    if (started_ == finished_) return false;
    bool moved = false;
    CscUnit& csc = unit<CscUnit>("CSC");
    const MemoryRead data = machine_.reader(DmaClient::kCdmaData, cdma_.layer().data_ram_type);
    const MemoryRead weights =
        machine_.reader(DmaClient::kCdmaWeights, cdma_.layer().weight_ram_type);
    for (; cdma_.step_data(data, cbuf_); moved = true)
        csc.add_slices(cdma_.layer().slices_per_step());
    for (; cdma_.step_weight(weights, cbuf_); moved = true)
        csc.add_weight();
    for (; cdma_.step_mask(weights, cbuf_); moved = true)
        csc.add_mask();
    if (!data_done_ && !cdma_.data_pending()) {
        data_done_ = moved = true;
        raise(kCdmaDataBit);
    }
    if (!weight_done_ && !cdma_.weight_pending() && !cdma_.mask_pending()) {
        weight_done_ = moved = true;
        raise(kCdmaWeightBit);
    }
    if (data_done_ && weight_done_) end();
    return moved;
}

void CdmaUnit::end() {
    const auto count = [this](std::uint32_t offset, std::uint64_t n) {
        regs.set_counter(offset, static_cast<std::uint32_t>(std::min<std::uint64_t>(n, ~0u)));
    };
    count(cdma::D_NAN_INPUT_DATA_NUM::kOffset, cdma_.data_counts().nan);
    count(cdma::D_INF_INPUT_DATA_NUM::kOffset, cdma_.data_counts().inf);
    count(cdma::D_NAN_INPUT_WEIGHT_NUM::kOffset, cdma_.weight_counts().nan);
    count(cdma::D_INF_INPUT_WEIGHT_NUM::kOffset, cdma_.weight_counts().inf);
    ++finished_;
    regs.op_done();
}

void CdmaUnit::release(int data_entries, int weight_entries, int mask_entries) {
    cdma_.release_data(data_entries);
    cdma_.release_weights(weight_entries);
    cdma_.release_masks(mask_entries);
}

}  // namespace macrame::dla::model
