#pragma once
/// Runs compiled networks.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/network.hpp"
#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::network {

/// Runs inputs on one machine.
class Runner {
public:
    Runner(const Design& design, const Network& network);

    /// Outputs of the network for its inputs; nothing after an error, which is printed.
    std::optional<std::vector<Bytes>> run(const std::vector<Bytes>& inputs);

    /// A line for each layer with values that the number format did not hold, of all runs.
    std::vector<std::string> saturations() const;

    const verif::Memory& memory() const { return memory_; }
    static constexpr std::uint64_t kBlock = 0x80000000u;

private:
    const Design& design_;
    const Network& network_;
    std::vector<std::uint64_t> saturated_;  ///< values, by layer
    // Of programs that are register writes.
    Bytes file_;
    verif::Memory memory_;
    std::unique_ptr<verif::Device> device_;
};

}  // namespace macrame::network
