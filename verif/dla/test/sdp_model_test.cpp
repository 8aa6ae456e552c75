/// Stages of the model of SDP: the recorded operations, orders and addresses against naive loops.

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "oracle.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/sdp.hpp"
#include "verif/dla/model/sdp_rdma.hpp"

namespace macrame::dla::model {
namespace {

Precision precision(const OracleRow& row, const std::string& column) {
    const std::string& name = row.text(column);
    return name == "fp16" ? Precision::fp16 : name == "int16" ? Precision::int16 : Precision::int8;
}

bool flag(const OracleRow& row, const std::string& column) { return row.number(column) != 0; }

SdpOperand operands(const OracleRow& row, const std::string& alu, const std::string& mul) {
    return {signed16(row.hex(alu)), signed16(row.hex(mul))};
}

TEST(SdpModel, RecordedX) {
    NEEDS_ORACLE();
    for (const OracleRow& row : OracleTable("sdp_x.csv")) {
        SdpX x;
        x.bypass = false;
        x.alu_bypass = flag(row, "alu_bypass");
        x.alu_algo = row.number("alu_algo");
        x.alu_shift = row.number("alu_shift");
        x.mul_bypass = flag(row, "mul_bypass");
        x.mul_prelu = flag(row, "prelu");
        x.mul_shift = row.number("mul_shift");
        x.relu_bypass = flag(row, "relu_bypass");
        x.alu_from_memory = x.mul_from_memory = true;
        const SdpOperand o = operands(row, "alu", "mul");
        const bool fp = precision(row, "prec") == Precision::fp16;
        const std::uint32_t out = fp ? sdp_fp_x_stage(x, flag(row, "nan_to_zero"), row.hex("x"), o)
                                     : pattern(sdp_x_stage(x, word(row.hex("x")), o));
        ASSERT_EQ(out, row.hex("out")) << "line of " << row.text("x") << " " << row.text("prec");
    }
}

TEST(SdpModel, RecordedC) {
    NEEDS_ORACLE();
    for (const OracleRow& row : OracleTable("sdp_c.csv")) {
        const SdpConvertor cvt{word(row.hex("offset")), signed16(row.hex("scale")),
                               row.number("shift")};
        const Precision proc = precision(row, "proc"), to = precision(row, "out_prec");
        const SdpOut out = sdp_c_stage(cvt, word(row.hex("x")), proc, to);
        const std::uint32_t mask = to == Precision::int8 ? 0xFF : 0xFFFF;
        ASSERT_EQ(pattern16(out.value) & mask, row.hex("out") & mask) << row.text("x");
        if (proc == Precision::fp16 || to == Precision::fp16) continue;
        ASSERT_EQ(out.saturated, flag(row, "sat")) << row.text("x");
    }
}

using Tables = std::map<std::string, Lut>;

Tables recorded_tables() {
    Tables out;
    for (const OracleRow& row : OracleTable("sdp_y_tables.csv")) {
        Lut& lut = out[row.text("table")];
        const auto index = static_cast<std::size_t>(row.number("index"));
        const std::int16_t value = signed16(row.hex("value"));
        if (flag(row, "lo")) {
            lut.lo_table[index] = value;
        } else {
            lut.le_table[index] = value;
        }
    }
    return out;
}

Lut::Range range(const OracleRow& row, const std::string& name) {
    Lut::Range out;
    out.start = word(row.hex(name + "_start"));
    out.end = word(row.hex(name + "_end"));
    out.select = row.number(name + "_sel");
    out.uflow_scale = signed16(row.hex(name + "_us"));
    out.uflow_shift = row.number(name + "_ush");
    out.oflow_scale = signed16(row.hex(name + "_os"));
    out.oflow_shift = row.number(name + "_osh");
    return out;
}

Lut table(const OracleRow& row, const Tables& tables) {
    Lut out = tables.at(row.text("table"));
    out.le_linear = flag(row, "le_func");
    out.uflow_lo = flag(row, "uflow_pri");
    out.oflow_lo = flag(row, "oflow_pri");
    out.hybrid_lo = flag(row, "hybrid_pri");
    out.le_offset = row.number("le_offset");
    out.le = range(row, "le");
    out.lo = range(row, "lo");
    return out;
}

SdpEwConvertor convertor(const OracleRow& row, const std::string& name) {
    SdpEwConvertor out;
    out.bypass = flag(row, name + "_cvt_bypass");
    out.offset = word(row.hex(name + "_cvt_offset"));
    out.scale = signed16(row.hex(name + "_cvt_scale"));
    out.shift = row.number(name + "_cvt_trunc");
    return out;
}

SdpEw ew_stage(const OracleRow& row) {
    SdpEw out;
    out.bypass = false;
    out.mul_bypass = flag(row, "mul_bypass");
    out.mul_from_memory = flag(row, "mul_src");
    out.mul_prelu = flag(row, "mul_prelu");
    out.mul_operand = word(row.hex("mul_op"));
    out.mul_cvt = convertor(row, "mul");
    out.truncate = row.number("ew_trunc");
    out.alu_bypass = flag(row, "alu_bypass");
    out.alu_algo = row.number("alu_algo");
    out.alu_from_memory = flag(row, "alu_src");
    out.alu_operand = word(row.hex("alu_op"));
    out.alu_cvt = convertor(row, "alu");
    out.lut_bypass = flag(row, "lut_bypass");
    return out;
}

TEST(SdpModel, RecordedY) {
    NEEDS_ORACLE();
    const Tables tables = recorded_tables();
    for (const OracleRow& row : OracleTable("sdp_y.csv")) {
        const SdpEw ew = ew_stage(row);
        const SdpOperand o = operands(row, "mem_alu", "mem_mul");
        const std::uint32_t x = row.hex("x");
        const bool fp = precision(row, "prec") == Precision::fp16;
        std::uint32_t out = fp ? sdp_fp_ew_arithmetic(ew, flag(row, "nan_to_zero"), x, o)
                               : pattern(sdp_ew_arithmetic(ew, word(x), o));
        if (ew.uses_lut()) {
            const Lut lut = table(row, tables);
            const SdpLutOut found = fp ? sdp_fp_lut(lut, out) : sdp_lut(lut, word(out));
            out = pattern(found.value);
            LutCounts counts{};
            sdp_lut_count(found, counts);
            const LutCounts want = {row.hex("cnt_uflow"), row.hex("cnt_oflow"),
                                    row.hex("cnt_hybrid"), row.hex("cnt_le"), row.hex("cnt_lo")};
            ASSERT_EQ(counts, want) << row.text("x") << " " << row.text("prec");
        }
        ASSERT_EQ(out, row.hex("out")) << row.text("x") << " " << row.text("prec");
    }
}

SdpLayer random_layer(verif::Random& random, bool winograd) {
    SdpLayer out;
    out.proc = static_cast<Precision>(random.in(0, 2));
    out.out = sdp_out_precision(out.proc, static_cast<Precision>(random.in(0, 2)));
    out.winograd = winograd;
    out.width = winograd ? 4 * random.in(1, 3) : random.in(1, 6);
    out.height = winograd ? 4 * random.in(1, 3) : random.in(1, 6);
    out.batches = winograd ? 1 : random.in(1, 4);
    out.channels = random.in(1, 100);
    out.dst_addr = 0x1000;
    out.line_stride = static_cast<std::uint32_t>(out.width * 32 + 64);
    out.surf_stride = out.line_stride * static_cast<std::uint32_t>(out.height + 1);
    out.batch_stride = out.surf_stride * 20;
    out.flying = true;
    return out;
}

/// Every element reaches its place in memory, whatever the order of the pixels.
TEST(SdpModel, ElementsReachTheirPlace) {
    verif::Random random(3);
    constexpr int kAtom = 32;
    for (int round = 0; round < 300; ++round) {
        const SdpLayer layer = random_layer(random, round % 3 == 0);
        std::vector<std::int32_t> in;
        std::map<std::uint64_t, std::uint8_t> want;
        const int each = layer.elements(kAtom), bytes = bytes_of(layer.out),
                  out_each = kAtom / bytes;
        for_each_sdp_pixel(kAtom, layer, [&](int s, int h, int w, int b) {
            for (int e = 0; e < each; ++e) {
                const int c = s * each + e;
                const bool packed = layer.width == 1 && layer.height == 1;
                std::uint64_t at =
                    layer.dst_addr + static_cast<std::uint64_t>(b) * layer.batch_stride;
                at +=
                    static_cast<std::uint64_t>(c / out_each) * (packed ? kAtom : layer.surf_stride);
                at += static_cast<std::uint64_t>(h) * layer.line_stride;
                at += static_cast<std::uint64_t>(w * kAtom + c % out_each * bytes);
                // Integers that are their own fp32 pattern of a half: 1.0 * 2^n, or small numbers.
                const std::int32_t v =
                    layer.proc == Precision::fp16
                        ? word(Fp32::from_int(std::int64_t{1} << random.in(0, 9)))
                        : random.in(-128, 127);
                in.push_back(v);
                const SdpOut out = sdp_c_stage(layer.cvt, v, layer.proc, layer.out);
                for (int byte = 0; byte < bytes; ++byte)
                    want[at + static_cast<std::uint64_t>(byte)] =
                        static_cast<std::uint8_t>(pattern16(out.value) >> (8 * byte));
            }
        });
        const SdpResult result = sdp_layer(kAtom, layer, in);
        std::map<std::uint64_t, std::uint8_t> got;
        for (std::size_t i = 0; i < result.data.size(); ++i) {
            got[result.addrs.at(i / kAtom) + i % kAtom] = static_cast<std::uint8_t>(result.data[i]);
        }
        ASSERT_EQ(got, want) << round;
        ASSERT_EQ(result.data.size(), want.size()) << round;
    }
}

/// The order that the convolution delivers.
TEST(SdpModel, VisitOrder) {
    using Pixel = std::array<int, 4>;
    const auto order = [](const SdpOrder& o) {
        std::vector<Pixel> out;
        for_each_sdp_pixel(32, o, [&](int s, int h, int w, int b) { out.push_back({s, h, w, b}); });
        return out;
    };
    SdpOrder batch;
    batch.width = 2;
    batch.batches = 2;
    batch.channels = 20;
    batch.proc = Precision::int16;
    EXPECT_EQ(order(batch), (std::vector<Pixel>{{0, 0, 0, 0},
                                                {0, 0, 0, 1},
                                                {0, 0, 1, 0},
                                                {0, 0, 1, 1},
                                                {1, 0, 0, 0},
                                                {1, 0, 0, 1},
                                                {1, 0, 1, 0},
                                                {1, 0, 1, 1}}));
    SdpOrder tiles;
    tiles.width = tiles.height = 4;
    tiles.winograd = true;
    const std::vector<Pixel> all = order(tiles);
    ASSERT_EQ(all.size(), 16u);
    EXPECT_EQ(all[1], (Pixel{0, 0, 1, 0}));
    EXPECT_EQ(all[2], (Pixel{0, 1, 0, 0}));
    EXPECT_EQ(all[7], (Pixel{0, 3, 1, 0}));
    EXPECT_EQ(all[8], (Pixel{0, 0, 2, 0}));
}

TEST(SdpModel, TypesOfALayer) {
    Architecture small, all;
    all.int16 = all.fp16 = true;
    for (std::uint32_t field = 0; field < 3; ++field) {
        EXPECT_EQ(sdp_precision(small, field), Precision::int8);
        EXPECT_EQ(sdp_precision(all, field), static_cast<Precision>(field));
    }
    EXPECT_EQ(sdp_in_precision(Precision::int16, Precision::int8), Precision::int16);
    EXPECT_EQ(sdp_in_precision(Precision::int8, Precision::int16), Precision::int16);
    EXPECT_EQ(sdp_out_precision(Precision::fp16, Precision::int8), Precision::fp16);
    EXPECT_EQ(sdp_out_precision(Precision::fp16, Precision::int16), Precision::int16);
}

TEST(SdpModel, CountsOfTheInput) {
    const SdpInputCounts counts = sdp_count_input(
        {signed16(0x7C00), signed16(0xFC00), signed16(0x7C01), signed16(0xFFFF), 0x3C00, 0});
    EXPECT_EQ(counts.infs, 2u);
    EXPECT_EQ(counts.nans, 2u);
}

}  // namespace
}  // namespace macrame::dla::model
