#include "verif/systolic/run/networks.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "verif/common/run/console.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/files/network_file.hpp"
#include "verif/systolic/files/program_file.hpp"

namespace macrame::systolic::run {

namespace {

using files::Network;
using files::NetworkPort;
using verif::text::shortest;
using Bytes = std::vector<std::uint8_t>;
using Addresses = std::vector<std::uint64_t>;

Addresses addresses(const std::vector<NetworkPort>& ports) {
    Addresses out;
    for (const NetworkPort& port : ports) {
        const Addresses some = port.addresses();
        out.insert(out.end(), some.begin(), some.end());
    }
    return out;
}

/// What all inputs of a network share.
struct Shared {
    Bytes memory;
    Addresses inputs, outputs;
};

/// Outputs of all inputs, written when the last one is there.
struct Outputs {
    std::string path;
    std::vector<Bytes> all;

    /// Nothing if a run has failed.
    void write(const std::string& program) const {
        Bytes whole;
        for (const Bytes& one : all) {
            if (one.empty()) return;
            whole.insert(whole.end(), one.begin(), one.end());
        }
        std::vector<std::string> errors;
        files::write_bytes(path, whole, errors);
        for (const std::string& error : errors)
            verif::run::complain(program, error);
    }
};

/// How many inputs are to be run.
std::size_t count_inputs(const SimulateOptions& options, std::size_t bytes, std::size_t one,
                         std::vector<std::string>& errors) {
    if (bytes == 0 || bytes % one != 0) {
        errors.push_back("--input = " + options.input + ": found " + shortest(bytes) +
                         " bytes: want a multiple of " + shortest(one) + ", those of an input");
        return 0;
    }
    const std::size_t there = bytes / one;
    const auto wanted = options.count == 0 ? there : static_cast<std::size_t>(options.count);
    if (wanted <= there) return wanted;
    errors.push_back("--count = " + shortest(wanted) + ": want at most " + shortest(there) +
                     ", the inputs in " + options.input);
    return 0;
}

/// All but name, memory and outputs.
Job job_of(const Network& network) {
    Job out;
    for (const files::NetworkProgram& program : network.programs) {
        out.programs.push_back({program.address, program.instructions});
        for (const files::NetworkLayer& layer : program.layers)
            out.layers.insert(out.layers.end(), layer.instructions, layer.layer);
    }
    out.image_bytes = network.memory.size();
    return out;
}

}  // namespace

bool is_network(const std::string& path) {
    constexpr std::string_view kEnding = ".json";
    return path.size() >= kEnding.size() &&
           path.compare(path.size() - kEnding.size(), kEnding.size(), kEnding) == 0;
}

std::vector<Job> network_jobs(const SimulateOptions& options, const Architecture& architecture,
                              const std::string& program, std::vector<std::string>& errors,
                              const files::Identity& identity) {
    if (options.input.empty()) {
        errors.push_back("--program = " + options.program + ": want --input, too");
        return {};
    }
    const auto network = files::read_network(options.program, architecture, errors, identity);
    const auto bytes = files::read_bytes(options.input, errors);
    if (!network || !bytes) return {};
    const auto shared = std::make_shared<const Shared>(
        Shared{network->memory, addresses(network->inputs), addresses(network->outputs)});
    const std::size_t one = shared->inputs.size();
    const std::size_t count = count_inputs(options, bytes->size(), one, errors);
    const auto outputs = std::make_shared<Outputs>(Outputs{options.output, {}});
    outputs->all.resize(count);
    const Job same = job_of(*network);
    std::vector<Job> out;
    for (std::size_t i = 0; i < count; ++i) {
        Job job = same;
        job.name = network->name + " input " + shortest(i);
        job.order = options.seed + i;
        const auto begin = bytes->begin() + static_cast<std::ptrdiff_t>(i * one);
        const Bytes input(begin, begin + static_cast<std::ptrdiff_t>(one));
        job.fill = [shared, input](verif::Memory& memory) {
            memory.load(0, shared->memory);
            for (std::size_t n = 0; n < input.size(); ++n)
                memory.load(shared->inputs[n], &input[n], 1);
        };
        job.take_outputs = [shared, outputs, i](const verif::Memory& memory) {
            for (const std::uint64_t address : shared->outputs)
                outputs->all[i].push_back(memory.peek(address));
        };
        if (i + 1 == count && !options.output.empty())
            job.finish = [outputs, program] { outputs->write(program); };
        out.push_back(std::move(job));
    }
    return out;
}

verif::run::LayerTimes layer_times(const std::vector<std::size_t>& layers,
                                   const std::vector<std::optional<std::uint64_t>>& ends) {
    verif::run::LayerTimes out;
    for (std::size_t i = 0; i < layers.size() && i < ends.size(); ++i) {
        out.ends.resize(std::max(out.ends.size(), layers[i] + 1));
        out.ends[layers[i]] = std::max(out.ends[layers[i]], ends[i].value_or(0));
    }
    std::uint64_t before = 0;
    for (const std::uint64_t end : out.ends) {
        out.begins.push_back(before);
        before = std::max(before, end);
    }
    return out;
}

}  // namespace macrame::systolic::run
