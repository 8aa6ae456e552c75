#!/usr/bin/env python3
"""What stands between networks of today and each machine, in one table.

    today.py MACRAME FOLDER ... [--configurations nv_small nv_large 16x16 zcu104]
             [--both nv_small 16x16] [--most MILLIONS] [--sums]

FOLDER as for zoo.py. A line is a network on a configuration: the outputs of three runs on the
golden model against the reference, the share of the multiply-adds on the hardware, programs, and of
configurations in --both whether one input on the Verilated design writes every byte of the golden
model. Networks of more than --most million multiply-adds are estimated, and not run. Behind them,
for each configuration, how many networks run, how many are equal (TFLite) or equal or nearer than
40 dB, or off by 1e-6 at most (ONNX), and how many have 95 % of the multiply-adds on the hardware.
What is done so far goes to standard error. Status 1: a run failed, or design and model differ.
"""
import argparse
import math
import sys
from pathlib import Path

from zoo import NEAR, RUNS, call, measure, networks_of, one_of

ENOUGH = 0.95  # of the multiply-adds
TINY = 1e-6  # real values that are off by no more are near, as shares of next to nothing


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--configurations", nargs="+",
                        default=["nv_small", "nv_large", "16x16", "zcu104"])
    parser.add_argument("--both", nargs="*", default=["nv_small", "16x16"])
    parser.add_argument("--runs", type=int, default=3, help="of each network (%(default)s)")
    parser.add_argument("--sums", action="store_true",
                        help="of lines those alone whose outputs are neither equal nor near")
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--seconds", type=int, default=1800, help="for one run (%(default)s)")
    return parser.parse_args()


def near(network, outcome):
    """Whether the outputs are as the issue of its kind of file wants them."""
    if outcome.what == "exact":
        return True
    if outcome.what != "off" or one_of(network, "model.onnx") is None:
        return False
    return NEAR <= outcome.decibels < math.inf or outcome.largest <= TINY


def answer(outcome):
    if outcome.what not in RUNS:
        return f"{outcome.what}: {' '.join(outcome.text.split())[:200]}"
    if outcome.what == "off" and math.isfinite(outcome.decibels):
        return f"{outcome.decibels:.1f} dB" + (
            f", up to {outcome.largest:.2g}" if outcome.largest <= TINY else "")
    if outcome.what == "off":
        return f"up to {outcome.largest:.3g} in {100 * outcome.part:.2g} %"
    return {"exact": "equal", "runs": "is not run"}[outcome.what]


def agrees(network, configuration, arguments):
    """Nothing, or how the design and the golden model differ, with one input."""
    status, text = call([arguments.macrame, "run", one_of(network, "model.tflite", "model.onnx"),
                         "--preset", configuration, "--input",
                         one_of(network, "inputs.bin", "inputs.i8"), "--count", "1", "--both"],
                        arguments.seconds)
    return "" if status == 0 else "; ".join(text.splitlines()[-2:])[:200]


def main():
    arguments = options()
    networks = list(networks_of(arguments.folders))
    results, both = {}, {}
    print("| network | configuration | against the reference | multiply-adds on the hardware "
          "| programs | design and model |\n|---|---|---|--:|--:|---|", flush=True)
    for network in networks:
        for configuration in arguments.configurations:
            outcome = measure(arguments.macrame, network, configuration, arguments)
            results[network, configuration] = outcome
            told = ""
            if outcome.what in RUNS and configuration in arguments.both:
                problem = agrees(network, configuration, arguments)
                both[network, configuration] = not problem
                told = problem or "agree"
            share = "-" if outcome.share is None else f"{100 * outcome.share:.4g} %"
            line = f"| {network.name} | {configuration} | {answer(outcome)} | {share} " \
                   f"| {outcome.programs or '-'} | {told} |"
            if not arguments.sums or told not in ("", "agree") or \
                    outcome.what != "runs" and not near(network, outcome):
                print(line, flush=True)
            print(line, file=sys.stderr, flush=True)
    for configuration in arguments.configurations:
        all_ = [(network, results[network, configuration]) for network in networks]
        agree = [good for (_, where), good in both.items() if where == configuration]
        told = f"{sum(agree)} of {len(agree)} agree" if agree else ""
        print(f"| all | {configuration} | {sum(o.what in RUNS for _, o in all_)} of {len(all_)} "
              f"run, {sum(near(n, o) for n, o in all_)} equal or near "
              f"| {sum(o.share is None or o.share >= ENOUGH for _, o in all_)} have 95 % "
              f"| | {told} |")
    sys.exit(not networks or not all(both.values()) or
             any(o.what not in RUNS for o in results.values()))


if __name__ == "__main__":
    main()
