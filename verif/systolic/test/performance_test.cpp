/// The cycle model as a performance simulator: what it says about a program adds up.

#include <gtest/gtest.h>

#include <numeric>

#include "verif/systolic/model/scheduler.hpp"
#include "verif/systolic/performance/run_program.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using cycles::Activity;
using performance::ActivityCycles;
using performance::InstructionTimes;
using performance::Observer;

std::uint64_t of(const ActivityCycles& cycles, std::initializer_list<Activity> which) {
    std::uint64_t sum = 0;
    for (const Activity one : which)
        sum += cycles[cycles::number(one)];
    return sum;
}

std::uint64_t all(const ActivityCycles& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

/// A random program on a random machine, on the cycle model.
struct Observed {
    Observed(std::uint64_t seed, int latency, double stall)
        : architecture(stimulus::random_architecture(seed)),
          program(stimulus::random_program(architecture, seed, 40).program),
          observer(program),
          run(performance::run_on_model(
              architecture, program,
              performance::memory_options(architecture, latency, stall, seed), &observer)) {}

    Architecture architecture;
    test::Program program;
    Observer observer;
    performance::Run run;
};

/// Every cycle of a module is counted once, as the counters of the machine have it.
TEST(SystolicPerformance, ActivitiesAddUp) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Observed o(seed, 1 + static_cast<int>(seed % 50), seed % 3 == 0 ? 0.3 : 0.0);
        ASSERT_EQ(o.run.problem, "") << seed;
        for (const Module module : kModules) {
            const std::size_t m = number(module);
            const ActivityCycles& cycles = o.observer.modules()[m];
            EXPECT_EQ(all(cycles), o.run.counters.cycles) << seed;
            std::uint64_t at_instructions =
                of(cycles, {Activity::stream, Activity::instructions, Activity::none});
            for (std::size_t i = 0; i < o.program.size(); ++i) {
                if (o.program[i].module != module) continue;
                at_instructions += all(o.observer.instructions()[i].cycles);
            }
            EXPECT_EQ(at_instructions, o.run.counters.cycles) << seed;
            if (module == Module::gemm) continue;  // it takes instructions while others drain
            EXPECT_EQ(
                of(cycles, {Activity::work, Activity::memory, Activity::obuf, Activity::room}),
                o.run.counters.busy[m])
                << seed;
            EXPECT_EQ(of(cycles, {Activity::token_prev, Activity::token_next}),
                      o.run.counters.waits[m])
                << seed;
        }
    }
}

TEST(SystolicPerformance, TimesOfInstructions) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Observed o(seed, 32, 0.0);
        std::array<std::vector<const InstructionTimes*>, kModuleCount> of_module;
        std::array<std::vector<std::uint64_t>, kTokenQueues> pushes, pops;
        for (std::size_t i = 0; i < o.program.size(); ++i) {
            const InstructionTimes& times = o.observer.instructions()[i];
            of_module[number(o.program[i].module)].push_back(&times);
            EXPECT_GT(times.queued, 0U);
            EXPECT_GT(times.begun, times.queued);
            EXPECT_GT(times.ended, times.begun);
            EXPECT_LT(times.ended, o.run.counters.cycles);
            for (const Tokens queue : pushed(o.program[i]))
                pushes[number(queue)].push_back(times.ended);
            for (const Tokens queue : popped(o.program[i]))
                pops[number(queue)].push_back(times.begun);
            if (o.program[i].module == Module::gemm) continue;
            EXPECT_EQ(of(times.cycles,
                         {Activity::work, Activity::memory, Activity::obuf, Activity::room}),
                      times.ended - times.begun);
        }
        for (const auto& list : of_module)
            for (std::size_t k = 1; k < list.size(); ++k)
                EXPECT_GT(list[k]->ended, list[k - 1]->ended);
        for (std::size_t queue = 0; queue < kTokenQueues; ++queue)
            for (std::size_t k = 0; k < pops[queue].size(); ++k)
                EXPECT_GT(pops[queue][k], pushes[queue].at(k)) << seed;
    }
}

/// Of several programs cycles and ends go on.
TEST(SystolicPerformance, ProgramsOneAfterTheOther) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Observed o(seed, 20, 0.0);
        const auto axi = performance::memory_options(o.architecture, 20, 0.0, seed);
        const performance::Run run =
            performance::run_on_model(o.architecture, {{0, o.program}, {0x4000, o.program}}, axi);
        EXPECT_EQ(run.problem, "") << seed;
        EXPECT_EQ(run.counters.cycles, 2 * o.run.counters.cycles) << seed;
        ASSERT_EQ(run.ends.size(), 2 * o.program.size());
        for (std::size_t i = 0; i < o.program.size(); ++i) {
            EXPECT_EQ(o.run.ends[i], o.observer.instructions()[i].ended) << seed;
            EXPECT_EQ(run.ends[i], o.run.ends[i]) << seed;
            EXPECT_EQ(run.ends[o.program.size() + i],
                      o.run.counters.cycles + o.run.ends[i].value_or(0))
                << seed;
        }
    }
}

/// With an observer the model goes from cycle to cycle; without, over those in which all but GEMM
/// waits.
TEST(SystolicPerformance, QuietCyclesArePassedOver) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const int latency = 1 + static_cast<int>(seed * 7 % 90);
        const Observed o(seed, latency, 0.0);
        const auto axi = performance::memory_options(o.architecture, latency, 0.0, seed);
        const performance::Run run = performance::run_on_model(o.architecture, o.program, axi);
        EXPECT_EQ(performance::difference(o.run, run), "") << seed;
        EXPECT_EQ(run.problem, o.run.problem) << seed;
    }
}

/// Bandwidth bounds a program, rows that are not open cost time.
TEST(SystolicPerformance, Dram) {
    const Architecture a;
    const test::Program program = test::program_of(
        "LOAD dram_address=0x0 sram_address=0x1000000 x_size=16 y_size=16 z_size=16 z_stride=16 "
        "y_stride=256\n"
        "LOAD dram_address=0x0 sram_address=0x1000000 x_size=1 y_size=64 z_size=16 "
        "z_stride=4096\n");
    const auto cycles = [&](double bytes_per_cycle, int banks, int miss) {
        verif::AxiMemoryOptions axi = performance::memory_options(a, 1, 0.0, 1);
        axi.dram = {bytes_per_cycle, banks, 2048, 10, miss};
        const performance::Run run = performance::run_on_model(a, program, axi);
        EXPECT_EQ(run.problem, "");
        return run.counters.cycles;
    };
    EXPECT_GT(cycles(16, 8, 30), cycles(0, 8, 30));
    EXPECT_GT(cycles(4, 8, 30), cycles(16, 8, 30) + 4096 / 8);
    EXPECT_GE(cycles(4, 8, 30), 4096U / 4 + 64 * 16 / 4);
    EXPECT_GT(cycles(4, 8, 30), cycles(4.5, 8, 30) + 400 / 4);
    EXPECT_GT(cycles(16, 1, 30), cycles(16, 8, 30) + 64);
    EXPECT_GT(cycles(16, 2, 60), cycles(16, 2, 30));
}

}  // namespace
}  // namespace macrame::systolic
