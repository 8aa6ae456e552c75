#pragma once
/// A systolic array for tests of its driver: registers, interrupt and errors are those of the cycle
/// model, which writes no data; that is of the golden model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/systolic/macrame_systolic.h"
#include "verif/systolic/model/machine.hpp"
#include "verif/systolic/performance/cycle_device.hpp"
#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic {

struct Unit {
    static constexpr std::uint32_t kAddress = 0x00, kCount = 0x04, kGo = 0x60, kIdentity = 0x70;

    /// With a block of so many bytes where the array sees them from `base` on.
    Unit(const Architecture& a, std::uint32_t its_identity, std::uint64_t base, std::size_t bytes)
        : architecture(a), identity(its_identity), block(bytes, 0xaa) {
        machine.user = this;
        machine.read = [](void* user, std::uint32_t address) { return self(user).read(address); };
        machine.write = [](void* user, std::uint32_t address, std::uint32_t value) {
            self(user).write(address, value);
        };
        machine.wait = [](void* user, std::uint32_t) { return self(user).wait(); };
        machine.memory = block.data();
        machine.device_address = base;
        machine.memory_bytes = bytes;
    }
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    std::uint32_t read(std::uint32_t address) {
        if (address == kIdentity) return identity;
        const Word word = device.read(static_cast<Register>(address / kWordBytes));
        return static_cast<std::uint32_t>(
            get_bits(word, 8 * static_cast<int>(address % kWordBytes), 32));
    }

    void write(std::uint32_t address, std::uint32_t value) {
        if (address == kAddress) start = value;
        if (address == kCount) count = value;
        if (address == kGo) execute();
        device.write32(static_cast<Register>(address / kWordBytes),
                       static_cast<int>(address % kWordBytes), value);
    }

    int wait() {
        constexpr std::uint64_t kQuietCycles = 100'000;
        return cancels ? -1 : device.wait(kQuietCycles) ? 1 : 0;
    }

    /// What the program makes of the block.
    void execute() {
        ++starts;
        memory.load(machine.device_address, block);
        model::Machine model(architecture, memory);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::vector<std::uint8_t> bytes =
                memory.dump(start + std::uint64_t{i} * kWordBytes, kWordBytes);
            const auto instruction = decode(word_of_bytes(bytes.data()));
            if (!instruction) return;
            EXPECT_EQ(model.execute(*instruction), "");
        }
        const std::vector<std::uint8_t> now = memory.dump(machine.device_address, block.size());
        std::copy(now.begin(), now.end(), block.begin());
    }

    using Register = performance::Device::Register;
    static Unit& self(void* user) { return *static_cast<Unit*>(user); }

    Architecture architecture;
    std::uint32_t identity;
    std::vector<std::uint8_t> block;
    verif::Memory memory;
    performance::CycleDevice device{
        memory, memory, performance::memory_options(architecture, 4, 0, 1), architecture};
    macrame_machine machine{};
    std::uint32_t start = 0, count = 0;
    int starts = 0;
    bool cancels = false;
};

}  // namespace macrame::systolic
