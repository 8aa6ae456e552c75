/// Rules of SDP and SDP_RDMA.

#include "layer_rules.hpp"
#include "layer_rules_lut.hpp"

namespace macrame::dla::model::rules {

namespace {

Table sdp_table(L l) {
    const auto info = l.get<sdp::S_LUT_INFO>();
    const auto word = [](std::uint32_t raw) {
        return std::int64_t{static_cast<std::int32_t>(raw)};
    };
    return {l.get<sdp::S_LUT_CFG>().LUT_LE_FUNCTION() == 0,
            signed8(info.LUT_LE_INDEX_OFFSET()),
            signed8(info.LUT_LE_INDEX_SELECT()),
            signed8(info.LUT_LO_INDEX_SELECT()),
            word(l.get<sdp::S_LUT_LE_START>().raw),
            word(l.get<sdp::S_LUT_LE_END>().raw),
            word(l.get<sdp::S_LUT_LO_START>().raw),
            word(l.get<sdp::S_LUT_LO_END>().raw)};
}

/// SDP computes in fp16.
bool sdp_floats(L l) {
    return l.sizes.fp16 &&
           l.sizes.precision(l.get<sdp::D_DATA_FORMAT>().PROC_PRECISION()) == Precision::fp16;
}

/// Winograd and batches as the convolution in front has them.
template <class Mode>
void add_mode(Rules& out) {
    add<Mode>(out, "winograd-batch", "NVDLA limits", [](S s, L l) {
        const auto m = l.get<Mode>();
        return want(s.winograd || s.batch || (m.WINOGRAD() == 0 && m.BATCH_NUMBER() == 0),
                    "WINOGRAD 0 and BATCH_NUMBER 0: not built here");
    });
    stop<Mode>(out, "winograd-batch-agree", "NVDLA limits", [](S s, L l) {
        if (!s.winograd && !s.batch) return Broken();
        const auto m = l.get<Mode>();
        const std::uint32_t winograd = is_winograd(l) ? 1 : 0;
        const std::uint32_t batches =
            is_batch(l) ? static_cast<std::uint32_t>(Conv(l).batches) - 1 : 0;
        return want(m.WINOGRAD() == winograd && m.BATCH_NUMBER() == batches, "WINOGRAD ", winograd,
                    " and BATCH_NUMBER ", batches, " as in CDMA");
    });
}

/// Rules of one SDP stage and its read channel.
template <class Config, class ReadConfig, class Low, class High, class Line, class Surface>
void add_stage(Rules& out, const char* stage_name, bool (*exists)(S), Stage (*stage)(L),
               Stream (*stream)(L)) {
    const std::string name = stage_name;
    add<Config>(out, "stage", "NVDLA SDP settings", [=](S s, L l) {
        return want(exists(s) || !stage(l).active, name, "_BYPASS 1: no ", name, " stage here");
    });
    add<ReadConfig>(out, "operand-channel", "NVDLA limits", [=](S, L l) {
        return want(stream(l).on == stage(l).memory(), "DISABLE ", stage(l).memory() ? 0 : 1,
                    ": operands of ", name, " come from ",
                    stage(l).memory() ? "memory" : "registers");
    });
    add<ReadConfig>(out, "operand-use", "NVDLA SDP operands", [=](S, L l) {
        return want(!stream(l).on || !stage(l).memory() || stream(l).use == stage(l).data_use(),
                    "DATA_USE ", stage(l).data_use(), " (0 MUL, 1 ALU, 2 both) as the sources of ",
                    name);
    });
    add<ReadConfig>(out, "operand-size", "NVDLA SDP operands", [=](S, L l) {
        return want(!stream(l).on || sdp_cube(l).bytes == 1 || stream(l).two_byte,
                    "DATA_SIZE 1: operands of ", name, " have two bytes");
    });
    const Applies fetches = [stream](L l) { return stream(l).on; };
    add_address<Low, High, ReadConfig>(out, fetches, 5);
    add_strides<Line, Surface>(
        out,
        [stream](L l) { return stream(l).on && stream(l).per_element && !rdma_cube(l).single(); },
        rdma_cube, [stream](L l) { return stream(l).record; });
}

/// Hardware computes PReLU with an ALU operation, too; the documents speak of it alone.
template <class Config>
void add_prelu(Rules& out, const char* stage_name, Stage (*stage)(L), bool (*prelu)(L)) {
    const std::string name = stage_name;
    warn<Config>(out, "prelu", "NVDLA SDP settings", [=](S, L l) {
        return want(!stage(l).mul || !prelu(l) || !stage(l).alu, name, "_ALU_BYPASS 1 with ", name,
                    "_MUL_PRELU");
    });
}

}  // namespace

void add_sdp(Rules& out) {
    add_mode<sdp::D_FEATURE_MODE_CFG>(out);
    add<sdp::D_FEATURE_MODE_CFG>(out, "pdp-unit", "NVDLA enable order", [](S s, L l) {
        return want(s.pdp || l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0,
                    "OUTPUT_DST 0: no PDP here");
    });
    add<sdp::D_FEATURE_MODE_CFG>(out, "pooled-type", "NVDLA precision", [](S, L l) {
        return want(l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0 || sdp_out(l).parts == 1,
                    "OUTPUT_DST 0: PDP takes no int8 that became int16");
    });
    add<sdp::D_DATA_CUBE_WIDTH>(out, "conv-width", "NVDLA convolution sizes", [](S, L l) {
        return want(!is_conv(l) || sdp_cube(l).width == Conv(l).out.width,
                    is_conv(l) ? Conv(l).out.width - 1 : 0, " as CSC DATAOUT_WIDTH");
    });
    add<sdp::D_DATA_CUBE_HEIGHT>(out, "conv-height", "NVDLA convolution sizes", [](S, L l) {
        return want(!is_conv(l) || sdp_cube(l).height == Conv(l).out.height,
                    is_conv(l) ? Conv(l).out.height - 1 : 0, " as CSC DATAOUT_HEIGHT");
    });
    add<sdp::D_DATA_CUBE_CHANNEL>(out, "conv-channels", "NVDLA convolution sizes", [](S, L l) {
        return want(!is_conv(l) || sdp_cube(l).channels == Conv(l).out.channels,
                    is_conv(l) ? Conv(l).out.channels - 1 : 0, " as CSC DATAOUT_CHANNEL");
    });
    add<sdp::D_DATA_FORMAT>(out, "precision", "NVDLA precision", [](S s, L l) {
        const auto f = l.get<sdp::D_DATA_FORMAT>();
        if (s.types16()) {
            const std::uint32_t type = l.get<cdma::D_MISC_CFG>().PROC_PRECISION();
            if (!is_conv(l)) return of_types(s, f.PROC_PRECISION(), "PROC_PRECISION");
            return want(f.PROC_PRECISION() == type, "PROC_PRECISION ", type, " as in CDMA");
        }
        return int8_only(f.PROC_PRECISION() == 0 && f.OUT_PRECISION() == 0,
                         "PROC_PRECISION and OUT_PRECISION");
    });
    add<sdp::D_DATA_FORMAT>(out, "output-type", "NVDLA precision", [](S s, L l) {
        const std::uint32_t proc = l.get<sdp::D_DATA_FORMAT>().PROC_PRECISION();
        const std::uint32_t type = l.get<sdp::D_DATA_FORMAT>().OUT_PRECISION();
        const bool pair = proc == 0 ? type != 2 : type != 0;
        return want(!s.types16() || !is_type(s, proc) || (pair && is_type(s, type)),
                    "OUT_PRECISION ", proc == 0 ? "0 or 1" : "1 or 2", " of ", types(s));
    });
    add_address<sdp::D_DST_BASE_ADDR_LOW, sdp::D_DST_BASE_ADDR_HIGH, sdp::D_DST_DMA_CFG>(out,
                                                                                         to_memory);
    add_strides<sdp::D_DST_LINE_STRIDE, sdp::D_DST_SURFACE_STRIDE>(out, to_memory, sdp_out);
    add_single<sdp::D_DST_SURFACE_STRIDE>(out, to_memory, sdp_out);

    add<sdp::D_DP_BS_CFG>(out, "algorithm", "NVDLA SDP settings", [](S, L l) {
        return want(
            !bs_stage(l).alu || sdp_floats(l) || l.get<sdp::D_DP_BS_CFG>().BS_ALU_ALGO() <= 2,
            "BS_ALU_ALGO 0..2 (max, min, sum)");
    });
    add<sdp::D_DP_BN_CFG>(out, "algorithm", "NVDLA SDP settings", [](S, L l) {
        return want(
            !bn_stage(l).alu || sdp_floats(l) || l.get<sdp::D_DP_BN_CFG>().BN_ALU_ALGO() <= 2,
            "BN_ALU_ALGO 0..2 (max, min, sum)");
    });
    add<sdp::D_DP_EW_CFG>(out, "compare", "NVDLA SDP settings", [](S, L l) {
        return want(!compares(l) || (!bs_stage(l).active && !bn_stage(l).active &&
                                     !ew_stage(l).mul && !uses_lut(l)),
                    "with EQL: BS, BN, EW_MUL and LUT bypassed");
    });
    add<sdp::D_FEATURE_MODE_CFG>(out, "compare-output", "NVDLA SDP compare", [](S, L l) {
        return want(!compares(l) || l.get<sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0,
                    "OUTPUT_DST 0: comparing gives nothing to PDP");
    });
    add_prelu<sdp::D_DP_BS_CFG>(out, "BS", bs_stage,
                                [](L l) { return l.get<sdp::D_DP_BS_CFG>().BS_MUL_PRELU() != 0; });
    add_prelu<sdp::D_DP_BN_CFG>(out, "BN", bn_stage,
                                [](L l) { return l.get<sdp::D_DP_BN_CFG>().BN_MUL_PRELU() != 0; });
    add_prelu<sdp::D_DP_EW_CFG>(out, "EW", ew_stage,
                                [](L l) { return l.get<sdp::D_DP_EW_CFG>().EW_MUL_PRELU() != 0; });
    add<sdp::D_DP_EW_CFG>(out, "lut-unit", "NVDLA SDP settings", [](S s, L l) {
        return want(s.sdp_lut || !uses_lut(l), "EW_LUT_BYPASS 1: no table here");
    });
    add_table<sdp::S_LUT_INFO, sdp::S_LUT_LE_END, sdp::S_LUT_LO_END>(
        out, uses_lut, sdp_table, [](L l) {
            return sdp_floats(l) ? kFloatTable : TableLimits{25, 23, 31, 32};
        });
}

void add_sdp_rdma(Rules& out) {
    add<rdma::D_FEATURE_MODE_CFG>(out, "rdma-mode", "NVDLA register sets", [](S, L l) {
        const std::uint32_t mode = l.get<sdp::D_FEATURE_MODE_CFG>().FLYING_MODE();
        return want(l.get<rdma::D_FEATURE_MODE_CFG>().FLYING_MODE() == mode, "FLYING_MODE ", mode,
                    " as in SDP");
    });
    add<rdma::D_FEATURE_MODE_CFG>(out, "precision", "NVDLA precision", [](S s, L l) {
        const auto m = l.get<rdma::D_FEATURE_MODE_CFG>();
        if (s.types16()) {
            const std::uint32_t type = l.get<sdp::D_DATA_FORMAT>().PROC_PRECISION();
            return want(m.PROC_PRECISION() == type, "PROC_PRECISION ", type, " as in SDP");
        }
        return int8_only(m.IN_PRECISION() == 0 && m.PROC_PRECISION() == 0 && m.OUT_PRECISION() == 0,
                         "IN_, PROC_ and OUT_PRECISION");
    });
    add_mode<rdma::D_FEATURE_MODE_CFG>(out);
    add<rdma::D_FEATURE_MODE_CFG>(out, "input-type", "NVDLA precision", [](S s, L l) {
        const auto m = l.get<rdma::D_FEATURE_MODE_CFG>();
        const std::uint32_t proc = m.PROC_PRECISION(), type = m.IN_PRECISION();
        const bool pair = proc == 0 ? type != 2 : type == proc;
        return want(!s.types16() || !offline(l) || !is_type(s, proc) || (pair && is_type(s, type)),
                    "IN_PRECISION ", proc == 0 ? "0 or 1" : say(proc), " of ", types(s));
    });
    add<rdma::D_DATA_CUBE_WIDTH>(out, "rdma-size", "NVDLA register sets", [](S, L l) {
        return want(rdma_cube(l) == sdp_cube(l), "a cube of ", sdp_cube(l).text(),
                    " as in SDP, found ", rdma_cube(l).text());
    });
    add_address<rdma::D_SRC_BASE_ADDR_LOW, rdma::D_SRC_BASE_ADDR_HIGH, rdma::D_SRC_DMA_CFG>(
        out, offline);
    add_strides<rdma::D_SRC_LINE_STRIDE, rdma::D_SRC_SURFACE_STRIDE>(out, offline, rdma_in);
    add_single<rdma::D_SRC_SURFACE_STRIDE>(out, offline, rdma_in);

    add_stage<sdp::D_DP_BS_CFG, rdma::D_BRDMA_CFG, rdma::D_BS_BASE_ADDR_LOW,
              rdma::D_BS_BASE_ADDR_HIGH, rdma::D_BS_LINE_STRIDE, rdma::D_BS_SURFACE_STRIDE>(
        out, "BS", [](S s) { return s.sdp_bs; }, bs_stage, bs_stream);
    add_stage<sdp::D_DP_BN_CFG, rdma::D_NRDMA_CFG, rdma::D_BN_BASE_ADDR_LOW,
              rdma::D_BN_BASE_ADDR_HIGH, rdma::D_BN_LINE_STRIDE, rdma::D_BN_SURFACE_STRIDE>(
        out, "BN", [](S s) { return s.sdp_bn; }, bn_stage, bn_stream);
    add_stage<sdp::D_DP_EW_CFG, rdma::D_ERDMA_CFG, rdma::D_EW_BASE_ADDR_LOW,
              rdma::D_EW_BASE_ADDR_HIGH, rdma::D_EW_LINE_STRIDE, rdma::D_EW_SURFACE_STRIDE>(
        out, "EW", [](S s) { return s.sdp_ew; }, ew_stage, ew_stream);
}

}  // namespace macrame::dla::model::rules
