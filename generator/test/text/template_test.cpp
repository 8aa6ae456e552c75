#include "text/template.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace macrame::text {
namespace {

Scope scope() {
    return {{"n", 4},
            {"zero", 0},
            {"name", "cbuf"},
            {"lines", "a\nb"},
            {"empty", ""},
            {"none", List{}},
            {"ports", List{Scope{{"name", "x"}, {"w", 8}}, Scope{{"name", "y"}, {"w", 16}}}}};
}

std::string rendered(std::string_view source) { return render(source, "t.v", scope()); }

std::string failure(std::string_view source) {
    try {
        return "no error: " + rendered(source);
    } catch (const TemplateError& e) {
        return e.what();
    }
}

TEST(Template, PrintsNumbersAndText) {
    EXPECT_EQ(rendered("[${n}] ${name}\n"), "[4] cbuf\n");
    EXPECT_EQ(rendered("[${n - 1:4}]\n"), "[   3]\n");
    // A wider one takes blanks from what follows, down to one: comments stay in their column.
    EXPECT_EQ(rendered("[${n * 500:2}:0]   a,  // b\n"), "[2000:0] a,  // b\n");
    EXPECT_EQ(rendered("[${n * 500:1}:0]  a,    // b\n"), "[2000:0] a,  // b\n");
    EXPECT_EQ(rendered("[${n * 500:1}:${n * 5:1}] a, b\n"), "[2000:20] a, b\n");
    EXPECT_EQ(rendered("[${n * 500}]   a\n"), "[2000]   a\n");
    EXPECT_EQ(rendered("[${name:2}]\n"), "[cbuf]\n");
    EXPECT_EQ(rendered("[${name:-6}] [${n:-3}]\n"), "[cbuf  ] [4  ]\n");
    EXPECT_EQ(rendered("${name:-2}   (a)\n"), "cbuf (a)\n");
    EXPECT_EQ(rendered("$${n} {n} $n\n"), "${n} {n} $n\n");
    EXPECT_EQ(rendered("no newline"), "no newline\n");
    EXPECT_EQ(rendered("a  ${n}  b ${n} \n"), "a  4  b 4 \n");
    EXPECT_EQ(rendered(""), "");
}

TEST(Template, MultiLineTextKeepsTheIndentation) {
    EXPECT_EQ(rendered("  ${lines};\n"), "  a\n  b;\n");
    EXPECT_EQ(rendered("x\n  ${empty}\ny\n"), "x\ny\n");
}

TEST(Template, Arithmetic) {
    const std::pair<const char*, const char*> cases[] = {
        {"2 + 3 * 4", "14"},      {"(2 + 3) * 4", "20"},
        {"10 - 3 - 2", "5"},      {"12 / 4", "3"},
        {"13 % 4", "1"},          {"1 << 5", "32"},
        {"1 << 2 + 1", "8"},      {"-3 + 5", "2"},
        {"!0 + !7", "1"},         {"1 < 2", "1"},
        {"2 <= 1", "0"},          {"2 >= 2", "1"},
        {"3 > 4", "0"},           {"3 == 3", "1"},
        {"3 != 3", "0"},          {"1 && 0 || 1", "1"},
        {"0 && (1 || 1)", "0"},   {"clog2(1)", "0"},
        {"clog2(5)", "3"},        {"clog2(8)", "3"},
        {"max(3, n)", "4"},       {"name == \"cbuf\"", "1"},
        {"name != \"cbuf\"", "0"}};
    for (const auto& [source, want] : cases) {
        EXPECT_EQ(rendered("${" + std::string(source) + "}\n"), std::string(want) + "\n") << source;
    }
}

TEST(Template, If) {
    const std::string source =
        "//% if n == 1\none\n//% elif n == 4\nfour\n//% elif n\nany\n//% else\nother\n//% end\n";
    EXPECT_EQ(rendered(source), "four\n");
    EXPECT_EQ(rendered("//% if zero\na\n//% else\nb\n//% end\nc\n"), "b\nc\n");
    EXPECT_EQ(rendered("//% if n\na\n//% else\nb\n//% end\n"), "a\n");
    EXPECT_EQ(rendered("//% if zero\n//% if n\na\n//% else\nb\n//% end\n//% end\nc\n"), "c\n");
    EXPECT_EQ(rendered("#% if n\n  #% end\nx\n"), "x\n");
}

TEST(Template, For) {
    EXPECT_EQ(rendered("//% for p in ports\n${p.name}[${p.w}]\n//% end\n"), "x[8]\ny[16]\n");
    EXPECT_EQ(rendered("//% for i in range(3)\n${i}\n//% end\n"), "0\n1\n2\n");
    EXPECT_EQ(rendered("//% for i in range(2, 4)\n${i}\n//% end\n"), "2\n3\n");
    EXPECT_EQ(rendered("//% for i in none\n//% if n\n${i}\n//% end\n//% end\nx\n"), "x\n");
    EXPECT_EQ(
        rendered("//% for i in range(2)\n//% for j in range(2)\n${i}${j}\n//% end\n//% end\n"),
        "00\n01\n10\n11\n");
}

TEST(Template, GuardBehindALine) {
    EXPECT_EQ(rendered("a,  //% if n == 4\nb,  //% if zero\nc\n"), "a,\nc\n");
    EXPECT_EQ(rendered("  .${name} (x),   //% if n\n"), "  .cbuf (x),\n");
    EXPECT_EQ(rendered("x = 1  #% if n\ny  #% if zero\n"), "x = 1\n");
    EXPECT_EQ(rendered("a,  // of b  //% if n\n"), "a,  // of b\n");
    // Nothing of a line is read that does not exist; an empty text vanishes as it does alone.
    EXPECT_EQ(rendered("${nope}  //% if zero\n"), "");
    EXPECT_EQ(rendered("  ${empty}  //% if n\n"), "");
    EXPECT_EQ(rendered("//% if zero\na  //% if nope\n//% end\n"), "");
    // Only behind a blank, and in Makefiles with one behind it.
    EXPECT_EQ(rendered("a//% if zero\nb %#% c #%d\n"), "a//% if zero\nb %#% c #%d\n");
    EXPECT_EQ(rendered("//# a  //% if nope\n"), "");
}

TEST(Template, ConditionalExpression) {
    EXPECT_EQ(rendered("[${n == 4 ? \"yes\" : \"no\"}]\n"), "[yes]\n");
    EXPECT_EQ(rendered("[${zero ? \"yes\" : n + 1}]\n"), "[5]\n");
    EXPECT_EQ(rendered("[${n ? 1 : 2:4}]\n"), "[   1]\n");
    EXPECT_EQ(rendered("${zero ? 1 : n == 3 ? 2 : 3}${n ? zero ? 4 : 5 : 6}\n"), "35\n");
    EXPECT_EQ(rendered("${2 * (n > 3 ? 10 : 20) + max(n ? 1 : 2, 0)}\n"), "21\n");
    EXPECT_EQ(rendered("a\n  ${zero ? \"b\" : \"\"}\nc${zero ? \"}\" : \"{}\"}\n"), "a\nc{}\n");
    // The other branch is read for its syntax only.
    EXPECT_EQ(rendered("${n ? 1 : n / zero + nope.x + clog2(name) * -name}\n"), "1\n");
    EXPECT_EQ(rendered("${zero ? (1 << 99) % (1 - 1) + range(1 << 40) : 3}\n"), "3\n");
}

TEST(Template, Join) {
    EXPECT_EQ(rendered("{4'd${join(range(3), \", 4'd\")}}\n"), "{4'd0, 4'd1, 4'd2}\n");
    EXPECT_EQ(rendered("[${join(none, \", \")}${n ? 1 : join(nope, n)}]\n"), "[1]\n");
    EXPECT_EQ(failure("${join(n, \", \")}\n"), "t.v:1:8: want a list");
    EXPECT_EQ(failure("${join(none, 1)}\n"), "t.v:1:14: want a text");
    EXPECT_EQ(failure("${join(none)}\n").substr(0, 14), "t.v:1:3: want ");
    EXPECT_EQ(failure("${join(ports, \", \")}\n"), "t.v:1:8: cannot join lists or records");
}

TEST(Template, SignalsOfOtherWidths) {
    EXPECT_EQ(rendered("${fit(\"a\", n, 4)} ${fit(\"a\", n, 6)} ${fit(\"a\", n, 3)}\n"),
              "a {2'd0, a} a[2:0]\n");
    EXPECT_EQ(rendered("${field(\"a\", 8, 4, n)} ${field(\"a\", 8, 4, 6)}\n"),
              "a[11:8] {2'd0, a[11:8]}\n");
    EXPECT_EQ(rendered("${field(\"a\", 0, 4, 3)}${zero ? fit(1, nope, 2) : 1}\n"), "a[2:0]1\n");
    EXPECT_EQ(failure("${fit(n, 1, 2)}\n"), "t.v:1:7: want a text");
    EXPECT_EQ(failure("${field(name, name, 1, 2)}\n"), "t.v:1:15: want an integer");
}

TEST(Template, Let) {
    EXPECT_EQ(rendered("//% let m = n + 1\n${m} ${m * 2}\n"), "5 10\n");
    EXPECT_EQ(rendered("//% let m = \"a\"\n//% let k = m == \"a\" ? 7 : 8\n${k}\n"), "7\n");
    EXPECT_EQ(rendered("//% for p in ports\n//%   let w = p.w - 1\n${w}\n//% end\n"), "7\n15\n");
    // Up to the end of its block.
    EXPECT_EQ(rendered("//% if n\n//%   let m = 1\n//% end\n//% let m = 2\n${m}\n"), "2\n");
    EXPECT_EQ(rendered("//% if zero\n//%   let m = nope\n//% end\nx\n"), "x\n");
    EXPECT_EQ(failure("//% if n\n//%   let m = 1\n//% end\n${m}\n"), "t.v:4:3: unknown name 'm'");
}

TEST(Template, CommentsOfTheTemplateVanish) {
    EXPECT_EQ(rendered("  //# for us\n// for the reader\n"), "// for the reader\n");
}

TEST(Template, TellsWhichNamesWereRead) {
    std::set<std::string> used;
    render("//% for i in range(n)\n${i}\n//% end\n${name}\n//% if zero\n${lines}\n//% end\n", "t",
           scope(), &used);
    EXPECT_EQ(used, (std::set<std::string>{"n", "name", "zero"}));
    // What a local name comes from, where that name is read; of a conditional what it takes.
    used.clear();
    render("//% let a = n\n//% let b = name\n//% let c = a + 1\n${c}${zero ? lines : 1}\n", "t",
           scope(), &used);
    EXPECT_EQ(used, (std::set<std::string>{"n", "zero"}));
}

TEST(Template, ErrorsHaveFileLineAndColumn) {
    EXPECT_EQ(failure("x\n  ${nope}\n"), "t.v:2:5: unknown name 'nope'");
    EXPECT_EQ(failure("${n / 3}\n"), "t.v:1:5: inexact division 4 / 3");
    EXPECT_EQ(failure("${n / zero}\n"), "t.v:1:5: division by zero");
    EXPECT_EQ(failure("${n + }\n"), "t.v:1:7: want an expression");
    EXPECT_EQ(failure("${n\n"), "t.v:1:4: want }");
    EXPECT_EQ(failure("${n + name}\n"), "t.v:1:7: want an integer");
    EXPECT_EQ(failure("${ports}\n"), "t.v:1:3: cannot print a list or record");
    EXPECT_EQ(failure("${\"a}\n"), "t.v:1:3: string without end");
    EXPECT_EQ(failure("${1 << 99}\n"), "t.v:1:5: shift out of range");
    EXPECT_EQ(failure("${sin(1)}\n").substr(0, 36), "t.v:1:3: want clog2(a), max(a, b), r");
    EXPECT_EQ(failure("${1 + clog2(1, 2)}\n").substr(0, 8), "t.v:1:7:");
    EXPECT_EQ(failure("${max(1, name)}\n"), "t.v:1:10: want an integer");
    EXPECT_EQ(failure("//% for p in ports\n${p.x}\n//% end\n"), "t.v:2:5: no field 'x'");
    EXPECT_EQ(failure("//% for p in n\n//% end\n"), "t.v:1:14: want a list");
    EXPECT_EQ(failure("//% if n +\n//% end\n"), "t.v:1:11: want an expression");
    EXPECT_EQ(failure("//% if n n\n//% end\n"), "t.v:1:10: unexpected text");
    EXPECT_EQ(failure("//% set n\n"), "t.v:1:4: want if, elif, else, for, let, include or end");
}

TEST(Template, ErrorsInGuardsConditionsAndNames) {
    EXPECT_EQ(failure("x\n  a,  //% if nope\n"), "t.v:2:14: unknown name 'nope'");
    EXPECT_EQ(failure("a,  //% if n n\n"), "t.v:1:14: unexpected text");
    EXPECT_EQ(failure("a,  //% end\n"), "t.v:1:8: want if behind text");
    EXPECT_EQ(failure("a,  //% if\n"), "t.v:1:11: want an expression");
    EXPECT_EQ(failure("a,  //% if name\n"), "t.v:1:12: want an integer");
    EXPECT_EQ(failure("a ${nope},  //% if n\n"), "t.v:1:5: unknown name 'nope'");
    EXPECT_EQ(failure("${n ? 1}\n"), "t.v:1:8: want : and what holds else");
    EXPECT_EQ(failure("${n ? 1 : }\n"), "t.v:1:11: want an expression");
    EXPECT_EQ(failure("${name ? 1 : 2}\n"), "t.v:1:3: want an integer");
    EXPECT_EQ(failure("${n ? name : 1 + sin(1)}\n").substr(0, 9), "t.v:1:18:");
    EXPECT_EQ(failure("${zero ? (1 : 2}\n"), "t.v:1:13: want )");
    EXPECT_EQ(failure("//% let n = 1\n"), "t.v:1:9: 'n' has a value already");
    EXPECT_EQ(failure("//% let m = 1\n//% let m = 1\n"), "t.v:2:9: 'm' has a value already");
    EXPECT_EQ(failure("//% let m 1\n"), "t.v:1:11: want =");
    EXPECT_EQ(failure("//% let = 1\n"), "t.v:1:9: want a name");
    EXPECT_EQ(failure("//% let m = nope\n"), "t.v:1:13: unknown name 'nope'");
    EXPECT_EQ(failure("//% let m = 1 2\n"), "t.v:1:15: unexpected text");
    EXPECT_EQ(failure("//% let m = m\n"), "t.v:1:13: unknown name 'm'");
}

TEST(Template, UnbalancedBlocks) {
    EXPECT_EQ(failure("a\n//% if n\nb\n"), "t.v:2:4: if without end");
    EXPECT_EQ(failure("//% for i in range(2)\n"), "t.v:1:4: for without end");
    EXPECT_EQ(failure("//% for i in range(2)\n//% else\n//% end\n"), "t.v:1:4: for without end");
    EXPECT_EQ(failure("a\n//% end\n"), "t.v:2:4: no open block");
    EXPECT_EQ(failure("//% if n\n//% else\n//% else\n//% end\n"), "t.v:3:4: want end after else");
    EXPECT_EQ(failure("//% if zero\n//% if n\n//% end\n"), "t.v:1:4: if without end");
}

TEST(Template, EndIsAWordOfItsOwn) {
    const std::string open = "//% for i in range(2)\n${i}\n";
    EXPECT_EQ(failure(open + "//% elif append\n"), "t.v:1:4: for without end");
    EXPECT_EQ(failure(open + "//% else  // the end\n//% end\n"), "t.v:1:4: for without end");
    EXPECT_EQ(failure(open + "//% end of it\n"), "t.v:3:9: unexpected text");
}

TEST(Template, NumbersStayInSixtyFourBits) {
    const std::string most = "(1 << 62) - 1 + (1 << 62)";  // 2^63 - 1
    const std::string least = "(0 - (" + most + ") - 1)";
    EXPECT_EQ(rendered("${" + most + "}\n"), "9223372036854775807\n");
    EXPECT_EQ(rendered("${" + least + "}\n"), "-9223372036854775808\n");
    EXPECT_EQ(failure("${" + most + " + 1}\n"), "t.v:1:29: result out of range");
    EXPECT_EQ(failure("${" + least + " - 1}\n").substr(10), "result out of range");
    EXPECT_EQ(failure("${" + least + " * 2}\n").substr(10), "result out of range");
    EXPECT_EQ(failure("${" + least + " / -1}\n").substr(10), "result out of range");
    EXPECT_EQ(failure("${" + least + " % -1}\n").substr(10), "result out of range");
    EXPECT_EQ(failure("${-" + least + "}\n").substr(9), "result out of range");
    EXPECT_EQ(failure("${3 << 62}\n"), "t.v:1:5: shift out of range");
    EXPECT_EQ(failure("${1 << 64}\n"), "t.v:1:5: shift out of range");
    EXPECT_EQ(rendered("${clog2(" + most + ")}\n"), "63\n");
    EXPECT_EQ(rendered("${clog2((1 << 62) + 1)}\n"), "63\n");
}

TEST(Template, SizesAreBounded) {
    EXPECT_EQ(failure("${1:9999999999999999}\n"),
              "t.v:1:5: width 9999999999999999: want at most 1000");
    EXPECT_EQ(failure("${1:-9999}\n"), "t.v:1:5: width -9999: want at most 1000");
    EXPECT_EQ(failure("//% for i in range(1 << 40)\n//% end\n"),
              "t.v:1:14: range of 1099511627776 numbers: want at most 65536");
    EXPECT_EQ(failure("//% for i in range(0 - (1 << 62), 1 << 62)\n//% end\n"),
              "t.v:1:14: range of 9223372036854775808 numbers: want at most 65536");
    EXPECT_EQ(rendered("//% for i in range(3, 1)\n${i}\n//% end\n"), "");
    std::string loops;
    for (const char* name : {"a", "b", "c", "d"}) {
        loops += "//% for " + std::string(name) + " in range(60000)\n";
    }
    EXPECT_EQ(failure(loops + "${a}\n//% end\n//% end\n//% end\n//% end\n").substr(4),
              "5:1: more than 1000000 lines to expand: want a smaller loop");
}

TEST(Template, NestingIsBounded) {
    const auto repeated = [](const std::string& text) {
        std::string out;
        for (int i = 0; i < 200000; ++i)
            out += text;
        return out;
    };
    const std::string deep = "nested too deeply: want at most 100 levels";
    for (const char* open : {"(", "!", "-", "clog2(", "1+(", "max(1,", "1?", "0?1:"}) {
        const std::string message = failure("${" + repeated(open) + "1}\n");
        EXPECT_EQ(message.substr(message.find(": ") + 2), deep) << open;
    }
    for (const char* open : {"//% if n\n", "//% if zero\n", "//% for i in range(1)\n"}) {
        const std::string message = failure(repeated(open));
        EXPECT_EQ(message.substr(message.find(": ") + 2), deep) << open;
    }
}

/// Text or error of a template that includes files of a small folder.
std::string with_files(std::string_view source) {
    const auto files = [](std::string_view path) -> std::optional<Fragment> {
        if (path == "a/port.vh") return Fragment{"files/a/port.vh", "wire ${name}${n};\n"};
        if (path == "a/two.vh") {
            return Fragment{"files/a/two.vh",
                            "//% include \"a/port.vh\"\n//% include \"a/port.vh\"\n"};
        }
        if (path == "a/let.vh") return Fragment{"files/a/let.vh", "//% let k = m + 1\n${k}\n"};
        if (path == "a/wrong.vh") return Fragment{"files/a/wrong.vh", "x\n${nothing}\n"};
        if (path == "a/open.vh") return Fragment{"files/a/open.vh", "//% if n\n"};
        if (path == "a/loop.vh") return Fragment{"files/a/loop.vh", "//% include \"a/loop.vh\"\n"};
        if (path == "a/double.vh") {
            return Fragment{"files/a/double.vh",
                            "//% include \"a/double.vh\"\n//% include \"a/double.vh\"\n"};
        }
        return std::nullopt;
    };
    try {
        return render(source, "t.v", scope(), nullptr, files);
    } catch (const TemplateError& e) {
        return e.what();
    }
}

TEST(Template, IncludesFiles) {
    EXPECT_EQ(with_files("a\n//% include \"a/port.vh\"\nb\n"), "a\nwire cbuf4;\nb\n");
    EXPECT_EQ(with_files("//% include \"a/two.vh\"\n"), "wire cbuf4;\nwire cbuf4;\n");
    EXPECT_EQ(with_files("//% for p in ports\n//%   include \"a/port.vh\"\n//% end\n"),
              "wire cbuf4;\nwire cbuf4;\n");
    // An included file sees names of the template around it and keeps its own for itself.
    EXPECT_EQ(with_files("//% let m = 6\n//% include \"a/let.vh\"\n//% include \"a/let.vh\"\n"),
              "7\n7\n");
    EXPECT_EQ(with_files("//% if zero\n//%   include \"a/none.vh\"\n//% end\n"), "");
}

TEST(Template, RefusesWrongIncludes) {
    EXPECT_EQ(with_files("//% include \"a/none.vh\"\n"),
              "t.v:1:13: \"a/none.vh\": no such file to include");
    EXPECT_EQ(failure("//% include \"a/port.vh\"\n"),
              "t.v:1:13: \"a/port.vh\": no such file to include");
    EXPECT_EQ(with_files("//% include n\n"), "t.v:1:13: want the path of a file as text");
    EXPECT_EQ(with_files("//% include \"a/port.vh\" 4\n").substr(0, 8), "t.v:1:25");
    EXPECT_EQ(with_files("//% include \"a/wrong.vh\"\n").substr(0, 22), "files/a/wrong.vh:2:3: ");
    EXPECT_EQ(with_files("//% include \"a/open.vh\"\n"), "files/a/open.vh:1:4: if without end");
    EXPECT_NE(with_files("//% include \"a/loop.vh\"\n").find("files/a/loop.vh:1:"),
              std::string::npos);
    EXPECT_NE(with_files("//% include \"a/double.vh\"\n").find("files/a/double.vh:1:"),
              std::string::npos);
    // The place of a mistake behind an include is in the file that includes.
    EXPECT_EQ(with_files("//% include \"a/port.vh\"\n//% end\n"), "t.v:2:4: no open block");
}

}  // namespace
}  // namespace macrame::text
