#!/usr/bin/env python3
"""The bench of cocotb, in Icarus: a design of each family passes, wrong data does not.

    cocotb_test.py MACRAME [TEST...]

cocotb and the models of buses come by scripts/newer_tools.sh; skipped (status 77) without them.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent / "verilog"))
from bench_cases import CASES, change_one_byte, prepare, sources  # noqa: E402

MACRAME = None


def find_cocotb():
    """Goes on in the Python that has cocotb."""
    done = subprocess.run([ROOT / "scripts/newer_tools.sh"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print("cocotb_test.py: skipped: cocotb, which newer_tools.sh gets from PyPI")
        sys.exit(77)
    python = f"{done.stdout.strip()}/python"
    os.environ["MACRAME_COCOTB"] = python
    os.execv(python, [python, "-B", *sys.argv])


class Cocotb(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def play(self, runner, case, top, program):
        """How many tests failed, and what was printed."""
        from cocotb_tools.runner import get_results
        build, log = self.folder / "build", self.folder / "log"
        results = self.folder / "results.xml"
        results.unlink(missing_ok=True)
        try:
            runner.test(
                test_module="play", hdl_toplevel=top, build_dir=build, test_dir=self.folder,
                results_xml=str(results), log_file=log,
                extra_env={"BENCH_FAMILY": case.family, "BENCH_PROGRAM": str(program),
                           "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"})
        except (SystemExit, RuntimeError) as error:
            self.assertTrue(results.exists(), f"{error}\n{log.read_text()}")
        tests, failed = get_results(results)
        self.assertEqual(tests, 1, log.read_text())
        return failed, log.read_text()

    def check_case(self, case):
        from cocotb_tools.runner import get_runner
        design, program = prepare(MACRAME, case, self.folder)
        top = json.loads((design / "manifest.json").read_text())["top"]
        runner = get_runner("icarus")
        runner.build(sources=sources(design), hdl_toplevel=top, build_dir=self.folder / "build",
                     build_args=["-g2005"], timescale=("1ns", "1ps"),
                     log_file=self.folder / "build.log")
        failed, text = self.play(runner, case, top, program)
        self.assertEqual(failed, 0, text)
        changed = change_one_byte(program)
        failed, text = self.play(runner, case, top, program)
        self.assertEqual(failed, 1, text)
        self.assertRegex(text, f"AssertionError: {changed.stem.split('_')[0]} at 0x")


def add_case(case):
    setattr(Cocotb, f"test_{case.name}", lambda self: self.check_case(case))


for one in CASES:
    add_case(one)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    if "MACRAME_COCOTB" not in os.environ:
        find_cocotb()
    MACRAME = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
