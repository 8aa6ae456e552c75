#include "emit/output_set.hpp"

#include <gtest/gtest.h>

#include "emit/sha256.hpp"

namespace macrame::emit {
namespace {

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

TEST(Sha256, KnownValues) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(std::string(64, 'a')),
              "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

}  // namespace
}  // namespace macrame::emit
