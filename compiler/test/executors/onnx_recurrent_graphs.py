"""Recurrent layers of ONNX with what few have: peepholes, other functions, limits, sequences of
several lengths."""
import numpy as np
from onnx_made_graphs import Cases

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FUNCTIONS = {"LSTM": [["HardSigmoid", "Relu", "Softsign"], ["Sigmoid", "Elu", "Tanh"]],
             "GRU": [["HardSigmoid", "Softplus"], ["Sigmoid", "LeakyRelu"]],
             "RNN": [["Relu"], ["HardSigmoid"]]}


def layer(c, kind, seed, extra=(), inputs=(), **options):
    rng = c.rng
    direction = ["forward", "reverse", "bidirectional"][seed % 3]
    directions = 2 if direction == "bidirectional" else 1
    steps, batch, wide, size = 5, 3, 4, int(rng.integers(1, 5))
    gates = GATES[kind] * size
    constants = [("w", c.reals(directions, gates, wide)), ("r", c.reals(directions, gates, size)),
                 ("b", c.reals(directions, 2 * gates)), ("h", c.reals(directions, batch, size)),
                 ("c", c.reals(directions, batch, size)), ("p", c.reals(directions, 3 * size)),
                 ("n", rng.integers(1, steps + 1, batch).astype(np.int32)), *extra]
    if "activations" in options:
        options["activations"] = options["activations"] * directions
    outputs = ["y", "yh", "yc"][:3 if kind == "LSTM" else 2]
    c.one(kind, [steps, batch, wide], ["x", "w", "r", "b", *inputs], constants, version=14,
          outputs=outputs, hidden_size=size, direction=direction, **options)


def cases(seed):
    c = Cases(seed)
    for kind in GATES:
        layer(c, kind, seed, inputs=["n"])
        layer(c, kind, seed, inputs=["", "h"], clip=0.4)
        layer(c, kind, seed, inputs=["n", "h"], activations=FUNCTIONS[kind][seed % 2])
    layer(c, "GRU", seed, inputs=["n"], linear_before_reset=1)
    layer(c, "LSTM", seed, inputs=["n", "h", "c", "p"])
    layer(c, "LSTM", seed, inputs=["", "h", "c", "p"], clip=0.5, input_forget=1)
    return c.models
