#include "tb/system/platform.hpp"

#include <memory>

#include "verif/stimulus/coverage.hpp"
#include "verif/stimulus/random_layers.hpp"
#include "verif/trace/dla_registers.hpp"

namespace macrame::tb {

Platform make_platform(const std::string& name, const model::dla::DeviceSizes& sizes,
                       const PortSizes& port) {
    Platform platform;
    platform.name = name;
    platform.bus_bytes = port.bus_bytes;
    platform.max_burst = port.max_burst;
    platform.macs_per_cycle = sizes.atomic_c * sizes.atomic_k;
    platform.picture.atomic_c = sizes.atomic_c;
    platform.picture.atom_bytes = sizes.atom_bytes;
    platform.picture.cbuf_banks = sizes.cbuf_banks;
    platform.picture.cbuf_depth = sizes.cbuf_depth;
    platform.has_image = sizes.image;
    platform.has_cdp = sizes.cdp;
    platform.has_ew = sizes.sdp_ew;
    platform.has_pdp = sizes.pdp;
    platform.registers = trace::dla_registers();
    platform.random_program = [sizes](std::uint64_t seed) {
        return stimulus::random_program(sizes, seed);
    };
    platform.make_coverage = [sizes] { return std::make_shared<stimulus::Coverage>(sizes); };
    platform.make_model = [sizes](Memory& primary, Memory& secondary) {
        DeviceUnderTest dut;
        dut.device = std::make_unique<model::dla::Device>(sizes, primary, &secondary);
        return dut;
    };
    return platform;
}

}  // namespace macrame::tb
