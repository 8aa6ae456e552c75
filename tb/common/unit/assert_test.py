#!/usr/bin/env python3
"""Cells that check rules of links and buses: each broken rule ends the simulation, in Icarus and in
Verilator, with the instance, the time and the rule; what keeps them all runs to its end.

  tb/common/unit/assert_test.py
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CELLS = sorted((HERE.parents[2] / "templates/lib").glob("assert_*.v"))

# Instance and rule of each number that assert_tb.v knows; a time is between them.
RULES = (
    ("a_link", "valid stays until ready"),
    ("a_link", "the payload stays while it waits for ready"),
    ("a_burst", "a burst stays within a block of 4 KiB"),
    ("a_burst", "a beat is no wider than the bus"),
    ("a_burst", "want a burst of type INCR"),
    ("a_write", "wlast is at the last beat of a burst"),
    ("a_write", "the last beat of a burst has wlast"),
    ("a_write", "wlast is at the last beat of a burst"),
    ("a_never", "the count stays below 3"),
)


def run(command, folder):
    """Exit status and output."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


def build(command, folder):
    status, text = run(command, folder)
    if status != 0:
        sys.exit(f"{' '.join(command)}\n{text}")


def check(name, program, folder):
    """Number of mistakes."""
    status, text = run([*program, "+broken=0"], folder)
    wrong = []
    if status != 0 or "end" not in text.split():
        wrong.append(f"{name}: a rule is said to be broken that is not\n{text}")
    for number, (instance, rule) in enumerate(RULES, 1):
        status, text = run([*program, f"+broken={number}"], folder)
        said = re.search(rf"assert_tb\.{instance} at [1-9]\d*: {re.escape(rule)}$", text, re.M)
        if status == 0 or not said or "end" in text.split():
            wrong.append(f"{name}: want {instance}: {rule}; exit status {status}\n{text}")
    for text in wrong:
        print(text)
    return len(wrong)


def main():
    files = [str(path) for path in (*CELLS, HERE / "assert_tb.v")]
    with tempfile.TemporaryDirectory() as scratch:
        build(["iverilog", "-g2005", "-Wall", "-DMACRAME_ASSERT", "-s", "assert_tb", "-o", "icarus",
               *files], scratch)
        wrong = check("Icarus", ["vvp", "-N", "icarus"], scratch)
        build(["verilator", "--binary", "--timing", "-DMACRAME_ASSERT", "--top-module", "assert_tb",
               "-o", "sim", *files], scratch)
        wrong += check("Verilator", ["obj_dir/sim"], scratch)
    print(f"{2 * len(RULES) + 2 - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


sys.exit(main())
