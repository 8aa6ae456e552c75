#pragma once
/// Runs compiled networks.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/layers/tensors.hpp"
#include "network/network.hpp"
#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::network {

/// Runs inputs on one machine.
class Runner {
public:
    Runner(const Design& design, const Network& network);

    /// Outputs of the network for its inputs; nothing after an error, which is printed. `values`
    /// becomes all that is in memory then, of tensors of the graph.
    std::optional<std::vector<Bytes>> run(const std::vector<Bytes>& inputs,
                                          layers::Values* values = nullptr);

    /// A line for each layer with values that the number format did not hold, of all runs.
    std::vector<std::string> saturations() const;
    /// How many they are, by layer; empty: the machine does not count them.
    const std::vector<std::uint64_t>& saturated() const { return saturated_; }

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
