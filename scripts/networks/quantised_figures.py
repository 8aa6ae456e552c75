#!/usr/bin/env python3
"""What `macrame quantise` keeps of networks, as a Markdown table: calibrated with 24 inputs,
compared with the float network on 200 others. Needs numpy, pillow 10.1 or newer and onnx.

    quantised_figures.py TODAY [--macrame PROGRAM] [--only NAME,...]

TODAY is a folder with make_inputs.py, voice/float.onnx and ocr_direction/float.onnx; `digits` and
`textures` are drawn and trained here. A line is a network with other seeds of its inputs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("today", type=Path)
    parser.add_argument("--macrame", type=Path, default="build/macrame")
    parser.add_argument("--only", default="direction,voice,digits,textures")
    return parser.parse_args()


ARGUMENTS = options()  # in front of what may be missing: help is everywhere
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # sums always in the same order

import numpy as np
import onnx
from onnx import helper, numpy_helper

from draw_digits import dataset
from training import Adam, Conv, Dense, Depthwise, softmax

CALIBRATION, CHECK, BATCH = 24, 200, 50


class Trained:
    """Convolutions, the mean of each channel, a dense layer."""

    def __init__(self, rng, layers, channels, classes):
        self.convolutions = layers
        self.dense = Dense(rng, channels, classes)
        self.layers = [*layers, self.dense]

    def forward(self, x):
        for layer in self.convolutions:
            x = layer.forward(x)
        self.shape = x.shape
        return self.dense.forward(x.mean(axis=(1, 2)))

    def backward(self, dy):
        _, height, width, _ = self.shape
        dy = self.dense.backward(dy)
        dy = np.broadcast_to(dy[:, None, None] / (height * width), self.shape)
        for layer in reversed(self.convolutions):
            dy = layer.backward(dy)

    def train(self, rng, pictures, classes, epochs):
        optimiser = Adam(self.layers, 0.004)
        count = epochs * len(classes) // BATCH
        step = 0
        for _ in range(epochs):
            order = rng.permutation(len(classes))
            for i in range(0, len(order), BATCH):
                batch = order[i:i + BATCH]
                p = softmax(self.forward(pictures[batch]))
                p[np.arange(len(batch)), classes[batch]] -= 1
                self.backward(p / len(batch))
                optimiser.update(0.5 + 0.5 * np.cos(np.pi * step / count))
                step += 1

    def onnx(self, size, channels):
        """The file, as exporters write it: channels first, batch of one."""
        nodes, constants = [], []

        def constant(name, array):
            constants.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
            return name

        at = "picture"
        for i, layer in enumerate(self.convolutions):
            depthwise = isinstance(layer, Depthwise)
            weights = layer.weights.transpose(3, 0, 1, 2) if depthwise \
                else layer.weights.transpose(0, 3, 1, 2)
            rows, columns = layer.taps.rows, layer.taps.columns
            nodes.append(helper.make_node(
                "Conv", [at, constant(f"weights{i}", weights), constant(f"bias{i}", layer.bias)],
                [f"sum{i}"], f"conv{i}", kernel_shape=list(weights.shape[2:]),
                strides=[layer.taps.stride] * 2, group=len(layer.bias) if depthwise else 1,
                pads=[rows[0], columns[0], rows[1], columns[1]]))
            nodes.append(helper.make_node("Relu", [f"sum{i}"], [f"act{i}"], f"relu{i}"))
            at = f"act{i}"
        nodes += [helper.make_node("GlobalAveragePool", [at], ["mean"], "mean"),
                  helper.make_node("Flatten", ["mean"], ["vector"], "flatten"),
                  helper.make_node("Gemm", ["vector", constant("dense", self.dense.weights),
                                            constant("offset", self.dense.bias)],
                                   ["scores"], "dense", transB=1)]
        graph = helper.make_graph(
            nodes, "net",
            [helper.make_tensor_value_info("picture", 1, [1, channels, size, size])],
            [helper.make_tensor_value_info("scores", 1, [1, len(self.dense.bias)])], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def digits(seed, count):
    pictures, classes = dataset(seed, count)
    return pictures.astype(np.float32) / 255, classes


TEXTURES = 8


def textures(seed, count):
    """Stripes in four directions, checks, rings, dots and noise, of any size, phase and colour."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, TEXTURES, count)
    y, x = np.mgrid[0:32, 0:32].astype(np.float32)
    out = np.empty((count, 32, 32, 3), np.float32)
    for n, one in enumerate(classes):
        f, a, b = rng.uniform(0.7, 1.6), rng.uniform(0, 6), rng.uniform(0, 6)
        waves = [np.sin(f * x + a), np.sin(f * y + a), np.sin(f * (x + y) * 0.7 + a),
                 np.sin(f * (x - y) * 0.7 + a), np.sign(np.sin(f * x + a) * np.sin(f * y + b)),
                 np.sin(f * np.hypot(x - 16 - a, y - 16 - b)),
                 2.0 * (np.sin(f * x + a) * np.sin(f * y + b) > 0.6) - 1,
                 rng.normal(0, 1, (32, 32))]
        ink, paper = rng.uniform(0, 1, 3), rng.uniform(0, 1, 3)
        part = np.clip(waves[one] * 0.5 + 0.5, 0, 1)[..., None]
        out[n] = part * ink + (1 - part) * paper + rng.normal(0, 0.03, (32, 32, 3))
    return out.astype(np.float32), classes


def digits_network():
    rng = np.random.default_rng(1)
    made = Trained(rng, [Conv(rng, 1, 8, stride=2, same=False), Depthwise(rng, 8),
                         Conv(rng, 8, 16, kernel=1), Conv(rng, 16, 24, stride=2),
                         Conv(rng, 24, 32, stride=2)], 32, 10)
    made.train(rng, *digits(1, 8000), 12)
    return made, 28, 1, digits


def textures_network():
    rng = np.random.default_rng(2)
    made = Trained(rng, [Conv(rng, 3, 12, stride=2), Conv(rng, 12, 24, stride=2),
                         Depthwise(rng, 24), Conv(rng, 24, 32, kernel=1)], 32, TEXTURES)
    made.train(rng, *textures(1, 6000), 16)
    return made, 32, 3, textures


def write_pictures(folder, pictures):
    folder.mkdir()
    for i, picture in enumerate(pictures):
        np.save(folder / f"{i:03}.npy", picture.transpose(2, 0, 1)[None])


def figures(macrame, network, calibration, check, folder):
    """What the quantiser tells of its result."""
    report = folder / "report.json"
    done = subprocess.run([macrame, "quantise", network, "--data", calibration, "--check", check,
                           "--out", folder / "out.onnx", "--json", report],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{network}: exit status {done.returncode}\n{done.stdout}")
    return json.loads(report.read_text())


def row(name, seeds, report):
    output = next(iter(report["outputs"].values()))
    same = output["same_class"]
    print(f"| {name} | {seeds} | {'-' if same is None else f'{same} of {CHECK}'} "
          f"| {output['mean']:.4f} | {output['largest']:.3f} | {report['db']:.1f} "
          f"| {len(report['host'])} |", flush=True)


def given(macrame, today, kind, network, pairs):
    for seeds in pairs:
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            for name, count, seed in (("cal", CALIBRATION, seeds[0]), ("check", CHECK, seeds[1])):
                subprocess.run([sys.executable, today / "make_inputs.py", kind, str(count),
                                str(seed), folder / name], check=True)
            row(kind, f"{seeds[0]}, {seeds[1]}",
                figures(macrame, today / network / "float.onnx", folder / "cal", folder / "check",
                        folder))


def own(macrame, name, made, size, channels, draw, pairs):
    for seeds in pairs:
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            pictures, classes = draw(seeds[1], CHECK)
            right = (made.forward(pictures).argmax(axis=1) == classes).mean()
            write_pictures(folder / "check", pictures)
            write_pictures(folder / "cal", draw(seeds[0], CALIBRATION)[0])
            onnx.save(made.onnx(size, channels), folder / "float.onnx")
            row(f"{name}, float right in {100 * right:.0f} %", f"{seeds[0]}, {seeds[1]}",
                figures(macrame, folder / "float.onnx", folder / "cal", folder / "check", folder))


def main():
    macrame, today = ARGUMENTS.macrame.resolve(), ARGUMENTS.today.resolve()
    wanted = ARGUMENTS.only.split(",")
    print("| network | seeds: calibration, check | same class | off by, mean | at most | dB "
          "| operators on the host |\n|---|---|--:|--:|--:|--:|--:|", flush=True)
    if "direction" in wanted:
        given(macrame, today, "direction", "ocr_direction", [(1, 2)])
    if "voice" in wanted:
        given(macrame, today, "voice", "voice", [(1, 2), (3, 4), (5, 6)])
    if "digits" in wanted:
        own(macrame, "digits", *digits_network(), [(11, 12), (13, 14)])
    if "textures" in wanted:
        own(macrame, "textures", *textures_network(), [(11, 12), (13, 14)])


if __name__ == "__main__":
    main()
