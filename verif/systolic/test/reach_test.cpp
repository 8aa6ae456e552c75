/// Begins and ends tell the same of conflicts as everything that instructions touch.
#include "verif/systolic/check/reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "verif/systolic/check/conflict.hpp"
#include "verif/systolic/stimulus/random_program.hpp"

namespace macrame::systolic::check {
namespace {

TEST(Reach, KnowsOfMostInstructionsOfRandomProgramsWhetherTheyConflict) {
    constexpr std::size_t kBack = 12;
    int yes = 0, no = 0, perhaps = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Architecture architecture = stimulus::random_architecture(seed);
        const std::vector<Instruction> program =
            stimulus::random_program(architecture, seed, 100).program;
        for (std::size_t n = 1; n < program.size(); ++n) {
            const Accesses own = accesses(architecture, program[n]);
            const Reach own_reach = reach(architecture, program[n]);
            for (std::size_t k = n - std::min(n, kBack); k < n; ++k) {
                const Meeting told = meeting(reach(architecture, program[k]), own_reach);
                const bool wanted = conflicts(accesses(architecture, program[k]), own);
                ++(told == Meeting::perhaps ? perhaps : wanted ? yes : no);
                if (told == Meeting::perhaps) continue;
                ASSERT_EQ(told == Meeting::yes, wanted)
                    << "seed " << seed << ": instructions " << k << " and " << n;
            }
        }
    }
    EXPECT_GT(yes, 1000);
    EXPECT_GT(no, 1000);
    EXPECT_LT(10 * perhaps, yes + no);
}

}  // namespace
}  // namespace macrame::systolic::check
