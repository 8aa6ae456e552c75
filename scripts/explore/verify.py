#!/usr/bin/env python3
"""Checks points of a front: predicted beside measured.

  scripts/explore/verify.py --macrame build/macrame FOLDER [--points 3] [--no-area] [--no-design]

FOLDER is what `macrame explore` wrote. Takes so many points of the front, spread evenly over it
with both ends: generates each, lints it with the tools of Debian (lint.sh), synthesises its units
(area.sh), and runs each network once on design and golden model, which must agree in every byte,
with random input (macrame run --both). Prints a table and writes FOLDER/verified.json; results that
are there already are not measured again. Ends with 1 if a point fails a check or is off by more
than --most-cycles or --most-luts percent.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))
from measured import area  # noqa: E402


def run(*command, **given):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **given)
    return done.returncode, done.stdout


def spread(points, count):
    """So many, the first and the last among them."""
    if count >= len(points):
        return points
    if count == 1:
        return points[-1:]
    return [points[round(i * (len(points) - 1) / (count - 1))] for i in range(count)]


def measured_area(folder, target):
    row = area(target, folder)["sum"]
    if target == "ecp5":
        return {"luts": row["COMB"], "ffs": row["FF"], "dsps": row["MULT18"], "brams": row["EBR"]}
    return {"luts": row["ALLLUTS"], "ffs": row["FF"], "dsps": row["DSP"],
            "brams": row["RAMB36"] + (row["RAMB18"] + 1) // 2}


def measured_cycles(given, network, configuration, scratch):
    """Cycles of the design, or the text of an error."""
    inputs, result = scratch / "inputs", scratch / "cycles.json"
    generator = random.Random(1)
    inputs.write_bytes(bytes(generator.randrange(256) for _ in range(network["input_bytes"])))
    status, text = run(given.macrame, "run", network["file"], "--config", configuration, "--input",
                       inputs, "--input-type", "elements", "--both", "--json", result)
    if status:
        return text.strip().splitlines()[-1]
    return json.loads(result.read_text())["total_cycles"]


def check(given, front, point):
    """What is measured of a point."""
    configuration = given.folder / "configurations" / (point["name"] + ".toml")
    out = {"name": point["name"], "errors": [], "cycles": {}}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        design = scratch / "design"
        status, text = run(given.macrame, "generate", "--config", configuration, "--out", design)
        if status:
            out["errors"].append(text.strip())
            return out
        status, text = run(SCRIPTS / "lint.sh", design, env={**os.environ, "NEWER": "no"})
        if status:
            out["errors"].append(text.strip())
        if not given.no_area:
            out["area"] = measured_area(design, front["target"])
        for network in [] if given.no_design else front["networks"]:
            cycles = measured_cycles(given, network, configuration, scratch)
            if isinstance(cycles, str):
                out["errors"].append(f"{network['name']}: {cycles}")
            else:
                out["cycles"][network["name"]] = cycles
    return out


def off(predicted, measured):
    return 100 * (predicted / measured - 1) if measured else 0.0


def table(front, points, found):
    """Prints predicted and measured; the largest errors of cycles and LUTs in percent."""
    most_cycles = most_luts = 0.0
    print("| configuration | | LUT | FF | DSP | block RAM | "
          + " | ".join(f"{n['name']}, cycles" for n in front["networks"]) + " |")
    print("|---|---|" + "--:|" * (4 + len(front["networks"])))
    for point in points:
        one = found[point["name"]]
        sizes = one.get("area", {})
        cycles = {n["network"]: n["cycles"] for n in point["networks"]}
        cells = [f"{point[k]:,}" for k in ("luts", "ffs", "dsps", "brams")]
        print(f"| {point['name']} | predicted | " + " | ".join(cells) + " | "
              + " | ".join(f"{cycles[n['name']]:,}" for n in front["networks"]) + " |")
        cells = []
        for key in ("luts", "ffs", "dsps", "brams"):
            error = off(point[key], sizes[key]) if key in sizes else None
            cells.append("" if error is None else f"{sizes[key]:,} ({error:+.1f} %)")
        if "luts" in sizes:
            most_luts = max(most_luts, abs(off(point["luts"], sizes["luts"])))
        for network in front["networks"]:
            took = one["cycles"].get(network["name"])
            error = off(cycles[network["name"]], took) if took else None
            cells.append("" if error is None else f"{took:,} ({error:+.1f} %)")
            most_cycles = max(most_cycles, abs(error or 0.0))
        print("| | measured | " + " | ".join(cells) + " |")
    return most_cycles, most_luts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--points", type=int, default=3)
    parser.add_argument("--no-area", action="store_true", help="without synthesis")
    parser.add_argument("--no-design", action="store_true", help="without runs")
    parser.add_argument("--most-cycles", type=float, default=3.0, metavar="PERCENT")
    parser.add_argument("--most-luts", type=float, default=5.0, metavar="PERCENT")
    given = parser.parse_args()
    missing = [tool for tool in ("verilator", "iverilog", "yosys") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"verify.py: {', '.join(missing)}: not installed: want it (scripts/setup.sh)")
    front = json.loads((given.folder / "front.json").read_text())
    kept = given.folder / "verified.json"
    found = {one["name"]: one for one in json.loads(kept.read_text())} if kept.exists() else {}
    points = spread(front["front"], given.points)
    for point in points:
        if point["name"] not in found:
            print(f"{point['name']}: measuring", file=sys.stderr)
            found[point["name"]] = check(given, front, point)
            kept.write_text(json.dumps(list(found.values()), indent=1) + "\n")
    most_cycles, most_luts = table(front, points, found)
    errors = [f"{p['name']}: {e}" for p in points for e in found[p["name"]]["errors"]]
    for error in errors:
        print(error)
    good = not errors and most_cycles <= given.most_cycles and most_luts <= given.most_luts
    print(f"\nlargest error: cycles {most_cycles:.1f} %, LUT {most_luts:.1f} %"
          + ("" if good else ": failed"))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
