"""Networks of float32: products of integers whose scales are computed, as quantize_dynamic writes
them; branches that constants decide; operators that are made of others."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx_choice_graphs import FLOAT, Cases


def dynamic(name):
    """The quantised form of a value, and its scale and zero point."""
    return ("DynamicQuantizeLinear", [name], [f"{name} q", f"{name} s", f"{name} z"], {})


def scaled(numbers, scales):
    """Sums as real values."""
    return [("Cast", [numbers], ["real"], {"to": FLOAT}),
            ("Mul", scales, ["scale"], {}), ("Mul", ["real", "scale"], ["y"], {})]


def lstm(c, seed):
    """As quantize_dynamic makes it; rounding of sums may differ."""
    rng = c.rng
    steps, inputs, size = (int(n) for n in rng.integers(2, 6, 3))
    sides, kind = 1 + seed % 2, [np.uint8, np.int8][seed // 2 % 2]
    # Two products of uint8 and int8 fit into 16 bits, where kernels of some processors add them.
    low, high = (0, 256) if kind == np.uint8 else (-64, 65)
    names, constants = ["x"], []
    for name, depth in (("w", inputs), ("r", size)):
        constants.append((name, rng.integers(low, high, (sides, depth, 4 * size)).astype(kind)))
    constants.append(("b", rng.normal(size=(sides, 8 * size)).astype(np.float32)))
    for name in ("w", "r"):
        constants.append((f"{name} s", rng.uniform(0.005, 0.02, sides).astype(np.float32)))
        constants.append((f"{name} z", rng.integers(low // 2, high // 2, sides).astype(kind)))
    names += ["w", "r", "b", "", "", "", "", "w s", "w z", "r s", "r z"]
    c.add([("DynamicQuantizeLSTM", names, ["y", "h", "c"],
            {"hidden_size": size, "domain": "com.microsoft",
             "direction": ["forward", "bidirectional"][seed % 2]})],
          [("y", FLOAT), ("h", FLOAT), ("c", FLOAT)], constants, [steps, 1, inputs])


def exact_cases(seed):
    """Those with the bytes of ONNX Runtime."""
    c = Cases(seed)
    rng, shape = c.rng, c.shape
    columns = int(rng.integers(1, 9))
    kind = [np.uint8, np.int8][seed % 2]
    # Products of two int8 and uint8 do not saturate anywhere if one of them is small.
    low, high = (0, 64) if kind == np.uint8 else (-32, 32)
    zero = rng.integers(low, high, columns if seed % 4 > 1 else ())
    weights = [("w", rng.integers(low, high, (shape[-1], columns)).astype(kind)),
               ("wz", zero.astype(kind)), ("ws", rng.uniform(0.01, 0.1, zero.shape).astype(np.float32))]
    c.add([dynamic("x"), ("MatMulInteger", ["x q", "w", "x z", "wz"], ["n"], {}),
           *scaled("n", ["x s", "ws"])], [("y", FLOAT)], weights)
    turned = ("Transpose", ["x"], ["t"], {"perm": [0, 1, 3, 2]})
    c.add([turned, dynamic("x"), dynamic("t"),
           ("MatMulInteger", ["x q", "t q", "x z", "t z"], ["n"], {}), *scaled("n", ["x s", "t s"])],
          [("y", FLOAT)])
    groups = shape[1] if seed % 2 else 1
    kernel = (shape[1] * 2, shape[1] // groups, 2, 1)
    c.add([dynamic("x"), ("ConvInteger", ["x q", "w", "x z", "wz"], ["n"],
                          {"pads": [1, 0, 0, 1], "group": groups}), *scaled("n", ["x s", "ws"])],
          [("y", FLOAT)], [("w", rng.integers(0, 256, kernel).astype(np.uint8)),
                           ("wz", np.uint8(rng.integers(0, 256))), ("ws", np.float32(0.02))])
    return c.models


def graph_of(nodes, output, constants=()):
    return helper.make_graph([helper.make_node(kind, inputs, [made], **options)
                              for kind, inputs, made, options in nodes], "branch", [],
                             [helper.make_tensor_value_info(output, FLOAT, None)],
                             [numpy_helper.from_array(np.asarray(value), name)
                              for name, value in constants])


def branches(c, seed):
    """The condition is that of a shape; inside of a branch there is one more."""
    inner = {"then_branch": graph_of([("Add", ["a", "one"], "d", {})], "d", [("one", np.float32(1))]),
             "else_branch": graph_of([("Neg", ["x"], "d", {})], "d")}
    left = graph_of([("Relu", ["x"], "a", {}), ("If", ["same"], "b", inner),
                     ("Mul", ["a", "b"], "c", {})], "c")
    right = graph_of([("Identity", ["x"], "a", {})], "a")
    c.add([("Shape", ["x"], ["s"], {}), ("Gather", ["s", "axis"], ["n"], {}),
           ("Equal", ["n", "size"], ["same"], {}), ("Not", ["same"], ["other"], {}),
           ("If", ["same" if seed % 2 else "other"], ["y"],
            {"then_branch": left, "else_branch": right})], [("y", FLOAT)],
          [("axis", np.int64(1)), ("size", np.int64(c.shape[1] + seed // 2 % 2))])


def resizes(c, seed):
    """What no resampling of the graph is: by matrices, or picked."""
    rng, names = c.rng, ["x", "", "", "n"]
    to = [1, c.shape[1], *(int(n) for n in rng.integers(1, 12, 2))]
    kinds = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    for options in ({"mode": "cubic", "exclude_outside": seed % 2 and kinds[seed % 4] != "align_corners"},
                    {"mode": "linear"},
                    {"mode": "nearest", "nearest_mode": ["ceil", "round_prefer_ceil", "floor",
                                                         "round_prefer_floor"][seed // 2 % 4]}):
        options["coordinate_transformation_mode"] = kinds[seed % 4]
        options["exclude_outside"] = int(options.get("exclude_outside", 0))
        c.add([("Resize", names, ["y"], options)], [("y", FLOAT)], [("n", np.int64(to))])


def cases(seed):
    c = Cases(seed)
    rng, shape = c.rng, c.shape
    keep = int(rng.integers(0, 2))
    branches(c, seed)
    for kind in ("Selu", "Celu", "ThresholdedRelu"):
        c.one(kind, **({"alpha": float(rng.uniform(0.2, 2))} if seed % 2 else {}))
    for kind in ("ReduceL1", "ReduceLogSumExp"):
        c.one(kind, axes=[int(rng.integers(0, 3)), -1][:1 + seed % 2], keepdims=keep)
    c.add([("Abs", ["x"], ["a"], {}), ("ReduceLogSum", ["a"], ["y"], {"axes": [c.axis()]})],
          [("y", FLOAT)])
    c.one("LpNormalization", axis=c.axis(), p=1 + seed % 2)
    c.one("Size", outputs=[("y", TensorProto.INT64)])
    for equation, other in (("abcd,abed->acbe", [1, shape[1], 3, shape[3]]),
                            ("...d,de->...e", [shape[3], 5]), ("abcd,bd->ac", [shape[1], shape[3]]),
                            ("abcd, e -> eabcd", [2])):
        c.one("Einsum", [("w", rng.normal(size=other).astype(np.float32))], equation=equation)
    c.add([("Mean", ["x", "x", "one"], ["y"], {})], [("y", FLOAT)], [("one", np.float32(1))])
    c.one("ReverseSequence", [("n", np.int64([shape[1] - seed % 2]))], batch_axis=0,
          time_axis=1)
    c.add([("Div", ["x", "zero"], ["d"], {}), ("IsNaN" if seed % 2 else "IsInf", ["d"], ["n"], {}),
           ("Where", ["n", "x", "zero"], ["y"], {})], [("y", FLOAT)],
          [("zero", np.float32(rng.integers(0, 2, shape)))])
    mask = rng.integers(0, 2, shape[1:])
    mask[0, 0, 0] = 1
    c.add([("NonZero", ["m"], ["n"], {}), ("Transpose", ["n"], ["t"], {}),
           ("Squeeze", ["x", "axis"], ["s"], {}), ("GatherND", ["s", "t"], ["y"], {})],
          [("y", FLOAT)], [("m", mask.astype([np.int64, np.float32][seed % 2])),
                           ("axis", np.int64([0]))])
    resizes(c, seed)
    lstm(c, seed)
    index = np.stack([rng.integers(-n, n, 3) for n in shape[:2]], axis=-1)
    index = index[np.unique(index % shape[:2], axis=0, return_index=True)[1]]
    c.one("ScatterND", [("i", index), ("u", rng.normal(
        size=(len(index), *shape[2:])).astype(np.float32))])
    axis = c.axis()
    order = np.argsort(rng.random(shape), axis=axis)
    c.one("ScatterElements", [("i", order), ("u", rng.normal(size=shape).astype(np.float32))],
          axis=axis)
    return c.models
