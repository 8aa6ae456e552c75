"""Networks of one operator that is others put together (onnx_expand.cpp), and of those that ONNX
Runtime's optimisations write (onnx_contrib.cpp)."""
import numpy as np
from onnx_made_graphs import Cases

MS = {"domain": "com.microsoft"}


def functions(c):
    shape = [3, 7]
    for kind in ("Tan", "Sinh", "Cosh", "Asinh", "Atan"):
        c.one(kind, shape, ["x"])
    wide = ("Mul", ["x", "ten"], ["w"], {})
    c.one("Atan", shape, ["w"], [("ten", np.float32(10))], before=[wide])
    bounded = ("Tanh", ["x"], ["t"], {})
    for kind in ("Asin", "Acos", "Atanh"):
        c.one(kind, shape, ["t"], before=[bounded])
    c.one("Acosh", shape, ["a"], [("two", np.float32(2))],
          before=[("Abs", ["x"], ["m"], {}), ("Add", ["m", "two"], ["a"], {})])
    c.one("Hardmax", shape, ["x"], axis=int(c.rng.integers(-1, 1)))
    c.one("Shrink", shape, ["x"], lambd=0.3, bias=0.1)
    c.one("MeanVarianceNormalization", [2, 3, 4, 5], ["x"])


def sums(c):
    rng = c.rng
    wide, out = (int(n) for n in rng.integers(2, 9, 2))
    c.one("BiasGelu", [2, 3, wide], ["x", "b"], [("b", c.reals(wide))], **MS)
    c.one("FastGelu", [2, 3, wide], ["x", "b"], [("b", c.reals(wide))], **MS)
    c.one("FusedMatMul", [2, 3, wide], ["x", "w"], [("w", c.reals(out, wide))], alpha=0.3,
          transB=1, **MS)
    numbers = [("n", rng.integers(-90, 90, (wide, out)).astype(np.int8)),
               ("s", np.float32([0.02])), ("b", c.reals(out))]
    c.one("DynamicQuantizeMatMul", [2, 3, wide], ["x", "n", "s", "", "b"], numbers, **MS)
    quantise = ("DynamicQuantizeLinear", ["x"], ["q", "r", "z"], {})
    c.one("MatMulIntegerToFloat", [3, wide], ["q", "n", "r", "s", "z", "", "b"], numbers,
          before=[quantise], **MS)


def norms(c, seed):
    """Of a sum of two, with and without an offset, a bias; the sum itself is a result, too."""
    batch, steps, hidden = 1 + seed % 2, int(c.rng.integers(1, 5)), int(c.rng.integers(2, 9))
    shape = [batch, steps, hidden]
    skip = ("s", c.reals(*[shape, [1, steps, hidden], [steps, hidden]][seed % 3]))
    constants = [skip, ("g", c.reals(hidden)), ("o", c.reals(hidden)), ("b", c.reals(hidden))]
    for kind, offset in (("SkipLayerNormalization", ["o"]),
                         ("SkipSimplifiedLayerNormalization", [])):
        inputs = ["x", "s", "g", *offset, "b"]
        c.one(kind, shape, inputs[:-1], [one for one in constants if one[0] in inputs[:-1]],
              epsilon=1e-3, **MS)
        c.one(kind, shape, inputs, [one for one in constants if one[0] in inputs],
              outputs=["y", "", "", "sum"], **MS)
    c.one("SkipLayerNormalization", shape, ["x", "s", "g"], constants[:2], **MS)


def products(c, seed):
    rng = c.rng
    rows, wide, out = (int(n) for n in rng.integers(2, 9, 3))
    c.one("QuickGelu", [2, wide], ["x"], **({"alpha": 0.7} if seed % 2 else {}), **MS)
    c.one("TransposeMatMul", [2, wide, rows], ["x", "w"], [("w", c.reals(2, out, wide))], alpha=0.5,
          transA=1, transB=1, **MS)
    axis = np.array(int(rng.integers(0, 3)), np.int32)
    c.one("ExpandDims", [rows, wide], ["x", "a"], [("a", axis)], **MS)
    places = ("i", rng.integers(0, rows, (2, 3)))
    blocks = 3  # an odd number of zero points of 4 bits
    for bits, zeros in ((8, False), (8, True), (4, False), (4, True)):
        table, centres = (rng.integers(0, 256, (rows, (count * bits + 7) // 8)).astype(np.uint8)
                          for count in (16 * blocks, blocks))
        table = [("t", table), places, ("s", np.abs(c.reals(rows, blocks))),
                 ("z", centres)][:3 + zeros]
        options = {"bits": bits} if bits != 4 or zeros else {}
        c.one("Add", [1], ["d", "x"], table, before=[
            ("GatherBlockQuantized", [name for name, _ in table], ["d"],
             {"block_size": 16, **options, **MS})])


def fused(c, seed):
    picture = [1, 3, 6, 5]
    constants = [("w", c.reals(4, 3, 3, 3)), ("b", c.reals(4)), ("z", c.reals(1, 4, 6, 5))]
    options = {"activation": ["Relu", "HardSigmoid", "LeakyRelu", "Clip"][seed],
               "pads": [1, 1, 1, 1]}
    if seed:
        options["activation_params"] = [[0.2, 0.4], [0.1], [-0.5, 0.6]][seed - 1]
    c.one("FusedConv", picture, ["x", "w", "b"], constants[:2], **options, **MS)
    if seed == 0:
        c.one("FusedConv", picture, ["x", "w", "b", "z"], constants, **options, **MS)


def attentions(c, seed):
    rng = c.rng
    batch, steps, heads, depth = 1 + seed % 2, int(rng.integers(2, 6)), 2, 4
    hidden = heads * depth
    constants = [("w", c.reals(6, 3 * hidden)), ("b", c.reals(3 * hidden))]
    shape, options = [batch, steps, 6], {"num_heads": heads, **MS}
    c.one("Attention", shape, ["x", "w", "b"], constants, unidirectional=seed % 2, **options)
    mask = rng.integers(0, 2, (batch, steps)).astype(np.int32)
    mask[:, 0] = 1
    c.one("Attention", shape, ["x", "w", "b", "m"], [*constants, ("m", mask)], **options)
    lengths = rng.integers(1, steps + 1, batch).astype(np.int32)
    c.one("Attention", shape, ["x", "w", "b", "m"], [*constants, ("m", lengths)], **options)
    past = ("p", c.reals(2, batch, heads, 3, depth))
    c.one("Attention", shape, ["x", "w", "b", "", "p"], [*constants, past], outputs=["y", "now"],
          unidirectional=1, **options)
    keys = [("k", c.reals(batch, 5, hidden)), ("v", c.reals(batch, 5, hidden)), constants[1]]
    c.one("MultiHeadAttention", [batch, steps, hidden], ["x", "k", "v", "b"], keys, **options)
    c.one("MultiHeadAttention", [batch, steps, hidden], ["x", "k", "v", "", "", "a"],
          [*keys[:2], ("a", c.reals(batch, heads, steps, 5))], scale=0.3, **options)
    ids = rng.integers(0, 9, (batch, steps)).astype(np.int32)
    embedded = [("i", ids), ("s", ids % 2), ("words", c.reals(9, hidden)),
                ("places", c.reals(7, hidden)), ("kinds", c.reals(2, hidden)),
                ("g", c.reals(hidden)), ("o", c.reals(hidden)), ("m", mask)]
    names = [name for name, _ in embedded]
    c.one("Neg", [hidden], ["e"], embedded, before=[
        ("Add", ["x", "g"], ["g2"], {}),
        ("EmbedLayerNormalization", [*names[:5], "g2", *names[6:]], ["e", "counts"], MS)])
    numbers = [("n", rng.integers(-90, 90, (6, 3 * hidden)).astype(np.int8)), constants[1],
               ("s", np.float32(0.02)), ("m", mask), ("zero", np.int8(0))]
    c.one("QAttention", shape, ["q", "n", "b", "r", "s", "m", "z", "zero"], numbers, before=[
        ("DynamicQuantizeLinear", ["x"], ["q", "r", "z"], {})], **options)


def cases(seed):
    c = Cases(seed)
    functions(c)
    sums(c)
    norms(c, seed)
    products(c, seed)
    fused(c, seed)
    attentions(c, seed)
    return c.models
