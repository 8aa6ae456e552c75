#pragma once
/// The Verilated tensor unit behind the Device interface: clock and reset, its instruction stream,
/// an AXI memory per bank, receivers of samples and status, waves on request.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/common/register_bus.hpp"
#include "verif/common/axi_memory.hpp"
#include "verif/common/random.hpp"
#include "verif/tcu/run/device.hpp"

class Vtcu_top;
#if VM_TRACE
class VerilatedFstC;
#endif

namespace macrame::tb {

class RandomState;

/// How the unit is driven.
struct RtlOptions {
    verif::AxiMemoryOptions axi;  ///< of both banks; stalls and seed are those of the streams, too
    int instruction_bytes = 8;    ///< of an instruction
    int sample_block = 0;         ///< words of a packet of samples
    std::string wave;             ///< FST file, empty: none (needs a build with waves)
    std::string counts;           ///< file for the counts of a build with coverage, empty: none
};

class RtlDevice : public tcu::run::Device {
public:
    RtlDevice(tcu::run::Banks banks, const RtlOptions& options);
    ~RtlDevice() override;
    RtlDevice(const RtlDevice&) = delete;
    RtlDevice& operator=(const RtlDevice&) = delete;

    /// Resets the unit and the memory ports with it: nothing is on its way any more.
    void reset() override;
    void send(const std::vector<std::uint8_t>& bytes) override;
    bool run(std::uint64_t most_cycles) override;
    std::uint64_t cycle() const override { return cycle_; }
    tcu::run::Status status() const override { return status_; }
    const std::vector<std::uint64_t>& samples() const override { return samples_; }
    const std::vector<std::uint64_t>& consumed() const override;
    const std::vector<std::uint64_t>& moved() const override { return moved_; }
    verif::AxiCounts counts(int bank) const override;
    std::vector<std::string> violations() const override;

    // The registers of control, and what only tests do.

    /// The design has the port of the registers: without it nothing reads or writes them.
    bool has_registers() const override;
    std::uint32_t read_register(std::uint32_t address) override;
    void write_register(std::uint32_t address, std::uint32_t value) override;
    /// By the soft reset, or by the pin where there are no registers.
    void recover();
    /// As the documents tell: RESET, wait for IN_RESET, let the sender of instructions end,
    /// release. Both buses have to be at rest then. Throws std::runtime_error if they are not.
    void soft_reset();
    /// From now on these answers of the banks are errors.
    void set_faults(const verif::AxiFaultPlan& bank0, const verif::AxiFaultPlan& bank1);
    const verif::AxiFaults& faults(std::size_t bank) const { return axi_[bank]->faults(); }
    std::uint64_t answers(std::size_t bank) const { return axi_[bank]->answers(); }
    /// Runs for so many cycles, whatever the unit does.
    void advance(std::uint64_t cycles);
    bool idle_pin() const;
    bool bus_error_pin() const;
    bool interrupt() const;

private:
    bool stalls() { return random_.chance(stall_percent_); }
    void clock();
    BusAnswer access(const BusAccess& wanted);
    bool buses_idle() const;
    void make_memories();
    void forget();
    void drive();
    void sample();
    void sample_state();
    void take_samples();
    void take_status();
    bool at_rest() const;
    void note_unseen();
    bool keeps_counter(std::size_t number) const;
    void violation(const std::string& what);

    RtlOptions options_;
    std::unique_ptr<RandomState> context_;
    std::unique_ptr<Vtcu_top> top_;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> fst_;
#endif
    verif::Random random_;
    int stall_percent_;
    tcu::run::Banks banks_;
    std::array<std::unique_ptr<verif::AxiMemory>, 2> axi_;  ///< new with each reset
    std::array<verif::AxiPins, 2> pins_;
    AxiLiteMaster registers_;
    AxiLitePins register_pins_;
    std::uint64_t time_ = 0;   ///< half periods since power-up
    std::uint64_t cycle_ = 0;  ///< since reset

    std::vector<std::uint8_t> stream_;  ///< all that was sent since reset
    std::size_t sent_ = 0;              ///< bytes of it that the unit has taken
    bool offered_ = false;              ///< a beat is on the pins
    std::size_t echoed_ = 0;            ///< instructions that came back as status
    std::size_t in_block_ = 0;          ///< samples of the packet that has begun
    int resting_ = 0;                   ///< cycles for which nothing was under way

    tcu::run::Status status_;
    std::vector<std::uint64_t> samples_;
    std::vector<std::uint64_t> consumed_, moved_;
    std::uint64_t move_number_ = 0;  ///< as the unit counts them
    std::vector<std::string> violations_;
};

}  // namespace macrame::tb
