/// Words, fields, assembly text, rules of instructions.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/systolic/isa/accesses.hpp"
#include "verif/systolic/isa/rules.hpp"
#include "verif/systolic/isa/walk.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using test::instruction_of;
using test::program_of;

Architecture square(int size) {
    Architecture out;
    out.rows = out.columns = size;
    return out;
}

TEST(SystolicIsa, PublishedWords) {
    const std::pair<const char*, const char*> kVectors[] = {
        {"LOAD push_next dram_address=0x80001000 sram_address=0x1000000 x_size=8 y_size=8 "
         "z_size=32 z_stride=64 y_stride=64 bitwidth=1",
         "81800010004000000202081010100000"},
        {"GEMM pop_prev push_next output_address=0x10 weight_address=0x20 ofmap_height=8 "
         "ofmap_width=8 active_rows=32 active_cols=32 stride_h=8 stride_w=1 pad_right=1 "
         "pad_bottom=1 preload_output=1",
         "a90000004001004041010408080c0000"},
        {"ALU pop_prev push_next alu_opcode=max input_address=0x10 output_address=0x10 "
         "output_height=8 output_width=8 window_height=1 window_width=1 mem_stride_ow=8 "
         "mem_stride_r=1 mem_stride_s=1 num_active=32 use_immediate=1",
         "b9000800100808110801012080000000"},
        {"STORE pop_prev push_prev dram_address=0x80009000 sram_address=0x3000200 x_size=8 "
         "y_size=8 z_size=32 z_stride=64 y_stride=64",
         "9c80009000c000800202081010000000"},
        {"ALU push_prev pop_next", "b6000000000000000000000000000000"},
    };
    const Architecture architecture = square(32);
    for (const auto& [text, word] : kVectors) {
        const Instruction instruction = instruction_of(text);
        EXPECT_EQ(word_text(encode(instruction)), word);
        EXPECT_EQ(problem(architecture, instruction), "");
        const auto decoded = decode(*parse_word(word));
        ASSERT_TRUE(decoded);
        EXPECT_EQ(word_text(encode(*decoded)), word);
        EXPECT_EQ(word_text(encode(instruction_of(assembly_text(*decoded)))), word);
    }
}

/// Every bit belongs to one field, the opcode, a flag or is spare; wider fields lie behind those of
/// the original, so that zeros there mean the original.
TEST(SystolicIsa, FieldsDoNotOverlap) {
    const std::map<Module, int> kSpareFrom = {
        {Module::load, 20}, {Module::gemm, 18}, {Module::alu, 23}, {Module::store, 20}};
    for (const Module module : kModules) {
        std::set<int> used;
        std::set<std::string_view> names;
        for (const Field& field : fields(module)) {
            EXPECT_TRUE(names.insert(field.name).second) << field.name;
            for (int i = 0; i < field.width; ++i)
                EXPECT_TRUE(used.insert(field.at + i).second) << field.name;
            for (int i = 0; i < field.more_width; ++i) {
                EXPECT_TRUE(used.insert(field.more_at + i).second) << field.name;
                EXPECT_LT(field.more_at + i, kSpareFrom.at(module)) << field.name;
            }
        }
        for (int bit = kSpareFrom.at(module); bit < 120; ++bit)
            EXPECT_EQ(used.count(bit), 1U) << module_name(module) << " bit " << bit;
        EXPECT_LT(*used.rbegin(), 120);
    }
}

TEST(SystolicIsa, RoundTripOfAnyBits) {
    verif::Random random(1);
    for (int i = 0; i < 4000; ++i) {
        Word word = {random.bits(), random.bits()};
        set_bits(word, 124, 4, static_cast<std::uint64_t>(random.in(8, 11)));
        Instruction instruction = *decode(word);
        ASSERT_EQ(encode(instruction), word);
        EXPECT_EQ(word_of_bytes(word_bytes(word).data()), word);
        for (const FlagRow& row : kFlags)
            if (!is_legal(instruction.module, row.flag)) instruction.flags.*row.flag = false;
        EXPECT_EQ(encode(instruction_of(assembly_text(instruction))), encode(instruction))
            << assembly_text(instruction);
    }
    EXPECT_FALSE(decode(*parse_word("70000000000000000000000000000000")));
}

TEST(SystolicIsa, WideFields) {
    EXPECT_EQ(word_text(encode(instruction_of("GEMM stride_h=0x112"))),
              "a0000000000000000000010000004400");
    EXPECT_EQ(word_text(encode(instruction_of("LOAD y_stride=2112 z_stride=0x101"))),
              "80000000000000000000000050008040");
    // High bits of a signed field are what differs from the sign of the original.
    EXPECT_EQ(word_text(encode(instruction_of("ALU immediate_value=-3"))),
              "b000000000000000000000007e800000");
    EXPECT_EQ(word_text(encode(instruction_of("ALU immediate_value=253"))),
              "b000000000000000000000007e9fe000");
    for (const int value : {-32768, -129, -128, -3, 127, 128, 32767}) {
        const Instruction alu = instruction_of("ALU immediate_value=" + std::to_string(value));
        EXPECT_EQ(decode(encode(alu))->alu.immediate_value, value);
    }
}

/// Of a program of another family the place of each line would be told.
TEST(SystolicIsa, BytesAreNoText) {
    std::vector<std::string> errors;
    EXPECT_FALSE(assemble(std::string("MACR\n\0\n", 7), "x", nullptr, errors));
    EXPECT_EQ(errors, std::vector<std::string>{
                          "x: not a text: want instructions, or the .json file of a network"});
}

TEST(SystolicIsa, MistakesInText) {
    const std::pair<const char*, const char*> kLines[] = {
        {"MUL", "x:1: found `MUL`: want LOAD, GEMM, ALU or STORE"},
        {"LOAD pop_prev",
         "x:1: found `pop_prev`: want a flag of LOAD, pop_next or push_next, or name=value"},
        {"STORE push_next",
         "x:1: found `push_next`: want a flag of STORE, pop_prev or push_prev, or name=value"},
        {"GEMM pop_prev pop_prev", "x:1: `pop_prev`: want it once"},
        {"ALU alu_opcode=mul",
         "x:1: alu_opcode = `mul`: want max, min, add, shift or a number in 0..3"},
        {"ALU immediate_value=40000",
         "x:1: immediate_value = `40000`: want a number in -32768..32767"},
        {"LOAD x_size=256", "x:1: x_size = `256`: want a number in 0..255"},
        {"LOAD x_size=", "x:1: x_size = ``: want a number in 0..255"},
        {"; comment\n\nSTORE spare=80000000000000000000000000000000",
         "x:3: spare `80000000000000000000000000000000`: want bits of no field"},
    };
    for (const auto& [text, message] : kLines) {
        std::vector<std::string> errors;
        EXPECT_FALSE(assemble(text, "x", nullptr, errors));
        EXPECT_EQ(errors, std::vector<std::string>{message});
    }
    std::vector<std::string> errors;
    EXPECT_FALSE(assemble("GEMM stride=1", "x", nullptr, errors));
    EXPECT_EQ(errors.front().find("x:1: found `stride`: want input_address, output_address"), 0U);
}

TEST(SystolicIsa, MistakesInHexFiles) {
    const Architecture architecture;
    std::vector<std::string> errors;
    EXPECT_FALSE(
        files::parse_hex("50000000000000000000000000000000\n123\n"
                         "88000000000000000000000000000000\n",
                         "p.hex", &architecture, errors));
    EXPECT_EQ(errors, (std::vector<std::string>{
                          "p.hex:1: opcode 5: want 8, 9, 10 or 11",
                          "p.hex:2: found `123`: want 32 hexadecimal digits",
                          "p.hex:3: pop_prev: LOAD has no module on that side",
                      }));
}

TEST(SystolicIsa, IllegalInstructions) {
    Architecture a = square(4);
    a.ibuf_entries = 16;
    a.wbuf_entries = 32;
    a.obuf_entries = 32;
    const std::string sizes = " x_size=2 y_size=2 z_size=2 z_stride=2 y_stride=2";
    const std::string gemm = "GEMM ofmap_height=2 ofmap_width=2 active_rows=4 active_cols=4 ";
    const std::string alu =
        "ALU output_height=2 output_width=2 window_height=1 window_width=1 num_active=4 ";
    const std::pair<std::string, const char*> kCases[] = {
        {"LOAD sram_address=0x1000000" + sizes, "bitwidth 0: wide elements into IBUF: want OBUF"},
        {"LOAD sram_address=0x2000000" + sizes, "bitwidth 0: wide elements into WBUF: want OBUF"},
        {"STORE sram_address=0x1000000" + sizes, "sram_address: STORE from IBUF: want OBUF"},
        {"STORE sram_address=0x2000000 bitwidth=1" + sizes,
         "sram_address: STORE from WBUF: want OBUF"},
        {"LOAD sram_address=0x100" + sizes, "sram_address 0x100: no entry and bank of a buffer"},
        {"STORE sram_address=0x3000040" + sizes,
         "sram_address 0x3000040: no entry and bank of a buffer"},
        {"STORE sram_address=0x380003c" + sizes,
         "sram_address 0x380003c: no entry and bank of a buffer"},
        {"LOAD bitwidth=1 sram_address=0x1000003" + sizes,
         "z_size 2: want at most 1, the banks of IBUF from bank 3"},
        {"LOAD bitwidth=1 sram_address=0x1000034" + sizes,
         "x_size * y_size 4: want at most 3, the entries of IBUF from entry 13"},
        {"LOAD bitwidth=1 sram_address=0x1000000 dram_address=0xfffffff9" + sizes,
         "last byte 4294967296: want at most 4294967295, the end of memory"},
        {"LOAD x_size=1 z_size=2", "y_size 0: want at least 1, or zero in all sizes"},
        {"GEMM spare=00000000000000000000000000000001",
         "bits 00000000000000000000000000000001: belong to no field, want zeros"},
        {"GEMM ofmap_height=1 ofmap_width=1 active_rows=5 active_cols=1",
         "active_rows 5: want at most 4, the rows of the array"},
        {"GEMM ofmap_height=1 ofmap_width=1 active_rows=1 active_cols=5",
         "active_cols 5: want at most 4, the columns of the array"},
        {gemm + "weight_address=29",
         "weight_address + active_rows 33: want at most 32, the entries of WBUF"},
        {gemm + "output_address=29",
         "output_address + pixels 33: want at most 32, the entries of OBUF"},
        {alu + "mem_stride_ow=32",
         "input_address + pixels 33: want at most 32, the entries of OBUF"},
        {alu + "alu_opcode=shift", "use_immediate 0: shift wants an immediate"},
        {alu + "accumulate=1 use_immediate=1",
         "accumulate 1: windows start from the immediate already"},
        {alu + "alu_opcode=max multiply=1 use_immediate=1", "multiply 1: want alu_opcode add"},
        {alu + "alu_opcode=add multiply=1", "multiply 1: want use_immediate 1"},
        {"STORE sram_address=0x3000000 requantise=1" + sizes,
         "requantise 1: wide elements: want bitwidth 1"},
        {"LOAD bitwidth=1 requantise=1 sram_address=0x1000000" + sizes,
         "requantise 1: LOAD does not scale"},
        {"STORE sram_address=0x3000000 scale_set=1" + sizes, "scale_set: want requantise 1"},
        {"LOAD bitwidth=1" + sizes,
         "bitwidth 1: narrow elements into scale memory: want wide ones"},
    };
    for (const auto& [text, message] : kCases) {
        EXPECT_EQ(problem(a, instruction_of(text)), message) << text;
    }
    const std::string reset = "LOAD is_reset=1 bitwidth=1 sram_address=0x1000000";
    EXPECT_EQ(problem(a, instruction_of(reset + sizes)), "");
    // From OBUF1 into OBUF2: entries 15 and 16.
    EXPECT_EQ(problem(a, instruction_of("STORE sram_address=0x300003c x_size=1 y_size=2 z_size=4")),
              "");
}

TEST(SystolicIsa, PlacesHaveAddresses) {
    Architecture a = square(3);
    a.rows = 5;
    a.obuf_entries = 7;
    for (const Buffer buffer : {Buffer::ibuf, Buffer::wbuf, Buffer::obuf}) {
        for (int entry = 0; entry < entries(a, buffer); ++entry) {
            for (int bank = 0; bank < banks(a, buffer); ++bank) {
                const auto place = place_of(a, sram_address(a, {buffer, entry, bank}));
                ASSERT_TRUE(place);
                EXPECT_TRUE(place->buffer == buffer && place->entry == entry &&
                            place->bank == bank);
            }
        }
    }
    EXPECT_FALSE(place_of(a, 0x1000005));  // rows 5 .. 7 do not exist
}

TEST(SystolicIsa, AccessesLeaveOutPadding) {
    Architecture a = square(4);
    a.ibuf_entries = 8;
    const Accesses found = accesses(
        a, instruction_of("GEMM input_address=6 ofmap_height=1 ofmap_width=4 active_rows=3 "
                          "active_cols=2 stride_w=1 pad_left=1 output_address=9"));
    ASSERT_EQ(found.buffers.size(), 3U);
    const auto& input = found.buffers[0].entries;  // 7, 0, 1
    ASSERT_EQ(input.size(), 2U);
    EXPECT_TRUE(input[0].begin == 0 && input[0].end == 2);
    EXPECT_TRUE(input[1].begin == 7 && input[1].end == 8);
    EXPECT_EQ(found.buffers[0].banks.end, 3);
    EXPECT_EQ(found.buffers[2].banks.end, 2);
    EXPECT_EQ(common_point({{0, 4}, {8, 9}}, {{4, 8}}), -1);
    EXPECT_EQ(common_point({{0, 4}, {8, 9}}, {{5, 20}}), 8);
}

TEST(SystolicIsa, AccessesAreThoseOfAllPixels) {
    Architecture a = square(4);
    a.ibuf_entries = 16;
    verif::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        Instruction instruction;
        instruction.module = Module::gemm;
        Gemm& g = instruction.gemm;
        g.input_address = random.in(0, 15);
        g.ofmap_height = random.in(1, 5);
        g.ofmap_width = random.in(1, 20);
        g.stride_h = random.in(0, 9);
        g.stride_w = random.in(0, 2);
        g.pad_top = random.in(0, 2);
        g.pad_bottom = random.in(0, 2);
        g.pad_left = random.in(0, 6);
        g.pad_right = random.in(0, 6);
        std::vector<Interval> pixels;
        for_pixels(a, g, [&](std::int64_t, std::int64_t entry, bool padded) {
            if (!padded) pixels.push_back({entry, entry + 1});
        });
        const Intervals wanted = joined(std::move(pixels));
        const Intervals found = accesses(a, instruction).buffers[0].entries;
        ASSERT_EQ(found.size(), wanted.size()) << i;
        for (std::size_t n = 0; n < wanted.size(); ++n)
            EXPECT_TRUE(found[n].begin == wanted[n].begin && found[n].end == wanted[n].end) << i;
    }
}

TEST(SystolicIsa, TablesNameAllFields) {
    const std::string tables = field_tables();
    for (const Module module : kModules)
        for (const Field& field : fields(module))
            EXPECT_NE(tables.find(" " + std::string(field.name) + " |"), tables.npos);
    EXPECT_NE(tables.find("| 14:3, 29:22 | y_stride |"), tables.npos);
}

TEST(SystolicIsa, ConformancePrograms) {
    SKIP_WITHOUT_CONFORMANCE();
    std::size_t words = 0;
    for (const test::Case& c : test::all_cases()) {
        std::vector<std::string> errors;
        const auto text = files::read_bytes(c.name + "/program.hex", errors);
        ASSERT_TRUE(text);
        std::string hex = files::hex_text(c.program);
        if (text->back() != '\n') hex.pop_back();
        EXPECT_EQ(hex, std::string(text->begin(), text->end())) << c.name;
        const auto again = program_of(disassemble(c.program), &c.architecture);
        EXPECT_EQ(files::hex_text(again), files::hex_text(c.program)) << c.name;
        words += again.size();
    }
    EXPECT_GT(words, 1000U);
}

}  // namespace
}  // namespace macrame::systolic
