#include "families/tcu/derived.hpp"

#include <set>

#include "support.hpp"

namespace macrame::tcu {
namespace {

/// Operand widths of the published architectures: address, stride and all bits of operands 0 and 1,
/// all bits of operand 2, bytes of an instruction.
TEST(TcuDerived, InstructionLayouts) {
    struct Row {
        const char* preset;
        int op0[3], op1[3], op2, bytes;
    };
    const Row rows[] = {
        {"cmoda7", {12, 3, 16}, {15, 3, 24}, 16, 8},
        {"artya7100t", {13, 3, 16}, {20, 3, 24}, 16, 8},
        {"pynqz1", {13, 3, 16}, {20, 3, 24}, 16, 8},
        {"speech_robot", {13, 3, 16}, {17, 3, 24}, 16, 8},
        {"custom_perf", {13, 3, 16}, {20, 3, 24}, 16, 8},
        {"ultra96v2", {15, 3, 24}, {21, 3, 24}, 16, 9},
        {"zcu104", {14, 3, 24}, {21, 3, 24}, 16, 9},
        {"zcu104_uram", {16, 3, 24}, {21, 3, 24}, 16, 9},
    };
    for (const Row& row : rows) {
        const Derived d = derive(config_of(preset(row.preset)));
        EXPECT_EQ(d.op0_addr_w, row.op0[0]) << row.preset;
        EXPECT_EQ(d.op0_stride_w, row.op0[1]) << row.preset;
        EXPECT_EQ(d.op0_w, row.op0[2]) << row.preset;
        EXPECT_EQ(d.op1_addr_w, row.op1[0]) << row.preset;
        EXPECT_EQ(d.op1_stride_w, row.op1[1]) << row.preset;
        EXPECT_EQ(d.op1_w, row.op1[2]) << row.preset;
        EXPECT_EQ(d.op2_w, row.op2) << row.preset;
        EXPECT_EQ(d.instruction_bytes, row.bytes) << row.preset;
        EXPECT_EQ(d.instruction_w, 8 * row.bytes) << row.preset;
        EXPECT_EQ(d.op1_at, row.op0[2]) << row.preset;
        EXPECT_EQ(d.op2_at, row.op0[2] + row.op1[2]) << row.preset;
        EXPECT_EQ(d.flags_at, 8 * row.bytes - 8) << row.preset;
        EXPECT_EQ(d.opcode_at, 8 * row.bytes - 4) << row.preset;
        EXPECT_EQ(d.simd_op_at, 3) << row.preset;
        EXPECT_EQ(d.configure_w, 28) << row.preset;
    }
}

TEST(TcuDerived, Vectors) {
    Config config;
    Derived d = derive(config);
    EXPECT_EQ(d.vector_w, 128);
    EXPECT_EQ(d.vector_bytes, 16);
    EXPECT_EQ(d.vector_beats, 1);
    EXPECT_EQ(d.beat_vectors, 1);
    config.data_type = "FP18BP10";  // 4 bytes in memory
    config.axi_data_width = 64;
    d = derive(config);
    EXPECT_EQ(d.data_w, 18);
    EXPECT_EQ(d.binary_point, 10);
    EXPECT_EQ(d.vector_w, 144);
    EXPECT_EQ(d.vector_bytes, 32);
    EXPECT_EQ(d.vector_beats, 4);
    EXPECT_EQ(d.beat_vectors, 1);
    config.data_type = "FP8BP4";
    config.array_size = 2;
    config.axi_data_width = 128;
    d = derive(config);
    EXPECT_EQ(d.vector_beats, 1);
    EXPECT_EQ(d.beat_vectors, 8);
}

/// Without registers and strides links still have a bit for them.
TEST(TcuDerived, FieldsWithoutBits) {
    Config config;
    config.simd_registers_depth = 0;
    config.stride0_depth = config.stride1_depth = 1;
    const Derived d = derive(config);
    EXPECT_EQ(d.simd_register_w, 0);
    EXPECT_EQ(d.op0_stride_w, 0);
    EXPECT_EQ(d.op1_stride_w, 0);
    EXPECT_EQ(d.simd_code_w, 1);
    EXPECT_EQ(d.stride_code0_w, 1);
    EXPECT_EQ(d.stride_code1_w, 1);
}

TEST(TcuDerived, BlocksAreNoLargerThanTheirMemories) {
    for (const int depth : {2, 3, 5, 64, 100, 8192, 65536}) {
        Config config;
        config.local_depth = config.dram0_depth = config.dram1_depth = depth;
        const Derived d = derive(config);
        EXPECT_GE(d.local_block_w, 0) << depth;
        EXPECT_LE(d.local_block_w, d.local_addr_w) << depth;
        EXPECT_GE(d.dram_block_w, 0) << depth;
        EXPECT_LE(d.dram_block_w, d.dram_addr_w) << depth;
        EXPECT_LE(depth, 2 * d.local_rows) << depth;
        EXPECT_GE(depth, 2 * d.local_rows - 1) << depth;
    }
}

TEST(TcuDerived, EveryMemberHasAName) {
    std::set<std::string_view> names;
    for (const DerivedField& field : derived_fields()) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_EQ(find_param(params(), field.name), nullptr) << field.name;
    }
    EXPECT_EQ(names.size() * sizeof(int), sizeof(Derived));
}

}  // namespace
}  // namespace macrame::tcu
