"""Random operators of tflite_graphs.py that compare, choose, count and join elements. Each begins and
ends with int8."""
import numpy as np

SMALL = ["int8", "uint8"]
TYPES = {"float32": 0, "int32": 2, "uint8": 3, "int64": 4, "bool": 6, "int16": 7, "int8": 9}


def cast(g, x, kind):
    """The numbers of a tensor in another type; integers as they are."""
    return g.append("CAST", [x], g.tensor(x.shape, kind), in_data_type=TYPES[x.kind],
                    out_data_type=TYPES[kind])


def as_int8(g, x):
    """Back to int8 with a scale: of real values, numbers and truth values."""
    if x.kind != "float32":
        x = cast(g, x, "float32")
    for name, most in (("MINIMUM", 1000), ("MAXIMUM", -1000)):  # larger ones do not fit 32 bits
        x = g.append(name, [x, g.constant(np.float32(most), "float32")],
                     g.tensor(x.shape, "float32"))
    return g.append("QUANTIZE", [x], g.output(x.shape, g.scale()))


def as_real(g, x):
    return g.append("DEQUANTIZE", [x], g.tensor(x.shape, "float32"))


def as_kind(g, x, kind):
    """Real values, whole numbers or bytes of an int8 tensor."""
    if kind in SMALL:
        return x
    y = as_real(g, x)
    if kind == "float32":
        return y
    y = g.append("MUL", [y, g.constant(np.float32(37), "float32")], g.tensor(x.shape, "float32"))
    return cast(g, y, kind)


def beside(g, x, low=-100, high=100):
    """A constant like x, one for all or one for each."""
    shape = g.one_of([(), (1,) * len(x.shape), x.shape[-1:], x.shape])
    return g.constant(g.rng.integers(low, high, shape), x.kind,
                      **({"scale": x.scale, "zero": x.zero} if x.scale is not None else {}))


def comparable(x):
    """The reference shifts by less than nothing where scales of bytes are 1 and more."""
    return x.kind not in SMALL or float(x.scale[0]) < 1


def truth(g, x, name="LESS"):
    x = x if comparable(x) else as_real(g, x)
    return g.append(name, [x, beside(g, x)], g.tensor(x.shape, "bool"))


def compare16(g, x, name):
    """Elements, whatever their scales are."""
    other = g.constant(g.words(*x.shape, kind="int16"), "int16", g.scale("int16"))
    y = g.append(name, [x, other], g.tensor(x.shape, "bool"))
    real = g.append("CAST", [y], g.tensor(x.shape, "float32"), in_data_type=6, out_data_type=0)
    return g.append("QUANTIZE", [real], g.tensor(x.shape, "int16", 1 / 16384, 0))


def compare(name):
    def append(g, x):
        if x.kind == "int16" and name in ("EQUAL", "LESS", "GREATER_EQUAL"):  # which have a kernel
            return compare16(g, x, name)
        if x.kind != "int8" or x.scale[0] >= 1:  # which the reference takes for a factor below 1
            return None
        kind = g.one_of(["int8", "float32", "int32", "int64"])
        y = as_kind(g, x, kind if comparable(x) else "float32")
        other = beside(g, y)
        if y.kind == "int8" and g.integer(0, 2):
            other = g.constant(g.words(*x.shape), "int8", **g.quantised())
        inputs = [y, other] if g.integer(0, 2) else [other, y]
        return as_int8(g, g.append(name, inputs, g.tensor(x.shape, "bool")))
    return append


def logic(name):
    def append(g, x):
        if x.kind != "int8":
            return None
        inputs = [truth(g, x), truth(g, x, "NOT_EQUAL")][:1 if name == "LOGICAL_NOT" else 2]
        return as_int8(g, g.append(name, inputs, g.tensor(x.shape, "bool")))
    return append


def any_all(name):
    def append(g, x):
        if x.kind != "int8" or len(x.shape) < 2:
            return None
        y = truth(g, x, "LESS" if name == "REDUCE_ANY" else "NOT_EQUAL")
        return as_int8(g, fold_axes(g, name, y, {"kind": "bool"}))
    return append


def fold_axes(g, name, x, of_output):
    axes = sorted({g.integer(1, len(x.shape)) for _ in range(1 if name == "REDUCE_PROD" else 2)})
    keep = g.integer(0, 2) == 1
    shape = [1 if i in axes else n for i, n in enumerate(x.shape) if keep or i not in axes]
    return g.append(name, [x, g.constant(axes)], g.tensor(shape, **of_output), keep_dims=keep)


def reduce(name):
    """Sums and the least of bytes, too; products of a few numbers. TFLite 2.14 takes int8 for uint8
    where it sums them."""
    def append(g, x):
        if x.kind not in SMALL or len(x.shape) < 2:
            return None
        wrong = name == "REDUCE_PROD" or (name == "SUM" and x.kind == "int8")
        kind = g.one_of(["float32", "int32", "int64"] + [x.kind] * (not wrong))
        y = as_kind(g, x, kind)
        same = {"scale": x.scale, "zero": x.zero}
        if kind == "uint8" and name == "SUM" and g.integer(0, 3):
            same = {"scale": x.scale * np.float32(max(x.shape)), "zero": g.zero("uint8")}
        y = fold_axes(g, name, y, {"kind": kind, **(same if kind == x.kind else {})})
        return y if kind == x.kind else as_int8(g, y)
    return append


def select(name):
    def append(g, x):
        if x.kind != "int8" or len(x.shape) < 2:
            return None
        y = as_kind(g, x, g.one_of(["int8", "float32", "int32", "int64"]))
        same = {} if y.scale is None else {"scale": y.scale, "zero": y.zero}
        other = g.constant(g.rng.integers(-100, 100, y.shape), y.kind, **same)
        condition = truth(g, x)
        if name == "SELECT" and g.integer(0, 3) == 0:
            condition = g.constant(g.rng.integers(0, 2, x.shape[:1]), "bool")
        elif name == "SELECT_V2" and g.integer(0, 2):
            other = g.constant(g.rng.integers(-100, 100, y.shape[-1:]), y.kind, **same)
        z = g.append(name, [condition, y, other], g.tensor(y.shape, y.kind, **same))
        return z if z.kind == "int8" else as_int8(g, z)
    return append


def casts(g, x):
    """Through some types of numbers."""
    if x.kind not in SMALL:
        return None
    for _ in range(3):
        x = cast(g, x, g.one_of(["float32", "int32", "int64", "int8", "uint8", "bool", "int16"]))
    return as_int8(g, x)


def arg_min(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(1, len(x.shape))
    out = g.tensor(x.shape[:axis] + x.shape[axis + 1:], "int32")
    return as_int8(g, g.append("ARG_MIN", [x, g.constant([axis])], out, output_type=2))


def numbers(name):
    """Arithmetic of int32, int64 and float32 by numbers that are not 0."""
    def append(g, x):
        if x.kind != "int8":
            return None
        kinds = {"FLOOR_DIV": ["float32", "int32"], "DIV": ["float32", "int32"],
                 "SQUARED_DIFFERENCE": ["int32"]}
        y = as_kind(g, x, g.one_of(kinds.get(name, ["float32", "int32", "int64"])))
        other = g.constant(g.rng.integers(1, 100, y.shape) * g.rng.choice([-1, 1], y.shape), y.kind)
        z = g.append(name, [y, other], g.tensor(y.shape, y.kind))
        return as_int8(g, z)
    return append


def add_n(g, x):
    if x.kind != "int8":
        return None
    y = as_kind(g, x, g.one_of(["float32", "int32"]))
    more = [g.constant(g.rng.integers(-100, 100, y.shape), y.kind) for _ in range(g.integer(1, 4))]
    return as_int8(g, g.append("ADD_N", [y, *more], g.tensor(y.shape, y.kind)))


def reverse(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(0, len(x.shape))
    y = as_kind(g, x, g.one_of([x.kind, "float32"]))
    same = {} if y.scale is None else {"scale": y.scale, "zero": y.zero}
    y = g.append("REVERSE_V2", [y, g.constant([axis])], g.tensor(x.shape, y.kind, **same))
    return y if y.kind in SMALL else as_int8(g, y)


def one_hot(g, x):
    """Where the largest are."""
    if x.kind != "int8" or len(x.shape) < 3:
        return None
    axis = g.integer(1, len(x.shape))
    index = g.append("ARG_MAX", [x, g.constant([axis])],
                     g.tensor(x.shape[:axis] + x.shape[axis + 1:], "int32"), output_type=2)
    place, depth = g.integer(-1, len(index.shape) + 1), g.integer(1, 9)
    shape = list(index.shape)
    shape.insert(place if place >= 0 else len(shape), depth)
    values = [g.constant(np.float32(g.rng.uniform(-2, 2)), "float32") for _ in range(2)]
    return as_int8(g, g.append("ONE_HOT", [index, g.constant(np.int32(depth)), *values],
                               g.tensor(shape, "float32"), axis=place))


def embedding(g, x):
    if x.kind != "int8" or len(x.shape) < 3:
        return None
    index = g.append("ARG_MAX", [x, g.constant([2])],
                     g.tensor((*x.shape[:2], *x.shape[3:]), "int32"), output_type=2)
    flat = g.append("RESHAPE", [index, g.constant([int(np.prod(index.shape))])],
                    g.tensor([int(np.prod(index.shape))], "int32"))
    table = g.constant(g.rng.normal(size=(x.shape[2], 5)), "float32")
    y = g.append("EMBEDDING_LOOKUP", [flat, table], g.tensor((*flat.shape, 5), "float32"))
    y = g.append("RESHAPE", [y, g.constant([1, *y.shape])], g.tensor((1, *y.shape), "float32"))
    return as_int8(g, y)


def filled(g, x):
    """A shape that is filled by a computed number."""
    if x.kind != "int8":
        return None
    n = x.shape[-1]
    most = g.append("REDUCE_MAX", [as_kind(g, x, "int32"), g.constant(list(range(len(x.shape))))],
                    g.tensor((), "int32"))
    rows = g.append("FILL", [g.constant([n]), most], g.tensor((n,), "int32"))
    y = as_kind(g, x, "int32")
    return as_int8(g, g.append("ADD", [y, rows], g.tensor(y.shape, "int32")))


def l2_norm(g, x):
    if x.kind not in SMALL:
        return None
    if g.integer(0, 2):
        zero = 0 if x.kind == "int8" else 128
        return g.append("L2_NORMALIZATION", [x], g.tensor(x.shape, x.kind, 1 / 128, zero))
    y = as_real(g, x)
    return as_int8(g, g.append("L2_NORMALIZATION", [y], g.tensor(x.shape, "float32")))


def l2_pool(window):
    def append(g, x):
        if x.kind not in SMALL or len(x.shape) != 4:
            return None
        kernel, size, _, options = window(g, x, 6, False)
        y = g.append("L2_POOL_2D", [as_real(g, x)], g.tensor((1, *size, x.shape[3]), "float32"),
                     **options, filter_h=kernel[0], filter_w=kernel[1],
                     activation=g.one_of(["NONE", "RELU6"]))
        return as_int8(g, y)
    return append


def top_k(g, x):
    if x.kind not in SMALL:
        return None
    count = g.integer(1, x.shape[-1] + 1)
    shape = (*x.shape[:-1], count)
    same = {"scale": x.scale, "zero": x.zero}
    outputs = [g.tensor(shape, x.kind, **same), g.tensor(shape, "int32")]
    g.append("TOPK_V2", [x, g.constant(np.int32(count))], outputs)
    return outputs[0]


def gather_nd(g, x):
    """By constants, and by the places of the largest."""
    if x.kind not in SMALL or len(x.shape) not in (2, 3):  # the result has an axis more
        return None
    same = {"kind": x.kind, "scale": x.scale, "zero": x.zero}
    axes = g.integer(1, len(x.shape) + 1)
    index = g.constant(np.stack([g.rng.integers(0, n, (1, 4)) for n in x.shape[:axes]], axis=-1))
    if axes == 1 and g.integer(0, 2) and len(x.shape) > 2:
        place = g.append("ARG_MIN", [x, g.constant([1])],
                         g.tensor((1, *x.shape[2:]), "int32"), output_type=2)
        zero = g.append("MUL", [place, g.constant(np.int32(0))], g.tensor(place.shape, "int32"))
        index = g.append("RESHAPE", [zero, g.constant([*zero.shape, 1])],
                         g.tensor((*zero.shape, 1), "int32"))
    return g.append("GATHER_ND", [x, index], g.tensor((*index.shape[:-1], *x.shape[axes:]), **same))


def reverse_sequence(g, x):
    """The reference has no int8."""
    if x.kind not in SMALL or len(x.shape) < 3:
        return None
    y = x if x.kind == "uint8" else as_real(g, x)
    batch, time = (int(n) for n in g.rng.permutation(len(x.shape))[:2])
    lengths = g.constant(g.rng.integers(1, x.shape[time] + 1, x.shape[batch]))
    same = {} if y.scale is None else {"scale": y.scale, "zero": y.zero}
    y = g.append("REVERSE_SEQUENCE", [y, lengths], g.tensor(x.shape, y.kind, **same),
                 seq_dim=time, batch_dim=batch)
    return y if y.kind in SMALL else as_int8(g, y)


def scatter(g, x):
    """Rows to some of the places of a longer tensor."""
    if x.kind not in SMALL or len(x.shape) < 3:
        return None
    y = as_kind(g, x, g.one_of([x.kind, "float32"]))
    same = {} if y.scale is None else {"scale": y.scale, "zero": y.zero}
    y = g.append("RESHAPE", [y, g.constant(list(x.shape[1:]))],
                 g.tensor(x.shape[1:], y.kind, **same))
    size = [1, y.shape[0] + g.integer(0, 4)]
    index = np.stack([np.zeros(y.shape[0], int), g.rng.permutation(size[1])[:y.shape[0]]], axis=1)
    shape = (*size, *y.shape[1:])
    y = g.append("SCATTER_ND", [g.constant(index), y, g.constant(list(shape))],
                 g.tensor(shape, y.kind, **same))
    return y if y.kind in SMALL else as_int8(g, y)


def update_slice(g, x):
    """At a place that may have to be moved."""
    if x.kind != "int8":
        return None
    part = [g.integer(1, n + 1) for n in x.shape]
    same = {"kind": x.kind, "scale": x.scale, "zero": x.zero}
    begin = g.constant([g.integer(-2, n + 1) for n in x.shape])
    if g.integer(0, 2) == 0:  # along one axis, at a place that is computed
        axis = g.integer(0, len(x.shape))
        part = [part[i] if i == axis else n for i, n in enumerate(x.shape)]
        line = (1, int(np.prod(x.shape)))
        flat = g.append("RESHAPE", [x, g.constant(list(line))], g.tensor(line, **same))
        found = g.append("ARG_MAX", [flat, g.constant([1])], g.tensor((1,), "int32"),
                         output_type=2)
        begin = g.append("MUL", [found, g.constant([int(i == axis) for i in range(len(x.shape))])],
                         g.tensor((len(x.shape),), "int32"))
    return g.append("DYNAMIC_UPDATE_SLICE", [x, g.constant(g.words(*part), **same), begin],
                    g.tensor(x.shape, **same))


def local_norm(g, x):
    if x.kind != "int8" or len(x.shape) != 4:
        return None
    y = g.append("LOCAL_RESPONSE_NORMALIZATION", [as_real(g, x)], g.tensor(x.shape, "float32"),
                 radius=g.integer(0, 4), bias=1.0, alpha=float(np.float32(g.rng.uniform(0.1, 1))),
                 beta=g.one_of([0.5, 0.75]))
    return as_int8(g, y)


def connected(g, x):
    """A fully connected layer with weights that are computed."""
    if x.kind != "int8" or len(x.shape) < 2:
        return None
    depth, kernels = x.shape[-1], g.integer(1, 7)
    w = g.input((kernels, depth), "int8", g.scale())
    rows = int(np.prod(x.shape[:-1]))
    if g.integer(0, 2):
        y = as_real(g, x)
        bias = g.constant(g.rng.normal(size=kernels), "float32")
        out = g.tensor((rows, kernels), "float32")
        y = g.append("FULLY_CONNECTED", [y, as_real(g, w), bias], out, activation=2)
        y = as_int8(g, y)
    else:
        scale = 5000 * np.sqrt(depth) * float(x.scale[0] * w.scale[0]) / 60
        y = g.append("FULLY_CONNECTED", [x, w, None], g.output((rows, kernels), scale),
                     activation=g.one_of(["NONE", "RELU", "RELU6"]))
    return g.append("RESHAPE", [y, g.constant([1, rows, kernels])], g.like(y, (1, rows, kernels)))


CHOICES = {
    **{name: compare(name) for name in
       ("EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL")},
    **{name: logic(name) for name in ("LOGICAL_AND", "LOGICAL_OR", "LOGICAL_NOT")},
    **{name: any_all(name) for name in ("REDUCE_ANY", "REDUCE_ALL")},
    **{name: reduce(name) for name in ("SUM", "REDUCE_MIN", "REDUCE_PROD")},
    **{name: select(name) for name in ("SELECT", "SELECT_V2")},
    **{name: numbers(name) for name in ("FLOOR_DIV", "FLOOR_MOD", "DIV")},
    "TOPK_V2": top_k, "GATHER_ND": gather_nd, "REVERSE_SEQUENCE": reverse_sequence,
    "SCATTER_ND": scatter, "DYNAMIC_UPDATE_SLICE": update_slice,
    "LOCAL_RESPONSE_NORMALIZATION": local_norm,
    "CAST": casts, "ARG_MIN": arg_min, "ADD_N": add_n, "REVERSE_V2": reverse, "ONE_HOT": one_hot,
    "EMBEDDING_LOOKUP": embedding, "FILL": filled, "L2_NORMALIZATION": l2_norm,
}
