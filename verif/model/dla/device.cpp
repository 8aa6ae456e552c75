#include "device.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace macrame::model::dla {

namespace {

namespace regs = dla_regs;

int plus1(std::uint32_t field) { return static_cast<int>(field) + 1; }

std::int16_t half(std::uint32_t field) { return static_cast<std::int16_t>(field); }

}  // namespace

Device::Device(const DeviceSizes& sizes, tb::Memory& primary, tb::Memory* secondary)
    : sizes_(sizes),
      primary_(primary),
      secondary_(secondary),
      cfgrom_(sizes.cfgrom),
      glb_({sizes.pdp, sizes.cdp}),
      cdma_(sizes.cdma()),
      cbuf_(sizes.cdma()),
      book_(sizes.cdma()) {
    reset();
}

void Device::reset() {
    glb_.reset();
    for (RegisterFile* file :
         {&mcif_, &cvif_, &cdma_regs_, &csc_regs_, &cmac_a_regs_, &cmac_b_regs_, &cacc_regs_,
          &rdma_regs_, &sdp_regs_, &pdp_rdma_regs_, &pdp_regs_, &cdp_rdma_regs_, &cdp_regs_}) {
        file->reset();
    }
    sdp_lut_ = Lut();
    sdp_access_ = SdpLutAccess();
    cdp_lut_ = Lut();
    cdp_access_ = CdpLutAccess();
    cdma_regs_.set_status(regs::cdma::S_CBUF_FLUSH_STATUS::kOffset, 1);
    cycle_ = 0;
    violations_.clear();
    cdma_ = Cdma(sizes_.cdma());
    cbuf_ = CbufImage(sizes_.cdma());
    book_ = CscBook(sizes_.cdma());
    cdma_data_banks_ = cdma_weight_banks_ = 0;
    cdma_started_ = cdma_done_ = conv_done_ = 0;
    data_done_ = weight_done_ = conv_begun_ = false;
}

// ---- registers

/// Register file of a page; CFGROM and GLB have none.
RegisterFile* Device::page(std::uint32_t byte_addr) {
    const std::array<RegisterFile*, 10> pages = {
        nullptr,       nullptr,       &mcif_,      &cdma_regs_, &csc_regs_,
        &cmac_a_regs_, &cmac_b_regs_, &cacc_regs_, &rdma_regs_, &sdp_regs_};
    const std::size_t number = byte_addr >> 12;
    if (sizes_.pdp && number == 0xA) return &pdp_rdma_regs_;
    if (sizes_.pdp && number == 0xB) return &pdp_regs_;
    if (sizes_.cdp && number == 0xC) return &cdp_rdma_regs_;
    if (sizes_.cdp && number == 0xD) return &cdp_regs_;
    if (sizes_.secondary && number == 0xF) return &cvif_;
    return number < pages.size() ? pages[number] : nullptr;
}

void Device::csb_write(std::uint32_t byte_addr, std::uint32_t data, bool) {
    const std::uint32_t offset = byte_addr & 0xFFFu;
    if (byte_addr >> 12 == regs::glb::kBase >> 12) glb_.write(offset, data);
    RegisterFile* file = page(byte_addr);
    if (file == nullptr) return;
    if (file == &sdp_regs_ && offset == regs::sdp::S_LUT_ACCESS_DATA::kOffset) {
        // Without a table the data window stores nothing.
        if (sizes_.sdp_lut) sdp_access_.write_data(sdp_lut_, data);
        return;
    }
    file->write(offset, data);
    if (file == &sdp_regs_ && offset == regs::sdp::S_LUT_ACCESS_CFG::kOffset) {
        sdp_access_.write_cfg(data);
    }
    if (file == &cdp_regs_) {
        if (offset == regs::cdp::S_LUT_ACCESS_CFG::kOffset) cdp_access_.write_cfg(data);
        if (offset == regs::cdp::S_LUT_ACCESS_DATA::kOffset) {
            cdp_access_.write_data(cdp_lut_, data);
        }
    }
}

std::uint32_t Device::csb_read(std::uint32_t byte_addr) {
    const std::uint32_t offset = byte_addr & 0xFFFu;
    if (byte_addr >> 12 == regs::cfgrom::kBase >> 12) return cfgrom_.read(offset);
    if (byte_addr >> 12 == regs::glb::kBase >> 12) return glb_.read(offset);
    const RegisterFile* file = page(byte_addr);
    if (file == nullptr) return 0;
    if (file == &sdp_regs_ && offset == regs::sdp::S_LUT_ACCESS_DATA::kOffset && sizes_.sdp_lut) {
        return sdp_access_.read_data(sdp_lut_);
    }
    if (file == &cdp_regs_ && offset == regs::cdp::S_LUT_ACCESS_DATA::kOffset) {
        return cdp_access_.read_data(cdp_lut_);
    }
    if (file == &cdp_regs_ && offset == regs::cdp::S_LUT_ACCESS_CFG::kOffset) {
        return (file->value(offset) & ~0x3FFu) | static_cast<std::uint32_t>(cdp_access_.pointer());
    }
    return file->read(offset);
}

bool Device::interrupt() { return glb_.interrupt(); }

void Device::raise(int bit, int group) { glb_.raise(1u << (bit + group)); }

void Device::violation(const std::string& what) {
    if (std::find(violations_.begin(), violations_.end(), what) == violations_.end()) {
        violations_.push_back(what);
    }
}

// ---- memory

tb::Memory& Device::memory(std::uint32_t ram_type) {
    return ram_type == 0 && sizes_.secondary && secondary_ != nullptr ? *secondary_ : primary_;
}

std::uint64_t Device::address(std::uint32_t high, std::uint32_t low) const {
    const std::uint64_t full = std::uint64_t{high} << 32 | low;
    return sizes_.addr_w >= 64 ? full : full & ((std::uint64_t{1} << sizes_.addr_w) - 1);
}

// ---- registers as numbers

CdmaLayer Device::cdma_layer() const {
    namespace r = regs::cdma;
    const RegisterFile& f = cdma_regs_;
    CdmaLayer out;
    const auto misc = f.get<r::D_MISC_CFG>();
    const auto size = f.get<r::D_DATAIN_SIZE_0>();
    out.width = plus1(size.DATAIN_WIDTH());
    out.height = plus1(size.DATAIN_HEIGHT());
    out.channels = plus1(f.get<r::D_DATAIN_SIZE_1>().DATAIN_CHANNEL());
    out.data_addr = address(f.get<r::D_DAIN_ADDR_HIGH_0>().raw, f.get<r::D_DAIN_ADDR_LOW_0>().raw);
    out.line_stride = f.get<r::D_LINE_STRIDE>().raw;
    out.surf_stride = f.get<r::D_SURF_STRIDE>().raw;
    out.entries_per_slice = plus1(f.get<r::D_ENTRY_PER_SLICE>().ENTRIES());
    out.weight_addr =
        address(f.get<r::D_WEIGHT_ADDR_HIGH>().raw, f.get<r::D_WEIGHT_ADDR_LOW>().raw);
    out.weight_bytes = f.get<r::D_WEIGHT_BYTES>().raw;
    const auto bank = f.get<r::D_BANK>();
    out.data_banks = plus1(bank.DATA_BANK());
    out.weight_banks = plus1(bank.WEIGHT_BANK());
    out.data_reuse = misc.DATA_REUSE() != 0;
    out.weight_reuse = misc.WEIGHT_REUSE() != 0;
    out.skip_data_rls = misc.SKIP_DATA_RLS() != 0;
    out.skip_weight_rls = misc.SKIP_WEIGHT_RLS() != 0;
    const auto cvt = f.get<r::D_CVT_CFG>();
    out.cvt_en = cvt.CVT_EN() != 0;
    out.cvt_truncate = static_cast<int>(cvt.CVT_TRUNCATE());
    out.cvt_offset = half(f.get<r::D_CVT_OFFSET>().CVT_OFFSET());
    out.cvt_scale = half(f.get<r::D_CVT_SCALE>().CVT_SCALE());
    const auto format = f.get<r::D_DATAIN_FORMAT>();
    out.is_image = format.DATAIN_FORMAT() != 0;
    out.image.format = static_cast<int>(format.PIXEL_FORMAT());
    out.image.is_signed = format.PIXEL_SIGN_OVERRIDE() != 0;
    out.image.x_offset = static_cast<int>(f.get<r::D_PIXEL_OFFSET>().PIXEL_X_OFFSET());
    out.image.addr_1 =
        address(f.get<r::D_DAIN_ADDR_HIGH_1>().raw, f.get<r::D_DAIN_ADDR_LOW_1>().raw);
    out.image.uv_stride = f.get<r::D_LINE_UV_STRIDE>().raw;
    out.image.mean_en = f.get<r::D_MEAN_FORMAT>().MEAN_FORMAT() != 0;
    const auto mean_0 = f.get<r::D_MEAN_GLOBAL_0>();
    const auto mean_1 = f.get<r::D_MEAN_GLOBAL_1>();
    out.image.mean[0] = half(mean_0.MEAN_RY());
    out.image.mean[1] = half(mean_0.MEAN_GU());
    out.image.mean[2] = half(mean_1.MEAN_BV());
    out.image.mean[3] = half(mean_1.MEAN_AX());
    const auto pad = f.get<r::D_ZERO_PADDING>();
    out.image.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.image.pad_right = static_cast<int>(pad.PAD_RIGHT());
    out.image.pad_value =
        static_cast<std::int8_t>(f.get<r::D_ZERO_PADDING_VALUE>().PAD_VALUE() & 0xFFu);
    return out;
}

ConvLayer Device::conv_layer() const {
    namespace r = regs::csc;
    const RegisterFile& f = csc_regs_;
    ConvLayer out;
    const auto misc = f.get<r::D_MISC_CFG>();
    const auto in = f.get<r::D_DATAIN_SIZE_EXT_0>();
    out.width = plus1(in.DATAIN_WIDTH_EXT());
    out.height = plus1(in.DATAIN_HEIGHT_EXT());
    const auto kernel = f.get<r::D_WEIGHT_SIZE_EXT_0>();
    out.kernel_width = plus1(kernel.WEIGHT_WIDTH_EXT());
    out.kernel_height = plus1(kernel.WEIGHT_HEIGHT_EXT());
    out.channels = plus1(f.get<r::D_WEIGHT_SIZE_EXT_1>().WEIGHT_CHANNEL_EXT());
    out.kernels = plus1(f.get<r::D_WEIGHT_SIZE_EXT_1>().WEIGHT_KERNEL());
    const auto size = f.get<r::D_DATAOUT_SIZE_0>();
    out.out_width = plus1(size.DATAOUT_WIDTH());
    out.out_height = plus1(size.DATAOUT_HEIGHT());
    out.positions = plus1(f.get<r::D_ATOMICS>().ATOMICS());
    const auto stride = f.get<r::D_CONV_STRIDE_EXT>();
    out.stride_x = plus1(stride.CONV_X_STRIDE_EXT());
    out.stride_y = plus1(stride.CONV_Y_STRIDE_EXT());
    const auto dilation = f.get<r::D_DILATION_EXT>();
    out.dilation_x = plus1(dilation.X_DILATION_EXT());
    out.dilation_y = plus1(dilation.Y_DILATION_EXT());
    const auto pad = f.get<r::D_ZERO_PADDING>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_top = static_cast<int>(pad.PAD_TOP());
    out.pad_value = static_cast<std::int8_t>(f.get<r::D_ZERO_PADDING_VALUE>().PAD_VALUE() & 0xFFu);
    out.entries_per_slice = plus1(f.get<r::D_ENTRY_PER_SLICE>().ENTRIES());
    out.weight_bytes = f.get<r::D_WEIGHT_BYTES>().raw;
    out.release = plus1(f.get<r::D_RELEASE>().RLS_SLICES());
    const auto bank = f.get<r::D_BANK>();
    out.data_banks = plus1(bank.DATA_BANK());
    out.weight_banks = plus1(bank.WEIGHT_BANK());
    out.data_reuse = misc.DATA_REUSE() != 0;
    out.weight_reuse = misc.WEIGHT_REUSE() != 0;
    out.skip_data_rls = misc.SKIP_DATA_RLS() != 0;
    out.skip_weight_rls = misc.SKIP_WEIGHT_RLS() != 0;
    out.truncate = static_cast<int>(cacc_regs_.get<regs::cacc::D_CLIP_CFG>().CLIP_TRUNCATE());
    out.is_image = f.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    if (out.is_image) {
        out.components = plus1(f.get<r::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT());
        const std::uint32_t extension = f.get<r::D_POST_Y_EXTENSION>().Y_EXTENSION();
        out.rows_per_step = extension == 0 ? 1 : extension == 1 ? 2 : 4;
        out.kernel_width = 1;
    }
    return out;
}

SdpLayer Device::sdp_registers() const {
    namespace r = regs::sdp;
    const RegisterFile& f = sdp_regs_;
    SdpLayer out;
    out.width = plus1(f.get<r::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(f.get<r::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(f.get<r::D_DATA_CUBE_CHANNEL>().CHANNEL());
    const auto mode = f.get<r::D_FEATURE_MODE_CFG>();
    out.flying = mode.FLYING_MODE() != 0;
    out.to_pdp = mode.OUTPUT_DST() != 0;
    out.dst_addr =
        address(f.get<r::D_DST_BASE_ADDR_HIGH>().raw, f.get<r::D_DST_BASE_ADDR_LOW>().raw);
    out.line_stride = f.get<r::D_DST_LINE_STRIDE>().raw;
    out.surf_stride = f.get<r::D_DST_SURFACE_STRIDE>().raw;

    const auto bs = f.get<r::D_DP_BS_CFG>();
    const auto bs_alu = f.get<r::D_DP_BS_ALU_CFG>();
    const auto bs_mul = f.get<r::D_DP_BS_MUL_CFG>();
    out.bs.bypass = bs.BS_BYPASS() != 0 || !sizes_.sdp_bs;
    out.bs.alu_bypass = bs.BS_ALU_BYPASS() != 0;
    out.bs.alu_algo = static_cast<int>(bs.BS_ALU_ALGO());
    out.bs.mul_bypass = bs.BS_MUL_BYPASS() != 0;
    out.bs.mul_prelu = bs.BS_MUL_PRELU() != 0;
    out.bs.relu_bypass = bs.BS_RELU_BYPASS() != 0;
    out.bs.alu_from_memory = bs_alu.BS_ALU_SRC() != 0;
    out.bs.alu_shift = static_cast<int>(bs_alu.BS_ALU_SHIFT_VALUE());
    out.bs.alu_operand = half(f.get<r::D_DP_BS_ALU_SRC_VALUE>().BS_ALU_OPERAND());
    out.bs.mul_from_memory = bs_mul.BS_MUL_SRC() != 0;
    out.bs.mul_shift = static_cast<int>(bs_mul.BS_MUL_SHIFT_VALUE());
    out.bs.mul_operand = half(f.get<r::D_DP_BS_MUL_SRC_VALUE>().BS_MUL_OPERAND());

    const auto bn = f.get<r::D_DP_BN_CFG>();
    const auto bn_alu = f.get<r::D_DP_BN_ALU_CFG>();
    const auto bn_mul = f.get<r::D_DP_BN_MUL_CFG>();
    out.bn.bypass = bn.BN_BYPASS() != 0 || !sizes_.sdp_bn;
    out.bn.alu_bypass = bn.BN_ALU_BYPASS() != 0;
    out.bn.alu_algo = static_cast<int>(bn.BN_ALU_ALGO());
    out.bn.mul_bypass = bn.BN_MUL_BYPASS() != 0;
    out.bn.mul_prelu = bn.BN_MUL_PRELU() != 0;
    out.bn.relu_bypass = bn.BN_RELU_BYPASS() != 0;
    out.bn.alu_from_memory = bn_alu.BN_ALU_SRC() != 0;
    out.bn.alu_shift = static_cast<int>(bn_alu.BN_ALU_SHIFT_VALUE());
    out.bn.alu_operand = half(f.get<r::D_DP_BN_ALU_SRC_VALUE>().BN_ALU_OPERAND());
    out.bn.mul_from_memory = bn_mul.BN_MUL_SRC() != 0;
    out.bn.mul_shift = static_cast<int>(bn_mul.BN_MUL_SHIFT_VALUE());
    out.bn.mul_operand = half(f.get<r::D_DP_BN_MUL_SRC_VALUE>().BN_MUL_OPERAND());

    out.ew = ew_registers();
    out.cvt.offset = static_cast<std::int32_t>(f.get<r::D_CVT_OFFSET>().raw);
    out.cvt.scale = half(f.get<r::D_CVT_SCALE>().CVT_SCALE());
    out.cvt.shift = static_cast<int>(f.get<r::D_CVT_SHIFT>().CVT_SHIFT());
    return out;
}

SdpEw Device::ew_registers() const {
    namespace r = regs::sdp;
    const RegisterFile& f = sdp_regs_;
    SdpEw out;
    const auto cfg = f.get<r::D_DP_EW_CFG>();
    const auto alu = f.get<r::D_DP_EW_ALU_CFG>();
    const auto mul = f.get<r::D_DP_EW_MUL_CFG>();
    out.bypass = cfg.EW_BYPASS() != 0 || !sizes_.sdp_ew;
    out.alu_bypass = cfg.EW_ALU_BYPASS() != 0;
    out.alu_algo = static_cast<int>(cfg.EW_ALU_ALGO());
    out.mul_bypass = cfg.EW_MUL_BYPASS() != 0;
    out.mul_prelu = cfg.EW_MUL_PRELU() != 0;
    out.lut_bypass = cfg.EW_LUT_BYPASS() != 0 || !sizes_.sdp_lut;
    out.alu_from_memory = alu.EW_ALU_SRC() != 0;
    out.alu_operand = static_cast<std::int32_t>(f.get<r::D_DP_EW_ALU_SRC_VALUE>().raw);
    out.alu_cvt.bypass = alu.EW_ALU_CVT_BYPASS() != 0;
    out.alu_cvt.offset = static_cast<std::int32_t>(f.get<r::D_DP_EW_ALU_CVT_OFFSET_VALUE>().raw);
    out.alu_cvt.scale = half(f.get<r::D_DP_EW_ALU_CVT_SCALE_VALUE>().EW_ALU_CVT_SCALE());
    out.alu_cvt.shift =
        static_cast<int>(f.get<r::D_DP_EW_ALU_CVT_TRUNCATE_VALUE>().EW_ALU_CVT_TRUNCATE());
    out.mul_from_memory = mul.EW_MUL_SRC() != 0;
    out.mul_operand = static_cast<std::int32_t>(f.get<r::D_DP_EW_MUL_SRC_VALUE>().raw);
    out.mul_cvt.bypass = mul.EW_MUL_CVT_BYPASS() != 0;
    out.mul_cvt.offset = static_cast<std::int32_t>(f.get<r::D_DP_EW_MUL_CVT_OFFSET_VALUE>().raw);
    out.mul_cvt.scale = half(f.get<r::D_DP_EW_MUL_CVT_SCALE_VALUE>().EW_MUL_CVT_SCALE());
    out.mul_cvt.shift =
        static_cast<int>(f.get<r::D_DP_EW_MUL_CVT_TRUNCATE_VALUE>().EW_MUL_CVT_TRUNCATE());
    out.truncate = static_cast<int>(f.get<r::D_DP_EW_TRUNCATE_VALUE>().EW_TRUNCATE());
    return out;
}

/// The tables and the S_LUT_ registers of SDP.
Lut Device::sdp_lut_registers() const {
    namespace r = regs::sdp;
    const RegisterFile& f = sdp_regs_;
    const auto byte = [](std::uint32_t v) { return static_cast<int>(static_cast<std::int8_t>(v)); };
    const auto shift = [](std::uint32_t v) {
        return static_cast<int>(v) - ((v & 16u) != 0 ? 32 : 0);
    };
    const auto word = [](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
    Lut out = sdp_lut_;
    const auto cfg = f.get<r::S_LUT_CFG>();
    out.le_linear = cfg.LUT_LE_FUNCTION() != 0;
    out.uflow_lo = cfg.LUT_UFLOW_PRIORITY() != 0;
    out.oflow_lo = cfg.LUT_OFLOW_PRIORITY() != 0;
    out.hybrid_lo = cfg.LUT_HYBRID_PRIORITY() != 0;
    const auto info = f.get<r::S_LUT_INFO>();
    out.le_offset = byte(info.LUT_LE_INDEX_OFFSET());
    out.le.select = byte(info.LUT_LE_INDEX_SELECT());
    out.lo.select = byte(info.LUT_LO_INDEX_SELECT());
    out.le.start = word(f.get<r::S_LUT_LE_START>().raw);
    out.le.end = word(f.get<r::S_LUT_LE_END>().raw);
    out.lo.start = word(f.get<r::S_LUT_LO_START>().raw);
    out.lo.end = word(f.get<r::S_LUT_LO_END>().raw);
    const auto le_scale = f.get<r::S_LUT_LE_SLOPE_SCALE>();
    const auto le_shift = f.get<r::S_LUT_LE_SLOPE_SHIFT>();
    const auto lo_scale = f.get<r::S_LUT_LO_SLOPE_SCALE>();
    const auto lo_shift = f.get<r::S_LUT_LO_SLOPE_SHIFT>();
    out.le.uflow_scale = half(le_scale.LUT_LE_SLOPE_UFLOW_SCALE());
    out.le.oflow_scale = half(le_scale.LUT_LE_SLOPE_OFLOW_SCALE());
    out.le.uflow_shift = shift(le_shift.LUT_LE_SLOPE_UFLOW_SHIFT());
    out.le.oflow_shift = shift(le_shift.LUT_LE_SLOPE_OFLOW_SHIFT());
    out.lo.uflow_scale = half(lo_scale.LUT_LO_SLOPE_UFLOW_SCALE());
    out.lo.oflow_scale = half(lo_scale.LUT_LO_SLOPE_OFLOW_SCALE());
    out.lo.uflow_shift = shift(lo_shift.LUT_LO_SLOPE_UFLOW_SHIFT());
    out.lo.oflow_shift = shift(lo_shift.LUT_LO_SLOPE_OFLOW_SHIFT());
    return out;
}

SdpRdmaLayer Device::rdma_registers() const {
    namespace r = regs::sdp_rdma;
    const RegisterFile& f = rdma_regs_;
    SdpRdmaLayer out;
    out.width = plus1(f.get<r::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(f.get<r::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(f.get<r::D_DATA_CUBE_CHANNEL>().CHANNEL());
    out.flying = f.get<r::D_FEATURE_MODE_CFG>().FLYING_MODE() != 0;
    out.src_addr =
        address(f.get<r::D_SRC_BASE_ADDR_HIGH>().raw, f.get<r::D_SRC_BASE_ADDR_LOW>().raw);
    out.line_stride = f.get<r::D_SRC_LINE_STRIDE>().raw;
    out.surf_stride = f.get<r::D_SRC_SURFACE_STRIDE>().raw;
    const auto bs = f.get<r::D_BRDMA_CFG>();
    out.bs.enable = bs.BRDMA_DISABLE() == 0 && sizes_.sdp_bs;
    out.bs.data_use = static_cast<int>(bs.BRDMA_DATA_USE());
    out.bs.two_byte = bs.BRDMA_DATA_SIZE() != 0;
    out.bs.per_element = bs.BRDMA_DATA_MODE() != 0;
    out.bs.addr = address(f.get<r::D_BS_BASE_ADDR_HIGH>().raw, f.get<r::D_BS_BASE_ADDR_LOW>().raw);
    out.bs.line_stride = f.get<r::D_BS_LINE_STRIDE>().raw;
    out.bs.surf_stride = f.get<r::D_BS_SURFACE_STRIDE>().raw;
    const auto bn = f.get<r::D_NRDMA_CFG>();
    out.bn.enable = bn.NRDMA_DISABLE() == 0 && sizes_.sdp_bn;
    out.bn.data_use = static_cast<int>(bn.NRDMA_DATA_USE());
    out.bn.two_byte = bn.NRDMA_DATA_SIZE() != 0;
    out.bn.per_element = bn.NRDMA_DATA_MODE() != 0;
    out.bn.addr = address(f.get<r::D_BN_BASE_ADDR_HIGH>().raw, f.get<r::D_BN_BASE_ADDR_LOW>().raw);
    out.bn.line_stride = f.get<r::D_BN_LINE_STRIDE>().raw;
    out.bn.surf_stride = f.get<r::D_BN_SURFACE_STRIDE>().raw;
    const auto ew = f.get<r::D_ERDMA_CFG>();
    out.ew.enable = ew.ERDMA_DISABLE() == 0 && sizes_.sdp_ew;
    out.ew.data_use = static_cast<int>(ew.ERDMA_DATA_USE());
    out.ew.two_byte = ew.ERDMA_DATA_SIZE() != 0;
    out.ew.per_element = ew.ERDMA_DATA_MODE() != 0;
    out.ew.addr = address(f.get<r::D_EW_BASE_ADDR_HIGH>().raw, f.get<r::D_EW_BASE_ADDR_LOW>().raw);
    out.ew.line_stride = f.get<r::D_EW_LINE_STRIDE>().raw;
    out.ew.surf_stride = f.get<r::D_EW_SURFACE_STRIDE>().raw;
    return out;
}

// ---- time

void Device::advance(int n) {
    cycle_ += static_cast<std::uint64_t>(std::max(n, 0));
    step();
}

bool Device::step() {
    return step_cdma() || step_conv() || step_idle_rdma() || step_offline_sdp() ||
           step_offline_pdp() || step_cdp();
}

// ---- CDMA

bool Device::step_cdma() {
    const bool started = start_cdma();
    return fetch() || started;
}

/// Takes the next layer over if nothing is in the way.
bool Device::start_cdma() {
    if (cdma_started_ != cdma_done_ || !cdma_regs_.running()) return false;
    const CdmaLayer layer = cdma_layer();
    if (layer.is_image && !sizes_.image) {
        violation("CDMA: image input is not built");
        return false;
    }
    if (layer.data_banks + layer.weight_banks > sizes_.cbuf_banks) {
        violation("CDMA: " + std::to_string(layer.data_banks) + " data banks + " +
                  std::to_string(layer.weight_banks) + " weight banks: want at most " +
                  std::to_string(sizes_.cbuf_banks));
        return false;
    }
    if (layer.data_banks != cdma_data_banks_ || layer.weight_banks != cdma_weight_banks_) {
        // Rendezvous: CSC must be about to start the same layer.
        if (conv_done_ != cdma_done_ || !csc_regs_.running()) return false;
        const ConvLayer other = conv_layer();
        if (other.data_banks != layer.data_banks || other.weight_banks != layer.weight_banks) {
            violation("D_BANK of CDMA and CSC differ");
            return false;
        }
        book_.bank_change(other);
    }
    cdma_data_banks_ = layer.data_banks;
    cdma_weight_banks_ = layer.weight_banks;
    cdma_.start(layer);
    ++cdma_started_;
    data_done_ = weight_done_ = false;
    return true;
}

/// Fills the buffer as far as there is room and raises CDMA's events.
bool Device::fetch() {
    if (cdma_started_ == cdma_done_) return false;
    bool moved = false;
    const std::uint64_t mask = address(0xFFFFFFFFu, 0xFFFFFFFFu);
    const auto reader = [mask](tb::Memory& from) {
        return [&from, mask](std::uint64_t addr, std::uint8_t* to, std::size_t n) {
            from.read(addr & mask, to, n);
        };
    };
    const MemoryRead data =
        reader(memory(cdma_regs_.get<regs::cdma::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE()));
    const MemoryRead weights =
        reader(memory(cdma_regs_.get<regs::cdma::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE()));
    for (; cdma_.step_data(data, cbuf_); moved = true)
        book_.add_slices(1);
    for (; cdma_.step_weight(weights, cbuf_); moved = true)
        book_.add_weights(1);
    const int group = cdma_regs_.consumer();
    if (!data_done_ && !cdma_.data_pending()) {
        data_done_ = moved = true;
        raise(kCdmaDataBit, group);
    }
    if (!weight_done_ && !cdma_.weight_pending()) {
        weight_done_ = moved = true;
        raise(kCdmaWeightBit, group);
    }
    if (data_done_ && weight_done_) {
        ++cdma_done_;
        cdma_regs_.op_done();
    }
    return moved;
}

void Device::give_back(int data_entries, int weight_entries) {
    cdma_.release_data(data_entries);
    cdma_.release_weights(weight_entries);
}

// ---- convolution

/// CSC takes its layer over and waits for the input. True: all of it is there.
bool Device::begin_conv(const ConvLayer& layer) {
    if (book_.banks_move(layer)) return false;  // CDMA makes the rendezvous
    if (cdma_started_ <= conv_done_) return false;
    if (!conv_begun_) {
        conv_begun_ = true;
        const CscBook::Released released = book_.start(layer);
        give_back(released.data, released.weights);
        fetch();
    }
    if (book_.data_ready(layer)) return true;
    if (!fetch()) {
        violation("CSC waits for " + std::to_string(layer.height) + " slices, the buffer has " +
                  std::to_string(book_.slices()) + " and no room for more");
    }
    return book_.data_ready(layer);
}

bool Device::step_conv() {
    if (!csc_regs_.running() || !cmac_a_regs_.running() || !cmac_b_regs_.running() ||
        !cacc_regs_.running()) {
        return false;
    }
    const ConvLayer layer = conv_layer();
    if (!begin_conv(layer)) return false;
    if (!sdp_ready(true)) return false;
    const SdpLayer sdp = sdp_registers();
    const int groups = (layer.kernels + sizes_.atomic_k - 1) / sizes_.atomic_k;
    const std::int64_t wanted = std::int64_t{1} * sdp.width * sdp.height *
                                ((sdp.channels + sizes_.atom_bytes - 1) / sizes_.atom_bytes);
    if (wanted != std::int64_t{1} * layer.positions * groups) {
        violation("SDP wants " + std::to_string(wanted) + " atoms, the convolution makes " +
                  std::to_string(std::int64_t{1} * layer.positions * groups));
        return false;
    }
    const CdmaSizes sizes = sizes_.cdma();
    const ConvInput input = read_input(sizes, sizes_.atomic_c, cbuf_, book_, layer);
    std::vector<std::int32_t> results;
    std::uint64_t saturated = 0;
    for (int g = 0; g < groups; ++g) {
        const bool last = g + 1 == groups;
        const std::int64_t end = group_start(layer, sizes_.atomic_k, g + 1);
        const std::int64_t need = last ? std::max<std::int64_t>(end, layer.weight_bytes) : end;
        while (!book_.weights_ready(need)) {
            if (fetch()) continue;
            violation("CSC waits for " + std::to_string(need) + " weight bytes, the buffer has " +
                      std::to_string(book_.weights()) + " entries and gets no more");
            return false;
        }
        const auto weights =
            read_weights(sizes, sizes_.atomic_c, sizes_.atomic_k, cbuf_, book_, layer, g);
        const auto part =
            convolve_group(sizes_.atomic_c, sizes_.atomic_k, layer, input, weights, g, saturated);
        results.insert(results.end(), part.begin(), part.end());
        give_back(0, book_.end_group(layer, end, last));
        fetch();
    }
    give_back(book_.end(layer), 0);
    ++conv_done_;
    conv_begun_ = false;
    raise(kCaccBit, cacc_regs_.consumer());
    cacc_regs_.set_counter(
        regs::cacc::D_OUT_SATURATION::kOffset,
        static_cast<std::uint32_t>(std::min<std::uint64_t>(saturated, 0xFFFFFFFFu)));
    for (RegisterFile* file : {&csc_regs_, &cmac_a_regs_, &cmac_b_regs_, &cacc_regs_}) {
        file->op_done();
    }
    run_sdp(sdp, results);
    return true;
}

// ---- SDP

/// SDP is enabled for a layer of this source, and what it reads from memory can be read.
bool Device::sdp_ready(bool flying) {
    if (!sdp_regs_.running()) return false;
    const SdpLayer layer = sdp_registers();
    if (layer.flying != flying) return false;
    if (layer.to_pdp && sizes_.pdp && !pdp_takes(layer)) return false;
    return rdma_ready(layer);
}

/// PDP is enabled for the output of this SDP layer.
bool Device::pdp_takes(const SdpLayer& layer) {
    if (!pdp_regs_.running()) return false;
    const PdpLayer pdp = pdp_registers();
    if (!pdp.flying) return false;
    if (pdp.width == layer.width && pdp.height == layer.height && pdp.channels == layer.channels) {
        return true;
    }
    violation("cube sizes of SDP and PDP differ");
    return false;
}

/// The layer takes part of SDP_RDMA.
bool Device::needs_rdma(const SdpLayer& layer) {
    return !layer.flying || layer.bs.needs_memory() || layer.bn.needs_memory() ||
           layer.ew.needs_memory();
}

bool Device::rdma_ready(const SdpLayer& layer) {
    if (!needs_rdma(layer)) return true;
    if (!rdma_regs_.running()) return false;
    const SdpRdmaLayer rdma = rdma_registers();
    if (rdma.flying != layer.flying) {
        violation("FLYING_MODE of SDP and SDP_RDMA differ");
        return false;
    }
    if ((layer.bs.needs_memory() && !rdma.bs.enable) ||
        (layer.bn.needs_memory() && !rdma.bn.enable) ||
        (layer.ew.needs_memory() && !rdma.ew.enable)) {
        violation("SDP takes an operand from memory, but its read channel is disabled");
        return false;
    }
    if (rdma.width != layer.width || rdma.height != layer.height ||
        rdma.channels != layer.channels) {
        violation("cube sizes of SDP and SDP_RDMA differ");
        return false;
    }
    return true;
}

/// A read layer of an on-the-fly SDP layer that reads nothing ends by itself.
bool Device::step_idle_rdma() {
    if (!rdma_regs_.running()) return false;
    const SdpRdmaLayer rdma = rdma_registers();
    if (!rdma.flying || rdma.bs.enable || rdma.bn.enable || rdma.ew.enable) return false;
    rdma_regs_.op_done();
    return true;
}

bool Device::step_offline_sdp() {
    if (!sdp_ready(false)) return false;
    run_sdp(sdp_registers(), {});
    return true;
}

/// Runs the SDP layer in front; `flying` holds the convolution's results if it takes them.
void Device::run_sdp(const SdpLayer& layer, const std::vector<std::int32_t>& flying) {
    namespace r = regs::sdp;
    const int atom = sizes_.atom_bytes;
    const std::uint64_t mask = address(0xFFFFFFFFu, 0xFFFFFFFFu);
    const SdpRdmaLayer rdma = rdma_registers();
    const auto reader = [mask](tb::Memory& from) {
        return [&from, mask](std::uint64_t addr, std::uint8_t* to, std::size_t n) {
            from.read(addr & mask, to, n);
        };
    };
    namespace m = regs::sdp_rdma;
    tb::Memory& source = memory(rdma_regs_.get<m::D_SRC_DMA_CFG>().SRC_RAM_TYPE());
    tb::Memory& bs_source = memory(rdma_regs_.get<m::D_BRDMA_CFG>().BRDMA_RAM_TYPE());
    tb::Memory& bn_source = memory(rdma_regs_.get<m::D_NRDMA_CFG>().NRDMA_RAM_TYPE());
    tb::Memory& ew_source = memory(rdma_regs_.get<m::D_ERDMA_CFG>().ERDMA_RAM_TYPE());
    std::vector<SdpOperand> bs, bn, ew;
    if (layer.bs.needs_memory()) bs = sdp_read_operands(atom, rdma, rdma.bs, reader(bs_source));
    if (layer.bn.needs_memory()) bn = sdp_read_operands(atom, rdma, rdma.bn, reader(bn_source));
    if (layer.ew.needs_memory()) ew = sdp_read_operands(atom, rdma, rdma.ew, reader(ew_source));
    const SdpResult result =
        sdp_layer(atom, layer, layer.flying ? flying : sdp_read_main(atom, rdma, reader(source)),
                  bs, bn, ew, sdp_lut_registers());

    tb::Memory& target = memory(sdp_regs_.get<r::D_DST_DMA_CFG>().DST_RAM_TYPE());
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(atom));
    auto element = result.data.begin();
    for (const std::uint64_t addr : result.addrs) {
        std::transform(element, element + atom, bytes.begin(),
                       [](std::int8_t v) { return static_cast<std::uint8_t>(v); });
        element += atom;
        target.write(addr & mask, bytes.data(), bytes.size());
    }

    sdp_regs_.set_counter(r::D_STATUS::kOffset, result.any_bit ? 1 : 0);
    if (sdp_regs_.get<r::D_PERF_ENABLE>().PERF_SAT_EN() != 0) {
        sdp_regs_.set_counter(r::D_PERF_OUT_SATURATION::kOffset, result.saturated);
    }
    if (sdp_regs_.get<r::D_PERF_ENABLE>().PERF_LUT_EN() != 0) {
        sdp_regs_.set_counter(r::D_PERF_LUT_UFLOW::kOffset, result.lut_uflow);
        sdp_regs_.set_counter(r::D_PERF_LUT_OFLOW::kOffset, result.lut_oflow);
        sdp_regs_.set_counter(r::D_PERF_LUT_HYBRID::kOffset, result.lut_hybrid);
        sdp_regs_.set_counter(r::D_PERF_LUT_LE_HIT::kOffset, result.lut_le_hit);
        sdp_regs_.set_counter(r::D_PERF_LUT_LO_HIT::kOffset, result.lut_lo_hit);
    }
    raise(kSdpBit, sdp_regs_.consumer());
    sdp_regs_.op_done();
    if (needs_rdma(layer)) rdma_regs_.op_done();
    if (layer.to_pdp && sizes_.pdp) run_pdp(pdp_registers(), result.data);
}

// ---- PDP

PdpLayer Device::pdp_registers() const {
    namespace r = regs::pdp;
    const RegisterFile& f = pdp_regs_;
    PdpLayer out;
    const auto mode = f.get<r::D_OPERATION_MODE_CFG>();
    const auto kernel = f.get<r::D_POOLING_KERNEL_CFG>();
    const auto pad = f.get<r::D_POOLING_PADDING_CFG>();
    out.flying = mode.FLYING_MODE() == 0;
    out.method = static_cast<int>(mode.POOLING_METHOD());
    out.width = plus1(f.get<r::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH());
    out.height = plus1(f.get<r::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT());
    out.channels = plus1(f.get<r::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL());
    out.out_width = plus1(f.get<r::D_DATA_CUBE_OUT_WIDTH>().CUBE_OUT_WIDTH());
    out.out_height = plus1(f.get<r::D_DATA_CUBE_OUT_HEIGHT>().CUBE_OUT_HEIGHT());
    if (!out.flying && mode.SPLIT_NUM() != 0) {
        const auto in = f.get<r::D_PARTIAL_WIDTH_IN>();
        const auto to = f.get<r::D_PARTIAL_WIDTH_OUT>();
        const int middle = static_cast<int>(mode.SPLIT_NUM()) - 1;
        out.width = plus1(in.PARTIAL_WIDTH_IN_FIRST()) + plus1(in.PARTIAL_WIDTH_IN_LAST()) +
                    middle * plus1(in.PARTIAL_WIDTH_IN_MID());
        out.out_width = plus1(to.PARTIAL_WIDTH_OUT_FIRST()) + plus1(to.PARTIAL_WIDTH_OUT_LAST()) +
                        middle * plus1(to.PARTIAL_WIDTH_OUT_MID());
    }
    out.kernel_width = plus1(kernel.KERNEL_WIDTH() & 7);
    out.kernel_height = plus1(kernel.KERNEL_HEIGHT() & 7);
    out.stride_x = plus1(kernel.KERNEL_STRIDE_WIDTH());
    out.stride_y = plus1(kernel.KERNEL_STRIDE_HEIGHT());
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_top = static_cast<int>(pad.PAD_TOP());
    out.recip_width = f.get<r::D_RECIP_KERNEL_WIDTH>().RECIP_KERNEL_WIDTH();
    out.recip_height = f.get<r::D_RECIP_KERNEL_HEIGHT>().RECIP_KERNEL_HEIGHT();
    for (std::uint32_t n = 1; n < 8; ++n) {
        const std::uint32_t offset = r::D_POOLING_PADDING_VALUE_1_CFG::kOffset + 4 * (n - 1);
        out.pad[n] = static_cast<std::int32_t>(pdp_wrap(f.value(offset), 19));
    }
    out.dst_addr =
        address(f.get<r::D_DST_BASE_ADDR_HIGH>().raw, f.get<r::D_DST_BASE_ADDR_LOW>().raw);
    out.line_stride = f.get<r::D_DST_LINE_STRIDE>().raw;
    out.surf_stride = f.get<r::D_DST_SURFACE_STRIDE>().raw;
    return out;
}

PdpRdmaLayer Device::pdp_rdma_registers() const {
    namespace r = regs::pdp_rdma;
    const RegisterFile& f = pdp_rdma_regs_;
    PdpRdmaLayer out;
    out.width = plus1(f.get<r::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH());
    const std::uint32_t split = f.get<r::D_OPERATION_MODE_CFG>().SPLIT_NUM();
    if (split != 0) {
        const auto in = f.get<r::D_PARTIAL_WIDTH_IN>();
        out.width = plus1(in.PARTIAL_WIDTH_IN_FIRST()) + plus1(in.PARTIAL_WIDTH_IN_LAST()) +
                    (static_cast<int>(split) - 1) * plus1(in.PARTIAL_WIDTH_IN_MID());
    }
    out.height = plus1(f.get<r::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT());
    out.channels = plus1(f.get<r::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL());
    out.src_addr =
        address(f.get<r::D_SRC_BASE_ADDR_HIGH>().raw, f.get<r::D_SRC_BASE_ADDR_LOW>().raw);
    out.line_stride = f.get<r::D_SRC_LINE_STRIDE>().raw;
    out.surf_stride = f.get<r::D_SRC_SURFACE_STRIDE>().raw;
    return out;
}

bool Device::step_offline_pdp() {
    if (!pdp_regs_.running() || !pdp_rdma_regs_.running()) return false;
    const PdpLayer layer = pdp_registers();
    if (layer.flying) return false;
    const PdpRdmaLayer rdma = pdp_rdma_registers();
    if (rdma.width != layer.width || rdma.height != layer.height ||
        rdma.channels != layer.channels) {
        violation("cube sizes of PDP and PDP_RDMA differ");
        return false;
    }
    const std::uint64_t mask = address(0xFFFFFFFFu, 0xFFFFFFFFu);
    tb::Memory& source = memory(pdp_rdma_regs_.get<regs::pdp_rdma::D_SRC_RAM_CFG>().SRC_RAM_TYPE());
    const auto input = pdp_read_input(sizes_.atom_bytes, rdma,
                                      [&](std::uint64_t addr, std::uint8_t* to, std::size_t n) {
                                          source.read(addr & mask, to, n);
                                      });
    pdp_rdma_regs_.op_done();
    run_pdp(layer, input);
    return true;
}

/// Runs the PDP layer in front over its input.
void Device::run_pdp(const PdpLayer& layer, const std::vector<std::int8_t>& input) {
    const auto atom = static_cast<std::ptrdiff_t>(sizes_.atom_bytes);
    const std::uint64_t mask = address(0xFFFFFFFFu, 0xFFFFFFFFu);
    const PdpResult result = pdp_layer(sizes_.atom_bytes, layer, input);
    tb::Memory& target = memory(pdp_regs_.get<regs::pdp::D_DST_RAM_CFG>().DST_RAM_TYPE());
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(atom));
    auto element = result.data.begin();
    for (const std::uint64_t addr : result.addrs) {
        std::transform(element, element + atom, bytes.begin(),
                       [](std::int8_t v) { return static_cast<std::uint8_t>(v); });
        element += atom;
        target.write(addr & mask, bytes.data(), bytes.size());
    }
    raise(kPdpBit, pdp_regs_.consumer());
    pdp_regs_.op_done();
}

// ---- CDP

CdpLayer Device::cdp_registers() const {
    namespace r = regs::cdp;
    namespace m = regs::cdp_rdma;
    const RegisterFile& f = cdp_regs_;
    const RegisterFile& in = cdp_rdma_regs_;
    CdpLayer out;
    out.width = plus1(in.get<m::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(in.get<m::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(in.get<m::D_DATA_CUBE_CHANNEL>().CHANNEL());
    out.src_addr =
        address(in.get<m::D_SRC_BASE_ADDR_HIGH>().raw, in.get<m::D_SRC_BASE_ADDR_LOW>().raw);
    out.src_line = in.get<m::D_SRC_LINE_STRIDE>().raw;
    out.src_surf = in.get<m::D_SRC_SURFACE_STRIDE>().raw;
    out.dst_addr =
        address(f.get<r::D_DST_BASE_ADDR_HIGH>().raw, f.get<r::D_DST_BASE_ADDR_LOW>().raw);
    out.dst_line = f.get<r::D_DST_LINE_STRIDE>().raw;
    out.dst_surf = f.get<r::D_DST_SURFACE_STRIDE>().raw;
    out.half = plus1(f.get<r::D_LRN_CFG>().NORMALZ_LEN());
    out.sqsum_bypass = f.get<r::D_FUNC_BYPASS>().SQSUM_BYPASS() != 0;
    out.mul_bypass = f.get<r::D_FUNC_BYPASS>().MUL_BYPASS() != 0;
    out.in_offset = static_cast<std::int8_t>(f.get<r::D_DATIN_OFFSET>().DATIN_OFFSET() & 0xFFu);
    out.in_scale = half(f.get<r::D_DATIN_SCALE>().DATIN_SCALE());
    out.in_shift = static_cast<int>(f.get<r::D_DATIN_SHIFTER>().DATIN_SHIFTER());
    out.out_offset =
        static_cast<std::int32_t>(cdp_wrap(f.get<r::D_DATOUT_OFFSET>().DATOUT_OFFSET(), 25));
    out.out_scale = half(f.get<r::D_DATOUT_SCALE>().DATOUT_SCALE());
    out.out_shift = static_cast<int>(f.get<r::D_DATOUT_SHIFTER>().DATOUT_SHIFTER());
    return out;
}

/// The tables and the S_LUT_ registers of CDP.
Lut Device::cdp_lut() const {
    namespace r = regs::cdp;
    const RegisterFile& f = cdp_regs_;
    const auto bound = [&](std::uint32_t high, std::uint32_t low) {
        return cdp_wrap(static_cast<std::int64_t>(std::uint64_t{high} << 32 | low), 38);
    };
    const auto shift = [](std::uint32_t v) { return static_cast<int>(cdp_wrap(v, 5)); };
    Lut out = cdp_lut_;
    const auto cfg = f.get<r::S_LUT_CFG>();
    out.le_linear = cfg.LUT_LE_FUNCTION() != 0;
    out.uflow_lo = cfg.LUT_UFLOW_PRIORITY() != 0;
    out.oflow_lo = cfg.LUT_OFLOW_PRIORITY() != 0;
    out.hybrid_lo = cfg.LUT_HYBRID_PRIORITY() != 0;
    const auto info = f.get<r::S_LUT_INFO>();
    out.le_offset = static_cast<int>(cdp_wrap(info.LUT_LE_INDEX_OFFSET(), 8));
    out.le.select = static_cast<int>(cdp_wrap(info.LUT_LE_INDEX_SELECT(), 6));
    out.lo.select = static_cast<int>(cdp_wrap(info.LUT_LO_INDEX_SELECT(), 6));
    out.le.start = bound(f.get<r::S_LUT_LE_START_HIGH>().raw, f.get<r::S_LUT_LE_START_LOW>().raw);
    out.le.end = bound(f.get<r::S_LUT_LE_END_HIGH>().raw, f.get<r::S_LUT_LE_END_LOW>().raw);
    out.lo.start = bound(f.get<r::S_LUT_LO_START_HIGH>().raw, f.get<r::S_LUT_LO_START_LOW>().raw);
    out.lo.end = bound(f.get<r::S_LUT_LO_END_HIGH>().raw, f.get<r::S_LUT_LO_END_LOW>().raw);
    const auto le_scale = f.get<r::S_LUT_LE_SLOPE_SCALE>();
    const auto lo_scale = f.get<r::S_LUT_LO_SLOPE_SCALE>();
    out.le.uflow_scale = half(le_scale.LUT_LE_SLOPE_UFLOW_SCALE());
    out.le.oflow_scale = half(le_scale.LUT_LE_SLOPE_OFLOW_SCALE());
    out.lo.uflow_scale = half(lo_scale.LUT_LO_SLOPE_UFLOW_SCALE());
    out.lo.oflow_scale = half(lo_scale.LUT_LO_SLOPE_OFLOW_SCALE());
    const auto le_shift = f.get<r::S_LUT_LE_SLOPE_SHIFT>();
    const auto lo_shift = f.get<r::S_LUT_LO_SLOPE_SHIFT>();
    out.le.uflow_shift = shift(le_shift.LUT_LE_SLOPE_UFLOW_SHIFT());
    out.le.oflow_shift = shift(le_shift.LUT_LE_SLOPE_OFLOW_SHIFT());
    out.lo.uflow_shift = shift(lo_shift.LUT_LO_SLOPE_UFLOW_SHIFT());
    out.lo.oflow_shift = shift(lo_shift.LUT_LO_SLOPE_OFLOW_SHIFT());
    return out;
}

bool Device::step_cdp() {
    if (!cdp_regs_.running() || !cdp_rdma_regs_.running()) return false;
    namespace r = regs::cdp;
    const std::uint64_t mask = address(0xFFFFFFFFu, 0xFFFFFFFFu);
    tb::Memory& source = memory(cdp_rdma_regs_.get<regs::cdp_rdma::D_SRC_DMA_CFG>().SRC_RAM_TYPE());
    tb::Memory& target = memory(cdp_regs_.get<r::D_DST_DMA_CFG>().DST_RAM_TYPE());
    const CdpCounts counts = cdp_layer(
        sizes_.atom_bytes, cdp_registers(), cdp_lut(),
        [&](std::uint64_t addr, std::uint8_t* to, std::size_t n) {
            source.read(addr & mask, to, n);
        },
        [&](std::uint64_t addr, const std::uint8_t* from, std::size_t n) {
            target.write(addr & mask, from, n);
        });
    constexpr std::uint32_t kCounters[] = {
        r::D_PERF_LUT_UFLOW::kOffset, r::D_PERF_LUT_OFLOW::kOffset, r::D_PERF_LUT_HYBRID::kOffset,
        r::D_PERF_LUT_LE_HIT::kOffset, r::D_PERF_LUT_LO_HIT::kOffset};
    for (std::size_t i = 0; i < counts.size(); ++i)
        cdp_regs_.set_counter(kCounters[i], counts[i]);
    raise(kCdpBit, cdp_regs_.consumer());
    cdp_regs_.op_done();
    cdp_rdma_regs_.op_done();
    return true;
}

}  // namespace macrame::model::dla
