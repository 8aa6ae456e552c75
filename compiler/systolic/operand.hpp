#pragma once
/// LOADs of weights that are computed.

#include <array>
#include <cstdint>
#include <map>

#include "compiler/systolic/requantise.hpp"
#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

/// Brings what ConvLayer::operand says into WBUF: rows of a matrix from where it lies, constant
/// ones from beside the weights of other layers.
class OperandLoader {
public:
    OperandLoader(Stream& stream, Constants& constants, const ConvLayer& layer)
        : stream_(stream), constants_(constants), layer_(layer) {}

    /// Weights of filters for channels of the input, each from here to before there: an entry for
    /// each channel, from `entry` on.
    void load(Group filters, Group channels, int entry);

private:
    void load_rows(Group filters, int first, int count, int entry);
    /// The same element by element, each into the bank of its filter.
    void load_turned_rows(Group filters, int first, int count, int entry);
    void load_constant_rows(Group filters, Group channels, int entry);

    Stream& stream_;
    Constants& constants_;
    const ConvLayer& layer_;
    std::map<std::array<int, 4>, std::int64_t> constant_address_;  ///< by filters and channels
};

}  // namespace macrame::systolic::compiler
