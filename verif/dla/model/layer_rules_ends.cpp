/// Rules of the ends of cubes and weights in memory.

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

namespace {

template <class Line, class Surface>
std::int64_t cube_bytes(S s, L l, const Cube& c, std::int64_t record = 0) {
    const std::int64_t pixel = s.atom_bytes * (record == 0 ? c.bytes : record) / c.bytes;
    // A cube of one pixel has no use for strides.
    if (c.single()) return c.surfaces(s) * pixel;
    return span(c.width * pixel, c.height, l.word(Line::kAddress), c.surfaces(s),
                l.word(Surface::kAddress));
}

template <class Low, class High, class Line, class Surface>
void add_cube_end(Rules& out, const Applies& applies, const CubeOf& cube) {
    add_end<Low, High>(out, [applies, cube](S s, L l) {
        return applies(l) ? cube_bytes<Line, Surface>(s, l, cube(l)) : 0;
    });
}

void add_conv_ends(Rules& out) {
    const auto lines = [](S s, L l, int plane, std::int64_t stride) {
        const Conv c(l);
        const std::int64_t offset = l.get<cdma::D_PIXEL_OFFSET>().PIXEL_X_OFFSET();
        const std::int64_t pixel = c.format(s).bytes[static_cast<std::size_t>(plane)];
        const std::int64_t first = plane == 0 ? offset : offset % (s.atom_bytes / pixel);
        return span((first + c.fetched.width) * pixel, c.fetched.height, stride, 1, 0);
    };
    add_end<cdma::D_DAIN_ADDR_LOW_0, cdma::D_DAIN_ADDR_HIGH_0>(out, [lines](S s, L l) {
        const Conv c(l);
        if (data_kept(l)) return std::int64_t{0};
        if (c.pixels) return lines(s, l, 0, l.get<cdma::D_LINE_STRIDE>().raw);
        return (c.batches - 1) * l.get<cdma::D_BATCH_STRIDE>().raw +
               cube_bytes<cdma::D_LINE_STRIDE, cdma::D_SURF_STRIDE>(s, l, c.fetched);
    });
    add_end<cdma::D_DAIN_ADDR_LOW_1, cdma::D_DAIN_ADDR_HIGH_1>(out, [lines](S s, L l) {
        if (data_kept(l) || !Conv(l).two_planes(s)) return std::int64_t{0};
        return lines(s, l, 1, l.get<cdma::D_LINE_UV_STRIDE>().raw);
    });
    add_end<cdma::D_WEIGHT_ADDR_LOW, cdma::D_WEIGHT_ADDR_HIGH>(out, [](S, L l) {
        const bool kept = l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() != 0;
        return kept ? std::int64_t{0} : l.get<cdma::D_WEIGHT_BYTES>().raw;
    });
    add_end<cdma::D_WMB_ADDR_LOW, cdma::D_WMB_ADDR_HIGH>(out, [](S, L l) {
        const bool kept = l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() != 0;
        return kept || !is_compressed(l) ? std::int64_t{0} : l.get<cdma::D_WMB_BYTES>().raw;
    });
}

/// Operands of an SDP stage: a cube, or one record a channel.
template <class Low, class High, class Line, class Surface>
void add_operand_end(Rules& out, Stream (*stream)(L)) {
    add_end<Low, High>(out, [stream](S s, L l) {
        const Stream operands = stream(l);
        if (!operands.on) return std::int64_t{0};
        const Cube c = rdma_cube(l);
        if (!operands.per_element) return c.channels * operands.record;
        return cube_bytes<Line, Surface>(s, l, c, operands.record);
    });
}

void add_sdp_ends(Rules& out) {
    add_end<sdp::D_DST_BASE_ADDR_LOW, sdp::D_DST_BASE_ADDR_HIGH>(out, [](S s, L l) {
        if (!to_memory(l)) return std::int64_t{0};
        const std::int64_t batches = is_batch(l) ? Conv(l).batches : 1;
        return (batches - 1) * l.get<sdp::D_DST_BATCH_STRIDE>().raw +
               cube_bytes<sdp::D_DST_LINE_STRIDE, sdp::D_DST_SURFACE_STRIDE>(s, l, sdp_out(l));
    });
    add_cube_end<rdma::D_SRC_BASE_ADDR_LOW, rdma::D_SRC_BASE_ADDR_HIGH, rdma::D_SRC_LINE_STRIDE,
                 rdma::D_SRC_SURFACE_STRIDE>(out, offline, rdma_in);
    add_operand_end<rdma::D_BS_BASE_ADDR_LOW, rdma::D_BS_BASE_ADDR_HIGH, rdma::D_BS_LINE_STRIDE,
                    rdma::D_BS_SURFACE_STRIDE>(out, bs_stream);
    add_operand_end<rdma::D_BN_BASE_ADDR_LOW, rdma::D_BN_BASE_ADDR_HIGH, rdma::D_BN_LINE_STRIDE,
                    rdma::D_BN_SURFACE_STRIDE>(out, bn_stream);
    add_operand_end<rdma::D_EW_BASE_ADDR_LOW, rdma::D_EW_BASE_ADDR_HIGH, rdma::D_EW_LINE_STRIDE,
                    rdma::D_EW_SURFACE_STRIDE>(out, ew_stream);
}

void add_pool_ends(Rules& out) {
    add_cube_end<pdp::D_DST_BASE_ADDR_LOW, pdp::D_DST_BASE_ADDR_HIGH, pdp::D_DST_LINE_STRIDE,
                 pdp::D_DST_SURFACE_STRIDE>(out, always, pdp_out);
    add_cube_end<pdp_rdma::D_SRC_BASE_ADDR_LOW, pdp_rdma::D_SRC_BASE_ADDR_HIGH,
                 pdp_rdma::D_SRC_LINE_STRIDE, pdp_rdma::D_SRC_SURFACE_STRIDE>(
        out, [](L l) { return !Pool(l).flying; }, pdp_rdma_in);
    add_cube_end<cdp::D_DST_BASE_ADDR_LOW, cdp::D_DST_BASE_ADDR_HIGH, cdp::D_DST_LINE_STRIDE,
                 cdp::D_DST_SURFACE_STRIDE>(out, always, cdp_cube);
    add_cube_end<cdp_rdma::D_SRC_BASE_ADDR_LOW, cdp_rdma::D_SRC_BASE_ADDR_HIGH,
                 cdp_rdma::D_SRC_LINE_STRIDE, cdp_rdma::D_SRC_SURFACE_STRIDE>(out, always,
                                                                              cdp_cube);
}

}  // namespace

void add_ends(Rules& out) {
    add_conv_ends(out);
    add_sdp_ends(out);
    add_pool_ends(out);
}

}  // namespace macrame::dla::model::rules
