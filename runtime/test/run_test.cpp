#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "compiler/program/program.hpp"
#include "runtime/macrame.h"

namespace macrame::program {
namespace {

constexpr std::uint32_t kStatus = 0x100c, kStart = 0x200, kReady = 0x300, kIdentity = 0x400,
                        kIdle = 0x500, kGroup = 0x504, kOtherGroup = 0x604;

/// An accelerator by script: `waits` are the causes that each sleep ends with, 0 for none in time.
struct Fake {
    std::deque<std::uint32_t> waits;
    std::uint32_t status = 0;
    bool line = true;      ///< false: the interrupt line is not connected
    bool clears = true;    ///< false: a cause stays when it is written
    int ready_after = -1;  ///< reads of kReady until it is 1; -1: never
    std::string log;       ///< what happened, in order
    std::map<std::uint32_t, std::uint32_t> registers;
    int host_status = 0, reads = 0, sleeps = 0;
    macrame_machine machine{};
    std::vector<std::uint8_t> block = std::vector<std::uint8_t>(4096);

    Fake() {
        machine.user = this;
        machine.read = [](void* user, std::uint32_t address) {
            return static_cast<Fake*>(user)->read(address);
        };
        machine.write = [](void* user, std::uint32_t address, std::uint32_t value) {
            static_cast<Fake*>(user)->write(address, value);
        };
        machine.wait = [](void* user, std::uint32_t ms) {
            return static_cast<Fake*>(user)->wait(ms);
        };
        machine.memory = block.data();
        machine.device_address = 0x8000'0000u;
        machine.memory_bytes = block.size();
    }
    /// The first `bytes` of the registers are memory from now on.
    void map(std::uint32_t bytes) {
        mapped.assign(bytes / 4, 0);
        machine.registers = mapped.data();
        machine.register_bytes = bytes;
    }
    /// What was written, wherever it went; 0 if nothing was.
    std::uint32_t written(std::uint32_t address) {
        return registers[address] | (address / 4 < mapped.size() ? mapped[address / 4] : 0);
    }
    std::vector<std::uint32_t> mapped;
    std::uint32_t identity = 0;  ///< in the register kIdentity
    std::uint32_t busy = 0, next_group = 0, other_next = 0;
    std::uint32_t read(std::uint32_t address) {
        ++reads;
        if (address == kIdentity) return identity;
        if (address == kStatus) return status;
        if (address == kIdle) return busy;
        if (address == kGroup) return next_group << 16 | 1;
        if (address == kOtherGroup) return other_next << 16;
        if (address == kReady) return ready_after >= 0 && ready_after-- == 0 ? 1 : 2;
        return 0;
    }
    void write(std::uint32_t address, std::uint32_t value) {
        if (address != kStatus) {
            registers[address] = value;
            log += "w" + std::to_string(address) + " ";
        } else if (clears) {
            log += "c" + std::to_string(value) + " ";
            status &= ~value;
        }
    }
    int wait(std::uint32_t ms) {
        if (ms == 0) return 0;
        ++sleeps;
        if (status != 0 && line) return 1;
        log += "s ";
        if (waits.empty()) return 0;
        status |= waits.front();
        const bool came = waits.front() != 0;
        waits.pop_front();
        return came && line ? 1 : 0;
    }
};

struct Opened {
    std::vector<std::uint8_t> file;
    macrame_program program{};
    explicit Opened(const std::vector<Command>& commands) {
        Program p;
        p.memory_bytes = 4096;
        p.interrupt_status = kStatus;
        p.address_bits = 40;
        p.commands = commands;
        p.layers = {{"a", 0, 0}, {"b", 0, 0}};
        file = write(p);
        EXPECT_EQ(macrame_open(&program, file.data(), file.size()), MACRAME_OK) << problem(p);
    }
};

/// A program of version 2 with one command, for addresses of so many bits.
std::vector<std::uint8_t> file_of(std::uint32_t identity, std::uint32_t address_bits) {
    Program p;
    p.memory_bytes = 4096;
    p.commands = {{Code::write, kStart, 1, 0}};
    p.identity = identity;
    p.identity_register = identity == 0 ? 0 : kIdentity;
    p.address_bits = address_bits;
    return write(p);
}

Command start(std::uint32_t n) { return {Code::write, kStart, n, 0}; }
Command wait_for(std::uint32_t causes) { return {Code::wait, 0, causes, 0}; }

TEST(Run, WritesAddressesOfTheBlock) {
    const Opened o({{Code::write, 4, 0xDEADBEEF, 0},
                    {Code::write_low, 8, 0x100, 0},
                    {Code::write_high, 12, 0x100, 0},
                    {Code::write_low, 16, 4096, 0}});
    Fake fake;
    fake.machine.device_address = 0x12'FFFF'FFC0u;
    ASSERT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK);
    EXPECT_EQ(fake.registers[4], 0xDEADBEEFu);
    EXPECT_EQ(fake.registers[8], 0xC0u);
    EXPECT_EQ(fake.registers[12], 0x13u);  // with the carry
    EXPECT_EQ(fake.registers[16], 0xFC0u);
    EXPECT_EQ(fake.reads, 0);  // no interrupts, no look at them
}

/// Stores and calls, at the end of the registers that are memory, in a file that lies anywhere.
TEST(Run, StoresToRegistersThatAreMemory) {
    const Opened o({{Code::write, 4, 0xDEADBEEF, 0},
                    {Code::write_low, 8, 0x100, 0},
                    {Code::write_high, 12, 0x100, 0},
                    {Code::write_high, 16, 0x100, 0},
                    {Code::begin_layer, 0, 1, 0},
                    {Code::write_low, 20, 4096, 0},
                    {Code::write, 24, 7, 0}});
    for (std::size_t place = 0; place < 4; ++place) {
        std::vector<std::uint8_t> moved(place, 0);
        moved.insert(moved.end(), o.file.begin(), o.file.end());
        macrame_program program{};
        ASSERT_EQ(macrame_open(&program, moved.data() + place, o.file.size()), MACRAME_OK);
        for (std::uint32_t bytes = 0; bytes <= 32; bytes += 4) {
            Fake fake;
            fake.map(bytes);
            fake.machine.device_address = 0x12'FFFF'FFC0u;
            macrame_runner run{};
            ASSERT_EQ(macrame_begin(&run, &program, &fake.machine), MACRAME_OK);
            EXPECT_EQ(macrame_step(&run), MACRAME_OK);
            EXPECT_EQ(run.current, 1u);
            EXPECT_EQ(run.next, 7u);
            EXPECT_EQ(fake.written(4), 0xDEADBEEFu);
            EXPECT_EQ(fake.written(8), 0xC0u);
            EXPECT_EQ(fake.written(12), 0x13u);  // with the carry
            EXPECT_EQ(fake.written(16), 0x13u);
            EXPECT_EQ(fake.written(20), 0xFC0u);
            EXPECT_EQ(fake.written(24), 7u);
            const bool stores = reinterpret_cast<std::uintptr_t>(program.commands) % 4 == 0;
            EXPECT_EQ(fake.log.find("w24") == std::string::npos, stores && bytes > 24);
            EXPECT_EQ(fake.log.find("w4 ") == std::string::npos, stores && bytes > 4);
        }
    }
}

TEST(Run, OtherHardwareIsRefusedBeforeAnythingIsWritten) {
    const std::vector<std::uint8_t> file = file_of(0xabcd0123, 0);
    macrame_program program{};
    ASSERT_EQ(macrame_open(&program, file.data(), file.size()), MACRAME_OK);
    Fake fake;
    fake.identity = 0xabcd0124;
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &program, &fake.machine), MACRAME_OK);
    EXPECT_EQ(macrame_step(&run), MACRAME_OTHER_HARDWARE);
    EXPECT_EQ(macrame_finish(&run), MACRAME_OTHER_HARDWARE);  // again
    EXPECT_EQ(fake.log, "");
    fake.identity = 0xabcd0123;
    EXPECT_EQ(macrame_run(&program, &fake.machine), MACRAME_OK);
    fake.identity = 0;  // hardware without the register
    EXPECT_EQ(macrame_run(&program, &fake.machine), MACRAME_OK);
}

/// By the register, by what the caller knows, or not at all; then the run says so.
TEST(Run, HardwareIsComparedByDefault) {
    struct Case {
        std::uint32_t program, told, read;
        int hardware;
    };
    const Case cases[] = {{7, 0, 7, MACRAME_OK},
                          {7, 7, 0, MACRAME_OK},
                          {7, 0, 8, MACRAME_OTHER_HARDWARE},
                          {7, 8, 0, MACRAME_OTHER_HARDWARE},
                          {7, 0, 0, MACRAME_UNKNOWN_HARDWARE},
                          {0, 8, 8, MACRAME_UNKNOWN_HARDWARE}};
    for (const Case& c : cases) {
        const std::vector<std::uint8_t> file = file_of(c.program, 32);
        macrame_program program{};
        ASSERT_EQ(macrame_open(&program, file.data(), file.size()), MACRAME_OK);
        program.hardware = c.told;
        Fake fake;
        fake.identity = c.read;
        EXPECT_EQ(macrame_check_hardware(&program, &fake.machine), c.hardware);
        const bool other = c.hardware == MACRAME_OTHER_HARDWARE;
        const int told = other && c.told != 0 ? c.hardware : MACRAME_OK;
        EXPECT_EQ(macrame_prepare(&program, &fake.machine), told);
        macrame_runner run{};
        ASSERT_EQ(macrame_begin(&run, &program, &fake.machine), told);
        if (told != MACRAME_OK) continue;
        EXPECT_EQ(run.hardware, MACRAME_UNKNOWN_HARDWARE);
        EXPECT_EQ(macrame_finish(&run), other ? c.hardware : MACRAME_OK);
        EXPECT_EQ(run.hardware, c.hardware);
    }
}

/// All of the block is below the end of the addresses, which may be that of 64 bits.
TEST(Run, ABlockThatTheAcceleratorCannotReachIsRefused) {
    struct Case {
        std::uint32_t bits;
        std::uint64_t address;
        int error;
    };
    const Case cases[] = {{32, 0xfffff000u, MACRAME_OK},
                          {32, 0xfffff040u, MACRAME_BAD_ADDRESS},  // across
                          {32, 0x100000000u, MACRAME_BAD_ADDRESS},
                          {32, 0x1200000000u, MACRAME_BAD_ADDRESS},
                          {40, 0xfffffff000u, MACRAME_OK},
                          {40, 0x10000000000u, MACRAME_BAD_ADDRESS},
                          {0, 0xfffff000u, MACRAME_OK},  // not known
                          {0, 0xfffff040u, MACRAME_UNKNOWN_ADDRESS},
                          {0, 0x1200000000u, MACRAME_UNKNOWN_ADDRESS},
                          {64, 0xfffffffffffff000u, MACRAME_OK},
                          {64, 0xfffffffffffff040u, MACRAME_BAD_ADDRESS},
                          {0, 0xfffffffffffff040u, MACRAME_BAD_ADDRESS}};
    for (const Case& c : cases) {
        const std::vector<std::uint8_t> file = file_of(0, c.bits);
        macrame_program program{};
        ASSERT_EQ(macrame_open(&program, file.data(), file.size()), MACRAME_OK);
        Fake fake;
        fake.machine.device_address = c.address;
        EXPECT_EQ(macrame_prepare(&program, &fake.machine), c.error) << c.bits << c.address;
        EXPECT_EQ(macrame_run(&program, &fake.machine), c.error) << c.bits << c.address;
        EXPECT_EQ(fake.log.empty(), c.error != MACRAME_OK);
    }
}

TEST(Run, InterruptsInAnyOrder) {
    const Opened o({start(1), wait_for(1), start(2), wait_for(6), start(3), wait_for(1)});
    // In order; together and early; the second wait in two parts; with others that nobody wants.
    const std::vector<std::deque<std::uint32_t>> scripts = {
        {1, 6, 1}, {1, 2, 4, 1}, {7, 1}, {4, 2, 1, 1}, {1, 0x10, 6, 0x20, 1}, {6, 1, 1}};
    for (const auto& script : scripts) {
        Fake fake;
        fake.waits = script;
        EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK);
        EXPECT_TRUE(fake.waits.empty());
        EXPECT_EQ(fake.status, 0u);
        EXPECT_EQ(fake.registers[kStart], 3u);
    }
}

TEST(Run, ACauseIsUsedUpByTheWait) {
    const Opened o({start(1), wait_for(1), start(2), wait_for(1)});
    Fake fake;
    fake.waits = {1};
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_TIMEOUT);
    EXPECT_EQ(fake.log, "w512 s c1 w512 s ");
}

TEST(Run, NeverComes) {
    const Opened o({{Code::begin_layer, 0, 0, 0},
                    start(1),
                    wait_for(1),
                    {Code::begin_layer, 0, 1, 0},
                    start(2),
                    wait_for(3)});
    Fake fake;
    fake.waits = {1, 2};
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    EXPECT_EQ(macrame_finish(&run), MACRAME_TIMEOUT);
    EXPECT_EQ(run.next, 5u);
    EXPECT_EQ(run.current, 1u);
    EXPECT_EQ(run.causes, 2u);
    EXPECT_EQ(fake.sleeps, 3);
}

TEST(Run, AgainAfterAFault) {
    const Opened o({start(1), wait_for(1), start(2), wait_for(1)});
    Fake fake;
    fake.waits = {1};
    ASSERT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_TIMEOUT);
    // It comes when nobody waits for it any more, and must not count for the next run.
    fake.status = 1;
    fake.log.clear();
    fake.waits = {1, 1};
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK);
    EXPECT_EQ(fake.log, "c1 w512 s c1 w512 s c1 ");
}

/// Interrupts that never reach the processor: each costs the time limit, the answer is right.
TEST(Run, LineNotConnected) {
    const Opened o({start(1), wait_for(1), start(2), wait_for(3)});
    Fake fake;
    fake.line = false;
    fake.waits = {1, 1, 2};
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK);
    fake.waits = {1, 1};
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_TIMEOUT);
}

TEST(Run, StuckLineEnds) {
    const Opened o({start(1), wait_for(1)});
    Fake fake;
    fake.clears = false;
    fake.status = 8;
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    run.max_polls = 100;
    EXPECT_EQ(macrame_finish(&run), MACRAME_STUCK_INTERRUPT);
    EXPECT_EQ(fake.sleeps, 100);
}

/// Two units; that of kGroup has the causes 1 and 2, the other one 0x10 and 0x20.
TEST(Run, BeginsInTheGroupsThatUnitsHaveNext) {
    const Opened o({{Code::unit, kGroup, 3, kIdle},
                    {Code::unit, kOtherGroup, 0x30, kIdle},
                    {Code::write, kGroup, 0, 0},
                    {Code::write, kOtherGroup, 1, 0},
                    {Code::write, kStart, 4, 0},
                    wait_for(0x1 | 0x20 | 0x400)});
    EXPECT_EQ(o.file[7], '3');
    for (std::uint32_t n = 0; n < 8; ++n) {
        Fake fake;
        if (n & 4) fake.map(0x1000);
        fake.next_group = n & 1;
        fake.other_next = n >> 1 & 1;
        const std::uint32_t causes = (n & 1 ? 2 : 1) | (n & 2 ? 0x10 : 0x20) | 0x400;
        fake.waits = {causes, 0};
        EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK) << n;
        EXPECT_EQ(fake.written(kGroup), n & 1 ? 1u : 0u);
        EXPECT_EQ(fake.written(kOtherGroup), n & 2 ? 0u : 1u);
        EXPECT_EQ(fake.written(kStart), 4u);
        fake.waits = {causes ^ 3, 0};  // of the group that the program did not begin
        EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_TIMEOUT) << n;
    }
}

TEST(Run, AUnitThatIsNotIdleIsLeftAlone) {
    const Opened o({{Code::unit, kGroup, 3, kIdle}, start(1)});
    Fake fake;
    fake.busy = 2 << 16;
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    EXPECT_EQ(macrame_finish(&run), MACRAME_UNIT_BUSY);
    EXPECT_EQ(run.next, 0u);
    EXPECT_EQ(fake.log, "");
    fake.busy = 0;
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK);
}

TEST(Run, WithoutAWaitTheStatusIsRead) {
    const Opened o({start(1), wait_for(1)});
    Fake fake;
    fake.machine.wait = nullptr;
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    run.max_polls = 50;
    EXPECT_EQ(macrame_finish(&run), MACRAME_TIMEOUT);
    EXPECT_GE(fake.reads, 50);
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    ASSERT_EQ(macrame_step(&run), MACRAME_BUSY);
    fake.status = 1;
    EXPECT_EQ(macrame_finish(&run), MACRAME_OK);
}

TEST(Run, PollsUntilTheValue) {
    const Opened o({{Code::poll, kReady, 1, 3}, start(1)});
    Fake fake;
    fake.ready_after = 20;
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_OK);
    EXPECT_EQ(fake.reads, 21);
    fake.ready_after = -1;
    fake.reads = 0;
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    run.max_polls = 30;
    EXPECT_EQ(macrame_finish(&run), MACRAME_POLL_TIMEOUT);
    EXPECT_EQ(fake.reads, 31);
    EXPECT_EQ(run.next, 0u);
}

TEST(Run, WaitMayCancel) {
    Fake fake;
    fake.machine.wait = [](void*, std::uint32_t) { return -1; };
    const Opened waits({start(1), wait_for(1)}), polls({{Code::poll, kReady, 1, 3}});
    EXPECT_EQ(macrame_run(&waits.program, &fake.machine), MACRAME_CANCELLED);
    EXPECT_EQ(macrame_run(&polls.program, &fake.machine), MACRAME_CANCELLED);
    EXPECT_EQ(fake.reads, 3);  // what is left behind, the cause, the register
}

TEST(Run, HostOperatorsAndLayers) {
    const Opened o({{Code::begin_layer, 0, 1, 0},
                    start(1),
                    {Code::host, 0, 7, 0},
                    {Code::begin_layer, 0, 0, 0},
                    start(2)});
    Fake fake;
    EXPECT_EQ(macrame_run(&o.program, &fake.machine), MACRAME_NO_HOST);
    macrame_runner run{};
    ASSERT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_OK);
    fake.log.clear();
    run.user = &fake;
    run.host = [](void* user, const macrame_machine* machine, std::uint32_t number) {
        auto& self = *static_cast<Fake*>(user);
        EXPECT_EQ(machine, &self.machine);
        self.log += "h" + std::to_string(number) + " ";
        return self.host_status;
    };
    run.layer = [](void* user, std::uint32_t number) {
        static_cast<Fake*>(user)->log += "l" + std::to_string(number) + " ";
    };
    const macrame_runner fresh = run;
    EXPECT_EQ(macrame_finish(&run), MACRAME_OK);
    EXPECT_EQ(fake.log, "l1 w512 h7 l0 w512 ");
    fake.host_status = 1;
    run = fresh;
    EXPECT_EQ(macrame_finish(&run), MACRAME_HOST_FAILED);
    EXPECT_EQ(run.next, 2u);
}

/// Two runs side by side by hand; nobody sleeps.
TEST(Step, InterleavesRuns) {
    const Opened o({wait_for(0x10), start(1), wait_for(1), {Code::poll, kReady, 1, 1}, start(2)});
    Fake fakes[2];
    macrame_runner runs[2];
    for (int i = 0; i < 2; ++i) {
        fakes[i].status = 0x10;  // from before: does not count
        fakes[i].ready_after = i;
        ASSERT_EQ(macrame_begin(&runs[i], &o.program, &fakes[i].machine), MACRAME_OK);
        EXPECT_EQ(macrame_step(&runs[i]), MACRAME_BUSY);
        EXPECT_EQ(runs[i].next, 0u);
        fakes[i].status = 0x10;
        EXPECT_EQ(macrame_step(&runs[i]), MACRAME_BUSY);
        EXPECT_EQ(runs[i].next, 2u);
        EXPECT_EQ(macrame_step(&runs[i]), MACRAME_BUSY);
    }
    fakes[1].status = fakes[0].status = 1;
    EXPECT_EQ(macrame_step(&runs[1]), MACRAME_BUSY);
    EXPECT_EQ(runs[1].polls, 1u);
    EXPECT_EQ(macrame_step(&runs[0]), MACRAME_OK);
    EXPECT_EQ(macrame_step(&runs[1]), MACRAME_OK);
    EXPECT_EQ(macrame_step(&runs[1]), MACRAME_OK);  // nothing is left to do
    for (Fake& fake : fakes) {
        EXPECT_EQ(fake.sleeps, 0);
        EXPECT_EQ(fake.log, "c16 c16 w512 c1 w512 ");
    }
}

TEST(Run, ArgumentsAreChecked) {
    const Opened o({start(1)});
    Fake fake;
    EXPECT_EQ(macrame_run(nullptr, &fake.machine), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_run(&o.program, nullptr), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_begin(nullptr, &o.program, &fake.machine), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_step(nullptr), MACRAME_BAD_ARGUMENT);
    fake.machine.write = nullptr;
    macrame_runner run{};
    EXPECT_EQ(macrame_begin(&run, &o.program, &fake.machine), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_step(&run), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_finish(&run), MACRAME_BAD_ARGUMENT);
}

}  // namespace
}  // namespace macrame::program
