#!/usr/bin/env python3
"""Area and longest paths of systolic machines as a table, by Yosys.

  scripts/systolic/area.py --macrame build/macrame                 on a Lattice ECP5
  scripts/systolic/area.py --macrame build/macrame --target xc7    on a 7-series FPGA
  scripts/systolic/area.py --macrame build/macrame --only 0 --units    and each unit on its own

Area is the sum of the units (area.sh, kept between runs): LUTs with those that carry chains and
LUT RAM take; block RAM of 18 kbit on ECP5, of 36 kbit on 7-series. A path is the longest one that
timing.sh estimates inside a unit, from register to register, without placement. That of the array
is in a processing element: an array of 8 x 8 stands for larger ones.
"""
import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measured import area, paths, run  # noqa: E402

# What it is called, arguments of macrame generate.
PLAIN = ["--requantise", "true"]
ROWS = (
    ("8 x 8, 64-bit bus", ["--preset", "8x8"]),
    ("the same, requantise true", ["--preset", "8x8", *PLAIN]),
    ("16 x 16, 128-bit bus, requantise true", ["--preset", "16x16", *PLAIN]),
    ("32 x 32, 128-bit bus, requantise true", ["--preset", "32x32", *PLAIN]),
)
# Columns of area.sh: LUTs, flops, multipliers, block RAMs with what each counts.
AREA = {
    "ecp5": ("COMB", "FF", "MULT18", {"EBR": 1}),
    "xc7": ("ALLLUTS", "FF", "DSP", {"RAMB36": 1, "RAMB18": 0.5}),
}


def sum_of(target, out, units):
    """Names of units; LUTs, flops, multipliers and block RAMs of all."""
    table = area(target, out)
    if units:
        for unit, row in table.items():
            print(unit, row, file=sys.stderr, flush=True)
    total = table.pop("sum")
    luts, flops, products, rams = AREA[target]
    blocks = sum(total[name] * of for name, of in rams.items())
    return list(table), [total[luts], total[flops], total[products], int(blocks + 0.5)]


def longest(given, out, units):
    """Nanoseconds and the unit of the longest path."""
    found = paths(given.macrame, "estimate", out, units, given.target)
    return max((row["ns"], unit) for unit, row in found.items() if row["ns"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--target", default="ecp5", choices=AREA)
    parser.add_argument("--only", nargs="+", type=int, choices=range(len(ROWS)), metavar="ROW",
                        help=f"0 .. {len(ROWS) - 1}")
    parser.add_argument("--units", action="store_true", help="each unit, on standard error")
    given = parser.parse_args()
    columns = ["LUT", "FF", "multipliers", "block RAM", "longest path"]
    print("| | " + " | ".join(columns) + " |")
    print("|---|" + "--:|" * len(columns))
    with tempfile.TemporaryDirectory() as scratch:
        of_array = None
        for row in given.only or range(len(ROWS)):
            name, arguments = ROWS[row]
            out = pathlib.Path(scratch) / str(row)
            run(given.macrame, "generate", *arguments, "--out", out)
            units, numbers = sum_of(given.target, out, given.units)
            cells = [f"{number:,}" for number in numbers]
            if of_array is None:
                small = pathlib.Path(scratch) / "small"
                run(given.macrame, "generate", *ROWS[0][1], "--out", small)
                of_array = longest(given, small, ["array"])
            rest = [u for u in units if u != "array"]
            ns, unit = max(longest(given, out, rest), of_array)
            cells.append(f"{ns:.1f} ns, {unit}")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
