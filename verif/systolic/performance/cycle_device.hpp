#pragma once
/// The model of the cycles (verif/systolic/cycles) with the memories of the design: writes no data.

#include "verif/systolic/cycles/top.hpp"
#include "verif/systolic/performance/device.hpp"
#include "verif/systolic/performance/observer.hpp"

namespace macrame::systolic::performance {

class CycleDevice : public Device {
public:
    CycleDevice(verif::Memory& program, verif::Memory& data, const verif::AxiMemoryOptions& axi,
                const Architecture& architecture, Observer* observer = nullptr);

    bool irq() const override { return machine_.irq(); }

private:
    void clock() override;
    std::uint64_t pass_quiet(std::uint64_t most) override;
    cycles::Control::Outputs answers() const override { return machine_.control(); }
    bool ended(Module module) const override { return machine_.ended(module); }
    bool some_ended() const override { return machine_.some_ended(); }

    cycles::Top machine_;
    Observer* observer_;  ///< may be null
};

}  // namespace macrame::systolic::performance
