/// Rules of RUBIK and BDMA. Low bits of their addresses and strides do not exist.

#include "bdma.hpp"
#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

namespace {

// ---- RUBIK

constexpr const char* kRubik = "NVDLA RUBIK settings";
constexpr std::uint32_t kContract = 0, kSplit = 1, kMerge = 2;

/// A layer of RUBIK, with real numbers.
struct Reshape {
    Reshape(S s, L l) {
        const auto misc = l.get<rubik::D_MISC_CFG>();
        mode = misc.RUBIK_MODE();
        const auto size = l.get<rubik::D_DATAIN_SIZE_0>();
        width = plus1(size.DATAIN_WIDTH());
        height = plus1(size.DATAIN_HEIGHT());
        channels = plus1(l.get<rubik::D_DATAOUT_SIZE_1>().DATAOUT_CHANNEL());
        const auto stride = l.get<rubik::D_DECONV_STRIDE>();
        stride_x = plus1(stride.DECONV_X_STRIDE());
        stride_y = plus1(stride.DECONV_Y_STRIDE());
        atom = s.atom_bytes;
        element = s.types16() ? bytes_of(precision_of(misc.IN_PRECISION())) : 1;
        surfaces = ceil_div(channels * element, atom);
    }

    bool is(std::uint32_t what) const { return mode == what; }
    std::int64_t line_of_features() const { return width * atom; }
    std::int64_t line_of_planes() const { return round_up(width * element, atom); }

    std::uint32_t mode = 0;
    std::int64_t width = 1, height = 1, channels = 1, surfaces = 1;
    std::int64_t stride_x = 1, stride_y = 1, atom = 8, element = 1;
};

/// Lines of `bytes` that follow each other at this stride do not overlap; `lines` of them.
template <class Line, class Bytes>
void add_lines(Rules& out, Bytes bytes_and_lines) {
    add<Line>(out, "line-stride", "NVDLA limits", [bytes_and_lines](S s, L l) {
        const auto [bytes, lines] = bytes_and_lines(Reshape(s, l));
        return want(lines == 1 || l.word(Line::kAddress) >= bytes, "at least ", bytes,
                    " (bytes of a line)");
    });
}

/// The same of surfaces or planes in modes that have them.
template <class Line, class Surface, class Bytes>
void add_surfaces(Rules& out, const char* name, Bytes bytes_lines_surfaces) {
    add<Surface>(out, name, "NVDLA limits", [bytes_lines_surfaces](S s, L l) {
        const auto [bytes, lines, surfaces] = bytes_lines_surfaces(Reshape(s, l));
        const std::int64_t all = (lines - 1) * l.word(Line::kAddress) + bytes;
        return want(surfaces <= 1 || l.word(Surface::kAddress) >= all, "at least ", all,
                    " (bytes of ", lines, " lines)");
    });
}

void add_rubik_input(Rules& out) {
    add_high<rubik::D_DAIN_ADDR_HIGH>(out, always);
    add_port<rubik::D_DAIN_RAM_TYPE>(out, 0, always);
    add<rubik::D_DATAIN_SIZE_0>(out, "width", "NVDLA limits", [](S s, L l) {
        const Reshape r(s, l);
        return want(!r.is(kContract) || r.width * r.stride_x <= 8192,
                    "at most 8192 columns behind it, not ", r.width * r.stride_x);
    });
    add<rubik::D_DATAIN_SIZE_1>(out, "channels", kRubik, [](S s, L l) {
        const Reshape r(s, l);
        const std::int64_t padded = r.surfaces * r.atom / r.element;
        const std::int64_t in = r.is(kContract) ? padded * r.stride_x * r.stride_y : r.channels;
        return want(l.word(rubik::D_DATAIN_SIZE_1::kAddress) == in - 1, in - 1, " (", in,
                    " channels)");
    });
    add_lines<rubik::D_DAIN_LINE_STRIDE>(out, [](const Reshape& r) {
        return std::pair(r.is(kMerge) ? r.line_of_planes() : r.line_of_features(), r.height);
    });
    add_surfaces<rubik::D_DAIN_LINE_STRIDE, rubik::D_DAIN_SURF_STRIDE>(
        out, "surface-stride", [](const Reshape& r) {
            const std::int64_t more = r.is(kContract) ? r.stride_x * r.stride_y : 1;
            return std::tuple(r.line_of_features(), r.height, r.is(kMerge) ? 0 : r.surfaces * more);
        });
    add_surfaces<rubik::D_DAIN_LINE_STRIDE, rubik::D_DAIN_PLANAR_STRIDE>(
        out, "planar-stride", [](const Reshape& r) {
            return std::tuple(r.line_of_planes(), r.height, r.is(kMerge) ? r.channels : 0);
        });
    add<rubik::D_CONTRACT_STRIDE_0>(out, "contract-stride", kRubik, [](S s, L l) {
        const Reshape r(s, l);
        const std::int64_t bytes = r.surfaces * l.word(rubik::D_DAIN_SURF_STRIDE::kAddress);
        return want(!r.is(kContract) || r.stride_x * r.stride_y == 1 ||
                        l.word(rubik::D_CONTRACT_STRIDE_0::kAddress) == bytes,
                    bytes, " (", r.surfaces, " input surfaces)");
    });
}

void add_rubik_output(Rules& out) {
    add_high<rubik::D_DAOUT_ADDR_HIGH>(out, always);
    add_port<rubik::D_DAOUT_RAM_TYPE>(out, 0, always);
    add_lines<rubik::D_DAOUT_LINE_STRIDE>(out, [](const Reshape& r) {
        const bool contract = r.is(kContract);
        return std::pair(
            r.is(kSplit) ? r.line_of_planes() : r.line_of_features() * (contract ? r.stride_x : 1),
            r.height * (contract ? r.stride_y : 1));
    });
    add_surfaces<rubik::D_DAOUT_LINE_STRIDE, rubik::D_DAOUT_SURF_STRIDE>(
        out, "surface-stride", [](const Reshape& r) {
            const bool contract = r.is(kContract);
            return std::tuple(r.line_of_features() * (contract ? r.stride_x : 1),
                              r.height * (contract ? r.stride_y : 1),
                              r.is(kSplit) ? 0 : r.surfaces);
        });
    add_surfaces<rubik::D_DAOUT_LINE_STRIDE, rubik::D_DAOUT_PLANAR_STRIDE>(
        out, "planar-stride", [](const Reshape& r) {
            return std::tuple(r.line_of_planes(), r.height, r.is(kSplit) ? r.channels : 0);
        });
}

void add_rubik_ends(Rules& out) {
    add_end<rubik::D_DAIN_ADDR_LOW, rubik::D_DAIN_ADDR_HIGH>(out, [](S s, L l) {
        const Reshape r(s, l);
        const std::int64_t line = l.word(rubik::D_DAIN_LINE_STRIDE::kAddress);
        if (r.is(kMerge))
            return span(r.line_of_planes(), r.height, line, r.channels,
                        l.word(rubik::D_DAIN_PLANAR_STRIDE::kAddress));
        return span(r.line_of_features(), r.height, line,
                    r.surfaces * (r.is(kContract) ? r.stride_x * r.stride_y : 1),
                    l.word(rubik::D_DAIN_SURF_STRIDE::kAddress));
    });
    add_end<rubik::D_DAOUT_ADDR_LOW, rubik::D_DAOUT_ADDR_HIGH>(out, [](S s, L l) {
        const Reshape r(s, l);
        const bool contract = r.is(kContract);
        const std::int64_t line = l.word(rubik::D_DAOUT_LINE_STRIDE::kAddress);
        if (r.is(kSplit))
            return span(r.line_of_planes(), r.height, line, r.channels,
                        l.word(rubik::D_DAOUT_PLANAR_STRIDE::kAddress));
        return span(r.line_of_features() * (contract ? r.stride_x : 1),
                    r.height * (contract ? r.stride_y : 1), line, r.surfaces,
                    l.word(rubik::D_DAOUT_SURF_STRIDE::kAddress));
    });
}

// ---- BDMA

std::int64_t line_bytes(L l) { return plus1(l.get<bdma::CFG_LINE>().SIZE()) * kBdmaUnit; }

template <class Line, class Surface>
std::int64_t copied_bytes(S, L l) {
    return span(line_bytes(l), plus1(l.get<bdma::CFG_LINE_REPEAT>().NUMBER()),
                l.word(Line::kAddress), plus1(l.get<bdma::CFG_SURF_REPEAT>().NUMBER()),
                l.word(Surface::kAddress));
}

/// Bits of repeats that count.
template <class Repeat>
void add_repeats(Rules& out) {
    add<Repeat>(out, "repeats", "NVDLA limits", [](S, L l) {
        return want(l.word(Repeat::kAddress) <= kBdmaRepeats, "at most ", kBdmaRepeats, " (",
                    kBdmaRepeats + 1, " times)");
    });
}

}  // namespace

void add_rubik(Rules& out) {
    add<rubik::D_OP_ENABLE>(out, "unit", "NVDLA enable order",
                            [](S s, L) { return want(s.rubik(), "0: no RUBIK here"); });
    add<rubik::D_MISC_CFG>(out, "mode", kRubik, [](S s, L l) {
        const std::uint32_t mode = l.get<rubik::D_MISC_CFG>().RUBIK_MODE();
        const bool built = mode == kContract ? s.rubik_contract : mode < 3 && s.rubik_reshape;
        return want(built || !s.rubik(), "RUBIK_MODE ", s.rubik_contract ? "0" : "",
                    s.rubik_contract && s.rubik_reshape ? ", " : "", s.rubik_reshape ? "1, 2" : "",
                    ": there are no others");
    });
    add<rubik::D_MISC_CFG>(out, "precision", "NVDLA precision", [](S s, L l) {
        const std::uint32_t type = l.get<rubik::D_MISC_CFG>().IN_PRECISION();
        if (!s.types16()) return int8_only(type == 0, "IN_PRECISION");
        return want(type < 3 && s.has(precision_of(type)), "IN_PRECISION of a type that is here");
    });
    add_rubik_input(out);
    add_rubik_output(out);
    add_rubik_ends(out);
}

void add_bdma(Rules& out) {
    add<bdma::CFG_OP>(out, "unit", "NVDLA enable order",
                      [](S s, L) { return want(s.bdma, "0: no BDMA here"); });
    add_high<bdma::CFG_SRC_ADDR_HIGH>(out, always);
    add_high<bdma::CFG_DST_ADDR_HIGH>(out, always);
    add_end<bdma::CFG_SRC_ADDR_LOW, bdma::CFG_SRC_ADDR_HIGH>(
        out, copied_bytes<bdma::CFG_SRC_LINE, bdma::CFG_SRC_SURF>);
    add_end<bdma::CFG_DST_ADDR_LOW, bdma::CFG_DST_ADDR_HIGH>(
        out, copied_bytes<bdma::CFG_DST_LINE, bdma::CFG_DST_SURF>);
    add<bdma::CFG_CMD>(out, "memory-port", "NVDLA limits", [](S s, L l) {
        const bool primary = l.word(bdma::CFG_CMD::kAddress) == 3;
        return want(s.secondary || primary, "3: there is no second memory port");
    });
    add_repeats<bdma::CFG_LINE_REPEAT>(out);
    add_repeats<bdma::CFG_SURF_REPEAT>(out);
    add<bdma::CFG_DST_LINE>(out, "line-stride", "NVDLA limits", [](S, L l) {
        const bool one = l.get<bdma::CFG_LINE_REPEAT>().NUMBER() == 0;
        return want(one || l.word(bdma::CFG_DST_LINE::kAddress) >= line_bytes(l), "at least ",
                    line_bytes(l), " (bytes of a line)");
    });
    add<bdma::CFG_DST_SURF>(out, "surface-stride", "NVDLA limits", [](S, L l) {
        const bool one = l.get<bdma::CFG_SURF_REPEAT>().NUMBER() == 0;
        const std::int64_t bytes = std::int64_t{l.get<bdma::CFG_LINE_REPEAT>().NUMBER()} *
                                       l.word(bdma::CFG_DST_LINE::kAddress) +
                                   line_bytes(l);
        return want(one || l.word(bdma::CFG_DST_SURF::kAddress) >= bytes, "at least ", bytes,
                    " (bytes of a surface)");
    });
}

}  // namespace macrame::dla::model::rules
