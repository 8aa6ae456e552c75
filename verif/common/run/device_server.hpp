#pragma once
/// The other end of runtime/device: register and memory accesses of a driver in another process.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::verif::run {

struct Served {
    std::string problem;                  ///< with a request, at which it ended; empty: none
    std::vector<std::string> violations;  ///< of the device, also those before a reset
};

/// What a driver cannot see at the device itself.
struct ServedDesign {
    int address_bits = 64;       ///< of memory; an access beyond ends the program
    std::uint32_t identity = 0;  ///< of programs; 0: not known
    /// Registers that tell the identity also where the design has none there, but reads 0.
    std::vector<std::uint32_t> identity_registers;
};

/// Looks at what a driver does.
class DriverWatch {
public:
    virtual ~DriverWatch() = default;

    virtual void reset() = 0;
    /// Before a register write. What keeps it from being done and ends the device; empty: nothing.
    virtual std::string write(std::uint32_t address, std::uint32_t value) = 0;
    /// Behind a register read.
    virtual void read(std::uint32_t address, std::uint32_t value) = 0;
    /// Contents that the driver writes to a memory, and those that it reads.
    virtual void load(bool secondary, std::uint64_t address,
                      const std::vector<std::uint8_t>& bytes) = 0;
    virtual void look(bool secondary, std::uint64_t address,
                      const std::vector<std::uint8_t>& bytes) = 0;
    /// Behind a wait of so many cycles. `came`: the interrupt line is high.
    virtual void waited(std::uint64_t cycles, bool came) = 0;
};

/// What a server does beside answering; all may be left out.
struct ServeOptions {
    ServedDesign design;
    std::vector<DriverWatch*> watches;
    /// Told of each violation of the device as soon as the request is done that shows it.
    std::function<void(const std::string&)> complain;
    std::function<AxiCounts()> counts;      ///< of the memory ports since the reset of the device
    std::function<std::uint64_t()> layers;  ///< that have begun since the creation
};

/// Answers requests (verif/common/run/device_wire.h) at a socket until its end. `secondary`: null
/// if the device has one memory port. `untimed`: a device whose layers complete only in advance();
/// a register read then makes a step.
Served serve(int socket, Device& device, Memory& primary, Memory* secondary, bool untimed,
             const ServeOptions& options = {});

}  // namespace macrame::verif::run
