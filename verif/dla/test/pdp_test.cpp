/// Golden models of PDP and PDP_RDMA against naive loops from the definition.

#include "verif/dla/model/pdp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

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

constexpr int kAtom = 8;

std::size_t at(int v) { return static_cast<std::size_t>(v); }

/// A layer whose windows just cover the padded cube.
PdpLayer random_layer(Random& rnd, int& pad_right, int& pad_bottom) {
    PdpLayer l;
    do {
        l.kernel_width = rnd.in(1, 8);
        l.kernel_height = rnd.in(1, 8);
        l.stride_x = rnd.in(1, 9);
        l.stride_y = rnd.in(1, 9);
        l.pad_left = rnd.in(0, l.kernel_width - 1);
        l.pad_top = rnd.in(0, l.kernel_height - 1);
        pad_right = rnd.in(0, l.kernel_width - 1);
        pad_bottom = rnd.in(0, l.kernel_height - 1);
        l.out_width = rnd.in(1, 6);
        l.out_height = rnd.in(1, 6);
        l.width = (l.out_width - 1) * l.stride_x + l.kernel_width - l.pad_left - pad_right;
        l.height = (l.out_height - 1) * l.stride_y + l.kernel_height - l.pad_top - pad_bottom;
    } while (l.width < 1 || l.height < 1);
    l.channels = rnd.in(1, 3 * kAtom);
    l.dst_addr = 0x1000;
    l.line_stride = static_cast<std::uint32_t>(l.out_width * kAtom + 8);
    l.surf_stride = l.line_stride * static_cast<std::uint32_t>(l.out_height) + 16;
    return l;
}

/// Half away from zero.
double nearest(double v) { return std::round(v); }

/// The padded cube is really made, and every window of it averaged or searched. Pad values and
/// reciprocals are as software stores them, so nothing overflows.
TEST(PdpModel, FollowsTheDefinition) {
    Random rnd(1);
    for (int round = 0; round < 400; ++round) {
        int right = 0, bottom = 0;
        PdpLayer l = random_layer(rnd, right, bottom);
        l.method = rnd.in(0, 2);
        const int value = rnd.in(-128, 127);
        for (int n = 1; n < 8; ++n)
            l.pad[at(n)] = n * value;
        l.recip_width = 65536u / static_cast<unsigned>(l.kernel_width);
        l.recip_height = 65536u / static_cast<unsigned>(l.kernel_height);
        const int surfaces = (l.channels + kAtom - 1) / kAtom;
        std::vector<std::int8_t> input(at(surfaces * l.width * l.height * kAtom));
        for (std::int8_t& x : input)
            x = static_cast<std::int8_t>(rnd.in(-128, 127));
        const PdpResult got = pdp_layer(kAtom, l, input);
        ASSERT_EQ(got.addrs.size(), at(surfaces * l.out_width * l.out_height));

        const int columns = l.pad_left + l.width + right, lines = l.pad_top + l.height + bottom;
        for (int c = 0; c < surfaces * kAtom; ++c) {
            std::vector<int> cube(at(columns * lines), value), real(at(columns * lines), 0);
            for (int y = 0; y < l.height; ++y) {
                for (int x = 0; x < l.width; ++x) {
                    const int place = (y + l.pad_top) * columns + x + l.pad_left;
                    real[at(place)] = 1;
                    cube[at(place)] =
                        input[at((((c / kAtom) * l.height + y) * l.width + x) * kAtom + c % kAtom)];
                }
            }
            for (int oh = 0; oh < l.out_height; ++oh) {
                for (int ow = 0; ow < l.out_width; ++ow) {
                    double sum = 0, most = -1000, least = 1000;
                    for (int r = 0; r < l.kernel_height; ++r) {
                        for (int q = 0; q < l.kernel_width; ++q) {
                            const int place = (oh * l.stride_y + r) * columns + ow * l.stride_x + q;
                            const double v = cube[at(place)];
                            sum += v;
                            if (real[at(place)] == 0) continue;
                            most = std::max(most, v);
                            least = std::min(least, v);
                        }
                    }
                    const double half = nearest(sum * l.recip_width / 65536);
                    const double average = nearest(half * l.recip_height / 65536);
                    const double want = l.method == kPdpAverage ? average
                                        : l.method == kPdpMax   ? most
                                                                : least;
                    const int atom = ((c / kAtom) * l.out_height + oh) * l.out_width + ow;
                    ASSERT_EQ(got.data[at(atom * kAtom + c % kAtom)], want)
                        << "round " << round << " channel " << c << " row " << oh << " column "
                        << ow;
                    ASSERT_EQ(got.addrs[at(atom)], 0x1000u + l.surf_stride * at(c / kAtom) +
                                                       l.line_stride * at(oh) + at(ow * kAtom));
                }
            }
        }
    }
}

/// By hand: average 3x3 with padding on all sides, top left window over 1 2 / 3 4.
TEST(PdpModel, WorkedExample) {
    PdpLayer l;
    l.kernel_width = l.kernel_height = 3;
    l.pad_left = l.pad_top = 1;
    l.width = l.height = 2;
    l.recip_width = l.recip_height = 21845;
    for (int n = 1; n < 8; ++n)
        l.pad[at(n)] = 2 * n;
    const std::int8_t input[2][2] = {{1, 2}, {3, 4}};
    EXPECT_EQ(pdp_window(l, 0, 0, [&](int y, int x) { return input[y][x]; }), 2);
}

/// As the hardware does it: a strip has only its own columns, and its windows begin with them.
TEST(PdpModel, StripsThatDoNotFollowFromTheGeometry) {
    PdpLayer l;
    l.kernel_width = 3;
    l.method = kPdpMax;
    l.width = 6;
    l.out_width = 4;
    l.strips = {{0, 3}, {2, 4}};  // columns 0..2 and 2..5
    l.out_strips = {{0, 2}, {2, 2}};
    std::vector<std::int8_t> input;
    for (const int column : {1, 2, 3, 40, 50, 6}) {
        for (int e = 0; e < kAtom; ++e)
            input.push_back(static_cast<std::int8_t>(column));
    }
    const PdpResult got = pdp_layer(kAtom, l, input);
    // Columns 0..2; 1..2 of what would be 1..3; 2..4 and 3..5.
    for (int w = 0; w < 4; ++w)
        EXPECT_EQ(got.data[at(w * kAtom)], (std::vector<int>{3, 3, 50, 50})[at(w)]) << w;
    l.strips.clear();
    l.out_strips.clear();
    EXPECT_EQ(pdp_layer(kAtom, l, input).data[at(kAtom)], 40);
}

/// 3 is no method; it acts as 1.
TEST(PdpModel, ReservedMethod) {
    PdpLayer l;
    l.kernel_width = l.width = 2;
    l.method = 3;
    const auto at = [](int, int x) { return x == 0 ? -5 : 7; };
    EXPECT_EQ(pdp_window(l, 0, 0, at), 7);
    l.method = kPdpMin;
    EXPECT_EQ(pdp_window(l, 0, 0, at), -5);
}

/// Corners of the scaling: ties, lost bits, the sign that is taken from bit 30.
TEST(PdpModel, ScalingCorners) {
    EXPECT_EQ(pdp_scale(45, 21845, 11, 30), 15);
    EXPECT_EQ(pdp_scale(-45, 21845, 11, 30), -15);
    EXPECT_EQ(pdp_scale(1, 32768, 8, 62), 1);
    EXPECT_EQ(pdp_scale(-1, 32768, 8, 62), -1);
    EXPECT_EQ(pdp_scale(255, 32768, 8, 62), -128);        // 127.5 -> 128, wraps
    EXPECT_EQ(pdp_scale(128, 65536, 8, 62), 0);           // bit 7 of a positive is lost
    EXPECT_EQ(pdp_scale(-129, 65536, 8, 62), 127);        // of a negative it is not
    EXPECT_EQ(pdp_scale(8191, 0x1ffff, 11, 30), 1022);    // 16381.9, mod 1024
    EXPECT_EQ(pdp_scale(-15500, 0x1ffff, 11, 30), 744);   // -30999.8: bit 30 is 0
    EXPECT_EQ(pdp_scale(-15500, 0x1ffff, 11, 62), -280);  // mod 2048
}

/// Strips read every column that their windows need, and a layer in strips reads what all windows
/// of a strip cover.
TEST(PdpRdmaModel, StripsCoverTheirWindows) {
    Random rnd(2);
    for (int round = 0; round < 500; ++round) {
        int right = 0, bottom = 0;
        const PdpLayer l = random_layer(rnd, right, bottom);
        PdpRdmaLayer rdma;
        rdma.width = l.width;
        rdma.height = l.height;
        rdma.channels = l.channels;
        rdma.src_addr = 0x40;
        rdma.line_stride = static_cast<std::uint32_t>(l.width * kAtom + 24);
        rdma.surf_stride = rdma.line_stride * static_cast<std::uint32_t>(l.height) + 8;
        rdma.kernel_width = l.kernel_width;
        rdma.stride_x = l.stride_x;
        const int first = rnd.in(1, 3), mid = rnd.in(1, 2);
        rdma.strips = rnd.in(1, 3);
        std::vector<int> widths = {l.out_width};  // windows per strip
        if (rdma.strips > 1) {
            const int last = l.out_width - first - (rdma.strips - 2) * mid;
            rdma.in_first = (first - 1) * l.stride_x + l.kernel_width - l.pad_left;
            rdma.in_mid = mid * l.stride_x;
            rdma.in_last = l.width - rdma.in_first - (rdma.strips - 2) * rdma.in_mid;
            const int overlap = l.kernel_width - l.stride_x;
            if (last < 1 || rdma.in_first < std::max(1, overlap) || rdma.in_last < 1 ||
                rdma.in_last + overlap < 1) {
                continue;
            }
            widths = {first};
            for (int i = 2; i < rdma.strips; ++i)
                widths.push_back(mid);
            widths.push_back(last);
        }
        std::vector<std::uint64_t> want;
        int ow = 0;
        for (const int windows : widths) {
            const int begin = std::max(0, ow * l.stride_x - l.pad_left);
            ow += windows;
            const int end = std::min(l.width, (ow - 1) * l.stride_x - l.pad_left + l.kernel_width);
            for (int s = 0; s < (l.channels + kAtom - 1) / kAtom; ++s) {
                for (int y = 0; y < l.height; ++y) {
                    for (int x = begin; x < end; ++x) {
                        want.push_back(0x40u + rdma.surf_stride * at(s) + rdma.line_stride * at(y) +
                                       at(x * kAtom));
                    }
                }
            }
        }
        ASSERT_EQ(pdp_rdma_atoms(kAtom, rdma), want) << "round " << round;
    }
}

}  // namespace
}  // namespace macrame::dla::model
