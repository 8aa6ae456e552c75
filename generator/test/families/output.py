"""What the output tests of families share: what macrame writes, in the hands of other programs.

    FAMILY/output_test.py MACRAME [TEST...]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CXX = os.environ.get("CXX", "c++")

# A module of the user that has the name of a library cell and other ports.
USER_FIFO = """module fifo_sync (
    input  wire push,
    output wire full
);
    assign full = push;
endmodule
"""


def ports(verilog):
    """Ports of an emitted module: [(direction, range, name)]."""
    code = re.sub(r"//.*", "", verilog)
    head = code[code.index("module "):code.index(");")]
    return re.findall(r"(input|output)\s+(?:wire|reg)\s+(\[[^]]*\])?\s*(\w+)", head)


def said(text):
    """All but the report with which newer Verilators end."""
    return "".join(line for line in text.splitlines(True)
                   if not line.startswith(("- V e r i l a t i o n", "- Verilator: ")))


class Output(unittest.TestCase):
    macrame = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_quietly(self, *command, **more):
        """Output of a program that must succeed and, unless asked for, say nothing."""
        silent = more.pop("silent", True)
        done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, **more)
        self.assertEqual(done.returncode, 0, done.stdout)
        if silent:
            self.assertEqual(said(done.stdout), "")
        return done.stdout

    def generate(self, name, *options):
        """Folder with a design."""
        out = self.folder / name
        self.run_quietly(self.macrame, "generate", *options, "--out", out, silent=False)
        return out

    def chip(self, designs):
        """A design with two cores and a module of the user."""
        text = USER_FIFO.replace("module", "`default_nettype none\nmodule", 1)
        pins = ["input wire push", "output wire full"]
        instances = "    fifo_sync u_fifo (.push(push), .full(full));\n"
        for name, out in designs.items():
            found = ports((out / "rtl" / f"{name}.v").read_text())
            self.assertGreater(len(found), 30)
            pins += [f"{way} wire {bits} {name}_{pin}" for way, bits, pin in found]
            joined = ", ".join(f".{pin}({name}_{pin})" for _, _, pin in found)
            instances += f"    {name} u_{name} ({joined});\n"
        (self.folder / "fifo_sync.v").write_text(text)
        (self.folder / "chip.v").write_text(
            f"module chip ({', '.join(pins)});\n{instances}endmodule\n")
        return ["fifo_sync.v", "chip.v"]

    def lint_together(self, designs):
        """Designs, by the names of their tops, in one with a module of the user."""
        files = []
        for name, out in designs.items():
            files += [f"{out.name}/{line}" for line in (out / "filelist.f").read_text().split()]
        self.assertEqual(len(files), len({os.path.basename(path) for path in files}))
        files += self.chip(designs)
        lint = [
            ["verilator", "--lint-only", "-Wall", "--top-module", "chip", *files],
            ["iverilog", "-g2005", "-Wall", "-s", "chip", "-o", os.devnull, *files],
            ["yosys", "-q", "-e", ".*", "-p",
             f"read_verilog {' '.join(files)}; hierarchy -check -top chip; proc"],
        ]
        for command in lint:
            with self.subTest(command[0]):
                self.run_quietly(*command, cwd=self.folder)

    def compile_headers(self, out, names, text):
        """C99 and C++11 that includes these headers, twice and in either order: they have guards
        and need nothing of each other."""
        text = "".join(f'#include "{name}"\n' for name in names + names[::-1]) + text
        (out / "user.c").write_text(text)
        for language in (["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]):
            with self.subTest(f"{out.name} {language[1]}"):
                self.run_quietly(CXX, *language, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                 "-fsyntax-only", "-I", out / "include", out / "user.c")

    def headers_together(self, *configurations):
        """All headers of designs with prefixes in one program of C and one of C++, which finds the
        values of each design under its names."""
        texts = {".h": "", ".hpp": ""}
        checks = {".h": "", ".hpp": ""}
        for number, options in enumerate(configurations):
            out = self.generate(f"core{number}", *options, "--prefix", f"c{number}_")
            for path in sorted((out / "include").glob("*.h*")):
                texts[path.suffix] += f'#include "{path.relative_to(self.folder)}"\n'
            manifest = json.loads((out / "manifest.json").read_text())
            family = manifest["family"]
            for key, value in manifest["parameters"].items():
                if isinstance(value, str):
                    continue
                for suffix, name in ((".h", f"C{number}_{family}_{key}".upper()),
                                     (".hpp", f"c{number}_{family}_params::{key}")):
                    checks[suffix] += f"    bad += {name} != {int(value or 0)};\n"
        texts[".hpp"] += texts[".h"]
        checks[".hpp"] += checks[".h"]
        for suffix, language in ((".h", ["-x", "c", "-std=c99"]), (".hpp", ["-x", "c++", "-std=c++17"])):
            with self.subTest(language[1]):
                (self.folder / "user.c").write_text(
                    texts[suffix] + f"int main(void) {{\n    int bad = 0;\n{checks[suffix]}"
                    "    return bad;\n}\n")
                self.run_quietly(CXX, *language, "-Wall", "-Wextra", "-Werror", "-o",
                                 self.folder / "user", self.folder / "user.c", cwd=self.folder)
                self.run_quietly(self.folder / "user")

    def timed_ports(self, out, pins, *files):
        """Ports with a delay after these constraints, whose commands and names are right."""
        names = " ".join(name for _, _, name in pins)
        rtl = "".join(path.read_text() for path in (out / "rtl").glob("*.v"))
        instances = " ".join(sorted(set(re.findall(r"\b(u_\w+) \(", rtl))))
        script = f"set ports {{{names}}}\nset instances {{{instances}}}\nset timed {{}}\n{TCL}"
        script += "".join(f"source {out / 'constraints' / name}\n" for name in files)
        (self.folder / "run.tcl").write_text(script + "puts [join $timed]\n")
        return self.run_quietly("tclsh", self.folder / "run.tcl", silent=False).split()

    def nothing_overlaps(self, picture):
        """Boxes, lines and texts of a block diagram keep clear of each other."""
        for box in picture.boxes:
            self.assertEqual([line for line in picture.lines if cross(line, box)], [])
        for k, (box, text) in enumerate(picture.texts):
            self.assertLess(box[2], picture.width, text)
            self.assertLess(box[3], picture.height, text)
            self.assertEqual([line for line in picture.lines if cross(line, box)], [], text)
            self.assertEqual([t for b, t in picture.texts[:k] if cross(b, box)], [], text)
            for outer in picture.boxes:  # text is inside of a box or outside of it
                if cross(outer, box):
                    self.assertLess(box[2], outer[2], text)


# The commands of constraints: arguments must be there, ports exist, clocks be made before.
TCL = """
set clocks {}
proc value {options name} {
    set at [lsearch -exact $options $name]
    if {$at < 0} { error "no $name in: $options" }
    return [lindex $options $at+1]
}
proc get_ports {names} {
    foreach name $names { if {$name ni $::ports} { error "no port $name" } }
    if {[llength $names] == 0} { error "no ports" }
    return $names
}
proc get_clocks {args} {
    if {[lindex $args 0] eq "-of_objects"} { set args [lindex $args 1] }
    foreach clock $args { if {$clock ni $::clocks} { error "no clock $clock" } }
    return $args
}
proc get_property {args} { return 10.0 }
proc create_clock {args} {
    if {![string is double -strict [value $args -period]]} { error "period: $args" }
    lappend ::clocks [value $args -name]
}
proc set_max_delay {delay args} {
    if {![string is double -strict $delay]} { error "delay: $delay" }
    get_clocks [value $args -from]
    get_clocks [value $args -to]
}
proc get_cells {args} {
    if {![regexp {^NAME =~ \*(.*)/(\w+_q_reg\*|gen_cross\*u_\w+/sync_q_reg\[0\])$} \
            [value $args -filter] whole fifo]} {
        error "cells: $args"
    }
    foreach name [split $fifo /] {
        if {$name ni $::instances} { error "no instance $name" }
    }
    return $fifo
}
proc set_bus_skew {skew args} {
    if {![string is double -strict $skew]} { error "skew: $skew" }
    if {[value $args -from] ne [value $args -to]} { error "skew between FIFOs: $args" }
}
proc set_false_path {args} {
    if {[llength $args] < 2} { error "false path: $args" }
}
proc set_case_analysis {value ports} { get_ports $ports }
proc io {delay args} {
    if {![string is double -strict $delay]} { error "delay: $delay" }
    get_clocks [value $args -clock]
    get_ports [lindex $args end]
    lappend ::timed {*}[lindex $args end]
}
proc set_input_delay {args} { io {*}$args }
proc set_output_delay {args} { io {*}$args }
"""


class Picture:
    """Boxes, lines and texts of a block diagram."""

    SPACE = "{http://www.w3.org/2000/svg}"

    def __init__(self, path):
        self.boxes, self.lines, self.texts, self.titles = [], [], [], []
        root = xml.etree.ElementTree.parse(path).getroot()
        self.width, self.height = int(root.get("width")), int(root.get("height"))
        for item in root:
            self.add(item, item.tag.replace(self.SPACE, ""))

    def add(self, item, tag):
        if tag == "rect" and item.get("class") == "box":
            x, y, width, height = (int(item.get(n)) for n in ("x", "y", "width", "height"))
            self.boxes.append((x, y, x + width, y + height))
        elif tag == "polyline":
            points = [tuple(map(int, p.split(","))) for p in item.get("points").split()]
            for (x0, y0), (x1, y1) in zip(points, points[1:]):
                self.lines.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
            self.titles += [title.text for title in item]
        elif tag == "text":
            x, y, size = (int(item.get(n)) for n in ("x", "y", "font-size"))
            box = (x, y - size * 8 // 10, x + len(item.text) * size * 56 // 100, y + size * 2 // 10)
            self.texts.append((box, item.text))


def cross(a, b):
    """Two boxes, or lines as boxes without width, have inner points in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def main():
    Output.macrame = os.path.abspath(sys.argv[1])
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
