#!/usr/bin/env python3
"""Cycles of networks on systolic arrays, by the cycle model, and how much of the array they use:
convolutions and fully connected layers in a table, networks beside published figures.

Layers overlap. The cycles of one are those from the end of the layer before to its own end: what
it loads and computes before is free. So a layer may take fewer cycles than it has steps.

    utilisation.py MACRAME NETWORK.tflite ... [-- PARAMETERS]

Parameters are those of `macrame estimate`; the default is 16 x 16 with 2048 entries in each buffer.
Networks of the published shapes: scripts/networks/shapes.py.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PARAMETERS = ["--rows", "16", "--cols", "16", "--ibuf-entries", "2048", "--wbuf-entries", "2048",
              "--obuf-entries", "2048"]
# Use of a 16 x 16 array in percent: VTA's cycle-accurate simulator, its first convolution left to
# the host; SCALE-Sim, weight stationary, its own shapes of ResNet-18, memory not counted.
PUBLISHED = {"resnet18": {"VTA": 86, "SCALE-Sim": 73}, "resnet50": {"VTA": 71}}


def estimate(macrame, network, parameters):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "layers.json"
        subprocess.run([macrame, "estimate", network, "--family", "systolic", *parameters,
                        "--json", path], check=True, stdout=subprocess.DEVNULL)
        return json.loads(path.read_text())


def used(layers, macs_per_cycle):
    """Percent of the array while these run."""
    cycles = sum(layer["cycles"] for layer in layers)
    return 100 * sum(layer["macs"] for layer in layers) / macs_per_cycle / max(1, cycles)


def value(parameters, name):
    return int(parameters[parameters.index(name) + 1]) if name in parameters else 16


def show(path, found, macs_per_cycle):
    array = [layer for layer in found["layers"] if layer["macs"]]
    print(f"{path.stem}\n{'operator':>8} {'MAC':>12} {'cycles':>9} {'estimated':>9} "
          f"{'steps':>9} {'use %':>6}")
    for layer in array:
        print(f"{layer['operator']:8} {layer['macs']:12} {layer['cycles']:9} "
              f"{layer['estimated_cycles']:9} {layer['mac_cycles']:9} "
              f"{used([layer], macs_per_cycle):6.1f}")
    everything = {"macs": sum(layer["macs"] for layer in array), "cycles": found["total_cycles"]}
    published = "".join(f", {name} {percent} %"
                        for name, percent in PUBLISHED.get(path.stem, {}).items())
    print(f"layers of the array: {used(array, macs_per_cycle):.1f} %, without the first one "
          f"{used(array[1:], macs_per_cycle):.1f} %{published}")
    print(f"with all others: {everything['cycles']} cycles, "
          f"{used([everything], macs_per_cycle):.1f} %\n")


def main():
    own, parameters = sys.argv[1:], PARAMETERS
    if "--" in own:
        own, parameters = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("networks", type=Path, nargs="+")
    arguments = parser.parse_args(own)
    macs_per_cycle = value(parameters, "--rows") * value(parameters, "--cols")
    for path in arguments.networks:
        show(path, estimate(arguments.macrame, path, parameters), macs_per_cycle)


if __name__ == "__main__":
    main()
