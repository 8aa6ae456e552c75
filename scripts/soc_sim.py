#!/usr/bin/env python3
"""Builds a system on chip of a family and runs the digits in it: what its serial line prints has to
be the bytes of `macrame run`.

    scripts/soc_sim.py MACRAME FOLDER FAMILY [--build-only]

LiteX and the compiler are those of ${MACRAME_SOC:-~/.cache/macrame/soc}/bin, where scripts/soc.sh
puts them. --build-only: Verilog and firmware, no simulation. Exit status 77: skipped, something is
missing.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIGITS = ROOT / "compiler/examples/digits"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
BIN = pathlib.Path(os.environ.get("MACRAME_SOC") or CACHE / "macrame/soc") / "bin"


def run(*command, **more):
    """What it prints; ends this program where it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def missing(environment):
    """What the build lacks; empty if nothing."""
    if not (BIN / "python").exists():
        return "LiteX: want scripts/soc.sh"
    wanted = ["make", "verilator", "riscv64-unknown-elf-gcc"]
    return ", ".join(name for name in wanted if not shutil.which(name, path=environment["PATH"]))


def compare(printed, wanted):
    """What is wrong with the printed outputs; empty if nothing."""
    found = b"".join(bytes.fromhex(text)
                     for text in re.findall(r"^output \d+:((?: \w\w)*)$", printed, re.M))
    return "" if found == wanted else f"found {found.hex(' ')}\nwant  {wanted.hex(' ')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("macrame", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("family", help="one with a file scripts/FAMILY/soc.toml")
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args()
    macrame, folder = options.macrame.resolve(), options.folder.resolve()
    network = [DIGITS / "digits.tflite", "--config",
               ROOT / "scripts" / options.family / "soc.toml",
               "--input", DIGITS / "pictures/7.png"]
    run(macrame, "soc", *network, "--out", folder)
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    if lacks := missing(environment):
        print(f"SKIPPED: {lacks}")
        return 77
    goals = ["verilog", "firmware"] if options.build_only else ["run"]
    printed = run("make", "-C", folder, *goals, env=environment)
    if options.build_only:
        print(f"{folder}: Verilog and firmware are built")
        return 0
    answer = folder.with_name(folder.name + ".output")
    run(macrame, "run", *network, "--output", answer)
    print("".join(re.findall(r"^(?:output|cycles|interrupts) .*\n", printed, re.M)), end="")
    difference = compare(printed, answer.read_bytes())
    print(difference or f"{options.family}: the bytes of macrame run")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
