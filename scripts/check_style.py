#!/usr/bin/env python3
"""Checks what a compiler and a formatter do not: lengths, formatting by streams, layers, names.

  scripts/check_style.py [ROOT]

- no source file over 500 lines but tables, no C++ function over 80; scripts and proofs have at most
  100 columns
- at most 15 % of the lines of a Verilog template are directives that choose or repeat: more is a
  table in disguise; three are few in any file
- Verilog stands in templates: rows of units (generator/families/F/*) have none in their texts
- text in generator/, verif/ and tb/ is made without streams and printf
- code that all families share names none of them, in comments neither
- includes run one way, down the table PARTS, so that there is no circle; folders of a family
  include none of another
- what the compiler refuses tells what is wanted: texts of a Refusal or Unsupported say "want"
- links of documents lead somewhere (doc_links.py)
Each check has a list of files that are excused; what is no longer needed there is printed.
"""

import os
import re
import sys

import doc_links

MAX_FILE, MAX_FUNCTION, MAX_DIRECTIVES, MAX_COLUMNS = 500, 80, 0.15, 100

# Files and functions that are long because they are tables: what a row is. A folder ends in a
# slash.
TABLES = {
    "generator/families/dla/params.cpp": "a parameter",
    "generator/families/dla/registers/": "a register",
    "generator/families/dla/rules.cpp": "a rule of the configuration",
    "generator/families/dla/sdp.cpp": "a unit: its registers, its options",
    "generator/test/families/dla/settings_test.cpp": "a rule, values that break it, the message",
    "verif/dla/test/layer_cases_conv.hpp": "a layer that breaks a rule, the message",
    "verif/dla/test/layer_cases_modes.hpp": "a layer that breaks a rule, the message",
    "verif/dla/test/layer_cases_post.hpp": "a layer that breaks a rule, the message",
    "verif/dla/test/layer_cases_types16.hpp": "a layer that breaks a rule, the message",
}
# Files still to be split.
LONG_FILES = {
}
# Files with functions still to be split.
LONG_FUNCTIONS = {
}
# Still to be converted to fmt (generator) or verif/common/text.hpp (verif, tb).
STREAMS = {
    "generator/core/settings.cpp",  # the TOML library prints to streams only
}
# Shared by all families and still naming one.
FAMILY_NAMES = {
    "scripts/check_style.py",  # the lists above
    "CMakeLists.txt",
    "tb/common/unit/lib_tb.cpp",
}
# Still including another part of the tree.
INCLUDES = {
}
# Words that name a family; the folders below generator/families are added.
FAMILY_WORDS = {"nvdla"}
# What all families share. A folder ends in a slash.
SHARED = (
    "generator/core/", "generator/text/", "generator/regs/", "generator/emit/", "generator/api/",
    "generator/*", "generator/network/", "verif/common/", "tb/common/", "cmake/", "CMakeLists.txt",
    "templates/lib/", "templates/tb/", "scripts/*", "scripts/timing/", "fpga/",
    "compiler/*", "compiler/graph/", "compiler/front/", "compiler/program/", "runtime/*",
    "runtime/play/*",
)

# Parts of the tree and those that each may include beside itself: they stand below it. F is a
# family. A folder that is not here belongs to the one above.
PARTS = {
    "python": ("generator",),
    "generator": ("compiler/test", "compiler/F", "compiler/front", "compiler", "compiler/program",
                  "compiler/graph", "fpga", "runtime", "verif"),
    "compiler/test": ("compiler/F", "compiler/front", "compiler", "compiler/program",
                      "compiler/graph", "runtime", "runtime/host", "verif"),
    "compiler/F": ("compiler", "compiler/program", "compiler/graph", "runtime", "verif"),
    "compiler/front": ("compiler/graph",),
    "compiler": ("compiler/program", "compiler/graph", "runtime", "verif"),
    "compiler/program": ("runtime", "verif"),
    "compiler/graph": ("runtime/host",),
    "fpga/test": ("fpga", "tb", "verif"),
    "fpga": ("verif",),
    "tb": ("runtime", "verif"),
    "runtime": ("runtime/host", "verif"),
    "runtime/host": (),
    "verif": (),
}

SOURCE = re.compile(r"\.(cpp|hpp|c|h|v|vh|py|sh|cmake)$|(^|/)CMakeLists\.txt$|^\.ci/run$")
# Formatted by hand.
NARROW = re.compile(r"^(scripts|verif/formal)/.*\.(py|sh|v|vh)$")
CPP = re.compile(r"\.(cpp|hpp)$")
UNIT_ROW = re.compile(r"^generator/families/[^/]+/[^/]+\.[ch]pp$")
DIRECTIVE = re.compile(r"^\s*//%(?!\s*(?:let|include)\b)", re.M)
STREAM = re.compile(
    r"#\s*include\s*<(?:iostream|sstream|iomanip|ostream)>"
    r"|\b(?:v?f?printf|v?sn?printf|v?dprintf)\s*\("
    r"|\bstd::(?:cout|cerr|clog|w?[io]?stringstream|ostream|setw|setfill)\b")
TOKEN = re.compile(
    r'R"(?P<tag>[^()\s\\]*)\(.*?\)(?P=tag)"'     # raw string
    r'|//[^\n]*|/\*.*?\*/'                       # comments
    r'|"(?:\\.|[^"\\\n])*"'                      # string
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",     # character; 1'000 is a number
    re.S)
# What only Verilog has: words, comments, pins, sized numbers, concatenations, ranges, operators.
VERILOG = re.compile(
    r"\balways *@|\b(?:assign|localparam|posedge|negedge|wire|reg|genvar|endmodule)\b"
    r"|(?:^|\s|\\n)//(?:\s|$)"
    r"|(?:^|[\s,(]|\\n)\.\w+\s*\("
    r"|[\d}]'[bdhs]|\w\[|\{\d*\w*\{\{|\[[\w{}+-]+:[\w{}+-]+\]"
    r"|[\w\])}] (?:&&|\|\||<=|\?|==|!=|<<|>>) ")


def code_only(text):
    """The text without comments, strings and characters; the lines stay where they are."""
    def blank(match):
        token = match.group()
        keep = "" if token.startswith("/") else '""'
        return keep + "\n" * token.count("\n")
    # Includes keep their names.
    return "\n".join(old if re.match(r"\s*#\s*include", old) else new for old, new in
                     zip(text.split("\n"), TOKEN.sub(blank, text).split("\n")))


def texts(text):
    """(line, contents of a line of a string) of each string."""
    for match in TOKEN.finditer(text):
        token = match.group()
        if token[0] in "R\"":
            first = text.count("\n", 0, match.start()) + 1
            for number, line in enumerate(token.split('"', 1)[1].split("\n"), first):
                yield number, line.rstrip('"')


REFUSAL = re.compile(r"\b(?:Refusal|Unsupported) ?\{")


def bare_refusals(text):
    """(line, text) of refusals that tell only what is wrong, not what is wanted."""
    for match in REFUSAL.finditer(text):
        depth, words = 1, ""
        for token in re.finditer(r'"(?:[^"\\\n]|\\.)*"|[{}]', text[match.end():]):
            if token.group()[0] == '"':
                words += token.group()[1:-1]
                continue
            depth += 1 if token.group() == "{" else -1
            if depth == 0:
                break
        named = re.search(r"[a-z]{2}", words) and not words.endswith((": {}", ": "))
        if named and not re.search(r"\b(?:wants?|at most)\b", words):
            yield text.count("\n", 0, match.start()) + 1, words


def kind_of(header):
    """What a brace behind `header` opens: "scope", "function", "part" of the header or "other"."""
    header = re.sub(r"^\s*#.*$", "", header, flags=re.M).strip()
    if header.count("(") > header.count(")"):
        return "part"
    if re.match(r"(?:inline\s+)?namespace\b|extern\b(?!.*\()|(?:template\s*<.*>\s*)?"
                r"(?:class|struct|union|enum)\b(?!.*\))", header, re.S):
        return "scope"
    while True:
        shorter = re.sub(r"\([^()]*\)", "@", header)
        if shorter == header:
            break
        header = shorter
    header = re.sub(r"operator[^@\w]*@", "@", header)
    if "@" not in header or "=" in header:
        return "other"
    # In `B() : x_(1), y_{2} {` the first brace belongs to a member.
    return "part" if re.search(r"@[^:]*[^:]:[^:].*\w$", header, re.S) else "function"


def functions(text):
    """(first line, last line) of each function outside of functions."""
    found, stack = [], []
    header, header_line, line = "", 1, 1
    for char in code_only(text):
        if char == "{":
            inside = any(kind not in ("scope", "part") for kind, _, _ in stack)
            kind = "other" if inside else kind_of(header)
            stack.append((kind, header_line, header + "@" if kind == "part" else ""))
            header = ""
        elif char == "}" and stack:
            kind, header_line, header = stack.pop()
            if kind == "function":
                found.append((header_line, line))
        elif char == ";" and header.count("(") <= header.count(")"):
            header = ""
        elif header or not char.isspace():
            if not header:
                header_line = line
            header += char
        line += char == "\n"
    return found


def is_shared(path):
    for place in SHARED:
        if place.endswith("/*"):
            if os.path.dirname(path) == place[:-2]:
                return True
        elif path == place or (place.endswith("/") and path.startswith(place)):
            return True
    return False


def part_of(path, families):
    """The part of the tree that a file belongs to, None if it is in none."""
    folders = path.split("/")[:-1]
    names = ["test"] if "test" in folders else ["F" if f in families else f for f in folders[1:2]]
    inner = "/".join(folders[:1] + names)
    return inner if inner in PARTS else next((f for f in folders[:1] if f in PARTS), None)


def wrong_include(path, target, families):
    """Why `path` must not include `target`; None: it may."""
    part, other = part_of(path, families), part_of(target, families)
    if part is None or path.startswith("runtime/test/"):
        return None
    if other != part and other not in PARTS[part]:
        return "want only " + " and ".join(sorted({part, *PARTS[part]}))
    own, others = (families.intersection(p.split("/")[:-1]) for p in (path, target))
    if own and others and own != others:
        return "want none of another family"
    return None


class Checker:
    def __init__(self, root):
        self.root = root
        self.mistakes = []
        self.used = set()  # excuses

    def mistake(self, lists, path, line, what):
        """Notes a mistake, unless the path or a folder above is in one of these lists."""
        for name in lists:
            for excuse in globals()[name]:
                if path == excuse or (excuse.endswith("/") and path.startswith(excuse)):
                    self.used.add((name, excuse))
                    return
        self.mistakes.append(f"{path}:{line}: {what}")

    def files(self):
        for top in ("generator", "compiler", "runtime", "verif", "tb", "fpga", "templates",
                    "scripts", "cmake", ".ci"):
            for folder, folders, names in os.walk(os.path.join(self.root, top)):
                folders[:] = sorted(f for f in folders if f != "__pycache__")
                for name in sorted(names):
                    yield os.path.relpath(os.path.join(folder, name), self.root)
        yield "CMakeLists.txt"

    def families(self):
        folder = os.path.join(self.root, "generator/families")
        return {n for n in os.listdir(folder) if os.path.isdir(os.path.join(folder, n))}

    def family_words(self):
        return re.compile(r"(?<![a-z0-9])(?:" + "|".join(sorted(self.families() | FAMILY_WORDS)) +
                          r")(?![a-z0-9])", re.I)

    def includes(self, path, text):
        """Includes that leave the parts of the tree that `path` may use."""
        for match in re.finditer(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
            for start in (os.path.dirname(path), "", "generator"):
                target = os.path.normpath(os.path.join(start, match.group(1)))
                if not os.path.isfile(os.path.join(self.root, target)):
                    continue
                wrong = wrong_include(path, target, self.families())
                if wrong:
                    line = text.count("\n", 0, match.start(1)) + 1
                    self.mistake(["INCLUDES"], path, line, f"includes {target}: {wrong}")
                break

    def check(self, path, family):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if is_shared(path):
            for number, line in enumerate(text.split("\n"), 1):
                match = family.search(line)
                if match:
                    self.mistake(["FAMILY_NAMES"], path, number,
                                 f"names the family {match.group()}: want code for all families")
                    break
        if SOURCE.search(path):
            lines = text.count("\n")
            if lines > MAX_FILE:
                self.mistake(["TABLES", "LONG_FILES"], path, lines,
                             f"{lines} lines: want at most {MAX_FILE}")
        if NARROW.search(path):
            for number, line in enumerate(text.split("\n"), 1):
                if len(line) > MAX_COLUMNS:
                    self.mistake([], path, number,
                                 f"{len(line)} columns: want at most {MAX_COLUMNS}")
        if path.startswith("templates/") and path.endswith((".v", ".vh")):
            every, some = text.count("\n"), len(DIRECTIVE.findall(text))
            if some > max(3, MAX_DIRECTIVES * every):
                self.mistake([], path, 1, f"{some} of {every} lines are directives: want at most "
                             f"{MAX_DIRECTIVES:.0%}")
        if not CPP.search(path):
            return
        for first, last in functions(text):
            if last - first + 1 > MAX_FUNCTION:
                self.mistake(["TABLES", "LONG_FUNCTIONS"], path, first, "function of "
                             f"{last - first + 1} lines: want at most {MAX_FUNCTION}")
        if path.startswith("compiler/"):
            for line, words in bare_refusals(text):
                self.mistake([], path, line,
                             f'refuses with "{words}": want it to tell what is wanted')
        for number, line in enumerate(code_only(text).split("\n"), 1):
            match = STREAM.search(line)
            if match:
                self.mistake(["STREAMS"], path, number, f"{match.group().rstrip('(')}: want text "
                             "without streams and printf")
                break
        if UNIT_ROW.match(path):
            wrong = sorted({number for number, line in texts(text) if VERILOG.search(line)})
            if wrong:
                self.mistake([], path, wrong[0], f"{len(wrong)} lines with Verilog in texts: want "
                             "it in templates")
        self.includes(path, text)

    def run(self):
        family = self.family_words()
        for path in self.files():
            self.check(path, family)
        self.mistakes += doc_links.mistakes(self.root)
        for name in ("TABLES", "LONG_FILES", "LONG_FUNCTIONS", "STREAMS", "FAMILY_NAMES",
                     "INCLUDES"):
            for path in sorted(globals()[name]):
                if (name, path) not in self.used:
                    print(f"scripts/check_style.py: {path}: want it no longer in {name}")
        for mistake in self.mistakes:
            print(mistake)
        return not self.mistakes


def self_test():
    """Small samples; an assertion that fails is a mistake of this script."""
    sample = """// int f() {
namespace a {
struct B : C {
    B() : x_(1), y_{2}, z_{std::move(a)} {
    }
    bool operator==(const B& b) const { return "}{" == b.s && '{' != c; }
    std::vector<int> v = {1, 2};
};
enum class E { x, y };
constexpr int kTable[] = {f(1), 1'000};
template <typename T>
int long_one(const std::function<int(int)>& f,
             T b = {}) {
    const auto g = [&](int i) {
        if (i) { return R"x({ " )x"; }
    };
    return 1;
}
extern "C" int c() {
}
TEST(Suite, Name) {
}
}  // namespace a
"""
    found = functions(sample)
    for lines in ((4, 5), (6, 6), (11, 18), (19, 20), (21, 22)):
        assert lines in found, (lines, found)
    assert len(found) == 5, found
    for text in ("std::snprintf(a, 1);", "#include <sstream>", "std::cout << 1;", "printf (1);"):
        assert STREAM.search(text), text
    for text in ("fmt::print(1);", "std::fputs(1);", "#include <fstream>", "vprintfx(1);"):
        assert not STREAM.search(code_only(text)), text
    for code in ("always @(posedge clk)", "// Resets.", "a;\\n// b", ".a (b)", "8'd0", "{}'d{}",
                 "a[0]", "{{{}{{a}}}}", "[{}:0]", "a && b", "wire", "a <= b", "{0} ? b : c"):
        assert VERILOG.search(code), code
    for words in ("reads data; a.b(c)", "https://a.b/c", "D_BANK.DATA_BANK", "a-b: want 1..4",
                  "{}_{}", "x.v", "always 0"):
        assert not VERILOG.search(words), words
    assert list(texts('a = "b" R"(c\nd)";  // "e"\n')) == [(1, "b"), (1, "(c"), (2, "d)")]
    assert len(DIRECTIVE.findall("//% if a\n  //% end\nx  //% y\n// % z\n//%  let a = 1\n")) == 2
    assert NARROW.search("scripts/x/a.py") and not NARROW.search("scripts/x/a.txt")
    assert not STREAM.search(code_only('// printf(1)\n"printf(1)";'))
    assert list(bare_refusals('throw Refusal{"not supported"};\nUnsupported{"a: want b"}')) == \
        [(1, "not supported")]
    assert not list(bare_refusals('Refusal{fmt::format("{}: {}", a, b)}; struct Refusal {\n};'))
    assert is_shared("generator/cli.cpp") and is_shared("verif/common/a/b.hpp")
    assert not is_shared("generator/families/x/y.cpp") and not is_shared("generator/test/a.cpp")
    order = list(PARTS)
    for part, others in PARTS.items():
        for other in others:
            assert order.index(part) < order.index(other), f"{other}: want it below {part}"
    for path, target in (("generator/a.cpp", "compiler/x/a.hpp"), ("tb/a.cpp", "runtime/a.h"),
                         ("compiler/x/a.cpp", "verif/x/a.hpp"),
                         ("compiler/test/a/b.cpp", "compiler/front/a.hpp"),
                         ("compiler/graph/a.cpp", "runtime/host/a.h")):
        assert not wrong_include(path, target, {"x", "y"}), (path, target)
    for path, target in (("verif/a.cpp", "tb/a.hpp"), ("compiler/graph/a.cpp", "compiler/a.hpp"),
                         ("compiler/a.cpp", "compiler/x/a.hpp"), ("tb/x/a.cpp", "verif/y/a.hpp"),
                         ("compiler/front/a.cpp", "compiler/program/a.hpp"),
                         ("compiler/graph/a.cpp", "runtime/a.h"),
                         ("runtime/host/a.c", "runtime/a.h")):
        assert wrong_include(path, target, {"x", "y"}), (path, target)
    assert code_only("a /* x\ny */ b\n// c\n") == "a \n b\n\n", code_only("a /* x\ny */ b\n// c\n")


if __name__ == "__main__":
    self_test()
    doc_links.self_test()
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(0 if Checker(sys.argv[1] if len(sys.argv) > 1 else here).run() else 1)
