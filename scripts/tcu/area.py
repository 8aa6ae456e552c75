#!/usr/bin/env python3
"""Area of tensor units on a 7-series FPGA by Yosys (area.sh, kept between runs), as a table beside
what Tensil published for its boards.

  scripts/tcu/area.py --macrame build/macrame            everything
  scripts/tcu/area.py --macrame build/macrame --only 0 1 rows
  scripts/tcu/area.py --macrame build/macrame --units    and each unit on its own

Ours is the sum of the units of the core: LUT counts those that LUT RAM takes, block RAM RAMB36 and
half of RAMB18. Theirs is the whole board after place and route, with DMA and interconnect, a
percentage of the FPGA in whole per cent: numbers within half a per cent.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# What it is called, arguments of macrame generate.
ROWS = (
    ("pynqz1, as artya7100t: 8 x 8, FP16BP8", "--preset pynqz1"),
    ("the same, `--weight-buffers 2`", "--preset pynqz1 --weight-buffers 2"),
    ("8 x 8, FP8BP4", "--preset pynqz1 --data-type FP8BP4"),
    ("8 x 8, FP18BP10", "--preset pynqz1 --data-type FP18BP10"),
    ("8 x 8, FP32BP16", "--preset pynqz1 --data-type FP32BP16"),
    ("ultra96v2: 16 x 16, FP16BP8", "--preset ultra96v2"),
    ("zcu104: 32 x 32, FP16BP8", "--preset zcu104"),
)
COLUMNS = ("LUT", "LUT RAM cells", "FF", "DSP", "block RAM")


def measure(macrame, arguments, units):
    """Our numbers and theirs, None if there are none, in the order of COLUMNS."""
    done = subprocess.run([HERE.parent / "area.sh", "--macrame", macrame, *arguments.split()],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"area.sh {arguments}: exit status {done.returncode}")
    if units:
        print(done.stdout, file=sys.stderr, flush=True)
    lines = done.stdout.splitlines()
    names = lines[0].split("peer:")[0].split()[1:]
    total = next(line for line in lines if line.startswith("sum"))
    numbers = [int(n) for n in total.split()[1:]]
    ours = dict(zip(names, numbers))  # of the peer the columns are in order already
    return [ours["ALLLUTS"], ours["LUTRAM"], ours["FF"], ours["DSP"],
            ours["RAMB36"] + (ours["RAMB18"] + 1) // 2], numbers[len(names):] or None


def cell(ours, theirs):
    return f"{ours:,}" + (f" ({theirs:,})" if theirs is not None else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--only", nargs="+", type=int, choices=range(len(ROWS)), metavar="ROW",
                        help=f"0 .. {len(ROWS) - 1}")
    parser.add_argument("--units", action="store_true", help="each unit, on standard error")
    given = parser.parse_args()
    print("| ours (theirs) | " + " | ".join(COLUMNS) + " |")
    print("|---|" + "--:|" * len(COLUMNS))
    for row in given.only or range(len(ROWS)):
        name, arguments = ROWS[row]
        ours, theirs = measure(given.macrame, arguments, given.units)
        cells = [cell(*pair) for pair in zip(ours, theirs or [None] * len(ours))]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
