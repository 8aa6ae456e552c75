/// Bins of ROW, RUBIK and BDMA.

#include "coverage_bins.hpp"
#include "verif/dla/model/precision.hpp"

namespace macrame::dla::stimulus::cover {

namespace {

/// Strides of `lines` lines of `bytes` bytes, and of `surfaces` surfaces or planes of them.
void strides(Bins& bins, const std::string& name, std::int64_t bytes, std::int64_t lines,
             std::int64_t surfaces, std::int64_t line, std::int64_t surface) {
    bins.hit(name + " lines packed", lines > 1 && line == bytes);
    bins.hit(name + " lines with gaps", lines > 1 && line > bytes);
    bins.hit(name + " surfaces packed", surfaces > 1 && surface == line * lines);
    bins.hit(name + " surfaces with gaps", surfaces > 1 && surface > line * lines);
}

}  // namespace

void row(Bins& bins, Sizes sizes, Now now, Before) {
    namespace r = regs::row;
    const std::int64_t width = plus1(now.get<r::D_DATA_CUBE_WIDTH>().WIDTH());
    const std::int64_t height = plus1(now.get<r::D_DATA_CUBE_HEIGHT>().HEIGHT());
    const std::int64_t channels = plus1(now.get<r::D_DATA_CUBE_CHANNEL>().CHANNEL());
    const std::int64_t surfaces = (channels + sizes.atom_bytes - 1) / sizes.atom_bytes;
    bins.choice("mode", {"softmax", "layer norm", "rms norm"},
                static_cast<int>(now.get<r::D_MISC_CFG>().ROW_MODE()));
    fit(bins, "channels", channels, sizes.atom_bytes);
    bins.hit("a row of one element", channels == 1);
    bins.hit("one row", width == 1 && height == 1);
    strides(bins, "input", width * sizes.atom_bytes, height, surfaces,
            now.word(r::D_SRC_LINE_STRIDE::kAddress), now.word(r::D_SRC_SURFACE_STRIDE::kAddress));
    strides(bins, "output", width * sizes.atom_bytes, height, surfaces,
            now.word(r::D_DST_LINE_STRIDE::kAddress), now.word(r::D_DST_SURFACE_STRIDE::kAddress));
    ram(bins, sizes, "input in memory", now.get<r::D_SRC_DMA_CFG>().raw & 1u);
    ram(bins, sizes, "output in memory", now.get<r::D_DST_DMA_CFG>().raw & 1u);
    high_address(bins, sizes, "input", now.word(r::D_SRC_BASE_ADDR_HIGH::kAddress));
    high_address(bins, sizes, "output", now.word(r::D_DST_BASE_ADDR_HIGH::kAddress));
}

void rubik(Bins& bins, Sizes sizes, Now now, Before) {
    namespace r = regs::rubik;
    const auto misc = now.get<r::D_MISC_CFG>();
    const auto size = now.get<r::D_DATAIN_SIZE_0>();
    const auto stride = now.get<r::D_DECONV_STRIDE>();
    const auto word = [&](std::uint32_t address) { return std::int64_t{now.word(address)}; };
    const int mode = static_cast<int>(misc.RUBIK_MODE());
    const int element =
        sizes.types16() ? dla::model::bytes_of(dla::model::precision_of(misc.IN_PRECISION())) : 1;
    const std::int64_t elements = sizes.atom_bytes / element;
    const std::int64_t width = plus1(size.DATAIN_WIDTH()), height = plus1(size.DATAIN_HEIGHT());
    const std::int64_t channels = plus1(now.get<r::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL());
    Bins::Labels modes;
    if (sizes.rubik_contract) modes.push_back("contract");
    if (sizes.rubik_reshape) modes.insert(modes.end(), {"split", "merge"});
    bins.choice("mode", modes, sizes.rubik_contract ? mode : mode - 1);
    if (sizes.int8 && sizes.types16()) bins.choice("bytes of an element", {"1", "2"}, element - 1);
    fit(bins, "channels", channels, elements);
    fit(bins, "columns", width, elements);
    bins.hit("one line", height == 1);
    bins.hit("many columns", width >= 200);
    if (sizes.rubik_contract) {
        const bool contract = mode == 0;
        bins.range("x stride", contract ? plus1(stride.DECONV_X_STRIDE()) : 0, {1, 2, 3, 4, 9});
        bins.range("y stride", contract ? plus1(stride.DECONV_Y_STRIDE()) : 0, {1, 2, 3, 4, 9});
    }
    const std::int64_t surfaces = (channels + elements - 1) / elements;
    if (sizes.rubik_reshape) {
        const bool merge = mode == 2;
        strides(bins, "input cube", width * sizes.atom_bytes, height, mode == 1 ? surfaces : 0,
                word(r::D_DAIN_LINE_STRIDE::kAddress), word(r::D_DAIN_SURF_STRIDE::kAddress));
        strides(bins, "input planes", width * element, merge ? height : 0, merge ? channels : 0,
                word(r::D_DAIN_LINE_STRIDE::kAddress), word(r::D_DAIN_PLANAR_STRIDE::kAddress));
    }
    strides(bins, "output cube", width * plus1(stride.DECONV_X_STRIDE()) * sizes.atom_bytes,
            mode == 0 ? height * plus1(stride.DECONV_Y_STRIDE()) : 0, mode == 0 ? surfaces : 0,
            word(r::D_DAOUT_LINE_STRIDE::kAddress), word(r::D_DAOUT_SURF_STRIDE::kAddress));
    ram(bins, sizes, "input in memory", now.get<r::D_DAIN_RAM_TYPE>().raw & 1u);
    ram(bins, sizes, "output in memory", now.get<r::D_DAOUT_RAM_TYPE>().raw & 1u);
    high_address(bins, sizes, "input", now.word(r::D_DAIN_ADDR_HIGH::kAddress));
    high_address(bins, sizes, "output", now.word(r::D_DAOUT_ADDR_HIGH::kAddress));
}

void bdma(Bins& bins, Sizes sizes, Now now, Before before) {
    namespace r = regs::bdma;
    const std::int64_t units = plus1(now.get<r::CFG_LINE>().SIZE());
    const std::int64_t lines = plus1(now.get<r::CFG_LINE_REPEAT>().NUMBER());
    const std::int64_t surfaces = plus1(now.get<r::CFG_SURF_REPEAT>().NUMBER());
    bins.range("units of a line", units, {1, 2, 7, 8, 9, 16, 200});
    bins.range("lines", lines, {1, 2, 3});
    bins.range("surfaces", surfaces, {1, 2, 3});
    const auto side = [&](const char* name, std::uint32_t line, std::uint32_t surface) {
        strides(bins, name, units * 32, lines, surfaces, now.word(line), now.word(surface));
    };
    side("source", r::CFG_SRC_LINE::kAddress, r::CFG_SRC_SURF::kAddress);
    side("destination", r::CFG_DST_LINE::kAddress, r::CFG_DST_SURF::kAddress);
    const auto cmd = now.get<r::CFG_CMD>();
    if (sizes.secondary) {
        const Bins::Labels ports = {"secondary", "primary"};
        bins.cross("from", ports, static_cast<int>(cmd.SRC_RAM_TYPE()),
                   {"to secondary", "to primary"}, static_cast<int>(cmd.DST_RAM_TYPE()));
        bins.hit(
            "source changes its memory",
            before != nullptr && before->get<r::CFG_CMD>().SRC_RAM_TYPE() != cmd.SRC_RAM_TYPE());
    }
    high_address(bins, sizes, "source", now.word(r::CFG_SRC_ADDR_HIGH::kAddress));
    high_address(bins, sizes, "destination", now.word(r::CFG_DST_ADDR_HIGH::kAddress));
}

}  // namespace macrame::dla::stimulus::cover
