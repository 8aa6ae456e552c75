/// Golden model of BDMA as part of the device against naive loops; its queue and its groups.

#include "verif/dla/model/bdma.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "verif/dla/model/device.hpp"

namespace macrame::dla::model {
namespace {

namespace r = dla_regs::bdma;
using Status = dla_regs::glb::S_INTR_STATUS;

constexpr std::uint32_t kIdle = 0x114;

Architecture sizes_with_bdma() {
    Architecture sizes;
    sizes.bdma = sizes.secondary = true;
    return sizes;
}

class Bench {
public:
    explicit Bench(unsigned seed = 1) : random_(seed) {}

    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }

    template <class Register>
    void put(const Register& reg) {
        device.csb_write(Register::kAddress, reg.raw);
    }
    template <class Register>
    std::uint32_t get() {
        return device.csb_read(Register::kAddress);
    }

    /// A copy of one unit from 0x1000 to `to`.
    void push(std::uint32_t to) {
        put(r::CFG_SRC_ADDR_LOW(0x1000));
        put(r::CFG_DST_ADDR_LOW(to));
        put(r::CFG_CMD(3));
        put(r::CFG_OP(1));
    }
    void run() {
        for (int i = 0; i < 100; ++i)
            device.advance(1);
    }

    verif::Memory primary{"pri_mem", 0xA5}, secondary{"sec_mem", 0xA5};
    Device device{sizes_with_bdma(), primary, &secondary};

private:
    std::mt19937 random_;
};

/// Every byte of every line of every surface.
TEST(BdmaModel, CopiesWhatTheDefinitionSays) {
    Bench b;
    std::map<std::uint64_t, std::uint8_t> want[2];
    std::uint32_t next = 0x4000;
    for (int copy = 0; copy < 18; ++copy) {
        const int units = b.in(1, 5), lines = b.in(1, 4), surfaces = b.in(1, 3);
        const int pitch[2] = {units + b.in(0, 2), units + b.in(0, 2)};
        const int plane[2] = {pitch[0] * lines + b.in(0, 3), pitch[1] * lines + b.in(0, 3)};
        const int cmd = b.in(0, 3);
        const std::uint32_t from = next, to = next + 0x2000;
        next += 0x4000;
        verif::Memory& source = (cmd & 1) != 0 ? b.primary : b.secondary;
        for (std::uint32_t i = 0; i < 0x1000; ++i)
            source.load(from + i, {static_cast<std::uint8_t>(b.in(0, 255))});
        for (int s = 0; s < surfaces; ++s) {
            for (int l = 0; l < lines; ++l) {
                for (int i = 0; i < units * 32; ++i) {
                    const auto at = [&](int side) {
                        return static_cast<std::uint32_t>((plane[side] * s + pitch[side] * l) * 32 +
                                                          i);
                    };
                    want[cmd >> 1][to + at(1)] = source.peek(from + at(0));
                }
            }
        }
        const auto u32 = [](int v) { return static_cast<std::uint32_t>(v); };
        b.put(r::CFG_SRC_ADDR_LOW(from | 0x1F));  // these bits do not exist
        b.put(r::CFG_SRC_ADDR_HIGH(0));
        b.put(r::CFG_DST_ADDR_LOW(to));
        b.put(r::CFG_LINE(u32(units - 1)));
        b.put(r::CFG_CMD(u32(cmd)));
        b.put(r::CFG_LINE_REPEAT(u32(lines - 1)));
        b.put(r::CFG_SURF_REPEAT(u32(surfaces - 1)));
        b.put(r::CFG_SRC_LINE(u32(pitch[0] * 32)));
        b.put(r::CFG_DST_LINE(u32(pitch[1] * 32)));
        b.put(r::CFG_SRC_SURF(u32(plane[0] * 32)));
        b.put(r::CFG_DST_SURF(u32(plane[1] * 32)));
        b.put(r::CFG_OP(1));
    }
    b.primary.log_writes(true);
    b.secondary.log_writes(true);
    b.put(r::CFG_LAUNCH0(1));
    b.run();
    EXPECT_EQ(b.get<Status>(), 0x40u);
    EXPECT_EQ(b.get<r::STATUS>(), kIdle);
    for (int side = 0; side < 2; ++side) {
        verif::Memory& memory = side == 1 ? b.primary : b.secondary;
        EXPECT_EQ(memory.device_writes() % 32, 0u);
        for (const auto& [addr, byte] : want[side])
            ASSERT_EQ(memory.peek(addr), byte) << side << " " << addr;
    }
    const std::uint64_t written = b.primary.device_writes() + b.secondary.device_writes();
    EXPECT_EQ(written, want[0].size() + want[1].size());  // and nothing else
    EXPECT_TRUE(b.device.violations().empty());
}

TEST(BdmaModel, GroupsRunInTheOrderOfTheirLaunches) {
    Bench b;
    EXPECT_EQ(b.get<r::STATUS>(), kIdle);
    for (std::uint32_t i = 0; i < 3; ++i)
        b.push(0x2000 + 32 * i);
    EXPECT_EQ(b.get<r::STATUS>(), 17u);  // not idle, not busy
    b.device.advance(1);
    EXPECT_EQ(b.primary.device_writes(), 0u);  // nothing was launched
    b.put(r::CFG_LAUNCH1(1));
    EXPECT_EQ(b.get<r::CFG_LAUNCH1>(), 1u);
    b.push(0x3000);
    b.put(r::CFG_LAUNCH0(1));
    EXPECT_EQ(b.get<r::STATUS>(), 16u | 0x600u);
    for (const std::uint32_t want : {0u, 0u, 0x80u, 0xC0u}) {
        b.device.advance(1);
        EXPECT_EQ(b.get<Status>(), want);
    }
    EXPECT_EQ(b.get<r::STATUS>(), kIdle);
    EXPECT_TRUE(b.device.violations().empty());
}

TEST(BdmaModel, WhatIsNotDefinedDoesNothing) {
    Bench b;
    b.put(r::CFG_LAUNCH0(1));  // without copies
    EXPECT_EQ(b.get<r::STATUS>(), kIdle);
    EXPECT_EQ(b.device.violations().size(), 1u);
    for (std::uint32_t i = 0; i < 21; ++i)  // one too many
        b.push(0x2000 + 32 * i);
    EXPECT_EQ(b.device.violations().size(), 2u);
    EXPECT_EQ(b.get<r::STATUS>(), 0u);
    b.put(r::CFG_OP(0));
    b.put(r::CFG_LAUNCH0(0));
    EXPECT_EQ(b.get<r::STATUS>(), 0u);
    b.put(r::CFG_LAUNCH0(1));
    b.put(r::CFG_LAUNCH0(1));  // is busy
    EXPECT_EQ(b.device.violations().size(), 3u);
    b.run();
    EXPECT_EQ(b.get<r::STATUS>(), kIdle);
    EXPECT_EQ(b.primary.device_writes(), 20u * 32);
}

}  // namespace
}  // namespace macrame::dla::model
