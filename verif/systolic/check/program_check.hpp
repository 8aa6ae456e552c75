#pragma once
/// Static verifier: finds in a program, without running it on data, what can go wrong in any order
/// that queues and tokens allow.
///
/// A program is right if it ends, leaves no token, and every two instructions that touch the same
/// place, one of them writing, are done in the order of the stream: a chain of modules, each in its
/// own order, and of tokens leads from the end of the first to the begin of the second. Then every
/// legal order leaves the same in buffers and memory as the stream does.

#include <cstddef>
#include <string>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::check {

enum class Kind {
    illegal,         ///< isa/rules.hpp
    missing_token,   ///< stops with queues of any depth
    deadlock,        ///< stops with the queues of this architecture
    unused_token,    ///< left in its queue at the end
    read_after_write,
    write_after_read,
    write_after_write
};

std::string_view kind_name(Kind kind);  ///< "read-after-write"

struct Finding {
    Kind kind;
    std::size_t index = 0;  ///< of the instruction; of two the later one
    std::size_t other = 0;  ///< hazards: the earlier one
    std::string text;       ///< what is wrong, with both
};

/// In the order of the enumeration, hazards in that of the program.
std::vector<Finding> check_program(const Architecture& architecture,
                                   const std::vector<Instruction>& program);

/// "deadlock: LOAD: instruction 4 waits for ..."
std::string finding_text(const Finding& finding);

}  // namespace macrame::systolic::check
