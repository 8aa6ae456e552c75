#include "families/systolic/derived.hpp"

#include <algorithm>

namespace macrame::systolic {

const std::vector<DerivedField>& derived_fields() {
    static const std::vector<DerivedField> kFields = {
        {"in_bytes", &Derived::in_bytes},
        {"weight_bytes", &Derived::weight_bytes},
        {"out_bytes", &Derived::out_bytes},
        {"axi_bytes", &Derived::axi_bytes},
        {"ibuf_entry_w", &Derived::ibuf_entry_w},
        {"wbuf_entry_w", &Derived::wbuf_entry_w},
        {"obuf_entry_w", &Derived::obuf_entry_w},
        {"row_w", &Derived::row_w},
        {"col_w", &Derived::col_w},
        {"input_row_w", &Derived::input_row_w},
        {"weight_row_w", &Derived::weight_row_w},
        {"output_row_w", &Derived::output_row_w},
        {"product_w", &Derived::product_w},
        {"sum_w", &Derived::sum_w},
        {"pad_w", &Derived::pad_w},
        {"columns_w", &Derived::columns_w},
        {"scales", &Derived::scales},
        {"exact_scales", &Derived::exact_scales},
        {"scale_cycles", &Derived::scale_cycles},
    };
    return kFields;
}

Derived derive(const Config& c) {
    Derived d;
    d.in_bytes = element_bytes(c.in_width);
    d.weight_bytes = element_bytes(c.weight_width);
    d.out_bytes = element_bytes(c.out_width);
    d.axi_bytes = c.axi_data_width / 8;
    d.ibuf_entry_w = clog2(c.ibuf_entries);
    d.wbuf_entry_w = clog2(c.wbuf_entries);
    d.obuf_entry_w = clog2(c.obuf_entries);
    d.row_w = clog2(c.rows);
    d.col_w = clog2(c.cols);
    d.input_row_w = c.rows * c.in_width;
    d.weight_row_w = c.cols * c.weight_width;
    d.output_row_w = c.cols * c.out_width;
    d.product_w = std::min(c.in_width + c.weight_width, c.out_width);
    d.sum_w = std::min(c.in_width + c.weight_width + clog2(c.rows), c.out_width);
    d.pad_w = std::min(c.in_width, 8);
    d.columns_w = clog2(c.cols + 1);
    d.scales = c.requantise == kNoScales ? 0 : 1;
    d.exact_scales = c.requantise == kExactScales ? 1 : 0;
    d.scale_cycles = d.scales == 0 ? 0 : 6 + d.exact_scales;
    return d;
}

Architecture architecture_of(const Config& c) {
    Architecture a;
    a.rows = c.rows;
    a.columns = c.cols;
    a.input_width = c.in_width;
    a.weight_width = c.weight_width;
    a.accumulator_width = c.out_width;
    a.ibuf_entries = c.ibuf_entries;
    a.wbuf_entries = c.wbuf_entries;
    a.obuf_entries = c.obuf_entries;
    a.queue_depth = c.queue_depth;
    a.token_depth = c.token_depth;
    a.address_width = c.address_width;
    a.bus_bytes = c.axi_data_width / 8;
    a.requantise = c.requantise != kNoScales;
    a.exact = c.requantise == kExactScales;
    return a;
}

}  // namespace macrame::systolic
