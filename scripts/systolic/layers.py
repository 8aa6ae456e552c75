#!/usr/bin/env python3
"""Whole layers of published networks on the Verilated design.

    layers.py MACRAME                          three layers each of ResNet-18 and -50, MobileNet v1
    layers.py MACRAME --networks               the whole networks
    layers.py MACRAME --quick                  one layer
    layers.py MACRAME --only resnet18 -- --rows 8    rows whose name says so; other parameters

Shapes and weights are those of scripts/networks/shapes.py, each layer is a network of its own.
Inputs are drawn at random. Design and golden model must agree in every byte that is written and
after every instruction, and the design's cycles must be those of the cycle model. Parameters are
those of `macrame run`; the default is 16 x 16 with 2048 entries in each buffer. Ends with
`N passed, N failed`.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "networks"))
from shapes import NETWORKS, alone  # noqa: E402
from utilisation import PARAMETERS, used, value  # noqa: E402

# In the order of the network, from 1: the first one, with few channels; large and small pictures;
# depthwise.
LAYERS = {"resnet18": (1, 2, 20), "resnet50": (4, 13, 51), "mobilenet_v1": (1, 2, 15)}
WHOLE = 10**9  # cycles: no layer is cut


def networks(whole):
    """Names and networks."""
    for name, numbers in LAYERS.items():
        net = NETWORKS[name]()
        if whole:
            yield name, net
            continue
        for number in numbers:
            layer = net.layers[number - 1]
            yield f"{name} {number} {layer.name()}", alone(layer, WHOLE)[0]


def run(macrame, net, parameters, options):
    """Cycles and layers, or None and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        network, inputs, report = (Path(folder) / name for name in ("a.tflite", "in.i8", "a.json"))
        network.write_bytes(net.bytes())
        size = 1
        for extent in net.x.shape if not net.layers else net.inputs[0].shape:
            size *= extent
        inputs.write_bytes(random.Random(1).randbytes(size))
        done = subprocess.run(
            [macrame, "run", network, "--family", "systolic", *parameters, "--input", inputs,
             "--both", "--json", report, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return None, done.stdout
        return json.loads(report.read_text()), ""


def main():
    own, parameters = sys.argv[1:], PARAMETERS
    if "--" in own:
        own, parameters = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("--networks", action="store_true", help="not their layers alone")
    parser.add_argument("--quick", action="store_true", help="one layer")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--latency", default="32", help="of the memory, cycles")
    arguments = parser.parse_args(own)
    macs_per_cycle = value(parameters, "--rows") * value(parameters, "--cols")
    rows = [(name, net) for name, net in networks(arguments.networks) if arguments.only in name]
    if arguments.quick:
        rows = rows[-1:]
    failed = 0
    print(f"{'layer':<48} {'MAC':>11} {'cycles':>9} {'use %':>6} {'estimate':>9}")
    for name, net in rows:
        report, problem = run(arguments.macrame, net, parameters,
                              ["--latency", arguments.latency, "--steps"])
        if report is None:
            failed += 1
            print(f"{name}: FAIL\n{problem}", flush=True)
            continue
        macs = sum(layer["macs"] for layer in report["layers"])
        whole = {"macs": macs, "cycles": report["total_cycles"]}
        print(f"{name:<48} {macs:11} {whole['cycles']:9} {used([whole], macs_per_cycle):6.1f} "
              f"{report['estimated_cycles']:9}", flush=True)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
