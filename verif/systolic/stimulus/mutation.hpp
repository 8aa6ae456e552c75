#pragma once
/// Programs with a token more or less.

#include <string>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::stimulus {

struct Mutation {
    std::vector<Instruction> program;
    std::string text;  ///< what was done: "push_next of instruction 3 removed"
};

/// One flag changed; or both ends of a token removed; or a token added, with both ends.
Mutation mutated(const std::vector<Instruction>& program, verif::Random& random);

}  // namespace macrame::systolic::stimulus
