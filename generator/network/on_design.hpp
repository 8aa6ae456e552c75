#pragma once
/// Compiled networks on the Verilated design.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/host.hpp"
#include "emit/output_set.hpp"
#include "network/network.hpp"
#include "network/operators.hpp"
#include "verif/common/run/options.hpp"

namespace macrame::network {

/// What the design made of an input.
struct DesignRun {
    std::vector<Bytes> outputs;  ///< of the program
    Measured measured;
};

/// What is wrong with the options where the design is not run: those that say how; empty if
/// nothing.
std::string idle_options(const Family& family, verif::run::Options& options);

/// Runs the program of a part for these inputs of it on the testbench of the files, with options of
/// `macrame simulate`; also on the golden model, and compared, if these say so. Nothing after an
/// error, which is printed; `name` is that of the network.
std::optional<std::vector<DesignRun>> run_on_design(const Design& design,
                                                    const emit::OutputSet& files,
                                                    verif::run::Options& options,
                                                    const std::string& name,
                                                    const compiler::Part& part,
                                                    const std::vector<std::vector<Bytes>>& inputs);

/// Runs of a network that have come to their end.
struct NetworkRuns {
    std::vector<compiler::NetworkRun> runs;  ///< one for each of the inputs
    std::optional<Measured> measured;        ///< of the first; nothing: there was no program
};

/// Runs all parts of a network, each program for all inputs at once. Nothing after an error, which
/// is printed.
std::optional<NetworkRuns> run_parts_on_design(const Design& design, const emit::OutputSet& files,
                                               verif::run::Options& options,
                                               const Network& network,
                                               const std::vector<std::vector<Bytes>>& inputs);

}  // namespace macrame::network
