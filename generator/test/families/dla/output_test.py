#!/usr/bin/env python3
"""What macrame writes, in the hands of other programs: lint of several designs in one, headers in
C and C++, constraints in Tcl, a simulation under other names.

    output_test.py MACRAME [TEST...]
"""

import json
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from output import Output, Picture, main, ports  # noqa: E402

CONFIGURATIONS = {
    "core0": ["--preset", "nv_small"],
    "core1": ["--preset", "nv_large", "--clock-gating"],
}


class Names(Output):
    def test_two_cores_and_a_module_of_the_user_lint_together(self):
        self.lint_together({
            name: self.generate(name, *options, "--prefix", f"{name}_", "--top", name)
            for name, options in CONFIGURATIONS.items()})

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
                for text in ("longer_than_usual_", "LONGER_THAN_USUAL_"):
                    new = new.replace(text, "")
                self.assertEqual(re.sub(r"\bmy_core\b", top, new), old.read_text(), old.name)

    def test_simulation(self):
        text = self.run_quietly(
            self.macrame, "simulate", "--preset", "nv_small", "--prefix", "core0_", "--top",
            "my_core", "--both", "--random", "2", "--build-dir", self.folder / "build", silent=False)
        self.assertIn("2 passed, 0 failed", text)
        self.assertTrue((self.folder / "build/rtl/my_core.v").exists())


class Headers(Output):
    def test_c_and_cpp(self):
        for preset in ("nv_small", "nv_large"):
            out = self.generate(preset, "--preset", preset)
            names = sorted(path.name for path in (out / "include").glob("*.h"))
            self.assertEqual(len(names), 2, names)
            prefix = names[0].split("_")[0].upper()
            self.compile_headers(out, names,
                                 f"int size = {prefix}_ATOM_BYTES + {prefix}_CDP_ENABLE;\n"
                                 f"const char *name = {prefix}_CONFIGURATION;\n")

    def test_of_two_cores(self):
        self.headers_together(*CONFIGURATIONS.values())


class Constraints(Output):
    def design(self, name="out", *more):
        out = self.generate(name, "--preset", "nv_small", "--clock-gating", "--prefix", "a_",
                            "--top", "core", *more)
        return out, ports((out / "rtl/core.v").read_text())

    def test_commands_and_names(self):
        self.check_commands_and_names(*self.design())

    def test_commands_and_names_of_two_clocks(self):
        self.check_commands_and_names(*self.design("own", "--control-bus", "apb4", "--memory-bus",
                                                   "axi4", "--bus-clock", "own"))

    def check_commands_and_names(self, out, pins):
        timed = self.timed_ports(out, pins, "timing.sdc")
        self.assertEqual(len(timed), len(set(timed)))
        static = ["clk", "clk_ovr", "clock_gating", "reset", "test_mode", "pwrbus"]
        rest = [name for _, _, name in pins if name not in timed]
        self.assertEqual([n for n in rest if not any(word in n for word in static)], [])
        self.timed_ports(out, pins, "clocks.xdc", "timing.xdc")
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
                self.nothing_overlaps(picture)

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


if __name__ == "__main__":
    main()
