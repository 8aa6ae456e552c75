/// Layouts, and instructions in bytes, against the published ones.

#include <gtest/gtest.h>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/layout.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu {

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& hex) {
    Bytes out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        out.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    return out;
}

TEST(TcuLayout, RoundsUpTheLogarithm) {
    EXPECT_EQ(clog2(1), 0);
    EXPECT_EQ(clog2(2), 1);
    EXPECT_EQ(clog2(3), 2);
    EXPECT_EQ(clog2(20480), 15);
    EXPECT_EQ(clog2(49152), 16);
    EXPECT_EQ(clog2(std::int64_t{1} << 32), 32);
}

TEST(TcuLayout, IsThePublishedOne) {
    struct Row {
        const char* name;
        int local, acc, dram0, dram1, address0, stride0, operand0, address1, stride1, operand1;
        int used2, operand2, bytes;
    };
    const Row rows[] = {
        {"cmoda7", 12, 12, 12, 15, 12, 3, 16, 15, 3, 24, 12, 16, 8},
        {"artya7100t", 13, 11, 20, 20, 13, 3, 16, 20, 3, 24, 13, 16, 8},
        {"pynqz1", 13, 11, 20, 20, 13, 3, 16, 20, 3, 24, 13, 16, 8},
        {"speech_robot", 13, 11, 17, 17, 13, 3, 16, 17, 3, 24, 13, 16, 8},
        {"custom_perf", 13, 11, 20, 20, 13, 3, 16, 20, 3, 24, 13, 16, 8},
        {"ultra96v2", 15, 12, 21, 21, 15, 3, 24, 21, 3, 24, 15, 16, 9},
        {"zcu104", 14, 12, 21, 21, 14, 3, 24, 21, 3, 24, 14, 16, 9},
        {"zcu104_uram", 16, 15, 21, 21, 16, 3, 24, 21, 3, 24, 16, 16, 9},
        {"n2_fp16bp8", 5, 4, 7, 6, 5, 1, 8, 7, 1, 8, 7, 8, 4},
        {"n4_fp8bp4", 6, 5, 8, 6, 6, 2, 8, 8, 2, 16, 10, 16, 6},
        {"n8_fp16bp8", 6, 5, 8, 7, 6, 3, 16, 8, 3, 16, 7, 8, 6},
        {"n8_fp18bp10", 6, 6, 8, 7, 6, 0, 8, 8, 3, 16, 10, 16, 6},
        {"n16_fp32bp16", 6, 5, 7, 6, 6, 3, 16, 7, 1, 8, 13, 16, 6},
        {"n32_fp16bp8", 6, 5, 7, 6, 6, 3, 16, 7, 3, 16, 7, 8, 6},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const Layout l = layout_of(test::architectures().at(row.name));
        EXPECT_EQ(l.local_bits, row.local);
        EXPECT_EQ(l.accumulator_bits, row.acc);
        EXPECT_EQ(l.dram0_bits, row.dram0);
        EXPECT_EQ(l.dram1_bits, row.dram1);
        EXPECT_EQ(l.address0_bits, row.address0);
        EXPECT_EQ(l.stride0_bits, row.stride0);
        EXPECT_EQ(l.operand0_bits, row.operand0);
        EXPECT_EQ(l.address1_bits, row.address1);
        EXPECT_EQ(l.stride1_bits, row.stride1);
        EXPECT_EQ(l.operand1_bits, row.operand1);
        EXPECT_EQ(std::max(l.size_bits, l.simd_bits), row.used2);
        EXPECT_EQ(l.operand2_bits, row.operand2);
        EXPECT_EQ(l.bytes, row.bytes);
        EXPECT_EQ(l.opcode_at, 8 * row.bytes - 4);
        EXPECT_EQ(l.configure_value_bits, row.bytes == 4 ? 20 : 28);
    }
}

TEST(TcuLayout, LookupTablesWidenTheOperationByABit) {
    Architecture a = test::architectures().at("n16_fp32bp16");  // 13 bits for SIMD
    const Layout without = layout_of(a);
    a.lut_tables = 1;
    a.lut_depth = 4;
    const Layout with = layout_of(a);
    EXPECT_EQ(without.simd_op_bits, 4);
    EXPECT_EQ(with.simd_op_bits, 5);
    EXPECT_EQ(with.simd_bits, without.simd_bits + 1);
    EXPECT_FALSE(same_coding(with, without));
    EXPECT_TRUE(same_coding(with, with));
}

TEST(TcuLayout, WithoutRegistersTheirFieldsHaveNoBits) {
    const Layout l = layout_of(test::odd_architectures()[0]);
    EXPECT_EQ(l.register_bits, 0);
    EXPECT_EQ(l.simd_op_at, 0);
    EXPECT_EQ(l.stride0_bits, 0);
    EXPECT_EQ(l.bytes, 4);
}

struct Encoding {
    const char* architecture;
    const char* text;
    const char* hex;
};
const Encoding kEncodings[] = {
    {"pynqz1", "DataMove(<-) Local(16) DRAM1(291)@2^2 63(+1)", "10002301203f0022"},
    {"pynqz1", "LoadWeights Local(16) 8(+1)", "1000080000000030"},
    {"pynqz1", "LoadWeights Zeroes 0(+1)", "0000000000000031"},
    {"pynqz1", "MatMul(Acc) Local(32)@2^1 Acc(64) 15(+1)", "20204000000f0011"},
    {"pynqz1", "SIMD(RW) Max(In, R1) -> Out Acc(5) <- Acc(6)", "05000600007a0043"},
    {"pynqz1", "SIMD Zero() -> R1 Acc(0) <- Acc(0)", "0000000000090040"},
    {"pynqz1", "DataMove(<-) Local(48) Acc(64)@2^3 1(+1)", "300040003001002c"},
    {"pynqz1", "DataMove(->, Acc) Local(48) Acc(64) 0(+1)", "300040000000002f"},
    {"pynqz1", "Configure DRAM0Offset 4660", "40230100000000f0"},
    {"speech_robot", "DataMove(<-) Local(16) DRAM1(291)@2^2 63(+1)", "10002301043f0022"},
    {"speech_robot", "DataMove(<-) Local(48) Acc(64)@2^3 1(+1)", "300040000601002c"},
    {"ultra96v2", "MatMul(Acc) Local(32)@2^1 Acc(64) 15(+1)", "2080004000000f0011"},
    {"ultra96v2", "DataMove(<-) Local(48) Acc(64)@2^3 1(+1)", "30000040006001002c"},
    {"zcu104", "MatMul(Acc) Local(32)@2^1 Acc(64) 15(+1)", "2040004000000f0011"},
    {"zcu104", "LoadWeights Local(16) 32(+1)", "100000200000000030"},
    {"zcu104_uram", "MatMul(Acc) Local(32)@2^1 Acc(64) 15(+1)", "2000014000000f0011"},
    {"cmoda7", "DataMove(<-) Local(16) DRAM1(291)@2^2 63(+1)", "10002301013f0022"},
    {"n2_fp16bp8", "MatMul(Acc) Local(5)@2^1 Acc(3) 6(+1)", "25030611"},
    {"n2_fp16bp8", "DataMove(<-) Local(7) DRAM0(9)@2^1 3(+1)", "07890320"},
    {"n2_fp16bp8", "LoadWeights Local(2) 2(+1)", "02020030"},
    {"n2_fp16bp8", "Configure DRAM0Offset 1", "100000f0"},
    {"n4_fp8bp4", "MatMul(Acc) Local(5)@2^1 Acc(3) 6(+1)", "450300060011"},
    {"n4_fp8bp4", "SIMD(RW) Max(In, R2) -> R2 Acc(4) <- Acc(6)", "040600ca0343"},
    {"n8_fp18bp10", "MatMul(Acc) Local(5) Acc(3) 6(+1)", "050300060011"},
    {"n8_fp18bp10", "DataMove(<-) Local(7) DRAM0(9)@2^1 3(+1)", "070901030020"},
    {"n8_fp18bp10", "SIMD(RW) Max(In, R3) -> R3 Acc(4) <- Acc(6)", "040600cf0343"},
    {"n16_fp32bp16", "SIMD(RW) Max(In, R4) -> R4 Acc(4) <- Acc(6)", "040006241e43"},
    {"n16_fp32bp16", "DataMove(<-) Local(7) DRAM0(9)@2^1 3(+1)", "070089030020"},
    {"n32_fp16bp8", "DataMove(<-) Local(7) DRAM0(9)@2^1 3(+1)", "070089000320"},
    // The rest of the table of worked encodings.
    {"zcu104", "DataMove(<-) Local(16) DRAM1(291)@2^2 63(+1)",
     "10000023014"
     "03f0022"},
    {"cmoda7", "LoadWeights Local(16) 4(+1)", "1000040000000030"},
    {"ultra96v2", "LoadWeights Local(16) 16(+1)", "100000100000000030"},
    {"cmoda7", "MatMul(Acc) Local(32)@2^1 Acc(64) 15(+1)", "20104000000f0011"},
    {"zcu104", "SIMD(RW) Max(In, R1) -> Out Acc(5) <- Acc(6)",
     "050000060000"
     "7a0043"},
    {"zcu104_uram", "SIMD Zero() -> R1 Acc(0) <- Acc(0)", "000000000000090040"},
    {"cmoda7", "DataMove(<-) Local(48) Acc(64)@2^3 1(+1)", "300040800101002c"},
    {"zcu104", "DataMove(->, Acc) Local(48) Acc(64) 0(+1)", "30000040000000002f"},
    {"zcu104", "Configure DRAM0Offset 4660", "4023010000000000f0"},
    {"n2_fp16bp8", "SIMD(RW) Max(In, R1) -> R1 Acc(4) <- Acc(6)", "04067b43"},
    {"n8_fp16bp8", "SIMD(RW) Max(In, R1) -> R1 Acc(4) <- Acc(6)", "040006007b43"},
    {"n8_fp16bp8", "MatMul(Acc) Local(5)@2^1 Acc(3) 6(+1)", "450003000611"},
    {"n16_fp32bp16", "MatMul(Acc) Local(5)@2^1 Acc(3) 6(+1)", "450003060011"},
    // What drivers send.
    {"pynqz1", "Configure DRAM0Offset 5760", "00680100000000f0"},
    {"pynqz1", "Configure DRAM1Offset 6016", "04780100000000f0"},
    {"pynqz1", "Configure Timeout 100", "48060000000000f0"},
    {"pynqz1", "DataMove(<-) Local(8191) DRAM0(1048575) 0(+1)", "ff1fffff0f000020"},
    {"pynqz1", "DataMove(->) Local(8191) DRAM0(1048574) 0(+1)", "ff1ffeff0f000021"},
};

TEST(TcuInstruction, PublishedEncodings) {
    for (const Encoding& row : kEncodings) {
        SCOPED_TRACE(std::string(row.architecture) + ": " + row.text);
        const Layout layout = layout_of(test::architectures().at(row.architecture));
        const Bytes bytes = bytes_of(row.hex);
        ASSERT_EQ(bytes.size(), static_cast<std::size_t>(layout.bytes));
        EXPECT_EQ(assembly_text(layout, decode(layout, bytes.data())), row.text);
        std::vector<std::string> errors;
        const auto assembled = assemble(layout, row.text, "x.tasm", errors);
        ASSERT_TRUE(assembled) << errors.front();
        EXPECT_EQ(*assembled, bytes);
    }
}

TEST(TcuInstruction, FieldsOfAWord) {
    const Layout layout = layout_of(test::architectures().at("n16_fp32bp16"));
    const Instruction i = decode(layout, bytes_of("040006241e43").data());
    EXPECT_EQ(i.opcode, kSimd);
    EXPECT_EQ(i.flags, kSimdRead | kSimdWrite);
    EXPECT_EQ(i.address0, 4u);
    EXPECT_EQ(i.address1, 6u);
    EXPECT_EQ(i.simd_op, kSimdMax);
    EXPECT_EQ(i.simd_left, 0);
    EXPECT_EQ(i.simd_right, 4);
    EXPECT_EQ(i.simd_dest, 4);
    EXPECT_EQ(i.stray, (std::array<std::uint64_t, 3>{}));
}

/// Mostly legal headers, any operands.
Bytes random_word(const Layout& layout, verif::Random& random) {
    Bytes out(static_cast<std::size_t>(layout.bytes));
    const bool sparse = random.chance(30);
    for (std::uint8_t& byte : out)
        byte = sparse && random.chance(70) ? std::uint8_t{0}
                                           : static_cast<std::uint8_t>(random.word());
    if (random.chance(60))
        out.back() = static_cast<std::uint8_t>(random.in(0, 5) << 4 | random.in(0, 15));
    return out;
}

std::vector<Architecture> all_architectures() {
    std::vector<Architecture> out = test::odd_architectures();
    for (const auto& entry : test::architectures())
        out.push_back(entry.second);
    return out;
}

TEST(TcuInstruction, EveryWordComesBack) {
    verif::Random random(11);
    for (const Architecture& architecture : all_architectures()) {
        const Layout layout = layout_of(architecture);
        for (int n = 0; n < 3000; ++n) {
            const Bytes word = random_word(layout, random);
            const Instruction instruction = decode(layout, word.data());
            EXPECT_EQ(unfit(layout, instruction), "");
            Bytes again(word.size());
            encode(layout, instruction, again.data());
            ASSERT_EQ(again, word) << assembly_text(layout, instruction);
        }
    }
}

TEST(TcuAssembly, EveryProgramComesBackAsBytesAndAsText) {
    verif::Random random(12);
    for (const Architecture& architecture : all_architectures()) {
        const Layout layout = layout_of(architecture);
        Bytes program;
        for (int n = 0; n < 2000; ++n) {
            const Bytes word = random_word(layout, random);
            program.insert(program.end(), word.begin(), word.end());
        }
        const std::string text = disassemble(layout, program);
        std::vector<std::string> errors;
        const auto again = assemble(layout, text, "x.tasm", errors);
        ASSERT_TRUE(again) << errors.front();
        ASSERT_EQ(*again, program);
        ASSERT_EQ(disassemble(layout, *again), text);
    }
}

TEST(TcuAssembly, WhatTheOriginalDoesNotHave) {
    Architecture a = test::architectures().at("n2_fp16bp8");
    const Layout plain = layout_of(a);
    EXPECT_EQ(disassemble(plain, bytes_of("0000006012340050"
                                          "05820324"
                                          "ff010000"
                                          "0500001e")),
              "[0] 0 Invalid(6)\r\n"
              "[1] 0 Invalid(5) | 0x3412\r\n"
              "[2] 0 DataMove(0x4) Local(5) Address(2)@2^1 3(+1)\r\n"
              "[3] 0 Wait | 0x1ff\r\n"
              "[4] 0 MatMul Zeroes(5) Acc(0) 0(+1) | 0xc000000\r\n");
}

TEST(TcuAssembly, MistakesAreNamedWithTheirPlace) {
    const Layout layout = layout_of(test::architectures().at("pynqz1"));
    const auto problem = [&](const std::string& text) {
        std::vector<std::string> errors;
        EXPECT_FALSE(assemble(layout, text, "x.tasm", errors));
        return errors.empty() ? std::string() : errors.front();
    };
    EXPECT_EQ(problem("Wait\n  Jump 5\n"), "x.tasm:2:3: found `Jump`: want an instruction");
    EXPECT_EQ(problem("[1] 0 Wait"), "x.tasm:1:2: found 1: want 0");
    EXPECT_EQ(problem("[0] 1 Wait"), "x.tasm:1:5: found another thread: want thread 0");
    EXPECT_EQ(problem("MatMul Local(8192) Acc(0) 0(+1)"),
              "x.tasm:1:1: address 0 8192: want 0..8191");
    EXPECT_EQ(problem("MatMul Local(1)@2^8 Acc(0) 0(+1)"),
              "x.tasm:1:1: stride code 0 8: want 0..7");
    EXPECT_EQ(problem("MatMul Local(1) Acc(0) 65536(+1)"), "x.tasm:1:1: size 65537: want 1..65536");
    EXPECT_EQ(problem("MatMul Local(1) Acc(0) 3"),
              "x.tasm:1:25: found the end of the line: want `(+1)`");
    EXPECT_EQ(problem("MatMul Local(1) Acc(0) 3(+1) 4"),
              "x.tasm:1:30: found `4`: want the end of the line");
    EXPECT_EQ(problem("SIMD(WR) Move(In) -> Out Acc(0) <- Acc(0)"),
              "x.tasm:1:6: found `WR`: want some of R, W, A in this order");
    EXPECT_EQ(problem("SIMD(R) Mov(In) -> Out Acc(0) <- Acc(0)"),
              "x.tasm:1:9: found `Mov`: want a SIMD operation");
    EXPECT_EQ(problem("SIMD(R) Move(R0) -> Out Acc(0) <- Acc(0)"),
              "x.tasm:1:14: found `R0`: want `In` or a register");
    EXPECT_EQ(problem("SIMD(R) Move(R2) -> Out Acc(0) <- Acc(0)"),
              "x.tasm:1:1: left source 2: want 0..1");
    EXPECT_EQ(problem("LoadLUT Local(0) Table(0)"),
              "x.tasm:1:1: found LoadLUT: want an architecture with lookup tables");
    EXPECT_EQ(problem("DataMove(<-) Local(0) L1(0) 0(+1)"),
              "x.tasm:1:23: found `L1`: want `DRAM0`, `DRAM1` or `Acc`");
    EXPECT_EQ(problem("DataMove(0xc) Local(0) Address(0) 0(+1)"),
              "x.tasm:1:10: found 12: want the kind by its sign, <- or ->");
    EXPECT_EQ(problem("Invalid(4)"), "x.tasm:1:9: found 4: want an opcode that does not exist");
    EXPECT_EQ(problem("Configure Register(8) 1"),
              "x.tasm:1:20: found 8: want this register by its name");
    EXPECT_EQ(problem("Configure Timeout 0x10000000"),
              "x.tasm:1:1: value 268435456: want 0..268435455");
    EXPECT_EQ(problem("LoadWeights Local(1) 0(+1) | 0x1"),
              "x.tasm:1:1: the bits behind | are also those of a field: want others");
    EXPECT_EQ(problem("Wait | 7"), "x.tasm:1:8: found `7`: want a hexadecimal number, 0x1f");
}

TEST(TcuAssembly, ReadsWhatPeopleWrite) {
    const Layout layout = layout_of(test::architectures().at("pynqz1"));
    std::vector<std::string> errors;
    const auto program = assemble(layout,
                                  "; a program\n"
                                  "\n"
                                  "   LoadWeights   Local( 0x10 ) 8 (+1) ; nine rows\n"
                                  "[1] 0 Wait",
                                  "x.tasm", errors);
    ASSERT_TRUE(program) << errors.front();
    EXPECT_EQ(*program, bytes_of("1000080000000030"
                                 "0000000000000000"));
}

}  // namespace

}  // namespace macrame::tcu
