/// Rules of CDP and CDP_RDMA.

#include "layer_rules.hpp"
#include "layer_rules_lut.hpp"

namespace macrame::dla::model::rules {

namespace {

Table cdp_table(L l) {
    const auto info = l.get<cdp::S_LUT_INFO>();
    const auto wide = [](std::uint32_t high, std::uint32_t low) {  // 38 bits, signed
        const std::uint64_t raw = std::uint64_t{high & 0x3Fu} << 32 | low;
        return static_cast<std::int64_t>(raw << 26) >> 26;
    };
    return {l.get<cdp::S_LUT_CFG>().LUT_LE_FUNCTION() == 0,
            signed8(info.LUT_LE_INDEX_OFFSET()),
            signed8(info.LUT_LE_INDEX_SELECT()),
            signed8(info.LUT_LO_INDEX_SELECT()),
            wide(l.get<cdp::S_LUT_LE_START_HIGH>().raw, l.get<cdp::S_LUT_LE_START_LOW>().raw),
            wide(l.get<cdp::S_LUT_LE_END_HIGH>().raw, l.get<cdp::S_LUT_LE_END_LOW>().raw),
            wide(l.get<cdp::S_LUT_LO_START_HIGH>().raw, l.get<cdp::S_LUT_LO_START_LOW>().raw),
            wide(l.get<cdp::S_LUT_LO_END_HIGH>().raw, l.get<cdp::S_LUT_LO_END_LOW>().raw)};
}

}  // namespace

void add_cdp(Rules& out) {
    add<cdp::D_OP_ENABLE>(out, "unit", "NVDLA enable order",
                          [](S s, L) { return want(s.cdp, "0: no CDP here"); });
    add<cdp::D_DATA_FORMAT>(out, "precision", "NVDLA precision", [](S s, L l) {
        const std::uint32_t found = l.get<cdp::D_DATA_FORMAT>().INPUT_DATA_TYPE();
        if (s.types16()) return of_types(s, found, "INPUT_DATA_TYPE");
        return int8_only(found == 0, "INPUT_DATA_TYPE");
    });
    add_address<cdp::D_DST_BASE_ADDR_LOW, cdp::D_DST_BASE_ADDR_HIGH, cdp::D_DST_DMA_CFG>(out,
                                                                                         always);
    add_strides<cdp::D_DST_LINE_STRIDE, cdp::D_DST_SURFACE_STRIDE>(out, always, cdp_cube);
    add_single<cdp::D_DST_SURFACE_STRIDE>(out, always, cdp_cube);
    add_table<cdp::S_LUT_INFO, cdp::S_LUT_LE_END_LOW, cdp::S_LUT_LO_END_LOW>(
        out, always, cdp_table, [](L l) {
            const Precision type = l.sizes.precision(l.get<cdp::D_DATA_FORMAT>().INPUT_DATA_TYPE());
            return type == Precision::fp16    ? kFloatTable
                   : type == Precision::int16 ? TableLimits{31, 29, 36, 38}
                                              : TableLimits{15, 13, 20, 38};
        });
    add<cdp_rdma::D_DATA_FORMAT>(out, "precision", "NVDLA precision", [](S s, L l) {
        const std::uint32_t type = l.get<cdp::D_DATA_FORMAT>().INPUT_DATA_TYPE();
        if (s.types16()) {
            return want(l.get<cdp_rdma::D_DATA_FORMAT>().INPUT_DATA() == type, "INPUT_DATA ", type,
                        " as in CDP");
        }
        return int8_only(l.get<cdp_rdma::D_DATA_FORMAT>().INPUT_DATA() == 0, "INPUT_DATA");
    });
    add_address<cdp_rdma::D_SRC_BASE_ADDR_LOW, cdp_rdma::D_SRC_BASE_ADDR_HIGH,
                cdp_rdma::D_SRC_DMA_CFG>(out, always);
    add_strides<cdp_rdma::D_SRC_LINE_STRIDE, cdp_rdma::D_SRC_SURFACE_STRIDE>(out, always, cdp_cube);
    add_single<cdp_rdma::D_SRC_SURFACE_STRIDE>(out, always, cdp_cube);
}

}  // namespace macrame::dla::model::rules
