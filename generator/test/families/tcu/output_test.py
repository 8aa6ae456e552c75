#!/usr/bin/env python3
"""What macrame writes, in the hands of other programs: lint of several designs in one, headers in
C and C++, constraints in Tcl, pages, a simulation under other names.

    output_test.py MACRAME [TEST...]
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from output import Output, Picture, main, ports  # noqa: E402

SCRIPTS = pathlib.Path(__file__).resolve().parents[4] / "scripts"
SMALL = ["--family", "tcu", "--array-size", "4", "--local-depth", "64", "--accumulator-depth", "32"]
ALL_PORTS = ["--sample-block-size", "8", "--status-port", "--validate-instructions"]
CONTROL = ["--control-port"]

# The ports of the module that the original's generator makes.
CHANNEL = ["id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos"]
ORIGINAL = {
    "input": {"clock", "reset", "instruction_tdata", "instruction_tvalid", "instruction_tlast",
              "sample_tready", "status_tready"},
    "output": {"instruction_tready", "sample_tdata", "sample_tvalid", "sample_tlast",
               "status_tdata", "status_tvalid", "status_tlast"},
}
for bank in ("m_axi_dram0_", "m_axi_dram1_"):
    ORIGINAL["input"] |= {bank + name for name in (
        "awready", "wready", "bid", "bresp", "bvalid", "arready", "rid", "rdata", "rresp",
        "rlast", "rvalid")}
    ORIGINAL["output"] |= {bank + name for name in (
        *(f"aw{name}" for name in CHANNEL), *(f"ar{name}" for name in CHANNEL), "awvalid", "wid",
        "wdata", "wstrb", "wlast", "wvalid", "bready", "arvalid", "rready")}


class Names(Output):
    def test_two_cores_and_a_module_of_the_user_lint_together(self):
        configurations = {"core0": SMALL, "core1": ["--preset", "cmoda7", *ALL_PORTS]}
        self.lint_together({
            name: self.generate(name, *options, "--prefix", f"{name}_", "--top", name)
            for name, options in configurations.items()})

    def test_the_top_has_the_ports_of_the_original(self):
        out = self.generate("out", "--preset", "artya7100t", *ALL_PORTS, "--top", "top_artya7100t")
        found = ports((out / "rtl/top_artya7100t.v").read_text())
        for way, names in ORIGINAL.items():
            self.assertLessEqual(names, {name for w, _, name in found if w == way})
        ranges = {name: bits for _, bits, name in found}
        self.assertEqual(ranges["instruction_tdata"], "[127:0]")
        self.assertEqual(ranges["m_axi_dram1_wstrb"], "[15:0]")
        self.assertEqual(ranges["m_axi_dram0_araddr"], "[31:0]")
        self.assertEqual(ranges["m_axi_dram0_wid"], "[5:0]")
        self.assertEqual(ranges["sample_tdata"], "[63:0]")
        self.assertEqual(ranges["status_tdata"], "[63:0]")
        # In its place: all other ports are outputs, which may stay open.
        others = {name for w, _, name in found if w == "input"} - ORIGINAL["input"]
        self.assertEqual(others, set())

    def test_the_port_of_the_registers_comes_with_all_that_belongs_to_it(self):
        for options, there in ((SMALL, False), ([*SMALL, *CONTROL], True)):
            out = self.generate(f"out{there}", *options)
            found = {name for _, _, name in ports((out / "rtl/tcu_top.v").read_text())}
            self.assertEqual(any(name.startswith("s_axi_") for name in found), there)
            self.assertEqual((out / "rtl/tcu_control_regs.v").exists(), there)
            self.assertEqual((out / "doc/registers.html").exists(), there)
            self.assertEqual("`s_axi`" in (out / "README.md").read_text(), there)
            self.assertEqual("s_axi" in (out / "component.xml").read_text(), there)
            header = (out / "include/tcu_params.h").read_text()
            self.assertIn(f"#define TCU_IDENTITY_REGISTER {'0x14u' if there else '0x0u'}", header)
            if there:
                identity = re.search(r"#define TCU_IDENTITY 0x(\w+)u", header).group(1)
                self.assertIn(f"32'h{identity:0>8}", (out / "rtl/tcu_control.v").read_text())

    def test_streams_in_the_package(self):
        out = self.generate("out", *SMALL, *ALL_PORTS, *CONTROL)
        root = xml.etree.ElementTree.parse(out / "component.xml").getroot()
        space = root.tag[:root.tag.index("}") + 1]
        modes = {}
        for bus in root.iter(f"{space}busInterface"):
            name = bus.find(f"{space}name").text
            modes[name] = "master" if bus.find(f"{space}master") is not None else "slave"
        self.assertEqual(modes, {
            "clock": "slave", "reset": "slave", "instruction": "slave", "m_axi_dram0": "master",
            "m_axi_dram1": "master", "s_axi": "slave", "sample": "master", "status": "master",
            "irq": "master"})

    def test_packages_in_the_hands_of_their_readers(self):
        folders = [self.generate("small", *SMALL), self.generate("all", *SMALL, *ALL_PORTS, *CONTROL)]
        for reader in ("contents", "ipxact", "fusesoc"):
            with self.subTest(reader):
                done = subprocess.run([SCRIPTS / "check_packages.py", reader, *folders],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if done.returncode == 77:
                    self.skipTest(done.stdout)
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_simulation(self):
        text = self.run_quietly(
            self.macrame, "simulate", *SMALL, "--prefix", "core0_", "--top", "my_core", "--both",
            "--random", "2", "--build-dir", self.folder / "build", silent=False)
        self.assertIn("2 passed, 0 failed", text)
        self.assertTrue((self.folder / "build/rtl/my_core.v").exists())
        # The same design, programs in the transfers of Tensil's drivers.
        text = self.run_quietly(
            self.macrame, "simulate", *SMALL, "--prefix", "core0_", "--top", "my_core", "--both",
            "--driver", "--stall", "0.2", "--random", "10", "--build-dir", self.folder / "build",
            silent=False)
        self.assertIn("10 passed, 0 failed", text)


class Headers(Output):
    def test_c_and_cpp(self):
        for preset in ("artya7100t", "zcu104_uram"):
            out = self.generate(preset, "--preset", preset)
            names = sorted(path.name for path in (out / "include").glob("*.h"))
            self.assertEqual(names, ["architecture_params.h", "tcu_params.h", "tcu_regs.h"])
            self.compile_headers(out, names, """
enum { TENSIL_DATA_TYPE_FP16BP8 = 1 };
int type = TENSIL_ARCHITECTURE_DATA_TYPE;
int same[TENSIL_ARCHITECTURE_LOCAL_DEPTH == TCU_LOCAL_DEPTH ? 1 : -1];
const char *name = TCU_CONFIGURATION;
""")

    def test_of_two_cores(self):
        self.headers_together(["--preset", "artya7100t"], ["--preset", "zcu104_uram"])


class Constraints(Output):
    def test_commands_and_names(self):
        out = self.generate("out", *SMALL, *ALL_PORTS, *CONTROL, "--prefix", "a_", "--top", "core")
        pins = ports((out / "rtl/core.v").read_text())
        timed = self.timed_ports(out, pins, "timing.sdc")
        self.assertEqual(sorted(timed),
                         sorted(name for _, _, name in pins if name not in ("clock", "reset")))
        self.timed_ports(out, pins, "clocks.xdc", "timing.xdc")
        self.assertIn('FREQUENCY PORT "clock" 60 MHZ;',
                      (out / "constraints/timing.lpf").read_text())


class Balance(html.parser.HTMLParser):
    """Elements that are open, and texts of code."""

    EMPTY = {"meta"}

    def __init__(self):
        super().__init__()
        self.open, self.code = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "code":
            self.code.append(data)


class Pages(Output):
    def test_instructions(self):
        for options in (SMALL, ["--preset", "ultra96v2"]):
            out = self.generate(options[1], *options)
            page = Balance()
            page.feed((out / "doc/instructions.html").read_text())
            self.assertEqual(page.open, [])
            # Both pages say the same.
            table = (out / "doc/instructions.md").read_text()
            self.assertEqual(re.findall("`([^`]*)`", table), page.code)
            bits = re.search(r"An instruction has (\d+) bytes", " ".join(table.split())).group(1)
            self.assertIn(f"TCU_INSTRUCTION_BYTES {bits}\n",
                          (out / "include/tcu_params.h").read_text())


class Diagram(Output):
    def test_nothing_overlaps(self):
        for i, options in enumerate((SMALL, SMALL + ALL_PORTS, ["--preset", "zcu104"])):
            with self.subTest(" ".join(options)):
                picture = Picture(self.generate(str(i), *options) / "doc/block_diagram.svg")
                self.assertGreater(len(picture.boxes), 8)
                self.nothing_overlaps(picture)


if __name__ == "__main__":
    main()
