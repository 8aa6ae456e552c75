#!/usr/bin/env python3
"""Estimated cycles beside those of the design, at several latencies of memory, as a table.

    memories.py MACRAME MODELS [--networks N ...] [--configurations C ...] [--latencies L ...]

MODELS has a folder per network with model.tflite and inputs.i8. A configuration is a preset or a
TOML file. Each network runs once on the Verilated design and on the golden model, which must agree
in every byte; beside that stands what `macrame estimate` says. An operator is named where that is
off by more than 10 % and by more than --least cycles.
Status 1: a run failed, or nothing ran, or a network is off by more than 3 %.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_NETWORK, MOST_OPERATOR = 3.0, 10.0


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("models", type=Path)
    parser.add_argument("--networks", nargs="+", default=["kws_dscnn", "ic_resnet8"])
    parser.add_argument("--configurations", nargs="+", default=["nv_small", "16x16"])
    parser.add_argument("--latencies", nargs="+", type=int, default=[1, 32, 200])
    parser.add_argument("--least", type=int, default=200, help="cycles (%(default)s)")
    return parser.parse_args()


def call(given, command, network, configuration, latency, *more):
    """What a command of macrame writes as JSON; a text: it failed."""
    option = "--config" if configuration.endswith(".toml") else "--preset"
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "cycles.json"
        done = subprocess.run([given.macrame, command, given.models / network / "model.tflite",
                               option, configuration, "--latency", str(latency), "--json", report,
                               *more],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return done.stdout.strip().splitlines()[-1]
        return json.loads(report.read_text())


def measure(given, network, *where):
    """Of the design and of the estimate; a text: one failed."""
    inputs = ["--input", given.models / network / "inputs.i8", "--count", "1", "--both"]
    design = call(given, "run", network, *where, *inputs)
    estimate = call(given, "estimate", network, *where)
    failed = [one for one in (design, estimate) if isinstance(one, str)]
    return failed[0] if failed else (design, estimate)


def off(estimated, measured):
    """Percent."""
    return 100 * (estimated / measured - 1) if measured else 0.0


def operators(design, estimate, least):
    """Those whose estimate is far off: "9 conv 1x1 -12 %"."""
    sums = {}
    for took, said in zip(design["layers"], estimate["layers"]):
        one = sums.setdefault(took["operator"], [took["name"].split("/")[-1][:24], 0, 0])
        one[1] += said["cycles"]
        one[2] += took["cycles"]
    return ", ".join(f"{number} {name} {off(estimated, cycles):+.0f} %"
                     for number, (name, estimated, cycles) in sorted(sums.items())
                     if abs(off(estimated, cycles)) > MOST_OPERATOR
                     and abs(estimated - cycles) > least)


def main():
    given = options()
    failed = ran = 0
    print("| configuration | network | latency | cycles | estimated | | operators more than "
          f"{MOST_OPERATOR:.0f} % off |")
    print("|---|---|--:|--:|--:|--:|---|")
    for configuration in given.configurations:
        for network in given.networks:
            for latency in given.latencies:
                report = measure(given, network, configuration, latency)
                name = f"| {Path(configuration).stem} | {network} | {latency} "
                if isinstance(report, str):
                    print(f"{name}| failed | | | {report} |", flush=True)
                    failed += 1
                    continue
                ran += 1
                took, said = (one["total_cycles"] for one in report)
                failed += abs(off(said, took)) > MOST_NETWORK
                print(f"{name}| {took:,} | {said:,} | {off(said, took):+.1f} % "
                      f"| {operators(*report, given.least)} |", flush=True)
    if not ran:
        print("memories.py: nothing ran: want networks and configurations", file=sys.stderr)
    sys.exit(failed != 0 or not ran)


if __name__ == "__main__":
    main()
