#pragma once
/// What passes have made, for people.

#include <string>

#include "compiler/dla/passes.hpp"

namespace macrame::dla::compiler {

/// What is decided before there are layers.
std::string plan_text(const State& state);
/// Layers: what they do, on what sizes, what they wait for.
std::string layers_text(const State& state);
/// How convolutions lie in CBUF.
std::string banks_text(const State& state);
/// Buffers over time.
std::string memory_text(const State& state);
/// Register writes and waits.
std::string commands_text(const State& state);
/// The same with the addresses of the register map of the design.
std::string moved_text(const State& state);
/// What limits each layer and when it is done; commands with these times.
std::string times_text(const State& state);
/// What lies in memory before and behind a run.
std::string tensors_text(const State& state);
std::string check_text(const State& state);
/// Commands for the original hardware, and what it may do wrong.
std::string original_text(const State& state);

}  // namespace macrame::dla::compiler
