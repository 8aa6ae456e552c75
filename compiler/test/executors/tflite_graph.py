"""A graph that draws its numbers, and what random operators ask of its tensors."""
import numpy as np
from tflite_file import TYPES, Network

SMALL = ["int8", "uint8", "int16"]
SIGNED = ["int8", "int16"]
ACTIVATIONS = ["NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"]


def fineness(kind):
    """Of a step, against one of int8."""
    return 1 / 256 if kind == "int16" else 1


class Graph(Network):
    def __init__(self, seed, kind="int8"):
        super().__init__()
        self.rng = np.random.default_rng(seed)
        self.powers = kind == "int16" and seed % 3 == 0  # scales of powers of two
        shape = (1, *self.rng.integers(5, 13, 2), self.integer(1, 13))
        self.start = self.input(shape, kind, **self.quantised(kind))

    # ---- what is drawn

    def integer(self, low, high):
        """From low to high - 1."""
        return int(self.rng.integers(low, high))

    def one_of(self, values):
        return values[self.integer(0, len(values))]

    def scale(self, kind="int8"):
        return self.settled(float(np.float32(self.rng.uniform(0.01, 0.1))) * fineness(kind))

    def settled(self, scale):
        return 2.0 ** np.round(np.log2(scale)) if self.powers else scale

    def zero(self, kind="int8"):
        """Int16 has none."""
        if kind == "int16":
            return 0
        return self.integer(-100, 100) + (128 if kind == "uint8" else 0)

    def quantised(self, kind="int8"):
        return {} if kind == "float32" else {"scale": self.scale(kind), "zero": self.zero(kind)}

    def words(self, *shape, kind="int8"):
        if kind == "int16":
            return self.rng.integers(-32768, 32768, shape)
        return self.rng.integers(-127, 128, shape) + (128 if kind == "uint8" else 0)

    # ---- what operators append

    def output(self, shape, scale, zero=None, kind="int8"):
        """With a scale that suits int8."""
        return self.tensor(shape, kind, self.settled(scale * fineness(kind)),
                           self.zero(kind) if zero is None else zero)

    def like(self, x, shape=None):
        """A tensor of the same kind, scale and zero point."""
        return self.tensor(x.shape if shape is None else shape, x.kind, x.scale, x.zero)

    def append(self, name, inputs, output, **options):
        outputs = output if isinstance(output, list) else [output]
        if inputs[-1] is None and name != "FULLY_CONNECTED":  # which alone may name none
            inputs = inputs[:-1]
        self.operator(name, inputs, outputs, **options)
        return outputs[-1]

    def parameters(self, x, shape, kernels, axis, per_channel=True, biases=("int64", "int32"),
                   optional=True):
        """Weights, a bias or, where it is optional, none, and a scale for an output that is
        alive."""
        scale = self.rng.uniform(0.002, 0.02, kernels if per_channel else 1).astype(np.float32)
        weights = self.constant(self.words(*shape), "int8", scale, axis=axis)
        most = round(4000 / fineness(x.kind))
        values = self.rng.integers(-most, most, kernels)
        kind = self.one_of(biases) if x.kind == "int16" else "int32"
        bias_scale = scale * x.scale
        left_out = optional and self.integer(0, 4) == 0
        bias = None if left_out else self.constant(values, kind, bias_scale)
        terms = np.prod(shape) / kernels
        reach = 70 * 70 * np.sqrt(terms) * float(bias_scale.mean()) / fineness(x.kind)
        return weights, bias, reach / 60 * self.rng.uniform(0.5, 2)


def bias_type(bias):
    """The option that says it of sums of int16."""
    return {"quantized_bias_type": TYPES[bias.kind]} if bias is not None else {}


def step(x):
    """The scale that the same real values have as int8."""
    return float(x.scale[0]) / fineness(x.kind)


def image(x):
    return x.kind in SMALL and len(x.shape) == 4


def signed_image(x):
    return image(x) and x.kind in SIGNED


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
