/// Golden model of PDP in 16-bit types against naive loops and examples by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "verif/dla/model/pdp.hpp"
#include "verif/dla/model/pdp_rdma.hpp"

namespace macrame::dla::model {
namespace {

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }

private:
    std::mt19937 engine_;
};

constexpr int kAtom = 16, kElements = 8;

std::size_t at(int v) { return static_cast<std::size_t>(v); }

PdpLayer random_layer(Random& rnd) {
    PdpLayer l;
    do {
        l.kernel_width = rnd.in(1, 8);
        l.kernel_height = rnd.in(1, 8);
        l.stride_x = rnd.in(1, 9);
        l.stride_y = rnd.in(1, 9);
        l.pad_left = rnd.in(0, l.kernel_width - 1);
        l.pad_top = rnd.in(0, l.kernel_height - 1);
        l.out_width = rnd.in(1, 5);
        l.out_height = rnd.in(1, 5);
        l.width = (l.out_width - 1) * l.stride_x + l.kernel_width - l.pad_left -
                  rnd.in(0, l.kernel_width - 1);
        l.height = (l.out_height - 1) * l.stride_y + l.kernel_height - l.pad_top -
                   rnd.in(0, l.kernel_height - 1);
    } while (l.width < 1 || l.height < 1);
    l.types16 = true;
    l.channels = rnd.in(1, 3 * kElements);
    l.method = rnd.in(0, 2);
    l.dst_addr = 0x1000;
    l.line_stride = static_cast<std::uint32_t>(l.out_width * kAtom);
    l.surf_stride = l.line_stride * static_cast<std::uint32_t>(l.out_height);
    return l;
}

/// fp16 of a small number that fp16 has.
int fp16(double v) {
    if (v == 0) return 0;
    const int e = std::ilogb(v);
    const double m = std::ldexp(std::fabs(v), 10 - e) - 1024;
    return (v < 0 ? 0x8000 : 0) | (e + 15) << 10 | static_cast<int>(m);
}

/// Windows over a cube whose elements are numbers; missing ones of an average are `pad`.
double naive(const PdpLayer& l, const std::vector<double>& cube, double pad, int s, int oh, int ow,
             int e) {
    double sum = 0, most = -1e9, least = 1e9;
    for (int r = 0; r < l.kernel_height; ++r) {
        for (int q = 0; q < l.kernel_width; ++q) {
            const int y = oh * l.stride_y - l.pad_top + r, x = ow * l.stride_x - l.pad_left + q;
            const bool inside = y >= 0 && y < l.height && x >= 0 && x < l.width;
            const int place = ((s * l.height + y) * l.width + x) * kElements + e;
            const double v = inside ? cube[at(place)] : pad;
            sum += v;
            if (!inside) continue;
            most = std::max(most, v);
            least = std::min(least, v);
        }
    }
    return l.method == kPdpAverage ? sum : l.method == kPdpMax ? most : least;
}

template <typename Want>
void check(const PdpLayer& l, const std::vector<double>& cube, double pad, int round, Want want) {
    std::vector<std::int8_t> input;
    for (const double v : cube) {
        add_element(l.precision, input,
                    l.precision == Precision::fp16 ? fp16(v) : static_cast<std::int32_t>(v));
    }
    const PdpResult got = pdp_layer(kAtom, l, input);
    std::size_t i = 0;
    for (int s = 0; s * kElements < l.channels; ++s) {
        for (int oh = 0; oh < l.out_height; ++oh) {
            for (int ow = 0; ow < l.out_width; ++ow) {
                for (int e = 0; e < kElements; ++e, ++i) {
                    std::int32_t value = element_at(l.precision, got.data, i);
                    if (value == 0x8000) value = 0;  // fp16: the sign of an exact 0 is another test
                    ASSERT_EQ(value, want(naive(l, cube, pad, s, oh, ow, e)))
                        << "round " << round << " element " << i;
                }
                ASSERT_EQ(
                    got.addrs[i / kElements - 1],
                    0x1000u + l.surf_stride * at(s) + l.line_stride * at(oh) + at(ow * kAtom));
            }
        }
    }
    ASSERT_EQ(got.data.size(), 2 * i);
}

std::vector<double> cube_of(const PdpLayer& l, Random& rnd, int most) {
    const int surfaces = (l.channels + kElements - 1) / kElements;
    std::vector<double> cube(at(surfaces * l.width * l.height * kElements));
    for (double& v : cube)
        v = rnd.in(-most - 1, most);
    return cube;
}

TEST(PdpInt16, FollowsTheDefinition) {
    Random rnd(1);
    for (int round = 0; round < 200; ++round) {
        PdpLayer l = random_layer(rnd);
        l.precision = Precision::int16;
        const int pad = rnd.in(-20000, 20000);
        for (int n = 1; n < 8; ++n)
            l.pad[at(n)] = n * pad;
        l.recip_width = 65536u / static_cast<unsigned>(l.kernel_width);
        l.recip_height = 65536u / static_cast<unsigned>(l.kernel_height);
        check(l, cube_of(l, rnd, 32767), pad, round, [&](double v) {
            if (l.method != kPdpAverage) return v;
            return std::round(std::round(v * l.recip_width / 65536) * l.recip_height / 65536);
        });
    }
}

/// Numbers so small that all sums are exact, windows whose sizes are powers of two.
TEST(PdpFp16, FollowsTheDefinition) {
    Random rnd(2);
    constexpr std::uint32_t kReciprocals[] = {0x7C00, 0x7800, 0, 0x7400, 0, 0, 0, 0x7000};
    for (int round = 0; round < 300; ++round) {
        PdpLayer l = random_layer(rnd);
        l.precision = Precision::fp16;
        l.recip_width = kReciprocals[l.kernel_width - 1];
        l.recip_height = kReciprocals[l.kernel_height - 1];
        if (l.method == kPdpAverage && (l.recip_width == 0 || l.recip_height == 0)) continue;
        const int pad = rnd.in(-3, 3);
        for (int n = 1; n < 8; ++n)
            l.pad[at(n)] = static_cast<std::int32_t>(Fp17::from_int(n * pad));
        check(l, cube_of(l, rnd, 7), pad, round, [&](double v) {
            if (l.method != kPdpAverage) return fp16(v);
            return fp16(v / (l.kernel_width * l.kernel_height));
        });
    }
}

/// In a row the NaN on the left passes, between rows that of the newer row; -0 is below +0.
TEST(PdpFp16, NanAndOrder) {
    PdpLayer l;
    l.types16 = true;
    l.precision = Precision::fp16;
    l.width = l.height = l.kernel_width = l.kernel_height = 2;
    l.recip_width = l.recip_height = 0x7800;
    const auto pool = [&](int a, int b, int c, int d) {
        const int in[2][2] = {{a, b}, {c, d}};
        return pdp_window(l, 0, 0, [&](int y, int x) { return in[y][x]; });
    };
    for (const int method : {kPdpAverage, kPdpMax, kPdpMin}) {
        l.method = method;
        EXPECT_EQ(pool(0x7E01, 0xFE02, 0, 0), 0x7E01);
        EXPECT_EQ(pool(0x7E01, 0, 0, 0xFE02), 0xFE02);
        EXPECT_EQ(pool(0x3C00, 0x3C00, 0x3C00, 0x3C00), 0x3C00);
    }
    l.method = kPdpMax;
    EXPECT_EQ(pool(0x8000, 0x0000, 0x8000, 0x8000), 0x0000);
    EXPECT_EQ(pool(0x7C00, 0x7BFF, 0xFC00, 0x8000), 0x7C00);  // Inf stays
    l.method = kPdpMin;
    EXPECT_EQ(pool(0x8000, 0x0000, 0x0000, 0x0000), 0x8000);
    EXPECT_EQ(pool(0x7C00, 0x7BFF, 0xFC00, 0x8000), 0xFC00);
    l.method = kPdpAverage;
    EXPECT_EQ(pool(0x7C00, 0x7C00, 0x7C00, 0x7C00), 0x7BFF);
}

/// The flush acts on memory input only; what comes in and goes out is counted.
TEST(PdpFp16, FlushAndCounters) {
    PdpLayer l;
    l.precision = Precision::fp16;
    l.types16 = true;
    l.method = kPdpMax;
    l.channels = kElements;
    std::vector<std::int8_t> input;
    for (int e = 0; e < kElements; ++e)
        add_element(l.precision, input, e < 3 ? 0x7E00 + e : e < 5 ? 0x7C00 : 0x1234);
    for (const bool flush : {false, true}) {
        for (const bool flying : {false, true}) {
            l.nan_to_zero = flush;
            l.flying = flying;
            const PdpResult got = pdp_layer(kAtom, l, input);
            const bool flushed = flush && !flying;
            EXPECT_EQ(got.counts.nan_in, 3u);
            EXPECT_EQ(got.counts.inf_in, 2u);
            EXPECT_EQ(got.counts.nan_out, flushed ? 0u : 3u);
            EXPECT_EQ(element_at(l.precision, got.data, 1), flushed ? 0 : 0x7E01);
        }
    }
}

/// A pixel has a surface for every kElements channels.
TEST(PdpRdma16, ReadsTheSurfacesOfTheType) {
    PdpRdmaLayer l;
    l.channels = kElements + 1;
    l.surf_stride = 0x100;
    EXPECT_EQ(pdp_rdma_atoms(kAtom, l).size(), 1u);
    l.precision = Precision::int16;
    EXPECT_EQ(pdp_rdma_atoms(kAtom, l), (std::vector<std::uint64_t>{0, 0x100}));
}

}  // namespace
}  // namespace macrame::dla::model
