#pragma once
/// An accelerator for the runtime in C: the golden model of a family whose hosts write registers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "families/target.hpp"
#include "runtime/macrame.h"

namespace macrame::network {

inline constexpr std::uint64_t kMachineBlock = 0x80000000u;

/// A golden model behind the callbacks of the runtime, its memory a copy of that of the processor.
struct Machine {
    Machine(const RegisterTarget& target, const Design& design,
            const std::vector<std::uint8_t>& program)
        : file(program), device(target.make_model(design, memory)) {
        EXPECT_EQ(macrame_open(&opened, file.data(), file.size()), MACRAME_OK);
        block.resize(opened.memory_bytes);
        device->reset();
        machine.user = this;
        machine.read = [](void* user, std::uint32_t address) {
            return self(user).device->csb_read(address);
        };
        machine.write = [](void* user, std::uint32_t address, std::uint32_t value) {
            self(user).device->csb_write(address, value, true);
        };
        machine.wait = [](void* user, std::uint32_t timeout_ms) {
            verif::Device& model = *self(user).device;
            for (std::uint32_t i = 0; i < timeout_ms && !model.interrupt(); ++i)
                model.advance(1);
            return model.interrupt() ? 1 : 0;
        };
        machine.sync = [](void* user, std::uint64_t offset, std::uint64_t bytes, int to_device) {
            Machine& here = self(user);
            if (to_device != 0) {
                here.memory.load(kMachineBlock + offset, here.block.data() + offset, bytes);
                return;
            }
            const std::vector<std::uint8_t> found = here.memory.dump(kMachineBlock + offset, bytes);
            std::copy(found.begin(), found.end(),
                      here.block.begin() + static_cast<std::ptrdiff_t>(offset));
        };
        machine.memory = block.data();
        machine.device_address = kMachineBlock;
        machine.memory_bytes = block.size();
        EXPECT_EQ(macrame_prepare(&opened, &machine), MACRAME_OK);
    }
    static Machine& self(void* user) { return *static_cast<Machine*>(user); }

    std::vector<std::uint8_t> file, block;
    macrame_program opened{};
    macrame_machine machine{};
    verif::Memory memory;
    std::unique_ptr<verif::Device> device;
};

}  // namespace macrame::network
