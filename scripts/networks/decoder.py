#!/usr/bin/env python3
"""Language models as two int8 networks in ONNX, for the prompt and for each token behind it.

    decoder.py FOLDER [--shape stories15M] [--layers N] [--context N] [--prompt N] [--seed N]

Llama's decoder: RMS norm, rotary positions, gated SiLU. Weights are random here; stories.py has
trained ones. FOLDER gets prefill.onnx and decode.onnx with the same weights, embedding.bin, a row
of int8 for each token, and model.json with their sizes and scales. Wants numpy, onnx and
onnxruntime (scripts/executors.sh).

Inputs: x, rows of embeddings; position, of the first of them; of prefill `last`, the row whose
logits are wanted, for rows behind it may be anything. The cache of layer n is key.n [1, heads,
context, depth] and value.n [1, heads, depth, context], what they become is new_key.n and
new_value.n: --state new_key.0=key.0 and so on.
"""
import argparse
import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

# Width, inner width, heads, layers, tokens, context.
SHAPES = {"tiny": (48, 96, 3, 2, 32, 64), "stories15M": (288, 768, 6, 6, 32000, 256)}
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


class Weights:
    """Of a model, as numpy: [inputs, outputs]. All that training changes is in `all`."""

    def __init__(self, shape, layers=None, seed=1):
        self.width, self.inner, self.heads, count, self.tokens, self.context = shape
        self.layers = layers or count
        self.depth = self.width // self.heads
        rng = np.random.default_rng(seed)

        def dense(rows, columns):
            return rng.normal(0, rows ** -0.5, (rows, columns)).astype(np.float32)
        self.all = {"embedding": rng.normal(0, 1, (self.tokens, self.width)).astype(np.float32),
                    "head": dense(self.width, self.tokens), "norm": self.ones()}
        for n in range(self.layers):
            for name in ("query", "key", "value", "out"):
                self.all[f"{name}.{n}"] = dense(self.width, self.width)
            for name in ("gate", "up"):
                self.all[f"{name}.{n}"] = dense(self.width, self.inner)
            self.all[f"down.{n}"] = dense(self.inner, self.width)
            self.all[f"norm1.{n}"], self.all[f"norm2.{n}"] = self.ones(), self.ones()

    def ones(self):
        return np.ones(self.width, np.float32)

    def __getitem__(self, name):
        return self.all[name]


def rotary(weights):
    """Cosines and sines of each position; the second half of a head turns against the first."""
    turns = 1e4 ** (-np.arange(weights.depth // 2) * 2 / weights.depth)
    angles = np.concatenate([np.outer(np.arange(weights.context), turns)] * 2, axis=1)
    signs = np.repeat([-1, 1], weights.depth // 2)
    return np.cos(angles).astype(np.float32), (np.sin(angles) * signs).astype(np.float32)


def embedded(weights):
    """The table of embeddings as int8, and its scale."""
    table = weights["embedding"]
    scale = np.float32(np.abs(table).max() / 127)
    return (table / scale).round().astype(np.int8), scale


class Network:
    """The network for `rows` tokens at a time. With `seen`, largest values of tensors by name,
    these are quantised; without, it is in float32."""

    def __init__(self, weights, rows, seen=None, last=False):
        self.weights, self.rows, self.seen = weights, rows, seen
        self.nodes, self.constants, self.inputs, self.outputs, self.measured = [], {}, [], [], []
        self.names = {}
        self.build(last)

    # ---------------------------------------------------------------- pieces

    def node(self, kind, inputs, name=None, domain="", **attributes):
        if name is None:
            self.names[kind] = self.names.get(kind, 0) + 1
            name = f"{kind}_{self.names[kind]}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, domain=domain,
                                           **attributes))
        return name

    def constant(self, name, array):
        self.constants.setdefault(name, numpy_helper.from_array(np.asarray(array), name))
        return name

    def input(self, name, shape, kind=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name, x, shape):
        self.outputs.append(helper.make_tensor_value_info(name, FLOAT, shape))
        return self.node("Identity", [x], name)

    def quantised(self, x, key):
        """Symmetric: the largest value becomes 127. `key` is its name in both networks."""
        self.measured.append((key, x))
        if self.seen is None:
            return x
        scale = self.constant(f"{key} scale", np.float32(max(self.seen[key], 1e-3) / 127))
        return self.pair(x, scale, self.constant("zero", np.int8(0)))

    def pair(self, x, scale, zero):
        return self.node("DequantizeLinear", [self.node("QuantizeLinear", [x, scale, zero]), scale,
                                              zero])

    def dense(self, x, name, key):
        w = self.weights[name]
        if self.seen is None:
            w = self.constant(f"{name} weights", w)
            return self.quantised(self.node("MatMul", [x, w]), key)
        scales = (np.abs(w).max(axis=0) / 127).astype(np.float32)
        constant = self.node("DequantizeLinear", [
            self.constant(f"{name} weights", (w / scales).round().astype(np.int8)),
            self.constant(f"{name} scales", scales),
            self.constant(f"{name} zeros", np.zeros(len(scales), np.int8))], axis=1)
        return self.quantised(self.node("MatMul", [x, constant]), key)

    def norm(self, x, name, key):
        gains = self.constant(f"{name} gains", self.weights[name])
        return self.quantised(self.node("SimplifiedLayerNormalization", [x, gains], axis=-1,
                                        epsilon=1e-5), key)

    def split(self, x):
        """Rows x width as heads x rows x depth."""
        w = self.weights
        shape = self.constant("heads", np.int64([1, self.rows, w.heads, w.depth]))
        return self.node("Transpose", [self.node("Reshape", [x, shape])], perm=[0, 2, 1, 3])

    def turned(self, x, key):
        """With rotary positions: x cos + (x, its halves exchanged) sin."""
        half, depth = self.weights.depth // 2, self.weights.depth

        def part(begin, end):
            return self.node("Slice", [x, self.constant(f"at {begin}", np.int64([begin])),
                                       self.constant(f"at {end}", np.int64([end])),
                                       self.constant("axis 3", np.int64([3]))])
        other = self.node("Concat", [part(half, depth), part(0, half)], axis=3)
        return self.quantised(
            self.node("Add", [self.node("Mul", [x, self.cosines]),
                              self.node("Mul", [other, self.sines])]), key)

    def cached(self, name, x, shape, axis):
        """The cache with what is new in its place."""
        cache = self.input(name, shape)
        if self.seen is not None:  # the scale of what is new
            cache = self.pair(cache, f"{name} scale", self.constant("zero", np.int8(0)))
        y = self.node("TensorScatter", [cache, x, "position"], axis=axis)
        if self.seen is not None:
            y = self.pair(y, f"{name} scale", self.constant("zero", np.int8(0)))
        self.output("new_" + name, y, shape)
        return y

    # ---------------------------------------------------------------- the network

    def build(self, last):
        w = self.weights
        x = self.input("x", [self.rows, w.width])
        self.input("position", [1], INT64)
        self.places = self.node("Add", ["position", self.constant("rows", np.arange(self.rows))])
        cosines, sines = rotary(w)
        self.cosines = self.picked("cosines", cosines)
        self.sines = self.picked("sines", sines)
        x = self.quantised(x, "x")
        far = np.triu(np.ones((w.context, w.context), np.float32), 1)
        mask = self.node("Gather", [self.constant("mask", far * -1e4), self.places], axis=0)
        self.mask = self.mask_of(mask)
        for n in range(w.layers):
            x = self.sum(x, self.attention(self.norm(x, f"norm1.{n}", f"normed1.{n}"), n),
                         f"middle.{n}")
            x = self.sum(x, self.feed_forward(self.norm(x, f"norm2.{n}", f"normed2.{n}"), n),
                         f"stream.{n}")
        if last:
            x = self.node("Gather", [x, self.input("last", [1], INT64)], axis=0)
        rows = 1 if last else self.rows
        y = self.dense(self.norm(x, "norm", "normed"), "head", "logits")
        self.outputs.insert(0, helper.make_tensor_value_info("logits", FLOAT, [rows, w.tokens]))
        self.node("Identity", [y], "logits")

    def picked(self, name, table):
        """Rows of a table for the positions, for all heads."""
        return self.node("Gather", [self.constant(name, table), self.places], axis=0)

    def mask_of(self, mask):
        """0, and less than any score where a token is not there yet."""
        if self.seen is None:
            return mask
        most = max(self.seen[f"scores.{n}"] for n in range(self.weights.layers))
        return self.pair(mask, self.constant("mask scale", np.float32(most * 2 / 127)),
                         self.constant("zero", np.int8(0)))

    def sum(self, a, b, key):
        return self.quantised(self.node("Add", [a, b]), key)

    def attention(self, x, n):
        w = self.weights
        query = self.turned(self.split(self.dense(x, f"query.{n}", f"q.{n}")), f"query_turned.{n}")
        key = self.turned(self.split(self.dense(x, f"key.{n}", f"k.{n}")), f"key.{n}")
        line = self.dense(x, f"value.{n}", f"value.{n}")
        value = self.node("Transpose", [self.split(line)], perm=[0, 1, 3, 2])
        keys = self.cached(f"key.{n}", key, [1, w.heads, w.context, w.depth], -2)
        values = self.cached(f"value.{n}", value, [1, w.heads, w.depth, w.context], -1)
        # The root of the depth is in the weights of queries.
        scores = self.quantised(
            self.node("MatMul", [query, self.node("Transpose", [keys], perm=[0, 1, 3, 2])]),
            f"scores.{n}")
        masked = self.node("Add", [scores, self.mask])
        if self.seen is not None:
            masked = self.pair(masked, self.constant(f"masked.{n} scale", np.float32(
                self.seen[f"scores.{n}"] * 2 / 127)), self.constant("zero", np.int8(0)))
        shares = self.node("Softmax", [masked], axis=-1)
        if self.seen is not None:
            shares = self.pair(shares, self.constant("share", np.float32(1 / 255)),
                               self.constant("least", np.int8(-128)))
        mixed = self.quantised(
            self.node("MatMul", [shares, self.node("Transpose", [values], perm=[0, 1, 3, 2])]),
            f"mixed.{n}")
        together = self.node("Reshape", [self.node("Transpose", [mixed], perm=[0, 2, 1, 3]),
                                         self.constant("line", np.int64([self.rows, w.width]))])
        return self.dense(together, f"out.{n}", f"attended.{n}")

    def feed_forward(self, x, n):
        gate = self.dense(x, f"gate.{n}", f"gate.{n}")
        bent = self.quantised(self.node("Mul", [gate, self.node("Sigmoid", [gate])]), f"bent.{n}")
        up = self.dense(x, f"up.{n}", f"up.{n}")
        return self.dense(self.quantised(self.node("Mul", [bent, up]), f"gated.{n}"), f"down.{n}",
                          f"fed.{n}")

    def model(self, extra=()):
        graph = helper.make_graph(self.nodes, "decoder", self.inputs, [*self.outputs, *extra],
                                  list(self.constants.values()))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11)


def session(model):
    import onnxruntime
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    settings.log_severity_level = 3
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return onnxruntime.InferenceSession(data, settings)


def empty(weights):
    """A cache of nothing."""
    w, out = weights, {}
    for n in range(w.layers):
        out[f"key.{n}"] = np.zeros((1, w.heads, w.context, w.depth), np.float32)
        out[f"value.{n}"] = np.zeros((1, w.heads, w.depth, w.context), np.float32)
    return out


def measure(weights, texts):
    """The largest value of each tensor over rows of tokens, by the network in float32."""
    seen = {}
    table, scale = embedded(weights)
    for text in texts:
        network = Network(weights, len(text))
        tensors = dict(network.measured)
        have = {name: None for name in tensors.values()}
        extra = [helper.make_tensor_value_info(name, FLOAT, None) for name in have
                 if name not in ("x", "logits")]
        run = session(network.model(extra))
        names = [one.name for one in extra]
        feeds = {"x": table[text] * scale, "position": np.int64([0]), **empty(weights)}
        have.update(zip(names, run.run(names, feeds)), x=feeds["x"])
        for key, name in tensors.items():
            seen[key] = max(seen.get(key, 0.0), float(np.abs(have[name]).max()))
    seen["x"] = float(127 * scale)
    return seen


class Decoder:
    """Both networks by ONNX Runtime, with the cache between them."""

    def __init__(self, folder):
        folder = Path(folder)
        self.about = json.loads((folder / "model.json").read_text())
        self.parts = {name: session((folder / f"{name}.onnx").read_bytes())
                      for name in ("prefill", "decode")}
        self.table = np.fromfile(folder / "embedding.bin", np.int8).reshape(
            self.about["tokens"], self.about["width"])

    def run(self, name, tokens, position, **more):
        rows = np.zeros((self.about["prompt"] if name == "prefill" else 1, self.about["width"]),
                        np.int8)
        rows[:len(tokens)] = self.table[tokens]
        part = self.parts[name]
        feeds = {"x": rows * np.float32(self.about["embedding_scale"]),
                 "position": np.int64([position]), **more, **self.cache}
        made = dict(zip([one.name for one in part.get_outputs()], part.run(None, feeds)))
        self.cache = {name[len("new_"):]: value for name, value in made.items()
                      if name != "logits"}
        return (made["logits"][0] / np.float32(self.about["logits_scale"])).round().astype(np.int8)

    def greedy(self, prompt, count):
        """Tokens behind a prompt: of each the largest logit, of equal ones the first."""
        self.cache = {one.name: np.zeros(one.shape, np.float32)
                      for one in self.parts["decode"].get_inputs()
                      if one.name not in ("x", "position")}
        step = self.about["prompt"]
        for begin in range(0, len(prompt), step):
            part = prompt[begin:begin + step]
            logits = self.run("prefill", part, begin, last=np.int64([len(part) - 1]))
        out = [int(logits.argmax())]
        while len(out) < count:
            logits = self.run("decode", out[-1:], len(prompt) + len(out) - 1)
            out.append(int(logits.argmax()))
        return out


def write(folder, weights, prompt, texts):
    """Both networks, quantised for tokens as those of `texts`."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    seen = measure(weights, texts)
    for name, rows in (("prefill", prompt), ("decode", 1)):
        save(Network(weights, rows, seen, last=name == "prefill").model(), folder / f"{name}.onnx")
    table, scale = embedded(weights)
    table.tofile(folder / "embedding.bin")
    (folder / "model.json").write_text(json.dumps({
        "width": weights.width, "layers": weights.layers, "heads": weights.heads,
        "tokens": weights.tokens, "context": weights.context, "prompt": prompt,
        "embedding_scale": float(scale), "logits_scale": seen["logits"] / 127,
        "states": [f"new_{kind}.{n}={kind}.{n}" for n in range(weights.layers)
                   for kind in ("key", "value")]}, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shape", choices=SHAPES, default="stories15M")
    parser.add_argument("--layers", type=int, help="instead of those of the shape")
    parser.add_argument("--context", type=int, help="tokens that the cache holds")
    parser.add_argument("--prompt", type=int, default=32, help="tokens of prefill (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    shape = list(SHAPES[arguments.shape])
    if arguments.context:
        shape[-1] = arguments.context
    weights = Weights(shape, arguments.layers, arguments.seed)
    for n in range(weights.layers):
        weights.all[f"query.{n}"] *= weights.depth ** -0.5
    rng = np.random.default_rng(arguments.seed)
    texts = rng.integers(0, weights.tokens, (2, arguments.prompt))
    write(arguments.folder, weights, arguments.prompt, texts)


if __name__ == "__main__":
    main()
