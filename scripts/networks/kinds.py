#!/usr/bin/env python3
"""Float networks of the kinds that people bring today, with seeded weights, in exporters' form.

    kinds.py FLOATS [NAME ...]
    onnx_zoo.py FLOATS OUT --form qdq_s8_s8_channel qoperator_u8_s8 --as-written
    today.py MACRAME OUT

Writes NAME.onnx for each into the folder FLOATS, and settings.json with the ranges of ids, for
onnx_zoo.py, which quantises them as ONNX Runtime's manual says. Wants numpy and onnx
(scripts/executors.sh).
"""
import argparse
import json
import math
from pathlib import Path

FLOAT, INT64, OPERATOR_SET = 1, 7, 17
IDS = 64  # words that there are


class Exporter:
    """A graph that grows node by node; tensors have names alone."""

    def __init__(self, seed):
        import numpy
        self.numpy, self.random = numpy, numpy.random.default_rng(seed)
        self.nodes, self.constants, self.inputs = [], [], []

    def node(self, kind, *inputs, outputs=1, **attributes):
        from onnx import helper
        names = [f"{kind}_{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=names[0], **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, array, kind="float32"):
        from onnx import numpy_helper
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(self.numpy.asarray(array, kind), name))
        return name

    def integers(self, *values):
        return self.constant(values, "int64")

    def weights(self, *shape, fan=None):
        fan = fan or math.prod(shape[1:])
        return self.constant(self.random.normal(0, math.sqrt(2 / fan), shape))

    def input(self, name, shape, kind=FLOAT):
        self.inputs.append((name, shape, kind))
        return name

    def save(self, path, *results):
        import onnx
        from onnx import helper
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, path.stem, [value(name, kind, shape) for name, shape, kind in self.inputs],
            [value(result, FLOAT, None) for result in results], self.constants)
        model = helper.make_model(graph, ir_version=9,
                                  opset_imports=[helper.make_opsetid("", OPERATOR_SET)])
        onnx.save(onnx.shape_inference.infer_shapes(model), path)

    # What layers of libraries become.
    def conv(self, x, filters, channels, kernel=3, stride=1, groups=1, act=None):
        pad = kernel // 2
        y = self.node("Conv", x, self.weights(filters, channels // groups, kernel, kernel),
                      self.constant(self.random.normal(0, 0.1, filters)), strides=[stride] * 2,
                      kernel_shape=[kernel] * 2, pads=[pad] * 4, group=groups)
        return self.act(y, act)

    def act(self, x, kind):
        if kind == "silu":
            return self.node("Mul", x, self.node("Sigmoid", x))
        if kind == "gelu":  # the form with erf
            inner = self.node("Erf", self.node("Div", x, self.constant(math.sqrt(2))))
            half = self.node("Mul", x, self.node("Add", inner, self.constant(1)))
            return self.node("Mul", half, self.constant(0.5))
        return self.node(kind, x) if kind else x

    def dense(self, x, rows, columns, bias=True):
        y = self.node("MatMul", x, self.weights(rows, columns, fan=2 * rows))
        if bias:
            y = self.node("Add", self.constant(self.random.normal(0, 0.1, columns)), y)
        return y

    def norm(self, x, channels):
        return self.node("LayerNormalization", x,
                         self.constant(self.random.uniform(0.7, 1.3, channels)),
                         self.constant(self.random.normal(0, 0.1, channels)), axis=-1)

    def rms_norm(self, x, channels):
        mean = self.node("ReduceMean", self.node("Pow", x, self.constant(2)), axes=[-1])
        root = self.node("Sqrt", self.node("Add", mean, self.constant(1e-5)))
        y = self.node("Mul", x, self.node("Div", self.constant(1), root))
        return self.node("Mul", self.constant(self.random.uniform(0.7, 1.3, channels)), y)

    def rotated(self, x, tokens, depth):
        """Rotary positions of [1, heads, tokens, depth]."""
        numpy = self.numpy
        angles = numpy.outer(numpy.arange(tokens),
                             10000.0 ** (-numpy.arange(0, depth, 2) / depth))
        angles = numpy.concatenate([angles, angles], -1)[None, None]
        low = self.node("Slice", x, self.integers(0), self.integers(depth // 2), self.integers(-1))
        high = self.node("Slice", x, self.integers(depth // 2), self.integers(2 ** 63 - 1),
                         self.integers(-1))
        turned = self.node("Concat", self.node("Neg", high), low, axis=-1)
        return self.node("Add", self.node("Mul", x, self.constant(numpy.cos(angles))),
                         self.node("Mul", turned, self.constant(numpy.sin(angles))))

    def attention(self, x, tokens, channels, heads, causal=False, rotary=False, bias=True):
        numpy, depth = self.numpy, channels // heads

        def heads_of(order, turn):
            y = self.node("Reshape", self.dense(x, channels, channels, bias),
                          self.integers(1, tokens, heads, depth))
            y = self.node("Transpose", y, perm=[0, 2, 1, 3])
            y = self.rotated(y, tokens, depth) if turn else y
            return y if order else self.node("Transpose", y, perm=[0, 1, 3, 2])
        query, key, value = heads_of(1, rotary), heads_of(0, rotary), heads_of(1, False)
        scores = self.node("Mul", self.node("MatMul", query, key),
                           self.constant(1 / math.sqrt(depth)))
        if causal:
            mask = numpy.triu(numpy.full((1, 1, tokens, tokens), -1e4), 1)
            scores = self.node("Add", scores, self.constant(mask))
        mixed = self.node("MatMul", self.node("Softmax", scores, axis=-1), value)
        joined = self.node("Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]),
                           self.integers(1, tokens, channels))
        return self.dense(joined, channels, channels, bias)

    def encoder(self, x, tokens, channels, heads, **settings):
        x = self.node("Add", x, self.attention(self.norm(x, channels), tokens, channels, heads,
                                               **settings))
        inner = self.act(self.dense(self.norm(x, channels), channels, 4 * channels), "gelu")
        return self.node("Add", x, self.dense(inner, 4 * channels, channels))

    def embedding(self, name, tokens, channels):
        ids = self.input(name, [1, tokens], INT64)
        return self.node("Gather", self.weights(IDS, channels, fan=2), ids, axis=0)


def text_reader(e):
    """Convolutions, attention over the columns, letters of each."""
    x = e.conv(e.input("x", [1, 3, 32, 128]), 16, 3, stride=2, act="Relu")
    x = e.conv(e.conv(x, 16, 16, groups=16, act="HardSwish"), 32, 16, 1, act="HardSwish")
    x = e.conv(x, 48, 32, stride=2, act="HardSwish")  # 8 x 32
    x = e.node("AveragePool", x, kernel_shape=[8, 1], strides=[8, 1])
    x = e.node("Transpose", e.node("Squeeze", x, e.integers(2)), perm=[0, 2, 1])
    for _ in range(2):
        x = e.encoder(x, 32, 48, 3)
    return e.node("Softmax", e.dense(e.norm(x, 48), 48, 97), axis=2)


def text_finder(e):
    """Features of three sizes, brought together; a map of twice transposed convolutions."""
    x = e.conv(e.input("x", [1, 3, 64, 64]), 8, 3, stride=2, act="HardSwish")
    levels, channels = [], 8
    for filters in (16, 24, 40):
        x = e.conv(x, channels, channels, 5, stride=2, groups=channels, act="Relu")
        squeezed = e.conv(e.node("GlobalAveragePool", x), max(4, channels // 4), channels, 1,
                          act="Relu")
        gate = e.conv(squeezed, channels, max(4, channels // 4), 1, act="HardSigmoid")
        x = e.conv(e.node("Mul", x, gate), filters, channels, 1, act="HardSwish")
        levels.append(e.conv(x, 24, filters, 1))
        channels = filters
    for i in (1, 0):
        twice = e.node("Resize", levels[i + 1], "", e.constant([1, 1, 2, 2]), mode="nearest",
                       coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        levels[i] = e.node("Add", levels[i], twice)
    parts = []
    for i, level in enumerate(levels):
        y = e.conv(level, 8, 24)
        if i > 0:
            y = e.node("Resize", y, "", e.constant([1, 1, 2 ** i, 2 ** i]), mode="nearest",
                       coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        parts.append(y)
    x = e.conv(e.node("Concat", *parts, axis=1), 16, 24, act="Relu")
    for channels, filters in ((16, 8), (8, 1)):
        x = e.node("ConvTranspose", x, e.weights(channels, filters, 2, 2, fan=channels),
                   e.constant(e.random.normal(0, 0.1, filters)), kernel_shape=[2, 2],
                   strides=[2, 2])
        x = e.act(x, "Relu" if filters > 1 else "Sigmoid")
    return x


def file_types(e):
    """Bytes become vectors, which are mixed; the largest of all places decides."""
    x = e.embedding("bytes", 128, 32)
    x = e.norm(e.act(e.dense(x, 32, 64), "gelu"), 64)
    x = e.node("Reshape", x, e.integers(1, 32, 256))
    x = e.act(e.dense(x, 256, 64), "gelu")
    x = e.node("ReduceMax", x, axes=[1], keepdims=0)
    return e.node("Softmax", e.dense(e.norm(x, 64), 64, 20), axis=-1)


def vision_transformer(e):
    x = e.node("Conv", e.input("x", [1, 3, 32, 32]), e.weights(48, 3, 8, 8), kernel_shape=[8, 8],
               strides=[8, 8])
    x = e.node("Transpose", e.node("Reshape", x, e.integers(1, 48, 16)), perm=[0, 2, 1])
    x = e.node("Concat", e.weights(1, 1, 48, fan=8), x, axis=1)
    x = e.node("Add", x, e.weights(1, 17, 48, fan=8))
    for _ in range(2):
        x = e.encoder(x, 17, 48, 4)
    first = e.node("Gather", e.norm(x, 48), e.constant(0, "int64"), axis=1)
    return e.node("Gemm", first, e.weights(10, 48), e.constant(e.random.normal(0, 0.1, 10)),
                  transB=1)


def causal_transformer(e):
    x = e.node("Add", e.embedding("ids", 24, 48), e.weights(1, 24, 48, fan=8))
    for _ in range(2):
        x = e.encoder(x, 24, 48, 3, causal=True)
    return e.dense(e.norm(x, 48), 48, IDS, bias=False)


def convnext(e):
    x = e.node("Conv", e.input("x", [1, 3, 32, 32]), e.weights(24, 3, 4, 4), kernel_shape=[4, 4],
               strides=[4, 4])
    for _ in range(2):
        y = e.node("Transpose", e.conv(x, 24, 24, 7, groups=24), perm=[0, 2, 3, 1])
        y = e.dense(e.act(e.dense(e.norm(y, 24), 24, 96), "gelu"), 96, 24)
        y = e.node("Mul", y, e.constant(e.random.uniform(0.3, 1, 24)))
        x = e.node("Add", x, e.node("Transpose", y, perm=[0, 3, 1, 2]))
    x = e.norm(e.node("ReduceMean", x, axes=[2, 3], keepdims=0), 24)
    return e.node("Gemm", x, e.weights(10, 24), e.constant(e.random.normal(0, 0.1, 10)), transB=1)


def rotary_decoder(e):
    x = e.embedding("ids", 16, 48)
    for _ in range(2):
        y = e.attention(e.rms_norm(x, 48), 16, 48, 3, causal=True, rotary=True, bias=False)
        x = e.node("Add", x, y)
        y = e.rms_norm(x, 48)
        gate = e.act(e.dense(y, 48, 96, bias=False), "silu")
        y = e.node("Mul", gate, e.dense(y, 48, 96, bias=False))
        x = e.node("Add", x, e.dense(y, 96, 48, bias=False))
    return e.dense(e.rms_norm(x, 48), 48, IDS, bias=False)


def gru(e):
    steps, size, cells = 12, 20, 24
    x = e.node("Transpose", e.input("x", [1, steps, size]), perm=[1, 0, 2])
    y, _ = e.node("GRU", x, e.weights(1, 3 * cells, size, fan=size),
                  e.weights(1, 3 * cells, cells, fan=2 * cells),
                  e.constant(e.random.normal(0, 0.1, (1, 6 * cells))), outputs=2,
                  hidden_size=cells, linear_before_reset=1)
    y = e.node("Transpose", e.node("Squeeze", y, e.integers(1)), perm=[1, 0, 2])
    last = e.node("Gather", y, e.constant(-1, "int64"), axis=1)
    return e.node("Gemm", last, e.weights(6, cells), e.constant(e.random.normal(0, 0.1, 6)),
                  transB=1)


def dilated(e):
    """A temporal network: nothing later is seen."""
    x, channels = e.input("x", [1, 12, 64]), 12
    for i, filters in enumerate((24, 24, 24)):
        y = x
        for n in range(2):
            y = e.node("Pad", y, e.integers(0, 0, 2 * 2 ** i, 0, 0, 0))
            y = e.node("Relu", e.node(
                "Conv", y, e.weights(filters, channels if n == 0 else filters, 3),
                e.constant(e.random.normal(0, 0.1, filters)), kernel_shape=[3],
                dilations=[2 ** i]))
        if channels != filters:
            x = e.node("Conv", x, e.weights(filters, channels, 1), kernel_shape=[1])
        x, channels = e.node("Relu", e.node("Add", x, y)), filters
    last = e.node("Gather", x, e.constant(-1, "int64"), axis=2)
    return e.node("Gemm", last, e.weights(8, 24), e.constant(e.random.normal(0, 0.1, 8)), transB=1)


def picture_out(e):
    x = e.conv(e.input("x", [1, 1, 24, 32]), 24, 1, 5, act="Tanh")
    x = e.conv(e.conv(x, 16, 24, act="Tanh"), 9, 16)
    return e.node("DepthToSpace", x, blocksize=3, mode="CRD")


def hard_swish(e, x):
    """As it is written for operator sets that have none."""
    inner = e.node("Clip", e.node("Add", x, e.constant(3)), e.constant(0), e.constant(6))
    return e.node("Div", e.node("Mul", x, inner), e.constant(6))


def mobile(e):
    """Inverted bottlenecks; gates of means of the channels."""
    x, channels = hard_swish(e, e.conv(e.input("x", [1, 3, 48, 48]), 16, 3, stride=2)), 16
    for filters, wide, kernel, stride in ((16, 16, 3, 2), (24, 64, 3, 1), (24, 72, 5, 2),
                                          (24, 72, 5, 1)):
        y = hard_swish(e, e.conv(x, wide, channels, 1))
        y = hard_swish(e, e.conv(y, wide, wide, kernel, stride, groups=wide))
        gate = e.conv(e.node("ReduceMean", y, axes=[2, 3], keepdims=1), wide // 4, wide, 1,
                      act="Relu")
        gate = e.node("Add", e.conv(gate, wide, wide // 4, 1), e.constant(3))
        gate = e.node("Div", e.node("Clip", gate, e.constant(0), e.constant(6)), e.constant(6))
        y = e.conv(e.node("Mul", gate, y), filters, wide, 1)
        x = e.node("Add", x, y) if channels == filters and stride == 1 else y
        channels = filters
    x = e.node("Flatten", e.node("GlobalAveragePool", hard_swish(e, e.conv(x, 96, 24, 1))))
    return e.node("Gemm", x, e.weights(12, 96), e.constant(e.random.normal(0, 0.1, 12)), transB=1)


def segmenter(e):
    """Down by maxima, up by linear interpolation, what was there before beside it."""
    x, seen = e.input("x", [1, 3, 48, 64]), []
    for channels, filters in ((3, 12), (12, 24)):
        x = e.conv(e.conv(x, filters, channels, act="Relu"), filters, filters, act="Relu")
        seen.append((x, filters))
        x = e.node("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x, channels = e.conv(x, 32, 24, act="Relu"), 32
    for old, filters in reversed(seen):
        x = e.node("Resize", x, "", e.constant([1, 1, 2, 2]), mode="linear",
                   coordinate_transformation_mode="half_pixel")
        x = e.conv(e.node("Concat", old, x, axis=1), filters, channels + filters, act="Relu")
        channels = filters
    return e.node("Softmax", e.conv(x, 5, 12, 1), axis=1)


def tanh_gelu(e, x):
    cube = e.node("Mul", e.node("Pow", x, e.constant(3)), e.constant(0.044715))
    inner = e.node("Mul", e.node("Add", x, cube), e.constant(math.sqrt(2 / math.pi)))
    outer = e.node("Add", e.node("Tanh", inner), e.constant(1))
    return e.node("Mul", e.node("Mul", x, e.constant(0.5)), outer)


def mixer(e):
    """Tokens of a picture, mixed by layers over the tokens and by one attention at the end."""
    x = e.conv(e.input("x", [1, 3, 32, 32]), 24, 3, stride=2, act="Relu")
    x = e.node("Conv", x, e.weights(40, 24, 4, 4), kernel_shape=[4, 4], strides=[4, 4])
    x = e.node("Transpose", e.node("Reshape", x, e.integers(1, 40, 16)), perm=[0, 2, 1])
    for _ in range(2):
        y = e.node("Transpose", e.norm(x, 40), perm=[0, 2, 1])
        y = e.dense(tanh_gelu(e, e.dense(y, 16, 32)), 32, 16)
        x = e.node("Add", x, e.node("Transpose", y, perm=[0, 2, 1]))
        y = e.dense(tanh_gelu(e, e.dense(e.norm(x, 40), 40, 80)), 80, 40)
        x = e.node("Add", x, y)
    shares = e.node("Softmax", e.node("Transpose", e.dense(x, 40, 1), perm=[0, 2, 1]), axis=-1)
    x = e.node("Squeeze", e.node("MatMul", shares, x), e.integers(1))
    return e.node("Gemm", x, e.weights(10, 40), e.constant(e.random.normal(0, 0.1, 10)), transB=1)


def line_reader(e):
    """Convolutions, an LSTM over the columns both ways, logarithms of shares of letters."""
    x = e.conv(e.input("x", [1, 1, 16, 96]), 16, 1, act="Relu")
    x = e.node("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = e.node("MaxPool", e.conv(x, 24, 16, act="Relu"), kernel_shape=[2, 2], strides=[2, 2])
    x = e.node("Conv", x, e.weights(32, 24, 4, 1), kernel_shape=[4, 1])
    x = e.node("Transpose", e.node("Squeeze", e.node("Relu", x), e.integers(2)), perm=[2, 0, 1])
    y, _, _ = e.node("LSTM", x, e.weights(2, 96, 32, fan=64), e.weights(2, 96, 24, fan=64),
                     e.constant(e.random.normal(0, 0.1, (2, 192))), outputs=3, hidden_size=24,
                     direction="bidirectional")
    y = e.node("Reshape", e.node("Transpose", y, perm=[0, 2, 1, 3]), e.integers(24, 1, 48))
    return e.node("LogSoftmax", e.dense(y, 48, 30), axis=2)


def pose(e):
    """Maps by transposed convolutions, where each of them has its weight."""
    x = e.conv(e.input("x", [1, 3, 64, 48]), 16, 3, stride=2, act="Relu")
    for channels, filters in ((16, 24), (24, 32)):
        y = e.conv(x, channels, channels, stride=2, groups=channels, act="Relu")
        x = e.conv(y, filters, channels, 1, act="Relu")
    x = e.node("ConvTranspose", x, e.weights(32, 16, 4, 4, fan=128),
               e.constant(e.random.normal(0, 0.1, 16)), kernel_shape=[4, 4], strides=[2, 2],
               pads=[1, 1, 1, 1])
    x = e.conv(e.node("Relu", x), 9, 16, 1)
    x = e.node("Softmax", e.node("Reshape", x, e.integers(1, 9, 192)), axis=-1)
    x = e.node("Reshape", x, e.integers(1, 9, 16, 12))
    parts = []
    for axis, size in ((3, 12), (2, 16)):
        sums = e.node("ReduceSum", x, e.integers(5 - axis), keepdims=0)
        places = e.node("Mul", sums, e.constant(e.numpy.arange(size) / size))
        parts.append(e.node("ReduceSum", places, e.integers(2), keepdims=1))
    return e.node("Concat", *parts, axis=2)


def enhancer(e):
    """A picture of three times the size: what is added to the interpolated one."""
    picture = e.input("x", [1, 3, 20, 24])
    first = x = e.node("PRelu", e.conv(picture, 24, 3), e.constant(
        e.random.uniform(0.1, 0.4, (24, 1, 1))))
    for _ in range(2):
        y = e.conv(e.node("LeakyRelu", e.conv(x, 24, 24), alpha=0.2), 24, 24)
        x = e.node("Add", x, e.node("Mul", y, e.constant(0.2)))
    x = e.node("DepthToSpace", e.conv(e.node("Add", x, first), 27, 24), blocksize=3, mode="DCR")
    large = e.node("Resize", picture, "", e.constant([1, 1, 3, 3]), mode="linear",
                   coordinate_transformation_mode="pytorch_half_pixel")
    return e.node("Clip", e.node("Add", x, large), e.constant(-1), e.constant(1))


def wave(e):
    """Sound through a narrow place: one axis, groups of channels normalised, a gate."""
    def normalised(x, channels, groups):
        length = lengths[-1]
        y = e.node("Reshape", x, e.integers(1, groups, -1))
        y = e.node("InstanceNormalization", y, e.constant(e.numpy.ones(groups)),
                   e.constant(e.numpy.zeros(groups)))
        y = e.node("Reshape", y, e.integers(1, channels, length))
        y = e.node("Mul", y, e.constant(e.random.uniform(0.7, 1.3, (channels, 1))))
        return e.node("Add", y, e.constant(e.random.normal(0, 0.1, (channels, 1))))
    x, lengths = e.input("x", [1, 1, 256]), [256]
    for channels, filters in ((1, 16), (16, 24)):
        lengths.append(lengths[-1] // 4)
        x = e.node("Conv", x, e.weights(filters, channels, 8),
                   e.constant(e.random.normal(0, 0.1, filters)), kernel_shape=[8], strides=[4],
                   pads=[2, 2])
        x = e.node("Elu", normalised(x, filters, 4))
    half, gate = e.node("Split", e.node("Conv", x, e.weights(48, 24, 1), kernel_shape=[1]),
                        e.integers(24, 24), outputs=2, axis=1)
    x = e.node("Mul", half, e.node("Sigmoid", gate))
    for channels, filters in ((24, 16), (16, 1)):
        x = e.node("ConvTranspose", x, e.weights(channels, filters, 8, fan=channels * 2),
                   e.constant(e.random.normal(0, 0.1, filters)), kernel_shape=[8], strides=[4],
                   pads=[2, 2])
        x = e.node("Tanh" if filters == 1 else "Relu", x)
    return x


def detector(e):
    """Halves that go separate ways, maxima of growing windows, boxes from shares of distances."""
    def cross(x, channels):
        a, b = e.node("Split", e.conv(x, channels, channels, 1, act="silu"),
                      e.integers(channels // 2, channels // 2), outputs=2, axis=1)
        y = e.conv(e.conv(b, channels // 2, channels // 2, act="silu"), channels // 2,
                   channels // 2, act="silu")
        y = e.node("Concat", a, b, e.node("Add", b, y), axis=1)
        return e.conv(y, channels, 3 * channels // 2, 1, act="silu")
    x = e.conv(e.input("x", [1, 3, 64, 64]), 8, 3, stride=2, act="silu")
    x = cross(e.conv(x, 16, 8, stride=2, act="silu"), 16)
    small = cross(e.conv(x, 32, 16, stride=2, act="silu"), 32)
    y = [e.conv(small, 16, 32, 1, act="silu")]
    for _ in range(3):
        y.append(e.node("MaxPool", y[-1], kernel_shape=[5, 5], strides=[1, 1],
                        pads=[2, 2, 2, 2]))
    small = e.conv(e.node("Concat", *y, axis=1), 32, 64, 1, act="silu")
    twice = e.node("Resize", small, "", e.constant([1, 1, 2, 2]), mode="nearest",
                   coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    x = e.conv(e.node("Concat", twice, x, axis=1), 16, 48, 1, act="silu")
    parts = []
    for level, channels, places in ((x, 16, 256), (small, 32, 64)):
        both = e.node("Concat", e.conv(level, 32, channels), e.conv(level, 6, channels), axis=1)
        parts.append(e.node("Reshape", both, e.integers(1, 38, places)))
    boxes, classes = e.node("Split", e.node("Concat", *parts, axis=2), e.integers(32, 6),
                            outputs=2, axis=1)
    shares = e.node("Transpose", e.node("Reshape", boxes, e.integers(1, 4, 8, 320)),
                    perm=[0, 2, 1, 3])
    shares = e.node("Softmax", shares, axis=1)
    far = e.node("Conv", shares, e.constant(e.numpy.arange(8).reshape(1, 8, 1, 1)),
                 kernel_shape=[1, 1])
    near, far = e.node("Split", e.node("Reshape", far, e.integers(1, 4, 320)), e.integers(2, 2),
                       outputs=2, axis=1)
    centres = e.constant(e.random.uniform(0, 8, (1, 2, 320)))
    low, high = e.node("Sub", centres, near), e.node("Add", centres, far)
    middle = e.node("Div", e.node("Add", low, high), e.constant(2))
    return e.node("Concat", middle, e.node("Sub", high, low), e.node("Sigmoid", classes), axis=1)


KINDS = [text_reader, text_finder, file_types, vision_transformer, causal_transformer, convnext,
         rotary_decoder, gru, dilated, picture_out, mobile, segmenter, mixer, line_reader, pose,
         enhancer, wave, detector]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("floats", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of " + ", ".join(
        kind.__name__ for kind in KINDS))
    arguments = parser.parse_args()
    arguments.floats.mkdir(parents=True, exist_ok=True)
    settings = {}
    for seed, kind in enumerate(KINDS):
        exporter = Exporter(seed)
        result = kind(exporter)
        settings[kind.__name__] = {"below": {name: IDS for name, _, type_ in exporter.inputs
                                             if type_ == INT64}}
        if not arguments.names or kind.__name__ in arguments.names:
            exporter.save(arguments.floats / f"{kind.__name__}.onnx", result)
    (arguments.floats / "settings.json").write_text(json.dumps(settings))


if __name__ == "__main__":
    main()
