#pragma once
/// Ports of dla_cdma that only some configurations have.

#include <verilated.h>

namespace macrame::tb::cdma {

/// Index of the only bit set, -1 if there is not exactly one.
inline int one_hot(unsigned bits) {
    for (int i = 0; i < 8; ++i) {
        if (bits == 1u << i) return i;
    }
    return -1;
}

/// Atom selects: ports that exist only if an entry holds more than one atom.
template <int Q, typename Dut>
int dat_sel(const Dut& dut) {
    if constexpr (Q > 1)
        return one_hot(dut.cdma2cbuf_dat_wr_sel);
    else
        return 0;
}
/// Of weights a bit per atom, as there may be two.
template <int Q, typename Dut>
unsigned wt_sel(const Dut& dut) {
    if constexpr (Q > 1)
        return dut.cdma2cbuf_wt_wr_sel;
    else
        return 1;
}

/// Bits that are set.
inline int count_bits(unsigned bits) {
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
        ++count;
    return count;
}

/// Masks of compressed weights: announced to CSC, given back by it.
template <bool Has, typename Dut>
bool mask_updt(const Dut& dut) {
    if constexpr (Has)
        return dut.cdma2csc_wmb_updt != 0;
    else
        return false;
}
template <bool Has, typename Dut>
bool mask_release(const Dut& dut) {
    if constexpr (Has)
        return dut.csc2cdma_wmb_rls_valid != 0;
    else
        return false;
}
template <bool Has, typename Dut>
void put_mask_release(Dut& dut, bool valid, int entries) {
    if constexpr (Has) {
        dut.csc2cdma_wmb_rls_valid = valid;
        dut.csc2cdma_wmb_rls_entries = static_cast<SData>(entries);
    }
}

/// Memory ports of data and weights as CDMA shows them; only designs with two ports do.
template <bool Two, typename Dut>
bool dat_primary(const Dut& dut) {
    if constexpr (Two)
        return dut.cdma_dat2mcif_rd_ram_type != 0;
    else
        return true;
}
template <bool Two, typename Dut>
bool wt_primary(const Dut& dut) {
    if constexpr (Two)
        return dut.cdma_wt2mcif_rd_ram_type != 0;
    else
        return true;
}

}  // namespace macrame::tb::cdma
