#!/usr/bin/env python3
"""How busy products of matrices keep the multipliers, in transformers.

    transformers.py MACRAME [NETWORK ...] [--shapes kwt3 deit_tiny] [--layers N] [--symmetric]
                    [--folder FOLDER]

Estimates networks on nv_small and on a 16 x 16 machine with SDP of 8 elements per cycle, both with
ROW, and prints a table (Markdown). A product is MatMul or fully connected; its cycles have
those of the reshapes and transpositions in front of and behind attention. Of one with m
multiply-adds the bound is m over the multipliers. --shapes makes encoders of published sizes with
random weights, as ONNX files with int8 QDQ (wants numpy and onnx: scripts/executors.sh), with
an input and what ONNX Runtime makes of it in --folder, for both.py.
Status 1: a machine refused a network, or there was none.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROW = ["--row-enable", "true", "--row-length", "1024"]
CONFIGURATIONS = {
    "nv_small": (64, ["--preset", "nv_small", *ROW]),
    "16 x 16, SDP 8": (256, [
        "--preset", "nv_small", *ROW, "--row-throughput", "8", "--mac-atomic-c-size", "16",
        "--mac-atomic-k-size", "16", "--memory-atomic-size", "16", "--cbuf-bank-width", "16",
        "--primary-memif-width", "128", "--sdp-bs-throughput", "8", "--sdp-bn-throughput", "8",
        "--cdp-throughput", "8"]),
}
# Tokens, channels, heads, layers.
SHAPES = {"kwt3": (99, 192, 3, 12), "kwt1": (99, 64, 1, 12), "deit_tiny": (197, 192, 3, 12)}
PRODUCTS = ("matmul", "fully connected")
MOVES = ("reshape", "transpose")
LINE = re.compile(r"^ *\d+ (.+?) +(\d+) +(\d+) +(\d+) +(\d+) +\d+ +\d+  ")


class Encoder:
    """An encoder as an ONNX graph; activations have a spread of about 1."""

    def __init__(self, tokens, channels, heads, layers, symmetric, seed=1):
        import numpy
        self.symmetric = symmetric
        self.numpy, self.random = numpy, numpy.random.default_rng(seed)
        self.nodes, self.constants = [], []
        self.tokens, self.channels, self.heads = tokens, channels, heads
        x = self.quantised("input")
        for _ in range(layers):
            x = self.add(x, self.attention(self.norm(x)))
            x = self.add(x, self.feed_forward(self.norm(x)))
        self.result = x

    def node(self, kind, inputs, **attributes):
        from onnx import helper
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def constant(self, array):
        from onnx import numpy_helper
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def quantised(self, x, scale=None, zero=None):
        numpy = self.numpy
        scale = float(self.random.uniform(2.5, 4)) / 127 if scale is None else scale
        if zero is None:
            zero = 0 if self.symmetric else int(self.random.integers(-20, 20))
        pair = [self.constant(numpy.float32(scale)), self.constant(numpy.int8(zero))]
        return self.node("DequantizeLinear", [self.node("QuantizeLinear", [x, *pair]), *pair])

    def dense(self, x, rows, columns):
        numpy = self.numpy
        scale = (numpy.full(columns, 2.5 / 127 / rows ** 0.5)).astype("float32")
        weights = self.random.normal(0, 127 / 2.5, (rows, columns)).round().clip(-127, 127)
        constant = self.node("DequantizeLinear", [
            self.constant(weights.astype("int8")), self.constant(scale),
            self.constant(numpy.zeros(columns, "int8"))], axis=1)
        return self.quantised(self.node("MatMul", [x, constant]))

    def add(self, a, b):
        return self.quantised(self.node("Add", [a, b]), scale=5 / 127)

    def norm(self, x):
        one = self.numpy.ones(self.channels, "float32")
        return self.quantised(self.node("LayerNormalization",
                                        [x, self.constant(one), self.constant(0 * one)], axis=-1))

    def attention(self, x):
        depth = self.channels // self.heads
        shape = self.constant(self.numpy.array([1, self.tokens, self.heads, depth], "int64"))

        def heads(order):
            y = self.node("Reshape", [self.dense(x, self.channels, self.channels), shape])
            # Views between tensors of one quantisation, as quantisers write them.
            return self.node("Transpose", [y], perm=order)
        query, key, value = heads([0, 2, 1, 3]), heads([0, 2, 3, 1]), heads([0, 2, 1, 3])
        scores = self.quantised(self.node("MatMul", [query, key]), scale=3 * depth ** 0.5 / 127)
        weights = self.quantised(self.node("Softmax", [scores], axis=-1), 1 / 255, -128)
        mixed = self.quantised(self.node("MatMul", [weights, value]), scale=1 / 127)
        line = self.constant(self.numpy.array([1, self.tokens, self.channels], "int64"))
        joined = self.node("Reshape", [self.node("Transpose", [mixed], perm=[0, 2, 1, 3]), line])
        return self.dense(joined, self.channels, self.channels)

    def feed_forward(self, x):
        inner = self.dense(x, self.channels, 4 * self.channels)
        return self.dense(self.quantised(self.node("Gelu", [inner])), 4 * self.channels,
                          self.channels)

    def model(self):
        from onnx import TensorProto, helper
        shape = [1, self.tokens, self.channels]
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "encoder", [value("input", TensorProto.FLOAT, shape)],
            [value(self.result, TensorProto.FLOAT, shape)], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def write(name, layers, symmetric, folder):
    """The network of a shape, with an input and what ONNX Runtime makes of it."""
    import numpy
    import onnx
    import onnxruntime
    tokens, channels, heads, most = SHAPES[name]
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    encoder = Encoder(tokens, channels, heads, layers or most, symmetric)
    onnx.save(encoder.model(), folder / "model.onnx")
    x = numpy.random.default_rng(2).normal(0, 1, (1, tokens, channels)).astype("float32")
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), settings)
    x.tofile(folder / "inputs.bin")
    session.run(None, {"input": x})[0].tofile(folder / "outputs_ref.bin")
    return folder / "model.onnx"


def measure(macrame, network, multipliers, flags):
    """Multiply-adds and cycles of products, and of all operators; or why not."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        done = subprocess.run([macrame, "estimate", network, *flags, "--json", report],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            return (done.stdout + done.stderr).strip().splitlines()[-1]
        total = json.loads(report.read_text())["total_cycles"]
    macs = cycles = 0
    for line in done.stdout.splitlines():
        found = LINE.match(line)
        if found and found[1].strip() in (*PRODUCTS, *MOVES):
            macs += int(found[3])
            cycles += int(found[4])
    return macs / multipliers, cycles, total


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("networks", type=Path, nargs="*", metavar="NETWORK")
    parser.add_argument("--shapes", nargs="*", default=[], choices=SHAPES)
    parser.add_argument("--layers", type=int, help="of the shapes (as published)")
    parser.add_argument("--symmetric", action="store_true",
                        help="zero points of the shapes are 0, but those of softmax")
    parser.add_argument("--folder", type=Path, help="for the files of the shapes")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        networks = [(one.parent.name, one) for one in arguments.networks]
        for name in arguments.shapes:
            networks.append((name, write(name, arguments.layers, arguments.symmetric,
                                         arguments.folder or Path(scratch))))
        failed = not networks
        print("| network | machine | bound of products | products | use | all | use |\n"
              "|---|---|--:|--:|--:|--:|--:|")
        for name, path in networks:
            for machine, (multipliers, flags) in CONFIGURATIONS.items():
                told = measure(arguments.macrame, path, multipliers, flags)
                if isinstance(told, str):
                    print(f"| {name} | {machine} | {told} | | | | |", flush=True)
                    failed = True
                    continue
                bound, cycles, total = told
                print(f"| {name} | {machine} | {bound:,.0f} | {cycles:,} | {bound / cycles:.0%} | "
                      f"{total:,} | {bound / total:.0%} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
