#pragma once
/// Functions of int16 as TFLite's reference has them: tables between whose entries lies a line.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/quantised.hpp"
#include "runtime/host/macrame_int16.h"

namespace macrame::graph {

/// Function of int16 with 513 entries, one for 128 values and one behind the last.
class Table16 {
public:
    /// Of real values, computed as Real: an integer of the input is (integer - zero) * step, one of
    /// the output, which has no zero point, is a multiple of `fine`.
    template <typename Real, typename Function>
    Table16(Real step, int zero, Real fine, const Function& function) {
        const Real least = step * static_cast<Real>(-32768 - zero);
        const Real most = step * static_cast<Real>(32767 - zero);
        const Real apart = (most - least) / static_cast<Real>(kParts);
        const Real inverse = Real{65536} / (fine * Real{32767} - fine * Real{-32768});
        const auto at = [&](std::size_t i) { return least + static_cast<Real>(i) * apart; };
        for (std::size_t i = 0; i < kParts; ++i) {
            const Real here = std::round(function(at(i)) * inverse);
            const Real middle = std::round(function(at(i) + apart / 2) * inverse);
            // Half of what the line is off in the middle is taken off at its ends.
            const Real line = std::round((function(at(i + 1)) * inverse + here) / 2);
            entries_[i] = limited(here - std::round((line - middle) / 2));
        }
        entries_[kParts] = limited(std::round(function(most) * inverse));
    }

    std::int16_t operator()(int value) const { return macrame_table16(entries_.data(), value); }
    std::vector<std::int16_t> entries() const { return {entries_.begin(), entries_.end()}; }

private:
    static constexpr std::size_t kParts = 512;

    template <typename Real>
    static std::int16_t limited(Real value) {
        // Not a number becomes 0.
        if (!(value == value)) return 0;
        return static_cast<std::int16_t>(std::fmin(std::fmax(value, Real{-32768}), Real{32767}));
    }

    std::array<std::int16_t, kParts + 1> entries_{};
};

/// A function of int16 that TFLite has such a table for, without zero points; nothing: it has none.
std::optional<Table16> table_of(const Unary& op, const Tensor& in, const Tensor& out);

/// Sigmoid and tanh of int16 without zero points; the output's scale is 2^-15.
struct Sigmoid16 {
    Sigmoid16(Function function, float scale);
    std::int16_t operator()(int value) const;

    bool tanh;
    int factor = 0, shift = 0;  ///< of inputs, to multiples of 1/(3 * 4096)
    std::vector<std::uint16_t> table;
};

/// Whether they are for tensors of these scales.
bool suits_sigmoid16(const Tensor& in, const Tensor& out);

/// Tables and factor of a softmax of int16.
struct Softmax16 {
    Softmax16(const Tensor& in, const Softmax& op);

    Table16 exp, reciprocal;
    Multiplier factor;  ///< of a difference, to the place in the table of exp
};

}  // namespace macrame::graph
