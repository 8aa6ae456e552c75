#pragma once
/// The configuration under test, as the models want it.

#include "systolic_params.hpp"
#include "verif/systolic/isa/architecture.hpp"

namespace macrame::tb {

inline systolic::Architecture architecture() {
    namespace p = systolic_params;
    systolic::Architecture a;
    a.rows = p::rows;
    a.columns = p::cols;
    a.input_width = p::in_width;
    a.weight_width = p::weight_width;
    a.accumulator_width = p::out_width;
    a.ibuf_entries = p::ibuf_entries;
    a.wbuf_entries = p::wbuf_entries;
    a.obuf_entries = p::obuf_entries;
    a.queue_depth = p::queue_depth;
    a.token_depth = p::token_depth;
    a.address_width = p::address_width;
    a.bus_bytes = p::axi_bytes;
    a.requantise = p::scales != 0;
    a.exact = p::exact_scales != 0;
    return a;
}

}  // namespace macrame::tb
