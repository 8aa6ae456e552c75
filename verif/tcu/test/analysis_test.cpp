#include "verif/tcu/run/analysis.hpp"

#include <gtest/gtest.h>

#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu::run {

namespace {

const Architecture kArchitecture = test::architectures().at("n4_fp8bp4");

std::vector<std::uint8_t> program() {
    std::vector<std::string> errors;
    return assemble(layout_of(kArchitecture),
                    "DataMove(<-) Local(0) DRAM1(0) 7(+1)\n"
                    "MatMul Local(0) Acc(0) 3(+1)\n"
                    "MatMul Local(0) Acc(0) 1(+1)\n"
                    "Wait\n",
                    "test", errors)
        .value();
}

/// The words of a line.
std::vector<std::string> words(const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line) {
        if (c != ' ') {
            out.back() += c;
        } else if (!out.back().empty()) {
            out.emplace_back();
        }
    }
    return out;
}

using Words = std::vector<std::string>;

TEST(TcuAnalysis, CyclesPerKindOfInstruction) {
    const auto table = cycle_table(kArchitecture, program(), {10, 14, 20, 21}, 40);
    ASSERT_EQ(table.size(), 5u);
    EXPECT_EQ(words(table[1]),
              (Words{"DRAM1", "to", "local", "1", "8", "10", "10.00", "1.25", "25.0%"}));
    EXPECT_EQ(words(table[2]), (Words{"MatMul", "2", "6", "10", "5.00", "1.67", "25.0%"}));
    EXPECT_EQ(words(table[3]), (Words{"NoOp", "1", "0", "1", "1.00", "-", "2.5%"}));
    EXPECT_EQ(words(table[4]), (Words{"after", "the", "last", "19", "47.5%"}));
    EXPECT_TRUE(cycle_table(kArchitecture, program(), {}, 40).empty());
}

TEST(TcuAnalysis, SamplesPerKindOfInstruction) {
    constexpr std::uint64_t kArrayHeld = std::uint64_t{1} << 32;
    constexpr std::uint64_t kDram0Moved = std::uint64_t{3} << 40;
    constexpr std::uint64_t kInstructionReady = std::uint64_t{2} << 46;  // not valid: idle
    const auto table =
        sample_table(kArchitecture, program(),
                     {1 | kArrayHeld, 1 | kInstructionReady, 2 | kArrayHeld | kDram0Moved, 2, 9});
    ASSERT_EQ(table.size(), 3u);
    EXPECT_EQ(words(table[1]),
              (Words{"MatMul", "4", "0.0%/0.0%", "50.0%/0.0%", "0.0%/0.0%", "0.0%/0.0%",
                     "0.0%/0.0%", "0.0%/0.0%", "0.0%/25.0%", "0.0%/0.0%"}));
    EXPECT_EQ(words(table[2])[0], "other");
    EXPECT_TRUE(sample_table(kArchitecture, program(), {}).empty());
}

/// Counters that a program sets are followed; one that comes again means the later instruction.
TEST(TcuAnalysis, SamplesOfAProgramThatSetsTheCounter) {
    std::vector<std::string> errors;
    const auto stream = assemble(layout_of(kArchitecture),
                                 "Configure ProgramCounter 100\n"
                                 "MatMul Local(0) Acc(0) 3(+1)\n"
                                 "Configure ProgramCounter 100\n"
                                 "DataMove(<-) Local(0) DRAM1(0) 7(+1)\n",
                                 "test", errors)
                            .value();
    const auto table = sample_table(kArchitecture, stream, {0, 100, 100, 101, 100, 100, 101});
    ASSERT_EQ(table.size(), 5u);
    EXPECT_EQ(words(table[1])[1], "2");
    EXPECT_EQ((Words{words(table[2])[0], words(table[2])[3]}), (Words{"DRAM1", "2"}));
    EXPECT_EQ((Words{words(table[3])[0], words(table[3])[1]}), (Words{"MatMul", "2"}));
    EXPECT_EQ((Words{words(table[4])[0], words(table[4])[1]}), (Words{"other", "1"}));
}

}  // namespace

}  // namespace macrame::tcu::run
