/// The comparison after every instruction, with a second golden model in place of a design.

#include "verif/systolic/run/step_check.hpp"

#include <gtest/gtest.h>

#include "verif/common/random.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

/// A design that is right but for one place, which is wrong from the end of an instruction on.
class Bench {
public:
    explicit Bench(std::uint64_t seed)
        : architecture_(stimulus::random_architecture(seed)),
          random_(stimulus::random_program(architecture_, seed, 30)) {}

    const test::Program& program() const { return random_.program; }

    /// Runs all; after instruction `at` changes the first thing that it has written, by one bit.
    std::vector<std::string> run(std::size_t at) {
        verif::Memory wanted, found;
        wanted.load(0, random_.memory);
        found.load(0, random_.memory);
        model::Machine design(architecture_, found);
        run::StepCheck check(architecture_, program(), wanted, found);
        check.look_with([&](const Place& place) { return std::int64_t{design.value(place)}; });
        for (std::size_t i = 0; i < program().size(); ++i) {
            EXPECT_EQ(design.execute(program()[i]), "");
            if (i == at) change(accesses(architecture_, program()[i]), design, found);
            tell(program()[i].module, check);
        }
        check.finish();
        values_ = check.values();
        return check.differences();
    }

    bool writes(std::size_t at) const {
        const Accesses touched = accesses(architecture_, program()[at]);
        return touched.memory_write || written(touched) != nullptr;
    }
    std::uint64_t values() const { return values_; }

private:
    static const BufferAccess* written(const Accesses& touched) {
        for (const BufferAccess& access : touched.buffers)
            if (access.write && !access.entries.empty()) return &access;
        return nullptr;
    }

    static void change(const Accesses& touched, model::Machine& design, verif::Memory& memory) {
        if (const BufferAccess* const access = written(touched)) {
            const Place place{access->buffer, static_cast<int>(access->entries.front().begin),
                              static_cast<int>(access->banks.begin)};
            design.set(place, design.value(place) ^ 1);
        } else if (touched.memory_write) {
            const auto address = static_cast<std::uint64_t>(touched.memory.front().begin);
            const std::uint8_t wrong = memory.peek(address) ^ 1U;
            memory.load(address, &wrong, 1);
        }
    }

    void tell(Module module, run::StepCheck& check) const {
        if (module != Module::gemm) return check.ended(module);
        for (int column = 0; column < architecture_.columns; ++column)
            check.column_ended(column);
    }

    Architecture architecture_;
    stimulus::RandomProgram random_;
    std::uint64_t values_ = 0;
};

TEST(SystolicStepCheck, FindsWhatIsWrongWhereItBegins) {
    int changes = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Bench bench(seed);
        EXPECT_EQ(bench.run(bench.program().size()), std::vector<std::string>{});
        EXPECT_GT(bench.values(), bench.program().size());
        for (std::size_t i = 0; i < bench.program().size(); ++i) {
            if (!bench.writes(i)) continue;
            const auto told = bench.run(i);
            const std::string begin = "after instruction " + std::to_string(i) + " (";
            ASSERT_FALSE(told.empty()) << "seed " << seed << ", instruction " << i;
            EXPECT_EQ(told.front().substr(0, begin.size()), begin) << told.front();
            ++changes;
        }
    }
    EXPECT_GT(changes, 1000);
}

/// Instructions of GEMM follow each other through the columns; the second one writes over the first.
TEST(SystolicStepCheck, ColumnsOfSeveralInstructions) {
    Architecture a;
    a.rows = a.columns = 2;
    const test::Program program = test::program_of(
        "LOAD sram_address=0x1000000 dram_address=0 x_size=1 y_size=1 z_size=1 bitwidth=1\n"
        "LOAD push_next sram_address=0x2000000 dram_address=0 x_size=1 y_size=1 z_size=2"
        " bitwidth=1\n"
        "GEMM pop_prev ofmap_height=1 ofmap_width=1 active_rows=1 active_cols=2\n"
        "GEMM ofmap_height=1 ofmap_width=1 active_rows=1 active_cols=2 preload_output=1\n");
    verif::Memory wanted, found;
    for (verif::Memory* memory : {&wanted, &found})
        memory->load(0, {3, 5});
    run::StepCheck check(a, program, wanted, found);
    std::int64_t values[2] = {0, 0};
    bool loads = true;
    check.look_with([&](const Place& place) {
        return loads ? (place.buffer == Buffer::wbuf && place.bank == 1 ? 5 : 3)
                     : values[place.bank];
    });
    check.ended(Module::load);
    check.ended(Module::load);
    loads = false;
    values[0] = 9;
    check.column_ended(0);
    values[0] = 18;
    values[1] = 15;
    check.column_ended(0);
    check.column_ended(1);
    EXPECT_EQ(check.differences(), std::vector<std::string>{});
    check.column_ended(1);
    check.finish();
    EXPECT_EQ(check.differences(),
              std::vector<std::string>{
                  "after instruction 3 (GEMM): OBUF entry 0, bank 1: found 15, want 30"});
}

TEST(SystolicStepCheck, CountsInstructions) {
    const test::Program program = test::program_of("LOAD\nGEMM\n");
    verif::Memory memory;
    run::StepCheck check(Architecture(), program, memory, memory);
    check.ended(Module::load);
    check.finish();
    EXPECT_EQ(check.differences(), std::vector<std::string>{"1 instructions have not ended"});
    check.ended(Module::load);
    EXPECT_EQ(check.differences().back(),
              "LOAD has ended more instructions than the program has");
}

}  // namespace
}  // namespace macrame::systolic
