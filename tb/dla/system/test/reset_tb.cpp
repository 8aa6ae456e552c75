/// A reset of design and memory at any moment, also just before an edge of either clock.

#include <gtest/gtest.h>

#include "Vdla_top.h"
#include "tb/dla/system/rtl_device.hpp"

namespace macrame::tb {
namespace {

/// An access and reads of memory wait; some cycles later all is reset.
void reset_after(int cycles, double bus_clock_div) {
    verif::Memory primary, secondary;
    RtlOptions options;
    options.axi.latency = 1;
    options.axi.bus_bytes = options.axi.beat_bytes = 8;
    options.sec_axi = options.axi;
    options.bus_clock_div = bus_clock_div;
    RtlDevice device(primary, secondary, options);
    device.reset();
    device.stop_at(device.cycle() + static_cast<std::uint64_t>(cycles));
    EXPECT_THROW(device.csb_read(0), RtlDevice::Stopped);
    device.stop_at(RtlDevice::kNever);
    device.reset_all();
}

TEST(Reset, WhatWaitsStaysUntilTheResetIsSeen) {
    for (const double div : {0.43, 0.9, 1.0, 2.71}) {
        for (int cycles = 20; cycles < 40; ++cycles) {
            Vdla_top::broken = Vdla_top::stalled = 0;
            reset_after(cycles, div);
            EXPECT_GT(Vdla_top::stalled, 0) << cycles << " cycles, bus clock / " << div;
            EXPECT_EQ(Vdla_top::broken, 0) << cycles << " cycles, bus clock / " << div;
        }
    }
}

}  // namespace
}  // namespace macrame::tb
