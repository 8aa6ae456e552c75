#pragma once
/// Random programs with another value in one field of a register: what a wrong driver writes.

#include <cstdint>
#include <string>

#include "verif/dla/model/device.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

struct Mutation {
    trace::Trace program;
    std::string text;  ///< what was done: "PDP.D_POOLING_KERNEL_CFG.KERNEL_WIDTH of 2 is 3"
};

/// A random program of a few small layers with one field changed, of a layer, a copy or a table:
/// off by one, 0, all ones, another bit, or any value. `units`: only fields of these, "PDP,CDP";
/// "all" for any. The text is empty if there is no such field.
Mutation mutated_program(const dla::model::Architecture& sizes, const std::string& units,
                         std::uint64_t seed);

}  // namespace macrame::dla::stimulus
