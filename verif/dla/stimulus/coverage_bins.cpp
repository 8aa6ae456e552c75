/// The bins of functional coverage: what several units have, and the tables of all of them.

#include "coverage_bins.hpp"

#include <algorithm>

namespace macrame::dla::stimulus {

namespace cover {

Types::Types(Sizes sizes) {
    for (std::uint32_t field = 0; field < 3; ++field) {
        if (!sizes.has(dla::model::precision_of(field))) continue;
        places[field] = static_cast<int>(names.size());
        names.push_back(kTypes[field]);
    }
}

void nan_flush(Bins& bins, Sizes sizes, std::uint32_t type, std::uint32_t flush) {
    if (sizes.fp16) bins.choice("NaN to zero", kOffOn, type == 2 ? flag(flush) : -1);
}

void fit(Bins& bins, const std::string& name, std::int64_t value, std::int64_t width) {
    bins.hit(name + " 1", value == 1);
    bins.hit(name + " below the width", value > 1 && value < width);
    bins.hit(name + " the width", value == width);
    bins.hit(name + " multiple of the width", value > width && value % width == 0);
    bins.hit(name + " above the width, no multiple", value > width && value % width != 0);
}

void shape(Bins& bins, std::int64_t width, std::int64_t height, std::int64_t channels,
           std::int64_t atom, bool may_be_long) {
    bins.hit("cube 1x1", width == 1 && height == 1);
    bins.hit("cube of one column", width == 1 && height > 1);
    bins.hit("cube of one line", width > 1 && height == 1);
    bins.hit("cube wide", width >= 32 && width >= 4 * height);
    bins.hit("cube tall", height >= 32 && height >= 4 * width);
    bins.hit("cube square", width > 1 && width == height);
    if (may_be_long) {
        bins.hit("cube with a side of 1000 and more", std::max({width, height, channels}) >= 1000);
    }
    fit(bins, "channels", channels, atom);
}

void packing(Bins& bins, const std::string& name, std::int64_t width, std::int64_t height,
             std::int64_t line_stride, std::int64_t surface_stride, std::int64_t atom) {
    const bool lines = line_stride == width * atom;
    bins.hit(name + " lines packed", lines);
    bins.hit(name + " lines with gaps", line_stride > width * atom);
    bins.hit(name + " surfaces packed", surface_stride == line_stride * height);
    bins.hit(name + " surfaces with gaps", surface_stride > line_stride * height);
    bins.hit(name + " surfaces far apart", surface_stride > line_stride * height + 0x8000);
}

void ram(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t type, bool used) {
    if (sizes.secondary) bins.choice(name, {"secondary", "primary"}, used ? flag(type) : -1);
}

void high_address(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t high) {
    if (sizes.addr_w > 32) bins.hit(name + " above 4 GiB", high != 0);
}

void convertor(Bins& bins, const std::string& name, std::int64_t offset, std::int64_t scale,
               std::int64_t shift, bool on) {
    if (!on) offset = scale = shift = 0;
    bins.hit(name + " offset negative", offset < 0);
    bins.hit(name + " offset positive", offset > 0);
    bins.hit(name + " scale 1", scale == 1);
    bins.hit(name + " scale negative", scale < 0);
    bins.hit(name + " scale positive", scale > 1);
    bins.hit(name + " shift 0", on && shift == 0);
    bins.hit(name + " shift 1..15", shift >= 1 && shift <= 15);
    bins.hit(name + " shift 16+", shift >= 16);
}

}  // namespace cover

// ---- tables

const std::vector<CoveredUnit>& covered_units() {
    using Sizes = const dla::model::Architecture&;
    const auto always = [](Sizes) { return true; };
    const auto has_pdp = [](Sizes sizes) { return sizes.pdp; };
    const auto has_cdp = [](Sizes sizes) { return sizes.cdp; };
    const auto has_rubik = [](Sizes sizes) { return sizes.rubik(); };
    const auto has_bdma = [](Sizes sizes) { return sizes.bdma; };
    const auto has_row = [](Sizes sizes) { return sizes.row; };
    static const std::vector<CoveredUnit> units = {
        {"CDMA", always, cover::cdma},   {"CSC", always, cover::csc},
        {"CACC", always, cover::cacc},   {"SDP_RDMA", always, cover::sdp_rdma},
        {"SDP", always, cover::sdp},     {"PDP_RDMA", has_pdp, cover::pdp_rdma},
        {"PDP", has_pdp, cover::pdp},    {"CDP_RDMA", has_cdp, cover::cdp_rdma},
        {"CDP", has_cdp, cover::cdp},    {"RUBIK", has_rubik, cover::rubik},
        {"BDMA", has_bdma, cover::bdma}, {"ROW", has_row, cover::row},
    };
    return units;
}

const std::vector<CoveredCounter>& covered_counters() {
    using Sizes = const dla::model::Architecture&;
    const auto always = [](Sizes) { return true; };
    // Below this size no kernel that fits the buffer has enough weights.
    const auto can_saturate = [](Sizes sizes) {
        return sizes.cbuf_banks * sizes.cbuf_depth * sizes.entry_bytes > 0x20000;
    };
    const auto has_fp16 = [](Sizes sizes) { return sizes.fp16; };
    const auto pools_fp16 = [](Sizes sizes) { return sizes.fp16 && sizes.pdp; };
    const auto norms_fp16 = [](Sizes sizes) { return sizes.fp16 && sizes.cdp; };
    const auto has_ew = [](Sizes sizes) { return sizes.sdp_ew; };
    const auto has_lut = [](Sizes sizes) { return sizes.sdp_ew && sizes.sdp_lut; };
    const auto has_cdp = [](Sizes sizes) { return sizes.cdp; };
    static const std::vector<CoveredCounter> counters = {
        {"CACC.D_OUT_SATURATION", "CACC", "saturates", can_saturate},
        {"SDP.D_PERF_OUT_SATURATION", "SDP", "output saturates", always},
        {"CDMA.D_NAN_INPUT_DATA_NUM", "CDMA", "NaN in data", has_fp16},
        {"CDMA.D_INF_INPUT_DATA_NUM", "CDMA", "infinity in data", has_fp16},
        {"CDMA.D_NAN_INPUT_WEIGHT_NUM", "CDMA", "NaN in weights", has_fp16},
        {"CDMA.D_INF_INPUT_WEIGHT_NUM", "CDMA", "infinity in weights", has_fp16},
        {"SDP_RDMA.D_STATUS_NAN_INPUT_NUM", "SDP_RDMA", "NaN in input", has_fp16},
        {"SDP_RDMA.D_STATUS_INF_INPUT_NUM", "SDP_RDMA", "infinity in input", has_fp16},
        {"SDP.D_STATUS_NAN_OUTPUT_NUM", "SDP", "NaN in output", has_fp16},
        {"PDP.D_NAN_INPUT_NUM", "PDP", "NaN in input", pools_fp16},
        {"PDP.D_INF_INPUT_NUM", "PDP", "infinity in input", pools_fp16},
        {"PDP.D_NAN_OUTPUT_NUM", "PDP", "NaN in output", pools_fp16},
        {"CDP.D_NAN_INPUT_NUM", "CDP", "NaN in input", norms_fp16},
        {"CDP.D_INF_INPUT_NUM", "CDP", "infinity in input", norms_fp16},
        {"CDP.D_NAN_OUTPUT_NUM", "CDP", "NaN in output", norms_fp16},
        {"SDP.D_STATUS", "SDP", "compared cubes differ", has_ew},
        {"SDP.D_PERF_LUT_UFLOW", "SDP", "table underflow", has_lut},
        {"SDP.D_PERF_LUT_OFLOW", "SDP", "table overflow", has_lut},
        {"SDP.D_PERF_LUT_HYBRID", "SDP", "table hybrid", has_lut},
        {"SDP.D_PERF_LUT_LE_HIT", "SDP", "table LE hit", has_lut},
        {"SDP.D_PERF_LUT_LO_HIT", "SDP", "table LO hit", has_lut},
        {"CDP.D_PERF_LUT_UFLOW", "CDP", "table underflow", has_cdp},
        {"CDP.D_PERF_LUT_OFLOW", "CDP", "table overflow", has_cdp},
        {"CDP.D_PERF_LUT_HYBRID", "CDP", "table hybrid", has_cdp},
        {"CDP.D_PERF_LUT_LE_HIT", "CDP", "table LE hit", has_cdp},
        {"CDP.D_PERF_LUT_LO_HIT", "CDP", "table LO hit", has_cdp},
    };
    return counters;
}

}  // namespace macrame::dla::stimulus
