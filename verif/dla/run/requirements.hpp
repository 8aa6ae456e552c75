#pragma once
/// What a program is and what it needs of a configuration, read off its register writes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/dla/run/simulate.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::run {

/// Sizes of a program.
struct Work {
    std::uint64_t layers = 0;
    /// Of the convolutions, padded taps included (inputs*out_W*out_H*K*C*S*R); of Winograd those of
    /// the same layer in direct mode, 2.25 times the products.
    std::uint64_t macs = 0;
    std::uint64_t wide_macs = 0;  ///< of them those of types of which half as many fit the array
};
Work count_work(const trace::Trace& program, const Platform& platform);

/// Comparisons and waits: what can fail.
std::size_t count_checks(const trace::Trace& program);

/// What the program needs and the configuration has not, "INT16, PDP, image input"; empty if it can
/// run.
std::string missing(const trace::Trace& program, const Platform& platform);

/// Takes the register accesses of units that the configuration has not out of the program: they
/// would read 0. Returns how many there were.
std::size_t drop_absent_units(trace::Trace& program, const Platform& platform);

/// Contents and checks of memory beyond the configuration's addresses: what is found where.
std::vector<std::string> unreachable_memory(const trace::Trace& program, const Platform& platform);

}  // namespace macrame::dla::run
