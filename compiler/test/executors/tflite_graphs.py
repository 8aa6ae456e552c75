"""Seeded random TFLite graphs: every operator that the reader knows, alone and in chains.

An operator is a function of the graph and one of its tensors: it appends itself and gives its
output, or None where it does not suit the tensor. Shapes, scales, zero points and options are
drawn; scales are such that outputs are neither all the same nor all at the bounds.
"""
import numpy as np
from tflite_choice_graphs import CHOICES, connected, l2_pool
from tflite_graph import (ACTIVATIONS, SIGNED, SMALL, Graph, bias_type, image, signed_image, step,
                          window)
from tflite_layout_graphs import (argmax, concat, mirror_pad, pack, pad, reshape, resize, slice_, split,
                                  split_sizes, squeeze, strided_slice, transpose, unpack)
from tflite_repeat_graphs import batches, broadcast_to, gather, reduce_max, tile


# ---------------------------------------------------------------- weights

def conv(g, x):
    if not signed_image(x):
        return None
    kernel, size, dilation, options = window(g, x)
    channels = x.shape[3]
    groups = g.one_of([n for n in range(1, channels + 1) if channels % n == 0] + [1] * 6)
    kernels = groups * g.integer(1, 17 if groups == 1 else 4)
    weights, bias, scale = g.parameters(x, (kernels, *kernel, channels // groups), kernels, 0,
                                        optional=False)
    out = g.output((1, *size, kernels), scale, kind=x.kind)
    return g.append("CONV_2D", [x, weights, bias], out, **options, **bias_type(bias),
                    dilation_h=dilation, dilation_w=dilation, activation=g.one_of(ACTIVATIONS))


def depthwise(g, x):
    if not signed_image(x) or x.shape[3] > 48:
        return None
    kernel, size, dilation, options = window(g, x)
    multiplier = g.one_of([1, 1, 2, 3])
    kernels = x.shape[3] * multiplier
    weights, bias, scale = g.parameters(x, (1, *kernel, kernels), kernels, 3, biases=["int64"])
    out = g.output((1, *size, kernels), scale, kind=x.kind)
    return g.append("DEPTHWISE_CONV_2D", [x, weights, bias], out, **options,
                    dilation_h=dilation, dilation_w=dilation,
                    depth_multiplier=multiplier, activation=g.one_of(ACTIVATIONS))


def transpose_conv(g, x):
    if not signed_image(x) or max(x.shape[1:3]) > 12:
        return None
    stride, padding = g.integer(1, 4), g.one_of(["SAME", "VALID"])
    kernel, kernels = g.integer(stride, stride + 3), g.integer(1, 9)
    size = [n * stride if padding == "SAME" else (n - 1) * stride + kernel for n in x.shape[1:3]]
    weights, bias, scale = g.parameters(x, (kernels, kernel, kernel, x.shape[3]), kernels, 0)
    shape = (1, *size, kernels)
    return g.append("TRANSPOSE_CONV", [g.constant(shape), weights, x, bias],
                    g.output(shape, scale, kind=x.kind), padding=padding,
                    **bias_type(bias), stride_h=stride, stride_w=stride)


def fully_connected(g, x):
    if x.kind == "int8" and g.integer(0, 4) == 0:
        return connected(g, x)
    size = int(np.prod(x.shape))
    if x.kind not in SIGNED or size > 4096:
        return None
    kernels = g.integer(1, 24)
    weights, bias, scale = g.parameters(x, (kernels, size), kernels, 0, g.integer(0, 2) == 1)
    out = g.output((1, kernels), scale, kind=x.kind)
    return g.append("FULLY_CONNECTED", [x, weights, bias], out, **bias_type(bias), activation=g.one_of(ACTIVATIONS))


def batch_matmul(g, x):
    """By a constant or an input, transposed or not, axes in front broadcast. TFLite 2.14 loses the
    first operand where it is transposed."""
    if x.kind not in SIGNED or len(x.shape) < 2:
        return None
    adjoint_b = g.integer(0, 2) == 1
    rows, depth = x.shape[-2:]
    columns = g.integer(1, 12)
    front = x.shape[:-2] if g.integer(0, 2) else (1,) * (len(x.shape) - 2)
    shape = (*front, columns, depth) if adjoint_b else (*front, depth, columns)
    y = g.constant(g.words(*shape, kind=x.kind), x.kind, **g.quantised(x.kind)) \
        if g.integer(0, 2) else g.input(shape, x.kind, **g.quantised(x.kind))
    scale = 5000 * np.sqrt(depth) * step(x) * step(y) / 60 * g.rng.uniform(0.5, 2)
    out = g.output((*x.shape[:-2], rows, columns), scale, kind=x.kind)
    return g.append("BATCH_MATMUL", [x, y], out, adjoint_b=adjoint_b)


# ---------------------------------------------------------------- arithmetic

def second(g, x, same=False):
    """Another operand: a constant, broadcast or not, an earlier tensor, a new input, x itself."""
    if x.kind not in SMALL or len(x.shape) > 4:
        return None
    # None of the graph's tensors that the reader or a later operator treats as weights.
    fits = [t for t in g.tensors if t.shape == x.shape and t.kind == x.kind and t.data is None and
            (not same or (t.scale == x.scale and t.zero == x.zero))]
    quantised = {"scale": x.scale, "zero": x.zero} if same else g.quantised(x.kind)
    shape = g.one_of([x.shape, (*[1] * (len(x.shape) - 1), x.shape[-1]), (1,) * len(x.shape)])
    kind = g.integer(0, 4)
    if kind == 0:
        return g.constant(g.words(*shape, kind=x.kind), x.kind, **quantised)
    if kind == 1:
        return g.input(x.shape, x.kind, **quantised)
    return g.one_of(fits)


def binary(name):
    def append(g, x):
        same = name in ("MAXIMUM", "MINIMUM")
        shifts = g.powers and x.kind == "int16" and name in ("ADD", "SUB")
        y = g.input(x.shape, x.kind, **g.quantised(x.kind)) if shifts else second(g, x, same)
        if y is None:
            return None
        if same:
            return g.append(name, [x, y], g.like(x))
        a, b = 100 * step(x), 100 * step(y)
        if name == "SQUARED_DIFFERENCE":
            if x.kind not in SIGNED:
                return None
            return g.append(name, [x, y] if g.integer(0, 2) else [y, x],
                            g.output(x.shape, (a + b) ** 2 / 200 * g.rng.uniform(0.5, 1.5),
                                     kind=x.kind))
        reach = a * b if name == "MUL" else a + b
        scale = max(step(x), step(y)) if shifts else reach / 120 * g.rng.uniform(0.5, 1.5)
        out = g.output(x.shape, scale, kind=x.kind)
        return g.append(name, [x, y] if g.integer(0, 2) else [y, x], out,
                        activation=g.one_of(ACTIVATIONS))
    return append


def pool(name):
    def append(g, x):
        if not image(x):
            return None
        kernel, size, _, options = window(g, x, 6, False)
        return g.append(name, [x], g.like(x, (1, *size, x.shape[3])), **options,
                        filter_h=kernel[0], filter_w=kernel[1], activation=g.one_of(ACTIVATIONS))
    return append


def mean(g, x):
    if not signed_image(x):
        return None
    axes = g.one_of([[1, 2], [1, 2], [3], [2], [1, 2, 3], [-1]])
    keep = g.integer(0, 2) == 1
    taken = [axis % 4 for axis in axes]
    shape = [1 if i in taken else n for i, n in enumerate(x.shape) if keep or i not in taken]
    scale = step(x) * g.rng.uniform(0.3, 1.2)
    return g.append("MEAN", [x, g.constant(axes)], g.output(shape, scale, kind=x.kind), keep_dims=keep)


def unary(name, reach=None, fixed=None, options=None):
    """The output's scale from the largest real value; or a scale and zero point that are fixed."""
    def append(g, x):
        if x.kind not in SIGNED:
            return None
        largest = step(x) * max(127 - x.zero, 128 + x.zero)
        if fixed and x.kind == "int16":
            out = g.output(x.shape, 1 / 128, 0, x.kind)
        elif fixed:
            out = g.output(x.shape, *fixed)
        else:
            scale = (reach or (lambda v: v))(largest) / 128 * g.rng.uniform(0.6, 1.5)
            out = g.output(x.shape, scale, kind=x.kind)
        return g.append(name, [x], out, **(options(g) if options else {}))
    return append


def exp(g, x):
    """The output's scale covers all values: TFLite 2.14 wraps where they are larger."""
    if x.kind not in SIGNED:
        return None
    largest = step(x) * (127 - x.zero)
    zero = -128 if x.kind == "int8" else 0
    return g.append("EXP", [x], g.output(x.shape, np.exp(largest) / 250, zero, x.kind)) \
        if largest < 12 else None


def real(name):
    """Functions that TFLite has for float32 alone, back to int8. Its reference resolver lacks CEIL and
    ROUND."""
    def append(g, x):
        if x.kind not in SIGNED:
            return None
        y = g.append("DEQUANTIZE", [x], g.tensor(x.shape, "float32"))
        if name == "LOG":
            y = g.append("EXP", [y], g.tensor(x.shape, "float32"))
        y = g.append(name, [y], g.tensor(x.shape, "float32"))
        return g.append("QUANTIZE", [y], g.output(x.shape, g.scale()))
    return append


def rsqrt(name):
    """Of values that are not negative."""
    def append(g, x):
        if x.kind not in SIGNED:
            return None
        y = g.append("QUANTIZE", [x], g.tensor(x.shape, "int8", x.scale, -128)) \
            if x.kind == "int8" else g.append("ABS", [x], g.like(x))
        most = float(x.scale[0]) ** (-0.5) if name == "RSQRT" else float(x.scale[0] * 255) ** 0.5
        return g.append(name, [y], g.output(x.shape, most / 200 * g.rng.uniform(0.2, 1.2),
                                            kind=x.kind))
    return append


def prelu(g, x):
    if not signed_image(x):
        return None
    shape = [(1, 1, x.shape[3]), (x.shape[3],), (1, 1, 1)][g.rng.integers(3)]
    slopes = g.constant(g.words(*shape), "int8", g.scale(), 0 if x.kind == "int16" else g.zero())
    return g.append("PRELU", [x, slopes], g.output(x.shape, step(x) * g.rng.uniform(0.5, 4),
                                                   kind=x.kind))


def softmax(g, x):
    """TFLite shifts by 32 and more, which is undefined, where 512 and more elements are alike."""
    if x.kind not in SMALL or x.shape[-1] > 500:
        return None
    least = -128 if x.kind == "int8" else 0
    one = 128 if x.kind == "int16" else 256
    return g.append("SOFTMAX", [x], g.output(x.shape, 1 / one, least, x.kind),
                    beta=g.one_of([1.0, 1.0, float(np.float32(g.rng.uniform(0.2, 3)))]))


def requantise(g, x):
    """int8, uint8, int16 and float32 to each other."""
    if x.kind == "float32":
        return g.append("QUANTIZE", [x], g.output(x.shape, g.scale(), kind=g.one_of(SIGNED)))
    kind = g.one_of({"int8": ["int8", "uint8", "float32"], "uint8": ["int8"],
                     "int16": ["int8", "int16", "float32"]}[x.kind])
    if kind == "float32":
        return g.append("DEQUANTIZE", [x], g.tensor(x.shape, kind))
    return g.append("QUANTIZE", [x], g.output(x.shape, step(x) * g.rng.uniform(0.5, 2), kind=kind))


INT8 = {
    "CONV_2D": conv, "DEPTHWISE_CONV_2D": depthwise, "TRANSPOSE_CONV": transpose_conv,
    "FULLY_CONNECTED": fully_connected, "ADD": binary("ADD"), "SUB": binary("SUB"),
    "MUL": binary("MUL"), "SQUARED_DIFFERENCE": binary("SQUARED_DIFFERENCE"),
    "BATCH_MATMUL": batch_matmul, "RSQRT": rsqrt("RSQRT"),
    "GELU": unary(
        "GELU", options=lambda g: {"approximate": g.integer(0, 2) == 1}),
    "MAXIMUM": binary("MAXIMUM"), "MINIMUM": binary("MINIMUM"),
    "AVERAGE_POOL_2D": pool("AVERAGE_POOL_2D"), "MAX_POOL_2D": pool("MAX_POOL_2D"), "MEAN": mean,
    "RELU": unary("RELU"), "RELU6": unary("RELU6"), "RELU_N1_TO_1": unary("RELU_N1_TO_1"),
    "LEAKY_RELU": unary("LEAKY_RELU", options=lambda g: {"alpha": float(g.rng.uniform(0, 1.2))}),
    "LOGISTIC": unary("LOGISTIC", fixed=(1 / 256, -128)),
    "TANH": unary("TANH", fixed=(1 / 128, 0)), "HARD_SWISH": unary("HARD_SWISH"),
    "EXP": exp, "ABS": unary("ABS"), "PRELU": prelu, "SOFTMAX": softmax, "QUANTIZE": requantise,
    **{name: real(name) for name in ("SIN", "COS", "LOG", "FLOOR", "SIGN")},
    "CONCATENATION": concat, "PAD": pad, "MIRROR_PAD": mirror_pad, "TRANSPOSE": transpose, "STRIDED_SLICE": strided_slice,
    "SLICE": slice_, "SPLIT": split, "SPLIT_V": split_sizes, "UNPACK": unpack, "PACK": pack,
    "TILE": tile, "BROADCAST_TO": broadcast_to, "GATHER": gather, "REDUCE_MAX": reduce_max,
    "BATCH_TO_SPACE_ND": batches, "RESHAPE": reshape, "SQUEEZE": squeeze, "RESIZE_BILINEAR": resize("RESIZE_BILINEAR"),
    "RESIZE_NEAREST_NEIGHBOR": resize("RESIZE_NEAREST_NEIGHBOR"), "ARG_MAX": argmax,
    **CHOICES, "L2_POOL_2D": l2_pool(window),
}


# The reference has no kernel of int16 for these; newer ones have one for the latter.
COMPARED16 = {"EQUAL", "LESS", "GREATER_EQUAL"}
NOT_INT16 = {"SQUARED_DIFFERENCE", "RELU_N1_TO_1", "HARD_SWISH", "ARG_MAX", "L2_POOL_2D",
             *(set(CHOICES) - COMPARED16)}
NEW_INT16 = {"RSQRT", "GELU", "TILE", "PRELU"}


def chain(seed, first, length, kind="int8", new=False):
    """A graph that begins with operator `first`, if that suits the input; all ends are outputs.
    `new`: for LiteRT 2."""
    left_out = NOT_INT16 if new else NOT_INT16 | NEW_INT16
    g = Graph(seed, kind)
    x = None
    at = g.start
    if first in ("PACK", "SQUEEZE"):  # these want fewer axes
        at = reshape_vector(g, at)
    x = INT8[first](g, at)
    if x is None:
        return None
    names = list(INT8)
    for _ in range(length - 1):
        # Kernels of the reference have at most five axes.
        if np.prod(x.shape) > 20000 or not 2 <= len(x.shape) <= 5 or x.kind == "int32":
            break
        name = g.one_of(names)
        if x.kind == "int16" and name in left_out:
            continue
        y = INT8[name](g, x)
        x = x if y is None else y
    read = {t.index for _, inputs, _, _ in g.operators for t in inputs if t is not None}
    g.outputs = [t for _, _, outputs, _ in g.operators for t in outputs if t.index not in read]
    used = {t.index for t in g.inputs if t.index in read}
    g.inputs = [t for t in g.inputs if t.index in used]
    return g


def reshape_vector(g, x):
    shape = (1, int(np.prod(x.shape)))
    return g.append("RESHAPE", [x, g.constant(shape)], g.like(x, shape))
