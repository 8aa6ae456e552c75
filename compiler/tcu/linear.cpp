#include "compiler/tcu/linear.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/graph/at.hpp"

namespace macrame::tcu::compiler {

VectorId VectorPool::variable() {
    layers_.vectors.push_back({false, layers_.variables++});
    return static_cast<VectorId>(layers_.vectors.size()) - 1;
}

VectorId VectorPool::constant(const std::vector<double>& values) {
    layers_.vectors.push_back({true, layers_.constant_count()});
    for (std::size_t i = 0; i < at(lanes()); ++i) {
        const double value = i < values.size() ? values[i] : 0.0;
        if (!format_.holds(value)) {
            ++saturated_;
            largest_ = std::max(largest_, std::abs(value));
        }
        layers_.constants.push_back(format_.code(value));
    }
    return static_cast<VectorId>(layers_.vectors.size()) - 1;
}

VectorId VectorPool::same(double value) {
    const auto [found, fresh] = uniform_.emplace(format_.code(value), kZeros);
    if (fresh) found->second = constant(std::vector<double>(at(lanes()), value));
    return found->second;
}

Linear::Linear(VectorPool& pool, int channels, int positions)
    : pool_(pool),
      channels_(channels),
      positions_(positions),
      groups_((channels + pool.lanes() - 1) / pool.lanes()),
      biases_(at(channels), 0.0),
      terms_(at(groups_ * positions)) {}

int Linear::add_set(int group, std::vector<float> weights, const Values& input) {
    sets_.push_back({group, std::move(weights), input, 0, false});
    return static_cast<int>(sets_.size()) - 1;
}

void Linear::add_bias(int channel, double value) { biases_[at(channel)] += value; }

void Linear::add_term(int position, int set, VectorId source) {
    if (source != kZeros) terms(sets_[at(set)].group, position).push_back({set, source});
}

double Linear::bias(int group, int lane) const {
    const int channel = group * pool_.lanes() + lane;
    return channel < channels_ ? biases_[at(channel)] : 0.0;
}

void Linear::count_uses() {
    std::vector<int> uses(sets_.size());
    for (const std::vector<Term>& of : terms_) {
        for (const Term& term : of) {
            Set& set = sets_[at(term.set)];
            set.uses = std::max(set.uses, ++uses[at(term.set)]);
        }
        for (const Term& term : of)
            uses[at(term.set)] = 0;
    }
}

void Linear::add_extent(int group, int lane, Extent& extent) const {
    // Values are taken as spread over a part of their range.
    double mean = bias(group, lane), square = 0, products = 0;
    for (const Set& set : sets_) {
        if (set.group != group) continue;
        const Range& range = set.input.range;
        const double middle = 0.15 * (range.low + range.high);
        const double spread = 0.2 * (range.high - range.low);
        for (std::size_t i = at(lane); i < set.weights.size(); i += at(pool_.lanes())) {
            const double w = static_cast<double>(set.weights[i]);
            if (w == 0) continue;
            mean += set.uses * w * middle;
            square += set.uses * w * w * spread * spread;
            products += set.uses;
        }
    }
    extent.peak = std::max(
        extent.peak, std::max(std::abs(mean), std::abs(bias(group, lane))) + 4 * std::sqrt(square));
    extent.products = std::max(extent.products, products);
}

double Linear::factor_of_sums(const Values& output) const {
    Extent extent;
    double squares = 0, count = 0;
    for (const Set& set : sets_) {
        extent.known = extent.known && set.input.range.known;
        for (const float weight : set.weights) {
            if (weight == 0) continue;
            const double w = std::abs(static_cast<double>(weight)) / set.input.factor;
            squares += w * w;
            count += 1;
            extent.most = std::max(extent.most, w);
        }
    }
    if (!extent.known || count == 0) return output.factor;
    extent.weight = std::sqrt(squares / count);
    for (int group = 0; group < groups_; ++group)
        for (int lane = 0; lane < pool_.lanes(); ++lane)
            add_extent(group, lane, extent);
    const Format& format = pool_.format();
    const double one = static_cast<double>(format.one());
    // What the values of the output tell about sums is measured, the other is a guess.
    const Range range =
        output.range.known ? output.range : Range{-2 * extent.peak, 2 * extent.peak};
    const double size = range.size();
    const double reach = std::max(1.2 * size, std::min(extent.peak, 3 * size));
    const double most = std::min({power_below(format.range() / reach),
                                  power_below(format.range() / extent.most), output.factor * one});
    const double for_weights = kFineWeights / (extent.weight * one);
    const double rounding = kRounding * std::sqrt(extent.products);
    const double for_sums = rounding / (kFineSums * (range.high - range.low) / 255 * one);
    double factor = output.factor;
    const bool exact = extent.products <= 2 && extent.weight * output.factor * one >= 64;
    while (!exact && factor < std::max(for_weights, for_sums))
        factor *= 2;
    return std::min(factor, most);
}

void Linear::place_bias(int group) {
    // A set that all outputs use begins their sums and brings the bias.
    std::vector<int> users(sets_.size());
    for (int position = 0; position < positions_; ++position) {
        int before = -1;
        for (const Term& term : terms(group, position)) {
            if (term.set != before) ++users[at(term.set)];
            before = term.set;
        }
    }
    int first = -1;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
        if (sets_[i].group != group) continue;
        if (first < 0 || users[i] > users[at(first)]) first = static_cast<int>(i);
    }
    if (first < 0) {
        first = add_set(group, std::vector<float>(at(pool_.lanes()), 0.0F), {});
        sets_.back().uses = 1;
    }
    sets_[at(first)].bias = true;
    for (int position = 0; position < positions_; ++position) {
        std::vector<Term>& of = terms(group, position);
        const auto middle = std::stable_partition(
            of.begin(), of.end(), [&](const Term& term) { return term.set == first; });
        if (middle == of.begin()) of.insert(of.begin(), {first, kZeros});
    }
}

void Linear::make_sets(Layer& layer, double factor) {
    const std::size_t lanes = at(pool_.lanes());
    for (const Set& set : sets_) {
        WeightSet made;
        std::vector<std::vector<double>> rows;
        for (std::size_t i = 0; i < set.weights.size(); i += lanes) {
            std::vector<double> row(lanes);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                row[lane] = static_cast<double>(set.weights[i + lane]) * factor / set.input.factor;
            rows.push_back(std::move(row));
        }
        made.rows = static_cast<int>(rows.size());
        std::vector<double> bias_row(lanes);
        for (std::size_t lane = 0; lane < lanes; ++lane)
            bias_row[lane] = bias(set.group, static_cast<int>(lane)) * factor;
        const auto zero = [](double value) { return value == 0; };
        made.bias = set.bias && !std::all_of(bias_row.begin(), bias_row.end(), zero);
        if (made.bias) rows.insert(rows.begin(), bias_row);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const VectorId id = pool_.constant(rows[i]);
            if (i == 0) made.first = id;
        }
        layer.sets.push_back(made);
    }
}

void Linear::finish(Layer& layer, const std::vector<VectorId>& vectors, const Values& output,
                    bool relu, double high) {
    count_uses();
    const auto wanted = [&](int group) { return vectors[at(group * positions_)] != kZeros; };
    for (int group = 0; group < groups_; ++group)
        if (wanted(group)) place_bias(group);
    const double factor = factor_of_sums(output);
    layer.combine = Combine::sum;
    make_sets(layer, factor);
    layer.outputs.reserve(terms_.size());
    for (int group = 0; group < groups_; ++group) {
        for (int position = 0; position < positions_ && wanted(group); ++position) {
            layer.add_output(vectors[at(group * positions_ + position)], group,
                             std::move(terms(group, position)));
        }
    }
    const auto same = [&](double value) {
        return std::vector<VectorId>(at(groups_), pool_.same(value));
    };
    if (relu) layer.steps.push_back({StepKind::relu, {}});
    if (high != 0 && high * factor < pool_.format().range())
        layer.steps.push_back({StepKind::minimum, same(high * factor)});
    if (factor != output.factor)
        layer.steps.push_back({StepKind::multiply, same(output.factor / factor)});
}

}  // namespace macrame::tcu::compiler
