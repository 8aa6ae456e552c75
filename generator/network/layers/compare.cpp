#include "network/layers/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "compiler/graph/kernels.hpp"
#include "emit/file_io.hpp"
#include "network/layers/own.hpp"

namespace macrame::network::layers {

namespace fs = std::filesystem;
using graph::TensorId;

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;
constexpr double kWantedNoise = 1;  ///< steps, root of the mean square
constexpr double kWantedDecibels = 20;

/// Elements as numbers: integers, or real values.
std::vector<double> numbers(Array::Type type, const Bytes& bytes) {
    const std::size_t size = size_of(type);
    std::vector<double> out(bytes.size() / size);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint8_t* at = &bytes[i * size];
        if (type == Array::Type::int8) {
            out[i] = static_cast<std::int8_t>(*at);
        } else if (type == Array::Type::uint8) {
            out[i] = *at;
        } else if (type == Array::Type::float32) {
            float value = 0;
            std::memcpy(&value, at, sizeof(value));
            out[i] = static_cast<double>(value);
        } else {
            std::uint64_t value = 0;
            for (std::size_t byte = size; byte-- > 0;)
                value = value << 8 | at[byte];
            const std::size_t unused = 64 - 8 * size;
            out[i] = static_cast<double>(static_cast<std::int64_t>(value << unused) >> unused);
        }
    }
    return out;
}

/// Largest difference of two tensors of a row.
double largest(const std::vector<double>& a, const std::vector<double>& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= out)) out = std::abs(a[i] - b[i]);
    return out;
}

void add_noise(Noise& sum, const std::vector<double>& signal, const std::vector<double>& found,
               double zero) {
    for (std::size_t i = 0; i < signal.size(); ++i) {
        sum.signal += (signal[i] - zero) * (signal[i] - zero);
        sum.noise += (signal[i] - found[i]) * (signal[i] - found[i]);
    }
    sum.values += signal.size();
}

/// "3", of real values "0.125".
std::string amount(const Difference& row, double value) {
    return row.integers() ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

bool quiet(const Noise& noise, bool integers) {
    const double below = std::pow(10.0, -kWantedDecibels / 10);
    const double step = integers ? kWantedNoise * static_cast<double>(noise.values) : 0;
    return noise.noise <= step + below * noise.signal;
}

}  // namespace

std::optional<double> Noise::decibels() const {
    if (noise == 0) return std::nullopt;
    return 10 * std::log10(signal / noise);
}

Noise noise_of(const graph::Tensor& tensor, const Bytes& wanted, const Bytes& found) {
    const Array::Type type = array_type(tensor.type);
    const auto& zeros = tensor.quantisation.zero_point;
    Noise out;
    add_noise(out, numbers(type, wanted), numbers(type, found), zeros.size() == 1 ? zeros[0] : 0);
    return out;
}

Comparison::Comparison(const Network& network, fs::path folder, std::size_t runs)
    : network_(network), folder_(std::move(folder)), runs_(runs) {}

std::string Comparison::reference() const {
    return folder_.empty() ? "the reference executor"
                           : fmt::format("the tensors in {}", folder_.string());
}

/// Elements of the graph's tensor out of the folder; nothing if it has none, or after an error.
std::optional<Bytes> Comparison::reference_of(const FileTensor& tensor, std::string& error) const {
    const fs::path own = runs_ > 1 ? folder_ / fmt::to_string(run_) : folder_;
    std::error_code code;
    fs::path path = own / tensor.file;
    if (!fs::exists(path, code)) path = own / (file_name(tensor.name) + ".npy");
    if (!fs::exists(path, code)) return std::nullopt;
    const auto fail = [&](const std::string& text) {
        error = fmt::format("{}: {}", path.string(), text);
        return std::nullopt;
    };
    const emit::FileText file = emit::read_file(path, kLargestFile);
    if (!file.error.empty()) return fail(file.error);
    const Array array = parse_npy(file.bytes);
    if (!array.error.empty()) return fail(array.error);
    if (array.shape != tensor.shape)
        return fail(fmt::format("{}: want {}, the shape of {}", shape_text(array.shape),
                                shape_text(tensor.shape), tensor.text()));
    Bytes bytes(array.data.begin(), array.data.end());
    if (array.type == tensor.type) return from_file(tensor, bytes);
    if (array.type != Array::Type::float32 || tensor.scale.size() != 1)
        return fail(fmt::format("elements of another type: want those of {}", tensor.text()));
    // Real values of integers: the nearest ones.
    const graph::Tensor& own_tensor = network_.graph.tensor(tensor.id);
    FileTensor real = tensor;
    real.type = Array::Type::float32;
    real.unsigned_bytes = false;
    const Bytes ordered = from_file(real, bytes);
    std::vector<std::int32_t> integers;
    for (const double value : numbers(Array::Type::float32, ordered))
        integers.push_back(
            graph::quantise(network_.graph.rounding, own_tensor, static_cast<float>(value)));
    return graph::pack(own_tensor, integers);
}

void Comparison::count(Difference& row, const Bytes& machine, const Bytes& reference,
                       const Bytes& executor, const Bytes& own) const {
    const graph::Tensor& tensor = network_.graph.tensor(row.tensor.id);
    FileTensor plain = row.tensor;
    const Array::Type type = plain.unsigned_bytes ? Array::Type::int8 : plain.type;
    const std::vector<double> found = numbers(type, machine), wanted = numbers(type, reference);
    const std::vector<double> here = numbers(type, own), there = numbers(type, executor);
    const auto& zeros = tensor.quantisation.zero_point;
    const double zero = zeros.size() == 1 ? zeros[0] : 0;
    row.compared = true;
    row.values += found.size();
    for (std::size_t i = 0; i < found.size(); ++i)
        row.differing += found[i] != wanted[i] ? 1 : 0;
    row.largest = std::max(row.largest, largest(found, wanted));
    row.own = std::max(row.own, largest(found, here));
    row.carried = std::max(row.carried, largest(here, there));
    add_noise(row.to_reference, wanted, found, zero);
    add_noise(row.of_its_own, here, found, zero);
}

std::string Comparison::add(const std::vector<FileTensor>& tensors,
                            const std::vector<Bytes>& inputs, const Values& values) {
    if (rows_.empty()) {
        rows_.resize(tensors.size());
        groups_.resize(tensors.size());
        for (std::size_t i = 0; i < tensors.size(); ++i)
            rows_[i].tensor = tensors[i];
    }
    Values executed;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        executed[network_.graph.inputs[i]] = inputs[i];
    graph::run(network_.graph, inputs, [&](TensorId id, const Bytes& bytes) {
        if (values.count(id) != 0) executed[id] = bytes;
    });
    OwnInputs own(network_, values);
    bool any = folder_.empty();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        Difference& row = rows_[i];
        const FileTensor& tensor = row.tensor;
        if (!tensor.exists()) continue;
        std::optional<Bytes> reference = executed.at(tensor.id);
        if (!folder_.empty()) {
            std::string error;
            reference = reference_of(tensor, error);
            if (!error.empty()) return error;
            if (!reference) continue;
            any = true;
        }
        const OwnInputs::Result result = own.of(tensor);
        if (result.declared) row.declared = std::max(row.declared.value_or(0), *result.declared);
        groups_[i].insert(result.nodes.begin(), result.nodes.end());
        count(row, values.at(tensor.id), *reference, executed.at(tensor.id), result.elements);
    }
    ++run_;
    if (any) return "";
    return fmt::format(
        "{}: no file of a tensor of this network: want .npy files as --layers "
        "writes them, or NAME.npy",
        folder_.string());
}

void Comparison::set_saturated(const std::vector<std::uint64_t>& by_layer) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!rows_[i].compared || rows_[i].tensor.node < 0) continue;
        rows_[i].saturated = 0;
        for (std::size_t layer = 0; layer < by_layer.size(); ++layer)
            if (groups_[i].count(network_.compiled.layers[layer].node) != 0)
                *rows_[i].saturated += by_layer[layer];
    }
}

std::string Comparison::judged(const Difference& row) const {
    const std::string declared = fmt::format("declared {}", row.declared.value_or(0));
    if (row.declared && row.own > *row.declared)
        return fmt::format("differs by up to {} from the executor on the same inputs, {}",
                           amount(row, row.own), declared);
    if (row.declared && !folder_.empty() && row.largest > *row.declared + row.carried)
        return fmt::format("differs by up to {}, {}, and {} from its inputs",
                           amount(row, row.largest), declared, amount(row, row.carried));
    if (row.declared) return "";
    for (const Noise* noise : {&row.of_its_own, &row.to_reference}) {
        if (noise == &row.to_reference && folder_.empty()) continue;
        if (quiet(*noise, row.integers())) continue;
        return fmt::format("signal to noise {:.1f} dB{}: want {:.0f} dB{}", *noise->decibels(),
                           noise == &row.of_its_own ? " on the same inputs" : "", kWantedDecibels,
                           row.integers() ? ", or a step of noise" : "");
    }
    return "";
}

void Comparison::finish() {
    for (Difference& row : rows_)
        if (row.compared) row.fault = judged(row);
}

const Difference* Comparison::first_fault() const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [](const Difference& row) { return !row.fault.empty(); });
    return found == rows_.end() ? nullptr : &*found;
}

void print(const Comparison& comparison) {
    const bool noisy = !comparison.declares();
    fmt::print("layers against {}:\n", comparison.reference());
    fmt::print("{:<46} {:>9} {:>9} {:>8} {:>8} {:>8}{}\n", "operator, tensor", "values", "differ",
               "largest", "own", "declared", noisy ? "  saturated       dB" : "");
    std::size_t compared = 0, absent = 0;
    for (const Difference& row : comparison.differences()) {
        const FileTensor& tensor = row.tensor;
        const std::string name =
            tensor.place == FileTensor::kInput
                ? fmt::format("    input {}", tensor.name)
                : fmt::format("{:>3} {} {}", tensor.place, tensor.kind, tensor.name);
        if (!row.compared) {
            const bool none = !tensor.exists();
            absent += none ? 1 : 0;
            fmt::print("{:<46.46} {}\n", name,
                       none ? tensor.absent : "no file of it in the folder");
            continue;
        }
        ++compared;
        fmt::print("{:<46.46} {:>9} {:>9} {:>8} {:>8} {:>8}", name, row.values, row.differing,
                   amount(row, row.largest), amount(row, row.own),
                   row.declared ? fmt::to_string(*row.declared) : "-");
        if (noisy) {
            const std::optional<double> db = row.to_reference.decibels();
            fmt::print(" {:>10} {:>8}", row.saturated ? fmt::to_string(*row.saturated) : "-",
                       db ? fmt::format("{:.1f}", *db) : "-");
        }
        fmt::print("{}\n", row.fault.empty() ? "" : "  <--");
    }
    fmt::print("{} tensors compared, {} not in memory\n", compared, absent);
    if (const Difference* fault = comparison.first_fault()) {
        fmt::print("the first that differs more than was declared: {}: {}\n", fault->tensor.text(),
                   fault->fault);
    }
}

}  // namespace macrame::network::layers
