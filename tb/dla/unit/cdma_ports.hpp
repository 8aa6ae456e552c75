#pragma once
/// Ports of dla_cdma that only some configurations have.

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
template <int Q, typename Dut>
int wt_sel(const Dut& dut) {
    if constexpr (Q > 1)
        return one_hot(dut.cdma2cbuf_wt_wr_sel);
    else
        return 0;
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
