"""Networks with a cache of keys and values, and with places that a run computes: what decoders of
language models have."""
import numpy as np
from onnx_made_graphs import Cases

MS = {"domain": "com.microsoft"}


def computed(name, value):
    """Nodes that make numbers of x which are these, and their constants."""
    value = np.asarray(value)
    wide = [("Mul", ["x", "nought"], [f"{name}_0"], {}),
            ("ReduceMax", [f"{name}_0"], [f"{name}_1"], {"keepdims": 0}),
            ("Cast", [f"{name}_1"], [f"{name}_2"], {"to": 6 if value.dtype == np.int32 else 7}),
            ("Add", [f"{name}_2", f"{name}_3"], [name], {})]
    return wide, [("nought", np.float32(0)), (f"{name}_3", value)]


def grouped(c, seed):
    rng = c.rng
    batch, groups, each, depth = 1 + seed % 2, int(rng.integers(1, 3)), int(rng.integers(1, 4)), 16
    heads = groups * each
    for before, count, packed in ((0, 4, False), (0, 4, True), (5, 1, False), (3, 2, True)):
        if before and count > 1 and batch > 1:
            continue
        every = before + count
        lengths = np.full(batch, every - 1, np.int32)
        if count == 1:
            lengths -= rng.integers(0, 3, batch).astype(np.int32)
        shape = [batch, count, (heads + 2 * groups if packed else heads) * depth]
        constants = [("all", np.int32(every)), ("cos", c.reals(9, depth // 2)),
                     ("sin", c.reals(9, depth // 2))]
        names = ["x", "", "", "", "", "lengths", "all", "cos", "sin"]
        if not packed:
            constants += [(n, c.reals(batch, count, groups * depth)) for n in "kv"]
            names[1:3] = "kv"
        if before:
            constants += [(n, c.reals(batch, groups, before, depth)) for n in ("pk", "pv")]
            names[3:5] = "pk", "pv"
        nodes, more = computed("lengths", lengths)
        options = dict(num_heads=heads, kv_num_heads=groups, **MS)
        options.update([{}, {"do_rotary": 1}, {"do_rotary": 1, "rotary_interleaved": 1},
                        {"softcap": 0.7, "scale": 0.4}][(seed + before) % 4])
        if not options.get("do_rotary"):
            names = names[:7]
        if seed % 3 == 2:
            options["local_window_size"] = 2
        # What lies behind the last key is whatever was in memory.
        results = ["y", "k2", "v2"]
        if (lengths == every - 1).all():
            c.one("GroupQueryAttention", shape, names, constants + more, before=nodes,
                  outputs=results, **options)
            continue
        nodes.append(("GroupQueryAttention", names, results, options))
        c.one("Mul", shape, ["y", "one"], [*constants, *more, ("one", np.float32(1))],
              before=nodes, outputs=["z"])


def placed(c, seed):
    rng = c.rng
    shape = [int(n) for n in rng.integers(2, 6, 3)]
    for reduction in ("none", "add", "mul", "max", "min"):
        rows = np.stack([rng.permutation(shape[0] * shape[1])[:3] // shape[1],
                         rng.permutation(shape[1])[:1].repeat(3)], -1)
        rows = np.unique(rows, axis=0) if reduction == "none" else rows
        nodes, more = computed("i", np.int64(rows) - np.int64([0, shape[1]]))
        c.one("ScatterND", shape, ["x", "i", "u"], [*more, ("u", c.reals(len(rows), shape[2]))],
              version=18, before=nodes, reduction=reduction)
        part = [int(rng.integers(1, n + 1)) for n in shape]
        axis = int(rng.integers(-3, 3))
        where = rng.integers(0, shape[axis], part)
        if reduction == "none":
            where = np.broadcast_to(np.arange(part[axis]).reshape(
                [-1 if a == axis % 3 else 1 for a in range(3)]), part)
        nodes, more = computed("i", np.int64(where))
        c.one("ScatterElements", shape, ["x", "i", "u"], [*more, ("u", c.reals(*part))],
              version=18, before=nodes, axis=axis, reduction=reduction)
    nodes, more = computed("n", rng.integers(1, shape[0] + 1, shape[1]))
    c.one("ReverseSequence", shape, ["x", "n"], more, version=10, before=nodes)


def cases(seed):
    c = Cases(seed)
    grouped(c, seed)
    placed(c, seed)
    return c.models
