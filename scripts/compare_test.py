#!/usr/bin/env python3
"""compare.py on small peers: what is given is in the table, what is not or is broken, too.

    compare_test.py MACRAME
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIGITS = ROOT / "compiler/examples/digits/digits.tflite"
MACRAME = ""
# As Vela: an estimate of 1,000 cycles.
VELA = """#!/bin/sh
[ "$1" = --version ] && echo 0.0 && exit
mkdir -p "$5" && printf 'network,cycles_total\\nmodel,1000.0\\n' > "$5/model_summary_own.csv"
"""


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("kws_dscnn", "ic_resnet8", "vww_mobilenet"):
            (self.folder / name).mkdir()
            (self.folder / name / "model.tflite").symlink_to(DIGITS)

    def run_it(self, *options):
        report = self.folder / "report.json"
        done = subprocess.run(
            [ROOT / "scripts/compare.py", MACRAME, "--models", self.folder, "--json", report,
             *options], stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, json.loads(report.read_text()), done.stdout

    def test_what_is_not_given_is_not_measured(self):
        status, report, text = self.run_it()
        self.assertEqual((status, report["rows"], len(report["not_measured"])), (0, [], 4))
        self.assertEqual(text.count("not measured"), 4)

    def test_peers(self):
        vela = self.folder / "vela"
        vela.write_text(VELA)
        vela.chmod(0o755)
        log = self.folder / "log"
        log.write_text("\tcycle_count     : 1200\n\tcycle_count: 300\n")
        for name, median in (("ic", "Median throughput is 50.0 inf./sec."), ("kws", "")):
            results = self.folder / "tiny/closed/one/results/board" / name / "performance"
            results.mkdir(parents=True)
            (results / "results.txt").write_text(f"00130.186 ulp-mlperf: {median}\n")
        status, report, text = self.run_it(
            "--vela", vela, "--mlperf", self.folder / "tiny", "--vta", log, "--vta-network", DIGITS,
            "--verilog", f"same=8x8={self.folder / 'none'}")
        self.assertEqual(status, 1)
        found = {row["peer"]: row["theirs"] for row in report["rows"]}
        self.assertEqual((found["ethos-u55-64"], found["one board"]), (1000, 20))
        self.assertEqual(found["VTA tsim, 256 multipliers"], 1500)
        self.assertIn("**theirs**", text)
        self.assertEqual([peer for _, peer, _ in report["not_measured"]],
                         ["one/results/board", "same"])
        for row in report["rows"]:
            self.assertLessEqual(max(row["sources"]), len(report["sources"]))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    MACRAME = sys.argv.pop(1)
    unittest.main()
