#include "verif/tcu/run/networks.hpp"

#include <algorithm>
#include <utility>

#include "verif/common/run/console.hpp"
#include "verif/common/text.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/rules.hpp"
#include "verif/tcu/run/stream.hpp"

namespace macrame::tcu::run {

namespace {

using verif::text::shortest;

std::uint64_t vector_bytes(const Network& network) {
    return static_cast<std::uint64_t>(network.model.architecture.vector_bytes());
}

/// Bytes of the objects, one after the other out of `all`, to their places in DRAM0.
std::vector<Piece> spread(const std::vector<files::Segment>& segments, std::uint64_t unit,
                          const Bytes& all) {
    std::vector<Piece> out;
    auto at = all.begin();
    for (const files::Segment& segment : segments) {
        const auto end = at + static_cast<std::ptrdiff_t>(segment.size * unit);
        out.push_back({0, segment.base * unit, std::make_shared<const Bytes>(at, end)});
        at = end;
    }
    return out;
}

/// Inputs as one file has them.
std::optional<std::vector<Bytes>> read_inputs(const SimulateOptions& options,
                                              const Network& network,
                                              std::vector<std::string>& errors) {
    const auto all = files::read_vectors(options.input, network.model.architecture, errors);
    if (!all) return std::nullopt;
    const std::size_t one =
        static_cast<std::size_t>(network.model.input_vectors() * vector_bytes(network));
    if (one == 0 || all->empty() || all->size() % one != 0) {
        errors.push_back("--input = " + options.input + ": found " +
                         shortest(all->size() / vector_bytes(network)) +
                         " vectors: want a multiple of " + shortest(network.model.input_vectors()) +
                         ", those of an input");
        return std::nullopt;
    }
    const std::size_t there = all->size() / one;
    const std::size_t wanted = options.count == 0 ? there : static_cast<std::size_t>(options.count);
    if (wanted > there) {
        errors.push_back("--count = " + shortest(wanted) + ": want at most " + shortest(there) +
                         ", the inputs in " + options.input);
        return std::nullopt;
    }
    std::vector<Bytes> out;
    for (std::size_t i = 0; i < wanted; ++i) {
        const auto at = all->begin() + static_cast<std::ptrdiff_t>(i * one);
        out.emplace_back(at, at + static_cast<std::ptrdiff_t>(one));
    }
    return out;
}

/// Outputs of all runs, written when the last one is there.
class Outputs {
public:
    Outputs(std::string path, Architecture architecture, std::size_t count)
        : path_(std::move(path)), architecture_(architecture), all_(count) {}

    /// That of a run that has not failed; runs may end at the same time.
    void set(std::size_t number, Bytes bytes) { all_[number] = std::move(bytes); }
    /// Nothing if a run has failed.
    void write(const std::string& program) const {
        Bytes whole;
        for (const Bytes& one : all_) {
            if (one.empty()) return;
            whole.insert(whole.end(), one.begin(), one.end());
        }
        std::vector<std::string> errors;
        files::write_vectors(path_, whole, architecture_, errors);
        for (const std::string& error : errors)
            verif::run::complain(program, error);
    }

private:
    std::string path_;
    Architecture architecture_;
    std::vector<Bytes> all_;
};

}  // namespace

std::optional<Network> load_network(const std::string& path, const Architecture& machine,
                                    std::vector<std::string>& errors) {
    auto model = files::read_model(path, errors);
    if (!model) return std::nullopt;
    const std::string other = misfit(model->architecture, machine);
    if (!other.empty()) {
        errors.push_back(path + ": made for another architecture: " + other);
        return std::nullopt;
    }
    Network out;
    out.model = *model;
    const std::string folder = verif::text::directory(path);
    const Layout layout = layout_of(model->architecture);
    const std::string program_path = folder + model->program_file;
    const auto program = files::read_program(program_path, layout, errors);
    const std::string constants_path = folder + model->constants[0].name;
    const auto constants = files::read_bytes(constants_path, errors);
    if (!program || !constants) return std::nullopt;
    const std::uint64_t wanted = model->constants[0].size * vector_bytes(out);
    if (program->size() != model->program_bytes) {
        errors.push_back(program_path + ": found " + shortest(program->size()) +
                         " bytes: want the " + shortest(model->program_bytes) + " of " + path);
        return std::nullopt;
    }
    if (constants->size() != wanted) {
        errors.push_back(constants_path + ": found " + shortest(constants->size()) +
                         " bytes: want the " + shortest(wanted) + " of " + path);
        return std::nullopt;
    }
    std::string problem;
    out.text = verif::text::read_file(path, problem).value_or("");
    out.program = *program;
    out.constants = std::make_shared<const Bytes>(*constants);
    return out;
}

Job network_job(const Network& network, const std::string& name, const Bytes& input) {
    const files::Model& model = network.model;
    const std::uint64_t unit = vector_bytes(network);
    const files::Segment& constants = model.constants[0];
    const Layout layout = layout_of(model.architecture);
    Job job;
    job.name = name;
    job.before = spread(model.inputs, unit, input);
    job.before.push_back({1, constants.base * unit, network.constants});
    if (model.constants_to_local)
        job.stream = load_constants(layout, constants.base, constants.size);
    job.stream.insert(job.stream.end(), network.program.begin(), network.program.end());
    const Bytes probe = flush_probe(model.architecture);
    job.stream.insert(job.stream.end(), probe.begin(), probe.end());
    return job;
}

void drive_network(Job& job, const std::shared_ptr<const Network>& network, const Bytes& input,
                   const SimulateOptions& options, const Platform& platform) {
    if (!options.driver || !platform.drive) return;
    job.drive = [network, input, &platform](Device& device, Banks banks,
                                            const std::function<void()>& turn) {
        return platform.drive(platform, *network, input, device, banks, turn);
    };
}

Bytes network_output(const Network& network, const verif::Memory& dram0) {
    const std::uint64_t unit = vector_bytes(network);
    Bytes out;
    for (const files::Segment& segment : network.model.outputs) {
        const Bytes part = dram0.dump(segment.base * unit, segment.size * unit);
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

std::vector<Piece> output_pieces(const Network& network, const Bytes& outputs) {
    return spread(network.model.outputs, vector_bytes(network), outputs);
}

std::vector<verif::run::ProgramRun> network_programs(const SimulateOptions& options,
                                                     const Platform& platform,
                                                     std::vector<std::string>& errors) {
    const auto loaded = load_network(options.program, platform.architecture, errors);
    if (!loaded) return {};
    const auto network = std::make_shared<const Network>(*loaded);
    const auto inputs = read_inputs(options, *network, errors);
    if (!inputs) return {};
    const auto outputs =
        std::make_shared<Outputs>(options.output, network->model.architecture, inputs->size());
    std::vector<verif::run::ProgramRun> out;
    for (std::size_t i = 0; i < inputs->size(); ++i) {
        Job job =
            network_job(*network, network->model.name + " input " + shortest(i), (*inputs)[i]);
        drive_network(job, network, (*inputs)[i], options, platform);
        const bool last = i + 1 == inputs->size();
        const auto run = [=, &options, &platform](const verif::run::Turn& turn) {
            Job one = job;
            Bytes output;
            one.finish = [&](Memories& memory, std::vector<std::string>&) {
                output = network_output(*network, memory.dram0);
            };
            verif::run::Outcome outcome = run_job(one, options, platform, turn);
            if (outcome.row.failures.empty()) outputs->set(i, std::move(output));
            if (last && !options.output.empty()) {
                outcome.finish = [outputs, &platform, first = outcome.finish] {
                    if (first) first();
                    outputs->write(platform.program);
                };
            }
            return outcome;
        };
        out.push_back({job.name, run});
    }
    return out;
}

}  // namespace macrame::tcu::run
