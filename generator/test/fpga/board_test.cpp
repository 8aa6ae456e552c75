/// Boards: their files, clocks, what does not go onto them.

#include "fpga/board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "fpga/pll.hpp"
#include "generator/test/texts.hpp"

namespace macrame::fpga {
namespace {

std::vector<Board> all() {
    Diags diags;
    std::vector<Board> out = boards(emit::Assets(), diags);
    for (const Diag& diag : diags)
        ADD_FAILURE() << diag.text;
    return out;
}

TEST(Boards, FilesAreWhole) {
    const std::vector<Board> list = all();
    EXPECT_GE(list.size(), 18u);
    for (const Board& board : list) {
        SCOPED_TRACE(board.name);
        EXPECT_LE(board.doc.size(), 80u);
        EXPECT_TRUE(board.flow == "ecp5" || board.flow == "vivado" || board.flow == "ice40");
        EXPECT_GT(board.luts, 0);
        EXPECT_EQ(board.has_processor(), board.clock_mhz == 0);
        std::set<std::string> sites;
        for (const Pin& pin : board.pins) {
            for (const std::string& site : pin.sites)
                EXPECT_TRUE(sites.insert(site).second) << site << " is two pins";
            EXPECT_FALSE(pin.io.empty()) << pin.port;
        }
        if (board.baud == 0) continue;
        for (const char* port : {"clk", "reset", "uart_rx", "uart_tx", "led"}) {
            EXPECT_TRUE(std::any_of(board.pins.begin(), board.pins.end(), [&](const Pin& pin) {
                return pin.port == port;
            })) << port;
        }
    }
}

/// A folder of boards for one test.
class Folder {
public:
    Folder() : path_(testing::TempDir() + "boards_of_the_user") {
        std::filesystem::remove_all(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// A board as one of ours, with `before` replaced.
    void add(const std::string& name, const std::string& ours, const std::string& before = "",
             const std::string& after = "") const {
        std::string bytes = emit::Assets().read("fpga/boards/" + ours + "/board.toml").value_or("");
        const std::size_t at = bytes.find(before);
        ASSERT_NE(at, std::string::npos) << before;
        bytes.replace(at, before.size(), after);
        std::filesystem::create_directories(path_ + "/" + name);
        std::ofstream(path_ + "/" + name + "/board.toml") << bytes;
    }
    const std::string& path() const { return path_; }

    /// What reading it says, without the name of the file.
    std::vector<std::string> said() const {
        Diags diags;
        boards(emit::Assets(), diags, path_);
        std::vector<std::string> out = texts(diags);
        for (std::string& text : out) {
            const std::string file = path_ + "/mine/board.toml:";
            if (text.compare(0, file.size(), file) == 0) text = text.substr(file.size());
        }
        return out;
    }

private:
    std::string path_;
};

TEST(BoardsOfTheUser, AreThereBesideOurs) {
    const Folder folder;
    folder.add("mine", "ulx3s-85f");
    folder.add("ecp5-evn", "ecp5-evn", "kib = 128", "kib = 64");
    Diags diags;
    const std::vector<Board> list = boards(emit::Assets(), diags, folder.path());
    EXPECT_EQ(texts(diags), std::vector<std::string>{});
    EXPECT_EQ(list.size(), all().size() + 1);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(),
                               [](const Board& a, const Board& b) { return a.name < b.name; }));
    const auto mine = find_board("mine", folder.path(), emit::Assets(), diags);
    ASSERT_TRUE(mine.has_value());
    EXPECT_EQ(mine->pins.size(), 15u);
    const auto other = find_board("ecp5-evn", folder.path(), emit::Assets(), diags);
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->memory_kib, 64);
    EXPECT_FALSE(find_board("mine", "", emit::Assets(), diags).has_value());
    ASSERT_EQ(diags.size(), 1u);
    EXPECT_NE(diags[0].text.find("board = mine: want arty-a7-100t"), std::string::npos);
}

TEST(BoardsOfTheUser, MistakesAreTold) {
    struct Row {
        const char *before, *after, *said;
    };
    const Row rows[] = {
        {"flow = \"ecp5\"", "flow = \"quartus\"", " flow = quartus: want ecp5, ice40 or vivado"},
        {"flow = \"ecp5\"\n", "", " no flow: want a text"},
        {"flow = \"ecp5\"", "flow = 5", "2: flow = 5: want a text of one line"},
        {"\"sdram\"", "\"ddr3\"", " memory.kind = ddr3: want block or sdram with flow ecp5"},
        {"mhz = 25", "mhz = 0", " clock.mhz = 0: want that of its pin"},
        {"core_mhz = 60", "core_mhz = 6.5",
         "11: clock.core_mhz = 6.5: want a whole number of 1 to 1000"},
        {"kib = 32768", "kib = 32000", " memory.kib = 32000: want a power of two"},
        {"baud = 1000000", "baud = 1234",
         " host.baud = 1234: want 115200, 230400, 460800, 921600, 1000000, 1500000, 2000000 or "
         "3000000"},
        {"[host]", "[hots]", "24: hots.baud: no board has this; did you mean host.baud?"},
        {"\"R1\"", "\"R 1\"", "29: pins.reset.sites = \"R 1\": want the name of a site, as \"A1\""},
        {"\"R1\"", "\"G2\"", " pins.reset.sites: G2: want another, it is that of clk"},
        {"\"C1\"", "\"C1\", \"D1\"", " pins.led.sites: 4 of them: want 1 to 3"},
        {"\"P19\", \"N20\"", "\"P19\"", " pins.sdram_ba.sites: 1 of them: want 2"},
        {"sdram_cke", "sdram_ck", " no pins.sdram_cke: want its sites, 1"},
        {"clk = {", "clk = [", "28: "},
    };
    for (const Row& row : rows) {
        const Folder folder;
        folder.add("mine", "ulx3s-85f", row.before, row.after);
        const std::vector<std::string> said = folder.said();
        ASSERT_FALSE(said.empty()) << row.said;
        EXPECT_EQ(said.front().substr(0, std::string(row.said).size()), row.said);
    }
    const Folder folder;
    EXPECT_EQ(folder.said().front(),
              folder.path() + ": not there: want a folder of boards (--board-dir)");
    std::filesystem::create_directories(folder.path());
    EXPECT_EQ(folder.said().front(),
              folder.path() + ": no board in it: want NAME/board.toml (--board-dir)");
    std::ofstream(folder.path() + "/board.toml") << "";
    EXPECT_EQ(folder.said().front(),
              folder.path() + ": it is a board: want the folder that it is in (--board-dir)");
}

TEST(Clocks, Ecp5) {
    const auto pll = ecp5_pll(25, 60);
    ASSERT_TRUE(pll.has_value());
    EXPECT_EQ(25 * pll->feedback, 60 * pll->input);
    EXPECT_EQ(pll->output, 10);
    for (const int mhz : {25, 50, 75, 80, 100, 125}) {
        const auto other = ecp5_pll(25, mhz);
        ASSERT_TRUE(other.has_value()) << mhz;
        EXPECT_EQ(25 * other->feedback, mhz * other->input);
        EXPECT_GE(mhz * other->output, 400);
        EXPECT_LE(mhz * other->output, 800);
    }
    EXPECT_FALSE(ecp5_pll(25, 77).has_value());  // the phase detector would be too slow
}

TEST(Clocks, Ice40) {
    for (const int mhz : {12, 15, 18, 24, 30, 48}) {
        const auto made = ice40_pll(12, mhz);
        ASSERT_TRUE(made.has_value()) << mhz;
        EXPECT_EQ(12 * made->feedback, mhz << made->shift);
        EXPECT_GE(mhz << made->shift, 533);
        EXPECT_LE(mhz << made->shift, 1066);
        EXPECT_LE(made->feedback, 128);
    }
    EXPECT_FALSE(ice40_pll(12, 7).has_value());  // the oscillator would be too slow
    EXPECT_FALSE(ice40_pll(9, 12).has_value());  // the phase detector, too
}

TEST(Clocks, Mmcm) {
    for (const int mhz : {50, 75, 80, 100, 125}) {
        const auto made = mmcm(100, mhz);
        ASSERT_TRUE(made.has_value()) << mhz;
        EXPECT_EQ(100 * made->feedback, mhz * made->output * made->input);
    }
}

}  // namespace
}  // namespace macrame::fpga
