#!/usr/bin/env python3
"""Regression of generated tensor units against networks, recorded and random programs.

  scripts/tcu/regress.py --macrame build/macrame --conformance FOLDER    everything
  scripts/tcu/regress.py --macrame build/macrame --quick                 what scripts/test.sh runs
  scripts/tcu/regress.py --macrame build/macrame --only zcu104           rows that say so

FOLDER holds compiled networks with inputs and outputs (a folder each), and programs with the images
of both banks before and after: recorded/ARCHITECTURE on the hardware of the original,
random/ARCHITECTURE computed. They run on the golden model and, at read latency 1, 20, 60 and with
random stalls on every channel, on the design; once more as drivers bring them: networks by the C
driver of runtime/tcu, programs in transfers of Tensil's drivers. Random programs of our own run on
both, every byte of both banks must agree, on the configurations of sweep.txt that start with *;
small ones run them with error answers of memory and resets in between (--faults, --resets).
Without FOLDER only these run, and the summary says so. Ends with one table, a row per
configuration, and `N passed, N failed`.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import regression  # noqa: E402
from regression import Row, configurations, run_rows  # noqa: E402

SWEEP = HERE / "sweep.txt"
COLUMNS = ("networks", "recorded", "programs", "random")
MEMORIES = (
    ("latency 1", ["--latency", "1"]),
    ("latency 20", ["--latency", "20"]),
    ("latency 60", ["--latency", "60"]),
    ("random stalls", ["--latency", "10", "--stall", "0.3"]),
)

# --quick: the golden model on all data, few designs.
QUICK_DESIGNS = ("speech_robot", "n2_fp16bp8", "n4_fp8bp4")
QUICK_CUSTOM = 2
QUICK_RANDOM = 40

# With error answers and soft resets: a beat per vector, several vectors in a beat, several beats of
# a vector, two vectors per cycle, units that wait for each other; without registers `reset` resets.
SMALL = ("--family tcu --local-depth 64 --accumulator-depth 32 --dram0-depth 128 --dram1-depth 128"
         " --queue-depth 16 ")
DISTURBED = tuple(SMALL + line for line in (
    "--array-size 2 --axi-data-width 32 --control-port",
    "--array-size 4 --axi-data-width 256 --data-type FP8BP4",
    "--array-size 8 --axi-data-width 32 --validate-instructions true --control-port",
    "--array-size 4 --array-vectors 2 --axi-data-width 64 --control-port",
    "--array-size 2 --axi-data-width 32 --order-blocks none --transfer-depth 2 --control-port",
))
QUICK_DISTURBED = 2


def kinds(folder):
    """Column and folder of all conformance data."""
    for part, column in (("recorded", "recorded"), ("random", "programs")):
        for data in sorted((folder / part).iterdir()):
            yield column, data
    for data in sorted(folder.iterdir()):
        if list(data.glob("*.tmodel")):
            yield "networks", data


def conformance_rows(args):
    for column, data in kinds(args.conformance):
        row = Row(data.name, ["--config", str(next(data.glob("*.tarch"))),
                              # The C driver asks the registers where there are some.
                              *(["--control-port"] if column == "networks" else [])], COLUMNS)
        options = ["--conformance", str(data)]
        row.add(column, f"{data.name}, golden model", ["--model", *options])
        if not args.quick:
            memories = MEMORIES
        elif data.name in QUICK_DESIGNS:
            memories = MEMORIES[1::2]
        else:
            memories = ()
        for memory, flags in memories:
            row.add(column, f"{data.name}, {memory}", [*flags, *options])
        if memories:
            memory, flags = memories[-1]
            row.add(column, f"{data.name}, drivers, {memory}", [*flags, "--driver", *options])
        yield row


def random_rows(args):
    custom = configurations(SWEEP, "* ")
    if args.quick:
        custom = custom[:QUICK_CUSTOM]
    each = QUICK_RANDOM if args.quick else args.random
    for number, line in enumerate(custom):
        row = Row(line, line.split(), COLUMNS)
        row.add_random(each, args.seed + 100000 * number, MEMORIES)
        row.add("random", f"drivers on {line}", ["--both", "--driver", "--random", str(each // 4),
                                                 "--seed", str(args.seed), "--stall", "0.1"])
        yield row


def disturbed_rows(args):
    """Error answers of memory and soft resets in the middle of random programs."""
    lines = DISTURBED[:QUICK_DISTURBED] if args.quick else DISTURBED
    programs, rounds = (20, 5) if args.quick else (100, 20)
    for line in lines:
        row = Row(f"disturbed, {line}", line.split(), COLUMNS)
        for memory, flags in MEMORIES[1::2]:
            row.add("random", f"faults and resets on {line}, {memory}",
                    ["--both", "--random", str(programs), "--seed", str(args.seed), "--faults",
                     str(rounds), "--resets", str(rounds), *flags])
        yield row


def main():
    args = regression.arguments(__doc__, "MACRAME_TENSIL", random=2000)
    skipped = regression.skipped_without(args, "MACRAME_TENSIL", "recorded",
                                         "Tensil's networks and recorded programs")
    rows = list(conformance_rows(args)) if args.conformance else []
    rows = regression.chosen([*rows, *random_rows(args), *disturbed_rows(args)], args)
    return regression.status(*run_rows(args.macrame, rows, args.jobs, skipped))


if __name__ == "__main__":
    sys.exit(main())
