"""Seeded networks of dynamic range quantisation: weights of int8, values of float32."""
import numpy as np
from tflite_file import Network

KINDS = ["FULLY_CONNECTED", "CONV_2D", "DEPTHWISE_CONV_2D", "BATCH_MATMUL"]


def dynamic(seed):
    """Two in a row. Some rows and pictures are all 0."""
    rng = np.random.default_rng(seed)
    g = Network()
    kind = KINDS[seed % len(KINDS)]
    batch, channels = int(rng.integers(1, 4)), int(rng.integers(1, 20))
    if kind == "BATCH_MATMUL":
        batch = 1  # with two axes in front the reference takes the scales of other rows
    shape = (batch, channels) if kind == "FULLY_CONNECTED" else (
        batch, *(int(n) for n in rng.integers(3, 8, 2)), channels)
    x = g.input(shape, "uint8", float(rng.uniform(0.01, 0.2)), int(rng.choice([0, 128, 255, 90])))
    real = g.tensor(shape, "float32")
    g.operator("DEQUANTIZE", [x], [real])
    gates = rng.integers(0, 4, (batch, *[1] * (len(shape) - 1))) > 0
    x = g.tensor(shape, "float32")
    g.operator("MUL", [real, g.constant(gates, "float32")], [x])
    for _ in range(2):
        x = layer(g, rng, kind, x)
        g.outputs.append(x)
    return g


def layer(g, rng, kind, x):
    channels = x.shape[-1]
    if kind == "BATCH_MATMUL":
        return matrices(g, rng, x)
    count = channels if kind == "DEPTHWISE_CONV_2D" else int(rng.integers(1, 17))
    per_channel = kind == "DEPTHWISE_CONV_2D" or (kind == "CONV_2D" and rng.integers(0, 2))
    scale = rng.uniform(0.001, 0.02, count if per_channel else 1)
    options = {"activation": str(rng.choice(["NONE", "RELU", "RELU6"]))}
    if kind == "FULLY_CONNECTED":
        weights, axis, shape = (count, channels), 0, (*x.shape[:-1], count)
        options["asymmetric_quantize_inputs"] = bool(rng.integers(0, 2))
    else:
        size = [int(n) for n in rng.integers(1, 4, 2)]
        axis = 3 if kind == "DEPTHWISE_CONV_2D" else 0
        weights = (1, *size, count) if axis else (count, *size, channels)
        options.update(padding="SAME", stride_w=1, stride_h=1)
        if axis:
            options["depth_multiplier"] = 1
        shape = (*x.shape[:-1], count)
    kernel = g.constant(rng.integers(-127, 128, weights), "int8", scale, axis=axis)
    optional = kind != "CONV_2D" and not rng.integers(0, 4)
    bias = None if optional else g.constant(rng.normal(0, 1, count), "float32")
    y = g.tensor(shape, "float32")
    inputs = [x, kernel, bias]
    g.operator(kind, inputs if bias or kind == "FULLY_CONNECTED" else inputs[:2], [y], **options)
    return y


def matrices(g, rng, x):
    """The second operand has the axes in front, or none."""
    turned = bool(rng.integers(0, 2)) and x.shape[-1] > 1
    rows, depth = x.shape[:-3:-1] if turned else x.shape[-2:]
    columns, adjoint = int(rng.integers(1, 9)), bool(rng.integers(0, 2))
    front = x.shape[:-2] if rng.integers(0, 2) else ()
    size = (columns, depth) if adjoint else (depth, columns)
    kernel = g.constant(rng.integers(-127, 128, (*front, *size)), "int8",
                        float(rng.uniform(0.001, 0.02)))
    y = g.tensor((*x.shape[:-2], rows, columns), "float32")
    g.operator("BATCH_MATMUL", [x, kernel], [y], adjoint_a=turned, adjoint_b=adjoint,
               asymmetric_quantize_inputs=bool(rng.integers(0, 2)))
    return y


def lstm(g, rng, seed, x, units, weights, **options):
    """Every other one has peepholes, a projection, a normalisation, or no input gate."""
    batch = x.shape[1 if options["time_major"] else 0]
    more = seed // 8 % 2
    coupled, peepholes, projected, normal = (more and rng.integers(0, 2) for _ in range(4))
    given = int(rng.integers(1, 9)) if projected else units
    of_input, of_output = [[weights(units, n) for _ in range(4)] for n in (x.shape[2], given)]
    def vector(size=units):
        return g.constant(rng.normal(0, 0.5, size), "float32")
    biases = [vector() for _ in range(4)]
    def few(wanted, without=0):
        made = [None] * (3 + without)
        for i in range(3 + without):
            if wanted and not (coupled and i == 0):
                made[i] = vector() if without or of_input[1].kind == "float32" else \
                    g.constant(rng.integers(-127, 128, units), "int8", 0.006)
        return made
    if coupled:
        of_input[0] = of_output[0] = biases[0] = None
    projection = [weights(given, units), vector(given) if rng.integers(0, 2) else None] \
        if projected else [None, None]
    states = [g.variable((batch, n), "float32") for n in (given, units)]
    y = g.tensor([*x.shape[:2], given], "float32")
    inputs = [x, *of_input, *of_output, *few(peepholes), *biases, *projection, *states]
    if normal:
        inputs += few(True, 1)
    g.operator("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [y], activation=4,
               cell_clip=[0.0, 0.7][seed // 16 % 2], projection_clip=[0.0, 0.4][more], **options)
    return y


def recurrent(seed):
    """LSTM or SVDF of float32 that keeps its state, with weights of float32 or int8."""
    rng = np.random.default_rng(seed)
    g = Network()
    kind = ["float32", "int8"][seed // 2 % 2]
    batch, steps, depth, units = (int(n) for n in rng.integers((1, 2, 2, 1), (3, 5, 9, 9)))

    def weights(*shape):
        if kind == "float32":
            return g.constant(rng.normal(0, 0.4, shape), kind)
        return g.constant(rng.integers(-127, 128, shape), kind, 0.006)
    major, shape = seed // 4 % 2 and seed % 2 == 0, [batch, depth]
    if seed % 2 == 0:
        shape = [steps, batch, depth] if major else [batch, steps, depth]
    x = g.input(shape, "int8", 0.02, int(rng.integers(-50, 50)))
    real = g.tensor(shape, "float32")
    g.operator("DEQUANTIZE", [x], [real])
    asymmetric = bool(rng.integers(0, 2))
    if seed % 2:
        rank = int(rng.integers(1, 4))
        state = g.variable((batch, rank * units * steps), "float32")
        y = g.tensor((batch, units), "float32")
        bias = g.constant(rng.normal(0, 1, units), "float32") if rng.integers(0, 2) else None
        g.operator("SVDF", [real, weights(rank * units, depth), weights(rank * units, steps), bias,
                            state], [y], rank=rank, activation=["NONE", "RELU"][seed // 4 % 2],
                   asymmetric_quantize_inputs=asymmetric)
    else:
        y = lstm(g, rng, seed, real, units, weights, time_major=bool(major),
                 asymmetric_quantize_inputs=asymmetric)
    g.outputs = [y]
    return g
