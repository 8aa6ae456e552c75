#!/usr/bin/env python3
"""What macrame writes, in the hands of other programs: lint of several designs in one, headers in
C and C++, constraints in Tcl, a simulation under other names.

    output_test.py MACRAME [TEST...]
"""

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
            self.assertEqual(done.stdout, "")
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
