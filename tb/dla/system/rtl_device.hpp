#pragma once
/// The Verilated accelerator behind the Device interface: clock and reset, master of the register
/// bus, one AXI memory per data port, waves on request.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verif/common/axi_memory.hpp"
#include "verif/common/device.hpp"

class Vdla_top;
#if VM_TRACE
class VerilatedFstC;
#endif

namespace macrame::tb {

class RandomState;

/// How the accelerator is driven.
struct RtlOptions {
    verif::AxiMemoryOptions axi;
    verif::AxiMemoryOptions sec_axi;  ///< second port, if the design has one
    int csb_idle = 0;          ///< idle cycles before every register access
    double bus_clock_div = 1;  ///< core clock cycles per cycle of the bus clock
    bool gates_off = false;    ///< force every clock gate on (global_clk_ovr_on)
    std::string wave;          ///< FST file, empty: none (needs a build with waves)
    std::string counts;        ///< file for the counts of a build with coverage, empty: none
};

class RtlDevice : public verif::Device {
public:
    RtlDevice(verif::Memory& pri_mem, verif::Memory& sec_mem, const RtlOptions& options);
    ~RtlDevice() override;
    RtlDevice(const RtlDevice&) = delete;
    RtlDevice& operator=(const RtlDevice&) = delete;

    /// Resets the accelerator. The first time memory starts with it, later memory goes on.
    void reset() override;
    void csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted = true) override;
    std::uint32_t csb_read(std::uint32_t byte_addr) override;
    bool interrupt() override;
    void advance(int n) override;
    std::uint64_t cycle() override { return cycle_; }
    std::uint64_t interrupt_rise() override { return interrupt_rise_; }
    std::vector<std::string> violations() const override;

    /// The system top: it has a register page of its own.
    static bool is_system();
    /// The register bus has a clock of its own; in the system top so have the memory ports.
    static bool has_bus_clock();
    /// Its memory ports answer, errors included.
    static bool has_responses();
    /// Resets the accelerator and the memory with it: nothing is on its way any more.
    void reset_all();
    /// From now on these answers of the memories are errors; see AxiMemory.
    void set_faults(const verif::AxiFaultPlan& primary, const verif::AxiFaultPlan& secondary);
    /// No more; what there was can still be asked for.
    void set_faults_off();
    /// Of the first (0) and of the second memory port (1).
    const verif::AxiFaults& faults(int port) const { return (port == 0 ? axi_ : sec_axi_).faults(); }
    std::uint64_t answers(int port) const { return (port == 0 ? axi_ : sec_axi_).answers(); }
    /// Nothing is on its way to or from memory.
    bool memory_idle() const;

    /// Core clock cycles that hold so many of either clock.
    int long_cycles(int cycles) const;

    /// Thrown in the cycle that stop_at() names.
    struct Stopped {};
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
    void stop_at(std::uint64_t cycle) { stop_at_ = cycle; }

    /// Of both ports together.
    verif::AxiCounts counts() const;

private:
    /// A clock; times are in ticks.
    struct Clock {
        std::uint64_t half, next;  ///< half a period, time of the next edge
        bool high = false;

        /// The next edge is now: toggles.
        bool edge(std::uint64_t now) {
            if (next != now) return false;
            next += half;
            high = !high;
            return true;
        }
    };

    void power_on();
    void begin_reset();
    void clock();
    bool step();
    void sample();
    void drive();
    void clock_memory();
    void run(int cycles);
    void finish_access();
    std::uint32_t access(std::uint32_t byte_addr, std::uint32_t data, bool write, bool posted);

    RtlOptions options_;
    std::unique_ptr<RandomState> context_;
    std::unique_ptr<Vdla_top> top_;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> fst_;
#endif
    verif::AxiMemory axi_, sec_axi_;
    verif::AxiPins pins_, sec_pins_;
    std::uint64_t cycle_ = 0;
    std::uint64_t stop_at_ = kNever;
    std::uint64_t interrupt_rise_ = 0;
    bool interrupt_before_ = false;
    bool in_reset_ = false;
    bool memory_runs_ = false;  ///< from the end of the first reset on
    Clock core_, bus_;
    struct Control;  ///< the register bus
    std::unique_ptr<Control> control_;
};

}  // namespace macrame::tb
