/// Golden model of ROW against the fixed-point softmax of TFLite's reference, norms in double, and
/// as part of the device.

#include "verif/dla/model/row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>

#include "verif/dla/model/device.hpp"

namespace macrame::dla::model {
namespace {

namespace r = dla_regs::row;

constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

// ---- softmax as the reference kernel has it, gemmlowp by name

std::int32_t doubling_high_mul(std::int32_t a, std::int32_t b) {
    const std::int64_t product = std::int64_t{a} * b;
    const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
    return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

std::int32_t divide_by_pot(std::int64_t x, int exponent) {
    const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
    return static_cast<std::int32_t>((x >> exponent) + ((x & mask) > (mask >> 1) ? 1 : 0));
}

std::int32_t one_over_one_plus(std::int32_t a) {
    const auto half = static_cast<std::int32_t>((std::int64_t{a} + kMost + 1) / 2);
    std::int32_t x = 1515870810 + doubling_high_mul(half, -1010580540);
    for (int i = 0; i < 3; ++i) {
        const std::int32_t rest = (1 << 29) - doubling_high_mul(half, x);
        x += doubling_high_mul(x, rest) * 4;
    }
    return static_cast<std::int32_t>(std::min<std::int64_t>(std::int64_t{x} * 2, kMost));
}

std::vector<std::int8_t> reference_softmax(const std::vector<std::int32_t>& exponentials,
                                           const std::vector<std::int8_t>& in) {
    const int largest = *std::max_element(in.begin(), in.end());
    const auto of = [&](std::int8_t x) {
        return exponentials[static_cast<std::size_t>(largest - x)];
    };
    std::uint32_t sum = 0;
    for (const std::int8_t x : in)
        sum += static_cast<std::uint32_t>(divide_by_pot(of(x), 12));
    int zeros = 0;
    while ((sum << zeros & 0x80000000u) == 0)
        ++zeros;
    const std::int32_t scale =
        one_over_one_plus(static_cast<std::int32_t>(sum << zeros & 0x7fffffffu));
    std::vector<std::int8_t> out;
    for (const std::int8_t x : in) {
        const std::int32_t y =
            divide_by_pot(doubling_high_mul(scale, of(x)), 12 - zeros + 31 - 8) - 128;
        out.push_back(static_cast<std::int8_t>(std::clamp(y, -128, 127)));
    }
    return out;
}

class Numbers {
public:
    explicit Numbers(unsigned seed) : random_(seed) {}
    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }
    double normal(double mean, double deviation) {
        return std::normal_distribution<double>(mean, deviation)(random_);
    }

private:
    std::mt19937 random_;
};

std::vector<std::int8_t> random_row(Numbers& n, int channels) {
    const double mean = n.in(-60, 60), deviation = std::ldexp(1.0, n.in(-1, 6));
    std::vector<std::int8_t> out;
    for (int i = 0; i < channels; ++i) {
        const long x = std::lround(n.normal(mean, deviation));
        out.push_back(static_cast<std::int8_t>(std::clamp(x, -128L, 127L)));
    }
    return out;
}

std::vector<std::int32_t> exponentials(double scale) {
    std::vector<std::int32_t> out;
    for (int i = 0; i < kRowDifferences; ++i) {
        const auto e = std::llround(std::ldexp(std::exp(-scale * i), 31));
        out.push_back(static_cast<std::int32_t>(std::min<long long>(e, kMost)));
    }
    return out;
}

RowSettings softmax(const std::vector<std::int32_t>& exponentials) {
    RowSettings out;
    out.out_offset = -128;
    for (const std::int32_t e : exponentials)
        out.records.push_back({e >> 14, e & 0x3fff});
    return out;
}

TEST(RowModel, SoftmaxIsTheReferenceInEveryValue) {
    for (unsigned seed = 0; seed < 4000; ++seed) {
        Numbers n(seed);
        const auto table = exponentials(std::ldexp(n.in(10, 20), -n.in(4, 11)));
        const auto row = random_row(n, seed % 10 == 0 ? n.in(513, 4096) : n.in(1, 400));
        ASSERT_EQ(RowMath(softmax(table)).row(row), reference_softmax(table, row)) << seed;
    }
}

/// Sums from one exponential to 512, of all sizes.
TEST(RowModel, SoftmaxOfManySums) {
    const auto table = exponentials(0.05);
    for (int count = 1; count <= 512; ++count) {
        for (int low = 0; low < 256; low += 5) {
            std::vector<std::int8_t> row(static_cast<std::size_t>(count),
                                         static_cast<std::int8_t>(127 - low));
            row[0] = 127;
            ASSERT_EQ(RowMath(softmax(table)).row(row), reference_softmax(table, row));
        }
    }
}

// ---- norms

struct Norm {
    RowMode mode = RowMode::layer_norm;
    double epsilon = 1e-5, in_scale = 0.03, out_scale = 0.025;
    int in_zero = 0, out_zero = 0;
    std::vector<double> gamma, beta;

    RowSettings settings() const {
        const auto n = static_cast<double>(gamma.size());
        double most = 0;
        for (const double g : gamma)
            most = std::max(most, std::fabs(g) / out_scale);
        int bits = 20;
        while (std::ldexp(most, bits) > (1 << 23) - 1)
            --bits;
        RowSettings out;
        out.mode = mode;
        out.in_offset = mode == RowMode::rms_norm ? in_zero : 0;
        out.shift = 18 + bits;
        out.epsilon = static_cast<std::uint32_t>(
            std::max(1LL, std::llround(256 * epsilon * n * n / (in_scale * in_scale))));
        for (std::size_t c = 0; c < gamma.size(); ++c) {
            out.records.push_back(
                {static_cast<std::int32_t>(std::llround(std::ldexp(gamma[c] / out_scale, bits))),
                 static_cast<std::int32_t>(std::llround((beta[c] / out_scale + out_zero) * 32768))});
        }
        return out;
    }

    std::vector<std::int8_t> row(const std::vector<std::int8_t>& in) const {
        const auto n = static_cast<double>(in.size());
        std::vector<double> x;
        double mean = 0, square = 0;
        for (const std::int8_t v : in)
            x.push_back((v - in_zero) * in_scale);
        for (const double v : x)
            mean += mode == RowMode::layer_norm ? v / n : 0;
        for (const double v : x)
            square += (v - mean) * (v - mean) / n;
        std::vector<std::int8_t> out;
        for (std::size_t c = 0; c < x.size(); ++c) {
            const double y = (x[c] - mean) / std::sqrt(square + epsilon) * gamma[c] + beta[c];
            out.push_back(static_cast<std::int8_t>(
                std::clamp(std::nearbyint(y / out_scale) + out_zero, -128.0, 127.0)));
        }
        return out;
    }
};

/// At most one of 10,000 elements differs from numbers in double, and by one.
TEST(RowModel, NormsAreAsInDouble) {
    for (const RowMode mode : {RowMode::layer_norm, RowMode::rms_norm}) {
        int elements = 0, unequal = 0;
        for (unsigned seed = 0; seed < 1500; ++seed) {
            Numbers n(seed);
            constexpr int kChannels[] = {64, 192, 512, 768};
            const int channels = kChannels[n.in(0, 3)];
            Norm norm;
            norm.mode = mode;
            norm.in_zero = n.in(-30, 30);
            norm.out_zero = n.in(-30, 30);
            for (int c = 0; c < channels; ++c) {
                norm.gamma.push_back(n.normal(1, 0.3));
                norm.beta.push_back(n.normal(0, 0.3));
            }
            const auto row = random_row(n, channels);
            const auto got = RowMath(norm.settings()).row(row), want = norm.row(row);
            for (std::size_t c = 0; c < row.size(); ++c) {
                ++elements;
                unequal += got[c] != want[c] ? 1 : 0;
                ASSERT_LE(std::abs(got[c] - want[c]), 1) << "seed " << seed << " channel " << c;
            }
        }
        EXPECT_LE(unequal * 10000.0, elements) << unequal << " of " << elements;
    }
}

/// Rows without variance are beta.
TEST(RowModel, EqualElementsAreBeta) {
    for (const int x : {-128, -1, 0, 77, 127}) {
        Norm norm;
        norm.gamma.assign(100, 1.0);
        norm.beta.assign(100, 0.5);
        const std::vector<std::int8_t> row(100, static_cast<std::int8_t>(x));
        EXPECT_EQ(RowMath(norm.settings()).row(row), std::vector<std::int8_t>(100, 20)) << x;
    }
}

// ---- device

constexpr std::uint32_t kSource = 0x10000, kRecords = 0x40000, kTarget = 0x80000;

class Bench {
public:
    Bench() {
        sizes_.row = true;
        sizes_.row_length = 512;
        device_ = std::make_unique<Device>(sizes_, memory_);
        put(r::D_SRC_DMA_CFG(1));
        put(r::D_DST_DMA_CFG(1));
        put(r::D_SRC_BASE_ADDR_LOW(kSource));
        put(r::D_OPERAND_ADDR_LOW(kRecords));
        put(r::D_DST_BASE_ADDR_LOW(kTarget));
        put(r::D_DATA_CUBE_WIDTH(2));
        put(r::D_DATA_CUBE_HEIGHT(1));
        put(r::D_DATA_CUBE_CHANNEL(19));
        put(r::D_SRC_LINE_STRIDE(64));
        put(r::D_SRC_SURFACE_STRIDE(256));
        put(r::D_DST_LINE_STRIDE(32));
        put(r::D_DST_SURFACE_STRIDE(128));
        put(r::D_DATOUT_OFFSET(0x80));
    }

    template <class Register>
    void put(const Register& reg) {
        device_->csb_write(Register::kAddress, reg.raw);
    }

    void load(std::uint64_t at, const std::vector<std::uint8_t>& bytes) { memory_.load(at, bytes); }
    std::uint8_t peek(std::uint64_t at) const { return memory_.peek(at); }
    std::uint32_t status() { return device_->csb_read(dla_regs::glb::S_INTR_STATUS::kAddress); }
    void run() {
        put(r::D_OP_ENABLE(1));
        device_->advance(1);
    }

private:
    Architecture sizes_;
    verif::Memory memory_{"pri_mem", 0xA5};
    std::unique_ptr<Device> device_;
};

TEST(RowModel, LayerOfPixels) {
    Bench b;
    Numbers n(1);
    const auto table = exponentials(0.1);
    std::vector<std::uint8_t> words;
    for (const std::int32_t e : table) {
        for (const std::int32_t digit : {e >> 14, e & 0x3fff}) {
            for (int i = 0; i < 4; ++i)
                words.push_back(static_cast<std::uint8_t>(digit >> (8 * i)));
        }
    }
    b.load(kRecords, words);
    for (int pixel = 0; pixel < 6; ++pixel) {
        for (int c = 0; c < 24; ++c) {
            b.load(kSource + static_cast<unsigned>(c / 8 * 256 + pixel / 3 * 64 + pixel % 3 * 8 +
                                                   c % 8),
                   {static_cast<std::uint8_t>(n.in(0, 255))});
        }
    }
    b.run();
    EXPECT_EQ(b.status(), 0x400u);
    for (int pixel = 0; pixel < 6; ++pixel) {
        std::vector<std::int8_t> in;
        const auto at = [&](int c, int surface, int line) {
            return static_cast<unsigned>(c / 8 * surface + pixel / 3 * line + pixel % 3 * 8 +
                                         c % 8);
        };
        for (int c = 0; c < 20; ++c)
            in.push_back(static_cast<std::int8_t>(b.peek(kSource + at(c, 256, 64))));
        const auto want = reference_softmax(table, in);
        for (int c = 0; c < 24; ++c) {
            const int y = static_cast<std::int8_t>(b.peek(kTarget + at(c, 128, 32)));
            EXPECT_EQ(y, c < 20 ? want[static_cast<std::size_t>(c)] : 0) << pixel << " " << c;
        }
    }
    // The same records again, from memory that has others.
    const std::uint8_t before = b.peek(kTarget);
    b.load(kRecords, std::vector<std::uint8_t>(2048, 0));
    b.put(r::S_POINTER(1));
    b.put(r::D_DATA_CUBE_WIDTH(0));
    b.put(r::D_DATA_CUBE_CHANNEL(19));
    b.put(r::D_SRC_DMA_CFG(1));
    b.put(r::D_DST_DMA_CFG(1));
    b.put(r::D_SRC_BASE_ADDR_LOW(kSource));
    b.put(r::D_SRC_SURFACE_STRIDE(256));
    b.put(r::D_DST_BASE_ADDR_LOW(kTarget + 0x8000));
    b.put(r::D_DST_SURFACE_STRIDE(128));
    b.put(r::D_DATOUT_OFFSET(0x80));
    b.put(r::D_MISC_CFG(0).OPERAND_KEEP(1));
    b.run();
    EXPECT_EQ(b.status(), 0xC00u);
    EXPECT_EQ(b.peek(kTarget + 0x8000), before);
}

TEST(RowModel, RowsThatAreTooLongDoNotRun) {
    Bench b;
    b.put(r::D_DATA_CUBE_CHANNEL(512));
    b.put(r::D_SRC_SURFACE_STRIDE(1024));
    b.run();
    EXPECT_EQ(b.status(), 0u);
}

}  // namespace
}  // namespace macrame::dla::model
