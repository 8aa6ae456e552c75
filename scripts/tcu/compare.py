#!/usr/bin/env python3
"""The networks that Tensil published programs of, compiled by us, beside these programs.

  scripts/tcu/compare.py --macrame build/macrame --conformance FOLDER

For each of the networks that scripts/tcu/networks.py writes: cycles of each layer on the Verilated
design and estimated, products, use of the array, bound; whether the answers to all inputs are those
of Tensil's program; and the cycles of both programs on our design beside those on the original
hardware. The golden model runs, too, and must write the same bytes.
"""
import argparse
import array
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import networks
from networks import environment

# Network, preset, lanes, read latency, cycles of Tensil's program on the original hardware,
# classes, folder of the program.
CASES = (
    ("resnet20", "zcu104", 32, 20, 751060, 10, networks.RESNET),
    ("speech", "speech_robot", 8, 10, 1334610, 12, networks.SPEECH),
)


def execute(command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")


def classes(values, size, stride):
    rows = [list(values[i:i + size]) for i in range(0, len(values), stride)]
    return [row.index(max(row)) for row in rows]


def theirs(macrame, folder, preset, latency, table):
    """Cycles of Tensil's program on our design."""
    execute([macrame, "simulate", "--preset", preset, "--conformance", folder, "--latency",
             latency, "--quiet", "--csv", table])
    return max(int(row["total_cycles"]) for row in csv.DictReader(open(table)))


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def layers(report, per_cycle):
    print(f"{'layer':20}{'products':>10}{'array':>9}{'SIMD':>9}{'memory':>9}{'estimate':>10}"
          f"{'cycles':>9}{'off':>9}{'use':>9}  bound")
    for layer in report["layers"]:
        cycles, estimate = layer["cycles"], layer["estimated_cycles"]
        off = f"{100 * (estimate / cycles - 1):+.1f} %" if cycles else "-"
        print(f"{layer['name'][:19]:20}{layer['macs']:>10}{layer['mac_cycles']:>9}"
              f"{layer['post_cycles']:>9}{layer['memory_cycles']:>9}{estimate:>10}{cycles:>9}"
              f"{off:>9}{percent(layer['macs'], per_cycle * cycles):>9}  {layer['limiter']}")


def case(macrame, conformance, out, name, preset, lanes, latency, original, size, program):
    """Prints the tables of a network; whether it is as it should be."""
    folder = conformance / program
    result, report = out / f"{name}.outputs", out / f"{name}.json"
    inputs = sorted(out.glob(f"{name}.*.bin"))
    execute([macrame, "run", out / f"{name}.onnx", "--preset", preset, "--both", "--latency",
             latency, "--input", *inputs, "--output", result, "--json", report])
    made = json.loads(report.read_text())
    ours, total = made["total_cycles"], sum(layer["macs"] for layer in made["layers"])
    # Some presets take two vectors per cycle.
    vectors = 2 if preset == "speech_robot" else 1
    print(f"{name}, {preset}, read latency {latency}")
    layers(made, lanes * lanes * vectors)
    compiled = theirs(macrame, folder, preset, latency, out / "table.csv")
    print(f"\n{'':34}{'cycles':>10}{'use of the array':>20}")
    for title, cycles, by in (("Tensil's program, their hardware", original, 1),
                              ("Tensil's program, our hardware", compiled, vectors),
                              ("our program, our hardware", ours, vectors)):
        print(f"{title:34}{cycles:>10}{percent(total, cycles * lanes * lanes * by):>20}")
    got, want = array.array("f", result.read_bytes()), array.array("h")
    want.frombytes((folder / "outputs.bin").read_bytes())
    mine = classes(got, size, size)
    other = classes(want, size, -(-size // lanes) * lanes)
    same = sum(a == b for a, b in zip(mine, other))
    print(f"classes of Tensil's program: {same} of {len(other)} inputs\n")
    return ours < compiled


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--conformance", default=os.environ.get("MACRAME_TENSIL"),
                        type=pathlib.Path, help="default: $MACRAME_TENSIL")
    arguments = parser.parse_args()
    if arguments.conformance is None:
        sys.exit("--conformance: want the folder with Tensil's networks")
    environment.enter("ONNX")
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name)
        networks.write(out, arguments.conformance)
        good = [case(arguments.macrame.resolve(), arguments.conformance, out, *one)
                for one in CASES]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
