/// Hazards of the original hardware: made by hand, and in programs recorded on it. These are taken
/// from the folder in MACRAME_TENSIL.

#include "compiler/tcu/hazards.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "verif/tcu/files/arch_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"

namespace macrame::tcu::compiler {

namespace {

namespace fs = std::filesystem;

Instructions decoded(const Architecture& architecture, const std::vector<std::uint8_t>& bytes) {
    const Layout layout = layout_of(architecture);
    Instructions out(architecture);
    for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(layout.bytes))
        out.push_back(decode(layout, bytes.data() + at));
    return out;
}

Instructions assembled(const std::string& text) {
    std::vector<std::string> errors;
    const auto bytes = assemble(layout_of({}), text, "test", errors);
    EXPECT_EQ(errors, std::vector<std::string>{});
    return bytes ? decoded({}, *bytes) : Instructions{};
}

/// Texts of the hazards of a program.
std::vector<std::string> texts(const std::string& program) {
    std::vector<std::string> out;
    for (const Hazard& hazard : hazards({}, assembled(program)))
        out.push_back(std::to_string(hazard.instruction) + ": " + hazard.text);
    return out;
}

using Texts = std::vector<std::string>;

TEST(TcuHazards, AccumulationsOfOneAddressBehindEachOther) {
    EXPECT_EQ(texts("MatMul(Acc) Local(0) Acc(5) 0(+1)\nMatMul(Acc) Local(1) Acc(5) 0(+1)"),
              (Texts{"1: accumulates at 5 right behind another accumulation"}));
    EXPECT_EQ(texts("MatMul(Acc) Local(0) Acc(5) 3(+1)\nDataMove(->, Acc) Local(1) Acc(8) 0(+1)"),
              (Texts{"1: accumulates at 8 right behind another accumulation"}));
    // No operations between them help, other writes and the weights do.
    EXPECT_EQ(texts("MatMul(Acc) Local(0) Acc(5) 0(+1)\nWait\nMatMul(Acc) Local(1) Acc(5) 0(+1)"),
              (Texts{"2: accumulates at 5 right behind another accumulation"}));
    EXPECT_EQ(texts("MatMul(Acc) Local(0) Acc(5) 0(+1)\nMatMul Local(0) Acc(6) 0(+1)\n"
                    "MatMul(Acc) Local(1) Acc(5) 0(+1)"),
              Texts{});
    EXPECT_EQ(texts("MatMul(Acc) Local(0) Acc(5) 0(+1)\nLoadWeights Local(0) 8(+1)\n"
                    "MatMul(Acc) Local(1) Acc(5) 0(+1)"),
              Texts{});
    EXPECT_EQ(texts("MatMul Local(0) Acc(5) 0(+1)\nMatMul(Acc) Local(1) Acc(5) 0(+1)"), Texts{});
}

TEST(TcuHazards, AccumulationBehindTwoWrites) {
    EXPECT_EQ(texts("MatMul Local(0) Acc(5) 0(+1)\nMatMul Local(0) Acc(5) 0(+1)\n"
                    "MatMul(Acc) Local(1) Acc(5) 0(+1)"),
              (Texts{"2: accumulates at 5 right behind two writes of it"}));
    EXPECT_EQ(texts("MatMul Local(0) Acc(5) 0(+1)\nMatMul Local(0) Acc(5) 0(+1)\n"
                    "MatMul Local(0) Acc(6) 0(+1)\nMatMul(Acc) Local(1) Acc(5) 0(+1)"),
              Texts{});
}

TEST(TcuHazards, SimdReadsExactlyWhatItNeeds) {
    const auto simd = [](int op, int flags, int left, int right) {
        Instruction i;
        i.opcode = kSimd;
        i.simd_op = op;
        i.flags = flags;
        i.simd_left = left;
        i.simd_right = right;
        Instructions program(Architecture{});
        program.push_back(i);
        return hazards({}, program).size();
    };
    EXPECT_EQ(simd(kSimdMax, kSimdRead | kSimdWrite, 0, 1), 0U);
    EXPECT_EQ(simd(kSimdZero, 0, 0, 0), 0U);
    EXPECT_EQ(simd(kSimdZero, kSimdRead, 0, 0), 1U);
    EXPECT_EQ(simd(kSimdMax, kSimdWrite, 0, 1), 1U);
    EXPECT_EQ(simd(kSimdAdd, kSimdRead, 1, 1), 1U);
    EXPECT_EQ(simd(kSimdMove, kSimdWrite, 1, 0), 1U);  // its unary test never holds
    EXPECT_EQ(simd(kSimdMove, kSimdWrite, 1, 1), 0U);
    EXPECT_EQ(simd(kSimdNoOp, kSimdRead, 0, 0), 1U);
}

TEST(TcuHazards, OffsetsChangeBehindWrites) {
    const std::string write = "DataMove(->) Local(0) DRAM0(0) 3(+1)\n";
    const std::string configure = "Configure DRAM0Offset 1";
    EXPECT_EQ(texts(write + configure), (Texts{"1: configures DRAM0 behind its writes"}));
    EXPECT_EQ(texts(write + "DataMove(<-) Local(0) DRAM0(0) 0(+1)\n" + configure), Texts{});
    EXPECT_EQ(texts(write + "Configure DRAM1Offset 1"), Texts{});
}

TEST(TcuHazards, VectorsOfTheProbe) {
    const auto conflicts = [](const std::string& text) {
        return probe_conflicts({}, assembled(text)).size();
    };
    EXPECT_EQ(conflicts("DataMove(<-) Local(8191) DRAM1(0) 0(+1)"), 1U);
    EXPECT_EQ(conflicts("DataMove(<-) Local(0) DRAM0(1048574) 0(+1)"), 1U);
    EXPECT_EQ(conflicts("DataMove(<-) Local(0) DRAM0(1048573) 0(+1)"), 0U);
    EXPECT_EQ(conflicts("MatMul Local(8190) Acc(0) 1(+1)"), 1U);
}

TEST(TcuHazards, SpacersKeepAccumulationsApart) {
    Assembled program;
    program.instructions = assembled(
        "MatMul(Acc) Local(0) Acc(5) 0(+1)\nMatMul(Acc) Local(1) Acc(5) 0(+1)\n"
        "MatMul(Acc) Local(2) Acc(5) 0(+1)\nMatMul(Acc) Local(2) Acc(6) 0(+1)");
    program.layers = {0, 0, 0, 0};
    const Assembled out = spaced({}, program, 2047);
    EXPECT_EQ(out.instructions.size(), 6U);
    EXPECT_EQ(out.layers.size(), 6U);
    EXPECT_TRUE(hazards({}, out.instructions).empty());
}

/// Programs of all classes in the conformance data.
TEST(TcuHazards, RecordedProgramsOfTheOriginalHaveNone) {
    const char* root = std::getenv("MACRAME_TENSIL");
    if (root == nullptr)
        GTEST_SKIP() << "MACRAME_TENSIL is not set: want the folder of the conformance data";
    std::map<std::string, int> programs, flagged;
    for (const fs::directory_entry& set : fs::recursive_directory_iterator(root)) {
        if (set.path().filename() != "index.csv") continue;
        const fs::path folder = set.path().parent_path();
        std::vector<std::string> errors;
        const auto architecture = files::read_architecture(
            (folder / (folder.filename().string() + ".tarch")).string(), errors);
        ASSERT_TRUE(architecture) << errors.front();
        std::ifstream index(set.path());
        std::string line;
        std::getline(index, line);
        while (std::getline(index, line)) {
            const std::size_t comma = line.find(',');
            const std::string name = line.substr(0, comma);
            const std::string kind = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
            const auto bytes = files::read_program((folder / "prog" / (name + ".tprog")).string(),
                                                   layout_of(*architecture), errors);
            ASSERT_TRUE(bytes) << errors.front();
            const auto found = hazards(*architecture, decoded(*architecture, *bytes));
            ++programs[kind];
            flagged[kind] += found.empty() ? 0 : 1;
            if (kind != "compat" || found.empty()) continue;
            ADD_FAILURE() << name << ", instruction " << found.front().instruction << ": "
                          << found.front().text;
        }
    }
    EXPECT_GT(programs["compat"], 500);
    EXPECT_GT(flagged["strict"], 60);  // of 204 that may have some
}

}  // namespace

}  // namespace macrame::tcu::compiler
