/// Rules of ROW, which is not in the NVDLA documents.

#include "layer_rules.hpp"
#include "row_math.hpp"

namespace macrame::dla::model::rules {

namespace {

constexpr const char* kRow = "docs/row.md";

Cube row_cube(L l) {
    Cube out;
    out.width = plus1(l.get<row::D_DATA_CUBE_WIDTH>().WIDTH());
    out.height = plus1(l.get<row::D_DATA_CUBE_HEIGHT>().HEIGHT());
    out.channels = plus1(l.get<row::D_DATA_CUBE_CHANNEL>().CHANNEL());
    return out;
}

bool reads_records(L l) { return l.get<row::D_MISC_CFG>().OPERAND_KEEP() == 0; }
bool is_norm(L l) { return l.get<row::D_MISC_CFG>().ROW_MODE() != 0; }

template <class Low, class High, class Line, class Surface>
void add_cube_end(Rules& out) {
    add_end<Low, High>(out, [](S s, L l) {
        const Cube c = row_cube(l);
        return span(c.width * s.atom_bytes, c.height, l.word(Line::kAddress), c.surfaces(s),
                    l.word(Surface::kAddress));
    });
}

}  // namespace

void add_row(Rules& out) {
    add<row::D_OP_ENABLE>(out, "unit", kRow,
                          [](S s, L) { return want(s.row, "0: no ROW here"); });
    add<row::D_MISC_CFG>(out, "mode", kRow, [](S, L l) {
        return want(l.get<row::D_MISC_CFG>().ROW_MODE() < 3, "ROW_MODE 0, 1, 2");
    });
    stop<row::D_DATA_CUBE_CHANNEL>(out, "channels", kRow, [](S s, L l) {
        return want(!s.row || row_cube(l).channels <= s.row_length, "at most ", s.row_length,
                    " channels less 1 (row-length)");
    });
    add_address<row::D_SRC_BASE_ADDR_LOW, row::D_SRC_BASE_ADDR_HIGH, row::D_SRC_DMA_CFG>(out,
                                                                                         always);
    add_strides<row::D_SRC_LINE_STRIDE, row::D_SRC_SURFACE_STRIDE>(out, always, row_cube);
    add_cube_end<row::D_SRC_BASE_ADDR_LOW, row::D_SRC_BASE_ADDR_HIGH, row::D_SRC_LINE_STRIDE,
                 row::D_SRC_SURFACE_STRIDE>(out);
    add_aligned<row::D_OPERAND_ADDR_LOW>(out, reads_records);
    add_high<row::D_OPERAND_ADDR_HIGH>(out, reads_records);
    add_end<row::D_OPERAND_ADDR_LOW, row::D_OPERAND_ADDR_HIGH>(out, [](S, L l) {
        if (!reads_records(l)) return std::int64_t{0};
        return kRowRecordBytes * (is_norm(l) ? row_cube(l).channels : kRowDifferences);
    });
    add_address<row::D_DST_BASE_ADDR_LOW, row::D_DST_BASE_ADDR_HIGH, row::D_DST_DMA_CFG>(out,
                                                                                         always);
    add_strides<row::D_DST_LINE_STRIDE, row::D_DST_SURFACE_STRIDE>(out, always, row_cube);
    add_cube_end<row::D_DST_BASE_ADDR_LOW, row::D_DST_BASE_ADDR_HIGH, row::D_DST_LINE_STRIDE,
                 row::D_DST_SURFACE_STRIDE>(out);
    add<row::D_EPSILON>(out, "epsilon", kRow, [](S, L l) {
        return want(!is_norm(l) || l.word(row::D_EPSILON::kAddress) != 0,
                    "at least 1, as a row of equal elements has no variance");
    });
}

}  // namespace macrame::dla::model::rules
