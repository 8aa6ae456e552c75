#pragma once
/// What a module does in a cycle, or what it waits for.

#include <array>
#include <cstddef>
#include <string_view>

namespace macrame::systolic::cycles {

enum class Activity {
    work,         ///< a step of the array, an element of ALU, a transfer with its data there
    weights,      ///< GEMM: weights of the next fold go in and nothing else is left to do
    order,        ///< GEMM: a step follows one that writes the sums that it begins with
    drain,        ///< GEMM: the last sums are on their way, there is no next instruction
    memory,       ///< data, room for them, or the answer to them
    obuf,         ///< the half of OBUF is another module's
    room,         ///< it has ended, and a queue of tokens is full
    token_prev,   ///< the next instruction lacks a token of the module in front
    token_next,   ///< or of the one behind
    start,        ///< the next instruction is on its way to the module
    stream,       ///< it has none: the next of the stream is for a module whose queue is full
    instructions, ///< it has none: they come from memory
    none,         ///< it has none, all are fetched
};
inline constexpr std::size_t kActivities = 13;
inline constexpr std::array<std::string_view, kActivities> kActivityNames = {
    "work",         "weights", "order",  "drain",        "memory", "obuf", "room",
    "token before", "token behind", "start", "stream", "instructions", "none"};

constexpr std::size_t number(Activity activity) { return static_cast<std::size_t>(activity); }

}  // namespace macrame::systolic::cycles
