#pragma once
/// Functions that rise with an integer, as SDP's last two multipliers make them: BN's, which rounds
/// to as many bits as there are, and the output convertor's.

#include <cstdint>
#include <optional>
#include <vector>

namespace macrame::dla::compiler {

/// A result of the reference, and the least and the largest sum that has it.
struct Level {
    int result = 0;
    std::int64_t least = 0, most = 0;
};

/// What comes behind BN's ALU for the sum v:
///   output = round((round(v * mul / 2^mul_shift) - offset) * scale / 2^shift)
struct Tail {
    int mul = 1, mul_shift = 0;
    std::int32_t offset = 0;
    int scale = 1, shift = 0;

    /// Saturated to int8.
    int apply(std::int64_t sum) const;
};

/// Of a function that rises.
class Levels {
public:
    /// Whatever the sums are, a result below `low` is as good as that, and one above `high`.
    Levels(int low, int high);

    void add(int result, std::int64_t sum);
    /// The same function with its results clamped, then `shift` more.
    Levels part(int low, int high, int shift) const;

    /// One that has all levels. Without a value: none was found.
    std::optional<Tail> tail() const;

private:
    struct Line {
        double margin = -1, step = 1;  ///< sums from one result to the next
    };
    std::vector<Level> present() const;
    Line line() const;
    std::optional<Tail> fit(Tail tail) const;

    int low_, high_;
    std::vector<Level> levels_;  ///< of all results of int8
};

}  // namespace macrame::dla::compiler
