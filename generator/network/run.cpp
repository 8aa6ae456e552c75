#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "compiler/host.hpp"
#include "network/answers.hpp"
#include "network/commands.hpp"
#include "network/cycles.hpp"
#include "network/inputs.hpp"
#include "network/network.hpp"
#include "network/on_design.hpp"
#include "network/report/report.hpp"
#include "network/runner.hpp"
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

/// Outputs of the network for each input; nothing after an error, which is printed.
using Outputs = std::optional<std::vector<std::vector<Bytes>>>;

Outputs on_model(const Network& network, const Design& design, const std::vector<Input>& inputs) {
    Runner runner(design, network);
    std::vector<std::vector<Bytes>> outputs;
    BatchProgress progress(inputs.size());
    for (const Input& input : inputs) {
        auto output = runner.run(input.tensors);
        if (!output) return std::nullopt;
        outputs.push_back(std::move(*output));
        progress.done();
    }
    for (const std::string& line : runner.saturations())
        fmt::print("{}\n", line);
    return outputs;
}

Outputs on_design(const Request& request, const Design& design, const emit::Assets& assets,
                  const Network& network, const std::vector<Input>& inputs,
                  std::optional<Measured>& measured) {
    if (!network.compiled.host.empty()) {
        report_all(
            {fmt::format("{}: the host runs operators between those of the hardware: want "
                         "the golden model",
                         network.name)});
        return std::nullopt;
    }
    const std::optional<emit::OutputSet> files = files_of(design, assets);
    if (!files) return std::nullopt;
    compiler::HostSide host(network.graph, network.compiled);
    std::vector<std::vector<Bytes>> programs;
    for (const Input& input : inputs)
        programs.push_back(host.inputs(input.tensors));
    const auto runs = run_on_design(design, *files, *request.machine, network, programs);
    if (!runs) return std::nullopt;
    measured = runs->front().measured;
    print_cycles(network, design, *measured);
    if (!request.json.empty() && !write_cycles(request, design, network, *measured))
        return std::nullopt;
    std::vector<std::vector<Bytes>> outputs;
    for (const DesignRun& run : *runs)
        outputs.push_back(host.outputs(run.outputs));
    return outputs;
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
        if (!request.json.empty() && report_all({"--json: want --rtl or --both, too"}))
            return kUserError;
    }
    const std::optional<Network> network = load(request, design);
    if (!network) return kUserError;
    const std::optional<std::vector<Input>> inputs = read_inputs(request, *network);
    if (!inputs) return kUserError;
    const std::optional<Classes> classes = read_classes(request, *network, inputs->size());
    if (!classes) return kUserError;
    ReportInput page{*network, design};
    std::optional<Measured> measured;
    const Outputs outputs = subject == Subject::model
                                ? on_model(*network, design, *inputs)
                                : on_design(request, design, assets, *network, *inputs, measured);
    if (!outputs) return kFailed;
    std::string bytes;
    std::vector<Answer> answers;
    Accuracy accuracy;
    for (std::size_t i = 0; i < outputs->size(); ++i) {
        for (const Bytes& tensor : (*outputs)[i])
            bytes += view(tensor);
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
        if (!write(request.report, html(page))) return kUserError;
    }
    fmt::print("{} on {}, {}: {} input{}\n", network->title, design.name, text_of(subject),
               inputs->size(), inputs->size() == 1 ? "" : "s");
    print_answers(*inputs, answers, *classes);
    if (!classes->labels.empty()) fmt::print("{}\n", accuracy.text());
    return kPassed;
}

}  // namespace macrame::network
