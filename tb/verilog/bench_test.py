#!/usr/bin/env python3
"""The testbench in Verilog, in Icarus: designs of all families pass, wrong programs do not.

    bench_test.py MACRAME [TEST...]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from bench_cases import CASES, SMALL_DLA, Case, change_one_byte, prepare, run, sources

MACRAME = None

# Beside those that cocotb has: two clocks, a second memory port, another width, AXI3, names.
MORE = (
    Case("dla", "dla", f"{SMALL_DLA} "
         "--secondary-memif-enable --secondary-memif-width 64 --secondary-memif-latency 20 "
         "--secondary-memif-max-burst-length 1 --prefix own_", "--random=1"),
    Case("dla_own", "dla", f"{SMALL_DLA} --control-bus apb4 --bus-clock own --memory-bus axi4 "
         "--memory-bus-width 32 --top my_core", "--layer='4x4x8 k8 1x1'"),
    Case("dla_axi3", "dla", f"{SMALL_DLA} --memory-bus axi3 --bus-clock own",
         "--layer='4x4x8 k8 1x1'"),
    Case("tcu_wide", "tcu", "--family tcu --array-size 4 --data-type FP8BP4 --local-depth 64 "
         "--accumulator-depth 32 --axi-data-width 512 --status-port --sample-block-size 4 "
         "--prefix own_", "--random=1"),
)


class Bench(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def build(self, case, *options):
        """The compiled bench and the program."""
        design, program = prepare(MACRAME, case, self.folder / case.name)
        bench = sorted((design / "tb/verilog").glob("*.v"))
        simulation = self.folder / case.name / "bench.vvp"
        text = run(["iverilog", "-g2005", "-Wall", "-s", f"{case.family}_bench", *options, "-o",
                    simulation, *sources(design), *bench])
        # What the bench is warned of; the design has its own lint.
        about = [line for line in text.splitlines() if "tb/verilog" in line]
        self.assertEqual([line for line in about if "timescale" not in line], [])
        return simulation, program

    def play(self, simulation, program, *plusargs):
        done = subprocess.run(["vvp", "-N", simulation, f"+program={program}", *plusargs],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=300)
        return done.returncode, done.stdout

    def check_case(self, case):
        simulation, program = self.build(case)
        _, text = self.play(simulation, program)
        self.assertRegex(text.splitlines()[-1], r"^PASS \d+ checks, \d+ cycles$", text)
        changed = change_one_byte(program)
        _, text = self.play(simulation, program, "+latency=1", "+stall=0", "+bus_half=5")
        self.assertRegex(text.splitlines()[-1], r"^FAIL 1 errors, ", text)
        self.assertIn(f"{changed.stem.split('_')[0]}: contents differ at ", text)

    def test_what_is_missing_or_wrong_is_told(self):
        case = next(case for case in CASES if case.name == "dla_apb")
        simulation, program = self.build(case, "-DBENCH_FAIL=$stop")
        status, text = self.play(simulation, program)
        self.assertEqual((status, text.splitlines()[-1][:5]), (0, "PASS "))
        commands = (program / "program.hex").read_text()

        def fails(text_of_program, *wanted, plusargs=()):
            (program / "program.hex").write_text(text_of_program)
            status, text = self.play(simulation, program, *plusargs)
            self.assertEqual(status, 1, text)
            self.assertIn("\nFAIL ", text)
            for words in wanted:
                self.assertRegex(text, words)

        # Cut off; a register; a CRC; an interrupt nobody declared, one that never comes.
        fails(commands[:commands.rindex("\nq")] + "\n", "ends without its last command")
        fails(commands.replace("\nq ", "\nr 1004 5 f 0 GLB.S_INTR_MASK\nq "),
              "GLB.S_INTR_MASK, cycle .*: a register differs",
              "found [0-9a-f]{7}c, want 00000005 in bits 0000000f")
        fails(commands.replace("\nq ", "\nc 0 0 10 1234 region\nq "), "CRC of a region differs")
        fails(re.sub(r"\n[ei] .*", "", commands), "more often than declared")
        fails(commands.replace("\nq ", "\ni 1f 1 0 0 some_unit\nq "),
              "some_unit, .*: nothing moves for 2000 cycles", "waits for this interrupt",
              "interrupt 31 has come 0 times, want 1", plusargs=["+timeout=2000"])
        (program / "primary_before.hex").write_text("")
        fails(commands, "the files have no such word")
        (program / "program.hex").unlink()
        status, text = self.play(simulation, program)
        self.assertRegex(text, "cannot be read: want .program=FOLDER")
        self.assertEqual(status, 1)


def add_case(case):
    setattr(Bench, f"test_{case.name}", lambda self: self.check_case(case))


for one in (*CASES, *MORE):
    add_case(one)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    MACRAME = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
