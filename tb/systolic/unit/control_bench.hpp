#pragma once
/// systolic_control against its cycle model in every cycle, and software in front of it.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "systolic_params.hpp"
#include "systolic_regs.h"
#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tb/systolic/system/architecture.hpp"
#include "verif/systolic/cycles/control.hpp"

namespace macrame::tb {

using systolic::kModuleCount;
using systolic::Word;
using systolic::word_of_bytes;
using systolic::cycles::Control;

inline constexpr std::uint32_t kBase = systolic_params::config_address;
inline constexpr std::uint64_t kAddresses =
    (std::uint64_t{1} << systolic_params::address_width) - 1;

/// Drives what `in` says, and compares.
class ControlBench : public UnitBench {
public:
    explicit ControlBench(std::uint64_t seed) : UnitBench(seed) {
        in.fetch2control_idle = in.resolver2control_idle = true;
        reset();
    }

    Control::Inputs in;    ///< of the next cycle
    Control::Outputs out;  ///< of the last one

protected:
    void drive(Vdut& dut) override {
        dut.s_axi_awvalid = in.awvalid;
        dut.s_axi_awid = static_cast<std::uint8_t>(in.awid);
        dut.s_axi_awaddr = in.awaddr;
        dut.s_axi_awsize = static_cast<std::uint8_t>(in.awsize);
        dut.s_axi_awburst = static_cast<std::uint8_t>(in.awburst);
        dut.s_axi_wvalid = in.wvalid;
        dut.s_axi_wlast = in.wlast;
        const auto bytes = word_bytes(in.wdata);
        put_bytes(dut.s_axi_wdata, bytes.data(), 16);
        dut.s_axi_wstrb = static_cast<std::uint16_t>(in.wstrb);
        dut.s_axi_bready = in.bready;
        dut.s_axi_arvalid = in.arvalid;
        dut.s_axi_arid = static_cast<std::uint8_t>(in.arid);
        dut.s_axi_araddr = in.araddr;
        dut.s_axi_arlen = static_cast<std::uint8_t>(in.arlen);
        dut.s_axi_arsize = static_cast<std::uint8_t>(in.arsize);
        dut.s_axi_arburst = static_cast<std::uint8_t>(in.arburst);
        dut.s_axi_rready = in.rready;
        dut.control2fetch_ready = in.control2fetch_ready;
        dut.fetch2control_idle = in.fetch2control_idle;
        dut.fetch2control_error = in.fetch2control_error;
        dut.load2control_error = in.load2control_error;
        dut.store2control_error = in.store2control_error;
        put_number(dut.fetch2control_address, in.fetch2control_address);
        put_number(dut.load2control_address, in.load2control_address);
        put_number(dut.store2control_address, in.store2control_address);
        dut.resolver2control_idle = in.resolver2control_idle;
        dut.resolver2control_error = in.resolver2control_error;
        dut.resolver2control_running = bits(in.resolver2control_running);
        dut.resolver2control_waiting = bits(in.resolver2control_waiting);
        dut.resolver2control_ended = bits(in.resolver2control_ended);
    }

    void sample(Vdut& dut) override {
        out = model_.outputs();
        SCOPED_TRACE("cycle " + std::to_string(cycle()));
        ASSERT_EQ(dut.s_axi_awready, out.awready);
        ASSERT_EQ(dut.s_axi_wready, out.wready);
        ASSERT_EQ(dut.s_axi_bvalid, out.bvalid);
        ASSERT_EQ(dut.s_axi_arready, out.arready);
        ASSERT_EQ(dut.s_axi_rvalid, out.rvalid);
        ASSERT_EQ(dut.irq, out.irq);
        ASSERT_EQ(dut.control2fetch_valid, out.control2fetch_valid);
        ASSERT_EQ(dut.control2fetch_run, out.control2fetch_run);
        ASSERT_EQ(dut.control2resolver_run, out.control2resolver_run);
        ASSERT_EQ(dut.s_axi_bresp | dut.s_axi_rresp, 0);
        if (out.bvalid) {
            ASSERT_EQ(dut.s_axi_bid, out.bid);
        }
        if (out.rvalid) {
            std::array<std::uint8_t, 16> bytes;
            get_bytes(dut.s_axi_rdata, bytes.data(), 16);
            ASSERT_EQ(word_of_bytes(bytes.data()), out.rdata);
            ASSERT_EQ(dut.s_axi_rlast, out.rlast);
            ASSERT_EQ(dut.s_axi_rid, out.rid);
        }
        if (out.control2fetch_valid) {
            ASSERT_EQ(dut.control2fetch_address, out.control2fetch_address);
            ASSERT_EQ(dut.control2fetch_count, out.control2fetch_count);
        }
        model_.clock(in);
    }

private:
    static std::uint8_t bits(const std::array<bool, kModuleCount>& flags) {
        unsigned value = 0;
        for (std::size_t m = 0; m < kModuleCount; ++m)
            value |= unsigned{flags[m]} << m;
        return static_cast<std::uint8_t>(value);
    }

    Control model_{architecture(), kBase, systolic_params::identity};
};

/// Software, with bursts and stalls.
class ControlSoftware : public ControlBench {
public:
    using ControlBench::ControlBench;

    struct Beat {
        Word data;
        std::uint32_t strobes = 0xffff;
    };

    void write(std::uint32_t address, const std::vector<Beat>& beats, std::uint32_t size = 4,
               std::uint32_t burst = 1) {
        in.awvalid = true;
        in.awaddr = address;
        in.awsize = size;
        in.awburst = burst;
        in.awid = random().word() & 15;
        wait([&] { return out.awready; });
        in.awvalid = false;
        for (std::size_t i = 0; i < beats.size(); ++i) {
            gap();
            in.wvalid = true;
            in.wdata = beats[i].data;
            in.wstrb = beats[i].strobes;
            in.wlast = i + 1 == beats.size();
            wait([&] { return out.wready; });
            in.wvalid = false;
        }
        gap();
        in.bready = true;
        wait([&] { return out.bvalid; });
        EXPECT_EQ(out.bid, in.awid);
        in.bready = false;
    }

    std::vector<Word> read(std::uint32_t address, int beats, std::uint32_t size = 4,
                           std::uint32_t burst = 1) {
        in.arvalid = true;
        in.araddr = address;
        in.arsize = size;
        in.arburst = burst;
        in.arlen = static_cast<std::uint32_t>(beats - 1);
        in.arid = random().word() & 15;
        wait([&] { return out.arready; });
        in.arvalid = false;
        std::vector<Word> words;
        for (int i = 0; i < beats; ++i) {
            gap();
            in.rready = true;
            wait([&] { return out.rvalid; });
            EXPECT_EQ(out.rid, in.arid);
            EXPECT_EQ(out.rlast, i + 1 == beats);
            words.push_back(out.rdata);
            in.rready = false;
        }
        return words;
    }

    /// 32 bits at an offset of the C header.
    std::uint32_t get(std::uint32_t offset) {
        const Word word = read(kBase + offset / 16 * 16, 1)[0];
        const std::uint64_t half = offset % 16 >= 8 ? word.high : word.low;
        return static_cast<std::uint32_t>(half >> (offset % 8 * 8));
    }
    void put(std::uint32_t offset, std::uint32_t value) {
        const std::uint64_t half = std::uint64_t{value} << (offset % 8 * 8);
        const bool high = offset % 16 >= 8;
        write(kBase + offset, {{{high ? half : 0, high ? 0 : half}, 0xfu << offset % 16}}, 2);
    }

    void start(std::uint32_t address, std::uint32_t count, std::uint32_t strobes = 0xffff) {
        write(kBase + SYSTOLIC_CONTROL_PROGRAM_ADDRESS,
              {{{random().bits(), random().bits() << 48 | std::uint64_t{count} << 32 | address},
                strobes}});
    }

    /// Fetch takes the program and is busy with it.
    void take_program() {
        in.control2fetch_ready = true;
        wait([&] { return out.control2fetch_valid; });
        in.control2fetch_ready = false;
        in.fetch2control_idle = false;
    }

    void pass(int cycles) {
        for (int i = 0; i < cycles; ++i)
            tick();
    }

private:
    void gap() {
        while (chance(30))
            tick();
    }
    /// A cycle, and more of them until one in which it is so.
    template <typename Condition>
    void wait(Condition condition) {
        const long limit = cycle() + 100;
        do {
            tick();
            ASSERT_LT(cycle(), limit) << "nothing moves";
        } while (!condition());
    }
};

}  // namespace macrame::tb
