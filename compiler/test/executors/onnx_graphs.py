"""Random quantised ONNX networks."""
import numpy
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
KINDS = {"int8": TensorProto.INT8, "uint8": TensorProto.UINT8, "float32": TensorProto.FLOAT}


class Value:
    """A quantised tensor: name, shape, scale, zero point."""

    def __init__(self, name, shape, scale, zero):
        self.name, self.shape, self.scale, self.zero = name, tuple(shape), scale, zero


class Network:
    """Grows by one operator after the other, in QLinear or QDQ form. Every result is an output of
    the network, so that an executor shows it."""

    def __init__(self, rng, kind="int8", qdq=False, opset=17):
        self.rng, self.kind, self.qdq, self.opset = rng, numpy.dtype(kind), qdq, opset
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []
        self.operators = {}  # of outputs
        self.numbers = 0

    # ---- parts
    def constant(self, values, kind=None):
        self.numbers += 1
        name = f"constant{self.numbers}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(values, kind), name))
        return name

    def node(self, kind, inputs, domain="", **attributes):
        self.numbers += 1
        name = f"{kind}{self.numbers}"
        self.nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **attributes))
        return name

    def scale(self, low=0.002, high=0.1):
        return numpy.float32(numpy.exp(self.rng.uniform(numpy.log(low), numpy.log(high))))

    def zero(self):
        limits = numpy.iinfo(self.kind)
        return int(self.rng.integers(limits.min, limits.max + 1))

    def input(self, shape):
        name = f"input{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, KINDS[self.kind.name], shape))
        return Value(name, shape, self.scale(), self.zero())

    def values(self, shape):
        limits = numpy.iinfo(self.kind)
        return self.rng.integers(limits.min, limits.max + 1, shape).astype(self.kind)

    def parameters(self, value):
        return [self.constant(value.scale), self.constant(value.zero, self.kind)]

    def real(self, value):
        return self.node("DequantizeLinear", [value.name, *self.parameters(value)])

    def written(self, name, shape, scale, zero, operator):
        self.operators[name] = operator
        self.outputs.append((name, self.kind.name))
        return Value(name, shape, scale, zero)

    def quantised(self, name, shape, scale, zero, operator):
        """The integers of a real result."""
        value = Value(name, shape, scale, zero)
        integers = self.node("QuantizeLinear", [name, *self.parameters(value)])
        return self.written(integers, shape, scale, zero, operator)

    def model(self):
        graph = helper.make_graph(
            self.nodes, "random", self.inputs,
            [helper.make_tensor_value_info(n, KINDS[k], None) for n, k in self.outputs],
            self.constants)
        sets = [helper.make_opsetid("", self.opset), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=sets, ir_version=8)

    # ---- operators with weights
    def weights(self, shape, channel_axis, per_channel):
        """int8 around 0 and their scales; uint8 around 128 sometimes, with one scale."""
        values = self.rng.integers(-127, 128, shape)
        count = shape[channel_axis] if per_channel else 1
        scales = numpy.array([self.scale() for _ in range(count)], numpy.float32)
        kind = self.kind if not per_channel else numpy.dtype("int8")
        middle = 128 if kind == numpy.uint8 else 0
        zeros = numpy.full(count, middle, kind)
        if not per_channel:
            scales, zeros = scales[0], zeros[0]
        return (values + middle).astype(kind), scales, zeros

    def conv(self, x, kernels, kernel, stride=1, pads=0, groups=1, dilation=1, relu=None):
        channels, height, width = x.shape[1:]
        shape = (kernels, channels // groups, kernel[0], kernel[1])
        per_channel = bool(self.rng.integers(2))
        weights, scales, zeros = self.weights(shape, 0, per_channel)
        bias = self.rng.integers(-4000, 4000, kernels).astype(numpy.int32)
        sums = 40 * 73 * numpy.sqrt(numpy.prod(shape[1:]))
        scale = numpy.float32(x.scale * numpy.mean(scales) * sums / 100)
        zero = self.zero() if relu is None else int(numpy.iinfo(self.kind).min)
        attributes = {"pads": [pads] * 4, "strides": [stride] * 2, "group": groups,
                      "dilations": [dilation] * 2}
        size = [(n + 2 * pads - dilation * (k - 1) - 1) // stride + 1
                for n, k in zip((height, width), kernel)]
        out = (1, kernels, *size)
        if self.qdq:
            real = self.node("Conv", [self.real(x), self.real_weights(weights, scales, zeros, 0),
                                      self.real_bias(bias, x.scale, scales)], **attributes)
            if relu == "Relu":
                real = self.node("Relu", [real])
            return self.quantised(real, out, scale, zero, "Conv")
        name = self.node("QLinearConv", [
            x.name, *self.parameters(x), self.constant(weights), self.constant(scales),
            self.constant(zeros), self.constant(scale), self.constant(zero, self.kind),
            self.constant(bias)], **attributes)
        return self.written(name, out, scale, zero, "QLinearConv")

    def real_weights(self, weights, scales, zeros, axis):
        return self.node("DequantizeLinear", [self.constant(weights), self.constant(scales),
                                              self.constant(zeros)], axis=axis)

    def real_bias(self, bias, scale, scales):
        product = numpy.asarray(scale * scales, numpy.float32)
        return self.node("DequantizeLinear", [
            self.constant(bias), self.constant(product),
            self.constant(numpy.zeros(product.shape, numpy.int32))], axis=0)

    def connected(self, x, kernels, gemm=True):
        """Behind a flattening, if there are more axes than two."""
        channels = int(numpy.prod(x.shape[1:]))
        weights, scales, zeros = self.weights((channels, kernels), 1, False)
        bias = self.rng.integers(-4000, 4000, kernels).astype(numpy.int32)
        scale = numpy.float32(x.scale * scales * 40 * 73 * numpy.sqrt(channels) / 100)
        zero, out = self.zero(), (x.shape[0], kernels)
        if self.qdq:
            real = self.real(x)
            if len(x.shape) > 2:
                real = self.node("Flatten", [real])
                flat = self.quantised(real, (1, channels), x.scale, x.zero, "Flatten")
                real = self.real(flat)
            inputs = [real, self.real_weights(weights, scales, zeros, 0)]
            if gemm:
                inputs.append(self.real_bias(bias, x.scale, scales))
            real = self.node("Gemm" if gemm else "MatMul", inputs)
            return self.quantised(real, out, scale, zero, "Gemm" if gemm else "MatMul")
        name = self.node("Flatten", [x.name]) if len(x.shape) > 2 else x.name
        operands = [name, *self.parameters(x), self.constant(weights), self.constant(scales),
                    self.constant(zeros)]
        result = [self.constant(scale), self.constant(zero, self.kind)]
        if gemm:
            name = self.node("QGemm", operands + [self.constant(bias)] + result, MICROSOFT)
        else:
            name = self.node("QLinearMatMul", operands + result)
        return self.written(name, out, scale, zero, "QGemm" if gemm else "QLinearMatMul")

    # ---- operators without weights
    def two(self, kind, a, b):
        scale = numpy.float32((a.scale + b.scale) * 0.8 if kind == "Add" else
                              a.scale * b.scale * 100)
        zero = self.zero()
        if self.qdq:
            real = self.node(kind, [self.real(a), self.real(b)])
            return self.quantised(real, a.shape, scale, zero, kind)
        name = self.node("QLinear" + kind, [
            a.name, *self.parameters(a), b.name, *self.parameters(b), self.constant(scale),
            self.constant(zero, self.kind)], MICROSOFT)
        return self.written(name, a.shape, scale, zero, "QLinear" + kind)

    def one(self, kind, x, shape=None, scale=None, zero=None, **attributes):
        """An operator with a kernel of integers of its own."""
        shape = x.shape if shape is None else shape
        scale = numpy.float32(x.scale * self.rng.uniform(0.4, 1.2)) if scale is None else scale
        zero = self.zero() if zero is None else zero
        if self.qdq:
            real = self.node(kind, [self.real(x)], **attributes)
            return self.quantised(real, shape, scale, zero, kind)
        if kind == "Softmax":
            attributes["opset"] = 13
        name = self.node("QLinear" + kind, [x.name, *self.parameters(x), self.constant(scale),
                                            self.constant(zero, self.kind)], MICROSOFT,
                         **attributes)
        return self.written(name, shape, scale, zero, "QLinear" + kind)

    def average(self, x, kernel, stride, pads, include):
        size = [(n + 2 * pads - kernel) // stride + 1 for n in x.shape[2:]]
        return self.one("AveragePool", x, (*x.shape[:2], *size), kernel_shape=[kernel] * 2,
                        strides=[stride] * 2, pads=[pads] * 4, count_include_pad=include)

    def softmax(self, x):
        return self.one("Softmax", x, scale=numpy.float32(1 / 256),
                        zero=int(numpy.iinfo(self.kind).min), axis=-1)

    def moved(self, kind, x, shape, inputs=(), **attributes):
        """An operator that only moves integers."""
        if self.qdq:
            real = self.node(kind, [self.real(x), *inputs], **attributes)
            return self.quantised(real, shape, x.scale, x.zero, kind)
        name = self.node(kind, [x.name, *inputs], **attributes)
        return self.written(name, shape, x.scale, x.zero, kind)

    def concat(self, values):
        scale, zero = self.scale(), self.zero()
        shape = (1, sum(v.shape[1] for v in values), *values[0].shape[2:])
        if self.qdq:
            real = self.node("Concat", [self.real(v) for v in values], axis=1)
            return self.quantised(real, shape, scale, zero, "Concat")
        inputs = [self.constant(scale), self.constant(zero, self.kind)]
        for value in values:
            inputs += [value.name, *self.parameters(value)]
        name = self.node("QLinearConcat", inputs, MICROSOFT, axis=1)
        return self.written(name, shape, scale, zero, "QLinearConcat")


def step(network, x, others):
    """One operator on a picture."""
    rng = network.rng
    channels, height, width = x.shape[1:]
    alike = [v for v in others if v.shape == x.shape]
    same_size = [v for v in others if v.shape[2:] == x.shape[2:] and v.shape[1] + channels <= 48]
    choices = ["conv", "conv", "point", "depthwise", "LeakyRelu", "Sigmoid"]
    choices += ["max", "average", "slice"] if min(height, width) > 3 else []
    choices += ["Add", "Mul"] if alike else []
    choices += ["concat"] if same_size else []
    choices += ["resize"] if max(height, width) < 12 else []
    kind = rng.choice(choices)
    if kind == "conv" and min(height, width) > 2:
        return network.conv(x, int(rng.integers(1, 24)), rng.integers(1, 4, 2).tolist(),
                            int(rng.integers(1, 3)), int(rng.integers(0, 2)),
                            relu=rng.choice([None, "Relu"]))
    if kind == "depthwise" and min(height, width) > 2:
        return network.conv(x, channels, [3, 3], int(rng.integers(1, 3)), 1, channels)
    if kind in ("Add", "Mul"):
        return network.two(kind, x, alike[rng.integers(len(alike))])
    if kind == "LeakyRelu":
        return network.one(kind, x, alpha=float(rng.uniform(0.01, 0.3)))
    if kind == "Sigmoid":
        return network.one(kind, x, scale=numpy.float32(1 / 256))
    if kind == "average":
        return network.average(x, int(rng.integers(2, 4)), int(rng.integers(1, 3)),
                               int(rng.integers(0, 2)), int(rng.integers(0, 2)))
    if kind == "max":
        return network.moved("MaxPool", x, (1, channels, (height - 2) // 2 + 1,
                                            (width - 2) // 2 + 1),
                             kernel_shape=[2, 2], strides=[2, 2])
    if kind == "concat":
        return network.concat([x, same_size[rng.integers(len(same_size))]])
    if kind == "slice":
        ends = [numpy.array(v, numpy.int64) for v in ([1, 0], [height, width - 1], [2, 3])]
        return network.moved("Slice", x, (1, channels, height - 1, width - 1),
                             [network.constant(v) for v in ends])
    if kind == "resize":
        factors = numpy.array([1, 1, 2, 2], numpy.float32)
        return network.moved("Resize", x, (1, channels, 2 * height, 2 * width),
                             ["", network.constant(factors)], mode="nearest",
                             coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    return network.conv(x, int(rng.integers(1, 32)), [1, 1])


def chain(rng, kind, qdq, length):
    """A picture through some operators to classes."""
    network = Network(rng, kind, qdq)
    x = network.input((1, int(rng.integers(1, 9)), *rng.integers(5, 14, 2).tolist()))
    others = []
    for _ in range(length):
        y = step(network, x, others)
        others.append(y)
        x = y
    if rng.integers(2):
        x = network.one("GlobalAveragePool", x, (*x.shape[:2], 1, 1))
    x = network.connected(x, int(rng.integers(2, 20)), bool(rng.integers(2)))
    network.softmax(x)
    return network


def every_pair(kind, qdq, operator, rng):
    """All pairs of elements through an operator of two."""
    network = Network(rng, kind, qdq)
    a, b = network.input((256, 256)), network.input((256, 256))
    network.two(operator, a, b)
    v = numpy.arange(256).astype(numpy.uint8).view(network.kind)
    return network, [numpy.repeat(v, 256).reshape(256, 256), numpy.tile(v, 256).reshape(256, 256)]


FUNCTIONS = {"Relu": {}, "HardSwish": {}, "Tanh": {"scale": 1 / 128}, "Elu": {}, "Exp": {},
             "Abs": {}, "Neg": {}, "HardSigmoid": {"scale": 1 / 256}}
SHAPE = (1, 4, 8, 8)


def alone(kind, seed):
    """(name, network) of operators that have no kernel for integers there, and of constants."""
    def start(shape=SHAPE):
        network = Network(numpy.random.default_rng(seed), kind, True)
        return network, network.input(shape)

    def operand(network, shape):
        return network.node("DequantizeLinear", [network.constant(network.values(shape)),
                                                 network.constant(network.scale()),
                                                 network.constant(network.zero(), network.kind)])

    def finish(network, name, inputs, shape=SHAPE, scale=None, **attributes):
        scale = network.scale() if scale is None else numpy.float32(scale)
        network.quantised(network.node(name, inputs, **attributes), shape, scale, network.zero(),
                          name)
        return name, network

    for name, more in FUNCTIONS.items():
        network, x = start()
        yield finish(network, name, [network.real(x)], **more)
    for low, high in ((-0.7, 0.9), (0, 6)):
        network, x = start()
        bounds = [network.constant(numpy.float32(v)) for v in (low, high)]
        yield finish(network, "Clip", [network.real(x), *bounds])
    for name in ("Sub", "Max", "Min"):
        network, x = start()
        yield finish(network, name, [network.real(x), network.real(network.input(SHAPE))])
    for name in ("Add", "Mul"):
        for shape in ((1, 4, 1, 1), (1,)):
            network, x = start()
            yield finish(network, name, [network.real(x), operand(network, shape)])
            network, x = start()
            yield finish(network, name, [operand(network, shape), network.real(x)])
    network, x = start()
    yield finish(network, "ReduceMean", [network.real(x)], (1, 4, 1, 1), x.scale * 0.3, axes=[2, 3],
                 keepdims=1)
    for shape in ((4, 1, 1), (1, 1, 1), (1,)):
        network, x = start()
        yield finish(network, "PRelu", [network.real(x), operand(network, shape)])
    network, x = start()
    weights = network.real_weights(*network.weights((4, 3, 3, 3), 0, False), 0)
    yield finish(network, "ConvTranspose", [network.real(x), weights], (1, 3, 15, 15),
                 x.scale * 8, strides=[2, 2], pads=[1] * 4)
    network, x = start()
    network.moved("Transpose", x, (1, 8, 8, 4), perm=[0, 2, 3, 1])
    yield "Transpose", network
    for shape, amounts in (((1, 4, 9, 10), [0, 0, 1, 0, 0, 0, 0, 2]),
                           ((1, 3, 7, 6), [0, -1, 1, -3, 0, 0, -2, 1])):
        network, x = start()
        network.moved("Pad", x, shape, [network.constant(numpy.array(amounts, numpy.int64))])
        yield "Pad", network
    network, x = start()
    network.moved("Resize", x, (1, 4, 24, 16),
                  ["", network.constant(numpy.array([1, 1, 3, 2], numpy.float32))],
                  mode="nearest")
    yield "Resize", network
    network, x = start((50, 20))
    network.one("Softmax", x, scale=numpy.float32(0.0031), axis=-1)
    yield "Softmax", network
