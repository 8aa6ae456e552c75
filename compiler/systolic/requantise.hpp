#pragma once
/// Words of the scale memory.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/systolic/stream.hpp"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::systolic::compiler {

constexpr int kMostFactor = 32767;  ///< largest immediate of products
constexpr int kInt8Values = 256;

/// What STORE does with the sums of a lane: clamp(round((sum + bias) * multiplier / 2^shift) + zero
/// point). Machines with multipliers of 18 bits round halves up.
struct Scale {
    std::int32_t bias = 0;
    std::int32_t multiplier = 0;
    int shift = 0;
    int zero_point = 0;
    int low = -128, high = 127;
    model::Rounding rounding = model::Rounding::half_up;

    int apply(std::int64_t sum) const;
};

/// The multiplier of 18 bits and the shift that are nearest to a factor.
void set_factor(Scale& scale, double factor);

/// Constants that a program loads, from an address up.
class Constants {
public:
    explicit Constants(std::int64_t base) : base_(base) {}

    /// The address of these bytes, at the begin of a beat.
    std::int64_t add(const std::vector<std::uint8_t>& bytes);

    /// From here on those of one layer; share() begins to look for what it has already.
    void begin_layer() { shared_.reset(); }
    void share() {
        if (!shared_) shared_.emplace();
    }

    std::int64_t base() const { return base_; }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::int64_t base_;
    std::vector<std::uint8_t> bytes_;
    /// Addresses of what parts of a layer have in common.
    std::optional<std::map<std::vector<std::uint8_t>, std::int64_t>> shared_;
};

/// The words of a set, as LOAD wants them in memory.
std::vector<std::uint8_t> scale_words(const std::vector<Scale>& lanes);

/// Loads the words of some lanes into a set.
void load_scale_set(Stream& stream, std::int64_t address, int lanes, int set);

}  // namespace macrame::systolic::compiler
