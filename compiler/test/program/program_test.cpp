#include "compiler/program/program.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sample.hpp"
#include "verif/common/random.hpp"

namespace macrame::program {
namespace {

void expect_equal(const Tensor& a, const Tensor& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.element, b.element);
    EXPECT_EQ(a.height, b.height);
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.channels, b.channels);
    EXPECT_EQ(a.offset, b.offset);
    EXPECT_EQ(a.group, b.group);
    EXPECT_EQ(a.surface_stride, b.surface_stride);
    EXPECT_EQ(a.line_stride, b.line_stride);
    EXPECT_EQ(a.pixel_stride, b.pixel_stride);
    EXPECT_EQ(a.scale, b.scale);
    EXPECT_EQ(a.zero_point, b.zero_point);
    EXPECT_EQ(a.filler, b.filler);
}

TEST(ProgramFile, RoundTripKeepsEverything) {
    const Program p = sample();
    ASSERT_EQ(problem(p), "");
    const std::vector<std::uint8_t> file = write(p);
    EXPECT_EQ(file.size() % 8, 0u);
    const ReadResult got = read(file);
    ASSERT_TRUE(got.ok()) << got.error;
    const Program& q = got.program;
    EXPECT_EQ(q.family, p.family);
    EXPECT_EQ(q.configuration, p.configuration);
    EXPECT_EQ(q.network, p.network);
    EXPECT_EQ(q.identity, p.identity);
    EXPECT_EQ(q.memory_bytes, p.memory_bytes);
    EXPECT_EQ(q.alignment, p.alignment);
    EXPECT_EQ(q.interrupt_status, p.interrupt_status);
    ASSERT_EQ(q.commands.size(), p.commands.size());
    for (std::size_t i = 0; i < p.commands.size(); ++i) {
        EXPECT_EQ(q.commands[i].code, p.commands[i].code);
        EXPECT_EQ(q.commands[i].address, p.commands[i].address);
        EXPECT_EQ(q.commands[i].value, p.commands[i].value);
        EXPECT_EQ(q.commands[i].aux, p.commands[i].aux);
    }
    ASSERT_EQ(q.segments.size(), p.segments.size());
    for (std::size_t i = 0; i < p.segments.size(); ++i) {
        EXPECT_EQ(q.segments[i].offset, p.segments[i].offset);
        EXPECT_EQ(q.segments[i].bytes, p.segments[i].bytes);
    }
    ASSERT_EQ(q.inputs.size(), 1u);
    ASSERT_EQ(q.outputs.size(), 2u);
    expect_equal(q.inputs[0], p.inputs[0]);
    expect_equal(q.outputs[0], p.outputs[0]);
    expect_equal(q.outputs[1], p.outputs[1]);
    ASSERT_EQ(q.layers.size(), 2u);
    EXPECT_EQ(q.layers[0].name, "conv");
    EXPECT_EQ(q.layers[0].estimated_cycles, 1000u);
    EXPECT_EQ(q.layers[0].macs, 20000u);
    EXPECT_EQ(write(q), file);
}

TEST(ProgramFile, Version2KeepsWhatIsNew) {
    const Program p = new_sample();
    ASSERT_EQ(problem(p), "");
    const std::vector<std::uint8_t> file = write(p);
    EXPECT_EQ(std::string(file.begin(), file.begin() + 8), "MACRPRG2");
    const ReadResult got = read(file);
    ASSERT_TRUE(got.ok()) << got.error;
    EXPECT_EQ(got.program.address_bits, 32u);
    EXPECT_EQ(got.program.identity_register, 0x3f018u);
    EXPECT_EQ(got.program.parameters, "atoms=8\nbanks=32\n");
    EXPECT_EQ(got.program.segments[1].bytes, p.segments[1].bytes);
    EXPECT_EQ(write(got.program), file);
    // Each alone makes the version.
    Program old = sample();
    EXPECT_EQ(write(old)[7], '1');
    old.address_bits = 40;
    EXPECT_EQ(write(old)[7], '2');
}

/// Places and sizes of README.md; what is wrong there.
TEST(ProgramFile, Version2IsCheckedFieldByField) {
    const std::vector<std::uint8_t> good = write(new_sample());
    EXPECT_EQ(good[20], 176);
    EXPECT_EQ(good[64], 176);  // commands
    EXPECT_EQ(good[160], 32);
    EXPECT_EQ(good[164] | good[165] << 8 | good[166] << 16, 0x3f018);
    struct Case {
        std::size_t at;
        std::uint8_t value;
        const char* error;
    };
    const Case cases[] = {{7, '1', "header of 176 bytes: want 160"},
                          {7, '4', "does not begin with MACRPRG1 to MACRPRG3"},
                          {20, 160, "header of 160 bytes: want 176"},
                          {160, 65, "65 address bits: want at most 64"},
                          {164, 0x19, "identity register 0x3f019: want a multiple of 4"},
                          {169, 9, "string 0x9"},
                          {172, 1, "reserved word"}};
    for (const Case& c : cases) {
        std::vector<std::uint8_t> bad = good;
        bad[c.at] = c.value;
        EXPECT_FALSE(read(bad).ok()) << c.at;
        seal(bad);
        EXPECT_NE(read(bad).error.find(c.error), std::string::npos) << c.at << read(bad).error;
    }
}

TEST(ProgramFile, SeveralNetworksKeepTheirOwn) {
    const std::vector<Program> programs = several();
    ASSERT_EQ(problem(programs), "");
    const std::vector<std::uint8_t> file = write(programs);
    EXPECT_EQ(std::string(file.begin(), file.begin() + 8), "MACRPRG3");
    EXPECT_EQ(file[20], 192);
    EXPECT_EQ(file[44], 0);  // inputs
    EXPECT_EQ(file[64], 0);  // commands, at 256
    EXPECT_EQ(file[65], 1);
    EXPECT_EQ(file[176], 192);  // networks
    EXPECT_EQ(file[184], 2);
    EXPECT_EQ(file[192 + 8], 8);        // commands of the first
    EXPECT_EQ(file[192 + 32 + 20], 1);  // inputs of the second
    const ReadResult got = read(file);
    ASSERT_TRUE(got.ok()) << got.error;
    ASSERT_EQ(got.programs.size(), 2u);
    EXPECT_TRUE(got.program.commands.empty());
    const Program& second = got.programs[1];
    EXPECT_EQ(second.name, "face");
    EXPECT_EQ(second.network, "face.onnx");
    EXPECT_EQ(second.parameters, programs[0].parameters);
    ASSERT_EQ(second.commands.size(), 2u);
    EXPECT_EQ(second.commands[1].value, 7u);
    ASSERT_EQ(second.segments.size(), 1u);
    EXPECT_EQ(second.segments[0].bytes, programs[1].segments[0].bytes);
    expect_equal(second.inputs[0], programs[1].inputs[0]);
    ASSERT_EQ(second.outputs.size(), 1u);
    EXPECT_EQ(second.layers[0].name, "dense");
    EXPECT_EQ(write(got.programs), file);
}

TEST(ProgramFile, SeveralNetworksAreCheckedFieldByField) {
    struct Case {
        std::size_t at;
        std::uint8_t value;
        const char* error;
    };
    const Case cases[] = {{7, '2', "header of 192 bytes: want 176"},
                          {44, 1, "inputs and network of the header: want 0"},
                          {56, 1, "inputs and network of the header: want 0"},
                          {176, 200, "section networks of 2 records at 0xc8"},
                          {184, 0, "section commands at 0x100: want 0xc0"},
                          {185, 9, "section networks of 2306 records"},
                          {193, 9, "string 0x9"},
                          {197, 9, "string 0x9"},
                          {192, 0, "a network without a name"},
                          {192 + 8, 99, "network 0: more records"},
                          {192 + 8, 7, "networks: want all records"},
                          {192 + 12, 2, "networks: want all records"},
                          {192 + 16, 1, "networks: want all records"},
                          {192 + 24, 1, "networks: want all records"},
                          {192 + 28, 1, "network 0: unused bits"}};
    for (const Case& c : cases) {
        std::vector<std::uint8_t> bad = write(several());
        bad[c.at] = c.value;
        seal(bad);
        EXPECT_NE(read(bad).error.find(c.error), std::string::npos) << c.at << read(bad).error;
    }
    std::vector<Program> twice = several();
    twice[1].name = twice[0].name;
    EXPECT_EQ(problem(twice), "program: two networks person: want different names");
    EXPECT_FALSE(read(write(twice)).ok());
    std::vector<Program> other = several();
    other[1].memory_bytes *= 2;
    EXPECT_EQ(problem(other),
              "network face: other hardware or memory than the first: want the same");
    EXPECT_EQ(problem(std::vector<Program>{}), "program: no networks: want at least 1");
}

TEST(ProgramFile, UnitsAreOfVersion3) {
    const Program program = unit_sample();
    ASSERT_EQ(problem(program), "");
    const std::vector<std::uint8_t> file = write(program);
    EXPECT_EQ(std::string(file.begin(), file.begin() + 8), "MACRPRG3");
    EXPECT_EQ(file[44], 1);   // inputs
    EXPECT_EQ(file[184], 0);  // networks
    const ReadResult got = read(file);
    ASSERT_TRUE(got.ok()) << got.error;
    EXPECT_TRUE(got.programs.empty());
    EXPECT_EQ(got.program.network, program.network);
    ASSERT_EQ(got.program.commands.size(), 10u);
    EXPECT_EQ(got.program.commands[1].aux, 0x9000u);
    EXPECT_EQ(write(got.program), file);
    EXPECT_NE(listing(program).find("unit 0x9004, causes 0x3, idle 0x9000"), std::string::npos);
    struct Case {
        std::size_t at;
        std::uint32_t address, value, aux;
        const char* error;
    };
    const Case cases[] = {{0, 6, 0, 0, "register 0x6: want a multiple of 4"},
                          {0, 4, 0, 3, "register 0x3: want a multiple of 4"},
                          {1, 4, 1, 0, "causes 0x1 of a unit: want none or two"},
                          {1, 4, 5, 0, "causes 0x5 of a unit: want none or two"},
                          {1, 4, 1u << 31, 0, "causes 0x80000000 of a unit: want none or two"},
                          {1, 4, 3u << 30, 0, ""},
                          {3, 4, 3, 0, "command 3: a unit: want units in front"}};
    for (const Case& c : cases) {
        Program bad = program;
        bad.commands[c.at] = {Code::unit, c.address, c.value, c.aux};
        EXPECT_NE(problem(bad).find(c.error), std::string::npos) << problem(bad);
        EXPECT_EQ(problem(bad).empty(), *c.error == 0) << problem(bad);
        EXPECT_EQ(read(write(bad)).ok(), *c.error == 0);
    }
    Program many = program;
    many.commands.insert(many.commands.begin(), 30, {Code::unit, 4, 0, 0});
    EXPECT_EQ(problem(many), "");
    many.commands.insert(many.commands.begin(), {Code::unit, 4, 0, 0});
    EXPECT_NE(problem(many).find("at most 32"), std::string::npos) << problem(many);
    // A file of version 2 has none.
    std::vector<std::uint8_t> old = write(new_sample());
    old[static_cast<std::size_t>(old[64])] = 7;
    seal(old);
    EXPECT_NE(read(old).error.find("command 0: a unit: want a file of version 3"),
              std::string::npos)
        << read(old).error;
}

TEST(ProgramFile, EmptyProgram) {
    const std::vector<std::uint8_t> file = write(Program{});
    EXPECT_EQ(file.size(), 168u);  // header, the empty string
    EXPECT_TRUE(read(file).ok()) << read(file).error;
}

/// The bytes that README.md names, by hand.
TEST(ProgramFile, BytesAreThoseOfTheDocument) {
    const std::vector<std::uint8_t> file = write(sample());
    const auto word = [&](std::size_t at) {
        return file[at] | file[at + 1] << 8 | file[at + 2] << 16 |
               static_cast<std::uint32_t>(file[at + 3]) << 24;
    };
    EXPECT_EQ(std::string(file.begin(), file.begin() + 8), "MACRPRG1");
    EXPECT_EQ(word(8), file.size());
    EXPECT_EQ(word(20), 160u);
    EXPECT_EQ(word(24), 0x12345678u);
    EXPECT_EQ(word(28), 0x100cu);
    EXPECT_EQ(word(32), 0x1000u);
    EXPECT_EQ(word(40), 256u);
    EXPECT_EQ(word(44), 1u);
    EXPECT_EQ(word(64), 160u);  // commands
    EXPECT_EQ(word(72), 8u);
    EXPECT_EQ(word(160), 5u);                // begin_layer
    EXPECT_EQ(word(160 + 16 + 4), 0x5010u);  // write
    EXPECT_EQ(word(160 + 16 + 8), 0xCAFEu);
    EXPECT_EQ(word(80), 288u);  // segments
    EXPECT_EQ(word(88), 3u);
    EXPECT_EQ(word(288), 0x40u);
    EXPECT_EQ(word(296), 5u);
    const std::uint32_t data = word(304);
    EXPECT_EQ(data, word(144));
    EXPECT_EQ(file[data], 1);
    EXPECT_EQ(file[data + 4], 5);
    EXPECT_EQ(word(96), 360u);       // tensors, 3 * 56
    EXPECT_EQ(file[360 + 5], 0xF9);  // filler -7
    EXPECT_EQ(word(360 + 8), 2u);
    EXPECT_EQ(word(112), 528u);  // layers
    EXPECT_EQ(word(128), 576u);  // strings
    EXPECT_EQ(file[576], 0);
    EXPECT_EQ(file[577], 'd');
}

TEST(ProgramFile, EachHeaderByteCounts) {
    const std::vector<std::uint8_t> good = write(sample());
    for (std::size_t at = 0; at < 160; ++at) {
        for (const int bit : {0, 3, 7}) {
            std::vector<std::uint8_t> bad = good;
            bad[at] = static_cast<std::uint8_t>(bad[at] ^ 1 << bit);
            EXPECT_FALSE(read(bad).ok()) << at;
            EXPECT_EQ(read(bad).error.find('\n'), std::string::npos);
        }
    }
}

TEST(ProgramFile, EachFieldIsCheckedByItself) {
    struct Case {
        std::size_t at;
        std::uint8_t value;
        const char* error;
    };
    const Case cases[] = {
        {7, '2', "header of 160 bytes: want 176"},
        {7, '4', "does not begin with MACRPRG1"},
        {8, 1, "as its header says"},
        {20, 161, "header of 161 bytes: want 160"},
        {29, 0x21, ""},  // another interrupt register is as good
        {28, 0x01, "want a multiple of 4"},
        {33, 0x01, "address of block + 0x800: want at most 0x100"},
        {40, 3, "alignment 259: want a power of two"},
        {44, 9, "9 inputs: want at most the 3 tensors"},
        {49, 9, "string 0x9"},
        {53, 9, "string 0x9"},
        {57, 9, "string 0x9"},
        {60, 1, "reserved word"},
        {64, 168, "section commands at 0xa8: want 0xa0"},
        {72, 9, "section segments"},
        {79, 0x80, "want it within"},
        {88, 9, "section tensors"},
        {104, 9, "section tensors of 9"},
        {120, 9, "section layers of 9"},
        {136, 250, "section strings of 250"},
        {152, 1, "sections end at"},
        {160, 9, "command 0: code 9"},
        {162, 1, "command 0: unused bits"},
        {168, 2, "begins layer 2"},
        {180, 1, "register 0x5001"},
        {204, 1, "command 2: address of block"},
        {220, 1, "command 3: address of block"},
        {232, 7, "can never hold"},
        {290, 1, "segment 0: 5 bytes at 0x10040"},
        {304, 1, "segment 0: 5 bytes at"},
        {320, 65, "segment 1"},
        {364, 5, "input 0: element 5"},
        {366, 1, "tensor 0: unused bits"},
        {368, 0, "input 0: 0 x 3 x 5"},
        {372, 0, "input 0: 2 x 0"},
        {376, 0, "input 0: 2 x 3 x 0"},
        {380, 0, "groups of 0"},
        {386, 1, "reaches beyond"},
        {394, 1, "reaches beyond"},
        {398, 1, "reaches beyond"},
        {402, 1, "reaches beyond"},
        {407, 0xBF, "scale -"},
        {412, 1, "tensor 0: unused bits"},
        {548, 1, "layer 0: unused bits"},
        {545, 1, "string 0x1"},
    };
    for (const Case& c : cases) {
        std::vector<std::uint8_t> bad = write(sample());
        bad[c.at] = c.value;
        if (c.at < 8 || c.at >= 16) seal(bad);
        const std::string error = read(bad).error;
        if (*c.error == '\0') {
            EXPECT_EQ(error, "") << c.at;
        } else {
            EXPECT_NE(error.find(c.error), std::string::npos) << c.at << ": " << error;
        }
    }
}

TEST(ProgramFile, TruncatedOrLonger) {
    const std::vector<std::uint8_t> good = write(sample());
    for (std::size_t size = 0; size < good.size(); ++size) {
        std::vector<std::uint8_t> bad(good.begin(),
                                      good.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(read(bad).ok()) << size;
        if (size < 16) continue;
        bad[8] = static_cast<std::uint8_t>(size);
        bad[9] = static_cast<std::uint8_t>(size >> 8);
        seal(bad);
        EXPECT_FALSE(read(bad).ok()) << size;
    }
    std::vector<std::uint8_t> longer = good;
    longer.resize(good.size() + 8);
    EXPECT_FALSE(read(longer).ok());
}

TEST(ProgramFile, EachBitBehindTheHeaderIsInTheChecksum) {
    std::vector<std::uint8_t> file = write(sample());
    for (std::size_t at = 160; at < file.size(); ++at) {
        file[at] ^= 0x10;
        EXPECT_NE(read(file).error.find("checksum"), std::string::npos) << at;
        file[at] ^= 0x10;
    }
}

TEST(Problem, NamesWhatIsWrong) {
    const auto text = [](auto&& change) {
        Program p = sample();
        change(p);
        return problem(p);
    };
    EXPECT_EQ(text([](Program& p) { p.alignment = 0; }),
              "program: alignment 0: want a power of two");
    EXPECT_EQ(text([](Program& p) { p.network = std::string("a\0b", 3); }),
              "program: want no NUL in names");
    EXPECT_EQ(text([](Program& p) { p.layers[1].name = std::string(1, '\0'); }),
              "program: layer 1: want no NUL in names");
    EXPECT_EQ(text([](Program& p) { p.outputs[1].scale = 0; }),
              "program: output 1: scale 0: want a number above 0");
    EXPECT_EQ(text([](Program& p) { p.inputs[0].scale = std::numeric_limits<float>::infinity(); }),
              "program: input 0: scale inf: want a number above 0");
    EXPECT_EQ(text([](Program& p) { p.inputs[0].element = Element::float32; }),
              "program: input 0: filler -7: want 0 for float32");
    // With the filler 16 bytes more than the elements; all of 0x1000 may be used.
    EXPECT_EQ(text([](Program& p) { p.inputs[0].offset = 0x1000 - (64 + 16 + 8 + 4); }), "");
    EXPECT_EQ(text([](Program& p) { p.inputs[0].offset = 0x1000 - (64 + 16 + 8 + 4) + 1; }),
              "program: input 0: reaches beyond the 4096 bytes of memory");
    // Sizes whose product is beyond 64 bits, all elements at one place.
    EXPECT_EQ(text([](Program& p) {
                  Tensor& t = p.inputs[0];
                  t.height = t.width = t.channels = 0xFFFFFFFFu;
                  t.surface_stride = t.line_stride = t.pixel_stride = 0;
              }),
              "program: input 0: reaches beyond the 4096 bytes of memory");
}

TEST(Listing, ShowsCommandsAndTensors) {
    const std::string text = listing(sample(), [](std::uint32_t address) {
        return std::string(address == 0x5010 ? "csc.D_MISC_CFG" : "");
    });
    for (const char* line :
         {"4096 bytes of memory at a multiple of 256, interrupt status 0x100c\n",
          "  in: int8 2 x 3 x 5, scale 0.0125, zero point -3\n",
          "    at 0x100: groups of 4, strides surface 64 line 16 pixel 4, filler -7\n",
          "  0x40: 5 bytes, checksum 470b99f4\n", "  1 pool: 10 cycles, 0 MACs\n",
          "    0 layer 0 conv\n", "    1   0x5010 csc.D_MISC_CFG = 0xcafe\n",
          "    2   0x5014 = low(block + 0x800)\n", "    3   0x5018 = high(block + 0x800)\n",
          "    4   poll 0x300c & 0x3 = 0x1\n", "    6   wait 0x5\n", "    7   host 7\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(Listing, ShowsWhatTheProgramDependsOn) {
    const std::string text = listing(new_sample());
    EXPECT_NE(text.find("identity 0x12345678, told by register 0x3f018\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("addresses of 32 bits\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\ndepends on\n  atoms=8\n  banks=32\n"), std::string::npos) << text;
}

TEST(CArray, HoldsTheFile) {
    const std::string text = c_array(sample(), "2 nets");
    EXPECT_EQ(text.find("/* sample _/ _ network for dla nv_small:"), 0u) << text.substr(0, 80);
    const std::vector<std::uint8_t> file = write(sample());
    EXPECT_NE(text.find("const uint32_t _2_nets_bytes = " + std::to_string(file.size()) + "u;"),
              std::string::npos);
    std::vector<std::uint8_t> found;
    std::size_t at = text.rfind('{') + 1;
    while (text.find(',', at) != std::string::npos) {
        found.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(at, 12))));
        at = text.find(',', at) + 1;
    }
    EXPECT_EQ(found, file);
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        EXPECT_LE(end - from, 100u);
        from = end + 1;
    }
}

}  // namespace
}  // namespace macrame::program
