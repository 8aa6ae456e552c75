/// Golden model of RUBIK as part of the device against naive loops over elements.

#include "verif/dla/model/rubik.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "verif/dla/model/device.hpp"

namespace macrame::dla::model {
namespace {

namespace r = dla_regs::rubik;

constexpr std::uint32_t kSource = 0x10000, kTarget = 0x800000;

class Bench {
public:
    Bench(const Architecture& sizes, unsigned seed)
        : device_(sizes, memory_), atom_(sizes.atom_bytes), random_(seed) {
        for (std::uint32_t i = 0; i < 0x40000; ++i)
            memory_.load(kSource + i, {static_cast<std::uint8_t>(in(0, 255))});
        memory_.log_writes(true);
    }

    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }

    template <class Register>
    void put(const Register& reg) {
        device_.csb_write(Register::kAddress, reg.raw);
    }

    /// Offset of an element in a feature cube or in planes.
    std::uint32_t feature(std::uint32_t line, std::uint32_t surf, int c, int h, int w) const {
        const int elements = atom_ / bytes;
        return u32(c / elements) * surf + u32(h) * line + u32(w * atom_ + c % elements * bytes);
    }
    std::uint32_t planes(std::uint32_t line, std::uint32_t plane, int c, int h, int w) const {
        return u32(c) * plane + u32(h) * line + u32(w * bytes);
    }
    static std::uint32_t u32(int v) { return static_cast<std::uint32_t>(v); }
    std::uint32_t strided(int least) { return u32((least + 31) / 32 * 32 + 32 * in(0, 2)); }

    /// An element of the result comes from an element of the source; `from` < 0: is 0.
    void want(std::uint32_t to, std::int64_t from) {
        for (int i = 0; i < bytes; ++i) {
            const std::uint64_t at = to + u32(i);
            want_[kTarget + at] =
                from < 0 ? std::uint8_t{0}
                         : memory_.peek(kSource + static_cast<std::uint64_t>(from) + u32(i));
        }
    }

    void layer(int mode, int precision, int stride_x = 1, int stride_y = 1) {
        put(r::D_MISC_CFG(0).RUBIK_MODE(u32(mode)).IN_PRECISION(u32(precision)));
        put(r::D_DAIN_RAM_TYPE(1));
        put(r::D_DAOUT_RAM_TYPE(1));
        put(r::D_DATAIN_SIZE_0().DATAIN_WIDTH(u32(width - 1)).DATAIN_HEIGHT(u32(height - 1)));
        put(r::D_DATAOUT_SIZE_1(u32(channels - 1)));
        put(r::D_DAIN_ADDR_LOW(kSource));
        put(r::D_DAOUT_ADDR_LOW(kTarget));
        put(r::D_DECONV_STRIDE()
                .DECONV_X_STRIDE(u32(stride_x - 1))
                .DECONV_Y_STRIDE(u32(stride_y - 1)));
        put(r::D_OP_ENABLE(1));
        device_.advance(1);
        EXPECT_EQ(device_.csb_read(dla_regs::glb::S_INTR_STATUS::kAddress), 0x100u);
        EXPECT_EQ(device_.csb_read(r::S_POINTER::kAddress), 0x10000u);
        for (const auto& [addr, byte] : want_)
            ASSERT_EQ(memory_.peek(addr), byte) << "mode " << mode << " address " << addr;
        EXPECT_EQ(memory_.device_writes(), want_.size());
    }

    int bytes = 1, width = 1, height = 1, channels = 1;

private:
    verif::Memory memory_{"pri_mem", 0xA5};
    Device device_;
    int atom_;
    std::mt19937 random_;
    std::map<std::uint64_t, std::uint8_t> want_;
};

Architecture any_sizes(unsigned seed, int& precision) {
    Architecture sizes;
    sizes.atom_bytes = 8 << seed % 3;
    sizes.int16 = seed % 2 == 1;
    sizes.rubik_contract = sizes.rubik_reshape = true;
    precision = sizes.int16 ? static_cast<int>(seed / 2 % 3) : 0;
    return sizes;
}

TEST(RubikModel, ContractMakesPixelsOfSurfaces) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        int precision = 0;
        const Architecture sizes = any_sizes(seed, precision);
        Bench b(sizes, seed);
        b.bytes = precision == 0 ? 1 : 2;
        const int elements = sizes.atom_bytes / b.bytes;
        b.width = b.in(1, 9);
        b.height = b.in(1, 4);
        b.channels = b.in(1, 3 * elements);
        const int sx = b.in(1, 4), sy = b.in(1, 3);
        const int padded = (b.channels + elements - 1) / elements * elements;
        const std::uint32_t line = b.strided(b.width * sizes.atom_bytes);
        const std::uint32_t surf = b.strided(b.height * static_cast<int>(line));
        const std::uint32_t out_line = b.strided(b.width * sx * sizes.atom_bytes);
        const std::uint32_t out_surf = b.strided(b.height * sy * static_cast<int>(out_line));
        for (int c = 0; c < padded; ++c) {
            for (int y = 0; y < b.height * sy; ++y) {
                for (int x = 0; x < b.width * sx; ++x) {
                    const int kernel = y % sy * sx + x % sx;
                    b.want(b.feature(out_line, out_surf, c, y, x),
                           b.feature(line, surf, kernel * padded + c, y / sy, x / sx));
                }
            }
        }
        b.put(r::D_DAIN_LINE_STRIDE(line));
        b.put(r::D_DAIN_SURF_STRIDE(surf));
        b.put(r::D_CONTRACT_STRIDE_0(surf * Bench::u32(padded / elements)));
        b.put(r::D_DAOUT_LINE_STRIDE(out_line));
        b.put(r::D_DAOUT_SURF_STRIDE(out_surf));
        b.layer(0, precision, sx, sy);
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(RubikModel, SplitMakesPlanes) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        int precision = 0;
        const Architecture sizes = any_sizes(seed, precision);
        Bench b(sizes, seed);
        b.bytes = precision == 0 ? 1 : 2;
        const int elements = sizes.atom_bytes / b.bytes;
        b.width = b.in(1, 3 * elements);
        b.height = b.in(1, 4);
        b.channels = b.in(1, 3 * elements);
        const std::uint32_t line = b.strided(b.width * sizes.atom_bytes);
        const std::uint32_t surf = b.strided(b.height * static_cast<int>(line));
        const std::uint32_t out_line = b.strided(b.width * b.bytes);
        const std::uint32_t plane = b.strided(b.height * static_cast<int>(out_line));
        const int written = (b.width + elements - 1) / elements * elements;
        for (int c = 0; c < b.channels; ++c) {
            for (int h = 0; h < b.height; ++h) {
                for (int w = 0; w < written; ++w) {
                    b.want(b.planes(out_line, plane, c, h, w),
                           w < b.width ? std::int64_t{b.feature(line, surf, c, h, w)} : -1);
                }
            }
        }
        b.put(r::D_DAIN_LINE_STRIDE(line));
        b.put(r::D_DAIN_SURF_STRIDE(surf));
        b.put(r::D_DAOUT_LINE_STRIDE(out_line));
        b.put(r::D_DAOUT_PLANAR_STRIDE(plane));
        b.layer(1, precision, b.in(1, 32), b.in(1, 32));
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(RubikModel, MergeMakesAtoms) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        int precision = 0;
        const Architecture sizes = any_sizes(seed, precision);
        Bench b(sizes, seed);
        b.bytes = precision == 0 ? 1 : 2;
        const int elements = sizes.atom_bytes / b.bytes;
        b.width = b.in(1, 3 * elements);
        b.height = b.in(1, 4);
        b.channels = b.in(1, 3 * elements);
        const std::uint32_t line = b.strided(b.width * b.bytes);
        const std::uint32_t plane = b.strided(b.height * static_cast<int>(line));
        const std::uint32_t out_line = b.strided(b.width * sizes.atom_bytes);
        const std::uint32_t out_surf = b.strided(b.height * static_cast<int>(out_line));
        const int padded = (b.channels + elements - 1) / elements * elements;
        for (int c = 0; c < padded; ++c) {
            for (int h = 0; h < b.height; ++h) {
                for (int w = 0; w < b.width; ++w) {
                    b.want(b.feature(out_line, out_surf, c, h, w),
                           c < b.channels ? std::int64_t{b.planes(line, plane, c, h, w)} : -1);
                }
            }
        }
        b.put(r::D_DAIN_LINE_STRIDE(line));
        b.put(r::D_DAIN_PLANAR_STRIDE(plane));
        b.put(r::D_DAOUT_LINE_STRIDE(out_line));
        b.put(r::D_DAOUT_SURF_STRIDE(out_surf));
        b.layer(2, precision, b.in(1, 32), b.in(1, 32));
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// The mode field has no other effect than to choose among those that are built; so with types.
TEST(RubikModel, WhatIsNotBuiltActsAsSomethingThatIs) {
    const auto acts_as = [](bool contract, bool reshape, std::uint32_t mode) {
        Architecture sizes;
        sizes.rubik_contract = contract;
        sizes.rubik_reshape = reshape;
        verif::Memory memory("pri_mem");
        DeviceState machine{sizes, memory};
        RubikUnit unit(machine, "RUBIK");
        unit.write(r::D_MISC_CFG::kOffset, mode | 0x100u);
        EXPECT_EQ(unit.layer().element_bytes, 1);
        return unit.layer().mode;
    };
    for (std::uint32_t mode = 0; mode < 4; ++mode) {
        EXPECT_EQ(acts_as(true, false, mode), RubikMode::contract);
        EXPECT_EQ(acts_as(false, true, mode), mode < 2 ? RubikMode::split : RubikMode::merge);
    }
    EXPECT_EQ(acts_as(true, true, 0), RubikMode::contract);
    EXPECT_EQ(acts_as(true, true, 3), RubikMode::merge);
}

}  // namespace
}  // namespace macrame::dla::model
