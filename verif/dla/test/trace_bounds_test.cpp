/// Trace readers on input that nobody should write: folders for files, huge sizes, nothing at all.
/// Every one ends soon, with a message.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "verif/common/text.hpp"
#include "verif/dla/trace/cfg_reader.hpp"
#include "verif/dla/trace/dat_reader.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/find_traces.hpp"
#include "verif/dla/trace/txn_reader.hpp"

namespace macrame::dla::trace {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class TraceBounds : public testing::Test {
protected:
    TraceBounds() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = testing::TempDir() + "macrame_" + test->name() + "_" +
                  verif::text::hex(static_cast<std::uint64_t>(getpid())) + "/";
        fs::create_directories(folder_);
    }
    ~TraceBounds() override { fs::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& content) const {
        fs::create_directories(fs::path(folder_ + name).parent_path());
        std::ofstream(folder_ + name, std::ios::binary) << content;
        return folder_ + name;
    }
    /// First message about a .cfg trace in the folder; empty if it is fine.
    std::string cfg(const std::string& text) const {
        static const RegisterTable registers = dla_registers();
        const ReadResult r = parse_cfg(text, "t.cfg", folder_, registers);
        return r.errors.empty() ? "" : r.errors.front();
    }
    std::string txn(const std::string& text) const {
        const ReadResult r = parse_txn(text, "t.txn", folder_, {});
        return r.errors.empty() ? "" : r.errors.front();
    }

    std::string folder_;
};

TEST_F(TraceBounds, AFolderIsNoFile) {
    EXPECT_EQ(cfg("mem_load(pri_mem, 0, \"..\");\n"),
              "t.cfg:1: " + folder_ + "..: is a folder: want a data file");
    EXPECT_EQ(cfg("mem_init(pri_mem, 0, \".\", ALL_ZERO);\n"),
              "t.cfg:1: " + folder_ + ".: is a folder: want a data file");
    EXPECT_EQ(cfg("check_file(a, pri_mem, 0, 4, \"\");\n"),
              "t.cfg:1: " + folder_ + ": is a folder: want a data file");
    EXPECT_EQ(txn("load_mem 0x0 0x4 ..\n"),
              "t.txn:1: " + folder_ + "..: is a folder: want a data file");
    EXPECT_EQ(read_cfg(folder_, {}).errors,
              std::vector<std::string>{folder_ + ": is a folder: want a trace"});
    EXPECT_EQ(read_txn(folder_, {}).errors,
              std::vector<std::string>{folder_ + ": is a folder: want a trace"});
    EXPECT_EQ(cfg("mem_load(pri_mem, 0, none.dat);\n"),
              "t.cfg:1: " + folder_ +
                  "none.dat: cannot be read (No such file or directory): want a data file");
}

TEST_F(TraceBounds, FilesHaveAnEnd) {
    EXPECT_EQ(cfg("mem_load(pri_mem, 0, ../../../../../../../../../../dev/zero);\n"),
              "t.cfg:1: " + folder_ +
                  "../../../../../../../../../../dev/zero: has more than "
                  "0x10000000 bytes: want a data file");
}

TEST_F(TraceBounds, RegionsAreBounded) {
    const std::string most = ": want 1..0x40000000";
    EXPECT_EQ(cfg("mem_init(pri_mem, 0x80000000, 0xffffffffffffffff, ALL_ZERO);\n"),
              "t.cfg:1: size `0xffffffffffffffff`" + most);
    EXPECT_EQ(cfg("mem_init(pri_mem, 0x80000000, 0x40000001, RANDOM);\n"),
              "t.cfg:1: size `0x40000001`" + most);
    EXPECT_EQ(cfg("mem_init(pri_mem, 0xffffffffffffffff, 2, ALL_ZERO);\n"),
              "t.cfg:1: base `0xffffffffffffffff` and 0x2 bytes: want an end within 64 bits");
    for (const std::string command : {"check_crc", "check_file"}) {
        EXPECT_EQ(
            cfg("intr_notify(SDP_0, a);\n" + command + "(a, pri_mem, 0, 0xffffffffffffffff, 0);\n"),
            "t.cfg:2: size `0xffffffffffffffff`" + most);
        EXPECT_EQ(cfg("intr_notify(SDP_0, a);\n" + command + "(a, pri_mem, 0, 0, 0);\n"),
                  "t.cfg:2: size `0`" + most);
    }
    EXPECT_EQ(cfg("mem_init(pri_mem, 0, 0x40000000, ONES);\nmem_init(sec_mem, 0, 1, ONES);\n"),
              "t.cfg:2: 0x40000001 bytes of memory prepared so far: want at most 0x40000000");
    EXPECT_EQ(cfg("mem_init(pri_mem, 0, 0x40000000, ONES);\nreg_write(0x3010, 0);\n"), "");
}

TEST_F(TraceBounds, OffsetsAreBounded) {
    const std::string want = "` and 1 bytes: want an end of at most 0x40000000";
    for (const std::string offset : {"0xffffffffffffffff", "0x40000000"}) {
        const std::string dat =
            file("far.dat", "{\n{offset:" + offset + ", size:1, payload:0x01}\n}\n");
        EXPECT_EQ(cfg("mem_init(pri_mem, 0, far.dat, ALL_ZERO);\n"),
                  dat + ":2: offset `" + offset + want);
        EXPECT_EQ(cfg("mem_load(pri_mem, 0, far.dat);\n"), dat + ":2: offset `" + offset + want);
        EXPECT_EQ(txn("load_mem 0x0 0x2 far.dat\n"), dat + ":2: offset `" + offset + want);
    }
    file("near.dat", "{\n{offset:4, size:1, payload:0x01}\n}\n");
    EXPECT_EQ(cfg("mem_load(pri_mem, 0xfffffffffffffffc, near.dat);\n"),
              "t.cfg:1: base `0xfffffffffffffffc` and 0x5 bytes: want an end within 64 bits");
}

TEST_F(TraceBounds, AnEmptyTraceIsNoTrace) {
    const std::string want = "no command: want at least one register access, interrupt or check";
    for (const std::string text :
         {"", "\n\n", "// nothing\n", "mem_init(pri_mem, 0, 4, ONES);\n"}) {
        EXPECT_EQ(cfg(text), "t.cfg: " + want) << text;
    }
    EXPECT_EQ(txn(""), "t.txn: " + want);
    EXPECT_EQ(txn("# nothing\n"), "t.txn: " + want);
    EXPECT_EQ(cfg("reg_wirte(0, 0);\n").find("no command"), std::string::npos);
}

TEST_F(TraceBounds, MessagesAreShortAndPrintable) {
    const std::string noise = "\x1b[2J" + std::string(5000, 'a');
    for (const std::string& message :
         {cfg(noise + "\n"), cfg(noise + "();\n"), cfg("reg_write(" + noise + ", 0);\n"),
          cfg("reg_write(0, " + noise + ");\n"), cfg("mem_load(" + noise + ", 0, 0);\n"),
          cfg("check_nothing(" + noise + ");\n"), cfg("sync_wait(a, " + noise + ");\n"),
          cfg("intr_notify(" + noise + ", a);\n"), cfg("mem_init(1, 0, 1, " + noise + ");\n"),
          txn(noise + "\n"), txn("write_reg " + noise + " 0x0\n")}) {
        EXPECT_LT(message.size(), 300u);
        EXPECT_EQ(message.find('\x1b'), std::string::npos);
        EXPECT_NE(message.find("`\\x1b[2Jaaaa"), std::string::npos) << message;
        EXPECT_NE(message.find(": want "), std::string::npos) << message;
    }
}

TEST_F(TraceBounds, TriesOfAPollAreANumber) {
    EXPECT_EQ(txn("read_reg 0x3 0xff <= 0x3 ten\n"), "t.txn:1: `ten`: want a number of tries");
}

TEST_F(TraceBounds, TracesBelowAFolder) {
    std::vector<std::string> errors;
    file("b/x.cfg", "");
    file("a/input.txn", "");
    file("a/notes.txt", "");
    fs::create_directory_symlink("..", folder_ + "a/up");
    fs::create_symlink("nowhere", folder_ + "a/dangling.cfg");
    EXPECT_EQ(find_traces(folder_, errors),
              (std::vector<std::string>{folder_ + "a/input.txn", folder_ + "b/x.cfg"}));
    EXPECT_EQ(find_traces(folder_ + "b/x.cfg", errors),
              std::vector<std::string>{folder_ + "b/x.cfg"});
    EXPECT_TRUE(errors.empty());
    find_traces(folder_ + "none", errors);
    EXPECT_EQ(errors.back(), folder_ +
                                 "none: no such file or folder: want a .cfg or .txn trace or "
                                 "a folder of traces");
    fs::create_directory(folder_ + "empty");
    find_traces(folder_ + "empty", errors);
    EXPECT_EQ(errors.back(), folder_ + "empty: no trace in this folder: want .cfg or .txn files");
}

TEST_F(TraceBounds, AFolderThatCannotBeRead) {
    file("ok/x.cfg", "");
    file("shut/y.cfg", "");
    fs::permissions(folder_, fs::perms::all);
    fs::permissions(folder_ + "shut", fs::perms::none);
    const bool root = geteuid() == 0;  // who may read everything
    ASSERT_EQ(root ? seteuid(65534) : 0, 0);
    std::vector<std::string> errors;
    find_traces(folder_, errors);
    ASSERT_EQ(root ? seteuid(0) : 0, 0);
    fs::permissions(folder_ + "shut", fs::perms::all);
    EXPECT_EQ(errors, std::vector<std::string>{folder_ + "shut: cannot be read (Permission denied)"
                                                         ": want a readable folder"});
}

}  // namespace
}  // namespace macrame::dla::trace
