#pragma once
/// Ports of dla_csc that only configurations with compressed weights have.

#include <verilated.h>

#include <cstdint>
#include <vector>

#include "tb/common/ports.hpp"

namespace macrame::tb::csc {

template <bool Has, typename Dut>
void put_mask_updt(Dut& dut, bool updt) {
    if constexpr (Has) dut.cdma2csc_wmb_updt = updt;
}
template <bool Has, typename Dut>
bool mask_release(const Dut& dut) {
    if constexpr (Has)
        return dut.csc2cdma_wmb_rls_valid != 0;
    else
        return false;
}
template <bool Has, typename Dut>
int mask_release_entries(const Dut& dut) {
    if constexpr (Has)
        return dut.csc2cdma_wmb_rls_entries;
    else
        return 0;
}
template <bool Has, typename Dut>
bool mask_read(const Dut& dut) {
    if constexpr (Has)
        return dut.csc2cbuf_wmb_rd_valid != 0;
    else
        return false;
}
template <bool Has, typename Dut>
int mask_row(const Dut& dut) {
    if constexpr (Has)
        return dut.csc2cbuf_wmb_rd_row;
    else
        return 0;
}
template <bool Has, typename Dut>
void put_mask_answer(Dut& dut, bool valid, const std::vector<std::uint8_t>& data) {
    if constexpr (Has) {
        dut.cbuf2csc_wmb_rd_valid = valid;
        put_bytes(dut.cbuf2csc_wmb_rd_data, data);
    }
}

}  // namespace macrame::tb::csc
