#pragma once
/// Which outputs of a tile use which sets of weights, and with which vectors.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compiler/tcu/layer.hpp"

namespace macrame::tcu::compiler {

/// A term of a tile.
struct Use {
    int output = 0;  ///< of those of the tile
    VectorId source = kZeros;
    int before = 0;  ///< terms of this output with the same set in front of it
};

/// The terms of a tile by set: each is looked at once, however many sets there are.
class Uses {
public:
    /// Of no tile yet.
    explicit Uses(const Layer& layer) : layer_(layer), by_set_(layer.sets.size()) {}

    /// Of the tile with these outputs of the layer.
    void note(const std::vector<int>& outputs) {
        for (const int set : sets_)
            by_set_[static_cast<std::size_t>(set)].clear();
        sets_.clear();
        for (std::size_t i = 0; i < outputs.size(); ++i)
            add(static_cast<int>(i), layer_.outputs[static_cast<std::size_t>(outputs[i])]);
        std::sort(sets_.begin(), sets_.end());
    }
    /// Numbers of the sets of the tile, ascending.
    const std::vector<int>& sets() const { return sets_; }
    /// In the order of the outputs, those of an output in that of its terms.
    const std::vector<Use>& of(int set) const { return by_set_[static_cast<std::size_t>(set)]; }

private:
    void add(int number, const Output& output) {
        for (const Term term : output.terms) {
            std::vector<Use>& uses = by_set_[static_cast<std::size_t>(term.set)];
            if (uses.empty()) sets_.push_back(term.set);
            const bool again = !uses.empty() && uses.back().output == number;
            uses.push_back({number, term.source, again ? uses.back().before + 1 : 0});
        }
    }

    const Layer& layer_;
    std::vector<std::vector<Use>> by_set_;
    std::vector<int> sets_;
};

}  // namespace macrame::tcu::compiler
