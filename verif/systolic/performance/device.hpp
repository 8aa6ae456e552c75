#pragma once
/// A systolic machine with its memories, as software sees it: the Verilated design, or the model of
/// its cycles. Both see the same answers of memory in the same cycles as long as they ask alike.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/common/axi_memory.hpp"
#include "verif/common/memory.hpp"
#include "verif/systolic/cycles/control.hpp"

namespace macrame::systolic::performance {

class Device {
public:
    using Register = cycles::Control::Register;
    using Ends = std::array<std::vector<std::uint64_t>, kModuleCount>;

    /// `program` is what fetch reads, `data` what load and store see; `axi` is of all ports,
    /// `config_address` where the registers begin.
    Device(verif::Memory& program, verif::Memory& data, const verif::AxiMemoryOptions& axi,
           std::uint32_t config_address);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    void write(Register at, const Word& word);
    Word read(Register at);
    /// Clocks until the interrupt is there; false if there was none, and no traffic in memory for
    /// so many cycles.
    bool wait(std::uint64_t most_quiet_cycles);
    std::vector<std::string> violations() const;

    /// Cycles so far, and of each module those in which an instruction has left its queue.
    std::uint64_t now() const { return now_; }
    const Ends& ends() const { return ends_; }

protected:
    /// A cycle; memory is clocked in it.
    virtual void clock() = 0;
    /// What software's port shows, and the interrupt.
    virtual cycles::Control::Outputs answers() const = 0;
    /// An instruction of the module has left its queue.
    virtual bool ended(Module module) const = 0;
    /// After reset.
    void settle();
    /// A rising edge of the memory, with the pins as they were before.
    void clock_memory();

    cycles::Control::Inputs software_;  ///< what software drives
    verif::AxiPins fetch_pins_, load_pins_, store_pins_;

private:
    void step();
    std::uint64_t traffic() const;
    std::uint32_t address(Register at) const;

    std::unique_ptr<verif::Dram> dram_;  ///< null: there is none
    verif::AxiMemory fetch_, load_, store_;
    const std::uint32_t config_address_;
    std::uint64_t now_ = 0;
    Ends ends_;
};

}  // namespace macrame::systolic::performance
