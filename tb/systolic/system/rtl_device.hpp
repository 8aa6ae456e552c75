#pragma once
/// The Verilated systolic machine: clock and reset, software's port, three memory ports, waves on
/// request.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/common/axi_memory.hpp"
#include "verif/common/memory.hpp"
#include "verif/systolic/isa/word.hpp"

class Vsystolic_top;
#if VM_TRACE
class VerilatedFstC;
#endif

namespace macrame::tb {

class RandomState;

/// How the machine is driven.
struct RtlOptions {
    AxiMemoryOptions axi;  ///< of all ports
    std::string wave;      ///< FST file, empty: none (needs a build with waves)
    std::string counts;    ///< file for the counts of a build with coverage, empty: none
};

class RtlDevice {
public:
    /// `program` is what fetch reads, `data` what load and store see.
    RtlDevice(verif::Memory& program, verif::Memory& data, const RtlOptions& options);
    ~RtlDevice();
    RtlDevice(const RtlDevice&) = delete;
    RtlDevice& operator=(const RtlDevice&) = delete;

    void write(std::uint32_t address, const systolic::Word& word);
    systolic::Word read(std::uint32_t address);
    /// Clocks until the interrupt is there; false if there was none, and no traffic in memory for
    /// so many cycles.
    bool wait(std::uint64_t most_quiet_cycles);
    std::vector<std::string> violations() const;

private:
    void clock();
    std::uint64_t traffic() const;

    RtlOptions options_;
    std::unique_ptr<RandomState> context_;
    std::unique_ptr<Vsystolic_top> top_;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> fst_;
#endif
    AxiMemory fetch_, load_, store_;
    AxiPins fetch_pins_, load_pins_, store_pins_;
    std::uint64_t time_ = 0;  ///< half periods since power-up
};

}  // namespace macrame::tb
