#include <gtest/gtest.h>

#include <set>
#include <string>

#include "compiler/program/program.hpp"
#include "compiler/test/program/sample.hpp"
#include "runtime/macrame.h"
#include "verif/common/random.hpp"

namespace macrame::program {
namespace {

using File = std::vector<std::uint8_t>;

int open(const File& file) {
    macrame_program program{};
    // A copy of just these bytes, so that a sanitizer sees who reads behind them.
    const File exact(file.begin(), file.end());
    return macrame_open(&program, exact.data(), exact.size());
}

TEST(Open, ShowsWhatTheFileHolds) {
    const File file = write(sample());
    macrame_program p{};
    ASSERT_EQ(macrame_open(&p, file.data(), file.size()), MACRAME_OK);
    EXPECT_EQ(p.command_count, 8u);
    EXPECT_EQ(p.segment_count, 3u);
    EXPECT_EQ(p.layer_count, 2u);
    EXPECT_EQ(p.input_count, 1u);
    EXPECT_EQ(p.output_count, 2u);
    EXPECT_EQ(p.identity, 0x12345678u);
    EXPECT_EQ(p.alignment, 256u);
    EXPECT_EQ(p.interrupt_status, 0x100cu);
    EXPECT_EQ(p.memory_bytes, 0x1000u);
    EXPECT_EQ(p.uses_interrupts, 1u);
    EXPECT_STREQ(p.family, "dla");
    EXPECT_STREQ(p.configuration, "nv_small");
    EXPECT_STREQ(p.network, "sample */ \\ network");
    macrame_tensor t{};
    ASSERT_EQ(macrame_get_input(&p, 0, &t), MACRAME_OK);
    EXPECT_STREQ(t.name, "in");
    EXPECT_EQ(t.element, static_cast<std::uint32_t>(MACRAME_INT8));
    EXPECT_EQ(t.bytes, 2u * 3 * 5);
    EXPECT_EQ(t.offset, 0x100u);
    EXPECT_EQ(t.span, 64u + 16 + 8 + 4);
    EXPECT_EQ(t.scale, 0.0125F);
    EXPECT_EQ(t.zero_point, -3);
    EXPECT_EQ(t.filler, -7);
    EXPECT_EQ(macrame_get_input(&p, 1, &t), MACRAME_BAD_ARGUMENT);
    ASSERT_EQ(macrame_get_output(&p, 1, &t), MACRAME_OK);
    EXPECT_STREQ(t.name, "in");
    EXPECT_EQ(t.element_bytes, 2u);
    EXPECT_EQ(t.bytes, 2u * 2 * 3 * 5);
    EXPECT_EQ(macrame_get_output(&p, 2, &t), MACRAME_BAD_ARGUMENT);
    struct macrame_layer layer {};
    ASSERT_EQ(macrame_get_layer(&p, 1, &layer), MACRAME_OK);
    EXPECT_STREQ(layer.name, "pool");
    EXPECT_EQ(layer.estimated_cycles, 10u);
    EXPECT_EQ(macrame_get_layer(&p, 2, &layer), MACRAME_BAD_ARGUMENT);
    struct macrame_command command {};
    ASSERT_EQ(macrame_get_command(&p, 4, &command), MACRAME_OK);
    EXPECT_EQ(command.code, static_cast<std::uint32_t>(MACRAME_POLL));
    EXPECT_EQ(command.aux, 3u);
    EXPECT_EQ(macrame_get_command(&p, 8, &command), MACRAME_BAD_ARGUMENT);
}

TEST(Open, Version2TellsWhatTheProgramDependsOn) {
    const File file = write(new_sample()), old = write(sample());
    macrame_program p{};
    ASSERT_EQ(macrame_open(&p, old.data(), old.size()), MACRAME_OK);
    EXPECT_EQ(p.address_bits, 0u);
    EXPECT_EQ(p.identity_register, 0u);
    EXPECT_STREQ(p.parameters, "");
    ASSERT_EQ(macrame_open(&p, file.data(), file.size()), MACRAME_OK);
    EXPECT_EQ(p.address_bits, 32u);
    EXPECT_EQ(p.identity_register, 0x3f018u);
    EXPECT_STREQ(p.parameters, "atoms=8\nbanks=32\n");
    EXPECT_EQ(p.command_count, 8u);
    EXPECT_EQ(macrame_check_identity(&p, 0x12345678), MACRAME_OK);
    EXPECT_EQ(macrame_check_identity(&p, 0), MACRAME_OK);
    EXPECT_EQ(macrame_check_identity(&p, 0x12345679), MACRAME_OTHER_HARDWARE);
    p.identity = 0;  // of any hardware
    EXPECT_EQ(macrame_check_identity(&p, 0x12345679), MACRAME_OK);
    EXPECT_EQ(macrame_check_identity(nullptr, 1), MACRAME_BAD_ARGUMENT);
    const std::pair<std::size_t, std::uint8_t> damages[] = {
        {7, '1'}, {20, 160}, {160, 65}, {164, 1}, {172, 1}};
    for (const auto& [at, value] : damages) {
        File bad = file;
        bad[at] = value;
        seal(bad);
        EXPECT_EQ(open(bad), MACRAME_BAD_HEADER) << at;
    }
}

TEST(Open, NetworksOfAFileAreSelectedByName) {
    const File file = write(several());
    macrame_program p{};
    ASSERT_EQ(macrame_open(&p, file.data(), file.size()), MACRAME_OK);
    EXPECT_EQ(p.network_count, 2u);
    EXPECT_EQ(p.segment_count, 4u);
    EXPECT_STREQ(macrame_network_name(&p, 0), "person");
    EXPECT_STREQ(macrame_network_name(&p, 1), "face");
    EXPECT_EQ(macrame_network_name(&p, 2), nullptr);
    // None is selected: nothing runs.
    EXPECT_EQ(p.command_count + p.layer_count + p.input_count + p.output_count, 0u);
    macrame_machine machine{};
    File block(static_cast<std::size_t>(p.memory_bytes));
    machine.memory = block.data();
    machine.memory_bytes = block.size();
    machine.read = [](void*, std::uint32_t) { return std::uint32_t{0}; };
    machine.write = [](void*, std::uint32_t, std::uint32_t) {};
    EXPECT_EQ(macrame_run(&p, &machine), MACRAME_NO_NETWORK);
    EXPECT_EQ(macrame_run_batch(&p, &machine, 1, nullptr, nullptr, nullptr), MACRAME_NO_NETWORK);
    EXPECT_EQ(macrame_select(&p, "dog"), MACRAME_NO_NETWORK);
    EXPECT_EQ(macrame_prepare(&p, &machine), MACRAME_OK);  // all of them
    EXPECT_EQ(block[0x800], 9);
    EXPECT_EQ(block[0x901], 9);
    ASSERT_EQ(macrame_select(&p, "face"), MACRAME_OK);
    EXPECT_STREQ(p.name, "face");
    EXPECT_EQ(macrame_run_batch(&p, &machine, 1, nullptr, nullptr, nullptr), MACRAME_BAD_ARGUMENT);
    EXPECT_STREQ(p.network, "face.onnx");
    EXPECT_EQ(p.command_count, 2u);
    EXPECT_EQ(macrame_find_input(&p, "crop"), 0);
    EXPECT_EQ(macrame_find_input(&p, "in"), -1);
    EXPECT_EQ(macrame_find_output(&p, "out"), 0);
    macrame_tensor t{};
    ASSERT_EQ(macrame_get_input(&p, 0, &t), MACRAME_OK);
    EXPECT_EQ(t.offset, 0x140u);
    struct macrame_layer layer {};
    ASSERT_EQ(macrame_get_layer(&p, 0, &layer), MACRAME_OK);
    EXPECT_STREQ(layer.name, "dense");
    ASSERT_EQ(macrame_select(&p, "person"), MACRAME_OK);
    EXPECT_EQ(p.command_count, 8u);
    EXPECT_EQ(macrame_find_output(&p, "in"), 1);
    // A file of one network has its name.
    const File one = write(sample());
    ASSERT_EQ(macrame_open(&p, one.data(), one.size()), MACRAME_OK);
    EXPECT_EQ(macrame_select(&p, "sample */ \\ network"), MACRAME_OK);
    EXPECT_EQ(macrame_select(&p, "face"), MACRAME_NO_NETWORK);
}

TEST(Open, EachKindOfDamageOfSeveralNetworksHasItsCode) {
    struct Case {
        std::size_t at;
        std::uint8_t value;
        int error;
    };
    const Case cases[] = {{44, 1, MACRAME_BAD_HEADER},        {56, 1, MACRAME_BAD_HEADER},
                          {176, 200, MACRAME_BAD_HEADER},     {184, 0, MACRAME_BAD_HEADER},
                          {185, 9, MACRAME_BAD_HEADER},       {193, 9, MACRAME_BAD_STRING},
                          {197, 9, MACRAME_BAD_STRING},       {192, 0, MACRAME_BAD_HEADER},
                          {192 + 8, 99, MACRAME_BAD_HEADER},  {192 + 8, 7, MACRAME_BAD_HEADER},
                          {192 + 16, 1, MACRAME_BAD_COMMAND}, {192 + 28, 1, MACRAME_BAD_HEADER}};
    for (const Case& c : cases) {
        File bad = write(several());
        bad[c.at] = c.value;
        seal(bad);
        EXPECT_EQ(open(bad), c.error) << c.at << ": " << macrame_error_text(open(bad));
    }
}

TEST(Open, UnitsAreOfVersion3) {
    const File file = write(unit_sample());
    macrame_program p{};
    ASSERT_EQ(macrame_open(&p, file.data(), file.size()), MACRAME_OK);
    EXPECT_EQ(p.networks, nullptr);
    EXPECT_EQ(p.network_count, 1u);
    EXPECT_EQ(p.input_count, 1u);
    EXPECT_EQ(p.command_count, 10u);
    const auto first = static_cast<std::size_t>(file[64]);
    File late = file, causes = file, register_address = file, old = write(new_sample());
    late[first + 3 * 16] = 7;
    causes[first + 16 + 8] = 5;
    register_address[first + 12] = 1;
    old[static_cast<std::size_t>(old[64])] = 7;
    for (File* bad : {&late, &causes, &register_address, &old}) {
        seal(*bad);
        EXPECT_EQ(open(*bad), MACRAME_BAD_COMMAND);
    }
}

TEST(Open, TheFirstParameterThatDiffersIsNamed) {
    const File file = write(new_sample());
    macrame_program p{};
    ASSERT_EQ(macrame_open(&p, file.data(), file.size()), MACRAME_OK);
    const auto text = [&](const char* parameters) {
        char out[40] = "?";
        const int found = macrame_difference(&p, parameters, out, sizeof out);
        EXPECT_EQ(found != 0, *out != 0) << parameters;
        return std::string(out);
    };
    EXPECT_EQ(text("atoms=8\nbanks=32\n"), "");
    EXPECT_EQ(text("atoms=8\nbanks=32"), "");
    EXPECT_EQ(text("atoms=16\nbanks=16\n"), "atoms = 8: want 16");
    EXPECT_EQ(text("atoms=8\nbanks=16\n"), "banks = 32: want 16");
    EXPECT_EQ(text("banks=32\natoms=8\n"), "");
    EXPECT_EQ(text("atoms=8\nmore=1\nbanks=32\n"), "more = none: want 1");
    EXPECT_EQ(text("atoms=8\n"), "banks = 32: want none");
    EXPECT_EQ(text("atom=8\nbanks=32\n"), "atom = none: want 8");
    EXPECT_EQ(text(""), "atoms = 8: want none");
    char small[8] = "";
    EXPECT_EQ(macrame_difference(&p, "atoms=16\n", small, sizeof small), 1);
    EXPECT_STREQ(small, "atoms =");
    EXPECT_EQ(macrame_difference(&p, "atoms=16\n", nullptr, 0), 1);
    EXPECT_EQ(macrame_difference(&p, nullptr, small, sizeof small), 0);
}

TEST(Open, AnyAddressWillDo) {
    File file = write(sample());
    file.insert(file.begin(), 3, 0);
    macrame_program p{};
    EXPECT_EQ(macrame_open(&p, file.data() + 3, file.size() - 3), MACRAME_OK);
    EXPECT_EQ(macrame_open(nullptr, file.data(), file.size()), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_open(&p, nullptr, 0), MACRAME_BAD_ARGUMENT);
}

TEST(Open, EachKindOfDamageHasItsCode) {
    struct Case {
        std::size_t at;
        std::uint8_t value;
        int error;
    };
    const Case cases[] = {{7, '4', MACRAME_NOT_A_PROGRAM}, {8, 1, MACRAME_BAD_SIZE},
                          {7, '0', MACRAME_NOT_A_PROGRAM}, {7, '2', MACRAME_BAD_HEADER},
                          {20, 161, MACRAME_BAD_HEADER},   {28, 1, MACRAME_BAD_HEADER},
                          {40, 3, MACRAME_BAD_HEADER},     {44, 9, MACRAME_BAD_HEADER},
                          {49, 9, MACRAME_BAD_STRING},     {60, 1, MACRAME_BAD_HEADER},
                          {64, 168, MACRAME_BAD_HEADER},   {79, 0x80, MACRAME_BAD_HEADER},
                          {152, 1, MACRAME_BAD_HEADER},    {160, 9, MACRAME_BAD_COMMAND},
                          {232, 7, MACRAME_BAD_COMMAND},   {290, 1, MACRAME_BAD_SEGMENT},
                          {304, 1, MACRAME_BAD_SEGMENT},   {364, 5, MACRAME_BAD_TENSOR},
                          {361, 9, MACRAME_BAD_STRING},    {402, 1, MACRAME_BAD_TENSOR},
                          {548, 1, MACRAME_BAD_LAYER},     {545, 1, MACRAME_BAD_STRING},
                          {577, 'x', MACRAME_OK}};
    for (const Case& c : cases) {
        File bad = write(sample());
        bad[c.at] = c.value;
        EXPECT_NE(open(bad), MACRAME_OK) << c.at;  // the checksum at least
        seal(bad);
        EXPECT_EQ(open(bad), c.error) << c.at << ": " << macrame_error_text(open(bad));
    }
    File bad = write(sample());
    bad[577] = 'x';
    EXPECT_EQ(open(bad), MACRAME_BAD_CHECKSUM);
}

TEST(Open, TruncatedNeverReadsBehind) {
    const File good = write(sample());
    for (std::size_t size = 1; size < good.size(); ++size) {
        File bad(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(open(bad), MACRAME_BAD_SIZE) << size;
        if (size < 16) continue;
        bad[8] = static_cast<std::uint8_t>(size);
        bad[9] = static_cast<std::uint8_t>(size >> 8);
        seal(bad);
        EXPECT_NE(open(bad), MACRAME_OK) << size;
    }
}

/// A program that failed to open is refused by all functions.
TEST(Open, WhatIsNotOpenIsRefused) {
    File bad = write(sample());
    bad[577] = 'x';
    macrame_program p{};
    EXPECT_NE(macrame_open(&p, bad.data(), bad.size()), MACRAME_OK);
    macrame_tensor t{};
    EXPECT_EQ(macrame_get_input(&p, 0, &t), MACRAME_BAD_ARGUMENT);
    macrame_machine machine{};
    EXPECT_EQ(macrame_prepare(&p, &machine), MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_run(&p, &machine), MACRAME_BAD_ARGUMENT);
}

/// Runs over all that an opened program lets one see and do.
void use(const File& file) {
    const File exact(file.begin(), file.end());
    macrame_program p{};
    if (macrame_open(&p, exact.data(), exact.size()) != MACRAME_OK) return;
    if (p.memory_bytes > 1u << 20 || p.alignment > 1u << 20) return;
    const bool fits = p.address_bits == 0 || p.address_bits >= 20;
    File block(static_cast<std::size_t>(p.memory_bytes));
    macrame_machine machine{};
    machine.memory = block.data();
    machine.memory_bytes = block.size();
    if (!fits && p.memory_bytes > std::uint64_t{1} << p.address_bits) {
        EXPECT_EQ(macrame_prepare(&p, &machine), MACRAME_BAD_ADDRESS);
        return;
    }
    EXPECT_EQ(macrame_prepare(&p, &machine), MACRAME_OK);
    macrame_tensor t{};
    for (std::uint32_t i = p.networks != nullptr ? p.network_count : 0; i-- > 0;)
        ASSERT_EQ(macrame_select(&p, macrame_network_name(&p, i)), MACRAME_OK);
    for (std::uint32_t i = 0; i < p.input_count; ++i) {
        ASSERT_EQ(macrame_get_input(&p, i, &t), MACRAME_OK);
        const File data(static_cast<std::size_t>(t.bytes), 1);
        EXPECT_EQ(macrame_write_input(&p, &machine, i, data.data(), data.size()), MACRAME_OK);
    }
    for (std::uint32_t i = 0; i < p.output_count; ++i) {
        ASSERT_EQ(macrame_get_output(&p, i, &t), MACRAME_OK);
        File data(static_cast<std::size_t>(t.bytes), 1);
        EXPECT_EQ(macrame_read_output(&p, &machine, i, data.data(), data.size()), MACRAME_OK);
    }
}

/// Two readers that share no code agree on every file.
TEST(Open, AgreesWithTheReaderOnDamagedFiles) {
    verif::Random random(10);
    const File versions[] = {write(sample()), write(new_sample()), write(several()),
                             write(unit_sample())};
    int accepted = 0;
    std::set<int> codes;
    for (int i = 0; i < 60'000; ++i) {
        File bad = versions[i % 4];
        for (int n = random.in(1, 3); n > 0; --n) {
            const auto at =
                static_cast<std::size_t>(random.in(0, static_cast<int>(bad.size()) - 1));
            const auto value = static_cast<std::uint8_t>(random.pick({0, 1, 8, 0x7F, 0x80, 0xFF}));
            bad[at] = random.chance(50) ? static_cast<std::uint8_t>(bad[at] ^ 1 << random.in(0, 7))
                                        : value;
        }
        if (random.chance(10))
            bad.resize(bad.size() - static_cast<std::size_t>(random.low(1, 300)));
        seal(bad);
        const int error = open(bad);
        const ReadResult result = read(bad);
        ASSERT_EQ(error == MACRAME_OK, result.ok())
            << i << ": " << macrame_error_text(error) << "; " << result.error;
        accepted += error == MACRAME_OK ? 1 : 0;
        codes.insert(error);
        use(bad);
    }
    EXPECT_GT(accepted, 5'000);
    EXPECT_GE(codes.size(), 9u);
}

TEST(ErrorText, IsDifferentForEachCode) {
    std::set<std::string> texts;
    for (int code = MACRAME_OK; code <= MACRAME_UNIT_BUSY; ++code)
        texts.insert(macrame_error_text(code));
    EXPECT_EQ(texts.size(), static_cast<std::size_t>(MACRAME_UNIT_BUSY) + 1);
    EXPECT_STREQ(macrame_error_text(MACRAME_CANCELLED), "the run was cancelled");
    EXPECT_STREQ(macrame_error_text(MACRAME_UNIT_BUSY + 1), "unknown error");
    EXPECT_STREQ(macrame_error_text(-1), "unknown error");
}

}  // namespace
}  // namespace macrame::program
