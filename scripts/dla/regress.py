#!/usr/bin/env python3
"""Regression of generated designs against traces, recorded vectors and random programs.

  scripts/dla/regress.py --macrame build/macrame --conformance FOLDER    everything
  scripts/dla/regress.py --macrame build/macrame --quick                 what scripts/test.sh runs
  scripts/dla/regress.py --macrame build/macrame --only nv_large         rows that say so

FOLDER holds a folder of trace tests per preset (verif/tests/trace_tests of a checkout of nvdla/hw;
that of nv_full is nv_full_v1/) and, if there, recorded programs: oracle/<preset>/, of nv_full
oracle/v1/layers/, and what a published driver writes: loadables/, with --strict. They run on the
golden model and, at memory latency 1, 32, 200 and with random stalls, on the design. Programs
without expected values run on both, every register read and every written byte must agree: those of
original_fails/, if there, which are legal and fail on the original nv_small, and random ones, on
all presets and on the configurations of sweep.txt that start with *. Of random programs with
another value in one register field (mutated) both must do the same, or the golden model stops and
the layer checker says why. Without FOLDER only random and mutated ones run, and the summary says
so. Ends with one table, a row per configuration, and `N passed, N failed`.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import conformance  # noqa: E402
import regression  # noqa: E402
from regression import Row, configurations, run_rows  # noqa: E402

SWEEP = HERE / "sweep.txt"
PRESETS = ("nv_small", "nv_small_256", "nv_small_256_full", "nv_medium_512",
           "nv_medium_1024_full", "nv_large", "nv_full")
STALLS = ["--latency", "20", "--stall", "0.4", "--interleave"]
MEMORIES = (
    ("latency 1", ["--latency", "1"]),
    ("latency 32", ["--latency", "32"]),
    ("latency 200", ["--latency", "200", "--secondary-latency", "3"]),
    ("random stalls", STALLS),
)
# Random programs only: the design alone is reset while memory still answers.
RESETS = ("resets", ["--latency", "200", "--secondary-latency", "30", "--stall", "0.1",
                     "--interleave", "--resets", "2"])
# With a memory bus that has responses: errors among them, then the same without.
FAULTS = ("faults", ["--latency", "30", "--secondary-latency", "5", "--stall", "0.2",
                     "--interleave", "--faults", "6"])
# Core clock cycles per cycle of a bus clock of its own, in turn.
BUS_CLOCKS = ("0.43", "2.71")
MUTATED = 0.2  # of the random programs, once more
COLUMNS = ("traces", "vectors", "random", "mutated")

# --quick: few programs on few designs, the traces of all presets on the golden model.
QUICK_DESIGNS = ("nv_small", "nv_small_256_full")
QUICK_RANDOM = {"nv_small": 24, "nv_small_256_full": 8}
QUICK_MUTATED = {"nv_small": 40, "nv_small_256_full": 60}
QUICK_CUSTOM = 2
QUICK_CUSTOM_RANDOM = 4
QUICK_CUSTOM_MUTATED = 20, "BDMA,RUBIK"  # of the first configuration
QUICK_FAULTS = 4  # of the first configuration with responses


def add_traces(row, column, name, folders, memories, design):
    options = ["--trace", *map(str, folders)]
    row.add(column, f"{name} on {row.name}, golden model", ["--model", *options])
    for memory, flags in memories if design else ():
        seed = ["--seed", "7"] if "--stall" in flags else []
        row.add(column, f"{name} on {row.name}, {memory}", [*flags, *seed, *options])


def add_conformance(row, preset, folder, memories, design):
    traces = conformance.traces(folder, preset)
    if traces.is_dir():
        add_traces(row, "traces", "traces", [traces], memories, design)
    for category in conformance.vectors(folder, preset):
        add_traces(row, "vectors", f"vectors {category.name}", [category], memories, design)
    files = conformance.loadables(folder, preset)
    if files:
        options = ["--strict", "--trace", *map(str, files)]
        row.add("vectors", f"loadables on {row.name}, golden model", ["--model", *options])
        for memory, flags in memories[:1] if design else ():
            row.add("vectors", f"loadables on {row.name}, {memory}", [*flags, *options])


def add_original_fails(row, folder, memories):
    """Programs without expected values: design and golden model must agree."""
    for memory, flags in memories if folder.is_dir() else ():
        row.add("vectors", f"what the original fails on {row.name}, {memory}",
                ["--both", *flags, "--trace", str(folder)])


def has_responses(line):
    return "--memory-bus axi" in line


def clocked(line, memories):
    """The same runs; with two clocks if the configuration has them."""
    if "--bus-clock own" not in line:
        return memories
    divs = [BUS_CLOCKS[i % len(BUS_CLOCKS)] for i in range(len(memories))]
    return [(f"{memory}, bus clock / {div}", [*flags, "--bus-clock-div", div])
            for (memory, flags), div in zip(memories, divs)]


def add_faults(row, count, seed):
    memory, flags = clocked(row.name, [FAULTS])[0]
    row.add("random", f"random seeds {seed}..{seed + count - 1} on {row.name}, {memory}",
            ["--both", "--random", str(count), "--seed", str(seed), *flags])


def plan(args):
    """The rows of the table with their jobs."""
    custom = configurations(SWEEP, "* ")
    if args.quick:
        custom = custom[:QUICK_CUSTOM] + list(filter(has_responses, custom))[:1]
        custom += [line for line in configurations(SWEEP, "* ") if "--bus-clock own" in line][:1]
    memories = MEMORIES[1:2] if args.quick else MEMORIES
    each = -(-args.random // (2 * len(PRESETS)))
    each_custom = -(-args.random // (2 * len(custom)))
    rows = []
    for number, preset in enumerate(PRESETS):
        row = Row(preset, ["--preset", preset], COLUMNS)
        if args.conformance:
            design = not args.quick or preset in QUICK_DESIGNS
            add_conformance(row, preset, args.conformance, memories, design)
            if preset == "nv_small":
                add_original_fails(row, args.conformance / "original_fails", memories)
        count = QUICK_RANDOM.get(preset, 0) if args.quick else each
        row.add_random(count, args.seed + 1000 * number, (*MEMORIES, RESETS))
        count = QUICK_MUTATED.get(preset, 0) if args.quick else int(MUTATED * each)
        row.add_random(count, args.seed + 200000 + 1000 * number, MEMORIES, "mutated",
                       ["--mutate", "all"])
        rows.append(row)
    for number, line in enumerate(custom):
        row = Row(line, line.split(), COLUMNS)
        count = QUICK_CUSTOM_RANDOM if args.quick else each_custom
        row.add_random(count, args.seed + 100000 + 1000 * number,
                   clocked(line, (*(MEMORIES[3:] if args.quick else MEMORIES[2:]), RESETS)))
        count, units = int(MUTATED * each_custom), "all"
        if args.quick:
            count, units = QUICK_CUSTOM_MUTATED if number == 0 else (0, "")
        row.add_random(count, args.seed + 250000 + 1000 * number, MEMORIES[:2], "mutated",
                       ["--mutate", units])
        if has_responses(line):
            add_faults(row, QUICK_FAULTS if args.quick else each_custom,
                       args.seed + 150000 + 1000 * number)
        rows.append(row)
    return regression.chosen([row for row in rows if row.jobs], args)


def leave_second_port(macrame, row):
    """Where there is none, nothing is said of its memory."""
    told = subprocess.run([macrame, "explain", *row.arguments], capture_output=True, text=True,
                          check=True).stdout
    if re.search(r"^secondary-memif-enable +true ", told, re.MULTILINE):
        return
    for _, _, options in row.jobs:
        while "--secondary-latency" in options:
            at = options.index("--secondary-latency")
            del options[at:at + 2]


def side_by_side(macrame):
    """Real builds at the same time and interrupted ones. Number of failures: 0 or 1."""
    test = HERE.parent.parent / "generator/test/parallel_test.py"
    print("builds side by side", flush=True)
    return int(subprocess.run([sys.executable, test, macrame, "RealBuilds"], check=False,
                              env={**os.environ, "MACRAME_REAL_BUILDS": "1"}).returncode != 0)


def main():
    args = regression.arguments(
        __doc__, "MACRAME_CONFORMANCE", random=2000,
        random_help="random programs, half on presets, half on custom configurations",
        only_help="this preset, or configurations whose options contain this")
    skipped = regression.skipped_without(args, "MACRAME_CONFORMANCE", "nv_small",
                                         "NVIDIA's traces and recorded vectors")
    rows = plan(args)
    for row in rows:
        leave_second_port(args.macrame, row)
    passed, failed = run_rows(args.macrame, rows, args.jobs, skipped)
    if not args.quick and not args.only:
        failed += side_by_side(args.macrame.resolve())
    return regression.status(passed, failed)


if __name__ == "__main__":
    sys.exit(main())
