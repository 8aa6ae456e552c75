#!/usr/bin/env python3
"""Regression of generated systolic machines against conformance programs and random programs.

  scripts/systolic/regress.py --macrame build/macrame --conformance FOLDER  everything
  scripts/systolic/regress.py --macrame build/macrame --quick      what scripts/test.sh runs
  scripts/systolic/regress.py --macrame build/macrame --only case_01    rows that say so

FOLDER holds programs with the memory before and after (cases/NAME, ops/NAME, worked_example). They
run on the golden model in the order of the stream and in a random legal one, and on the design at
latencies 1, 32, 200, with random stalls and a DRAM; memory must be the given one. Random programs
run on both, every byte must agree, on the configurations of sweep.txt that start with *. In every
run of the design what an instruction writes must be what the golden model writes, and counters and
the cycle in which each instruction ends must be those of the cycle model. Of programs with a token
more or less (mutated) the design must do what the verifier says: stand still, or give the same
memory. Some random programs are reset and get error answers of memory before they run (trials).
Without FOLDER only random programs run, and the summary says so. Ends with one table and
`N passed, N failed`.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import regression  # noqa: E402
from regression import Row, configurations, run_rows  # noqa: E402

SWEEP = HERE / "sweep.txt"
COLUMNS = ("programs", "random", "mutated", "trials")
MEMORIES = (
    ("latency 1", ["--latency", "1"]),
    ("latency 32", ["--latency", "32"]),
    ("latency 200", ["--latency", "200"]),
    ("random stalls", ["--latency", "10", "--stall", "0.3"]),
    ("DRAM", ["--latency", "5", "--stall", "0.1", "--dram-bytes", "8", "--dram-banks", "2",
              "--dram-row", "256", "--dram-hit", "7", "--dram-miss", "40"]),
)

# --quick: the golden model on all programs, few designs.
QUICK_DESIGNS = ("case_01", "ops_01", "worked_example")
QUICK_CUSTOM = 2
QUICK_RANDOM = 100
MUTATED = 0.2  # of the random programs, once more
TRIALS = 0.1  # the same
TRIAL_FLAGS = ["--resets", "3", "--faults", "6"]


def conformance_rows(args):
    for data in sorted(args.conformance.glob("**/case.json")):
        folder = data.parent
        row = Row(folder.name, ["--config", str(data)], COLUMNS)
        options = ["--program", str(folder / "program.hex"),
                   "--memory", str(folder / "memory_before.bin"),
                   "--expect", str(folder / "memory_after.bin")]
        row.add("programs", f"{folder.name}, golden model", ["--model", *options])
        row.add("programs", f"{folder.name}, any order", ["--model", "--any-order", *options])
        if not args.quick or folder.name in QUICK_DESIGNS:
            for memory, flags in MEMORIES:
                row.add("programs", f"{folder.name}, {memory}", [*flags, *options, "--steps"])
        yield row


def random_rows(args):
    custom = configurations(SWEEP, "* ")
    if args.quick:
        custom = custom[:QUICK_CUSTOM]
    each = QUICK_RANDOM if args.quick else args.random
    for number, line in enumerate(custom):
        row = Row(line, line.split(), COLUMNS)
        seed = args.seed + 100000 * number
        row.add_random(each, seed, MEMORIES, "random", ["--steps"])
        row.add_random(int(MUTATED * each), seed + 50000, MEMORIES, "mutated", ["--mutate"])
        row.add_random(int(TRIALS * each), seed + 5000, MEMORIES, "trials", TRIAL_FLAGS)
        yield row


def main():
    args = regression.arguments(__doc__, "MACRAME_SYSTOLIC", random=300)
    skipped = regression.skipped_without(args, "MACRAME_SYSTOLIC", "ops",
                                         "conformance programs")
    rows = list(conformance_rows(args)) if args.conformance else []
    rows = regression.chosen([*rows, *random_rows(args)], args)
    return regression.status(*run_rows(args.macrame, rows, args.jobs, skipped))


if __name__ == "__main__":
    sys.exit(main())
