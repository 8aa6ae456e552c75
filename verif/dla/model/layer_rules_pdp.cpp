/// Rules of PDP and PDP_RDMA.

#include <algorithm>
#include <cstdlib>

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

namespace {

bool pdp_offline(L l) { return !Pool(l).flying; }

bool pdp_floats(L l) {
    return l.sizes.fp16 &&
           l.sizes.precision(l.get<pdp::D_DATA_FORMAT>().INPUT_DATA()) == Precision::fp16;
}

/// fp17 of 1 / n, for n up to 8: the nearest number.
Broken float_reciprocal(bool unused, std::int64_t found, std::int64_t n) {
    constexpr std::int64_t kReciprocals[] = {0x7C00, 0x7800, 0x7555, 0x7400,
                                             0x7266, 0x7155, 0x7092, 0x7000};
    if (unused || n > 8) return std::nullopt;
    const std::int64_t nearest = kReciprocals[n - 1];
    return want(std::abs(found - nearest) <= 1, nearest, " (fp17 of 1 / ", n, ")");
}

}  // namespace

/// Cubes, window and mode.
static void add_geometry(Rules& out) {
    add<pdp::D_OP_ENABLE>(out, "unit", "NVDLA enable order",
                          [](S s, L) { return want(s.pdp, "0: no PDP here"); });
    add<pdp::D_DATA_FORMAT>(out, "precision", "NVDLA precision", [](S s, L l) {
        const std::uint32_t type = l.get<sdp::D_DATA_FORMAT>().OUT_PRECISION();
        const std::uint32_t found = l.get<pdp::D_DATA_FORMAT>().INPUT_DATA();
        if (s.types16() && l.has("SDP")) {
            return want(found == type, "INPUT_DATA ", type, " as SDP makes it");
        }
        if (s.types16()) return of_types(s, found, "INPUT_DATA");
        return int8_only(l.get<pdp::D_DATA_FORMAT>().INPUT_DATA() == 0, "INPUT_DATA");
    });
    add<pdp::D_OPERATION_MODE_CFG>(out, "method", "NVDLA PDP settings", [](S, L l) {
        return want(Pool(l).method <= 2, "POOLING_METHOD 0..2 (average, max, min)");
    });
    add<pdp::D_POOLING_KERNEL_CFG>(out, "kernel", "NVDLA limits", [](S, L l) {
        const Pool p(l);
        return want(p.kw <= 8 && p.kh <= 8, "a window of at most 8 x 8");
    });
    add<pdp::D_POOLING_PADDING_CFG>(out, "padding", "NVDLA PDP geometry", [](S, L l) {
        const Pool p(l);
        return want(p.left < p.kw && p.right < p.kw && p.top < p.kh && p.bottom < p.kh,
                    "less than the window, ", p.kw, " x ", p.kh);
    });
    add<pdp::D_DATA_CUBE_OUT_WIDTH>(out, "output-width", "NVDLA PDP geometry", [](S, L l) {
        const Pool p(l);
        const std::int64_t line = p.left + p.in.width + p.right;
        return want((p.out.width - 1) * p.sx + p.kw == line, "CUBE_OUT_WIDTH*", p.sx, " + ", p.kw,
                    " (stride, window) = ", line, " (width with padding)");
    });
    add<pdp::D_DATA_CUBE_OUT_HEIGHT>(out, "output-height", "NVDLA PDP geometry", [](S, L l) {
        const Pool p(l);
        const std::int64_t lines = p.top + p.in.height + p.bottom;
        return want((p.out.height - 1) * p.sy + p.kh == lines, "CUBE_OUT_HEIGHT*", p.sy, " + ",
                    p.kh, " (stride, window) = ", lines, " (height with padding)");
    });
    add<pdp::D_DATA_CUBE_OUT_CHANNEL>(out, "channels", "NVDLA PDP settings", [](S, L l) {
        const Pool p(l);
        return want(p.out.channels == p.in.channels, p.in.channels - 1, " as CUBE_IN_CHANNEL");
    });
    add<pdp::D_DATA_CUBE_IN_WIDTH>(out, "input-size", "NVDLA enable order", [](S, L l) {
        return want(!l.has("SDP") || pdp_in(l) == sdp_cube(l), "a cube of ", sdp_cube(l).text(),
                    " as SDP makes it, found ", pdp_in(l).text());
    });
    add<pdp::D_OPERATION_MODE_CFG>(out, "source", "NVDLA enable order", [](S, L l) {
        return want(!l.has("SDP") || Pool(l).flying, "FLYING_MODE 0 behind SDP");
    });
    add<pdp::D_OPERATION_MODE_CFG>(out, "flying-split", "NVDLA PDP settings", [](S, L l) {
        const Pool p(l);
        return want(!p.flying || p.strips == 1, "SPLIT_NUM 0 on the fly");
    });
}

/// What the line buffer asks for.
static void add_strips(Rules& out) {
    add<pdp::D_DATA_CUBE_OUT_WIDTH>(out, "line-buffer", "NVDLA PDP line buffer", [](S, L l) {
        const Pool p(l);
        return want(p.strips > 1 || p.out.width <= p.max_width(), "at most ", p.max_width() - 1,
                    " with this window and stride, or strips (SPLIT_NUM)");
    });
    add<pdp::D_PARTIAL_WIDTH_OUT>(out, "strip-line-buffer", "NVDLA limits", [](S, L l) {
        const Pool p(l);
        return want(p.strips == 1 || (p.out_first <= p.max_width() && p.out_last <= p.max_width() &&
                                      (p.strips == 2 || p.out_mid <= p.max_width())),
                    "strips of at most ", p.max_width());
    });
    add<pdp::D_PARTIAL_WIDTH_OUT>(out, "strip-outputs", "NVDLA limits", [](S, L l) {
        const Pool p(l);
        return want(
            p.strips == 1 || p.out_first + (p.strips - 2) * p.out_mid + p.out_last == p.out.width,
            "first, ", p.strips - 2, " middle and last that sum to ", p.out.width);
    });
    add<pdp::D_PARTIAL_WIDTH_IN>(out, "strip-inputs", "NVDLA PDP split width", [](S, L l) {
        const Pool p(l);
        if (p.strips == 1) return Broken();
        const std::int64_t first = (p.out_first - 1) * p.sx + p.kw - p.left;
        const std::int64_t mid = p.strips > 2 ? p.out_mid * p.sx : p.in_mid;
        const std::int64_t last = p.in.width - first - (p.strips > 2 ? (p.strips - 2) * mid : 0);
        return want(p.in_first == first && p.in_mid == mid && p.in_last == last, "first ", first,
                    ", middle ", mid, ", last ", last, " (fields hold value-1)");
    });
    add<pdp::D_PARTIAL_WIDTH_IN>(out, "strip-overlap", "NVDLA limits", [](S, L l) {
        const Pool p(l);
        const std::int64_t overlap = p.kw - p.sx;
        return want(
            p.strips == 1 || (p.in_first >= overlap && (p.strips == 2 || p.in_mid >= overlap)),
            "first and middle at least ", overlap, " (overlap of windows)");
    });
}

void add_pdp(Rules& out) {
    add_geometry(out);
    add_strips(out);
    add<pdp::D_RECIP_KERNEL_WIDTH>(out, "reciprocal", "NVDLA PDP settings", [](S, L l) {
        const Pool p(l);
        const std::int64_t found = l.get<pdp::D_RECIP_KERNEL_WIDTH>().RECIP_KERNEL_WIDTH();
        if (pdp_floats(l)) return float_reciprocal(p.method != 0, found, p.kw);
        return want(p.method != 0 || std::abs(found - 65536 / p.kw) <= 1, 65536 / p.kw,
                    " (65536 / ", p.kw, ", rounded up or down)");
    });
    add<pdp::D_RECIP_KERNEL_HEIGHT>(out, "reciprocal", "NVDLA PDP settings", [](S, L l) {
        const Pool p(l);
        const std::int64_t found = l.get<pdp::D_RECIP_KERNEL_HEIGHT>().RECIP_KERNEL_HEIGHT();
        if (pdp_floats(l)) return float_reciprocal(p.method != 0, found, p.kh);
        return want(p.method != 0 || std::abs(found - 65536 / p.kh) <= 1, 65536 / p.kh,
                    " (65536 / ", p.kh, ", rounded up or down)");
    });
    // Any seven values are computed with as they are.
    warn<pdp::D_POOLING_PADDING_VALUE_1_CFG>(out, "pad-values", "NVDLA PDP settings", [](S, L l) {
        const Pool p(l);
        const auto most = static_cast<std::uint32_t>(std::max({p.left, p.right, p.top, p.bottom}));
        bool ok = true;
        for (std::uint32_t n = 2; n <= most; ++n)
            ok = ok && pad_value(l, n) == static_cast<std::int64_t>(n) * pad_value(l, 1);
        return want(p.method != 0 || pdp_floats(l) || ok, "registers 2 to ", most,
                    " that hold so many times ", pad_value(l, 1));
    });
    add_address<pdp::D_DST_BASE_ADDR_LOW, pdp::D_DST_BASE_ADDR_HIGH, pdp::D_DST_RAM_CFG>(out,
                                                                                         always);
    add_strides<pdp::D_DST_LINE_STRIDE, pdp::D_DST_SURFACE_STRIDE>(out, always, pdp_out);
    add_single<pdp::D_DST_SURFACE_STRIDE>(out, always, pdp_out);
}

void add_pdp_rdma(Rules& out) {
    add<pdp_rdma::D_DATA_CUBE_IN_WIDTH>(out, "rdma-size", "NVDLA register sets", [](S, L l) {
        return want(pdp_rdma_in(l) == pdp_in(l), "a cube of ", pdp_in(l).text(),
                    " as in PDP, found ", pdp_rdma_in(l).text());
    });
    // The register drives nothing: that PDP_RDMA is enabled says it.
    warn<pdp_rdma::D_FLYING_MODE>(out, "rdma-mode", "NVDLA enable order", [](S, L l) {
        return want(l.get<pdp_rdma::D_FLYING_MODE>().FLYING_MODE() == 1,
                    "FLYING_MODE 1: PDP_RDMA is only for offline layers");
    });
    add<pdp_rdma::D_DATA_FORMAT>(out, "precision", "NVDLA precision", [](S s, L l) {
        const std::uint32_t type = l.get<pdp::D_DATA_FORMAT>().INPUT_DATA();
        if (s.types16()) {
            return want(l.get<pdp_rdma::D_DATA_FORMAT>().INPUT_DATA() == type, "INPUT_DATA ", type,
                        " as in PDP");
        }
        return int8_only(l.get<pdp_rdma::D_DATA_FORMAT>().INPUT_DATA() == 0, "INPUT_DATA");
    });
    add<pdp_rdma::D_OPERATION_MODE_CFG>(out, "rdma-split", "NVDLA register sets", [](S, L l) {
        const Pool p(l);
        return want(plus1(l.get<pdp_rdma::D_OPERATION_MODE_CFG>().SPLIT_NUM()) == p.strips,
                    "SPLIT_NUM ", p.strips - 1, " as in PDP");
    });
    add<pdp_rdma::D_POOLING_KERNEL_CFG>(out, "rdma-kernel", "NVDLA register sets", [](S, L l) {
        const Pool p(l);
        const auto k = l.get<pdp_rdma::D_POOLING_KERNEL_CFG>();
        return want(p.strips == 1 ||
                        (plus1(k.KERNEL_WIDTH()) == p.kw && plus1(k.KERNEL_STRIDE_WIDTH()) == p.sx),
                    "KERNEL_WIDTH ", p.kw - 1, " and KERNEL_STRIDE_WIDTH ", p.sx - 1, " as in PDP");
    });
    add<pdp_rdma::D_PARTIAL_WIDTH_IN>(out, "rdma-strips", "NVDLA register sets", [](S, L l) {
        const std::uint32_t widths = l.get<pdp::D_PARTIAL_WIDTH_IN>().raw;
        return want(Pool(l).strips == 1 || l.get<pdp_rdma::D_PARTIAL_WIDTH_IN>().raw == widths,
                    widths, " as in PDP");
    });
    // The strips are read with what PDP has been told.
    warn<pdp_rdma::D_POOLING_PADDING_CFG>(out, "rdma-padding", "NVDLA PDP geometry", [](S, L l) {
        const Pool p(l);
        return want(p.strips == 1 || l.get<pdp_rdma::D_POOLING_PADDING_CFG>().PAD_WIDTH() == p.left,
                    "PAD_WIDTH ", p.left, " as PAD_LEFT in PDP");
    });
    add_address<pdp_rdma::D_SRC_BASE_ADDR_LOW, pdp_rdma::D_SRC_BASE_ADDR_HIGH,
                pdp_rdma::D_SRC_RAM_CFG>(out, pdp_offline);
    add_strides<pdp_rdma::D_SRC_LINE_STRIDE, pdp_rdma::D_SRC_SURFACE_STRIDE>(out, pdp_offline,
                                                                             pdp_rdma_in);
    add_single<pdp_rdma::D_SRC_SURFACE_STRIDE>(out, pdp_offline, pdp_rdma_in);
}

}  // namespace macrame::dla::model::rules
