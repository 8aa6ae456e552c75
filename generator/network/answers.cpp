#include "network/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <string_view>

#include "emit/file_io.hpp"
#include "network/elements.hpp"

namespace macrame::network {

namespace {

const graph::Tensor& first_output(const Network& network) {
    return network.graph.tensor(network.graph.outputs.front());
}

/// How many classes the first output tells apart; 0: it is something else.
std::size_t classes_of(const Network& network) {
    const graph::Tensor& tensor = first_output(network);
    const std::size_t count = tensor.elements();
    const bool vector =
        !tensor.shape.empty() && static_cast<std::size_t>(tensor.shape.back()) == count;
    return vector && count >= 2 ? count : 0;
}

std::optional<std::vector<std::string>> lines_of(const std::string& path) {
    const emit::FileText file = emit::read_file(path);
    if (!file.error.empty()) {
        report_all({fmt::format("{}: {}", path, file.error)});
        return std::nullopt;
    }
    std::vector<std::string> lines;
    std::string_view rest = file.bytes;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.emplace_back(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

bool failed(const std::string& text) { return report_all({text}); }

/// Integers of at most 16 bits.
bool is_small(graph::Type type) {
    return type == graph::Type::int8 || type == graph::Type::uint8 || type == graph::Type::int16;
}

double real_value(const graph::Tensor& tensor, const Bytes& bytes, std::size_t index) {
    if (tensor.type == graph::Type::float32) {
        float value = 0;
        std::memcpy(&value, &bytes[4 * index], 4);
        return static_cast<double>(value);
    }
    const graph::Quantisation& q = tensor.quantisation;
    int element =
        tensor.type == graph::Type::int8 ? static_cast<std::int8_t>(bytes[index]) : bytes[index];
    if (tensor.type == graph::Type::int16)
        element = static_cast<std::int8_t>(bytes[2 * index + 1]) * 256 + bytes[2 * index];
    const int zero = q.zero_point.empty() ? 0 : q.zero_point[0];
    return (element - zero) * (q.scale.empty() ? 1.0 : static_cast<double>(q.scale[0]));
}

}  // namespace

std::string Classes::text(int index) const {
    if (names.empty()) return fmt::format("{}", index);
    return fmt::format("{} {}", index, names[static_cast<std::size_t>(index)]);
}

std::optional<Classes> read_classes(const Request& request, const Network& network,
                                    std::size_t inputs) {
    Classes out;
    if (request.labels.empty() && request.classes.empty()) return out;
    const std::size_t count = classes_of(network);
    if (count == 0) {
        failed("--labels and --classes: want a network whose first output is one value per class");
        return std::nullopt;
    }
    if (!request.classes.empty()) {
        const auto lines = lines_of(request.classes);
        if (!lines) return std::nullopt;
        if (lines->size() != count) {
            failed(fmt::format("{}: {} lines: want {}, one for each class", request.classes,
                               lines->size(), count));
            return std::nullopt;
        }
        out.names = *lines;
    }
    if (request.labels.empty()) return out;
    const auto lines = lines_of(request.labels);
    if (!lines) return std::nullopt;
    if (lines->size() < inputs) {
        failed(fmt::format("{}: {} lines: want {}, one for each input", request.labels,
                           lines->size(), inputs));
        return std::nullopt;
    }
    for (std::size_t i = 0; i < inputs; ++i) {
        const std::string& line = (*lines)[i];
        int label = -1;
        const char* end = line.data() + line.size();
        const auto [stop, code] = std::from_chars(line.data(), end, label);
        const bool number = code == std::errc() && stop == end;
        if (line.empty()) {
            out.labels.emplace_back();
        } else if (number && label >= 0 && label < static_cast<int>(count)) {
            out.labels.emplace_back(label);
        } else {
            failed(fmt::format("{}: line {}: '{}': want a class, 0 to {}, or nothing",
                               request.labels, i + 1, line, count - 1));
            return std::nullopt;
        }
    }
    return out;
}

std::string Answer::value_text(int index) const {
    const double value = values[static_cast<std::size_t>(index)];
    return probabilities ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.4g}", value);
}

std::optional<Answer> answer(const Network& network, const std::vector<Bytes>& outputs) {
    const std::size_t count = classes_of(network);
    const graph::Tensor& tensor = first_output(network);
    const bool numbers = is_small(tensor.type) || tensor.type == graph::Type::float32;
    if (count == 0 || !numbers) return std::nullopt;
    Answer out;
    for (std::size_t i = 0; i < count; ++i)
        out.values.push_back(real_value(tensor, outputs.front(), i));
    out.ranking.resize(count);
    std::iota(out.ranking.begin(), out.ranking.end(), 0);
    std::stable_sort(out.ranking.begin(), out.ranking.end(), [&](int a, int b) {
        return out.values[static_cast<std::size_t>(a)] > out.values[static_cast<std::size_t>(b)];
    });
    for (const graph::Node& node : network.graph.nodes) {
        if (node.outputs.front() == network.graph.outputs.front())
            if (const auto* softmax = std::get_if<graph::Softmax>(&node.op))
                out.probabilities = !softmax->log;
    }
    return out;
}

std::string raw_output(const Request& request, const Network& network, std::size_t number,
                       const Bytes& elements) {
    const graph::Tensor& tensor = network.graph.tensor(network.graph.outputs[number]);
    const bool integers = is_small(tensor.type) && !tensor.quantisation.scale.empty();
    const bool wanted = request.output_type.empty() ? is_real(network.real_outputs, number)
                                                    : request.output_type == "float32";
    if (!integers || !wanted) return std::string(view(elements));
    std::string out;
    for (std::size_t i = 0; i < tensor.elements(); ++i) {
        const auto value = static_cast<float>(real_value(tensor, elements, i));
        out.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    return out;
}

void Accuracy::count(const std::optional<int>& label, const Answer& answer) {
    if (!label) return;
    ++known;
    right += answer.ranking.front() == *label;
}

std::string Accuracy::text() const {
    return fmt::format("top-1: {} of {} ({:.1f} %)", right, known,
                       known == 0 ? 0.0 : 100.0 * right / known);
}

}  // namespace macrame::network
