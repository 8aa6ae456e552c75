#!/usr/bin/env python3
"""What macrame writes, in the hands of other programs: headers in C and C++ and the example of the
README, constraints in Tcl, packages, a simulation under other names.

    output_test.py MACRAME [TEST...]
"""

import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from output import Output, Picture, main, ports  # noqa: E402

SCRIPTS = pathlib.Path(__file__).resolve().parents[4] / "scripts"
SMALL = ["--family", "systolic", "--rows", "4", "--cols", "2", "--ibuf-entries", "32",
         "--wbuf-entries", "16", "--obuf-entries", "32"]
NORMAL_NOT_BUFFERABLE = 2


class Files(Output):
    def test_folder(self):
        out = self.generate("out", *SMALL, "--top", "core")
        for name in ("README.md", "filelist.f", "component.xml", "core.core", "manifest.json",
                     "constraints/timing.sdc", "constraints/timing.xdc", "constraints/clocks.xdc",
                     "constraints/timing.lpf", "doc/registers.md", "include/systolic_regs.h"):
            self.assertTrue((out / name).is_file(), name)
        readme = (out / "README.md").read_text()
        self.assertNotIn("${", readme)
        for _, _, name in ports((out / "rtl/core.v").read_text()):
            self.assertIn(f"| `{name}` |", readme)

    def test_example_of_the_readme(self):
        out = self.generate("out", *SMALL)
        example = re.search(r"```c\n(.*?)```", (out / "README.md").read_text(), re.S).group(1)
        includes, macro, body = re.match(r"(.*?\n)\n(#define.*?\n)\n(.*)", example, re.S).groups()
        self.assertEqual(re.findall(r'"(.*)"', includes), ["systolic_params.h", "systolic_regs.h"])
        self.compile_headers(out, ["systolic_params.h", "systolic_regs.h"], f"""
#include <stdint.h>
{macro}
int run(char *base, uint32_t program, uint32_t instructions);
int run(char *base, uint32_t program, uint32_t instructions)
{{
int good;
{body}
return good;
}}
""")

    def test_writes_are_answered_by_memory(self):
        out = self.generate("out", *SMALL)
        text = (out / "rtl/systolic_store.v").read_text()
        found = re.search(r"assign m_axi_store_awcache\s*= 4'd(\d+);", text)
        self.assertEqual(int(found.group(1)), NORMAL_NOT_BUFFERABLE)


class Packages(Output):
    def test_interfaces(self):
        out = self.generate("out", *SMALL)
        root = xml.etree.ElementTree.parse(out / "component.xml").getroot()
        space = root.tag[:root.tag.index("}") + 1]
        modes = {}
        for bus in root.iter(f"{space}busInterface"):
            name = bus.find(f"{space}name").text
            modes[name] = "master" if bus.find(f"{space}master") is not None else "slave"
        self.assertEqual(modes, {
            "clk": "slave", "rst_n": "slave", "s_axi": "slave", "m_axi_fetch": "master",
            "m_axi_load": "master", "m_axi_store": "master", "irq": "master"})
        spaces = [item.find(f"{space}name").text for item in root.iter(f"{space}addressSpace")]
        self.assertEqual(spaces, ["m_axi_fetch", "m_axi_load", "m_axi_store"])

    def test_in_the_hands_of_their_readers(self):
        folders = [self.generate("small", *SMALL)]
        for reader in ("contents", "ipxact", "fusesoc"):
            with self.subTest(reader):
                done = subprocess.run([SCRIPTS / "check_packages.py", reader, *folders],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if done.returncode == 77:
                    self.skipTest(done.stdout)
                self.assertEqual(done.returncode, 0, done.stdout)


class Headers(Output):
    def test_of_two_cores(self):
        self.headers_together(["--family", "systolic", "--preset", "4x4"],
                              ["--family", "systolic", "--preset", "16x16"])


class Constraints(Output):
    def test_commands_and_names(self):
        out = self.generate("out", *SMALL, "--prefix", "a_", "--top", "core")
        pins = ports((out / "rtl/core.v").read_text())
        timed = self.timed_ports(out, pins, "timing.sdc")
        self.assertEqual(sorted(timed),
                         sorted(name for _, _, name in pins if name not in ("clk", "rst_n")))
        self.timed_ports(out, pins, "clocks.xdc", "timing.xdc")
        self.assertIn('FREQUENCY PORT "clk" 60 MHZ;',
                      (out / "constraints/timing.lpf").read_text())


class Diagram(Output):
    def test_nothing_overlaps(self):
        picture = Picture(self.generate("out", *SMALL) / "doc/block_diagram.svg")
        self.assertGreater(len(picture.boxes), 8)
        self.nothing_overlaps(picture)


if __name__ == "__main__":
    main()
