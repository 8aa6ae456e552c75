"""Ranges of activations, from what the float network has in them."""
import dataclasses

import numpy as np

from measure import run

SAMPLES = 100_000  # of a tensor, at most
FEW = 2_000        # a tensor with fewer values in an input has no tail to be cut off
SPREAD = 2.5       # deviations of extremes that are expected


def function_of(node):
    """What an operator does with each element, where it may not see all of a tensor: errors are
    measured behind it. None: it sees all."""
    given = {value.name: value.f for value in node.attribute}
    return {
        "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
        "HardSigmoid": lambda x: np.clip(x * given.get("alpha", 0.2) + given.get("beta", 0.5), 0, 1),
        "Sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(x, -80, 80))),
        "Tanh": np.tanh,
        "Relu": lambda x: np.maximum(x, 0),
    }.get(node.op_type)


BOUNDED = {"Sigmoid": (0, 1), "HardSigmoid": (0, 1), "Softmax": (0, 1), "Tanh": (-1, 1)}


@dataclasses.dataclass
class Seen:
    """What the float network had in a tensor."""
    lows: np.ndarray   # of each input
    highs: np.ndarray
    values: np.ndarray  # some of all
    per_input: int
    channels: np.ndarray  # largest magnitude of each channel (axis 1); None below 3 axes


def observe(network, inputs):
    """{tensor: Seen} of all float tensors."""
    names = [name for node in network.nodes for name in node.output if name]
    found = run(network.model, inputs, names)
    generator = np.random.default_rng(1)
    seen = {}
    for name in names + [value.name for value in network.inputs]:
        arrays = [one[name] if name in one else given[name] for one, given in zip(found, inputs)]
        if arrays[0].dtype != np.float32 or not arrays[0].size:
            continue
        values = np.concatenate([array.ravel() for array in arrays])
        if values.size > SAMPLES:
            values = generator.choice(values, SAMPLES, replace=False)
        axes = (0,) + tuple(range(2, arrays[0].ndim))
        seen[name] = Seen(np.array([array.min() for array in arrays]),
                          np.array([array.max() for array in arrays]), values, arrays[0].size,
                          np.max([np.abs(array).max(axis=axes) for array in arrays], axis=0)
                          if arrays[0].ndim > 2 else None)
    return seen


def bounds(one):
    """Lowest and highest value to be expected of inputs that were not seen, from the spread of the
    extremes of single inputs."""
    return (min(one.lows.min(), one.lows.mean() - SPREAD * one.lows.std()),
            max(one.highs.max(), one.highs.mean() + SPREAD * one.highs.std()))


def rounded(x, low, high):
    scale = (high - low) / 255 or 1.0
    zero = np.round(-128 - low / scale)
    return (np.clip(np.round(x / scale) + zero, -128, 127) - zero) * scale


def least_error(values, low, high, functions):
    """The range in low..high that loses least of the squares, seen behind the functions."""
    wanted = [function(values) for function in functions]
    best = None
    for part in np.linspace(1, 0.2, 33):
        for a, b in ((low * part, high * part), (low, high * part), (low * part, high)):
            found = rounded(values, a, b)
            error = sum(float(((function(found) - want) ** 2).mean())
                        for function, want in zip(functions, wanted))
            if best is None or error < 0.999 * best[0]:
                best = (error, a, b)
    return best[1:]


def choose(network, seen, method):
    """{tensor: (low, high)}. `method`: minmax; percentile, of 99.99; mse: what loses least."""
    ranges = {}
    for name, one in seen.items():
        node = network.producer.get(name)
        if method == "minmax":
            low, high = one.lows.min(), one.highs.max()
        else:
            low, high = bounds(one)
            if node is not None and node.op_type == "Relu":
                low = 0.0
            if node is not None and node.op_type in BOUNDED:
                low, high = (max(low, BOUNDED[node.op_type][0]), min(high, BOUNDED[node.op_type][1]))
        low, high = float(min(low, 0)), float(max(high, 0))
        if method != "minmax" and one.per_input >= FEW and high > low:
            if method == "percentile":
                low = max(low, min(0.0, float(np.percentile(one.values, 0.01))))
                high = min(high, max(0.0, float(np.percentile(one.values, 99.99))))
            else:
                users = network.users[name]
                functions = [function_of(user) for user in users]
                if not users or None in functions:
                    functions = [lambda x: x]
                low, high = least_error(one.values, low, high, functions)
        ranges[name] = (low, high)
    return ranges
