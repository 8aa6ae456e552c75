/// The golden model: arithmetic, definition-level loops against direct layers, conformance data.

#include <gtest/gtest.h>

#include "verif/common/json.hpp"
#include "verif/common/random.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/model/arithmetic.hpp"
#include "verif/systolic/model/simulator.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using model::Machine;
using test::instruction_of;
using test::program_of;

TEST(SystolicMachine, Arithmetic) {
    EXPECT_EQ(model::wrap(0x80, 8), -128);
    EXPECT_EQ(model::wrap(-129, 8), 127);
    EXPECT_EQ(model::wrap(std::int64_t{1} << 31, 32), -(std::int64_t{1} << 31));
    EXPECT_EQ(model::clamp(300, 8), 127);
    EXPECT_EQ(model::clamp(-300, 8), -128);
    EXPECT_EQ(model::shift(-5, 1, 32), -3);
    EXPECT_EQ(model::shift(-5, 100, 32), -1);
    EXPECT_EQ(model::shift(3, -30, 32), -(std::int64_t{1} << 30));
    EXPECT_EQ(model::shift(3, -32, 32), 0);
}

/// A small machine with numbers everywhere.
class SystolicSmallMachine : public ::testing::Test {
protected:
    SystolicSmallMachine() : machine_(architecture(), memory_) {
        verif::Random random(7);
        for (int entry = 0; entry < 16; ++entry)
            for (int bank = 0; bank < 4; ++bank)
                machine_.set({Buffer::obuf, entry, bank}, random.in(-1000, 1000));
        for (int i = 0; i < 256; ++i)
            memory_.fill(static_cast<std::uint64_t>(i), 1, static_cast<std::uint8_t>(i));
    }
    static Architecture architecture() {
        Architecture a;
        a.rows = a.columns = 4;
        a.ibuf_entries = a.wbuf_entries = a.obuf_entries = 16;
        return a;
    }
    void run(const std::string& text) { EXPECT_EQ(machine_.execute(instruction_of(text)), ""); }
    std::int32_t obuf(int entry, int bank) const {
        return machine_.value({Buffer::obuf, entry, bank});
    }

    verif::Memory memory_;
    Machine machine_;
};

TEST_F(SystolicSmallMachine, TransfersKeepTheStartBank) {
    run("LOAD bitwidth=1 sram_address=0x1000009 dram_address=0x7f x_size=2 y_size=2 z_size=2 "
        "z_stride=3 y_stride=5");  // entry 2, bank 1; bytes 127, 130, 135, 138
    EXPECT_EQ(machine_.entry(Buffer::ibuf, 2), (std::vector<std::int32_t>{0, 127, -128, 0}));
    EXPECT_EQ(machine_.entry(Buffer::ibuf, 3), (std::vector<std::int32_t>{0, -126, -125, 0}));
    EXPECT_EQ(machine_.entry(Buffer::ibuf, 4), (std::vector<std::int32_t>{0, -121, -120, 0}));
    EXPECT_EQ(machine_.entry(Buffer::ibuf, 5), (std::vector<std::int32_t>{0, -118, -117, 0}));
    const std::int32_t kept = obuf(1, 0);
    run("LOAD sram_address=0x3000005 dram_address=1 x_size=1 y_size=1 z_size=1");
    EXPECT_EQ(obuf(1, 1), 0x04030201);
    EXPECT_EQ(obuf(1, 0), kept);
    run("LOAD bitwidth=1 sram_address=0x3800020 dram_address=0xff x_size=1 y_size=1 z_size=1");
    EXPECT_EQ(obuf(8, 0), -1);
}

TEST_F(SystolicSmallMachine, NarrowStoresClamp) {
    machine_.set({Buffer::obuf, 3, 2}, 128);
    machine_.set({Buffer::obuf, 3, 3}, -129);
    run("STORE bitwidth=1 sram_address=0x300000e dram_address=0x101 x_size=1 y_size=1 z_size=2");
    EXPECT_EQ(memory_.dump(0x100, 4), (std::vector<std::uint8_t>{0, 127, 128, 0}));
    run("STORE sram_address=0x300000e dram_address=0x101 x_size=1 y_size=1 z_size=2");
    EXPECT_EQ(memory_.dump(0x100, 10),
              (std::vector<std::uint8_t>{0, 128, 0, 0, 0, 127, 255, 255, 255, 0}));
}

TEST_F(SystolicSmallMachine, AluOperations) {
    const std::int32_t a = -77;
    machine_.set({Buffer::obuf, 0, 0}, a);
    machine_.set({Buffer::obuf, 1, 0}, -78);
    const std::string sizes =
        " output_address=9 output_height=1 output_width=1 window_height=1 num_active=1";
    const std::pair<std::string, std::int32_t> kCases[] = {
        {"alu_opcode=max window_width=2", -77},  // not 0
        {"alu_opcode=min window_width=2", -78},
        {"alu_opcode=add window_width=2", -155},
        {"alu_opcode=max window_width=2 use_immediate=1", 0},
        {"alu_opcode=min window_width=2 use_immediate=1 immediate_value=-128", -128},
        {"alu_opcode=add window_width=1 use_immediate=1 immediate_value=-128", -205},
        {"alu_opcode=shift window_width=1 use_immediate=1 immediate_value=2", -20},
        {"alu_opcode=shift window_width=1 use_immediate=1 immediate_value=-2", -308},
    };
    for (const auto& [text, result] : kCases) {
        run("ALU " + text + sizes);
        EXPECT_EQ(obuf(9, 0), result) << text;
    }
    machine_.set({Buffer::obuf, 9, 0}, 1000);
    run("ALU alu_opcode=add window_width=1 accumulate=1" + sizes);
    EXPECT_EQ(obuf(9, 0), 1000 + a);
    machine_.set({Buffer::obuf, 0, 0}, 2147483647);
    run("ALU alu_opcode=add window_width=1 use_immediate=1 immediate_value=1" + sizes);
    EXPECT_EQ(obuf(9, 0), -2147483647 - 1);
}

/// Rows: lane, bias, multiplier, shift, zero point, lowest, highest; result, worked out by hand.
TEST_F(SystolicSmallMachine, StoresScaleEveryColumn) {
    struct Row {
        std::int32_t lane, bias, multiplier, shift, zero_point, lowest, highest, result;
    };
    const Row kRows[] = {
        {1000, 24, 3, 5, -6, -128, 127, 90},              // 3072 / 32 - 6
        {-5, 0, 1, 1, 0, -128, 127, -2},                  // -2.5: half goes up
        {5, 0, 1, 1, 0, -128, 127, 3},                    // 2.5
        {5, 0, -1, 1, 0, -128, 127, -2},
        {77, 0, 2, 0, 3, -128, 127, 127},                 // 157
        {-100, 0, 131071, 17, 0, -128, 127, -100},        // just over -100
        {-100, 0, -131072, 16, 100, -128, 50, 50},        // 200 + 100
        {7, 2147483647, 1, 31, 9, -128, 127, 8},          // the sum wraps: -2147483642, about -1
        {3, 0, 1, 40, -3, -128, 127, -3},
        {0, 0, 0, 0, -32768, -128, 127, -128},
        {0, 0, 0, 0, 5, 6, 127, 6},
        {9, 0, 1, 0, 0, 6, 4, 4},                         // limits the wrong way round
        {2, 0, 1, 0, 0, 6, 4, 6},
    };
    int count = 0;
    for (const Row& row : kRows) {
        const int bank = count % 4;
        const int set = count++ % kScaleSets;
        machine_.set({Buffer::obuf, 3, bank}, row.lane);
        const std::int32_t low = row.lowest & 0xffff;
        const std::int32_t words[] = {row.bias, row.multiplier,
                                      (row.zero_point * 65536) | row.shift,
                                      (row.highest * 65536) | low};
        for (int word = 0; word < kScaleWords; ++word)
            machine_.set({Buffer::scale, set * kScaleWords + word, bank}, words[word]);
        run("STORE bitwidth=1 requantise=1 scale_set=" + std::to_string(set) +
            " sram_address=" + std::to_string(0x300000c + bank) +
            " dram_address=0x101 x_size=1 y_size=1 z_size=1");
        EXPECT_EQ(memory_.dump(0x100, 3),
                  (std::vector<std::uint8_t>{0, static_cast<std::uint8_t>(row.result), 0}))
            << "row " << count;
    }
}

/// Multipliers of 32 bits and each way of rounding, by hand.
TEST_F(SystolicSmallMachine, ExactScalesRoundAsTheySay) {
    Architecture exact = machine_.architecture();
    exact.exact = true;
    model::Machine machine(exact, memory_);
    struct Row {
        std::int32_t lane, multiplier;
        int shift, rounding, result;
    };
    constexpr std::int32_t kHalf = 1 << 30;  // of 2^31
    const Row kRows[] = {
        {5, 1, 1, 0, 3},
        {-5, 1, 1, 0, -2},  // halves: up
        {5, 1, 1, 1, 2},
        {7, 1, 1, 1, 4},
        {-5, 1, 1, 1, -2},
        {-7, 1, 1, 1, -4},
        {5, 1, 1, 2, 3},
        {-5, 1, 1, 2, -3},  // away from zero
        {11, 1, 2, 1, 3},
        {9, 1, 2, 2, 2},
        {-11, 1, 2, 2, -3},
        {-9, 1, 2, 1, -2},
        {5, kHalf, 31, 3, 3},
        {-5, kHalf, 31, 3, -2},  // the first time up
        {5, kHalf, 32, 3, 2},
        {-5, kHalf, 32, 3, -1},  // 2.5: 3: 1.5; -2.5: -2: -1
        {3, kHalf, 32, 3, 1},
        {-6, kHalf, 32, 3, -2},  // -3: -1.5: away
        {100, 2147483647, 31, 0, 100},
        {-100, -2147483647 - 1, 31, 3, 100},
        {1000000, 12345678, 38, 1, 45},
        {3, 1, 63, 0, 0},
        {-3, 1, 63, 2, 0},
    };
    for (const Row& row : kRows) {
        machine.set({Buffer::obuf, 3, 0}, row.lane);
        const std::int32_t words[] = {0, row.multiplier, row.rounding << 6 | row.shift,
                                      127 * 65536 + 0xff80};
        for (int word = 0; word < kScaleWords; ++word)
            machine.set({Buffer::scale, word, 0}, words[word]);
        Instruction store;
        store.module = Module::store;
        store.transfer.bitwidth = store.transfer.requantise = 1;
        store.transfer.sram_address = 0x300000c;
        store.transfer.dram_address = 0x100;
        store.transfer.x_size = store.transfer.y_size = store.transfer.z_size = 1;
        EXPECT_EQ(machine.execute(store), "");
        EXPECT_EQ(static_cast<std::int8_t>(memory_.dump(0x100, 1)[0]), row.result)
            << row.lane << " * " << row.multiplier << " >> " << row.shift << ", rounding "
            << row.rounding;
    }
}

TEST_F(SystolicSmallMachine, AluMultiplies) {
    const std::string sizes =
        "ALU alu_opcode=add multiply=1 use_immediate=1 output_address=9 output_height=1 "
        "output_width=1 window_height=2 window_width=2 mem_stride_s=4 num_active=1";
    const std::int32_t kElements[] = {100, -3, 70000, 0x12348000};  // 16 bits: 4464, -32768
    const int kEntries[] = {0, 1, 4, 5};
    for (int i = 0; i < 4; ++i)
        machine_.set({Buffer::obuf, kEntries[i], 0}, kElements[i]);
    run(sizes + " immediate_value=300");
    EXPECT_EQ(obuf(9, 0), 300 * (100 - 3 + 4464 - 32768));
    run(sizes + " immediate_value=-32768 accumulate=1");
    EXPECT_EQ(obuf(9, 0), (300 - 32768) * (100 - 3 + 4464 - 32768));
    machine_.set({Buffer::obuf, 9, 0}, 2147483647);
    machine_.set({Buffer::obuf, 1, 0}, -99);
    machine_.set({Buffer::obuf, 4, 0}, 0);
    machine_.set({Buffer::obuf, 5, 0}, 0);
    run(sizes + " immediate_value=2 accumulate=1");
    EXPECT_EQ(obuf(9, 0), -2147483647);
}

TEST_F(SystolicSmallMachine, PaddedPixelsHaveTheirValue) {
    for (int row = 0; row < 4; ++row) {
        machine_.set({Buffer::ibuf, 5, row}, 10 + row);
        for (int column = 0; column < 4; ++column)
            machine_.set({Buffer::wbuf, row, column}, column == 1 ? row + 1 : 0);
    }
    // 2 x 2 pixels, three of them padded, three rows.
    run("GEMM input_address=5 output_address=0 weight_address=0 ofmap_height=2 ofmap_width=2 "
        "active_rows=3 active_cols=2 pad_right=1 pad_bottom=1 pad_value=-7");
    EXPECT_EQ(obuf(0, 1), 10 + 2 * 11 + 3 * 12);
    for (const int entry : {1, 2, 3})
        EXPECT_EQ(obuf(entry, 1), -7 * 6) << entry;
    EXPECT_EQ(obuf(3, 0), 0);
}

TEST_F(SystolicSmallMachine, NopsAndIllegalInstructionsTouchNothing) {
    const auto before = machine_.entry(Buffer::obuf, 3);
    for (const char* text : {"LOAD", "GEMM output_address=3", "ALU output_address=3", "STORE"})
        run(text);
    EXPECT_NE(machine_.execute(instruction_of("STORE x_size=1 y_size=1 z_size=1")), "");
    EXPECT_EQ(machine_.entry(Buffer::obuf, 3), before);
    EXPECT_EQ(memory_.device_writes(), 0U);
}

/// A convolution tile of H x W pixels at entry `base` of IBUF, all taps one after the other.
struct Layer {
    int h, w, r, s, sy, sx, pt, pb, pl, pr, channels, filters, base;
    int oh() const { return (h + pt + pb - r) / sy + 1; }
    int ow() const { return (w + pl + pr - s) / sx + 1; }
};

Layer random_layer(verif::Random& random) {
    Layer l{};
    l.r = random.in(1, 4);
    l.s = random.in(1, 4);
    l.sy = random.in(1, 3);
    l.sx = random.in(1, 3);
    l.pt = random.in(0, l.r - 1);
    l.pb = random.in(0, l.r - 1);
    l.pl = random.in(0, l.s - 1);
    l.pr = random.in(0, l.s - 1);
    l.h = random.in(l.r, 9);
    l.w = random.in(l.s, 9);
    l.channels = random.in(1, 5);
    l.filters = random.in(1, 3);
    l.base = random.in(0, 99);
    return l;
}

int ceil_div(int a, int b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }
int floor_div(int a, int b) { return a >= 0 ? a / b : -ceil_div(-a, b); }

/// Fields of the tap (r, s) by the table of the facts.
Gemm tap(const Layer& l, int r, int s, int ibuf_entries) {
    Gemm g;
    const int at = l.base + (r - l.pt) * l.w + (s - l.pl);
    g.input_address = ((at % ibuf_entries) + ibuf_entries) % ibuf_entries;
    g.weight_address = (r * l.s + s) * l.channels;
    g.ofmap_height = l.oh();
    g.ofmap_width = l.ow();
    g.active_rows = l.channels;
    g.active_cols = l.filters;
    g.stride_h = l.sy * l.w;
    g.stride_w = l.sx;
    g.pad_top = std::max(0, ceil_div(l.pt - r, l.sy));
    g.pad_left = std::max(0, ceil_div(l.pl - s, l.sx));
    g.pad_bottom = std::max(0, l.oh() - (floor_div(l.h - 1 + l.pt - r, l.sy) + 1));
    g.pad_right = std::max(0, l.ow() - (floor_div(l.w - 1 + l.pl - s, l.sx) + 1));
    g.preload_output = r + s > 0 ? 1 : 0;
    return g;
}

TEST(SystolicMachine, TapsAreConvolutions) {
    Architecture a;
    a.rows = 5;
    a.columns = 3;
    a.ibuf_entries = 100;
    verif::Random random(3);
    for (int trial = 0; trial < 400; ++trial) {
        const Layer l = random_layer(random);
        verif::Memory memory;
        Machine machine(a, memory);
        for (int i = 0; i < a.ibuf_entries; ++i)
            for (int c = 0; c < a.rows; ++c)
                machine.set({Buffer::ibuf, i, c}, random.in(-128, 127));
        for (int i = 0; i < a.wbuf_entries; ++i)
            for (int m = 0; m < a.columns; ++m)
                machine.set({Buffer::wbuf, i, m}, random.in(-128, 127));
        Instruction instruction;
        instruction.module = Module::gemm;
        for (int r = 0; r < l.r; ++r) {
            for (int s = 0; s < l.s; ++s) {
                instruction.gemm = tap(l, r, s, a.ibuf_entries);
                const auto decoded = decode(encode(instruction));
                ASSERT_EQ(machine.execute(*decoded), "");
            }
        }
        for (int e = 0; e < l.oh(); ++e) {
            for (int f = 0; f < l.ow(); ++f) {
                for (int m = 0; m < l.filters; ++m) {
                    std::int32_t sum = 0;
                    for (int r = 0; r < l.r; ++r) {
                        for (int s = 0; s < l.s; ++s) {
                            const int y = e * l.sy + r - l.pt;
                            const int x = f * l.sx + s - l.pl;
                            if (y < 0 || y >= l.h || x < 0 || x >= l.w) continue;
                            const int pixel = (l.base + y * l.w + x) % a.ibuf_entries;
                            for (int c = 0; c < l.channels; ++c) {
                                sum += machine.value({Buffer::ibuf, pixel, c}) *
                                       machine.value(
                                           {Buffer::wbuf, (r * l.s + s) * l.channels + c, m});
                            }
                        }
                    }
                    ASSERT_EQ(machine.value({Buffer::obuf, e * l.ow() + f, m}), sum)
                        << "trial " << trial << " pixel " << e << "," << f;
                }
            }
        }
    }
}

TEST(SystolicMachine, WindowsArePools) {
    Architecture a;
    a.columns = 3;
    verif::Random random(4);
    for (int trial = 0; trial < 200; ++trial) {
        const int r = random.in(1, 4), s = random.in(1, 4);
        const int h = random.in(r, 9), w = random.in(s, 9);
        const int sy = random.in(1, 3), sx = random.in(1, 3);
        const int oh = (h - r) / sy + 1, ow = (w - s) / sx + 1;
        verif::Memory memory;
        Machine machine(a, memory);
        for (int i = 0; i < h * w; ++i)
            for (int m = 0; m < a.columns; ++m)
                machine.set({Buffer::obuf, i, m}, random.in(-1000, 1000));
        Instruction i;
        i.module = Module::alu;
        i.alu = {static_cast<int>(AluOp::max), 0, 128, oh, ow, r, s, sy * w, sx, w, 3, 0, 0, 0};
        ASSERT_EQ(machine.execute(*decode(encode(i))), "");
        for (int e = 0; e < oh; ++e) {
            for (int f = 0; f < ow; ++f) {
                for (int m = 0; m < 3; ++m) {
                    std::int32_t most = -100000;
                    for (int k = 0; k < r * s; ++k) {
                        const int pixel = (e * sy + k / s) * w + f * sx + k % s;
                        most = std::max(most, machine.value({Buffer::obuf, pixel, m}));
                    }
                    ASSERT_EQ(machine.value({Buffer::obuf, 128 + e * ow + f, m}), most);
                }
            }
        }
    }
}

TEST(SystolicSimulator, TokensAndQueuesCanBeAskedFor) {
    Architecture a;
    a.queue_depth = 2;
    verif::Memory memory;
    model::Simulator simulator(
        a, program_of("LOAD push_next\nGEMM pop_prev push_prev\nLOAD pop_next\nLOAD\n"), memory);
    const Scheduler& s = simulator.scheduler();
    EXPECT_EQ(s.unresolved(), (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(s.queue(Module::load).size(), 2U);
    EXPECT_EQ(simulator.step(), 0U);
    EXPECT_EQ(s.tokens(Tokens::load_to_gemm), 1U);
    EXPECT_EQ(simulator.step(), 1U);
    EXPECT_EQ(s.tokens(Tokens::load_to_gemm), 0U);
    EXPECT_EQ(s.tokens(Tokens::gemm_to_load), 1U);
    EXPECT_EQ(s.unresolved(), (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(simulator.run(), "");
    EXPECT_TRUE(s.done());
}

TEST(SystolicSimulator, WhatGoesWrongIsNamed) {
    Architecture a;
    a.queue_depth = 1;
    const std::pair<const char*, const char*> kPrograms[] = {
        {"GEMM pop_prev\nGEMM\nLOAD push_next",
         "deadlock; GEMM: instruction 0 waits for a token of LOAD to GEMM; fetch: instruction 1 "
         "waits for room in the queue of GEMM"},
        {"LOAD push_next", "1 tokens of LOAD to GEMM are left"},
        {"LOAD push_next\nLOAD push_next\nLOAD push_next\nLOAD push_next\nLOAD push_next",
         "deadlock; LOAD: instruction 4 waits for room for a token of LOAD to GEMM"},
        {"STORE x_size=1 y_size=1 z_size=1 sram_address=0x1000000",
         "instruction 0: sram_address: STORE from IBUF: want OBUF"},
    };
    for (const auto& [text, message] : kPrograms) {
        verif::Memory memory;
        EXPECT_EQ(model::Simulator(a, program_of(text), memory).run(), message);
    }
}

TEST(SystolicSimulator, ConformanceInAnyOrder) {
    SKIP_WITHOUT_CONFORMANCE();
    for (const test::Case& c : test::all_cases()) {
        for (std::uint64_t order = 0; order < 7; ++order) {
            verif::Memory memory;
            memory.load(0, c.before);
            const auto seed = order == 0 ? std::nullopt : std::optional<std::uint64_t>(order);
            model::Simulator simulator(c.architecture, c.program, memory, seed);
            EXPECT_EQ(simulator.run(), "") << c.name;
            ASSERT_TRUE(memory.dump(0, c.after.size()) == c.after) << c.name << " order " << order;
        }
    }
}

/// The buffer that buffers.json has after an instruction.
void expect_buffer(const Machine& machine, Buffer name, const verif::Json& rows) {
    for (std::size_t entry = 0; entry < rows.items.size(); ++entry) {
        std::vector<std::int32_t> wanted;
        for (const verif::Json& number : rows.items[entry].items)
            wanted.push_back(verif::text::decimal<std::int32_t>(number.text).value());
        ASSERT_EQ(machine.entry(name, static_cast<int>(entry)), wanted)
            << buffer_name(name) << " entry " << entry;
    }
}

TEST(SystolicSimulator, WorkedExampleStepByStep) {
    SKIP_WITHOUT_CONFORMANCE();
    const test::Case c = test::read_case(test::worked_example());
    std::string problem;
    const auto text = verif::text::read_file(c.name + "/buffers.json", problem);
    ASSERT_TRUE(text) << problem;
    const auto buffers = verif::parse_json(*text, problem);
    ASSERT_TRUE(buffers) << problem;
    ASSERT_EQ(buffers->items.size(), c.program.size());
    verif::Memory memory;
    memory.load(0, c.before);
    model::Machine machine(c.architecture, memory);
    for (std::size_t i = 0; i < c.program.size(); ++i) {
        SCOPED_TRACE("after instruction " + std::to_string(i));
        ASSERT_EQ(machine.execute(c.program[i]), "");
        expect_buffer(machine, Buffer::ibuf, *buffers->items[i].find("ibuf"));
        expect_buffer(machine, Buffer::wbuf, *buffers->items[i].find("wbuf"));
        expect_buffer(machine, Buffer::obuf, *buffers->items[i].find("obuf"));
    }
}

}  // namespace
}  // namespace macrame::systolic
