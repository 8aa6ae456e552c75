#include "csc.hpp"

#include <string>

#include "sdp.hpp"

namespace macrame::dla::model {

namespace r = dla_regs::csc;

CscUnit::CscUnit(Machine& machine, std::string_view name)
    : Unit(machine, name), book_(machine.sizes.cdma()) {}

ConvLayer CscUnit::layer() const {
    ConvLayer out;
    const auto in = regs.get<r::D_DATAIN_SIZE_EXT_0>();
    out.width = plus1(in.DATAIN_WIDTH_EXT());
    out.height = plus1(in.DATAIN_HEIGHT_EXT());
    const auto kernel = regs.get<r::D_WEIGHT_SIZE_EXT_0>();
    out.kernel_width = plus1(kernel.WEIGHT_WIDTH_EXT());
    out.kernel_height = plus1(kernel.WEIGHT_HEIGHT_EXT());
    out.channels = plus1(regs.get<r::D_WEIGHT_SIZE_EXT_1>().WEIGHT_CHANNEL_EXT());
    out.kernels = plus1(regs.get<r::D_WEIGHT_SIZE_EXT_1>().WEIGHT_KERNEL());
    const auto size = regs.get<r::D_DATAOUT_SIZE_0>();
    out.out_width = plus1(size.DATAOUT_WIDTH());
    out.out_height = plus1(size.DATAOUT_HEIGHT());
    out.positions = plus1(regs.get<r::D_ATOMICS>().ATOMICS());
    const auto stride = regs.get<r::D_CONV_STRIDE_EXT>();
    out.stride_x = plus1(stride.CONV_X_STRIDE_EXT());
    out.stride_y = plus1(stride.CONV_Y_STRIDE_EXT());
    const auto dilation = regs.get<r::D_DILATION_EXT>();
    out.dilation_x = plus1(dilation.X_DILATION_EXT());
    out.dilation_y = plus1(dilation.Y_DILATION_EXT());
    const auto pad = regs.get<r::D_ZERO_PADDING>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_top = static_cast<int>(pad.PAD_TOP());
    out.pad_value = signed8(regs.get<r::D_ZERO_PADDING_VALUE>().PAD_VALUE());
    out.entries_per_slice = plus1(regs.get<r::D_ENTRY_PER_SLICE>().ENTRIES());
    out.weight_bytes = regs.get<r::D_WEIGHT_BYTES>().raw;
    out.release = plus1(regs.get<r::D_RELEASE>().RLS_SLICES());
    read_buffer_use(regs.get<r::D_BANK>(), regs.get<r::D_MISC_CFG>(), out);
    out.truncate = unit<CaccUnit>("CACC").truncate();
    out.is_image = regs.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    if (out.is_image) {
        out.components = plus1(regs.get<r::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT());
        const std::uint32_t extension = regs.get<r::D_POST_Y_EXTENSION>().Y_EXTENSION();
        out.rows_per_step = extension == 0 ? 1 : extension == 1 ? 2 : 4;
        out.kernel_width = 1;
    }
    return out;
}

bool CscUnit::change_banks(std::uint64_t layers, int data_banks, int weight_banks) {
    if (finished_ != layers || !regs.running()) return false;
    const ConvLayer next = layer();
    if (next.data_banks != data_banks || next.weight_banks != weight_banks) {
        machine_.violation("D_BANK of CDMA and CSC differ");
        return false;
    }
    book_.bank_change(next);
    return true;
}

/// Takes the layer over and waits for its input. True: all of it is there.
bool CscUnit::begin(const ConvLayer& layer) {
    if (book_.banks_move(layer)) return false;  // CDMA makes the rendezvous
    if (cdma().started() <= finished_) return false;
    if (!begun_) {
        begun_ = true;
        const CscBook::Released released = book_.start(layer);
        cdma().release(released.data, released.weights);
        cdma().fetch();
    }
    if (book_.data_ready(layer)) return true;
    if (!cdma().fetch()) {
        machine_.violation("CSC waits for " + std::to_string(layer.height) +
                           " slices, the buffer has " + std::to_string(book_.slices()) +
                           " and no room for more");
    }
    return book_.data_ready(layer);
}

/// Waits until the first `bytes` weight bytes of the layer are there. False: they never come.
bool CscUnit::wait_for_weights(std::int64_t bytes) {
    while (!book_.weights_ready(bytes)) {
        if (cdma().fetch()) continue;
        machine_.violation("CSC waits for " + std::to_string(bytes) +
                           " weight bytes, the buffer has " + std::to_string(book_.weights()) +
                           " entries and gets no more");
        return false;
    }
    return true;
}

/// Computes the layer group by group; weights make room for others behind the group that used them.
bool CscUnit::convolve(const ConvLayer& layer, std::vector<std::int32_t>& results,
                       std::uint64_t& saturated) {
    const CdmaSizes cbuf_sizes = sizes().cdma();
    const int atomic_c = sizes().atomic_c, atomic_k = sizes().atomic_k;
    const CbufImage& cbuf = cdma().cbuf();
    const ConvInput input = read_input(cbuf_sizes, atomic_c, cbuf, book_, layer);
    for (int g = 0; g * atomic_k < layer.kernels; ++g) {
        const bool last = (g + 1) * atomic_k >= layer.kernels;
        const std::int64_t end = group_start(layer, atomic_k, g + 1);
        if (!wait_for_weights(last ? std::max<std::int64_t>(end, layer.weight_bytes) : end)) {
            return false;
        }
        const auto weights = read_weights(cbuf_sizes, atomic_c, atomic_k, cbuf, book_, layer, g);
        const auto part = convolve_group(atomic_c, atomic_k, layer, input, weights, g, saturated);
        results.insert(results.end(), part.begin(), part.end());
        cdma().release(0, book_.end_group(layer, end, last));
        cdma().fetch();
    }
    return true;
}

bool CscUnit::step() {
    if (!regs.running()) return false;
    Unit &cmac_a = unit("CMAC_A"), &cmac_b = unit("CMAC_B");
    CaccUnit& cacc = unit<CaccUnit>("CACC");
    if (!cmac_a.regs.running() || !cmac_b.regs.running() || !cacc.regs.running()) return false;
    const ConvLayer layer = this->layer();
    if (!begin(layer)) return false;
    SdpUnit& sdp = unit<SdpUnit>("SDP");
    const int groups = (layer.kernels + sizes().atomic_k - 1) / sizes().atomic_k;
    if (!sdp.takes(std::int64_t{1} * layer.positions * groups)) return false;

    std::vector<std::int32_t> results;
    std::uint64_t saturated = 0;
    if (!convolve(layer, results, saturated)) return false;
    cdma().release(book_.end(layer), 0);
    ++finished_;
    begun_ = false;
    regs.op_done();
    cmac_a.regs.op_done();
    cmac_b.regs.op_done();
    cacc.finish(saturated);
    sdp.run(results);
    return true;
}

}  // namespace macrame::dla::model
