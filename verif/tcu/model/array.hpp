#pragma once
/// The systolic array of the golden model: weights, and one vector through it.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "verif/tcu/model/vectors.hpp"

namespace macrame::tcu::model {

/// `F` is one of the Fixed types. Row 0 holds the bias, row k + 1 what input k is multiplied with.
template <class F>
class Array {
public:
    using Code = typename F::Code;
    using Wide = typename F::Wide;

    explicit Array(int size)
        : size_(size),
          pitch_(padded_lanes(size)),
          rows_(static_cast<std::size_t>((size + 1) * pitch_)) {}

    void clear() { std::fill(rows_.begin(), rows_.end(), Code{}); }

    /// All rows go up by one, the last is lost, this one (null: zeros) becomes the bias.
    void shift(const Code* row) {
        head_ = head_ == 0 ? size_ : head_ - 1;
        Code* const to = rows_.data() + static_cast<std::size_t>(head_ * pitch_);
        if (row != nullptr) {
            std::copy_n(row, pitch_, to);
        } else {
            std::fill_n(to, pitch_, Code{});
        }
    }

    const Code* row(int k) const {
        const int at = head_ + k <= size_ ? head_ + k : head_ + k - size_ - 1;
        return rows_.data() + static_cast<std::size_t>(at * pitch_);
    }

    /// Bias, then x[0] * weights, x[1] * weights ... are added; each step is rounded and clamped.
    /// `out` has padded_lanes. Adds the clamped results to `saturations`.
    void multiply(const Code* x, Code* out, std::uint64_t& saturations) const {
        for (int at = 0; at < pitch_; at += kBlock) {
            Code sum[kBlock];
            std::copy_n(row(0) + at, kBlock, sum);
            std::uint32_t clamped[kBlock] = {};
            for (int k = 0; k < size_; ++k) {
                if (x[k] == 0) continue;  // exact, and no change
                const Code* const weights = row(k + 1) + at;
                for (int i = 0; i < kBlock; ++i) {
                    const Wide exact = F::exact_mac(x[k], weights[i], sum[i]);
                    sum[i] = F::clamp(exact);
                    clamped[i] += sum[i] != exact ? 1u : 0u;
                }
            }
            std::copy_n(sum, kBlock, out + at);
            for (const std::uint32_t lane : clamped)
                saturations += lane;
        }
    }

private:
    int size_;
    int pitch_;
    int head_ = 0;  ///< row 0; the others follow in a ring
    std::vector<Code> rows_;
};

}  // namespace macrame::tcu::model
