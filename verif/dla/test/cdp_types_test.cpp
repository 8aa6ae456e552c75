/// Golden model of CDP in 16-bit types: the recorded operations of fp16, naive loops for int16.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "verif/dla/model/cdp.hpp"
#include "verif/dla/test/oracle.hpp"

namespace macrame::dla::model {
namespace {

/// The tables of cdp_fp16_tables.csv by number.
std::map<int, Lut> recorded_tables() {
    std::map<int, Lut> out;
    for (const OracleRow& row : OracleTable("cdp_fp16_tables.csv")) {
        Lut& lut = out[row.number("table")];
        const auto index = static_cast<std::size_t>(row.number("index"));
        const auto value = static_cast<std::int16_t>(row.hex("value"));
        if (row.number("lo") != 0) {
            lut.lo_table.at(index) = value;
        } else {
            lut.le_table.at(index) = value;
        }
    }
    return out;
}

Lut::Range recorded_range(const OracleRow& row, const std::string& table) {
    Lut::Range out;
    out.start = row.hex(table + "_start");
    out.end = row.hex(table + "_end");
    out.select = row.number(table + "_sel");
    out.uflow_scale = static_cast<std::int16_t>(row.hex(table + "_us"));
    out.oflow_scale = static_cast<std::int16_t>(row.hex(table + "_os"));
    return out;
}

/// Twelve elements in a row, of which the middle ones come out.
TEST(CdpFp16, RecordedOperations) {
    NEEDS_ORACLE();
    const std::map<int, Lut> tables = recorded_tables();
    int found = 0;
    for (const OracleRow& row : OracleTable("cdp_fp16.csv")) {
        Lut lut = tables.at(row.number("table"));
        lut.le_linear = row.number("le_func") != 0;
        lut.uflow_lo = row.number("uflow_pri") != 0;
        lut.oflow_lo = row.number("oflow_pri") != 0;
        lut.hybrid_lo = row.number("hybrid_pri") != 0;
        lut.le_offset = row.number("le_offset");
        lut.le = recorded_range(row, "le");
        lut.lo = recorded_range(row, "lo");
        CdpLayer layer;
        layer.precision = Precision::fp16;
        layer.channels = 12;
        layer.half = row.number("len") + 1;
        layer.sqsum_bypass = row.number("sqsum_bypass") != 0;
        layer.mul_bypass = row.number("mul_bypass") != 0;
        std::vector<std::int8_t> in;
        for (std::size_t i = 0; i < 12; ++i)
            add_element(Precision::fp16, in,
                        std::stoi(row.text("in12").substr(4 * i, 4), nullptr, 16));
        CdpCounts counts;
        const std::vector<std::int8_t> out = cdp_pixel(layer, lut, in, counts);
        for (std::size_t i = 0; i < 4; ++i) {
            ASSERT_EQ(element_at(Precision::fp16, out, i + 4),
                      std::stoi(row.text("out4").substr(4 * i, 4), nullptr, 16))
                << "line " << found + 2 << " element " << i;
        }
        ++found;
    }
    EXPECT_GT(found, 0);
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    std::int64_t in(std::int64_t lo, std::int64_t hi) {
        return std::uniform_int_distribution<std::int64_t>(lo, hi)(engine_);
    }

private:
    std::mt19937_64 engine_;
};

Lut random_lut(Random& rnd) {
    Lut lut;
    const auto range = [&](Lut::Range& r) {
        const std::int64_t far = std::int64_t{1} << 37;
        r.start = rnd.in(0, 1) != 0 ? 0 : rnd.in(-far, far - 1) >> rnd.in(0, 37);
        r.end = rnd.in(-far, far - 1) >> rnd.in(0, 37);
        r.select = static_cast<int>(rnd.in(-6, 40));
        r.uflow_scale = static_cast<std::int16_t>(rnd.in(-32768, 32767) >> rnd.in(0, 15));
        r.oflow_scale = static_cast<std::int16_t>(rnd.in(-32768, 32767) >> rnd.in(0, 15));
        r.uflow_shift = static_cast<int>(rnd.in(-16, 15));
        r.oflow_shift = static_cast<int>(rnd.in(-16, 15));
    };
    range(lut.le);
    range(lut.lo);
    lut.le_linear = rnd.in(0, 1) != 0;
    lut.le_offset = static_cast<int>(rnd.in(-4, 40));
    lut.uflow_lo = rnd.in(0, 1) != 0;
    lut.oflow_lo = rnd.in(0, 1) != 0;
    lut.hybrid_lo = rnd.in(0, 1) != 0;
    for (std::int16_t& y : lut.le_table)
        y = static_cast<std::int16_t>(rnd.in(-32768, 32767));
    for (std::int16_t& y : lut.lo_table)
        y = static_cast<std::int16_t>(rnd.in(-32768, 32767));
    return lut;
}

/// Place of `x` in a table as a real number: below 0 underflow, from `last` on overflow.
long double place(const Lut& lut, const Lut::Range& range, bool exponential, long double x) {
    const long double d = x - range.start;
    if (d <= 0) return -1;
    if (!exponential) return d / std::exp2(static_cast<long double>(range.select));
    const long double e = std::floor(std::log2(d));
    return e < lut.le_offset ? -1 : e - lut.le_offset + (d / std::exp2(e) - 1);
}

/// Result of the table in real numbers.
long double lookup(const Lut& lut, long double x) {
    const long double at[2] = {place(lut, lut.le, !lut.le_linear, x), place(lut, lut.lo, false, x)};
    const int last[2] = {kLeEntries - 1, kLoEntries - 1};
    const auto state = [&](int t) { return at[t] < 0 ? 0 : at[t] >= last[t] ? 2 : 1; };
    int t = lut.hybrid_lo ? 1 : 0;
    if (state(0) == 0 && state(1) == 0) t = lut.uflow_lo ? 1 : 0;
    if (state(0) == 2 && state(1) == 2) t = lut.oflow_lo ? 1 : 0;
    if ((state(0) == 1) != (state(1) == 1)) t = state(1) == 1 ? 1 : 0;
    const auto entry = [&](int n) -> long double {
        const auto i = static_cast<std::size_t>(n);
        return t != 0 ? lut.lo_table[i] : lut.le_table[i];
    };
    const Lut::Range& r = t != 0 ? lut.lo : lut.le;
    long double y = 0;
    if (state(t) == 1) {
        const int n = static_cast<int>(std::floor(at[t]));
        const long double fraction = std::floor((at[t] - n) * 65536) / 65536;
        y = entry(n) + std::round((entry(n + 1) - entry(n)) * fraction);
    } else if (state(t) == 2) {
        y = entry(last[t]) + std::round((x - r.end) * r.oflow_scale *
                                        std::exp2(static_cast<long double>(-r.oflow_shift)));
    } else {
        long double base = r.start;
        if (t == 0 && !lut.le_linear && lut.le_offset >= 0 && lut.le_offset <= 38) {
            base += std::exp2(static_cast<long double>(lut.le_offset));
            if (base >= std::exp2(38.0L)) base -= std::exp2(39.0L);
        }
        y = entry(0) + std::round((x - base) * r.uflow_scale *
                                  std::exp2(static_cast<long double>(-r.uflow_shift)));
    }
    return std::fmin(32767.0L, std::fmax(-32768.0L, y));
}

/// Half away from zero, then clamped.
long double rounded(long double v, int shift, int bits) {
    const long double limit = std::exp2(static_cast<long double>(bits - 1));
    return std::fmin(limit - 1,
                     std::fmax(-limit, std::round(v / std::exp2(static_cast<long double>(shift)))));
}

/// Whole pixels in real numbers. Sums of 9 squares of 17 bits and products fit a long double.
TEST(CdpInt16, FollowsTheDefinition) {
    Random rnd(1);
    for (int round = 0; round < 3000; ++round) {
        const Lut lut = random_lut(rnd);
        CdpLayer l;
        l.precision = Precision::int16;
        l.half = static_cast<int>(rnd.in(1, 4));
        l.sqsum_bypass = rnd.in(0, 4) == 0;
        l.mul_bypass = rnd.in(0, 4) == 0;
        l.in_offset = static_cast<std::int16_t>(rnd.in(-32768, 32767) >> rnd.in(0, 15));
        l.in_scale = static_cast<std::int16_t>(rnd.in(-32768, 32767));
        l.in_shift = static_cast<int>(rnd.in(0, 31));
        l.out_offset = static_cast<std::int32_t>(rnd.in(INT32_MIN, INT32_MAX) >> rnd.in(0, 31));
        l.out_scale = static_cast<std::int16_t>(rnd.in(-32768, 32767));
        l.out_shift = static_cast<int>(rnd.in(0, 49));
        const int elements = 8;
        l.channels = static_cast<int>(rnd.in(1, 2 * elements));
        const int total = (l.channels + elements - 1) / elements * elements;
        std::vector<std::int8_t> in;
        std::vector<long double> v(static_cast<std::size_t>(total), 0);
        for (int c = 0; c < total; ++c) {
            const auto x = static_cast<std::int32_t>(rnd.in(-32768, 32767) >> rnd.in(0, 15));
            add_element(l.precision, in, x);
            const long double offset = l.in_offset, scale = l.in_scale;
            if (c < l.channels)
                v[static_cast<std::size_t>(c)] = rounded((x - offset) * scale, l.in_shift, 17);
        }
        CdpCounts counts;
        const std::vector<std::int8_t> out = cdp_pixel(l, lut, in, counts);
        for (int c = 0; c < total; ++c) {
            long double sum = 0;
            for (int n = std::max(0, c - l.half); n <= std::min(total - 1, c + l.half); ++n)
                sum += v[static_cast<std::size_t>(n)] * v[static_cast<std::size_t>(n)];
            const long double own = v[static_cast<std::size_t>(c)];
            const long double y = lookup(lut, l.sqsum_bypass ? own : sum);
            const long double m = l.mul_bypass ? y : y * own;
            const long double offset = l.out_offset;
            ASSERT_EQ(element_at(l.precision, out, static_cast<std::size_t>(c)),
                      rounded((m - offset) * l.out_scale, l.out_shift, 16))
                << "round " << round << " channel " << c;
        }
    }
}

/// A NaN passes as long as it is not flushed, and is counted.
TEST(CdpFp16, NanAndInf) {
    Lut lut;
    lut.lo_table.fill(0x3C00);
    lut.le_linear = true;
    lut.le.start = 0x7F000000;
    CdpLayer l;
    l.precision = Precision::fp16;
    l.channels = 16;
    std::vector<std::int8_t> in;
    for (int c = 0; c < 16; ++c)
        add_element(l.precision, in, c == 6 ? 0xFE15 : c == 12 ? 0x7C00 : 0x3C00);
    CdpCounts counts;
    std::vector<std::int8_t> out = cdp_pixel(l, lut, in, counts);
    EXPECT_EQ(element_at(l.precision, out, 6), 0xFE15);
    EXPECT_EQ(element_at(l.precision, out, 5), 0xFE15);  // of its sum
    EXPECT_EQ(element_at(l.precision, out, 4), 0x3C00);
    EXPECT_EQ(counts.nan_in, 1u);
    EXPECT_EQ(counts.inf_in, 1u);
    EXPECT_EQ(counts.nan_out, 3u);
    l.nan_to_zero = true;
    out = cdp_pixel(l, lut, in, counts);
    EXPECT_EQ(element_at(l.precision, out, 6), 0x0000);
    EXPECT_EQ(element_at(l.precision, out, 5), 0x3C00);
    EXPECT_EQ(counts.nan_in, 2u);
    EXPECT_EQ(counts.nan_out, 3u);
}

}  // namespace
}  // namespace macrame::dla::model
