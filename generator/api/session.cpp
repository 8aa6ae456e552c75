#include "api/session.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/or_error.hpp"
#include "compiler/host.hpp"
#include "families/target.hpp"
#include "network/answers.hpp"
#include "network/cycles.hpp"
#include "network/elements.hpp"
#include "network/estimate.hpp"
#include "network/network.hpp"
#include "network/on_design.hpp"
#include "network/parts_file.hpp"
#include "network/runner.hpp"
#include "simulate.hpp"

namespace macrame::api {

using graph::Bytes;
using graph::Tensor;

/// The configuration and the network stay where they are: the runner has them.
struct Session::Parts {
    Configuration configuration;
    Request request;
    network::Network network;
    Machine machine;
    std::unique_ptr<network::Runner> runner = nullptr;
    std::optional<emit::OutputSet> files = std::nullopt;
    std::vector<Bytes> states = {};  ///< behind the last run
    std::mutex running = {};         ///< one run at a time
};

namespace {

Request request_of(const Configuration& configuration, const std::string& network,
                   const SessionOptions& options, Machine machine) {
    Request request;
    request.command = "run";
    request.network = network;
    request.networks = {network};
    request.exact = options.exact;
    request.no_host = options.no_host;
    if (options.layers) request.layers = ".";  // a folder that nothing is written to
    request.strategy = options.strategy;
    request.shapes = options.shapes;
    request.machine = configuration.design().family.simulator.make_options();
    request.machine->subject =
        machine == Machine::design ? verif::run::Subject::rtl : verif::run::Subject::model;
    return request;
}

std::vector<Value> values_of(const graph::Graph& graph, const std::vector<graph::TensorId>& ids,
                             std::size_t count, const std::vector<std::size_t>& real) {
    std::vector<Value> all;
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor& tensor = graph.tensor(ids[i]);
        all.push_back(
            {tensor.name, tensor.shape,
             network::is_real(real, i) ? "float32" : std::string(graph::name_of(tensor.type))});
    }
    return all;
}

/// Elements of an input of the network from what the file declares.
Bytes elements_of(const network::Network& network, std::size_t number, const Value& value,
                  std::string_view bytes) {
    const Tensor& tensor = network.graph.tensor(network.graph.inputs[number]);
    const bool converts = network::is_real(network.real_inputs, number);
    const std::size_t want = converts ? tensor.elements() * sizeof(float) : tensor.bytes();
    if (bytes.size() != want)
        throw Error(fmt::format("input {}: {} bytes: want {}, {} {}", value.name, bytes.size(),
                                want, value.type, fmt::join(value.shape, "x")));
    if (!converts) return Bytes(bytes.begin(), bytes.end());
    const std::optional<std::pair<double, double>> no_pixels;
    network::Elements elements(tensor, network.graph.rounding, no_pixels);
    for (std::size_t i = 0; i < tensor.elements(); ++i) {
        float real = 0;
        std::memcpy(&real, bytes.data() + i * sizeof real, sizeof real);
        if (!std::isfinite(real))
            throw Error(
                fmt::format("input {}: element {} is {}: want finite values", value.name, i, real));
        elements.add_real(static_cast<double>(real));
    }
    return elements.take();
}

std::vector<LayerTensor> layers_of(const network::Network& network,
                                   const network::layers::Values& values) {
    std::vector<LayerTensor> all;
    for (const network::layers::FileTensor& tensor :
         network::layers::file_tensors(network, values)) {
        if (!tensor.exists()) continue;
        const Bytes elements = network::layers::to_file(tensor, values.at(tensor.id));
        all.push_back({tensor.kind,
                       {tensor.name,
                        {tensor.shape.begin(), tensor.shape.end()},
                        std::string(network::name_of(tensor.type))},
                       {elements.begin(), elements.end()}});
    }
    return all;
}

}  // namespace

Session::Session(Configuration configuration, const std::string& network,
                 const SessionOptions& options, Machine machine) {
    Request request = request_of(configuration, network, options, machine);
    network::Network made =
        or_error([&] { return network::load(request, configuration.design()); });
    inputs_ = values_of(made.graph, made.graph.inputs, made.graph.own_inputs(), made.real_inputs);
    outputs_ =
        values_of(made.graph, made.graph.outputs, made.graph.own_outputs(), made.real_outputs);
    parts_.reset(new Parts{std::move(configuration), std::move(request), std::move(made), machine});
    const Design& design = parts_->configuration.design();
    if (machine == Machine::golden_model)
        parts_->runner = std::make_unique<network::Runner>(design, parts_->network);
    else
        parts_->files = or_error([&] { return files_of(design, assets()); });
    reset();
}

Session::~Session() = default;

void Session::reset() {
    const std::lock_guard<std::mutex> lock(parts_->running);
    parts_->states.clear();
    for (const graph::Data& first : parts_->network.graph.states)
        parts_->states.push_back(first.bytes());
}

std::vector<std::string> Session::run(const std::vector<std::string_view>& inputs,
                                      std::vector<LayerTensor>* layers) {
    const network::Network& network = parts_->network;
    if (layers != nullptr && !parts_->runner)
        throw Error("tensors of layers: want the golden model, not the design");
    if (layers != nullptr && parts_->request.layers.empty())
        throw Error("tensors of layers: want a session that keeps them (layers)");
    if (inputs.size() != inputs_.size())
        throw Error(fmt::format("{} inputs: want {}", inputs.size(), inputs_.size()));
    std::vector<Bytes> tensors;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        tensors.push_back(elements_of(network, i, inputs_[i], inputs[i]));
    const std::lock_guard<std::mutex> lock(parts_->running);
    tensors.insert(tensors.end(), parts_->states.begin(), parts_->states.end());
    network::layers::Values values;
    const std::vector<Bytes> outputs = or_error([&]() -> std::optional<std::vector<Bytes>> {
        try {
            if (parts_->runner)
                return parts_->runner->run(tensors, layers != nullptr ? &values : nullptr);
            auto ran = network::run_parts_on_design(parts_->configuration.design(), *parts_->files,
                                                    *parts_->request.machine, network, {tensors});
            if (!ran) return std::nullopt;
            cycles_ = ran->measured ? std::optional(ran->measured->cycles) : std::nullopt;
            return ran->runs.front().outputs();
        } catch (const graph::BadValue& bad) {
            throw Error(fmt::format("{}: {}", parts_->request.network, bad.what()));
        }
    });
    parts_->states.assign(outputs.begin() + static_cast<std::ptrdiff_t>(outputs_.size()),
                          outputs.end());
    if (layers != nullptr) *layers = layers_of(network, values);
    std::vector<std::string> made;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        made.push_back(network::raw_output(parts_->request, network, i, outputs[i]));
    return made;
}

std::string Session::estimate(int host_mhz) const {
    const Design& design = parts_->configuration.design();
    const auto measured = or_error([&]() -> std::optional<std::optional<network::Measured>> {
        std::optional<network::Measured> model;
        if (!network::model_cycles(parts_->network, design, model)) return std::nullopt;
        return model;
    });
    return network::estimate_json(parts_->network, design, measured ? &*measured : nullptr,
                                  host_mhz)
        .dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::map<std::string, std::string> Session::programs() const {
    std::map<std::string, std::string> all;
    const network::Network& network = parts_->network;
    const Target& target = *parts_->configuration.design().family.target;
    std::size_t number = 0;
    for (const compiler::Part& part : network.parts)
        if (part.hardware)
            all.merge(target.files(part.compiled, network::program_name(network, number++)));
    return all;
}

}  // namespace macrame::api
