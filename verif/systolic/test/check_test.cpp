/// The static verifier: what the slides get wrong, what conformance programs get right, and what
/// becomes of them with a token more or less.

#include <gtest/gtest.h>

#include <map>

#include "verif/common/random.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/test/slides.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using check::check_program;
using check::Finding;
using check::Kind;
using test::program_of;

std::string texts(const std::vector<Finding>& findings) {
    std::string out;
    for (const Finding& finding : findings)
        out += check::finding_text(finding) + "\n";
    return out;
}

std::string check_slide(const test::SlideProgram& p) {
    return texts(check_program(p.architecture(), p.program()));
}

TEST(SystolicCheck, ReferenceProgramsAreRight) {
    EXPECT_EQ(check_slide(test::example1(false)), "");
    EXPECT_EQ(check_slide(test::example1(true)), "");
    EXPECT_EQ(check_slide(test::example2()), "");
    EXPECT_EQ(check_slide(test::example2_small(test::SmallBuffers::weights)), "");
    EXPECT_EQ(check_slide(test::example2_small(test::SmallBuffers::slide_b_corrected)), "");
    EXPECT_EQ(check_slide(test::case1()), "");
    EXPECT_EQ(check_slide(test::case1_snake()), "");
    EXPECT_EQ(check_slide(test::case2_snake()), "");
}

TEST(SystolicCheck, SlideAHasAHazard) {
    const test::SlideProgram p = test::example2_small(test::SmallBuffers::slide_a);
    const auto found = check_program(p.architecture(), p.program());
    // Each tap of the second filter fold, and what ALU makes of them.
    ASSERT_EQ(found.size(), 11U) << texts(found);
    for (const Finding& finding : found) {
        EXPECT_EQ(finding.kind, Kind::write_after_read);
        EXPECT_EQ(p.program()[finding.other].module, Module::store);
    }
    EXPECT_EQ(check::finding_text(found.front()),
              "write-after-read: GEMM (15) writes OBUF entry 0, which STORE (13) reads: no token "
              "orders them");
}

TEST(SystolicCheck, SlideBNeverEnds) {
    EXPECT_EQ(check_slide(test::example2_small(test::SmallBuffers::slide_b)),
              "missing token: STORE: instruction 25 waits for a token of ALU to STORE\n");
}

TEST(SystolicCheck, WeightsThatAreStillNeeded) {
    const test::SlideProgram p = test::case1_snake("0000");
    const auto found = check_program(p.architecture(), p.program());
    ASSERT_EQ(found.size(), 4U) << texts(found);
    for (const Finding& finding : found) {
        EXPECT_EQ(finding.kind, Kind::write_after_read);
        EXPECT_EQ(p.program()[finding.index].module, Module::load);
        EXPECT_EQ(p.program()[finding.other].module, Module::gemm);
    }
}

TEST(SystolicCheck, DeadlocksOfShallowQueues) {
    Architecture a;
    const std::string loads = "LOAD push_next\nLOAD push_next\nLOAD push_next\n";
    const std::string gemms = "GEMM pop_prev\nGEMM pop_prev\nGEMM pop_prev\n";
    // LOAD fills the token queue before the first GEMM is fetched.
    a.token_depth = 2;
    a.queue_depth = 3;
    EXPECT_EQ(texts(check_program(a, program_of(loads + gemms))), "");
    a.token_depth = 1;
    a.queue_depth = 1;
    EXPECT_EQ(texts(check_program(a, program_of(loads + gemms))),
              "deadlock: LOAD: instruction 1 waits for room for a token of LOAD to GEMM; fetch: "
              "instruction 2 waits for room in the queue of LOAD\n");
    // The stream is held up by a module that waits for what is behind it.
    EXPECT_EQ(texts(check_program(a, program_of(gemms + loads))),
              "deadlock: GEMM: instruction 0 waits for a token of LOAD to GEMM; fetch: instruction "
              "1 waits for room in the queue of GEMM\n");
    a.queue_depth = 4;
    EXPECT_EQ(texts(check_program(a, program_of(gemms + loads))), "");
    // The entry stays until completion: of two instructions one is in flight.
    a.queue_depth = 2;
    EXPECT_EQ(check_program(a, program_of(gemms + loads)).front().kind, Kind::deadlock);
}

TEST(SystolicCheck, HazardsOfEachKind) {
    Architecture a;
    a.rows = a.columns = 4;
    const std::string load = "LOAD bitwidth=1 sram_address=0x1000000 x_size=1 y_size=1 z_size=4\n";
    const std::string gemm =
        "GEMM ofmap_height=1 ofmap_width=1 active_rows=4 active_cols=4 weight_address=8\n";
    const std::string alu =
        "ALU output_height=1 output_width=1 window_height=1 window_width=1 num_active=4 "
        "output_address=1\n";
    const std::string wide = " dram_address=64 x_size=1 y_size=1 z_size=4\n";
    const std::pair<std::string, const char*> kPrograms[] = {
        {load + gemm,
         "read-after-write: GEMM (1) reads IBUF entry 0, which LOAD (0) writes: no token orders "
         "them\n"},
        {gemm + load,
         "write-after-read: LOAD (1) writes IBUF entry 0, which GEMM (0) reads: no token orders "
         "them\n"},
        {"LOAD sram_address=0x3000000" + wide + gemm,
         "write-after-write: GEMM (1) writes OBUF entry 0, which LOAD (0) writes: no token orders "
         "them\n"},
        {alu + "STORE sram_address=0x3000004" + wide,
         "read-after-write: STORE (1) reads OBUF entry 1, which ALU (0) writes: no token orders "
         "them\n"},
        {"STORE sram_address=0x3000000" + wide + "LOAD sram_address=0x3000010" + wide,
         "read-after-write: LOAD (1) reads memory at 0x40, which STORE (0) writes: no token orders "
         "them\n"},
        {alu + "STORE sram_address=0x3000008" + wide, ""},  // another entry
        {gemm + alu, "read-after-write: ALU (1) reads OBUF entry 0, which GEMM (0) writes: no "
                     "token orders them\n"},
        {"LOAD", ""},
    };
    for (const auto& [text, message] : kPrograms)
        EXPECT_EQ(texts(check_program(a, program_of(text))), message) << text;
    EXPECT_EQ(texts(check_program(a, program_of("LOAD push_next\nSTORE x_size=1"))),
              "illegal instruction: STORE (1): y_size 0: want at least 1, or zero in all sizes\n"
              "unused token: 1 of LOAD to GEMM\n");
}

TEST(SystolicCheck, ConformanceProgramsAreRight) {
    SKIP_WITHOUT_CONFORMANCE();
    for (const test::Case& c : test::all_cases())
        EXPECT_EQ(texts(check_program(c.architecture, c.program)), "") << c.name;
}

/// Flips a flag, or one at each end of a token queue.
test::Program mutated(const test::Program& program, verif::Random& random) {
    test::Program out = program;
    const auto any = [&](Module module) -> Instruction& {
        for (;;) {
            const int last = static_cast<int>(out.size()) - 1;
            Instruction& found = out[static_cast<std::size_t>(random.in(0, last))];
            if (found.module == module) return found;
        }
    };
    const auto queue = static_cast<std::size_t>(random.in(0, 2));  // from module to next
    const Module left = kModules[queue];
    const Module right = kModules[queue + 1];
    const bool forward = random.chance(50);
    const int ends = random.in(0, 4);  // the near one, the far one, both
    Flags& near = any(left).flags;
    Flags& far = any(right).flags;
    bool& near_flag = forward ? near.push_next : near.pop_next;
    bool& far_flag = forward ? far.pop_prev : far.push_prev;
    if (ends != 1) near_flag = !near_flag;
    if (ends != 0) far_flag = !far_flag;
    return out;
}

bool same_in_any_order(const test::Case& c, const test::Program& program, std::uint64_t orders) {
    for (std::uint64_t order = 0; order < orders; ++order) {
        verif::Memory memory;
        memory.load(0, c.before);
        model::Simulator simulator(c.architecture, program, memory, order);
        if (!simulator.run().empty()) return false;
        if (memory.dump(0, c.after.size()) != c.after) return false;
    }
    return true;
}

TEST(SystolicCheck, TokensMoreOrLess) {
    SKIP_WITHOUT_CONFORMANCE();
    verif::Random random(5);
    std::map<Kind, int> caught;
    int harmless = 0, wrong_in_fact = 0, all_caught = 0;
    for (const test::Case& c : test::all_cases()) {
        for (int i = 0; i < 40; ++i) {
            const test::Program program = mutated(c.program, random);
            const auto found = check_program(c.architecture, program);
            if (found.empty()) {
                ++harmless;
                EXPECT_TRUE(same_in_any_order(c, program, 12)) << c.name << " mutation " << i;
                continue;
            }
            ++all_caught;
            ++caught[found.front().kind];
            wrong_in_fact += same_in_any_order(c, program, 12) ? 0 : 1;
        }
    }
    for (const auto& [kind, count] : caught)
        RecordProperty(std::string(check::kind_name(kind)), count);
    RecordProperty("harmless", harmless);
    RecordProperty("caught", all_caught);
    RecordProperty("wrong in 12 orders", wrong_in_fact);
    EXPECT_GT(harmless, 50);
    EXPECT_GT(caught[Kind::missing_token], 100);
    EXPECT_GT(caught[Kind::unused_token], 100);
    EXPECT_GT(caught[Kind::read_after_write] + caught[Kind::write_after_read] +
                  caught[Kind::write_after_write], 20);
    EXPECT_GT(wrong_in_fact, all_caught / 2);
}

}  // namespace
}  // namespace macrame::systolic
