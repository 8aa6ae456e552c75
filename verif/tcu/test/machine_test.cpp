/// Semantics of instructions in the golden model, one by one, and the rules for programs.

#include <gtest/gtest.h>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/rules.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/run/stream.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu {

namespace {

using Lanes = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

/// A model that runs assembly text.
class Machine {
public:
    explicit Machine(const Architecture& a)
        : architecture(a), layout(layout_of(a)), device(a, {dram0, dram1}) {}

    void run(const std::string& text) {
        std::vector<std::string> errors;
        const auto program = assemble(layout, text, "test", errors);
        ASSERT_TRUE(program) << errors.front();
        device.send(*program);
        ASSERT_TRUE(device.run(0));
    }
    /// Writes codes of one byte per scalar at a vector of a bank.
    void set(verif::Memory& bank, std::uint64_t vector, const Bytes& codes) {
        bank.load(vector * codes.size(), codes);
    }
    Lanes local(int address) const { return device.machine().local(address); }
    Lanes acc(int address) const { return device.machine().accumulators(address); }
    Lanes reg(int number) const { return device.machine().simd_register(number); }
    std::uint32_t pc() const { return device.status().program_counter; }

    verif::Memory dram0{"DRAM0"}, dram1{"DRAM1"};
    Architecture architecture;
    Layout layout;
    run::GoldenModel device;
};

Architecture small() { return test::architectures().at("n4_fp8bp4"); }

/// Local vectors 0..7 hold (10i, 10i+1, 10i+2, 10i+3).
void count_up(Machine& m) {
    for (std::uint8_t v = 0; v < 8; ++v) {
        const auto first = static_cast<std::uint8_t>(10 * v);
        m.set(m.dram1, v,
              {first, static_cast<std::uint8_t>(first + 1), static_cast<std::uint8_t>(first + 2),
               static_cast<std::uint8_t>(first + 3)});
    }
    m.run("DataMove(<-) Local(0) DRAM1(0) 7(+1)");
}

TEST(TcuMachine, MovesWithTwoStrides) {
    Machine m(small());
    count_up(m);
    EXPECT_EQ(m.local(7), (Lanes{70, 71, 72, 73}));
    m.run(
        "DataMove(->) Local(1)@2^1 Acc(3)@2^2 2(+1)\n"
        "DataMove(->, Acc) Local(1) Acc(3) 0(+1)\n"
        "DataMove(<-) Local(20) Acc(7)@2^2 1(+1)\n"
        "DataMove(->) Local(20) DRAM0(5)@2^1 1(+1)\n");
    EXPECT_EQ(m.acc(3), (Lanes{20, 22, 24, 26}));
    EXPECT_EQ(m.acc(7), (Lanes{30, 31, 32, 33}));
    EXPECT_EQ(m.acc(11), (Lanes{50, 51, 52, 53}));
    EXPECT_EQ(m.local(21), (Lanes{50, 51, 52, 53}));
    EXPECT_EQ(m.dram0.dump(20, 4), (Bytes{30, 31, 32, 33}));
    EXPECT_EQ(m.dram0.dump(28, 4), (Bytes{50, 51, 52, 53}));
    EXPECT_EQ(m.pc(), 5u);
}

TEST(TcuMachine, WeightsAreShiftedFromTheHighestAddressDown) {
    Machine m(small());
    count_up(m);
    m.run("LoadWeights Local(1) 4(+1)");  // a complete set: bias, then a row per input
    for (int row = 0; row < 5; ++row)
        EXPECT_EQ(m.device.machine().weights(row)[0], 10 * (row + 1));
    m.run("LoadWeights Local(0)@2^1 1(+1)\nLoadWeights Zeroes 0(+1)");  // 20, 0, zeros on top
    const Lanes want = {0, 0, 20, 10, 20};
    for (int row = 0; row < 5; ++row)
        EXPECT_EQ(m.device.machine().weights(row)[0], want[static_cast<std::size_t>(row)]) << row;
    m.run("LoadWeights Local(0) 7(+1)");  // more rows than there are
    EXPECT_EQ(m.device.machine().weights(4)[3], 43);
}

TEST(TcuMachine, MatMulAddsTheBiasAndAccumulates) {
    Machine m(small());
    // Bias 1 2 3 4, weights 2.0 on the diagonal.
    m.set(m.dram0, 0, {1, 2, 3, 4});
    for (std::uint64_t k = 0; k < 4; ++k) {
        Bytes row(4);
        row[k] = 32;
        m.set(m.dram0, k + 1, row);
    }
    m.set(m.dram0, 5, {10, 0xf6, 100, 0});  // 10, -10, 100, 0
    m.run(
        "DataMove(<-) Local(0) DRAM0(0) 5(+1)\n"
        "LoadWeights Local(0) 4(+1)\n"
        "MatMul Local(5) Acc(2) 0(+1)\n");
    EXPECT_EQ(m.acc(2), (Lanes{21, -18, 127, 4}));
    m.run("MatMul(Acc) Local(5) Acc(2) 0(+1)");
    EXPECT_EQ(m.acc(2), (Lanes{42, -36, 127, 8}));
    m.run("MatMul Zeroes Acc(2) 1(+1)");
    EXPECT_EQ(m.acc(2), (Lanes{1, 2, 3, 4}));
    EXPECT_EQ(m.acc(3), (Lanes{1, 2, 3, 4}));
    EXPECT_EQ(m.device.machine().saturations().array, 2u);
    EXPECT_EQ(m.device.machine().saturations().accumulators, 1u);
}

TEST(TcuMachine, SimdSourcesDestinationsAndFlags) {
    Machine m(small());
    count_up(m);
    m.run(
        "DataMove(->) Local(0) Acc(0) 7(+1)\n"
        "SIMD(RW) Move(In) -> R1 Acc(10) <- Acc(1)\n");  // register and output
    EXPECT_EQ(m.reg(1), (Lanes{10, 11, 12, 13}));
    EXPECT_EQ(m.acc(10), (Lanes{10, 11, 12, 13}));
    m.run("SIMD(RWA) Add(In, R1) -> R2 Acc(10) <- Acc(2)");  // overwrites R2, adds to Acc
    EXPECT_EQ(m.reg(2), (Lanes{30, 32, 34, 36}));
    EXPECT_EQ(m.acc(10), (Lanes{40, 43, 46, 49}));
    m.run("SIMD(RW) Subtract(In, R2) -> Out Acc(1) <- Acc(1)");  // read happens first
    EXPECT_EQ(m.acc(1), (Lanes{-20, -21, -22, -23}));
    m.run("SIMD(RA) Move(In) -> Out Acc(3) <- Acc(2)");  // accumulate without write
    EXPECT_EQ(m.acc(3), (Lanes{30, 31, 32, 33}));
    // Our rules: unary on a register with right source 0, read without need, need without read.
    m.run(
        "SIMD(W) Move(R1) -> Out Acc(4) <- Acc(0)\n"
        "SIMD(RW) Zero() -> Out Acc(5) <- Acc(2)\n"
        "SIMD(W) Add(In, R1) -> Out Acc(6) <- Acc(7)\n"
        "SIMD(RW) Max(R1, R2) -> Out Acc(7) <- Acc(0)\n");
    EXPECT_EQ(m.acc(4), (Lanes{10, 11, 12, 13}));
    EXPECT_EQ(m.acc(5), (Lanes{0, 0, 0, 0}));
    EXPECT_EQ(m.acc(6), (Lanes{10, 11, 12, 13}));
    EXPECT_EQ(m.acc(7), (Lanes{30, 32, 34, 36}));
    m.run("SIMD(RW) NoOp(In) -> R1 Acc(7) <- Acc(0)");  // does nothing
    EXPECT_EQ(m.acc(7), (Lanes{30, 32, 34, 36}));
    EXPECT_EQ(m.reg(1), (Lanes{10, 11, 12, 13}));
}

TEST(TcuMachine, OffsetsActInProgramOrderAndAddressesWrap) {
    Machine m(small());
    count_up(m);
    m.run(
        "DataMove(->) Local(1) DRAM0(2) 0(+1)\n"
        "Configure DRAM0Offset 1\n"
        "DataMove(->) Local(2) DRAM0(2) 0(+1)\n"
        "Configure DRAM0Offset 65535\n"
        "DataMove(->) Local(3) DRAM0(2) 0(+1)\n"
        "Configure DRAM0Offset 65537\n"  // modulo 2^32: 1
        "DataMove(<-) Local(9) DRAM0(2) 0(+1)\n");
    EXPECT_EQ(m.dram0.peek(8), 10);
    EXPECT_EQ(m.dram0.peek(0x10008), 20);
    EXPECT_EQ(m.dram0.peek(0xffff0008), 30);
    EXPECT_EQ(m.local(9), (Lanes{20, 21, 22, 23}));
}

TEST(TcuMachine, ProgramCounterAndTracepoint) {
    Machine m(small());
    m.run("Wait\nInvalid(7)\nDataMove(0x5) Local(1) Address(2) 0(+1)\n");
    EXPECT_EQ(m.pc(), 3u);
    EXPECT_FALSE(m.device.status().tracepoint);
    m.run("Configure Tracepoint 100\nConfigure ProgramCounter 98\n");
    EXPECT_EQ(m.pc(), 98u);
    m.run("Wait");
    EXPECT_FALSE(m.device.status().tracepoint);
    m.run("Wait\nWait");
    EXPECT_EQ(m.pc(), 101u);
    EXPECT_TRUE(m.device.status().tracepoint);
    m.device.reset();
    EXPECT_EQ(m.pc(), 0u);
    EXPECT_FALSE(m.device.status().tracepoint);
}

TEST(TcuMachine, DramHoldsEighteenBitsWithZerosAbove) {
    Architecture a = test::architectures().at("n8_fp18bp10");
    Machine m(a);
    const Bytes code = {0x01, 0x02, 0xfe, 0xff};  // bits above 17 are ignored: 0x20201
    m.dram1.load(0, code);
    m.run("DataMove(<-) Local(0) DRAM1(0) 0(+1)\nDataMove(->) Local(0) DRAM0(1) 0(+1)\n");
    EXPECT_EQ(m.local(0)[0], 0x20201 - 0x40000);
    EXPECT_EQ(m.dram0.dump(32, 4), (Bytes{0x01, 0x02, 0x02, 0x00}));
}

TEST(TcuMachine, LookupGivesTheDifferenceAndTheValues) {
    Architecture a = small();
    a.simd_registers_depth = 3;
    a.lut_tables = 2;
    a.lut_depth = 3;
    Machine m(a);
    // Keys per lane, values of table 1 and 2, the argument.
    const Bytes rows[] = {{0x80, 0, 0, 0xf6},  {0, 10, 10, 0},   {0x7f, 20, 20, 10},
                          {1, 2, 3, 4},        {5, 6, 7, 8},     {9, 10, 11, 12},
                          {21, 22, 23, 24},    {25, 26, 27, 28}, {29, 30, 31, 32},
                          {0x82, 15, 25, 0xff}};
    for (std::uint64_t v = 0; v < 10; ++v)
        m.set(m.dram0, v, rows[v]);
    m.run(
        "DataMove(<-) Local(0) DRAM0(0) 9(+1)\n"
        "LoadLUT Local(0) Table(0)\nLoadLUT Local(3) Table(1)\nLoadLUT Local(6) Table(2)\n"
        "DataMove(->) Local(9) Acc(0) 0(+1)\n"
        "SIMD(RW) Lookup(In) -> R1 Acc(1) <- Acc(0)\n");
    // Entries 0, 1 (a tie of 10 and 20: the first), 2, 1.
    EXPECT_EQ(m.reg(1), (Lanes{2, 5, 5, -1}));
    EXPECT_EQ(m.acc(1), (Lanes{2, 5, 5, -1}));
    EXPECT_EQ(m.reg(2), (Lanes{1, 6, 11, 8}));
    EXPECT_EQ(m.reg(3), (Lanes{21, 26, 31, 28}));
    m.run("SIMD(R) Lookup(In) -> Out Acc(1) <- Acc(0)");
    EXPECT_EQ(m.reg(1), (Lanes{1, 6, 11, 8}));
    EXPECT_EQ(m.reg(2), (Lanes{21, 26, 31, 28}));
    m.run("LoadLUT Local(0)@2^1 Table(1)\nSIMD(R) Lookup(In) -> R1 Acc(1) <- Acc(0)");
    EXPECT_EQ(m.reg(2), (Lanes{-128, 20, 7, 10}));  // rows 0, 2, 4
}

TEST(TcuMachine, NoiseFillsMemoriesAndNothingElse) {
    verif::Memory dram0, dram1;
    const run::GoldenModel noisy(small(), {dram0, dram1}, 7);
    const run::GoldenModel same(small(), {dram0, dram1}, 7);
    const run::GoldenModel quiet(small(), {dram0, dram1});
    int different = 0;
    for (int v = 0; v < 48; ++v) {
        different += noisy.machine().local(v) != quiet.machine().local(v) ? 1 : 0;
        EXPECT_EQ(noisy.machine().local(v), same.machine().local(v));
    }
    EXPECT_GT(different, 40);
    EXPECT_EQ(noisy.machine().weights(0), (Lanes{0, 0, 0, 0}));
    EXPECT_EQ(noisy.machine().simd_register(1), (Lanes{0, 0, 0, 0}));
}

/// Undefined results are no undefined behaviour of the model.
TEST(TcuMachine, AnyBytesRun) {
    verif::Random random(3);
    for (const Architecture& a : {small(), test::odd_architectures()[0],
                                  test::odd_architectures()[2], test::odd_architectures()[3]}) {
        Machine m(a);
        Bytes program(static_cast<std::size_t>(3000 * m.layout.bytes));
        for (std::uint8_t& byte : program)
            byte = static_cast<std::uint8_t>(random.chance(40) ? 0 : random.word());
        for (std::size_t i = 0; i < program.size(); i += static_cast<std::size_t>(m.layout.bytes)) {
            std::uint8_t& header = program[i + static_cast<std::size_t>(m.layout.bytes) - 1];
            header = static_cast<std::uint8_t>(random.in(1, 5) << 4 | (header & 15));
        }
        m.device.send(program);
        EXPECT_TRUE(m.device.run(0));
        EXPECT_EQ(m.pc(), 3000u);
        EXPECT_TRUE(m.device.status().error);
    }
}

// ---- rules

Instruction one(const Architecture& a, const std::string& text) {
    std::vector<std::string> errors;
    const Layout layout = layout_of(a);
    const auto bytes = assemble(layout, text, "test", errors);
    EXPECT_TRUE(bytes) << errors.front();
    return decode(layout, bytes->data());
}

TEST(TcuRules, UndefinedResults) {
    const Architecture a = test::architectures().at("ultra96v2");  // 20480 local, 4096 accumulators
    const auto problem = [&](const std::string& text) { return undefined(a, one(a, text)); };
    EXPECT_EQ(problem("MatMul Local(20479) Acc(4095) 0(+1)"), "");
    EXPECT_EQ(problem("MatMul Local(20479) Acc(4090) 1(+1)"),
              "local memory 20480: want below 20480");
    EXPECT_EQ(problem("MatMul Zeroes(20479) Acc(4090) 1(+1)"), "");
    EXPECT_EQ(problem("MatMul Local(0) Acc(4090)@2^3 1(+1)"), "accumulators 4098: want below 4096");
    EXPECT_EQ(problem("DataMove(<-) Local(20000) DRAM0(2097151) 0(+1)"), "");
    EXPECT_EQ(problem("DataMove(<-) Local(2) DRAM0(2097151) 1(+1)"),
              "DRAM0 2097152: want below 2097152");
    EXPECT_EQ(problem("DataMove(<-) Local(30000) DRAM1(1) 0(+1)"),
              "local memory 30000: want below 20480");
    EXPECT_EQ(problem("DataMove(0x6) Local(30000) Address(1) 0(+1)"), "");
    EXPECT_EQ(problem("LoadWeights Local(20470) 16(+1)"), "local memory 20486: want below 20480");
    EXPECT_EQ(problem("LoadWeights Zeroes 200(+1)"), "");
    EXPECT_EQ(problem("SIMD(W) Zero() -> Out Acc(4096) <- Acc(9999)"),
              "accumulators 4096: want below 4096");
    EXPECT_EQ(problem("SIMD(R) Move(In) -> R1 Acc(4096) <- Acc(4095)"), "");
    EXPECT_EQ(problem("Configure Register(3) 77"), "");
    const Architecture three = test::architectures().at("n16_fp32bp16");  // 4 registers in 3 bits
    EXPECT_EQ(undefined(three, one(three, "SIMD Move(R5) -> R1 Acc(0) <- Acc(0)")),
              "register 5: want below 5");
    EXPECT_EQ(undefined(three, one(three, "SIMD Move(R4) -> R7 Acc(0) <- Acc(0)")),
              "register 7: want below 5");
}

TEST(TcuRules, ErrorFlagAsTheOriginalRaisesIt) {
    const Architecture a = test::architectures().at("ultra96v2");
    const auto error = [&](const std::string& text) { return raises_error(a, one(a, text)); };
    EXPECT_FALSE(error("Wait | 0xf00000000000000ff"));
    EXPECT_FALSE(error("Configure Register(7) 1"));
    EXPECT_FALSE(error("MatMul Local(0)@2^7 Acc(0) 100(+1)"));  // strides do not count
    EXPECT_TRUE(error("MatMul Zeroes Acc(4095) 1(+1)"));
    EXPECT_TRUE(error("MatMul Zeroes(20480) Acc(0) 0(+1)"));
    EXPECT_TRUE(error("MatMul Local(0) Acc(0) 0(+1) | 0x40000000000000000"));
    EXPECT_FALSE(error("DataMove(<-) Local(0) DRAM0(2097151) 9(+1)"));  // DRAM is not looked at
    EXPECT_TRUE(error("DataMove(<-) Local(20480) DRAM0(0) 0(+1)"));
    EXPECT_TRUE(error("DataMove(<-) Local(0) Acc(4096) 0(+1)"));
    EXPECT_TRUE(error("DataMove(0x7) Local(0) Address(0) 0(+1)"));
    EXPECT_TRUE(error("Invalid(9)"));
    EXPECT_FALSE(error("LoadWeights Local(0) 17(+1)"));
    EXPECT_TRUE(error("LoadWeights Local(0) 18(+1)"));  // more than N + 2 rows
    EXPECT_FALSE(error("SIMD(R) Move(In) -> R1 Acc(0) <- Acc(1)"));
    EXPECT_TRUE(error("SIMD Move(In) -> R1 Acc(0) <- Acc(1)"));
    EXPECT_TRUE(error("SIMD Zero() -> R1 Acc(0) <- Acc(0)"));  // source codes 0 without read
    EXPECT_FALSE(error("SIMD Zero(R1, R1) -> R1 Acc(0) <- Acc(0)"));
    EXPECT_TRUE(error("SIMD(R) Move(R1, R1) -> R1 Acc(0) <- Acc(0)"));
    EXPECT_TRUE(error("SIMD(R) Move(In) -> R1 Acc(4096) <- Acc(1)"));  // used or not
}

TEST(TcuRules, ProgramsForOtherMachines) {
    const Architecture pynq = test::architectures().at("pynqz1");
    EXPECT_EQ(misfit(pynq, pynq), "");
    EXPECT_EQ(misfit(test::architectures().at("zcu104"), pynq), "array_size 32: want 8");
    EXPECT_EQ(misfit(test::architectures().at("n8_fp18bp10"), pynq),
              "data_type FP18BP10: want FP16BP8");
    Architecture more = pynq;
    more.local_depth = 8193;
    EXPECT_EQ(misfit(more, pynq), "local_depth 8193: want at most 8192");
    Architecture less = pynq;
    less.local_depth = 5000;  // the same 13 bits
    less.dram0_depth = 1000;
    EXPECT_EQ(misfit(less, pynq), "");
    less.local_depth = 1000;
    less.accumulator_depth = 1000;
    EXPECT_EQ(misfit(less, pynq),
              "instructions with other widths of operands: want depths of the same widths");
}

TEST(TcuStream, AsDriversMakeIt) {
    const Architecture a = test::architectures().at("pynqz1");
    const Bytes probe = run::flush_probe(a);
    EXPECT_EQ(probe, (Bytes{0xff, 0x1f, 0xff, 0xff, 0x0f, 0, 0, 0x20, 0xff, 0x1f, 0xfe, 0xff, 0x0f,
                            0, 0, 0x21}));
    EXPECT_EQ(run::configure(layout_of(a), kTimeout, 100), (Bytes{0x48, 6, 0, 0, 0, 0, 0, 0xf0}));
    const Layout nine = layout_of(test::architectures().at("zcu104"));
    EXPECT_EQ(run::padded(nine, 16, Bytes(9)).size(), 144u);
    EXPECT_EQ(run::padded(nine, 16, Bytes(144)).size(), 144u);
    EXPECT_EQ(run::padded(nine, 16, Bytes(153)).size(), 288u);
}

}  // namespace

}  // namespace macrame::tcu
