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
    /// 32 bits, as a narrow master does: `byte` is a multiple of 4 in the word of registers.
    void write32(Register at, int byte, std::uint32_t value);
    Word read(Register at);
    /// Clocks until the interrupt is there; false if there was none, and no traffic in memory for
    /// so many cycles.
    bool wait(std::uint64_t most_quiet_cycles);
    /// The same until STATUS is not busy.
    bool wait_idle(std::uint64_t most_quiet_cycles);
    void pass(std::uint64_t cycles);
    virtual bool irq() const { return answers().irq; }
    verif::Memory& data() { return data_; }
    verif::Memory& program() { return program_; }

    /// Ports of memory; from now on some of the answers of one are errors.
    enum class Port { fetch, load, store };
    void set_faults(Port port, const verif::AxiFaultPlan& plan) {
        memory_of(port).set_faults(plan);
    }
    const verif::AxiMemory& memory(Port port) const {
        return port == Port::fetch ? fetch_ : port == Port::load ? load_ : store_;
    }
    /// Nothing is on its way to memory or back.
    bool memory_idle() const { return fetch_.idle() && load_.idle() && store_.idle(); }

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
    /// False: no module has one that has.
    virtual bool some_ended() const { return true; }
    /// Up to so many cycles after the last one in which all that is seen of the machine and of its
    /// memory stays as it is. How many they were.
    virtual std::uint64_t pass_quiet(std::uint64_t most) {
        static_cast<void>(most);
        return 0;
    }
    /// In so many of them memory that is not asked does nothing.
    std::uint64_t quiet_memory() const;
    void pass_memory(std::uint64_t cycles);
    /// After reset.
    void settle();
    /// A rising edge of the memory, with the pins as they were before.
    void clock_memory();

    cycles::Control::Inputs software_;  ///< what software drives
    verif::AxiPins fetch_pins_, load_pins_, store_pins_;

private:
    void step();
    void write(std::uint32_t address, const Word& word, std::uint32_t strobes);
    verif::AxiMemory& memory_of(Port port) {
        return port == Port::fetch ? fetch_ : port == Port::load ? load_ : store_;
    }
    std::uint64_t traffic() const;
    std::uint32_t address(Register at) const;

    verif::Memory &program_, &data_;
    std::unique_ptr<verif::Dram> dram_;  ///< null: there is none
    verif::AxiMemory fetch_, load_, store_;
    const std::uint32_t config_address_;
    std::uint64_t now_ = 0;
    Ends ends_;
};

}  // namespace macrame::systolic::performance
