/// Estimates of programs that wait in the queues of the engines.

#include "compiler/tcu/timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace macrame::tcu::compiler {

namespace {

/// Cycles of a set of weights with 24 products of one vector each, which are `step` accumulators
/// apart.
double cycles_of_set(const TimingSizes& sizes, int step) {
    Architecture architecture;
    architecture.array_size = 8;
    Timing timing(sizes, architecture);
    constexpr int kSets = 20, kProducts = 24;
    Time end = 0;
    for (int set = 0; set < kSets; ++set) {
        Instruction weights;
        weights.opcode = kLoadWeights;
        weights.size = 8;
        timing.run(weights);
        for (int n = 0; n < kProducts; ++n) {
            Instruction product;
            product.opcode = kMatMul;
            product.flags = set == 0 ? 0 : kMatMulAccumulate;
            product.address0 = static_cast<std::uint64_t>(100 + n);
            product.address1 = static_cast<std::uint64_t>(step * n);
            end = std::max(end, timing.run(product));
        }
    }
    return static_cast<double>(end) / kSets;
}

/// Weights wait behind products of the set before until these have room at the accumulators, where
/// an operation stays as long as it is in the array.
TEST(TcuTiming, ManySmallProductsHoldUpTheNextWeights) {
    TimingSizes sizes;
    sizes.swap = 1;
    sizes.array_latency = 4;
    EXPECT_LT(cycles_of_set(sizes, 5), 30);
    sizes.array_latency = 12;
    EXPECT_GT(cycles_of_set(sizes, 5), 33);
}

/// At two vectors per cycle only products whose accumulators follow each other go together.
TEST(TcuTiming, ProductsThatDoNotFollowTakeTwoCycles) {
    TimingSizes sizes;
    sizes.swap = 1;
    sizes.vectors = 2;
    EXPECT_GT(cycles_of_set(sizes, 5), 48);
    EXPECT_LT(cycles_of_set(sizes, 1), 40);
}

}  // namespace

}  // namespace macrame::tcu::compiler
