/// Rules of the convolution units: features, memory, sizes, weights.

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

namespace {

/// The same mode, type and number of inputs as CDMA, whose registers are judged by themselves.
template <class Misc>
void add_conv_mode(Rules& out) {
    add<Misc>(out, "conv-mode", "NVDLA convolution modes", [](S s, L l) {
        const std::uint32_t found = l.get<Misc>().CONV_MODE();
        if (!s.winograd) return want(found == 0, "CONV_MODE 0: no Winograd here");
        const std::uint32_t mode = l.get<cdma::D_MISC_CFG>().CONV_MODE();
        return want(found == mode, "CONV_MODE ", mode, " as in CDMA");
    });
}

template <class Misc>
void add_type(Rules& out) {
    add<Misc>(out, "precision", "NVDLA precision", [](S s, L l) {
        const std::uint32_t found = l.get<Misc>().PROC_PRECISION();
        if (!s.types16()) return int8_only(found == 0, "PROC_PRECISION");
        const std::uint32_t type = l.get<cdma::D_MISC_CFG>().PROC_PRECISION();
        return want(found == type, "PROC_PRECISION ", type, " as in CDMA");
    });
}

template <class Format>
void add_uncompressed(Rules& out) {
    add<Format>(out, "compression", "NVDLA memory formats", [](S s, L l) {
        const std::uint32_t found = l.get<Format>().WEIGHT_FORMAT();
        if (!s.compression) return want(found == 0, "WEIGHT_FORMAT 0: no compressed weights here");
        const std::uint32_t format = l.get<cdma::D_WEIGHT_FORMAT>().WEIGHT_FORMAT();
        return want(found == format, "WEIGHT_FORMAT ", format, " as in CDMA");
    });
}

template <class Batch>
void add_one_batch(Rules& out) {
    add<Batch>(out, "batch", "NVDLA limits", [](S s, L l) {
        const std::uint32_t found = l.get<Batch>().BATCHES();
        if (!s.batch) return want(found == 0, "BATCHES 0: no batches here");
        const std::uint32_t batches = l.get<cdma::D_BATCH_NUMBER>().BATCHES();
        return want(found == batches, "BATCHES ", batches, " as in CDMA");
    });
}

/// Types of the input and of what is computed.
void add_types(Rules& out) {
    add<cdma::D_MISC_CFG>(out, "precision", "NVDLA precision", [](S s, L l) {
        const auto m = l.get<cdma::D_MISC_CFG>();
        if (s.types16()) return of_types(s, m.PROC_PRECISION(), "PROC_PRECISION");
        return int8_only(m.IN_PRECISION() == 0 && m.PROC_PRECISION() == 0,
                         "IN_PRECISION and PROC_PRECISION");
    });
    add<cdma::D_MISC_CFG>(out, "input-type", "NVDLA precision", [](S s, L l) {
        const auto m = l.get<cdma::D_MISC_CFG>();
        const Conv c(l);
        if (!s.types16()) return Broken();
        const std::uint32_t type = c.pixels ? c.pixel_type(s) : m.PROC_PRECISION();
        return want(m.IN_PRECISION() == type, "IN_PRECISION ", type,
                    c.pixels ? " as PIXEL_FORMAT" : " as PROC_PRECISION");
    });
    add<csc::D_MISC_CFG>(out, "precision", "NVDLA precision", [](S s, L l) {
        const auto m = l.get<csc::D_MISC_CFG>();
        const std::uint32_t type = l.get<cdma::D_MISC_CFG>().PROC_PRECISION();
        if (s.types16()) {
            return want(m.IN_PRECISION() == type && m.PROC_PRECISION() == type,
                        "IN_PRECISION and PROC_PRECISION ", type, " as PROC_PRECISION of CDMA");
        }
        return int8_only(m.IN_PRECISION() == 0 && m.PROC_PRECISION() == 0,
                         "IN_PRECISION and PROC_PRECISION");
    });
    add_type<cmac_a::D_MISC_CFG>(out);
    add_type<cmac_b::D_MISC_CFG>(out);
    add_type<cacc::D_MISC_CFG>(out);
}

}  // namespace

/// Modes and types.
void add_conv_units(Rules& out) {
    add_types(out);
    add_conv_mode<cdma::D_MISC_CFG>(out);
    add_conv_mode<csc::D_MISC_CFG>(out);
    add_conv_mode<cmac_a::D_MISC_CFG>(out);
    add_conv_mode<cmac_b::D_MISC_CFG>(out);
    add_conv_mode<cacc::D_MISC_CFG>(out);
    add_uncompressed<cdma::D_WEIGHT_FORMAT>(out);
    add_uncompressed<csc::D_WEIGHT_FORMAT>(out);
    add_one_batch<cdma::D_BATCH_NUMBER>(out);
    add_one_batch<csc::D_BATCH_NUMBER>(out);
    add_one_batch<cacc::D_BATCH_NUMBER>(out);
    stop<csc::D_DATAIN_FORMAT>(out, "data-format", "NVDLA convolution modes", [](S, L l) {
        const std::uint32_t cdma_format = l.get<cdma::D_DATAIN_FORMAT>().DATAIN_FORMAT();
        return want(l.get<csc::D_DATAIN_FORMAT>().DATAIN_FORMAT() == cdma_format, cdma_format,
                    " as in CDMA");
    });
}

void add_conv_memory(Rules& out) {
    const Applies fetches = [](L l) { return !data_kept(l); };
    const Applies planes = [](L l) { return Conv(l).two_planes(l.sizes) && !data_kept(l); };
    add_aligned<cdma::D_DAIN_ADDR_LOW_0>(out, fetches);
    add_high<cdma::D_DAIN_ADDR_HIGH_0>(out, fetches);
    add_aligned<cdma::D_DAIN_ADDR_LOW_1>(out, planes);
    add_high<cdma::D_DAIN_ADDR_HIGH_1>(out, planes);
    add_port<cdma::D_DAIN_RAM_TYPE>(out, 0, fetches);
    add_address<cdma::D_WEIGHT_ADDR_LOW, cdma::D_WEIGHT_ADDR_HIGH, cdma::D_WEIGHT_RAM_TYPE>(out,
                                                                                            always);
    const Applies feature = [](L l) { return is_feature(l) && !data_kept(l); };
    const CubeOf cube = [](L l) { return Conv(l).fetched; };
    add_strides<cdma::D_LINE_STRIDE, cdma::D_SURF_STRIDE>(out, feature, cube, nullptr, true);
    add_single<cdma::D_SURF_STRIDE>(out, feature, cube);
    add<cdma::D_DAIN_MAP>(out, "line-packed", "NVDLA convolution modes", [feature](S s, L l) {
        if (!feature(l)) return Broken();
        const std::int64_t bytes = Conv(l).fetched.width * s.atom_bytes;
        return want(l.get<cdma::D_DAIN_MAP>().LINE_PACKED() == 0 ||
                        l.get<cdma::D_LINE_STRIDE>().raw == bytes,
                    "LINE_PACKED 0, or D_LINE_STRIDE ", bytes);
    });
    add<cdma::D_FETCH_GRAIN>(out, "fetch-grain", "NVDLA limits", [feature](S, L l) {
        const Cube in = Conv(l).fetched;
        // A packed cube of one position is fetched as one run.
        const bool run =
            in.width == 1 && in.height == 1 && l.get<cdma::D_DAIN_MAP>().SURF_PACKED() != 0;
        return want(!feature(l) || run || plus1(l.get<cdma::D_FETCH_GRAIN>().GRAINS()) <= in.height,
                    "GRAINS at most ", in.height - 1, ", lines of the input");
    });
    warn<cdma::D_FETCH_GRAIN>(out, "fetch-grain-packed", "NVDLA limits", [feature](S, L l) {
        return want(!feature(l) || l.get<cdma::D_FETCH_GRAIN>().GRAINS() == 0 ||
                        l.get<cdma::D_DAIN_MAP>().LINE_PACKED() != 0,
                    "GRAINS 0: without LINE_PACKED each line is fetched alone");
    });
    add<cdma::D_DAIN_MAP>(out, "surface-packed", "NVDLA convolution modes", [feature](S s, L l) {
        if (!feature(l)) return Broken();
        const Conv c(l);
        const std::int64_t bytes = c.fetched.height * l.get<cdma::D_LINE_STRIDE>().raw;
        return want(l.get<cdma::D_DAIN_MAP>().SURF_PACKED() == 0 || c.fetched.surfaces(s) == 1 ||
                        l.get<cdma::D_SURF_STRIDE>().raw == bytes,
                    "SURF_PACKED 0, or D_SURF_STRIDE ", bytes);
    });
}

/// Sizes of the input and of the kernels that the units must agree on.
static void add_input_sizes(Rules& out) {
    stop<csc::D_DATAIN_SIZE_EXT_0>(out, "input-width", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        if (c.winograd) {
            return want(c.in.width == c.extended_width, "DATAIN_WIDTH_EXT ", c.extended_width - 1,
                        " as in CDMA");
        }
        return want(c.in.width == c.fetched.width, "DATAIN_WIDTH_EXT ", c.fetched.width - 1,
                    " as CDMA DATAIN_WIDTH");
    });
    add<csc::D_DATAIN_SIZE_EXT_0>(out, "input-height", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        const std::int64_t kept = l.before.slices / c.batches;
        if (data_kept(l)) {
            return want(c.in.height == kept, "DATAIN_HEIGHT_EXT ", kept - 1,
                        ": so many lines are kept, and CDMA fetches none");
        }
        const std::int64_t fetched = c.winograd ? c.extended_height : c.fetched.height;
        const std::int64_t height = fetched + (lines_join(l) ? kept : 0);
        return want(c.in.height == height, "DATAIN_HEIGHT_EXT ", height - 1,
                    ": lines that CDMA fetches and those kept of the layer before");
    });
    add<csc::D_DATAIN_SIZE_EXT_1>(out, "input-channels", "NVDLA convolution modes", [](S s, L l) {
        const Conv c(l);
        if (c.winograd) {
            const std::int64_t channels = c.extended_channels(s);
            return want(c.in.channels == channels, "DATAIN_CHANNEL_EXT ", channels - 1,
                        " (whole atoms of channels, times the strides)");
        }
        return want(c.in.channels == c.fetched.channels, "DATAIN_CHANNEL_EXT ",
                    c.fetched.channels - 1, " as CDMA DATAIN_CHANNEL");
    });
    add<csc::D_WEIGHT_SIZE_EXT_1>(out, "weight-channels", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        if (c.winograd) return Broken();
        if (c.pixels) {
            return want(c.weight_channels % c.in.channels == 0,
                        "WEIGHT_CHANNEL_EXT+1 a multiple of ", c.in.channels, " (channels)");
        }
        return want(c.weight_channels == c.in.channels, "WEIGHT_CHANNEL_EXT ", c.in.channels - 1,
                    " as DATAIN_CHANNEL_EXT");
    });
    stop<csc::D_WEIGHT_SIZE_EXT_1>(
        out, "winograd-channels", "NVDLA convolution modes", [](S s, L l) {
            const Conv c(l);
            const bool whole = c.weight_channels % c.atom_channels(s) == 0;
            return want(!c.winograd || (c.weight_channels == c.in.channels && whole),
                        "WEIGHT_CHANNEL_EXT ", c.in.channels - 1,
                        " as DATAIN_CHANNEL_EXT, of whole atoms");
        });
    stop<csc::D_WEIGHT_SIZE_EXT_0>(out, "pre-extension", "NVDLA convolution modes", [](S, L l) {
        return want(is_feature(l) || is_winograd(l) || Conv(l).taps_x == 1,
                    "WEIGHT_WIDTH_EXT 0: the line of an image kernel is in its channels");
    });
    add<cdma::D_WEIGHT_SIZE_1>(out, "kernels", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        return want(plus1(l.get<cdma::D_WEIGHT_SIZE_1>().WEIGHT_KERNEL()) == c.kernels,
                    "WEIGHT_KERNEL ", c.kernels - 1, " as in CSC");
    });
}

/// Names of a direction.
struct Direction {
    const char* field;
    const char* text;
};

/// As many outputs as windows of a stride fit into a padded line or column. `rest`: only whether
/// some of it is left over behind the last, less than a stride; else all that is not.
static Broken output_size(std::int64_t outputs, std::int64_t stride, std::int64_t window,
                          std::int64_t padded, Direction names, bool rest) {
    const std::int64_t over = padded - (outputs - 1) * stride - window;
    const bool left_over = over > 0 && over < stride;
    return want(rest ? !left_over : over == 0 || left_over, names.field, "*", stride, " + ", window,
                " (stride, window) = ", padded, " (", names.text, " with padding)");
}

/// Padding of images is stored, and there is nothing behind it.
static bool leaves_line(const Conv& c) {
    return c.pixels &&
           (c.out.width - 1) * c.stride_x + c.window_x > c.left + c.fetched.width + c.right;
}

/// The same of the output.
static void add_output_sizes(Rules& out) {
    add<csc::D_DATAOUT_SIZE_1>(out, "output-channels", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        return want(c.out.channels == c.kernels, "DATAOUT_CHANNEL ", c.kernels - 1,
                    " as WEIGHT_KERNEL");
    });
    add<csc::D_DATAOUT_SIZE_0>(out, "output-width", "NVDLA limits", [](S, L l) {
        const Conv c(l);
        if (c.winograd) {
            return want(c.out.width == c.in.width - 4, "DATAOUT_WIDTH ", c.in.width - 5,
                        " (extended width - 4)");
        }
        if (leaves_line(c)) return Broken();
        return output_size(c.out.width, c.stride_x, c.window_x, c.left + c.fetched.width + c.right,
                           {"DATAOUT_WIDTH", "width"}, false);
    });
    stop<csc::D_DATAOUT_SIZE_0>(out, "image-line", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        return want(!leaves_line(c), "DATAOUT_WIDTH*", c.stride_x, " + ", c.window_x,
                    " (stride, window) of at most ", c.left + c.fetched.width + c.right,
                    " pixels with padding, as CDMA stores them");
    });
    add<csc::D_DATAOUT_SIZE_0>(out, "output-height", "NVDLA limits", [](S, L l) {
        const Conv c(l);
        if (c.winograd) {
            return want(c.out.height == c.in.height - 4, "DATAOUT_HEIGHT ", c.in.height - 5,
                        " (extended height - 4)");
        }
        return output_size(c.out.height, c.stride_y, c.window_y, c.top + c.in.height + c.bottom,
                           {"DATAOUT_HEIGHT", "height"}, false);
    });
    // What is left over behind the last window is fetched and not used.
    warn<csc::D_DATAOUT_SIZE_0>(out, "output-width-rest", "NVDLA limits", [](S, L l) {
        const Conv c(l);
        if (c.winograd) return Broken();
        return output_size(c.out.width, c.stride_x, c.window_x, c.left + c.fetched.width + c.right,
                           {"DATAOUT_WIDTH", "width"}, true);
    });
    warn<csc::D_DATAOUT_SIZE_0>(out, "output-height-rest", "NVDLA limits", [](S, L l) {
        const Conv c(l);
        if (c.winograd) return Broken();
        return output_size(c.out.height, c.stride_y, c.window_y, c.top + c.in.height + c.bottom,
                           {"DATAOUT_HEIGHT", "height"}, true);
    });
}

/// What others must agree on with it.
static void add_output_partners(Rules& out) {
    add<csc::D_ATOMICS>(out, "atomics", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        const std::int64_t atomics = c.out.width * c.out.height - 1;
        return want(l.get<csc::D_ATOMICS>().ATOMICS() == atomics, atomics,
                    " (output width x height - 1)");
    });
    add<csc::D_ZERO_PADDING>(out, "padding-agrees", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        const auto pad = l.get<csc::D_ZERO_PADDING>();
        return want(c.winograd || (pad.PAD_LEFT() == c.left && pad.PAD_TOP() == c.top), "PAD_LEFT ",
                    c.left, " and PAD_TOP ", c.top, " as in CDMA");
    });
    add<cdma::D_ZERO_PADDING>(out, "padding", "NVDLA limits", [](S, L l) {
        const Conv c(l);
        return want(c.winograd || (c.left < c.window_x && c.right < c.window_x &&
                                   c.top < c.window_y && c.bottom < c.window_y),
                    "less than the window, ", c.window_x, " x ", c.window_y);
    });
    add<cacc::D_DATAOUT_SIZE_0>(out, "cacc-size", "NVDLA convolution sizes", [](S, L l) {
        const auto size = l.get<cacc::D_DATAOUT_SIZE_0>();
        const Conv c(l);
        return want(plus1(size.DATAOUT_WIDTH()) == c.out.width &&
                        plus1(size.DATAOUT_HEIGHT()) == c.out.height,
                    c.out.width, " x ", c.out.height, " as in CSC (fields hold value-1)");
    });
    add<cacc::D_DATAOUT_SIZE_1>(out, "cacc-size", "NVDLA convolution sizes", [](S, L l) {
        const Conv c(l);
        return want(plus1(l.get<cacc::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL()) == c.out.channels,
                    "DATAOUT_CHANNEL ", c.out.channels - 1, " as in CSC");
    });
    // Hardware ignores the map.
    warn<cacc::D_DATAOUT_MAP>(out, "cacc-packed", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        const auto map = l.get<cacc::D_DATAOUT_MAP>();
        return want((map.LINE_PACKED() == 0 && map.SURF_PACKED() == 0) ||
                        (c.out.width == 1 && c.out.height == 1),
                    "0: packed is only for outputs of 1 x 1");
    });
    // Only the rounding of negative values differs between designs.
    warn<cacc::D_CLIP_CFG>(out, "truncate", "NVDLA CACC rounding", [](S, L l) {
        return want(l.get<cacc::D_CLIP_CFG>().CLIP_TRUNCATE() <= 16, "CLIP_TRUNCATE at most 16");
    });
}

void add_conv_sizes(Rules& out) {
    add_input_sizes(out);
    add_output_sizes(out);
    add_output_partners(out);
}

void add_conv_weights(Rules& out) {
    add<cdma::D_WEIGHT_SIZE_0>(out, "kernel-bytes", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        return want(plus1(l.get<cdma::D_WEIGHT_SIZE_0>().BYTE_PER_KERNEL()) == c.kernel_bytes,
                    c.kernel_bytes - 1, " (", c.taps_x, " x ", c.taps_y, " x ", c.weight_channels,
                    c.bytes == 2 ? " of two bytes" : "", " - 1)");
    });
    add<cdma::D_WEIGHT_BYTES>(out, "weight-bytes", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        const std::int64_t bytes = round_up(c.kernel_bytes * c.kernels, 128);
        const std::int64_t found = l.get<cdma::D_WEIGHT_BYTES>().raw;
        if (c.compressed) {
            return want(found % 128 == 0 && found >= 128 && found <= bytes,
                        "a multiple of 128, at most the ", bytes, " of all weights");
        }
        // A kernel group waits for all of its bytes, the last one for WEIGHT_BYTES.
        return want(found >= c.kernel_bytes * c.kernels && found <= bytes, bytes, " (", c.kernels,
                    " kernels of ", c.kernel_bytes, " bytes, rounded up to 128)");
    });
    // CDMA fetches whole entries.
    warn<cdma::D_WEIGHT_BYTES>(out, "weight-bytes-rounded", "NVDLA convolution modes", [](S, L l) {
        const Conv c(l);
        const std::int64_t needed = c.kernel_bytes * c.kernels, bytes = round_up(needed, 128);
        const std::int64_t found = l.get<cdma::D_WEIGHT_BYTES>().raw;
        return want(c.compressed || found < needed || found >= bytes, bytes, " (", c.kernels,
                    " kernels of ", c.kernel_bytes, " bytes, rounded up to 128)");
    });
    add<csc::D_WEIGHT_BYTES>(out, "weight-bytes-agree", "NVDLA convolution modes", [](S, L l) {
        const std::uint32_t bytes = l.get<cdma::D_WEIGHT_BYTES>().raw;
        return want(l.get<csc::D_WEIGHT_BYTES>().raw == bytes, bytes, " as in CDMA");
    });
}

}  // namespace macrame::dla::model::rules
