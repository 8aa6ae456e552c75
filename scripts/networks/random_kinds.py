#!/usr/bin/env python3
"""Random float networks of seeds: attention blocks, pictures and rows through operators, and those
that keep a value for their next run.

    random_kinds.py FLOATS [--attention N] [--mixed N] [--kept N] [--first SEED]

Writes KIND_SEED.onnx into the folder FLOATS, with settings.json for
onnx_zoo.py, as kinds.py does, whose layers these are made of. Wants numpy and onnx
(scripts/executors.sh).
"""
import argparse
import json
import math
from pathlib import Path

from kinds import IDS, INT64, Exporter


class Drawn(Exporter):
    """Draws what it adds. A value is a name with a shape."""

    def integer(self, low, high):
        return int(self.random.integers(low, high + 1))

    def one_of(self, values):
        return values[self.integer(0, len(values) - 1)]

    def chance(self, percent):
        return self.integer(1, 100) <= percent

    def vector(self, *shape):
        return self.constant(self.random.normal(0, 0.5, shape))

    # ---------------------------------------------------------------- attention

    def normed(self, x, channels):
        kind = self.one_of(["layer", "rms", "composed", "none"])
        if kind == "composed":  # as exporters of older operator sets wrote it
            less = self.node("Sub", x, self.node("ReduceMean", x, axes=[-1]))
            square = self.node("Pow", less, self.constant(2))
            deviation = self.node("Sqrt", self.node("Add", self.node(
                "ReduceMean", square, axes=[-1]), self.constant(1e-5)))
            y = self.node("Mul", self.node("Div", less, deviation), self.vector(channels))
            return self.node("Add", y, self.vector(channels))
        return {"layer": self.norm, "rms": self.rms_norm}.get(kind, lambda x, _: x)(x, channels)

    def bent(self, x):
        kind = self.one_of(["gelu", "tanh", "silu", "Relu", "quick"])
        if kind == "tanh":  # GELU by its other form
            inner = self.node("Mul", self.node("Pow", x, self.constant(3)), self.constant(0.044715))
            inner = self.node("Tanh", self.node("Mul", self.node("Add", x, inner),
                                                self.constant(math.sqrt(2 / math.pi))))
            half = self.node("Mul", x, self.constant(0.5))
            return self.node("Mul", half, self.node("Add", inner, self.constant(1)))
        if kind == "quick":
            steep = self.node("Mul", x, self.constant(1.702))
            return self.node("Mul", x, self.node("Sigmoid", steep))
        return self.act(x, kind)

    def masked(self, scores, rows, columns):
        """What may see what: nothing is hidden, or by a constant that is added or chosen by."""
        numpy, kind = self.numpy, self.one_of(["none", "add", "where"])
        seen = numpy.tril(numpy.ones((rows, columns), bool), max(columns - rows, 0))
        if kind == "add":
            return self.node("Add", scores, self.constant(
                numpy.where(seen, 0, self.one_of([-1e4, -1e9, -10]))[None, None]))
        if kind == "where":
            return self.node("Where", self.constant(seen[None, None], "bool"), scores,
                             self.constant(self.one_of([-1e4, -8])))
        return scores

    def block(self, x, tokens, heads, depth, other=None, others=None):
        """Attention of some tokens to each other, or to others."""
        channels = heads * depth
        source, columns = (x, tokens) if other is None else (other, others)
        groups = self.one_of([n for n in range(1, heads + 1) if heads % n == 0] + [heads] * 2)

        def heads_of(of, count, length, order):
            y = self.dense(of, channels, count * depth, self.chance(50))
            y = self.node("Reshape", y, self.integers(*self.one_of(
                [(1, length, count, depth), (0, -1, count, depth), (1, length, count, -1)])))
            return self.node("Transpose", y, perm=order)
        query = heads_of(x, heads, tokens, [0, 2, 1, 3])
        key = heads_of(source, groups, columns, [0, 2, 3, 1])
        value = heads_of(source, groups, columns, [0, 2, 1, 3])
        if groups not in (1, heads):  # each serves several
            def repeated(y, *shape):
                y = self.node("Expand", self.node("Unsqueeze", y, self.integers(2)), self.integers(
                    1, groups, heads // groups, *shape))
                return self.node("Reshape", y, self.integers(1, heads, *shape))
            key, value = repeated(key, depth, columns), repeated(value, columns, depth)
        factor = math.sqrt(depth)
        if self.chance(30):
            query = self.node("Div", query, self.constant(factor))
        scores = self.node("MatMul", query, key)
        if self.nodes[-2].op_type != "Div":
            scores = self.node(*self.one_of([("Mul", scores, self.constant(1 / factor)),
                                             ("Div", scores, self.constant(factor))]))
        shares = self.node("Softmax", self.masked(scores, tokens, columns),
                           axis=self.one_of([-1, 3]))
        y = self.node("Transpose", self.node("MatMul", shares, value), perm=[0, 2, 1, 3])
        y = self.node("Reshape", y, self.integers(1, tokens, channels))
        return self.dense(y, channels, channels, self.chance(70))

    def attending(self):
        heads, depth, tokens = self.integer(1, 4), self.one_of([3, 4, 8, 12]), self.integer(3, 20)
        channels = heads * depth
        if self.chance(30):
            x = self.embedding("ids", tokens, channels)
        else:
            width = self.integer(3, 24)
            x = self.dense(self.input("x", [1, tokens, width]), width, channels)
        if self.chance(50):
            x = self.node("Add", x, self.weights(1, tokens, channels, fan=8))
        if self.chance(25):
            x = self.node("Concat", self.weights(1, 1, channels, fan=8), x, axis=1)
            tokens += 1
        other = others = None
        if self.chance(20):
            others = self.integer(2, 12)
            other = self.input("other", [1, others, channels])
        results = []
        for _ in range(self.integer(1, 2)):
            before = self.chance(60)
            y = self.normed(x, channels) if before else x
            x = self.node("Add", x, self.block(y, tokens, heads, depth, other, others))
            x = x if before else self.normed(x, channels)
            wide = self.integer(channels, 3 * channels)
            y = self.bent(self.dense(self.normed(x, channels) if before else x, channels, wide))
            if self.chance(25):
                y = self.node("Mul", y, self.dense(x, channels, wide, False))
            x = self.node("Add", x, self.dense(y, wide, channels))
            if self.chance(20):
                results.append(x)
        end = self.one_of(["all", "first", "mean", "largest", "softmax"])
        if end == "first":
            x = self.node("Gather", x, self.constant(0, "int64"), axis=1)
        elif end == "mean":
            x = self.node("ReduceMean", x, axes=[1], keepdims=self.integer(0, 1))
        elif end == "largest":
            x = self.node("ReduceMax", x, axes=[1], keepdims=0)
        x = self.dense(x, channels, self.integer(2, 12))
        return [*results, self.node("Softmax", x, axis=-1) if end == "softmax" else x]

    # ---------------------------------------------------------------- pictures

    def picture_step(self, x, shape):
        """One operator on [1, C, H, W], and the shape of its result."""
        numpy = self.numpy
        _, c, h, w = shape
        kind = self.one_of([
            "conv", "conv", "conv", "depthwise", "transposed", "max", "average", "gate", "resize",
            "pad", "turn", "slice", "halves", "two", "scaled", "where", "bend", "bend", "softmax",
            "norm", "blocks", "spaces", "gather", "sum", "mean", "rows", "square", "tile", "clip",
            "prelu", "joined", "scatter", "cumulative", "computed", "inner"])
        if kind == "conv":
            kernel = [self.integer(1, min(3, n)) for n in (h, w)]
            pads = [self.integer(0, k - 1) for k in (*kernel, *kernel)]
            stride = [self.integer(1, 2), self.integer(1, 2)]
            groups = self.one_of([n for n in range(1, c + 1) if c % n == 0] + [1] * 4)
            filters = groups * self.integer(1, 12 if groups == 1 else 3)
            y = self.node("Conv", x, self.weights(filters, c // groups, *kernel),
                          self.vector(filters), kernel_shape=kernel, pads=pads, strides=stride,
                          group=groups)
            size = [(n + pads[i] + pads[i + 2] - kernel[i]) // stride[i] + 1
                    for i, n in enumerate((h, w))]
            return self.act(y, self.one_of([None, "Relu", "silu", "HardSwish", "LeakyRelu"])), \
                (1, filters, *size)
        if kind == "depthwise" and min(h, w) > 2:
            d = 2 if min(h, w) > 4 and self.chance(40) else 1
            y = self.node("Conv", x, self.weights(c, 1, 3, 3), self.vector(c), kernel_shape=[3, 3],
                          pads=[d] * 4, group=c, dilations=[d, d])
            return y, shape
        if kind == "transposed" and max(h, w) < 9:
            k, s, f = self.integer(2, 3), self.integer(1, 2), self.integer(1, 8)
            more = self.integer(0, s - 1)
            y = self.node("ConvTranspose", x, self.weights(c, f, k, k, fan=c * 4), self.vector(f),
                          kernel_shape=[k, k], strides=[s, s], output_padding=[more, more])
            return y, (1, f, (h - 1) * s + k + more, (w - 1) * s + k + more)
        if kind in ("max", "average") and min(h, w) > 2:
            k, s = self.integer(2, 3), self.integer(1, 2)
            p, up = self.integer(0, 1), self.integer(0, 1)
            more = {"count_include_pad": self.integer(0, 1)} if kind == "average" else {}
            y = self.node("MaxPool" if kind == "max" else "AveragePool", x, kernel_shape=[k, k],
                          strides=[s, s], pads=[p] * 4, ceil_mode=up, **more)

            def places(n):
                count = -(-(n + 2 * p - k) // s) + 1 if up else (n + 2 * p - k) // s + 1
                return count - 1 if up and (count - 1) * s >= n + p else count
            return y, (1, c, places(h), places(w))
        if kind == "gate":
            y = self.conv(self.node("GlobalAveragePool", x), max(c // 2, 1), c, 1, act="Relu")
            y = self.conv(y, c, max(c // 2, 1), 1, act=self.one_of(["Sigmoid", "HardSigmoid"]))
            return self.node("Mul", x, y), shape
        if kind == "resize" and max(h, w) < 9:
            up = self.integer(2, 3)
            mode = self.one_of(["nearest", "linear"])
            more = {"nearest_mode": self.one_of(["floor", "round_prefer_floor", "ceil"])} \
                if mode == "nearest" else {}
            how = self.one_of(["asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel"])
            if self.chance(50):
                size = [up * h + self.integer(0, 2), up * w]
                y = self.node("Resize", x, "", "", self.integers(1, c, *size), mode=mode,
                              coordinate_transformation_mode=how, **more)
                return y, (1, c, *size)
            y = self.node("Resize", x, "", self.constant([1, 1, up, up]), mode=mode,
                          coordinate_transformation_mode=how, **more)
            return y, (1, c, up * h, up * w)
        if kind == "pad" and min(h, w) > 2:
            mode = self.one_of(["constant", "reflect", "edge"])
            before, behind = ([self.integer(0, 2) for _ in range(2)] for _ in range(2))
            more = [self.constant(self.random.uniform(-1, 1))] \
                if mode == "constant" and self.chance(50) else []
            y = self.node("Pad", x, self.integers(0, 0, *before, 0, 0, *behind), *more, mode=mode)
            return y, (1, c, h + before[0] + behind[0], w + before[1] + behind[1])
        if kind == "turn":
            order = self.one_of([[0, 1, 3, 2], [0, 2, 3, 1], [0, 3, 1, 2], [0, 3, 2, 1]])
            return self.node("Transpose", x, perm=order), tuple(shape[i] for i in order)
        if kind == "slice" and min(h, w) > 3:
            axis, step = self.integer(2, 3), self.one_of([1, 2, -1])
            n = shape[axis]
            begin, end = (n - 1, -n - 1) if step < 0 else (1, n)
            y = self.node("Slice", x, self.integers(begin), self.integers(end), self.integers(axis),
                          self.integers(step))
            made = list(shape)
            made[axis] = n if step < 0 else -(-(n - 1) // step)
            return y, tuple(made)
        if kind == "halves" and c % 2 == 0:
            a, b = self.node("Split", x, self.integers(c // 2, c // 2), outputs=2, axis=1)
            if self.chance(50):
                return self.node("Concat", b, a, axis=1), shape
            return self.node("Mul", a, self.node("Sigmoid", b)), (1, c // 2, h, w)
        if kind == "two":
            how = self.one_of(["Add", "Sub", "Mul", "Max", "Min"])
            y = self.conv(x, c, c, 1)
            return self.node(how, *self.one_of([(x, y), (y, x)])), shape
        if kind == "scaled":
            how = self.one_of(["Add", "Mul", "Sub", "Div"])
            size = self.one_of([(1, c, 1, 1), (c, 1, 1), (1,), (1, 1, h, w), ()])
            y = self.constant(self.random.uniform(0.3, 1.2, size))
            return self.node(how, x, y), shape
        if kind == "where":
            mask = self.node(self.one_of(["Greater", "Less", "GreaterOrEqual"]), x,
                             self.constant(self.random.normal(0, 0.3)))
            y = self.node("Mul", x, self.constant(0.5))
            return self.node("Where", mask, *self.one_of([(x, y), (y, x)])), shape
        if kind == "bend":
            how = self.one_of([
                "Relu", "Sigmoid", "Tanh", "HardSwish", "Elu", "Softplus", "Abs", "Neg",
                "LeakyRelu", "HardSigmoid", "Erf", "silu", "gelu", "mish", "Selu", "Softsign",
                "Sin", "Floor", "ThresholdedRelu"])
            if how == "mish":
                return self.node("Mul", x, self.node("Tanh", self.node("Softplus", x))), shape
            return self.act(x, how), shape
        if kind == "softmax":
            return self.node(self.one_of(["Softmax", "Softmax", "LogSoftmax"]), x,
                             axis=self.one_of([1, -1, 2])), shape
        if kind == "norm":
            if self.chance(50):
                return self.node("InstanceNormalization", x, self.vector(c), self.vector(c)), shape
            scale = self.vector(w)
            return self.node("LayerNormalization", x, scale, self.vector(w), axis=-1), shape
        if kind == "blocks" and c % 4 == 0:
            return self.node("DepthToSpace", x, blocksize=2, mode=self.one_of(["DCR", "CRD"])), \
                (1, c // 4, 2 * h, 2 * w)
        if kind == "spaces" and h % 2 == w % 2 == 0 and c <= 8:
            return self.node("SpaceToDepth", x, blocksize=2), (1, 4 * c, h // 2, w // 2)
        if kind == "gather":
            axis = self.integer(1, 3)
            n = self.integer(1, shape[axis] + 1)
            places = self.random.integers(-shape[axis], shape[axis], n)
            made = list(shape)
            made[axis] = n
            return self.node("Gather", x, self.constant(places, "int64"), axis=axis), tuple(made)
        if kind in ("sum", "mean"):
            axis = self.integer(1, 3)
            made = list(shape)
            made[axis] = 1
            if kind == "sum":
                y = self.node("ReduceSum", x, self.integers(axis), keepdims=1)
            else:
                y = self.node(self.one_of(["ReduceMean", "ReduceMax", "ReduceMin", "ReduceL2"]), x,
                              axes=[axis], keepdims=1)
            return (self.node("Sub", x, y), shape) if self.chance(60) else (y, tuple(made))
        if kind == "rows":
            how, cells, gates = self.one_of([("LSTM", 5, 4), ("GRU", 6, 3), ("RNN", 4, 1)])
            if h > 12:
                return x, shape
            y = self.node("Transpose", x, perm=[2, 0, 1, 3])  # rows are steps
            y = self.node("Reshape", y, self.integers(h, 1, c * w))
            y = self.node(how, y, self.weights(1, gates * cells, c * w), self.weights(
                1, gates * cells, cells), self.vector(1, 2 * gates * cells), hidden_size=cells)
            return self.node("Reshape", y, self.integers(1, 1, h, cells)), (1, 1, h, cells)
        if kind == "square":
            y = self.node("Transpose", x, perm=[0, 1, 3, 2])
            return self.node("MatMul", x, y), (1, c, h, h)
        if kind == "tile" and c <= 8:
            if self.chance(50):
                return self.node("Tile", x, self.integers(1, 2, 1, 1)), (1, 2 * c, h, w)
            y = self.node("ReduceMax", x, axes=[1], keepdims=1)
            return self.node("Expand", y, self.integers(1, 3, h, w)), (1, 3, h, w)
        if kind == "clip":
            low, high = sorted(self.random.uniform(-1, 1.5, 2))
            return self.node("Clip", x, self.constant(low), self.constant(high)), shape
        if kind == "prelu":
            size = self.one_of([(c, 1, 1), (1,)])
            slopes = self.constant(self.random.uniform(0.05, 0.4, size))
            return self.node("PRelu", x, slopes), shape
        if kind == "joined":
            f = self.integer(1, 6)
            return self.node("Concat", *self.one_of([(x, self.conv(x, f, c, 1)), (
                self.conv(x, f, c, 1), x)]), axis=1), (1, c + f, h, w)
        if kind == "scatter" and c > 1:
            rows = self.node("Reshape", x, self.integers(c, h, w))
            which = self.constant([[self.integer(0, c - 1)]], "int64")
            y = self.node("ScatterND", rows, which, self.vector(1, h, w))
            return self.node("Reshape", y, self.integers(*shape)), shape
        if kind == "cumulative" and w < 8:
            return self.node("CumSum", x, self.constant(3, "int64"), exclusive=self.integer(0, 1),
                             reverse=self.integer(0, 1)), shape
        if kind == "computed" and c <= 6 and min(h, w) > 2:
            kernel = self.node("Slice", x, self.integers(0, 0), self.integers(2, 2),
                               self.integers(2, 3))
            return self.node("Conv", x, kernel), (1, 1, h - 1, w - 1)
        if kind == "inner":
            return self.node("Einsum", x, self.weights(w, 5, fan=w), equation="bchw,wd->bchd"), \
                (1, c, h, 5)
        return self.act(x, "Relu"), shape

    def mixed(self):
        shape = (1, self.integer(1, 8), self.integer(4, 12), self.integer(4, 12))
        x = self.input("x", list(shape))
        if self.chance(20):
            x = self.node("Add", x, self.input("y", list(shape)))
        if self.chance(70):
            x = self.conv(x, 8, shape[1], act=self.one_of([None, "Relu"]))
            shape = (1, 8, *shape[2:])
        results = []
        for _ in range(self.integer(1, 7)):
            x, shape = self.picture_step(x, shape)
            if math.prod(shape) > 6000:
                break
            if self.chance(15):
                results.append(x)
        end = self.one_of(["picture", "classes", "mean"])
        if end == "mean":
            x = self.node("ReduceMean", x, axes=[2, 3], keepdims=0)
        if end == "classes":
            size = math.prod(shape)
            x = self.node("Gemm", self.node("Flatten", x), self.weights(7, size), self.vector(7),
                          transB=1)
        # An output that is also another operator's input is one of the results already.
        return [*dict.fromkeys([*results, x])]


    def keeping(self):
        """A value that the network hands to its next run: the last input, the last output."""
        shape = (1, self.integer(1, 6), self.integer(4, 8), self.integer(4, 8))
        x, kept = self.input("x", list(shape)), self.input("kept", list(shape))
        channels = shape[1]
        both = self.conv(self.node("Concat", x, kept, axis=1), channels, 2 * channels,
                         self.one_of([1, 3]), act=self.one_of([None, "Relu", "Tanh"]))
        gate = self.conv(kept, channels, channels, 1, act="Sigmoid")
        how = self.one_of(["gate", "sum", "shift"])
        if how == "gate":
            after = self.node("Add", self.node("Mul", gate, kept),
                              self.node("Mul", self.node("Sub", self.constant(1), gate), both))
        elif how == "sum":
            after = self.node("Tanh", self.node("Add", both, kept))
        else:  # rows move up, the newest is the last one
            older = self.node("Slice", kept, self.integers(1), self.integers(shape[2]),
                              self.integers(2))
            newest = self.node("Slice", both, self.integers(0), self.integers(1),
                               self.integers(2))
            after = self.node("Concat", older, newest, axis=2)
        y, size = (both if how == "shift" else self.node("Add", after, both)), shape
        for _ in range(self.integer(1, 3)):
            y, size = self.picture_step(y, size)
        return [self.node("ReduceMean", y, axes=[2, 3], keepdims=0), after]


MAKERS = {"attention": Drawn.attending, "mixed": Drawn.mixed, "kept": Drawn.keeping}


def make(folder, kind, seed):
    """Writes a network; its settings for onnx_zoo.py."""
    drawn = Drawn([seed, list(MAKERS).index(kind)])
    drawn.save(folder / f"{kind}_{seed}.onnx", *MAKERS[kind](drawn))
    return {"below": {name: IDS for name, _, type_ in drawn.inputs if type_ == INT64}}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("floats", type=Path)
    for kind in MAKERS:
        parser.add_argument(f"--{kind}", type=int, default=0, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    arguments = parser.parse_args()
    arguments.floats.mkdir(parents=True, exist_ok=True)
    settings = {f"{kind}_{seed}": make(arguments.floats, kind, seed) for kind in MAKERS
                for seed in range(arguments.first, arguments.first + getattr(arguments, kind))}
    (arguments.floats / "settings.json").write_text(json.dumps(settings))


if __name__ == "__main__":
    main()
