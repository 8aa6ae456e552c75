/// Rules of the modes that only large configurations have: Winograd, batches, compressed weights.

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

/// What a Winograd convolution may not be.
static void add_winograd_mode(Rules& out) {
    add<cdma::D_DATAIN_FORMAT>(out, "winograd-input", "NVDLA limits", [](S, L l) {
        return want(!is_winograd(l) || is_feature(l), "DATAIN_FORMAT 0: Winograd takes no pixels");
    });
    add<cdma::D_BATCH_NUMBER>(out, "winograd-batch", "NVDLA limits", [](S, L l) {
        return want(!is_winograd(l) || !is_batch(l), "BATCHES 0 with Winograd");
    });
    add<cdma::D_CVT_CFG>(out, "winograd-convertor", "NVDLA limits", [](S, L l) {
        return want(!is_winograd(l) || l.get<cdma::D_CVT_CFG>().CVT_EN() == 0,
                    "CVT_EN 0 with Winograd");
    });
    add<csc::D_CONV_STRIDE_EXT>(out, "winograd-stride", "NVDLA convolution modes", [](S, L l) {
        return want(!is_winograd(l) || l.get<csc::D_CONV_STRIDE_EXT>().raw == 0,
                    "0: strides of Winograd are in the channels");
    });
    stop<csc::D_ZERO_PADDING>(out, "winograd-padding", "NVDLA convolution modes", [](S, L l) {
        return want(!is_winograd(l) || l.get<csc::D_ZERO_PADDING>().raw == 0,
                    "0: the extended plane has its padding");
    });
    add<csc::D_DILATION_EXT>(out, "winograd-dilation", "NVDLA limits", [](S, L l) {
        return want(!is_winograd(l) || l.get<csc::D_DILATION_EXT>().raw == 0,
                    "0: Winograd has no dilation");
    });
    add<csc::D_WEIGHT_SIZE_EXT_0>(out, "winograd-kernel", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        return want(!c.winograd || (c.taps_x == 4 && c.taps_y == 4),
                    "0x30003: transformed kernels are 4 x 4");
    });
}

void add_winograd(Rules& out) {
    add_winograd_mode(out);
    const Applies extends = [](L l) { return is_winograd(l) && !data_kept(l); };
    stop<cdma::D_DATAIN_SIZE_EXT_0>(
        out, "extended-width", "NVDLA convolution modes", [extends](S, L l) {
            if (!extends(l)) return Broken();
            const Conv c(l);
            const std::int64_t line = c.left + c.fetched.width + c.right;
            return want(c.extended_width * c.fetch_stride_x == line && c.extended_width % 4 == 0 &&
                            c.extended_width >= 12,
                        "DATAIN_WIDTH_EXT+1 times ", c.fetch_stride_x, " (stride) = ", line,
                        " (width with padding), a multiple of 4 and at least 12");
        });
    stop<cdma::D_DATAIN_SIZE_EXT_0>(
        out, "extended-height", "NVDLA convolution modes", [extends](S, L l) {
            if (!extends(l)) return Broken();
            const Conv c(l);
            const std::int64_t lines = c.top + c.fetched.height + c.bottom;
            return want(c.extended_height * c.fetch_stride_y == lines &&
                            c.extended_height % 4 == 0 && c.in.height >= 12,
                        "DATAIN_HEIGHT_EXT+1 times ", c.fetch_stride_y, " (stride) = ", lines,
                        " (height with padding), a multiple of 4 and at least 12");
        });
}

namespace {

/// Results of batches are written in pairs of atoms.
template <class Register>
void add_batch_aligned(Rules& out) {
    add<Register>(out, "batch-alignment", "NVDLA limits", [](S s, L l) {
        const auto unit = static_cast<std::uint32_t>(2 * s.atom_bytes);
        return want(!is_batch(l) || l.word(Register::kAddress) % unit == 0, "a multiple of ", unit,
                    " with batches");
    });
}

}  // namespace

void add_batch(Rules& out) {
    add<cdma::D_BATCH_NUMBER>(out, "batch-size", "NVDLA limits", [](S s, L l) {
        return want(!is_batch(l) || Conv(l).batches <= s.max_batch, "BATCHES at most ",
                    s.max_batch - 1);
    });
    add<cdma::D_DATAIN_FORMAT>(out, "batch-input", "NVDLA limits", [](S, L l) {
        return want(!is_batch(l) || is_feature(l), "DATAIN_FORMAT 0: batches have no pixels");
    });
    add<csc::D_DATAOUT_SIZE_0>(out, "batch-output", "NVDLA limits", [](S, L l) {
        return want(!is_batch(l) || !Conv(l).out.single(), "more than 1 x 1 with batches");
    });
    const Applies fetches = [](L l) { return is_batch(l) && !data_kept(l); };
    add_aligned<cdma::D_BATCH_STRIDE>(out, fetches);
    add<cdma::D_BATCH_STRIDE>(out, "batch-stride", "NVDLA limits", [fetches](S s, L l) {
        if (!fetches(l)) return Broken();
        const Conv c(l);
        const std::int64_t bytes = c.fetched.surfaces(s) * l.get<cdma::D_SURF_STRIDE>().raw;
        return want(l.get<cdma::D_BATCH_STRIDE>().raw >= bytes, "at least ", bytes,
                    " (bytes of a cube)");
    });
    add_batch_aligned<sdp::D_DST_BASE_ADDR_LOW>(out);
    add_batch_aligned<sdp::D_DST_LINE_STRIDE>(out);
    add_batch_aligned<sdp::D_DST_SURFACE_STRIDE>(out);
    add_batch_aligned<sdp::D_DST_BATCH_STRIDE>(out);
    add<sdp::D_DST_BATCH_STRIDE>(out, "batch-stride", "NVDLA limits", [](S s, L l) {
        const std::int64_t bytes = sdp_out(l).surfaces(s) * l.get<sdp::D_DST_SURFACE_STRIDE>().raw;
        return want(!is_batch(l) || l.get<sdp::D_DST_BATCH_STRIDE>().raw >= bytes, "at least ",
                    bytes, " (bytes of a cube)");
    });
    add<sdp::D_FEATURE_MODE_CFG>(out, "batch-destination", "NVDLA limits", [](S, L l) {
        return want(!is_batch(l) || l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0,
                    "OUTPUT_DST 0 with batches");
    });
    add<sdp::D_DP_EW_CFG>(out, "compare-mode", "NVDLA SDP compare", [](S, L l) {
        return want(!compares(l) || (!is_batch(l) && !is_winograd(l)),
                    "no EQL with batches or Winograd");
    });
}

void add_compression(Rules& out) {
    const Applies masks = [](L l) { return is_compressed(l); };
    add_aligned<cdma::D_WGS_ADDR_LOW>(out, masks);
    add_high<cdma::D_WGS_ADDR_HIGH>(out, masks);
    add_aligned<cdma::D_WMB_ADDR_LOW>(out, masks);
    add_high<cdma::D_WMB_ADDR_HIGH>(out, masks);
    add<cdma::D_WMB_BYTES>(out, "mask-bytes", "NVDLA memory formats", [](S, L l) {
        const Conv c(l);
        const std::int64_t bits = c.kernels * c.kernel_bytes / c.bytes;
        const std::int64_t bytes = round_up(ceil_div(bits, 8), 128);
        return want(!c.compressed || l.get<cdma::D_WMB_BYTES>().raw == bytes, bytes, " (", bits,
                    " weights, a bit each, rounded up to 128)");
    });
    add<cdma::D_WMB_BYTES>(out, "mask-bank", "NVDLA limits", [](S s, L l) {
        const Conv c(l);
        const std::int64_t bits = c.group_bytes(s) / c.bytes;
        const std::int64_t most = std::int64_t{1} * s.cbuf_depth * s.entry_bytes - 128;
        return want(!c.compressed || ceil_div(bits, 8) <= most,
                    "masks of a kernel group of at most ", most, " bytes (a bank less 128), found ",
                    ceil_div(bits, 8));
    });
    add<csc::D_WMB_BYTES>(out, "mask-bytes-agree", "NVDLA memory formats", [](S, L l) {
        const std::uint32_t bytes = l.get<cdma::D_WMB_BYTES>().raw;
        return want(!is_compressed(l) || l.get<csc::D_WMB_BYTES>().raw == bytes, bytes,
                    " as in CDMA");
    });
}

}  // namespace macrame::dla::model::rules
