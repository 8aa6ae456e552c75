#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/host.hpp"
#include "network/answers.hpp"
#include "network/commands.hpp"
#include "network/cycles.hpp"
#include "network/exactness.hpp"
#include "network/inputs.hpp"
#include "network/layers/sink.hpp"
#include "network/network.hpp"
#include "network/on_design.hpp"
#include "network/report/report.hpp"
#include "network/runner.hpp"
#include "network/work.hpp"
#include "simulate.hpp"
#include "verif/common/run/progress.hpp"

namespace macrame::network {

namespace {

using verif::run::Subject;

/// Answers to more inputs are counted, not listed.
constexpr std::size_t kListed = 20;

/// One line for each input, or the best classes of the only one.
void print_answers(const std::vector<Input>& inputs, const std::vector<Answer>& answers,
                   const Classes& classes) {
    if (answers.size() == 1) {
        const Answer& only = answers.front();
        for (std::size_t i = 0; i < 3 && i < only.ranking.size(); ++i) {
            const int index = only.ranking[i];
            fmt::print("  {:<32} {:>8}\n", classes.text(index), only.value_text(index));
        }
        return;
    }
    if (answers.size() > kListed) return;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const int first = answers[i].ranking.front();
        fmt::print("  {:<32} {:<32} {:>8}\n", inputs[i].name, classes.text(first),
                   answers[i].value_text(first));
    }
}

/// How far a batch is, on terminals.
class BatchProgress {
public:
    explicit BatchProgress(std::size_t inputs) : progress_(isatty(fileno(stderr)) != 0) {
        state_.what = "inputs";
        state_.programs = inputs;
    }
    void done() {
        ++state_.done.passed;
        const std::chrono::duration<double> time = Clock::now() - start_;
        state_.seconds = time.count();
        if (state_.seconds - shown_ < 0.1 || state_.programs == 1) return;
        shown_ = state_.seconds;
        progress_.show(state_);
    }

private:
    using Clock = std::chrono::steady_clock;
    verif::run::Progress progress_;
    verif::run::ProgressState state_;
    Clock::time_point start_ = Clock::now();
    double shown_ = 0;
};

/// A run goes on with what the one before it kept.
void keep_states(const graph::Graph& graph, const std::vector<Bytes>& outputs, Input& next) {
    for (std::size_t i = 0; i < graph.states.size(); ++i)
        next.tensors[graph.own_inputs() + i] = outputs[graph.own_outputs() + i];
}

/// What came of the inputs.
struct Ran {
    std::vector<std::vector<Bytes>> outputs;  ///< of the network, for each input
    std::optional<Measured> measured;
    std::vector<std::uint64_t> saturated;  ///< values, by layer
};
/// Nothing after an error, which is printed.
using Outcome = std::optional<Ran>;

Outcome on_model(const Network& network, const Design& design, std::vector<Input>& inputs,
                 layers::Sink& sink) {
    Runner runner(design, network);
    Ran out;
    BatchProgress progress(inputs.size());
    for (Input& input : inputs) {
        if (!out.outputs.empty()) keep_states(network.graph, out.outputs.back(), input);
        layers::Values values;
        auto output = runner.run(input.tensors, sink.wanted() ? &values : nullptr);
        if (!output || (sink.wanted() && !sink.take(values))) return std::nullopt;
        out.outputs.push_back(std::move(*output));
        progress.done();
    }
    for (const std::string& line : runner.saturations())
        fmt::print("{}\n", line);
    out.saturated = runner.saturated();
    return out;
}

Outcome on_design(const Request& request, const Design& design, const emit::Assets& assets,
                  const Network& network, std::vector<Input>& inputs, layers::Sink& sink) {
    const std::optional<emit::OutputSet> files = files_of(design, assets);
    if (!files) return std::nullopt;
    const std::size_t count = network.graph.states.empty() ? inputs.size() : 1;
    Ran out;
    for (std::size_t first = 0; first < inputs.size(); first += count) {
        if (first > 0) keep_states(network.graph, out.outputs.back(), inputs[first]);
        std::vector<std::vector<Bytes>> tensors;
        for (std::size_t i = first; i < first + count; ++i)
            tensors.push_back(inputs[i].tensors);
        const auto done = run_parts_on_design(design, *files, *request.machine, network, tensors);
        if (!done) return std::nullopt;
        if (first == 0) out.measured = done->measured;
        for (const compiler::NetworkRun& run : done->runs) {
            out.outputs.push_back(run.outputs());
            if (sink.wanted() && !sink.take(run.values())) return std::nullopt;
        }
    }
    if (out.measured) print_cycles(network, design, *out.measured);
    return out;
}

const char* text_of(Subject subject) {
    return subject == Subject::model ? "golden model"
           : subject == Subject::rtl ? "design"
                                     : "design and golden model, the same bytes";
}

}  // namespace

int run_network(const Request& request, const Design& design, const emit::Assets& assets) {
    const Subject subject = request.machine->subject;
    if (subject == Subject::model) {
        const std::string text = idle_options(design.family, *request.machine);
        if (!text.empty() && report_all({text})) return kUserError;
    }
    if (const std::string problem =
            request.layers.empty() ? "" : layers::folder_problem(request.layers);
        !problem.empty() && report_all({problem}))
        return kUserError;
    const std::optional<Network> network = load(request, design);
    if (!network) return kUserError;
    std::optional<std::vector<Input>> inputs = read_inputs(request, *network);
    if (!inputs) return kUserError;
    const std::optional<Classes> classes = read_classes(request, *network, inputs->size());
    if (!classes) return kUserError;
    const Work work = work_of(*network);
    fmt::print("{}\n", text_of(*network, work, request.host_mhz));
    ReportInput page{*network, design};
    page.host_mhz = request.host_mhz;
    layers::Sink sink(request, *network, *inputs);
    Outcome ran;
    try {
        ran = subject == Subject::model
                  ? on_model(*network, design, *inputs, sink)
                  : on_design(request, design, assets, *network, *inputs, sink);
    } catch (const graph::BadValue& bad) {
        report_all({fmt::format("{}: {}", request.network, bad.what())});
        return kUserError;
    }
    if (!ran) return kFailed;
    for (std::vector<Bytes>& tensors : ran->outputs)
        tensors.resize(network->graph.own_outputs());
    const std::vector<std::vector<Bytes>>* const outputs = &ran->outputs;
    std::optional<Measured> measured = ran->measured;
    if (!sink.finish(design.name, text_of(subject), ran->saturated)) return kUserError;
    const layers::Comparison* const comparison = sink.comparison();
    if (!write_json(request, design, *network, measured ? &*measured : nullptr, comparison))
        return kUserError;
    std::string bytes;
    std::vector<Answer> answers;
    Accuracy accuracy;
    for (std::size_t i = 0; i < outputs->size(); ++i) {
        for (std::size_t n = 0; n < (*outputs)[i].size(); ++n)
            bytes += raw_output(request, *network, n, (*outputs)[i][n]);
        const std::optional<Answer> made = answer(*network, (*outputs)[i]);
        const std::optional<int> label =
            classes->labels.empty() ? std::nullopt : classes->labels[i];
        if (made) {
            answers.push_back(*made);
            accuracy.count(label, *made);
        }
        if (page.answers.size() < kMostAnswers) page.answers.push_back({(*inputs)[i], made, label});
    }
    if (!request.output.empty() && !write(request.output, bytes)) return kUserError;
    if (!request.report.empty()) {
        if (!measured && !model_cycles(*network, design, measured)) return kFailed;
        page.machine = text_of(subject);
        page.measured = measured ? &*measured : nullptr;
        page.inputs = inputs->size();
        page.classes = &*classes;
        page.accuracy = accuracy;
        page.advice = advice(*network, design);
        page.comparison = comparison;
        page.saturated = ran->saturated;
        if (!write(request.report, html(page))) return kUserError;
    }
    fmt::print("{} on {}, {}: {} input{}\n", network->title, design.name, text_of(subject),
               inputs->size(), inputs->size() == 1 ? "" : "s");
    print_answers(*inputs, answers, *classes);
    if (!classes->labels.empty()) fmt::print("{}\n", accuracy.text());
    fmt::print("{}\n", exactness_text(*network));
    if (const std::string noise = comparison != nullptr || outputs->empty()
                                      ? ""
                                      : layers::output_noise(*network, *inputs, *outputs);
        !noise.empty())
        fmt::print("{}\n", noise);
    return comparison != nullptr && comparison->first_fault() != nullptr ? kFailed : kPassed;
}

}  // namespace macrame::network
