/// Random programs: right for the verifier, the same in any order, and what becomes of them with a
/// token more or less.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "verif/common/random.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/stimulus/mutation.hpp"
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

bool stops(const std::vector<check::Finding>& found) {
    return std::any_of(found.begin(), found.end(), [](const check::Finding& f) {
        return f.kind == check::Kind::missing_token || f.kind == check::Kind::deadlock;
    });
}

bool leaves(const std::vector<check::Finding>& found) {
    return std::any_of(found.begin(), found.end(), [](const check::Finding& f) {
        return f.kind == check::Kind::unused_token;
    });
}

/// The verifier says of each what becomes of it: it stops or leaves a token in every order, or some
/// order gives something else, or none does.
TEST(SystolicRandomProgram, WithATokenMoreOrLess) {
    int stopped = 0, left = 0, hazards = 0, wrong_in_fact = 0, harmless = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Architecture a = stimulus::random_architecture(seed);
        const RandomProgram random = stimulus::random_program(a, seed, 30);
        const std::string wanted = result(a, random.program, random.memory, std::nullopt);
        verif::Random choice(seed);
        for (int trial = 0; trial < 6; ++trial) {
            const stimulus::Mutation mutation = stimulus::mutated(random.program, choice);
            const auto found = check::check_program(a, mutation.program);
            const bool ends_well = !stops(found) && !leaves(found);
            int same = 0;
            for (std::uint64_t order = 0; order < 8; ++order) {
                const std::string text = result(a, mutation.program, random.memory, order);
                ASSERT_EQ(text.front() == '|', ends_well)
                    << "seed " << seed << ": " << mutation.text << ": "
                    << text.substr(0, text.find('|'));
                same += text == wanted ? 1 : 0;
            }
            if (found.empty()) {
                EXPECT_EQ(same, 8) << "seed " << seed << ": " << mutation.text;
            }
            ++(stops(found)    ? stopped
               : leaves(found) ? left
               : found.empty() ? harmless
                               : hazards);
            wrong_in_fact += ends_well && same < 8 ? 1 : 0;
        }
    }
    RecordProperty("stopped", stopped);
    RecordProperty("left a token", left);
    RecordProperty("hazards", hazards);
    RecordProperty("wrong in 8 orders", wrong_in_fact);
    RecordProperty("harmless", harmless);
    EXPECT_GT(stopped, 500);
    EXPECT_GT(left, 200);
    EXPECT_GT(hazards, 100);
    EXPECT_GT(wrong_in_fact, hazards / 3);
    EXPECT_GT(harmless, 200);
}

}  // namespace
}  // namespace macrame::systolic
