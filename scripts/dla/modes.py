#!/usr/bin/env python3
"""Measures what Winograd, batches and compressed weights bring on whole layers of the design.

  scripts/dla/modes.py                             all three tables
  scripts/dla/modes.py --only winograd             one of them

Cycles are those of whole layers, from the first enable of a unit to the interrupt, memory behind
it with a latency of 32 cycles. Beside them is the bound: products of the layer / multipliers, or
bytes / width of the memory port, whichever is more. Every layer runs on design and golden model,
which must agree in every written byte. Exit status 1 if one fails.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

MACS = {"int8": 2048, "int16": 1024, "fp16": 1024}  # of nv_full, per cycle
PORT = 64  # bytes per cycle, in each direction
WINOGRAD = 2.25  # multiply-accumulates of a 3x3 layer for each product

# 3x3 layers of ResNet: what it is called, and its shape in direct mode.
RESNET = ("56x56x64 k64", "28x28x128 k128", "14x14x256 k256", "7x7x512 k512")
# 16-bit data of the extended plane of the first do not fit CBUF: halves with 28 lines of output.
HALVES = ("56x29x64 k64 3x3 pad 1,1,1,0", "56x29x64 k64 3x3 pad 1,1,0,1")

# Layers whose weights take longer to fetch than to multiply with. A fully connected layer of
# several inputs is also a layer of as many columns; batches want outputs larger than 1 x 1.
BATCHED = ("2x2x512 k512 1x1 int8", "2x2x512 k512 1x1 fp16", "2x1x1024 k1024 1x1 int8",
           "2x1x1024 k1024 1x1 fp16")
INPUTS = (1, 4, 16, 32)
COMPRESSED = ("2x2x512 k512 1x1 int8", "2x2x512 k512 1x1 fp16", "1x1x1024 k1024 1x1 fp16",
              "7x7x512 k512 3x3 pad 1 fp16 winograd")
DENSITIES = (100, 75, 50, 25)


class Layers:
    """Runs layers and keeps what the simulator says of each."""

    def __init__(self, args):
        self.command = [args.macrame, "simulate", "--preset", "nv_full", "--both", "--strict"]
        if args.build_dir is not None:
            self.command += ["--build-dir", args.build_dir]
        self.rows = {}
        self.failed = 0

    def run(self, shapes):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "rows.csv"
            command = [*self.command, "--csv", table]
            for shape in shapes:
                command += ["--layer", shape]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)
            if done.returncode not in (0, 1) or not table.is_file():
                sys.exit(f"macrame: exit status {done.returncode}\n{done.stdout}")
            with open(table) as file:
                rows = {row["trace"]: row for row in csv.DictReader(file)}
            self.failed += sum(row["result"] != "ok" for row in rows.values())
            if done.returncode != 0:
                print(done.stdout)
            self.rows.update(rows)

    def cycles(self, shapes):
        return sum(int(self.rows[shape]["cycles"]) for shape in shapes)

    def bound(self, shapes):
        """Cycles, and what they are of."""
        products = read = written = 0.0
        for shape in shapes:
            row = self.rows[shape]
            kind = re.search("int8|int16|fp16", shape).group()
            share = WINOGRAD if "winograd" in shape else 1.0
            products += int(row["macs"]) / share / MACS[kind]
            read += int(row["read_bytes"]) / PORT
            written += int(row["write_bytes"]) / PORT
        return max((products, "MACs"), (read, "reads"), (written, "writes"))


def modes_of(name, kind):
    """Direct layers and Winograd layers that make the same output."""
    whole = f"{name} 3x3 pad 1 {kind}"
    halves = name == RESNET[0] and kind != "int8"
    parts = [f"{half} {kind}" for half in HALVES] if halves else [whole]
    return [whole], [f"{part} winograd" for part in parts]


def winograd(layers):
    print(f"\n{'Winograd, 3x3':18}{'':6}{'direct':>9}{'bound':>16}{'MACs':>7}{'Winograd':>11}"
          f"{'bound':>16}{'MACs':>8}{'ratio':>7}{'of bounds':>11}")
    for name in RESNET:
        for kind in MACS:
            direct, fast = modes_of(name, kind)
            layers.run(direct + fast)
            size = [int(word) for word in re.findall(r"\d+", name)]
            macs = 9 * size[0] * size[1] * size[2] * size[3] / MACS[kind]
            line, found = f"{name:18}{kind:6}", []
            for shapes, width in ((direct, 9), (fast, 11)):
                cycles, (least, what) = layers.cycles(shapes), layers.bound(shapes)
                found.append((cycles, least))
                line += (f"{cycles:>{width},}{least:>10,.0f} {what:5}"
                         f"{100 * macs / cycles:>{width - 3}.1f}%")
            (slow, slow_least), (quick, quick_least) = found
            print(f"{line}{slow / quick:>7.2f}{slow_least / quick_least:>11.2f}", flush=True)


def batches(layers):
    print(f"\n{'batches: cycles per input (bound)':34}" +
          "".join(f"{str(inputs) + ' inputs':>18}" for inputs in INPUTS) + f"{'1 / 32':>8}")

    def line(name, shape_of):
        shapes = [shape_of(inputs) for inputs in INPUTS]
        layers.run(shapes)
        each = [layers.cycles([shape]) / inputs for shape, inputs in zip(shapes, INPUTS)]
        least = [layers.bound([shape])[0] / inputs for shape, inputs in zip(shapes, INPUTS)]
        cells = "".join(f"{f'{a:,.0f} ({b:,.0f})':>18}" for a, b in zip(each, least))
        print(f"{name:34}{cells}{each[0] / each[-1]:>8.1f}", flush=True)

    for shape in BATCHED:
        line(shape, lambda inputs, shape=shape: f"{shape} batch {inputs}")
    line("1024 k1024 fp16, inputs as columns", lambda inputs: f"{inputs}x1x1024 k1024 1x1 fp16")


def compression(layers):
    print(f"\n{'compressed: cycles (bound)':40}{'not compressed':>20}" +
          "".join(f"{str(density) + ' %':>20}" for density in DENSITIES))
    for shape in COMPRESSED:
        shapes = [shape] + [f"{shape} density {density}" for density in DENSITIES]
        layers.run(shapes)
        cells = ""
        for one in shapes:
            cell = f"{layers.cycles([one]):,} ({layers.bound([one])[0]:,.0f})"
            cells += f"{cell:>20}"
        print(f"{shape:40}{cells}", flush=True)


TABLES = {"winograd": winograd, "batches": batches, "compression": compression}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        help="where the simulator is built (default: as macrame simulate)")
    parser.add_argument("--only", action="append", choices=TABLES,
                        help="this table; may be given more than once")
    args = parser.parse_args()
    args.macrame = args.macrame.resolve()
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    layers = Layers(args)
    for name in args.only or TABLES:
        TABLES[name](layers)
    print(f"\n{len(layers.rows)} layers, {layers.failed} failed")
    return 1 if layers.failed else 0


if __name__ == "__main__":
    sys.exit(main())
