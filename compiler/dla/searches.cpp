#include "compiler/dla/searches.hpp"

#include <utility>

namespace macrame::dla::compiler {

namespace {

/// The bytes of numbers, one behind the other.
class Key {
public:
    template <class... Number>
    Key& add(Number... value) {
        (text_.append(reinterpret_cast<const char*>(&value), sizeof value), ...);
        return *this;
    }
    std::string text() { return std::move(text_); }

private:
    std::string text_;
};

std::string key_of(const LayerTarget& layer, const Stages& stages) {
    Key key;
    key.add(stages.bs, stages.bn, stages.ew, layer.rounding, layer.zero_point, layer.low,
            layer.high);
    for (const ChannelTarget& c : layer.channels)
        key.add(c.factor, c.bias, c.low, c.high, c.mantissa, c.exponent);
    return key.text();
}

std::string key_of(const LineTarget& target, const Stages& stages) {
    Key key;
    key.add(stages.bs, stages.bn, stages.ew, target.rounding, target.zero_point, target.last);
    for (const LineTable& line : target.channels)
        key.add(line.table, line.slope, line.shift, line.zero);
    return key.text();
}

std::string key_of(const std::vector<Table>& tables, int bend) {
    Key key;
    key.add(bend);
    for (const Table& table : tables)
        key.add(table);
    return key.text();
}

std::string key_of(const AddTarget& target) {
    Key key;
    for (const AddTensor& tensor : {target.a, target.b, target.output})
        key.add(tensor.scale, tensor.zero_point);
    key.add(target.subtract, target.low, target.high, target.rounding, target.shift,
            target.main_is_b.has_value(), target.main_is_b.value_or(false));
    return key.text();
}

std::string key_of(const MultiplyTarget& target, bool ew, const std::vector<std::int8_t>& pairs) {
    Key key;
    key.add(ew, target.zero_a, target.zero_b, target.zero_output, target.factor, target.rounding,
            target.low, target.high);
    return key.text() + std::string(pairs.begin(), pairs.end());
}

std::string key_of(const graph::Tensor& weights) {
    Key key;
    key.add(weights.data.data(), weights.type, weights.shape[0]);
    for (const std::int32_t zero : weights.quantisation.zero_point)
        key.add(zero);
    return key.text();
}

WeightSums sums_of(const graph::Tensor& weights) {
    const std::vector<std::int16_t> all = distances(weights);
    const std::size_t kernels = at(weights.shape[0]), each = all.size() / kernels;
    WeightSums out{terms_of(all), {}};
    for (std::size_t k = 0; k < kernels; ++k)
        out.kernels.push_back(kernel_sums(all.data() + k * each, each));
    return out;
}

/// The result for a key; `search` where there is none yet.
template <class Result, class Search>
const Result& once(std::map<std::string, Result>& found, std::string key, const Search& search) {
    const auto known = found.find(key);
    if (known != found.end()) return known->second;
    return found.emplace(std::move(key), search()).first->second;
}

}  // namespace

const Requantisation& Searches::requantise(const LayerTarget& layer, const Stages& stages) {
    return once(requantised_, key_of(layer, stages),
                [&] { return compiler::requantise(layer, stages); });
}

const std::optional<Halves>& Searches::requantise_in_halves(const LayerTarget& layer,
                                                            const Stages& stages) {
    return once(halves_, key_of(layer, stages),
                [&] { return compiler::requantise_in_halves(layer, stages); });
}

const std::optional<Requantisation>& Searches::requantise_lines(const LineTarget& target,
                                                                const Stages& stages) {
    return once(lines_, key_of(target, stages),
                [&] { return compiler::requantise_lines(target, stages); });
}

const std::optional<Pointwise>& Searches::pointwise(const std::vector<Table>& tables, int bend) {
    return once(pointwise_, key_of(tables, bend),
                [&] { return compiler::pointwise(tables, bend); });
}

const AddMapping& Searches::add_parameters(const AddTarget& target, bool ew, bool twice) {
    return once(sums_, key_of(target) + (ew ? 'e' : '-') + (twice ? 't' : '-'),
                [&] { return compiler::add_parameters(target, ew, twice); });
}

const std::optional<AddParts>& Searches::exact_add_in_parts(const AddTarget& target) {
    return once(sums_in_parts_, key_of(target),
                [&] { return compiler::exact_add_in_parts(target); });
}

const std::optional<MultiplyMapping>& Searches::multiply_parameters(
    const MultiplyTarget& target, bool ew, const std::vector<std::int8_t>& pairs) {
    return once(products_, key_of(target, ew, pairs),
                [&] { return compiler::multiply_parameters(target, ew, pairs); });
}

const std::optional<ProductParts>& Searches::multiply_in_parts(
    const MultiplyTarget& target, bool ew, const std::vector<std::int8_t>& pairs) {
    return once(parts_, key_of(target, ew, pairs),
                [&] { return compiler::multiply_in_parts(target, ew, pairs); });
}

const WeightSums& Searches::weights(const graph::Tensor& tensor) {
    return once(weights_, key_of(tensor),
                [&] {
                    return KnownWeights{tensor.data, sums_of(tensor)};
                })
        .sums;
}

}  // namespace macrame::dla::compiler
