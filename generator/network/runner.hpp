#pragma once
/// Runs compiled networks.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/host.hpp"
#include "families/target.hpp"
#include "network/layers/tensors.hpp"
#include "network/network.hpp"

namespace macrame::network {

/// Runs inputs on the golden model.
class Runner {
public:
    Runner(const Design& design, const Network& network);

    /// Sees each program and its inputs before it runs.
    using Tap = std::function<void(const compiler::Part&, const std::vector<Bytes>& inputs)>;

    /// Outputs of the network for its inputs; nothing after an error, which is printed. `values`
    /// becomes all that is in memory then, of tensors of the graph.
    std::optional<std::vector<Bytes>> run(const std::vector<Bytes>& inputs,
                                          layers::Values* values = nullptr, const Tap& tap = {});
    /// As far as the last program, which does not run; false after an error, which is printed.
    bool run_programs(const std::vector<Bytes>& inputs, const Tap& tap);

    /// A line for each layer with values that the number format did not hold, of all runs.
    std::vector<std::string> saturations() const;
    /// How many they are, by layer of all programs; empty: the machine does not count them.
    std::vector<std::uint64_t> saturated() const;

    /// Of a program, by its number.
    const ModelRun& program(std::size_t number) const { return *programs_[number]; }

private:
    /// Outputs of the program that the run has come to.
    std::optional<std::vector<Bytes>> run(compiler::NetworkRun& run, ModelRun& program);

    const Network& network_;
    std::vector<std::unique_ptr<ModelRun>> programs_;  ///< by part of the hardware
};

}  // namespace macrame::network
