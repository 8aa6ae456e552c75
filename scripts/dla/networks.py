#!/usr/bin/env python3
"""Networks on generated designs: outputs, bytes of memory, cycles.

  scripts/dla/networks.py MODELS                     everything; MODELS: default $MACRAME_MODELS
  scripts/dla/networks.py MODELS --quick             what ctest runs
  scripts/dla/networks.py MODELS --only nv_large --layers

MODELS holds a folder per network with model.tflite, inputs.i8 and outputs_ref.i8. Each network runs
on presets and on the configurations of networks.txt: all inputs on the golden model, against the
reference outputs; one input on golden model and Verilated design, every byte that they write must
agree. A network fails if the top-1 answer of an input changes, if more than a few output bytes
differ or one by much, if design and golden model do not agree, or if the estimate of its cycles is
off by more than 3 % for the network or 10 % for an operator. Ends with `N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PRESETS = ("nv_small", "nv_small_256", "nv_small_256_full", "nv_large")
# Thousand cycles that the hardware needs where dependent layers do not overlap.
GOALS = {
    "kws_dscnn": {"nv_small": 89, "nv_small_256": 88, "nv_large": 17},
    "ic_resnet8": {"nv_small": 252, "nv_small_256": 137, "nv_large": 36},
    "vww_mobilenet": {"nv_small": 296, "nv_small_256": 270, "nv_large": 79},
    "mnist_valid_q": {"nv_small": 2.9, "nv_small_256": 2.9, "nv_large": 1.4},
    "mnist_resnet_q": {"nv_small": 15, "nv_small_256": 11, "nv_large": 3.2},
}
OFF_NETWORK, OFF_OPERATOR = 0.03, 0.10
# What outputs may differ by where no mapping makes a layer exact: share of the bytes, and each;
# networks that are not named by the last line. With EW, --exact makes all equal.
MOST = {"kws_dscnn": (0.001, 1), "vww_mobilenet": (0, 0), "mnist_valid_q": (0, 0),
        "mnist_resnet_q": (0.002, 8)}
MOST_OTHERS = (0.2, 16)
WITH_EW = ("nv_small_256_full", "nv_large", "two_banks", "square", "v1_types")
QUICK = (("nv_small", "mnist_valid_q"), ("nv_small", "mnist_resnet_q"), ("nv_small", "kws_dscnn"))


def configurations():
    """Names and arguments."""
    out = [(preset, ["--preset", preset]) for preset in PRESETS]
    for line in (HERE / "networks.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, *arguments = line.split()
            out.append((name, arguments))
    return out


def ratio(measured, estimated):
    return estimated / measured - 1 if measured else 0.0


class Failure(Exception):
    pass


class Network:
    """A network on a configuration."""

    def __init__(self, macrame, folder, arguments):
        self.macrame = macrame
        self.folder = folder
        self.arguments = arguments

    def run(self, *options):
        command = [self.macrame, "run", self.folder / "model.tflite", *self.arguments,
                   "--input", self.folder / "inputs.i8", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise Failure(done.stdout.strip())

    def outputs(self, *options):
        """Differences from the reference, all bytes, inputs whose top-1 answer changes."""
        wanted = (self.folder / "outputs_ref.i8").read_bytes()
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "outputs"
            self.run("--output", path, *options)
            found = path.read_bytes()
        if len(found) != len(wanted):
            raise Failure(f"{len(found)} bytes of output: want {len(wanted)}")
        one = len(wanted) // len((self.folder / "labels.txt").read_text().splitlines())

        found, wanted = ([byte - 256 if byte > 127 else byte for byte in data]
                         for data in (found, wanted))

        def answers(data):
            parts = [data[i:i + one] for i in range(0, len(data), one)]
            return [part.index(max(part)) for part in parts]
        changed = sum(a != b for a, b in zip(answers(found), answers(wanted)))
        return [abs(a - b) for a, b in zip(found, wanted) if a != b], len(wanted), changed

    def cycles(self):
        """What design and estimate say of the first input."""
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "cycles.json"
            self.run("--count", "1", "--both", "--json", path)
            return json.loads(path.read_text())


def operators(report):
    """Per operator: a name, runs, cycles, estimate, bound."""
    rows = {}
    for layer in report["layers"]:
        row = rows.setdefault(layer["operator"], [layer["name"], 0, 0, 0, 0])
        row[1] += 1
        row[2] += layer["cycles"]
        row[3] += layer["estimated_cycles"]
        row[4] += max(layer["mac_cycles"], layer["post_cycles"], layer["memory_cycles"])
    return list(rows.values())


def check(name, network, args):
    """Runs it and prints a row. What is wrong, a line each."""
    wrong = []
    bytes_text = cycles_text = ""
    try:
        differ, total, changed = network.outputs()
        most = max(differ, default=0)
        bytes_text = f"{len(differ):6}/{total:<5} {most:>2}"
        if changed:
            wrong.append(f"top-1 answer of {changed} inputs changed")
        share, largest = MOST.get(network.folder.name, MOST_OTHERS)
        if len(differ) > share * total or most > largest:
            wrong.append(f"{len(differ)} of {total} output bytes differ, by up to {most}")
        if name in WITH_EW and not args.quick and network.outputs("--exact")[0]:
            wrong.append("output bytes differ with --exact")
        if args.rtl:
            report = network.cycles()
            rows = operators(report)
            cycles, estimate = report["total_cycles"], report["estimated_cycles"]
            bound = sum(row[4] for row in rows)
            goal = GOALS.get(network.folder.name, {}).get(name)
            cycles_text = (f"{cycles:>9} {estimate:>9} {100 * ratio(cycles, estimate):+6.1f} % "
                           f"{bound:>9} {goal or '-':>7}")
            if abs(ratio(cycles, estimate)) > OFF_NETWORK:
                wrong.append(f"the estimate is {100 * ratio(cycles, estimate):+.1f} % off")
            wrong += [f"{row[0]}: {row[2]} cycles, estimated {row[3]} "
                      f"({100 * ratio(row[2], row[3]):+.1f} %)"
                      for row in rows if abs(ratio(row[2], row[3])) > OFF_OPERATOR]
    except Failure as failure:
        wrong.append(str(failure))
        rows = []
    print(f"{name:<18} {network.folder.name:<15} {bytes_text:>15} {cycles_text}"
          f"{'  FAIL' if wrong else ''}", flush=True)
    for line in wrong:
        print(f"    {line}", flush=True)
    if args.layers and args.rtl:
        for row in rows:
            print(f"    {row[0][:44]:<44} {row[1]:>4} {row[2]:>9} {row[3]:>9} "
                  f"{100 * ratio(row[2], row[3]):+6.1f} % {row[4]:>9}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="?", default=os.environ.get("MACRAME_MODELS"),
                        type=pathlib.Path)
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="a few seconds behind the build")
    parser.add_argument("--only", default="", help="configurations of that name")
    parser.add_argument("--network", default="", help="networks of that name")
    parser.add_argument("--layers", action="store_true", help="a line per operator, too")
    parser.add_argument("--model", dest="rtl", action="store_false", help="golden model alone")
    args = parser.parse_args()
    if args.models is None or not args.models.is_dir():
        print("networks: SKIPPED, " + (f"{args.models} is not a folder" if args.models else
                                       "no folder is named and MACRAME_MODELS is not set"))
        return 77
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    folders = sorted(path.parent for path in args.models.glob("*/model.tflite"))
    print(f"{'configuration':<18} {'network':<15} {'differ, by':>15} {'cycles':>9} {'estimate':>9} "
          f"{'':>8} {'bound':>9} {'goal, k':>7}")
    passed = failed = 0
    for name, arguments in configurations():
        for folder in folders:
            if (args.only not in ("", name) or args.network not in ("", folder.name)
                    or args.quick and (name, folder.name) not in QUICK):
                continue
            if check(name, Network(args.macrame.resolve(), folder, arguments), args):
                failed += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
