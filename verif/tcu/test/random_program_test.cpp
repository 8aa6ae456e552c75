/// Random programs: legal, complete, and independent of what memories held before.

#include "verif/tcu/stimulus/random_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/rules.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu::stimulus {

namespace {

std::vector<Architecture> architectures() {
    std::vector<Architecture> out = test::odd_architectures();
    for (const auto& entry : test::architectures())
        out.push_back(entry.second);
    return out;
}

std::vector<Instruction> instructions(const Architecture& a, const Bytes& program) {
    const Layout layout = layout_of(a);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    EXPECT_EQ(program.size() % bytes, 0u);
    std::vector<Instruction> out;
    for (std::size_t at = 0; at + bytes <= program.size(); at += bytes)
        out.push_back(decode(layout, program.data() + at));
    return out;
}

/// Everything that a program leaves in both banks.
std::vector<Bytes> result(const Architecture& a, const RandomProgram& random,
                          std::optional<std::uint64_t> noise) {
    verif::Memory banks[2];
    banks[0].load(random.dram0_at, random.dram0);
    banks[1].load(random.dram1_at, random.dram1);
    for (verif::Memory& bank : banks)
        bank.log_writes(true);
    run::GoldenModel model(a, {banks[0], banks[1]}, noise);
    model.send(random.program);
    EXPECT_TRUE(model.run(0));
    std::vector<Bytes> out;
    for (const verif::Memory& bank : banks)
        for (const verif::MemoryRange& range : bank.written())
            out.push_back(bank.dump(range.addr, range.size));
    return out;
}

TEST(TcuRandomProgram, NothingUndefinedIsExecutedOrSeen) {
    for (const Architecture& a : architectures()) {
        const int programs = a.array_size > 100 ? 3 : 40;
        std::size_t written = 0;
        for (int seed = 0; seed < programs; ++seed) {
            const auto number = static_cast<std::uint64_t>(seed);
            const RandomProgram random = random_program(a, number, seed % 3 == 0);
            for (const Instruction& i : instructions(a, random.program))
                ASSERT_EQ(undefined(a, i), "") << assembly_text(layout_of(a), i);
            const auto quiet = result(a, random, {});
            ASSERT_EQ(quiet, result(a, random, number + 1)) << "seed " << seed;
            for (const Bytes& bytes : quiet)
                written += bytes.size();
            const RandomProgram again = random_program(a, number, seed % 3 == 0);
            ASSERT_EQ(again.program, random.program);
            ASSERT_EQ(again.dram0, random.dram0);
        }
        EXPECT_GT(written, static_cast<std::size_t>(programs * a.vector_bytes()));
    }
}

TEST(TcuRandomProgram, EveryOpcodeOperationAndFlag) {
    Architecture a = test::architectures().at("n4_fp8bp4");
    a.lut_tables = 1;
    a.lut_depth = 4;
    std::map<int, int> opcodes, moves, operations, registers, configured;
    std::set<int> strides;
    int saturated = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const RandomProgram random = random_program(a, seed, false);
        for (const Instruction& i : instructions(a, random.program)) {
            ++opcodes[i.opcode];
            if (i.is(kDataMove)) ++moves[i.flags];
            if (i.is(kSimd)) {
                ++operations[i.simd_op];
                ++registers[i.simd_dest];
            }
            if (i.is(kConfigure)) ++configured[i.config_register];
            if (i.is(kMatMul)) strides.insert(4 * i.stride0 + i.stride1);
        }
        verif::Memory dram0, dram1;
        dram0.load(random.dram0_at, random.dram0);
        dram1.load(random.dram1_at, random.dram1);
        run::GoldenModel model(a, {dram0, dram1});
        model.send(random.program);
        model.run(0);
        const model::Saturations s = model.machine().saturations();
        saturated += s.array > 0 && s.accumulators > 0 && s.simd > 0 ? 1 : 0;
    }
    EXPECT_EQ(opcodes.size(), 16u);
    EXPECT_EQ(moves.size(), 16u);
    EXPECT_EQ(operations.size(), 17u);
    EXPECT_EQ(registers.size(), 3u);
    EXPECT_EQ(configured.size(), 16u);
    EXPECT_EQ(strides.size(), 16u);
    EXPECT_GT(saturated, 20);
    EXPECT_LT(saturated, 180);
}

/// What the original loses: an accumulate directly behind a write of the same accumulator; unary
/// operations on a register with right source 0; sources that do not fit the read flag.
TEST(TcuRandomProgram, CompatibleProgramsKeepTheRulesOfTheOriginal) {
    const Architecture a = test::architectures().at("n8_fp18bp10");
    int broken[2] = {0, 0};
    for (const bool compat : {false, true}) {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            std::int64_t last = -1;
            for (const Instruction& i : instructions(a, random_program(a, seed, compat).program)) {
                const bool matmul = i.is(kMatMul);
                const bool to_acc = i.is(kDataMove) && (i.flags == kLocalToAccumulator ||
                                                        i.flags == kLocalToAccumulatorAdd);
                const bool simd = i.is(kSimd) && i.has(kSimdWrite);
                const bool adds = (matmul && i.has(kMatMulAccumulate)) ||
                                  (to_acc && i.flags == kLocalToAccumulatorAdd) ||
                                  (simd && i.has(kSimdAccumulate));
                const auto first = static_cast<std::int64_t>(simd ? i.address0 : i.address1);
                if (adds && first == last) ++broken[compat];
                if (matmul || to_acc)
                    last = first + (static_cast<std::int64_t>(i.size - 1) << i.stride1);
                if (simd) last = first;
                if (!i.is(kSimd)) continue;
                const int sources = simd_sources(i.simd_op);
                if (sources == 1 && i.simd_left != 0 && i.simd_right == 0) ++broken[compat];
                const bool input =
                    (sources > 0 && i.simd_left == 0) || (sources > 1 && i.simd_right == 0);
                if (input != i.has(kSimdRead)) ++broken[compat];
            }
        }
    }
    EXPECT_GT(broken[0], 200);
    EXPECT_EQ(broken[1], 0);
}

}  // namespace

}  // namespace macrame::tcu::stimulus
