#pragma once
/// An accelerator on a board as a Device: what plays programs on a Verilated design plays them
/// here.

#include <cstdint>
#include <vector>

#include "fpga/host/board_link.hpp"
#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::fpga {

/// The memory object is a copy of the board's memory: its contents go there before the reset, and
/// regions come back when somebody wants to look at them.
class BoardDevice : public verif::Device {
public:
    BoardDevice(BoardLink& link, verif::Memory& memory);

    void load_memory(const std::vector<verif::MemoryRange>& looked_at) override;
    void fetch_memory(const verif::MemoryRange& range) override;
    void store_memory(const verif::MemoryRange& range) override;

    void reset() override;
    void csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted = true) override;
    std::uint32_t csb_read(std::uint32_t byte_addr) override;
    /// As the last answer of the board saw it.
    bool interrupt() override { return link_.interrupt(); }
    /// Looks at the board once, however long that takes there.
    void advance(int n) override;
    /// When the board was last looked at.
    std::uint64_t cycle() override { return cycles_; }
    std::uint64_t last_write() override;
    std::uint64_t interrupt_rise() override;

private:
    void flush();
    /// A time of the board, in 32 bits, as a number that does not wrap around.
    std::uint64_t time(std::uint32_t reg);

    BoardLink& link_;
    verif::Memory& memory_;
    std::vector<std::uint64_t> posted_;  ///< writes that have not been sent
    std::uint64_t cycles_ = 0;
};

}  // namespace macrame::fpga
