#!/usr/bin/env python3
"""Clock cycles of Tensil's programs on our designs, beside those on the original hardware.

  scripts/tcu/bench.py --macrame build/macrame --conformance FOLDER

Recorded programs run at read latency 20 as they did there, from reset to the end of the flush
probe; networks at the latency of their published figure. Ends with the number of recorded programs
that are slower than on the original: none may be.
"""
import argparse
import csv
import math
import os
import pathlib
import subprocess
import sys
import tempfile

# Network, latency, cycles on the original hardware with a bus of 128 bits, options beside the
# preset's own.
NETWORKS = (
    ("resnet20_32x32_local_isolated", "zcu104", 20, 751060, []),
    ("resnet20_32x32_local_isolated", "zcu104", 20, 751060, ["--axi-data-width", "128"]),
    ("speech_8x8", "speech_robot", 10, 1334610, []),
    ("speech_8x8", "speech_robot", 10, 1334610, ["--array-vectors", "1"]),
    ("speech_8x8", "speech_robot", 10, 1334610, ["--array-vectors", "1", "--weight-buffers", "2"]),
    ("speech_8x8", "speech_robot", 10, 1334610, ["--array-vectors", "1", "--queue-depth", "16"]),
)
RECORDED = ("speech_robot", "custom_perf", "zcu104")


def cycles(macrame, arguments):
    """Name and cycles of every program of a simulation that passed as a whole."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.csv"
        command = [macrame, "simulate", *arguments, "--quiet", "--csv", str(table)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
        return {row["trace"].split(" ", 1)[1]: int(row["total_cycles"])
                for row in csv.DictReader(open(table))}


def recorded(macrame, folder):
    """Prints a line for an architecture; programs that are slower than on the original."""
    name = folder.name
    theirs = {f"{row['name']} {row['class']}": int(row["cycles"])
              for row in csv.DictReader(open(folder / "index.csv"))}
    ours = cycles(macrame, ["--preset", name, "--conformance", folder, "--latency", "20"])
    ratios = [ours[program] / count for program, count in theirs.items()]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    slower = [program for program in theirs if ours[program] > theirs[program]]
    print(f"{name:24}{len(theirs):>9}{sum(theirs.values()):>12}{sum(ours.values()):>12}"
          f"{mean:>9.3f}{max(ratios):>9.3f}{len(slower):>8}  {' '.join(slower)}", flush=True)
    return slower


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--conformance", default=os.environ.get("MACRAME_TENSIL"),
                        type=pathlib.Path, help="default: $MACRAME_TENSIL")
    args = parser.parse_args()
    if args.conformance is None or not (args.conformance / "recorded").is_dir():
        sys.exit("--conformance: want the folder with Tensil's networks and recorded programs")
    macrame = args.macrame.resolve()
    print(f"{'recorded, latency 20':24}{'programs':>9}{'original':>12}{'ours':>12}"
          f"{'mean':>9}{'worst':>9}{'slower':>8}")
    slower = []
    for name in RECORDED:
        slower += recorded(macrame, args.conformance / "recorded" / name)
    print(f"\n{'network':34}{'latency':>8}{'original':>12}{'ours':>12}{'times':>7}  options")
    for name, preset, latency, theirs, options in NETWORKS:
        ours = cycles(macrame, ["--preset", preset, *options, "--conformance",
                                args.conformance / name, "--latency", str(latency)])
        count = max(ours.values())  # of all inputs: they are equal
        print(f"{name:34}{latency:>8}{theirs:>12}{count:>12}{theirs / count:>7.2f}  "
              f"--preset {preset} {' '.join(options)}", flush=True)
    print(f"{len(slower)} recorded programs are slower than on the original")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
