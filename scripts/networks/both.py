#!/usr/bin/env python3
"""Runs whole networks on the design and on the golden model, which must agree in every byte.

    both.py MACRAME FOLDER ... [--networks 25] [--configurations nv_small 16x16] [--share 50]

FOLDER as for zoo.py. On each configuration those networks run, one input each, that take the fewest
cycles by its estimate, of those of which the hardware does the larger part (none without
multiply-adds); the same file runs once. Prints a table (Markdown); what is done so far goes to
standard error. Status 1: they differ somewhere, a run failed, or fewer networks ran than wanted.
"""
import argparse
import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path

from zoo import call, networks_of, one_of

MODELS = ("model.tflite", "model.onnx")
INPUTS = ("inputs.bin", "inputs.i8")


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--configurations", nargs="+", default=["nv_small", "16x16"])
    parser.add_argument("--networks", type=int, default=25, help="%(default)s")
    parser.add_argument("--share", type=float, default=50,
                        help="of the multiply-adds on the hardware, at least (%(default)s %%)")
    parser.add_argument("--seconds", type=int, default=1800, help="for one run (%(default)s)")
    return parser.parse_args()


def of_different_files(networks):
    seen = set()
    for network in networks:
        content = hashlib.sha256(one_of(network, *MODELS).read_bytes()).digest()
        if content not in seen:
            seen.add(content)
            yield network


def estimate_of(macrame, network, configuration, seconds):
    """Cycles, and of the multiply-adds the share on the hardware in percent; none: refused."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        status, _ = call([macrame, "estimate", one_of(network, *MODELS),
                          "--preset", configuration, "--json", report], seconds)
        if status:
            return None
        told = json.loads(report.read_text())
        work = told["work"]
        return (told["total_cycles"],
                100 * work["hardware_multiply_adds"] / max(work["multiply_adds"], 1))


def main():
    arguments = options()
    networks = list(of_different_files(one for one in networks_of(arguments.folders)
                                       if one_of(one, *INPUTS)))
    failures = 0
    print("| configuration | network | cycles, estimated | of the multiply-adds on the hardware | "
          "design and model |\n|---|---|--:|--:|---|")
    for configuration in arguments.configurations:
        estimates = [(estimate_of(arguments.macrame, one, configuration, arguments.seconds), one)
                     for one in networks]
        chosen = sorted((pair for pair in estimates if pair[0] and arguments.share <= pair[0][1]),
                        key=lambda pair: (pair[0][0], pair[1].name))[:arguments.networks]
        if len(chosen) < arguments.networks:
            print(f"both.py: {configuration}: {len(chosen)} networks with inputs of which it does "
                  f"{arguments.share:g} %: want {arguments.networks}", file=sys.stderr)
            failures += 1
        agree = 0
        for (cycles, share), network in chosen:
            begin = time.monotonic()
            status, text = call([
                arguments.macrame, "run", one_of(network, *MODELS),
                "--preset", configuration, "--input", one_of(network, *INPUTS),
                "--count", "1", "--both"], arguments.seconds)
            agree += status == 0
            told = "agree" if status == 0 else "; ".join(text.splitlines()[-2:])[:200]
            print(f"| {configuration} | {network.name} | {cycles:,} | {share:.4g} % | {told} |",
                  flush=True)
            print(f"{configuration}: {network.name}: {told}, {time.monotonic() - begin:.0f} s",
                  file=sys.stderr, flush=True)
        print(f"| {configuration} | agree | | | {agree} of {len(chosen)} |", flush=True)
        failures += len(chosen) - agree
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
