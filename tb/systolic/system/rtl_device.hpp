#pragma once
/// The Verilated systolic machine, waves on request.

#include <cstdint>
#include <memory>
#include <string>

#include "verif/systolic/performance/device.hpp"

class Vsystolic_top;
#if VM_TRACE
class VerilatedFstC;
#endif

namespace macrame::tb {

class RandomState;

struct RtlOptions {
    std::string wave;    ///< FST file, empty: none (needs a build with waves)
    std::string counts;  ///< file for the counts of a build with coverage, empty: none
};

class RtlDevice : public systolic::performance::Device {
public:
    /// Starts with random contents of registers, after `axi.seed`, and resets.
    RtlDevice(verif::Memory& program, verif::Memory& data, const verif::AxiMemoryOptions& axi,
              const RtlOptions& options);
    ~RtlDevice() override;

private:
    void clock() override;
    systolic::cycles::Control::Outputs answers() const override;
    void drive_software();

    std::string counts_;
    std::unique_ptr<RandomState> context_;
    std::unique_ptr<Vsystolic_top> top_;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> fst_;
#endif
    std::uint64_t time_ = 0;  ///< half periods since power-up
};

}  // namespace macrame::tb
