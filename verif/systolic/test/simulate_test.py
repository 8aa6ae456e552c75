#!/usr/bin/env python3
"""Runs all programs of the conformance data through `macrame simulate --model`.

  verif/systolic/test/simulate_test.py MACRAME

MACRAME_SYSTOLIC names the folder of the data; without it the test is skipped (exit status 77). Memory
is compared as a whole, also after a way through assembly text and words, in an order by chance;
of the worked example the buffers after every instruction, too.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


def simulate(macrame, case, program, scratch, *more):
    """The memory that the program leaves, or None."""
    dump = scratch / "after.bin"
    dump.unlink(missing_ok=True)
    run = subprocess.run(
        [macrame, "simulate", "--config", case / "case.json", "--program", program,
         "--memory", case / "memory_before.bin", "--dump", dump, "--model", "--strict", *more],
        capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stdout + run.stderr)
        return None
    return dump.read_bytes()


def passes(macrame, case, scratch):
    wanted = (case / "memory_after.bin").read_bytes()
    assembly, words = scratch / "program.sasm", scratch / "program.hex"
    program = case / "program.hex"
    buffers = case / "buffers.json"  # of the worked example
    steps = scratch / "buffers.json"
    if buffers.exists() and (
            simulate(macrame, case, program, scratch, "--buffers", steps) != wanted or
            json.loads(steps.read_text()) != json.loads(buffers.read_text())):
        return False
    return (simulate(macrame, case, program, scratch, "--write-assembly", assembly) == wanted and
            simulate(macrame, case, assembly, scratch, "--write-hex", words,
                     "--any-order", "--seed", "7") == wanted and
            words.read_text().split() == program.read_text().split())


def main():
    macrame = sys.argv[1]
    folder = os.environ.get("MACRAME_SYSTOLIC")
    if not folder:
        print("no conformance data: want MACRAME_SYSTOLIC to name its folder")
        return SKIPPED
    cases = sorted(path.parent for path in Path(folder).glob("**/program.hex"))
    with tempfile.TemporaryDirectory() as scratch:
        failed = [case for case in cases if not passes(macrame, case, Path(scratch))]
    for case in failed:
        print(f"{case}: fails")
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    return 0 if cases and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
