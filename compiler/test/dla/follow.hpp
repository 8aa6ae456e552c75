#pragma once
/// Compiled networks on the golden model: each operator, fed what the hardware fed it, must give
/// what its definition gives, where that is proved, and at most what is told elsewhere.

#include <cstdint>
#include <vector>

#include "compiler/compiled.hpp"
#include "verif/dla/test/published_sizes.hpp"

namespace macrame::test {

/// The published configurations and some that are not, also with other types beside int8.
std::vector<dla::published::Config> configurations();

struct Counts {
    int networks = 0, refused = 0;
    int inside = 0;  ///< tensors that are no outputs
    std::int64_t values = 0, proved = 0;
    std::int64_t unequal = 0;  ///< of the values
};

/// Compiles the graph and runs it with random inputs; looks at all tensors that are outputs, and
/// behind one that is not and may differ no further. `refusal`: part of the message of what a
/// configuration cannot run.
void follow(const graph::Graph& graph, std::uint64_t seed, const dla::published::Config& config,
            Counts& counts, const compiler::Options& options = {},
            const char* refusal = "do not fit");

}  // namespace macrame::test
