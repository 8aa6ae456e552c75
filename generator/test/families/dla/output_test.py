#!/usr/bin/env python3
"""What macrame writes, in the hands of other programs: lint of several designs in one, headers in
C and C++, constraints in Tcl, a simulation under other names.

    output_test.py MACRAME [TEST...]
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

MACRAME = None
CONFIGURATIONS = {
    "core0": ["--preset", "nv_small"],
    "core1": ["--preset", "nv_large", "--clock-gating"],
}
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
        self.run_quietly(MACRAME, "generate", *options, "--out", out, silent=False)
        return out


class Names(Output):
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

    def test_two_cores_and_a_module_of_the_user_lint_together(self):
        files = []
        designs = {}
        for name, options in CONFIGURATIONS.items():
            out = self.generate(name, *options, "--prefix", f"{name}_", "--top", name)
            designs[name] = out
            files += [f"{name}/{line}" for line in (out / "filelist.f").read_text().split()]
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

    def test_without_names_nothing_changes(self):
        plain = self.generate("plain", "--preset", "nv_small")
        named = self.generate("named", "--preset", "nv_small", "--prefix", "longer_than_usual_",
                              "--top", "my_core")
        top = re.search(r'"top": "(\w+)"', (plain / "manifest.json").read_text()).group(1)
        for old in (plain / "rtl").iterdir():
            stem = "my_core" if old.stem == top else f"longer_than_usual_{old.stem}"
            new = (named / "rtl" / f"{stem}.v").read_text().replace("longer_than_usual_", "")
            self.assertEqual(re.sub(r"\bmy_core\b", top, new), old.read_text(), old.name)
        for part in ("include", "doc"):
            for old in (plain / part).iterdir():
                new = (named / part / old.name).read_text()
                self.assertEqual(re.sub(r"\bmy_core\b", top, new), old.read_text(), old.name)

    def test_simulation(self):
        text = self.run_quietly(
            MACRAME, "simulate", "--preset", "nv_small", "--prefix", "core0_", "--top", "my_core",
            "--both", "--random", "2", "--build-dir", self.folder / "build", silent=False)
        self.assertIn("2 passed, 0 failed", text)
        self.assertTrue((self.folder / "build/rtl/my_core.v").exists())


class Headers(Output):
    def test_c_and_cpp(self):
        for preset in ("nv_small", "nv_large"):
            out = self.generate(preset, "--preset", preset)
            names = sorted(path.name for path in (out / "include").glob("*.h"))
            self.assertEqual(len(names), 2, names)
            # Twice and in either order: the headers have guards and need nothing of each other.
            text = "".join(f'#include "{name}"\n' for name in names + names[::-1])
            prefix = names[0].split("_")[0].upper()
            text += f"int size = {prefix}_ATOM_BYTES + {prefix}_CDP_ENABLE;\n"
            text += f"const char *name = {prefix}_CONFIGURATION;\n"
            (out / "user.c").write_text(text)
            for language in (["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]):
                with self.subTest(preset + language[1]):
                    self.run_quietly(CXX, *language, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                     "-fsyntax-only", "-I", out / "include", out / "user.c")


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


class Constraints(Output):
    def design(self, name="out", *more):
        out = self.generate(name, "--preset", "nv_small", "--clock-gating", "--prefix", "a_",
                            "--top", "core", *more)
        return out, ports((out / "rtl/core.v").read_text())

    def tcl(self, out, *files):
        names = " ".join(name for _, _, name in self.pins)
        script = f"set ports {{{names}}}\nset timed {{}}\n{TCL}"
        script += "".join(f"source {out / 'constraints' / name}\n" for name in files)
        (self.folder / "run.tcl").write_text(script + "puts [join $timed]\n")
        return self.run_quietly("tclsh", self.folder / "run.tcl", silent=False).split()

    def test_commands_and_names(self):
        self.check_commands_and_names(*self.design())

    def test_commands_and_names_of_two_clocks(self):
        self.check_commands_and_names(*self.design("own", "--control-bus", "apb4", "--memory-bus",
                                                   "axi4", "--bus-clock", "own"))

    def check_commands_and_names(self, out, pins):
        self.pins = pins
        timed = self.tcl(out, "timing.sdc")
        self.assertEqual(len(timed), len(set(timed)))
        static = ["clk", "clk_ovr", "clock_gating", "reset", "test_mode", "pwrbus"]
        rest = [name for _, _, name in self.pins if name not in timed]
        self.assertEqual([n for n in rest if not any(word in n for word in static)], [])
        self.tcl(out, "clocks.xdc", "timing.xdc")
        clocks = re.findall(r'^FREQUENCY PORT "(\w+)" \d+ MHZ;$',
                            (out / "constraints/timing.lpf").read_text(), re.M)
        self.assertEqual(sorted(clocks), sorted(n for _, _, n in pins if re.fullmatch(
            r"(dla_)?(core|csb)_clk|aclk", n)))

    @unittest.skipUnless(shutil.which("sta"), "OpenSTA is not there")
    def test_sta_reads_them(self):
        out, pins = self.design()
        thresholds = "".join(
            f"{kind}_pct_{edge} : {percent}; " for edge in ("rise", "fall")
            for kind, percent in (("input_threshold", 50), ("output_threshold", 50),
                                  ("slew_lower_threshold", 20), ("slew_upper_threshold", 80)))
        (self.folder / "cells.lib").write_text(
            f"library (cells) {{ {thresholds}" "cell (INV) { pin (A) { direction : input; } "
            'pin (Y) { direction : output; function : "!A"; } } }\n')
        declared = "".join(f"{way} {bits} {name};\n" for way, bits, name in pins)
        names = ", ".join(name for _, _, name in pins)
        (self.folder / "core.v").write_text(f"module core ({names});\n{declared}endmodule\n")
        (self.folder / "run.tcl").write_text(
            f"read_liberty cells.lib\nread_verilog core.v\nlink_design core\n"
            f"read_sdc {out}/constraints/timing.sdc\nwrite_sdc written.sdc\n")
        text = self.run_quietly("sta", "-no_splash", "-exit", "run.tcl", silent=False,
                                cwd=self.folder)
        self.assertEqual(text, "")
        written = (self.folder / "written.sdc").read_text()
        self.assertEqual(written.count("create_clock"), 2)
        self.assertIn("set_false_path", written)

    def netlist(self, out):
        """The flat design: cells with the bits of their pins."""
        files = " ".join((out / "filelist.f").read_text().split())
        self.run_quietly("yosys", "-q", "-p",
                         f"read_verilog {files}; hierarchy -top core; proc; flatten; opt_clean; "
                         f"memory_collect; write_json {self.folder}/flat.json", cwd=out)
        return json.loads((self.folder / "flat.json").read_text())["modules"]["core"]

    def test_what_they_say_about_crossings_is_true(self):
        out, _ = self.design()
        core = self.netlist(out)
        flops = Flops(core)
        csb = core["ports"]["dla_csb_clk"]["bits"][0]
        reset = core["ports"]["dla_reset_rstn"]["bits"][0]
        between = flops.between(csb)
        self.assertGreater(len(between), 10)
        for source, target in between:
            memory = re.search(r"u_(request|answer)\.u_mem\.", source)
            first = re.search(r"(gen_cross\S*|u_intr)\.sync_q", target)
            self.assertTrue(memory or first, f"{source} -> {target}")
        self.assertEqual({cell["name"].split(".")[0] for cell in flops.fed_by([reset])},
                         {"u_core_reset", "u_csb_reset"})


class Flops:
    """Flops and memories of a flat netlist, and the logic between them."""

    CLOCKS = ("CLK", "WR_CLK", "RD_CLK")

    def __init__(self, module):
        names = {}  # of a bit; the register before wires that have its value
        for name, net in sorted(module["netnames"].items(), key=lambda n: n[0].endswith("_q")):
            names.update((bit, name) for bit in net["bits"])
        # Newer Yosys have cells without pins, which tell of the hierarchy.
        self.cells = [cell for cell in module["cells"].values()
                      if "output" in cell["port_directions"].values()]
        self.readers, self.drivers = {}, {}  # of a bit: cells
        for cell in self.cells:
            pins, ways = cell["connections"], cell["port_directions"]
            clocks = [bit for pin in self.CLOCKS for bit in pins.get(pin, [])]
            rom = "WR_CLK" in pins and not pins["WR_CLK"]
            cell["clock"] = clocks[0] if clocks and not rom else None
            cell["in"] = [(pin, b) for pin, bits in pins.items() if ways[pin] == "input"
                          and pin not in self.CLOCKS for b in bits]
            cell["out"] = [b for pin, bits in pins.items() if ways[pin] == "output" for b in bits]
            cell["name"] = cell["parameters"].get("MEMID") or names.get(cell["out"][0], "?")
            address = {"clock": None, "in": [], "out": cell["out"]}  # a read is logic
            for pin, bit in cell["in"]:
                reader = address if pin == "RD_ADDR" else cell
                self.readers.setdefault(bit, []).append(reader)
            for bit in cell["out"]:
                self.drivers[bit] = cell

    def reached(self, bits, neighbours, further):
        """Cells with a clock that these bits lead to, through others."""
        seen, todo, found = set(), list(bits), {}
        while todo:
            for cell in neighbours(todo.pop()):
                if cell["clock"] is not None:
                    found[id(cell)] = cell
                elif id(cell) not in seen:
                    seen.add(id(cell))
                    todo += further(cell)
        return found.values()

    def fed_by(self, bits):
        return self.reached(bits, lambda bit: self.readers.get(bit, []), lambda cell: cell["out"])

    def sources(self, cell):
        """Of a cell with a clock. The words of a memory do not depend on the address of a read."""
        bits = [bit for pin, bit in cell["in"] if pin != "RD_ADDR"]
        return self.reached(bits, lambda bit: [self.drivers[bit]] if bit in self.drivers else [],
                            lambda other: [bit for _, bit in other["in"]])

    def between(self, clock):
        """Names of source and target wherever one of them has this clock and the other has not."""
        out = set()
        for cell in (cell for cell in self.cells if cell["clock"] == clock):
            out |= {(cell["name"], end["name"]) for end in self.fed_by(cell["out"])
                    if end["clock"] != clock}
            out |= {(begin["name"], cell["name"]) for begin in self.sources(cell)
                    if begin["clock"] != clock}
        return out


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


class Diagram(Output):
    CONFIGURATIONS = (
        ["--preset", "nv_small"],
        ["--preset", "nv_large", "--clock-gating", "--prefix", "a_", "--top", "other"],
        ["--pdp-enable=false", "--cdp-enable=false", "--num-dma-read-clients=5",
         "--num-dma-write-clients=1"],
        ["--preset", "nv_small_256_full", "--sdp-bs-enable=false",
         "--num-dma-read-clients=7"],
    )

    def test_nothing_overlaps(self):
        for i, options in enumerate(self.CONFIGURATIONS):
            with self.subTest(" ".join(options)):
                picture = Picture(self.generate(str(i), *options) / "doc/block_diagram.svg")
                self.assertGreater(len(picture.boxes), 8)
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

    def test_all_links_of_the_top_and_no_others(self):
        out = self.generate("links", "--preset", "nv_small")
        top = re.search(r'"top": "(\w+)"', (out / "manifest.json").read_text()).group(1)
        code = re.sub(r"//.*", "", (out / "rtl" / f"{top}.v").read_text())
        wires = set(re.findall(r"^ {4}wire\s+(?:\[[^]]*\]\s*)?(\w+2\w+);", code, re.MULTILINE))
        wires -= set(re.search(r"unused_mac_b = &{([^}]*)}", code).group(1).split(", "))
        self.assertGreater(len(wires), 100)
        picture = Picture(out / "doc/block_diagram.svg")
        drawn = {name for title in picture.titles for name in title.split() if "2" in name}
        self.assertEqual(drawn, wires)


def main():
    global MACRAME
    MACRAME = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
