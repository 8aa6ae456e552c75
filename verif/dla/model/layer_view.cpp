#include "layer_view.hpp"

#include <algorithm>

#include "pdp.hpp"

namespace macrame::dla::model::rules {

std::string Cube::text() const {
    return std::to_string(width) + " x " + std::to_string(height) + " x " +
           std::to_string(channels);
}

Conv::Conv(L l) {
    const auto format = l.get<cdma::D_DATAIN_FORMAT>();
    pixels = format.DATAIN_FORMAT() != 0;
    code = format.PIXEL_FORMAT();
    const auto misc = l.get<cdma::D_MISC_CFG>();
    winograd = l.sizes.winograd && misc.CONV_MODE() != 0;
    bytes = bytes_of_field(l, misc.PROC_PRECISION());
    compressed = l.sizes.compression && l.get<cdma::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() != 0;
    batches = l.sizes.batch ? plus1(l.get<cdma::D_BATCH_NUMBER>().BATCHES()) : 1;
    const auto fetch_stride = l.get<cdma::D_CONV_STRIDE>();
    fetch_stride_x = plus1(fetch_stride.CONV_X_STRIDE());
    fetch_stride_y = plus1(fetch_stride.CONV_Y_STRIDE());
    const auto extended = l.get<cdma::D_DATAIN_SIZE_EXT_0>();
    extended_width = plus1(extended.DATAIN_WIDTH_EXT());
    extended_height = plus1(extended.DATAIN_HEIGHT_EXT());
    const auto size = l.get<cdma::D_DATAIN_SIZE_0>();
    fetched = {plus1(size.DATAIN_WIDTH()), plus1(size.DATAIN_HEIGHT()),
               plus1(l.get<cdma::D_DATAIN_SIZE_1>().DATAIN_CHANNEL()), bytes};
    const auto ext = l.get<csc::D_DATAIN_SIZE_EXT_0>();
    in = {plus1(ext.DATAIN_WIDTH_EXT()), plus1(ext.DATAIN_HEIGHT_EXT()),
          plus1(l.get<csc::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT())};
    const auto kernel = l.get<csc::D_WEIGHT_SIZE_EXT_0>();
    const auto weight = l.get<csc::D_WEIGHT_SIZE_EXT_1>();
    taps_x = plus1(kernel.WEIGHT_WIDTH_EXT());
    taps_y = plus1(kernel.WEIGHT_HEIGHT_EXT());
    weight_channels = plus1(weight.WEIGHT_CHANNEL_EXT());
    kernels = plus1(weight.WEIGHT_KERNEL());
    kernel_bytes = taps_x * taps_y * weight_channels * bytes;
    const auto dilation = l.get<csc::D_DILATION_EXT>();
    // Image: the line of a kernel is folded into its channels (pre-extension).
    const std::int64_t line = pixels ? weight_channels / in.channels : taps_x;
    window_x = (line - 1) * (pixels ? 1 : plus1(dilation.X_DILATION_EXT())) + 1;
    window_y = (taps_y - 1) * (pixels ? 1 : plus1(dilation.Y_DILATION_EXT())) + 1;
    const auto stride = l.get<csc::D_CONV_STRIDE_EXT>();
    stride_x = plus1(stride.CONV_X_STRIDE_EXT());
    stride_y = plus1(stride.CONV_Y_STRIDE_EXT());
    const auto pad = l.get<cdma::D_ZERO_PADDING>();
    left = pad.PAD_LEFT();
    right = pad.PAD_RIGHT();
    top = pad.PAD_TOP();
    bottom = pad.PAD_BOTTOM();
    const auto size_out = l.get<csc::D_DATAOUT_SIZE_0>();
    out = {plus1(size_out.DATAOUT_WIDTH()), plus1(size_out.DATAOUT_HEIGHT()),
           plus1(l.get<csc::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL())};
    const auto bank = l.get<cdma::D_BANK>();
    data_banks = plus1(bank.DATA_BANK());
    weight_banks = plus1(bank.WEIGHT_BANK());
}

std::int64_t Conv::entries_per_slice(S s) const {
    const std::int64_t entry = s.entry_bytes, atom = s.atom_bytes;
    if (pixels) return ceil_div((left + fetched.width + right) * fetched.channels * bytes, entry);
    if (winograd) return extended_width / 4 * extended_channels(s) * bytes * 4 / entry;
    const std::int64_t atoms = ceil_div(fetched.channels * bytes, atom), per = entry / atom;
    const std::int64_t rest = atoms % per, w = fetched.width;
    return atoms / per * w + (rest == 3 ? w : ceil_div(rest * w, per));
}

std::int64_t Conv::group_kernels(S s) const {
    return std::min<std::int64_t>(kernels, s.atom_bytes / bytes);
}

std::int64_t Conv::group_bytes(S s) const { return group_kernels(s) * kernel_bytes; }

std::uint32_t Conv::pixel_type(S s) const {
    return !format(s).bits16 ? 0 : is_float_format(static_cast<int>(code)) ? 2 : 1;
}

std::int64_t Conv::least_weight_bytes(S s) const {
    if (compressed) return 0;
    return std::min(round_up(kernels * kernel_bytes, 128), group_bytes(s) + 128);
}

WeightUse weight_use(S s, L l) {
    const Conv c(l);
    const auto misc = l.get<cdma::D_MISC_CFG>();
    const std::int64_t bytes = l.get<cdma::D_WEIGHT_BYTES>().raw;
    WeightUse out;
    out.data_banks = static_cast<int>(c.data_banks);
    out.weight_banks = static_cast<int>(c.weight_banks);
    out.region = c.weight_banks * s.cbuf_depth;
    out.occupied = ceil_div(bytes, s.entry_bytes);
    out.filled = std::min(ceil_div(c.kernels * c.kernel_bytes, s.entry_bytes), out.occupied);
    out.least = ceil_div(c.least_weight_bytes(s), s.entry_bytes);
    out.reuse = misc.WEIGHT_REUSE() != 0;
    out.skip_release = misc.SKIP_WEIGHT_RLS() != 0;
    return out;
}

bool is_conv(L l) { return l.has("CDMA"); }
bool is_feature(L l) { return !Conv(l).pixels; }
bool is_image(L l) { return Conv(l).pixels; }
bool is_winograd(L l) { return is_conv(l) && Conv(l).winograd; }
bool is_batch(L l) { return is_conv(l) && Conv(l).batches > 1; }
bool is_compressed(L l) { return Conv(l).compressed; }

bool lines_join(L l) {
    const Conv c(l);
    return l.get<cdma::D_MISC_CFG>().DATA_REUSE() != 0 && l.before.data_banks == c.data_banks &&
           l.before.pixels == c.pixels && l.before.winograd == c.winograd;
}
bool data_kept(L l) { return lines_join(l) && l.before.skip_data_release; }

Cube sdp_cube(L l) {
    return {plus1(l.get<sdp::D_DATA_CUBE_WIDTH>().WIDTH()),
            plus1(l.get<sdp::D_DATA_CUBE_HEIGHT>().HEIGHT()),
            plus1(l.get<sdp::D_DATA_CUBE_CHANNEL>().CHANNEL()),
            bytes_of_field(l, l.get<sdp::D_DATA_FORMAT>().PROC_PRECISION())};
}
Cube sdp_out(L l) {
    Cube out = sdp_cube(l);
    const int bytes = bytes_of_field(l, l.get<sdp::D_DATA_FORMAT>().OUT_PRECISION());
    out.parts = bytes > out.bytes ? 2 : 1;
    return out;
}
Cube rdma_cube(L l) {
    return {plus1(l.get<rdma::D_DATA_CUBE_WIDTH>().WIDTH()),
            plus1(l.get<rdma::D_DATA_CUBE_HEIGHT>().HEIGHT()),
            plus1(l.get<rdma::D_DATA_CUBE_CHANNEL>().CHANNEL()),
            bytes_of_field(l, l.get<rdma::D_FEATURE_MODE_CFG>().PROC_PRECISION())};
}
Cube rdma_in(L l) {
    Cube out = rdma_cube(l);
    const int bytes = bytes_of_field(l, l.get<rdma::D_FEATURE_MODE_CFG>().IN_PRECISION());
    out.parts = bytes > out.bytes ? 2 : 1;
    return out;
}
Cube pdp_in(L l) {
    return {plus1(l.get<pdp::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH()),
            plus1(l.get<pdp::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT()),
            plus1(l.get<pdp::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL()),
            bytes_of_field(l, l.get<pdp::D_DATA_FORMAT>().INPUT_DATA())};
}
Cube pdp_out(L l) {
    return {plus1(l.get<pdp::D_DATA_CUBE_OUT_WIDTH>().CUBE_OUT_WIDTH()),
            plus1(l.get<pdp::D_DATA_CUBE_OUT_HEIGHT>().CUBE_OUT_HEIGHT()),
            plus1(l.get<pdp::D_DATA_CUBE_OUT_CHANNEL>().CUBE_OUT_CHANNEL()),
            bytes_of_field(l, l.get<pdp::D_DATA_FORMAT>().INPUT_DATA())};
}
Cube pdp_rdma_in(L l) {
    return {plus1(l.get<pdp_rdma::D_DATA_CUBE_IN_WIDTH>().CUBE_IN_WIDTH()),
            plus1(l.get<pdp_rdma::D_DATA_CUBE_IN_HEIGHT>().CUBE_IN_HEIGHT()),
            plus1(l.get<pdp_rdma::D_DATA_CUBE_IN_CHANNEL>().CUBE_IN_CHANNEL()),
            bytes_of_field(l, l.get<pdp_rdma::D_DATA_FORMAT>().INPUT_DATA())};
}
Cube cdp_cube(L l) {
    return {plus1(l.get<cdp_rdma::D_DATA_CUBE_WIDTH>().WIDTH()),
            plus1(l.get<cdp_rdma::D_DATA_CUBE_HEIGHT>().HEIGHT()),
            plus1(l.get<cdp_rdma::D_DATA_CUBE_CHANNEL>().CHANNEL()),
            bytes_of_field(l, l.get<cdp_rdma::D_DATA_FORMAT>().INPUT_DATA())};
}

static Stage make_stage(bool bypass, bool alu_bypass, bool mul_bypass, bool alu_mem, bool mul_mem) {
    Stage out;
    out.active = !bypass;
    out.alu = !bypass && !alu_bypass;
    out.mul = !bypass && !mul_bypass;
    out.alu_memory = out.alu && alu_mem;
    out.mul_memory = out.mul && mul_mem;
    return out;
}
Stage bs_stage(L l) {
    const auto c = l.get<sdp::D_DP_BS_CFG>();
    return make_stage(c.BS_BYPASS() != 0, c.BS_ALU_BYPASS() != 0, c.BS_MUL_BYPASS() != 0,
                      l.get<sdp::D_DP_BS_ALU_CFG>().BS_ALU_SRC() != 0,
                      l.get<sdp::D_DP_BS_MUL_CFG>().BS_MUL_SRC() != 0);
}
Stage bn_stage(L l) {
    const auto c = l.get<sdp::D_DP_BN_CFG>();
    return make_stage(c.BN_BYPASS() != 0, c.BN_ALU_BYPASS() != 0, c.BN_MUL_BYPASS() != 0,
                      l.get<sdp::D_DP_BN_ALU_CFG>().BN_ALU_SRC() != 0,
                      l.get<sdp::D_DP_BN_MUL_CFG>().BN_MUL_SRC() != 0);
}
Stage ew_stage(L l) {
    const auto c = l.get<sdp::D_DP_EW_CFG>();
    return make_stage(c.EW_BYPASS() != 0, c.EW_ALU_BYPASS() != 0, c.EW_MUL_BYPASS() != 0,
                      l.get<sdp::D_DP_EW_ALU_CFG>().EW_ALU_SRC() != 0,
                      l.get<sdp::D_DP_EW_MUL_CFG>().EW_MUL_SRC() != 0);
}
bool compares(L l) { return ew_stage(l).alu && l.get<sdp::D_DP_EW_CFG>().EW_ALU_ALGO() == 3; }
bool uses_lut(L l) {
    const auto c = l.get<sdp::D_DP_EW_CFG>();
    return c.EW_BYPASS() == 0 && c.EW_LUT_BYPASS() == 0;
}
bool to_memory(L l) { return l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0 && !compares(l); }
bool offline(L l) { return l.get<rdma::D_FEATURE_MODE_CFG>().FLYING_MODE() == 0; }

static Stream make_stream(std::uint32_t disable, std::uint32_t use, std::uint32_t size,
                          std::uint32_t mode) {
    return {disable == 0, use, mode != 0, size != 0, (use == 2 ? 2 : 1) * (size != 0 ? 2 : 1)};
}
Stream bs_stream(L l) {
    const auto c = l.get<rdma::D_BRDMA_CFG>();
    return make_stream(c.BRDMA_DISABLE(), c.BRDMA_DATA_USE(), c.BRDMA_DATA_SIZE(),
                       c.BRDMA_DATA_MODE());
}
Stream bn_stream(L l) {
    const auto c = l.get<rdma::D_NRDMA_CFG>();
    return make_stream(c.NRDMA_DISABLE(), c.NRDMA_DATA_USE(), c.NRDMA_DATA_SIZE(),
                       c.NRDMA_DATA_MODE());
}
Stream ew_stream(L l) {
    const auto c = l.get<rdma::D_ERDMA_CFG>();
    return make_stream(c.ERDMA_DISABLE(), c.ERDMA_DATA_USE(), c.ERDMA_DATA_SIZE(),
                       c.ERDMA_DATA_MODE());
}

Pool::Pool(L l) : in(pdp_in(l)), out(pdp_out(l)) {
    const auto k = l.get<pdp::D_POOLING_KERNEL_CFG>();
    kw = plus1(k.KERNEL_WIDTH());
    kh = plus1(k.KERNEL_HEIGHT());
    sx = plus1(k.KERNEL_STRIDE_WIDTH());
    sy = plus1(k.KERNEL_STRIDE_HEIGHT());
    const auto p = l.get<pdp::D_POOLING_PADDING_CFG>();
    left = p.PAD_LEFT();
    right = p.PAD_RIGHT();
    top = p.PAD_TOP();
    bottom = p.PAD_BOTTOM();
    const auto mode = l.get<pdp::D_OPERATION_MODE_CFG>();
    method = mode.POOLING_METHOD();
    flying = mode.FLYING_MODE() == 0;
    strips = plus1(mode.SPLIT_NUM());
    const auto i = l.get<pdp::D_PARTIAL_WIDTH_IN>();
    in_first = plus1(i.PARTIAL_WIDTH_IN_FIRST());
    in_mid = plus1(i.PARTIAL_WIDTH_IN_MID());
    in_last = plus1(i.PARTIAL_WIDTH_IN_LAST());
    const auto o = l.get<pdp::D_PARTIAL_WIDTH_OUT>();
    out_first = plus1(o.PARTIAL_WIDTH_OUT_FIRST());
    out_mid = plus1(o.PARTIAL_WIDTH_OUT_MID());
    out_last = plus1(o.PARTIAL_WIDTH_OUT_LAST());
}

std::int64_t Pool::max_width() const {
    return pdp_line_limit(static_cast<int>(kh), static_cast<int>(sy));
}

std::int64_t pad_value(L l, std::uint32_t n) {
    // The seven registers follow each other; 19 bits, signed.
    const std::uint32_t raw =
        l.word(pdp::D_POOLING_PADDING_VALUE_1_CFG::kAddress + 4 * (n - 1)) & 0x7FFFFu;
    return std::int64_t{raw} - ((raw & 0x40000u) != 0 ? 0x80000 : 0);
}

}  // namespace macrame::dla::model::rules
