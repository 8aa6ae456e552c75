#pragma once
/// Functions of one int8 value on SDP's BS and BN alone: straight lines, lines with a bend at one
/// value, both with clamps. What is found is compared with the tables for all values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/dla/table.hpp"

namespace macrame::dla::compiler {

/// A stage; operands per channel where there are any, else those of its registers.
struct PointwiseStage {
    XRegisters registers;
    std::vector<std::int16_t> alu, mul;

    std::int64_t apply(std::size_t channel, std::int64_t value) const;
};

/// Registers of an SDP layer from memory to memory.
struct Pointwise {
    PointwiseStage bs, bn;
    std::int32_t offset = 0;  ///< output convertor
    int scale = 1, shift = 0;
    std::string mapping;
    int wrong = 0;   ///< of all values of all channels
    int most = 0;    ///< largest difference
    int proved = 0;  ///< channels without a difference

    int apply(std::size_t channel, int value) const;
};

/// Compares with the tables and fills in `wrong`, `most`, `proved`.
void compare(const std::vector<Table>& tables, Pointwise& made);

/// The best that was found. `bend`: input value at which the slope may change.
std::optional<Pointwise> pointwise(const std::vector<Table>& tables, int bend);

/// SDP's registers and operands for the requantisation of one channel.
Pointwise pointwise_of(const Requantisation& made);

}  // namespace macrame::dla::compiler
