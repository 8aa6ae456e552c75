#!/usr/bin/env python3
"""Which presets fit which boards with a Xilinx FPGA: area by Yosys (area.sh, kept between runs)
beside the capacity in fpga/boards/.

  scripts/dla/fit.py --macrame build/macrame [--preset P]...

A cell is how often the design goes onto the board, limited by what: LUTs, DSP blocks, block RAMs.
LUTs count as area.sh counts them, with LUT RAM; 80 % of the LUTs of a board are taken for usable.
Block RAM that a board's own memory takes is not counted.
"""

import argparse
import pathlib
import subprocess
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
USABLE_LUTS = 0.8


def boards():
    for path in sorted((HERE.parent.parent / "fpga/boards").glob("*/board.toml")):
        board = tomllib.loads(path.read_text())
        if board["flow"] == "vivado":
            yield path.parent.name, board["capacity"]


def presets(macrame):
    text = subprocess.run([macrame, "list", "presets"], check=True, capture_output=True,
                          text=True).stdout
    return [line.split()[0] for line in text.splitlines()
            if "not built" not in line and "refused" not in line]


def area(macrame, preset):
    text = subprocess.run([HERE / "area.sh", "--macrame", macrame, "--preset", preset], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    lut, lutram, ff, dsp, ramb36, ramb18 = map(int, text.splitlines()[-1].split()[1:7])
    return {"lut": lut + lutram, "ff": ff, "dsp": dsp, "bram": ramb36 + (ramb18 + 1) // 2}


def fit(need, capacity):
    """How often, and the scarcest resource."""
    times = {"lut": USABLE_LUTS * capacity["lut"] / need["lut"],
             "dsp": capacity["dsp"] / max(1, need["dsp"]),
             "bram": capacity["bram"] / max(1, need["bram"])}
    scarce = min(times, key=times.get)
    count = int(times[scarce])
    return f"{count} x" if count else f"no, {scarce} {need[scarce]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", required=True)
    parser.add_argument("--preset", action="append")
    given = parser.parse_args()
    names, capacities = zip(*boards())
    print("| preset | LUT | FF | DSP | RAMB36 | " + " | ".join(names) + " |")
    print("|" + "---|" * (5 + len(names)))
    for preset in given.preset or presets(given.macrame):
        need = area(given.macrame, preset)
        cells = [fit(need, capacity) for capacity in capacities]
        print(f"| {preset} | {need['lut']} | {need['ff']} | {need['dsp']} | {need['bram']} | "
              + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
