"""Networks of float32: windows over three axes, lists of tensors, spectra, sums at indices, numbers
that are computed."""
import numpy as np
from onnx import TensorProto
from onnx_made_graphs import Cases

INT64, FLOAT = TensorProto.INT64, TensorProto.FLOAT


def volumes(c, seed):
    rng = c.rng
    shape, groups = [1 + seed % 2, 4, 5, 6, 4], [1, 2, 4, 1][seed]
    kernel, pads = [int(n) for n in rng.integers(1, 4, 3)], [int(n) for n in rng.integers(0, 2, 6)]
    constants = [("w", c.reals(4, 4 // groups, *kernel)), ("b", c.reals(4))]
    c.one("Conv", shape, ["x", "w", "b"], constants, group=groups, pads=pads,
          strides=[int(n) for n in rng.integers(1, 3, 3)], dilations=[1 + seed % 2, 1, 1])
    c.one("Conv", shape, ["x", "w"], constants, group=groups, auto_pad="SAME_UPPER",
          strides=[2, 1, 2])
    options = {"kernel_shape": [2, 3, 2], "strides": [int(n) for n in rng.integers(1, 3, 3)],
               "pads": [1, 1, 0, 0, 1, 1]}
    c.one("MaxPool", shape, ["x"], **options)
    c.one("AveragePool", shape, ["x"], count_include_pad=seed % 2, **options)
    for kind in ("GlobalAveragePool", "GlobalMaxPool"):
        c.one(kind, shape, ["x"])
    out = [10, 8 + seed % 3]
    c.one("ConvTranspose", [1, 3, 5, 4], ["x", "w"], [("w", c.reals(3, 2, 3, 3))], strides=[2, 2],
          output_shape=out)


def lists(c, seed):
    shape = [3, 6, 2]
    c.one("ConcatFromSequence", shape, ["s"], [("i", np.int64(2 + seed % 2)), ("one", np.int64(1))],
          before=[("SplitToSequence", ["x", "i"], ["t"], {"axis": 1}),
                  ("SequenceInsert", ["t", "x", "one"], ["s"], {})], axis=1)
    c.one("SequenceAt", shape, ["t", "i"], [("i", np.int64(-1))],
          before=[("SplitToSequence", ["x"], ["t"], {"axis": 1, "keepdims": seed % 2})])


def spectra(c, seed):
    rng = c.rng
    length = int(rng.integers(5, 12))
    c.one("DFT", [2, length, 3, 1], ["x", "", "axis"], [("axis", np.int64(1))], version=20,
          onesided=seed % 2)
    c.one("DFT", [2, length, 2], ["x", "n"], [("n", np.int64(8))], version=17, axis=1,
          inverse=seed % 2)
    c.one("STFT", [2, 40], ["x", "step", "w"], [("step", np.int64(3 + seed)),
                                                ("w", c.reals(length))], version=17,
          onesided=seed % 2)
    windows = [(kind, ["size"], [kind], {"periodic": seed % 2})
               for kind in ("HannWindow", "HammingWindow", "BlackmanWindow")]
    c.one("Sum", [length], ["x", *(w[0] for w in windows)], [("size", np.int64(length))],
          before=windows, version=17)
    mel = ("MelWeightMatrix", ["bands", "length", "rate", "low", "high"], ["m"], {})
    c.one("MatMul", [2, 17], ["x", "m"], [
        ("bands", np.int64(6)), ("length", np.int64(32)), ("rate", np.int64(8000)),
        ("low", np.float32(20 * seed)), ("high", np.float32(3900))], before=[mel], version=17)


def places(c, seed):
    rng = c.rng
    shape = [3, 4, 2]
    for reduction in ("add", "mul", "max", "min"):
        index = rng.integers(-3, 3, (7, 1))
        c.one("ScatterND", shape, ["x", "i", "u"], [("i", index), ("u", c.reals(7, 4, 2))],
              version=18, reduction=reduction)
        c.one("ScatterElements", shape, ["x", "i", "u"], [
            ("i", rng.integers(-4, 4, (2, 6, 2))[:, :4]), ("u", c.reals(2, 4, 2))], version=18,
            axis=1, reduction=reduction)
    for size, slopes in (([2, 5, 7], [5, 1]), ([2, 3, 4, 5], [3, 4, 1])):
        c.one("PRelu", size, ["x", "s"], [("s", c.reals(*slopes))])
    c.one("Compress", shape, ["x", "k"], [("k", np.array([True, False, True]))], axis=1)
    regions = rng.uniform(0, 5, (4, 4)).astype(np.float32)
    regions[:, 2:] += regions[:, :2]
    c.one("RoiAlign", [1, 3, 7, 6], ["x", "regions", "which"], [
        ("regions", regions), ("which", np.zeros(4, np.int64))], version=16, output_height=3,
        output_width=2, sampling_ratio=2, mode="max")
    c.one("Add", [4, 4], ["x", "e"], before=[("EyeLike", ["x"], ["e"], {"k": seed - 1})])


def computed_places(c, seed):
    """Rows go where a largest element is."""
    shape, count = [1, 2, 5, 3], 1 + seed % 3
    flat = [("Reshape", ["x", "line"], ["f"], {}), ("Slice", ["f", "zero", "most"], ["few"], {}),
            ("ArgMax", ["few"], ["first"], {"axis": 0, "keepdims": 1})]
    constants = [("line", np.int64([-1])), ("zero", np.int64([0])),
                 ("most", np.int64([6 - count])), ("u", c.reals(1, 2, count, 3))]
    c.one("TensorScatter", shape, ["x", "u", "first"], constants, before=flat)
    constants[2:] = [("most", np.int64([5])), ("u", c.reals(count, 4)),
                     ("steps", np.int64([[i % 2] for i in range(count)]))]
    c.one("ScatterND", [6, 4], ["x", "i", "u"], constants, before=[
        *flat, ("Add", ["first", "steps"], ["i"], {})], version=18)


def numbers(c, seed):
    """Of x, and a column less a row."""
    wide = [("Mul", ["x", "ten"], ["t"], {}), ("Cast", ["t"], ["n"], {"to": INT64})]
    back = {"to": FLOAT}
    ten = ("ten", np.float32(10))
    other = ("m", np.int64([[3], [-2], [7]]))
    for kind in ("Add", "Sub", "Mul", "Div"):
        c.one("Cast", [3, 4], ["r"], [ten, other], before=[*wide, (kind, ["n", "m"], ["r"], {})],
              **back)
    for kind in ("Neg", "Abs"):
        c.one("Cast", [3, 4], ["r"], [ten], before=[*wide, (kind, ["n"], ["r"], {})], **back)
    c.one("Cast", [3, 4], ["r"], [ten, ("low", np.int64(-3)), ("high", np.int64(4))], before=[
        *wide, ("Clip", ["n", "low", "high"], ["r"], {})], **back)
    places_of = np.arange(3 + seed)
    c.one("Add", [3 + seed, 3 + seed], ["x", "f"], [
        ("column", places_of[:, None]), ("row", places_of[None])], before=[
            ("Sub", ["column", "row"], ["d"], {}), ("Cast", ["d"], ["f"], back)])


def cases(seed):
    c = Cases(seed)
    volumes(c, seed)
    lists(c, seed)
    spectra(c, seed)
    places(c, seed)
    computed_places(c, seed)
    numbers(c, seed)
    return c.models
