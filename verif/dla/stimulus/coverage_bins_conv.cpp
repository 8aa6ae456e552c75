/// Bins of the convolution units.

#include "coverage_bins.hpp"
#include "verif/dla/model/arithmetic.hpp"
#include "verif/dla/model/image.hpp"

namespace macrame::dla::stimulus::cover {

using dla::model::signed16;
using dla::model::signed8;

const Bins::Labels kInputs = {"feature", "pixels"};

/// Input kinds of the configuration.
static Bins::Labels inputs(Sizes sizes) { return sizes.image ? kInputs : Bins::Labels{"feature"}; }

static void cdma_pixels(Bins& bins, Now now, bool pixels) {
    namespace r = regs::cdma;
    const auto format = now.get<r::D_DATAIN_FORMAT>();
    const std::uint32_t code = format.PIXEL_FORMAT();
    const Bins::Labels sign = {"unsigned", "signed"};
    const int is_signed = flag(format.PIXEL_SIGN_OVERRIDE());
    const struct {
        std::uint32_t code;
        std::string_view name;
    } formats[] = {{0, "R8"},        {12, "A8B8G8R8"}, {13, "A8R8G8B8"}, {14, "B8G8R8A8"},
                   {15, "R8G8B8A8"}, {16, "X8B8G8R8"}, {17, "X8R8G8B8"}, {18, "B8G8R8X8"},
                   {19, "R8G8B8X8"}, {26, "A8Y8U8V8"}, {27, "V8U8Y8A8"}, {28, "Y8 U8V8"},
                   {29, "Y8 V8U8"}};
    Bins::Labels names;
    int index = -1;
    for (const auto& f : formats) {
        if (pixels && f.code == code) index = static_cast<int>(names.size());
        names.push_back(f.name);
    }
    bins.cross("pixel format", names, index, sign, is_signed);
    const Bins::Labels planes = {"one byte", "four bytes", "two planes"};
    const int plane = !pixels ? -1 : code == 0 ? 0 : code >= 28 ? 2 : 1;
    const bool mean = now.get<r::D_MEAN_FORMAT>().MEAN_FORMAT() != 0;
    bins.cross("pixel mean", planes, plane, kOffOn, mean ? 1 : 0);
    const auto mean_0 = now.get<r::D_MEAN_GLOBAL_0>();
    const bool subtracts = pixels && mean;
    bins.hit("pixel mean negative", subtracts && signed16(mean_0.MEAN_RY()) < 0);
    bins.hit("pixel mean positive", subtracts && signed16(mean_0.MEAN_RY()) > 0);
    bins.cross("pixel convertor", planes, plane, kOffOn, flag(now.get<r::D_CVT_CFG>().CVT_EN()));
    const std::uint32_t offset = now.get<r::D_PIXEL_OFFSET>().PIXEL_X_OFFSET();
    bins.cross("pixel x offset", planes, plane, {"0", "1+"}, flag(offset));
}

/// Types, and modes that only large configurations have.
static void cdma_modes(Bins& bins, Sizes sizes, Now now, bool pixels) {
    namespace r = regs::cdma;
    const auto misc = now.get<r::D_MISC_CFG>();
    const std::uint32_t type = misc.PROC_PRECISION();
    const bool winograd = misc.CONV_MODE() != 0;
    const bool compressed = now.get<r::D_WEIGHT_FORMAT>().WEIGHT_FORMAT() != 0;
    const std::int64_t batches = plus1(now.get<r::D_BATCH_NUMBER>().BATCHES());
    const Types types(sizes);
    Bins::Labels modes = inputs(sizes);
    int mode = pixels ? 1 : 0;
    if (sizes.winograd) {
        if (winograd) mode = static_cast<int>(modes.size());
        modes.push_back("Winograd");
    }
    if (sizes.batch && sizes.max_batch > 1) {
        if (batches > 1) mode = static_cast<int>(modes.size());
        modes.push_back("batch");
        std::vector<int> least = {1};
        for (const int more : {2, 4, 8, 16}) {
            if (more <= sizes.max_batch) least.push_back(more);
        }
        bins.range("batches", batches, least);
    }
    if (sizes.types16()) bins.cross("type", types.names, types.at(type), modes, mode);
    if (sizes.compression) bins.cross("compressed", modes, mode, kOffOn, compressed);
    if (sizes.types16() && sizes.compression) {
        bins.cross("compressed", types.names, types.at(type), kOffOn, compressed);
    }
    nan_flush(bins, sizes, type, now.get<r::D_NAN_FLUSH_TO_ZERO>().NAN_TO_ZERO());
    if (sizes.winograd) {
        const auto stride = now.get<r::D_CONV_STRIDE>();
        bins.range("Winograd x stride", winograd ? plus1(stride.CONV_X_STRIDE()) : 0, {1, 2, 3});
        bins.range("Winograd y stride", winograd ? plus1(stride.CONV_Y_STRIDE()) : 0, {1, 2, 3});
    }
    if (!sizes.image || !sizes.types16()) return;
    const std::uint32_t code = now.get<r::D_DATAIN_FORMAT>().PIXEL_FORMAT();
    for (const std::uint32_t format : {1u,  2u,  3u,  4u,  5u,  6u,  7u,  8u,  9u,  10u, 11u, 20u,
                                       21u, 22u, 23u, 24u, 25u, 30u, 31u, 32u, 33u, 34u, 35u}) {
        if (dla::model::is_float_format(static_cast<int>(format)) && !sizes.fp16) continue;
        bins.hit("pixel format " + std::to_string(format), pixels && code == format);
    }
    const std::uint32_t in = misc.IN_PRECISION();
    bins.cross("pixels of", {"int8", "int16"}, pixels && in < 2 ? static_cast<int>(in) : -1,
               types.names, types.at(type));
}

void cdma(Bins& bins, Sizes sizes, Now now, const UnitRegisters*) {
    namespace r = regs::cdma;
    const bool pixels = now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const auto size = now.get<r::D_DATAIN_SIZE_0>();
    const std::int64_t width = plus1(size.DATAIN_WIDTH()), height = plus1(size.DATAIN_HEIGHT());
    const std::int64_t channels = plus1(now.get<r::D_DATAIN_SIZE_1>().DATAIN_CHANNEL());
    bins.choice("input", inputs(sizes), pixels);
    // A line or column of an entry per pixel must fit.
    const bool may_be_long = (sizes.cbuf_banks - 1) * sizes.cbuf_depth >= 2048;
    shape(bins, width, height, pixels ? 0 : channels, sizes.atom_bytes, may_be_long);
    if (sizes.image) cdma_pixels(bins, now, pixels);
    cdma_modes(bins, sizes, now, pixels);
    if (!pixels) {
        packing(bins, "feature", width, height, now.word(r::D_LINE_STRIDE::kAddress),
                now.word(r::D_SURF_STRIDE::kAddress), sizes.atom_bytes);
    }
    const auto cvt = now.get<r::D_CVT_CFG>();
    const auto cvt_offset = signed16(now.get<r::D_CVT_OFFSET>().CVT_OFFSET());
    const auto cvt_scale = signed16(now.get<r::D_CVT_SCALE>().CVT_SCALE());
    bins.cross("convertor", inputs(sizes), pixels, kOffOn, flag(cvt.CVT_EN()));
    convertor(bins, "convertor", cvt_offset, cvt_scale, cvt.CVT_TRUNCATE(), cvt.CVT_EN() != 0);

    const auto pad = now.get<r::D_ZERO_PADDING>();
    bins.range("pad left", pad.PAD_LEFT(), {0, 1, 2});
    bins.range("pad right", pad.PAD_RIGHT(), {0, 1, 2});
    bins.range("pad top", pad.PAD_TOP(), {0, 1, 2});
    bins.range("pad bottom", pad.PAD_BOTTOM(), {0, 1, 2});
    const bool pads = pad.raw != 0;
    const Bins::Labels signs = {"negative", "zero", "positive"};
    const auto value = signed8(now.get<r::D_ZERO_PADDING_VALUE>().PAD_VALUE());
    bins.cross("pad value", inputs(sizes), pads ? pixels : -1, signs,
               value < 0    ? 0
               : value == 0 ? 1
                            : 2);

    const auto bank = now.get<r::D_BANK>();
    const std::int64_t data_banks = plus1(bank.DATA_BANK());
    const std::int64_t weight_banks = plus1(bank.WEIGHT_BANK());
    if (sizes.cbuf_banks > 2) {  // else each side has one
        bins.range("data banks", data_banks, {1, 2, 3});
        bins.range("weight banks", weight_banks, {1, 2, 3});
    }
    bins.hit("all banks", data_banks + weight_banks == sizes.cbuf_banks);
    bins.range("fetch grain", plus1(now.get<r::D_FETCH_GRAIN>().GRAINS()), {1, 2, 3});
    bins.choice("counters", kOffOn, flag(now.get<r::D_PERF_ENABLE>().DMA_EN()));
    ram(bins, sizes, "data in memory", now.get<r::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE());
    ram(bins, sizes, "weights in memory", now.get<r::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE());
    high_address(bins, sizes, "data", now.word(r::D_DAIN_ADDR_HIGH_0::kAddress));
    high_address(bins, sizes, "weights", now.word(r::D_WEIGHT_ADDR_HIGH::kAddress));
}

/// What stays in the convolution buffer between two layers.
static void reuse(Bins& bins, Sizes sizes, Now now, const UnitRegisters* before) {
    namespace r = regs::csc;
    const UnitRegisters none;
    const UnitRegisters& old = before != nullptr ? *before : none;
    const auto misc = now.get<r::D_MISC_CFG>(), old_misc = old.get<r::D_MISC_CFG>();
    const auto bank = now.get<r::D_BANK>(), old_bank = old.get<r::D_BANK>();
    const bool pixels = now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const bool old_pixels = old.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const bool follows = before != nullptr;
    const bool data_stays = follows && bank.DATA_BANK() == old_bank.DATA_BANK();
    const bool same_banks = data_stays && bank.WEIGHT_BANK() == old_bank.WEIGHT_BANK();
    const std::int64_t left = plus1(old.get<r::D_DATAIN_SIZE_EXT_0>().DATAIN_HEIGHT_EXT()) -
                              plus1(old.get<r::D_RELEASE>().RLS_SLICES());
    const bool asks = misc.DATA_REUSE() != 0, asks_weights = misc.WEIGHT_REUSE() != 0;
    const bool same_kind = data_stays && pixels == old_pixels;
    const bool skipped = old_misc.SKIP_DATA_RLS() != 0;
    const bool kept = asks && same_kind && skipped;
    const bool joined = asks && same_kind && !skipped && left > 0;
    const bool kept_weights = asks_weights && same_banks && old_misc.SKIP_WEIGHT_RLS() != 0;
    bins.cross("data kept", inputs(sizes), kept ? pixels : -1, {"whole"}, 0);
    bins.cross("data kept", inputs(sizes), joined ? pixels : -1, {"with new lines"}, 0);
    if (sizes.cbuf_banks > 2) {
        bins.hit("data kept, weight banks change", (kept || joined) && !same_banks);
        bins.hit("banks change", follows && !same_banks);
    }
    bins.hit("data reuse in vain", asks && !kept && !joined);
    bins.hit("weights kept", kept_weights);
    bins.hit("weights and data kept", kept_weights && (kept || joined));
    bins.hit("weight reuse in vain", asks_weights && !kept_weights);
    bins.hit("banks stay", same_banks);
    if (sizes.image) {
        bins.hit("feature after pixels", follows && old_pixels && !pixels);
        bins.hit("pixels after feature", follows && !old_pixels && pixels);
        bins.hit("weights kept for pixels", kept_weights && pixels);
        bins.hit("kind changes with data reuse", follows && asks && old_pixels != pixels);
    }
    bins.hit("data not released", misc.SKIP_DATA_RLS() != 0);
    bins.hit("weights not released", misc.SKIP_WEIGHT_RLS() != 0);
    const std::int64_t height = plus1(now.get<r::D_DATAIN_SIZE_EXT_0>().DATAIN_HEIGHT_EXT());
    bins.hit("some lines released",
             misc.SKIP_DATA_RLS() == 0 && plus1(now.get<r::D_RELEASE>().RLS_SLICES()) < height);
}

void csc(Bins& bins, Sizes sizes, Now now, const UnitRegisters* before) {
    namespace r = regs::csc;
    const bool pixels = now.get<r::D_DATAIN_FORMAT>().DATAIN_FORMAT() != 0;
    const auto taps = now.get<r::D_WEIGHT_SIZE_EXT_0>();
    const auto weights = now.get<r::D_WEIGHT_SIZE_EXT_1>();
    const auto stride = now.get<r::D_CONV_STRIDE_EXT>();
    const auto dilation = now.get<r::D_DILATION_EXT>();
    const auto pad = now.get<r::D_ZERO_PADDING>();
    const std::int64_t components = plus1(now.get<r::D_DATAIN_SIZE_EXT_1>().DATAIN_CHANNEL_EXT());
    const std::int64_t channels = plus1(weights.WEIGHT_CHANNEL_EXT());
    const std::int64_t columns = pixels ? channels / components : plus1(taps.WEIGHT_WIDTH_EXT());
    const std::int64_t lines = plus1(taps.WEIGHT_HEIGHT_EXT());
    const std::int64_t kernels = plus1(weights.WEIGHT_KERNEL());
    const std::int64_t sx = plus1(stride.CONV_X_STRIDE_EXT());
    const std::int64_t sy = plus1(stride.CONV_Y_STRIDE_EXT());
    const std::int64_t dx = plus1(dilation.X_DILATION_EXT());
    const std::int64_t dy = plus1(dilation.Y_DILATION_EXT());
    const Bins::Labels kinds = inputs(sizes);
    bins.range("kernel width", columns, {1, 2, 3, 4, 6});
    bins.range("kernel height", lines, {1, 2, 3, 4, 6});
    bins.range("x stride", sx, {1, 2, 3, 4, 8});
    bins.range("y stride", sy, {1, 2, 3, 4, 8});
    bins.range("x dilation", dx, {1, 2, 3});
    bins.range("y dilation", dy, {1, 2, 3});
    fit(bins, "channels", pixels ? 0 : channels, sizes.atomic_c);
    if (sizes.image) fit(bins, "bytes of a kernel line", pixels ? channels : 0, sizes.atomic_c);
    fit(bins, "kernels", kernels, sizes.atomic_k);

    const int strided = sx > 1 || sy > 1 ? 1 : 0;
    const int padded = pad.PAD_LEFT() != 0 || pad.PAD_TOP() != 0 ? 1 : 0;
    const int dilated = dx > 1 || dy > 1 ? 1 : 0;
    bins.cross("stride", kinds, pixels, {"1", "more"}, strided);
    bins.cross("padding", kinds, pixels, {"none", "some"}, padded);
    bins.cross("dilated", {"no", "yes"}, dilated, {"stride 1", "stride more"}, strided);
    bins.cross("dilated", {"no", "yes"}, dilated, {"unpadded", "padded"}, padded);
    if (sizes.image) {
        const Bins::Labels rows = {"1", "2", "4"};
        const std::uint32_t y = now.get<r::D_POST_Y_EXTENSION>().Y_EXTENSION();
        const int row = !pixels ? -1 : y == 0 ? 0 : y == 1 ? 1 : 2;
        const Bins::Labels formats = {"1 component", "3 components", "4 components"};
        const int format = components == 1 ? 0 : components == 3 ? 1 : 2;
        // Four lines of a pixel must fit in AC / 4 channels.
        if (sizes.atomic_c >= 16) {
            bins.cross("lines per step", rows, row, formats, format);
        } else {
            bins.choice("lines per step", rows, row);
            bins.choice("pixels of", formats, pixels ? format : -1);
        }
    }
    const auto out = now.get<r::D_DATAOUT_SIZE_0>();
    const std::int64_t width = plus1(out.DATAOUT_WIDTH()), height = plus1(out.DATAOUT_HEIGHT());
    bins.hit("output 1x1", width == 1 && height == 1);
    bins.hit("output wide", width >= 32 && width >= 4 * height);
    bins.hit("output tall", height >= 32 && height >= 4 * width);
    const std::int64_t stream = kernels * channels * plus1(taps.WEIGHT_WIDTH_EXT()) * lines;
    bins.choice("weight stream", {"exact", "padded at its end"},
                now.word(r::D_WEIGHT_BYTES::kAddress) > stream ? 1 : 0);
    if (sizes.winograd) {
        const bool winograd = now.get<r::D_MISC_CFG>().CONV_MODE() != 0;
        bins.range("Winograd truncate",
                   winograd ? std::int64_t{now.get<r::D_PRA_CFG>().PRA_TRUNCATE()} : -1,
                   {0, 1, 2, 3});
    }
    reuse(bins, sizes, now, before);
}

void cacc(Bins& bins, Sizes, Now now, const UnitRegisters*) {
    bins.range("truncate", now.get<regs::cacc::D_CLIP_CFG>().CLIP_TRUNCATE(), {0, 1, 8, 16});
}

}  // namespace macrame::dla::stimulus::cover
