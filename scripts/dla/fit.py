#!/usr/bin/env python3
"""Which presets fit which boards: area by Yosys (area.sh, kept between runs) beside the capacity in
fpga/boards/.

  scripts/dla/fit.py --macrame build/macrame [--preset P]...

Prints what the presets need of a 7-series FPGA and of an ECP5, then for each board how often a
preset goes onto it, or what there is not enough of. 80 % of the LUTs of a board are taken for
usable, block RAM that is the board's memory is not there for the design. LUTs count those that LUT
RAM takes; on ECP5 they are what place and route counts, with carry chains. UltraScale+ is counted
as 7-series.
"""

import argparse
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
USABLE_LUTS = 0.8
BLOCK_KBYTES = {"ecp5": 2, "xc7": 4}  # of a block RAM that is used as memory
NAMES = {"lut": "LUTs", "dsp": "multipliers", "bram": "block RAMs"}


def boards():
    """(name, target, clock in MHz, capacity); not those with an FPGA that nothing is built for."""
    for path in sorted((HERE.parent.parent / "fpga/boards").glob("*/board.toml")):
        board = tomllib.loads(path.read_text())
        target = {"vivado": "xc7", "ecp5": "ecp5"}.get(board["flow"])
        if target is None:
            continue
        capacity = board["capacity"]
        if board["memory"]["kind"] == "block":
            capacity["bram"] -= board["memory"]["kib"] // BLOCK_KBYTES[target]
        yield path.parent.name, target, board["clock"]["core_mhz"], capacity


def presets(macrame):
    text = subprocess.run([macrame, "list", "presets"], check=True, capture_output=True,
                          text=True).stdout
    return [line.split()[0] for line in text.splitlines()
            if "not built" not in line and "refused" not in line]


def area_sum(macrame, preset, target):
    """Columns of area.sh and the numbers below: of these, then of the published RTL where it is."""
    done = subprocess.run([HERE.parent / "area.sh", "--target", target, "--macrame", macrame,
                           "--preset", preset], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"area.sh --target {target} --preset {preset}: exit status {done.returncode}")
    lines = done.stdout.splitlines()
    return lines[0].split("peer:")[0].split()[1:], [int(n) for n in lines[-1].split()[1:]]


def area(macrame, preset, target):
    numbers = dict(zip(*area_sum(macrame, preset, target)))
    if target == "ecp5":
        return {"lut": numbers["COMB"], "ff": numbers["FF"], "dsp": numbers["MULT18"],
                "bram": numbers["EBR"]}
    return {"lut": numbers["ALLLUTS"], "ff": numbers["FF"],
            "dsp": numbers["DSP"], "bram": numbers["RAMB36"] + (numbers["RAMB18"] + 1) // 2}


def fit(need, capacity):
    """How often, or what is missing."""
    usable = {**capacity, "lut": int(USABLE_LUTS * capacity["lut"])}
    missing = [f"{need[key]:,} {name}" for key, name in NAMES.items() if need[key] > usable[key]]
    if missing:
        return "no: " + ", ".join(missing)
    return f"{min(usable[key] // max(1, need[key]) for key in NAMES)} x"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", required=True)
    parser.add_argument("--preset", action="append")
    given = parser.parse_args()
    names = given.preset or presets(given.macrame)
    need = {}
    print("| preset | 7-series: LUT | FF | DSP | RAMB36 | ECP5: LUT | FF | MULT18 | EBR |")
    print("|---|" + "--:|" * 8)
    for name in names:
        need[name] = {target: area(given.macrame, name, target) for target in ("xc7", "ecp5")}
        cells = [f"{number:,}" for row in need[name].values() for number in row.values()]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print("\n| board | MHz | LUT | multipliers | block RAM | " + " | ".join(names) + " |")
    print("|---|" + "--:|" * 4 + "---|" * len(names))
    for board, target, clock, there in boards():
        cells = [f"{there[key]:,}" for key in NAMES]
        cells += [fit(need[name][target], there) for name in names]
        print(f"| {board} | {clock} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
