#pragma once

#include <string_view>
#include <vector>

#include "families/systolic/config.hpp"
#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic {

/// Everything that follows from a Config.
struct Derived {
    // Bytes of an element in memory.
    int in_bytes = 0;
    int weight_bytes = 0;
    int out_bytes = 0;
    int axi_bytes = 0;  ///< of a beat

    // Bits of entries and banks in buffer addresses.
    int ibuf_entry_w = 0;
    int wbuf_entry_w = 0;
    int obuf_entry_w = 0;
    int row_w = 0;  ///< banks of IBUF
    int col_w = 0;  ///< banks of WBUF and OBUF

    // Widths of buffers.
    int input_row_w = 0;   ///< bits of an entry of IBUF
    int weight_row_w = 0;  ///< of WBUF
    int output_row_w = 0;  ///< of OBUF

    // Widths inside GEMM and the array; sums are exact, or have the bits that OBUF has.
    int product_w = 0;
    int sum_w = 0;
    int pad_w = 0;      ///< pad values; inputs may have more bits
    int columns_w = 0;  ///< numbers of columns

    // Requantisation: whether STORE has scales, in their exact form, and the cycles of a lane.
    int scales = 0;
    int exact_scales = 0;
    int scale_cycles = 0;
};

/// A member with its name.
struct DerivedField {
    std::string_view name;
    int Derived::*member;
};
const std::vector<DerivedField>& derived_fields();

Derived derive(const Config& config);

/// What programs depend on.
Architecture architecture_of(const Config& config);

}  // namespace macrame::systolic
