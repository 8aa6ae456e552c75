"""Networks of float32 and numbers, one operator each, that choose, count and reduce; shapes and
options are drawn."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

INT64, FLOAT = TensorProto.INT64, TensorProto.FLOAT


class Cases:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.shape = [1, *(int(n) for n in self.rng.integers(2, 7, 3))]
        self.models = []

    def axis(self, first=0):
        return int(self.rng.integers(first, 4))

    def add(self, nodes, outputs, constants=(), shape=None):
        """Nodes of (type, inputs, outputs, attributes) that begin with x."""
        graph = helper.make_graph(
            [helper.make_node(kind, inputs, made, **options)
             for kind, inputs, made, options in nodes], nodes[-1][0],
            [helper.make_tensor_value_info("x", FLOAT, shape or self.shape)],
            [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs],
            [numpy_helper.from_array(np.asarray(value), name) for name, value in constants])
        model = helper.make_model(graph, opset_imports=[
            helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], ir_version=8)
        self.models.append((nodes[-1][0], model.SerializeToString(), shape or self.shape))

    def one(self, kind, constants=(), outputs=(("y", FLOAT),), shape=None, **options):
        inputs = ["x", *(name for name, _ in constants)]
        self.add([(kind, inputs, [name for name, _ in outputs], options)], outputs, constants, shape)

    def numbers(self, kind, constants=(), **options):
        """The same of ten times x as numbers."""
        inputs = ["n", *(name for name, _ in constants)]
        self.add([("Mul", ["x", "ten"], ["t"], {}), ("Cast", ["t"], ["n"], {"to": INT64}),
                  (kind, inputs, ["y"], options)], [("y", INT64)],
                 [("ten", np.float32(10)), *constants])


def two_ways(c):
    """What a sum decides: two results of each branch, one of numbers; a branch in a branch."""
    def branch(nodes, results):
        return helper.make_graph(
            [helper.make_node(kind, inputs, made, **options)
             for kind, inputs, made, options in nodes], "branch", [],
            [helper.make_tensor_value_info(name, kind, None) for name, kind in results])

    inner = {f"{name}_branch": branch([(kind, ["x", "half"], ["z"], {})], [("z", FLOAT)])
             for name, kind in (("then", "Mul"), ("else", "Sub"))}
    first = branch([("Add", ["x", "half"], ["y"], {}), ("ArgMax", ["y"], ["i"], {"axis": 1})],
                   [("y", FLOAT), ("i", INT64)])
    second = branch([("If", ["low"], ["y"], inner), ("ArgMin", ["y"], ["i"], {"axis": 1})],
                    [("y", FLOAT), ("i", INT64)])
    for sign, limit in ((1, 0.3), (-1, 0.3), (1, -0.3)):
        c.add([("ReduceSum", ["x"], ["s"], {"keepdims": 0}), ("Mul", ["s", "sign"], ["t"], {}),
               ("Greater", ["t", "zero"], ["high"], {}), ("Less", ["s", "limit"], ["low"], {}),
               ("If", ["high"], ["y", "i"], {"then_branch": first, "else_branch": second})],
              [("y", FLOAT), ("i", INT64)],
              [("half", np.float32(0.5)), ("zero", np.float32(0)), ("sign", np.float32(sign)),
               ("limit", np.float32(limit))])
    # One element that is no scalar decides about scalars, and about bytes.
    c.add([("ReduceMax", ["x"], ["m"], {"keepdims": 0}),
           ("Reshape", ["m", "one"], ["r"], {}), ("Greater", ["r", "half"], ["high"], {}),
           ("QuantizeLinear", ["x", "step", "origin"], ["q"], {}),
           ("If", ["high"], ["y", "p"], {
               "then_branch": branch([("Neg", ["m"], ["y"], {}), ("Identity", ["q"], ["p"], {})],
                                     [("y", FLOAT), ("p", TensorProto.UINT8)]),
               "else_branch": branch([("Identity", ["m"], ["y"], {}),
                                      ("MaxPool", ["q"], ["p"], {"kernel_shape": [1, 1]})],
                                     [("y", FLOAT), ("p", TensorProto.UINT8)])})],
          [("y", FLOAT), ("p", TensorProto.UINT8)],
          [("one", np.int64([1])), ("half", np.float32(c.rng.uniform(0.5, 3))),
           ("step", np.float32(0.03)), ("origin", np.uint8(100))])


def cases(seed):
    c = Cases(seed)
    rng, shape = c.rng, c.shape
    keep = int(rng.integers(0, 2))
    for kind in ("ReduceMin", "ReduceMax", "ReduceProd"):
        c.one(kind, axes=[int(rng.integers(0, 3)), -1][:1 + seed % 2], keepdims=keep)
        c.numbers(kind, axes=[c.axis()], keepdims=keep)
    c.numbers("ReduceSum", [("axes", np.int64([c.axis()]))], keepdims=keep)
    c.one("ArgMin", axis=c.axis(), keepdims=keep, outputs=[("y", INT64)])
    axis = c.axis(1)
    c.one("TopK", [("k", np.int64([rng.integers(1, shape[axis] + 1)]))], axis=axis, largest=seed % 2,
          outputs=[("v", FLOAT), ("i", INT64)])
    c.one("GatherElements", axis=axis, constants=[
        ("i", rng.integers(-shape[axis], shape[axis], [1, *(n - 1 for n in shape[1:])]))])
    c.one("GatherND", [("i", np.stack([rng.integers(-n, n, 5) for n in shape[:axis]], axis=-1))])
    c.one("GatherND", [("i", rng.integers(0, shape[1], (1, 3, 1)))], batch_dims=1)
    for of in (c.one, c.numbers):
        of("CumSum", [("a", np.int64(c.axis()))], exclusive=seed % 2, reverse=keep)
    c.numbers("Mod", [("m", np.int64(rng.choice([-7, -3, 2, 5])))])
    c.add([("ArgMax", ["x"], ["n"], {"axis": 1, "keepdims": 0}),
           ("OneHot", ["n", "depth", "values"], ["y"], {"axis": int(rng.integers(-1, 4))})],
          [("y", FLOAT)], [("depth", np.int64([5])), ("values", np.float32([0.5, 2]))])
    c.one("LRN", size=int(rng.choice([1, 3, 5])), alpha=0.3, beta=0.6, bias=1.5)
    c.add([("Cast", ["x"], ["b"], {"to": TensorProto.BOOL}),
           ("Greater", ["x", "half"], ["c"], {}), ("Xor", ["b", "c"], ["d"], {}),
           ("Where", ["d", "x", "half"], ["y"], {})], [("y", FLOAT)], [("half", np.float32(0.5))])
    c.one("Resize", [("none", np.float32([])), ("s", np.float32([1, 1, 2]))], shape=[1, 3, 8],
          mode=["nearest", "linear"][seed % 2])
    groups = int(rng.choice([n for n in range(1, shape[1] + 1) if shape[1] % n == 0]))
    c.one("ConvTranspose", [("w", rng.normal(size=(shape[1], 2, 3, 2)).astype(np.float32)),
                            ("b", rng.normal(size=2 * groups).astype(np.float32))], group=groups,
          strides=[2, 1], pads=[1, 0, 0, 0])
    empty = ("empty", np.zeros([0 if i == axis else n for i, n in enumerate(shape)], np.float32))
    c.add([("Identity", ["empty"], ["e"], {}), ("Concat", ["x", "e", "x"], ["y"], {"axis": axis})],
          [("y", FLOAT)], [empty])
    c.add([("ReduceMax", ["x"], ["m"], {"keepdims": 0}), ("Mul", ["m", "half"], ["low"], {}),
           ("Clip", ["x", "low", "m" if keep else "one"], ["y"], {})], [("y", FLOAT)],
          [("half", np.float32(0.3)), ("one", np.float32(1))])
    c.add([("Cast", ["h"], ["w"], {"to": FLOAT}), ("Mul", ["x", "w"], ["y"], {})], [("y", FLOAT)],
          [("h", np.float16(rng.normal(size=shape[-1])))])
    two_ways(c)
    # Choices in steps of their own.
    steps = [(name, value) for i in range(3) for name, value in (
        (f"s{i}", np.float32(rng.uniform(0.02, 0.05))), (f"z{i}", np.uint8(rng.integers(90, 160))))]
    c.add([("Greater", ["x", "zero"], ["g"], {}), ("QuantizeLinear", ["x", "s0", "z0"], ["a"], {}),
           ("Neg", ["x"], ["n"], {}), ("QuantizeLinear", ["n", "s1", "z1"], ["b"], {}),
           ("QLinearWhere", ["g", "a", "s0", "z0", "b", "s1", "z1", "s2", "z2"], ["y"],
            {"domain": "com.microsoft"})], [("y", TensorProto.UINT8)],
          [("zero", np.float32(0.1)), *steps])
    return c.models
