#!/usr/bin/env python3
"""Regression of generated designs against traces, recorded vectors and random layers.

  scripts/regress.py --macrame build/macrame --conformance FOLDER          everything
  scripts/regress.py --macrame build/macrame --quick                       what the test command runs

FOLDER holds nv_small/ (the trace tests of a checkout of nvdla/hw) and, if there, oracle/nv_small/.
Without it those groups are skipped, and the summary says so. Ends with `N passed, N failed`.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

# Legal configurations other than the preset that run random layers as well.
CUSTOM = [
    "--mac-atomic-c-size 16",
    "--mac-atomic-c-size 32 --cbuf-bank-depth 128",
    "--mac-atomic-c-size 32 --mac-atomic-k-size 16",
    "--mac-atomic-c-size 64 --mac-atomic-k-size 16 --cbuf-bank-number 16",
    "--mac-atomic-c-size 64 --mac-atomic-k-size 32 --cbuf-bank-number 16",
    "--cbuf-bank-number 16 --cbuf-bank-depth 256",
    "--cbuf-bank-number 4 --cbuf-bank-depth 1024",
    "--cbuf-bank-number 8 --mac-atomic-c-size 16 --mac-atomic-k-size 16",
    "--primary-memif-width 128",
    "--primary-memif-width 256 --mac-atomic-c-size 16",
    "--primary-memif-width 512 --mac-atomic-c-size 32 --mac-atomic-k-size 32",
    "--mem-address-width 40 --mac-atomic-c-size 16",
    "--mem-address-width 64 --mac-atomic-k-size 16 --mac-atomic-c-size 16",
    "--clock-gating true",
    "--sdp-bn-enable false --sdp-bn-throughput 0",
]

MEMORIES = [
    ("latency 1", ["--latency", "1"]),
    ("latency 32", ["--latency", "32"]),
    ("latency 200", ["--latency", "200"]),
    ("random stalls", ["--latency", "20", "--stall", "0.4", "--interleave", "--seed", "7"]),
]

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)


class Regression:
    def __init__(self, macrame):
        self.macrame = macrame
        self.passed = self.failed = 0
        self.rows = []

    def run(self, name, arguments):
        done = subprocess.run([self.macrame, "simulate", *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        found = SUMMARY.search(done.stdout)
        passed, failed, skipped = (int(n or 0) for n in found.groups()) if found else (0, 1, 0)
        if done.returncode != 0 and failed == 0:
            failed = 1
        self.passed += passed
        self.failed += failed
        self.rows.append((name, passed, failed, skipped))
        print(f"{name:78} {passed:6} {failed:6} {skipped:7}", flush=True)
        if failed:
            bad = [line for line in done.stdout.splitlines()
                   if "FAIL" in line or line.startswith("    ") or "error" in line or not found]
            print("\n".join("  | " + line for line in bad[:40]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--conformance", default=os.environ.get("MACRAME_CONFORMANCE"),
                        type=pathlib.Path, help="default: $MACRAME_CONFORMANCE")
    parser.add_argument("--quick", action="store_true", help="a few minutes")
    parser.add_argument("--layers", type=int, default=500, help="random programs on nv_small")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    todo = Regression(args.macrame.resolve())
    print(f"{'':78} passed failed skipped")
    preset = ["--preset", "nv_small"]
    conformance = args.conformance
    skipped = []
    if conformance is None or not (conformance / "nv_small").is_dir():
        skipped.append("NVIDIA's traces and recorded vectors: SKIPPED, "
                       + (f"{conformance}/nv_small is not a folder" if conformance else
                          "no --conformance folder and MACRAME_CONFORMANCE is not set"))
    else:
        folders = [("traces nv_small", [conformance / "nv_small"])]
        oracle = conformance / "oracle" / "nv_small"
        for category in sorted(oracle.iterdir()) if oracle.is_dir() else []:
            if category.is_dir():
                folders.append((f"vectors {category.name}", [category]))
        for name, paths in folders:
            todo.run(f"{name}, golden model", [*preset, "--model", "--trace", *map(str, paths)])
            for memory, options in MEMORIES[1:2] if args.quick else MEMORIES:
                todo.run(f"{name}, {memory}", [*preset, *options, "--trace", *map(str, paths)])
    layers = min(args.layers, 24) if args.quick else args.layers
    for part, (memory, options) in enumerate(MEMORIES):
        count = layers // len(MEMORIES)
        seed = args.seed + 10000 * part
        options = [o if o != "7" else str(seed) for o in options]
        if "--seed" not in options:
            options = [*options, "--seed", str(seed)]
        todo.run(f"random nv_small, {memory}, seeds {seed}..{seed + count - 1}",
                 [*preset, "--both", "--random", str(count), *options])
    for config in CUSTOM[:2] if args.quick else CUSTOM:
        count = 4 if args.quick else 20
        todo.run(f"random {config}, seeds {args.seed}..{args.seed + count - 1}",
                 [*preset, *config.split(), "--both", "--random", str(count), "--stall", "0.2",
                  "--interleave", "--seed", str(args.seed)])
    for line in skipped:
        print(line)
    print(f"{todo.passed} passed, {todo.failed} failed")
    return 1 if todo.failed else 0


if __name__ == "__main__":
    sys.exit(main())
