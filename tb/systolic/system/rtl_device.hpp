#pragma once
/// The Verilated systolic machine, waves on request.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/systolic/system/probe.hpp"
#include "verif/systolic/performance/device.hpp"
#include "verif/systolic/run/step_check.hpp"

class Vsystolic_top;
#if VM_TRACE
class VerilatedFstC;
#endif

namespace macrame::tb {

class RandomState;

struct RtlOptions {
    std::string wave;    ///< FST file, empty: none (needs a build with waves)
    std::string counts;  ///< file for the counts of a build with coverage, empty: none
    systolic::run::StepCheck* steps = nullptr;  ///< is told what ends
};

class RtlDevice : public systolic::performance::Device {
public:
    /// Starts with random contents of registers, after `axi.seed`, and resets.
    RtlDevice(verif::Memory& program, verif::Memory& data, const verif::AxiMemoryOptions& axi,
              const systolic::Architecture& architecture, const RtlOptions& options);
    ~RtlDevice() override;

private:
    void clock() override;
    systolic::cycles::Control::Outputs answers() const override;
    bool ended(systolic::Module module) const override { return probe_->ended(module); }
    void drive_software();
    void tell_steps();

    std::string counts_;
    systolic::run::StepCheck* steps_;
    std::vector<bool> last_;  ///< by column: a last sum has been written with the edge before
    std::unique_ptr<RandomState> context_;
    std::unique_ptr<Vsystolic_top> top_;
    std::unique_ptr<Probe> probe_;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> fst_;
#endif
    std::uint64_t time_ = 0;  ///< half periods since power-up
};

}  // namespace macrame::tb
