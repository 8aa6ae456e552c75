#!/usr/bin/env python3
"""The golden model as scoreboard of a design in SystemVerilog: passes, and finds one wrong bit.

    dpi_test.py MACRAME LIBRARY      LIBRARY: libmacrame_device.a
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CONFIGURATION = f"--config {ROOT / 'scripts/dla/smallest.toml'}"
MACRAME, LIBRARY = "", ""


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: status {done.returncode}\n{done.stdout}")
    return done.stdout


class Scoreboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        design, shim = cls.folder / "design", cls.folder / "macrame_dpi.o"
        run(MACRAME, "generate", *CONFIGURATION.split(), "--out", design)
        run(MACRAME, "simulate", *CONFIGURATION.split(), "--model", "--random", 2, "--verilog",
            cls.folder / "programs")
        run("cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
            f"-I{ROOT / 'runtime/device'}", "-c", HERE / "macrame_dpi.c", "-o", shim)
        files = [design / line for line in (design / "filelist.f").read_text().split()]
        bench = [design / f"tb/verilog/bench_{name}.v" for name in ("csb", "memory")]
        own = [HERE / name for name in ("macrame_dpi.sv", "scoreboard_tb.sv", "main.cpp")]
        # Without optimisation: the program runs for a moment.
        run("verilator", "--cc", "--exe", "--top-module", "scoreboard_tb", "-Wno-fatal",
            "-Wno-TIMESCALEMOD", "-Wno-lint", "-Wno-style", *files, *bench, *own, shim, LIBRARY,
            "--Mdir", cls.folder / "obj")
        run("make", "-C", cls.folder / "obj", "-f", "Vscoreboard_tb.mk", "OPT_SLOW=", "OPT_FAST=",
            "OPT_GLOBAL=")

    def play(self, program, *plusargs, configuration=CONFIGURATION):
        done = subprocess.run(
            [self.folder / "obj/Vscoreboard_tb", f"+program={self.folder / 'programs' / program}",
             f"+words={configuration}", *plusargs], env={**os.environ, "MACRAME": MACRAME},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        return done.stdout

    def test_designs_pass(self):
        programs = sorted((self.folder / "programs").iterdir())
        self.assertEqual(len(programs), 2)
        for program in programs:
            self.assertRegex(self.play(program.name), r"(?m)^PASS \d+ words, \d+ cycles$")

    def test_a_wrong_bit_is_found(self):
        text = self.play("random_seed_1", "+break")
        self.assertRegex(text, r"(?m)^FAIL 1 of \d+ words, 0 errors$")
        self.assertRegex(text, r"(?m)^8 bytes at [0-9a-f]{16}: ")

    def test_another_configuration_is_found(self):
        self.assertIn("no golden model of --preset none",
                      self.play("random_seed_1", configuration="--preset none"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    LIBRARY = str(pathlib.Path(sys.argv.pop(2)).resolve())
    MACRAME = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
