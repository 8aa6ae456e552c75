/// Random programs: right for the verifier, the same in any order, and what becomes of them with a
/// token more or less.

#include <gtest/gtest.h>

#include <set>

#include "verif/common/random.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using stimulus::RandomProgram;

/// Memory and OBUF after the program in this order; what went wrong in front.
std::string result(const Architecture& a, const test::Program& program, const test::Bytes& before,
                   std::optional<std::uint64_t> order) {
    verif::Memory memory;
    memory.load(0, before);
    model::Simulator simulator(a, program, memory, order);
    std::string out = simulator.run() + "|";
    const test::Bytes after = memory.dump(0, before.size());
    out.append(after.begin(), after.end());
    for (int entry = 0; entry < a.obuf_entries; ++entry)
        for (const std::int32_t value : simulator.machine().entry(Buffer::obuf, entry))
            out += std::to_string(value) + " ";
    return out;
}

TEST(SystolicRandomProgram, IsRightInAnyOrder) {
    std::size_t tokens = 0, instructions = 0;
    std::set<std::string> changed;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Architecture a = stimulus::random_architecture(seed);
        const RandomProgram random = stimulus::random_program(a, seed, 40);
        const auto found = check::check_program(a, random.program);
        ASSERT_TRUE(found.empty()) << "seed " << seed << " " << check::finding_text(found.front());
        const std::string wanted = result(a, random.program, random.memory, std::nullopt);
        ASSERT_EQ(wanted.find('|'), 0U) << wanted.substr(0, wanted.find('|'));
        for (std::uint64_t order = 0; order < 3; ++order)
            ASSERT_EQ(result(a, random.program, random.memory, order), wanted) << "seed " << seed;
        instructions += random.program.size();
        for (const Instruction& i : random.program)
            tokens += pushed(i).size();
        changed.insert(wanted);
    }
    EXPECT_EQ(changed.size(), 1000U);
    EXPECT_GT(tokens, instructions / 3);
    EXPECT_LT(instructions, std::size_t{1000 * 40 * 2});
}

TEST(SystolicRandomProgram, WithoutAPairOfTokens) {
    int caught = 0, harmless = 0, wrong_in_fact = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Architecture a = stimulus::random_architecture(seed);
        const RandomProgram random = stimulus::random_program(a, seed, 30);
        const std::string wanted = result(a, random.program, random.memory, std::nullopt);
        verif::Random choice(seed);
        for (int trial = 0; trial < 4; ++trial) {
            // A push and the pop that takes its token.
            test::Program program = random.program;
            const auto queue = static_cast<Tokens>(choice.in(0, 5));
            std::vector<std::size_t> pushes, pops;
            for (std::size_t i = 0; i < program.size(); ++i) {
                for (const Tokens q : pushed(program[i]))
                    if (q == queue) pushes.push_back(i);
                for (const Tokens q : popped(program[i]))
                    if (q == queue) pops.push_back(i);
            }
            ASSERT_EQ(pushes.size(), pops.size());
            if (pushes.empty()) continue;
            const auto k = static_cast<std::size_t>(
                choice.in(0, static_cast<int>(pushes.size()) - 1));
            const bool forward = number(queue) % 2 == 0;
            program[pushes[k]].flags.*(forward ? &Flags::push_next : &Flags::push_prev) = false;
            program[pops[k]].flags.*(forward ? &Flags::pop_prev : &Flags::pop_next) = false;
            const bool found = !check::check_program(a, program).empty();
            bool same = true;
            for (std::uint64_t order = 0; order < 8; ++order)
                same = same && result(a, program, random.memory, order) == wanted;
            EXPECT_TRUE(found || same) << "seed " << seed;
            ++(found ? caught : harmless);
            wrong_in_fact += same ? 0 : 1;
        }
    }
    RecordProperty("caught", caught);
    RecordProperty("harmless", harmless);
    RecordProperty("wrong in 8 orders", wrong_in_fact);
    EXPECT_GT(caught, 100);
    EXPECT_GT(harmless, 100);
    EXPECT_GT(wrong_in_fact, 50);
}

}  // namespace
}  // namespace macrame::systolic
