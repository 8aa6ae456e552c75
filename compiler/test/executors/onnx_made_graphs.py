"""Networks of float32, one operator each, that our reader makes of others: attention, rotation,
values between pixels. Shapes and options are drawn."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx_choice_graphs import FLOAT


class Cases:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.models = []

    def reals(self, *shape):
        return self.rng.normal(size=shape).astype(np.float32)

    def one(self, kind, shape, inputs, constants=(), version=24, outputs=("y",), before=(),
            **options):
        """An operator that reads x, constants, or what nodes in front of it make."""
        graph = helper.make_graph(
            [*(helper.make_node(*node[:3], **node[3]) for node in before),
             helper.make_node(kind, inputs, outputs, **options)], kind,
            [helper.make_tensor_value_info("x", FLOAT, shape)],
            [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs if name],
            [numpy_helper.from_array(np.asarray(value), name) for name, value in constants])
        model = helper.make_model(graph, opset_imports=[
            helper.make_opsetid("", version), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
        self.models.append((kind, model.SerializeToString(), shape))


def rotations(c, seed):
    rng = c.rng
    batch, heads, steps, depth = 1 + seed // 2, int(rng.integers(1, 4)), int(rng.integers(1, 6)), 8
    three = seed % 2
    shape = [batch, steps, heads * depth] if three else [batch, heads, steps, depth]
    part = [0, 4][seed // 2 % 2]
    table = (part or depth) // 2
    heads_of = {"num_heads": heads} if three or part else {}
    for interleaved in (0, 1):
        options = {"interleaved": interleaved, "rotary_embedding_dim": part, **heads_of}
        places = rng.integers(0, 9, (batch, steps))
        c.one("RotaryEmbedding", shape, ["x", "c", "s", "p"], [
            ("c", c.reals(9, table)), ("s", c.reals(9, table)), ("p", places)], **options)
        c.one("RotaryEmbedding", shape, ["x", "c", "s"], [
            ("c", c.reals(batch, steps, table)), ("s", c.reals(batch, steps, table))], **options)
        c.one("RotaryEmbedding", shape, ["x", "p", "c", "s"], [
            ("c", c.reals(9, table)), ("s", c.reals(9, table)), ("p", places)],
            domain="com.microsoft", **options)


def attentions(c, seed):
    rng = c.rng
    batch, heads, steps, depth = 1 + seed % 2, 2, int(rng.integers(2, 6)), int(rng.integers(1, 5))
    keys, groups, wide = int(rng.integers(steps, 7)), 1 + seed // 2 % 2, int(rng.integers(1, 5))
    q, k, v = ([batch, heads * groups, steps, depth], [batch, heads, keys, depth],
               [batch, heads, keys, wide])
    constants = [("k", c.reals(*k)), ("v", c.reals(*v))]
    c.one("Attention", q, ["x", "k", "v"], constants, version=23, scale=0.3)
    c.one("Attention", q, ["x", "k", "v"], constants, version=23, is_causal=1)
    added = c.reals(steps, keys)
    added[:, 1:][rng.integers(0, 2, (steps, keys - 1)) > 0] = -np.inf
    c.one("Attention", q, ["x", "k", "v", "m"], [*constants, ("m", added)], version=23)
    seen = rng.integers(0, 2, (batch, 1, steps, keys)) > 0
    seen[..., 0] = True
    c.one("Attention", q, ["x", "k", "v", "m"], [*constants, ("m", seen)], version=23)
    past = [("pk", c.reals(batch, heads, 3, depth)), ("pv", c.reals(batch, heads, 3, wide))]
    c.one("Attention", q, ["x", "k", "v", "", "pk", "pv"], [*constants, *past], version=23,
          outputs=["y", "pk2", "pv2"])
    if groups == 1:
        lie = [(name, np.ascontiguousarray(value.transpose(0, 2, 1, 3)).reshape(batch, keys, -1))
               for name, value in constants]
        c.one("Attention", [batch, steps, heads * depth], ["x", "k", "v"], lie, version=23,
              q_num_heads=heads, kv_num_heads=heads, softcap=0.7 if seed % 2 else 0.0)


def samples(c, seed):
    rng = c.rng
    batch, channels, height, width = 1 + seed % 2, int(rng.integers(1, 5)), *(
        int(n) for n in rng.integers(2, 7, 2))
    to = [int(n) for n in rng.integers(1, 6, 2)]
    for mode in ("linear", "nearest", "cubic"):
        for padding in ("zeros", "border", "reflection"):
            options = {"mode": mode, "padding_mode": padding, "align_corners": int(rng.integers(0, 2))}
            grid = ("Mul", ["x", "wide"], ["grid"], {})
            c.one("GridSample", [batch, *to, 2], ["picture", "grid"], [
                ("picture", c.reals(batch, channels, height, width)), ("wide", np.float32(0.9))],
                version=20, before=[grid], **options)
    c.one("GridSample", [batch, channels, height, width], ["x", "grid"],
          [("grid", c.reals(batch, *to, 2))], version=16)
    regions = rng.uniform(-2, 12, (5, 4)).astype(np.float32)
    regions[:, 2:] = regions[:, :2] + rng.uniform(0.5, 6, (5, 2)).astype(np.float32)
    for version in (10, 16):
        c.one("RoiAlign", [batch, channels, height, width], ["x", "regions", "which"], [
            ("regions", regions), ("which", rng.integers(0, batch, 5))], version=version,
            output_height=3, output_width=2, sampling_ratio=1 + seed % 3, spatial_scale=0.7)
    move = ("Mul", ["x", "wide"], ["regions"], {})
    c.one("RoiAlign", [3, 4], ["picture", "regions", "which"], [
        ("picture", c.reals(1, channels, height, width)), ("wide", np.float32([-1, 1, 4, 5])),
        ("which", np.int64([0, 0, 0]))], version=16, before=[move], output_height=2, output_width=2,
        sampling_ratio=2)


def body_of(nodes, inputs, outputs, constants=()):
    return helper.make_graph(
        [helper.make_node(kind, reads, [made], **options) for kind, reads, made, options in nodes],
        "body", [helper.make_tensor_value_info(name, kind, None if kind == FLOAT else [])
                 for name, kind in inputs],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants])


def loops(c, seed):
    """A loop with a value that is kept and one of each turn, which its number decides; a branch
    and a loop inside. A scan of rows."""
    rng, bool_kind, wide = c.rng, TensorProto.BOOL, TensorProto.INT64
    inner = body_of([("Mul", ["w", "half"], "w2", {}), ("Identity", ["g"], "g2", {})],
                    [("j", wide), ("g", bool_kind), ("w", FLOAT)], [("g2", bool_kind), ("w2", FLOAT)],
                    [("half", np.float32(0.5))])
    first = body_of([("Add", ["v", "one"], "t1", {})], [], [("t1", FLOAT)], [("one", np.float32(1))])
    others = body_of([("Neg", ["v"], "t", {})], [], [("t", FLOAT)])
    body = body_of(
        [("Equal", ["i", "zero"], "first", {}),
         ("If", ["first"], "b", {"then_branch": first, "else_branch": others}),
         ("Loop", ["i", "", "b"], "m", {"body": inner}), ("Add", ["m", "x"], "v2", {}),
         ("Identity", ["goes" if seed % 2 else "go"], "go2", {}),
         ("ReduceSum", ["v2", "axes"], "row", {"keepdims": 0})],
        [("i", wide), ("go", bool_kind), ("v", FLOAT)],
        [("go2", bool_kind), ("v2", FLOAT), ("row", FLOAT)],
        [("zero", np.int64(0)), ("goes", np.array(True)), ("axes", np.int64([1]))])
    shape = [int(n) for n in rng.integers(1, 5, 2)]
    c.one("Loop", shape, ["turns", "start" if seed > 1 else "", "x"],
          [("turns", np.int64(3 + seed)), ("start", np.array(True))], version=17, outputs=["y", "rows"],
          body=body)
    step = body_of([("Add", ["s", "r"], "s2", {}), ("Mul", ["s2", "r"], "o", {})],
                   [("s", FLOAT), ("r", FLOAT)], [("s2", FLOAT), ("o", FLOAT)])
    c.one("Scan", shape, ["s", "x"], [("s", c.reals(shape[1]))], version=17, outputs=["y", "rows"],
          body=step, num_scan_inputs=1)


def cases(seed):
    c = Cases(seed)
    rotations(c, seed)
    attentions(c, seed)
    samples(c, seed)
    loops(c, seed)
    return c.models


def found(seed):
    """NonMaxSuppression, with equal scores and boxes on each other."""
    c = Cases(seed)
    rng = c.rng
    batch, classes, number = 1 + seed % 2, int(rng.integers(1, 4)), int(rng.integers(3, 30))
    scores = (rng.integers(0, 9, (batch, classes, number)) / 8).astype(np.float32)
    constants = [("scores", scores), ("most", np.int64([rng.integers(1, number + 3)])),
                 ("overlap", np.float32([rng.choice([0, 0.3, 0.5])]))]
    if seed % 3:
        constants.append(("least", np.float32([0.25])))
    made = [("Add", ["x", "one"], ["centre"], {}), ("Abs", ["centre"], ["boxes"], {})]
    graph = helper.make_graph(
        [*(helper.make_node(*node[:3]) for node in made),
         helper.make_node("NonMaxSuppression", ["boxes", *(name for name, _ in constants)], ["y"],
                          center_point_box=seed // 2 % 2)], "found",
        [helper.make_tensor_value_info("x", FLOAT, [batch, number, 4])],
        [helper.make_tensor_value_info("y", TensorProto.INT64, None)],
        [numpy_helper.from_array(np.asarray(value), name)
         for name, value in [*constants, ("one", np.float32(1))]])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
