#pragma once
/// A systolic machine with its memories, as software sees it: the Verilated design, or the model of
/// its cycles. Both see the same answers of memory in the same cycles as long as they ask alike.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/common/axi_memory.hpp"
#include "verif/common/memory.hpp"
#include "verif/systolic/cycles/control.hpp"

namespace macrame::tb {

class Device {
public:
    /// `program` is what fetch reads, `data` what load and store see; `axi` is of all ports.
    Device(verif::Memory& program, verif::Memory& data, const AxiMemoryOptions& axi);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    void write(std::uint32_t address, const systolic::Word& word);
    systolic::Word read(std::uint32_t address);
    /// Clocks until the interrupt is there; false if there was none, and no traffic in memory for
    /// so many cycles.
    bool wait(std::uint64_t most_quiet_cycles);
    std::vector<std::string> violations() const;

protected:
    /// A cycle; memory is clocked in it.
    virtual void clock() = 0;
    /// What software's port shows, and the interrupt.
    virtual systolic::cycles::Control::Outputs answers() const = 0;
    /// After reset.
    void settle();

    systolic::cycles::Control::Inputs software_;  ///< what software drives
    AxiMemory fetch_, load_, store_;
    AxiPins fetch_pins_, load_pins_, store_pins_;

private:
    std::uint64_t traffic() const;
};

}  // namespace macrame::tb
