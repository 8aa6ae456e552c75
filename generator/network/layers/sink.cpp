#include "network/layers/sink.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace macrame::network::layers {

namespace {

std::vector<std::string> names(const std::vector<Input>& inputs) {
    std::vector<std::string> out;
    for (const Input& input : inputs)
        out.push_back(input.name);
    return out;
}

bool well(const std::string& error) {
    return !report_all(error.empty() ? std::vector<std::string>{} : std::vector{error});
}

}  // namespace

Sink::Sink(const Request& request, const Network& network, const std::vector<Input>& inputs)
    : network_(network), inputs_(inputs), path_(request.layers) {
    if (!request.layers.empty()) folder_.emplace(request.layers, names(inputs));
    if (request.compare_layers)
        comparison_.emplace(network, *request.compare_layers, inputs.size());
}

bool Sink::take(const Values& values) {
    if (runs_ == 0) tensors_ = file_tensors(network_, values);
    const Input& input = inputs_[runs_++];
    return (!folder_ || well(folder_->add(tensors_, values))) &&
           (!comparison_ || well(comparison_->add(tensors_, input.tensors, values)));
}

bool Sink::finish(const std::string& configuration, const std::string& machine,
                  const std::vector<std::uint64_t>& saturated) {
    if (folder_) {
        if (!well(folder_->finish(network_, configuration, machine))) return false;
        fmt::print("{}: {} files\n", path_, folder_->files() + 1);
    }
    if (!comparison_) return true;
    if (!saturated.empty()) comparison_->set_saturated(saturated);
    comparison_->finish();
    print(*comparison_);
    return true;
}

std::string output_noise(const Network& network, const std::vector<Input>& inputs,
                         const std::vector<std::vector<Bytes>>& outputs) {
    constexpr std::size_t kMostRuns = 16;  // the executor takes as long as a golden model
    const graph::Graph& graph = network.reference.value_or(network.graph);
    if (network.compiled.exact_otherwise) return "";
    const std::size_t runs = std::min(outputs.size(), kMostRuns);
    std::optional<double> db;  // the least
    for (std::size_t run = 0; run < runs; ++run) {
        const std::vector<Bytes> wanted = graph::run(graph, inputs[run].tensors);
        for (std::size_t i = 0; i < outputs[run].size(); ++i) {
            const graph::Tensor& tensor = graph.tensor(graph.outputs[i]);
            const auto own = noise_of(tensor, wanted[i], outputs[run][i]).decibels();
            if (own) db = std::min(db.value_or(*own), *own);
        }
    }
    const std::string some =
        runs == outputs.size() ? "" : fmt::format(" of the first {} inputs", runs);
    if (!db) return fmt::format("outputs{}: those of the reference executor", some);
    return fmt::format(
        "outputs{}: {:.1f} dB signal to noise against the reference executor; "
        "--compare-layers tells it of each layer",
        some, *db);
}

}  // namespace macrame::network::layers
