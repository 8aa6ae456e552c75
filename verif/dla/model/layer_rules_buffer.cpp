/// Rules of the convolution buffer: banks, entries, reuse, release.

#include <algorithm>

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

namespace {

/// The layer before left its weights in the banks of this one.
bool weights_kept(L l) {
    const Conv c(l);
    const KeptInBuffer& b = l.before;
    return b.skip_weight_release && b.data_banks == c.data_banks &&
           b.weight_banks == c.weight_banks;
}

}  // namespace

/// Entries and banks.
static void add_banks(Rules& out) {
    add<cdma::D_ENTRY_PER_SLICE>(out, "entries-per-slice", "NVDLA convolution modes", [](S s, L l) {
        const std::int64_t entries = Conv(l).entries_per_slice(s);
        return want(plus1(l.get<cdma::D_ENTRY_PER_SLICE>().ENTRIES()) == entries, entries - 1,
                    " (a line takes ", entries, " entries)");
    });
    stop<csc::D_ENTRY_PER_SLICE>(out, "entries-agree", "NVDLA CBUF entries", [](S, L l) {
        const std::uint32_t entries = l.get<cdma::D_ENTRY_PER_SLICE>().ENTRIES();
        return want(l.get<csc::D_ENTRY_PER_SLICE>().ENTRIES() == entries, entries, " as in CDMA");
    });
    add<cdma::D_BANK>(out, "banks", "NVDLA limits", [](S s, L l) {
        const Conv c(l);
        const int most = s.cbuf_banks - (c.compressed ? 1 : 0);  // the last has the masks
        return want(c.data_banks + c.weight_banks <= most, "DATA_BANK+1 + WEIGHT_BANK+1 at most ",
                    most, " banks");
    });
    add<csc::D_BANK>(out, "banks-agree", "NVDLA convolution modes", [](S, L l) {
        const std::uint32_t bank = l.get<cdma::D_BANK>().raw;
        return want(l.get<csc::D_BANK>().raw == bank, bank, " as in CDMA");
    });
    add<cdma::D_BANK>(out, "data-banks", "NVDLA data and weight reuse", [](S s, L l) {
        const Conv c(l);
        const std::int64_t entries =
            c.in.height * c.batches * plus1(l.get<csc::D_ENTRY_PER_SLICE>().ENTRIES());
        const std::int64_t banks = ceil_div(entries, s.cbuf_depth);
        return want(c.data_banks >= banks, "DATA_BANK at least ", banks - 1, ": ",
                    c.in.height * c.batches, " lines need ", entries, " entries");
    });
    add<cdma::D_BANK>(out, "weight-banks", "NVDLA convolution modes", [](S s, L l) {
        const Conv c(l);
        const std::int64_t least = c.least_weight_bytes(s);
        const std::int64_t banks = ceil_div(ceil_div(least, s.entry_bytes), s.cbuf_depth);
        return want(c.weight_banks >= banks, "WEIGHT_BANK at least ", banks - 1,
                    ": a kernel group and 128 bytes are ", least, " bytes");
    });
    add<cdma::D_BANK>(out, "kept-weight-banks", "NVDLA data and weight reuse", [](S s, L l) {
        const std::int64_t bytes = l.get<cdma::D_WEIGHT_BYTES>().raw;
        const std::int64_t banks = ceil_div(ceil_div(bytes, s.entry_bytes), s.cbuf_depth);
        return want(
            l.get<cdma::D_MISC_CFG>().SKIP_WEIGHT_RLS() == 0 || Conv(l).weight_banks >= banks,
            "WEIGHT_BANK at least ", banks - 1, ": with SKIP_WEIGHT_RLS all ", bytes,
            " bytes of weights stay");
    });
}

void add_conv_buffer(Rules& out) {
    add_banks(out);
    stop<csc::D_RELEASE>(out, "release", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        return want(l.get<csc::D_MISC_CFG>().SKIP_DATA_RLS() != 0 ||
                        plus1(l.get<csc::D_RELEASE>().RLS_SLICES()) <= c.in.height,
                    "at most ", c.in.height - 1, " (DATAIN_HEIGHT_EXT)");
    });
    add<csc::D_MISC_CFG>(out, "reuse-agrees", "NVDLA data and weight reuse", [](S, L l) {
        constexpr std::uint32_t kFlags = 0x11110000u;
        const std::uint32_t flags = l.get<cdma::D_MISC_CFG>().raw & kFlags;
        return want((l.get<csc::D_MISC_CFG>().raw & kFlags) == flags,
                    "reuse and release flags as in CDMA");
    });
    // CDMA then fetches everything, as without.
    warn<cdma::D_MISC_CFG>(out, "data-reuse", "NVDLA limits", [](S, L l) {
        return want(l.get<cdma::D_MISC_CFG>().DATA_REUSE() == 0 || lines_join(l),
                    "DATA_REUSE 0, or a layer before of the same mode and DATA_BANK");
    });
    add<csc::D_ENTRY_PER_SLICE>(out, "kept-lines", "NVDLA data and weight reuse", [](S, L l) {
        const int entries = l.before.entries_per_slice;
        const std::int64_t found = plus1(l.get<csc::D_ENTRY_PER_SLICE>().ENTRIES());
        return want(!lines_join(l) || l.before.slices == 0 || found == entries, entries - 1,
                    " as of the lines kept of the layer before");
    });
    add<cdma::D_MISC_CFG>(out, "weight-reuse", "NVDLA data and weight reuse", [](S, L l) {
        const std::uint32_t bytes = l.before.weight_bytes;
        return want(l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() == 0 || !weights_kept(l) ||
                        bytes == l.get<cdma::D_WEIGHT_BYTES>().raw,
                    "WEIGHT_REUSE 0, or the D_WEIGHT_BYTES of the layer before, ", bytes);
    });
    add<cdma::D_WEIGHT_FORMAT>(out, "mask-reuse", "NVDLA data and weight reuse", [](S, L l) {
        const std::uint32_t bytes = l.before.mask_bytes;
        const std::uint32_t found = is_compressed(l) ? l.get<cdma::D_WMB_BYTES>().raw : 0;
        return want(
            l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() == 0 || !weights_kept(l) || bytes == found,
            bytes == 0 ? "0: the weights kept are not compressed"
                       : say("1 and the D_WMB_BYTES of the layer before, ", bytes));
    });
    // CDMA then fetches the weights, as without.
    warn<cdma::D_MISC_CFG>(out, "kept-weights", "NVDLA data and weight reuse", [](S, L l) {
        return want(l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() == 0 || weights_kept(l),
                    "WEIGHT_REUSE 0, or a layer before with SKIP_WEIGHT_RLS and the same banks");
    });
}

}  // namespace macrame::dla::model::rules
