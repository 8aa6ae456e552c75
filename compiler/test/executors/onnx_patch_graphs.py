"""Networks of float32 over windows that are no window of our graph: computed weights, places of the
largest, sums of powers, columns of windows, transposed windows over volumes."""
import numpy as np
from onnx_made_graphs import Cases


def window(c):
    rng = c.rng
    kernel = [int(n) for n in rng.integers(1, 4, 2)]
    return kernel, {"strides": [int(n) for n in rng.integers(1, 3, 2)],
                    "pads": [int(rng.integers(0, k)) for k in kernel * 2]}


def computed(c, seed):
    kernel, options = window(c)
    groups, batch = [1, 2, 4, 1][seed], 1 + seed % 2
    half = [("Mul", ["w", "x0"], ["v"], {}), ("Mul", ["b", "x0"], ["d"], {})]
    mean = [("ReduceMean", ["x"], ["x0"], {"keepdims": 0}), *half]
    weights = ("w", c.reals(4, 4 // groups, *kernel))
    for names in (["x", "v"], ["x", "v", "d"], ["x", "w", "d"]):
        c.one("Conv", [batch, 4, 6, 7], names, [weights, ("b", c.reals(4))], before=mean,
              group=groups, dilations=[1, 1 + seed % 2], **options)
    c.one("Conv", [batch, 4, 9], ["x", "v"], [("w", c.reals(4, 4, 3)), ("b", c.reals(4))],
          before=mean)


def pools(c, seed):
    kernel, options = window(c)
    shape = [1 + seed % 2, 3, 6, 7]
    for p in (1, 2, 3):
        c.one("LpPool", shape, ["x"], version=18, kernel_shape=kernel, p=p, **options)
        c.one("GlobalLpPool", shape, ["x"], version=18, p=p)
    for size, more in ((shape, {"kernel_shape": kernel, "dilations": [1, 1 + seed % 2], **options}),
                       ([2, 3, 9], {"kernel_shape": [2], "strides": [2]})):
        c.one("Cast", size, ["i"], before=[("MaxPool", ["x"], ["m", "i"], more)], to=1)
    shape = [*shape[:3], 8]
    pool = ("MaxPool", ["x"], ["m", "i"], {"kernel_shape": [2, 2], "strides": [2, 2]})
    names, sizes = ["m", "i"], []
    if seed % 2:
        names, sizes = ["m", "i", "s"], [("s", np.int64(shape))]
    c.one("MaxUnpool", shape, names, sizes, before=[pool], kernel_shape=[2, 2], strides=[2, 2])


def columns(c, seed):
    image, block = [5, 6], [int(n) for n in c.rng.integers(1, 4, 2)]
    strides, dilations = [1, 1 + seed % 2], [1 + seed // 2, 1]
    pads = [1, 0, 0, 1]
    count = [(n + pads[i] + pads[i + 2] - (block[i] - 1) * dilations[i] - 1) // strides[i] + 1
             for i, n in enumerate(image)]
    c.one("Col2Im", [2, 3 * block[0] * block[1], count[0] * count[1]], ["x", "i", "k"],
          [("i", np.int64(image)), ("k", np.int64(block))], version=18, strides=strides,
          dilations=dilations, pads=pads)


def smoothed(c, seed):
    for mode in ("linear", "cubic"):
        for outside, kind in ((0, "half_pixel"), (1, "half_pixel"), (0, "align_corners")):
            scales = np.float32([1, 1, c.rng.uniform(0.2, 0.9), [0.5, 1.5][seed % 2]])
            c.one("Resize", [1, 2, 13, 8], ["x", "", "s"], [("s", scales)], version=18, mode=mode,
                  antialias=1, exclude_outside=outside, coordinate_transformation_mode=kind)


def transposed(c, seed):
    rng = c.rng
    groups = [1, 2, 1, 4][seed]
    kernel, strides = ([int(n) for n in rng.integers(1, 4, 3)] for _ in range(2))
    constants = [("w", c.reals(4, 2, *kernel)), ("b", c.reals(2 * groups))]
    shape = [1 + seed % 2, 4, 3, 4, 3]
    c.one("ConvTranspose", shape, ["x", "w", "b"], constants, group=groups, strides=strides,
          pads=[int(rng.integers(0, k)) for k in kernel * 2],
          output_padding=[int(rng.integers(0, s)) for s in strides])
    c.one("ConvTranspose", shape, ["x", "w"], constants, group=groups, strides=[2, 1, 2],
          auto_pad="SAME_UPPER")


def cases(seed):
    c = Cases(seed)
    computed(c, seed)
    pools(c, seed)
    columns(c, seed)
    smoothed(c, seed)
    transposed(c, seed)
    return c.models
