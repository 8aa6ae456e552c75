#pragma once
/// Compiled networks: a .tmodel with its files, run once per input.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verif/tcu/files/model_file.hpp"
#include "verif/tcu/run/job.hpp"

namespace macrame::tcu::run {

/// A .tmodel and what it names.
struct Network {
    files::Model model;
    std::string text;  ///< the .tmodel as it is
    Bytes program;
    SharedBytes constants;
};

/// Nothing, with messages in `errors`, if something is missing, truncated, or made for another
/// machine than `machine`.
std::optional<Network> load_network(const std::string& path, const Architecture& machine,
                                    std::vector<std::string>& errors);

/// The network on one input: its vectors, those of all input objects behind each other, in DRAM
/// coding. The stream is what a driver of the original sends: constants to local memory where the
/// network wants that, the program, the flush probe.
Job network_job(const Network& network, const std::string& name, const Bytes& input);

/// Makes the C driver run it, where the platform has that and the options want it.
void drive_network(Job& job, const std::shared_ptr<const Network>& network, const Bytes& input,
                   const SimulateOptions& options, const Platform& platform);

/// The output objects behind each other.
Bytes network_output(const Network& network, const verif::Memory& dram0);

/// Where outputs are in DRAM0, filled with these bytes.
std::vector<Piece> output_pieces(const Network& network, const Bytes& outputs);

/// Programs for all inputs that the options name; the last one to end writes the outputs.
std::vector<verif::run::ProgramRun> network_programs(const SimulateOptions& options,
                                                     const Platform& platform,
                                                     std::vector<std::string>& errors);

}  // namespace macrame::tcu::run
