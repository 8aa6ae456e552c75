#!/usr/bin/env python3
"""Line, toggle and functional coverage of generated tensor units, per unit.

  scripts/tcu/coverage.py --macrame build/macrame --conformance FOLDER    all configurations below
  scripts/tcu/coverage.py --macrame build/macrame --only n2 n4            some of them

Builds designs that between them have every option and every shape of the units with Verilator's
line and toggle counters, plays recorded and computed programs (FOLDER as for regress.py) and random
ones, prints hit / total per unit and the missed lines of every unit below the limit, then a table
of all configurations with the bins of functional coverage (`--coverage` of the simulator) that
their programs hit. Lines that nothing can reach have their reason in coverage_reasons.txt; a reason
for a line that is hit is an error. Exit status 1: a unit below the limit, a bin that was not hit, a
wrong reason or a failed program. What counts as a line: scripts/line_coverage.py.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import line_coverage  # noqa: E402

# Name: arguments of macrame generate. Between them: all types, each number of weight buffers, one
# and two vectors per cycle, vectors of one, several and a fraction of a beat, every option, lookup
# tables.
CONFIGURATIONS = {
    "speech_robot": "--preset speech_robot",
    "n2": "--family tcu --array-size 2 --local-depth 32 --accumulator-depth 16 --dram0-depth 2048 "
          "--dram1-depth 2048 --stride0-depth 2 --stride1-depth 2 --axi-data-width 128 "
          "--queue-depth 16",
    "n3": "--family tcu --array-size 3 --data-type FP32BP16 --simd-registers-depth 4 "
          "--local-depth 50 --accumulator-depth 33 --stride1-depth 1 --queue-depth 16 "
          "--lut-tables 1 --lut-depth 2",
    "n4": "--family tcu --array-size 4 --local-depth 64 --accumulator-depth 32 "
          "--validate-instructions --status-port --sample-block-size 4 --queue-depth 16 "
          "--control-port",
    "n4_fp8": "--family tcu --array-size 4 --data-type FP8BP4 --local-depth 48 "
              "--accumulator-depth 24 --dram0-depth 160 --dram1-depth 64 --simd-registers-depth 2 "
              "--stride0-depth 4 --stride1-depth 4 --weight-buffers 2 --queue-depth 16",
    "n8": "--family tcu --array-size 8 --data-type FP18BP10 --local-depth 40 "
          "--accumulator-depth 64 --dram0-depth 192 --dram1-depth 96 --simd-registers-depth 3 "
          "--stride0-depth 1 --axi-data-width 64 --queue-depth 64",
    "pairs": "--family tcu --array-size 4 --array-vectors 2 --local-depth 128 "
             "--accumulator-depth 63 --order-blocks 16 --queue-depth 16 --simd-registers-depth 5 "
             "--lut-tables 2 --lut-depth 9",
}
# Data of Tensil's for these architectures.
DATA = {
    "speech_robot": ["speech_8x8", "recorded/speech_robot"],
    "n4_fp8": ["random/n4_fp8bp4"],
    "n8": ["random/n8_fp18bp10"],
}
# Options of the random programs; each gets its share.
RANDOM = [
    ["--latency", "1"],
    ["--latency", "20"],
    ["--latency", "200"],
    ["--latency", "20", "--stall", "0.3"],
    ["--latency", "5", "--stall", "0.7"],
]
# Files whose names say nothing of their unit.
OWNERS = {"column": "array", "pe": "array", "product": "array", "room": "decode",
          "scoreboard": "decode", "split": "decode", "burst": "load"}


def main():
    parser = line_coverage.parser_of(__doc__, "MACRAME_TENSIL")
    parser.set_defaults(random=500)
    parser.add_argument("--only", nargs="+", choices=CONFIGURATIONS, help="configurations")
    args = line_coverage.arguments_of(parser)

    def play(design, name, options):
        if args.conformance is None:
            print("recorded and computed programs: SKIPPED, no --conformance folder")
        else:
            for data in DATA.get(name, []):
                design.run(data, ["--conformance", args.conformance / data, *options])
        design.random(args.random, args.seed, [[*group, *options] for group in RANDOM])

    return line_coverage.measure("tcu", CONFIGURATIONS, OWNERS, HERE, args, play)


if __name__ == "__main__":
    sys.exit(main())
