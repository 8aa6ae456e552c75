#!/usr/bin/env python3
"""Compile time, estimated cycles and speed of the golden model on the networks of shapes.py.

    measure.py MACRAME FOLDER [--presets P ...] [--networks N ...] [--graph-run PROGRAM]
    measure.py MACRAME FOLDER [--presets P ...] [--networks N ...] --layers

The networks are made in the folder if they are not there. Expected cycles are those of a model that
lets no layers overlap and gives the array and SDP full speed; compile time includes one run of the
golden model, for the CRCs of the trace. With --graph-run, outputs are compared with those of the
reference executor. With --layers, the dearest layers run on the design and on the golden model, and
their cycles are compared with the estimate.
"""
import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from shapes import LAYER_CYCLES, NETWORKS, write_networks

EXPECTED = {  # thousand cycles
    "mobilenet_v1": {"nv_small": 11670, "nv_small_256": 6240, "nv_large": 980},
    "mobilenet_v2": {"nv_small": 9530, "nv_small_256": 7700, "nv_large": 1170},
    "resnet18": {},
    "resnet50": {"nv_small": 71700, "nv_small_256": 27300, "nv_large": 2910},
}


def seconds(command):
    """Of one core."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reference(graph_run, network, inputs, folder):
    """The last tensor."""
    subprocess.run([graph_run, network, inputs, folder], check=True)
    last = (folder / "index.txt").read_text().splitlines()[-1].split()[0]
    return np.fromfile(folder / last, np.int8)


def measure(arguments, name, preset, folder):
    network = arguments.folder / f"{name}.tflite"
    macrame = [arguments.macrame]
    common = [network, "--preset", preset]
    compile_time = seconds(macrame + ["compile", *common, "--trace", "--out", folder / "compiled"])
    seconds(macrame + ["estimate", *common, "--json", folder / "estimate.json"])
    layers = json.loads((folder / "estimate.json").read_text())
    inputs = folder / "inputs.i8"
    pictures = np.random.default_rng(1).integers(-128, 128, (3, 224 * 224 * 3), np.int8)
    pictures.tofile(inputs)
    run = macrame + ["run", *common, "--input", inputs, "--output", folder / "outputs.i8"]
    once = seconds(run + ["--count", "1"])
    run_time = (seconds(run + ["--count", "3"]) - once) / 2
    macs = sum(layer["macs"] for layer in layers["layers"])
    cycles, expected = layers["total_cycles"] / 1000, EXPECTED[name].get(preset)
    text = f"{name:13} {preset:13} {compile_time:9.1f} {cycles:11.0f} {expected or '-':>9} " \
           f"{f'{cycles / expected:.3f}' if expected else '-':>6} {run_time:7.2f} " \
           f"{macs / run_time / 1e6:8.0f}"
    if arguments.graph_run:
        want = reference(arguments.graph_run, network, inputs, folder / "reference")
        got = np.fromfile(folder / "outputs.i8", np.int8)
        differ = np.abs(got.astype(int) - want)
        text += f" {100 * (differ > 0).mean():8.2f} {differ.max():5}"
    return text


def measure_layer(arguments, path, preset, folder):
    inputs, report = folder / "inputs.i8", folder / "cycles.json"
    height, width, channels = (int(n) for n in path.stem.split("_")[-2].split("x"))
    rng = np.random.default_rng(1)
    rng.integers(-128, 128, height * width * channels, np.int8).tofile(inputs)
    run = [arguments.macrame, "run", path, "--preset", preset, "--both", "--input", inputs,
           "--json", report]
    done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return f"{path.stem:56} {preset:13} FAILED\n{done.stdout}"
    cycles = json.loads(report.read_text())
    measured, estimated = cycles["total_cycles"], cycles["estimated_cycles"]
    bound = sum(max(layer[f"{part}_cycles"] for part in ("mac", "post", "memory"))
                for layer in cycles["layers"])
    return f"{path.stem:56} {preset:13} {measured:9} {estimated:9} " \
           f"{100 * (estimated / measured - 1):+6.1f} {bound:9}"


def measure_layers(arguments):
    """The design and the golden model write the same bytes, or the line says FAILED."""
    write_networks(arguments.folder, LAYER_CYCLES)
    print(f"{'layer':56} {'preset':13} {'cycles':>9} {'estimated':>9} {'%':>6} {'bound':>9}")
    failed = 0
    for preset in arguments.presets:
        for name in arguments.networks:
            for path in sorted(arguments.folder.glob(f"{name}_[0-9]_*.tflite")):
                with tempfile.TemporaryDirectory() as folder:
                    text = measure_layer(arguments, path, preset, Path(folder))
                failed += "FAILED" in text
                print(text, flush=True)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("folder", type=Path)
    parser.add_argument("--presets", nargs="+", default=["nv_small", "nv_small_256", "nv_large"])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--graph-run", type=Path)
    parser.add_argument("--layers", action="store_true")
    arguments = parser.parse_args()
    if arguments.layers:
        sys.exit(measure_layers(arguments))
    if not all((arguments.folder / f"{name}.tflite").exists() for name in arguments.networks):
        write_networks(arguments.folder)
    compared = f" {'% differ':>8} {'most':>5}" if arguments.graph_run else ""
    print(f"{'network':13} {'preset':13} {'compile s':>9} {'k cycles':>11} {'expected':>9} "
          f"{'ratio':>6} {'run s':>7} {'M MAC/s':>8}{compared}")
    for name in arguments.networks:
        for preset in arguments.presets:
            with tempfile.TemporaryDirectory() as folder:
                print(measure(arguments, name, preset, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
