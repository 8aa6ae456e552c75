#!/usr/bin/env python3
"""Runs whole networks on the design and on the golden model, which must agree in every byte.

    both.py MACRAME FOLDER ... [--networks 25] [--configurations nv_small 16x16]

FOLDER as for zoo.py. On each configuration those networks run, one input each, that take the fewest
cycles by its estimate. Prints a table (Markdown); what is done so far goes to standard error.
Status 1: they differ somewhere, a run failed, or nothing ran.
"""
import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from zoo import call, networks_of, one_of


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--configurations", nargs="+", default=["nv_small", "16x16"])
    parser.add_argument("--networks", type=int, default=25, help="%(default)s")
    parser.add_argument("--seconds", type=int, default=1800, help="for one run (%(default)s)")
    return parser.parse_args()


def cycles_of(macrame, network, configuration, seconds):
    """By the estimate; none: refused."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        status, _ = call([macrame, "estimate", one_of(network, "model.tflite", "model.onnx"),
                          "--preset", configuration, "--json", report], seconds)
        return None if status else json.loads(report.read_text())["total_cycles"]


def main():
    arguments = options()
    networks = [one for one in networks_of(arguments.folders) if one_of(one, "inputs.bin",
                                                                       "inputs.i8")]
    failures = 0
    print("| configuration | network | cycles, estimated | design and model |\n|---|---|--:|---|")
    for configuration in arguments.configurations:
        known = [(cycles_of(arguments.macrame, one, configuration, arguments.seconds), one)
                 for one in networks]
        chosen = sorted((pair for pair in known if pair[0] is not None),
                        key=lambda pair: (pair[0], pair[1].name))[:arguments.networks]
        if not chosen:
            print(f"both.py: {configuration}: no network with inputs that it takes: want one",
                  file=sys.stderr)
            failures += 1
        agree = 0
        for cycles, network in chosen:
            begin = time.monotonic()
            status, text = call([
                arguments.macrame, "run", one_of(network, "model.tflite", "model.onnx"),
                "--preset", configuration, "--input", one_of(network, "inputs.bin", "inputs.i8"),
                "--count", "1", "--both"], arguments.seconds)
            agree += status == 0
            told = "agree" if status == 0 else "; ".join(text.splitlines()[-2:])[:200]
            print(f"| {configuration} | {network.name} | {cycles:,} | {told} |", flush=True)
            print(f"{configuration}: {network.name}: {told}, {time.monotonic() - begin:.0f} s",
                  file=sys.stderr, flush=True)
        print(f"| {configuration} | agree | | {agree} of {len(chosen)} |", flush=True)
        failures += len(chosen) - agree
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
