"""Loops whose turns are known, as converters make them of recurrent layers; spectra; weights of 4
bits."""
import numpy as np
from tflite_file import Network


def condition_of(shapes):
    """The number of the turn is less than two limits."""
    g = Network()
    inputs = [g.input(shape, kind, scale, zero) for shape, kind, scale, zero in shapes]
    truths = []
    for limit in inputs[1:3]:
        truths.append(g.tensor((), "bool"))
        g.operator("LESS", [inputs[0], limit], [truths[-1]])
    both = g.tensor((), "bool")
    g.operator("LOGICAL_AND", truths, [both])
    g.outputs = [both]
    return g


def body_of(shapes, rng, real):
    """Of the next row and the state a new state, which is the row of the result."""
    g = Network()
    number, *limits, x, state, rows = (
        g.input(shape, kind, scale, zero) for shape, kind, scale, zero in shapes)
    steps, units = rows.shape
    next_number = g.tensor((), "int32")
    g.operator("ADD", [number, g.constant(np.array(1, np.int32))], [next_number])
    one = g.tensor((1,), "int32")
    g.operator("RESHAPE", [number, g.constant([1])], [one])
    row = g.tensor((1, x.shape[1]), x.kind, x.scale, x.zero)
    g.operator("GATHER", [x, one], [row], axis=0)
    weights = rng.normal(0, 0.3, (units, x.shape[1])) if real else \
        rng.integers(-127, 128, (units, x.shape[1]))
    w = g.constant(weights, "float32" if real else "int8", None if real else 0.01)
    sums = g.tensor((1, units), state.kind, None if real else 0.05)
    g.operator("FULLY_CONNECTED", [row, w, None], [sums])
    total = g.tensor((1, units), state.kind, None if real else 0.06)
    g.operator("ADD", [sums, state], [total])
    new = g.tensor((1, units), state.kind, state.scale, state.zero)
    g.operator("TANH", [total], [new])
    # Where the result is written: the rows in front, the new one, those behind.
    places = g.tensor((steps, 1), "bool")
    g.operator("EQUAL", [g.constant(np.arange(steps)[:, None]), number], [places])
    next_rows = g.tensor(rows.shape, rows.kind, rows.scale, rows.zero)
    g.operator("SELECT_V2", [places, new, rows], [next_rows])
    g.outputs = [next_number, *limits, x, new, next_rows]
    return g


def loop(seed):
    rng = np.random.default_rng(seed)
    real = seed % 2 == 0
    steps, depth, units = (int(n) for n in rng.integers(2, 7, 3))
    bounded = ("float32", None) if real else ("int8", 1 / 128)
    g = Network()
    x = g.input((steps, depth), "int8", 0.02, 0)
    rows = x
    if real:
        rows = g.tensor((steps, depth), "float32")
        g.operator("DEQUANTIZE", [x], [rows])
    numbers = [g.constant(np.array(n, np.int32)) for n in (0, steps, steps - seed // 2 % 2)]
    states = [g.constant(np.zeros(shape), *bounded) for shape in ((1, units), (steps, units))]
    inputs = [*numbers, rows, *states]
    shapes = [(t.shape, t.kind, t.scale, t.zero) for t in inputs]
    outputs = [g.tensor(*shape) for shape in shapes]
    g.operator("WHILE", inputs, outputs, condition=1, body=2)
    y = g.tensor((steps, units), *bounded)
    g.operator("ABS", [outputs[-1]], [y])
    g.outputs = [outputs[-2], y]
    g.subgraphs = [condition_of(shapes), body_of(shapes, rng, real)]
    return g


def branch(kind, shape, scale, function, other, second):
    """A function of x and another one of it, or of x twice."""
    g = Network()
    x = g.input(shape, kind, scale, 0)
    y, z = g.tensor(shape, kind, scale, 0), g.tensor(shape, kind, scale, 0)
    g.operator(function, [x], [y])
    g.operator(other, [y if second else x], [z])
    g.outputs = [y, z]
    return g


def two_ways(seed):
    """The largest of a row decides: two results of each branch."""
    rng = np.random.default_rng(seed)
    kind, scale = (("float32", None), ("int8", 0.02), ("int16", 0.0002))[seed % 3]
    shape = tuple(int(n) for n in rng.integers(1, 6, 2))
    g = Network()
    x = rows = g.input(shape, "int8", 0.02, 0)
    if kind != "int8":
        rows = g.tensor(shape, kind, scale, 0)
        real = rows if scale is None else g.tensor(shape, "float32")
        g.operator("DEQUANTIZE", [x], [real])
        if scale is not None:
            g.operator("QUANTIZE", [real], [rows])
    largest, yes = g.tensor((1, 1), "int8", 0.02, 0), g.tensor((1, 1), "bool")
    g.operator("REDUCE_MAX", [x, g.constant([0, 1])], [largest], keep_dims=True)
    limit = g.constant(np.array([[int(rng.integers(0, 128))]]), "int8", 0.02)
    g.operator("GREATER", [largest, limit], [yes])
    one = g.tensor(((1,), ())[seed // 3 % 2], "bool")
    g.operator("RESHAPE", [yes, g.constant(np.array(one.shape, np.int32))], [one])
    g.outputs = [g.tensor(shape, kind, scale, 0) for _ in range(2)]
    g.operator("IF", [one, rows], g.outputs, then=1, **{"else": 2})
    g.subgraphs = [branch(kind, shape, scale, "ABS", "ABS", False),
                   branch(kind, shape, scale, "RELU", "ABS", True)]
    return g


def spectrum(seed):
    """Of rows, cut or with 0 behind them; the absolute value or the parts."""
    rng = np.random.default_rng(seed)
    batch, size, length = int(rng.integers(1, 4)), int(rng.integers(3, 20)), 1 << int(
        rng.integers(1, 5))
    g = Network()
    x = g.input((batch, 1, size), "int8", 0.02, 0)
    real = g.tensor(x.shape, "float32")
    g.operator("DEQUANTIZE", [x], [real])
    bins = g.tensor((batch, 1, length // 2 + 1), "complex64")
    g.operator("RFFT2D", [real, g.constant([1, length])], [bins])
    for kind in (["COMPLEX_ABS"], ["REAL", "IMAG"])[seed % 2]:
        g.outputs.append(g.tensor(bins.shape, "float32"))
        g.operator(kind, [bins], [g.outputs[-1]])
    return g


def four_bits(seed):
    """A fully connected layer of int8 whose weights are int4."""
    rng = np.random.default_rng(seed)
    depth, units = 2 * int(rng.integers(1, 20)), int(rng.integers(1, 9))
    g = Network()
    x = g.input((1, depth), "int8", 0.02, int(rng.integers(-9, 9)))
    numbers = rng.integers(-8, 8, (units, depth))
    w = g.constant(numbers, "int8", 0.03)
    w.kind = "int4"
    pairs = numbers.ravel().reshape(-1, 2) & 15
    w.data = (pairs[:, 0] | pairs[:, 1] << 4).astype(np.uint8)
    y = g.tensor((1, units), "int8", 0.1, 3)
    g.operator("FULLY_CONNECTED", [x, w, None], [y])
    g.outputs = [y]
    return g
