/// The driver on a unit with registers: identity, errors of the bus, soft reset.

#include <gtest/gtest.h>

#include <optional>

#include "runtime/test/tcu/unit.hpp"

namespace macrame::tcu {
namespace {

/// A unit with registers, as the documents of an output have them.
struct UnitWithRegisters : Unit {
    explicit UnitWithRegisters(const Architecture& a) : Unit(a) {
        machine.identity = kOwn;
        machine.read_register = [](void* user, std::uint32_t address) {
            return static_cast<UnitWithRegisters*>(user)->read(address);
        };
        machine.write_register = [](void* user, std::uint32_t address, std::uint32_t value) {
            static_cast<UnitWithRegisters*>(user)->write(address, value);
        };
        machine.drain = [](void* user) {
            auto& unit = *static_cast<UnitWithRegisters*>(user);
            EXPECT_EQ(unit.in_reset, 1u);  // instructions that come are dropped
            return unit.drains;
        };
    }

    std::uint32_t read(std::uint32_t address) {
        if (address == 0x00) {
            if (busy > 0) --busy;
            return (busy == 0 && !cause ? 1u : 0u) | (cause ? 1u << 4 : 0u) | in_reset << 5;
        }
        if (address == 0x08) return cause.value_or(0);
        if (address == 0x0c) return cause ? 0xfedcba98u : 0;
        return address == 0x14 ? identity : 0;
    }

    void write(std::uint32_t address, std::uint32_t value) {
        EXPECT_EQ(address, 0x10u);
        if (stuck) return;
        in_reset = value;
        if (value != 0) cause.reset();
    }

    static constexpr std::uint32_t kOwn = 0x12345678;
    std::uint32_t identity = kOwn, in_reset = 0;
    std::optional<std::uint32_t> cause;  ///< of a bus error
    int busy = 0;                        ///< looks until it is idle
    int drains = 0;
    bool stuck = false;
};

TEST(TcuDriver, RunsOnTheUnitOfTheHeadersOnly) {
    const Sample sample;
    UnitWithRegisters unit(sample.architecture);
    macrame_tcu_network net;
    ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
    EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
    const std::size_t sent = unit.sent.size();
    unit.identity = 0x12345679;
    EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OTHER_HARDWARE);
    EXPECT_STREQ(net.problem.what, "identity");
    EXPECT_EQ(net.problem.found, 0x12345679u);
    EXPECT_EQ(net.problem.wanted, UnitWithRegisters::kOwn);
    EXPECT_EQ(unit.sent.size(), sent);
    unit.machine.identity = 0;  // not compared
    EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
}

TEST(TcuDriver, TellsErrorsOfTheBus) {
    const Sample sample;
    const char* const causes[] = {"read of DRAM0, SLVERR", "write of DRAM0, SLVERR",
                                  "read of DRAM1, SLVERR", "write of DRAM1, SLVERR",
                                  "read of DRAM0, DECERR", "write of DRAM0, DECERR",
                                  "read of DRAM1, DECERR", "write of DRAM1, DECERR"};
    for (std::uint32_t cause = 0; cause < 8; ++cause) {
        UnitWithRegisters unit(sample.architecture);
        if (cause % 2 != 0) unit.machine.at_rest = [](void*) { return 0; };
        macrame_tcu_network net;
        ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
        if (cause % 2 == 0) {  // else it would never come to its end
            ASSERT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
            // The probe has come, too: a write at the very end fails behind it.
            ASSERT_EQ(macrame_tcu_begin(&net, &unit.machine), MACRAME_TCU_OK);
        }
        unit.cause = cause;
        EXPECT_EQ(macrame_tcu_poll(&net, &unit.machine), MACRAME_TCU_BUS_ERROR);
        EXPECT_STREQ(net.problem.what, causes[cause]);
        EXPECT_EQ(net.problem.place, 0xfedcba98u);
        const std::size_t sent = unit.sent.size();
        EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_BUS_ERROR);  // stays
        EXPECT_EQ(unit.sent.size(), sent);
        unit.machine.at_rest = nullptr;
        EXPECT_EQ(macrame_tcu_reset(&net, &unit.machine), MACRAME_TCU_OK);
        EXPECT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);  // not loaded
        EXPECT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
        EXPECT_EQ(macrame_tcu_run(&net, &unit.machine), MACRAME_TCU_OK);
    }
}

TEST(TcuDriver, AnEndIsWhereTheUnitIsIdle) {
    const Sample sample;
    UnitWithRegisters unit(sample.architecture);
    macrame_tcu_network net;
    ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
    ASSERT_EQ(macrame_tcu_load(&net, &unit.machine), MACRAME_TCU_OK);
    ASSERT_EQ(macrame_tcu_begin(&net, &unit.machine), MACRAME_TCU_OK);
    unit.busy = 3;
    EXPECT_EQ(macrame_tcu_poll(&net, &unit.machine), MACRAME_TCU_BUSY);
    EXPECT_EQ(macrame_tcu_poll(&net, &unit.machine), MACRAME_TCU_BUSY);
    EXPECT_EQ(macrame_tcu_poll(&net, &unit.machine), MACRAME_TCU_OK);
}

TEST(TcuDriver, AResetHasAnEnd) {
    const Sample sample;
    UnitWithRegisters unit(sample.architecture);
    macrame_tcu_network net;
    ASSERT_EQ(sample.attach(net), MACRAME_TCU_OK);
    unit.drains = 1;
    EXPECT_EQ(macrame_tcu_reset(&net, &unit.machine), MACRAME_TCU_STREAM_FAILED);
    EXPECT_EQ(unit.in_reset, 1u);  // instructions of before may still come
    unit.drains = 0;
    EXPECT_EQ(macrame_tcu_reset(&net, &unit.machine), MACRAME_TCU_OK);
    EXPECT_EQ(unit.in_reset, 0u);
    unit.stuck = true;
    EXPECT_EQ(macrame_tcu_reset(&net, &unit.machine), MACRAME_TCU_RESET_FAILED);
    unit.machine.write_register = nullptr;
    EXPECT_EQ(macrame_tcu_reset(&net, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);
    EXPECT_EQ(macrame_tcu_reset(nullptr, &unit.machine), MACRAME_TCU_BAD_ARGUMENT);
}

}  // namespace
}  // namespace macrame::tcu
