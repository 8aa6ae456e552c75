#!/usr/bin/env python3
"""Line, toggle and functional coverage of generated systolic machines, per unit.

  scripts/systolic/coverage.py --macrame build/macrame                    all configurations
  scripts/systolic/coverage.py --macrame build/macrame --only small wide    some of them

Builds designs that between them have every option and every shape of the units with Verilator's
line and toggle counters, plays random programs, prints hit / total per unit and the missed lines
of every unit below the limit, then a table of all configurations with the bins of functional
coverage (`--coverage` of the simulator) that their programs hit. Lines that nothing can reach have
their reason in coverage_reasons.txt; a reason for a line that is hit is an error. Exit status 1: a
unit below the limit, a bin that was not hit, a wrong reason or a failed program. What counts as a
line: scripts/line_coverage.py.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import line_coverage  # noqa: E402

SMALL = "--ibuf-entries 32 --wbuf-entries 16 --obuf-entries 32"
# Name: arguments of macrame generate. Between them: buses narrower and wider than a vector, one
# row, one column, every width, no requantisation, queues and token counters of one.
CONFIGURATIONS = {
    "small": f"--family systolic --rows 4 --cols 4 {SMALL}",
    "narrow": "--family systolic --rows 3 --cols 5 --ibuf-entries 16 --wbuf-entries 16 "
              "--obuf-entries 32 --axi-data-width 32 --queue-depth 2 --token-depth 1",
    "wide": "--family systolic --rows 2 --cols 16 --in-width 16 --weight-width 12 "
            "--ibuf-entries 128 --wbuf-entries 64 --obuf-entries 128 --axi-data-width 64",
    "plain": "--family systolic --rows 7 --cols 3 --ibuf-entries 64 --wbuf-entries 32 "
             "--obuf-entries 16 --requantise false",
    "row": "--family systolic --rows 1 --cols 9 --ibuf-entries 8 --wbuf-entries 8 "
           "--obuf-entries 32",
    "column": "--family systolic --rows 9 --cols 1 --ibuf-entries 16 --wbuf-entries 16 "
              "--obuf-entries 64 --token-depth 2",
    "o16": "--family systolic --rows 4 --cols 4 --in-width 4 --weight-width 5 --out-width 16 "
           f"{SMALL}",
    "bus512": f"--family systolic --rows 5 --cols 5 --queue-depth 3 --axi-data-width 512 {SMALL}",
}
# Options of the random programs; each gets its share.
RANDOM = [
    ["--latency", "1"],
    ["--latency", "32"],
    ["--latency", "200"],
    ["--latency", "10", "--stall", "0.3"],
    ["--latency", "5", "--stall", "0.7"],
    ["--latency", "20", "--stall", "0.2", "--resets", "3", "--faults", "6"],
]
# Files whose names say nothing of their unit.
OWNERS = {"slave": "control", "queue": "resolver", "tokens": "resolver", "burst": "load",
          "rotate": "load", "steps": "load", "transfer": "load", "ibuf": "array", "wbuf": "array",
          "pe": "array", "pick": "store", "scale": "store"}


def main():
    parser = line_coverage.parser_of(__doc__, "MACRAME_SYSTOLIC")
    parser.set_defaults(random=500)
    parser.add_argument("--only", nargs="+", choices=CONFIGURATIONS, help="configurations")
    args = line_coverage.arguments_of(parser)

    def play(design, _, options):
        design.random(args.random, args.seed, [[*group, *options] for group in RANDOM])

    return line_coverage.measure("systolic", CONFIGURATIONS, OWNERS, HERE, args, play)


if __name__ == "__main__":
    sys.exit(main())
