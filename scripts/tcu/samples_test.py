#!/usr/bin/env python3
"""The tables of macrame simulate --cycles --sample-interval of a design: a program that sets its
counter, once to what it is already, is followed to its end.

  scripts/tcu/samples_test.py build/macrame
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SIZES = ["--array-size", "4", "--local-depth", "64", "--accumulator-depth", "32"]
BYTES = 7                             # of an instruction of these sizes
NOOP = bytes(BYTES)
PROGRAM_COUNTER = 0xa


def configure(register, value):
    return (register | value << 4).to_bytes(BYTES - 1, "little") + b"\xf0"


def main():
    # Instruction 0 sets the sample interval. The first of these does not change the counter.
    program = (configure(PROGRAM_COUNTER, 1) + 4 * NOOP + configure(PROGRAM_COUNTER, 1)
               + 3 * NOOP)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "program.tprog").write_bytes(program)
        (folder / "empty").write_bytes(b"")
        done = subprocess.run([sys.argv[1], "simulate", "--family", "tcu", *SIZES,
                               "--sample-block-size", "4", "--program", folder / "program.tprog",
                               "--dram0", folder / "empty", "--dram1", folder / "empty",
                               "--sample-interval", "1", "--cycles",
                               "--build-dir", folder / "build"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # Instructions, vectors, cycles; samples, and the share of them that the decoder takes.
    wanted = (r"at the decoder +instr\. ", r"Configure +3 +0 +\d+ ", r"NoOp +\d+ +0 +\d+ +1\.00 ",
              r"held/moved +samples ", r"Configure +3 +0\.0%/100\.0% ", r"NoOp +\d+ +0\.0%/\d")
    missing = [line for line in wanted if not re.search(line, done.stdout)]
    if done.returncode or missing:
        sys.exit(f"{done.stdout}\nwant {missing}, exit status 0 (was {done.returncode})")


if __name__ == "__main__":
    main()
