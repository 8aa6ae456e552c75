#include "emit/names.hpp"

#include <gtest/gtest.h>

namespace macrame::emit {
namespace {

/// A design of any family: names are the same for all.
Design design(const ModuleNames& names) {
    const Family& family = *all_families().front();
    return {family, "x", family.defaults, names};
}

/// Paths and bytes after renaming; messages in their place if there are any.
std::vector<std::string> renamed(const std::vector<OutputFile>& files, const ModuleNames& names) {
    OutputSet set;
    for (const OutputFile& file : files)
        set.add(file.path, file.bytes);
    Diags diags;
    rename_modules(set, design(names), diags);
    std::vector<std::string> out;
    for (const Diag& diag : diags)
        out.push_back(diag.text);
    if (!out.empty()) return out;
    for (const OutputFile& file : set.files())
        out.push_back(file.path + ": " + file.bytes);
    return out;
}

using Texts = std::vector<std::string>;

std::string wrong(const ModuleNames& names) {
    std::string out;
    for (const Diag& diag : check(names))
        out += diag.text + "\n";
    return out;
}

TEST(Names, WholeIdentifiersInCodeAndComments) {
    EXPECT_EQ(renamed({{"rtl/fifo.v", "module fifo;\n"},
                       {"rtl/unit.v",
                        "// from templates/x/fifo.v\n// a fifo, not a fifo_2 or unit_fifo\n"
                        "fifo #(.W(8)) u_fifo (.fifo(fifo_q), .d(4'hf)); // unit.\n"
                        "(* x = \"fifo\" *) unit2 u; `fifo\n"}},
                      {"a_", {}}),
              (Texts{"rtl/a_fifo.v: module a_fifo;\n",
                     "rtl/a_unit.v: // from templates/x/fifo.v\n"
                     "// a a_fifo, not a fifo_2 or unit_fifo\n"
                     "a_fifo #(.W(8)) u_fifo (.fifo(fifo_q), .d(4'hf)); // a_unit.\n"
                     "(* x = \"fifo\" *) unit2 u; `fifo\n"}));
}

TEST(Names, OtherFilesStay) {
    EXPECT_EQ(renamed({{"doc/fifo.md", "fifo"}, {"rtl/fifo.v", "module fifo;"}}, {"a_", {}}),
              (Texts{"doc/fifo.md: fifo", "rtl/a_fifo.v: module a_fifo;"}));
    EXPECT_EQ(renamed({{"rtl/fifo.v", "module fifo;"}}, {}), Texts{"rtl/fifo.v: module fifo;"});
}

TEST(Names, TopHasItsOwn) {
    const std::string top =
        emitted_name(design({}), std::string(all_families().front()->name) + "_top");
    const std::vector<OutputFile> files = {{top + ".v", "module " + top + "; fifo u ();"},
                                           {"fifo.v", "module fifo;"}};
    EXPECT_EQ(renamed(files, {{}, "npu"}),
              (Texts{"fifo.v: module fifo;", "npu.v: module npu; fifo u ();"}));
    EXPECT_EQ(renamed(files, {"a_", "npu"}),
              (Texts{"a_fifo.v: module a_fifo;", "npu.v: module npu; a_fifo u ();"}));
    EXPECT_EQ(renamed(files, {"a_", "a_fifo"}),
              Texts{"top = a_fifo: want a name that no other module has (--top)"});
    EXPECT_EQ(renamed(files, {{}, "fifo"}),
              Texts{"top = fifo: want a name that no other module has (--top)"});
}

TEST(Names, MustBeIdentifiers) {
    EXPECT_EQ(wrong({"core0_", "npu"}), "");
    EXPECT_EQ(wrong({"", "9x"}),
              "prefix = \"\": want letters, digits and _, not a digit first, at most 64 characters "
              "(--prefix)\n"
              "top = 9x: want letters, digits and _, not a digit first, at most 64 characters "
              "(--top)\n");
    const std::vector<std::string> none = {"a-b", "a b", "\xc3\xa4",
                                           "a.v", "a/b", std::string(65, 'a')};
    for (const std::string& bad : none)
        EXPECT_NE(wrong({bad, {}}), "") << bad;
    EXPECT_EQ(wrong({{}, "module"}), "top = module: want no reserved word of Verilog (--top)\n");
    EXPECT_EQ(wrong({{}, "bit"}), "top = bit: want no reserved word of Verilog (--top)\n");
    EXPECT_EQ(wrong({"table", {}}), "");
}

}  // namespace
}  // namespace macrame::emit
