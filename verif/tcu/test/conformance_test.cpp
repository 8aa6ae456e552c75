/// The golden model on all conformance data: compiled networks, programs recorded on the original
/// hardware, random programs. The folder is in the environment variable MACRAME_TENSIL.

#include "verif/tcu/run/conformance.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "verif/common/text.hpp"
#include "verif/tcu/files/arch_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/run/golden_model.hpp"

namespace macrame::tcu {

namespace {

namespace fs = std::filesystem;

/// Folders with a file of this extension, below the conformance data.
std::vector<fs::path> folders_with(const fs::path& root, const std::string& extension) {
    std::vector<fs::path> out;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
        if (entry.path().extension() == extension) out.push_back(entry.path().parent_path());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::string tarch_of(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".tarch") return entry.path().string();
    return {};
}

class TcuConformance : public ::testing::Test {
protected:
    void SetUp() override {
        const char* root = std::getenv("MACRAME_TENSIL");
        if (root == nullptr)
            GTEST_SKIP() << "the environment variable MACRAME_TENSIL is not set: want the folder "
                            "of the conformance data";
        root_ = root;
    }
    std::string root_;
};

TEST_F(TcuConformance, ModelGivesEveryImage) {
    std::size_t networks = 0, programs = 0;
    for (const fs::path& folder : folders_with(root_, ".tarch")) {
        std::vector<std::string> errors;
        const auto architecture = files::read_architecture(tarch_of(folder), errors);
        ASSERT_TRUE(architecture) << errors.front();
        run::Platform platform;
        platform.architecture = *architecture;
        run::SimulateOptions options;
        options.subject = verif::run::Subject::model;
        options.random_memory = true;  // nothing may depend on what memories held before
        const bool network = !fs::exists(folder / "index.csv");
        for (const verif::run::ProgramRun& program :
             run::conformance_programs(folder.string(), options, platform, errors)) {
            const verif::run::Outcome outcome = program.run({});
            EXPECT_EQ(outcome.row.verdict, verif::run::Verdict::passed)
                << outcome.row.name << ": " << outcome.row.reason
                << (outcome.row.failures.empty() ? "" : outcome.row.failures.front());
            EXPECT_GT(outcome.row.checks, 2u) << outcome.row.name;
            ++(network ? networks : programs);
        }
        EXPECT_TRUE(errors.empty()) << errors.front();
    }
    EXPECT_GT(networks, 20u);
    EXPECT_GT(programs, 500u);
}

/// Fields of a line of index.csv.
std::vector<std::string> fields(std::string_view line) {
    std::vector<std::string> out(1);
    for (const char c : line) {
        if (c == ',') {
            out.emplace_back();
        } else if (c != '\r') {
            out.back() += c;
        }
    }
    return out;
}

TEST_F(TcuConformance, ModelCountsTheSameSaturations) {
    std::uint64_t sum = 0;
    for (const fs::path& folder : folders_with(root_, ".tarch")) {
        if (!fs::exists(folder / "index.csv")) continue;
        std::vector<std::string> errors;
        const auto architecture = files::read_architecture(tarch_of(folder), errors);
        ASSERT_TRUE(architecture) << errors.front();
        std::string problem;
        const auto index = verif::text::read_file((folder / "index.csv").string(), problem);
        ASSERT_TRUE(index) << problem;
        std::string_view rest = *index;
        verif::text::next_line(rest);
        while (!rest.empty()) {
            const std::vector<std::string> row = fields(verif::text::next_line(rest));
            ASSERT_GE(row.size(), 9u);
            verif::Memory dram0, dram1;
            const std::string init = (folder / "init" / row[3]).string();
            dram0.load(0, files::read_bytes(init + ".d0", errors).value());
            dram1.load(0, files::read_bytes(init + ".d1", errors).value());
            run::GoldenModel model(*architecture, {dram0, dram1});
            model.send(files::read_bytes((folder / "prog" / (row[0] + ".tprog")).string(), errors)
                           .value());
            ASSERT_TRUE(model.run(0));
            const model::Saturations found = model.machine().saturations();
            EXPECT_EQ(std::to_string(found.array), row[6]) << row[0];
            EXPECT_EQ(std::to_string(found.accumulators), row[7]) << row[0];
            EXPECT_EQ(std::to_string(found.simd), row[8]) << row[0];
            sum += found.array + found.accumulators + found.simd;
        }
    }
    EXPECT_GT(sum, 1000u);
}

TEST_F(TcuConformance, EveryProgramIsTheSameThroughText) {
    std::size_t instructions = 0;
    for (const fs::path& folder : folders_with(root_, ".tarch")) {
        std::vector<std::string> errors;
        const auto architecture = files::read_architecture(tarch_of(folder), errors);
        ASSERT_TRUE(architecture) << errors.front();
        const Layout layout = layout_of(*architecture);
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".tprog") continue;
            const auto program = files::read_program(entry.path().string(), layout, errors);
            ASSERT_TRUE(program) << errors.front();
            const std::string text = disassemble(layout, *program);
            const auto again = assemble(layout, text, "x.tasm", errors);
            ASSERT_TRUE(again) << errors.front();
            ASSERT_EQ(*again, *program) << entry.path();
            ASSERT_EQ(disassemble(layout, *again), text);
            instructions += program->size() / static_cast<std::size_t>(layout.bytes);
        }
    }
    EXPECT_GT(instructions, 300000u);
}

}  // namespace

}  // namespace macrame::tcu
