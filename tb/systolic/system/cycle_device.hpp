#pragma once
/// The model of the cycles (verif/systolic/cycles) with the memories of the design: writes no data.

#include <cstdint>

#include "tb/systolic/system/device.hpp"
#include "verif/systolic/cycles/top.hpp"

namespace macrame::tb {

class CycleDevice : public Device {
public:
    CycleDevice(verif::Memory& program, verif::Memory& data, const AxiMemoryOptions& axi,
                const systolic::Architecture& architecture, std::uint32_t config_address);

private:
    void clock() override;
    systolic::cycles::Control::Outputs answers() const override { return machine_.control(); }

    systolic::cycles::Top machine_;
};

}  // namespace macrame::tb
