#!/usr/bin/env python3
"""What element types and features cost: area and longest paths of every unit, as tables.

  scripts/dla/area.py --macrame build/macrame                  on a 7-series FPGA
  scripts/dla/area.py --macrame build/macrame --flow cells     gates and paths in standard cells
  scripts/dla/area.py --macrame build/macrame --flow estimate  paths on a 7-series FPGA, before
                                                               placement; --target ecp5: on an ECP5
  scripts/dla/area.py ... --only cmac cacc                     some units
  scripts/dla/area.py ... --wide                               convolution at full width

A machine of 64 multipliers, as nv_small but with 2 bytes per cycle in PDP and CDP: 8 channels by 8
kernels, with all three types 8 kernels of int8 or 4 of 16 bits. A type alone, all three, then what
a feature adds to that in the units that it changes. --wide: CDMA, CSC, a half of the MAC array and
CACC of a machine of 64 channels by 32 kernels of int8, without and with Winograd, which needs that
width; of paths, the modules that have them.

xc7 (area.sh): LUT with those of LUT RAM; FF; DSP; block RAM of 36 kbit. cells (timing.sh): gates of
the size of a NAND of two inputs, without block RAM; longest path between registers. Results are
kept by contents, so only what changed is synthesised again.
"""
import argparse
import pathlib
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "timing")]
from design import Design  # noqa: E402
from measured import area, paths, run  # noqa: E402

SMALL = ["--preset", "nv_small", "--pdp-throughput", 2, "--cdp-throughput", 2]
WIDE = ["--preset", "nv_large", "--primary-memif-width", 512, "--secondary-memif-width", 512,
        "--cbuf-bank-depth", 256]
ALL = "INT8,INT16,FP16"
TYPES = {"int8": "INT8", "int16": "INT16", "fp16": "FP16", "all three": ALL}
FEATURES = {
    "batch": ["--batch-enable", "--max-batch-size", 8],
    "compressed weights": ["--weight-compression-enable"],
    "BDMA": ["--bdma-enable"],
    "RUBIK": ["--rubik-enable", "--rubik-contract-enable", "--rubik-reshape-enable"],
}
# At full width: area of these units, and paths of these modules of them.
WIDE_TYPES = {"int8": "INT8", "int8, int16": "INT8,INT16", "all three": ALL}
WIDE_UNITS = ("cdma", "csc", "cmac", "cacc")
WIDE_PARTS = ("cdma_tile", "csc_pra", "csc_pra_fp", "cmac_pair", "cmac_cell_mul", "cmac_cell_csa",
              "cacc_cell", "cacc_round")


class Machine(Design):
    """A generated machine and what is measured of its units."""

    def __init__(self, given, arguments, out):
        run(given.macrame, "generate", *arguments, "--out", out)
        super().__init__(out)
        self.macrame, self.flow, self.only = given.macrame, given.flow, given.only
        self.target = given.target if given.flow == "estimate" else "ecp5"

    def units(self):
        return [u for u in super().units() if not self.only or u in self.only]

    def existing(self, modules):
        return [m for m in modules
                if self.start + m in self.text and (not self.only or m in self.only)]

    def changed(self, other):
        """Units that another machine does not have like this."""
        theirs = {unit: other.stamp(other.module(unit)) for unit in other.units()}
        return [u for u in self.units() if self.stamp(self.module(u)) != theirs.get(u)]

    def measure(self, units):
        """Unit, or module, -> numbers as NUMBERS says."""
        if not units:
            return {}
        if self.flow == "xc7":
            rows = area("xc7", self.folder, units)
            return {unit: [rows[unit]["ALLLUTS"], rows[unit]["FF"], rows[unit]["DSP"],
                           rows[unit]["RAMB36"] + (rows[unit]["RAMB18"] + 1) // 2]
                    for unit in units}
        gates = self.flow == "cells"
        rows = paths(self.macrame, self.flow, self.folder, units, self.target)
        return {unit: ([row["gates"]] if gates else []) + [row["ns"] or 0.0]
                for unit, row in rows.items()}


NUMBERS = {"xc7": "LUT; FF; DSP; block RAM", "cells": "gates; longest path in ns",
           "estimate": "longest path in ns"}


def cell(numbers, base=None):
    """Numbers, or what they are more than others; paths are never differences."""
    if numbers is None:
        return ""
    if base is None:
        texts = [f"{n:,}" if isinstance(n, int) else f"{n:.1f}" for n in numbers]
    else:
        texts = [f"{n - b:+,}" if isinstance(n, int) else f"{n:.1f}"
                 for n, b in zip(numbers, base)]
    while len(texts) > 1 and texts[-1] in ("0", "+0"):
        texts.pop()
    return "; ".join(texts)


def total(rows):
    """Sum of numbers, both halves of CMAC in it; the longest of paths."""
    found = None
    for unit, numbers in rows.items():
        more = [n * 2 if unit == "cmac" and isinstance(n, int) else n for n in numbers]
        found = more if found is None else [max(a, b) if isinstance(a, float) else a + b
                                            for a, b in zip(found, more)]
    return found


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---|" + "--:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def small(given, scratch):
    """Every unit in every type, and what features change."""
    columns, base = {}, None
    for name, types in TYPES.items():
        base = Machine(given, [*SMALL, "--feature-data-types", types], scratch / str(len(columns)))
        columns[name] = base.measure(base.units())
        print(f"{name}: done", file=sys.stderr)
    for name, arguments in FEATURES.items():
        machine = Machine(given, [*SMALL, "--feature-data-types", ALL, *arguments],
                          scratch / str(len(columns)))
        columns[name] = machine.measure(machine.changed(base))
        print(f"{name}: done", file=sys.stderr)
    whole = columns["all three"]
    none = [type(n)() for n in next(iter(whole.values()))]
    rows = []
    for unit in dict.fromkeys(unit for column in columns.values() for unit in column):
        rows.append([unit + " (x2)" * (unit == "cmac")] +
                    [cell(columns[n].get(unit)) for n in TYPES] +
                    [cell(columns[n].get(unit), whole.get(unit, none)) for n in FEATURES])
    sums = ["all"] + [cell(total(columns[n])) for n in TYPES]
    for name in FEATURES:
        rest = {unit: whole.get(unit, none) for unit in columns[name]}
        sums.append(cell(total(columns[name]), total(rest)) if rest else "")
    table([NUMBERS[given.flow]] + list(TYPES) + [f"+ {n}" for n in FEATURES], rows + [sums])


def wide(given, scratch):
    """Units of the convolution at full width, or parts of them."""
    columns = {}
    for name, types in WIDE_TYPES.items():
        for mode in [[]] if types == "INT8" else [[], ["--winograd-enable"]]:
            head = name + ", Winograd" * len(mode)
            machine = Machine(given, [*WIDE, "--feature-data-types", types, *mode],
                              scratch / str(len(columns)))
            parts = machine.existing(WIDE_UNITS if given.flow == "xc7" else WIDE_PARTS)
            columns[head] = machine.measure(parts)
            print(f"{head}: done", file=sys.stderr)
    rows = dict.fromkeys(part for column in columns.values() for part in column)
    table([NUMBERS[given.flow], *columns],
          [[part] + [cell(column.get(part)) for column in columns.values()] for part in rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--flow", default="xc7", choices=NUMBERS)
    parser.add_argument("--target", default="xc7", choices=("xc7", "ecp5"), help="of an estimate")
    parser.add_argument("--wide", action="store_true", help="convolution at full width")
    parser.add_argument("--only", nargs="+", metavar="UNIT", help="these units")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        (wide if given.wide else small)(given, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
