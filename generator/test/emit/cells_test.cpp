#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "emit/units.hpp"

namespace macrame::emit {
namespace {

namespace fs = std::filesystem;

/// Templates of the user: one cell of the program, one new cell that uses it.
class CellsOfTheUser : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(folder_ / "lib");
        std::ofstream(folder_ / "lib/clkgate.v") << "module clkgate;\nendmodule\n";
        std::ofstream(folder_ / "lib/new_cell.v")
            << "module new_cell;\n    clkgate u_clkgate ();\nendmodule\n";
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Paths of a design with one module, then the messages.
    std::vector<std::string> made(const std::string& code) const {
        OutputSet set;
        set.add("rtl/a.v", code);
        Diags diags;
        add_cells(set, Assets(folder_.string()), diags);
        std::vector<std::string> result;
        for (const OutputFile& file : set.files())
            result.push_back(file.path);
        for (const Diag& diag : diags)
            result.push_back(diag.text);
        return result;
    }

    fs::path folder_ = fs::path(testing::TempDir()) / "macrame_cells";
};

using Words = std::vector<std::string>;

TEST_F(CellsOfTheUser, AreEmitted) {
    EXPECT_EQ(made("module a;\n    new_cell u_x ();\nendmodule\n"),
              Words({"rtl/a.v", "rtl/clkgate.v", "rtl/new_cell.v"}));
    EXPECT_EQ(made("module a;  // not new_cell\nendmodule\n"), Words{"rtl/a.v"});
}

TEST_F(CellsOfTheUser, MissingOnesAreNamed) {
    EXPECT_EQ(made("module a;\n    fifo_sync u_x ();\nendmodule\n"),
              Words({"rtl/a.v", folder_.string() + "/lib/fifo_sync.v: want this library cell"}));
}

}  // namespace
}  // namespace macrame::emit
