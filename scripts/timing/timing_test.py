"""Tests of the measuring of paths on small netlists made by hand: python3 timing_test.py"""
import contextlib
import hashlib
import io
import json
import os
import shutil
import tempfile
import unittest
from unittest import mock

import ecp5_cells
import flows
import main
import paths
import scan_wrapper
import xc7_cells
from design import Design, add_files, overridden
from report import Report, base_name, unit_of

INPUT, OUTPUT = "input", "output"


def cell(kind, outputs, parameters=None, **pins):
    """A cell; pins are bits or lists of bits."""
    return {"type": kind, "parameters": parameters or {},
            "port_directions": {p: OUTPUT if p in outputs else INPUT for p in pins},
            "connections": {p: b if isinstance(b, list) else [b] for p, b in pins.items()}}


def flop(d, q, **pins):
    return cell("TRELLIS_FF", "Q", {"SRMODE": "ASYNC"}, CLK=2, DI=d, Q=q, **pins)


# a -> u_x.p_q -> LUT -> LUT -> u_y.s_q[0] -> y;  u_x.p_q -> carry of two -> u_y.s_q[1];
# b -> LUT -> z
CELLS = {
    "ff0": flop(3, 10, LSR=4),
    "lut0": cell("LUT4", "Z", A=10, B="0", C="0", D="0", Z=11),
    "lut1": cell("LUT4", "Z", A=11, B=10, C="0", D="0", Z=12),
    "ff1": flop(12, 13),
    "add0": cell("CCU2C", ("COUT", "S0", "S1"), A0=10, A1="0", CIN="0", COUT=20, S0=21, S1=22),
    "add1": cell("CCU2C", ("COUT", "S0", "S1"), A0="0", A1="0", CIN=20, COUT=23, S0=24, S1=25),
    "ff2": flop(24, 14),
    "lut2": cell("LUT4", "Z", A=5, B="0", C="0", D="0", Z=30),
    "u_m.mem.0.3": cell("TRELLIS_DPR16X4", "DO", WCK=2, WRE="1", DI=[10], RAD=[14], DO=[31]),
    "ff3": flop(31, 15),
}
NETS = {"clk": [2], "a": [3], "rst_n": [4], "b": [5], "u_x.p_q": [10], "$abc$1": [11],
        "u_y.s_q": [13, 14], "y": [13], "z": [30], "u_y.t_q": [15]}
PORTS = {"clk": [2], "a": [3], "rst_n": [4], "b": [5], "y": [13], "z": [30]}


def netlist_of(cells, technology=ecp5_cells):
    module = {"attributes": {"top": "00000001"}, "cells": cells,
              "ports": {n: {"direction": OUTPUT if n in "yz" else INPUT, "bits": b}
                        for n, b in PORTS.items()},
              "netnames": {n: {"bits": b} for n, b in NETS.items()}}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "n.json")
        with open(path, "w") as file:
            json.dump({"modules": {"top": module}}, file)
        return paths.Netlist(path, technology)


def graph_of(cells):
    return netlist_of(cells).graph()


class Estimate(unittest.TestCase):
    def setUp(self):
        self.graph = graph_of(CELLS)
        self.found = {(p[2], p[3]): p for p in self.graph.paths(False, False)}

    def test_luts(self):
        """Clock to output, three wires, two LUTs."""
        ns, levels = self.found[("u_x.p_q", "y")][:2]
        fan4 = 0.75 + 0.17 * 2  # p_q: two LUTs, carry, RAM
        self.assertAlmostEqual(ns, 0.52 + fan4 + 0.24 + 0.75 + 0.24 + 0.75)
        self.assertEqual(levels, 2)

    def test_carry(self):
        """The carry has no wire and is no level; inputs of the second bit miss the first sum."""
        ns, levels = self.found[("u_x.p_q", "u_y.s_q[1]")][:2]
        self.assertAlmostEqual(ns, 0.52 + 1.09 + 0.45 + 0.44 + 0.75)
        self.assertEqual(levels, 1)
        self.assertIsNone(ecp5_cells.cell_arc(CELLS["add0"], "A1", "S0"))

    def test_lut_ram(self):
        """Written by DI, read by RAD; what leaves is of the RAM or of the address."""
        self.assertIn(("u_x.p_q", "u_m.mem.0.3"), self.found)
        ns, levels = self.found[("u_y.s_q[1]", "u_y.t_q")][:2]
        self.assertAlmostEqual(ns, 0.52 + 0.75 + 0.24 + 0.75)
        self.assertEqual(levels, 1)

    def test_pins(self):
        """No path from an asynchronous reset; pins and registers are kept apart."""
        self.assertEqual([p[2:4] for p in self.graph.paths(True, False)], [("a", "u_x.p_q")])
        self.assertEqual([p[2:4] for p in self.graph.paths(False, True)], [("y", "y")])
        (through,) = self.graph.paths(True, True)
        self.assertEqual(through[2:4], ("b", "z"))
        self.assertAlmostEqual(through[0], paths.PIN_NS + 0.75 + 0.24)

    def test_loads(self):
        self.assertEqual(netlist_of(CELLS).most_loads(2), [(4, "u_x.p_q"), (1, "$abc$1")])

    def test_walk(self):
        names = [text.split()[1] for _, text in self.graph.walk(self.found[("u_x.p_q", "y")][4])]
        self.assertEqual(names, ["u_x.p_q", "$abc$1", "n12"])

    def test_registered_multiplier(self):
        pins = {"A0": 10, "B0": 10, "CLK0": 2, "P0": 40}
        mult = cell("MULT18X18D", "P0", {"REG_INPUTA_CLK": "CLK0", "REG_OUTPUT_CLK": "CLK0"},
                    **pins)
        found = graph_of(CELLS | {"m": mult, "ff9": flop(40, 41)}).paths(False, False)
        ends = [(p[2], p[3]) for p in found]
        self.assertIn(("u_x.p_q", "m .A0"), ends)
        self.assertIn(("m", "n41"), ends)
        self.assertNotIn(("u_x.p_q", "n41"), ends)
        mult["parameters"] = {}
        found = graph_of(CELLS | {"m": mult, "ff9": flop(40, 41)}).paths(False, False)
        self.assertIn(("u_x.p_q", "n41"), [(p[2], p[3]) for p in found])

    def test_loop(self):
        loop = {"l0": cell("LUT4", "Z", A=51, B=10, Z=50), "l1": cell("LUT4", "Z", A=50, Z=51)}
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            graph_of(CELLS | loop).paths(False, False)
        self.assertIn("combinational loops", said.getvalue())

    def test_no_top(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"modules": {"m": {"attributes": {}}}}, file)
            file.flush()
            with self.assertRaisesRegex(SystemExit, "no top module"):
                paths.Netlist(file.name)


def fd(d, q):
    return cell("FDCE", "Q", C=2, CE="1", CLR=4, D=d, Q=q)


class Xilinx(unittest.TestCase):
    """A 7-series netlist: p_q -> LUT -> carry of two places -> s_q, p_q -> DSP block -> t_q."""

    def found(self, cells):
        netlist = netlist_of({"ff0": fd(3, 10)} | cells, xc7_cells)
        return {(p[2], p[3]): p for p in netlist.graph().paths(False, False)}

    def test_carry(self):
        """No wire from LUT to carry and from carry to flop; a place reaches itself and upwards."""
        carry = cell("CARRY4", ("O", "CO"), CI="0", CYINIT="0", DI=[10, "0", "0", "0"],
                     S=[11, "0", "0", "0"], O=[20, 21, 22, 23], CO=[24, 25, 26, 27])
        above = cell("CARRY4", ("O", "CO"), CI=27, CYINIT="0", DI=["0"] * 4, S=["0"] * 4,
                     O=[30, 31, 32, 33], CO=[34, 35, 36, 37])
        found = self.found({"lut": cell("LUT1", "O", I0=10, O=11), "c0": carry, "c1": above,
                            "ff1": fd(20, 13), "ff2": fd(32, 14)})
        wire = 0.55 + 0.15  # p_q: LUT, DI
        self.assertAlmostEqual(found[("u_x.p_q", "y")][0], 0.46 + wire + 0.12 + 0.25 + 0.05)
        ns, levels = found[("u_x.p_q", "u_y.s_q[1]")][:2]
        self.assertAlmostEqual(ns, 0.46 + wire + 0.12 + 0.55 + 0.30 + 0.05)
        self.assertEqual(levels, 2)
        self.assertIsNone(xc7_cells.cell_arc(carry, "S[2]", "O[1]"))
        self.assertIsNone(xc7_cells.cell_arc(carry, "DI[1]", "O[1]"))

    def test_multiplier(self):
        """Registers inside end and begin paths."""
        def dsp(**registers):
            return cell("DSP48E1", "P", registers, CLK=2, A=[10, "0"], B=["0", 10], P=[40, 41])
        ends = self.found({"m": dsp(), "ff1": fd(40, 13)})
        self.assertAlmostEqual(ends[("u_x.p_q", "y")][0],
                               0.46 + 0.70 + 3.84 + 0.55 + 0.05)
        ends = self.found({"m": dsp(AREG="1", BREG="1", PREG="1"), "ff1": fd(40, 13)})
        self.assertNotIn(("u_x.p_q", "y"), ends)
        self.assertAlmostEqual(ends[("m", "y")][0], 0.43 + 0.55 + 0.05)
        self.assertAlmostEqual(ends[("u_x.p_q", "m .A[0]")][0], 0.46 + 0.70 + 0.35)

    def test_lut_ram(self):
        """Read by its own address only, written by the last one."""
        ram = cell("RAM32M", ("DOA", "DOB"), WCLK=2, WE="1", ADDRA=[10], ADDRB=["0"], ADDRD=[10],
                   DIA=["0"], DOA=[50], DOB=[51])
        found = self.found({"u_m.ram": ram, "ff1": fd(50, 13), "ff2": fd(51, 14)})
        self.assertEqual(set(found), {("u_m.ram", "y"), ("u_m.ram", "u_y.s_q[1]"),
                                      ("u_x.p_q", "u_m.ram .ADDRD")})
        self.assertEqual([xc7_cells.cell_arc(ram, f"ADDR{a}", "DOA") for a in "ABD"],
                         [0.12, None, None])

    def test_block_ram(self):
        ram = cell("RAMB18E1", ("DOADO", "DOBDO"), {"DOA_REG": "1"}, CLKARDCLK=2,
                   ADDRARDADDR=[10, "0"], DOADO=[60, 61], DOBDO=[62, 63])
        found = self.found({"r": ram, "ff1": fd(60, 13), "ff2": fd(62, 14)})
        self.assertAlmostEqual(found[("r", "y")][0], 0.88 + 0.55 + 0.05)
        self.assertAlmostEqual(found[("r", "u_y.s_q[1]")][0], 2.45 + 0.55 + 0.05)

    def test_resets(self):
        """An asynchronous reset ends no path and is no load."""
        netlist = netlist_of({"ff0": fd(3, 10), "ff1": cell("FDCE", "Q", C=2, CLR=10, D=5, Q=13)},
                             xc7_cells)
        self.assertEqual(netlist.graph().paths(False, False), [])
        self.assertEqual(netlist.most_loads(1)[0][0], 1)


RESETS = """module m (input clk, input rst_n, input [7:0] d, output reg [7:0] q);
    always @(posedge clk or negedge rst_n)
        if (!rst_n) q <= 8'd0;
        else q <= d;
endmodule
"""


class Synthesis(unittest.TestCase):
    @unittest.skipUnless(shutil.which("yosys"), "needs yosys")
    def test_one_reset_inverter(self):
        with tempfile.TemporaryDirectory() as folder:
            source, result = os.path.join(folder, "m.v"), os.path.join(folder, "m.json")
            with open(source, "w") as file:
                file.write(RESETS)
            flows.yosys(flows.ecp5_script([source], "m", "", result), os.path.join(folder, "log"))
            counts = paths.Netlist(result).cell_counts()
        self.assertEqual(counts, {"LUT4": 1, "TRELLIS_FF": 8})

    @unittest.skipUnless(shutil.which("yosys"), "needs yosys")
    def test_xc7(self):
        """A path through the cells that Yosys makes, all of which have delays."""
        with tempfile.TemporaryDirectory() as folder:
            source, result = os.path.join(folder, "m.v"), os.path.join(folder, "m.json")
            with open(source, "w") as file:
                file.write(RESETS.replace("q <= d", "q <= q * d + 8'd3"))
            flows.yosys(flows.xc7_script([source], "m", result), os.path.join(folder, "log"))
            netlist = paths.Netlist(result, xc7_cells)
        worst = netlist.graph().paths(False, False)[0]
        self.assertEqual([base_name(n) for n in worst[2:4]], ["q", "q"])
        self.assertGreater(worst[0], 3.0)


class Tables(unittest.TestCase):
    def test_families(self):
        report = Report("d", "f")
        report.add_graph(graph_of(CELLS), True)
        first = report.families["register to register"][0]
        self.assertEqual((first["from"], first["to"], first["ends"]), ("u_x.p_q", "y", 1))
        self.assertEqual(len(first["path"]), 3)
        text = Report.of(json.loads(json.dumps(report.data()))).text(1, 1)
        self.assertIn("2     1  u_x.p_q -> y\n", text)
        self.assertIn("pin to pin", text)
        self.assertNotIn("pin to pin", report.text(tables=("by unit",)))

    def test_names(self):
        self.assertEqual(base_name("u_a.mem.0.12"), "u_a.mem")
        self.assertEqual(base_name("u_a.x_q[3] .CE"), "u_a.x_q .CE")
        self.assertEqual(unit_of("u_a.u_b.x_q"), "u_a")
        self.assertEqual(unit_of("x_q"), "top")
        self.assertEqual(paths.register_name("u_dut.u_a.x_q[1]\\TRELLIS_FF"), "u_a.x_q[1]")
        self.assertEqual(paths.register_name("u_a.mem.0.3$DPRAM_COMB2"), "u_a.mem.0.3")
        self.assertEqual(flows.register(r"u_a.x_q[1]\\DFFPOSX1/D"), "u_a.x_q[1]")
        self.assertEqual(flows.register(r"u_a/u_b.x_q[1]\\DFFSR"), "u_a.u_b.x_q[1]")


STA = """TABLE register to register
Startpoint: a_q\\\\DFFSR (rising edge-triggered flip-flop clocked by clk)
Endpoint: b_q[2]\\\\DFFPOSX1
          (rising edge-triggered flip-flop clocked by clk)
Path Group: clk
Path Type: max

   Delay    Time   Description
---------------------------------------------------------
    0.00    0.00   clock clk (rise edge)
    0.00    0.00   clock network delay (ideal)
    0.00    0.00 ^ a_q\\\\DFFSR/CLK (DFFSR)
    0.30    0.30 ^ a_q\\\\DFFSR/Q (DFFSR)
    0.20    0.50 v _12_/Y (NAND2X1)
    0.00    0.50 v b_q[2]\\\\DFFPOSX1/D (DFFPOSX1)
            0.50   data arrival time

   10.00   10.00   clock clk (rise edge)
   -0.10    9.90   library setup time
            9.90   data required time
"""


class Goals(unittest.TestCase):
    @staticmethod
    def report(ns, to_pin):
        report = Report("d", "f")
        for table, value in (("register to register", ns), ("clock to pin", to_pin)):
            report.add_families(table, [(value, 1, "a", "b", None)])
        return report

    def test_goals(self):
        peer = {"a": {"ns": "2.00"}, "b": {"ns": "2.00"}}
        text = main.goals({"a": self.report(1.8, 0.4), "b": self.report(1.9, 0.5),
                           "core": self.report(2.1, 9.0)}, peer)
        self.assertEqual(text, "goal ratio 0.9: missed by b 0.95\n"
                         "goal clock to pin 0.4 ns: missed by b 0.50\n"
                         "goal core no longer than its slowest unit: missed, core 2.10 ns, "
                         "b 1.90 ns\n")
        self.assertIn("slowest unit: met, ", main.goals({"a": self.report(1.8, 0.4),
                                                         "core": self.report(1.8, 0.4)}, peer))
        empty = {"a": self.report(1.8, 0.4), "core": Report("d", "f")}
        self.assertNotIn("slowest unit", main.goals(empty, peer))
        self.assertIn("ratio 0.9: met", main.goals({"a": self.report(1.0, 0.1)}, peer))
        self.assertNotIn("ratio", main.goals({"c": self.report(1.0, 0.1)}, peer))
        self.assertEqual("", main.goals({"core": self.report(2.1, 9.0)}, peer))


class Sta(unittest.TestCase):
    def test_report(self):
        ((ns, levels, start, end, steps),) = flows.sta_paths(STA)
        self.assertAlmostEqual(ns, 0.6)
        self.assertEqual((levels, start, end, len(steps)), (2, "a_q", "b_q[2]", 4))


SDF = r"""(DELAYFILE
  (CELL
    (CELLTYPE "top")
    (INSTANCE )
    (DELAY
      (ABSOLUTE
        (INTERCONNECT u_dut.x_q\\TRELLIS_FF/Q lut/A (500:500:500) (700:700:700))
        (INTERCONNECT lut/F y_q\[1\]\\TRELLIS_FF/DI (100:100:100) (100:100:100))
      )
    )
  )
  (CELL
    (CELLTYPE "TRELLIS_COMB")
    (INSTANCE lut)
    (DELAY
      (ABSOLUTE
        (IOPATH A F (200:200:240) (200:200:240))
      )
    )
    )
  (CELL
    (CELLTYPE "TRELLIS_FF")
    (INSTANCE u_dut.x_q\\TRELLIS_FF)
    (DELAY
      (ABSOLUTE
        (IOPATH CLK Q (430:477:520) (430:477:520))
      )
    )
    )
  (CELL
    (CELLTYPE "TRELLIS_FF")
    (INSTANCE y_q\[1\]\\TRELLIS_FF)
    (TIMINGCHECK
      (SETUPHOLD (posedge DI) (posedge CLK) (50:50:50) (267:285:303))
      (SETUPHOLD (negedge DI) (posedge CLK) (50:50:50) (267:285:303))
    )
    )
)
"""


class Routed(unittest.TestCase):
    def test_sdf(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sdf") as file:
            file.write(SDF)
            file.flush()
            ((ns, levels, start, end, _),) = paths.read_sdf(file.name).paths(False, False)
        self.assertAlmostEqual(ns, 0.52 + 0.7 + 0.24 + 0.1 + 0.05)
        self.assertEqual((levels, start, end), (1, "x_q", "y_q[1]"))

    def test_seeds(self):
        report = Report("d", "f")
        report.cells = {"TRELLIS_FF": 3}
        runs = {s: {"report": report.data() | {"flow": s}, "clocks": {"clk": mhz, "slow": 200.0},
                    "device": {"TRELLIS_FF": 9}} for s, mhz in (("1", 50.0), ("2", 61.0))}
        best = flows.best_of(runs)
        self.assertEqual(best.flow, "2")
        self.assertIn("used: TRELLIS_FF 3/9", best.text())
        self.assertIn("seed 1: clk 50.0 MHz  slow 200.0 MHz", best.text())


class StandardCells(unittest.TestCase):
    def test_gates(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lib") as file:
            file.write("cell (NAND2X1) {\n  area : 24;\n}\ncell (DFFPOSX1) {\narea : 96;\n}\n")
            file.flush()
            with mock.patch("flows.LIBERTY", file.name):
                found = flows.gates({"NAND2X1": 3, "DFFPOSX1": 2, "sram_1r1w": 1})
        self.assertEqual(found, 11)
        report = Report("d", "f")
        self.assertNotIn("gates", report.text())
        report.gates = found
        self.assertIn("area: 11 gates", report.text())


class Wrapper(unittest.TestCase):
    PORTS = {"a_clk": (INPUT, 1), "b_clk": (INPUT, 1), "aclk": (INPUT, 1), "rst_n": (INPUT, 1),
             "x_rstn": (INPUT, 1), "aresetn": (INPUT, 1), "d": (INPUT, 8), "e": (INPUT, 2),
             "test": (INPUT, 1), "q": (OUTPUT, 4)}

    def ports(self):
        return {n: {"direction": d, "bits": list(range(w))} for n, (d, w) in self.PORTS.items()}

    def test_wrapper(self):
        sdc = ("set_input_delay 1 -clock b_clk [get_ports {\n d\n}]\n"
               "set_case_analysis 0 [get_ports test]\n")
        text = scan_wrapper.wrapper("m", self.ports(), sdc)
        for part in (".d(in_b_clk_q[0 +: 8])", ".e(in_a_clk_q[0 +: 2])", ".test(1'd0)",
                     ".q(out_a_clk[0 +: 4])", ".aclk(aclk)", ".rst_n(rst_n)", ".x_rstn(x_rstn)",
                     ".aresetn(aresetn)", "output wire scan_out_a_clk"):
            self.assertIn(part, text)
        self.assertNotIn("scan_out_b_clk", text)

    def test_names_of_tensil(self):
        ports = {n: {"direction": INPUT, "bits": [0]} for n in ("clock", "reset", "d")}
        text = scan_wrapper.wrapper("m", ports)
        for part in ("always @(posedge clock)", ".clock(clock)", ".reset(reset)",
                     ".d(in_clock_q[0 +: 1])"):
            self.assertIn(part, text)

    def test_no_clock(self):
        with self.assertRaisesRegex(SystemExit, "want an input port clk"):
            scan_wrapper.wrapper("m", {"d": {"direction": INPUT, "bits": [1]}})


class Designs(unittest.TestCase):
    def design(self, prefix):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        os.mkdir(os.path.join(folder, "rtl"))
        top = f"    {prefix}fam_x u_x (\n    {prefix}cell #(.W(1)) u_cell (\n"
        for name, text in (("top", top),
                           (f"{prefix}fam_x", ""), (f"{prefix}cell", "")):
            with open(os.path.join(folder, "rtl", name + ".v"), "w") as file:
                file.write(text)
        with open(os.path.join(folder, "manifest.json"), "w") as file:
            json.dump({"configuration": "c", "family": "fam", "top": "top", "prefix": prefix}, file)
        return Design(folder)

    def test_prefix(self):
        for prefix in ("", "_A"):
            design = self.design(prefix)
            self.assertEqual(design.units(), ["x"])
            self.assertEqual(design.module("x"), f"{prefix}fam_x")
            self.assertEqual(len(design.files("top")), 3)

    def test_technology(self):
        general = self.design("")
        with tempfile.TemporaryDirectory() as folder, mock.patch("design.REPOSITORY", folder):
            cells = os.path.join(folder, "templates", "fam", "fpga", "t")
            os.makedirs(cells)
            with open(os.path.join(cells, "cell.v"), "w") as file:
                file.write("    fam_x u_x (\n")
            design = Design(general.folder, "t")
            self.assertEqual(design.file("cell"), os.path.join(cells, "cell.v"))
            self.assertEqual(design.instances("cell"), ["fam_x"])
            self.assertEqual(design.file("fam_x"), general.file("fam_x"))
        self.assertEqual(general.instances("cell"), [])

    def test_overridden(self):
        """The program is a stand-in: it writes what the preset p has."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        program = os.path.join(folder, "program")
        with open(program, "w") as file:
            file.write('#!/bin/sh\n[ "$5" = p ] && '
                       'echo \'{"parameters": {"a": 1, "b": 2}}\' > "$7/manifest.json"\n')
        os.chmod(program, 0o755)
        for name, b, found in (("p", 2, {}), ("p", 3, {"b": 3}), ("q", 3, {})):
            manifest = {"family": "f", "configuration": name, "parameters": {"a": 1, "b": b}}
            self.assertEqual(overridden(program, manifest), found)


class Stamps(unittest.TestCase):
    def test_version_line(self):
        stamps = []
        for text in ("// Made by a 1.\nmodule m;\n", "// Made by a 2.\nmodule m;\n", "module n;\n"):
            with tempfile.NamedTemporaryFile("w", suffix=".v") as file:
                file.write(text)
                file.flush()
                stamps.append(hashlib.sha256())
                add_files(stamps[-1], [file.name])
        first, second, other = (stamp.digest() for stamp in stamps)
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)


if __name__ == "__main__":
    unittest.main()
