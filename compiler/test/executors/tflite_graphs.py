"""Seeded random TFLite graphs: every operator that the reader knows, alone and in chains.

An operator is a function of the graph and one of its tensors: it appends itself and gives its
output, or None where it does not suit the tensor. Shapes, scales, zero points and options are
drawn; scales are such that outputs are neither all the same nor all at the bounds.
"""
import numpy as np
from tflite_file import Network
from tflite_repeat_graphs import batches, broadcast_to, gather, reduce_max, tile

SMALL = ["int8", "uint8"]
ACTIVATIONS = ["NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"]


class Graph(Network):
    def __init__(self, seed, kind="int8"):
        super().__init__()
        self.rng = np.random.default_rng(seed)
        shape = (1, *self.rng.integers(5, 13, 2), self.integer(1, 13))
        self.start = self.input(shape, kind, **self.quantised(kind))

    # ---- what is drawn

    def integer(self, low, high):
        """From low to high - 1."""
        return int(self.rng.integers(low, high))

    def one_of(self, values):
        return values[self.integer(0, len(values))]

    def scale(self):
        return float(np.float32(self.rng.uniform(0.01, 0.1)))

    def zero(self, kind="int8"):
        return self.integer(-100, 100) + (128 if kind == "uint8" else 0)

    def quantised(self, kind="int8"):
        return {} if kind == "float32" else {"scale": self.scale(), "zero": self.zero(kind)}

    def words(self, *shape, kind="int8"):
        return self.rng.integers(-127, 128, shape) + (128 if kind == "uint8" else 0)

    # ---- what operators append

    def output(self, shape, scale, zero=None, kind="int8"):
        return self.tensor(shape, kind, scale, self.zero(kind) if zero is None else zero)

    def like(self, x, shape=None):
        """A tensor of the same kind, scale and zero point."""
        return self.tensor(x.shape if shape is None else shape, x.kind, x.scale, x.zero)

    def append(self, name, inputs, output, **options):
        outputs = output if isinstance(output, list) else [output]
        self.operator(name, inputs, outputs, **options)
        return outputs[-1]

    def parameters(self, x, shape, kernels, axis, per_channel=True):
        """Weights, bias, and a scale for an output that is alive."""
        scale = self.rng.uniform(0.002, 0.02, kernels if per_channel else 1).astype(np.float32)
        weights = self.constant(self.words(*shape), "int8", scale, axis=axis)
        bias_scale = scale * x.scale
        bias = self.constant(self.rng.integers(-4000, 4000, kernels), "int32", bias_scale)
        terms = np.prod(shape) / kernels
        reach = 70 * 70 * np.sqrt(terms) * float(bias_scale.mean())
        return weights, bias, reach / 60 * self.rng.uniform(0.5, 2)


def image(x):
    return x.kind in SMALL and len(x.shape) == 4


def int8_image(x):
    return image(x) and x.kind == "int8"


def window(g, x, most=4, dilated=True):
    """Kernel, strides, dilation, padding and the outputs of a window that fits."""
    padding = g.one_of(["SAME", "VALID"])
    dilation = g.integer(1, 3) if dilated else 1
    if min(x.shape[1:3]) <= (most - 1) * dilation:
        dilation, most = 1, min(*x.shape[1:3], most)
    stride = [1, 1] if dilation > 1 else [g.integer(1, 4), g.integer(1, 4)]
    kernel = [g.integer(1, most + 1), g.integer(1, most + 1)]
    size = []
    for axis in range(2):
        extent = (kernel[axis] - 1) * dilation + 1 if padding == "VALID" else 1
        size.append(-(-(x.shape[axis + 1] - extent + 1) // stride[axis]))
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1]}
    return kernel, size, dilation, options


# ---------------------------------------------------------------- weights

def conv(g, x):
    if not int8_image(x):
        return None
    kernel, size, dilation, options = window(g, x)
    channels = x.shape[3]
    groups = g.one_of([n for n in range(1, channels + 1) if channels % n == 0] + [1] * 6)
    kernels = groups * g.integer(1, 17 if groups == 1 else 4)
    weights, bias, scale = g.parameters(x, (kernels, *kernel, channels // groups), kernels, 0)
    return g.append("CONV_2D", [x, weights, bias], g.output((1, *size, kernels), scale), **options,
                    dilation_h=dilation, dilation_w=dilation, activation=g.one_of(ACTIVATIONS))


def depthwise(g, x):
    if not int8_image(x) or x.shape[3] > 48:
        return None
    kernel, size, dilation, options = window(g, x)
    multiplier = g.one_of([1, 1, 2, 3])
    kernels = x.shape[3] * multiplier
    weights, bias, scale = g.parameters(x, (1, *kernel, kernels), kernels, 3)
    return g.append("DEPTHWISE_CONV_2D", [x, weights, bias], g.output((1, *size, kernels), scale),
                    **options, dilation_h=dilation, dilation_w=dilation,
                    depth_multiplier=multiplier, activation=g.one_of(ACTIVATIONS))


def transpose_conv(g, x):
    if not int8_image(x) or max(x.shape[1:3]) > 12:
        return None
    stride, padding = g.integer(1, 4), g.one_of(["SAME", "VALID"])
    kernel, kernels = g.integer(stride, stride + 3), g.integer(1, 9)
    size = [n * stride if padding == "SAME" else (n - 1) * stride + kernel for n in x.shape[1:3]]
    weights, bias, scale = g.parameters(x, (kernels, kernel, kernel, x.shape[3]), kernels, 0)
    shape = (1, *size, kernels)
    return g.append("TRANSPOSE_CONV", [g.constant(shape), weights, x, bias],
                    g.output(shape, scale), padding=padding, stride_h=stride, stride_w=stride)


def fully_connected(g, x):
    size = int(np.prod(x.shape))
    if x.kind != "int8" or size > 4096:
        return None
    kernels = g.integer(1, 24)
    weights, bias, scale = g.parameters(x, (kernels, size), kernels, 0, g.integer(0, 2) == 1)
    if g.integer(0, 4) == 0:
        bias = None
    return g.append("FULLY_CONNECTED", [x, weights, bias], g.output((1, kernels), scale),
                    activation=g.one_of(ACTIVATIONS))


def batch_matmul(g, x):
    """By a constant or an input, transposed or not, axes in front broadcast. TFLite 2.14 loses the
    first operand where it is transposed."""
    if x.kind != "int8" or len(x.shape) < 2:
        return None
    adjoint_b = g.integer(0, 2) == 1
    rows, depth = x.shape[-2:]
    columns = g.integer(1, 12)
    front = x.shape[:-2] if g.integer(0, 2) else (1,) * (len(x.shape) - 2)
    shape = (*front, columns, depth) if adjoint_b else (*front, depth, columns)
    y = g.constant(g.words(*shape), "int8", **g.quantised()) if g.integer(0, 2) else \
        g.input(shape, "int8", **g.quantised())
    scale = 5000 * np.sqrt(depth) * float(x.scale[0] * y.scale[0]) / 60 * g.rng.uniform(0.5, 2)
    return g.append("BATCH_MATMUL", [x, y], g.output((*x.shape[:-2], rows, columns), scale),
                    adjoint_b=adjoint_b)


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
        y = second(g, x, same)
        if y is None:
            return None
        if same:
            return g.append(name, [x, y], g.like(x))
        a, b = [100 * float(t.scale[0]) for t in (x, y)]
        if name == "SQUARED_DIFFERENCE":
            if x.kind != "int8":
                return None
            return g.append(name, [x, y] if g.integer(0, 2) else [y, x],
                            g.output(x.shape, (a + b) ** 2 / 200 * g.rng.uniform(0.5, 1.5)))
        reach = a * b if name == "MUL" else a + b
        out = g.output(x.shape, reach / 120 * g.rng.uniform(0.5, 1.5), kind=x.kind)
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
    if not int8_image(x):
        return None
    axes = g.one_of([[1, 2], [1, 2], [3], [2], [1, 2, 3], [-1]])
    keep = g.integer(0, 2) == 1
    taken = [axis % 4 for axis in axes]
    shape = [1 if i in taken else n for i, n in enumerate(x.shape) if keep or i not in taken]
    scale = x.scale[0] * g.rng.uniform(0.3, 1.2)
    return g.append("MEAN", [x, g.constant(axes)], g.output(shape, scale), keep_dims=keep)


def unary(name, reach=None, fixed=None, options=None):
    """The output's scale from the largest real value; or a scale and zero point that are fixed."""
    def append(g, x):
        if x.kind != "int8":
            return None
        largest = float(x.scale[0]) * max(127 - x.zero, 128 + x.zero)
        out = g.output(x.shape, *fixed) if fixed else \
            g.output(x.shape, (reach or (lambda v: v))(largest) / 128 * g.rng.uniform(0.6, 1.5))
        return g.append(name, [x], out, **(options(g) if options else {}))
    return append


def exp(g, x):
    """The output's scale covers all values: TFLite 2.14 wraps where they are larger."""
    if x.kind != "int8":
        return None
    largest = float(x.scale[0]) * (127 - x.zero)
    return g.append("EXP", [x], g.output(x.shape, np.exp(largest) / 250, -128)) \
        if largest < 12 else None


def real(name):
    """Functions that TFLite has for float32 alone, back to int8. Its reference resolver lacks CEIL and
    ROUND."""
    def append(g, x):
        if x.kind != "int8":
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
        if x.kind != "int8":
            return None
        y = g.append("QUANTIZE", [x], g.tensor(x.shape, "int8", x.scale, -128))
        most = float(x.scale[0]) ** (-0.5) if name == "RSQRT" else float(x.scale[0] * 255) ** 0.5
        return g.append(name, [y], g.output(x.shape, most / 200 * g.rng.uniform(0.2, 1.2)))
    return append


def prelu(g, x):
    if not int8_image(x):
        return None
    shape = [(1, 1, x.shape[3]), (x.shape[3],), (1, 1, 1)][g.rng.integers(3)]
    slopes = g.constant(g.words(*shape), "int8", **g.quantised())
    return g.append("PRELU", [x, slopes], g.output(x.shape, x.scale[0] * g.rng.uniform(0.5, 4)))


def softmax(g, x):
    """TFLite shifts by 32 and more, which is undefined, where 512 and more elements are alike."""
    if x.kind not in SMALL or x.shape[-1] > 500:
        return None
    least = -128 if x.kind == "int8" else 0
    return g.append("SOFTMAX", [x], g.output(x.shape, 1 / 256, least, x.kind),
                    beta=g.one_of([1.0, 1.0, float(np.float32(g.rng.uniform(0.2, 3)))]))


def requantise(g, x):
    """int8, uint8 and float32 to each other."""
    if x.kind == "float32":
        return g.append("QUANTIZE", [x], g.output(x.shape, g.scale()))
    kind = g.one_of(["int8", "uint8", "float32"]) if x.kind == "int8" else "int8"
    if kind == "float32":
        return g.append("DEQUANTIZE", [x], g.tensor(x.shape, kind))
    return g.append("QUANTIZE", [x], g.output(x.shape, x.scale[0] * g.rng.uniform(0.5, 2),
                                              kind=kind))


# ---------------------------------------------------------------- layout

def concat(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(0, len(x.shape))
    parts = [x]
    for _ in range(g.integer(1, 3)):
        shape = list(x.shape)
        shape[axis] = g.integer(1, 5)
        parts.append(g.constant(g.words(*shape, kind=x.kind), x.kind, x.scale, x.zero)
                     if g.integer(0, 2) else g.input(shape, x.kind, x.scale, x.zero))
    shape = list(x.shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    if axis == 0 and shape[0] > 1:
        return None
    return g.append("CONCATENATION", parts, g.like(x, shape),
                    axis=axis - g.one_of([0, len(shape)]))


def pad(g, x):
    if not image(x):
        return None
    amounts = np.concatenate([[[0, 0]], g.rng.integers(0, 3, (3, 2))])
    shape = np.array(x.shape) + amounts.sum(axis=1)
    inputs = [x, g.constant(amounts)]
    if g.integer(0, 2):
        return g.append("PAD", inputs, g.like(x, shape))
    value = x.zero if x.kind != "int8" or g.integer(0, 2) else g.integer(-128, 128)
    inputs.append(g.constant([value], x.kind, x.scale, x.zero))
    return g.append("PADV2", inputs, g.like(x, shape))


def mirror_pad(g, x):
    if not int8_image(x) or min(x.shape[1:3]) < 3:
        return None
    amounts = np.concatenate([[[0, 0]], g.rng.integers(0, 3, (2, 2)), [[0, 0]]])
    shape = np.array(x.shape) + amounts.sum(axis=1)
    return g.append("MIRROR_PAD", [x, g.constant(amounts)], g.like(x, shape),
                    mode=g.integer(0, 2))


def transpose(g, x):
    if not image(x):
        return None
    order = [0, *(1 + g.rng.permutation(3))]
    return g.append("TRANSPOSE", [x, g.constant(order)], g.like(x, [x.shape[i] for i in order]))


def strided_slice(g, x):
    if not image(x):
        return None
    begin, stride = [0] + [g.integer(0, n) for n in x.shape[1:]], [1] + [0, 0, 0]
    end = [1]
    for axis in (1, 2, 3):
        stride[axis] = g.one_of([1, 1, 2, -1, -2])
        n = x.shape[axis]
        end.append(g.integer(begin[axis] + 1, n + 1) if stride[axis] > 0 else
                   g.integer(-n - 1, begin[axis] - n))
    masks = {"begin_mask": g.one_of([0, 2, 8]), "end_mask": g.one_of([0, 4, 8])}
    index = tuple(slice(None if masks["begin_mask"] >> i & 1 else begin[i],
                        None if masks["end_mask"] >> i & 1 else end[i], stride[i])
                  for i in range(4))
    shape = np.zeros(x.shape, np.int8)[index].shape
    return g.append("STRIDED_SLICE", [x, *map(g.constant, (begin, end, stride))],
                    g.like(x, shape), **masks)


def slice_(g, x):
    begin = [g.integer(0, n) for n in x.shape]
    size = [g.integer(1, n - b + 1) for n, b in zip(x.shape, begin)]
    return g.append("SLICE", [x, g.constant(begin), g.constant(size)], g.like(x, size))


def split(g, x):
    axis = g.integer(1, len(x.shape))
    n = x.shape[axis]
    parts = g.one_of([i for i in (1, 2, 3, 4) if n % i == 0])
    shape = list(x.shape)
    shape[axis] = n // parts
    return g.append("SPLIT", [g.constant(axis), x], [g.like(x, shape) for _ in range(parts)],
                    num_splits=parts)


def split_sizes(g, x):
    axis = g.integer(1, len(x.shape))
    if x.shape[axis] < 2:
        return None
    first = g.integer(1, x.shape[axis])
    sizes = [first, x.shape[axis] - first]
    shapes = [[size if i == axis else n for i, n in enumerate(x.shape)] for size in sizes]
    return g.append("SPLIT_V", [x, g.constant(sizes), g.constant(axis)],
                    [g.like(x, shape) for shape in shapes], num_splits=2)


def unpack(g, x):
    axis = g.integer(1, len(x.shape))
    n = x.shape[axis]
    if n > 12:
        return None
    shape = x.shape[:axis] + x.shape[axis + 1:]
    return g.append("UNPACK", [x], [g.like(x, shape) for _ in range(n)], num=n, axis=axis)


def pack(g, x):
    if len(x.shape) > 3:
        return None
    axis = g.integer(1, len(x.shape) + 1)
    shape = (*x.shape[:axis], 2, *x.shape[axis:])
    y = g.input(x.shape, x.kind, x.scale, x.zero)
    return g.append("PACK", [x, y], g.like(x, shape), values_count=2, axis=axis)


def reshape(g, x):
    if not image(x):
        return None
    shape = g.one_of([(1, int(np.prod(x.shape))), (1, x.shape[2], x.shape[1], x.shape[3]),
                      (1, 1, x.shape[1] * x.shape[2], x.shape[3])])
    return g.append("RESHAPE", [x, g.constant(shape)], g.like(x, shape))


def squeeze(g, x):
    """Adds an axis and takes it away again."""
    if len(x.shape) > 3:
        return None
    y = g.append("EXPAND_DIMS", [x, g.constant(1)], g.like(x, (x.shape[0], 1, *x.shape[1:])))
    return g.append("SQUEEZE", [y], g.like(x)) if x.shape[0] > 1 else y


def resize(name):
    def append(g, x):
        if not image(x):
            return None
        size = [g.integer(1, 20), g.integer(1, 20)]
        corners, centers = g.one_of([(False, False), (True, False), (False, True)])
        return g.append(name, [x, g.constant(size)], g.like(x, (1, *size, x.shape[3])),
                        align_corners=corners, half_pixel_centers=centers)
    return append


def argmax(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(1, len(x.shape))
    out = g.tensor(x.shape[:axis] + x.shape[axis + 1:], "int32")
    return g.append("ARG_MAX", [x, g.constant([axis])], out, output_type=2)


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
}


def chain(seed, first, length, kind="int8"):
    """A graph that begins with operator `first`, if that suits the input; all ends are outputs."""
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
        if np.prod(x.shape) > 20000 or len(x.shape) < 2 or x.kind == "int32":
            break
        y = INT8[g.one_of(names)](g, x)
        x = x if y is None else y
    read = {t.index for _, inputs, _, _ in g.operators for t in inputs if t is not None}
    g.outputs = [t for _, _, outputs, _ in g.operators for t in outputs if t.index not in read]
    used = {t.index for t in g.inputs if t.index in read}
    g.inputs = [t for t in g.inputs if t.index in used]
    return g


def reshape_vector(g, x):
    shape = (1, int(np.prod(x.shape)))
    return g.append("RESHAPE", [x, g.constant(shape)], g.like(x, shape))
