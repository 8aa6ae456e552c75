#pragma once
/// Functions of one int8 value, one for each channel, on SDP's stages: each a rounded line whose
/// slope may have any sign, so all that is known of it is its table.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/dla/requantise.hpp"
#include "compiler/dla/table.hpp"

namespace macrame::dla::compiler {

/// What a channel is to do.
struct LineTable {
    Table table{};
    double slope = 0;  ///< of the line, about
    int shift = 0;     ///< TFLite rounds to units of 2^-shift first
    double zero = 0;   ///< the input at which the line is the zero point of the output
};

struct LineTarget {
    Rounding rounding = Rounding::tflite;
    int zero_point = 0;  ///< of the output
    /// The lines end there: inputs above give what this one does.
    int last = 127;
    std::vector<LineTable> channels;
};

/// The best mapping found. `deviations` count inputs. Without a value: the stages cannot do it.
std::optional<Requantisation> requantise_lines(const LineTarget& target, const Stages& stages);

/// A line from an input on, and a tensor that is added to it: round(max(x - first, 0) * multiplier
/// + (n << shift) - offset) * scale / 2^out_shift), where n is the zero point of the output from
/// `first` on and the line is nothing below.
struct LineAndTensor {
    int first = 0;
    int multiplier = 1, shift = 0;
    std::int32_t offset = 0;
    int scale = 1, out_shift = 0;

    int apply(int x, int n) const;
};

/// Exact for the table from `first` on, and for all n. Without a value: none was found.
std::optional<LineAndTensor> line_and_tensor(const Table& table, int first);

}  // namespace macrame::dla::compiler
