#pragma once
/// Plays a program of a fuzz target on a device that is only registers.

#include <cstdint>
#include <cstdlib>
#include <map>

#include "verif/common/device.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame::dla::trace {

/// Every register keeps what is written; an enable raises an interrupt now and then.
class AnyDevice : public verif::Device {
public:
    void reset() override {}
    void csb_write(std::uint32_t addr, std::uint32_t data, bool) override {
        if (addr == 0x100C) {
            registers_[addr] &= ~data;
        } else {
            registers_[addr] = data;
        }
        if (addr % 0x1000 == 0x38) registers_[0x100C] |= 1u << (addr >> 12) % 22;
        ++cycle_;
    }
    std::uint32_t csb_read(std::uint32_t addr) override {
        ++cycle_;
        return registers_[addr];
    }
    bool interrupt() override { return (registers_[0x100C] & ~registers_[0x1004]) != 0; }
    void advance(int n) override { cycle_ += static_cast<std::uint64_t>(n); }
    std::uint64_t cycle() override { return cycle_; }

private:
    std::map<std::uint32_t, std::uint32_t> registers_;
    std::uint64_t cycle_ = 0;
};

/// Plays what was read, unless it is large. A usable program has something to do.
inline void play_any(const ReadResult& read) {
    for (const std::string& error : read.errors) {
        if (error.find(": want ") == std::string::npos) std::abort();
    }
    if (!read.ok()) return;
    const Trace& program = read.program;
    if (program.commands.empty() && program.notifies.empty()) std::abort();
    std::uint64_t bytes = 0;
    for (const MemoryInit& init : program.memory)
        bytes += init.size;
    for (const RegionCheck& check : program.checks)
        bytes += check.size;
    for (const Command& command : program.commands)
        bytes += command.check.size;
    if (bytes > 1'000'000 || program.commands.size() > 1000) return;
    AnyDevice device;
    verif::Memory primary("pri_mem"), secondary("sec_mem");
    PlayOptions options;
    options.timeout = 1000;
    play(program, device, primary, secondary, options);
}

}  // namespace macrame::dla::trace
