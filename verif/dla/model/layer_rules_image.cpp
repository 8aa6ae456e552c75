/// Rules of image input.

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

/// Stride of a plane of pixels with lines of so many bytes; 0: there is none.
template <class Stride>
void add_plane_stride(Rules& out, const RecordOf& line_bytes) {
    add<Stride>(out, "pixel-line-stride", "NVDLA memory formats", [line_bytes](S s, L l) {
        const std::int64_t bytes = line_bytes(l);
        if (bytes == 0) return Broken();
        const std::int64_t stride = l.word(Stride::kAddress);
        return want(stride % s.atom_bytes == 0 && (Conv(l).fetched.height == 1 || stride >= bytes),
                    "a multiple of ", s.atom_bytes, ", at least ", bytes,
                    " (bytes of a line of pixels)");
    });
}

void add_image(Rules& out) {
    add<cdma::D_DATAIN_FORMAT>(out, "image-unit", "NVDLA driver", [](S s, L l) {
        return want(s.image || is_feature(l), "DATAIN_FORMAT 0: no image input here");
    });
    add<cdma::D_DATAIN_FORMAT>(out, "pixel-format", "NVDLA memory formats", [](S s, L l) {
        const Conv c(l);
        if (s.types16()) return want(!c.pixels || c.code <= 35, "PIXEL_FORMAT 0..35");
        const bool eight =
            c.code == 0 || (c.code >= 12 && c.code <= 19) || (c.code >= 26 && c.code <= 29);
        return want(!c.pixels || eight, "PIXEL_FORMAT of 8 bits: 0, 12..19 or 26..29");
    });
    add<cdma::D_DATAIN_FORMAT>(out, "pixel-type", "NVDLA precision", [](S s, L l) {
        const Conv c(l);
        const std::uint32_t type = l.get<cdma::D_MISC_CFG>().PROC_PRECISION();
        return want(!c.pixels || c.pixel_type(s) != 2 || type == 2,
                    "a PIXEL_FORMAT of integers for PROC_PRECISION ", type);
    });
    add<cdma::D_CVT_CFG>(out, "pixel-convertor", "NVDLA precision", [](S s, L l) {
        const auto m = l.get<cdma::D_MISC_CFG>();
        const bool same = m.IN_PRECISION() == m.PROC_PRECISION();
        return want(is_feature(l) || !s.types16() || same || l.get<cdma::D_CVT_CFG>().CVT_EN() != 0,
                    "CVT_EN 1: IN_PRECISION is not PROC_PRECISION");
    });
    add<cdma::D_DATAIN_SIZE_1>(out, "pixel-channels", "NVDLA memory formats", [](S s, L l) {
        const Conv c(l);
        const int channels = c.format(s).components;
        return want(!c.pixels || c.fetched.channels == channels, "DATAIN_CHANNEL ", channels - 1,
                    " for PIXEL_FORMAT ", c.code);
    });
    add<cdma::D_DATAIN_FORMAT>(out, "pixel-mapping", "NVDLA memory formats", [](S, L l) {
        return want(is_feature(l) || l.get<cdma::D_DATAIN_FORMAT>().PIXEL_MAPPING() == 0,
                    "PIXEL_MAPPING 0 (pitch linear)");
    });
    add<cdma::D_PIXEL_OFFSET>(out, "pixel-offset", "NVDLA limits", [](S s, L l) {
        const Conv c(l);
        const auto offset = l.get<cdma::D_PIXEL_OFFSET>();
        const int most = s.atom_bytes / c.format(s).bytes[0] - 1;
        return want(!c.pixels || (offset.PIXEL_Y_OFFSET() == 0 &&
                                  static_cast<int>(offset.PIXEL_X_OFFSET()) <= most),
                    "PIXEL_Y_OFFSET 0 and PIXEL_X_OFFSET at most ", most);
    });
    add_plane_stride<cdma::D_LINE_STRIDE>(out, [](L l) {
        const Conv c(l);
        if (!c.pixels || data_kept(l)) return std::int64_t{0};
        const std::int64_t offset = l.get<cdma::D_PIXEL_OFFSET>().PIXEL_X_OFFSET();
        return (offset + c.fetched.width) * c.format(l.sizes).bytes[0];
    });
    add_plane_stride<cdma::D_LINE_UV_STRIDE>(out, [](L l) {
        const Conv c(l);
        if (!c.two_planes(l.sizes) || data_kept(l)) return std::int64_t{0};
        const std::int64_t pixel = c.format(l.sizes).bytes[1];
        const std::int64_t offset = l.get<cdma::D_PIXEL_OFFSET>().PIXEL_X_OFFSET();
        return (offset % (l.sizes.atom_bytes / pixel) + c.fetched.width) * pixel;
    });
    add<csc::D_DILATION_EXT>(out, "image-dilation", "NVDLA limits", [](S, L l) {
        return want(is_feature(l) || l.get<csc::D_DILATION_EXT>().raw == 0,
                    "0: images have no dilation");
    });
    stop<csc::D_POST_Y_EXTENSION>(out, "post-extension", "NVDLA convolution modes", [](S s, L l) {
        const std::uint32_t e = l.get<csc::D_POST_Y_EXTENSION>().Y_EXTENSION();
        const Conv c(l);
        const std::int64_t most = s.atomic_c >> e;
        return want(e == 0 || (e <= 2 && c.pixels && c.weight_channels <= most &&
                               c.stride_x * c.in.channels <= most),
                    "0; for images with at most ", s.atomic_c / 2, " (", s.atomic_c / 4,
                    ") channels, of the pre-extended kernel and of a stride: 1 (2)");
    });
    warn<cdma::D_MEAN_FORMAT>(out, "mean", "NVDLA convertor", [](S, L l) {
        return want(is_feature(l) || l.get<cdma::D_MEAN_FORMAT>().MEAN_FORMAT() == 0 ||
                        l.get<cdma::D_CVT_CFG>().CVT_EN() != 0,
                    "MEAN_FORMAT 0, or CVT_EN 1: without it the mean is ignored");
    });
}

}  // namespace macrame::dla::model::rules
