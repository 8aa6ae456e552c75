#pragma once
/// A layer of sums: real weights and biases become sets of codes.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "compiler/tcu/factors.hpp"
#include "compiler/tcu/layer.hpp"

namespace macrame::tcu::compiler {

/// Steps of weights below which their rounding shows in results.
constexpr double kFineWeights = 128;
/// Largest error by roundings of sums, of the distance of two quantised values.
constexpr double kFineSums = 0.1;
/// Of one product, in steps: the root of the mean square.
constexpr double kRounding = 0.29;

/// Makes constants and variables.
class VectorPool {
public:
    VectorPool(Layers& layers, const Format& format) : layers_(layers), format_(format) {}

    VectorId variable();
    /// At most a value for each lane; zeros behind them.
    VectorId constant(const std::vector<double>& values);
    /// The same value for all lanes; there is one vector for a value.
    VectorId same(double value);

    const Format& format() const { return format_; }
    int lanes() const { return layers_.array_size; }
    /// Values of constants that the format does not hold, and the largest of them.
    int saturated() const { return saturated_; }
    double largest() const { return largest_; }

private:
    Layers& layers_;
    Format format_;
    std::map<std::int32_t, VectorId> uniform_;
    int saturated_ = 0;
    double largest_ = 0;
};

/// Of a tensor.
struct Values {
    Range range;
    double factor = 1;
};

/// Collects weights and terms of a layer of sums with `channels` lanes of outputs.
class Linear {
public:
    Linear(VectorPool& pool, int channels, int positions);

    int groups() const { return groups_; }
    /// Weights [input lane][output lane of the group], as many lanes as the array has for either,
    /// fewer inputs at will. Returns the number of the set.
    int add_set(int group, std::vector<float> weights, const Values& input);
    void add_bias(int channel, double value);
    void add_term(int position, int set, VectorId source);

    /// What is added: sets and outputs of the layer, `vectors` by group and position, kZeros for
    /// groups that are left out. Steps behind the sums: `relu`, a bound for the real values (0:
    /// none), what brings them to their factor.
    void finish(Layer& layer, const std::vector<VectorId>& vectors, const Values& output, bool relu,
                double high);

private:
    struct Set {
        int group = 0;
        std::vector<float> weights;
        Values input;
        int uses = 0;  ///< in the output that uses it most
        bool bias = false;
    };
    /// Of the sums of a layer, in real values but for the weights.
    struct Extent {
        bool known = true;
        double peak = 0;    ///< that intermediate sums may reach
        double weight = 0;  ///< root of the mean square weight, for equal factors of both sides
        double most = 0;    ///< the largest of these
        double products = 0;
    };

    std::vector<Term>& terms(int group, int position) {
        return terms_[static_cast<std::size_t>(group * positions_ + position)];
    }
    double bias(int group, int lane) const;
    void count_uses();
    void add_extent(int group, int lane, Extent& extent) const;
    double factor_of_sums(const Values& output) const;
    void place_bias(int group);
    void make_sets(Layer& layer, double factor);

    VectorPool& pool_;
    int channels_, positions_, groups_;
    std::vector<Set> sets_;
    std::vector<double> biases_;
    std::vector<std::vector<Term>> terms_;  ///< by group and position
};

}  // namespace macrame::tcu::compiler
