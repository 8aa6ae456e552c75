#include "emit/output_set.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "emit/manifest.hpp"
#include "emit/sha256.hpp"

namespace macrame::emit {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> faults(const std::vector<OutputFile>& files) {
    OutputSet set;
    for (const OutputFile& file : files) {
        set.add(file.path, file.bytes);
    }
    std::vector<std::string> result;
    for (const Diag& diag : set.check()) {
        result.push_back(diag.text);
    }
    return result;
}

using Faults = std::vector<std::string>;

TEST(OutputSet, GoodFilesPass) {
    EXPECT_EQ(faults({{"rtl/a.v", "// A\nmodule a (\n);\nendmodule\n"},
                      {"rtl/b.v", "module b;\nendmodule\n"},
                      {"doc/x.md", "tabs\tand ${ are fine here \n"}}),
              Faults{});
}

TEST(OutputSet, OneCheckEach) {
    const std::string ok = "module a;\nendmodule\n";
    EXPECT_EQ(faults({{"a.v", "module b;\n"}}),
              Faults{"a.v:1: module b: want the name of the file"});
    EXPECT_EQ(faults({{"a.v", ok + ok}}),
              Faults({"a.v:3: module a is also in a.v", "a.v: 2 modules: want one"}));
    EXPECT_EQ(faults({{"x/a.v", ok}, {"y/a.v", ok}}), Faults{"y/a.v:1: module a is also in x/a.v"});
    EXPECT_EQ(faults({{"a.v", "// nothing\n"}}), Faults{"a.v: 0 modules: want one"});
    EXPECT_EQ(faults({{"a.v", ok + "\tx\n"}}), Faults{"a.v:3: want printable ASCII without tabs"});
    EXPECT_EQ(faults({{"a.v", ok + "// \xc3\xa4\n"}}),
              Faults{"a.v:3: want printable ASCII without tabs"});
    EXPECT_EQ(faults({{"a.v", ok + "x \n"}}), Faults{"a.v:3: trailing blank"});
    EXPECT_EQ(faults({{"a.v", ok + std::string(100, 'x') + "\n"}}), Faults{});
    EXPECT_EQ(faults({{"a.v", ok + std::string(101, 'x') + "\n"}}),
              Faults{"a.v:3: 101 columns: want at most 100"});
    EXPECT_EQ(faults({{"a.v", ok + "${n}\n"}}), Faults{"a.v:3: leftover ${"});
    EXPECT_EQ(faults({{"a.v", ok + "x"}}), Faults{"a.v: want a newline at the end"});
    EXPECT_EQ(faults({{"a.v", ok}, {"a.v", "module c;\n"}}).size(), 2u);
    EXPECT_EQ(faults({{"../a.txt", ""}}), Faults{"../a.txt: want a path inside the output folder"});
    EXPECT_EQ(faults({{"/a.txt", ""}}), Faults{"/a.txt: want a path inside the output folder"});
}

class Folder : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string read(const std::string& path) const {
        std::ifstream in(folder_ / path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    }
    static OutputSet set(const std::string& a, const std::string& b) {
        OutputSet result;
        result.add("x/a.txt", a);
        result.add("b.txt", b);
        return result;
    }

    fs::path folder_;
};

TEST_F(Folder, WritesChangedFilesOnly) {
    WriteReport report = write(set("1", "2"), folder_, {});
    EXPECT_EQ(report.written, 2);
    EXPECT_EQ(read("x/a.txt"), "1");
    const auto old = fs::last_write_time(folder_ / "x/a.txt") - std::chrono::hours(1);
    fs::last_write_time(folder_ / "x/a.txt", old);
    report = write(set("1", "3"), folder_, {});
    EXPECT_EQ(report.written, 1);
    EXPECT_EQ(report.unchanged, 1);
    EXPECT_EQ(fs::last_write_time(folder_ / "x/a.txt"), old);
    EXPECT_EQ(read("b.txt"), "3");
}

TEST_F(Folder, AnErrorLeavesTheFolderAsItWas) {
    write(set("1", "2"), folder_, {});
    OutputSet broken = set("8", "9");
    broken.add("x/a.txt/below_a_file", "7");
    const WriteReport report = write(broken, folder_, {"b.txt"});
    EXPECT_FALSE(report.diags.empty());
    EXPECT_EQ(report.written, 0);
    EXPECT_EQ(read("x/a.txt"), "1");
    EXPECT_EQ(read("b.txt"), "2");
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        files += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_EQ(files, 2);
}

TEST_F(Folder, RemovesWhatAnEarlierRunMade) {
    OutputSet first = set("1", "2");
    first.add("old.v", "old");
    first.add("mine.v", "made");
    OutputSet first_all = first;
    first_all.add(kManifest, manifest(Config{}, first));
    write(first_all, folder_, {});
    std::ofstream(folder_ / "mine.v") << "edited by hand";
    const OutputSet second = set("1", "2");
    EXPECT_EQ(stale_files(folder_, second), std::vector<std::string>{"old.v"});
    EXPECT_EQ(write(second, folder_, {"old.v"}).removed, 1);
    EXPECT_FALSE(fs::exists(folder_ / "old.v"));
    EXPECT_EQ(read("mine.v"), "edited by hand");
}

TEST(Sha256, KnownValues) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(std::string(64, 'a')),
              "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

}  // namespace
}  // namespace macrame::emit
