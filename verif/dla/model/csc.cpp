#include "csc.hpp"

#include <string>

#include "sdp.hpp"

namespace macrame::dla::model {

namespace csc = dla_regs::csc;

CscUnit::CscUnit(DeviceState& machine, std::string_view name)
    : Unit(machine, name), book_(machine.sizes.cdma()) {}

ConvLayer CscUnit::layer() const {
    ConvLayer out;
    const auto in = regs.get<csc::D_DATAIN_SIZE_EXT_0>();
    out.width = plus1(in.DATAIN_WIDTH_EXT());
    out.height = plus1(in.DATAIN_HEIGHT_EXT());
    const auto kernel = regs.get<csc::D_WEIGHT_SIZE_EXT_0>();
    out.kernel_width = plus1(kernel.WEIGHT_WIDTH_EXT());
    out.kernel_height = plus1(kernel.WEIGHT_HEIGHT_EXT());
    out.channels = plus1(regs.get<csc::D_WEIGHT_SIZE_EXT_1>().WEIGHT_CHANNEL_EXT());
    out.kernels = plus1(regs.get<csc::D_WEIGHT_SIZE_EXT_1>().WEIGHT_KERNEL());
    const auto size = regs.get<csc::D_DATAOUT_SIZE_0>();
    out.out_width = plus1(size.DATAOUT_WIDTH());
    out.out_height = plus1(size.DATAOUT_HEIGHT());
    out.positions = plus1(regs.get<csc::D_ATOMICS>().ATOMICS());
    const auto stride = regs.get<csc::D_CONV_STRIDE_EXT>();
    out.stride_x = plus1(stride.CONV_X_STRIDE_EXT());
    out.stride_y = plus1(stride.CONV_Y_STRIDE_EXT());
    const auto dilation = regs.get<csc::D_DILATION_EXT>();
    out.dilation_x = plus1(dilation.X_DILATION_EXT());
    out.dilation_y = plus1(dilation.Y_DILATION_EXT());
    const auto pad = regs.get<csc::D_ZERO_PADDING>();
    out.pad_left = static_cast<int>(pad.PAD_LEFT());
    out.pad_top = static_cast<int>(pad.PAD_TOP());
    out.pad_value = signed16(regs.get<csc::D_ZERO_PADDING_VALUE>().PAD_VALUE());
    out.entries_per_slice = plus1(regs.get<csc::D_ENTRY_PER_SLICE>().ENTRIES());
    out.weight_bytes = regs.get<csc::D_WEIGHT_BYTES>().raw;
    out.release = plus1(regs.get<csc::D_RELEASE>().RLS_SLICES());
    read_buffer_use(regs.get<csc::D_BANK>(), regs.get<csc::D_MISC_CFG>(), out);
    out.truncate = unit<CaccUnit>("CACC").truncate();
    out.is_image = regs.get<csc::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    if (out.is_image) {
        out.components = plus1(regs.get<csc::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT());
        const std::uint32_t extension = regs.get<csc::D_POST_Y_EXTENSION>().Y_EXTENSION();
        out.rows_per_step = extension == 0 ? 1 : extension == 1 ? 2 : 4;
        out.kernel_width = 1;
    }
    read_types16(out);
    return out;
}

/// What only configurations with the feature read; elsewhere the fields mean nothing.
void CscUnit::read_types16(ConvLayer& out) const {
    const auto misc = regs.get<csc::D_MISC_CFG>();
    out.precision = sizes().precision(misc.PROC_PRECISION());
    if (sizes().batch) out.batches = plus1(regs.get<csc::D_BATCH_NUMBER>().BATCHES());
    if (sizes().winograd && misc.CONV_MODE() != 0) {
        out.is_winograd = true;
        out.pra_truncate = static_cast<int>(regs.get<csc::D_PRA_CFG>().PRA_TRUNCATE());
    }
    if (sizes().compression && regs.get<csc::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() != 0) {
        out.compressed = true;
        out.mask_bytes = regs.get<csc::D_WMB_BYTES>().raw;
    }
}

/// Do the units of the pipeline have the same type and mode?
bool CscUnit::agrees(const ConvLayer& layer) {
    const auto& cdma_layer = cdma().current();
    std::string wrong;
    const auto check = [&](Precision type, bool winograd, const char* name) {
        if (type != layer.precision) wrong = std::string("PROC_PRECISION of CSC and ") + name;
        if (winograd != layer.is_winograd) wrong = std::string("CONV_MODE of CSC and ") + name;
    };
    for (const char* name : {"CMAC_A", "CMAC_B"}) {
        const auto misc = unit(name).regs.get<dla_regs::cmac_a::D_MISC_CFG>();
        check(sizes().precision(misc.PROC_PRECISION()), sizes().winograd && misc.CONV_MODE() != 0,
              name);
    }
    const auto misc = unit("CACC").regs.get<dla_regs::cacc::D_MISC_CFG>();
    check(sizes().precision(misc.PROC_PRECISION()), sizes().winograd && misc.CONV_MODE() != 0,
          "CACC");
    const bool ahead = cdma().started() > finished_ + 1;  // CDMA is at another layer
    if (!ahead) check(cdma_layer.proc, cdma_layer.is_winograd, "CDMA");
    if (!ahead && cdma_layer.batches != layer.batches) wrong = "BATCHES of CSC and CDMA";
    if (!ahead && cdma_layer.compressed != layer.compressed)
        wrong = "WEIGHT_FORMAT of CSC and CDMA";
    if (!wrong.empty()) machine_.violation(wrong + " differ");
    return wrong.empty();
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
    if (!agrees(layer)) return false;
    if (!begun_) {
        if (machine_.refuses({"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC"})) return false;
        begun_ = true;
        const CscBook::Released released = book_.start(layer);
        cdma().release(released.data, released.weights, released.masks);
        cdma().fetch();
    }
    if (book_.data_ready(layer)) return true;
    if (!cdma().fetch()) {
        machine_.violation("CSC waits for " + std::to_string(layer.slices()) +
                           " slices, the buffer has " + std::to_string(book_.slices()) +
                           " and no room for more");
    }
    return book_.data_ready(layer);
}

/// Waits until the first `bytes` bytes of the layer's weights, or of their masks, are there. False:
/// they never come.
bool CscUnit::wait_for(bool masks, std::int64_t bytes) {
    while (!(masks ? book_.masks_ready(bytes) : book_.weights_ready(bytes))) {
        if (cdma().fetch()) continue;
        machine_.violation("CSC waits for " + std::to_string(bytes) +
                           (masks ? " bytes of masks" : " weight bytes") + ", the buffer has " +
                           std::to_string(masks ? book_.masks() : book_.weights()) +
                           " entries and gets no more");
        return false;
    }
    return true;
}

/// Waits for the weights of a group; `end`: byte of the stored weights behind it.
bool CscUnit::find_group(const ConvLayer& layer, bool last, GroupStream& group, std::int64_t& end) {
    const std::int64_t mask_end = (group.mask + group.count + 7) / 8;
    if (layer.compressed &&
        !wait_for(true, last ? std::max<std::int64_t>(mask_end, layer.mask_bytes) : mask_end)) {
        return false;
    }
    group.weights.start = book_.weight_entry();
    group.masks.start = book_.mask_entry();
    end = group.first + group.stored_bytes(layer.precision);
    return wait_for(false, last ? std::max<std::int64_t>(end, layer.weight_bytes) : end);
}

/// Computes the layer group by group; weights make room for others behind the group that used them.
bool CscUnit::convolve(const ConvLayer& layer, ConvResults& results) {
    const int atomic_c = sizes().atomic_c, atomic_k = group_kernels(layer);
    const int depth = sizes().cbuf_depth;
    const CbufImage& cbuf = cdma().cbuf();
    const ConvInput input(sizes().cdma(), atomic_c, cbuf, book_, layer);
    GroupStream group{{cbuf, layer.data_banks * depth, layer.weight_banks * depth, 0},
                      {cbuf, (sizes().cbuf_banks - 1) * depth, depth, 0}};
    group.compressed = layer.compressed;
    for (int g = 0; g * atomic_k < layer.kernels; ++g) {
        const bool last = (g + 1) * atomic_k >= layer.kernels;
        group.count = group_elements(layer, atomic_k, g + 1) - group.mask;
        std::int64_t end = 0;
        if (!find_group(layer, last, group, end)) return false;
        const Elements weights =
            arrange_weights(layer, atomic_c, std::min(atomic_k, layer.kernels - g * atomic_k),
                            group.expand(layer.precision));
        convolve_group(atomic_c, atomic_k, layer, input, weights, results);
        group.first = end;
        group.mask += group.count;
        const int masks = layer.compressed ? book_.end_group_masks(layer, group.mask / 8, last) : 0;
        cdma().release(0, book_.end_group(layer, end, last), masks);
        cdma().fetch();
    }
    return true;
}

void CscUnit::add_registers(LayerRegisters& to) const {
    Unit::add_registers(to);
    to.before = kept_;
}

/// What the layer leaves in the buffer for the rules of the next one.
void CscUnit::keep() {
    LayerRegisters done;
    cdma().add_registers(done);
    add_registers(done);
    kept_ = kept_after(sizes(), done);
    cdma().forget();
}

bool CscUnit::step() {
    if (!regs.running()) return false;
    Unit &cmac_a = unit("CMAC_A"), &cmac_b = unit("CMAC_B");
    CaccUnit& cacc = unit<CaccUnit>("CACC");
    if (!cmac_a.regs.running() || !cmac_b.regs.running() || !cacc.regs.running()) return false;
    const ConvLayer layer = this->layer();
    if (!begin(layer)) return false;
    SdpUnit& sdp = unit<SdpUnit>("SDP");
    const int groups = (layer.kernels + group_kernels(layer) - 1) / group_kernels(layer);
    if (!sdp.takes(std::int64_t{1} * layer.positions * layer.batches * groups)) return false;

    ConvResults results;
    results.ties.truncate = layer.truncate;
    if (!convolve(layer, results)) return false;
    cdma().release(book_.end(layer), 0);
    ++finished_;
    keep();
    begun_ = false;
    regs.op_done();
    cmac_a.regs.op_done();
    cmac_b.regs.op_done();
    cacc.finish(results.saturated);
    sdp.run(results.words, results.ties);
    return true;
}

}  // namespace macrame::dla::model
