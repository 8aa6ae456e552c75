#include "device.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace macrame::model::dla {

namespace {

namespace regs = dla_regs;

constexpr int kSdpBit = 0, kCdmaDataBit = 16, kCdmaWeightBit = 18, kCaccBit = 20;

int plus1(std::uint32_t field) { return static_cast<int>(field) + 1; }

std::int16_t half(std::uint32_t field) { return static_cast<std::int16_t>(field); }

}  // namespace

Device::Device(const DeviceSizes& sizes, tb::Memory& primary, tb::Memory* secondary)
    : sizes_(sizes),
      primary_(primary),
      secondary_(secondary),
      cdma_(sizes.cdma()),
      cbuf_(sizes.cdma()),
      book_(sizes.cdma()) {
    reset();
}

void Device::reset() {
    for (RegisterFile* file : {&cfgrom_, &glb_, &mcif_, &cvif_, &cdma_regs_, &csc_regs_, &cmac_a_regs_,
                               &cmac_b_regs_, &cacc_regs_, &rdma_regs_, &sdp_regs_}) {
        file->reset();
    }
    cdma_regs_.set_status(regs::cdma::S_CBUF_FLUSH_STATUS::kOffset, 1);
    cycle_ = 0;
    intr_status_ = 0;
    violations_.clear();
    cdma_ = Cdma(sizes_.cdma());
    cbuf_ = CbufImage(sizes_.cdma());
    book_ = CscBook(sizes_.cdma());
    cdma_data_banks_ = cdma_weight_banks_ = 0;
    cdma_started_ = cdma_done_ = conv_done_ = 0;
    data_done_ = weight_done_ = conv_begun_ = false;
}

// ---- registers

RegisterFile* Device::page(std::uint32_t byte_addr) {
    const std::array<RegisterFile*, 10> pages = {
        &cfgrom_,      &glb_,         &mcif_,      &cdma_regs_, &csc_regs_,
        &cmac_a_regs_, &cmac_b_regs_, &cacc_regs_, &rdma_regs_, &sdp_regs_};
    const std::size_t number = byte_addr >> 12;
    if (number == 15 && sizes_.secondary) return &cvif_;
    return number < pages.size() ? pages[number] : nullptr;
}

void Device::csb_write(std::uint32_t byte_addr, std::uint32_t data, bool) {
    RegisterFile* file = page(byte_addr);
    if (file == nullptr) return;
    const std::uint32_t offset = byte_addr & 0xFFFu;
    if (file == &glb_) {
        const std::uint32_t bits = 0x3F0003u | (sizes_.cdp ? 0xCu : 0u) | (sizes_.pdp ? 0x30u : 0u);
        if (offset == regs::glb::S_INTR_SET::kOffset) {
            intr_status_ |= data & bits;
            return;
        }
        if (offset == regs::glb::S_INTR_STATUS::kOffset) {
            intr_status_ &= ~data;
            return;
        }
    }
    // Without a table the data window stores nothing.
    if (file == &sdp_regs_ && offset == regs::sdp::S_LUT_ACCESS_DATA::kOffset) return;
    file->write(offset, data);
}

std::uint32_t Device::csb_read(std::uint32_t byte_addr) {
    RegisterFile* file = page(byte_addr);
    if (file == nullptr) return 0;
    const std::uint32_t offset = byte_addr & 0xFFFu;
    if (file == &glb_ && offset == regs::glb::S_INTR_STATUS::kOffset) return intr_status_;
    return file->read(offset);
}

bool Device::interrupt() {
    return (intr_status_ & ~glb_.value(regs::glb::S_INTR_MASK::kOffset)) != 0;
}

void Device::raise(int bit, int group) { intr_status_ |= 1u << (bit + group); }

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
    out.channels = plus1(f.get<r::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT());
    const auto kernel = f.get<r::D_WEIGHT_SIZE_EXT_0>();
    out.kernel_width = plus1(kernel.WEIGHT_WIDTH_EXT());
    out.kernel_height = plus1(kernel.WEIGHT_HEIGHT_EXT());
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

    out.cvt.offset = static_cast<std::int32_t>(f.get<r::D_CVT_OFFSET>().raw);
    out.cvt.scale = half(f.get<r::D_CVT_SCALE>().CVT_SCALE());
    out.cvt.shift = static_cast<int>(f.get<r::D_CVT_SHIFT>().CVT_SHIFT());
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
    return out;
}

// ---- time

void Device::advance(int n) {
    cycle_ += static_cast<std::uint64_t>(std::max(n, 0));
    step();
}

bool Device::step() { return step_cdma() || step_conv() || step_idle_rdma() || step_offline_sdp(); }

// ---- CDMA

bool Device::step_cdma() {
    const bool started = start_cdma();
    return fetch() || started;
}

/// Takes the next layer over if nothing is in the way.
bool Device::start_cdma() {
    if (cdma_started_ != cdma_done_ || !cdma_regs_.running()) return false;
    const CdmaLayer layer = cdma_layer();
    if (cdma_regs_.get<regs::cdma::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0) {
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
    if (layer.to_pdp) {
        violation("SDP: output to PDP is not built");
        return false;
    }
    return rdma_ready(layer);
}

/// The layer takes part of SDP_RDMA.
bool Device::needs_rdma(const SdpLayer& layer) {
    return !layer.flying || layer.bs.needs_memory() || layer.bn.needs_memory();
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
        (layer.bn.needs_memory() && !rdma.bn.enable)) {
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
    if (!rdma.flying || rdma.bs.enable || rdma.bn.enable) return false;
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
    std::vector<SdpOperand> bs, bn;
    if (layer.bs.needs_memory()) bs = sdp_read_operands(atom, rdma, rdma.bs, reader(bs_source));
    if (layer.bn.needs_memory()) bn = sdp_read_operands(atom, rdma, rdma.bn, reader(bn_source));
    const SdpResult result = sdp_layer(
        atom, layer, layer.flying ? flying : sdp_read_main(atom, rdma, reader(source)), bs, bn);

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
    raise(kSdpBit, sdp_regs_.consumer());
    sdp_regs_.op_done();
    if (needs_rdma(layer)) rdma_regs_.op_done();
}

}  // namespace macrame::model::dla
