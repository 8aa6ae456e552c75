"""Seeded networks of recurrent cells, windows over volumes, places that a run computes, diagonals and
sparse weights."""
import numpy as np
from tflite_file import Network


def real_input(g, rng, shape, scale=0.02):
    """float32 between its quantised values."""
    x = g.input(shape, "int8", scale, int(rng.integers(-50, 50)))
    real = g.tensor(shape, "float32")
    g.operator("DEQUANTIZE", [x], [real])
    return real


def cells(seed):
    """Simple cells and LSTM, one step, several, or both ways; every other one with int8 weights."""
    rng = np.random.default_rng(seed)
    g = Network()
    batch, steps, depth, units = (int(n) for n in rng.integers((1, 2, 2, 1), (3, 5, 9, 9)))
    kind = ["float32", "int8"][seed // 5 % 2]

    def weights(*shape):
        if kind == "float32":
            return g.constant(rng.normal(0, 0.4, shape), kind)
        return g.constant(rng.integers(-127, 128, shape), kind, 0.006)

    def vector(size):
        return g.constant(rng.normal(0, 0.5, size), "float32")
    name = ["RNN", "UNIDIRECTIONAL_SEQUENCE_RNN", "BIDIRECTIONAL_SEQUENCE_RNN", "LSTM",
            "BIDIRECTIONAL_SEQUENCE_LSTM"][seed % 5]
    major, merged = bool(rng.integers(0, 2)), bool(rng.integers(0, 2))
    if name == "BIDIRECTIONAL_SEQUENCE_RNN" and kind == "int8":
        major = False  # the reference reads beyond its scales there
    if name == "BIDIRECTIONAL_SEQUENCE_LSTM" and kind == "int8" and not major and batch > 1:
        merged = False  # else the reference gives other values in each run
    single, both = name in ("RNN", "LSTM"), name.startswith("BI")
    shape = [batch, depth] if single else [steps, batch, depth] if major else [batch, steps, depth]
    x = real_input(g, rng, shape)
    asymmetric = bool(rng.integers(0, 2))
    ways = 2 if both else 1
    sizes = [units, units][:ways]  # the reference wants as many both ways
    inputs, states = [x], []
    for size in sizes:
        if "RNN" in name:
            inputs += [weights(size, depth), weights(size, size), vector(size),
                       g.variable((batch, size), "float32")]
            continue
        inputs += [weights(size, depth) for _ in range(4)] + \
            [weights(size, size) for _ in range(4)] + [None] * 3 + \
            [vector(size) for _ in range(4)] + [None, None]
        states += [g.variable((batch, size), "float32") for _ in range(2)]
    inputs += states
    if both:
        inputs += [None] * (9 if "LSTM" in name else 3)
    options = {"asymmetric_quantize_inputs": asymmetric}
    if "RNN" in name:
        options["activation"] = ["NONE", "RELU", "RELU6", 4][int(rng.integers(0, 4))]
    else:
        options.update(activation=4, cell_clip=[0.0, 0.7][seed // 2 % 2])
    if not single:
        options["time_major"] = major
    front = shape[:-1]
    if both:
        options["merge_outputs"] = merged
    outputs = [(*front, sum(sizes))] if both and merged else [(*front, size) for size in sizes]
    g.outputs = [g.tensor(one, "float32") for one in outputs]
    g.operator(name, inputs, g.outputs, **options)
    return g


def out_size(padding, size, kernel, stride, dilation):
    room = size if padding == "SAME" else size - (kernel - 1) * dilation
    return -(-room // stride)


def volume(seed):
    rng = np.random.default_rng(seed)
    g = Network()
    batch, *size = (int(n) for n in rng.integers((1, 3, 3, 3), (3, 7, 8, 8)))
    channels, kernels = (int(n) for n in rng.integers(1, 6, 2))
    kernel, stride = ([int(n) for n in rng.integers(1, 4, 3)] for _ in range(2))
    padding = str(rng.choice(["SAME", "VALID"]))
    transposed = bool(seed % 2)
    dilation = [1, 1, 1] if transposed or max(stride) > 1 else [int(n) for n in rng.integers(1, 3, 3)]
    if padding == "VALID" and not transposed:
        kernel = [1 if (k - 1) * d >= s else k for k, s, d in zip(kernel, size, dilation)]
    x = real_input(g, rng, [batch, *size, channels])
    bias = g.constant(rng.normal(0, 1, kernels), "float32") if rng.integers(0, 2) else None
    options = dict(padding=padding, activation=["NONE", "RELU"][seed // 2 % 2])
    for axis, s, d in zip("dhw", stride, dilation):
        options[f"stride_{axis}"], options[f"dilation_{axis}"] = s, d
    if transposed:
        shape = [n * s if padding == "SAME" else (n - 1) * s + k
                 for n, s, k in zip(size, stride, kernel)]
        weights = g.constant(rng.normal(0, 0.4, (*kernel, kernels, channels)), "float32")
        out = g.constant(np.array([batch, *shape, kernels]))
        inputs, name = [out, weights, x], "CONV_3D_TRANSPOSE"
    else:
        shape = [out_size(padding, *four) for four in zip(size, kernel, stride, dilation)]
        weights = g.constant(rng.normal(0, 0.4, (*kernel, channels, kernels)), "float32")
        inputs, name = [x, weights], "CONV_3D"
    y = g.tensor((batch, *shape, kernels), "float32")
    g.operator(name, inputs + ([bias] if bias else []), [y], **options)
    g.outputs = [y]
    return g


def within(g, shape, limits):
    """Numbers of a run, each less than its limit."""
    x, y = g.input(shape, "int32"), g.tensor(shape, "int32")
    g.operator("FLOOR_MOD", [x, g.constant(np.broadcast_to(limits, shape))], [y])
    return y


def placed(seed):
    """Updates at places that are computed, rows turned by lengths that are."""
    rng = np.random.default_rng(seed)
    g = Network()
    shape = [int(n) for n in rng.integers(2, 6, int(rng.integers(2, 5)))]
    if seed % 3 == 0:
        part = [int(rng.integers(1, n + 1)) for n in shape]
        x, update = real_input(g, rng, shape), real_input(g, rng, part)
        begin = g.input([len(shape)], "int32")
        if seed % 2:
            begin = within(g, [len(shape)], np.array(shape))
        y = g.tensor(shape, "float32")
        g.operator("DYNAMIC_UPDATE_SLICE", [x, update, begin], [y])
    elif seed % 3 == 1:
        depth, rows = int(rng.integers(1, len(shape) + 1)), int(rng.integers(1, 5))
        where = within(g, [rows, depth], np.array(shape[:depth]))
        update = real_input(g, rng, [rows, *shape[depth:]])
        y = g.tensor(shape, "float32")
        g.operator("SCATTER_ND", [where, update, g.constant(np.array(shape))], [y])
    else:
        time, batch = (int(n) for n in rng.permutation(len(shape))[:2])
        x = real_input(g, rng, shape)
        lengths = within(g, [shape[batch]], np.array([shape[time] + 1]))
        y = g.tensor(shape, "float32")
        g.operator("REVERSE_SEQUENCE", [x, lengths], [y], seq_dim=time, batch_dim=batch)
    g.outputs = [y]
    return g


def elements(seed):
    rng = np.random.default_rng(seed)
    g = Network()
    shape = [int(n) for n in rng.integers(2, 6, int(rng.integers(1, 4)))]
    x = real_input(g, rng, shape)
    if seed % 3 == 0:
        y = g.tensor(shape, "float32")
        g.operator("ATAN2", [x, real_input(g, rng, shape)], [y])
    elif seed % 3 == 1:
        y = g.tensor(shape, "int32")
        bounds = np.sort(rng.normal(0, 1, int(rng.integers(1, 6)))).astype(np.float32)
        g.operator("BUCKETIZE", [x], [y], boundaries=bounds)
    elif seed % 2:
        y = g.tensor([*shape, shape[-1]], "float32")
        g.operator("MATRIX_DIAG", [x], [y])
    else:
        whole = [*shape[:-1], int(rng.integers(2, 6)), shape[-1]]
        rows = real_input(g, rng, [*whole[:-2], min(whole[-2:])])
        y = g.tensor(whole, "float32")
        g.operator("MATRIX_SET_DIAG", [real_input(g, rng, whole), rows], [y])
    g.outputs = [y]
    return g


def functions(seed):
    """A function of each element, or blocks of a picture."""
    rng = np.random.default_rng(seed)
    g = Network()
    name = ["CEIL", "ROUND", "SQRT", "SQUARE", "ELU", "POW", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH",
            "ELU", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH", "PADV2", "GATHER_ND"][seed % 13]
    kind = "int8" if seed % 13 in (8, 9, 10) else "float32"
    block = int(rng.integers(2, 4))
    shape = out = [1, *(int(n) for n in rng.integers(1, 6, 3))]
    if name == "DEPTH_TO_SPACE":
        shape = [*shape[:3], shape[3] * block * block]
        out = [1, shape[1] * block, shape[2] * block, out[3]]
    elif name == "SPACE_TO_DEPTH":
        shape = [1, shape[1] * block, shape[2] * block, shape[3]]
        out = [*out[:3], out[3] * block * block]
    zero = int(rng.integers(-20, 20))
    x = real_input(g, rng, shape) if kind == "float32" else g.input(shape, "int8", 0.02, zero)
    inputs, options = [x], {}
    if name in ("SQRT", "POW"):  # of what is not negative
        positive = g.tensor(shape, "float32")
        g.operator("ABS", [x], [positive])
        inputs = [positive]
    if name == "POW":
        inputs.append(g.constant(rng.uniform(-1, 3, shape[-1:]), "float32"))
    elif name == "PADV2":
        edges = rng.integers(0, 3, (4, 2))
        inputs += [g.constant(edges), g.constant(rng.normal(0, 1, 1), "float32")]
        out = [int(n) for n in np.array(shape) + edges.sum(1)]
    elif name == "GATHER_ND":
        inputs.append(g.constant(np.stack([rng.integers(0, n, 5) for n in shape[:3]], axis=-1)))
        out = [5, shape[3]]
    elif name in ("DEPTH_TO_SPACE", "SPACE_TO_DEPTH"):
        options = {"block_size": block}
    same = name != "ELU"
    y = g.tensor(out, kind, *([] if kind == "float32" else [0.02 if same else 0.015,
                                                            zero if same else 5]))
    g.operator(name, inputs, [y], **options)
    g.outputs = [y]
    return g


def sparse(seed):
    """Weights of which most are 0, of a fully connected layer, through DENSIFY."""
    rng = np.random.default_rng(seed)
    g = Network()
    units, depth = 4 * int(rng.integers(1, 5)), 4 * int(rng.integers(1, 7))
    block = [[1, 1], [1, 4], [4, 1], [2, 4]][seed % 4]
    there = rng.integers(0, 4, [units // block[0], depth // block[1]]) == 0
    there[0, 0] = True
    data = rng.normal(0, 0.4, (units, depth)) * np.kron(there, np.ones(block))
    weights = g.constant(data, "float32")
    # The interpreter has indices of 32 bits and of 8.
    weights.sparsity = {"block": block, "kind": [np.int32, np.uint8][seed // 4 % 2]}
    dense, y = g.tensor((units, depth), "float32"), g.tensor((2, units), "float32")
    g.operator("DENSIFY", [weights], [dense])
    g.operator("FULLY_CONNECTED", [real_input(g, rng, (2, depth)), dense, None], [y])
    g.outputs = [y]
    return g
